//! `amazons solve`: who wins a position, and by which move. What is known answers, or a search with
//! checkpoints between its runs and progress beside it.

mod arguments;
mod by_ranks;
mod certificate;
mod hint;
mod lines;
mod progress;
mod report;
mod saver;
mod search;
mod sources;
mod variant;

use std::time::Instant;

pub(super) use arguments::Args;
pub(super) use report::Report;

use super::files::output::writable;
use super::files::overwriting;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::rules::Position;
use crate::knowledge::Finding;
use crate::machine::ranks::Ranks;
use crate::search::{Solver, Survey};
use arguments::Method;
use report::{Solved, print_known};
use saver::Saver;
use sources::{Sources, answers};

pub(super) fn run(args: &Args, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    if args.mpi {
        return by_ranks::run(args, context, ranks);
    }
    let began = Instant::now();
    if let Some(rules) = args.rules.variant() {
        return variant::run(args, rules, context);
    }
    if args.given.is_dash()? {
        return lines::run(args, context);
    }
    let position = args.given.read()?.position;
    search::refuse_no_time(args)?;
    refuse_files(args)?;
    let sources = Sources::open(args, context)?;
    if let Some(error) = sources.other_game(&position) {
        context.remark(format_args!("the table does not help: {error}"));
    }
    let finding = sources.finding(args, &position)?;
    if answers(args, &position, &finding) {
        return print_known(args, &position, &finding, began, context);
    }
    solve_by_search(args, &position, &finding, &sources, began, context)
}

/// Refuses files that mean nothing without a search, and those that would be written over.
fn refuse_files(args: &Args) -> Result<(), Failure> {
    let alone = args.method == Method::Tables;
    if let Some(option) = args.option_of_search().filter(|_| alone) {
        return Err(Failure::usage(format!("{option} needs a search: use --method proof")));
    }
    overwriting::refuse(
        [&args.tables, &args.digest].into_iter().flatten(),
        [&args.checkpoint, &args.certificate].into_iter().flatten(),
    )
}

/// Searches a position, with the table where it knows more, and writes the certificate.
fn solve_by_search(
    args: &Args,
    position: &Position,
    finding: &Finding,
    sources: &Sources,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    search::refuse_hopeless(args, position.board())?;
    let codes = match args.certificate {
        Some(_) => certificate::set_aside_codes(context)?,
        None => 0,
    };
    search::set_aside_files(args, context)?;
    let settings = context.search_settings()?;
    args.certificate.as_deref().map_or(Ok(()), writable)?;
    let deadline = args.time.map(|time| began + time);
    let mut saver = Saver::new(args.checkpoint.as_deref(), deadline)?;
    let stop = context.stop_on_interrupt()?;
    let solver = Solver::new(position.board(), settings, stop.clone()).or_failed()?;
    let mut solver = solver.with_deadline(deadline);
    if let Some(oracle) = &sources.oracle {
        solver = solver.with_oracle(oracle);
    }
    let survey = match search::take_up(args, position, &mut solver, &mut saver, context)? {
        true => search::search(args, position, &mut solver, &mut saver, context)?,
        false => Survey::new(&solver, position, args.wanted()).or_failed()?,
    };
    let solved = Solved::by_search(&survey, &solver, solver.nodes()).with(finding);
    Report::new(args, position, &solved, began).print(context)?;
    sources.check()?;
    match survey.outcome() {
        Some(outcome) if !args.all_moves || survey.is_complete() => {
            certificate::certify(args, position, &mut solver, outcome, codes, context)
        }
        _ => Err(saver.limit(&stop)),
    }
}
