//! Positions, moves and regions as text and as pictures. Colours exist only here and above.
//!
//! | what | read | written |
//! |---|---|---|
//! | square | `d6` | `d6` |
//! | move | `d1-d6/g9`, `g1-b6,c7`, `d1d6,d6g9`, `d1d6g9` and more, see [`Move`](crate::game::Move) | `d1-d6/g9` |
//! | position | FEN, `1qq1/q2q/Q2Q/1QQ1 w`, a pocket and a tail `- - 0 1` allowed | FEN without them |
//! | local position | `x..\|.#.\|..o`, also `X` and `O` | the same in lower case |
//! | diagram | - | ASCII, Unicode, SVG |
//! | game | SGF, GGF, lists of moves, see [`record`] | SGF, see [`sgf`]; a list of moves |
//!
//! Files are letters from `a`, ranks are numbers from 1 at the bottom. Every parser takes whatever
//! a user can type: it returns a value or an error that says what was expected, what was found, and
//! where; it never panics, and its cost is linear in the text.
//!
//! ```
//! use amazons::game::notation::{fen, parse_fen, play_text};
//!
//! let start = parse_fen("1q1q1/q3q/5/Q3Q/1Q1Q1 w")?;
//! let (_, after) = play_text(&start, "b1-b3/d3")?;
//! assert_eq!(fen(&after), "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b");
//!
//! let error = play_text(&start, "b1-b5/d3").unwrap_err();
//! assert!(error.to_string().ends_with("the amazon on b1 has no queen move over empty squares to b5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod colour;
mod column;
mod diagram;
mod fen;
mod moves;
pub(super) mod packed;
mod play;
pub mod record;
mod region;
pub mod sgf;
mod square;
mod svg;

pub use colour::ColourError;
pub use column::{Captioned, column};
pub use diagram::{Symbols, diagram, labelled_diagram};
pub use fen::{FenError, fen, parse_fen};
pub(crate) use fen::{fen_of_mover, is_tail_field};
pub use moves::{move_text, parse_move};
pub use play::play_text;
pub use region::{LocalPosition, RowsError};
pub use square::{parse_square, square_text};
pub use svg::{Area, Drawing, svg};
