//! Line segment graphs that are given by their segments.
//!
//! Segments that somebody writes down are *well-formed* if each has two points or more, none twice,
//! and no two segments have two points in common. Segments on squares keep three geometric
//! restrictions besides: a point is on at most four of them, has at most eight neighbours, and the
//! segments fall into four directions, so that no two of one direction meet. The second follows
//! from the first, the first from the third. They are necessary and not sufficient: three segments
//! of three points that meet in their ends keep them, but on squares the middles of two would
//! touch.

use super::LineSegmentGraph;

/// Why segments are not those of a line segment graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoGraph {
    /// There are too many points.
    #[error("a graph has at most {most} points, found {0}", most = LineSegmentGraph::MOST_POINTS)]
    Points(usize),
    /// A segment has a point that the graph does not have.
    #[error("segment {segment} has point {point}, but there are {points} points")]
    Unknown {
        /// The segment, from 0.
        segment: usize,
        /// The point.
        point: usize,
        /// How many points there are.
        points: usize,
    },
    /// A segment has fewer than two points.
    #[error("a segment has two points or more, segment {0} has fewer")]
    Short(usize),
    /// A segment has a point twice.
    #[error("segment {segment} has point {point} twice")]
    Twice {
        /// The segment, from 0.
        segment: usize,
        /// The point.
        point: usize,
    },
    /// Two segments have two points in common.
    #[error("segments {one} and {other} have two points in common")]
    Shared {
        /// The first, from 0.
        one: usize,
        /// The second.
        other: usize,
    },
    /// The segments do not fall into four directions.
    #[error("the segments do not fall into four directions, each without two that meet")]
    Directions,
}

impl LineSegmentGraph {
    /// The graph of empty points with these segments, each as its points in order. It looks for four
    /// directions of the segments by trying all, which may take time exponential in the segments
    /// where there are none, or few ways.
    ///
    /// # Errors
    /// The first reason why there is none.
    pub fn of_segments(points: usize, segments: &[Vec<usize>]) -> Result<Self, NoGraph> {
        if points > Self::MOST_POINTS {
            return Err(NoGraph::Points(points));
        }
        for (number, segment) in segments.iter().enumerate() {
            check_segment(points, number, segment)?;
            let shares_two = |other: &&Vec<usize>| {
                segment.iter().filter(|point| other.contains(point)).count() > 1
            };
            if let Some(one) = segments[..number].iter().position(|other| shares_two(&other)) {
                return Err(NoGraph::Shared { one, other: number });
            }
        }
        let mut next = vec![[0u8; 8]; points];
        let mut directions = vec![0; segments.len()];
        if !direct(segments, &mut directions, 0) {
            return Err(NoGraph::Directions);
        }
        for (segment, &direction) in segments.iter().zip(&directions) {
            for pair in segment.windows(2) {
                next[pair[0]][direction] = pair[1] as u8 + 1;
                next[pair[1]][direction + 4] = pair[0] as u8 + 1;
            }
        }
        Ok(Self::of_neighbours(next))
    }
}

/// Whether a segment is well-formed by itself.
fn check_segment(points: usize, number: usize, segment: &[usize]) -> Result<(), NoGraph> {
    if segment.len() < 2 {
        return Err(NoGraph::Short(number));
    }
    for (place, &point) in segment.iter().enumerate() {
        if point >= points {
            return Err(NoGraph::Unknown { segment: number, point, points });
        }
        if segment[..place].contains(&point) {
            return Err(NoGraph::Twice { segment: number, point });
        }
    }
    Ok(())
}

/// Gives each segment from number `at` on a direction that no segment before it has which it meets;
/// whether there is a way. It tries all.
fn direct(segments: &[Vec<usize>], directions: &mut [usize], at: usize) -> bool {
    if at == segments.len() {
        return true;
    }
    let meets = |other: usize| segments[other].iter().any(|point| segments[at].contains(point));
    let used: Vec<usize> = (0..at).filter(|&o| meets(o)).map(|o| directions[o]).collect();
    // Directions that nobody has yet are all alike.
    let fresh = directions[..at].iter().max().map_or(0, |most| most + 1);
    (0..4.min(fresh + 1)).filter(|direction| !used.contains(direction)).any(|direction| {
        directions[at] = direction;
        direct(segments, directions, at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Growth;
    use super::*;

    #[test]
    fn a_graph_is_that_of_its_segments() {
        for size in 1..=6 {
            for task in Growth::tasks(size) {
                task.for_each(size, &mut |region| {
                    let graph = LineSegmentGraph::of_region(&region);
                    let same = LineSegmentGraph::of_segments(size, &graph.segments()).unwrap();
                    assert_eq!(same.canonical().0, graph.canonical().0);
                    assert!(graph.is_connected());
                });
            }
        }
    }

    #[test]
    fn segments_that_make_no_graph_are_refused() {
        let of = |points, segments: &[&[usize]]| {
            let segments: Vec<_> = segments.iter().map(|segment| segment.to_vec()).collect();
            LineSegmentGraph::of_segments(points, &segments)
        };
        assert_eq!(of(2, &[&[0]]).unwrap_err(), NoGraph::Short(0));
        let unknown = NoGraph::Unknown { segment: 0, point: 2, points: 2 };
        assert_eq!(of(2, &[&[0, 2]]).unwrap_err(), unknown);
        assert_eq!(of(2, &[&[0, 1, 0]]).unwrap_err(), NoGraph::Twice { segment: 0, point: 0 });
        let shared = NoGraph::Shared { one: 0, other: 1 };
        assert_eq!(of(4, &[&[0, 1, 2], &[2, 3, 0]]).unwrap_err(), shared);
        let star: [&[usize]; 5] = [&[0, 1], &[0, 2], &[0, 3], &[0, 4], &[0, 5]];
        assert_eq!(of(6, &star).unwrap_err(), NoGraph::Directions);
        assert_eq!(of(129, &[]).unwrap_err(), NoGraph::Points(129));
    }
}
