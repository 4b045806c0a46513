//! Sizes and set-up squares: what the root says about the board, and what setup nodes change.

use super::point::{Style, origin, squares};
use super::remark::Remark;
use super::tree::Node;
use super::value::Value;
use crate::game::board::{Bitboard, Board, BoardError, U512};
use crate::game::excerpt::excerpt;
use crate::game::rules::{self, Colour, IllegalSetup, Position, Setup, StartError};

/// Why a root or a setup node makes no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Another game.
    #[error("expected a game of Amazons, GM[18], found {0}")]
    OtherGame(String),
    /// A format that is not known.
    #[error("expected file format FF[1] to FF[4], found FF[{0}]")]
    Format(String),
    /// A size that is not one or two numbers.
    #[error("SZ: expected a number or COLUMNS:ROWS, found {0}")]
    Size(String),
    /// A size that is not supported.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A size without a start position.
    #[error("{0}, or set it up with AW, AB and AA")]
    Start(#[from] StartError),
    /// A value that names no squares of the board.
    #[error(
        "{property}: expected a point of {board} such as {example}, or a rectangle of points, found {found}"
    )]
    Point {
        /// The property.
        property: &'static str,
        /// The board.
        board: Board,
        /// The point in its upper right corner.
        example: String,
        /// The value.
        found: String,
    },
    /// A square that a node sets up twice.
    #[error("{property}: {point} is set up twice in this node")]
    Twice {
        /// The property that does it the second time.
        property: &'static str,
        /// The square.
        point: String,
    },
    /// A side to move that is no side.
    #[error("PL: expected W or B, found {0}")]
    Side(String),
    /// Squares that make no position.
    #[error(transparent)]
    Illegal(#[from] IllegalSetup),
}

/// What the properties of setup put on a square.
const KINDS: [(&str, Kind); 4] =
    [("AW", Kind::White), ("AB", Kind::Black), ("AA", Kind::Burned), ("AE", Kind::Empty)];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    White,
    Black,
    Burned,
    Empty,
}

/// The first move of a game, as it was written.
#[derive(Clone, Debug)]
pub(super) struct FirstMove {
    pub(super) colour: Colour,
    pub(super) text: String,
}

/// The first position of a game.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) position: Position,
    /// That its colours are not those of the style.
    pub(super) exchanged: Option<Remark>,
}

/// What a root says before the first position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    board: Board,
}

impl Header {
    pub(super) fn read(root: &Node) -> Result<Self, SetupError> {
        let number = |name: &str| {
            let text = root.values(name)?.first()?.simple_text();
            Some((text.trim().parse::<u32>().ok(), text.trim().to_string()))
        };
        match number("GM") {
            Some((Some(18), _)) => {}
            Some((_, text)) => return Err(SetupError::OtherGame(other_game(&text))),
            None => return Err(SetupError::OtherGame("no GM, which stands for Go".to_string())),
        }
        match number("FF") {
            None | Some((Some(1..=4), _)) => {}
            Some((_, text)) => return Err(SetupError::Format(text.chars().take(20).collect())),
        }
        Ok(Self { board: size(root)? })
    }

    /// The position that the root sets up, or the start position: with the colours of the style,
    /// but exchanged if the first move is played with an amazon of the other colour.
    pub(super) fn start(
        self,
        root: &Node,
        style: Style,
        first: Option<&FirstMove>,
    ) -> Result<Start, SetupError> {
        let turn = side(root)?.or(first.map(|first| first.colour)).unwrap_or(Colour::White);
        if KINDS.iter().any(|(name, _)| root.values(name).is_some()) {
            let none = Bitboard::EMPTY;
            let empty = Setup { board: self.board, white: none, black: none, arrows: none, turn };
            return Ok(Start { position: with_setup(root, empty)?.check()?, exchanged: None });
        }
        let mut setup = Setup { turn, ..rules::start(self.board)?.setup() };
        let mut below = Colour::White;
        if style == Style::Points && first.is_some() {
            std::mem::swap(&mut setup.white, &mut setup.black);
            below = Colour::Black;
        }
        let fits_exchanged = |first: &FirstMove| {
            let theirs = match first.colour {
                Colour::White => setup.black,
                Colour::Black => setup.white,
            };
            origin(self.board, &first.text).is_some_and(|from| theirs.contains(from))
        };
        if !first.is_some_and(fits_exchanged) {
            return Ok(Start { position: setup.check()?, exchanged: None });
        }
        std::mem::swap(&mut setup.white, &mut setup.black);
        let exchanged = Remark::ColoursExchanged { below: below.other() };
        Ok(Start { position: setup.check()?, exchanged: Some(exchanged) })
    }
}

/// The position after a setup node.
pub(super) fn set_up(node: &Node, before: &Position) -> Result<Position, SetupError> {
    let mut setup = with_setup(node, before.setup())?;
    setup.turn = side(node)?.unwrap_or(setup.turn);
    Ok(setup.check()?)
}

/// The names of games that are often met.
fn other_game(text: &str) -> String {
    let name = match text {
        "1" => " (Go)",
        "2" => " (Othello)",
        "3" => " (chess)",
        "4" => " (Gomoku)",
        "9" => " (Lines of Action)",
        "11" => " (Hex)",
        _ => "",
    };
    let text: String = text.chars().take(20).collect();
    format!("GM[{text}]{name}")
}

fn size(root: &Node) -> Result<Board, SetupError> {
    let Some(value) = root.values("SZ").and_then(<[Value]>::first) else {
        return Ok(Board::new(10, 10)?);
    };
    let side = |text: String| Board::side(text.trim());
    let sides = match value.halves() {
        Some((columns, rows)) => side(columns.simple_text()).zip(side(rows.simple_text())),
        None => side(value.simple_text()).map(|side| (side, side)),
    };
    let (columns, rows) = sides.ok_or_else(|| SetupError::Size(excerpt(value.raw())))?;
    Ok(Board::new(columns, rows)?)
}

/// The side of `PL`, if it is there.
fn side(node: &Node) -> Result<Option<Colour>, SetupError> {
    let Some(text) = node.values("PL").and_then(<[Value]>::first).map(Value::simple_text) else {
        return Ok(None);
    };
    match text.trim().to_ascii_lowercase().as_str() {
        "w" | "white" => Ok(Some(Colour::White)),
        "b" | "black" => Ok(Some(Colour::Black)),
        _ => Err(SetupError::Side(excerpt(&text))),
    }
}

/// The squares after the setup properties of a node, each of which says what stands on its squares.
fn with_setup(node: &Node, mut setup: Setup) -> Result<Setup, SetupError> {
    let mut seen = Bitboard::EMPTY;
    for (name, kind) in KINDS {
        for value in node.values(name).unwrap_or_default() {
            let set = squares_of(setup.board, name, value)?;
            if let Some(twice) = (set & seen).first() {
                let point = Style::Points.point(setup.board, twice);
                return Err(SetupError::Twice { property: name, point });
            }
            seen |= set;
            for (place, of) in [
                (&mut setup.white, Kind::White),
                (&mut setup.black, Kind::Black),
                (&mut setup.arrows, Kind::Burned),
            ] {
                *place = if kind == of { *place | set } else { place.without(set) };
            }
        }
    }
    Ok(setup)
}

/// The squares of one value; the empty value of an empty list has none.
fn squares_of(
    board: Board,
    property: &'static str,
    value: &Value,
) -> Result<Bitboard<U512>, SetupError> {
    if value.raw().trim().is_empty() {
        return Ok(Bitboard::EMPTY);
    }
    squares(board, value).ok_or_else(|| {
        let corner = board.square(board.columns() - 1, board.rows() - 1);
        let example = corner.map_or(String::new(), |corner| Style::Points.point(board, corner));
        SetupError::Point { property, board, example, found: excerpt(value.raw()) }
    })
}
