//! The rules of the Game of the Amazons; every rule lives here and nowhere else.
//!
//! White moves first. A move is a queen move of one of the mover's amazons (the *step*), then another queen move
//! from where it now stands (the *shot*), which burns the square it ends on; the square the amazon left is
//! empty for the shot. Nothing enters or crosses an amazon or a burned square. Who cannot move has lost.
//!
//! Inside the library a [`Position`] has no colours: it is (mover, opponent, arrows). Colours exist where
//! positions are read and written, as a [`ColouredPosition`], which is legal by construction: [`Setup::check`]
//! makes it from unchecked squares, or says every reason why it cannot.

mod generate;
mod moves;
mod perft;
mod position;
mod setup;
mod start;

pub use generate::Rules;
pub use moves::{IllegalMove, Move};
pub use perft::{divide, perft};
pub use position::Position;
#[cfg(test)]
pub(crate) use position::colourings;
pub use setup::{Colour, ColouredPosition, Flaw, IllegalSetup, Setup};
pub use start::{Amazons, AmazonsError, StartError, start};
