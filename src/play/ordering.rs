//! Which moves are tried first: those that were good in other positions of the same search.

use crate::game::board::Board;
use crate::game::rules::IndexedMove;

/// What a thread has learned of moves so far.
///
/// A move is a step and a shot; each has its own count (*history*), as the same step with a
/// thousand shots would otherwise be learned a thousand times. *Killers* are the last two moves
/// that refuted a position as deep as this.
#[derive(Clone, Debug)]
pub(super) struct Ordering {
    squares: usize,
    steps: [Box<[i32]>; 2],
    shots: [Box<[i32]>; 2],
    killers: Vec<[Option<IndexedMove>; 2]>,
}

/// Counts are halved when one gets this high.
const HIGHEST: i32 = 1 << 20;

impl Ordering {
    /// Nothing is learned yet.
    pub(super) fn new(board: Board) -> Self {
        let squares = board.squares();
        let zeros = || vec![0; squares * squares].into_boxed_slice();
        Self {
            squares,
            steps: [zeros(), zeros()],
            shots: [zeros(), zeros()],
            killers: vec![[None; 2]; squares + 1],
        }
    }

    fn places(&self, played: IndexedMove) -> (usize, usize) {
        let place = |a: crate::game::board::SquareIndex, b: crate::game::board::SquareIndex| {
            a.index() * self.squares + b.index()
        };
        (place(played.from, played.to), place(played.to, played.arrow))
    }

    /// How good a move of `side` has been elsewhere.
    #[inline(always)]
    pub(super) fn history(&self, side: usize, played: IndexedMove) -> i32 {
        let (step, shot) = self.places(played);
        self.steps[side][step] + self.shots[side][shot]
    }

    /// The last refutations at a number of moves from the root.
    #[inline(always)]
    pub(super) fn killers(&self, ply: usize) -> [Option<IndexedMove>; 2] {
        self.killers[ply]
    }

    /// A move of `side` was too good for the opponent.
    pub(super) fn refuted(&mut self, side: usize, ply: usize, played: IndexedMove, depth: u32) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(played) {
            (*second, *first) = (*first, Some(played));
        }
        let (step, shot) = self.places(played);
        let weight = (depth * depth) as i32;
        self.steps[side][step] += weight;
        self.shots[side][shot] += weight;
        if self.steps[side][step].max(self.shots[side][shot]) >= HIGHEST {
            let counts = self.steps[side].iter_mut().chain(self.shots[side].iter_mut());
            counts.for_each(|count| *count /= 2);
        }
    }
}
