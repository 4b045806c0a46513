//! Local games: the parts of a board that no move connects, and what can be said about each.
//!
//! Amazons and their shots move along queen lines, and every queen line is a chain of king steps.
//! So what an amazon can ever influence lies inside its 8-connected component of squares that are
//! not burned ([`Kings::components`](crate::game::board::Kings::components)). A component is a game
//! of its own, and the position is the sum of its components (Müller, *Solving 5x5 Amazons*, 2001).
//!
//! [`LocalGame`] is a part with its amazons, [`Placed`] one on its board. [`Growth`] enumerates
//! regions, [`LineSegmentGraph`] says which are the same game, [`Territories`]
//! how many moves a one-colour part gives, [`dead_end_bound`] and [`blocker`] bound them. Values
//! are one layer up, in [`values`](crate::theory::values). The theory is taught in
//! `docs/regions.md`.

mod allowance;
pub mod blocker;
mod by_form;
mod census;
mod comb;
pub mod contest;
mod dead_end;
mod defective;
mod defects;
mod drawing;
mod lead;
#[cfg(any(test, feature = "internals"))]
mod line_distance;
mod local;
mod lone_amazon;
mod lsg;
mod over_regions;
pub mod partition;
mod placed;
mod play_memory;
#[cfg(any(test, feature = "internals"))]
mod segments;
mod shape;
mod territory;
mod territory_walk;

pub use allowance::Allowance;
pub use census::Census;
pub use comb::comb;
pub use dead_end::{DeadEnd, dead_end_bound, dead_ends};
pub use defective::{WantedTerritories, defective_territories};
pub use defects::{Defects, MAX_DEFECTS, count_defects};
pub use drawing::{dead_ends_svg, graphs_svg, territories_svg};
pub use lead::{Lead, components_of};
pub use local::{Cell, LocalGame, LocalMove, Player};
pub use lone_amazon::LoneAmazon;
pub use lsg::{CanonicalGraph, LineSegmentGraph, MAX_POINTS};
pub use placed::{PartTooLarge, Placed};
pub use play_memory::{EveryPosition, PlayMemory, PositionsWithin};
#[cfg(any(test, feature = "internals"))]
pub use segments::NoGraph;
pub use shape::{Growth, MAX_AREA, MAX_SIDE, MAX_SIZE, Region};
pub use territory::Territories;
