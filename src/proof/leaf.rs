//! Who wins a small position: the judge of the leaves of a certificate.
//!
//! The same negamax as the naive solver's ([`crate::game::naive`]): a position is won if some move
//! leads to one that is lost. Three things make it some ten times as fast, and none of them can
//! change an answer. The memory is an array of fixed size, in which a position overwrites another
//! one that has the same place; whole positions are compared. Moves are tried while they are
//! generated, first those that burn the square just left. With many empty squares they are sorted:
//! first the move that won last with as many, then those that leave the opponent few squares and steps.
//! Any order is right, because all moves are tried until one wins.
//!
//! For certificates that rest on the wall rule ([`WallRule`]) it uses that rule too. Of the moves
//! that the rule may show to win the killer moves are tried first.
//!
//! Cost: two microseconds with 7 empty squares, about twenty with 9, a thousand with 11, on average
//! over the leaves of a game; single hard positions of 9 squares take up to a second. So the stop
//! flag is looked at before every position that is not of the last few squares.

use crate::game::Outcome;
use crate::game::board::{Bitboard, Kings, Word};
use crate::game::rules::{Bitboards, IndexedMove, Rules};
use crate::machine::progress::StopFlag;
use crate::proof::WallRule;

/// From this many empty squares on the moves are sorted before they are tried.
const SORTED: usize = 6;
/// Positions with fewer empty squares are not remembered.
const REMEMBERED: usize = 2;
/// Logarithm of the number of positions remembered: they fit into the cache of a core.
const PLACES: u32 = 12;
/// Room for the moves of most positions that are sorted.
const MOVES: usize = 128;
/// Killer moves for each number of empty squares.
const KILLERS: usize = 8;

/// What the wall rule, or a part of it, says of a position.
type Rule<W> = fn(&WallRule<W>, &Bitboards<W>) -> Option<Outcome>;

/// A solver for positions with few empty squares.
#[derive(Debug)]
pub struct LeafSolver<'a, W: Word = u64> {
    rules: &'a Rules<W>,
    kings: Kings<W>,
    walls: Option<WallRule<W>>,
    stop: &'a StopFlag,
    known: Box<[(Bitboards<W>, Outcome)]>,
    /// Killer moves: by the number of empty squares, those that won, the last one first.
    killers: Vec<Vec<IndexedMove>>,
}

impl<'a, W: Word> LeafSolver<'a, W> {
    /// A solver that knows nothing yet, and takes the wall rule's word where its
    /// [quick](WallRule::quick) form decides, if `walls` are given. It gives up when `stop` is set.
    pub fn new(rules: &'a Rules<W>, walls: Option<&WallRule<W>>, stop: &'a StopFlag) -> Self {
        let empty = Bitboard::EMPTY;
        // The opponent and the mover on one square: no position is equal to this one.
        let one = Bitboard::from_word(W::ONE);
        let nowhere = Bitboards { mover: one, opponent: one, arrows: empty };
        let known = vec![(nowhere, Outcome::Loss); 1 << PLACES].into();
        let killers = vec![Vec::new(); rules.board().squares() + 1];
        let kings = Kings::new(rules.board()).expect("rules are of a board that fits");
        Self { rules, kings, walls: walls.map(WallRule::quick), stop, known, killers }
    }

    /// What the side to move reaches; `None` if the solver gave up.
    pub fn outcome(&mut self, position: &Bitboards<W>) -> Option<Outcome> {
        self.judge(position, WallRule::verdict)
    }

    /// As [`Self::outcome`], with as much of the wall rule as has not been tried.
    fn judge(&mut self, position: &Bitboards<W>, rule: Rule<W>) -> Option<Outcome> {
        let empty = position.empty(self.rules.board());
        if empty.len() < REMEMBERED {
            return self.by_moves(position, empty);
        }
        let place = place(position);
        let (known, outcome) = self.known[place];
        if known == *position {
            return Some(outcome);
        }
        let outcome = match self.walls.as_ref().and_then(|walls| rule(walls, position)) {
            Some(outcome) => outcome,
            None if empty.len() < SORTED => self.by_moves(position, empty)?,
            None if self.stop.is_set() => return None,
            None => self.by_sorted_moves(position, empty)?,
        };
        self.known[place] = (*position, outcome);
        Some(outcome)
    }

    /// Tries every move, those that burn the square just left first.
    fn by_moves(&mut self, position: &Bitboards<W>, empty: Bitboard<W>) -> Option<Outcome> {
        for from in position.mover {
            for to in self.rules.rays().reach(from, empty) {
                let played = IndexedMove { from, to, arrow: from };
                if self.by(position, played)? == Outcome::Win {
                    return Some(Outcome::Win);
                }
            }
        }
        for from in position.mover {
            let vacated = empty.with(from);
            for to in self.rules.rays().reach(from, empty) {
                let others = self.rules.rays().reach(to, vacated).without(Bitboard::of(from));
                for arrow in others {
                    let played = IndexedMove { from, to, arrow };
                    if self.by(position, played)? == Outcome::Win {
                        return Some(Outcome::Win);
                    }
                }
            }
        }
        Some(Outcome::Loss)
    }

    /// Tries every move, first those that the wall rule decides, and of these the killer moves.
    /// Then comes the last killer move, then those after which the opponent's position is of the
    /// least [worth](Self::worth).
    fn by_sorted_moves(&mut self, position: &Bitboards<W>, empty: Bitboard<W>) -> Option<Outcome> {
        let (rules, walls) = (self.rules, self.walls.as_ref());
        let wins_by_walls =
            |after: &Bitboards<W>| walls.is_some_and(|walls| walls.shows_loss(after));
        let killers = &self.killers[empty.len()];
        let last = killers.first().copied();
        if walls.is_some() {
            let wins = |&killer: &IndexedMove| {
                rules.play(position, killer).is_ok_and(|after| wins_by_walls(&after))
            };
            if let Some(killer) = killers.iter().copied().find(wins) {
                self.remember_win(empty, killer);
                return Some(Outcome::Win);
            }
        }
        let mut moves = Vec::with_capacity(MOVES);
        for from in position.mover {
            let vacated = empty.with(from);
            for to in rules.rays().reach(from, empty) {
                for arrow in rules.rays().reach(to, vacated) {
                    let played = IndexedMove { from, to, arrow };
                    let after = rules.play_unchecked(position, played);
                    if wins_by_walls(&after) {
                        self.remember_win(empty, played);
                        return Some(Outcome::Win);
                    }
                    moves.push((0, played, after));
                }
            }
        }
        for (order, played, after) in &mut moves {
            *order = if Some(*played) == last { i32::MIN } else { self.worth(after) };
        }
        moves.sort_unstable_by_key(|&(order, ..)| order);
        // That the opponent loses by the rule has been tried of each move.
        let untried = |walls: &WallRule<W>, after: &Bitboards<W>| {
            walls.shows_win(after).then_some(Outcome::Win)
        };
        for (_, played, after) in moves {
            if self.judge(&after, untried)? == Outcome::Loss {
                self.remember_win(empty, played);
                return Some(Outcome::Win);
            }
        }
        Some(Outcome::Loss)
    }

    /// Remembers a move as the last one that won with so many empty squares.
    fn remember_win(&mut self, empty: Bitboard<W>, played: IndexedMove) {
        let killers = &mut self.killers[empty.len()];
        killers.retain(|&killer| killer != played);
        killers.truncate(KILLERS - 1);
        killers.insert(0, played);
    }

    /// What a position promises its side to move: four for each square that its amazons come to by
    /// king steps, two for each of their queen steps, and one less for each of the other side's.
    fn worth(&self, position: &Bitboards<W>) -> i32 {
        let empty = position.empty(self.rules.board());
        let steps = |amazons: Bitboard<W>| {
            amazons.iter().map(|amazon| self.rules.rays().reach(amazon, empty).len()).sum::<usize>()
        };
        let area = (self.kings.flood(position.mover, empty) & empty).len();
        (4 * area + 2 * steps(position.mover)) as i32 - steps(position.opponent) as i32
    }

    /// What the side to move reaches by a move.
    fn by(&mut self, position: &Bitboards<W>, played: IndexedMove) -> Option<Outcome> {
        let after = self.rules.play_unchecked(position, played);
        self.judge(&after, WallRule::verdict).map(|outcome| !outcome)
    }
}

/// Where a position is remembered.
fn place<W: Word>(position: &Bitboards<W>) -> usize {
    let Bitboards { mover, opponent, arrows } = position;
    let [mover, opponent, arrows] = [mover, opponent, arrows].map(|set| {
        let wide = set.word().widen().low_128();
        wide as u64 ^ ((wide >> 64) as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    });
    let mixed = mover.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ opponent.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(23)
        ^ arrows.wrapping_mul(0x1656_67B1_9E37_79F9).rotate_left(41);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - PLACES)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use crate::game::naive::NaiveSolver;
    use crate::game::rules::{self, colourings};
    use crate::machine::long::long_tests;
    use proptest::prelude::*;

    fn all_positions_are_judged_as_by_the_naive_solver(board: &str, with_walls: bool) {
        let board: Board = board.parse().unwrap();
        let (rules, walls) = (Rules::new(board).unwrap(), WallRule::new(board).unwrap());
        let stop = StopFlag::new();
        let mut leaf = LeafSolver::new(&rules, with_walls.then_some(&walls), &stop);
        let mut naive = NaiveSolver::new(rules.clone());
        for position in colourings(board) {
            assert_eq!(leaf.outcome(&position), Some(naive.outcome(&position)), "{position:?}");
        }
    }

    #[test]
    fn all_positions_of_small_boards_are_judged_as_by_the_naive_solver() {
        all_positions_are_judged_as_by_the_naive_solver("3x3", false);
        all_positions_are_judged_as_by_the_naive_solver("3x3", true);
        all_positions_are_judged_as_by_the_naive_solver("4x2", true);
    }

    #[test]
    fn a_stopped_solver_gives_up() {
        let rules = Rules::<u64>::new("4x4".parse().unwrap()).unwrap();
        let start = rules::start(rules.board()).unwrap().bitboards().unwrap();
        let stop = StopFlag::new();
        stop.stop();
        assert_eq!(LeafSolver::new(&rules, None, &stop).outcome(&start), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if long_tests() { 2000 } else { 100 }))]

        #[test]
        fn larger_leaves_are_judged_as_by_the_naive_solver(
            columns in 2..=8usize, rows in 2..=8usize, a: u64, b: u64, c: u64, empty in 5..=8usize,
            with_walls: bool,
        ) {
            let board = Board::new(columns, rows).unwrap();
            let (rules, walls) = (Rules::new(board).unwrap(), WallRule::new(board).unwrap());
            let all = board.all::<u64>();
            let [a, b, c] = [a, b, c].map(|word| Bitboard::from_word(word) & all);
            let mover: Bitboard = (a & b).iter().take(4).collect();
            let opponent: Bitboard = (a & c).without(mover).iter().take(4).collect();
            let free: Bitboard = all.without(mover | opponent).iter().skip((c.word() % 7) as usize).take(empty).collect();
            let position = Bitboards { mover, opponent, arrows: all.without(mover | opponent | free) };
            let stop = StopFlag::new();
            let mut leaf = LeafSolver::new(&rules, with_walls.then_some(&walls), &stop);
            let mut naive = NaiveSolver::new(rules.clone());
            for played in rules.moves(&position) {
                let after = rules.play_unchecked(&position, played);
                prop_assert_eq!(leaf.outcome(&after), Some(naive.outcome(&after)));
            }
            prop_assert_eq!(leaf.outcome(&position), Some(naive.outcome(&position)));
        }
    }
}
