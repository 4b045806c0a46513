//! `amazons solve`: who wins a position, and by which move. A table answers, or a search with
//! checkpoints between its runs and progress beside it.

mod by_ranks;
mod hint;
mod lines;
mod report;
mod variant;

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(super) use report::Report;

use super::arguments::position::PositionArgs;
use super::arguments::rules::RulesArgs;
use super::files::kind::{FileKind, is_there};
use super::files::output::{Output, refused, writable};
use super::files::overwriting;
use super::sources::table_oracle::TableOracle;
use crate::app::cli::{Context, Failure, OrFail, Progress, input};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{IndexedMove, Position};
use crate::machine::files::Reservation;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::Ranks;
use crate::proof::{Claim, LARGEST_LEAF, leaf};
use crate::search::digest::READING_BYTES;
use crate::search::{
    CheckpointError, DigestError, Follower, Monitor, MoveCounts, Snapshot, Solver, StrategyError,
    Survey, Wanted, checkpoint_memory, write_certificate_within,
};
use crate::tables::value_source::Known;

/// Say who wins POSITION, and by which move; - reads positions by the line and answers in JSON
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// How to find out
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    method: Method,

    /// Directory of a table, or an opening table: it answers, or helps the search where it knows a
    /// position
    #[arg(long, value_name = "DIR | FILE")]
    tables: Option<PathBuf>,

    /// Say of every move whether it wins, as far as is known when the time is up
    #[arg(long)]
    all_moves: bool,

    /// Give up after this time, with exit status 3; of many positions, on each after this time,
    /// with exit status 3 at the end
    #[arg(long, value_name = "DURATION", value_parser = input::duration)]
    time: Option<Duration>,

    /// Save the search here now and then, and go on from here if the file exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Believe the values that this file has, written by `amazons digest` from a checkpoint
    #[arg(long, value_name = "FILE")]
    digest: Option<PathBuf>,

    /// Write the winner's strategy here, for `amazons verify`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// Leave to the wall rule what it decides: a far smaller certificate, whose check rests on that
    /// rule too
    #[arg(long, requires = "certificate")]
    walls: bool,

    /// Leave positions with at most N empty squares, 0 to 12, out of the certificate: a larger N
    /// makes it smaller, or leaves it as it is, and its check longer [default: 9, with --walls 11]
    #[arg(
        long,
        value_name = "N",
        requires = "certificate",
        value_parser = input::number::<u8>(0..=LARGEST_LEAF.into())
    )]
    leaf: Option<u8>,

    /// Search together with the other processes that mpirun or srun has started
    #[arg(long, conflicts_with = "tables")]
    mpi: bool,
}

impl Args {
    /// An option that was given and names a file that only the search of one position reads or
    /// writes.
    fn option_of_search(&self) -> Option<&'static str> {
        let files = [
            ("--checkpoint", &self.checkpoint),
            ("--certificate", &self.certificate),
            ("--digest", &self.digest),
        ];
        files.into_iter().find(|(_, path)| path.is_some()).map(|(option, _)| option)
    }
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

/// The first checkpoint comes after this long, and no two are closer.
const SHORTEST_PAUSE: Duration = Duration::from_secs(60);
/// No two are further apart: saving may be slow when the machine is busy, and a kill must not cost
/// hours because of that.
const LONGEST_PAUSE: Duration = Duration::from_secs(15 * 60);
/// Saving takes at most this share of the time, if pauses are not at their longest.
const SAVING_SHARE: u32 = 20;
/// With less memory no certificate is begun.
const LEAST_CERTIFICATE: u64 = 24 << 20;
/// The share of the memory for the codes of a certificate.
const CERTIFICATE_SHARE: u64 = 2;
/// How often the progress is told.
const TICK: Duration = Duration::from_millis(100);
/// A search that takes longer is told what a table would cost.
const HINT_AFTER: Duration = Duration::from_secs(10);
/// How many moves of the line being worked on are told with it.
const SHOWN_MOVES: usize = 4;

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
    let alone = args.method == Method::Tables;
    if let Some(option) = args.option_of_search().filter(|_| alone) {
        return Err(Failure::usage(format!("{option} needs a search: use --method proof")));
    }
    overwriting::refuse(
        [&args.tables, &args.digest].into_iter().flatten(),
        [&args.checkpoint, &args.certificate].into_iter().flatten(),
    )?;
    let tables = args.tables.as_deref();
    let source = tables.map(|tables| TableOracle::open(tables, context)).transpose()?;
    if answer_from_table(args, &position, source.as_ref(), began, context)? {
        return Ok(());
    }
    let board = position.board();
    if !board.fits::<u64>() {
        return Err(too_large(board));
    }
    let position = &position;
    if args.time == Some(Duration::ZERO) {
        return Err(Failure::usage("--time is zero: give a duration such as 10m"));
    }
    // A certificate needs the codes of two tiers beside the table of the search.
    let mut codes = 0;
    if args.certificate.is_some() {
        codes = context.left("a certificate", LEAST_CERTIFICATE)? / CERTIFICATE_SHARE;
        context.set_aside("a certificate", codes)?;
    }
    if args.checkpoint.is_some() {
        context.set_aside("a checkpoint", checkpoint_memory(context.threads()))?;
    }
    if args.digest.is_some() {
        context.set_aside("a digest", READING_BYTES)?;
    }
    let settings = context.search_settings()?;
    if let Some(path) = &args.certificate {
        writable(path)?;
    }
    let deadline = args.time.map(|time| began + time);
    let mut saver = Saver::new(args.checkpoint.as_deref(), deadline)?;
    let stop = context.stop_on_interrupt()?;
    let mut solver =
        Solver::new(board, settings, stop.clone()).or_failed()?.with_deadline(deadline);
    if let Some(source) = source.as_ref().filter(|_| args.method != Method::Proof) {
        solver = solver.with_oracle(source);
    }
    let believed = believe(args, &mut solver, context)?;
    let wanted = if args.all_moves { Wanted::All } else { Wanted::One };
    let hint = args.tables.is_none().then(|| hint::of(position, context)).flatten();
    let checkpoint = args.checkpoint.as_deref();
    let survey = if believed && take_up(checkpoint, position, &mut solver, &mut saver, context)? {
        searched(
            &mut solver,
            position,
            wanted,
            &mut saver,
            args.certificate.is_some(),
            hint,
            &context.progress(),
        )?
    } else {
        Survey::new(&solver, position, wanted).or_failed()?
    };
    let solved = Solved::by_search(&survey, &solver, solver.nodes());
    print(args, position, &solved, began, context)?;
    source.as_ref().map_or(Ok(()), TableOracle::check)?;
    match survey.outcome() {
        Some(outcome) if !args.all_moves || survey.is_complete() => {
            certify(args, position, &mut solver, outcome, codes, context)
        }
        _ => Err(limit(&saver, &stop)),
    }
}

/// Answers from the table alone, if that is asked for or possible; whether it did. A certificate
/// needs a search.
fn answer_from_table(
    args: &Args,
    position: &Position,
    source: Option<&TableOracle>,
    began: Instant,
    context: &Context,
) -> Result<bool, Failure> {
    let must = args.method == Method::Tables;
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
    let Some(known) = source.answer(position, must)? else {
        if let Some(error) = source.other_game(position) {
            context.remark(format_args!("the search goes without the table: {error}"));
        }
        return Ok(false);
    };
    let solved = Solved::by_table(position, &known);
    print(args, position, &solved, began, context)?;
    if !solved.unknown.is_empty() {
        context
            .remark("which move wins is not known: all lead beyond the opening table's last ply");
    }
    Ok(true)
}

/// Takes up the checkpoint, if there is one; `false` if there was no time to read all of it.
fn take_up(
    path: Option<&Path>,
    position: &Position,
    solver: &mut Solver<'_>,
    saver: &mut Saver<'_>,
    context: &Context,
) -> Result<bool, Failure> {
    let Some(path) = path else { return Ok(true) };
    if !is_there(path)? {
        return Ok(true);
    }
    FileKind::Checkpoint.expect(path)?;
    saver.there = true;
    let began = Instant::now();
    let nodes = match solver.load(path, position) {
        Err(CheckpointError::Stopped) => return Ok(false),
        loaded => loaded.map_err(|error| {
            Failure::failed(format!(
                "{}: {error}; remove it or name another file to begin anew",
                path.display()
            ))
        })?,
    };
    saver.keep_back(solver, began.elapsed());
    let resting = if solver.rests_on_digest() { ", which rest on a digest" } else { "" };
    context.remark(format_args!("going on from {} after {nodes} nodes{resting}", path.display()));
    Ok(true)
}

/// Takes up the digest, if one is given; `false` if there was no time to read all of it.
fn believe(args: &Args, solver: &mut Solver<'_>, context: &Context) -> Result<bool, Failure> {
    let Some(path) = &args.digest else { return Ok(true) };
    FileKind::Digest.expect(path)?;
    let digest = match solver.take_digest(path) {
        Err(DigestError::Stopped) => return Ok(false),
        taken => taken.map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?,
    };
    context.remark(format_args!(
        "believing {}: {} solved and {} open positions of a search of {} nodes",
        path.display(),
        digest.solved,
        digest.open,
        digest.nodes
    ));
    Ok(true)
}

/// What was found out, and how.
struct Solved {
    outcome: Option<Outcome>,
    /// Winning moves: all that were found, or the first.
    moves: Vec<IndexedMove>,
    /// Moves that may win or not, if all were asked for.
    unknown: Vec<IndexedMove>,
    nodes: u64,
    /// Whether values of a digest were believed.
    rests_on_digest: bool,
    /// How long was searched before, if the search has gone on from a checkpoint.
    before: Option<Duration>,
    method: &'static str,
}

impl Solved {
    /// What a table says.
    fn by_table(position: &Position, known: &Known) -> Self {
        let (moves, unknown) = match known {
            Known::All(answer) => (answer.winning().collect(), Vec::new()),
            // All moves lose.
            Known::Outcome(Outcome::Loss) => (Vec::new(), Vec::new()),
            Known::Outcome(Outcome::Win) => (Vec::new(), position.indexed_moves()),
        };
        let outcome = Some(known.outcome());
        Self {
            outcome,
            moves,
            unknown,
            nodes: 0,
            rests_on_digest: false,
            before: None,
            method: "tables",
        }
    }

    /// What a search found, of so many nodes by all who took part.
    fn by_search(survey: &Survey, solver: &Solver<'_>, nodes: u64) -> Self {
        Self {
            outcome: survey.outcome(),
            moves: survey.of_value(Some(Outcome::Win)),
            unknown: survey.of_value(None),
            nodes,
            rests_on_digest: solver.rests_on_digest(),
            before: solver.searched_before(),
            method: "proof",
        }
    }
}

/// A search of a board that is too large for it.
fn too_large(board: Board) -> Failure {
    let squares = board.squares();
    Failure::usage(format!("{board} has {squares} squares, the search takes at most 64"))
}

impl Report {
    fn new(position: &Position, solved: &Solved, all_moves: bool, began: Instant) -> Self {
        let texts = |moves: &[IndexedMove]| -> Vec<String> {
            moves.iter().map(|&played| move_text(position.board(), played)).collect()
        };
        let winning = texts(&solved.moves);
        let seconds = began.elapsed();
        let winner = solved.outcome.map(|outcome| outcome.winner(position.turn()));
        Self {
            position: fen(position),
            rules: None,
            board: position.board().to_string(),
            side_to_move: position.turn().to_string(),
            value: solved.outcome.map_or("unknown", Outcome::as_str),
            winner: winner.map(|colour| colour.to_string()),
            method: solved.method,
            best_move: winning.first().cloned(),
            winning_moves: all_moves.then_some(winning),
            unknown_moves: all_moves.then(|| texts(&solved.unknown)),
            nodes: solved.nodes,
            seconds: seconds.as_secs_f64(),
            searched_seconds: solved.before.map(|before| (before + seconds).as_secs_f64()),
            digest: None,
        }
    }
}

fn print(
    args: &Args,
    position: &Position,
    solved: &Solved,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    // The name of a digest that a checkpoint rests on is not known, that of the checkpoint is.
    let digest = args.digest.as_ref().or(args.checkpoint.as_ref());
    let digest = digest.filter(|_| solved.rests_on_digest).map(|path| path.display().to_string());
    let report = Report { digest, ..Report::new(position, solved, args.all_moves, began) };
    report.print(context)
}

/// The failure of a search that found out too little: status 3, or 1 if what it found is lost.
fn limit(saver: &Saver<'_>, stop: &StopFlag) -> Failure {
    let why = if stop.is_set() { "the search was interrupted" } else { "the time is up" };
    match (saver.path, &saver.error) {
        (_, Some(error)) => Failure::failed(format!("{why}; {error}")),
        (Some(path), None) => {
            Failure::limit(format!("{why}; the same command goes on from {}", path.display()))
        }
        (None, None) => {
            Failure::limit(format!("{why}; with --checkpoint FILE it could go on later"))
        }
    }
}

/// Writes the certificate, under another name until it is complete.
fn certify(
    args: &Args,
    position: &Position,
    solver: &mut Solver<'_>,
    outcome: Outcome,
    memory: u64,
    context: &Context,
) -> Result<(), Failure> {
    let Some(path) = &args.certificate else { return Ok(()) };
    let leaf = args.leaf.unwrap_or(leaf(args.walls));
    let claim = Claim { position: *position, outcome, leaf, walls: args.walls };
    let output = Output::create(path)?;
    let out: BufWriter<&File> = BufWriter::new(output.file());
    let progress = context.progress();
    let positions = match write_certificate_within(solver, &claim, memory, out, &progress) {
        Ok(positions) => positions,
        Err(error @ StrategyError::Stopped) => {
            drop(progress);
            return Err(match keep_what_was_found(args, position, solver) {
                Ok(how) => Failure::limit(format!(
                    "{}: {error}; the verdict stands; {how}",
                    path.display()
                )),
                Err(lost) => Failure::failed(format!(
                    "{}: {error}; the verdict stands; {lost}",
                    path.display()
                )),
            });
        }
        Err(error @ StrategyError::Memory { .. }) => {
            let words = "the verdict stands; give more --memory for the certificate";
            return Err(Failure::limit(format!("{}: {error}; {words}", path.display())));
        }
        Err(error) => return Err(Failure::failed(format!("{}: {error}", path.display()))),
    };
    drop(progress);
    let bytes = output.file().metadata().map_err(|error| refused(path, &error))?.len();
    output.keep()?;
    context.remark(format_args!("{}: {positions} positions, {bytes} bytes", path.display()));
    Ok(())
}

/// Saves the proofs that were searched again for the certificate; says how to go on, or why that is
/// not possible.
fn keep_what_was_found(
    args: &Args,
    position: &Position,
    solver: &Solver<'_>,
) -> Result<String, String> {
    let Some(path) = &args.checkpoint else {
        return Ok("with --checkpoint FILE the search would not have to be run again".to_string());
    };
    match solver.save(path, position) {
        Ok(()) => Ok(format!("the same command writes it from {}", path.display())),
        Err(error) => Err(not_saved(path, &error, path.exists())),
    }
}

/// That a checkpoint was not saved, and what there is instead.
fn not_saved(path: &Path, error: &CheckpointError, there: bool) -> String {
    let left = if there { "the one before it is still there" } else { "there is none before it" };
    format!("no checkpoint was saved to {}: {error}; {left}", path.display())
}

/// Searches a position and its moves as far as is wanted and there is time. What was found is saved
/// by `saver`, at the end only if there is more to do: the search, or a certificate.
fn searched(
    solver: &mut Solver<'_>,
    position: &Position,
    wanted: Wanted,
    saver: &mut Saver<'_>,
    certificate: bool,
    hint: Option<String>,
    progress: &Progress,
) -> Result<Survey, Failure> {
    let teller = ProgressTeller {
        monitor: solver.monitor(),
        follower: solver.follower(position).or_failed()?,
        board: solver.board_data().board(),
        hint,
    };
    let mut survey = Survey::new(solver, position, wanted).or_failed()?;
    let done = AtomicBool::new(false);
    progress.begin("search", 0, "nodes");
    progress.go_on(solver.nodes());
    std::thread::scope(|scope| {
        let telling = scope.spawn(|| teller.tell_until(&done, progress));
        let outcome =
            survey.run(solver, |solver| saver.between(solver, position, progress), |_| ());
        if certificate || !survey.is_complete() {
            saver.save(solver, position, progress);
        }
        done.store(true, Ordering::Relaxed);
        telling.thread().unpark();
        outcome.or_failed()
    })?;
    Ok(survey)
}

/// Tells how far the search is.
struct ProgressTeller {
    monitor: Arc<Monitor>,
    follower: Follower,
    board: Board,
    /// What is said once when the search takes long.
    hint: Option<String>,
}

impl ProgressTeller {
    fn tell_until(&self, done: &AtomicBool, progress: &Progress) {
        let mut told = self.monitor.nodes();
        let (began, mut hint) = (Instant::now(), self.hint.as_deref());
        while !done.load(Ordering::Relaxed) {
            std::thread::park_timeout(TICK);
            let snapshot = self.monitor.snapshot();
            progress.status(&self.status(&snapshot));
            progress.add(snapshot.nodes - told);
            told = snapshot.nodes;
            if let Some(words) = hint.take_if(|_| began.elapsed() >= HINT_AFTER) {
                progress.line(words);
            }
        }
    }

    fn status(&self, snapshot: &Snapshot) -> String {
        let fill = 100.0 * snapshot.fill;
        let line = line_text("; ", self.board, &self.follower.line(), SHOWN_MOVES);
        if snapshot.moves != MoveCounts::default() {
            return format!("table {fill:.0}%, {}{line}", snapshot.moves);
        }
        let (proof, disproof) =
            snapshot.numbers.map_or((0, 0), |numbers| (numbers.proof, numbers.disproof));
        let refuted = snapshot.total - snapshot.open.min(snapshot.total);
        let total = snapshot.total;
        format!(
            "table {fill:.0}%, proof {proof} disproof {disproof}, {refuted} of {total} first moves refuted{line}"
        )
    }
}

/// The first moves of a line after `lead`, with a sign if there are more; nothing of a line without
/// moves.
fn line_text(lead: &str, board: Board, line: &[IndexedMove], most: usize) -> String {
    if line.is_empty() {
        return String::new();
    }
    let shown: Vec<String> =
        line.iter().take(most).map(|&played| move_text(board, played)).collect();
    let more = if line.len() > most { " ..." } else { "" };
    format!("{lead}{}{more}", shown.join(" "))
}

/// The time until the next checkpoint, after one that took `saving`.
fn pause(saving: Duration) -> Duration {
    saving.saturating_mul(SAVING_SHARE).clamp(SHORTEST_PAUSE, LONGEST_PAUSE)
}

/// Reserves a checkpoint: of two searches with one checkpoint, each would replace what the other
/// has saved.
fn reserve(path: &Path) -> Result<Reservation, Failure> {
    Reservation::of(path).map_err(|error| refused(path, &error))?.ok_or_else(|| {
        Failure::failed(format!(
            "another process is at work with the checkpoint {}: wait for its end, or name another \
             file",
            path.display()
        ))
    })
}

/// Saves the search at intervals timed by what saving costs.
struct Saver<'a> {
    path: Option<&'a Path>,
    /// When the search must be saved at the latest.
    deadline: Option<Instant>,
    next: Instant,
    /// Whether there is a checkpoint to go on from.
    there: bool,
    /// Whether nothing is saved, because the checkpoint has more.
    spared: bool,
    /// Why the last checkpoint was not saved.
    error: Option<String>,
    /// Keeps other searches from the checkpoint until the command ends.
    _reserved: Option<Reservation>,
}

impl<'a> Saver<'a> {
    /// # Errors
    /// If the checkpoint could not be written, or another search has it.
    fn new(path: Option<&'a Path>, deadline: Option<Instant>) -> Result<Self, Failure> {
        let reserved = path.map(reserve).transpose()?;
        path.map_or(Ok(()), writable)?;
        let next = Instant::now() + SHORTEST_PAUSE;
        Ok(Self {
            path,
            deadline,
            next,
            there: false,
            spared: false,
            error: None,
            _reserved: reserved,
        })
    }

    /// Saves nothing from now on: the checkpoint that is there has more than the solver knows.
    fn spare(&mut self) {
        self.spared = true;
    }

    /// Leaves time for the next checkpoint, which may take a quarter longer than the last: but at
    /// most half of what is left, or a search with little time would get nowhere.
    fn keep_back(&self, solver: &Solver<'_>, last: Duration) {
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            solver.keep_back((last + last / 4).min(left / 2));
        }
    }

    fn save(&mut self, solver: &Solver<'_>, position: &Position, progress: &Progress) {
        let Some(path) = self.path.filter(|_| !self.spared) else { return };
        let began = Instant::now();
        if let Err(error) = solver.save(path, position) {
            let words = not_saved(path, &error, self.there);
            progress.warn(&words);
            self.error = Some(words);
            return;
        }
        (self.there, self.error) = (true, None);
        self.keep_back(solver, began.elapsed());
        let line = solver.line(position).unwrap_or_default();
        let line = line_text("; at work on ", solver.board_data().board(), &line, usize::MAX);
        progress.line(&format!("checkpoint at {} nodes{line}", solver.nodes()));
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
            self.next = Instant::now() + pause(began.elapsed());
        }
        Some(self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_are_neither_too_close_nor_too_far_apart() {
        let pauses = [0, 2, 3, 10, 44, 45, 46, 1_000_000]
            .map(|seconds| pause(Duration::from_secs(seconds)).as_secs());
        assert_eq!(pauses, [60, 60, 60, 200, 880, 900, 900, 900]);
    }
}
