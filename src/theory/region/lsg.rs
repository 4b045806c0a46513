//! Line segment graphs: all that the rules see of a region.
//!
//! A line segment is a maximal run of two or more points of a region on one row, column or
//! diagonal. Amazons and arrows move along segments, and only the order of the points on each
//! matters; so regions with the same line segment graph are the same game, wherever their squares
//! lie (M. Müller, "Amazons", 2002).
//!
//! A segment is kept as what it does at each of its points: a point has up to four *axes*, each
//! with the next point on one or on both sides. That determines the segments, as an axis says which
//! neighbour follows which.
//!
//! **Isomorphism.** McKay's reduction adds a vertex for each segment of three or more points and
//! asks for graph isomorphism. Here the axes take the place of these vertices: points are coloured
//! by what they hold, colours are refined by the unordered pairs of colours along each axis until
//! nothing changes, ties are broken by trying every point of the smallest class, and the least
//! description over all tries is the canonical form. The refinement leaves few ties on up to 15
//! points, so it takes microseconds.

use std::collections::HashMap;

use super::local::Cell;
use super::{Player, Region};

/// The most points of a graph with a canonical form: labels are four bits, and 0 stands for none.
pub const MAX_POINTS: usize = 15;

/// The directions of the four axes as (rows, columns), then their opposites.
const DIRECTIONS: [(isize, isize); 8] =
    [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

/// A line segment graph with amazons on some of its points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineSegmentGraph {
    /// `next[p][d]`: the point next to p in direction d, plus one; 0 for none. Directions d and d +
    /// 4 are opposite.
    next: Vec<[u8; 8]>,
    cells: Vec<Cell>,
}

/// The canonical form: equal exactly for isomorphic graphs.
///
/// One word for each point by canonical label: its axes as bytes (larger label, smaller label; each
/// plus one, 0 for none), the largest byte first. Then what stands on the points, two bits each.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CanonicalGraph {
    points: u8,
    axes: [u32; MAX_POINTS],
    cells: u32,
}

impl CanonicalGraph {
    /// Number of points.
    #[cfg(any(test, feature = "internals"))]
    pub fn points(&self) -> usize {
        self.points.into()
    }
}

impl LineSegmentGraph {
    /// The most points of a graph: sets of them have 128 bits.
    pub const MOST_POINTS: usize = 128;

    /// The graph of squares at (row, column) with what stands on them; `None` for more than
    /// [`MAX_POINTS`].
    #[cfg(any(test, feature = "internals"))]
    pub fn new(squares: &[(usize, usize, Cell)]) -> Option<Self> {
        if squares.len() > MAX_POINTS {
            return None;
        }
        let (places, cells): (Vec<_>, Vec<_>) =
            squares.iter().map(|&(row, column, cell)| ((row, column), cell)).unzip();
        Some(Self::of_squares(&places)?.with_cells(&cells))
    }

    /// The graph of empty squares at (row, column), numbered in this order; `None` for more than
    /// [`Self::MOST_POINTS`].
    pub fn of_squares(squares: &[(usize, usize)]) -> Option<Self> {
        if squares.len() > Self::MOST_POINTS {
            return None;
        }
        let numbers: HashMap<(usize, usize), u8> = squares.iter().copied().zip(1..).collect();
        let next = |&(row, column): &(usize, usize)| {
            DIRECTIONS.map(|(r, c)| {
                let to = (row.wrapping_add_signed(r), column.wrapping_add_signed(c));
                numbers.get(&to).copied().unwrap_or(0)
            })
        };
        let next = squares.iter().map(next).collect();
        Some(Self { next, cells: vec![Cell::Empty; squares.len()] })
    }

    /// The graph of a region without amazons; its points are numbered as [`Region::squares`] are.
    ///
    /// # Panics
    /// Never: a region has at most [`super::MAX_SIZE`] squares, which is no more than
    /// [`MAX_POINTS`].
    pub fn of_region(region: &Region) -> Self {
        let mut number = [[0u8; 58]; 58];
        let mut points = Vec::with_capacity(region.size());
        for (row, column) in region.squares() {
            points.push((row, column));
            number[row + 1][column + 1] = points.len() as u8;
        }
        let at = |row: usize, column: usize, (r, c): (isize, isize)| {
            number[(row + 1).wrapping_add_signed(r)][(column + 1).wrapping_add_signed(c)]
        };
        let next = points
            .iter()
            .map(|&(row, column)| DIRECTIONS.map(|step| at(row, column, step)))
            .collect();
        Self { next, cells: vec![Cell::Empty; points.len()] }
    }

    /// The graph of empty points by the neighbours of each, numbered from 1, as `next` has them.
    #[cfg(any(test, feature = "internals"))]
    pub(super) fn of_neighbours(next: Vec<[u8; 8]>) -> Self {
        let cells = vec![Cell::Empty; next.len()];
        Self { next, cells }
    }

    /// The same graph with other contents.
    ///
    /// # Panics
    /// If there is not one cell for each point.
    pub fn with_cells(mut self, cells: &[Cell]) -> Self {
        assert_eq!(cells.len(), self.next.len(), "one cell for each point");
        self.cells = cells.to_vec();
        self
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.next.len()
    }

    /// What stands on the points.
    #[cfg(any(test, feature = "internals"))]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The point next to `point` in one of eight directions, `None` if there is none. Directions d
    /// and d + 4 are opposite, and a segment keeps its direction from point to point.
    #[inline]
    pub fn next(&self, point: usize, direction: usize) -> Option<usize> {
        usize::from(self.next[point][direction]).checked_sub(1)
    }

    /// The segments of two or more points, each as its points in order.
    pub fn segments(&self) -> Vec<Vec<usize>> {
        let mut segments = Vec::new();
        for start in 0..self.points() {
            for direction in 0..4 {
                if self.next(start, direction + 4).is_none()
                    && self.next(start, direction).is_some()
                {
                    let walk =
                        std::iter::successors(Some(start), |&point| self.next(point, direction));
                    segments.push(walk.collect());
                }
            }
        }
        segments
    }

    /// The canonical form, and the canonical label of every point.
    ///
    /// # Panics
    /// If the graph has more than [`MAX_POINTS`] points.
    pub fn canonical(&self) -> (CanonicalGraph, [u8; MAX_POINTS]) {
        let mut best = None;
        self.search(self.colours(), &mut best);
        best.unwrap_or((
            CanonicalGraph { points: 0, axes: [0; MAX_POINTS], cells: 0 },
            [0; MAX_POINTS],
        ))
    }

    /// Whether the refinement of colours alone tells all points apart. Then no isomorphism of the
    /// graph with itself moves a point.
    ///
    /// # Panics
    /// If the graph has more than [`MAX_POINTS`] points.
    pub(super) fn is_rigid(&self) -> bool {
        let sorted = self.refine(&mut self.colours());
        smallest_class(&sorted[..self.points()]).is_none()
    }

    /// The colours of the points by what stands on them.
    fn colours(&self) -> [u64; MAX_POINTS] {
        let mut colours = [0; MAX_POINTS];
        for (colour, cell) in colours.iter_mut().zip(&self.cells) {
            *colour = mix(1 + u64::from(code(*cell)));
        }
        colours
    }

    fn search(
        &self,
        mut colours: [u64; MAX_POINTS],
        best: &mut Option<(CanonicalGraph, [u8; MAX_POINTS])>,
    ) {
        let sorted = self.refine(&mut colours);
        match smallest_class(&sorted[..self.points()]) {
            None => {
                let labelled = self.labelled(&colours, &sorted);
                if best.as_ref().is_none_or(|(form, _)| labelled.0 < *form) {
                    *best = Some(labelled);
                }
            }
            Some(class) => {
                for point in 0..self.points() {
                    if colours[point] == class {
                        let mut split = colours;
                        split[point] = mix(class ^ 0x5851_F42D_4C95_7F2D);
                        self.search(split, best);
                    }
                }
            }
        }
    }

    /// Refines the colours until the number of classes stays the same; the colours sorted.
    fn refine(&self, colours: &mut [u64; MAX_POINTS]) -> [u64; MAX_POINTS] {
        let n = self.points();
        let mut sorted = *colours;
        sorted[..n].sort_unstable();
        let mut classes = count_classes(&sorted[..n]);
        loop {
            let mut refined = [0; MAX_POINTS];
            for (point, next) in self.next.iter().enumerate() {
                let colour = |arm: u8| if arm == 0 { 0 } else { colours[arm as usize - 1] };
                let mut sum = colours[point];
                for axis in 0..4 {
                    let (a, b) = (colour(next[axis]), colour(next[axis + 4]));
                    // Symmetric in the two sides, and different for one pair and for another.
                    sum = sum.wrapping_add(mix(mix(a).wrapping_add(mix(b)) ^ (a ^ b)));
                }
                refined[point] = mix(sum);
            }
            let mut order = refined;
            order[..n].sort_unstable();
            let finer = count_classes(&order[..n]);
            if finer <= classes {
                return sorted;
            }
            (*colours, sorted, classes) = (refined, order, finer);
        }
    }

    /// The description of the graph when all colours differ.
    fn labelled(
        &self,
        colours: &[u64; MAX_POINTS],
        sorted: &[u64; MAX_POINTS],
    ) -> (CanonicalGraph, [u8; MAX_POINTS]) {
        let n = self.points();
        let mut labels = [0u8; MAX_POINTS];
        for point in 0..n {
            labels[point] = sorted[..n].partition_point(|&colour| colour < colours[point]) as u8;
        }
        let mut form = CanonicalGraph { points: n as u8, axes: [0; MAX_POINTS], cells: 0 };
        let label = |arm: u8| if arm == 0 { 0 } else { labels[arm as usize - 1] + 1 };
        for (point, next) in self.next.iter().enumerate() {
            let mut axes = [0, 1, 2, 3].map(|axis| {
                let (a, b) = (label(next[axis]), label(next[axis + 4]));
                a.max(b) << 4 | a.min(b)
            });
            axes.sort_unstable();
            form.axes[labels[point] as usize] = u32::from_le_bytes(axes);
            form.cells |= u32::from(code(self.cells[point])) << (2 * labels[point]);
        }
        (form, labels)
    }
}

fn code(cell: Cell) -> u8 {
    match cell {
        Cell::Empty => 0,
        Cell::Amazon(Player::Left) => 1,
        Cell::Amazon(Player::Right) => 2,
    }
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 29)
}

fn count_classes(sorted: &[u64]) -> usize {
    1 + sorted.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The colour of the smallest class of several points; the least colour among equal ones.
fn smallest_class(sorted: &[u64]) -> Option<u64> {
    sorted
        .chunk_by(|a, b| a == b)
        .filter(|class| class.len() > 1)
        .min_by_key(|class| class.len())
        .map(|c| c[0])
}

#[cfg(test)]
mod tests {
    use super::super::Growth;
    use super::*;

    fn graphs(size: usize) -> Vec<LineSegmentGraph> {
        let mut graphs = Vec::new();
        for task in Growth::tasks(size) {
            task.for_each(size, &mut |region| graphs.push(LineSegmentGraph::of_region(&region)));
        }
        graphs
    }

    /// Whether some bijection of the points maps segments to segments, by trying all.
    fn isomorphic(a: &LineSegmentGraph, b: &LineSegmentGraph) -> bool {
        fn segments(graph: &LineSegmentGraph, map: &[usize]) -> Vec<Vec<usize>> {
            let image = |segment: Vec<usize>| {
                let forward: Vec<_> = segment.iter().map(|&point| map[point]).collect();
                let backward = forward.iter().rev().copied().collect();
                forward.min(backward)
            };
            let mut images: Vec<_> = graph.segments().into_iter().map(image).collect();
            images.sort_unstable();
            images
        }
        fn permute(
            map: &mut Vec<usize>,
            at: usize,
            test: &mut dyn FnMut(&[usize]) -> bool,
        ) -> bool {
            if at == map.len() {
                return test(map);
            }
            (at..map.len()).any(|other| {
                map.swap(at, other);
                let found = permute(map, at + 1, test);
                map.swap(at, other);
                found
            })
        }
        let identity: Vec<usize> = (0..a.points()).collect();
        let target = segments(b, &identity);
        permute(&mut identity.clone(), 0, &mut |map| segments(a, map) == target)
    }

    #[test]
    fn equal_forms_are_isomorphic_graphs() {
        for size in 1..=5 {
            let graphs = graphs(size);
            for a in &graphs {
                for b in &graphs {
                    assert_eq!(a.canonical().0 == b.canonical().0, isomorphic(a, b));
                }
            }
        }
    }

    #[test]
    fn the_form_does_not_depend_on_numbering() {
        let mut seen: HashMap<CanonicalGraph, usize> = HashMap::new();
        for graph in graphs(7) {
            let n = graph.points();
            let (form, _) = graph.canonical();
            *seen.entry(form.clone()).or_default() += 1;
            for turn in 1..n {
                let moved = |point: usize| (point * 3 + turn) % n;
                let mut next = vec![[0; 8]; n];
                for (point, arms) in graph.next.iter().enumerate() {
                    // Each axis may also be turned round.
                    next[moved(point)] = std::array::from_fn(|d| {
                        let arm = arms[(d + 4 * (turn % 2)) % 8];
                        if arm == 0 { 0 } else { moved(arm as usize - 1) as u8 + 1 }
                    });
                }
                let other = LineSegmentGraph { next, cells: graph.cells.clone() };
                assert_eq!(other.canonical().0, form);
            }
        }
        assert_eq!(seen.len(), 960);
    }
}
