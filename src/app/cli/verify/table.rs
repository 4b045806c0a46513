//! `amazons verify DIR` for tables.

use std::path::Path;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::summary::{Verified, conclude, white_to_move};
use crate::app::cli::{Context, Failure, OrFail};
use crate::verify::table::{least_memory, least_sample_memory, verify_all, verify_sample};

/// Holds all entries of a table, or `sample` random ones, against those of the positions that their
/// moves lead to.
pub(super) fn run(
    path: &Path,
    sample: Option<u64>,
    seed: u64,
    context: &Context,
) -> Result<(), Failure> {
    let began = Instant::now();
    let table = context.table(path)?;
    let least = match sample {
        Some(_) => least_sample_memory(&table, None),
        None => least_memory(&table),
    };
    let memory = context.left("verifying this table", least)?;
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let report = match sample {
        Some(count) => {
            let mut random = StdRng::seed_from_u64(seed);
            verify_sample(&table, count, memory, &mut random, &progress, &stop)
        }
        None => verify_all(&table, memory, &progress, &stop),
    };
    drop(progress);
    let report = report.or_failed()?;
    let verified = Verified {
        checked: report.checked,
        mismatches: report.mismatches,
        ..Verified::of(path, "entries", began)
    };
    let wrong = report.first.map(|first| {
        format!(
            "{} of {} entries are not what their moves say, for example that of {}",
            report.mismatches,
            report.checked,
            white_to_move(table.board(), &first)
        )
    });
    conclude(&verified, wrong, &stop, context)
}
