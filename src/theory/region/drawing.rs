//! Line segment graphs as SVG pictures.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::{Growth, LineSegmentGraph, Region};

/// Pixels between neighbouring points.
const STEP: usize = 36;
const MARGIN: usize = 24;
const ACROSS: usize = 6;

/// A picture of every line segment graph of `size` points, each drawn on the first region found
/// that has it.
///
/// # Panics
/// If `size` is not in `1..=MAX_SIZE`.
pub fn graphs_svg(size: usize) -> String {
    let regions = representatives(size);
    let cell = STEP * size.saturating_sub(1) + 2 * MARGIN;
    let rows = regions.len().div_ceil(ACROSS);
    let (width, height) = (cell * regions.len().min(ACROSS), cell * rows);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n\
         <title>The {} line segment graphs of {size} points</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        regions.len()
    );
    for (i, region) in regions.iter().enumerate() {
        draw(&mut svg, region, (cell * (i % ACROSS), cell * (i / ACROSS)));
    }
    svg.push_str("</svg>\n");
    svg
}

fn representatives(size: usize) -> Vec<Region> {
    let (mut seen, mut regions) = (HashSet::new(), Vec::new());
    for task in Growth::tasks(size) {
        task.for_each(size, &mut |region| {
            if seen.insert(LineSegmentGraph::of_region(&region).canonical().0) {
                regions.push(region);
            }
        });
    }
    regions.sort_unstable();
    regions
}

fn draw(svg: &mut String, region: &Region, (left, top): (usize, usize)) {
    let points: Vec<_> = region
        .squares()
        .map(|(r, c)| (left + MARGIN + STEP * c, top + MARGIN + STEP * r))
        .collect();
    for segment in LineSegmentGraph::of_region(region).segments() {
        let (from, to) = (points[segment[0]], points[segment[segment.len() - 1]]);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#667\" stroke-width=\"2\"/>",
            from.0, from.1, to.0, to.1
        );
    }
    for (x, y) in points {
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"#234\"/>");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_graph_is_drawn_once() {
        for (size, graphs) in [(1, 1), (2, 1), (3, 3), (4, 11)] {
            let svg = super::graphs_svg(size);
            assert_eq!(svg.matches("<circle").count(), graphs * size);
        }
    }
}
