//! How tables are asked, by whatever rules: for the positions of the arguments, or by the line.

use rayon::prelude::*;

use super::arguments::Args;
use super::report::Report;
use crate::app::cli::batch::answer_lines_together;
use crate::app::cli::context::{Context, Failure};

/// Lines that are answered at a time, with the moves of each.
const MOST_LINES: u64 = 256;
/// Memory of a line while it is answered with its moves.
const LINE_MEMORY: u64 = 64 << 10;

/// Answers for the positions of the arguments. All are read before the table is opened, so that
/// nothing is printed if one is wrong.
///
/// # Errors
/// If a position is wrong, the table cannot be opened, or it does not answer.
pub(super) fn answer_arguments<Position, Table>(
    args: &Args,
    context: &Context,
    read: impl Fn(&str) -> Result<Position, Failure>,
    open: impl FnOnce() -> Result<Table, Failure>,
    report: impl Fn(&Table, &Position) -> Result<Report, Failure>,
) -> Result<(), Failure> {
    let positions = args.positions();
    let positions: Vec<Position> =
        positions.iter().map(|text| read(text)).collect::<Result<_, _>>()?;
    let table = open()?;
    positions.iter().try_for_each(|position| report(&table, position)?.print(context))
}

/// Answers for the lines of standard input, as many at a time as there is memory for.
///
/// # Errors
/// As [`answer_lines_together`], or if there is too little memory.
pub(super) fn answer_lines(
    context: &Context,
    report: impl Fn(&str) -> Result<Report, Failure> + Sync,
) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let memory = context.left("looking positions up", LINE_MEMORY)?;
    let most = (memory / LINE_MEMORY).min(MOST_LINES) as usize;
    answer_lines_together(&stop, most, |lines| lines.par_iter().map(|line| report(line)).collect())
}
