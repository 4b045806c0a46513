//! The tables of the kernel that turns blocks: for each row, which columns there are before a word.

use super::constants::Tables;
use super::sizes::Sizes;
use super::solve_tables::{numbers, set_list};
use super::spread::avoiding;
use crate::tables::counting::colex::subsets;
use crate::tables::index::TierShape;

/// The tables to turn the blocks of a tier.
pub(super) fn turn_tables(shape: &TierShape) -> Tables {
    let sizes = Sizes::of(shape);
    let mut tables = Tables::default();
    numbers(&mut tables.constants, shape, &sizes);
    tables.table("T_SETS", set_list(shape, sizes.free, sizes.movers));
    let opponents = avoiding(sizes.free, sizes.opponents);
    tables.table("T_AVOID", opponents.concat());
    let before = before(sizes.free, sizes.movers, &opponents, sizes.opponent_words);
    let turned = if sizes.movers == sizes.opponents {
        before.clone()
    } else {
        let movers = avoiding(sizes.free, sizes.movers);
        self::before(sizes.free, sizes.opponents, &movers, sizes.mover_words)
    };
    tables.table("T_BEFORE", before);
    tables.table("T_BEFORE_TURNED", turned);
    tables
}

/// For each set of a side, and each word with bits for the sets of the other: how many sets in
/// earlier words share no square with it.
fn before(squares: usize, size: usize, avoiding: &[Vec<u32>], words: usize) -> Vec<u32> {
    let mut counts = Vec::new();
    for set in subsets::<u64>(squares, size) {
        let of_set: Vec<&Vec<u32>> = (0..squares)
            .filter(|square| set >> square & 1 == 1)
            .map(|square| &avoiding[square])
            .collect();
        let mut count = 0;
        for word in 0..words {
            counts.push(count);
            let mask = of_set.iter().fold(!0u32, |mask, vector| mask & vector[word]);
            count += mask.count_ones();
        }
    }
    counts
}
