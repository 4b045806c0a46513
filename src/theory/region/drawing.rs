//! Line segment graphs as SVG pictures.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use super::{Cell, DeadEnd, Growth, LineSegmentGraph, LocalGame, Region};
use crate::machine::bits::ones;

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
    let title = format!("The {} line segment graphs of {size} points", regions.len());
    let mut svg = document((width, height), &title);
    for (i, region) in regions.iter().enumerate() {
        draw_region(&mut svg, region, (cell * (i % ACROSS), cell * (i / ACROSS)));
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

/// Pixels of a side of a square.
const SQUARE: usize = 20;
/// Areas of one line segment graph that are drawn.
const DRAWN: usize = 12;
const EMPTY: &str = "#f4efe2";
/// The colours of dead ends, over and over.
const DEAD: [&str; 6] = ["#9ecae1", "#fdae6b", "#a1d99b", "#bcbddc", "#fdd0a2", "#c7e9c0"];

/// Rows of pictures: each begins with a line segment graph, and then has the territories of that
/// graph, at most 12 of them. An amazon is a ring in the graph and a disc on its square.
pub fn territories_svg(groups: &[Vec<LocalGame>]) -> String {
    let drawn = |group: &Vec<LocalGame>| group.len().min(DRAWN);
    let side = |game: &LocalGame| {
        let cells = game.cells();
        cells.iter().map(|&(row, column, _)| row.max(column) + 1).max().unwrap_or(1)
    };
    let sides = groups.iter().flat_map(|group| group.iter().take(DRAWN).map(side));
    let longest = sides.max().unwrap_or(1);
    let cell = (STEP * (longest - 1) + 2 * MARGIN).max(SQUARE * longest + MARGIN);
    let across = 1 + groups.iter().map(drawn).max().unwrap_or(0).min(ACROSS);
    let lines = |group: &Vec<LocalGame>| drawn(group).div_ceil(ACROSS).max(1);
    let height = cell * groups.iter().map(lines).sum::<usize>();
    let mut svg = document((cell * across, height), "Territories and their line segment graphs");
    let mut top = 0;
    for group in groups {
        if let Some(first) = group.first() {
            draw_territory(&mut svg, first, (0, top));
        }
        for (i, game) in group.iter().take(DRAWN).enumerate() {
            let corner = (cell * (1 + i % ACROSS), top + cell * (i / ACROSS));
            draw_area(&mut svg, game, corner, |_| EMPTY);
        }
        top += cell * lines(group);
    }
    svg.push_str("</svg>\n");
    svg
}

/// A territory whose dead ends are coloured, each with a ring on its entrance.
pub fn dead_ends_svg(game: &LocalGame, ends: &[DeadEnd]) -> String {
    let cells = game.cells();
    let most = |of: fn(&(usize, usize, Cell)) -> usize| cells.iter().map(of).max().unwrap_or(0) + 1;
    let size = (SQUARE * most(|cell| cell.1) + MARGIN, SQUARE * most(|cell| cell.0) + MARGIN);
    let mut svg = document(size, "A territory and its dead ends");
    let colour = |bit: u32| {
        let end = ends.iter().position(|end| end.squares >> bit & 1 != 0);
        end.map_or(EMPTY, |end| DEAD[end % DEAD.len()])
    };
    draw_area(&mut svg, game, (0, 0), colour);
    for (number, end) in ends.iter().enumerate() {
        let (row, column) = game.place(end.entrance.trailing_zeros());
        let (x, y) = middle((row, column), (0, 0));
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{}\" stroke=\"#234\"/>",
            DEAD[number % DEAD.len()]
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The head of a picture.
fn document((width, height): (usize, usize), title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

/// The graph of a region.
fn draw_region(svg: &mut String, region: &Region, corner: (usize, usize)) {
    let places: Vec<_> = region.squares().collect();
    let segments = LineSegmentGraph::of_region(region).segments();
    draw_graph(svg, (&places, &segments), corner, |_| "fill=\"#234\"");
}

/// The graph of a territory.
fn draw_territory(svg: &mut String, game: &LocalGame, corner: (usize, usize)) {
    let cells = game.cells();
    let places: Vec<_> = cells.iter().map(|&(row, column, _)| (row, column)).collect();
    let graph = LineSegmentGraph::of_squares(&places);
    let segments = graph.map(|graph| graph.segments()).unwrap_or_default();
    let look = |point: usize| match cells[point].2 {
        Cell::Empty => "fill=\"#234\" stroke=\"#234\" stroke-width=\"2\"",
        _ => "fill=\"white\" stroke=\"#234\" stroke-width=\"2\"",
    };
    draw_graph(svg, (&places, &segments), corner, look);
}

/// A graph by its points' places and its segments; `look` says how the circle of a point looks.
fn draw_graph(
    svg: &mut String,
    (places, segments): (&[(usize, usize)], &[Vec<usize>]),
    (left, top): (usize, usize),
    look: impl Fn(usize) -> &'static str,
) {
    let points: Vec<_> =
        places.iter().map(|(r, c)| (left + MARGIN + STEP * c, top + MARGIN + STEP * r)).collect();
    for segment in segments {
        let (from, to) = (points[segment[0]], points[segment[segment.len() - 1]]);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#667\" stroke-width=\"2\"/>",
            from.0, from.1, to.0, to.1
        );
    }
    for (point, (x, y)) in points.into_iter().enumerate() {
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" {}/>", look(point));
    }
}

/// The squares of a position, each in the colour that its bit has. Those of one colour are one
/// path, which keeps pictures of many positions small.
fn draw_area(
    svg: &mut String,
    game: &LocalGame,
    corner: (usize, usize),
    colour: impl Fn(u32) -> &'static str,
) {
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    for bit in ones(game.squares()) {
        let (x, y) = middle(game.place(bit), corner);
        let (left, top) = (x - SQUARE / 2, y - SQUARE / 2);
        let path = paths.entry(colour(bit)).or_default();
        // Writing to a string cannot fail.
        let _ = write!(path, "M{left} {top}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    for (colour, path) in paths {
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"{colour}\" stroke=\"#667\"/>");
    }
    for bit in ones(game.squares() & !game.empty()) {
        let (x, y) = middle(game.place(bit), corner);
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"#234\"/>");
    }
}

/// The middle of a square of a picture that begins at `corner`.
fn middle((row, column): (usize, usize), corner: (usize, usize)) -> (usize, usize) {
    let at = |place: usize| (MARGIN + SQUARE) / 2 + SQUARE * place;
    (corner.0 + at(column), corner.1 + at(row))
}

#[cfg(test)]
mod tests {
    use super::super::{WantedTerritories, dead_ends, defective_territories};
    use super::*;
    use crate::machine::progress::StopFlag;

    #[test]
    fn territories_are_drawn_beside_their_graph() {
        let wanted = WantedTerritories { size: 4, amazons: 1, defects: 1 };
        let groups = defective_territories(wanted, &(), &StopFlag::new()).unwrap();
        let svg = territories_svg(&groups);
        let territories: usize = groups.iter().map(Vec::len).sum();
        assert_eq!((groups.len(), territories), (1, 2));
        assert_eq!(svg.matches("h20v20h-20z").count(), 4 * territories);
        // A point for each square of the graph, and a disc for each amazon.
        assert_eq!(svg.matches("<circle").count(), 4 + territories);
    }

    #[test]
    fn dead_ends_have_their_colours() {
        let cells = ["x.###", "##.##", "#.###", "##.##", "#####"].iter().enumerate();
        let cells: Vec<_> = cells
            .flat_map(|(row, text)| {
                text.chars().enumerate().filter_map(move |(column, letter)| match letter {
                    '.' => Some((row, column, Cell::Empty)),
                    'x' => Some((row, column, Cell::Amazon(super::super::Player::Left))),
                    _ => None,
                })
            })
            .collect();
        let game = LocalGame::from_cells(&cells).unwrap();
        let ends = dead_ends(&game);
        let svg = dead_ends_svg(&game, &ends);
        assert_eq!(svg.matches("h20v20h-20z").count(), cells.len());
        assert_eq!(svg.matches("<circle").count(), 1 + ends.len());
    }

    #[test]
    fn every_graph_is_drawn_once() {
        for (size, graphs) in [(1, 1), (2, 1), (3, 3), (4, 11)] {
            let svg = graphs_svg(size);
            assert_eq!(svg.matches("<circle").count(), graphs * size);
        }
    }
}
