//! The manifest: what a table's directory holds, as JSON that people can read.
//!
//! The file is accepted only if writing it anew gives the same bytes, its own checksum included, so
//! a changed byte anywhere in it is noticed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::journal::replace;
use super::{TableError, TierSummary, VERSION, tier_file};
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::tables::index::TierShape;

/// Which tiers a table keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Every tier.
    All,
    /// Tiers with an odd number of arrows; the others are answered by one ply of search.
    Odd,
}

/// One tier and kind that was solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierRecord {
    /// Burned squares.
    pub arrows: usize,
    /// Amazons of the side to move.
    pub mover: usize,
    /// Amazons of the other side.
    pub opponent: usize,
    /// Positions, every arrow set counted.
    pub positions: u64,
    /// Wins among them.
    pub wins: u64,
    /// Whether its file is kept.
    pub stored: bool,
    /// Bytes of its file.
    pub bytes: u64,
    /// BLAKE3 of its uncompressed blocks, in hexadecimal.
    pub content: String,
}

impl TierRecord {
    /// The record of a finished tier.
    pub fn new(shape: &TierShape, summary: &TierSummary) -> Self {
        Self {
            arrows: shape.arrows(),
            mover: shape.mover(),
            opponent: shape.opponent(),
            positions: summary.positions,
            wins: summary.wins,
            stored: true,
            bytes: summary.bytes,
            content: blake3::Hash::from(summary.content).to_hex().to_string(),
        }
    }
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The board.
    pub board: Board,
    /// Amazons of the sides; a table answers both with either side to move.
    pub amazons: Amazons,
    /// Which tiers are kept.
    pub keep: Keep,
    /// Time spent solving.
    pub milliseconds: u64,
    /// The tiers that were solved, by arrows, White to move first.
    pub tiers: Vec<TierRecord>,
}

/// What is wrong with a manifest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot read manifest.json: {0}")]
    Io(#[from] std::io::Error),
    /// It is no manifest.
    #[error(
        "manifest.json is damaged: {0}; restore it, or delete the directory and build the table again"
    )]
    Syntax(#[from] serde_json::Error),
    /// It was changed, or written by something else.
    #[error(
        "manifest.json is damaged: it does not match its checksum; restore it, or delete the directory and build the table again"
    )]
    Checksum,
    /// A version that this program does not read.
    #[error("it has format version {found}, this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// Fields that contradict each other.
    #[error("manifest.json is damaged: it describes a tier that its board does not have")]
    Contradiction,
}

/// The rules of the tables of this version.
const RULES: &str = "queen step, queen shot, one arrow a move; who cannot move loses";

/// The manifest as it stands in the file.
#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    engine: String,
    rules: String,
    board: String,
    amazons: String,
    keep: Keep,
    milliseconds: u64,
    tiers: Vec<TierRecord>,
    checksum: String,
}

impl Text {
    /// The bytes of the file, for the checksum that is in place.
    fn bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Puts the checksum of the other fields in place.
    fn seal(&mut self) -> Result<(), serde_json::Error> {
        self.checksum.clear();
        self.checksum = blake3::hash(&self.bytes()?).to_hex().to_string();
        Ok(())
    }
}

impl Manifest {
    /// A table without tiers.
    pub fn new(board: Board, amazons: Amazons, keep: Keep) -> Self {
        Self { board, amazons, keep, milliseconds: 0, tiers: Vec::new() }
    }

    /// Where the manifest of a directory is.
    pub fn path(directory: &Path) -> PathBuf {
        directory.join("manifest.json")
    }

    /// Reads the manifest of a directory.
    ///
    /// # Errors
    /// [`TableError::Manifest`] if there is none or it is damaged.
    pub fn load(directory: &Path) -> Result<Self, TableError> {
        let path = Self::path(directory);
        let parse = || Self::parse(&std::fs::read(&path)?);
        parse().map_err(|source| TableError::Manifest { path: directory.into(), source })
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] if these bytes are none, or changed.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        let mut text: Text = serde_json::from_slice(bytes)?;
        if text.format != VERSION {
            return Err(ManifestError::Version { found: text.format });
        }
        text.seal()?;
        if text.bytes()? != bytes {
            return Err(ManifestError::Checksum);
        }
        let board = text.board.parse().map_err(|_| ManifestError::Contradiction)?;
        let amazons = text.amazons.parse().map_err(|_| ManifestError::Contradiction)?;
        let Text { keep, milliseconds, tiers, .. } = text;
        let manifest = Self { board, amazons, keep, milliseconds, tiers };
        let fits = |tier: &TierRecord| manifest.shape(tier).is_some();
        if manifest.tiers.iter().all(fits) {
            Ok(manifest)
        } else {
            Err(ManifestError::Contradiction)
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// None that is known; JSON could refuse.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ManifestError> {
        let mut text = Text {
            format: VERSION,
            engine: format!("amazons {}", env!("CARGO_PKG_VERSION")),
            rules: RULES.into(),
            board: self.board.to_string(),
            amazons: self.amazons.to_string(),
            keep: self.keep,
            milliseconds: self.milliseconds,
            tiers: self.tiers.clone(),
            checksum: String::new(),
        };
        text.seal()?;
        Ok(text.bytes()?)
    }

    /// Replaces the manifest of a directory, atomically.
    ///
    /// # Errors
    /// [`TableError`] if it cannot be written.
    pub fn save(&self, directory: &Path) -> Result<(), TableError> {
        let bytes = self.to_bytes();
        let bytes =
            bytes.map_err(|source| TableError::Manifest { path: directory.into(), source })?;
        replace(&Self::path(directory), &bytes)
    }

    /// The tier of a record, `None` if this board has no such tier for these amazons.
    pub fn shape(&self, tier: &TierRecord) -> Option<TierShape> {
        let shape = TierShape::new(self.board, tier.arrows, tier.mover, tier.opponent).ok()?;
        self.has(&shape).then_some(shape)
    }

    /// Whether a tier belongs to this board and these amazons, either side to move.
    pub fn has(&self, shape: &TierShape) -> bool {
        let (white, black) = (self.amazons.white, self.amazons.black);
        let sides = (shape.mover(), shape.opponent());
        shape.board() == self.board && (sides == (white, black) || sides == (black, white))
    }

    /// The record of a tier.
    pub fn tier(&self, shape: &TierShape) -> Option<&TierRecord> {
        self.tiers.iter().find(|tier| self.shape(tier) == Some(*shape))
    }

    /// Adds or replaces the record of a tier, keeping their order.
    pub fn record(&mut self, record: TierRecord) {
        let key =
            |tier: &TierRecord| (tier.arrows, tier.mover != self.amazons.white, tier.opponent);
        let place = self.tiers.binary_search_by_key(&key(&record), key);
        match place {
            Ok(found) => self.tiers[found] = record,
            Err(place) => self.tiers.insert(place, record),
        }
    }

    /// Where the file of a tier is.
    pub fn tier_path(directory: &Path, shape: &TierShape) -> PathBuf {
        directory.join(tier_file(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Manifest {
        let mut manifest = Manifest::new("3x4".parse().unwrap(), "2v1".parse().unwrap(), Keep::Odd);
        for (arrows, mover, opponent) in [(3, 1, 2), (2, 2, 1), (3, 2, 1)] {
            let shape = TierShape::new(manifest.board, arrows, mover, opponent).unwrap();
            let summary =
                TierSummary { positions: 7, wins: 5, bytes: 300, content: [arrows as u8; 32] };
            manifest.record(TierRecord::new(&shape, &summary));
        }
        manifest
    }

    #[test]
    fn manifests_round_trip_in_order() {
        let manifest = example();
        let order: Vec<_> = manifest.tiers.iter().map(|tier| (tier.arrows, tier.mover)).collect();
        assert_eq!(order, [(2, 2), (3, 2), (3, 1)]);
        assert_eq!(Manifest::parse(&manifest.to_bytes().unwrap()).unwrap(), manifest);
    }

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let bytes = example().to_bytes().unwrap();
        for at in 0..bytes.len() {
            for flip in [1, 2, 0x10, 0x20, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                assert!(Manifest::parse(&changed).is_err(), "byte {at} changed by {flip:#x}");
            }
            assert!(Manifest::parse(&bytes[..at]).is_err(), "cut to {at}");
        }
        assert!(Manifest::parse(&[&bytes[..], b"\n"].concat()).is_err());
    }
}
