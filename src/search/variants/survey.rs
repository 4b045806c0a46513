//! The moves of a position by any rules: which of them win, as far as there is time.
//!
//! In turn, as [`Survey`](crate::search::Survey) does it for Amazons.

use super::solver::{Child, VariantSolver, VariantSolverError};
use crate::game::Outcome;
use crate::game::variants::{SingleMove, VariantPosition};
use crate::machine::clock::Instant;
use crate::search::survey::standing::Item;
use crate::search::survey::turns::Turns;
use crate::search::{Standing, Wanted};

/// What is known of a position and its moves, each of one amazon.
#[derive(Clone, Debug)]
pub struct VariantSurvey {
    position: VariantPosition,
    /// After each move.
    children: Vec<Child>,
    standing: Standing<SingleMove>,
    turns: Turns,
}

/// When a survey ends, and what is asked meanwhile when the next look is due.
struct Times<'b> {
    end: Instant,
    between: &'b mut dyn FnMut() -> Option<Instant>,
}

impl VariantSurvey {
    /// What is known at first sight of a position of the solver's game.
    ///
    /// # Errors
    /// [`VariantSolverError::Other`] if the position is of another game or board.
    pub fn new(
        solver: &VariantSolver,
        position: &VariantPosition,
        wanted: Wanted,
    ) -> Result<Self, VariantSolverError> {
        let (moves, children): (Vec<_>, Vec<Child>) =
            solver.known_children(position)?.into_iter().unzip();
        let mut standing = Standing::new(wanted, moves);
        let known = children.iter().map(Child::outcome);
        standing.learn(&std::iter::once(None).chain(known).collect::<Vec<_>>());
        let turns = Turns::equal((0..children.len()).collect());
        Ok(Self { position: *position, children, standing, turns })
    }

    /// What is known.
    pub fn standing(&self) -> &Standing<SingleMove> {
        &self.standing
    }

    /// Searches until all is known that was asked for, the moment `end` is there, or the solver is
    /// stopped. Now and then, and at the moment that it named last, `between` is called; `news`
    /// whenever more is known.
    ///
    /// # Errors
    /// As [`VariantSurvey::new`].
    pub fn run(
        &mut self,
        solver: &mut VariantSolver,
        end: Instant,
        between: &mut dyn FnMut() -> Option<Instant>,
        mut news: impl FnMut(&Standing<SingleMove>),
    ) -> Result<(), VariantSolverError> {
        let mut times = Times { end, between };
        // Refuses a solver of another game or board.
        solver.state(&self.position)?;
        self.settle(solver);
        news(&self.standing);
        let state = self.position.state().expect("a solver has taken the position");
        while !times.is_over(solver)
            && let Some((item, effort)) = self.turns.next(&self.standing)
        {
            let positions = 1 << effort;
            let found = match item {
                Item::Position => times.attempt(solver, positions, |solver| solver.outcome(&state)),
                Item::Move(index) => {
                    let after = self.children[index].state;
                    times.attempt(solver, positions, |solver| solver.by_move_to(&after))
                }
            };
            self.turns.note(item, effort);
            self.standing.record(item, found);
            // The search of the position may have settled moves.
            if found.is_some() || item == Item::Position {
                self.settle(solver);
                news(&self.standing);
            }
        }
        Ok(())
    }

    /// Takes over what the solver has found of the moves, and what follows from it.
    fn settle(&mut self, solver: &VariantSolver) {
        let open = |at: usize| self.standing.moves()[at].1.is_none();
        let known = |(at, child)| if open(at) { solver.searched(child) } else { None };
        let known = self.children.iter().enumerate().map(known);
        let known: Vec<_> = std::iter::once(None).chain(known).collect();
        self.standing.learn(&known);
    }
}

impl Times<'_> {
    fn is_over(&self, solver: &VariantSolver) -> bool {
        solver.is_stopped() || Instant::now() >= self.end
    }

    /// Searches so many positions, or to the end, in parts that end when `between` says so.
    fn attempt(
        &mut self,
        solver: &mut VariantSolver,
        positions: u64,
        search: impl Fn(&mut VariantSolver) -> Option<Outcome>,
    ) -> Option<Outcome> {
        let limit = solver.nodes().saturating_add(positions);
        loop {
            let part = (self.between)().map_or(self.end, |next| next.min(self.end));
            solver.limit(Some(part), limit - solver.nodes());
            let found = search(solver);
            if found.is_some() || self.is_over(solver) || solver.nodes() >= limit {
                return found;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::variants::naive::NaiveVariantSolver;
    use crate::game::variants::{RuleSet, VariantRules};
    use crate::machine::progress::StopFlag;

    const LONG: Duration = Duration::from_secs(600);

    fn start(rules: RuleSet, board: &str, amazons: &str) -> VariantPosition {
        let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        VariantPosition::start(rules, board, Some(amazons)).unwrap()
    }

    fn solver(position: &VariantPosition) -> VariantSolver {
        let (board, rules) = (position.board(), position.rules());
        VariantSolver::new(board, rules, 8 << 20, StopFlag::new()).unwrap()
    }

    /// Starts and what single moves lead to, also in the middle of a turn.
    #[test]
    fn all_moves_are_told_apart_as_by_the_naive_solver() {
        let pairs = RuleSet { turns: "1,2".parse().unwrap(), ..RuleSet::PENCIL };
        let sets = RuleSet::NAMED.into_iter().map(|(_, rules)| rules).chain([pairs]);
        for rules in sets {
            let board = if rules.burns() { "3x3" } else { "2x3" };
            let first = start(rules, board, "2v1");
            let game = VariantRules::<u64>::new(first.board(), rules).unwrap();
            let mut naive = NaiveVariantSolver::new(game);
            let mut value = |at: &VariantPosition| naive.outcome(&at.state().unwrap());
            let after = first.moves().into_iter().map(|played| first.play(played).unwrap());
            for position in after.chain([first]) {
                for wanted in [Wanted::All, Wanted::One] {
                    let mut solver = solver(&position);
                    let mut survey = VariantSurvey::new(&solver, &position, wanted).unwrap();
                    let end = Instant::now() + LONG;
                    survey.run(&mut solver, end, &mut || None, |_| ()).unwrap();
                    let known = survey.standing();
                    assert!(known.is_complete());
                    assert_eq!(known.outcome(), Some(value(&position)), "{rules}");
                    for &(played, found) in known.moves() {
                        let after = position.play(played).unwrap();
                        let state = after.state::<u64>().unwrap();
                        let expected = state.outcome_of_move(value(&after));
                        assert!(found.is_none_or(|found| found == expected), "{rules}");
                        assert!(found.is_some() || wanted == Wanted::One);
                    }
                }
            }
        }
    }

    #[test]
    fn it_ends_in_time_and_goes_on_with_what_it_knows() {
        let position = start(RuleSet::PENCIL, "4x4", "4v4");
        let mut solver = solver(&position);
        let mut survey = VariantSurvey::new(&solver, &position, Wanted::All).unwrap();
        survey.run(&mut solver, Instant::now(), &mut || None, |_| ()).unwrap();
        assert!(!survey.standing().is_complete());
        let (mut asked, end) = (0, Instant::now() + LONG);
        let mut between = || {
            asked += 1;
            Some(Instant::now() + Duration::from_millis(1))
        };
        survey.run(&mut solver, end, &mut between, |_| ()).unwrap();
        assert!(survey.standing().is_complete() && asked > 0);
        assert_eq!(solver.monitor().nodes(), solver.nodes());
    }
}
