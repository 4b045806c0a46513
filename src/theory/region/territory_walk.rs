//! A walk over the territories of regions, each with its defects.
//!
//! A territory is searched once for every line segment graph with amazons: those with the same one
//! have the same plays.

use super::by_form::ByForm;
use super::{CanonicalGraph, Cell, LineSegmentGraph, LocalGame, Player, Region, Territories};

/// A territory that a walk comes to.
pub(super) struct Found {
    /// The canonical form of its line segment graph, amazons included.
    pub(super) form: CanonicalGraph,
    /// The territory.
    pub(super) game: LocalGame,
    /// How many fewer moves than empty squares it has.
    pub(super) defects: u32,
    /// Whether the walk has met this form for the first time; true once for each form, whatever
    /// threads walk.
    pub(super) is_new: bool,
}

/// The defects that are known, for territories with a number of amazons.
pub(super) struct TerritoryWalk {
    amazons: u32,
    territories: Territories,
    known: ByForm<u32>,
}

impl TerritoryWalk {
    pub(super) fn new(amazons: u32) -> Self {
        Self { amazons, territories: Territories::new(), known: ByForm::new() }
    }

    /// Shows the territories of a region, one of each class under its symmetries.
    pub(super) fn for_each(&self, region: &Region, mut show: impl FnMut(Found)) {
        let graph = LineSegmentGraph::of_region(region);
        let automorphisms = region.automorphisms();
        let placements = (0u32..1 << region.size()).filter(|set| set.count_ones() == self.amazons);
        for placement in placements.filter(|&set| is_first(set, &automorphisms)) {
            let form = graph.clone().with_cells(&cells(placement, region.size())).canonical().0;
            let game = LocalGame::on_region(region, placement, 0);
            let find = || self.territories.defects(&game);
            let (defects, is_new) = self.known.get_or_find(&form, find);
            show(Found { form, game, defects, is_new });
        }
    }
}

/// What stands on the points of a region.
fn cells(placement: u32, size: usize) -> Vec<Cell> {
    let cell = |point: usize| match placement >> point & 1 {
        0 => Cell::Empty,
        _ => Cell::Amazon(Player::Left),
    };
    (0..size).map(cell).collect()
}

/// Whether a placement is the first of its class under the symmetries of its region.
fn is_first(placement: u32, automorphisms: &[Vec<usize>]) -> bool {
    automorphisms.iter().all(|map| {
        let moved = (0..map.len()).filter(|&p| placement >> p & 1 != 0);
        placement <= moved.fold(0, |image, p| image | 1 << map[p])
    })
}
