//! A position as an SVG picture that reads well on white paper and on a dark screen.
//!
//! The picture carries two sets of colours and chooses by `prefers-color-scheme`. A viewer without
//! style sheets shows the light set, which the elements carry as attributes too. On paper White's
//! crown is an outline and Black's is solid; on a dark screen White's is solid and Black's an
//! outline filled with black.

use std::fmt::Write as _;

use super::fen;
use super::square::file_letter;
use crate::game::board::{Bitboard, Board, SquareIndex, U512};
use crate::game::rules::{Colour, IndexedMove, Position};

/// Side of a square, in the units of the picture.
const SIDE: usize = 48;
/// Room for the coordinates left of and below the board.
const MARGIN: usize = 30;
/// Room right of and above the board.
const EDGE: usize = 12;

/// A class of elements: its properties on paper, then on a dark screen.
const CLASSES: [(&str, &str, &str); 13] = [
    ("paper", "fill:#ffffff", "fill:#15171b"),
    ("light", "fill:#f4f0e8", "fill:#525965"),
    ("dark", "fill:#e1d8c7", "fill:#444a55"),
    (
        "frame",
        "fill:none;stroke:#5c5346;stroke-width:1.5",
        "fill:none;stroke:#8b929e;stroke-width:1.5",
    ),
    ("text", "fill:#4a4439", "fill:#c3c9d3"),
    ("area-white", "fill:#ffffff;fill-opacity:0.75", "fill:#c9d2de;fill-opacity:0.4"),
    ("area-black", "fill:#6b5a3c;fill-opacity:0.45", "fill:#0b0c0e;fill-opacity:0.5"),
    ("area-none", "fill:#d9a441;fill-opacity:0.3", "fill:#b07a1e;fill-opacity:0.35"),
    ("warning", "fill:#a8201a", "fill:#ff8a80"),
    (
        "burned",
        "fill:#6f665a;stroke:#d8cfbf;stroke-width:2.5",
        "fill:#17191d;stroke:#6f7682;stroke-width:2.5",
    ),
    (
        "white",
        "fill:#ffffff;stroke:#1f1a14;stroke-width:1.8",
        "fill:#ffffff;stroke:#0b0c0e;stroke-width:1.8",
    ),
    (
        "black",
        "fill:#1f1a14;stroke:#1f1a14;stroke-width:1.8",
        "fill:#0b0c0e;stroke:#f2f4f7;stroke-width:1.5",
    ),
    ("last", "fill:none;stroke:#c8590d;stroke-width:3", "fill:none;stroke:#ffab4a;stroke-width:3"),
];

/// The amazon's crown, in a box of 48 x 48.
const CROWN: &str = "\
<path d=\"M12.5 32 7 17.5 15 25 15.5 13.5 21 23.5 24 11.5 27 23.5 32.5 13.5 33 25 41 17.5 35.5 32Z\"/>\
<path d=\"M12.5 34.5H35.5V39.5H12.5Z\"/>\
<circle cx=\"7\" cy=\"15.5\" r=\"2.4\"/><circle cx=\"15.5\" cy=\"11.5\" r=\"2.4\"/>\
<circle cx=\"24\" cy=\"9.5\" r=\"2.4\"/><circle cx=\"32.5\" cy=\"11.5\" r=\"2.4\"/>\
<circle cx=\"41\" cy=\"15.5\" r=\"2.4\"/>";

impl Position {
    /// A picture of the position as an SVG document, for light and dark backgrounds; 48 units a
    /// square, with coordinates.
    ///
    /// ```
    /// use amazons::Position;
    ///
    /// let picture = Position::start("4x4".parse()?)?.svg();
    /// assert!(picture.starts_with("<svg ") && picture.contains("white to move"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn svg(&self) -> String {
        svg(&Drawing::of(self))
    }
}

/// Squares that are tinted and labelled.
#[derive(Clone, Debug)]
pub struct Area {
    /// The squares.
    pub squares: Bitboard<U512>,
    /// Whose they are; `None` for nobody's.
    pub owner: Option<Colour>,
    /// What is written on each: a letter, or a few of them.
    pub label: String,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    position: &'a Position,
    last: Option<IndexedMove>,
    areas: &'a [Area],
}

impl<'a> Drawing<'a> {
    /// A position alone.
    pub fn of(position: &'a Position) -> Self {
        Self { position, last: None, areas: &[] }
    }

    /// A position and the move that led to it, which is marked; squares that are not on the board
    /// are not.
    pub fn after(position: &'a Position, last: IndexedMove) -> Self {
        Self { position, last: Some(last), areas: &[] }
    }

    /// The same with areas marked.
    pub fn with_areas(self, areas: &'a [Area]) -> Self {
        Self { areas, ..self }
    }

    /// Width and height of the picture.
    pub(super) fn size(&self) -> (usize, usize) {
        let board = self.position.board();
        (MARGIN + board.columns() * SIDE + EDGE, EDGE + board.rows() * SIDE + MARGIN)
    }
}

/// The picture as an SVG document.
pub fn svg(drawing: &Drawing<'_>) -> String {
    let position = drawing.position;
    let title = format!("{}, {} to move", fen(position), position.turn());
    let mut body = String::new();
    draw(&mut body, drawing);
    document(drawing.size(), &title, &body)
}

/// A document of some width and height around elements of the classes that a picture has.
pub(super) fn document((width, height): (usize, usize), title: &str, body: &str) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui,Helvetica,Arial,sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <title>{title}</title>\n<style>{}</style>\n\
         <defs><g id=\"amazon\" stroke-linejoin=\"round\">{CROWN}</g></defs>\n",
        style_sheet(),
    );
    element(&mut out, "rect", "paper", &format!("width=\"{width}\" height=\"{height}\""));
    out.push_str(body);
    out.push_str("</svg>\n");
    out
}

/// The elements of a picture, its upper left corner at the origin.
pub(super) fn draw(out: &mut String, drawing: &Drawing<'_>) {
    let (position, board) = (drawing.position, drawing.position.board());
    squares(out, position);
    drawing.areas.iter().for_each(|area| mark_area(out, board, area));
    coordinates(out, board);
    amazons(out, position);
    turn_mark(out, position);
    if let Some(last) = drawing.last {
        last_move(out, board, last);
    }
}

fn style_sheet() -> String {
    let rules = |of: fn(&(&str, &str, &str)) -> String| CLASSES.iter().map(of).collect::<String>();
    let paper = rules(|(class, paper, _)| format!(".{class}{{{paper}}}"));
    let screen = rules(|(class, _, screen)| format!(".{class}{{{screen}}}"));
    format!("{paper}@media(prefers-color-scheme:dark){{{screen}}}")
}

/// The colours on paper as attributes, for viewers without style sheets.
pub(super) fn attributes(class: &str) -> String {
    let paper = CLASSES.iter().find(|known| known.0 == class).map_or("", |known| known.1);
    let pairs = paper.split(';').filter_map(|property| property.split_once(':'));
    pairs.map(|(name, value)| format!(" {name}=\"{value}\"")).collect()
}

fn element(out: &mut String, name: &str, class: &str, rest: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "<{name} class=\"{class}\"{} {rest}/>", attributes(class));
}

/// The upper left corner of a square.
fn corner(board: Board, square: SquareIndex) -> (usize, usize) {
    (MARGIN + board.file(square) * SIDE, EDGE + (board.rows() - 1 - board.rank(square)) * SIDE)
}

fn squares(out: &mut String, position: &Position) {
    let board = position.board();
    for square in board.all::<U512>() {
        let (x, y) = corner(board, square);
        let shade = if (board.file(square) + board.rank(square)).is_multiple_of(2) {
            "dark"
        } else {
            "light"
        };
        element(
            out,
            "rect",
            shade,
            &format!("x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\""),
        );
        if position.setup().arrows.contains(square) {
            plate(out, x, y);
        }
    }
    let (width, height) = (board.columns() * SIDE, board.rows() * SIDE);
    element(
        out,
        "rect",
        "frame",
        &format!("x=\"{MARGIN}\" y=\"{EDGE}\" width=\"{width}\" height=\"{height}\""),
    );
}

/// A tint over each square, in the colour of its owner, and the label in its corner.
fn mark_area(out: &mut String, board: Board, area: &Area) {
    let class = match area.owner {
        Some(Colour::White) => "area-white",
        Some(Colour::Black) => "area-black",
        None => "area-none",
    };
    for square in area.squares.iter().filter(|square| square.index() < board.squares()) {
        let (x, y) = corner(board, square);
        element(
            out,
            "rect",
            class,
            &format!("x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\""),
        );
        // The middle of the text, from the left edge on.
        let (x, y) = (x + 4 + 4 * area.label.chars().count(), y + 16);
        let (colours, label) = (attributes("text"), &area.label);
        let _ = writeln!(out, "<text class=\"text\"{colours} x=\"{x}\" y=\"{y}\">{label}</text>");
    }
}

/// A burned square, as a plate with a cross.
fn plate(out: &mut String, x: usize, y: usize) {
    let (left, right, top, bottom) = (x + 16, x + 32, y + 16, y + 32);
    element(
        out,
        "rect",
        "burned",
        &format!("x=\"{}\" y=\"{}\" width=\"42\" height=\"42\" rx=\"5\"", x + 3, y + 3),
    );
    let cross = format!(
        "d=\"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}\" stroke-linecap=\"round\""
    );
    element(out, "path", "burned", &cross);
}

fn coordinates(out: &mut String, board: Board) {
    let mut label = |x: usize, y: usize, text: &str| {
        let _ = writeln!(
            out,
            "<text class=\"text\"{} x=\"{x}\" y=\"{y}\">{text}</text>",
            attributes("text")
        );
    };
    for file in 0..board.columns() {
        let (x, y) = (MARGIN + file * SIDE + SIDE / 2, EDGE + board.rows() * SIDE + 20);
        label(x, y, &file_letter(file).to_string());
    }
    for rank in 0..board.rows() {
        let y = EDGE + (board.rows() - 1 - rank) * SIDE + SIDE / 2 + 5;
        label(MARGIN / 2, y, &(rank + 1).to_string());
    }
}

fn amazons(out: &mut String, position: &Position) {
    let board = position.board();
    for (colour, class) in [(Colour::White, "white"), (Colour::Black, "black")] {
        for square in position.amazons(colour) {
            let (x, y) = corner(board, square);
            element(out, "use", class, &format!("href=\"#amazon\" x=\"{x}\" y=\"{y}\""));
        }
    }
}

/// A small crown of the side to move in the lower left corner.
fn turn_mark(out: &mut String, position: &Position) {
    let class = if position.turn() == Colour::White { "white" } else { "black" };
    let y = EDGE + position.board().rows() * SIDE + 4;
    element(
        out,
        "use",
        class,
        &format!("href=\"#amazon\" transform=\"translate(3 {y}) scale(.5)\""),
    );
}

/// A ring where the amazon came from, a line to where it stands, a dashed line to the square it
/// burned.
fn last_move(out: &mut String, board: Board, last: IndexedMove) {
    if [last.from, last.to, last.arrow].iter().any(|square| square.index() >= board.squares()) {
        return;
    }
    let [from, to, arrow] = [last.from, last.to, last.arrow].map(|square| {
        let (x, y) = corner(board, square);
        (x + SIDE / 2, y + SIDE / 2)
    });
    let ring =
        |(x, y): (usize, usize), radius: usize| format!("cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
    element(out, "circle", "last", &ring(from, 9));
    element(out, "circle", "last", &ring(to, 22));
    element(out, "path", "last", &line(from, to, 9.0, 22.0));
    let shot = format!("{} stroke-dasharray=\"5 4\"", line(to, arrow, 22.0, 20.0));
    element(out, "path", "last", &shot);
    let (x, y) = (arrow.0 - SIDE / 2 + 2, arrow.1 - SIDE / 2 + 2);
    element(
        out,
        "rect",
        "last",
        &format!("x=\"{x}\" y=\"{y}\" width=\"44\" height=\"44\" rx=\"6\""),
    );
}

/// The line between two centres without its first `start` and last `end` units.
fn line(from: (usize, usize), to: (usize, usize), start: f64, end: f64) -> String {
    let (x, y) = (from.0 as f64, from.1 as f64);
    let (dx, dy) = (to.0 as f64 - x, to.1 as f64 - y);
    let length = dx.hypot(dy).max(1.0);
    let at = |distance: f64| {
        format!("{:.1} {:.1}", x + dx * distance / length, y + dy * distance / length)
    };
    format!("d=\"M{}L{}\"", at(start), at(length - end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::{parse_fen, parse_move};

    #[test]
    fn every_square_is_drawn_once() {
        let position = parse_fen("1qq1/q2q/4/Q*1Q/1QQ1 w").unwrap();
        let picture = svg(&Drawing::of(&position));
        assert_eq!(picture.matches("href=\"#amazon\" x=").count(), 8);
        assert_eq!(picture.matches("<rect class=\"burned\"").count(), 1);
        assert_eq!(picture.matches("<text").count(), 4 + 5);
        assert!(picture.contains("<title>1qq1/q2q/4/Q*1Q/1QQ1 w, white to move</title>"));
        assert!(!picture.contains("class=\"last\""));
    }

    #[test]
    fn the_last_move_is_marked() {
        let position = parse_fen("1qq1/q2*/3q/Q2Q/1QQ1 w").unwrap();
        let last = parse_move(position.board(), "d4-d3/d4").unwrap();
        assert_eq!(svg(&Drawing::after(&position, last)).matches("class=\"last\"").count(), 5);
    }

    #[test]
    fn every_class_has_its_colours() {
        for (class, paper, screen) in CLASSES {
            assert_eq!(paper.split(';').count(), screen.split(';').count(), "{class}");
            assert!(attributes(class).contains("fill="));
        }
    }
}
