//! An engine for any board, up to 20x20.
//!
//! [`Engine::choose`] gives a move for a position within [`Limits`]. Where the value of a position
//! is known, and near the end of the game, its moves are perfect; before that it searches ahead and
//! judges by who is nearer to the squares that are left, in the manner of the program Arrow.
//! `docs/play.md` says what each part is worth.
//!
//! ```
//! use amazons::play::{Limits, Engine, Settings};
//! use amazons::machine::progress::StopFlag;
//! use amazons::game::rules;
//!
//! let board = "6x6".parse()?;
//! let start = rules::start(board)?;
//! let mut engine = Engine::new(board, Settings::default())?;
//! let limits = Limits { nodes: Some(2_000), ..Limits::default() };
//! let decision = engine.choose(&start, &limits, &StopFlag::new(), &mut |_| {})?;
//! assert!(decision.played.is_some() && decision.score.proven().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alphabeta;
mod board_data;
mod deepening;
mod distances;
mod engine;
mod evaluation;
mod filling;
mod key;
mod known;
mod limits;
mod match_openings;
mod matches;
mod ordering;
mod prover;
mod score;
mod settings;
mod transposition;
mod variant_engine;

pub use deepening::{Iteration, Line};
pub use distances::{QueenDistances, queen_distances};
pub use engine::{Decision, Engine, EngineError, MoveSource};
pub use evaluation::{Evaluation, Terms};
pub use known::{Known, KnownMoves};
pub use limits::{Clock, Limits};
pub use match_openings::MatchOpenings;
pub use matches::{EngineConfig, Game, Match, Tally};
pub use score::Score;
pub use settings::{Endgame, Settings};
pub use variant_engine::{VariantDecision, VariantEngine};

#[cfg(test)]
mod tests;
