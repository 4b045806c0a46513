//! Rules files of Zillions of Games (ZRF): the games of the family as that program plays them.
//!
//! | module | what it knows |
//! |---|---|
//! | `error` | what may be wrong with a file |
//! | `expression` | the brackets, words and texts that a file consists of |
//! | `parts` | the parts of a game or a variant by their names |
//! | `names` | the names of files and ranks |
//! | `turn_order` | whose moves turns consist of |
//! | `write` | a game and a start position as a file |
//! | `read` | the start positions of a file |
//!
//! A move is two moves there: the amazon steps, then an arrow is dropped, which begins where the
//! last step ended. Where a turn has several moves, an amazon that has moved is of another kind
//! until the last shot of the turn. Walls stand on squares of their own, between those of the
//! board.
//!
//! One difference is left: there a player may step where no shot is possible, and loses by it.

mod error;
mod expression;
mod names;
mod parts;
mod read;
mod turn_order;
mod write;

pub use error::ZrfError;
pub use read::{ZrfStart, read_zrf};
pub use write::{ZrfWriteError, zrf};
