//! `amazons annotate`: what every move of a game is worth.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::context::{Context, Failure};
use super::files::record::{self, is_dash};
use super::files::{output, overwriting};
use super::sources::position_solver::PositionSolver;
use super::sources::table_oracle::{TableOracle, TableOracles};
use crate::app::annotation::{Finding, Mark, alternatives, annotate, find_all, mark, move_count};
use crate::app::input;
use crate::game::Outcome;
use crate::game::notation::sgf::{Game, NodeId, Tree, games_text};
use crate::game::notation::{Captioned, Drawing, column, fen, move_text};
use crate::machine::progress::{Observer, StopFlag};

/// Say what each move of a game is worth, and which moves threw the win away
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A record of games in any form: SGF, GGF, a list of moves (docs/records.md); - reads standard
    /// input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// Tables and opening tables, asked in this order
    #[arg(long, value_name = "DIR | FILE", num_args = 1..)]
    tables: Vec<PathBuf>,

    /// Search a position that no table has for this long at most; 0s searches none
    #[arg(long, value_name = "DURATION", value_parser = input::duration, default_value = "5s")]
    time: Duration,

    /// Write the annotated games here, as SGF; - is standard output [default: -, with --json nowhere]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write a column of diagrams here
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    game: usize,
    board: String,
    start: String,
    start_value: &'static str,
    positions: usize,
    known: usize,
    blunders: usize,
    moves: Vec<MoveReport>,
    /// The same in words, a line for the game and one for each blunder.
    #[serde(skip)]
    lines: Vec<String>,
}

/// A move's value is its maker's.
#[derive(Serialize)]
struct MoveReport {
    number: usize,
    #[serde(rename = "move")]
    played: String,
    side: String,
    position: String,
    value: &'static str,
    method: &'static str,
    main_line: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winning_moves: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_winning_moves_known: Option<bool>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let to_stdout = args.out.as_deref().map_or(!context.json(), is_dash);
    if to_stdout && context.json() {
        return Err(Failure::usage(
            "--json and --out - both write to standard output: give --out a FILE",
        ));
    }
    let files = [args.out.as_deref().filter(|path| !is_dash(path)), args.svg.as_deref()];
    let game = Some(&args.game).filter(|path| !is_dash(path));
    overwriting::refuse(args.tables.iter().chain(game), files.into_iter().flatten())?;
    let mut games = record::read(&args.game, context)?;
    for path in files.into_iter().flatten() {
        output::writable(path)?;
    }
    let stop = context.stop_on_interrupt()?;
    let tables = TableOracles::open(&args.tables, context)?;
    context.set_aside("annotating these games", findings_bytes(args, &games))?;
    let mut found = Vec::new();
    for (index, game) in games.iter_mut().enumerate() {
        let findings = judge(args, game, &tables, &stop, context)?;
        annotate(game, &findings);
        found.push((index + 1, findings));
    }
    let reports: Vec<Report> = games
        .iter()
        .zip(&found)
        .map(|(game, (number, findings))| report(game, *number, findings))
        .collect();
    let text = games_text(&games);
    if let Some(path) = files[0] {
        output::write(path, text.as_bytes())?;
    }
    if let Some(path) = files[1] {
        output::write(path, picture(&games, &found).as_bytes())?;
    }
    for report in &reports {
        if to_stdout { report.remark(context) } else { report.print(context)? }
    }
    if to_stdout {
        context.print(text.trim_end())?;
    }
    if reports.iter().all(|report| report.known == 0) {
        return Err(Failure::limit(
            "no position was solved: give tables of this board, or more --time",
        ));
    }
    Ok(())
}

/// Bytes of what is found of every position: its winning moves, and reports of them.
fn findings_bytes(args: &Args, games: &[Game]) -> u64 {
    let drawn = if args.svg.is_some() { 48 << 10 } else { 0 };
    let of_game = |game: &Game| -> u64 {
        let moves =
            |id: NodeId| if args.tables.is_empty() { 1 } else { move_count(game.position(id)) };
        game.tree().ids().map(|id| 1024 + 64 * moves(id) + drawn).sum()
    };
    games.iter().map(of_game).sum()
}

/// The findings of all positions of a game.
fn judge(
    args: &Args,
    game: &Game,
    tables: &TableOracles,
    stop: &StopFlag,
    context: &Context,
) -> Result<Vec<Finding>, Failure> {
    let board = game.position(Tree::ROOT).board();
    let mut solver = PositionSolver::new(board, tables, args.time, context, stop.clone())?;
    let progress = context.progress();
    progress.begin("annotate", game.tree().len() as u64, "positions");
    let findings = find_all(game, |_, position| {
        let finding = solver.solve(position);
        progress.add(1);
        finding
    });
    drop(progress);
    let findings = findings?;
    tables.iter().try_for_each(TableOracle::check)?;
    if stop.is_set() {
        return Err(Failure::limit("interrupted: nothing was written"));
    }
    Ok(findings)
}

fn value(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or("unknown", Outcome::as_str)
}

fn report(game: &Game, number: usize, findings: &[Finding]) -> Report {
    let main_line = game.tree().main_line();
    let moves: Vec<MoveReport> = game
        .tree()
        .preorder()
        .into_iter()
        .filter_map(|id| move_report(game, id, findings, main_line.contains(&id)))
        .collect();
    let start = game.position(Tree::ROOT);
    let mut report = Report {
        game: number,
        board: start.board().to_string(),
        start: fen(start),
        start_value: value(findings[0].outcome),
        positions: findings.len(),
        known: findings.iter().filter(|finding| finding.outcome.is_some()).count(),
        blunders: moves.iter().filter(|played| played.mark == Some("blunder")).count(),
        moves,
        lines: Vec::new(),
    };
    report.lines = lines(&report, game, findings);
    report
}

fn move_report(
    game: &Game,
    id: NodeId,
    findings: &[Finding],
    main_line: bool,
) -> Option<MoveReport> {
    let (played, parent) = (game.played(id)?, game.tree().node(id).parent()?);
    let (before, after, position) =
        (&findings[parent.index()], &findings[id.index()], game.position(id));
    let board = position.board();
    let mark = mark(game, id, findings);
    let won = before.outcome == Some(Outcome::Win);
    Some(MoveReport {
        number: game.moves(id),
        played: move_text(board, played),
        side: position.turn().other().to_string(),
        position: fen(position),
        value: value(after.outcome.map(Outcome::reversed)),
        method: after.method.words(),
        main_line,
        mark: mark.map(|mark| match mark {
            Mark::Blunder => "blunder",
            Mark::Only => "only",
        }),
        winning_moves: won
            .then(|| before.winning.iter().map(|&played| move_text(board, played)).collect()),
        all_winning_moves_known: won.then_some(before.complete),
    })
}

impl Report {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        self.lines.iter().try_for_each(|line| context.print(line))
    }

    /// Says it on standard error, where the games take standard output.
    fn remark(&self, context: &Context) {
        self.lines.iter().for_each(|line| context.remark(line));
    }
}

fn lines(report: &Report, game: &Game, findings: &[Finding]) -> Vec<String> {
    let Report { game: number, board, positions, known, blunders, .. } = report;
    let thrown = match blunders {
        0 => "no move was found that threw a win away".to_string(),
        1 => "1 move threw a win away".to_string(),
        more => format!("{more} moves threw a win away"),
    };
    let mut lines =
        vec![format!("game {number}, {board}: {known} of {positions} positions known; {thrown}")];
    for id in game.tree().preorder() {
        if mark(game, id, findings) == Some(Mark::Blunder) {
            let instead = alternatives(game, id, findings).unwrap_or_default();
            lines.push(format!("  {}: {instead}", title(game, id)));
        }
    }
    lines
}

/// The move of a node with its number and side, or what it is instead.
fn title(game: &Game, id: NodeId) -> String {
    let position = game.position(id);
    match game.played(id) {
        Some(played) => {
            let (side, text) = (position.turn().other(), move_text(position.board(), played));
            format!("move {}, {side} {text}", game.moves(id))
        }
        None if id == Tree::ROOT => "start".to_string(),
        None => format!("after move {}", game.moves(id)),
    }
}

/// The positions of all games below each other, variations after the line that they leave.
fn picture(games: &[Game], found: &[(usize, Vec<Finding>)]) -> String {
    let mut captioned = Vec::new();
    for (game, (_, findings)) in games.iter().zip(found) {
        let main_line = game.tree().main_line();
        for id in game.tree().preorder() {
            let position = game.position(id);
            let finding = &findings[id.index()];
            let drawing = game
                .played(id)
                .map_or(Drawing::of(position), |last| Drawing::after(position, last));
            let variation = if main_line.contains(&id) { "" } else { "variation, " };
            let won = finding
                .winner(position)
                .map_or("winner unknown".into(), |side| format!("{side} wins"));
            let mark = mark(game, id, findings);
            let note = match mark {
                Some(Mark::Blunder) => alternatives(game, id, findings),
                Some(Mark::Only) => Some("the only move that wins".to_string()),
                None => None,
            };
            captioned.push(Captioned {
                drawing,
                title: format!("{variation}{}: {won}", title(game, id)),
                warning: (mark == Some(Mark::Blunder)).then(|| "threw the win away".to_string()),
                note,
            });
        }
    }
    column(&captioned)
}
