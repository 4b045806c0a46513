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
    labelled_diagram(position, symbols, |_| None)
}

/// As [`diagram`], with labels on some of the empty squares.
pub fn labelled_diagram(
    position: &Position,
    symbols: Symbols,
    label: impl Fn(SquareIndex) -> Option<char>,
) -> String {
    let board = position.board();
    let width = board.rows().to_string().len();
    let [white, black, burned, empty] = symbols.set();
    let mut lines = Vec::new();
    for rank in (0..board.rows()).rev() {
        let squares = (0..board.columns()).filter_map(|file| board.square(file, rank));
        let symbols: String =
            squares.flat_map(|square| [' ', symbol(position, square, symbols, &label)]).collect();
        lines.push(format!("{:>width$}{symbols}", rank + 1));
    }
    let files: String = (0..board.columns()).flat_map(|file| [' ', file_letter(file)]).collect();
    lines.push(format!("{:width$}{files}", ""));
    lines.push(format!(
        "{} to move; {white} white, {black} black, {burned} burned, {empty} empty",
        position.turn()
    ));
    lines.join("\n") + "\n"
}

fn symbol(
    position: &Position,
    square: SquareIndex,
    symbols: Symbols,
    label: impl Fn(SquareIndex) -> Option<char>,
) -> char {
    let [white, black, burned, empty] = symbols.set();
    let has = |colour| position.amazons(colour).contains(square);
    match () {
        () if has(Colour::White) => white,
        () if has(Colour::Black) => black,
        () if position.setup().arrows.contains(square) => burned,
        () => label(square).unwrap_or(empty),
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
    fn ten_ranks_keep_their_columns() {
        let position = parse_fen("Q9/10/10/10/10/10/10/10/10/9q w").unwrap();
        let diagram = diagram(&position, Symbols::Ascii);
        assert!(diagram.starts_with("10 Q ."));
        assert!(diagram.contains("\n 1 . ."));
        assert!(diagram.contains("\n   a b"));
    }
}
