//! Tables: the value of every position of a board in compressed files.
//!
//! A table is a directory with a [`Manifest`] and one file for each tier and kind. A tier file
//! holds the blocks of [`index`](crate::tables::index) one after another, cut into *frames* that
//! are compressed alone, so that one bit costs one frame. `docs/format.md` describes every byte.
//!
//! * writing: [`TierWriter`] takes frames in order, encoded on any thread by an [`Encoder`]; it can
//!   be killed at any moment and resumed from its last checkpoint, and a file under its final name
//!   is always complete;
//! * reading: [`TierReader`] works on any bytes and trusts none of them: each length is compared
//!   with what the tier's shape implies, each part has a checksum, and damage is an error, never a
//!   panic or a wrong answer;
//! * looking up: [`StoredTiers`] reads the frames that are needed and keeps some decoded,
//!   [`Table`] answers positions.

mod answer;
mod check;
mod codec;
mod codec_error;
mod content_hash;
mod directory;
mod error;
mod frames;
mod header;
mod journal;
mod lock;
mod manifest;
mod many;
mod map;
mod margin_counts;
mod missing;
mod names;
mod outwards;
mod planes;
mod reader;
mod sample;
mod segment;
mod source;
mod stored;
mod streams;
mod table;
mod table_margin;
mod table_name;
mod tier_summary;
mod variant;
mod votes;
mod writer;

pub use answer::Answer;
#[cfg(any(test, feature = "internals"))]
pub use check::check_tier;
pub use check::{CheckError, TierCheck, check_tier_until};
pub use codec::{Codec, Decoder, Encoder};
pub use codec_error::CodecError;
pub(in crate::tables) use content_hash::{ContentHash, Piece};
pub use error::{TableError, if_stored};
pub use frames::{Frames, Span};
#[cfg(feature = "cli")]
pub(crate) use header::MAGIC as TIER_MAGIC;
pub use header::{ENTRY_BYTES, HEADER_BYTES, HeaderError, NEWEST_VERSION};
pub use lock::DirectoryLock;
pub use manifest::{Keep, Manifest, ManifestError, OPENING_PLIES, TierRecord};
pub use margin_counts::MarginCount;
pub use missing::Missing;
pub use names::tier_file;
pub(in crate::tables) use planes::behind;
pub use reader::{TierError, TierReader};
pub use sample::{SampleBy, Sampler};
pub use segment::Segment;
pub use source::{ByteSource, TierBytes};
pub(in crate::tables) use stored::decoder_bytes;
pub use stored::{OpenTier, StoredTiers, TierFile};
pub use table::Table;
pub use table_margin::TableMargin;
pub use table_name::TableName;
pub use tier_summary::TierSummary;
pub use writer::TierWriter;
