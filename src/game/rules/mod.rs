//! The rules of the Game of the Amazons; everything else is held against it.
//!
//! White moves first. A move is a queen move of one of the mover's amazons (the *step*), then
//! another queen move from where it now stands (the *shot*), which burns the square it ends on; the
//! square the amazon left is empty for the shot. Nothing enters or crosses an amazon or a burned
//! square. Who cannot move has lost.
//!
//! Inside the library a [`Bitboards`] has no colours: it is (mover, opponent, arrows). Colours
//! exist where positions are read and written, as a [`Position`], which is legal by construction:
//! [`Setup::check`] makes it from unchecked squares, or says every reason why it cannot.

mod amazons;
mod bitboards;
mod generate;
mod indexed_move;
pub(super) mod moves;
pub(super) mod outcome;
pub(super) mod position;
mod setup;
mod start;

pub use amazons::{Amazons, AmazonsError};
pub use bitboards::Bitboards;
#[cfg(test)]
pub(crate) use bitboards::colourings;
pub use generate::Rules;
pub use indexed_move::{IllegalMove, IndexedMove};
pub(in crate::game) use moves::{is_shot, is_step};
pub use position::Position;
pub use setup::{Colour, Flaw, IllegalSetup, Setup};
pub use start::{StartError, start, start_with};
