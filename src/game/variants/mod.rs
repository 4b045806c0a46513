//! The family of games around Amazons.
//!
//! They are not so many games but four independent choices on top of one: who completes no turn
//! loses. [`RuleSet`] holds the choices, and has the sets that go by a name:
//!
//! | choice | amazons | killer | cowboys | pencil | 134 | tromazons |
//! |---|---|---|---|---|---|---|
//! | [`Step`] | queen | queen, or onto the first amazon met, which is removed | knight | queen | queen | one square along rank or file, not through a wall |
//! | [`Origin`] | stays empty | stays empty | stays empty | burns before the shot | stays empty | stays empty |
//! | [`Shot`] | queen | queen | knight | queen | queen | a wall on one side of the square reached |
//! | [`Turns`] | 1 | 1 | 1 | 1 | 1, 3, 4, 4, ... moves | 1 |
//!
//! The rules of Amazons itself are also those of [`crate::game::rules`], which the solvers use; a
//! test holds one against the other. What is here knows all choices at once and is slower.
//!
//! A turn of several moves is played move by move: after each the same side goes on, with another
//! amazon, and who cannot has lost. That decides the same as whole turns do, because a side that
//! can complete its turn can play the moves of it one after the other.
//!
//! Sources: J. Huntoon's Cowboys (2003), I. Althöfer's Killer Amazons (2003), W. Taylor's and
//! J. P. Neto's 134* (2004) and Tromazons (2007), as J. P. Neto's page and its rule files
//! have them (`docs/bibliography.md`).

mod code;
mod diagram;
mod generate;
#[cfg(any(test, feature = "internals"))]
pub mod naive;
mod notation;
mod position;
mod record;
mod rule_set;
mod single_move;
mod start;
mod state;
mod walls;
mod zrf;

pub use code::{VariantCode, VariantCoder};
pub use diagram::variant_diagram;
pub use generate::VariantRules;
pub(crate) use notation::variant_fen_words;
pub use notation::{VariantFenError, parse_variant_fen, variant_fen};
pub use position::{VariantPlayError, VariantPosition};
pub use record::{VariantRecord, VariantRecordError};
pub use rule_set::{Origin, RuleSet, RulesError, Shot, Step, Turns, TurnsError};
pub use single_move::{Arrow, SingleMove};
pub use start::variant_start;
pub use state::State;
pub use walls::{Side, Walls};
pub use zrf::{ZrfError, ZrfStart, ZrfWriteError, read_zrf, zrf};
