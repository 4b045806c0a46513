//! Steps into the other side's reach: what the blocker bound leaves out.
//!
//! [`blocker`](super::blocker) lets A hold its walls and gives all of `F`, the empty squares that B reaches, to B. But
//! an amazon of A beside `F` may step into it and shoot back onto the square that it left. The wall stands, the plod of
//! the others is not touched, and the step is one move more for A and one square less for B.
//!
//! Let A have the plod `P` of its holder's game, `I` the amazons that have no part in it (idle), and let the *area* be
//! `F` and the squares of B's amazons. Let `k` be a number of moves that A's amazons of `I` can make in a row of their
//! own turns, whatever B does meanwhile (passing included), each a king step from outside the area, or from where an
//! earlier such step ended, to an empty square of the area, with the shot back.
//!
//! **Claim.** The game is worth at least `P - |F| + 2k` to A if B begins. If A begins and makes its `k` steps, A wins
//! with net integer `d` if `d + P - |F| + 2k > 0`.
//!
//! **Proof.** A first makes its `k` steps, then its plod.
//!
//! 1. *B stays in the area*, as in the blocker bound: its border is burned or holds A's amazons. A step leaves a burned
//!    square behind and puts an amazon on a square of the area.
//! 2. *B has at most `|F| - k` moves.* Count the squares of the area that are not burned and hold no amazon of A, less
//!    B's amazons: `|F|` at first. Each move of B burns one of them; each step of A takes one, the square it goes to.
//!    (Squares that an amazon of A stood on are burned when it leaves, so none comes back.)
//! 3. *A has `k + P` moves.* Its plod is on squares outside the area and made by amazons that did not step.
//!
//! So A, moving second, never runs out first if `d + (k + P) >= |F| - k`; moving first, it needs one move more. Spare
//! moves of B count in `d`, and are the passes of the definition. An amazon with *one* move in the plod may step too,
//! and then costs that move: with `s` of them, at most `min(k, s)`.
//!
//! **How many steps.** *Liberties* are empty squares of the area beside A's idle amazons. To move, A can step once if
//! it has one, and `k` times if after one of its steps `k - 1` more are sure. With B to move, one step is sure with
//! three liberties, since a move fills at most two squares, the one it goes to and the one it burns; with two unless
//! one move of B takes both; with one unless B can step or shoot there. More are sure if they are after each of B's
//! moves and after a pass. Squares of the area that B does not reach any more are still liberties.
//!
//! Cost: one or two steps, which decide most, take a few dozen word operations; the third and those after B's answer
//! try B's moves, first those that take a liberty. The caller asks for no more than it needs.

use super::blocker::Hold;
use super::component::{Grid, lowest};
use crate::board::{Bitboard, Rays, Square};

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
pub struct Contest<'a> {
    grid: &'a Grid,
    rays: &'a Rays<u64>,
}

/// A position of the contest.
#[derive(Clone, Copy, Debug)]
struct Stage {
    /// The holder's amazons that may step.
    steppers: Bitboard,
    /// The other side's amazons.
    other: Bitboard,
    /// The empty squares of the area.
    area: Bitboard,
}

impl<'a> Contest<'a> {
    /// On a board.
    pub fn new(grid: &'a Grid, rays: &'a Rays<u64>) -> Self {
        Self { grid, rays }
    }

    /// Whether the holder gains `need` moves or more over [`Hold::least`], as far as is known: `2k`, less what steppers
    /// leave undone in the plod. `other` are the other side's amazons.
    ///
    /// With `turn` the other side's, the game is worth `least + need` to the holder. With its own, the holder wins if
    /// `d + least + need > 0`.
    #[inline]
    pub fn gains(&self, hold: &Hold, other: Bitboard, need: i32, turn: Turn) -> bool {
        if need <= 0 {
            return true;
        }
        let most = if turn == Turn::Holder { BEGINNING } else { ANSWERING };
        let steps = (need + 1) / 2;
        if steps > most {
            return false;
        }
        let can = |steppers: Bitboard, steps: i32| {
            let stage = Stage { steppers, other, area: hold.flooded };
            match turn {
                Turn::Holder => self.steps(&stage, steps as usize),
                Turn::Other => self.answers(&stage, steps as usize),
            }
        };
        if can(hold.idle, steps) {
            return true;
        }
        let singles = hold.single.len() as i32;
        let enough = |&steps: &i32| 2 * steps - steps.min(singles) >= need;
        singles > 0 && (steps..=most).find(enough).is_some_and(|steps| can(hold.idle | hold.single, steps))
    }

    #[inline(always)]
    fn liberties(&self, stage: &Stage) -> Bitboard {
        self.grid.neighbours(stage.steppers) & stage.area
    }

    /// The stages after a step to `to`.
    #[inline(always)]
    fn after_step(&self, stage: &Stage, to: Bitboard) -> impl Iterator<Item = Stage> {
        let stage = *stage;
        let stepped = move |from| Stage {
            steppers: stage.steppers.without(Bitboard::of(from)) | to,
            area: stage.area.without(to),
            ..stage
        };
        (self.grid.neighbours(to) & stage.steppers).into_iter().map(stepped)
    }

    /// Whether the holder, to move, can step so many times.
    #[inline]
    fn steps(&self, stage: &Stage, steps: usize) -> bool {
        let liberties = self.liberties(stage);
        if steps == 1 {
            return !liberties.is_empty();
        }
        stage.area.len() >= steps
            && liberties.into_iter().any(|to| {
                self.after_step(stage, Bitboard::of(to)).any(|after| self.answers(&after, steps - 1))
            })
    }

    /// Whether the holder can step so many times, the other side to move.
    fn answers(&self, stage: &Stage, steps: usize) -> bool {
        if steps == 1 {
            return !self.takes_all(stage, self.liberties(stage));
        }
        // A pass first: mostly it says no already.
        self.steps(stage, steps) && self.answers_all(stage, steps)
    }

    /// The same after every move of the other side.
    fn answers_all(&self, stage: &Stage, steps: usize) -> bool {
        let liberties = self.liberties(stage);
        stage.other.into_iter().all(|from| {
            let vacated = stage.area.with(from);
            let rest = stage.other.without(Bitboard::of(from));
            these_first(self.rays.reach(from, stage.area), liberties).all(|to| {
                let moved = Stage { other: rest.with(to), area: vacated.without(Bitboard::of(to)), ..*stage };
                these_first(self.rays.reach(to, vacated), liberties).all(|arrow| {
                    self.steps(&Stage { area: moved.area.without(Bitboard::of(arrow)), ..moved }, steps)
                })
            })
        })
    }

    /// Whether one move of the other side can leave no liberty. With three it cannot: it fills the square it goes to
    /// and the one it burns.
    #[inline(always)]
    fn takes_all(&self, stage: &Stage, liberties: Bitboard) -> bool {
        let more = liberties.without(lowest(liberties));
        if !more.without(lowest(more)).is_empty() {
            return false;
        }
        if more.is_empty() { self.takes_one(stage, liberties) } else { self.takes_two(stage, liberties) }
    }

    /// Whether an amazon can step or shoot to the only square, or there is none.
    fn takes_one(&self, stage: &Stage, only: Bitboard) -> bool {
        let Some(square) = only.first() else { return true };
        // A shot at it over the square that the amazon left comes from a line on which the amazon saw it.
        let taken = only | self.rays.reach(square, stage.area);
        self.grid.neighbours(taken).intersects(stage.other)
            || stage.other.into_iter().any(|from| self.rays.reach(from, stage.area).intersects(taken))
    }

    /// Whether an amazon can step to one of two squares and shoot at the other.
    fn takes_two(&self, stage: &Stage, liberties: Bitboard) -> bool {
        // On a line with one of them, whatever amazons stand between.
        let open = stage.area | stage.other;
        let near =
            liberties.into_iter().fold(Bitboard::EMPTY, |all, square| all | self.rays.reach(square, open));
        (near & stage.other).into_iter().any(|from| {
            let (reach, vacated) = (self.rays.reach(from, stage.area), stage.area.with(from));
            (reach & liberties)
                .into_iter()
                .any(|to| self.rays.reach(to, vacated).intersects(liberties.without(Bitboard::of(to))))
        })
    }
}

/// The squares of a set, those of `these` first.
#[inline(always)]
fn these_first(set: Bitboard, these: Bitboard) -> impl Iterator<Item = Square> {
    (set & these).into_iter().chain(set.without(these))
}
