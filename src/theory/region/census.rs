//! Counts of regions, line segment graphs and defective territories by size.
//!
//! These are tables 1 and 2 of M. Müller and T. Tegos. A defective territory is a region with one
//! amazon; two are the same if a symmetry of the square maps one to the other, or, counted as line
//! segment graphs, if an isomorphism does. Each graph is solved once, whatever the number of
//! regions that have it. Cost: a few microseconds a region for its canonical graph, tens of
//! microseconds a graph for its longest plays.

use std::collections::HashSet;

use super::by_form::ByForm;
use super::defects::{Defects, MAX_DEFECTS, plus};
use super::lsg::MAX_POINTS;
use super::over_regions::over_regions;
use super::{Cell, LineSegmentGraph, LoneAmazon, Player, Region};
use crate::machine::progress::{Observer, StopFlag};

/// What there is of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Regions.
    pub regions: u64,
    /// Distinct line segment graphs.
    pub graphs: u64,
    /// Territories with one amazon.
    pub defective: Defects,
}

impl Census {
    /// Counts what there is of `size` squares, with all threads of the current pool.
    ///
    /// `None` if it was asked to stop.
    ///
    /// # Panics
    /// If `size` is not in `1..=MAX_SIZE`.
    pub fn of(size: usize, observer: &dyn Observer, stop: &StopFlag) -> Option<Self> {
        let graphs: ByForm<[u8; MAX_POINTS]> = ByForm::new();
        let add = |census: &mut Self, region: &Region| census.add(region, &graphs);
        let mut census = over_regions(("regions", size), observer, stop, add, Self::plus)?;
        census.graphs = graphs.len() as u64;
        Some(census)
    }

    fn plus(mut self, other: Self) -> Self {
        self.regions += other.regions;
        self.graphs += other.graphs;
        self.defective = plus(self.defective, other.defective);
        self
    }

    fn add(&mut self, region: &Region, graphs: &ByForm<[u8; MAX_POINTS]>) {
        self.regions += 1;
        let graph = LineSegmentGraph::of_region(region);
        let (form, labels) = graph.canonical();
        let (defects, is_new) = graphs.get_or_find(&form, || defects_by_label(&graph, &labels));
        if is_new {
            self.add_graph(&graph, &labels, &defects);
        }
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
