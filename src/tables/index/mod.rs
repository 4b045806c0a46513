//! Where a position is stored: canonical arrow sets, placements, and the way from a position to a
//! bit.
//!
//! A *tier* holds all positions with the same numbers of arrows and of amazons a side. Only arrow
//! sets that are the largest integer among their images under the board's symmetries are stored;
//! over each of them stands a *block*, a bit matrix:
//!
//! ```text
//!             column: opponent's placement among the free squares the mover left, in colex order
//!            +-----------------------------+
//!   row:     | 1 0 0 1 1 0 ...        0 0 0|   bit = 1 when the mover wins; padding to whole bytes is zero
//!   mover's  | 1 1 0 1 ...                 |
//!   placement| ...                         |
//!            +-----------------------------+
//! ```
//!
//! All blocks of a tier have the same size, so the place of a bit is arithmetic: rank of the arrow
//! set x block bytes + row x row bytes + column / 8. Arrow sets are masks of 32 bits, or of 64
//! where the board has more than 32 squares ([`Width`]).

mod images;
mod locate;
mod placement;
mod rules;
mod sets;
mod shape;
mod subject;

pub use images::{Canonical, Images};
pub use locate::{Index, Location, LocationError};
pub use placement::{Placement, compress, expand};
pub use rules::{NoTables, TableRules};
pub use sets::CanonicalSets;
pub(in crate::tables) use shape::set_count;
pub(crate) use shape::with_mask;
pub use shape::{MAX_SQUARES, MOST_CHILD_KINDS, ShapeError, TierShape, Width};
pub use subject::TableSubject;
