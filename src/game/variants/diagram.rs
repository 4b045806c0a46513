//! A position of a game of the family as lines of text: the diagram of its squares, and its walls.
//!
//! ```text
//! 3 . . .|q        Q white   q black   * burned   . empty
//!     -            | a wall between files   - a wall between ranks
//! 2 . . . .
//! ```

use super::position::VariantPosition;
use super::walls::{Side, Walls};
use crate::game::board::{Board, U512};
use crate::game::notation::{Symbols, diagram};

/// The position as a diagram with its walls, files, ranks and side to move; each line ends with a
/// line end.
pub fn variant_diagram(position: &VariantPosition, symbols: Symbols) -> String {
    with_walls(&diagram(position.position(), symbols), position.board(), position.walls())
}

/// A diagram with `|` for walls between files and lines of `-` for those between ranks.
fn with_walls(diagram: &str, board: Board, walls: Walls<U512>) -> String {
    if walls.is_empty() {
        return diagram.to_string();
    }
    let width = board.rows().to_string().len();
    let mut drawn = Vec::new();
    for (index, line) in diagram.lines().enumerate() {
        let Some(rank) = board.rows().checked_sub(index + 1) else {
            drawn.push(line.to_string());
            continue;
        };
        let mut symbols: Vec<char> = line.chars().collect();
        let mut below = vec![' '; symbols.len()];
        for file in 0..board.columns() {
            let square = board.square(file, rank).expect("a square of the board");
            // A square's symbol has a space before it.
            let at = width + 2 * file + 1;
            if file + 1 < board.columns() && walls.is_closed(board, square, Side::East) {
                symbols[at + 1] = '|';
            }
            if rank > 0 && walls.is_closed(board, square, Side::South) {
                below[at] = '-';
            }
        }
        drawn.push(symbols.into_iter().collect());
        if below.contains(&'-') {
            drawn.push(below.into_iter().collect::<String>().trim_end().to_string());
        }
    }
    drawn.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::{RuleSet, parse_variant_fen};
    use super::*;

    #[test]
    fn walls_stand_between_the_squares() {
        let drawn = |text: &str| {
            let position = parse_variant_fen(text, RuleSet::TROMAZONS).unwrap();
            variant_diagram(&position, Symbols::Ascii)
        };
        let walls = drawn("3q/4/Q3 w 1 c3E,b2N,a1N,d1N,a1E");
        let lines = "3 . . .|q\n    -\n2 . . . .\n  -     -\n1 Q|. . .\n  a b c d\n";
        assert!(walls.starts_with(lines), "{walls}");
        let none = parse_variant_fen("3q/4/Q3 w", RuleSet::TROMAZONS).unwrap();
        assert_eq!(drawn("3q/4/Q3 w"), diagram(none.position(), Symbols::Ascii));
        let ten = drawn("Q9/10/10/10/10/10/10/10/10/9q w 1 a10E,a9N");
        assert!(ten.starts_with("10 Q|. "), "{ten}");
        assert!(ten.contains("\n   -\n 9 . ."), "{ten}");
    }
}
