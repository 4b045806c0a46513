//! Whose turn it is: the position, or which of its moves.
//!
//! The next to be searched is the one for which the least has been done: of the positions evaluated
//! below each in one turn there is the logarithm, its *effort*. A turn has four times as many as
//! that. So all are searched in rounds, each of which does four times as much as the one before,
//! and one hard move does not take the time of all others. The efforts are those of the table. So a
//! search that goes on from a checkpoint or a digest goes on where the round was. It begins a turn
//! again that had not had as much as the one before it. Until its value is known, the position has
//! an eighth of what its open moves have. Of moves that lead to the same position, such as mirror
//! images, only the first has turns.

use serde::{Deserialize, Serialize};

use super::standing::{Standing, Wanted};

/// The logarithm of the number of positions in the first turn of a move.
const FIRST: u8 = 13;
/// How much more the next turn has than the one before, as a logarithm.
const GROWTH: u8 = 2;
/// The position has as much as so many of its open moves, divided by two to this power.
const SHARE: u8 = 3;

/// The position, or one of its moves by its place among all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) enum Item {
    Position,
    Move(usize),
}

/// What has been done for a position and its moves.
#[derive(Clone, Debug)]
pub(in crate::search) struct Turns {
    of_position: u8,
    /// Of each move.
    of_moves: Vec<u8>,
    /// For each move the first one that leads to the same position.
    first_alike: Vec<usize>,
}

impl Turns {
    /// Nothing has been done, for moves of each of which the first one is told that leads to the
    /// same position.
    pub(in crate::search) fn new(first_alike: Vec<usize>) -> Self {
        Self { of_position: 0, of_moves: vec![0; first_alike.len()], first_alike }
    }

    /// The position and all moves.
    pub(in crate::search) fn items(&self) -> impl Iterator<Item = Item> + use<> {
        std::iter::once(Item::Position).chain((0..self.of_moves.len()).map(Item::Move))
    }

    /// So much has been done for an item at least.
    pub(in crate::search) fn note(&mut self, item: Item, effort: u8) {
        let of = match item {
            Item::Position => &mut self.of_position,
            Item::Move(index) => &mut self.of_moves[index],
        };
        *of = effort.max(*of);
    }

    /// Whether an item is to be searched: its value is not known, and no move before it that leads
    /// to the same position is to be searched.
    pub(in crate::search) fn is_due<M: Copy>(&self, standing: &Standing<M>, item: Item) -> bool {
        let is_open = |index: usize| standing.moves()[index].1.is_none();
        match item {
            Item::Position => standing.outcome().is_none(),
            Item::Move(index) => {
                let first = self.first_alike[index];
                is_open(index) && (first == index || !is_open(first))
            }
        }
    }

    /// The item whose turn it is, and the effort of its turn; `None` if all is known that was asked
    /// for.
    pub(in crate::search) fn next<M: Copy>(&self, standing: &Standing<M>) -> Option<(Item, u8)> {
        self.next_by(standing, |_| Some(()))
    }

    /// As [`Self::next`], among the items that have a priority; those of the least come first.
    pub(in crate::search) fn next_by<M: Copy, T: Ord>(
        &self,
        standing: &Standing<M>,
        priority: impl Fn(Item) -> Option<T>,
    ) -> Option<(Item, u8)> {
        if standing.is_complete() {
            return None;
        }
        let is_due = |&item: &Item| self.is_due(standing, item);
        let moves = self.items().skip(1).filter(is_due).count();
        // One winning move is what the search of the position looks for.
        let share = match standing.wanted {
            Wanted::One => None,
            Wanted::All => Some((moves >> SHARE).max(1).ilog2() as u8),
        };
        let rank = |item: Item| match item {
            Item::Position => share.map_or(0, |share| self.of_position.saturating_sub(share)),
            Item::Move(index) => self.of_moves[index],
        };
        let due = self.items().filter(is_due);
        let next = due.filter_map(|item| Some((priority(item)?, rank(item), item)));
        // Of equal ones the first: the position, then the moves in their order.
        let (.., item) = next.min_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)))?;
        let turn = |done: u8, first: u8| (done + GROWTH).clamp(first, u64::BITS as u8 - 1);
        let effort = match (item, share) {
            (Item::Position, None) => u64::BITS as u8 - 1,
            (Item::Position, Some(share)) => turn(self.of_position, FIRST + share),
            (Item::Move(index), _) => turn(self.of_moves[index], FIRST),
        };
        Some((item, effort))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;

    fn standing(moves: usize, wanted: Wanted) -> Standing<usize> {
        Standing::new(wanted, 0..moves)
    }

    /// The next turns, where no search finds anything.
    fn played(turns: &mut Turns, standing: &Standing<usize>, count: usize) -> Vec<(Item, u8)> {
        let mut next = || {
            let (item, effort) = turns.next(standing).unwrap();
            turns.note(item, effort);
            (item, effort)
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn all_have_turns_in_rounds_and_the_position_an_eighth() {
        let (moves, standing) = (40, standing(40, Wanted::All));
        let mut turns = Turns::new((0..moves).collect());
        for round in 0..20 {
            let found = played(&mut turns, &standing, 1 + moves);
            let effort = FIRST + GROWTH * round;
            // 40 / 8 is 5, and 2 its logarithm.
            assert_eq!(found[0], (Item::Position, effort + 2), "{round}");
            let of_moves: Vec<_> = (0..moves).map(|at| (Item::Move(at), effort)).collect();
            assert_eq!(found[1..], of_moves, "{round}");
        }
        // Efforts end where 64 bits do.
        let found = played(&mut turns, &standing, 500);
        assert!(found.iter().all(|&(_, effort)| effort < 64));
    }

    #[test]
    fn who_has_had_the_least_is_next_whatever_was_searched_before() {
        let standing = standing(4, Wanted::All);
        let mut turns = Turns::new((0..4).collect());
        for (item, effort) in turns.items().zip([30, 21, 9, 20, 25]) {
            turns.note(item, effort);
            turns.note(item, 3);
        }
        let found = played(&mut turns, &standing, 8);
        let [a, b, c, d] = [0, 1, 2, 3].map(Item::Move);
        assert_eq!(found[..4], [(b, FIRST), (b, 15), (b, 17), (b, 19)]);
        assert_eq!(found[4..], [(b, 21), (c, 22), (a, 23), (b, 23)]);
        assert_eq!(played(&mut turns, &standing, 2), [(c, 24), (a, 25)]);
        let late = played(&mut turns, &standing, 20);
        assert!(late.contains(&(Item::Position, 32)) && late.contains(&(d, 27)), "{late:?}");
    }

    #[test]
    fn what_is_known_has_no_turn_and_what_is_alike_has_one() {
        let mut standing = standing(4, Wanted::All);
        let mut turns = Turns::new(vec![0, 0, 2, 2]);
        turns.note(Item::Position, 63);
        let [a, b, c, d] = [0, 1, 2, 3].map(Item::Move);
        assert_eq!(played(&mut turns, &standing, 2), [(a, FIRST), (c, FIRST)]);
        // The second of two has turns if the first is known and it is not.
        standing.moves[2].1 = Some(Outcome::Loss);
        assert_eq!(played(&mut turns, &standing, 2), [(d, FIRST), (a, 15)]);
        for (at, outcome) in [(0, Outcome::Loss), (3, Outcome::Win)] {
            standing.moves[at].1 = Some(outcome);
        }
        standing.conclude();
        assert_eq!(played(&mut turns, &standing, 1), [(b, FIRST)]);
        standing.moves[1].1 = Some(Outcome::Loss);
        assert_eq!(turns.next(&standing), None);
    }

    #[test]
    fn where_one_move_is_enough_the_position_is_searched_to_its_end() {
        let mut standing = standing(3, Wanted::One);
        let mut turns = Turns::new((0..3).collect());
        assert_eq!(turns.next(&standing), Some((Item::Position, 63)));
        turns.note(Item::Position, 63);
        standing.outcome = Some(Outcome::Win);
        let found = played(&mut turns, &standing, 4);
        assert_eq!(found[..3], [0, 1, 2].map(|at| (Item::Move(at), FIRST)));
        assert_eq!(found[3], (Item::Move(0), FIRST + GROWTH));
    }

    #[test]
    fn priority_goes_before_what_was_done() {
        let standing = standing(3, Wanted::All);
        let mut turns = Turns::new((0..3).collect());
        turns.note(Item::Move(2), 40);
        let priority = |item| match item {
            Item::Position => None,
            Item::Move(index) => Some(index != 2),
        };
        assert_eq!(turns.next_by(&standing, priority), Some((Item::Move(2), 42)));
        assert_eq!(turns.next_by(&standing, |_| None::<()>), None);
    }
}
