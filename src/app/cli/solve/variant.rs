//! `amazons solve` by other rules than those of Amazons: a search without tables, checkpoints and
//! the wall rule.

use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

use super::arguments::{Args, Method};
use super::lines::unsolved_lines;
use super::report::{Report, basis_of, method_of};
use super::sources::is_whole;
use crate::app::cli::arguments::rules::{for_amazons_only, no_tables_here};
use crate::app::cli::batch::answer_lines;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::output::{Output, refused, writable};
use crate::app::counted::Counted;
use crate::app::value::Value;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::variants::{RuleSet, SingleMove, VariantPosition, variant_fen};
use crate::knowledge::{Basis, Knowledge};
use crate::machine::shown::Shown as _;
use crate::proof::variants::{LARGEST_LEAF, VariantClaim, write};
use crate::search::variants::{VariantSolver, VariantStrategyError};

/// With less memory no certificate is begun.
const LEAST_CERTIFICATE: u64 = 4 << 20;

/// Says who wins, and by which move of one amazon; writes the winner's strategy if that is asked
/// for.
pub(super) fn run(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    refuse_missing(args, rules)?;
    if args.given.is_dash()? {
        return lines(args, rules, context);
    }
    let position = &args.given.read_variant(rules)?;
    let began = Instant::now();
    if let Some(report) = known(args, &Knowledge::default(), position, began)? {
        return report.print(context);
    }
    refuse_large(position)?;
    let listed = match &args.certificate {
        Some(path) => set_aside(path, context)?,
        None => 0,
    };
    let memory = context.left("the search", VariantSolver::LEAST_TABLE_BYTES)?;
    let stop = context.stop_on_interrupt()?;
    let deadline = args.time.and_then(|time| began.checked_add(time));
    let solver = VariantSolver::new(position.board(), rules, memory, stop.clone()).or_usage()?;
    let mut solver = solver.with_deadline(deadline);
    let Searched { report, outcome } = search(args, &mut solver, position, began)?;
    // A file that was asked for is written also where nobody reads the answer any more.
    let printed = report.print(context);
    if let (Some(path), Some(outcome)) = (&args.certificate, outcome) {
        let claim = VariantClaim { position: *position, outcome, leaf: LARGEST_LEAF };
        certify(path, &mut solver, &claim, listed, context)?;
    }
    printed?;
    if !report.is_unfinished() {
        return Ok(());
    }
    let why = if stop.is_set() { "the search was interrupted" } else { "the time is up" };
    Err(Failure::limit(why))
}

/// Solves the positions of standard input, each for at most `--time`, as it is done by the rules of
/// Amazons. What is proved of one helps with the next on the same board.
fn lines(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    if let Some(option) = args.option_of_search() {
        return Err(Failure::usage(format!("{option} is for one position, - are many")));
    }
    let memory = context.left("the search", VariantSolver::LEAST_TABLE_BYTES)?;
    let stop = context.stop_on_interrupt()?;
    let knowledge = Knowledge::default();
    let mut kept: Option<(Board, VariantSolver)> = None;
    let mut unsolved = 0;
    answer_lines(&stop, |line| {
        let began = Instant::now();
        let position = args.given.read_variant_line(line, rules)?;
        if let Some(report) = known(args, &knowledge, &position, began)? {
            return Ok(report);
        }
        refuse_large(&position)?;
        let board = position.board();
        // The memory of the last one is free before the next one takes it.
        let mut solver = match kept.take().filter(|(holds, _)| *holds == board) {
            Some((_, solver)) => solver,
            None => VariantSolver::new(board, rules, memory, stop.clone()).or_usage()?,
        };
        solver.limit(args.time.and_then(|time| began.checked_add(time)), u64::MAX);
        let nodes = solver.nodes();
        let searched = search(args, &mut solver, &position, began)?;
        kept = Some((board, solver));
        unsolved += u64::from(searched.report.is_unfinished());
        Ok(Report { nodes: searched.report.nodes - nodes, ..searched.report })
    })?;
    unsolved_lines(unsolved)
}

/// What the rules and bounds say of a position, if that is all that is asked for. Whoever wants a
/// certificate, or a proof alone, wants the search.
fn known(
    args: &Args,
    knowledge: &Knowledge,
    position: &VariantPosition,
    began: Instant,
) -> Result<Option<Report>, Failure> {
    if args.method == Method::Proof || args.option_of_search().is_some() {
        return Ok(None);
    }
    let finding = knowledge.by_other_rules(position).or_failed()?;
    let best = finding.of_value(Some(Outcome::Win)).next();
    let moves = args.all_moves.then(|| finding.moves());
    let basis = basis_of(args, &finding);
    Ok(is_whole(args, &finding).then(|| Report {
        method: method_of(basis.as_ref()),
        basis,
        ..report(position, finding.value(), best, moves, 0, began)
    }))
}

/// A position that was searched.
struct Searched {
    report: Report,
    outcome: Option<Outcome>,
}

/// Searches a position, and each of its moves if that is asked for.
fn search(
    args: &Args,
    solver: &mut VariantSolver,
    position: &VariantPosition,
    began: Instant,
) -> Result<Searched, Failure> {
    let outcome = solver.solve(position).or_usage()?;
    let best = solver.best_move(position).or_usage()?;
    let moves = match args.all_moves {
        true => Some(solver.solve_moves(position).or_usage()?),
        false => None,
    };
    let report = report(position, outcome, best, moves.as_deref(), solver.nodes(), began);
    Ok(Searched { report, outcome })
}

/// Refuses what is there by the rules of Amazons only.
fn refuse_missing(args: &Args, rules: RuleSet) -> Result<(), Failure> {
    if args.tables.is_some() || args.method == Method::Tables {
        return Err(no_tables_here(rules));
    }
    let missing = [
        (args.checkpoint.is_some(), "--checkpoint"),
        (args.digest.is_some(), "--digest"),
        (args.walls, "--walls"),
        (args.leaf.is_some(), "--leaf"),
        (args.margin, "--margin"),
        (args.spare.is_some(), "--spare"),
    ];
    if let Some((_, what)) = missing.into_iter().find(|(asked, _)| *asked) {
        return Err(for_amazons_only(what, rules));
    }
    Ok(())
}

/// Refuses a board that is too large for a search.
fn refuse_large(position: &VariantPosition) -> Result<(), Failure> {
    let board = position.board();
    if board.fits::<u64>() {
        return Ok(());
    }
    let (rules, squares) = (position.rules(), board.squares());
    Err(Failure::usage(format!(
        "{board} has {squares} squares, the search by the rules of {rules} takes at most 64; \
         `amazons play` plays on it, `amazons perft` counts"
    )))
}

/// The bytes for the list of a certificate, which are set aside; no search begins for a file that
/// cannot be written.
fn set_aside(path: &Path, context: &Context) -> Result<u64, Failure> {
    let listed = context.left("a certificate", LEAST_CERTIFICATE)? / 2;
    context.set_aside("a certificate", listed)?;
    writable(path)?;
    Ok(listed)
}

fn report(
    position: &VariantPosition,
    outcome: Option<Outcome>,
    best: Option<SingleMove>,
    moves: Option<&[(SingleMove, Option<Outcome>)]>,
    nodes: u64,
    began: Instant,
) -> Report {
    let board = position.board();
    let of = |wanted: Option<Outcome>| {
        moves.map(|moves| -> Vec<String> {
            let wanted = moves.iter().filter(|(_, outcome)| *outcome == wanted);
            wanted.map(|(played, _)| played.text(board)).collect()
        })
    };
    Report {
        position: variant_fen(position),
        rules: Some(position.rules().to_string()),
        board: board.to_string(),
        side_to_move: position.turn().to_string(),
        value: Value::of(outcome),
        winner: outcome.map(|outcome| outcome.winner(position.turn()).to_string()),
        method: "proof",
        basis: outcome.map(|_| Basis::Proof),
        best_move: best.map(|played| played.text(board)),
        winning_moves: of(Some(Outcome::Win)),
        unknown_moves: of(None),
        nodes,
        seconds: began.elapsed().as_secs_f64(),
        searched_seconds: None,
        digest: None,
        checkpoint: None,
        margin: None,
    }
}

/// Writes the certificate, under another name until it is complete.
fn certify(
    path: &Path,
    solver: &mut VariantSolver,
    claim: &VariantClaim,
    memory: u64,
    context: &Context,
) -> Result<(), Failure> {
    let failed = |error: String| format!("{}: {error}; the verdict stands", path.shown());
    let list = solver.strategy(claim, memory).map_err(|error| match error {
        VariantStrategyError::Stopped => Failure::limit(failed(error.to_string())),
        VariantStrategyError::Memory { .. } => {
            let words = "give more --memory for the certificate";
            Failure::limit(format!("{}; {words}", failed(error.to_string())))
        }
        error => Failure::failed(failed(error.to_string())),
    })?;
    let output = Output::create(path)?;
    write(BufWriter::new(output.file()), claim, &list)
        .map_err(|error| Failure::failed(failed(error.to_string())))?;
    let bytes = output.file().metadata().map_err(|error| refused(path, &error))?.len();
    output.keep()?;
    let positions = Counted(list.len(), "position");
    context.remark(format_args!("{}: {positions}, {bytes} bytes", path.shown()));
    Ok(())
}
