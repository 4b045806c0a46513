//! `amazons verify DIR` for tables.

use std::path::Path;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::summary::{Verified, conclude, white_to_move};
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::completeness::{Completeness, figures_of_no_file};
use crate::app::cli::sources::open;
use crate::app::counted::{Counted, by_count};
use crate::machine::ranks::{Ranks, Unfinished};
use crate::tables::format::Table;
use crate::verify::table::{
    Comparison, can_be_checked, entries, least_memory, least_sample_memory, verify_all_on,
    verify_sample,
};

/// Holds all entries of a table, or `sample` random ones, against those of the positions that their
/// moves lead to.
pub(super) fn run(
    path: &Path,
    sample: Option<u64>,
    seed: u64,
    context: &Context,
    ranks: &Ranks,
) -> Result<(), Failure> {
    let began = Instant::now();
    let table = open::any_table(path, context)?;
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
            verify_sample(&table, count, memory, &mut random, &progress, &stop).or_failed()
        }
        None => match verify_all_on(ranks, &table, memory, &progress, &stop) {
            Err(Unfinished::Here(error)) => Err(error).or_failed(),
            Err(Unfinished::Elsewhere(failed)) => Err(failed.into()),
            Err(Unfinished::Stopped) => Err(Failure::limit("verification was interrupted")),
            Ok(report) => Ok(report),
        },
    };
    drop(progress);
    let report = report?;
    if !ranks.is_first() {
        return Ok(());
    }
    for shape in table.stored().stored_shapes().filter(|shape| !can_be_checked(&table, shape)) {
        context.remark(format_args!(
            "{shape}: what its moves lead to is not stored, its entries are not checked"
        ));
    }
    let verified = Verified {
        checked: report.checked,
        mismatches: report.mismatches,
        not_checked: Some(not_checked(&table, &report)).filter(|&count| count > 0),
        completeness: Some(Completeness::of(table.manifest(), table.stored().layers(), path)),
        ..Verified::of(path, "entries", began)
    };
    let wrong = report.first.map(|first| {
        format!(
            "{} of {} {} not what their moves say, for example that of {}",
            report.mismatches,
            Counted(report.checked, "entry"),
            by_count(report.mismatches, "is", "are"),
            white_to_move(table.board(), &first)
        )
    });
    conclude(&verified, wrong, &stop, context)
}

/// What nothing was held against: entries, and the wins and the hash of tiers, that a sample has
/// left out or a verification that was interrupted; and figures of tiers of which there is no file.
fn not_checked(table: &Table, report: &Comparison) -> u64 {
    let left = entries(table).saturating_sub(report.different);
    let tiers = (table.stored().stored_shapes().count() as u64).saturating_sub(report.tiers);
    left.saturating_add(2 * tiers + figures_of_no_file(table.manifest()))
}
