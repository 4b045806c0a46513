//! `amazons solve`: who wins a position, and by which move.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::given::Given;
use super::output::{Output, refused, writable};
use super::solve_table::Source;
use super::{Context, Failure, OrFail, Progress, input};
use crate::board::Board;
use crate::certificate::{Claim, leaf};
use crate::notation::{fen, move_text};
use crate::progress::{Observer, StopFlag};
use crate::rules::{Move, Position};
use crate::search::{Settings, Solver, StrategyError, write_certificate};

/// Say who wins POSITION, and by which move
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: Given,

    /// How to find out
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,

    /// Directory of a table: it answers, or helps the search where it knows a position
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Say of every move whether it wins
    #[arg(long)]
    all_moves: bool,

    /// Give up after this time, with exit status 3
    #[arg(long, value_name = "DURATION", value_parser = input::duration)]
    time: Option<Duration>,

    /// Save the search here now and then, and go on from here if the file exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Write the winner's strategy here, for `amazons verify`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Leave to the wall rule what it decides: a far smaller certificate, whose check rests on that rule too
    #[arg(long, requires = "certificate")]
    walls: bool,
}

/// Where the answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Whatever there is
    Auto,
    /// Proof-number search
    Proof,
    /// The table of --tables alone
    Tables,
}

#[derive(Serialize)]
struct Report {
    position: String,
    board: String,
    side_to_move: String,
    value: &'static str,
    winner: Option<String>,
    method: &'static str,
    best_move: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winning_moves: Option<Vec<String>>,
    nodes: u64,
    seconds: f64,
}

/// Less memory than this is refused.
const LEAST_MEMORY: u64 = 4 << 20;
/// The first checkpoint comes after this long, and no two are closer.
const SHORTEST_PAUSE: Duration = Duration::from_secs(60);
/// Saving takes at most this share of the time.
const SAVING_SHARE: u32 = 20;
/// How often the progress is told.
const TICK: Duration = Duration::from_millis(100);
/// How many moves of the line being worked on are told with it.
const SHOWN_MOVES: usize = 4;

pub(super) fn run(args: &mut Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    args.given.play()?;
    let args = &*args;
    let source = args.tables.as_deref().map(Source::open).transpose()?;
    if answer_from_table(args, source.as_ref(), began, context)? {
        return Ok(());
    }
    let board = args.given.position.board();
    let squares = board.squares();
    let too_large = || Failure::usage(format!("{board} has {squares} squares, the search takes at most 64"));
    let position: Position = args.given.position.position().ok_or_else(too_large)?;
    if args.time == Some(Duration::ZERO) {
        return Err(Failure::usage("--time is zero: give a duration such as 10m"));
    }
    if context.memory() < LEAST_MEMORY {
        return Err(Failure::usage("--memory is too small for a search: give at least 4MiB"));
    }
    for path in [&args.certificate, &args.checkpoint].into_iter().flatten() {
        writable(path)?;
    }
    // An eighth is left for the smaller table while the table grows.
    let settings = Settings { table_bytes: context.memory() / 9 * 8, threads: context.threads(), seed: 0 };
    let stop = context.stop_on_interrupt()?;
    let deadline = args.time.map(|time| began + time);
    let mut solver = Solver::new(board, settings, stop.clone()).or_failed()?.with_deadline(deadline);
    if let Some(source) = source.as_ref().filter(|_| args.method != Method::Proof) {
        solver = solver.with_oracle(source);
    }
    take_up(args, &mut solver, &position, context)?;
    let progress = context.progress();
    let verdict = search(args, &mut solver, &position, &progress)?;
    let moves = match verdict {
        Some(win) => winning_moves(args, &mut solver, &position, win)?,
        None => Vec::new(),
    };
    drop(progress);
    let solved = Solved { verdict, moves: &moves, nodes: solver.nodes(), method: "proof" };
    print(args, &solved, began, context)?;
    source.as_ref().map_or(Ok(()), Source::check)?;
    let Some(win) = verdict else { return Err(limit(args, &stop)) };
    if args.all_moves && solver.is_over() {
        return Err(limit(args, &stop));
    }
    certify(args, &mut solver, &position, win, context)
}

/// Answers from the table alone, if that is asked for or possible; whether it did. A certificate needs a search.
fn answer_from_table(
    args: &Args,
    source: Option<&Source>,
    began: Instant,
    context: &Context,
) -> Result<bool, Failure> {
    let must = args.method == Method::Tables;
    if must && args.certificate.is_some() {
        return Err(Failure::usage("--certificate needs a search: use --method proof"));
    }
    let Some(source) = source else {
        return if must { Err(Failure::usage("--method tables needs --tables DIR")) } else { Ok(false) };
    };
    if args.method == Method::Proof || args.certificate.is_some() {
        return Ok(false);
    }
    let Some(answer) = source.answer(&args.given.position, must)? else { return Ok(false) };
    let winning = answer.moves.iter().filter(|(_, wins)| *wins).map(|(played, _)| *played);
    let moves: Vec<Move> = winning.collect();
    print(
        args,
        &Solved { verdict: Some(answer.wins), moves: &moves, nodes: 0, method: "tables" },
        began,
        context,
    )?;
    Ok(true)
}

fn take_up(
    args: &Args,
    solver: &mut Solver<'_>,
    position: &Position,
    context: &Context,
) -> Result<(), Failure> {
    let Some(path) = args.checkpoint.as_ref().filter(|path| path.exists()) else { return Ok(()) };
    let nodes = solver.load(path, position).map_err(|error| {
        Failure::failed(format!("{}: {error}; remove it or name another file to begin anew", path.display()))
    })?;
    context.remark(format_args!("going on from {} after {nodes} nodes", path.display()));
    Ok(())
}

/// The search with checkpoints between its runs and progress beside it.
fn search(
    args: &Args,
    solver: &mut Solver<'_>,
    position: &Position,
    progress: &Progress,
) -> Result<Option<bool>, Failure> {
    let (monitor, follower) = (solver.monitor(), solver.follower(position));
    let board = solver.ground().board();
    let done = AtomicBool::new(false);
    progress.begin("search", 0, "nodes");
    std::thread::scope(|scope| {
        let teller = scope.spawn(|| {
            let mut told = monitor.nodes();
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(TICK);
                let glimpse = monitor.glimpse();
                let numbers = glimpse.numbers.map_or((0, 0), |numbers| (numbers.proof, numbers.disproof));
                let refuted = glimpse.total - glimpse.open.min(glimpse.total);
                progress.status(&format!(
                    "table {:.0}%, proof {} disproof {}, {refuted} of {} first moves refuted; {}",
                    100.0 * glimpse.fill,
                    numbers.0,
                    numbers.1,
                    glimpse.total,
                    line_text(board, &follower.line(), SHOWN_MOVES)
                ));
                progress.add(glimpse.nodes - told);
                told = glimpse.nodes;
            }
        });
        let mut saver = Saver::new(args.checkpoint.as_deref());
        let verdict = solver.solve_in_runs(position, |solver| saver.between(solver, position, progress));
        // A solved search is kept until its certificate is complete.
        if args.certificate.is_some() || matches!(verdict, Ok(None)) {
            saver.save(solver, position, progress);
        }
        done.store(true, Ordering::Relaxed);
        teller.thread().unpark();
        if let Some(error) = saver.error {
            progress.line(&error);
        }
        verdict.or_failed()
    })
}

/// The first moves of a line, with a sign if there are more.
fn line_text(board: Board, line: &[Move], most: usize) -> String {
    let shown: Vec<String> = line.iter().take(most).map(|&played| move_text(board, played)).collect();
    shown.join(" ") + if line.len() > most { " ..." } else { "" }
}

/// Saves the search at intervals timed by what saving costs.
struct Saver<'a> {
    path: Option<&'a Path>,
    next: Instant,
    error: Option<String>,
}

impl<'a> Saver<'a> {
    fn new(path: Option<&'a Path>) -> Self {
        Self { path, next: Instant::now() + SHORTEST_PAUSE, error: None }
    }

    fn save(&mut self, solver: &Solver<'_>, position: &Position, progress: &Progress) {
        let Some(path) = self.path else { return };
        if let Err(error) = solver.save(path, position) {
            self.error = Some(format!("no checkpoint was saved to {}: {error}", path.display()));
            return;
        }
        let line = line_text(solver.ground().board(), &solver.line(position), usize::MAX);
        progress.line(&format!("checkpoint at {} nodes; at work on {line}", solver.nodes()));
    }

    /// Saves if it is time; returns when the next time is.
    fn between(&mut self, solver: &Solver<'_>, position: &Position, progress: &Progress) -> Option<Instant> {
        self.path?;
        let began = Instant::now();
        if began >= self.next {
            self.save(solver, position, progress);
            self.next = Instant::now() + (began.elapsed() * SAVING_SHARE).max(SHORTEST_PAUSE);
        }
        Some(self.next)
    }
}

/// The moves that win: all of them if that was asked for, else the first one found.
fn winning_moves(
    args: &Args,
    solver: &mut Solver<'_>,
    position: &Position,
    win: bool,
) -> Result<Vec<Move>, Failure> {
    if !win {
        return Ok(Vec::new());
    }
    let rules = solver.ground().rules().clone();
    let mut moves = rules.moves(position);
    // What is known already comes first, if one is enough.
    if !args.all_moves {
        moves.sort_by_key(|&played| solver.known(&rules.play_unchecked(position, played)) != Some(false));
    }
    let mut winning = Vec::new();
    for played in moves {
        let after = rules.play_unchecked(position, played);
        let known = solver.known(&after);
        let value = if known.is_some() { known } else { solver.solve(&after).or_failed()? };
        if value == Some(false) {
            winning.push(played);
            if !args.all_moves {
                break;
            }
        }
        if solver.is_over() {
            break;
        }
    }
    Ok(winning)
}

/// What was found out, and how.
struct Solved<'a> {
    verdict: Option<bool>,
    /// Winning moves: all, or the first.
    moves: &'a [Move],
    nodes: u64,
    method: &'static str,
}

fn print(args: &Args, solved: &Solved<'_>, began: Instant, context: &Context) -> Result<(), Failure> {
    let &Solved { verdict, moves, nodes, method } = solved;
    let position = &args.given.position;
    let text: Vec<String> = moves.iter().map(|&played| move_text(position.board(), played)).collect();
    let winner = verdict.map(|win| if win { position.turn() } else { position.turn().other() });
    let report = Report {
        position: fen(position),
        board: position.board().to_string(),
        side_to_move: position.turn().to_string(),
        value: verdict.map_or("unknown", |win| if win { "win" } else { "loss" }),
        winner: winner.map(|colour| colour.to_string()),
        method,
        best_move: text.first().cloned(),
        winning_moves: args.all_moves.then(|| text.clone()),
        nodes,
        seconds: began.elapsed().as_secs_f64(),
    };
    if context.json() {
        return context.print_json(&report);
    }
    let first = report.best_move.as_ref().map_or(String::new(), |played| format!(" by {played}"));
    match winner {
        Some(winner) => context.print(format_args!("{winner} wins{first}"))?,
        None => context.print("unknown")?,
    }
    if args.all_moves && verdict.is_some() {
        context.print(format_args!("{} winning moves: {}", text.len(), text.join(" ")))?;
    }
    context.remark(format_args!("{} nodes, {:.3} s", report.nodes, report.seconds));
    Ok(())
}

fn limit(args: &Args, stop: &StopFlag) -> Failure {
    let why = if stop.is_set() { "the search was interrupted" } else { "the time is up" };
    let how = match &args.checkpoint {
        Some(path) => format!("the same command goes on from {}", path.display()),
        None => "with --checkpoint FILE it could go on later".to_string(),
    };
    Failure::limit(format!("{why}; {how}"))
}

/// Writes the certificate, under another name until it is complete.
fn certify(
    args: &Args,
    solver: &mut Solver<'_>,
    position: &Position,
    win: bool,
    context: &Context,
) -> Result<(), Failure> {
    let Some(path) = &args.certificate else { return Ok(()) };
    let claim = Claim { position: args.given.position, win, leaf: leaf(args.walls), walls: args.walls };
    let output = Output::create(path)?;
    let out: BufWriter<&File> = BufWriter::new(output.file());
    let progress = context.progress();
    let positions = match write_certificate(solver, &claim, out, &progress) {
        Ok(positions) => positions,
        Err(error @ StrategyError::Stopped) => {
            drop(progress);
            let how = keep_what_was_found(args, solver, position);
            return Err(Failure::limit(format!("{}: {error}; the verdict stands; {how}", path.display())));
        }
        Err(error) => return Err(Failure::failed(format!("{}: {error}", path.display()))),
    };
    drop(progress);
    let bytes = output.file().metadata().map_err(|error| refused(path, &error))?.len();
    output.keep()?;
    context.remark(format_args!("{}: {positions} positions, {bytes} bytes", path.display()));
    Ok(())
}

/// Saves the proofs that were searched again for the certificate; says how to go on.
fn keep_what_was_found(args: &Args, solver: &Solver<'_>, position: &Position) -> String {
    let Some(path) = &args.checkpoint else {
        return "with --checkpoint FILE the search would not have to be run again".to_string();
    };
    match solver.save(path, position) {
        Ok(()) => format!("the same command writes it from {}", path.display()),
        Err(error) => format!("no checkpoint was saved to {}: {error}", path.display()),
    }
}
