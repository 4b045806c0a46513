//! `amazons solve`: who wins a position, and by which move. What is known answers, or a search with
//! checkpoints between its runs and progress beside it.

mod arguments;
mod by_ranks;
mod by_search;
mod certificate;
mod found_margin;
mod hint;
mod lines;
mod margin;
mod margin_report;
mod progress;
mod report;
mod saver;
mod search;
mod search_share;
mod sources;
mod variant;

use std::time::Instant;

pub(super) use arguments::Args;

use super::files::overwriting;
use crate::app::cli::context::{Context, Failure};
use crate::machine::ranks::Ranks;
use arguments::Method;
use by_search::Question;
use report::print_known;
use sources::{Sources, answers};

pub(super) fn run(args: &Args, context: &Context, ranks: &Ranks) -> Result<(), Failure> {
    search::refuse_no_time(args)?;
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
    let position = &position;
    by_search::solve(&Question {
        args,
        position,
        finding: &finding,
        sources: &sources,
        began,
        context,
    })
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
