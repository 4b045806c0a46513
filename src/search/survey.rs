//! The moves of a position: which of them win, as far as there is time.
//!
//! The position and each of its moves are searched in turn, in rounds. Each round gives more time
//! than the one before, so one hard move does not take the time of all others. Until its value is
//! known, the position has an eighth of the time of its moves. Nothing is lost between rounds: what
//! a search found stays in the table, for the next round and for other moves. Of moves that lead to
//! the same position, such as mirror images, only the first is searched. A search that goes on from
//! a checkpoint goes on with the round that it was in.

use std::collections::HashMap;
use std::time::Duration;

use super::history::MoveCounts;
use super::reduction::Reduced;
use super::solver::{Solver, SolverError};
use super::standing::Standing;
use crate::game::Outcome;
use crate::game::board::{Board, OtherBoard};
use crate::game::rules::{Bitboards, IndexedMove, Position};
use crate::machine::clock::Instant;

/// The time for each move in the first round.
pub(super) const FIRST_ROUND: Duration = Duration::from_millis(5);
/// How much longer each round gives than the one before.
pub(super) const GROWTH: u32 = 4;

/// Until its value is known, the position has the time of its open moves, divided by this.
pub(super) const SHARE: usize = 8;

/// The time for each move in the first round that is not over after so long, if so many moves, one
/// at least, were searched in each round.
fn round_after(searched: Duration, moves: usize) -> Duration {
    let [mut slice, mut over] = [FIRST_ROUND, Duration::ZERO];
    loop {
        over = over.saturating_add(slice.saturating_mul(moves.max(1) as u32));
        if over > searched || over == Duration::MAX {
            return slice;
        }
        slice = slice.saturating_mul(GROWTH);
    }
}

/// Which moves are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One that wins, if there is any.
    One,
    /// Every one, whether it wins or not.
    All,
}

/// What is known of a position and its moves.
#[derive(Clone, Debug)]
pub struct Survey {
    board: Board,
    position: Bitboards,
    standing: Standing<IndexedMove>,
    /// For each move the first one that leads to the same position.
    first_alike: Vec<usize>,
}

impl Survey {
    /// Nothing is known yet of a position of the solver's board.
    ///
    /// # Errors
    /// If the position is of another board.
    pub fn new(
        solver: &Solver<'_>,
        position: &Position,
        wanted: Wanted,
    ) -> Result<Self, OtherBoard> {
        let (board, position) = (position.board(), solver.bitboards(position)?);
        let rules = solver.board_data().rules();
        let moves = rules.moves(&position);
        let mut first = HashMap::new();
        let first_alike = moves.iter().enumerate().map(|(index, &played)| {
            match solver.reduce(&rules.play_unchecked(&position, played)) {
                Reduced::Decided(_) => index,
                Reduced::Open { sum, key, .. } => {
                    *first.entry((key.value(), sum.spare)).or_insert(index)
                }
            }
        });
        let first_alike = first_alike.collect();
        Ok(Self { board, position, standing: Standing::new(wanted, moves), first_alike })
    }

    /// What is known.
    pub fn standing(&self) -> &Standing<IndexedMove> {
        &self.standing
    }

    /// What the side to move reaches, if that is known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.standing.outcome()
    }

    /// As [`Standing::moves`], in the order of [`Rules::moves`](crate::game::rules::Rules::moves).
    pub fn moves(&self) -> &[(IndexedMove, Option<Outcome>)] {
        self.standing.moves()
    }

    /// As [`Standing::of_value`].
    pub fn of_value(&self, value: Option<Outcome>) -> Vec<IndexedMove> {
        self.standing.of_value(value)
    }

    /// Whether all is known that was asked for.
    pub fn is_complete(&self) -> bool {
        self.standing.is_complete()
    }

    /// Searches until all is known that was asked for, or the search is over ([`Solver::is_over`]).
    /// `between` is called as by [`Solver::solve_in_runs`], `news` whenever more is known.
    ///
    /// # Errors
    /// If the solver is one of another board, or a larger table is needed and the system does not
    /// give the memory.
    pub fn run(
        &mut self,
        solver: &mut Solver<'_>,
        mut between: impl FnMut(&Solver<'_>) -> Option<Instant>,
        mut news: impl FnMut(&Self),
    ) -> Result<(), SolverError> {
        OtherBoard::check(solver.board_data().board(), self.board)?;
        self.settle(solver);
        news(self);
        let mut slice = self.slice_after(solver.searched_before());
        while !self.is_complete() && !solver.is_over() {
            self.round(solver, slice, &mut between, &mut news)?;
            slice = slice.saturating_mul(GROWTH);
        }
        Ok(())
    }

    /// One look at the position and at each move whose value is not known.
    fn round(
        &mut self,
        solver: &mut Solver<'_>,
        slice: Duration,
        between: &mut impl FnMut(&Solver<'_>) -> Option<Instant>,
        news: &mut impl FnMut(&Self),
    ) -> Result<(), SolverError> {
        if self.outcome().is_none() {
            let time = self.time_of_position(slice);
            self.standing.outcome = solver.attempt(&self.position, time, &mut *between)?;
            self.settle(solver);
            news(self);
        }
        for index in 0..self.moves().len() {
            if !self.is_due(index) {
                continue;
            }
            if self.is_complete() || solver.is_over() {
                break;
            }
            let (played, _) = self.moves()[index];
            let after = solver.board_data().rules().play_unchecked(&self.position, played);
            if let Some(outcome) = solver.attempt(&after, Some(slice), &mut *between)? {
                self.standing.moves[index].1 = Some(!outcome);
                self.settle(solver);
                news(self);
            }
        }
        Ok(())
    }

    /// Takes over what the solver knows, and what follows from it.
    pub(super) fn settle(&mut self, solver: &Solver<'_>) {
        let Standing { outcome, moves, .. } = &mut self.standing;
        *outcome = outcome.or_else(|| solver.proved(&self.position));
        for (played, known) in moves {
            let after = solver.board_data().rules().play_unchecked(&self.position, *played);
            *known = known.or_else(|| solver.proved(&after).map(Outcome::reversed));
        }
        self.standing.conclude();
        solver.monitor().set_moves(self.counts());
    }

    /// The time for each move in the first round of a search that goes on after so long.
    pub(super) fn slice_after(&self, searched: Option<Duration>) -> Duration {
        // With the moves of every round and those that are alike, which take no time of their own:
        // rather a round twice than one passed over.
        round_after(searched.unwrap_or_default(), self.moves().len())
    }

    /// Whether a move is to be searched: its value is not known, and no move before it that leads
    /// to the same position has its turn.
    pub(super) fn is_due(&self, index: usize) -> bool {
        let is_open = |index: usize| self.moves()[index].1.is_none();
        let first = self.first_alike[index];
        is_open(index) && (first == index || !is_open(first))
    }

    /// As [`Standing::time_of_position`].
    pub(super) fn time_of_position(&self, slice: Duration) -> Option<Duration> {
        let due = (0..self.moves().len()).filter(|&index| self.is_due(index)).count();
        self.standing.time_of_position(slice, due)
    }

    /// As [`Standing::counts`].
    pub fn counts(&self) -> MoveCounts {
        self.standing.counts()
    }

    /// The position, without colours.
    pub(super) fn position(&self) -> &Bitboards {
        &self.position
    }

    /// Takes over what is known of the position, first, and of moves.
    pub(super) fn learn(&mut self, known: &[Option<Outcome>]) {
        self.standing.learn(known);
    }
}

impl Solver<'_> {
    /// A move that wins, of a position that is won; `None` if the search is over before one is
    /// found. A move that is known to win is taken, else the moves are searched in turn. `between`
    /// is called as by [`Solver::solve_in_runs`].
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(crate) fn winning_move(
        &mut self,
        position: &Bitboards,
        mut between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<IndexedMove>, SolverError> {
        let rules = self.board_data().rules().clone();
        let after = |&played: &IndexedMove| rules.play_unchecked(position, played);
        let moves = rules.moves(position);
        let wins = |played: &&IndexedMove| self.proved(&after(played)) == Some(Outcome::Loss);
        if let Some(&known) = moves.iter().find(wins) {
            return Ok(Some(known));
        }
        for played in moves {
            let after = after(&played);
            let known = self.proved(&after);
            let outcome = match known {
                None => self.search(&after, &mut between)?,
                known => known,
            };
            match outcome {
                Some(Outcome::Loss) => return Ok(Some(played)),
                Some(Outcome::Win) => {}
                None => break,
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Board, Symmetry};
    use crate::game::naive::NaiveSolver;
    use crate::game::notation::parse_fen;
    use crate::game::rules::{Colour, Rules, start};
    use crate::machine::progress::StopFlag;
    use crate::search::Settings;

    fn solver(board: Board) -> Solver<'static> {
        Solver::new(
            board,
            Settings { table_bytes: 1 << 24, ..Settings::default() },
            StopFlag::new(),
        )
        .unwrap()
    }

    /// Positions after two moves on 3x4, won and lost ones.
    fn positions() -> (Board, Vec<Bitboards>) {
        let first = parse_fen("q1q/3/3/Q1Q w").unwrap();
        let (board, rules) = (first.board(), Rules::<u64>::new(first.board()).unwrap());
        let first: Bitboards = first.bitboards().unwrap();
        let after = |position: &Bitboards| -> Vec<Bitboards> {
            rules
                .moves(position)
                .into_iter()
                .map(|played| rules.play_unchecked(position, played))
                .collect()
        };
        (board, after(&first).iter().flat_map(after).step_by(37).collect())
    }

    #[test]
    fn all_moves_are_told_apart_as_by_the_naive_solver() {
        let (board, positions) = positions();
        let (rules, mut values) = (Rules::<u64>::new(board).unwrap(), [0, 0]);
        let mut naive = NaiveSolver::new(rules.clone());
        for position in positions {
            let (mut all, mut one) = (solver(board), solver(board));
            let coloured = Position::new(board, &position, Colour::White).unwrap();
            let mut survey = Survey::new(&all, &coloured, Wanted::All).unwrap();
            let mut told = 0;
            survey.run(&mut all, |_| None, |_| told += 1).unwrap();
            assert!(survey.is_complete() && told > 0);
            assert_eq!(survey.outcome(), Some(naive.outcome(&position)));
            for &(played, outcome) in survey.moves() {
                let outcome = outcome.unwrap();
                assert_eq!(
                    outcome,
                    !naive.outcome(&rules.play_unchecked(&position, played)),
                    "{played:?}"
                );
                values[usize::from(outcome.is_win())] += 1;
            }
            let mut first = Survey::new(&one, &coloured, Wanted::One).unwrap();
            first.run(&mut one, |_| None, |_| ()).unwrap();
            assert_eq!(first.outcome(), survey.outcome());
            let winning = survey.of_value(Some(Outcome::Win));
            assert!(
                first.of_value(Some(Outcome::Win)).iter().all(|played| winning.contains(played))
            );
            assert_eq!(first.of_value(Some(Outcome::Win)).is_empty(), winning.is_empty());
            let found = solver(board).winning_move(&position, |_| None).unwrap();
            assert_eq!(found.is_some(), !winning.is_empty());
            assert!(found.is_none_or(|found| winning.contains(&found)));
        }
        assert!(values[0] > 100 && values[1] > 100, "{values:?}");
    }

    #[test]
    fn of_moves_that_lead_to_the_same_position_the_first_is_due() {
        for text in ["4x4", "4x5", "5x4"] {
            let board: Board = text.parse().unwrap();
            let (position, solver) = (start(board).unwrap(), solver(board));
            let mut survey = Survey::new(&solver, &position, Wanted::All).unwrap();
            let after = |at: usize| {
                let (played, _) = survey.moves()[at];
                solver.board_data().rules().play_unchecked(&survey.position, played)
            };
            let symmetries = Symmetry::all(board);
            let first = |at: usize| {
                let images: Vec<_> = symmetries.iter().map(|s| after(at).mapped(s)).collect();
                (0..=at).find(|&before| images.contains(&after(before)))
            };
            let moves = survey.moves().len();
            // What bounds decide takes no time anyway.
            for at in (0..moves).filter(|&at| solver.proved(&after(at)).is_none()) {
                assert_eq!(survey.is_due(at), first(at) == Some(at), "{text} {at}");
            }
            // The others are due when the first is known and they are not.
            let last = (0..moves).rfind(|&at| !survey.is_due(at)).unwrap();
            let first = first(last).unwrap();
            survey.standing.moves[first].1 = Some(Outcome::Loss);
            assert!(survey.is_due(last) && !survey.is_due(first));
        }
    }

    #[test]
    fn a_search_that_goes_on_begins_with_the_round_that_it_was_in() {
        let after = |milliseconds| round_after(Duration::from_millis(milliseconds), 100);
        // 0.5 s for the first round, then 2 s, 8 s and 32 s.
        for (searched, slice) in
            [(0, 5), (499, 5), (500, 20), (2_499, 20), (2_500, 80), (10_499, 80), (42_500, 1280)]
        {
            assert_eq!(after(searched), Duration::from_millis(slice), "{searched}");
        }
        assert_eq!(round_after(Duration::ZERO, 0), FIRST_ROUND);
        assert!(round_after(Duration::MAX, 1) > Duration::from_secs(1 << 40));
    }

    #[test]
    fn what_is_known_when_the_time_is_up_is_right_and_not_lost() {
        let board: Board = "4x4".parse().unwrap();
        let position = start(board).unwrap();
        let mut solver = solver(board).with_deadline(Some(Instant::now()));
        let mut survey = Survey::new(&solver, &position, Wanted::All).unwrap();
        survey.run(&mut solver, |_| None, |_| ()).unwrap();
        assert!(!survey.is_complete() && survey.outcome().is_none());
        // A few lose by their bounds alone.
        assert!((1..88).contains(&survey.of_value(Some(Outcome::Loss)).len()));
        let mut solver = solver.with_deadline(None);
        survey.run(&mut solver, |_| None, |_| ()).unwrap();
        assert_eq!(
            (survey.outcome(), survey.of_value(Some(Outcome::Loss)).len()),
            (Some(Outcome::Loss), 88)
        );
        let mut again = Survey::new(&solver, &position, Wanted::All).unwrap();
        let nodes = solver.nodes();
        again.run(&mut solver, |_| None, |_| ()).unwrap();
        assert_eq!((again.moves(), solver.nodes()), (survey.moves(), nodes));
    }
}
