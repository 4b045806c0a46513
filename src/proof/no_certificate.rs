//! Why there is no certificate of a position, whatever its value.

use crate::game::GroundTooLarge;
use crate::game::board::BoardError;

/// Why there is no certificate of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCertificate {
    /// Its board is too large for what is done with it.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// More of its squares take part than a code has.
    #[error(transparent)]
    Ground(#[from] GroundTooLarge),
}
