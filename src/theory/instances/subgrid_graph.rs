//! Cubic subgrid graphs, and how they are drawn as text.
//!
//! ```text
//! o-o-o      Vertices are points of the integer grid, edges join neighbours on it, and no vertex
//! | | |      has more than three. Vertices stand in odd columns of odd lines, edges between them.
//! o-o-o
//! ```

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// A finite graph whose vertices are points of the integer grid, whose edges join grid neighbours,
/// and none of whose vertices has more than three edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubgridGraph {
    vertices: Vec<Vertex>,
}

/// A vertex of a [`SubgridGraph`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vertex {
    /// Its row, from 0 at the top.
    pub row: usize,
    /// Its column, from 0 at the left.
    pub column: usize,
    /// Its neighbours by number, to the north, east, south and west.
    pub neighbours: [Option<usize>; 4],
}

impl Vertex {
    /// Number of edges, 0 to 3.
    pub fn degree(&self) -> usize {
        self.neighbours.iter().flatten().count()
    }
}

/// Why some text is not a cubic subgrid graph. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// No vertex at all.
    #[error("expected a graph, with o for each vertex, found none")]
    NoVertex,
    /// A character that does not belong where it stands.
    #[error("line {line}, column {column}: expected {expected}, found {found:?}")]
    Symbol {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// What may stand there.
        expected: &'static str,
        /// What does.
        found: char,
    },
    /// An edge that does not join two vertices.
    #[error("line {line}, column {column}: expected a vertex o at both ends of this edge")]
    LooseEdge {
        /// The line of the edge.
        line: usize,
        /// Its column.
        column: usize,
    },
    /// A vertex with four edges.
    #[error(
        "line {line}, column {column}: expected at most 3 edges at a vertex of a cubic graph, found {found}"
    )]
    Degree {
        /// The line of the vertex.
        line: usize,
        /// Its column.
        column: usize,
        /// Its edges.
        found: usize,
    },
    /// More rows or columns than are read.
    #[error("expected at most {most} rows and columns of vertices, found {found}", most = SubgridGraph::MAX_SIDE)]
    TooLarge {
        /// So many.
        found: usize,
    },
}

impl SubgridGraph {
    /// The most rows, and columns, of vertices.
    pub const MAX_SIDE: usize = 200;

    /// The vertices in reading order: by row, then by column.
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.vertices.iter().map(Vertex::degree).sum::<usize>() / 2
    }

    /// Whether some circuit passes every vertex once: the naive judge, which tries all paths.
    #[cfg(any(test, feature = "internals"))]
    pub fn has_hamilton_circuit(&self) -> bool {
        let mut visited = vec![false; self.vertices.len()];
        visited[0] = true;
        self.vertices.len() > 2 && self.can_close(0, 1, &mut visited)
    }

    /// Whether the path of `length` visited vertices that ends at `end` goes on to all others and
    /// then back to the first.
    #[cfg(any(test, feature = "internals"))]
    fn can_close(&self, end: usize, length: usize, visited: &mut [bool]) -> bool {
        for next in self.vertices[end].neighbours.into_iter().flatten() {
            if next == 0 && length == self.vertices.len() {
                return true;
            }
            if !visited[next] {
                visited[next] = true;
                let closes = self.can_close(next, length + 1, visited);
                visited[next] = false;
                if closes {
                    return true;
                }
            }
        }
        false
    }
}

/// What may stand at a place of the text, and what it means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glyph {
    Vertex,
    Edge(char),
    Blank,
}

impl Glyph {
    fn of(line: usize, column: usize) -> Self {
        match (line % 2, column % 2) {
            (0, 0) => Self::Vertex,
            (0, _) => Self::Edge('-'),
            (_, 0) => Self::Edge('|'),
            _ => Self::Blank,
        }
    }

    fn symbol(self) -> char {
        match self {
            Self::Vertex => 'o',
            Self::Edge(symbol) => symbol,
            Self::Blank => ' ',
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Vertex => "a vertex o or a blank",
            Self::Edge('-') => "an edge - or a blank",
            Self::Edge(_) => "an edge | or a blank",
            Self::Blank => "a blank",
        }
    }
}

impl FromStr for SubgridGraph {
    type Err = GraphError;

    fn from_str(text: &str) -> Result<Self, GraphError> {
        let (mut numbers, mut edges) = (HashMap::new(), Vec::new());
        for (line, symbols) in text.lines().enumerate() {
            for (column, found) in symbols.chars().enumerate().filter(|(_, found)| *found != ' ') {
                let place = Glyph::of(line, column);
                if found != place.symbol() {
                    let (line, column, expected) = (line + 1, column + 1, place.expected());
                    return Err(GraphError::Symbol { line, column, expected, found });
                }
                let side = line.max(column) / 2 + 1;
                if side > Self::MAX_SIDE {
                    return Err(GraphError::TooLarge { found: side });
                }
                match place {
                    Glyph::Vertex => {
                        numbers.insert((line, column), numbers.len());
                    }
                    _ => edges.push((line, column)),
                }
            }
        }
        // Every edge has a vertex at both ends.
        for &(line, column) in &edges {
            let ends = match Glyph::of(line, column) {
                Glyph::Edge('-') => [(line, column - 1), (line, column + 1)],
                _ => [(line - 1, column), (line + 1, column)],
            };
            if !ends.iter().all(|end| numbers.contains_key(end)) {
                return Err(GraphError::LooseEdge { line: line + 1, column: column + 1 });
            }
        }
        let edges: std::collections::HashSet<_> = edges.into_iter().collect();
        let mut vertices = vec![Vertex { row: 0, column: 0, neighbours: [None; 4] }; numbers.len()];
        for (&(line, column), &number) in &numbers {
            let neighbour = |(down, right): (isize, isize)| {
                let at = |steps: isize| {
                    let line = line.checked_add_signed(steps * down)?;
                    Some((line, column.checked_add_signed(steps * right)?))
                };
                edges.get(&at(1)?).and(numbers.get(&at(2)?)).copied()
            };
            let neighbours = DIRECTIONS.map(neighbour);
            vertices[number] = Vertex { row: line / 2, column: column / 2, neighbours };
        }
        let too_many = vertices.iter().find(|vertex| vertex.degree() > 3);
        match too_many {
            Some(&Vertex { row, column, .. }) => {
                Err(GraphError::Degree { line: 2 * row + 1, column: 2 * column + 1, found: 4 })
            }
            None if vertices.is_empty() => Err(GraphError::NoVertex),
            None => Ok(Self { vertices }),
        }
    }
}

/// North, east, south and west as steps down and to the right.
pub(super) const DIRECTIONS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The drawing, as it is read.
impl fmt::Display for SubgridGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<Vec<char>> = Vec::new();
        let mut put = |line: usize, column: usize| {
            lines.resize(lines.len().max(line + 1), Vec::new());
            let symbols = &mut lines[line];
            symbols.resize(symbols.len().max(column + 1), ' ');
            symbols[column] = Glyph::of(line, column).symbol();
        };
        for vertex in &self.vertices {
            let (line, column) = (2 * vertex.row, 2 * vertex.column);
            put(line, column);
            let [_, east, south, _] = vertex.neighbours.map(|neighbour| neighbour.is_some());
            if east {
                put(line, column + 1);
            }
            if south {
                put(line + 1, column);
            }
        }
        for line in lines {
            writeln!(f, "{}", String::from_iter(line))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_round_trip() {
        for text in ["o\n", "o-o-o\n|   |\no-o-o\n", "    o\n    |\no-o-o\n|\no\n"] {
            let graph: SubgridGraph = text.parse().unwrap();
            assert_eq!(graph.to_string(), text);
        }
        let graph: SubgridGraph = "o-o\r\n| |  \r\no-o".parse().unwrap();
        assert_eq!((graph.vertices().len(), graph.edges()), (4, 4));
        assert_eq!(graph.vertices()[3].neighbours, [Some(1), None, None, Some(2)]);
    }

    #[test]
    fn what_is_no_graph_is_refused_where_it_is_wrong() {
        let symbol =
            |line, column, expected, found| GraphError::Symbol { line, column, expected, found };
        for (text, error) in [
            ("", GraphError::NoVertex),
            ("  \n\n", GraphError::NoVertex),
            ("x", symbol(1, 1, "a vertex o or a blank", 'x')),
            ("o\\o", symbol(1, 2, "an edge - or a blank", '\\')),
            ("o\n-\no", symbol(2, 1, "an edge | or a blank", '-')),
            ("o o\n /\no o", symbol(2, 2, "a blank", '/')),
            ("o-", GraphError::LooseEdge { line: 1, column: 2 }),
            ("-o", symbol(1, 1, "a vertex o or a blank", '-')),
            ("o\n|", GraphError::LooseEdge { line: 2, column: 1 }),
            (" -o", GraphError::LooseEdge { line: 1, column: 2 }),
            ("\n|\no", GraphError::LooseEdge { line: 2, column: 1 }),
            ("  o\n  |\no-o-o\n  |\n  o", GraphError::Degree { line: 3, column: 3, found: 4 }),
        ] {
            assert_eq!(text.parse::<SubgridGraph>(), Err(error), "{text:?}");
        }
        let wide = "o-".repeat(SubgridGraph::MAX_SIDE) + "o";
        assert_eq!(wide.parse::<SubgridGraph>(), Err(GraphError::TooLarge { found: 201 }));
    }

    #[test]
    fn circuits_are_found_by_trying_all_paths() {
        for (text, has) in [
            ("o-o\n| |\no-o", true),
            ("o-o\n|  \no-o", false),
            ("o-o", false),
            ("o", false),
            ("o-o-o\n| | |\no-o-o", true),
            ("o-o-o\n|   |\no-o-o", true),
            ("o-o-o\n| |\no-o-o", false),
            // A bipartite graph of nine vertices has no circuit of odd length.
            ("o-o-o\n|   |\no-o-o\n| | |\no o-o", false),
        ] {
            assert_eq!(text.parse::<SubgridGraph>().unwrap().has_hamilton_circuit(), has, "{text}");
        }
    }
}
