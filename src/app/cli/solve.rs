//! `amazons solve`: who wins a position, and by which move. A table answers, or a search with
//! checkpoints between its runs and progress beside it.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::output::{Output, refused, writable};
use super::position_args::PositionArgs;
use super::table_oracle::TableOracle;
use super::{Context, Failure, OrFail, Progress, input};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{IndexedMove, Position};
use crate::machine::progress::{Observer, StopFlag};
use crate::proof::{Claim, leaf};
use crate::search::{
    Follower, Monitor, Snapshot, Solver, StrategyError, Survey, Wanted, write_certificate,
};

/// Say who wins POSITION, and by which move
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: PositionArgs,

    /// How to find out
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,

    /// Directory of a table: it answers, or helps the search where it knows a position
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Say of every move whether it wins, as far as is known when the time is up
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

    /// Leave to the wall rule what it decides: a far smaller certificate, whose check rests on that
    /// rule too
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
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_moves: Option<Vec<String>>,
    nodes: u64,
    seconds: f64,
}

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
    let source = args.tables.as_deref().map(TableOracle::open).transpose()?;
    if answer_from_table(args, source.as_ref(), began, context)? {
        return Ok(());
    }
    let board = args.given.position.board();
    if !board.fits::<u64>() {
        let squares = board.squares();
        let words = format!("{board} has {squares} squares, the search takes at most 64");
        return Err(Failure::usage(words));
    }
    let position = &args.given.position;
    if args.time == Some(Duration::ZERO) {
        return Err(Failure::usage("--time is zero: give a duration such as 10m"));
    }
    let settings = context.search_settings()?;
    for path in [&args.certificate, &args.checkpoint].into_iter().flatten() {
        writable(path)?;
    }
    let stop = context.stop_on_interrupt()?;
    let deadline = args.time.map(|time| began + time);
    let mut solver =
        Solver::new(board, settings, stop.clone()).or_failed()?.with_deadline(deadline);
    if let Some(source) = source.as_ref().filter(|_| args.method != Method::Proof) {
        solver = solver.with_oracle(source);
    }
    take_up(args, &mut solver, context)?;
    let wanted = if args.all_moves { Wanted::All } else { Wanted::One };
    let survey = searched(
        &mut solver,
        position,
        wanted,
        args.checkpoint.as_deref(),
        args.certificate.is_some(),
        &context.progress(),
    )?;
    let moves = survey.of_value(Some(Outcome::Win));
    let unknown = survey.of_value(None);
    let solved = Solved {
        outcome: survey.outcome(),
        moves: &moves,
        unknown: &unknown,
        nodes: solver.nodes(),
        method: "proof",
    };
    print(args, &solved, began, context)?;
    source.as_ref().map_or(Ok(()), TableOracle::check)?;
    match survey.outcome() {
        Some(outcome) if !args.all_moves || survey.is_complete() => {
            certify(args, &mut solver, outcome, context)
        }
        _ => Err(limit(args, &stop)),
    }
}

/// Answers from the table alone, if that is asked for or possible; whether it did. A certificate
/// needs a search.
fn answer_from_table(
    args: &Args,
    source: Option<&TableOracle>,
    began: Instant,
    context: &Context,
) -> Result<bool, Failure> {
    let must = args.method == Method::Tables;
    if must && args.certificate.is_some() {
        return Err(Failure::usage("--certificate needs a search: use --method proof"));
    }
    let Some(source) = source else {
        return if must {
            Err(Failure::usage("--method tables needs --tables DIR"))
        } else {
            Ok(false)
        };
    };
    if args.method == Method::Proof || args.certificate.is_some() {
        return Ok(false);
    }
    let Some(answer) = source.answer(&args.given.position, must)? else { return Ok(false) };
    let winning =
        answer.moves.iter().filter(|(_, outcome)| outcome.is_win()).map(|(played, _)| *played);
    let moves: Vec<IndexedMove> = winning.collect();
    print(
        args,
        &Solved {
            outcome: Some(answer.outcome),
            moves: &moves,
            unknown: &[],
            nodes: 0,
            method: "tables",
        },
        began,
        context,
    )?;
    Ok(true)
}

fn take_up(args: &Args, solver: &mut Solver<'_>, context: &Context) -> Result<(), Failure> {
    let Some(path) = args.checkpoint.as_ref().filter(|path| path.exists()) else { return Ok(()) };
    let nodes = solver.load(path, &args.given.position).map_err(|error| {
        Failure::failed(format!(
            "{}: {error}; remove it or name another file to begin anew",
            path.display()
        ))
    })?;
    context.remark(format_args!("going on from {} after {nodes} nodes", path.display()));
    Ok(())
}

/// What was found out, and how.
struct Solved<'a> {
    outcome: Option<Outcome>,
    /// Winning moves: all that were found, or the first.
    moves: &'a [IndexedMove],
    /// Moves that may win or not, if all were asked for.
    unknown: &'a [IndexedMove],
    nodes: u64,
    method: &'static str,
}

fn print(
    args: &Args,
    solved: &Solved<'_>,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    let &Solved { outcome, moves, unknown, nodes, method } = solved;
    let position = &args.given.position;
    let texts = |moves: &[IndexedMove]| -> Vec<String> {
        moves.iter().map(|&played| move_text(position.board(), played)).collect()
    };
    let (text, unknown) = (texts(moves), texts(unknown));
    let winner = outcome.map(|outcome| outcome.winner(position.turn()));
    let report = Report {
        position: fen(position),
        board: position.board().to_string(),
        side_to_move: position.turn().to_string(),
        value: outcome.map_or("unknown", Outcome::as_str),
        winner: winner.map(|colour| colour.to_string()),
        method,
        best_move: text.first().cloned(),
        winning_moves: args.all_moves.then(|| text.clone()),
        unknown_moves: args.all_moves.then(|| unknown.clone()),
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
    if args.all_moves {
        context.print(format_args!("{} winning moves: {}", text.len(), text.join(" ")))?;
        if !unknown.is_empty() {
            context.print(format_args!(
                "{} moves not known: {}",
                unknown.len(),
                unknown.join(" ")
            ))?;
        }
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
    outcome: Outcome,
    context: &Context,
) -> Result<(), Failure> {
    let Some(path) = &args.certificate else { return Ok(()) };
    let claim =
        Claim { position: args.given.position, outcome, leaf: leaf(args.walls), walls: args.walls };
    let output = Output::create(path)?;
    let out: BufWriter<&File> = BufWriter::new(output.file());
    let progress = context.progress();
    let positions = match write_certificate(solver, &claim, out, &progress) {
        Ok(positions) => positions,
        Err(error @ StrategyError::Stopped) => {
            drop(progress);
            let how = keep_what_was_found(args, solver);
            return Err(Failure::limit(format!(
                "{}: {error}; the verdict stands; {how}",
                path.display()
            )));
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
fn keep_what_was_found(args: &Args, solver: &Solver<'_>) -> String {
    let Some(path) = &args.checkpoint else {
        return "with --checkpoint FILE the search would not have to be run again".to_string();
    };
    match solver.save(path, &args.given.position) {
        Ok(()) => format!("the same command writes it from {}", path.display()),
        Err(error) => format!("no checkpoint was saved to {}: {error}", path.display()),
    }
}

/// Searches a position and its moves as far as is wanted and there is time. What was found is saved
/// to `checkpoint`, at the end only if there is more to do: the search, or a certificate.
fn searched(
    solver: &mut Solver<'_>,
    position: &Position,
    wanted: Wanted,
    checkpoint: Option<&Path>,
    certificate: bool,
    progress: &Progress,
) -> Result<Survey, Failure> {
    let teller = ProgressTeller {
        monitor: solver.monitor(),
        follower: solver.follower(position).or_failed()?,
        board: solver.board_data().board(),
        moves: Mutex::new(None),
    };
    let mut survey = Survey::new(solver, position, wanted).or_failed()?;
    let done = AtomicBool::new(false);
    progress.begin("search", 0, "nodes");
    std::thread::scope(|scope| {
        let telling = scope.spawn(|| teller.tell_until(&done, progress));
        let mut saver = Saver::new(checkpoint);
        let outcome = survey.run(
            solver,
            |solver| saver.between(solver, position, progress),
            |survey| teller.note(survey, wanted),
        );
        if certificate || !survey.is_complete() {
            saver.save(solver, position, progress);
        }
        done.store(true, Ordering::Relaxed);
        telling.thread().unpark();
        if let Some(error) = saver.error {
            progress.line(&error);
        }
        outcome.or_failed()
    })?;
    Ok(survey)
}

/// Tells how far the search is.
struct ProgressTeller {
    monitor: Arc<Monitor>,
    follower: Follower,
    board: Board,
    /// How many moves win, lose, and are not known.
    moves: Mutex<Option<[usize; 3]>>,
}

impl ProgressTeller {
    /// Takes note of what is known of the moves, if all are wanted.
    fn note(&self, survey: &Survey, wanted: Wanted) {
        let count = |value: Option<Outcome>| survey.of_value(value).len();
        if let (Wanted::All, Ok(mut moves)) = (wanted, self.moves.lock()) {
            *moves = Some([Some(Outcome::Win), Some(Outcome::Loss), None].map(count));
        }
    }

    fn tell_until(&self, done: &AtomicBool, progress: &Progress) {
        let mut told = self.monitor.nodes();
        while !done.load(Ordering::Relaxed) {
            std::thread::park_timeout(TICK);
            let snapshot = self.monitor.snapshot();
            progress.status(&self.status(&snapshot));
            progress.add(snapshot.nodes - told);
            told = snapshot.nodes;
        }
    }

    fn status(&self, snapshot: &Snapshot) -> String {
        let fill = 100.0 * snapshot.fill;
        let line = line_text(self.board, &self.follower.line(), SHOWN_MOVES);
        if let Some([win, lose, open]) = self.moves.lock().ok().and_then(|moves| *moves) {
            return format!("table {fill:.0}%, {win} moves win, {lose} lose, {open} open; {line}");
        }
        let (proof, disproof) =
            snapshot.numbers.map_or((0, 0), |numbers| (numbers.proof, numbers.disproof));
        let refuted = snapshot.total - snapshot.open.min(snapshot.total);
        let total = snapshot.total;
        format!(
            "table {fill:.0}%, proof {proof} disproof {disproof}, {refuted} of {total} first moves refuted; {line}"
        )
    }
}

/// The first moves of a line, with a sign if there are more.
fn line_text(board: Board, line: &[IndexedMove], most: usize) -> String {
    let shown: Vec<String> =
        line.iter().take(most).map(|&played| move_text(board, played)).collect();
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
        let line = solver.line(position).unwrap_or_default();
        let line = line_text(solver.board_data().board(), &line, usize::MAX);
        progress.line(&format!("checkpoint at {} nodes; at work on {line}", solver.nodes()));
    }

    /// Saves if it is time; returns when the next time is.
    fn between(
        &mut self,
        solver: &Solver<'_>,
        position: &Position,
        progress: &Progress,
    ) -> Option<Instant> {
        self.path?;
        let began = Instant::now();
        if began >= self.next {
            self.save(solver, position, progress);
            self.next = Instant::now() + (began.elapsed() * SAVING_SHARE).max(SHORTEST_PAUSE);
        }
        Some(self.next)
    }
}
