//! The longest play of one amazon alone, on a line segment graph.
//!
//! One amazon cuts its territory but never shares it, so a position is a set of free points and a
//! point to stand on. On small graphs a table without hashing holds them all; on large ones those
//! that occur are remembered.

use super::LineSegmentGraph;
use super::play_memory::{EveryPosition, PlayMemory};
use crate::game::board::Word;

/// Longest plays of one amazon on one graph, found on demand.
#[derive(Debug)]
pub struct LoneAmazon<'a, M = EveryPosition> {
    graph: &'a LineSegmentGraph,
    memory: M,
}

impl<'a> LoneAmazon<'a> {
    /// Knows nothing yet about the graph, which must be small: its memory is that of
    /// [`EveryPosition`].
    pub fn new(graph: &'a LineSegmentGraph) -> Self {
        Self::remembering(graph, EveryPosition::of(graph.points()))
    }
}

impl<'a, M: PlayMemory> LoneAmazon<'a, M> {
    /// Knows of the graph what the memory does.
    pub fn remembering(graph: &'a LineSegmentGraph, memory: M) -> Self {
        Self { graph, memory }
    }

    /// The memory.
    pub fn into_memory(self) -> M {
        self.memory
    }

    /// The most moves an amazon on `stand` can make if every other point is empty.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn moves(&mut self, stand: usize) -> u32 {
        let points = self.graph.points();
        assert!(stand < points, "point {stand} of {points}");
        let all = M::Points::MAX >> (M::Points::BITS - points as u32);
        self.longest(all & !point::<M::Points>(stand), stand)
    }

    /// How many fewer moves than empty points an amazon on `stand` has.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn defects(&mut self, stand: usize) -> u32 {
        self.graph.points() as u32 - 1 - self.moves(stand)
    }

    fn longest(&mut self, free: M::Points, stand: usize) -> u32 {
        let free = self.within_reach(free, stand);
        if let Some(known) = self.memory.get(free, stand) {
            return known;
        }
        let moves = self.search(free, stand);
        self.memory.put(free, stand, moves);
        moves
    }

    fn search(&mut self, free: M::Points, stand: usize) -> u32 {
        let (graph, room, mut best) = (self.graph, free.count_ones(), 0);
        for step in 0..8 {
            let mut to = graph.next(stand, step);
            while let Some(reached) = to.filter(|&reached| holds(free, reached)) {
                let open = (free | point(stand)) & !point::<M::Points>(reached);
                for shot in 0..8 {
                    let mut arrow = graph.next(reached, shot);
                    while let Some(target) = arrow.filter(|&target| holds(open, target)) {
                        best =
                            best.max(1 + self.longest(open & !point::<M::Points>(target), reached));
                        if best == room {
                            return best;
                        }
                        arrow = graph.next(target, shot);
                    }
                }
                to = graph.next(reached, step);
            }
        }
        best
    }

    /// The free points connected to the stand.
    fn within_reach(&self, free: M::Points, stand: usize) -> M::Points {
        let (mut reached, mut edge) = (M::Points::ZERO, point::<M::Points>(stand));
        while edge != M::Points::ZERO {
            let from = edge.trailing_zeros() as usize;
            edge = edge & !point::<M::Points>(from);
            for direction in 0..8 {
                if let Some(next) = self.graph.next(from, direction) {
                    let new = point::<M::Points>(next) & free & !reached;
                    reached = reached | new;
                    edge = edge | new;
                }
            }
        }
        reached
    }
}

/// The set of one point.
fn point<W: Word>(number: usize) -> W {
    W::ONE << number as u32
}

fn holds<W: Word>(set: W, number: usize) -> bool {
    set & point(number) != W::ZERO
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
