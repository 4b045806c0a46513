//! The longest play of one amazon alone, on a line segment graph.
//!
//! One amazon cuts its territory but never shares it, so a position is a set of free points and a
//! point to stand on: at most `2^n * n` of them, few enough for a table without hashing.

use super::LineSegmentGraph;

/// Longest plays of one amazon on one graph, found on demand.
#[derive(Debug)]
pub struct LoneAmazon<'a> {
    graph: &'a LineSegmentGraph,
    /// By free points and stand: the longest play plus one, 0 if not known.
    known: Vec<u8>,
}

impl<'a> LoneAmazon<'a> {
    /// Knows nothing yet about the graph.
    pub fn new(graph: &'a LineSegmentGraph) -> Self {
        Self { graph, known: vec![0; graph.points() << graph.points()] }
    }

    /// The most moves an amazon on `stand` can make if every other point is empty.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn moves(&mut self, stand: usize) -> u32 {
        self.longest(((1u32 << self.graph.points()) - 1) & !(1 << stand), stand)
    }

    /// How many fewer moves than empty points an amazon on `stand` has.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn defects(&mut self, stand: usize) -> u32 {
        self.graph.points() as u32 - 1 - self.moves(stand)
    }

    fn longest(&mut self, free: u32, stand: usize) -> u32 {
        let free = self.within_reach(free, stand);
        let place = (free as usize) * self.graph.points() + stand;
        if self.known[place] != 0 {
            return u32::from(self.known[place]) - 1;
        }
        let moves = self.search(free, stand);
        self.known[place] = moves as u8 + 1;
        moves
    }

    fn search(&mut self, free: u32, stand: usize) -> u32 {
        let (graph, room, mut best) = (self.graph, free.count_ones(), 0);
        for step in 0..8 {
            let mut to = graph.next(stand, step);
            while let Some(point) = to.filter(|&point| free >> point & 1 != 0) {
                let open = (free | 1 << stand) & !(1 << point);
                for shot in 0..8 {
                    let mut arrow = graph.next(point, shot);
                    while let Some(target) = arrow.filter(|&target| open >> target & 1 != 0) {
                        best = best.max(1 + self.longest(open & !(1 << target), point));
                        if best == room {
                            return best;
                        }
                        arrow = graph.next(target, shot);
                    }
                }
                to = graph.next(point, step);
            }
        }
        best
    }

    /// The free points connected to the stand.
    fn within_reach(&self, free: u32, stand: usize) -> u32 {
        let (mut reached, mut edge) = (0u32, 1u32 << stand);
        while edge != 0 {
            let point = edge.trailing_zeros() as usize;
            edge &= edge - 1;
            for direction in 0..8 {
                if let Some(next) = self.graph.next(point, direction) {
                    let new = 1 << next & free & !reached;
                    reached |= new;
                    edge |= new;
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::region::{Growth, LocalGame, Territories};

    #[test]
    fn it_agrees_with_the_search_of_all_moves() {
        let territories = Territories::new();
        for size in 1..=7 {
            for task in Growth::tasks(size) {
                task.for_each(size, &mut |region| {
                    let graph = LineSegmentGraph::of_region(&region);
                    let mut amazon = LoneAmazon::new(&graph);
                    for point in 0..size {
                        let game = LocalGame::on_region(&region, 1 << point, 0);
                        assert_eq!(amazon.moves(point), territories.moves(&game), "{game}");
                        assert_eq!(amazon.defects(point), territories.defects(&game), "{game}");
                    }
                });
            }
        }
    }
}
