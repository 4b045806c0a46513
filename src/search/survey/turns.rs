//! Whose turn it is: the position, or which of its moves.
//!
//! Of the positions evaluated below each in one turn there is the logarithm, its *effort*. A turn
//! has twice as many as the turn before. Each has a *handicap*, as a logarithm too. The next to be
//! searched is the one with the least sum of both. So in the long run one has half of what another
//! has whose handicap is less by 1. The efforts are those of the table. So a search that goes on
//! from a checkpoint or a digest goes on where it was. It begins a turn again that had not had as
//! much as the one before it. Of moves that lead to the same position, such as mirror images, only
//! the first has turns.
//!
//! Handicaps come from the *static rank* of a move, its place among the moves that are not known,
//! in the order of what a proof seems to cost before any search. The position has none, the first
//! choice 1, and move number `k` twice the logarithm of `k` more. So the position has half of all,
//! the first choice a quarter, and all others the rest. That is a hedge: the search of the position
//! may leave a move that wins, and the first choice may lose. As soon as the position is known and
//! all moves are asked for, every move has as much as any other.
//!
//! Without an order of the moves they have equal turns, and the position has an eighth of what they
//! have; where one winning move is enough, the position is searched to its end.

use super::standing::{Item, Standing, Wanted};

/// The logarithm of the number of positions in the first turn of a move.
const FIRST: u8 = 13;
/// How much more the next turn has than the one before, as a logarithm.
const GROWTH: u8 = 1;
/// The logarithm of the number of positions in the longest turn.
const LONGEST: u8 = u64::BITS as u8 - 1;
/// The logarithm of the number of positions in the first turn of the position, where one winning
/// move is enough. A search that ends within it is the same as one without turns; many threads lose
/// by turns on a position that all moves lose, since short turns are divided worse among them.
const ALONE: u8 = 26;
/// The handicap of the first choice.
const OF_MOVES: u8 = 1;
/// In equal turns the position has as much as so many of its open moves, divided by two to this
/// power.
const SHARE: u8 = 3;

/// What has been done for a position and its moves.
#[derive(Clone, Debug)]
pub(in crate::search) struct Turns {
    of_position: u8,
    /// Of each move.
    of_moves: Vec<u8>,
    /// For each move the first one that leads to the same position.
    first_alike: Vec<usize>,
    shares: Shares,
}

/// How the effort is divided.
#[derive(Clone, Debug)]
enum Shares {
    Equal,
    /// By the ranks that the moves have in this order.
    ByRank(Vec<usize>),
}

/// A turn that an item may have.
struct Turn {
    item: Item,
    /// Its effort and its handicap; the least is next.
    lag: u8,
    effort: u8,
}

/// What the turn of an item is that has had so much: one of at least `first`.
fn turn(item: Item, had: u8, first: u8, handicap: u8) -> Turn {
    // Who has had nothing stands as if the first turn were one like any other.
    let lag = had.max(FIRST - GROWTH) + handicap;
    Turn { item, lag, effort: (had + GROWTH).clamp(first, LONGEST) }
}

/// By how much the position is ahead of each of its moves in equal turns, as a logarithm, beside so
/// many of them.
pub(in crate::search) fn share_of_position(moves: usize) -> u8 {
    (moves >> SHARE).max(1).ilog2() as u8
}

/// The handicap of the move of a static rank, from 0, as the module says.
fn handicap(rank: usize) -> u8 {
    let number = rank as u64 + 1;
    OF_MOVES + (number * number).ilog2() as u8
}

impl Turns {
    /// Nothing has been done, for moves that have equal turns. Of each move the first one is given
    /// that leads to the same position.
    pub(in crate::search) fn equal(first_alike: Vec<usize>) -> Self {
        Self::new(first_alike, Shares::Equal)
    }

    /// As [`Self::equal`], for moves that have turns by their ranks. What a proof that a move wins
    /// seems to cost is given for each.
    pub(in crate::search) fn by_rank(first_alike: Vec<usize>, costs: &[u32]) -> Self {
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.sort_by_key(|&index| costs[index]);
        Self::new(first_alike, Shares::ByRank(order))
    }

    fn new(first_alike: Vec<usize>, shares: Shares) -> Self {
        Self { of_position: 0, of_moves: vec![0; first_alike.len()], first_alike, shares }
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

    /// How much has been done for an item.
    #[cfg(test)]
    pub(in crate::search) fn effort(&self, item: Item) -> u8 {
        match item {
            Item::Position => self.of_position,
            Item::Move(index) => self.of_moves[index],
        }
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
        let moves = self.turns_of_moves(standing);
        let position = self.turn_of_position(standing, moves.len());
        let turns = position.into_iter().chain(moves);
        let next = turns.filter_map(|turn| Some((priority(turn.item)?, turn)));
        // Of equal ones the first: the position, then the moves in their order.
        let (_, next) = next.min_by(|a, b| (&a.0, a.1.lag).cmp(&(&b.0, b.1.lag)))?;
        Some((next.item, next.effort))
    }

    /// The turn of the position, if it is due, beside so many moves.
    fn turn_of_position<M: Copy>(&self, standing: &Standing<M>, moves: usize) -> Option<Turn> {
        if !self.is_due(standing, Item::Position) {
            return None;
        }
        let had = self.of_position;
        Some(match (&self.shares, standing.wanted) {
            (Shares::ByRank(_), Wanted::One) => turn(Item::Position, had, ALONE, 0),
            (Shares::ByRank(_), Wanted::All) => turn(Item::Position, had, FIRST, 0),
            // One winning move is what the search of the position looks for.
            (Shares::Equal, Wanted::One) => {
                Turn { lag: 0, ..turn(Item::Position, had, LONGEST, 0) }
            }
            (Shares::Equal, Wanted::All) => {
                let share = share_of_position(moves);
                let Turn { lag, .. } = turn(Item::Position, had.saturating_sub(share), FIRST, 0);
                Turn { lag, ..turn(Item::Position, had, FIRST + share, 0) }
            }
        })
    }

    /// The turns of the moves that are due, in the order of their ranks.
    fn turns_of_moves<M: Copy>(&self, standing: &Standing<M>) -> Vec<Turn> {
        let is_due = |&index: &usize| self.is_due(standing, Item::Move(index));
        let turn_of = |index: usize, handicap: u8| {
            turn(Item::Move(index), self.of_moves[index], FIRST, handicap)
        };
        match &self.shares {
            Shares::Equal => {
                (0..self.of_moves.len()).filter(is_due).map(|index| turn_of(index, 0)).collect()
            }
            Shares::ByRank(order) => {
                // No move is looked for any more that wins, but all that are not known.
                let equal = standing.wanted == Wanted::All && standing.outcome().is_some();
                let due = order.iter().copied().filter(is_due).enumerate();
                due.map(|(rank, index)| turn_of(index, if equal { 0 } else { handicap(rank) }))
                    .collect()
            }
        }
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
    fn equal_turns_come_in_rounds_and_the_position_has_an_eighth() {
        let (moves, standing) = (40, standing(40, Wanted::All));
        let mut turns = Turns::equal((0..moves).collect());
        for round in 0..20 {
            let found = played(&mut turns, &standing, 1 + moves);
            let effort = FIRST + GROWTH * round;
            // 40 / 8 is 5, and 2 its logarithm.
            assert_eq!(found[0], (Item::Position, effort + 2), "{round}");
            let of_moves: Vec<_> = (0..moves).map(|at| (Item::Move(at), effort)).collect();
            assert_eq!(found[1..], of_moves, "{round}");
        }
        // Efforts end where 64 bits do.
        let found = played(&mut turns, &standing, 3000);
        assert!(found.iter().all(|&(_, effort)| effort < 64));
    }

    #[test]
    fn who_has_had_the_least_is_next_whatever_was_searched_before() {
        let standing = standing(4, Wanted::All);
        let mut turns = Turns::equal((0..4).collect());
        for (item, effort) in turns.items().zip([20, 21, 9, 17, 19]) {
            turns.note(item, effort);
            turns.note(item, 3);
        }
        let found = played(&mut turns, &standing, 10);
        let [a, b, c, d] = [0, 1, 2, 3].map(Item::Move);
        let least: Vec<_> = (FIRST..=17).map(|effort| (b, effort)).collect();
        assert_eq!(found[..5], least);
        assert_eq!(found[5..], [(b, 18), (c, 18), (b, 19), (c, 19), (b, 20)]);
        assert_eq!(played(&mut turns, &standing, 3), [(c, 20), (d, 20), (Item::Position, 21)]);
        let late = played(&mut turns, &standing, 20);
        assert!(late.contains(&(a, 22)) && late.contains(&(d, 23)), "{late:?}");
    }

    #[test]
    fn what_is_known_has_no_turn_and_what_is_alike_has_one() {
        let alike = vec![0, 0, 2, 2];
        for mut turns in [Turns::equal(alike.clone()), Turns::by_rank(alike, &[5, 5, 7, 7])] {
            let mut standing = standing(4, Wanted::All);
            turns.note(Item::Position, 63);
            let [a, b, c, d] = [0, 1, 2, 3].map(Item::Move);
            let found = played(&mut turns, &standing, 20);
            assert!(found.iter().all(|&(item, _)| [a, c].contains(&item)), "{found:?}");
            assert!([a, c].iter().all(|&item| found.contains(&(item, FIRST))), "{found:?}");
            // The second of two has turns if the first is known and it is not.
            standing.moves[2].1 = Some(Outcome::Loss);
            assert_eq!(played(&mut turns, &standing, 1), [(d, FIRST)]);
            for (at, outcome) in [(0, Outcome::Loss), (3, Outcome::Win)] {
                standing.moves[at].1 = Some(outcome);
            }
            standing.conclude();
            assert_eq!(played(&mut turns, &standing, 1), [(b, FIRST)]);
            standing.moves[1].1 = Some(Outcome::Loss);
            assert_eq!(turns.next(&standing), None);
        }
    }

    #[test]
    fn in_equal_turns_the_position_is_searched_to_its_end_if_one_move_is_enough() {
        let mut standing = standing(3, Wanted::One);
        let mut turns = Turns::equal((0..3).collect());
        assert_eq!(turns.next(&standing), Some((Item::Position, 63)));
        turns.note(Item::Position, 63);
        standing.outcome = Some(Outcome::Win);
        let found = played(&mut turns, &standing, 4);
        assert_eq!(found[..3], [0, 1, 2].map(|at| (Item::Move(at), FIRST)));
        assert_eq!(found[3], (Item::Move(0), FIRST + GROWTH));
    }

    #[test]
    fn by_rank_the_position_has_half_and_the_first_choice_a_quarter() {
        let (costs, best) = ([9, 3, 9, 1, 4, 9, 9, 9], [3, 1, 4, 0, 2, 5, 6, 7]);
        assert_eq!([0, 1, 2, 3, 6, 7].map(handicap), [1, 3, 4, 5, 6, 7]);
        for wanted in [Wanted::One, Wanted::All] {
            let standing = standing(8, wanted);
            let mut turns = Turns::by_rank((0..8).collect(), &costs);
            let first = if wanted == Wanted::One { ALONE } else { FIRST };
            assert_eq!(turns.next(&standing), Some((Item::Position, first)));
            let found = played(&mut turns, &standing, 200);
            let all = |item: Item| -> u64 {
                found.iter().filter(|turn| turn.0 == item).map(|&(_, effort)| 1 << effort).sum()
            };
            let position = all(Item::Position) as f64;
            for (rank, &index) in best.iter().enumerate() {
                let share = all(Item::Move(index)) as f64 / position;
                let expected = 0.5_f64.powi(handicap(rank).into());
                assert!(share >= 0.45 * expected && share <= 2.2 * expected, "{rank}: {share}");
            }
        }
    }

    #[test]
    fn by_rank_all_have_turns_and_who_has_the_least_handicap_is_first() {
        for (moves, wanted) in [(1, Wanted::One), (700, Wanted::One), (700, Wanted::All)] {
            let standing = standing(moves, wanted);
            // The last moves seem to be the cheapest.
            let costs: Vec<u32> = (0..moves as u32).rev().collect();
            let mut turns = Turns::by_rank((0..moves).collect(), &costs);
            let found = played(&mut turns, &standing, 30_000);
            let first_of = |item| found.iter().position(|turn| turn.0 == item);
            let begin: Vec<usize> =
                turns.items().map(|item| first_of(item).expect("all have turns")).collect();
            assert_eq!(begin[0], 0);
            assert!(begin[1..].is_sorted_by(|a, b| a > b), "{moves}: {begin:?}");
            // Efforts end where 64 bits do.
            assert!(found.iter().all(|&(_, effort)| effort < 64));
            assert_eq!(found.last(), Some(&(Item::Position, 63)));
        }
    }

    #[test]
    fn ranks_are_those_among_the_moves_that_are_not_known() {
        let mut standing = standing(5, Wanted::All);
        let mut turns = Turns::by_rank((0..5).collect(), &[1, 2, 3, 4, 5]);
        turns.note(Item::Position, 63);
        for (at, effort) in [(0, 30), (1, 30), (2, 30), (3, 29), (4, 30)] {
            turns.note(Item::Move(at), effort);
        }
        assert_eq!(turns.next(&standing), Some((Item::Move(0), 31)));
        standing.moves[0].1 = Some(Outcome::Loss);
        assert_eq!(turns.next(&standing), Some((Item::Move(1), 31)));
        // As soon as the position is known, all of them have as much.
        standing.outcome = Some(Outcome::Win);
        assert_eq!(turns.next(&standing), Some((Item::Move(3), 30)));
        // Where a winner is still looked for, they have not.
        standing.wanted = Wanted::One;
        assert_eq!(turns.next(&standing), Some((Item::Move(1), 31)));
    }

    #[test]
    fn priority_goes_before_what_was_done() {
        let standing = standing(3, Wanted::All);
        for mut turns in [Turns::equal((0..3).collect()), Turns::by_rank(vec![0, 1, 2], &[1; 3])] {
            turns.note(Item::Move(2), 40);
            let priority = |item| match item {
                Item::Position => None,
                Item::Move(index) => Some(index != 2),
            };
            assert_eq!(turns.next_by(&standing, priority), Some((Item::Move(2), 41)));
            assert_eq!(turns.next_by(&standing, |_| None::<()>), None);
        }
    }
}
