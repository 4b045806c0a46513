//! Annotated games: what every position of a game is worth, and which moves gave a win away.
//!
//! A [`Finding`] says what is known of a position. [`find_all`] asks for one a position, the last
//! first: what a continuation is worth often decides the position before it. So far this is for
//! games by any rules ([`MoveTree`]). [`annotate`] writes findings into a game of Amazons as
//! FF\[4\] has it:
//!
//! | property | on a node |
//! |---|---|
//! | `GW[2]`, `GB[2]` | White or Black wins the position |
//! | `UC[1]` | the winner is not known |
//! | `BM[2]` | the move threw a win away |
//! | `TE[1]` | the only move that wins |
//! | `C` | the same in words, with winning alternatives; each line begins with `amazons: ` |
//!
//! Where the winner is not known an [`Estimate`] says who leads by about how much. It is no
//! knowledge, and only the comment has it. Where margins were asked for, the comment also says what
//! a move [cost](Cost) in spare moves.
//!
//! Annotations of these kinds that were there are replaced, since a node may have but one of each
//! kind; other lines of a comment stay. So annotating twice changes nothing.

mod cost;
mod course;
mod estimate;
mod judgement;
mod story;
mod write;

pub use cost::Cost;
pub use course::{Costly, Standing, course};
pub use estimate::{Estimate, EstimateError, Estimator};
pub use judgement::{
    Mark, MoveTree, alternatives, carry, find_all, knows_all_moves, mark, winner, winning,
};
pub use story::{capital, certain, story};
pub use write::annotate;
