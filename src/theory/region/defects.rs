//! Counts of defective territories with any number of amazons.
//!
//! [`Census`](super::Census) counts those with one amazon, where longest plays fit a table. Two or
//! more amazons of one colour share squares and cut each other off, so each territory is searched
//! by [`Territories`](super::Territories), once for every line segment graph with amazons. Cost:
//! some ten microseconds a territory, and there are as many as regions times placements.

use super::Region;
use super::over_regions::over_regions;
use super::territory_walk::TerritoryWalk;
use crate::machine::progress::{Observer, StopFlag};

/// The largest number of defects counted apart.
pub const MAX_DEFECTS: usize = 8;

/// Territories by number of defects, as (regions, line segment graphs); those without defect at 0.
pub type Defects = [(u64, u64); MAX_DEFECTS + 1];

/// Counts the territories of `size` squares with `amazons` amazons by their defects, up to symmetry
/// and up to isomorphism; with all threads of the current pool. `None` if it was asked to stop.
///
/// # Panics
/// If `size` is not in `1..=MAX_SIZE`.
pub fn count_defects(
    size: usize,
    amazons: u32,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Option<Defects> {
    let walk = TerritoryWalk::new(amazons);
    let add = |defects: &mut Defects, region: &Region| add(defects, region, &walk);
    over_regions(("territories", size), observer, stop, add, plus)
}

/// The sum of two counts.
pub(super) fn plus(mut a: Defects, b: Defects) -> Defects {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = (a.0 + b.0, a.1 + b.1));
    a
}

fn add(defects: &mut Defects, region: &Region, walk: &TerritoryWalk) {
    walk.for_each(region, |found| {
        let (regions, graphs) = &mut defects[MAX_DEFECTS.min(found.defects as usize)];
        *regions += 1;
        *graphs += u64::from(found.is_new);
    });
}

#[cfg(test)]
mod tests {
    use super::super::Census;
    use super::*;

    #[test]
    fn one_amazon_gives_the_census() {
        for size in 1..=7 {
            let found = count_defects(size, 1, &(), &StopFlag::new()).unwrap();
            let census = Census::of(size, &(), &StopFlag::new()).unwrap();
            assert_eq!(found, census.defective);
        }
    }
}
