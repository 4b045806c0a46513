//! A player for any rules of the family of [`crate::game::variants`].
//!
//! What the engine of Amazons knows of distances, walls and territories holds for Amazons alone. So
//! this one works from the rules: a proof search with a share of the time, on boards of at most 64
//! squares, then alpha-beta with iterative deepening on one thread. It judges by mobility, the
//! steps of one side less those of the other. In a turn of several moves the same side goes on, and
//! its score is not negated.

use super::engine::MoveSource;
use super::limits::{Control, Limits, Over, PROOF_SHARE};
use super::prover::Proof;
use super::score::Score;
use crate::game::Outcome;
use crate::game::board::{Bitboard, Board, BoardError, U512, Word};
use crate::game::variants::{RuleSet, SingleMove, State, VariantPosition, VariantRules};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::variants::{VariantSolver, VariantSolverError};

/// What the player decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantDecision {
    /// The move of one amazon, `None` if there is none: the side to move has lost.
    pub played: Option<SingleMove>,
    /// How the side to move stands.
    pub score: Score,
    /// Moves looked ahead.
    pub depth: u32,
    /// Where the move comes from.
    pub source: MoveSource,
    /// Positions evaluated.
    pub nodes: u64,
}

/// A player for one game of the family on one board.
#[derive(Debug)]
pub struct VariantEngine {
    holds: (RuleSet, Board),
    rules: SizedRules,
    prover: Option<VariantSolver>,
    stop: StopFlag,
}

/// The rules in the word that fits the board.
#[derive(Debug)]
enum SizedRules {
    Narrow(VariantRules<u64>),
    Wide(VariantRules<u128>),
    Widest(VariantRules<U512>),
}

impl VariantEngine {
    /// Hundredths of a score that a step more is worth.
    pub const STEP: i32 = 10;

    /// A player that remembers proofs in at most `memory` bytes, and ends its search when `stop` is
    /// set.
    ///
    /// # Errors
    /// If the board fits no word; no board is that large.
    pub fn new(
        board: Board,
        rules: RuleSet,
        memory: u64,
        stop: StopFlag,
    ) -> Result<Self, BoardError> {
        let holds = (rules, board);
        let prover = VariantSolver::new(board, rules, memory, stop.clone()).ok();
        let rules = match () {
            () if board.fits::<u64>() => SizedRules::Narrow(VariantRules::new(board, rules)?),
            () if board.fits::<u128>() => SizedRules::Wide(VariantRules::new(board, rules)?),
            () => SizedRules::Widest(VariantRules::new(board, rules)?),
        };
        Ok(Self { holds, rules, prover, stop })
    }

    /// The same player, which looks ahead and proves nothing.
    pub fn without_proofs(self) -> Self {
        Self { prover: None, ..self }
    }

    /// Chooses a move of one amazon.
    ///
    /// # Errors
    /// If the position is of another game, or on another board.
    pub fn choose(
        &mut self,
        position: &VariantPosition,
        limits: &Limits,
    ) -> Result<VariantDecision, VariantSolverError> {
        let asked = (position.rules(), position.board());
        if self.holds != asked {
            return Err(VariantSolverError::other(self.holds, asked));
        }
        let began = Instant::now();
        let (proof, nodes) = self.prove(position, limits, began)?;
        if let Some(Proof::Win(played)) = proof {
            let (score, source) = (Score::WIN, MoveSource::Proof);
            return Ok(VariantDecision { played: Some(played), score, depth: 0, source, nodes });
        }
        let left = limits.nodes.map(|most| most.saturating_sub(nodes));
        let control = Control::new(began, Limits { nodes: left, ..*limits }, &self.stop);
        let mut decision = match &self.rules {
            SizedRules::Narrow(rules) => Search { rules, control: &control }.decide(position),
            SizedRules::Wide(rules) => Search { rules, control: &control }.decide(position),
            SizedRules::Widest(rules) => Search { rules, control: &control }.decide(position),
        };
        decision.nodes += nodes;
        if proof.is_some() {
            (decision.score, decision.source) = (Score::LOSS, MoveSource::Proof);
        }
        Ok(decision)
    }

    /// A proof, if one is found with its share of the limits, and the positions that it took.
    fn prove(
        &mut self,
        position: &VariantPosition,
        limits: &Limits,
        began: Instant,
    ) -> Result<(Option<Proof<SingleMove>>, u64), VariantSolverError> {
        let Some(solver) = &mut self.prover else { return Ok((None, 0)) };
        let time = limits.enough.or(limits.time);
        if limits.nodes.is_none() && time.is_none() {
            return Ok((None, 0));
        }
        let deadline = time.and_then(|time| began.checked_add(time / PROOF_SHARE));
        let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes / u64::from(PROOF_SHARE));
        let before = solver.nodes();
        solver.limit(deadline, nodes);
        let proof = match solver.solve(position)? {
            Some(Outcome::Win) => solver.best_move(position)?.map(Proof::Win),
            Some(Outcome::Loss) => Some(Proof::Loss),
            None => None,
        };
        Ok((proof, solver.nodes() - before))
    }
}

/// One search for a move.
struct Search<'a, W: Word> {
    rules: &'a VariantRules<W>,
    control: &'a Control<'a>,
}

/// A move, the position after it, and what it was worth when it was last looked at.
struct Candidate<W: Word> {
    played: SingleMove,
    after: State<W>,
    score: Score,
}

impl<W: Word> Search<'_, W> {
    fn decide(&self, position: &VariantPosition) -> VariantDecision {
        let state = position.state().expect("the board fits the word of its rules");
        let mut candidates = self.candidates(&state);
        let mut decision = VariantDecision {
            played: candidates.first().map(|best| best.played),
            score: candidates.first().map_or(Score::LOSS, |best| best.score),
            depth: 1,
            source: if candidates.len() > 1 { MoveSource::Search } else { MoveSource::Only },
            nodes: 0,
        };
        let counted = self.control.count(candidates.len() as u64);
        if candidates.len() > 1 && counted.is_ok() {
            for depth in 2.. {
                let decided = decision.score.proven().is_some();
                if decided || !self.control.goes_deeper(depth) {
                    break;
                }
                let Ok(()) = self.deepen(&mut candidates, depth) else { break };
                (decision.score, decision.depth) = (candidates[0].score, depth);
                // In a lost position the move that looked best before it was known to lose.
                if decision.score != Score::LOSS {
                    decision.played = Some(candidates[0].played);
                }
            }
        }
        decision.nodes = self.control.nodes();
        decision
    }

    /// Looks `depth` moves ahead and sorts the candidates, best first. Those that are worse than
    /// the best have a bound for a score.
    fn deepen(&self, candidates: &mut [Candidate<W>], depth: u32) -> Result<(), Over> {
        let mut best = Score::LOSS;
        for candidate in candidates.iter_mut() {
            candidate.score = self.of_move(&candidate.after, depth - 1, best, Score::WIN)?;
            best = best.max(candidate.score);
        }
        // The sort is stable: of moves with one score the first was found, others are bounds.
        candidates.sort_by_key(|candidate| -candidate.score);
        Ok(())
    }

    /// The moves with the evaluation of what they lead to, best first.
    fn candidates(&self, state: &State<W>) -> Vec<Candidate<W>> {
        let candidate = |played| {
            let after = self.rules.play_unchecked(state, played);
            let score = self.evaluate(&after);
            Candidate { played, after, score: if after.goes_on() { score } else { -score } }
        };
        let moves = self.rules.moves(state).into_iter();
        let mut candidates: Vec<_> = moves.map(candidate).collect();
        candidates.sort_by_key(|candidate| -candidate.score);
        candidates
    }

    /// What the move that led to a position is worth to its side.
    fn of_move(
        &self,
        after: &State<W>,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Over> {
        if after.goes_on() {
            self.value(after, depth, alpha, beta)
        } else {
            Ok(-self.value(after, depth, -beta, -alpha)?)
        }
    }

    /// The value of a position for its side to move, at least one move looked ahead: exact between
    /// `alpha` and `beta`, else a bound.
    fn value(
        &self,
        state: &State<W>,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Over> {
        let candidates = self.candidates(state);
        self.control.count(candidates.len() as u64)?;
        if depth <= 1 {
            return Ok(candidates.first().map_or(Score::LOSS, |best| best.score));
        }
        let mut best = Score::LOSS;
        for candidate in &candidates {
            // What is proven needs no search.
            let score = match candidate.score.proven() {
                Some(_) => candidate.score,
                None => self.of_move(&candidate.after, depth - 1, alpha.max(best), beta)?,
            };
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// How the side to move stands, without looking ahead: a loss if it has no move, else by
    /// mobility.
    fn evaluate(&self, state: &State<W>) -> Score {
        if !self.rules.can_move(state) {
            return Score::LOSS;
        }
        let steps = |state: State<W>| self.rules.count_steps(&state) as i32;
        let mine = State { moved: Bitboard::EMPTY, ..*state };
        let theirs = State { squares: state.squares.swapped(), ..mine };
        Score::lead(VariantEngine::STEP * (steps(mine) - steps(theirs)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::{Amazons, Colour, Setup};
    use crate::game::variants::naive::NaiveVariantSolver;
    use crate::game::variants::variant_fen;
    use proptest::prelude::*;

    fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    fn engine(position: &VariantPosition) -> VariantEngine {
        let (board, rules) = (position.board(), position.rules());
        VariantEngine::new(board, rules, 1 << 20, StopFlag::new()).unwrap()
    }

    fn start(rules: RuleSet, board: &str, amazons: &str) -> VariantPosition {
        let amazons: Amazons = amazons.parse().unwrap();
        VariantPosition::start(rules, board.parse().unwrap(), Some(amazons)).unwrap()
    }

    /// The value by plain negamax.
    fn negamax(search: &Search<'_, u64>, state: &State, depth: u32) -> Score {
        let moves = search.rules.moves(state).into_iter();
        let score = |played| {
            let after = search.rules.play_unchecked(state, played);
            let below = match depth {
                1 => search.evaluate(&after),
                _ => negamax(search, &after, depth - 1),
            };
            if after.goes_on() { below } else { -below }
        };
        moves.map(score).max().unwrap_or(Score::LOSS)
    }

    proptest! {
        #[test]
        fn alpha_beta_finds_what_negamax_finds(bits: [u64; 5], turn: bool, ahead in 1..4u32) {
            let board: Board = "3x3".parse().unwrap();
            let set = |word: u64| Bitboard::from_word(U512::from_low(word)) & board.all();
            let white = set(bits[0] & bits[1]);
            let black = set(bits[1] & bits[2]).without(white);
            let arrows = set(bits[3] & bits[4]).without(white | black);
            let turn = if turn { Colour::White } else { Colour::Black };
            let Ok(position) = (Setup { board, white, black, arrows, turn }).check() else { return Ok(()) };
            for (name, rules) in RuleSet::NAMED {
                let position = VariantPosition::new(rules, position);
                let found = engine(&position).choose(&position, &depth(ahead)).unwrap();
                let (game, stop) = (VariantRules::new(board, rules).unwrap(), StopFlag::new());
                let control = Control::new(Instant::now(), Limits::default(), &stop);
                let search = Search { rules: &game, control: &control };
                let state: State = position.state().unwrap();
                let all = game.moves(&state);
                prop_assert_eq!(found.played.is_some(), !all.is_empty());
                if all.len() > 1 && found.depth == ahead {
                    prop_assert_eq!(found.score, negamax(&search, &state, ahead), "{} {}", name, variant_fen(&position));
                }
                if let Some(played) = found.played {
                    prop_assert!(all.contains(&played));
                }
            }
        }
    }

    #[test]
    fn it_wins_what_the_naive_solver_says_is_won() {
        for (name, rules) in RuleSet::NAMED {
            for (board, amazons) in [("3x3", "1v1"), ("4x3", "1v1"), ("2x4", "2v2")] {
                let mut position = start(rules, board, amazons);
                let game = VariantRules::new(position.board(), rules).unwrap();
                let mut naive = NaiveVariantSolver::new(game);
                let first = position.state().unwrap();
                let winner = naive.outcome(&first).winner(position.turn());
                let mut engine = engine(&position);
                let limits = Limits { nodes: Some(1 << 20), ..Limits::default() };
                // The winner plays by the engine, the loser its last legal move.
                loop {
                    let state: State = position.state().unwrap();
                    let all = VariantRules::new(position.board(), rules).unwrap().moves(&state);
                    let Some(&last) = all.last() else { break };
                    let played = match position.turn() == winner {
                        true => engine.choose(&position, &limits).unwrap().played.unwrap(),
                        false => last,
                    };
                    position = position.play(played).unwrap();
                }
                assert_eq!(position.turn(), winner.other(), "{name} on {board}");
            }
        }
    }

    #[test]
    fn large_boards_and_small_limits_get_a_legal_move() {
        for (_, rules) in RuleSet::NAMED {
            let position = VariantPosition::start(rules, "10x10".parse().unwrap(), None).unwrap();
            let limits = Limits { nodes: Some(10), ..Limits::default() };
            let mut engine = engine(&position);
            let decision = engine.choose(&position, &limits).unwrap();
            assert!(position.play(decision.played.unwrap()).is_ok());
            assert_eq!(engine.choose(&position, &limits).unwrap(), decision);
            let other = start(rules, "4x4", "1v1");
            assert!(engine.choose(&other, &limits).is_err());
        }
    }
}
