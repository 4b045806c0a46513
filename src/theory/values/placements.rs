//! The positions of a size, one of each class: what a census goes through.

use crate::theory::region::{Growth, Region};

/// The regions of so many squares.
pub(super) fn regions(size: usize) -> Vec<Region> {
    let mut regions = Vec::new();
    for task in Growth::tasks(size) {
        task.for_each(size, &mut |region| regions.push(region));
    }
    regions
}

/// The placements of amazons of both players that leave an empty square, one of each class under
/// the symmetries of the region and the exchange of the players.
pub(super) fn placements(region: &Region) -> Vec<(u32, u32)> {
    let size = region.size();
    let automorphisms = region.automorphisms();
    let mut placements = Vec::new();
    for left in 1u32..1 << size {
        let rest = ((1u32 << size) - 1) & !left;
        let mut right = rest;
        while right != 0 {
            if right != rest && is_first(left, right, &automorphisms) {
                placements.push((left, right));
            }
            right = (right - 1) & rest;
        }
    }
    placements
}

/// Whether a placement is the least of its class.
fn is_first(left: u32, right: u32, automorphisms: &[Vec<usize>]) -> bool {
    automorphisms.iter().all(|map| {
        let image = |set: u32| {
            (0..map.len()).filter(|&p| set >> p & 1 != 0).fold(0, |image, p| image | 1 << map[p])
        };
        let (l, r) = (image(left), image(right));
        (left, right) <= (l, r) && (left, right) <= (r, l)
    })
}
