//! The checkpoint of a search: it is taken up when the search begins, and saved at intervals timed
//! by what saving costs.

use std::path::Path;
use std::time::{Duration, Instant};

use super::progress::line_text;
use crate::app::cli::context::{Context, Failure, Progress};
use crate::app::cli::files::kind::{FileKind, is_there};
use crate::app::cli::files::output::{refused, writable};
use crate::game::board::Word;
use crate::game::rules::Position;
use crate::machine::files::Reservation;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::search::{CheckpointError, CheckpointSummary, Solver};

/// The first checkpoint comes after this long, and no two are closer.
const SHORTEST_PAUSE: Duration = Duration::from_secs(60);
/// No two are further apart: saving may be slow when the machine is busy, and a kill must not cost
/// hours because of that.
const LONGEST_PAUSE: Duration = Duration::from_secs(15 * 60);
/// Saving takes at most this share of the time, if pauses are not at their longest.
const SAVING_SHARE: u32 = 20;

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
            path.shown()
        ))
    })
}

/// Saves the search at intervals timed by what saving costs.
pub(super) struct Saver<'a> {
    path: Option<&'a Path>,
    /// When the search must be saved at the latest.
    deadline: Option<Instant>,
    next: Instant,
    /// Whether there is a checkpoint to go on from.
    there: bool,
    /// The nodes of the search that it is of.
    nodes: u64,
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
    pub(super) fn new(path: Option<&'a Path>, deadline: Option<Instant>) -> Result<Self, Failure> {
        let reserved = path.map(reserve).transpose()?;
        path.map_or(Ok(()), writable)?;
        let next = Instant::now() + SHORTEST_PAUSE;
        Ok(Self {
            path,
            deadline,
            next,
            there: false,
            nodes: 0,
            spared: false,
            error: None,
            _reserved: reserved,
        })
    }

    /// Takes up the checkpoint, if there is one; `false` if there was no time to read all of it.
    ///
    /// # Errors
    /// If it is damaged, or the checkpoint of another search.
    pub(super) fn take_up<W: Word>(
        &mut self,
        position: &Position,
        solver: &mut Solver<'_, W>,
        context: &Context,
    ) -> Result<bool, Failure> {
        let Some(path) = self.path else { return Ok(true) };
        if !is_there(path)? {
            return Ok(true);
        }
        FileKind::Checkpoint.expect(path)?;
        self.there = true;
        let began = Instant::now();
        let loaded = match solver.load(path, position) {
            Err(CheckpointError::Stopped) => return Ok(false),
            loaded => loaded.map_err(|error| {
                Failure::failed(format!(
                    "{}: {error}; remove it or name another file to begin anew",
                    path.shown()
                ))
            })?,
        };
        self.keep_back(solver, began.elapsed());
        let CheckpointSummary { nodes, rests_on_digest, .. } = loaded;
        self.nodes = nodes;
        let resting = if rests_on_digest { ", which rest on a digest" } else { "" };
        let path = path.shown();
        context.remark(format_args!("going on from {path} after {nodes} nodes{resting}"));
        Ok(true)
    }

    /// Saves nothing from now on: the checkpoint that is there has more than the solver knows.
    pub(super) fn spare(&mut self) {
        self.spared = true;
    }

    /// Leaves time for the next checkpoint, which may take a quarter longer than the last: but at
    /// most half of what is left, or a search with little time would get nowhere.
    fn keep_back<W: Word>(&self, solver: &Solver<'_, W>, last: Duration) {
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            solver.keep_back((last + last / 4).min(left / 2));
        }
    }

    pub(super) fn save<W: Word>(
        &mut self,
        solver: &Solver<'_, W>,
        position: &Position,
        progress: &Progress,
    ) {
        let Some(path) = self.path.filter(|_| !self.spared) else { return };
        let began = Instant::now();
        if let Err(error) = solver.save(path, position) {
            let words = not_saved(path, &error, self.there);
            progress.warn(&words);
            self.error = Some(words);
            return;
        }
        (self.there, self.nodes, self.error) = (true, solver.nodes(), None);
        self.keep_back(solver, began.elapsed());
        let line = solver.line(position).unwrap_or_default();
        let line = line_text("; at work on ", solver.board_data().board(), &line, usize::MAX);
        progress.line(&format!("checkpoint at {} nodes{line}", solver.nodes()));
    }

    /// Saves at the end of the search: for whoever goes on if there is more to do, and else so that
    /// a checkpoint that is there has all that the search found. A short search leaves none.
    pub(super) fn save_at_end<W: Word>(
        &mut self,
        is_done: bool,
        solver: &Solver<'_, W>,
        position: &Position,
        progress: &Progress,
    ) {
        if !is_done || (self.there && solver.nodes() > self.nodes) {
            self.save(solver, position, progress);
        }
    }

    /// Saves if it is time; returns when the next time is.
    pub(super) fn save_if_due<W: Word>(
        &mut self,
        solver: &Solver<'_, W>,
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

    /// Whether what was searched is saved, as far as it had to be.
    ///
    /// # Errors
    /// If the last checkpoint was not saved.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.error.as_ref().map_or(Ok(()), |error| Err(Failure::failed(error.clone())))
    }

    /// The failure of a search that came to too little: status 3, or 1 if what it came to is lost.
    pub(super) fn limit(&self, stop: &StopFlag) -> Failure {
        let why = if stop.is_set() { "the search was interrupted" } else { "the time is up" };
        match (self.path, &self.error) {
            (_, Some(error)) => Failure::failed(format!("{why}; {error}")),
            (Some(path), None) => {
                Failure::limit(format!("{why}; the same command goes on from {}", path.shown()))
            }
            (None, None) => {
                Failure::limit(format!("{why}; with --checkpoint FILE it could go on later"))
            }
        }
    }
}

/// That a checkpoint was not saved, and what there is instead.
pub(super) fn not_saved(path: &Path, error: &CheckpointError, there: bool) -> String {
    let left = if there { "the one before it is still there" } else { "there is none before it" };
    format!("no checkpoint was saved to {}: {error}; {left}", path.shown())
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
