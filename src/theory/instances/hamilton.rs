//! Hamilton circuits as longest plays.
//!
//! Every vertex of the graph is one square, every edge a corridor of [`LENGTH`] steps from vertex
//! to vertex. No square has two neighbours on one line through it, and none has another neighbour
//! than the squares before and after it in its corridors. So a move is one step and burns a
//! neighbour of the square reached. Who goes on along a corridor must burn the square behind, so a
//! vertex that was left is burned: a play follows a path of the graph.
//!
//! ```text
//! . * .      a vertex with three edges, in the middle: the stem is opposite to the side without an
//! * o *      edge, the arms lean towards that side. Here the stem goes south, the arms west and
//! * . *      east.
//! ```
//!
//! At a vertex with three edges the amazon may step into the corridor that it will not use, burn
//! the square ahead, and step back, which burns that corridor's first square: two moves more.
//!
//! One vertex s with two edges is cut open. The amazon begins on one neighbour of s; the corridor
//! between them is left out. The corridor from the other neighbour to s ends there. With n
//! vertices, d of them with three edges, the longest play has `5 (n - 1) + 2 d` moves if the graph
//! has a Hamilton circuit, and fewer if not. `docs/instances.md` has the proof.

use super::lone_territory::LoneTerritory;
use super::subgrid_graph::{DIRECTIONS, SubgridGraph, Vertex};

/// Steps of a corridor from vertex to vertex. With five, its four inner squares are enough for a
/// step in and back from either end.
const LENGTH: usize = 5;

/// A territory whose longest play says whether a graph has a Hamilton circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HamiltonInstance {
    territory: LoneTerritory,
    length: u32,
}

/// The graph has no Hamilton circuit, and a glance shows it.
///
/// The first vertex in reading order has no neighbour to the north or west. So some vertex has at
/// most two edges; if none has exactly two, that one has fewer than a circuit needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a vertex with exactly two edges, found none: the first vertex, line {line}, column {column}, \
     has {degree}, so the graph has no Hamilton circuit"
)]
pub struct NoCircuit {
    /// The line of the first vertex, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// Its edges, fewer than two.
    pub degree: usize,
}

impl HamiltonInstance {
    /// The territory of a graph.
    ///
    /// # Errors
    /// [`NoCircuit`] if no vertex has exactly two edges.
    pub fn new(graph: &SubgridGraph) -> Result<Self, NoCircuit> {
        let vertices = graph.vertices();
        let Some(cut) = vertices.iter().position(|vertex| vertex.degree() == 2) else {
            let first = &vertices[0];
            let (line, column) = (2 * first.row + 1, 2 * first.column + 1);
            return Err(NoCircuit { line, column, degree: first.degree() });
        };
        let begin = vertices[cut].neighbours.into_iter().flatten().next().expect("two edges");
        let mut squares = Vec::new();
        for (number, vertex) in vertices.iter().enumerate() {
            squares.push(centre(vertex));
            // Each corridor once: those to the east and to the south.
            for direction in [1, 2] {
                let Some(other) = vertex.neighbours[direction] else { continue };
                let is_cut = [number, other] == [cut, begin] || [number, other] == [begin, cut];
                if !is_cut {
                    squares.extend(corridor(vertex, &vertices[other], direction));
                }
            }
        }
        let with_three = vertices.iter().filter(|vertex| vertex.degree() == 3).count();
        let length = LENGTH * (vertices.len() - 1) + 2 * with_three;
        // A graph has at most 200 x 200 vertices.
        let length = length as u32;
        Ok(Self { territory: LoneTerritory::new(&squares, centre(&vertices[begin])), length })
    }

    /// The territory and its amazon.
    pub fn territory(&self) -> &LoneTerritory {
        &self.territory
    }

    /// The length of the longest play if the graph has a Hamilton circuit. If it has none, every
    /// play is shorter.
    pub fn length(&self) -> u32 {
        self.length
    }
}

/// A square as row and column; any square may be the origin.
type Offset = (isize, isize);

/// The square of a vertex.
fn centre(vertex: &Vertex) -> Offset {
    ((LENGTH * vertex.row) as isize, (LENGTH * vertex.column) as isize)
}

/// By how much the square beside a vertex, in the corridor of this direction, lies off the straight
/// line: the stem, opposite to the first side without an edge, not at all; an arm by one towards
/// that side.
fn lean(vertex: &Vertex, direction: usize) -> Offset {
    let bare = vertex.neighbours.iter().position(Option::is_none);
    let bare = bare.expect("a vertex has at most three edges");
    if direction == (bare + 2) % 4 { (0, 0) } else { DIRECTIONS[bare] }
}

/// The squares between two vertices, the second of which is the first one's neighbour to the east
/// (1) or the south (2).
///
/// ```text
/// offsets by the leans at the ends:   0 and 0: 0 1 1 0    a and 0: a 0 a 0    0 and b: 0 b 0 b
///                                     a and b: a 0 0 b
/// ```
/// No two steps that follow each other, those from and to the vertices among them, go the same way.
fn corridor(from: &Vertex, to: &Vertex, direction: usize) -> impl Iterator<Item = Offset> {
    let (along, across) = (DIRECTIONS[direction], DIRECTIONS[3 - direction]);
    let offset = |lean: Offset| lean.0 * across.0 + lean.1 * across.1;
    let (first, last) = (offset(lean(from, direction)), offset(lean(to, (direction + 2) % 4)));
    let inner = |near: isize, far: isize| match (near, far) {
        (0, 0) => 1,
        (0, far) => far,
        _ => 0,
    };
    let offsets = [first, inner(first, last), inner(last, first), last];
    let begin = centre(from);
    (1..).zip(offsets).map(move |(steps, offset)| {
        (
            begin.0 + steps * along.0 + offset * across.0,
            begin.1 + steps * along.1 + offset * across.1,
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::machine::progress::StopFlag;
    use crate::theory::region::{Cell, LocalGame, Player, Territories};
    use proptest::prelude::*;

    /// The graph of the grid of so many columns and rows with those of its edges whose bits are
    /// set, or `None` if a vertex has four.
    fn subgraph(columns: usize, rows: usize, edges: u64) -> Option<SubgridGraph> {
        let mut numbers = 0..;
        let mut symbol = |line: usize, column: usize| {
            let edge = match (line % 2, column % 2) {
                (0, 0) => return 'o',
                (1, 1) => return ' ',
                (0, _) => '-',
                _ => '|',
            };
            let number: u32 = numbers.next().expect("there is no end");
            if edges >> number & 1 != 0 { edge } else { ' ' }
        };
        let line = |line| (0..2 * columns - 1).map(|column| symbol(line, column)).collect();
        let lines: Vec<String> = (0..2 * rows - 1).map(line).collect();
        lines.join("\n").parse().ok()
    }

    fn edges(columns: usize, rows: usize) -> usize {
        (columns - 1) * rows + columns * (rows - 1)
    }

    fn all_subgraphs(columns: usize, rows: usize) -> impl Iterator<Item = SubgridGraph> {
        (0..1 << edges(columns, rows)).filter_map(move |set| subgraph(columns, rows, set))
    }

    /// Vertices and corridors of the drawing are those of the graph, and nothing else touches.
    fn check_drawing(graph: &SubgridGraph, instance: &HamiltonInstance) {
        let squares = instance.territory().king_graph();
        let vertices = graph.vertices();
        let cut = vertices.iter().position(|vertex| vertex.degree() == 2).unwrap();
        assert_eq!(squares.len(), vertices.len() + (LENGTH - 1) * (graph.edges() - 1));
        let degrees = |count: BTreeMap<usize, usize>, degree: usize| {
            let mut count = count;
            *count.entry(degree).or_default() += 1;
            count
        };
        let begin = vertices[cut].neighbours.into_iter().flatten().next().unwrap();
        let kept = |number: usize| match number {
            _ if number == cut || number == begin => vertices[number].degree() - 1,
            _ => vertices[number].degree(),
        };
        let expected = (0..vertices.len()).map(kept);
        let inner = std::iter::repeat_n(2, (LENGTH - 1) * (graph.edges() - 1));
        let expected = expected.chain(inner).fold(BTreeMap::new(), degrees);
        let found = squares.values().map(Vec::len).fold(BTreeMap::new(), degrees);
        assert_eq!(found, expected, "{graph}");
        for (&(row, column), near) in &squares {
            for &(r, c) in near {
                let opposite = (2 * row).checked_sub(r).zip((2 * column).checked_sub(c));
                let straight = opposite.is_some_and(|opposite| near.contains(&opposite));
                assert!(!straight, "{graph}: row {row}, column {column}");
            }
        }
    }

    fn longest(instance: &HamiltonInstance) -> u32 {
        instance.territory().longest_play(1 << 30, &StopFlag::new()).unwrap().moves
    }

    #[test]
    fn small_graphs_have_a_circuit_exactly_if_the_longest_play_has_the_stated_length() {
        let (mut with, mut without) = (0, 0);
        let small = [(2, 2), (3, 2), (2, 3), (4, 2), (3, 3)];
        let small = small.into_iter().flat_map(|(columns, rows)| all_subgraphs(columns, rows));
        let is_open = |graph: &SubgridGraph| graph.vertices().iter().any(|v| v.degree() < 2);
        let larger = all_subgraphs(4, 3).filter(|graph| !is_open(graph));
        for graph in small.chain(larger) {
            let Ok(instance) = HamiltonInstance::new(&graph) else {
                assert!(!graph.has_hamilton_circuit(), "{graph}");
                continue;
            };
            check_drawing(&graph, &instance);
            let longest = longest(&instance);
            if graph.has_hamilton_circuit() {
                assert_eq!(longest, instance.length(), "{graph}");
                with += 1;
            } else {
                assert!(longest < instance.length(), "{graph}");
                without += 1;
            }
        }
        assert_eq!((with, without), (44, 4831));
    }

    #[test]
    fn the_search_of_territories_agrees_where_the_drawing_fits() {
        let territories = Territories::new();
        let mut compared = 0;
        for graph in all_subgraphs(2, 2).chain(all_subgraphs(3, 1)) {
            let Ok(instance) = HamiltonInstance::new(&graph) else { continue };
            let drawing = instance.territory().drawing();
            let mut cells = Vec::new();
            for (row, symbols) in drawing.iter().enumerate() {
                for (column, symbol) in symbols.chars().enumerate().filter(|cell| cell.1 != '*') {
                    let cell = if symbol == 'Q' { Cell::Amazon(Player::Left) } else { Cell::Empty };
                    cells.push((row, column, cell));
                }
            }
            let game = LocalGame::from_cells(&cells).expect("it fits 64 bits");
            assert_eq!(territories.moves(&game), longest(&instance), "{graph}");
            compared += 1;
        }
        assert_eq!(compared, 10);
    }

    proptest! {
        #[test]
        fn drawings_have_the_corridors_of_the_graph(columns in 2..7usize, rows in 2..7usize, sets: [u64; 3]) {
            let Some(graph) = subgraph(columns, rows, (sets[0] | sets[1]) & sets[2] | sets[0] & sets[1]) else {
                return Ok(());
            };
            if let Ok(instance) = HamiltonInstance::new(&graph) {
                check_drawing(&graph, &instance);
            }
        }
    }
}
