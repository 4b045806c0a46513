//! `amazons solve` of a late position of a board of more than 64 squares. Such a search has
//! neither checkpoint nor digest: their files are about boards.

use std::time::Instant;

use super::arguments::Args;
use super::report::{Report, Solved};
use super::search;
use super::sources::Sources;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::parts::ahead;
use crate::game::notation::square_text;
use crate::game::rules::{Colour, Position};
use crate::knowledge::Finding;
use crate::search::{Solver, SolverError, Survey};
use crate::theory::region::components_of;

/// Refuses what there is on boards of at most 64 squares alone.
///
/// # Errors
/// If it is asked for.
pub(super) fn refuse(args: &Args) -> Result<(), Failure> {
    let Some(option) = args.option_of_search() else { return Ok(()) };
    Err(Failure::usage(format!("{option} is for boards of at most 64 squares")))
}

/// Searches a position, with what is known beside.
///
/// # Errors
/// If the search cannot begin, or is over too early.
pub(super) fn solve(
    args: &Args,
    position: &Position,
    finding: &Finding,
    sources: &Sources,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    refuse(args)?;
    let settings = context.search_settings()?;
    let stop = context.stop_on_interrupt()?;
    let solver = Solver::of_endgame(position, settings, stop.clone());
    let solver = solver.map_err(|error| match error {
        SolverError::Ground(error) => search::no_search(&error),
        error => Failure::failed(error.to_string()),
    })?;
    let mut solver = solver.with_deadline(args.time.map(|time| began + time));
    if let Some(oracle) = &sources.oracle {
        solver = solver.with_oracle(oracle);
    }
    let mut survey = Survey::new(&solver, position, args.wanted()).or_failed()?;
    search::told(&mut solver, position, None, context, |solver, _| {
        survey.run(solver, |_| None, |_| ()).or_failed()
    })?;
    let solved = Solved::by_search(&survey, &solver, solver.nodes()).with(finding);
    Report::new(args, position, &solved, began).print(context)?;
    sources.check()?;
    match survey.outcome() {
        Some(_) if !args.all_moves || survey.is_complete() => Ok(()),
        _ => {
            tell_parts(position, context);
            let why = if stop.is_set() { "the search was interrupted" } else { "the time is up" };
            Err(Failure::limit(format!("{why}; give more --time")))
        }
    }
}

/// What bounds say of each part that has an amazon, where the whole is not known.
fn tell_parts(position: &Position, context: &Context) {
    let amazons = position.amazons(Colour::White) | position.amazons(Colour::Black);
    for component in components_of(position) {
        let here = (component.squares & amazons).iter();
        let here: Vec<String> = here.map(|square| square_text(position.board(), square)).collect();
        if !here.is_empty() {
            let bounds = ahead(-component.high, -component.low);
            context.remark(format_args!("the part with {}: {bounds}", here.join(" ")));
        }
    }
}
