//! Combinatorial values: the canonical forms of short games, and their arithmetic.
//!
//! A game that falls into independent parts is the sum of their values, and a value forgets
//! everything about a part but what matters in a sum. Two parts with the same value may be
//! exchanged in any position; a part and its negative cancel. [`Values`] is the store: it makes
//! canonical forms ([`Values::game`]), compares ([`Values::le`]), adds ([`Values::sum`]), draws
//! thermographs ([`Values::thermograph`]), reads and prints.
//!
//! Theory: J. H. Conway, *On Numbers and Games*; E. Berlekamp, J. Conway, R. Guy, *Winning Ways*;
//! A. N. Siegel, *Combinatorial Game Theory*. The letters of the text (`*`, `^`, `v`) are those of
//! Siegel's CGSuite.
//!
//! ```
//! use amazons::theory::values::Values;
//!
//! let values = Values::new();
//! let hot = values.parse("{5|{1|-1}}").unwrap();
//! let star = values.parse("*").unwrap();
//! assert_eq!(values.text(values.sum(hot, star)), "{5*|{1*|-1*}}");
//! assert_eq!(values.temperature(hot).to_string(), "5/2");
//! assert_eq!(values.sum(star, star), values.integer(0));
//! ```

mod canonical;
mod compare;
mod dyadic;
mod ends;
mod evaluate;
mod footprint;
mod forced;
mod nus;
mod option_order;
mod placements;
mod range;
mod scaffolds;
mod short_text;
mod store;
mod strips;
mod sum;
mod sum_play;
mod table_bytes;
mod text;
mod thermograph;
mod work;
mod zugzwang;
mod zugzwang_census;

pub use compare::OutcomeClass;
pub use dyadic::Dyadic;
pub use ends::{Ends, Example, Examples};
pub use evaluate::{Evaluator, TooLarge};
pub use forced::{Distorted, Distortion, ForcedCensus, ForcedPlay, forced_census};
pub use nus::Nus;
pub use store::{Value, Values};
pub use strips::{StripCensus, strip_census};
pub use sum_play::SumPlay;
pub use text::ValueTextError;
pub use thermograph::{Thermograph, Wall};
pub use work::{Overwork, Work};
pub use zugzwang::{Zugzwang, ZugzwangSum};
pub use zugzwang_census::{FoundZugzwang, ZugzwangCensus, zugzwangs};
