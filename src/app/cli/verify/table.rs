//! `amazons verify DIR` for tables.

use std::path::Path;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::summary::{Verified, interrupted, white_to_move};
use crate::app::cli::{Context, Failure, OrFail};
use crate::tables::format::Table;
use crate::verify::table::{verify_all, verify_sample};

/// Holds all entries of a table, or `sample` random ones, against those of the positions that their
/// moves lead to.
pub(super) fn run(
    path: &Path,
    sample: Option<u64>,
    seed: u64,
    context: &Context,
) -> Result<(), Failure> {
    let began = Instant::now();
    let table = Table::open(path).or_failed()?;
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let report = match sample {
        Some(count) => {
            let mut random = StdRng::seed_from_u64(seed);
            verify_sample(&table, count, &mut random, &progress, &stop)
        }
        None => verify_all(&table, &progress, &stop),
    };
    drop(progress);
    let report = report.or_failed()?;
    let verified = Verified {
        checked: report.checked,
        mismatches: report.mismatches,
        ..Verified::of(path, "entries", began)
    };
    verified.print(context)?;
    if stop.is_set() {
        return Err(interrupted());
    }
    match report.first {
        None => Ok(()),
        Some(first) => Err(Failure::failed(format!(
            "{}: {} of {} entries are not what their moves say, for example that of {}",
            path.display(),
            report.mismatches,
            report.checked,
            white_to_move(table.board(), &first)
        ))),
    }
}
