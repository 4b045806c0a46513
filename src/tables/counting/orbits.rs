//! Numbers of orbits by Burnside's lemma: the mean, over a group's maps, of how many things each
//! leaves as they are.
//!
//! A map leaves a set of squares as it is when the set is a union of the map's cycles, so the sets
//! it keeps are counted, by size, by the product over its cycles of `1 + x^length`. For positions
//! (mover, opponent, arrows) every cycle is empty or belongs to one of the three: `1 + x^length +
//! y^length + z^length`.

use crate::game::board::{Board, Symmetry};

/// Orbits of `size`-subsets of the squares under the symmetries of a board; `None` past 128 bits.
pub fn subset_orbits(board: Board, size: usize) -> Option<u128> {
    triple_orbits(board, [0, 0, size])
}

/// Orbits of triples of disjoint sets of squares of the given sizes, hence of positions with so
/// many amazons and arrows; `None` past 128 bits.
pub fn triple_orbits(board: Board, sizes: [usize; 3]) -> Option<u128> {
    let symmetries = Symmetry::all(board);
    let kept = symmetries.iter().map(|symmetry| kept_triples(&symmetry.cycles(), sizes));
    let sum = kept.sum::<Option<u128>>()?;
    Some(sum / symmetries.len() as u128)
}

/// How many triples a map with these cycles leaves as they are.
fn kept_triples(cycles: &[usize], [a, b, c]: [usize; 3]) -> Option<u128> {
    let at = |i: usize, j: usize, k: usize| (i * (b + 1) + j) * (c + 1) + k;
    let mut ways = vec![0u128; (a + 1) * (b + 1) * (c + 1)];
    ways[0] = 1;
    for &length in cycles {
        // Sizes downwards, so that the sums on the right are those without this cycle.
        for (i, j, k) in descending([a, b, c]) {
            let mut sum = ways[at(i, j, k)];
            for (i, j, k) in [
                (i.checked_sub(length), Some(j), Some(k)),
                (Some(i), j.checked_sub(length), Some(k)),
                (Some(i), Some(j), k.checked_sub(length)),
            ] {
                if let (Some(i), Some(j), Some(k)) = (i, j, k) {
                    sum = sum.checked_add(ways[at(i, j, k)])?;
                }
            }
            ways[at(i, j, k)] = sum;
        }
    }
    Some(ways[at(a, b, c)])
}

fn descending([a, b, c]: [usize; 3]) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..=a)
        .rev()
        .flat_map(move |i| (0..=b).rev().flat_map(move |j| (0..=c).rev().map(move |k| (i, j, k))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Bitboard;
    use crate::tables::counting::colex;
    use std::collections::HashSet;

    /// The smallest image of a triple; two triples share it exactly if they share an orbit.
    fn smallest(symmetries: &[Symmetry], triple: [u32; 3]) -> [u64; 3] {
        let image = |symmetry: &Symmetry| {
            triple.map(|set| symmetry.set(Bitboard::<u64>::from_word(set.into())).word())
        };
        symmetries.iter().map(image).min().unwrap()
    }

    #[test]
    fn orbits_equal_those_found_by_listing() {
        for board in ["1x1", "1x5", "2x3", "3x3", "4x2", "3x4"] {
            let board: Board = board.parse().unwrap();
            let symmetries = Symmetry::all(board);
            let n = board.squares();
            for sizes in [[0, 0, 2], [1, 0, 0], [0, 0, n], [1, 1, 1], [2, 1, 3], [0, 2, 4]] {
                let mut seen = HashSet::new();
                for a in colex::subsets(n, sizes[0]) {
                    for b in colex::subsets(n, sizes[1]).filter(|b| a & b == 0) {
                        for c in colex::subsets(n, sizes[2]).filter(|c| (a | b) & c == 0) {
                            seen.insert(smallest(&symmetries, [a, b, c]));
                        }
                    }
                }
                assert_eq!(
                    triple_orbits(board, sizes),
                    Some(seen.len() as u128),
                    "{board} {sizes:?}"
                );
            }
        }
    }

    #[test]
    fn numbers_past_128_bits_are_refused() {
        let board: Board = "10x10".parse().unwrap();
        assert_eq!(triple_orbits(board, [30, 30, 30]), None);
        assert!(subset_orbits(board, 50).is_some());
    }
}
