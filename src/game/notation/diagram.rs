//! A position as lines of text.
//!
//! ```text
//! 4 . q q .        Q white   q black   * burned   . empty
//! 3 q . . q        white to move
//! 2 Q . . Q
//! 1 . Q Q .
//!   a b c d
//! ```

use super::square::file_letter;
use super::svg::Area;
use crate::game::board::SquareIndex;
use crate::game::rules::{Colour, Position};

/// The characters of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbols {
    /// Letters as in FEN, for every terminal.
    Ascii,
    /// Queens and blocks.
    Unicode,
}

impl Symbols {
    /// White, black, burned, empty.
    fn set(self) -> [char; 4] {
        match self {
            Self::Ascii => ['Q', 'q', '*', '.'],
            Self::Unicode => ['♕', '♛', '▒', '·'],
        }
    }
}

/// The position as a diagram with its files, ranks and side to move; each line ends with a line
/// end.
pub fn diagram(position: &Position, symbols: Symbols) -> String {
    labelled_diagram(position, symbols, &[])
}

/// As [`diagram`], with the labels of areas on their empty squares. Columns are as wide as the
/// longest label.
pub fn labelled_diagram(position: &Position, symbols: Symbols, areas: &[Area]) -> String {
    let board = position.board();
    let width = board.rows().to_string().len();
    let column = areas.iter().map(|area| area.label.chars().count()).max().unwrap_or(1).max(1);
    let [white, black, burned, empty] = symbols.set();
    let mut lines = Vec::new();
    for rank in (0..board.rows()).rev() {
        let squares = (0..board.columns()).filter_map(|file| board.square(file, rank));
        let text = |square| match symbol(position, square, symbols) {
            symbol if symbol == empty => label(areas, square).unwrap_or_else(|| symbol.to_string()),
            symbol => symbol.to_string(),
        };
        let texts: String = squares.map(|square| format!(" {:^column$}", text(square))).collect();
        lines.push(format!("{:>width$}{texts}", rank + 1).trim_end().to_string());
    }
    let letters = (0..board.columns()).map(file_letter);
    let files: String = letters.map(|letter| format!(" {letter:^column$}")).collect();
    lines.push(format!("{:width$}{files}", "").trim_end().to_string());
    lines.push(format!(
        "{} to move; {white} white, {black} black, {burned} burned, {empty} empty",
        position.turn()
    ));
    lines.join("\n") + "\n"
}

/// What is written on a square of the first area that has it.
fn label(areas: &[Area], square: SquareIndex) -> Option<String> {
    areas.iter().find(|area| area.squares.contains(square)).map(|area| area.label.clone())
}

fn symbol(position: &Position, square: SquareIndex, symbols: Symbols) -> char {
    let [white, black, burned, empty] = symbols.set();
    let has = |colour| position.amazons(colour).contains(square);
    match () {
        () if has(Colour::White) => white,
        () if has(Colour::Black) => black,
        () if position.setup().arrows.contains(square) => burned,
        () => empty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::parse_fen;

    #[test]
    fn a_diagram_is_read_like_a_board() {
        let position = parse_fen("1q*1/4/Q3 b").unwrap();
        let lines = "3 . q * .\n2 . . . .\n1 Q . . .\n  a b c d\n";
        assert!(diagram(&position, Symbols::Ascii).starts_with(lines));
        assert!(diagram(&position, Symbols::Ascii).contains("black to move"));
        assert!(diagram(&position, Symbols::Unicode).starts_with("3 · ♛ ▒ ·\n"));
    }

    #[test]
    fn long_labels_widen_the_columns() {
        let position = parse_fen("1q*/2Q w").unwrap();
        let squares = position.board().square(0, 0).into_iter().collect();
        let areas = [Area { squares, owner: None, label: "1:2".to_string() }];
        let diagram = labelled_diagram(&position, Symbols::Ascii, &areas);
        assert!(diagram.starts_with("2  .   q   *\n1 1:2  .   Q\n   a   b   c\n"), "{diagram}");
    }

    #[test]
    fn ten_ranks_keep_their_columns() {
        let position = parse_fen("Q9/10/10/10/10/10/10/10/10/9q w").unwrap();
        let diagram = diagram(&position, Symbols::Ascii);
        assert!(diagram.starts_with("10 Q ."));
        assert!(diagram.contains("\n 1 . ."));
        assert!(diagram.contains("\n   a b"));
    }
}
