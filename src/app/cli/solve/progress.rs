//! How far a search is, told beside it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::app::cli::context::Progress;
use crate::game::board::{Board, Word};
use crate::game::notation::move_text;
use crate::game::rules::IndexedMove;
use crate::machine::progress::Observer;
use crate::search::{Follower, Monitor, MoveCounts, Snapshot};

/// How often the progress is told.
const TICK: Duration = Duration::from_millis(100);
/// A search that takes longer is told what a table would cost.
const HINT_AFTER: Duration = Duration::from_secs(10);
/// How many moves of the line being worked on are told with it.
const SHOWN_MOVES: usize = 4;

/// Tells how far the search is.
pub(super) struct ProgressTeller<W: Word> {
    pub(super) monitor: Arc<Monitor>,
    pub(super) follower: Follower<W>,
    pub(super) board: Board,
    /// What is said once when the search takes long.
    pub(super) hint: Option<String>,
}

impl<W: Word> ProgressTeller<W> {
    pub(super) fn tell_until(&self, done: &AtomicBool, progress: &Progress) {
        let mut reported = self.monitor.nodes();
        let (began, mut hint) = (Instant::now(), self.hint.as_deref());
        while !done.load(Ordering::Relaxed) {
            std::thread::park_timeout(TICK);
            let snapshot = self.monitor.snapshot();
            progress.status(&self.status(&snapshot));
            progress.add(snapshot.nodes - reported);
            reported = snapshot.nodes;
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
pub(super) fn line_text(lead: &str, board: Board, line: &[IndexedMove], most: usize) -> String {
    if line.is_empty() {
        return String::new();
    }
    let shown: Vec<String> =
        line.iter().take(most).map(|&played| move_text(board, played)).collect();
    let more = if line.len() > most { " ..." } else { "" };
    format!("{lead}{}{more}", shown.join(" "))
}
