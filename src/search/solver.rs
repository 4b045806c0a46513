//! The solver: a board, a table, and the search of a position on it.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::dfpn::Worker;
use super::dfpn::expansion::Node;
use super::dfpn::searcher::Searcher;
use super::dfpn::shared::Shared;
use super::dfpn::watch::Visibility;
use super::foreign_position::ForeignPosition;
use super::monitor::Monitor;
use super::monitor::history::{History, Moment};
use super::monitor::line::{self, Follower};
use super::sum::board_data::BoardData;
use super::sum::canonical::RegionSquares;
use super::sum::evaluation::evaluate;
use super::sum::key::Key;
use super::sum::longest_plays;
use super::sum::numbers::Numbers;
use super::sum::oracle::Oracle;
use super::sum::reduction::{Reduced, Reducer};
use super::table::ProofTable;
use super::table::noted::Noted;
use crate::game::Outcome;
use crate::game::board::{Board, BoardError, Kings, OtherBoard, Word};
use crate::game::ground::{Ground, GroundTooLarge};
use crate::game::rules::{Bitboards, IndexedMove, Position};
use crate::machine::busy::Busy;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::machine::threads;
use crate::machine::virtual_threads::{Schedule, VirtualThreads};

/// With fewer bytes in all there is hardly a table: who asks for such a search is told so.
pub const LEAST_MEMORY: u64 = 4 << 20;

/// How a search is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Most bytes of the transposition table. While it grows, a smaller one of at most an eighth of
    /// this is in memory too. What threads remember beside it takes at most a sixteenth of it.
    pub table_bytes: u64,
    /// Number of searching threads. A search is on 1 at least and on 1024 at most, whatever is
    /// wanted.
    pub threads: usize,
    /// Stirs the keys. With one thread, the same seed and table size give the same search.
    pub seed: u64,
}

impl Settings {
    /// The largest table of a search that may use so many bytes in all, on so many threads.
    pub fn within(memory: u64, threads: usize) -> Self {
        let threads = threads::allowed(threads);
        // Beside a table there are an eighth of it, and a sixteenth or what threads remember at
        // the most.
        let small = memory / 19 * 16;
        let large = memory.saturating_sub(threads as u64 * longest_plays::MOST_BYTES) / 9 * 8;
        Self { table_bytes: small.max(large), threads, seed: 0 }
    }

    /// Bytes of the longest plays that a thread may remember.
    fn longest_plays(&self) -> u64 {
        self.table_bytes / 16 / threads::allowed(self.threads) as u64
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { table_bytes: 256 << 20, threads: 1, seed: 0 }
    }
}

/// Why there is no solver, or no search.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolverError {
    /// The board has more than 64 squares.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The position is not one of the solver's.
    #[error(transparent)]
    Foreign(#[from] ForeignPosition),
    /// Too many squares of the position take part.
    #[error(transparent)]
    Ground(#[from] GroundTooLarge),
    /// The system does not give the memory for the table.
    #[error("no memory for a table of {bytes} bytes: {source}")]
    Memory {
        /// Bytes asked for.
        bytes: u64,
        /// What the system says.
        source: io::Error,
    },
    /// What the search was told cannot be, by what it has proved.
    #[error("what tables, a digest or a checkpoint say contradicts a proof: one of them is wrong")]
    Contradiction,
}

/// A proof-number solver for the positions of one board.
#[derive(Debug)]
pub struct Solver<'o, W: Word = u64> {
    pub(super) data: Arc<BoardData<W>>,
    pub(super) table: ProofTable,
    busy: Busy<Key>,
    oracle: Option<&'o dyn Oracle>,
    settings: Settings,
    /// How the threads of a search take turns, if they are virtual.
    schedule: Option<Schedule>,
    /// Jitters the numbers that positions start with.
    jitter: Option<u64>,
    stop: StopFlag,
    deadline: Option<Instant>,
    /// How many microseconds before the deadline the search is over.
    kept_back: AtomicU64,
    /// The search before left the table nearly full, because it was over first.
    room_is_owed: bool,
    noted: Noted,
    /// Whether values of a digest were taken up, from itself or in a checkpoint.
    pub(super) rests_on_digest: bool,
    monitor: Arc<Monitor>,
    created: Instant,
    /// The moments at which the search was saved, those before it was taken up with them.
    saved: Mutex<History>,
    /// The time that was searched before it was taken up, if it was.
    before: Option<Duration>,
}

/// Bytes of the table that a search begins with: few, so that easy positions do not pay for memory
/// that they do not need.
const FIRST_TABLE: u64 = 2 << 20;
/// How much larger the next table is when one is nearly full. Clearing its pages is the larger part
/// of what growing costs, so it should not be much larger than what is needed.
const GROWTH: u64 = 4;
/// The last step is larger, so that the old table needs at most an eighth of the new one's memory.
const LAST_GROWTH: u64 = 8;

/// The size after `bytes` of a table that is to have `most` bytes at most.
fn larger(bytes: u64, most: u64) -> u64 {
    let last_but_one = most / LAST_GROWTH;
    if bytes.saturating_mul(2) > last_but_one { most } else { last_but_one.min(bytes * GROWTH) }
}

impl Solver<'_> {
    /// A solver that knows nothing yet, and gives up when `stop` is set.
    ///
    /// # Errors
    /// If the board is too large or there is no memory for the table.
    pub fn new(board: Board, settings: Settings, stop: StopFlag) -> Result<Self, SolverError> {
        Self::with(BoardData::new(board, settings.seed)?, settings, stop)
    }
}

impl Solver<'_, u128> {
    /// A solver of a position of any board, and of all that may come from it. What is burned in the
    /// position is not there; what is left may have 64 squares that an amazon can reach.
    ///
    /// # Errors
    /// [`SolverError::Ground`] if it has more, or its board more than 128; or there is no memory
    /// for the table.
    pub fn of_endgame(
        position: &Position,
        settings: Settings,
        stop: StopFlag,
    ) -> Result<Self, SolverError> {
        let ground = Ground::in_position(position)?;
        let kings = Kings::new(position.board())?;
        Self::with(BoardData::with(kings, ground, settings.seed)?, settings, stop)
    }
}

impl<'o, W: Word> Solver<'o, W> {
    /// A solver with these rules.
    fn with(
        mut data: BoardData<W>,
        settings: Settings,
        stop: StopFlag,
    ) -> Result<Self, SolverError> {
        let settings = Settings { threads: threads::allowed(settings.threads), ..settings };
        data.longest_plays = longest_plays::most(settings.longest_plays());
        let data = Arc::new(data);
        let most = settings.table_bytes;
        let bytes = if FIRST_TABLE > most / LAST_GROWTH { most } else { FIRST_TABLE };
        let table = ProofTable::new(bytes, data.scrambler.bits())
            .map_err(|source| SolverError::Memory { bytes, source })?;
        let monitor = Arc::default();
        Ok(Self {
            data,
            table,
            busy: Busy::new(),
            oracle: None,
            settings,
            schedule: None,
            jitter: None,
            stop,
            deadline: None,
            kept_back: AtomicU64::new(0),
            room_is_owed: false,
            noted: Noted::from_effort(Noted::NOTHING),
            rests_on_digest: false,
            monitor,
            created: Instant::now(),
            saved: Mutex::default(),
            before: None,
        })
    }

    /// Whether what this solver finds rests on a digest, which it has taken up itself
    /// ([`Self::take_digest`]), or whose values were in the checkpoint that it goes on from
    /// ([`Self::load`]).
    pub fn rests_on_digest(&self) -> bool {
        self.rests_on_digest
    }

    /// The same solver with positions answered by an oracle where it knows them.
    #[doc(hidden)]
    pub fn with_oracle(self, oracle: &'o dyn Oracle) -> Self {
        Self { oracle: Some(oracle), ..self }
    }

    /// The same solver, which gives up at a moment. Where the deadline of the search before left no
    /// room in the table, the next search makes room first, and may end as much later.
    pub fn with_deadline(self, deadline: Option<Instant>) -> Self {
        Self { deadline, ..self }
    }

    /// The same solver, which gives up when another flag is set and no more when the one before is.
    pub fn with_stop(self, stop: StopFlag) -> Self {
        Self { stop, ..self }
    }

    /// The same solver on virtual threads: one of them searches at a time, in turns of `quantum`
    /// evaluated positions. So searches of any number of threads are the same in every run.
    #[cfg(any(test, feature = "internals"))]
    pub fn with_schedule(self, schedule: Schedule) -> Self {
        Self { schedule: Some(schedule), ..self }
    }

    /// The same solver, which takes half of all positions for a sixteenth of a square harder to
    /// prove than others do, and half for as much harder to disprove; a seed tells which. What that
    /// changes of a search is luck.
    #[cfg(any(test, feature = "internals"))]
    pub fn with_jitter(self, seed: u64) -> Self {
        Self { jitter: Some(seed), ..self }
    }

    /// From now on the search is over so long before its deadline: that time is for the caller.
    pub fn keep_back(&self, time: Duration) {
        self.kept_back.store(time.as_micros() as u64, Ordering::Relaxed);
    }

    /// When the search is over at the latest.
    pub(super) fn end(&self) -> Option<Instant> {
        let kept_back = Duration::from_micros(self.kept_back.load(Ordering::Relaxed));
        self.deadline.map(|deadline| deadline - kept_back)
    }

    /// The board and its rules.
    pub fn board_data(&self) -> &BoardData<W> {
        &self.data
    }

    /// Positions evaluated so far.
    pub fn nodes(&self) -> u64 {
        self.monitor.nodes()
    }

    /// How long the searches took whose checkpoint was taken up, if one was.
    pub fn searched_before(&self) -> Option<Duration> {
        self.before
    }

    /// The time since the solver was made, and that before it was taken up.
    fn searched(&self) -> Duration {
        self.before.unwrap_or_default() + self.created.elapsed()
    }

    /// The moments at which the search was saved, and now.
    pub fn history(&self) -> History {
        let mut history = self.saved.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (searched, nodes) = (self.searched(), self.nodes());
        history.push(Moment { searched, nodes, moves: self.monitor.moves() });
        history
    }

    /// The search was saved with this history.
    pub(super) fn note(&self, history: History) {
        *self.saved.lock().unwrap_or_else(PoisonError::into_inner) = history;
    }

    /// Goes on from a search with this history.
    pub(super) fn go_on_from(&mut self, history: History) {
        self.before = Some(history.searched());
        self.note(history);
    }

    /// Where others can see how far the search is.
    pub fn monitor(&self) -> Arc<Monitor> {
        Arc::clone(&self.monitor)
    }

    /// What the side to move reaches, or `None` if the search was stopped.
    ///
    /// # Errors
    /// If the position is of another board, or a larger table is needed and the system does not
    /// give the memory.
    pub fn solve(&mut self, position: &Position) -> Result<Option<Outcome>, SolverError> {
        self.solve_in_runs(position, |_| None)
    }

    /// As [`Solver::solve`]; before each run of the search `between` is called, which says when the
    /// run is to end at the latest.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve_in_runs(
        &mut self,
        position: &Position,
        between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<Outcome>, SolverError> {
        self.search(&self.bitboards(position)?, between)
    }

    /// As [`Self::solve_in_runs`], for a position that is known to be of the solver's board.
    pub(crate) fn search(
        &mut self,
        position: &Bitboards<W>,
        between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<Outcome>, SolverError> {
        self.attempt(position, u64::MAX, between)
    }

    /// Searches a position until one of its numbers reaches a threshold, so many positions have
    /// been evaluated, or the search is over. `between` is called as by [`Self::solve_in_runs`].
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(super) fn search_node(
        &mut self,
        node: Node<W>,
        thresholds: Numbers,
        positions: u64,
        between: &mut impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Numbers, SolverError> {
        self.monitor.reset();
        let limit = self.nodes().saturating_add(positions);
        loop {
            if self.table.is_nearly_full() {
                self.make_room()?;
            }
            let next = between(self);
            let until = next.into_iter().chain(self.end()).min();
            let numbers = self.run(node, thresholds, until, limit);
            if numbers.reaches(thresholds) || self.nodes() >= limit || self.is_over() {
                return Ok(numbers);
            }
        }
    }

    /// The open children of a position with their numbers.
    ///
    /// # Errors
    /// What the side to move reaches, if the children decide that.
    pub(super) fn children(&self, node: &Node<W>) -> Result<Vec<(Node<W>, Numbers)>, Outcome> {
        Worker::new(&self.shared(None, u64::MAX), Visibility::Hidden).children(node)
    }

    /// From now on positions of at least so much effort are noted; returns those noted before.
    pub(super) fn note_from(&mut self, effort: u8) -> Vec<(Key, i8)> {
        std::mem::replace(&mut self.noted, Noted::from_effort(effort)).take()
    }

    /// As [`Self::search`], but gives up after so many positions; `None` then.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(crate) fn attempt(
        &mut self,
        position: &Bitboards<W>,
        positions: u64,
        between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<Outcome>, SolverError> {
        self.attempt_with(position, 0, positions, between)
    }

    /// As [`Self::attempt`], with so many spare moves of the side to move.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(crate) fn attempt_with(
        &mut self,
        position: &Bitboards<W>,
        spare: i16,
        positions: u64,
        mut between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<Outcome>, SolverError> {
        let node = match self.reduce_with(position, spare) {
            Reduced::Decided(outcome) => return Ok(Some(outcome)),
            Reduced::Open { sum, key, .. } => Node { sum, key },
        };
        self.monitor.set_spare(spare);
        Ok(self.search_node(node, Numbers::UNREACHED, positions, &mut between)?.verdict())
    }

    /// The numbers that a position starts with, before any search.
    pub(super) fn initial_numbers(&self, position: &Reduced<W>) -> Numbers {
        match position {
            Reduced::Decided(outcome) => Numbers::solved(*outcome),
            Reduced::Open { sum, upper_bound, .. } => {
                Numbers::initial(evaluate(&self.data, sum), *upper_bound, sum.empty.len())
            }
        }
    }

    /// The logarithm of the most positions that one search has evaluated below a position, as far
    /// as the table knows.
    pub(super) fn effort(&self, position: &Bitboards<W>) -> u8 {
        self.effort_with(position, 0)
    }

    /// As [`Self::effort`], with so many spare moves of the side to move.
    pub(super) fn effort_with(&self, position: &Bitboards<W>, spare: i16) -> u8 {
        match self.reduce_with(position, spare) {
            Reduced::Decided(_) => 0,
            Reduced::Open { sum, key, .. } => self.table.probe(key, sum.spare).effort,
        }
    }

    /// Calls `work` on each thread, with a searcher that works on positions of its own; returns
    /// what the calls returned. They also return when the table is nearly full or the search is
    /// over, because no searcher goes on then.
    pub(super) fn on_all_threads<T: Send>(
        &self,
        work: impl Fn(Searcher<'_, W>) -> T + Sync,
    ) -> Vec<T> {
        let shared = self.shared(self.end(), u64::MAX);
        threads::in_parts(self.settings.threads, |part| {
            work(Searcher::new(&shared, Visibility::of_thread(part)))
        })
    }

    /// What gives up a search when it is set.
    pub(super) fn stop_flag(&self) -> &StopFlag {
        &self.stop
    }

    /// Whether the search was stopped or its time is up.
    pub fn is_over(&self) -> bool {
        self.stop.is_set() || self.end().is_some_and(|end| Instant::now() >= end)
    }

    /// What is left of a position.
    pub(super) fn reduce(&self, position: &Bitboards<W>) -> Reduced<W> {
        self.reduce_with(position, 0)
    }

    /// What is left of a position with so many spare moves of the side to move, or of the other
    /// side if there are less than 0. Any number can be held: with more than there are empty
    /// squares bounds decide, and what is left open has at most as many.
    pub(super) fn reduce_with(&self, position: &Bitboards<W>, spare: i16) -> Reduced<W> {
        let squares = RegionSquares::of(self.data.board(), position);
        Reducer::default().reduce(&self.data, &self.table, squares, spare.into())
    }

    /// What is proved of a position without searching: by its bounds or in the table.
    ///
    /// # Errors
    /// If the position is of another board.
    pub fn known(&self, position: &Position) -> Result<Option<Outcome>, ForeignPosition> {
        Ok(self.proved(&self.bitboards(position)?))
    }

    /// As [`Self::known`], for a position that is known to be of the solver's board.
    pub(crate) fn proved(&self, position: &Bitboards<W>) -> Option<Outcome> {
        self.proved_with(position, 0)
    }

    /// As [`Self::proved`], with so many spare moves of the side to move.
    pub(crate) fn proved_with(&self, position: &Bitboards<W>, spare: i16) -> Option<Outcome> {
        match self.reduce_with(position, spare) {
            Reduced::Decided(outcome) => Some(outcome),
            Reduced::Open { sum, key, .. } => {
                self.table.probe(key, sum.spare).bounds.verdict(sum.spare)
            }
        }
    }

    /// Follows the search of a position from another thread.
    ///
    /// # Errors
    /// If the position is of another board.
    pub fn follower(&self, position: &Position) -> Result<Follower<W>, ForeignPosition> {
        let position = self.bitboards(position)?;
        Ok(Follower::new(Arc::clone(&self.data), self.monitor(), position))
    }

    /// The moves to where the search is at work, from the position that is being solved.
    ///
    /// # Errors
    /// If the position is of another board.
    pub fn line(&self, position: &Position) -> Result<Vec<IndexedMove>, ForeignPosition> {
        let position = self.bitboards(position)?;
        let (path, spare) = (self.monitor.path(), self.monitor.spare());
        Ok(line::moves(&self.data, &self.table, &path, &position, spare))
    }

    /// The position without colours, if it is one of the solver's.
    pub(super) fn bitboards(&self, position: &Position) -> Result<Bitboards<W>, ForeignPosition> {
        OtherBoard::check(self.data.board(), position.board())?;
        let plain = position.bitboards().expect("the solver's board fits its word");
        self.check(self.data.board(), &plain).map(|()| plain)
    }

    /// That a position is one of the solver's.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn check(
        &self,
        board: Board,
        position: &Bitboards<W>,
    ) -> Result<(), ForeignPosition> {
        OtherBoard::check(self.data.board(), board)?;
        let holds = self.data.scrambler.ground().holds(&self.data.kings, position);
        if holds { Ok(()) } else { Err(ForeignPosition::Ground) }
    }

    /// Whether the solver takes a position: it is of its board and, where what was burned is not
    /// there, comes from the position that the solver was made for.
    pub fn takes(&self, position: &Position) -> bool {
        self.bitboards(position).is_ok()
    }

    /// One run on all threads, until the position has reached a threshold or the run is over.
    fn run(
        &self,
        node: Node<W>,
        thresholds: Numbers,
        until: Option<Instant>,
        limit: u64,
    ) -> Numbers {
        let threads = self.settings.threads;
        let turns = self.schedule.map(|schedule| VirtualThreads::new(schedule, threads));
        let (parallel, alone) = (threads > 1, self.shared(until, limit));
        let shared = Shared { parallel, turns: turns.as_ref(), ..alone };
        let search = |part| {
            let numbers =
                Worker::new(&shared, Visibility::of_thread(part)).search(node, thresholds);
            // Who comes back has reached a threshold, or knows that all are to come back.
            shared.pause.store(true, Ordering::Relaxed);
            numbers
        };
        let found = match &turns {
            Some(turns) => turns.run(search),
            None => threads::in_parts(threads, search),
        };
        let solved = found.iter().find(|numbers| numbers.verdict().is_some());
        let reached = found.iter().find(|numbers| numbers.reaches(thresholds));
        *solved.or(reached).unwrap_or(&found[0])
    }

    /// Grows the table if that is allowed; else frees entries of it. Given up when the search is
    /// stopped or its deadline comes.
    ///
    /// Some searches have less time than this takes. If each of them gave it up, none would ever
    /// search. So when a deadline has ended it once, the next call goes on past its own deadline.
    pub(super) fn make_room(&mut self) -> Result<(), SolverError> {
        let owed = self.room_is_owed;
        let is_over = move |solver: &Self| solver.stop.is_set() || !owed && solver.is_over();
        let bytes = larger(self.table.bytes(), self.settings.table_bytes);
        if bytes < self.table.bytes() * 2 {
            self.table.collect(self.table_threads(), || is_over(self));
        } else {
            self.resize_unless(bytes, is_over)?;
        }
        self.room_is_owed = self.table.is_nearly_full();
        Ok(())
    }

    /// Grows the table until `entries` half fill it, as far as that is allowed.
    pub(super) fn reserve(&mut self, entries: u64) -> Result<(), SolverError> {
        let needed = self.table.bytes_for(entries).saturating_mul(2);
        let mut bytes = self.table.bytes();
        while bytes < needed.min(self.settings.table_bytes) {
            bytes = larger(bytes, self.settings.table_bytes);
        }
        if bytes > self.table.bytes() { self.resize(bytes) } else { Ok(()) }
    }

    /// Number of threads.
    pub(super) fn threads(&self) -> usize {
        self.settings.threads
    }

    /// Number of threads for work on the whole table. Real ones work on it in no fixed order, so
    /// beside virtual ones one does it.
    fn table_threads(&self) -> usize {
        self.schedule.map_or(self.settings.threads, |_| 1)
    }

    /// The seed of the keys.
    pub(super) fn seed(&self) -> u64 {
        self.settings.seed
    }

    /// Exchanges the table for one of another size, with the same entries.
    pub(super) fn resize(&mut self, bytes: u64) -> Result<(), SolverError> {
        self.resize_unless(bytes, |_| false)
    }

    /// As [`Self::resize`]; the table stays as it is if `is_over` says so before that is done.
    fn resize_unless(
        &mut self,
        bytes: u64,
        is_over: impl Fn(&Self) -> bool + Sync,
    ) -> Result<(), SolverError> {
        let resized = self.table.resized(bytes, self.table_threads(), || is_over(self));
        if let Some(table) = resized.map_err(|source| SolverError::Memory { bytes, source })? {
            self.table = table;
        }
        Ok(())
    }

    /// For threads that search positions of their own.
    pub(super) fn shared(&self, until: Option<Instant>, limit: u64) -> Shared<'_, W> {
        Shared {
            data: &self.data,
            table: &self.table,
            busy: &self.busy,
            oracle: self.oracle,
            stop: &self.stop,
            pause: AtomicBool::new(false),
            until,
            limit,
            noted: &self.noted,
            monitor: &self.monitor,
            parallel: false,
            jitter: self.jitter,
            turns: None,
        }
    }
}
