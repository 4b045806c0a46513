//! A certificate that is kept as its file has it, and asked for one position after another.
//!
//! The bytes stay packed: of each frame it is remembered which codes it has, so a question unpacks
//! only the frames that may list what is asked for.

use bytes::Bytes;

use super::Reader;
use super::lookup::{Asked, CertificateAnswer, CertificateLookupError, Lookup, WantedCodes};
use super::read::frame_at;
use crate::game::board::Word;
use crate::game::code::Code;
use crate::game::rules::Position;
use crate::machine::progress::StopFlag;

/// A certificate in memory.
#[derive(Debug)]
pub struct PackedCertificate {
    bytes: Bytes,
    lookup: SizedLookup,
    frames: Vec<Span>,
    positions: u64,
}

/// What does not change from one question to the next, in the word that fits the board.
#[derive(Debug)]
enum SizedLookup {
    /// Of a board of at most 64 squares.
    Small(Lookup<u64>),
    /// Of a larger one.
    Large(Lookup<u128>),
}

/// The codes of a frame, and where it begins.
#[derive(Debug)]
struct Span {
    first: Code,
    last: Code,
    at: usize,
}

impl PackedCertificate {
    /// A file's bytes, which are read once to their hash.
    ///
    /// # Errors
    /// If they are no certificate of Amazons, or are damaged.
    pub fn new(bytes: Bytes) -> Result<Self, CertificateLookupError> {
        let mut reader = Reader::new(&bytes[..])?;
        let lookup = match reader.claim().board().fits::<u64>() {
            true => SizedLookup::Small(Lookup::new(reader.claim())?),
            false => SizedLookup::Large(Lookup::new(reader.claim())?),
        };
        let (mut frames, mut positions, mut at) = (Vec::new(), 0, reader.at());
        while let Some(frame) = reader.frame()? {
            let (first, last) = (frame.positions.first(), frame.positions.last());
            if let (Some(&(first, _)), Some(&(last, _))) = (first, last) {
                frames.push(Span { first, last, at: at as usize });
            }
            positions += frame.positions.len() as u64;
            at = reader.at();
        }
        Ok(Self { bytes, lookup, frames, positions })
    }

    /// Positions that are listed.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// What the certificate says of a position, as [`look_up`](super::look_up) has it, but that
    /// positions of more than `leaf` empty squares are not left to negamax.
    ///
    /// # Errors
    /// If it does not say anything of it, or the position is of another board.
    pub fn look_up(
        &self,
        position: &Position,
        leaf: u8,
        stop: &StopFlag,
    ) -> Result<CertificateAnswer, CertificateLookupError> {
        match &self.lookup {
            SizedLookup::Small(lookup) => self.look_up_by(lookup, position, leaf, stop),
            SizedLookup::Large(lookup) => self.look_up_by(lookup, position, leaf, stop),
        }
    }

    fn look_up_by<W: Word>(
        &self,
        lookup: &Lookup<W>,
        position: &Position,
        leaf: u8,
        stop: &StopFlag,
    ) -> Result<CertificateAnswer, CertificateLookupError> {
        let mut wanted = WantedCodes::default();
        wanted.want(lookup, &lookup.squares(position)?);
        let mut codes: Vec<Code> = wanted.codes().collect();
        codes.sort_unstable();
        for span in &self.frames {
            let next = codes.partition_point(|&code| code < span.first);
            if codes.get(next).is_some_and(|&code| code <= span.last) {
                let (rest, at) = (&self.bytes[span.at..], span.at as u64);
                wanted.take(&frame_at(rest, at)?);
            }
        }
        let leaf = leaf.min(lookup.claim.leaf);
        let leaves = lookup.leaves(stop);
        Asked { lookup, wanted, leaves, leaf, stop }.answer(position)
    }
}
