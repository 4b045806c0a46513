//! `amazons solve`: who wins a position, and by which move. What is known answers, or a search with
//! checkpoints between its runs and progress beside it.

mod arguments;
mod by_ranks;
mod certificate;
mod endgame;
mod found_margin;
mod hint;
mod lines;
mod margin;
mod margin_report;
mod progress;
mod report;
mod saver;
mod search;
mod sources;
mod variant;

use std::time::Instant;

pub(super) use arguments::Args;
pub(super) use report::Report;

use super::files::overwriting;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::rules::Position;
use crate::knowledge::Finding;
use crate::machine::ranks::Ranks;
use crate::search::Survey;
use arguments::Method;
use report::{Solved, print_known};
use search::Prepared;
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
    if args.option_of_margins().is_some() {
        return margin::run(args, &position, began, context);
    }
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
    if !position.board().fits::<u64>() {
        return endgame::solve(args, position, finding, sources, began, context);
    }
    let codes = match args.certificate {
        Some(_) => certificate::set_aside_codes(context)?,
        None => 0,
    };
    let prepared = search::prepare(args, position, sources, began, context)?;
    let Prepared { mut solver, mut saver, stop, taken_up } = prepared;
    let survey = match taken_up {
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
