//! The header of a tier file: 160 bytes, little-endian, at its beginning.
//!
//! Few of its fields are free; the others follow from them and stand there for readers in other
//! languages. A header is accepted only if writing it anew from its free fields gives the same
//! bytes, so no derived length is ever trusted.

use xxhash_rust::xxh3::xxh3_64;

use super::{Codec, Frames};
use crate::game::board::Board;
use crate::machine::fields::field;
use crate::tables::index::{ShapeError, TableRules, TierShape, Width};

/// The newest version of the format that there is; see `docs/format.md` for the history.
pub const NEWEST_VERSION: u32 = VERSION_OF_PLANES;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 160;
/// Bytes of one entry of the frame index.
pub const ENTRY_BYTES: u64 = 16;

/// The first bytes of every tier.
pub(crate) const MAGIC: [u8; 8] = *b"AMAZTIER";

/// The version of the planes of a table of margins but for plane 0.
pub(super) const VERSION_OF_PLANES: u32 = 4;

/// The version of the format in which tables of a board are written: 1, or 2 where an arrow set
/// takes 64 bits; 3 by other rules than those of Amazons.
pub(super) fn version(rules: TableRules, width: Width) -> u32 {
    match (rules, width) {
        (TableRules::Amazons, Width::Narrow) => 1,
        (TableRules::Amazons, Width::Wide) => 2,
        _ => 3,
    }
}

/// What a tier file says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) shape: TierShape,
    /// The size asked for when the frames were cut.
    pub(super) target: u32,
    pub(super) finished: bool,
    /// Bytes of all encoded frames.
    pub(super) data_bytes: u64,
    /// Wins over all positions, each arrow set counted with its images.
    pub(super) wins: u64,
    /// BLAKE3 of the uncompressed blocks.
    pub(super) content: [u8; 32],
    pub(super) sets_sum: u64,
    pub(super) index_sum: u64,
}

/// Why the beginning of a file is no header of a tier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// Too short to have a header.
    #[error("it has {found} bytes, a header alone has {HEADER_BYTES}")]
    Short {
        /// Bytes it has.
        found: usize,
    },
    /// Not a tier file.
    #[error("it does not begin as a tier file does")]
    Magic,
    /// A version that this program does not read.
    #[error("it has format version {found}, this program reads versions 1 to {NEWEST_VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// The bytes do not match their checksum.
    #[error("its header does not match the header's checksum")]
    Checksum,
    /// Writing was not finished.
    #[error("it was not finished")]
    Unfinished,
    /// Frames that are too large.
    #[error("its frames are of {found} bytes, expected at most {}", Frames::MOST_TARGET)]
    Target {
        /// The size of its frames.
        found: u32,
    },
    /// A shape that no tier has.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Fields that contradict each other.
    #[error("the fields of its header contradict each other")]
    Contradiction,
}

impl Header {
    /// The frames this header implies.
    pub(super) fn frames(&self) -> Frames {
        Frames::new(self.shape, self.shape.set_count(), self.target)
    }

    pub(super) fn sets_offset(&self) -> u64 {
        HEADER_BYTES as u64
    }

    pub(super) fn index_offset(&self) -> u64 {
        self.sets_offset() + stored_list_bytes(&self.shape)
    }

    pub(super) fn data_offset(&self) -> u64 {
        head_bytes(&self.frames())
    }

    pub(super) fn file_bytes(&self) -> u64 {
        self.data_offset() + self.data_bytes
    }

    /// Positions of the tier, every arrow set counted.
    pub(super) fn positions(&self) -> u64 {
        self.shape.count().positions().map_or(u64::MAX, |positions| positions as u64)
    }

    pub(super) fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let (shape, frames) = (&self.shape, self.frames());
        let mut out = Vec::with_capacity(HEADER_BYTES);
        out.extend(MAGIC);
        // Planes are of Amazons, and their number stands where that of the rules would.
        let (version, variant) = match shape.plane() {
            0 => (version(shape.rules(), shape.width()), shape.rules().number()),
            plane => (VERSION_OF_PLANES, plane as u8),
        };
        out.extend(version.to_le_bytes());
        let sides = [shape.board().columns(), shape.board().rows()];
        out.extend(
            sides
                .iter()
                .chain(&[shape.arrows(), shape.mover(), shape.opponent()])
                .map(|&x| x as u8),
        );
        out.extend([Codec::of(shape) as u8, u8::from(self.finished), variant]);
        out.extend(self.target.to_le_bytes());
        let numbers = [
            frames.sets(),
            shape.block_bytes() as u64,
            frames.len(),
            frames.raw_bytes(),
            self.positions(),
            self.wins,
            self.sets_offset(),
            self.index_offset(),
            self.data_offset(),
            self.file_bytes(),
        ];
        out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        out.extend(self.content);
        out.extend(self.sets_sum.to_le_bytes());
        out.extend(self.index_sum.to_le_bytes());
        let sum = xxh3_64(&out);
        out.extend(sum.to_le_bytes());
        out.try_into().expect("the fields have 160 bytes")
    }

    /// Reads a header of a finished file.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, HeaderError> {
        let header = Self::unfinished_from_bytes(bytes)?;
        if header.finished { Ok(header) } else { Err(HeaderError::Unfinished) }
    }

    /// Reads a header, whether the file is finished or not.
    pub(super) fn unfinished_from_bytes(bytes: &[u8]) -> Result<Self, HeaderError> {
        let short = HeaderError::Short { found: bytes.len() };
        let bytes: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or(short)?;
        if bytes[..8] != MAGIC {
            return Err(HeaderError::Magic);
        }
        let found = u32::from_le_bytes(field(bytes, 8));
        if !(1..=NEWEST_VERSION).contains(&found) {
            return Err(HeaderError::Version { found });
        }
        let (fields, sum) = bytes.split_at(HEADER_BYTES - 8);
        if sum != xxh3_64(fields).to_le_bytes() {
            return Err(HeaderError::Checksum);
        }
        let header = Self::from_fields(bytes)?;
        if header.to_bytes() == *bytes { Ok(header) } else { Err(HeaderError::Contradiction) }
    }

    fn from_fields(bytes: &[u8; HEADER_BYTES]) -> Result<Self, HeaderError> {
        let [columns, rows, arrows, mover, opponent, _, finished, variant] = field::<8>(bytes, 12);
        let (plane, rules) = match u32::from_le_bytes(field(bytes, 8)) {
            VERSION_OF_PLANES => (variant as i8, Some(TableRules::Amazons)),
            _ => (0, TableRules::numbered(variant)),
        };
        let rules = rules.ok_or(HeaderError::Contradiction)?;
        let board =
            Board::new(columns.into(), rows.into()).map_err(|_| HeaderError::Contradiction)?;
        let shape = TierShape::new(board, arrows.into(), mover.into(), opponent.into())?;
        let shape = shape.with_rules(rules).with_plane(plane);
        if shape.constant().is_some() {
            return Err(HeaderError::Contradiction);
        }
        let target = u32::from_le_bytes(field(bytes, 20));
        if target > Frames::MOST_TARGET {
            return Err(HeaderError::Target { found: target });
        }
        let number = |at| u64::from_le_bytes(field(bytes, at));
        let mut header = Self {
            shape,
            target,
            finished: finished == 1,
            data_bytes: 0,
            wins: number(64),
            content: field(bytes, 104),
            sets_sum: number(136),
            index_sum: number(144),
        };
        let data_bytes = number(96).checked_sub(header.data_offset());
        header.data_bytes = data_bytes.ok_or(HeaderError::Contradiction)?;
        Ok(header)
    }
}

/// Bytes before the frames of a tier's file: the header, the list of arrow sets and the index.
pub(super) fn head_bytes(frames: &Frames) -> u64 {
    HEADER_BYTES as u64 + stored_list_bytes(frames.shape()) + ENTRY_BYTES * frames.len()
}

/// Bytes of the list of arrow sets in the file of a tier. The planes of a tier have that of plane
/// 0.
fn stored_list_bytes(shape: &TierShape) -> u64 {
    if shape.plane() == 0 { shape.list_bytes() } else { 0 }
}
