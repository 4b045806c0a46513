//! Positions, moves and regions as text and as pictures. Colours exist only here and above.
//!
//! | what | read | written |
//! |---|---|---|
//! | square | `d6` | `d6` |
//! | move | `d1-d6/g9`, `g1-b6,c7`, `d1d6,d6g9`, `d1d6g9` | `d1-d6/g9` |
//! | position | FEN, `1qq1/q2q/Q2Q/1QQ1 w`, a tail `- - 0 1` allowed | FEN without the tail |
//! | local position | `x..\|.#.\|..o`, also `X` and `O` | the same in lower case |
//! | diagram | - | ASCII, Unicode, SVG |
//!
//! Files are letters from `a`, ranks are numbers from 1 at the bottom. Every parser takes whatever a user can
//! type: it returns a value or an error that says what was expected, what was found, and where; it never
//! panics, and its cost is linear in the text.

mod colour;
mod diagram;
mod excerpt;
mod fen;
mod moves;
mod region;
mod square;
mod svg;

pub use colour::ColourError;
pub use diagram::{Symbols, diagram};
pub use fen::{FenError, fen, parse_fen};
pub use moves::{MoveError, move_text, parse_move};
pub use region::{LocalPosition, RowsError};
pub use square::{SquareError, parse_square, square_text};
pub use svg::{Drawing, svg};
