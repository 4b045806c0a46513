//! Territories with any number of defects.
//!
//! The *comb* with k defects, for k of at least 2 and m = k - 1:
//!
//! ```text
//!   * l * l * l *      l  a leaf, c  a tooth's foot, e  a square between two feet or an end;
//!   * c * c * c *      the amazon begins on the first c. m feet and leaves, m + 1 squares e:
//!   e * e * e * e      3 m + 1 = 3 k - 2 squares
//! ```
//!
//! **The longest play has 2 m - 1 moves, so of 3 m empty squares it leaves m + 1 = k.** No square
//! has two neighbours that lie opposite to each other, so every move is a step to a neighbour and
//! burns a neighbour of the square reached, and the squares are a tree: c is joined to its l and to
//! the e on either side. Of a comb of m feet with the amazon on the first foot, let `C(m)` be the
//! longest play without the first e, `A(m)` with it, and `B(m)` from the first e, everything else
//! being empty. (A leaf is as good as the first e: both hang on the first c.)
//!
//! - B: the only step is to c. There burning the first e leaves C, burning the leaf leaves C, and
//!   burning the next e leaves the amazon two leaves, one move. `B(m) = 1 + max(C(m), 1)`.
//! - C, A: a step into a leaf must burn c, and ends: 1 move. With m = 1 the last e is a leaf too,
//!   so `C(1) = A(1) = 1`. Else it may step to the next e. There burning c leaves `B(m - 1)`;
//!   burning the c ahead leaves it behind with c and the leaves of c: back to c, which burns a leaf
//!   or the square left, then into a leaf, which burns c: 3 moves in all.
//!   `C(m) = A(m) = max(1, 1 + B(m - 1), 3)`.
//!
//! By induction `C(m) = A(m) = 2 m - 1` and `B(m) = 2 m`.
//!
//! For k = 1 it is the smallest defective territory: one foot with two neighbours, as `C(1)`, which
//! gives 1 move of 2.

/// The squares of a territory with `defects` defects, at least 1, as (row from the top, column).
/// The amazon stands on the first. It has `3 k - 2` squares, and 3 if k is 1.
///
/// # Panics
/// If `defects` is 0.
pub fn comb(defects: usize) -> Vec<(isize, isize)> {
    assert!(defects > 0, "a comb has a defect");
    let feet = (defects as isize - 1).max(1);
    let mut squares: Vec<_> = (0..feet).map(|foot| (1, 2 * foot + 1)).collect();
    // The first e is what k = 2 has and k = 1 has not.
    squares.extend((isize::from(defects == 1)..=feet).map(|end| (2, 2 * end)));
    squares.extend((0..feet).map(|foot| (0, 2 * foot + 1)));
    squares
}

#[cfg(test)]
mod tests {
    use super::super::{LineSegmentGraph, LoneAmazon, PositionsWithin};
    use super::*;
    use crate::machine::progress::StopFlag;

    #[test]
    fn a_comb_has_its_defects() {
        for defects in 1..=43 {
            let squares: Vec<_> =
                comb(defects).into_iter().map(|(r, c)| (r as usize, c as usize)).collect();
            assert_eq!(squares.len(), (3 * defects - 2).max(3));
            let graph = LineSegmentGraph::of_squares(&squares).unwrap();
            let memory = PositionsWithin::new(1 << 24, StopFlag::new());
            let mut amazon = LoneAmazon::remembering(&graph, memory);
            assert_eq!(amazon.defects(0) as usize, defects);
            assert!(!amazon.into_memory().was_full());
        }
    }
}
