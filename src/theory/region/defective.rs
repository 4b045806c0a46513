//! Lists of defective territories, by their line segment graphs.

use std::collections::BTreeMap;

use dashmap::DashMap;
use rayon::prelude::*;

use super::defects::{cells, is_first};
use super::{CanonicalGraph, Growth, LineSegmentGraph, LocalGame, Region, Territories};
use crate::machine::progress::{Observer, StopFlag};

/// Which territories are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Squares, those of the amazons included.
    pub size: usize,
    /// Amazons, all of one colour.
    pub amazons: u32,
    /// How many fewer moves than empty squares there are; 0 for those without defect.
    pub defects: u32,
}

/// The territories that are wanted, one of each class under the symmetries of the square, those
/// with the same line segment graph together; with all threads of the current pool. `None` if it
/// was asked to stop.
///
/// # Panics
/// If the size is not in `1..=MAX_SIZE`.
pub fn defective_territories(
    wanted: Wanted,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Option<Vec<Vec<LocalGame>>> {
    let tasks = Growth::tasks(wanted.size);
    observer.begin(&format!("territories of size {}", wanted.size), tasks.len() as u64, "parts");
    let search = Search { wanted, territories: Territories::new(), defects: DashMap::new() };
    let list = |task: &Growth| {
        let mut found = Found::new();
        if !stop.is_set() {
            task.for_each(wanted.size, &mut |region| search.add(&mut found, &region));
            observer.add(1);
        }
        found
    };
    let merged = |mut one: Found, other: Found| {
        for (form, territories) in other {
            one.entry(form).or_default().extend(territories);
        }
        one
    };
    let found = tasks.par_iter().map(list).reduce(Found::new, merged);
    let mut groups: Vec<Vec<LocalGame>> = found.into_values().collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    (!stop.is_set()).then_some(groups)
}

/// Territories by the canonical form of their line segment graph, amazons included.
type Found = BTreeMap<CanonicalGraph, Vec<LocalGame>>;

struct Search {
    wanted: Wanted,
    territories: Territories,
    defects: DashMap<CanonicalGraph, u32>,
}

impl Search {
    fn add(&self, found: &mut Found, region: &Region) {
        let graph = LineSegmentGraph::of_region(region);
        let automorphisms = region.automorphisms();
        let placements =
            (0u32..1 << region.size()).filter(|set| set.count_ones() == self.wanted.amazons);
        for placement in placements.filter(|&set| is_first(set, &automorphisms)) {
            let form = graph.clone().with_cells(&cells(placement, region.size())).canonical().0;
            let game = LocalGame::on_region(region, placement, 0);
            let known = self.defects.get(&form).map(|known| *known);
            let defects = known.unwrap_or_else(|| {
                let defects = self.territories.defects(&game);
                self.defects.insert(form.clone(), defects);
                defects
            });
            if defects == self.wanted.defects {
                found.entry(form).or_default().push(game);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::count_defects;
    use super::*;

    #[test]
    fn as_many_are_listed_as_are_counted() {
        for (size, amazons) in [(4, 1), (6, 1), (5, 2), (6, 3)] {
            let counted = count_defects(size, amazons, &(), &StopFlag::new()).unwrap();
            for defects in 0..3 {
                let wanted = Wanted { size, amazons, defects };
                let groups = defective_territories(wanted, &(), &StopFlag::new()).unwrap();
                let listed: usize = groups.iter().map(Vec::len).sum();
                let counted = counted[defects as usize];
                assert_eq!((listed as u64, groups.len() as u64), counted, "{wanted:?}");
            }
        }
    }
}
