//! Distances in a line segment graph.
//!
//! The *line distance* of two points on one segment is by how many places they are apart there. A
//! *path* is a sequence of points, each the neighbour of the one before on some segment; its length
//! is the number of its steps, which are line distances of 1. The *distance* of two points is the
//! length of a shortest path, and a graph is *connected* if each two points have one. On a region
//! the distance is the number of king's steps within it.

use std::collections::VecDeque;

use super::LineSegmentGraph;

impl LineSegmentGraph {
    /// By how many places two points are apart on their segment; `None` if none has both. A point
    /// is 0 from itself.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn line_distance(&self, one: usize, other: usize) -> Option<usize> {
        if one == other {
            return Some(0);
        }
        let along = |direction: usize| {
            let mut walk = std::iter::successors(Some(one), |&at| self.next(at, direction));
            walk.position(|at| at == other)
        };
        (0..8).find_map(along)
    }

    /// The points of a shortest path, both ends included; `None` if there is no path.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let steps = self.steps_to(to);
        let mut path = vec![from];
        let mut left = steps[from]?;
        while left > 0 {
            left -= 1;
            let at = path[path.len() - 1];
            let next = (0..8).filter_map(|direction| self.next(at, direction));
            path.push(next.into_iter().find(|&next| steps[next] == Some(left))?);
        }
        Some(path)
    }

    /// The length of a shortest path; `None` if there is none.
    ///
    /// # Panics
    /// If there is no such point.
    pub fn distance(&self, one: usize, other: usize) -> Option<usize> {
        self.steps_to(other)[one]
    }

    /// Whether there is a path between each two points.
    pub fn is_connected(&self) -> bool {
        self.points() == 0 || self.steps_to(0).iter().all(Option::is_some)
    }

    /// The distance of every point to one.
    fn steps_to(&self, to: usize) -> Vec<Option<usize>> {
        let mut steps = vec![None; self.points()];
        steps[to] = Some(0);
        let mut edge = VecDeque::from([(to, 0)]);
        while let Some((at, far)) = edge.pop_front() {
            for next in (0..8).filter_map(|direction| self.next(at, direction)) {
                if steps[next].is_none() {
                    steps[next] = Some(far + 1);
                    edge.push_back((next, far + 1));
                }
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::super::Growth;
    use super::*;

    /// Distances against steps of a king that are tried one by one, by relaxing every pair.
    #[test]
    fn the_distance_is_that_of_a_king() {
        for task in Growth::tasks(7) {
            task.for_each(7, &mut |region| {
                let squares: Vec<_> = region.squares().collect();
                let graph = LineSegmentGraph::of_region(&region);
                let touch =
                    |a: (usize, usize), b: (usize, usize)| a.0.abs_diff(b.0).max(a.1.abs_diff(b.1));
                let mut far = vec![vec![usize::MAX / 2; 7]; 7];
                for (a, row) in far.iter_mut().enumerate() {
                    for (b, steps) in row.iter_mut().enumerate() {
                        if touch(squares[a], squares[b]) < 2 {
                            *steps = usize::from(a != b);
                        }
                    }
                }
                for middle in 0..7 {
                    for a in 0..7 {
                        for b in 0..7 {
                            far[a][b] = far[a][b].min(far[a][middle] + far[middle][b]);
                        }
                    }
                }
                for a in 0..7 {
                    for b in 0..7 {
                        assert_eq!(graph.distance(a, b), Some(far[a][b]));
                        let path = graph.path(a, b).unwrap();
                        assert_eq!(
                            (path[0], path[path.len() - 1], path.len()),
                            (a, b, far[a][b] + 1)
                        );
                        assert!(
                            path.windows(2).all(|p| graph.line_distance(p[0], p[1]) == Some(1))
                        );
                        // On one line with nothing burned between: as far as on the board.
                        if let Some(places) = graph.line_distance(a, b) {
                            assert_eq!(places, touch(squares[a], squares[b]));
                        }
                    }
                }
            });
        }
    }

    #[test]
    fn what_is_apart_has_no_distance() {
        let segments = [vec![0, 1, 2], vec![3, 4]];
        let apart = LineSegmentGraph::of_segments(5, &segments).unwrap();
        assert!(!apart.is_connected());
        assert_eq!((apart.distance(0, 2), apart.distance(0, 3)), (Some(2), None));
        assert_eq!((apart.line_distance(2, 0), apart.line_distance(2, 3)), (Some(2), None));
        assert_eq!(apart.path(2, 4), None);
    }
}
