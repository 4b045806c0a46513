//! The rules that several subcommands take.

use crate::app::cli::context::{Failure, OrFail};
use crate::app::input;
use crate::game::rules::Amazons;
use crate::game::variants::{RuleSet, Turns, VariantPosition};
use crate::tables::index::TableRules;

/// Rules of the family of Amazons.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::app::cli) struct RulesArgs {
    /// The game: amazons, killer, cowboys, pencil, 134 or tromazons
    #[arg(long, value_name = "NAME", default_value_t = RuleSet::AMAZONS)]
    rules: RuleSet,

    /// Moves in a turn, each by another amazon: in the first turn, the second and so on; the last
    /// number repeats [default: those of the game]
    #[arg(long, value_name = "N,N,...")]
    turns: Option<Turns>,
}

impl RulesArgs {
    /// The rules, `None` if they are those of Amazons.
    pub(in crate::app::cli) fn variant(&self) -> Option<RuleSet> {
        self.rules.with_turns(self.turns).other_than_amazons()
    }

    /// The rules, for a table.
    ///
    /// # Errors
    /// If there are no tables for them.
    pub(in crate::app::cli) fn of_tables(&self) -> Result<TableRules, Failure> {
        TableRules::of(self.variant().unwrap_or(RuleSet::AMAZONS)).or_usage()
    }
}

/// The position of some words under these rules: a board, which stands for its start position, or a
/// FEN; then moves, those of a turn joined by `+`.
///
/// # Errors
/// What is wrong with the position, or with the first move that cannot be played.
pub(in crate::app::cli) fn variant_position<'a>(
    words: impl Iterator<Item = &'a str>,
    rules: RuleSet,
    amazons: Option<Amazons>,
) -> Result<VariantPosition, Failure> {
    let words: Vec<&str> = words.collect();
    input::variant_position_and_moves(&words.join(" "), rules, amazons).or_usage()
}

/// The failure of a command that searches and was given tables by other rules.
pub(in crate::app::cli) fn no_tables_here(rules: RuleSet) -> Failure {
    let advice = match TableRules::of(rules) {
        Ok(rules) => format!("`amazons lookup --rules {rules} --tables DIR` answers from one"),
        Err(error) => error.to_string(),
    };
    Failure::usage(format!(
        "this command takes tables by the rules of amazons only, found {rules}; {advice}"
    ))
}

/// The failure of what is there for Amazons only.
pub(in crate::app::cli) fn for_amazons_only(what: &str, rules: RuleSet) -> Failure {
    Failure::usage(format!("{what} is for the rules of amazons, found {rules}"))
}
