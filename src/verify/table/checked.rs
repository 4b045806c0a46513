//! Which entries of a table can be checked.

use crate::tables::format::Table;
use crate::tables::index::TierShape;

/// Entries that a table stores, of all its planes: positions over arrow sets of which no other is
/// an image.
pub fn entries(table: &Table) -> u64 {
    let of_tier = |shape: TierShape| shape.set_count().saturating_mul(shape.placements());
    stored_shapes(table).map(of_tier).fold(0, u64::saturating_add)
}

pub(super) fn stored_shapes(table: &Table) -> impl Iterator<Item = TierShape> + '_ {
    table.stored().stored_shapes()
}

/// The tiers whose entries are checked.
pub(super) fn checked_shapes(table: &Table) -> impl Iterator<Item = TierShape> + '_ {
    stored_shapes(table).filter(|shape| can_be_checked(table, shape))
}

/// Whether the entries of a tier can be held against those that their moves lead to: all of these
/// are stored, or follow by one ply from what is.
pub fn can_be_checked(table: &Table, shape: &TierShape) -> bool {
    // A plane that is not there is an error.
    let children = shape.children();
    children.iter().all(|child| child.plane() != 0 || table.stored().answers(child))
}
