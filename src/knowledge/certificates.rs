//! A certificate as a source: how its winner plays.

use std::sync::OnceLock;

use bytes::Bytes;

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::info::{SourceInfo, SourceKind};
use super::source::Source;
use crate::game::Outcome;
use crate::game::rules::{Amazons, Position};
use crate::machine::progress::StopFlag;
use crate::proof::{
    CertificateAnswer, CertificateError, CertificateLookupError, CertificateStrategy, Claim,
    PackedCertificate, Reader, StrategyBasis,
};
use crate::tables::index::TableRules;

/// A certificate of Amazons. It is read when it is first asked about its board.
#[derive(Debug)]
pub struct CertificateSource {
    name: String,
    claim: Claim,
    bytes: Bytes,
    packed: OnceLock<Result<PackedCertificate, String>>,
    built_in: bool,
}

/// Positions of more empty squares than this are not left to negamax: a hard one would take a
/// second.
const LEAF: u8 = 9;

impl CertificateSource {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If they do not begin as a certificate of Amazons does. Damage behind the header is found
    /// when it is asked.
    pub fn new(name: impl Into<String>, bytes: impl Into<Bytes>) -> Result<Self, CertificateError> {
        let bytes = bytes.into();
        let claim = *Reader::new(&bytes[..])?.claim();
        let packed = OnceLock::new();
        Ok(Self { name: name.into(), claim, bytes, packed, built_in: false })
    }

    /// One that whoever asks has without any files.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn built_in(
        name: impl Into<String>,
        bytes: impl Into<Bytes>,
    ) -> Result<Self, CertificateError> {
        Ok(Self { built_in: true, ..Self::new(name, bytes)? })
    }

    /// The certificate, read to its end.
    ///
    /// # Errors
    /// If it is damaged.
    fn packed(&self) -> Result<&PackedCertificate, SourceError> {
        let read = || {
            let packed = PackedCertificate::new(self.bytes.clone());
            packed.map_err(|error| format!("{}: {error}", self.name))
        };
        let packed = self.packed.get_or_init(read);
        packed.as_ref().map_err(|error| SourceError::Unreadable(error.clone()))
    }

    /// The same, read to its end now.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn checked(self) -> Result<Self, SourceError> {
        self.packed()?;
        Ok(self)
    }

    /// How answers refer to it, or to what holds without it.
    fn basis(&self, basis: StrategyBasis) -> Basis {
        match basis {
            StrategyBasis::WallRule => Basis::Bounds,
            StrategyBasis::Negamax => Basis::Proof,
            StrategyBasis::Certificate => Basis::Certificate { name: self.name.clone() },
        }
    }

    /// Whether it is about positions of this board with as many amazons. Colours stand in its
    /// header alone, so whose are the more does not matter.
    fn is_about(&self, position: &Position) -> bool {
        let (found, claimed) = (position.sides(), self.claim.position.sides());
        let reversed = Amazons { white: found.black, black: found.white };
        position.board() == self.claim.board() && [found, reversed].contains(&claimed)
    }
}

impl Source for CertificateSource {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        if !self.is_about(position) {
            return Ok(());
        }
        let answer = match self.packed()?.look_up(position, LEAF, &StopFlag::new()) {
            Ok(answer) => answer,
            Err(CertificateLookupError::Unknown { .. }) => return Ok(()),
            Err(error) => return Err(SourceError::Unreadable(format!("{}: {error}", self.name))),
        };
        let CertificateAnswer { strategy, basis } = answer;
        let basis = self.basis(basis);
        match strategy {
            CertificateStrategy::Loss(_) => finding.tell_value(Outcome::Loss, &basis),
            CertificateStrategy::Win(None) => finding.tell_value(Outcome::Win, &basis),
            CertificateStrategy::Win(Some(played)) => {
                // A strategy names moves of its own board.
                let played = played.on(position.board());
                played.map_or(Ok(()), |played| finding.tell_move(played, Outcome::Win, &basis))
            }
        }
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        let start = Position::start(self.claim.board()).ok();
        let start = start.filter(|start| start.sides() == self.claim.position.sides());
        match rules {
            TableRules::Amazons => start.into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn info(&self) -> Option<SourceInfo> {
        let packed = self.packed();
        Some(SourceInfo {
            name: self.name.clone(),
            kind: SourceKind::Certificate,
            rules: None,
            opening_moves: None,
            board: self.claim.board().to_string(),
            amazons: self.claim.position.sides().to_string(),
            positions: packed.as_ref().map_or(0, |packed| packed.positions()),
            bytes: self.bytes.len() as u64,
            built_in: self.built_in,
            available: packed.is_ok(),
        })
    }
}
