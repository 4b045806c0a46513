//! Values of all positions on strips of n x 2 squares with at most one amazon a side.
//!
//! Strips are where Amazons endgames look most like corridors, and where infinite families of
//! values have been found (E. Berlekamp, "Sums of N x 2 Amazons", 2000; R. G. Snatzke, "New results
//! of exhaustive search in the game Amazons", 2004). A position is a strip whose every square is
//! empty, burned or an amazon; those that are not one connected part are sums of shorter ones and
//! are not counted.

use std::collections::HashSet;

use super::{Dyadic, Evaluator, TooLarge, Value};
use crate::machine::bits::ones;
use crate::machine::progress::{Observer, StopFlag};
use crate::theory::region::{Cell, LocalGame, Player};
use crate::theory::stage::Stage;

/// What there is on strips of one length.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StripCensus {
    /// Connected strips with squares in the first and the last column, up to the symmetries of a
    /// strip.
    pub boards: u64,
    /// Positions with one amazon a side on them, up to the symmetries of the strip and the exchange
    /// of players.
    pub positions: u64,
    /// Distinct values among these positions.
    pub values: u64,
    /// The positions whose value is a number.
    pub numbers: u64,
    /// The highest temperature, with a position that has it.
    pub hottest: Option<(Dyadic, LocalGame)>,
}

/// Values every position of strips of `length` columns; with all threads of the current pool.
/// `None` if it was asked to stop.
///
/// # Errors
/// [`TooLarge`] if the limit of the evaluator was reached.
///
/// # Panics
/// If `length` is not in `1..=15`.
pub fn strip_census(
    evaluator: &Evaluator,
    length: u32,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<Option<StripCensus>, TooLarge> {
    assert!((1..=15).contains(&length), "strips of 1 to 15 columns");
    let strips: Vec<u32> =
        (0..1u32 << (2 * length)).filter(|&squares| is_first(squares, length)).collect();
    let name = format!("strips of {length} x 2");
    let stage = Stage { name: &name, unit: "boards", observer, stop };
    let value = |&squares: &u32| -> Result<Vec<(Value, LocalGame)>, TooLarge> {
        let games = positions(squares, length).into_iter();
        games.map(|game| Ok((evaluator.value(&game)?, game))).collect()
    };
    let joined = |mut one: Vec<_>, other| {
        one.extend(other);
        one
    };
    let found = stage.gather(&strips, value, joined)?;
    Ok(found.map(|found| summary(evaluator, strips.len() as u64, &found)))
}

fn summary(evaluator: &Evaluator, boards: u64, found: &[(Value, LocalGame)]) -> StripCensus {
    let values = evaluator.values();
    let distinct: HashSet<Value> = found.iter().map(|&(value, _)| value).collect();
    let hottest = found.iter().map(|&(value, game)| (values.temperature(value), game));
    StripCensus {
        boards,
        positions: found.len() as u64,
        values: distinct.len() as u64,
        numbers: found.iter().filter(|&&(value, _)| values.as_number(value).is_some()).count()
            as u64,
        // The first of several, so that the answer does not depend on the order of threads.
        hottest: hottest.reduce(|best, next| if next.0 > best.0 { next } else { best }),
    }
}

/// Bit `2 * column + row`: whether the strip is connected from end to end, and the largest of its
/// images.
fn is_first(squares: u32, length: u32) -> bool {
    let column = |c: u32| squares >> (2 * c) & 3;
    // Any two squares of neighbouring columns touch, so no empty column is all that is asked.
    (0..length).all(|c| column(c) != 0)
        && images(squares, length).into_iter().all(|image| image <= squares)
}

fn images(squares: u32, length: u32) -> [u32; 4] {
    let flip = |set: u32| (set >> 1 & 0x5555_5555) | (set & 0x5555_5555) << 1;
    let turn = |set: u32| {
        (0..length).fold(0, |image, c| image | (set >> (2 * c) & 3) << (2 * (length - 1 - c)))
    };
    [squares, flip(squares), turn(squares), flip(turn(squares))]
}

fn positions(squares: u32, length: u32) -> Vec<LocalGame> {
    let mut positions = Vec::new();
    let automorphisms: Vec<usize> =
        (0..4).filter(|&i| images(squares, length)[i] == squares).collect();
    for left in ones(u64::from(squares)) {
        for right in ones(u64::from(squares)).filter(|&right| right != left) {
            let pair = (1u32 << left, 1u32 << right);
            let first = automorphisms.iter().all(|&i| {
                let image = (images(pair.0, length)[i], images(pair.1, length)[i]);
                pair <= image && pair <= (image.1, image.0)
            });
            if first {
                positions.extend(game(squares, left, right));
            }
        }
    }
    positions
}

fn game(squares: u32, left: u32, right: u32) -> Option<LocalGame> {
    let cell = |bit: u32| match bit {
        bit if bit == left => Cell::Amazon(Player::Left),
        bit if bit == right => Cell::Amazon(Player::Right),
        _ => Cell::Empty,
    };
    let cells: Vec<_> = ones(u64::from(squares))
        .map(|bit| ((bit % 2) as usize, (bit / 2) as usize, cell(bit)))
        .collect();
    LocalGame::from_cells(&cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn positions_are_counted_once_for_each_class() {
        let evaluator = Evaluator::new();
        for length in 2..=4u32 {
            let mut classes = HashSet::new();
            for squares in 0..1u32 << (2 * length) {
                if (0..length).any(|c| squares >> (2 * c) & 3 == 0) {
                    continue;
                }
                for left in ones(u64::from(squares)) {
                    for right in ones(u64::from(squares)).filter(|&right| right != left) {
                        let game = game(squares, left, right).unwrap();
                        // On squares of equal sides more symmetries act on the position than on the
                        // strip.
                        let images =
                            images(squares, length).into_iter().zip(images(1 << left, length));
                        let images = images.zip(images_of(1 << right, length));
                        let mut all: Vec<_> =
                            images.map(|((s, l), r)| (s, l.min(r), l.max(r), l < r)).collect();
                        all.extend(
                            all.clone().into_iter().map(|(s, a, b, order)| (s, a, b, !order)),
                        );
                        classes.insert((all.into_iter().min().unwrap(), game.empty().count_ones()));
                    }
                }
            }
            let census = strip_census(&evaluator, length, &(), &StopFlag::new()).unwrap().unwrap();
            assert_eq!(census.positions, classes.len() as u64);
        }
    }

    fn images_of(set: u32, length: u32) -> [u32; 4] {
        images(set, length)
    }
}
