//! Proof numbers, and where they start.
//!
//! The frame is negamax: at every node `proof` is the cost to prove that the side to move wins,
//! `disproof` the cost to prove that it loses. At a node, with children `c`:
//!
//! ```text
//! proof    = min over c of disproof(c)
//! disproof = max over c of proof(c) + (children - 1) / 2
//! ```
//!
//! Textbook proof-number search has a sum where the maximum stands here. The children of one node
//! are so alike that one proof serves most of them; a sum would count it many times. Numbers are
//! in sixteenths of a square.

use super::evaluation::Evaluation;
use crate::game::Outcome;

/// How far a step goes beyond a number: this much, and an eighth of it.
const SLACK: u32 = 12;
/// A number that no unsolved position has.
pub(in crate::search) const INFINITE: u32 = (1 << 18) - 1;

/// The proof and disproof number of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Cost to prove a win of the side to move; 0 when proved.
    pub proof: u32,
    /// Cost to prove a loss of the side to move; 0 when proved.
    pub disproof: u32,
}

impl Numbers {
    /// The numbers of a solved position.
    pub const fn solved(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self { proof: 0, disproof: INFINITE },
            Outcome::Loss => Self { proof: INFINITE, disproof: 0 },
        }
    }

    /// Thresholds that only solved positions reach.
    pub(in crate::search) const UNREACHED: Self = Self { proof: INFINITE, disproof: INFINITE };

    /// The numbers of a position from those of its children.
    pub(in crate::search) fn of_parent(children: impl Iterator<Item = Self> + Clone) -> Self {
        if children.clone().any(|child| child.disproof == 0) {
            return Self::solved(Outcome::Win);
        }
        let open = children.filter(|child| child.proof != 0);
        let Some(proof) = open.clone().map(|child| child.disproof).min() else {
            return Self::solved(Outcome::Loss);
        };
        let (count, greatest) =
            open.fold((0, 0), |(count, greatest), child| (count + 1, child.proof.max(greatest)));
        Self::of_open(proof, greatest, count)
    }

    /// The numbers of a position from those of its open children: the least disproof number, the
    /// greatest proof number, and how many there are, at least one.
    #[inline(always)]
    pub(in crate::search) fn of_open(least: u32, greatest: u32, children: u32) -> Self {
        Self { proof: finite(least), disproof: finite(greatest + (children - 1) / 2) }
    }

    /// These thresholds, those that are reached raised by a step.
    pub(in crate::search) fn raised_above(self, reached: Self) -> Self {
        let above = |threshold: u32, reached: u32| match reached < threshold {
            true => threshold,
            false => a_step_above(reached),
        };
        let Self { proof, disproof } = self;
        Self { proof: above(proof, reached.proof), disproof: above(disproof, reached.disproof) }
    }

    /// Whether a win is so much nearer than a loss that most children will not be searched.
    #[inline]
    pub(in crate::search) fn look_won(self) -> bool {
        self.proof <= self.disproof / 2
    }

    /// Whether one of the numbers has reached a threshold.
    pub(in crate::search) fn reaches(self, thresholds: Self) -> bool {
        self.proof >= thresholds.proof || self.disproof >= thresholds.disproof
    }

    /// What the side to move reaches, if that is proved.
    pub(in crate::search) fn verdict(self) -> Option<Outcome> {
        match self {
            Self { proof: 0, .. } => Some(Outcome::Win),
            Self { disproof: 0, .. } => Some(Outcome::Loss),
            _ => None,
        }
    }

    /// Where an unsolved position starts.
    ///
    /// A lead makes a win cheap to prove and a loss expensive. A mobile mover makes a loss
    /// expensive, because each of its moves must be refuted. So does a high upper bound on the sum
    /// ([`Reduced::Open`](super::reduction::Reduced::Open)): with 0 the loss would be proved.
    /// With many empty squares it counts less, because that was measured to be faster.
    #[inline]
    pub(in crate::search) fn initial(
        evaluation: Evaluation,
        upper_bound: i32,
        empty: usize,
    ) -> Self {
        let lead = evaluation.lead.clamp(-CLAMP, CLAMP);
        let bound = upper_bound_weight(empty) * upper_bound;
        let proof = (BASE - lead).max(FLOOR) as u32;
        let disproof =
            (BASE + lead + bound).max(FLOOR) as u32 + (MOBILITY * evaluation.steps) as u32;
        Self { proof, disproof }
    }
}

/// A step above a number: the slack of the threshold of the best child over the second best.
#[inline(always)]
pub(in crate::search) fn a_step_above(number: u32) -> u32 {
    number.saturating_add(SLACK + number / 8).min(INFINITE)
}

/// A sum of finite numbers that stays below [`INFINITE`], so that no amount of work makes an
/// unsolved position look solved.
#[inline(always)]
fn finite(number: u32) -> u32 {
    number.min(INFINITE - 1)
}

/// Both numbers of an even position.
const BASE: i32 = 64;
/// The least number of an unsolved leaf: one square.
const FLOOR: i32 = 16;
/// Evaluations beyond this are all alike.
const CLAMP: i32 = 400;
/// What each step of the mover adds to its disproof number.
const MOBILITY: i32 = 2;
/// What each move of the upper bound adds to the disproof number of a position with this many empty
/// squares: three quarters of a square with 12 or fewer, a sixteenth less for each square more,
/// three eighths with 18 or more.
#[inline(always)]
fn upper_bound_weight(empty: usize) -> i32 {
    12 - (empty as i32 - 12).clamp(0, 6)
}
