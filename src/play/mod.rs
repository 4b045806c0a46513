//! A game player for any board up to 10x10.
//!
//! [`Player::choose`] gives a move for a position within [`Limits`]. Inside solved tables and near
//! the end of the game its moves are perfect; before that it searches ahead and judges by who is
//! nearer to the squares that are left, in the manner of the program Arrow. `docs/play.md` says
//! what each part is worth.
//!
//! ```
//! use amazons::play::{Limits, Player, Settings};
//! use amazons::machine::progress::StopFlag;
//! use amazons::game::rules;
//!
//! let board = "6x6".parse()?;
//! let start = rules::start(board)?;
//! let mut player = Player::new(board, Settings::default())?;
//! let limits = Limits { nodes: Some(2_000), ..Limits::default() };
//! let decision = player.choose(&start, &limits, &StopFlag::new(), &mut |_| {})?;
//! assert!(decision.played.is_some() && decision.score.proven().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabeta;
mod board_data;
mod contest;
mod deepening;
mod evaluation;
mod filling;
mod key;
mod limits;
mod memory;
mod opening;
mod ordering;
mod player;
mod prover;
mod random;
mod score;
mod settings;
mod tables;

pub use contest::{Contest, Contestant, Game, Tally};
pub use deepening::{Line, Report};
pub use evaluation::{Evaluation, Terms};
pub use limits::{Clock, Limits};
pub use opening::Openings;
pub use player::{Decision, Player, PlayerError, Source};
pub use score::Score;
pub use settings::{Endgame, Settings};
pub use tables::Tables;

#[cfg(test)]
mod tests;
