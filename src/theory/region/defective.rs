//! Lists of defective territories, by their line segment graphs.

use std::collections::BTreeMap;

use super::over_regions::over_regions;
use super::territory_walk::TerritoryWalk;
use super::{CanonicalGraph, LocalGame, Region};
use crate::machine::progress::{Observer, StopFlag};

/// Which territories are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WantedTerritories {
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
    wanted: WantedTerritories,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Option<Vec<Vec<LocalGame>>> {
    let walk = TerritoryWalk::new(wanted.amazons);
    let add = |listed: &mut Listed, region: &Region| add(listed, region, wanted.defects, &walk);
    let merged = |mut one: Listed, other: Listed| {
        for (form, territories) in other {
            one.entry(form).or_default().extend(territories);
        }
        one
    };
    let listed = over_regions(("territories", wanted.size), observer, stop, add, merged)?;
    let mut groups: Vec<Vec<LocalGame>> = listed.into_values().collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    Some(groups)
}

/// Territories by the canonical form of their line segment graph, amazons included.
type Listed = BTreeMap<CanonicalGraph, Vec<LocalGame>>;

fn add(listed: &mut Listed, region: &Region, defects: u32, walk: &TerritoryWalk) {
    walk.for_each(region, |found| {
        if found.defects == defects {
            listed.entry(found.form).or_default().push(found.game);
        }
    });
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
                let wanted = WantedTerritories { size, amazons, defects };
                let groups = defective_territories(wanted, &(), &StopFlag::new()).unwrap();
                let listed: usize = groups.iter().map(Vec::len).sum();
                let counted = counted[defects as usize];
                assert_eq!((listed as u64, groups.len() as u64), counted, "{wanted:?}");
            }
        }
    }
}
