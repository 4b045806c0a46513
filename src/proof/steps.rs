//! The steps of the wall rule: what the holder gains by steps into the other side's reach.
//!
//! As long as the holder stands still, all of `F` is the other side's ([`super::wall_rule`]). But an
//! amazon of the holder beside `F` may step into it and shoot back onto the square it left. The
//! wall still stands, the step is one move more for the holder, and the other side has one square
//! less.
//!
//! Let the *area* be `F` and the squares of the other side's amazons, and let the *steppers* be the
//! holder's amazons without a part in the walk. A *step* is a king step of a stepper from outside
//! the area, or from where it came by an earlier step, to an empty square of the area, with the
//! shot back onto the square it left. Let the holder be able to make `k` steps in its next `k`
//! turns, whatever the other side does in between.
//!
//! **Claim.** The holder wins if it moves second and `P - |F| + 2k >= 0`, or if it moves first and
//! `P - |F| + 2k > 0`.
//!
//! **Proof.** It first makes the `k` steps, then those of the walk.
//!
//! 1. *The other side's amazons and shots stay in the area*, whose border is burned or holds
//!    amazons of the holder: that is so at first. Whoever steps or walks burns the square that it
//!    leaves, and then stands on a square of the area or of the walk, so no square of the border
//!    opens.
//! 2. *The other side has at most `|F| - k` moves.* Count the squares of the area that are neither
//!    burned nor hold an amazon of the holder, less the other side's amazons, which stand on such
//!    squares. The count is `|F|` at first and never negative. Every move of the other side burns
//!    one of these squares. Every step takes the one that it goes to. The square that a step leaves
//!    was not counted, since it is outside the area or was taken by an earlier step.
//! 3. *The holder has `k + P` moves*: nobody else comes to the squares of the walk, and the
//!    steppers have no part in it.
//!
//! The side that has fewer moves runs out first. That is the other side if it begins and has at
//! most as many moves as the holder, or if it answers and has fewer.
//!
//! **Steppers that give up their part.** Amazons that make only one move of the walk may be taken
//! as steppers too. If one steps, its move of the walk is not made. With `s` such amazons at most
//! `min(k, s)` moves are lost: `2k - min(k, s)` stands for `2k` then.
//!
//! **When `k` steps are sure.** With the holder to move they are if after one of the possible steps
//! `k - 1` are sure with the other side to move, or if `k` is 0. With the other side to move they
//! are if they are sure with the holder to move, both as things stand after each move of the other
//! side and as they stand now, that is after a pass.
//!
//! The game has no pass. The rule decides a little less by it, but takes far less time, since the
//! pass is mostly what fails.
//!
//! `k` is looked for up to 3 if the holder begins and up to 2 if it answers; these numbers belong
//! to the rule. Squares that the other side has been cut off from can still be stepped to, and so
//! can squares that its amazons have left. All of them are squares of the area, and point 2 counts
//! them.
//!
//! *If `k` steps are sure, `k - 1` are.* With the holder to move the first step is the same, and
//! `k - 1` after it are sure, so `k - 2` are; with the other side to move that holds after each
//! move. So the least number that suffices is the only one that need be tried.
//!
//! **One step, the other side to move.** *Liberties* are the empty squares of the area beside
//! steppers. One step is sure if there is a liberty and each move leaves one. A move fills at most
//! two, the square that it goes to and the one that it burns, so three are enough.
//!
//! - *One liberty.* It is filled by an amazon that goes there, which may burn the square it came
//!   from. Or it is burned from another square; then the square that the amazon left must be no
//!   liberty, so the amazon stood beside no stepper. If that shot crosses the square left, the
//!   amazon could have gone to the liberty itself.
//! - *Two liberties.* Both are filled by an amazon that goes to one, burns the other, and stood
//!   beside no stepper.

use crate::game::board::{Bitboard, Kings, Rays, SquareIndex, Word};
use crate::game::rules::Rules;

/// Most steps that are looked for if the holder begins.
pub(super) const BEGINNING: i32 = 3;
/// Most steps that are looked for if the other side begins.
pub(super) const ANSWERING: i32 = 2;

/// A move fills at most so many squares.
const FILLED: usize = 2;
/// With so many liberties, three are left after a move.
const ROOMY: usize = 3 + FILLED;

/// Where steps are made.
#[derive(Clone, Debug)]
pub(super) struct Steps<W: Word> {
    pub(super) kings: Kings<W>,
    pub(super) rules: Rules<W>,
}

/// Where the amazons are after some steps and some moves of the other side.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepPosition<W: Word> {
    /// The holder's amazons that may step.
    pub(super) steppers: Bitboard<W>,
    /// The other side's amazons.
    pub(super) other: Bitboard<W>,
    /// The empty squares of the area.
    pub(super) area: Bitboard<W>,
}

impl<W: Word> Steps<W> {
    #[inline(always)]
    fn rays(&self) -> &Rays<W> {
        self.rules.rays()
    }

    #[inline(always)]
    fn liberties(&self, position: &StepPosition<W>) -> Bitboard<W> {
        self.kings.neighbours(position.steppers) & position.area
    }

    /// Whether so many steps, at least one, are sure with the holder to move.
    #[inline]
    pub(super) fn moving(&self, position: &StepPosition<W>, steps: usize) -> bool {
        let liberties = self.liberties(position);
        if steps == 1 || liberties.is_empty() {
            return !liberties.is_empty();
        }
        liberties
            .iter()
            .any(|to| self.after_step(position, to).any(|after| self.answering(&after, steps - 1)))
    }

    /// Whether so many steps, at least one, are sure with the other side to move.
    #[inline]
    pub(super) fn answering(&self, position: &StepPosition<W>, steps: usize) -> bool {
        if steps == 1 {
            let liberties = self.liberties(position);
            return match liberties.len() {
                0 => false,
                1 => !self.fills(position, liberties),
                2 => !self.fills_both(position, liberties),
                _ => true,
            };
        }
        self.moving(position, steps) && self.after_every_move(position, steps)
    }

    /// Whether so many steps are sure after every move of the other side. Moves that fill liberties
    /// come first, since they are the likeliest to prevent one.
    ///
    /// With two steps to make, moves that leave a *roomy* square empty need no look: the holder
    /// steps there, at least three liberties are left of the five, and so the second step is sure.
    fn after_every_move(&self, position: &StepPosition<W>, steps: usize) -> bool {
        let liberties = self.liberties(position);
        let roomy = if steps == 2 { self.roomy(position, liberties) } else { Bitboard::EMPTY };
        if roomy.len() > FILLED {
            return true;
        }
        let first = |set: Bitboard<W>| (set & liberties).iter().chain(set.without(liberties));
        position.other.iter().all(|from| {
            let (rest, vacated) =
                (position.other.without(Bitboard::of(from)), position.area.with(from));
            first(self.rays().reach(from, position.area)).all(|to| {
                let (other, left) = (rest.with(to), vacated.without(Bitboard::of(to)));
                let roomy = roomy.without(Bitboard::of(to));
                let arrows = match roomy.len() {
                    0 => self.rays().reach(to, vacated),
                    1 => self.rays().reach(to, vacated) & roomy,
                    _ => Bitboard::EMPTY,
                };
                first(arrows).all(|arrow| {
                    self.moving(
                        &StepPosition {
                            other,
                            area: left.without(Bitboard::of(arrow)),
                            ..*position
                        },
                        steps,
                    )
                })
            })
        })
    }

    /// The liberties from which a stepper sees five liberties or more.
    fn roomy(&self, position: &StepPosition<W>, liberties: Bitboard<W>) -> Bitboard<W> {
        let is_roomy = |&to: &SquareIndex| {
            self.after_step(position, to).any(|after| self.liberties(&after).len() >= ROOMY)
        };
        liberties.iter().filter(is_roomy).collect()
    }

    /// The positions after a step to a square.
    #[inline(always)]
    fn after_step(
        &self,
        position: &StepPosition<W>,
        to: SquareIndex,
    ) -> impl Iterator<Item = StepPosition<W>> {
        let (position, area) = (*position, position.area.without(Bitboard::of(to)));
        let after = move |from| StepPosition {
            steppers: position.steppers.without(Bitboard::of(from)).with(to),
            area,
            ..position
        };
        (self.kings.neighbours(Bitboard::of(to)) & position.steppers).iter().map(after)
    }

    /// The other side's amazons whose square is no liberty when they leave it.
    #[inline(always)]
    fn afar(&self, position: &StepPosition<W>) -> Bitboard<W> {
        position.other.without(self.kings.neighbours(position.steppers))
    }

    /// Whether a move of the other side leaves no liberty, if this is the only one.
    fn fills(&self, position: &StepPosition<W>, liberty: Bitboard<W>) -> bool {
        let sees = |from: SquareIndex, squares: Bitboard<W>| {
            self.rays().reach(from, position.area).intersects(squares)
        };
        if position.other.iter().any(|from| sees(from, liberty)) {
            return true;
        }
        let afar = self.afar(position);
        let seeing = liberty
            .iter()
            .fold(liberty, |seeing, at| seeing | self.rays().reach(at, position.area));
        afar.iter().any(|from| sees(from, seeing))
    }

    /// Whether a move of the other side leaves no liberty, if these two are the only ones.
    fn fills_both(&self, position: &StepPosition<W>, liberties: Bitboard<W>) -> bool {
        self.afar(position).iter().any(|from| {
            let vacated = position.area.with(from);
            let burns_other = |to: SquareIndex| {
                self.rays().reach(to, vacated).intersects(liberties.without(Bitboard::of(to)))
            };
            (self.rays().reach(from, position.area) & liberties).iter().any(burns_other)
        })
    }
}
