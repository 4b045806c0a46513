//! The position that several subcommands take, with moves to play in it first.

use super::rules::variant_position;
use crate::app::cli::context::{Failure, OrFail};
use crate::app::input;
use crate::game::AnyPosition;
use crate::game::rules::{Amazons, IndexedMove, Position};
use crate::game::variants::{RuleSet, VariantPosition};

/// A position and moves.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::app::cli) struct PositionArgs {
    /// A board (its start position, see `amazons --help`) or a FEN
    #[arg(value_name = "POSITION")]
    text: String,

    /// Moves to play first, for example b1-b3/d3
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,

    /// Amazons of White and Black on a board's start position [default: 4v4]
    #[arg(long, value_name = "NvN")]
    amazons: Option<Amazons>,
}

/// A position, and the move that led to it, if there was one.
#[derive(Clone, Copy, Debug)]
pub(in crate::app::cli) struct Given {
    pub(in crate::app::cli) position: Position,
    pub(in crate::app::cli) last: Option<IndexedMove>,
}

impl PositionArgs {
    /// Whether positions are to be read from standard input, and nothing else was given.
    ///
    /// # Errors
    /// If moves were given, which belong to a position.
    pub(in crate::app::cli) fn is_dash(&self) -> Result<bool, Failure> {
        match (self.text.as_str(), self.moves.first()) {
            ("-", Some(played)) => Err(Failure::usage(format!(
                "{played} after -: the moves stand in the lines of standard input"
            ))),
            (text, _) => Ok(text == "-"),
        }
    }

    /// The position after the moves by these rules; without any by those of Amazons.
    ///
    /// # Errors
    /// If there is no such position, or the first move that is not legal.
    pub(in crate::app::cli) fn read_by(
        &self,
        rules: Option<RuleSet>,
    ) -> Result<AnyPosition, Failure> {
        Ok(match rules {
            None => AnyPosition::Amazons(self.read()?.position),
            Some(rules) => AnyPosition::Variant(self.read_variant(rules)?),
        })
    }

    /// The position of Amazons after the moves.
    ///
    /// # Errors
    /// As [`Self::read_by`].
    pub(in crate::app::cli) fn read(&self) -> Result<Given, Failure> {
        let words = std::iter::once(&self.text).chain(&self.moves);
        position_of(words.map(String::as_str), self.amazons)
    }

    /// The position after the moves by other rules, for what is there for those alone.
    ///
    /// # Errors
    /// As [`Self::read_by`].
    pub(in crate::app::cli) fn read_variant(
        &self,
        rules: RuleSet,
    ) -> Result<VariantPosition, Failure> {
        let words = std::iter::once(&self.text).chain(&self.moves);
        variant_position(words.map(String::as_str), rules, self.amazons)
    }

    /// As [`Self::read_variant`], of a line of standard input.
    ///
    /// # Errors
    /// As [`Self::read_by`].
    pub(in crate::app::cli) fn read_variant_line(
        &self,
        line: &str,
        rules: RuleSet,
    ) -> Result<VariantPosition, Failure> {
        variant_position(std::iter::once(line), rules, self.amazons)
    }

    /// The position of a line of standard input.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(in crate::app::cli) fn read_line(&self, line: &str) -> Result<Given, Failure> {
        position_of(std::iter::once(line), self.amazons)
    }
}

/// The position of some words of the user.
fn position_of<'a>(
    words: impl Iterator<Item = &'a str>,
    amazons: Option<Amazons>,
) -> Result<Given, Failure> {
    let words: Vec<&str> = words.collect();
    let (position, last) = input::position_and_moves(&words.join(" "), amazons).or_usage()?;
    Ok(Given { position, last })
}
