//! What is known of a tier when its file is complete.

use serde::{Deserialize, Serialize};

/// What a finished tier file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierSummary {
    /// Positions, every arrow set counted.
    pub positions: u64,
    /// Wins among them.
    pub wins: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// BLAKE3 of the uncompressed blocks.
    pub content: [u8; 32],
}
