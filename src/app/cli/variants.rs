//! What `perft`, `show` and `solve` say under other rules than those of Amazons.

use std::io::BufWriter;
use std::path::Path;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::Serialize;

use super::files::output::{Output, refused, writable};
use super::solve::Report;
use super::{Context, Failure, OrFail, perft};
use crate::game::Outcome;
use crate::game::board::{Board, Word};
use crate::game::notation::{Symbols, diagram};
use crate::game::variants::{
    RuleSet, Side, SingleMove, VariantPosition, VariantRules, Walls, variant_fen,
};
use crate::machine::progress::Observer;
use crate::proof::variants::{LARGEST_LEAF, VariantClaim, write};
use crate::search::variants::{VariantSolver, VariantStrategyError};

/// With less memory no certificate is begun.
const LEAST_CERTIFICATE: u64 = 4 << 20;
/// The least memory of a search.
const LEAST_TABLE: u64 = 1 << 20;

/// Counts sequences of single moves.
pub(super) fn perft(
    position: &VariantPosition,
    depth: u32,
    divide: bool,
    context: &Context,
) -> Result<(), Failure> {
    let began = Instant::now();
    let leaves = if position.board().fits::<u64>() {
        leaves::<u64>(position, depth, context)?
    } else {
        leaves::<u128>(position, depth, context)?
    };
    let nodes = if depth == 0 { 1 } else { leaves.iter().map(|leaf| leaf.1).sum() };
    let named = |&(played, nodes): &(SingleMove, u64)| perft::MoveReport {
        played: played.text(position.board()),
        nodes,
    };
    let report = perft::Report {
        position: variant_fen(position),
        rules: Some(position.rules().to_string()),
        depth,
        nodes,
        seconds: began.elapsed().as_secs_f64(),
        moves: divide.then(|| leaves.iter().map(named).collect()),
    };
    report.print(context)
}

fn leaves<W: Word>(
    position: &VariantPosition,
    depth: u32,
    context: &Context,
) -> Result<Vec<(SingleMove, u64)>, Failure> {
    let rules = VariantRules::<W>::new(position.board(), position.rules()).or_usage()?;
    let state = position.state().expect("the word has a bit for every square");
    let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    let (moves, progress) = (rules.moves(&state), context.progress());
    progress.begin("perft", moves.len() as u64, "moves");
    let count = |played: SingleMove| {
        let nodes = rules.perft(&rules.play_unchecked(&state, played), below);
        progress.add(1);
        (played, nodes)
    };
    Ok(moves.into_par_iter().map(count).collect())
}

#[derive(Serialize)]
struct ShowReport {
    position: String,
    rules: String,
    board: String,
    side_to_move: String,
    walls: Vec<String>,
    diagram: Vec<String>,
}

/// A position as a diagram, with its walls.
pub(super) fn drawing(position: &VariantPosition, symbols: Symbols) -> String {
    with_walls(&diagram(position.position(), symbols), position.board(), position.walls())
}

/// Draws a position, with its walls.
pub(super) fn show(
    position: &VariantPosition,
    symbols: Symbols,
    context: &Context,
) -> Result<(), Failure> {
    let board = position.board();
    let drawn = drawing(position, symbols);
    if !context.json() {
        let fen = variant_fen(position);
        return context.print(format_args!("{drawn}{}: {fen}", position.rules()));
    }
    let walls = position.walls().iter();
    context.print_json(&ShowReport {
        position: variant_fen(position),
        rules: position.rules().to_string(),
        board: board.to_string(),
        side_to_move: position.turn().to_string(),
        walls: walls
            .map(|(square, side)| {
                format!("{}{side}", crate::game::notation::square_text(board, square))
            })
            .collect(),
        diagram: drawn.lines().map(str::to_string).collect(),
    })
}

/// A diagram with `|` for walls between files and lines of `-` for those between ranks.
fn with_walls(diagram: &str, board: Board, walls: Walls<u128>) -> String {
    if walls.is_empty() {
        return diagram.to_string();
    }
    let width = board.rows().to_string().len();
    let mut drawn = Vec::new();
    for (index, line) in diagram.lines().enumerate() {
        let Some(rank) = board.rows().checked_sub(index + 1) else {
            drawn.push(line.to_string());
            continue;
        };
        let mut symbols: Vec<char> = line.chars().collect();
        let mut below = vec![' '; symbols.len()];
        for file in 0..board.columns() {
            let square = board.square(file, rank).expect("a square of the board");
            // A square's symbol has a space before it.
            let at = width + 2 * file + 1;
            if file + 1 < board.columns() && walls.is_closed(board, square, Side::East) {
                symbols[at + 1] = '|';
            }
            if rank > 0 && walls.is_closed(board, square, Side::South) {
                below[at] = '-';
            }
        }
        drawn.push(symbols.into_iter().collect());
        if below.contains(&'-') {
            drawn.push(below.into_iter().collect::<String>().trim_end().to_string());
        }
    }
    drawn.join("\n") + "\n"
}

/// Says who wins, and by which move of one amazon; writes the winner's strategy if that is asked
/// for.
pub(super) fn solve(
    position: &VariantPosition,
    all_moves: bool,
    time: Option<Duration>,
    certificate: Option<&Path>,
    context: &Context,
) -> Result<(), Failure> {
    let began = Instant::now();
    let (board, rules) = (position.board(), position.rules());
    let mut listed = 0;
    if let Some(path) = certificate {
        listed = context.left("a certificate", LEAST_CERTIFICATE)? / 2;
        context.set_aside("a certificate", listed)?;
        writable(path)?;
    }
    let memory = context.left("the search", LEAST_TABLE)?;
    let stop = context.stop_on_interrupt()?;
    let deadline = time.and_then(|time| began.checked_add(time));
    let solver = VariantSolver::new(board, rules, memory, stop.clone()).or_usage()?;
    let mut solver = solver.with_deadline(deadline);
    let outcome = solver.solve(position).or_usage()?;
    let best = solver.best_move(position).or_usage()?;
    let moves = match all_moves {
        true => Some(solver.solve_moves(position).or_usage()?),
        false => None,
    };
    let of = |wanted: Option<Outcome>| {
        moves.as_ref().map(|moves| -> Vec<String> {
            let wanted = moves.iter().filter(|(_, outcome)| *outcome == wanted);
            wanted.map(|(played, _)| played.text(board)).collect()
        })
    };
    let report = Report {
        position: variant_fen(position),
        rules: Some(rules.to_string()),
        board: board.to_string(),
        side_to_move: position.turn().to_string(),
        value: outcome.map_or("unknown", Outcome::as_str),
        winner: outcome.map(|outcome| outcome.winner(position.turn()).to_string()),
        method: "proof",
        best_move: best.map(|played| played.text(board)),
        winning_moves: of(Some(Outcome::Win)),
        unknown_moves: of(None),
        nodes: solver.nodes(),
        seconds: began.elapsed().as_secs_f64(),
        searched_seconds: None,
        digest: None,
    };
    report.print(context)?;
    if let (Some(path), Some(outcome)) = (certificate, outcome) {
        let claim = VariantClaim { position: *position, outcome, leaf: LARGEST_LEAF };
        certify(path, &mut solver, &claim, listed, context)?;
    }
    let unknown = report.unknown_moves.as_ref().is_some_and(|unknown| !unknown.is_empty());
    if outcome.is_some() && !unknown {
        return Ok(());
    }
    let why = if stop.is_set() { "the search was interrupted" } else { "the time is up" };
    Err(Failure::limit(why))
}

/// Writes the certificate, under another name until it is complete.
fn certify(
    path: &Path,
    solver: &mut VariantSolver,
    claim: &VariantClaim,
    memory: u64,
    context: &Context,
) -> Result<(), Failure> {
    let failed = |error: String| format!("{}: {error}; the verdict stands", path.display());
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
    context.remark(format_args!("{}: {} positions, {bytes} bytes", path.display(), list.len()));
    Ok(())
}

/// The failure of a command that searches and was given tables by other rules.
pub(super) fn no_tables_here(rules: RuleSet) -> Failure {
    Failure::usage(format!(
        "this command takes tables by the rules of amazons only, found {rules}; \
         `amazons lookup --rules NAME` takes those that there are by other rules"
    ))
}

/// The failure of what is there for Amazons only.
pub(super) fn for_amazons_only(what: &str, rules: RuleSet) -> Failure {
    Failure::usage(format!("{what} is for the rules of amazons, found {rules}"))
}
