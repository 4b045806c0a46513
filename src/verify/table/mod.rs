//! Checks a table entry by entry: a position is won exactly if some move leads to a lost one.
//!
//! The moves come from [`game::rules`](crate::game::rules), by other rules from
//! [`game::variants`](crate::game::variants), one position at a time; the values of the positions
//! they lead to are read from the table, one tier up. If all entries pass, they are all right, by
//! induction from the fullest tier, where nobody can move. A tier that is not stored
//! (`--keep odd`) is derived the same way where it is needed; of a tier that is followed by two
//! that are not stored (`--keep first`) no entry is checked. Then what its file and the manifest
//! claim of a tier is held against its entries: how many are won, and their hash.
//!
//! A plane `s` of a table of margins is checked in the same way: won are the positions from which a
//! move leads to a lost one of plane `-s`, and with `s > 0` those that are lost in plane `1 - s`
//! with the other side to move. Planes rest on those nearer to 0 and on tiers with more arrows, so
//! the induction holds. Planes with no files are those where nobody has enough empty squares to
//! win, or to lose.

mod checked;
mod comparison;
mod derive;
mod sample;
mod whole;

pub use checked::{can_be_checked, entries};
pub use comparison::Comparison;
pub use sample::{SampleJob, least_sample_memory, verify_sample, verify_sample_of};
#[cfg(any(test, feature = "internals"))]
pub use whole::verify_all;
pub use whole::{least_memory, verify_all_on};
