//! Files that commands read and write: of which kind one is, records of games, what is not written
//! over, output that is complete or not there, sums, names that every system can hold.

pub(super) mod completeness;
pub(super) mod directory;
pub(super) mod free_disk;
pub(super) mod kind;
pub(super) mod output;
pub(super) mod overwriting;
pub(super) mod portable_name;
pub(super) mod record;
pub(super) mod sum;
