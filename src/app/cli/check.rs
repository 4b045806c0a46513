//! `amazons check`: the bytes of a table.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::context::failure::with_advice;
use super::context::{Context, Failure, OrFail};
use super::files::completeness::{Completeness, FIGURES, figures_of_no_file};
use super::files::kind::{TABLE, expect_directory};
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::tables::format::{CheckError, Table, check_tier_until};
use crate::tables::index::TierShape;

/// Check the bytes of a table: headers, sizes, checksums, content hashes
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of the table
    directory: PathBuf,
}

/// What `check` prints.
#[derive(Debug, Serialize)]
struct Summary {
    target: String,
    checked: u64,
    mismatches: u64,
    /// Claims that nothing was held against: those of tiers that are not stored, and of planes that
    /// are coded behind a damaged one.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_checked: Option<u64>,
    #[serde(flatten)]
    completeness: Completeness,
    seconds: f64,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    expect_directory(&args.directory, TABLE)?;
    let table = Table::open_any(&args.directory).or_failed()?.without_maps();
    context.set_aside("checking this table", table.stored().check_memory())?;
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let (mut checked, mut errors) = (0, Vec::new());
    let (mut damaged, mut behind) = (HashSet::new(), 0);
    for shape in table.stored().stored_shapes() {
        // A plane is coded behind the one nearer to 0, so that says nothing of it if it is damaged.
        if shape.inner().is_some_and(|inner| damaged.contains(&inner)) {
            damaged.insert(shape);
            behind += 1;
            continue;
        }
        progress.begin(&shape.to_string(), 0, "frames");
        match check_shape(&table, &shape, &stop)? {
            Ok(frames) => checked += frames,
            Err(error) => {
                damaged.insert(shape);
                errors.push(error);
            }
        }
    }
    drop(progress);
    let not_checked = figures_of_no_file(table.manifest()) + FIGURES * behind;
    let summary = Summary {
        target: args.directory.to_string_lossy().into_owned(),
        checked,
        mismatches: errors.len() as u64,
        not_checked: Some(not_checked).filter(|&count| count > 0),
        completeness: Completeness::of(table.manifest(), table.stored().layers(), &args.directory),
        seconds: began.elapsed().as_secs_f64(),
    };
    summary.print(context)?;
    if behind > 0 {
        let planes = if behind == 1 { "plane is" } else { "planes are" };
        context.remark(format_args!("{behind} {planes} coded behind a damaged one: not checked"));
    }
    if errors.is_empty() { Ok(()) } else { Err(Failure::failed(errors.join("\nerror: "))) }
}

impl Summary {
    /// Prints it as text or JSON. Of a table that is damaged the text is that of its errors.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        if self.mismatches > 0 {
            return Ok(());
        }
        let Self { target, checked, seconds, .. } = self;
        let not_checked =
            self.not_checked.map_or(String::new(), |count| format!(", {count} not checked"));
        context.print(format_args!(
            "{}: {checked} frames, all undamaged{not_checked} ({seconds:.1} s)",
            target.shown()
        ))?;
        self.completeness.print(context)
    }
}

/// The frames of a tier, or what is wrong with it.
///
/// # Errors
/// If somebody asked to stop.
fn check_shape(
    table: &Table,
    shape: &TierShape,
    stop: &StopFlag,
) -> Result<Result<u64, String>, Failure> {
    // What a finished tier held is given back before the next one is opened.
    let reader = match table.stored().open_once(shape) {
        Ok(reader) => reader,
        Err(error) => return Ok(Err(with_advice(&error))),
    };
    match check_tier_until(&reader, stop) {
        Ok(checked) => Ok(Ok(checked.frames)),
        Err(CheckError::Damaged(source)) => {
            Ok(Err(with_advice(&table.stored().damaged(shape, source))))
        }
        Err(CheckError::Stopped) => Err(Failure::limit("the check was interrupted")),
    }
}
