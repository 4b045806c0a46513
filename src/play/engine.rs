//! The engine: a position in, a move out, by the surest means there is.
//!
//! 1. what is known: by rules, bounds, tables and certificates;
//! 2. a decided endgame: the territories are filled without waste;
//! 3. where at most 64 squares take part, a proof search with a share of the time;
//! 4. alpha-beta by the evaluation, with what is left.
//!
//! A filling that proves who wins comes before what is known: it also plays as long as it can.

use std::collections::TryReserveError;
use std::sync::Arc;
use std::time::Duration;

use super::alphabeta::{SearchNode, Shared};
use super::board_data::BoardData;
use super::deepening::{Iteration, Line, deepen};
use super::evaluation::{Evaluation, evaluate};
use super::filling::Filling;
use super::key::Key;
use super::known::{Known, Verdict};
use super::limits::{Control, Limits, PROOF_SHARE};
use super::prover::{Proof, Prover, Share};
use super::score::Score;
use super::settings::{Endgame, Settings};
use super::transposition::TranspositionTable;
use crate::game::Outcome;
use crate::game::board::{Board, BoardError, OtherBoard, U512, Word};
use crate::game::rules::{Bitboards, Colour, IndexedMove, Position};
use crate::machine::busy::Busy;
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::machine::threads;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The position is on another board than the engine was made for.
    #[error(transparent)]
    OtherBoard(#[from] OtherBoard),
    /// The board is too large.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// What should know the position is damaged.
    #[error(transparent)]
    Known(Box<dyn std::error::Error + Send + Sync>),
    /// The system does not give the memory.
    #[error("the engine's memory of {bytes} bytes cannot be had: {source}")]
    Memory {
        /// Bytes that were asked for.
        bytes: usize,
        /// Why not.
        source: TryReserveError,
    },
}

/// Where a move comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveSource {
    /// There is no other move, or no move at all.
    Only,
    /// The value of the position is known: by a table, a certificate, or bounds.
    Known,
    /// Filling territories that nobody disputes.
    Filling,
    /// A proof search.
    Proof,
    /// Alpha-beta by the evaluation.
    Search,
}

impl MoveSource {
    /// The source in one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Only => "only",
            Self::Known => "known",
            Self::Filling => "filling",
            Self::Proof => "proof",
            Self::Search => "search",
        }
    }
}

/// What an engine decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The move, `None` if there is none: the side to move has lost.
    pub played: Option<IndexedMove>,
    /// How the side to move stands.
    pub score: Score,
    /// The lines that were looked at, best first; the first begins with the move.
    pub lines: Vec<Line>,
    /// Where the move comes from.
    pub source: MoveSource,
    /// Positions evaluated.
    pub nodes: u64,
}

/// An engine on one board. It remembers from move to move.
#[derive(Debug)]
pub struct Engine {
    board: Board,
    settings: Settings,
    known: Option<Arc<dyn Known>>,
    searcher: SizedSearcher,
    prover: Option<Prover>,
}

/// The search in the word that fits the board.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "an engine has one")]
enum SizedSearcher {
    Narrow(Searcher<u64>),
    Wide(Searcher<u128>),
    Widest(Searcher<U512>),
}

/// Runs an expression with the searcher of an engine, whatever its word.
macro_rules! with_searcher {
    ($sized:expr, $searcher:ident => $work:expr) => {
        match $sized {
            SizedSearcher::Narrow($searcher) => $work,
            SizedSearcher::Wide($searcher) => $work,
            SizedSearcher::Widest($searcher) => $work,
        }
    };
}

/// The proof search's share of a search without limits.
const ANALYSIS: Duration = Duration::from_secs(2);

impl Engine {
    /// An engine for a board that knows nothing yet.
    ///
    /// # Errors
    /// [`EngineError::Memory`]; [`EngineError::Board`] if the board fits no word, but no board is
    /// that large.
    pub fn new(board: Board, settings: Settings) -> Result<Self, EngineError> {
        let settings = Settings { threads: threads::allowed(settings.threads), ..settings };
        let proves = settings.endgame == Endgame::Proof;
        let share = if proves { prover_memory(board, settings) } else { 0 };
        let memory = settings.memory - share;
        let searcher = match () {
            () if board.fits::<u64>() => SizedSearcher::Narrow(Searcher::new(board, memory)?),
            () if board.fits::<u128>() => SizedSearcher::Wide(Searcher::new(board, memory)?),
            () => SizedSearcher::Widest(Searcher::new(board, memory)?),
        };
        let prover = proves.then(|| Prover::new(settings.threads, share as u64));
        Ok(Self { board, settings, known: None, searcher, prover })
    }

    /// The same engine, perfect where the value of the position is known.
    pub fn with_known(self, known: Arc<dyn Known>) -> Self {
        Self { known: Some(known), ..self }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The settings, with the number of threads that there are.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Forgets everything: the next game has nothing to do with the last.
    pub fn forget(&mut self) {
        with_searcher!(&mut self.searcher, searcher => searcher.forget());
        let bytes = prover_memory(self.board, self.settings) as u64;
        let prover = self.prover.take();
        self.prover = prover.map(|_| Prover::new(self.settings.threads, bytes));
    }

    /// The static evaluation of a position for its side to move, without any search.
    ///
    /// # Errors
    /// If the position is on another board.
    pub fn evaluate(&self, position: &Position) -> Result<Score, EngineError> {
        OtherBoard::check(self.board, position.board())?;
        let how = self.settings.evaluation;
        Ok(with_searcher!(&self.searcher, searcher => {
            evaluate(&searcher.data, &squares(position), how)
        }))
    }

    /// Chooses a move. `report` hears of every iteration of the search.
    ///
    /// # Errors
    /// If the position is on another board, or what should know it is damaged.
    pub fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &StopFlag,
        report: &mut dyn FnMut(&Iteration),
    ) -> Result<Decision, EngineError> {
        let began = Instant::now();
        OtherBoard::check(self.board, position.board())?;
        let known = self.known.as_deref();
        let mut request =
            MoveRequest { settings: self.settings, began, limits: *limits, stop, report, nodes: 0 };
        with_searcher!(&mut self.searcher, searcher => {
            request.decide(searcher, position, known, self.prover.as_mut())
        })
    }
}

/// What of an engine's memory its proof search has: on a board of more than 64 squares less, since
/// there it begins late in the game.
fn prover_memory(board: Board, settings: Settings) -> usize {
    settings.memory / if board.fits::<u64>() { 2 } else { 4 }
}

/// The squares of a position whose board was found to be the engine's, which fits the word.
fn squares<W: Word>(position: &Position) -> Bitboards<W> {
    position.bitboards().expect("the engine's board fits its word")
}

/// What is kept between moves.
#[derive(Debug)]
struct Searcher<W: Word> {
    data: BoardData<W>,
    memory: Option<TranspositionTable<W>>,
    busy: Busy<Key>,
    filling: Filling,
}

impl<W: Word> Searcher<W> {
    fn new(board: Board, bytes: usize) -> Result<Self, EngineError> {
        let memory = (bytes > 0).then(|| TranspositionTable::new(bytes)).transpose();
        Ok(Self {
            data: BoardData::new(board)?,
            memory: memory.map_err(|source| EngineError::Memory { bytes, source })?,
            busy: Busy::new(),
            filling: Filling::default(),
        })
    }

    fn forget(&mut self) {
        self.memory.iter_mut().for_each(TranspositionTable::clear);
        self.filling = Filling::default();
    }
}

/// A request for one move: what limits it, and what was used so far.
struct MoveRequest<'a> {
    settings: Settings,
    began: Instant,
    limits: Limits,
    stop: &'a StopFlag,
    report: &'a mut dyn FnMut(&Iteration),
    nodes: u64,
}

impl MoveRequest<'_> {
    fn decide<W: Word>(
        &mut self,
        searcher: &mut Searcher<W>,
        coloured: &Position,
        known: Option<&dyn Known>,
        prover: Option<&mut Prover>,
    ) -> Result<Decision, EngineError> {
        let position = &squares(coloured);
        let moves = searcher.data.rules.moves(position);
        let [first, ..] = moves[..] else {
            return Ok(self.simple(None, Score::LOSS, MoveSource::Only));
        };
        let ends = self.settings.endgame != Endgame::Off && self.settings.lines == 1;
        let filled = if ends { searcher.filling.choose(&searcher.data, position) } else { None };
        if let Some((played, score)) = filled.filter(|(_, score)| score.proven().is_some()) {
            return Ok(self.simple(Some(played), score, MoveSource::Filling));
        }
        let verdict = known.map(|known| Verdict::of(known, coloured)).transpose();
        let mut prover = prover.filter(|_| ends);
        if let Some(verdict) = verdict.map_err(EngineError::Known)?.flatten() {
            return Ok(self.by_verdict(verdict, searcher, coloured, prover));
        }
        if let Some((played, score)) = filled {
            return Ok(self.simple(Some(played), score, MoveSource::Filling));
        }
        if moves.len() == 1
            && self.limits == (Limits { time: self.limits.time, ..Limits::default() })
        {
            return Ok(self.simple(Some(first), Score::EVEN, MoveSource::Only));
        }
        let mut lost = false;
        match prover.as_deref_mut().and_then(|prover| self.prove(prover, coloured)) {
            Some(Proof::Win(played)) => {
                let best = self.best(prover, coloured, Outcome::Win, &[]).unwrap_or(played);
                return Ok(self.simple(Some(best), Score::WIN, MoveSource::Proof));
            }
            Some(Proof::Loss) => {
                if let Some(best) = self.best(prover, coloured, Outcome::Loss, &[]) {
                    return Ok(self.simple(Some(best), Score::LOSS, MoveSource::Proof));
                }
                lost = true;
            }
            None => {}
        }
        let mut decision = self.search(searcher, position, coloured.turn(), &moves);
        if lost {
            decision.score = Score::LOSS;
            decision.source = MoveSource::Proof;
        }
        Ok(decision)
    }

    /// The decision where it is known who wins.
    fn by_verdict<W: Word>(
        &mut self,
        verdict: Verdict,
        searcher: &mut Searcher<W>,
        coloured: &Position,
        prover: Option<&mut Prover>,
    ) -> Decision {
        let lines = self.settings.lines.max(1);
        match verdict {
            Verdict::Win { winning, losing } => {
                if let Some(best) = self.best(prover, coloured, Outcome::Win, &[]) {
                    return self.known(Score::WIN, &[best], &[]);
                }
                let position = &squares(coloured);
                let best = best_first(searcher, position, winning, lines);
                let missing = lines - best.len();
                let worst = best_first(searcher, position, losing, missing);
                self.known(Score::WIN, &best, &worst)
            }
            Verdict::Loss(moves) => {
                let preferred = moves.as_deref().unwrap_or_default();
                if let Some(best) = self.best(prover, coloured, Outcome::Loss, preferred) {
                    return self.known(Score::LOSS, &[], &[best]);
                }
                if let Some(mut moves) = moves {
                    moves.truncate(lines);
                    return self.known(Score::LOSS, &[], &moves);
                }
                let (position, turn) = (&squares(coloured), coloured.turn());
                let moves = searcher.data.rules.moves(position);
                let found = self.search(searcher, position, turn, &moves);
                Decision { score: Score::LOSS, source: MoveSource::Known, ..found }
            }
        }
    }

    /// A decision by what is known: moves that win and moves that lose, best first.
    fn known(&self, score: Score, winning: &[IndexedMove], losing: &[IndexedMove]) -> Decision {
        let line = |score| move |&played| Line { score, depth: 0, moves: vec![played] };
        let lines = winning.iter().map(line(Score::WIN));
        let lines: Vec<Line> = lines.chain(losing.iter().map(line(Score::LOSS))).collect();
        let played = lines.first().map(|line| line.moves[0]);
        Decision { played, score, lines, source: MoveSource::Known, nodes: self.nodes }
    }

    /// A decision without a search.
    fn simple(&self, played: Option<IndexedMove>, score: Score, source: MoveSource) -> Decision {
        let line = played.map(|played| Line { score, depth: 0, moves: vec![played] });
        Decision { played, score, lines: line.into_iter().collect(), source, nodes: self.nodes }
    }

    /// A proof, where there is hope for one.
    fn prove(&mut self, prover: &mut Prover, position: &Position) -> Option<Proof<IndexedMove>> {
        let (proof, nodes) = prover.prove(position, self.proof_share()?, self.stop);
        self.nodes += nodes;
        proof
    }

    /// Where it is known who wins: the move by which the side to move wins by most or loses by
    /// least, as far as a little effort tells; of those that lose by as little one that is
    /// preferred, the first ones before others.
    fn best(
        &mut self,
        prover: Option<&mut Prover>,
        position: &Position,
        outcome: Outcome,
        preferred: &[IndexedMove],
    ) -> Option<IndexedMove> {
        let share = self.proof_share()?;
        let (best, nodes) = prover?.best(position, outcome, preferred, share, self.stop);
        self.nodes += nodes;
        best
    }

    /// What a proof search may take of the limits; `None` if it has no part in them.
    fn proof_share(&self) -> Option<Share> {
        let Limits { time, enough, nodes, depth } = self.limits;
        let time = match (enough.or(time), nodes, depth) {
            (Some(time), ..) => Some(time / PROOF_SHARE),
            (None, Some(_), _) => None,
            (None, None, None) => Some(ANALYSIS),
            (None, None, Some(_)) => return None,
        };
        Some(Share {
            until: time.map(|time| self.began + time),
            nodes: nodes.map(|nodes| nodes.saturating_sub(self.nodes) / u64::from(PROOF_SHARE)),
        })
    }

    /// The best of some moves by alpha-beta.
    fn search<W: Word>(
        &mut self,
        searcher: &mut Searcher<W>,
        position: &Bitboards<W>,
        turn: Colour,
        moves: &[IndexedMove],
    ) -> Decision {
        let settings = self.settings;
        searcher.memory.iter_mut().for_each(TranspositionTable::grow_older);
        let side = usize::from(turn == Colour::Black);
        let node =
            SearchNode { position: *position, key: searcher.data.keys.key(position, side), side };
        let left = self.limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes));
        let control = Control::new(self.began, Limits { nodes: left, ..self.limits }, self.stop);
        let shared = Shared {
            data: &searcher.data,
            memory: searcher.memory.as_ref(),
            busy: (settings.threads > 1).then_some(&searcher.busy),
            control: &control,
            evaluation: settings.evaluation,
            width: settings.width,
            reductions: settings.reductions,
        };
        let (before, report) = (self.nodes, &mut *self.report);
        let mut report_all =
            |found: &Iteration| report(&Iteration { nodes: found.nodes + before, ..found.clone() });
        let lines = deepen(&shared, &node, moves, &settings, &mut report_all);
        self.nodes += control.nodes();
        let best = lines.first();
        Decision {
            played: best.map(|line| line.moves[0]),
            score: best.map_or(Score::LOSS, |line| line.score),
            source: MoveSource::Search,
            nodes: self.nodes,
            lines,
        }
    }
}

/// Of moves of one value, at most so many with the best evaluation, best first.
fn best_first<W: Word>(
    searcher: &Searcher<W>,
    position: &Bitboards<W>,
    mut moves: Vec<IndexedMove>,
    most: usize,
) -> Vec<IndexedMove> {
    if most > 0 {
        let data = &searcher.data;
        moves.sort_by_cached_key(|&played| {
            evaluate(data, &data.rules.play_unchecked(position, played), Evaluation::default())
        });
    }
    moves.truncate(most);
    moves
}
