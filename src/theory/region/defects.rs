//! Counts of defective territories with any number of amazons.
//!
//! [`Census`](super::Census) counts those with one amazon, where longest plays fit a table. Two or
//! more amazons of one colour share squares and cut each other off, so each territory is searched
//! by [`Territories`], once for every line segment graph with amazons. Cost: some ten microseconds
//! a territory, and there are as many territories as regions times placements.

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use rayon::prelude::*;

use super::{
    CanonicalGraph, Cell, Growth, LineSegmentGraph, LocalGame, MAX_DEFECTS, Player, Region,
    Territories,
};
use crate::machine::progress::{Observer, StopFlag};

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
    let tasks = Growth::tasks(size);
    observer.begin(&format!("territories of size {size}"), tasks.len() as u64, "parts");
    let (territories, graphs) = (Territories::new(), DashMap::new());
    let count = |task: &Growth| {
        let mut defects = Defects::default();
        if !stop.is_set() {
            task.for_each(size, &mut |region| {
                add(&mut defects, &region, amazons, &territories, &graphs)
            });
            observer.add(1);
        }
        defects
    };
    let plus = |mut a: Defects, b: Defects| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a = (a.0 + b.0, a.1 + b.1));
        a
    };
    let defects = tasks.par_iter().map(count).reduce(Defects::default, plus);
    (!stop.is_set()).then_some(defects)
}

fn add(
    defects: &mut Defects,
    region: &Region,
    amazons: u32,
    territories: &Territories,
    graphs: &DashMap<CanonicalGraph, u8>,
) {
    let graph = LineSegmentGraph::of_region(region);
    let automorphisms = region.automorphisms();
    for placement in (0u32..1 << region.size()).filter(|set| set.count_ones() == amazons) {
        if !is_first(placement, &automorphisms) {
            continue;
        }
        let form = graph.clone().with_cells(&cells(placement, region.size())).canonical().0;
        let known = graphs.get(&form).map(|known| *known);
        let number = known.unwrap_or_else(|| {
            let number = territories.defects(&LocalGame::on_region(region, placement, 0));
            let number = number.min(MAX_DEFECTS as u32) as u8;
            if let Entry::Vacant(entry) = graphs.entry(form) {
                entry.insert(number);
                defects[usize::from(number)].1 += 1;
            }
            number
        });
        defects[usize::from(number)].0 += 1;
    }
}

/// What stands on the points of a region.
pub(super) fn cells(placement: u32, size: usize) -> Vec<Cell> {
    let cell = |point: usize| match placement >> point & 1 {
        0 => Cell::Empty,
        _ => Cell::Amazon(Player::Left),
    };
    (0..size).map(cell).collect()
}

/// Whether a placement is the first of its class under the symmetries of its region.
pub(super) fn is_first(placement: u32, automorphisms: &[Vec<usize>]) -> bool {
    automorphisms.iter().all(|map| {
        let moved = (0..map.len()).filter(|&p| placement >> p & 1 != 0);
        placement <= moved.fold(0, |image, p| image | 1 << map[p])
    })
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
