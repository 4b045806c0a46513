//! The search behind `amazons solve`: checkpoints between its runs, progress beside it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::{Failure, OrFail, Progress};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::notation::move_text;
use crate::game::rules::{Bitboards, IndexedMove};
use crate::machine::progress::Observer;
use crate::search::{Follower, Monitor, Snapshot, Solver, Survey, Wanted};

/// The first checkpoint comes after this long, and no two are closer.
const SHORTEST_PAUSE: Duration = Duration::from_secs(60);
/// Saving takes at most this share of the time.
const SAVING_SHARE: u32 = 20;
/// How often the progress is told.
const TICK: Duration = Duration::from_millis(100);
/// How many moves of the line being worked on are told with it.
const SHOWN_MOVES: usize = 4;

/// Searches a position and its moves as far as is wanted and there is time. What was found is saved
/// to `checkpoint`, at the end only if there is more to do: the search, or a certificate.
pub(super) fn searched(
    solver: &mut Solver<'_>,
    position: &Bitboards,
    wanted: Wanted,
    checkpoint: Option<&Path>,
    certificate: bool,
    progress: &Progress,
) -> Result<Survey, Failure> {
    let teller = Teller {
        monitor: solver.monitor(),
        follower: solver.follower(position),
        board: solver.board_data().board(),
        moves: Mutex::new(None),
    };
    let mut survey = Survey::new(solver, position, wanted);
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
struct Teller {
    monitor: Arc<Monitor>,
    follower: Follower,
    board: Board,
    /// How many moves win, lose, and are not known.
    moves: Mutex<Option<[usize; 3]>>,
}

impl Teller {
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

    fn save(&mut self, solver: &Solver<'_>, position: &Bitboards, progress: &Progress) {
        let Some(path) = self.path else { return };
        if let Err(error) = solver.save(path, position) {
            self.error = Some(format!("no checkpoint was saved to {}: {error}", path.display()));
            return;
        }
        let line = line_text(solver.board_data().board(), &solver.line(position), usize::MAX);
        progress.line(&format!("checkpoint at {} nodes; at work on {line}", solver.nodes()));
    }

    /// Saves if it is time; returns when the next time is.
    fn between(
        &mut self,
        solver: &Solver<'_>,
        position: &Bitboards,
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
