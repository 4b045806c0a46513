//! Counts of regions, line segment graphs and defective territories by size.
//!
//! These are tables 1 and 2 of M. Müller and T. Tegos. A defective territory is a region with one
//! amazon; two are the same if a symmetry of the square maps one to the other, or, counted as line
//! segment graphs, if an isomorphism does. Each graph is solved once, whatever the number of
//! regions that have it. Cost: a few microseconds a region for its canonical graph, tens of
//! microseconds a graph for its longest plays.

use std::collections::HashSet;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use rayon::prelude::*;

use super::lsg::MAX_POINTS;
use super::{CanonicalGraph, Cell, Growth, LineSegmentGraph, LoneAmazon, Player, Region};
use crate::machine::progress::{Observer, StopFlag};

/// The largest number of defects counted apart.
pub const MAX_DEFECTS: usize = 8;

/// What there is of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Regions.
    pub regions: u64,
    /// Distinct line segment graphs.
    pub graphs: u64,
    /// Territories with one amazon by number of defects, as (regions, graphs).
    pub defective: [(u64, u64); MAX_DEFECTS + 1],
}

impl Census {
    /// Counts what there is of `size` squares, with all threads of the current pool.
    ///
    /// `None` if it was asked to stop.
    ///
    /// # Panics
    /// If `size` is not in `1..=MAX_SIZE`.
    pub fn of(size: usize, observer: &dyn Observer, stop: &StopFlag) -> Option<Self> {
        let tasks = Growth::tasks(size);
        observer.begin(&format!("regions of size {size}"), tasks.len() as u64, "parts");
        let graphs: DashMap<CanonicalGraph, [u8; MAX_POINTS]> = DashMap::new();
        let count = |task: &Growth| {
            let mut census = Self::default();
            if stop.is_set() {
                return census;
            }
            task.for_each(size, &mut |region| census.add(&region, &graphs));
            observer.add(1);
            census
        };
        let mut census = tasks.par_iter().map(count).reduce(Self::default, Self::plus);
        if stop.is_set() {
            return None;
        }
        census.graphs = graphs.len() as u64;
        Some(census)
    }

    fn plus(mut self, other: Self) -> Self {
        self.regions += other.regions;
        self.graphs += other.graphs;
        for (mine, theirs) in self.defective.iter_mut().zip(other.defective) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        self
    }

    fn add(&mut self, region: &Region, graphs: &DashMap<CanonicalGraph, [u8; MAX_POINTS]>) {
        self.regions += 1;
        let graph = LineSegmentGraph::of_region(region);
        let (form, labels) = graph.canonical();
        let known = graphs.get(&form).map(|known| *known);
        let defects = known.unwrap_or_else(|| {
            let defects = defects_by_label(&graph, &labels);
            match graphs.entry(form) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    entry.insert(defects);
                    self.add_graph(&graph, &labels, &defects);
                    defects
                }
            }
        });
        let automorphisms = region.automorphisms();
        for point in 0..graph.points() {
            // One point of each orbit: the least.
            if automorphisms.iter().all(|map| map[point] >= point) {
                let number = usize::from(defects[labels[point] as usize]).min(MAX_DEFECTS);
                self.defective[number].0 += 1;
            }
        }
    }

    /// Counts the territories of a graph up to its isomorphisms.
    fn add_graph(
        &mut self,
        graph: &LineSegmentGraph,
        labels: &[u8; MAX_POINTS],
        defects: &[u8; MAX_POINTS],
    ) {
        let number = |point: usize| usize::from(defects[labels[point] as usize]).min(MAX_DEFECTS);
        if graph.is_rigid() {
            (0..graph.points()).for_each(|point| self.defective[number(point)].1 += 1);
            return;
        }
        let mut forms = HashSet::new();
        for point in 0..graph.points() {
            let mut cells = vec![Cell::Empty; graph.points()];
            cells[point] = Cell::Amazon(Player::Left);
            if forms.insert(graph.clone().with_cells(&cells).canonical().0) {
                self.defective[number(point)].1 += 1;
            }
        }
    }
}

fn defects_by_label(graph: &LineSegmentGraph, labels: &[u8; MAX_POINTS]) -> [u8; MAX_POINTS] {
    let mut amazon = LoneAmazon::new(graph);
    let mut defects = [0; MAX_POINTS];
    for point in 0..graph.points() {
        defects[labels[point] as usize] = amazon.defects(point) as u8;
    }
    defects
}
