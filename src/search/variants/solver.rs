//! df-pn under any rules.

use std::sync::Arc;

use super::sight::Sight;
use super::table::{VariantNumbers, VariantProofTable};
use crate::game::Outcome;
use crate::game::board::{Board, BoardError};
use crate::game::variants::{
    RuleSet, SingleMove, State, VariantCode, VariantCoder, VariantPosition, VariantRules,
};
use crate::machine::clock::Instant;
use crate::machine::progress::StopFlag;
use crate::search::Monitor;

/// Nodes between two looks at the clock and the stop flag.
const PULSE: u64 = 1 << 6;

/// Why a position is not searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantSolverError {
    /// The board has more than 64 squares.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The position has other rules or another board than the solver.
    #[error("the solver is for {holds}, the position is one of {asked}")]
    Other {
        /// Rules and board of the solver.
        holds: String,
        /// Rules and board of the position.
        asked: String,
    },
}

impl VariantSolverError {
    /// That a solver or a player of one game was asked for another.
    pub(crate) fn other(holds: (RuleSet, Board), asked: (RuleSet, Board)) -> Self {
        let text = |(rules, board): (RuleSet, Board)| format!("{rules} on {board}");
        Self::Other { holds: text(holds), asked: text(asked) }
    }
}

/// A solver for one game of the family on one board of at most 64 squares, on one thread.
#[derive(Debug)]
pub struct VariantSolver {
    sight: Sight,
    coder: VariantCoder,
    table: VariantProofTable,
    monitor: Arc<Monitor>,
    stop: StopFlag,
    deadline: Option<Instant>,
    /// Nodes at which it gives up.
    most_nodes: u64,
    nodes: u64,
    /// Of these, what the monitor has heard of.
    told: u64,
    over: bool,
}

/// A position after a move.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub(super) state: State,
    code: VariantCode,
    /// For the side that moved.
    numbers: VariantNumbers,
}

impl Child {
    /// What the side that moved reaches, if it was known when the child was made.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.numbers.verdict()
    }
}

impl VariantSolver {
    /// The least bytes of a table with which a search is begun for a user.
    pub const LEAST_TABLE_BYTES: u64 = 1 << 20;

    /// A solver whose table takes at most `table_bytes` bytes. It gives up when `stop` is set.
    ///
    /// # Errors
    /// [`VariantSolverError::Board`] if the board has more than 64 squares.
    pub fn new(
        board: Board,
        rules: RuleSet,
        table_bytes: u64,
        stop: StopFlag,
    ) -> Result<Self, VariantSolverError> {
        let sight = Sight::new(board, rules)?;
        let (coder, table) = (VariantCoder::new(board, rules), VariantProofTable::new(table_bytes));
        Ok(Self {
            sight,
            coder,
            table,
            monitor: Arc::default(),
            stop,
            deadline: None,
            most_nodes: u64::MAX,
            nodes: 0,
            told: 0,
            over: false,
        })
    }

    /// It gives up then, too.
    pub fn with_deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// From now on it gives up at this moment, and after so many nodes more.
    pub fn limit(&mut self, deadline: Option<Instant>, nodes: u64) {
        self.deadline = deadline;
        self.most_nodes = self.nodes.saturating_add(nodes);
    }

    /// What it tells of its nodes and its table while it searches.
    pub fn monitor(&self) -> Arc<Monitor> {
        self.monitor.clone()
    }

    /// Positions whose moves were generated so far; one that was visited twice counts twice.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What the side to move reaches; `None` if the solver gave up.
    ///
    /// # Errors
    /// [`VariantSolverError::Other`] if the position is of another game or board.
    pub fn solve(
        &mut self,
        position: &VariantPosition,
    ) -> Result<Option<Outcome>, VariantSolverError> {
        let state = self.state(position)?;
        Ok(self.outcome(&state))
    }

    /// What the side to move reaches by each move of one amazon, in the order of the moves; `None`
    /// for those before which the solver gave up.
    ///
    /// # Errors
    /// As [`VariantSolver::solve`].
    pub fn solve_moves(
        &mut self,
        position: &VariantPosition,
    ) -> Result<Vec<(SingleMove, Option<Outcome>)>, VariantSolverError> {
        let state = self.state(position)?;
        let moves = self.rules().moves(&state);
        Ok(moves.into_iter().map(|played| (played, self.by_move(&state, played))).collect())
    }

    /// The positions after all moves, with what is known of them from what was searched before, or
    /// at first sight.
    ///
    /// # Errors
    /// As [`VariantSolver::solve`].
    pub(super) fn known_children(
        &self,
        position: &VariantPosition,
    ) -> Result<Vec<(SingleMove, Child)>, VariantSolverError> {
        let state = self.state(position)?;
        let after = |played| (played, self.child(self.rules().play_unchecked(&state, played)));
        Ok(self.rules().moves(&state).into_iter().map(after).collect())
    }

    /// What the side that moved to a child reaches, if the child was searched.
    pub(super) fn searched(&self, child: &Child) -> Option<Outcome> {
        let outcome = self.table.get(&child.code)?.verdict()?;
        Some(child.state.outcome_of_move(outcome))
    }

    /// A winning move of one amazon; `None` if there is none, or the solver gave up.
    ///
    /// # Errors
    /// As [`VariantSolver::solve`].
    pub fn best_move(
        &mut self,
        position: &VariantPosition,
    ) -> Result<Option<SingleMove>, VariantSolverError> {
        let state = self.state(position)?;
        if self.outcome(&state) != Some(Outcome::Win) {
            return Ok(None);
        }
        let mut moves = self.rules().moves(&state);
        // First those that are known to win without a search.
        moves
            .sort_by_key(|&played| self.proof_number(&self.rules().play_unchecked(&state, played)));
        let wins = |&played: &SingleMove| self.by_move(&state, played) == Some(Outcome::Win);
        Ok(moves.into_iter().find(wins))
    }

    pub(super) fn rules(&self) -> &VariantRules {
        self.sight.rules()
    }

    pub(super) fn coder(&self) -> &VariantCoder {
        &self.coder
    }

    pub(super) fn board(&self) -> Board {
        self.rules().board()
    }

    /// The proof number of a move that leads to a position, for the side that made it.
    pub(super) fn proof_number(&self, after: &State) -> u32 {
        self.child(*after).numbers.proof
    }

    pub(super) fn state(&self, position: &VariantPosition) -> Result<State, VariantSolverError> {
        let holds = (self.rules().rules(), self.rules().board());
        let asked = (position.rules(), position.board());
        if holds != asked {
            return Err(VariantSolverError::other(holds, asked));
        }
        Ok(position.state().expect("the solver's board has at most 64 squares"))
    }

    fn by_move(&mut self, state: &State, played: SingleMove) -> Option<Outcome> {
        self.by_move_to(&self.rules().play_unchecked(state, played))
    }

    /// What the side that moved there reaches; `None` if the solver gave up.
    pub(super) fn by_move_to(&mut self, after: &State) -> Option<Outcome> {
        Some(after.outcome_of_move(self.outcome(after)?))
    }

    pub(super) fn outcome(&mut self, state: &State) -> Option<Outcome> {
        self.over = self.is_over();
        let code = self.coder.code(state);
        let known = self.table.get(&code).filter(|known| known.is_solved());
        // With these limits it ends when the position is solved or the search is over.
        let limit =
            VariantNumbers { proof: VariantNumbers::INFINITE, disproof: VariantNumbers::INFINITE };
        let numbers = known.unwrap_or_else(|| {
            let (numbers, _) = self.search(state, code, limit);
            self.tell();
            numbers
        });
        numbers.verdict()
    }

    fn tell(&mut self) {
        self.monitor.add_nodes(self.nodes - self.told);
        self.told = self.nodes;
        let (used, most) = self.table.fill();
        self.monitor.set_fill(used, most);
    }

    /// Whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    fn is_over(&self) -> bool {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.nodes >= self.most_nodes || self.stop.is_set() || late()
    }

    /// Searches below a position until one of its numbers reaches its limit, or the search is over;
    /// its numbers then, and the nodes visited.
    fn search(
        &mut self,
        state: &State,
        code: VariantCode,
        limit: VariantNumbers,
    ) -> (VariantNumbers, u32) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PULSE) {
            self.tell();
        }
        let looks = self.nodes.is_multiple_of(PULSE) || self.nodes == self.most_nodes;
        if looks && self.is_over() {
            self.over = true;
        }
        let mut children = self.children(state);
        let mut effort = 1u32;
        loop {
            let numbers = sum(&children);
            // No limit is beyond the numbers of a solved position.
            let reached = numbers.proof >= limit.proof || numbers.disproof >= limit.disproof;
            if reached || self.over {
                self.table.put(code, numbers, effort);
                return (numbers, effort);
            }
            let (best, second) = best_two(&children);
            let child = &children[best];
            let others = numbers.disproof.saturating_sub(child.numbers.disproof);
            let below = VariantNumbers {
                // A quarter more than the second best, so that two lines do not take turns too
                // often.
                proof: limit.proof.min(second.saturating_add(second / 4).saturating_add(1)),
                disproof: limit.disproof.saturating_sub(others),
            };
            let (state, code) = (child.state, child.code);
            let goes_on = state.goes_on();
            let below = if goes_on { below } else { below.exchanged() };
            let (found, cost) = self.search(&state, code, below);
            effort = effort.saturating_add(cost);
            children[best].numbers = if goes_on { found } else { found.exchanged() };
        }
    }

    /// The positions after all moves, each once.
    fn children(&self, state: &State) -> Vec<Child> {
        let moves = self.rules().moves(state).into_iter();
        let mut children: Vec<Child> =
            moves.map(|played| self.child(self.rules().play_unchecked(state, played))).collect();
        children.sort_unstable_by_key(|child| child.code);
        children.dedup_by_key(|child| child.code);
        children
    }

    fn child(&self, state: State) -> Child {
        let code = self.coder.code(&state);
        let numbers = self.table.get(&code).unwrap_or_else(|| self.first_numbers(&state));
        let numbers = if state.goes_on() { numbers } else { numbers.exchanged() };
        Child { state, code, numbers }
    }

    /// The numbers of a position that was not visited: who cannot move has lost, and bounds may
    /// tell who wins; else one move is enough to win, and all of them must fail to lose.
    fn first_numbers(&self, state: &State) -> VariantNumbers {
        match self.sight.outcome(state) {
            Some(Outcome::Win) => VariantNumbers::WIN,
            Some(Outcome::Loss) => VariantNumbers::LOSS,
            None => VariantNumbers {
                proof: 1,
                disproof: (self.rules().count_steps(state) as u32).max(1),
            },
        }
    }
}

/// The numbers of a position by those of its children.
fn sum(children: &[Child]) -> VariantNumbers {
    let proof = children.iter().map(|child| child.numbers.proof).min();
    if proof == Some(0) {
        return VariantNumbers::WIN;
    }
    if children.iter().all(|child| child.numbers.disproof == 0) {
        return VariantNumbers::LOSS;
    }
    // A number of an unsolved position stays below that of a solved one.
    let disproof = children.iter().map(|child| u64::from(child.numbers.disproof)).sum::<u64>();
    let most = VariantNumbers::MOST;
    VariantNumbers {
        proof: proof.unwrap_or(most).min(most),
        disproof: disproof.min(u64::from(most)) as u32,
    }
}

/// The child that is the nearest to a win, and the number of the second nearest.
fn best_two(children: &[Child]) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, VariantNumbers::INFINITE, VariantNumbers::INFINITE);
    for (at, child) in children.iter().enumerate() {
        let win = child.numbers.proof;
        if win < least {
            (best, second, least) = (at, least, win);
        } else {
            second = second.min(win);
        }
    }
    (best, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Bitboard;
    use crate::game::rules::{Amazons, Colour, Position, Setup};
    use crate::game::variants::naive::NaiveVariantSolver;
    use proptest::prelude::*;

    fn all_rules() -> impl Iterator<Item = RuleSet> {
        let named = RuleSet::NAMED.into_iter().map(|(_, rules)| rules);
        let turns = |(_, rules): (_, RuleSet)| RuleSet { turns: "1,2".parse().unwrap(), ..rules };
        named.chain(RuleSet::NAMED.into_iter().map(turns))
    }

    #[test]
    fn starts_are_solved_as_by_the_naive_solver() {
        for rules in all_rules() {
            for (board, amazons) in [("3x3", "1v1"), ("3x3", "2v1"), ("4x3", "1v1"), ("2x4", "2v2")]
            {
                let (board, amazons): (Board, Amazons) =
                    (board.parse().unwrap(), amazons.parse().unwrap());
                let start = VariantPosition::start(rules, board, Some(amazons)).unwrap();
                let game = VariantRules::<u64>::new(board, rules).unwrap();
                // Walls are many, so a naive solver does not see the end of Tromazons.
                if !rules.burns() && board.squares() > 8 {
                    continue;
                }
                let mut naive = NaiveVariantSolver::new(game);
                let mut solver =
                    VariantSolver::new(board, rules, 1 << 20, StopFlag::new()).unwrap();
                let expected = naive.outcome(&start.state().unwrap());
                assert_eq!(solver.solve(&start), Ok(Some(expected)), "{rules} {board}");
                let best = solver.best_move(&start).unwrap();
                assert_eq!(best.is_some(), expected == Outcome::Win, "{rules} {board}");
                for (played, outcome) in solver.solve_moves(&start).unwrap() {
                    let after = start.play(played).unwrap().state().unwrap();
                    let expected = after.outcome_of_move(naive.outcome(&after));
                    assert_eq!(outcome, Some(expected), "{rules} {board} {played:?}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if crate::machine::long::long_tests() { 2000 } else { 60 }))]

        /// Also with a table so small that it forgets most.
        #[test]
        fn positions_are_solved_as_by_the_naive_solver(
            columns in 2..=5usize, rows in 2..=5usize, words: [u64; 4], at in 0..12usize,
        ) {
            let board = Board::new(columns, rows).unwrap();
            let rules = all_rules().nth(at).unwrap();
            let [a, b, c, rare] = words.map(|word| Bitboard::<u64>::from_word(word) & board.all());
            let white: Bitboard = (a & rare).iter().take(3).collect();
            let black: Bitboard = (b & rare).without(white).iter().take(3).collect();
            let free = board.all::<u64>().without(white | black);
            // Walls are many, so there are few squares where they are built.
            let most = if rules.burns() { 6 } else { 3 };
            let empty: Bitboard = free.iter().skip((c.word() % 5) as usize).take(most).collect();
            let setup = Setup {
                board,
                white: white.widen(),
                black: black.widen(),
                arrows: free.without(empty).widen(),
                turn: Colour::White,
            };
            if let Ok(position) = setup.check() {
                let position = VariantPosition::new(rules, position);
                let game = VariantRules::<u64>::new(board, rules).unwrap();
                let expected = NaiveVariantSolver::new(game).outcome(&position.state().unwrap());
                for bytes in [1 << 10, 1 << 20] {
                    let mut solver = VariantSolver::new(board, rules, bytes, StopFlag::new()).unwrap();
                    prop_assert_eq!(solver.solve(&position), Ok(Some(expected)), "{} {}", rules, bytes);
                }
            }
        }
    }

    #[test]
    fn cowboys_on_boards_of_even_height_is_won_by_who_mirrors() {
        for (board, amazons) in [("3x4", "1v1"), ("4x4", "1v1"), ("5x4", "2v2"), ("4x4", "4v4")] {
            let (board, amazons): (Board, Amazons) =
                (board.parse().unwrap(), amazons.parse().unwrap());
            let rules = RuleSet::COWBOYS;
            let start = VariantPosition::start(rules, board, Some(amazons)).unwrap();
            let mut solver = VariantSolver::new(board, rules, 8 << 20, StopFlag::new()).unwrap();
            assert_eq!(solver.solve(&start), Ok(Some(Outcome::Loss)), "{board}");
        }
    }

    #[test]
    fn what_is_asked_of_the_wrong_solver_is_refused() {
        let board: Board = "4x4".parse().unwrap();
        let mut solver =
            VariantSolver::new(board, RuleSet::KILLER, 1 << 16, StopFlag::new()).unwrap();
        let start = Position::start(board).unwrap();
        let error = solver.solve(&VariantPosition::new(RuleSet::PENCIL, start)).unwrap_err();
        let expected = "the solver is for killer on 4x4, the position is one of pencil on 4x4";
        assert_eq!(error.to_string(), expected);
        let large = VariantSolver::new("9x9".parse().unwrap(), RuleSet::KILLER, 1, StopFlag::new());
        assert!(matches!(large, Err(VariantSolverError::Board(_))));
    }

    #[test]
    fn a_stopped_solver_gives_up() {
        let board: Board = "5x5".parse().unwrap();
        let stop = StopFlag::new();
        stop.stop();
        let mut solver = VariantSolver::new(board, RuleSet::KILLER, 1 << 16, stop).unwrap();
        let start = VariantPosition::new(RuleSet::KILLER, Position::start(board).unwrap());
        assert_eq!(solver.solve(&start), Ok(None));
        assert_eq!(solver.best_move(&start), Ok(None));
        assert!(solver.nodes() <= PULSE);
    }
}
