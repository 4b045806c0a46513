//! Games in SGF, FF\[4\] with `GM[18]`: variations, setup, comments, and whatever else a file
//! holds.
//!
//! | module | what it knows |
//! |---|---|
//! | `charset` | bytes and text |
//! | `parse`, `write` | the syntax: trees, nodes, properties |
//! | `value` | escapes |
//! | `tree` | nodes and their continuations |
//! | `point`, `setup` | points, moves, sizes, set-up squares of Amazons |
//! | `game` | legal games: every node has its position |
//! | `remark` | what a record says besides, and what was supposed |
//!
//! Properties that mean nothing here are kept as they are, and so are comments and the order of
//! variations; reading and writing is linear in the size of a file and recurses nowhere. The
//! format: Hollosi, *SGF File Format FF\[4\]*, red-bean.com/sgf, and its page on Amazons, which
//! defines `AA` for burned squares and moves as three points.
//!
//! ```
//! use amazons::game::notation::sgf::{Style, Tree, Game, games_text, parse_games};
//! use amazons::game::notation::{fen, parse_fen};
//!
//! let start = parse_fen("1qq1/q2q/Q2Q/1QQ1 w")?;
//! let mut game = Game::new(&start, Style::Algebraic);
//! let first = game.play(Tree::ROOT, "b1-b3/b1")?;
//! game.play(first, "a3-a4/a3")?;
//! game.play(first, "b4-a4/b4")?;
//!
//! let text = games_text(&[game]);
//! assert!(text.contains("(;B[a3a4a3])\n(;B[b4a4b4])"));
//! let again = &parse_games(text.as_bytes())?[0];
//! let end = *again.tree().main_line().last().unwrap();
//! assert_eq!(fen(again.position(end)), "qqq1/*Q1q/Q2Q/1*Q1 w");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod charset;
mod game;
mod parse;
mod point;
mod remark;
mod setup;
#[cfg(test)]
mod tests;
mod tree;
mod value;
mod write;

pub use charset::CharsetError;
pub(super) use charset::decode;
pub(super) use game::games_of_text;
#[cfg(any(test, feature = "internals"))]
pub use game::parse_games;
pub use game::{Game, MoveFault, SgfError, games_text};
pub use parse::{MAX_DEPTH, MAX_NODES, MAX_PROPERTIES, SyntaxError};
pub(super) use parse::{has_tree, in_first_node};
pub use point::Style;
pub use remark::Remark;
pub use setup::SetupError;
pub use tree::{Node, NodeId, Property, Tree};
pub use value::Value;
pub use write::sgf;
