//! The names of a table's files, finished or not.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::tables::index::TierShape;

/// How the names of all files of tiers begin, finished or not.
pub(super) const TIER: &str = "tier-";

/// Name of the file of a tier and kind, for example `tier-08-4v4.amz`: arrows, mover's and
/// opponent's amazons. Of its plane -3 it is `tier-08-4v4-minus-03.amz`.
pub fn tier_file(shape: &TierShape) -> String {
    let plane = match shape.plane() {
        0 => String::new(),
        plane @ 1.. => format!("-plus-{plane:02}"),
        plane => format!("-minus-{:02}", plane.unsigned_abs()),
    };
    format!("{TIER}{:02}-{}v{}{plane}.amz", shape.arrows(), shape.mover(), shape.opponent())
}

/// Where an unfinished tier is, or a segment of it.
pub(super) fn part_path(
    directory: &Path,
    shape: &TierShape,
    segment: Option<&Range<u64>>,
) -> PathBuf {
    directory.join(format!("{}.part{}", tier_file(shape), suffix(segment)))
}

/// Where the journal of an unfinished tier is, or of a segment of it.
pub(super) fn journal_path(
    directory: &Path,
    shape: &TierShape,
    segment: Option<&Range<u64>>,
) -> PathBuf {
    let extension = format!("journal{}", suffix(segment));
    directory.join(tier_file(shape)).with_extension(extension)
}

/// What the names of a segment's files end with.
fn suffix(segment: Option<&Range<u64>>) -> String {
    segment.map_or_else(String::new, |frames| format!("-{}-{}", frames.start, frames.end))
}
