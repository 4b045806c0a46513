//! The moves of a position: which of them win, as far as there is time.
//!
//! The position and each of its moves are searched in turn ([`turns`](turns)). Nothing is
//! lost between turns: what a search found stays in the table, for the next turn and for other
//! moves.

pub(super) mod by_ranks;
pub(super) mod standing;
pub(super) mod turns;

use std::collections::HashMap;

use super::foreign_position::ForeignPosition;
use super::solver::{Solver, SolverError};
use super::sum::reduction::Reduced;
use crate::game::board::{Board, Word};
use crate::game::rules::{Bitboards, IndexedMove, Position};
use crate::game::{Move, Outcome};
use crate::machine::clock::Instant;
use standing::{Item, Standing, Wanted};
use turns::Turns;

/// What is known of a position and its moves.
#[derive(Clone, Debug)]
pub struct Survey<W: Word = u64> {
    board: Board,
    position: Bitboards<W>,
    standing: Standing<IndexedMove>,
    turns: Turns,
}

impl<W: Word> Survey<W> {
    /// Nothing is known yet of a position of the solver's board.
    ///
    /// # Errors
    /// If the position is not one of the solver's.
    pub fn new(
        solver: &Solver<'_, W>,
        position: &Position,
        wanted: Wanted,
    ) -> Result<Self, ForeignPosition> {
        let (board, position) = (position.board(), solver.bitboards(position)?);
        let rules = solver.board_data().rules();
        let moves = rules.moves(&position);
        let mut first = HashMap::new();
        let alike_and_cost = |(index, &played): (usize, &IndexedMove)| {
            let reduced = solver.reduce(&rules.play_unchecked(&position, played));
            let first_alike = match &reduced {
                Reduced::Decided(_) => index,
                Reduced::Open { sum, key, .. } => {
                    *first.entry((key.value(), sum.spare)).or_insert(index)
                }
            };
            // The move wins if the position after it is lost for the other side.
            (first_alike, solver.initial_numbers(&reduced).disproof)
        };
        let (first_alike, costs): (Vec<_>, Vec<_>) =
            moves.iter().enumerate().map(alike_and_cost).unzip();
        let turns = Turns::by_rank(first_alike, &costs);
        Ok(Self { board, position, standing: Standing::new(wanted, moves), turns })
    }

    /// What is known.
    pub fn standing(&self) -> &Standing<IndexedMove> {
        &self.standing
    }

    /// Searches until all is known that was asked for, or the search is over ([`Solver::is_over`]).
    /// `between` is called as by [`Solver::solve_in_runs`], `news` whenever more is known.
    ///
    /// # Errors
    /// If the solver is one of another board, or a larger table is needed and the system does not
    /// give the memory.
    pub fn run(
        &mut self,
        solver: &mut Solver<'_, W>,
        mut between: impl FnMut(&Solver<'_, W>) -> Option<Instant>,
        mut news: impl FnMut(&Self),
    ) -> Result<(), SolverError> {
        solver.check(self.board, &self.position)?;
        self.recall(solver);
        news(self);
        while !solver.is_over()
            && let Some((item, effort)) = self.turns.next(&self.standing)
        {
            // Who wants one value is told how the position stands, not its moves.
            if self.standing.wanted == Wanted::One && item != Item::Position {
                solver.monitor().hold_root();
            }
            let found = solver.attempt(&self.position_of(solver, item), 1 << effort, &mut between);
            solver.monitor().release_root();
            let found = found?;
            self.turns.note(item, effort);
            self.record(solver, item, found);
            // The search of the position may have settled moves.
            if found.is_some() || item == Item::Position {
                news(self);
            }
        }
        Ok(())
    }

    /// Takes over what the table tells of searches before.
    fn recall(&mut self, solver: &Solver<'_, W>) {
        self.settle(solver);
        for (item, effort) in self.turns.items().zip(self.efforts(solver)) {
            self.turns.note(item, effort);
        }
    }

    /// What a turn of an item searches.
    pub(super) fn position_of(&self, solver: &Solver<'_, W>, item: Item) -> Bitboards<W> {
        match item {
            Item::Position => self.position,
            Item::Move(index) => {
                let (played, _) = self.standing.moves()[index];
                solver.board_data().rules().play_unchecked(&self.position, played)
            }
        }
    }

    /// Takes over what a turn of an item has found, and what else the solver knows by now.
    pub(super) fn record(&mut self, solver: &Solver<'_, W>, item: Item, found: Option<Outcome>) {
        // After a move the other side is to move.
        let reversed = item != Item::Position;
        self.standing
            .record(item, found.map(|found| if reversed { found.reversed() } else { found }));
        if found.is_some() || item == Item::Position {
            self.settle(solver);
        }
    }

    /// What the solver's table has been searched for, by item: the logarithm of the positions
    /// evaluated below it in one turn.
    pub(super) fn efforts(&self, solver: &Solver<'_, W>) -> Vec<u8> {
        let effort = |item| solver.effort(&self.position_of(solver, item));
        self.turns.items().map(effort).collect()
    }

    /// Takes over what the solver knows, and what follows from it.
    pub(super) fn settle(&mut self, solver: &Solver<'_, W>) {
        let Standing { outcome, moves, .. } = &mut self.standing;
        *outcome = outcome.or_else(|| solver.proved(&self.position));
        for (played, known) in moves {
            let after = solver.board_data().rules().play_unchecked(&self.position, *played);
            *known = known.or_else(|| solver.proved(&after).map(Outcome::reversed));
        }
        self.standing.conclude();
        solver.monitor().set_moves(self.standing.counts());
    }

    /// Whose turn it is.
    pub(super) fn turns(&self) -> &Turns {
        &self.turns
    }

    /// As [`Self::turns`], to note what was done.
    pub(super) fn turns_mut(&mut self) -> &mut Turns {
        &mut self.turns
    }

    /// Takes over what is known of the position, first, and of moves.
    pub(super) fn learn(&mut self, known: &[Option<Outcome>]) {
        self.standing.learn(known);
    }
}

impl<W: Word> Solver<'_, W> {
    /// A move that wins; `None` if none does, or the search was stopped before one was found.
    /// [`Solver::solve`] tells which.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn best_move(&mut self, position: &Position) -> Result<Option<Move>, SolverError> {
        let position = self.bitboards(position)?;
        if self.search(&position, |_| None)? != Some(Outcome::Win) {
            return Ok(None);
        }
        let winning = self.winning_move(&position, |_| None)?;
        let named =
            |played| Move::of(self.board_data().board(), played).expect("a move of the board");
        Ok(winning.map(named))
    }

    /// A move that wins, of a position that is won; `None` if the search is over before one is
    /// found. A move that is known to win is taken, else the moves are searched in turn. `between`
    /// is called as by [`Solver::solve_in_runs`].
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(crate) fn winning_move(
        &mut self,
        position: &Bitboards<W>,
        between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<IndexedMove>, SolverError> {
        self.winning_move_with(position, 0, between)
    }

    /// A move that is known to win if the side to move has so many spare moves.
    pub(crate) fn proved_move_with(
        &self,
        position: &Bitboards<W>,
        spare: i16,
    ) -> Option<IndexedMove> {
        let rules = self.board_data().rules();
        let wins = |played: &IndexedMove| {
            let after = rules.play_unchecked(position, *played);
            self.proved_with(&after, spare_of_others(spare)) == Some(Outcome::Loss)
        };
        rules.moves(position).into_iter().find(wins)
    }

    /// As [`Self::winning_move`], with so many spare moves of the side to move; `None` also where
    /// no move wins.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub(crate) fn winning_move_with(
        &mut self,
        position: &Bitboards<W>,
        spare: i16,
        mut between: impl FnMut(&Self) -> Option<Instant>,
    ) -> Result<Option<IndexedMove>, SolverError> {
        if let Some(known) = self.proved_move_with(position, spare) {
            return Ok(Some(known));
        }
        let (rules, others) = (self.board_data().rules().clone(), spare_of_others(spare));
        for played in rules.moves(position) {
            let after = rules.play_unchecked(position, played);
            let outcome = match self.proved_with(&after, others) {
                None => self.attempt_with(&after, others, u64::MAX, &mut between)?,
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

/// The spare moves of the other side, which is to move after a move. Where the least number has no
/// negative, the nearest one says the same.
fn spare_of_others(spare: i16) -> i16 {
    spare.saturating_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::{Board, Symmetry};
    use crate::game::naive::NaiveSolver;
    use crate::game::notation::{move_text, parse_fen};
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
            assert!(survey.standing.is_complete() && told > 0);
            assert_eq!(survey.standing.outcome(), Some(naive.outcome(&position)));
            for &(played, outcome) in survey.standing.moves() {
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
            assert_eq!(first.standing.outcome(), survey.standing.outcome());
            let winning = survey.standing.of_value(Some(Outcome::Win));
            assert!(
                first
                    .standing
                    .of_value(Some(Outcome::Win))
                    .iter()
                    .all(|played| winning.contains(played))
            );
            assert_eq!(first.standing.of_value(Some(Outcome::Win)).is_empty(), winning.is_empty());
            let found = solver(board).winning_move(&position, |_| None).unwrap();
            assert_eq!(found.is_some(), !winning.is_empty());
            assert!(found.is_none_or(|found| winning.contains(&found)));
        }
        assert!(values[0] > 100 && values[1] > 100, "{values:?}");
    }

    #[test]
    fn of_moves_that_lead_to_the_same_position_the_first_has_turns() {
        for text in ["4x4", "4x5", "5x4"] {
            let board: Board = text.parse().unwrap();
            let (position, solver) = (start(board).unwrap(), solver(board));
            let survey = Survey::new(&solver, &position, Wanted::All).unwrap();
            let after = |at: usize| survey.position_of(&solver, Item::Move(at));
            let symmetries = Symmetry::all(board);
            let first = |at: usize| {
                let images: Vec<_> = symmetries.iter().map(|s| after(at).mapped(s)).collect();
                (0..=at).find(|&before| images.contains(&after(before)))
            };
            // What bounds decide has none anyway.
            let open = (0..survey.standing.moves().len())
                .filter(|&at| solver.proved(&after(at)).is_none());
            for at in open {
                let has_turns = survey.turns.is_due(&survey.standing, Item::Move(at));
                assert_eq!(has_turns, first(at) == Some(at), "{text} {at}");
            }
        }
    }

    #[test]
    fn a_search_that_goes_on_knows_what_was_searched() {
        let board: Board = "6x5".parse().unwrap();
        let (position, stop) = (start(board).unwrap(), StopFlag::new());
        let mut first = solver(board).with_stop(stop.clone());
        let mut survey = Survey::new(&first, &position, Wanted::All).unwrap();
        // The position and some moves have their turns.
        let mut turns = 0;
        let between = |_: &Solver<'_>| {
            turns += 1;
            if turns > 8 {
                stop.stop();
            }
            None
        };
        survey.run(&mut first, between, |_| ()).unwrap();
        assert!(!survey.standing.is_complete() && survey.standing.outcome().is_none());
        // The same with the table that a checkpoint brings.
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("checkpoint");
        first.save(&path, &position).unwrap();
        let mut second = solver(board);
        second.load(&path, &position).unwrap();
        for solver in [first.with_stop(StopFlag::new()), second] {
            let mut again = Survey::new(&solver, &position, Wanted::All).unwrap();
            again.recall(&solver);
            let had = survey.turns.items().map(|item| survey.turns.effort(item));
            let has = again.turns.items().map(|item| again.turns.effort(item));
            // The table rounds down, and the last turn was stopped before it had begun.
            let longer = |&(had, _): &(u8, u8)| had > 13;
            let both: Vec<(u8, u8)> = had.zip(has).filter(longer).collect();
            assert!(both.len() >= 2 && both.iter().all(|&(had, has)| has + 2 >= had), "{both:?}");
            let fresh = Survey::new(&solver, &position, Wanted::All).unwrap();
            let first = fresh.turns.next(&fresh.standing);
            assert_ne!(again.turns.next(&again.standing), first);
        }
    }

    /// The survey of the start of a board, and the first choice among its moves.
    fn first_choice(solver: &Solver<'_>) -> (Survey, usize) {
        let position = start(solver.board_data().board()).unwrap();
        let mut survey = Survey::new(solver, &position, Wanted::One).unwrap();
        // The position has had so much that the first choice is next.
        survey.turns.note(Item::Position, 40);
        let Some((Item::Move(first), _)) = survey.turns.next(&survey.standing) else {
            panic!("the position has had its turn")
        };
        (survey, first)
    }

    #[test]
    fn the_first_choice_wins_the_boards_that_are_won() {
        for text in ["5x4", "4x6", "5x5", "4x7"] {
            let mut solver = solver(text.parse().unwrap());
            let (survey, first) = first_choice(&solver);
            let after = survey.position_of(&solver, Item::Move(first));
            assert_eq!(solver.search(&after, |_| None).unwrap(), Some(Outcome::Loss), "{text}");
        }
        // Solving these again takes too long. Certificates say that these moves win them.
        for (text, winner) in [
            ("4x8", "b1-b6/c6"),
            ("5x6", "b1-b4/d4"),
            ("6x5", "b1-b3/c4"),
            ("5x7", "b1-b5/d5"),
            ("4x9", "b1-b7/c7"),
        ] {
            let solver = solver(text.parse().unwrap());
            let (survey, first) = first_choice(&solver);
            let board = solver.board_data().board();
            assert_eq!(move_text(board, survey.standing.moves()[first].0), winner, "{text}");
        }
    }

    #[test]
    fn a_turn_of_a_move_leaves_what_is_told_of_the_position() {
        let board: Board = "5x5".parse().unwrap();
        let position = start(board).unwrap();
        let mut solver = solver(board);
        let mut survey = Survey::new(&solver, &position, Wanted::One).unwrap();
        // The numbers of the position are those of a short search.
        solver.attempt(&survey.position, 1000, |_| None).unwrap();
        let shown = solver.monitor().snapshot();
        assert!(shown.numbers.is_some() && shown.total > 0);
        // Then its first choice has turns, until it is known to win.
        survey.turns.note(Item::Position, 63);
        survey.run(&mut solver, |_| None, |_| ()).unwrap();
        assert_eq!(survey.standing.outcome(), Some(Outcome::Win));
        let after = solver.monitor().snapshot();
        assert_eq!((after.numbers, after.total), (shown.numbers, shown.total));
        assert!(after.nodes > shown.nodes);
    }

    #[test]
    fn what_is_known_when_the_time_is_up_is_right_and_not_lost() {
        let board: Board = "4x4".parse().unwrap();
        let position = start(board).unwrap();
        let mut solver = solver(board).with_deadline(Some(Instant::now()));
        let mut survey = Survey::new(&solver, &position, Wanted::All).unwrap();
        survey.run(&mut solver, |_| None, |_| ()).unwrap();
        assert!(!survey.standing.is_complete() && survey.standing.outcome().is_none());
        // A few lose by their bounds alone.
        assert!((1..88).contains(&survey.standing.of_value(Some(Outcome::Loss)).len()));
        let mut solver = solver.with_deadline(None);
        survey.run(&mut solver, |_| None, |_| ()).unwrap();
        assert_eq!(
            (survey.standing.outcome(), survey.standing.of_value(Some(Outcome::Loss)).len()),
            (Some(Outcome::Loss), 88)
        );
        let mut again = Survey::new(&solver, &position, Wanted::All).unwrap();
        let nodes = solver.nodes();
        again.run(&mut solver, |_| None, |_| ()).unwrap();
        assert_eq!((again.standing.moves(), solver.nodes()), (survey.standing.moves(), nodes));
    }
}
