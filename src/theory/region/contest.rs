//! Steps into the other side's reach: what the blocker bound leaves out.
//!
//! [`blocker`](super::blocker) lets A hold its walls and gives all of `F`, the empty squares that B
//! reaches, to B. But an amazon of A beside `F` may step into it and shoot back onto the square
//! that it left. The wall stands, the walk of the others is not touched, and the step is one move
//! more for A and one square less for B.
//!
//! Let A have the walk `P` of the blocker bound, `I` the amazons that have no part in it (idle),
//! and let the *area* be `F` and the squares of B's amazons. Let `k` be a number of moves that A's
//! amazons of `I` can make in a row of their own turns, whatever B does meanwhile (passing
//! included), each a king step from outside the area, or from where an earlier such step ended, to
//! an empty square of the area, with the shot back.
//!
//! **Claim.** The game is worth at least `P - |F| + 2k` to A if B begins. If A begins and makes its
//! `k` steps, A wins with net integer `d` if `d + P - |F| + 2k > 0`.
//!
//! **Proof.** A first makes its `k` steps, then its walk.
//!
//! 1. *B stays in the area*, as in the blocker bound: its border is burned or holds A's amazons. A
//!    step leaves a burned square behind and puts an amazon on a square of the area.
//! 2. *B has at most `|F| - k` moves.* Count the squares of the area that are not burned and hold
//!    no amazon of A, less B's amazons: `|F|` at first. Each move of B burns one of them; each step
//!    of A takes one, the square it goes to. (Squares that an amazon of A stood on are burned when
//!    it leaves, so none comes back.)
//! 3. *A has `k + P` moves.* Its walk is on squares outside the area and made by amazons that did
//!    not step.
//!
//! So A, moving second, never runs out first if `d + (k + P) >= |F| - k`; moving first, it needs
//! one move more. Spare moves of B count in `d`; they are the passes of the definition. An amazon
//! with *one* move in the walk may step too, but then that move is lost. With `s` such amazons at
//! most `min(k, s)` moves are lost.
//!
//! **How many steps.** *Liberties* are empty squares of the area beside A's idle amazons. With A to
//! move, one step is sure if there is a liberty; `k` are if after one of A's steps `k - 1` more are
//! sure. With B to move, one step is sure with three liberties, since a move fills at most two
//! squares, the one it goes to and the one it burns; with two, unless one move of B fills both;
//! with one, unless B can go or shoot there. More steps are sure if they are sure after each of B's
//! moves and after a pass. Squares of the area that B does not reach any more are still liberties.
//!
//! A *plan* for two steps is a step that leaves three liberties or more. A move of B spoils it only
//! if it fills the square of that step, or all but two of these liberties: else A makes the step, B
//! fills two more at most, and A steps to one that is left. So with B to move, two steps are sure
//! if they are after a pass and after each move that may spoil one plan.
//!
//! Cost: one or two steps decide most positions and take a few dozen word operations. The third
//! step, and two after B's move, try B's moves, first those that take a liberty. The caller asks
//! for no more steps than it needs. Loops are spelled out and everything is inlined, so that the
//! search can compile it for the instructions of its machine ([`crate::machine::isa`]).

use super::blocker::BlockerBound;
use crate::game::board::{Bitboard, Kings, Lines, Rays, SquareIndex, Squares, Word};

/// More steps are not looked for if the holder begins: one more takes more time than it saves.
const BEGINNING: i32 = 3;
/// The same if the other side begins.
const ANSWERING: i32 = 2;

/// Who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The side that holds its walls.
    Holder,
    /// The other side.
    Other,
}

/// Where a contest takes place.
#[derive(Clone, Copy, Debug)]
pub struct Contest<'a, W: Word = u64> {
    kings: &'a Kings<W>,
    rays: &'a Rays<W>,
    lines: &'a Lines<W>,
}

/// Where the amazons are after some steps and some moves of the other side.
#[derive(Clone, Copy, Debug)]
struct StepPosition<W: Word = u64> {
    /// The holder's amazons that may step.
    steppers: Bitboard<W>,
    /// The other side's amazons.
    other: Bitboard<W>,
    /// The empty squares of the area.
    area: Bitboard<W>,
}

/// A first step of two, and the liberties that it leaves. With three or more the second step is
/// sure.
#[derive(Clone, Copy, Debug)]
struct Plan<W: Word> {
    step: Bitboard<W>,
    then: Bitboard<W>,
}

impl<W: Word> Plan<W> {
    /// Whether both steps are sure once these squares are filled.
    #[inline(always)]
    fn stands(&self, filled: Bitboard<W>) -> bool {
        !self.step.without(filled).is_empty() && has_three(self.then.without(filled))
    }

    /// The squares that may spoil the plan if one of them is filled as well.
    #[inline(always)]
    fn spoilers(&self, filled: Bitboard<W>) -> Bitboard<W> {
        if !self.stands(filled) {
            return Bitboard::from_word(W::MAX);
        }
        let left = self.then.without(filled);
        if has_three(left.without(left.lowest())) { self.step } else { self.step | left }
    }
}

/// The positions after each step of the holder.
struct Steps<'a, W: Word> {
    kings: &'a Kings<W>,
    position: StepPosition<W>,
    /// Where the steps that are left may go.
    liberties: Squares<W>,
    /// Where the present ones go.
    to: Bitboard<W>,
    /// The steppers beside it that are left.
    from: Squares<W>,
}

impl<W: Word> Iterator for Steps<'_, W> {
    type Item = StepPosition<W>;

    #[inline(always)]
    fn next(&mut self) -> Option<StepPosition<W>> {
        loop {
            if let Some(from) = self.from.next() {
                let StepPosition { steppers, area, other } = self.position;
                let steppers = steppers.without(Bitboard::of(from)) | self.to;
                return Some(StepPosition { steppers, area: area.without(self.to), other });
            }
            self.to = Bitboard::of(self.liberties.next()?);
            self.from = (self.kings.neighbours(self.to) & self.position.steppers).iter();
        }
    }
}

impl<'a, W: Word> Contest<'a, W> {
    /// On a board.
    pub fn new(kings: &'a Kings<W>, rays: &'a Rays<W>, lines: &'a Lines<W>) -> Self {
        Self { kings, rays, lines }
    }

    /// Whether the holder gains `need` moves or more over [`BlockerBound::least`], as far as is
    /// known: `2k`, less what steppers leave undone of the walk. `other` are the other side's
    /// amazons.
    ///
    /// With `turn` the other side's, the game is worth `least + need` to the holder. With its own,
    /// the holder wins if `d + least + need > 0`.
    #[inline(always)]
    pub fn gains(&self, hold: &BlockerBound<W>, other: Bitboard<W>, need: i32, turn: Turn) -> bool {
        if need <= 0 {
            return true;
        }
        let most = if turn == Turn::Holder { BEGINNING } else { ANSWERING };
        let singles = hold.single.len() as i32;
        let mut steppers = hold.idle;
        let mut steps = (need + 1) / 2;
        while steps <= most {
            let position = StepPosition { steppers, other, area: hold.flooded };
            if self.can_step(&position, steps, turn) {
                return true;
            }
            if singles == 0 || steppers != hold.idle {
                return false;
            }
            steppers |= hold.single;
            while 2 * steps - steps.min(singles) < need {
                steps += 1;
            }
        }
        false
    }

    /// Whether the holder can step so many times, [`BEGINNING`] or [`ANSWERING`] at most.
    #[inline(always)]
    fn can_step(&self, position: &StepPosition<W>, steps: i32, turn: Turn) -> bool {
        match (turn, steps) {
            (Turn::Holder, 1) => !self.liberties(position).is_empty(),
            (Turn::Holder, 2) => self.twice(position),
            (Turn::Holder, _) => self.thrice(position),
            (Turn::Other, 1) => self.answers_once(position),
            (Turn::Other, _) => self.answers_twice(position),
        }
    }

    #[inline(always)]
    fn liberties(&self, position: &StepPosition<W>) -> Bitboard<W> {
        self.kings.neighbours(position.steppers) & position.area
    }

    #[inline(always)]
    fn steps(&self, position: &StepPosition<W>) -> Steps<'a, W> {
        let (to, from) = (Bitboard::EMPTY, Bitboard::EMPTY.iter());
        Steps {
            kings: self.kings,
            position: *position,
            liberties: self.liberties(position).iter(),
            to,
            from,
        }
    }

    /// Whether the holder, to move, can step three times.
    #[inline(always)]
    fn thrice(&self, position: &StepPosition<W>) -> bool {
        if position.area.len() < 3 {
            return false;
        }
        for after in self.steps(position) {
            if self.answers_twice(&after) {
                return true;
            }
        }
        false
    }

    /// Whether the holder, to move, can step twice.
    #[inline(always)]
    fn twice(&self, position: &StepPosition<W>) -> bool {
        for after in self.steps(position) {
            if self.answers_once(&after) {
                return true;
            }
        }
        false
    }

    /// Whether the holder can step, the other side to move.
    #[inline(always)]
    fn answers_once(&self, position: &StepPosition<W>) -> bool {
        !self.takes_all(position, self.liberties(position))
    }

    /// Whether the holder can step twice, the other side to move.
    #[inline(always)]
    fn answers_twice(&self, position: &StepPosition<W>) -> bool {
        let plan = self.plan(position);
        // A pass first: mostly it says no already.
        (plan.stands(Bitboard::EMPTY) || self.twice(position)) && self.answers_all(position, plan)
    }

    /// The step that leaves the most liberties.
    #[inline(always)]
    fn plan(&self, position: &StepPosition<W>) -> Plan<W> {
        let (mut plan, mut most) = (Plan { step: Bitboard::EMPTY, then: Bitboard::EMPTY }, 0);
        for after in self.steps(position) {
            let then = self.liberties(&after);
            if then.len() > most {
                (plan, most) = (Plan { step: position.area.without(after.area), then }, then.len());
            }
        }
        plan
    }

    /// Whether the holder can step twice after every move of the other side.
    #[inline(always)]
    fn answers_all(&self, position: &StepPosition<W>, plan: Plan<W>) -> bool {
        let liberties = self.liberties(position);
        for from in position.other {
            let vacated = position.area.with(from);
            let rest = position.other.without(Bitboard::of(from));
            for to in these_first(self.rays.reach(from, position.area), liberties) {
                let moved = StepPosition {
                    other: rest.with(to),
                    area: vacated.without(Bitboard::of(to)),
                    ..*position
                };
                let arrows = self.rays.reach(to, vacated) & plan.spoilers(Bitboard::of(to));
                for arrow in these_first(arrows, liberties) {
                    if !self.twice(&StepPosition {
                        area: moved.area.without(Bitboard::of(arrow)),
                        ..moved
                    }) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether one move of the other side can leave no liberty. With three it cannot: it fills the
    /// square it goes to and the one it burns.
    #[inline(always)]
    fn takes_all(&self, position: &StepPosition<W>, liberties: Bitboard<W>) -> bool {
        if has_three(liberties) {
            return false;
        }
        let two = !liberties.without(liberties.lowest()).is_empty();
        if two { self.takes_two(position, liberties) } else { self.takes_one(position, liberties) }
    }

    /// Whether an amazon can step or shoot to the only square, or there is none.
    #[inline(always)]
    fn takes_one(&self, position: &StepPosition<W>, only: Bitboard<W>) -> bool {
        let Some(square) = only.first() else { return true };
        // A shot at it over the square that the amazon left comes from a line on which the amazon
        // saw it.
        let taken = only | self.rays.reach(square, position.area);
        if self.kings.neighbours(taken).intersects(position.other) {
            return true;
        }
        for from in position.other {
            if self.rays.reach(from, position.area).intersects(taken) {
                return true;
            }
        }
        false
    }

    /// Whether an amazon can step to one of two squares and shoot at the other.
    #[inline(always)]
    fn takes_two(&self, position: &StepPosition<W>, liberties: Bitboard<W>) -> bool {
        let (one, rest) = (liberties.first(), liberties.without(liberties.lowest()));
        let (Some(one), Some(other)) = (one, rest.first()) else { return false };
        let Some(between) = self.lines.between(one, other) else { return false };
        // The shot passes over what lies between: squares that are empty, or that the amazon left.
        let taken = between.without(position.area);
        if !taken.is_empty() {
            // It stood on the only one that is not empty. From there it sees both.
            return taken.without(taken.lowest()).is_empty() && taken.is_subset(position.other);
        }
        // The way is free, so whoever sees one of them shoots from it at the other.
        for from in position.other {
            if self.rays.reach(from, position.area).intersects(liberties) {
                return true;
            }
        }
        false
    }
}

/// Whether a set has at least three squares.
#[inline(always)]
fn has_three<W: Word>(set: Bitboard<W>) -> bool {
    let more = set.without(set.lowest());
    !more.without(more.lowest()).is_empty()
}

/// The squares of a set, those of `these` first.
#[inline(always)]
fn these_first<W: Word>(set: Bitboard<W>, these: Bitboard<W>) -> impl Iterator<Item = SquareIndex> {
    (set & these).into_iter().chain(set.without(these))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Board;
    use proptest::prelude::*;

    /// What [`Contest::answers_twice`] is to say, without a plan: after a pass and every move of
    /// the other side.
    fn answers_twice(contest: &Contest, position: &StepPosition) -> bool {
        let rays = contest.rays;
        let after = |from: SquareIndex, to: SquareIndex, arrow: SquareIndex| StepPosition {
            other: position.other.without(Bitboard::of(from)).with(to),
            area: position.area.with(from).without(Bitboard::of(to) | Bitboard::of(arrow)),
            ..*position
        };
        contest.twice(position)
            && position.other.into_iter().all(|from| {
                rays.reach(from, position.area).into_iter().all(|to| {
                    let shots = rays.reach(to, position.area.with(from));
                    shots.into_iter().all(|arrow| contest.twice(&after(from, to, arrow)))
                })
            })
    }

    /// What [`Contest::takes_two`] is to say: every move of every amazon.
    fn takes_two(contest: &Contest, position: &StepPosition, liberties: Bitboard) -> bool {
        position.other.into_iter().any(|from| {
            let vacated = position.area.with(from);
            (contest.rays.reach(from, position.area) & liberties).into_iter().any(|to| {
                let rest = liberties.without(Bitboard::of(to));
                contest.rays.reach(to, vacated).intersects(rest)
            })
        })
    }

    #[test]
    fn two_squares_are_taken_as_by_every_move() {
        let (mut taken, mut left) = (0, 0);
        for board in ["1x6", "3x3", "4x3"] {
            let board: Board = board.parse().unwrap();
            let (kings, rays) = (Kings::new(board).unwrap(), Rays::new(board).unwrap());
            let lines = Lines::new(board).unwrap();
            let contest = Contest::new(&kings, &rays, &lines);
            // Every square is burned, empty, or has an amazon of the other side; every two of the
            // empty ones may be the liberties.
            for number in 0..3u32.pow(board.squares() as u32) {
                let of_kind = |kind| -> Bitboard {
                    let is =
                        |square: &SquareIndex| number / 3u32.pow(square.index() as u32) % 3 == kind;
                    kings.all().iter().filter(is).collect()
                };
                let (area, other) = (of_kind(1), of_kind(2));
                let position = StepPosition { steppers: Bitboard::EMPTY, other, area };
                for one in area {
                    for two in area.without(Bitboard::of(one)) {
                        let liberties = Bitboard::of(one).with(two);
                        let expected = takes_two(&contest, &position, liberties);
                        let found = contest.takes_two(&position, liberties);
                        assert_eq!(found, expected, "{position:?} {liberties:?}");
                        if expected { taken += 1 } else { left += 1 }
                    }
                }
            }
        }
        assert!(taken > 10_000 && left > 10_000, "{taken}, {left}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if crate::machine::long::long_tests() { 100_000 } else { 5_000 }))]

        #[test]
        fn plans_spare_only_moves_that_change_nothing(
            columns in 3..=5usize, rows in 3..=5usize, a: u64, b: u64, c: u64, d: u64,
        ) {
            let board = Board::new(columns, rows).unwrap();
            let (kings, rays) = (Kings::new(board).unwrap(), Rays::new(board).unwrap());
            let lines = Lines::new(board).unwrap();
            let amazons = Bitboard::from_word(a & b) & kings.all();
            let other = amazons & Bitboard::from_word(c & d);
            let steppers = amazons.without(other);
            let area = kings.flood(other, kings.all().without(Bitboard::from_word(a & (b | c)))).without(other);
            let (contest, position) = (Contest::new(&kings, &rays, &lines), StepPosition { steppers, other, area });
            prop_assert_eq!(contest.answers_twice(&position), answers_twice(&contest, &position), "{:?}", position);
        }
    }
}
