//! `amazons lookup` by other rules than those of Amazons.

use std::path::Path;

use super::arguments::Args;
use super::asking::{answer_arguments, answer_lines};
use super::report::{MoveReport, Moves, Report};
use crate::app::cli::arguments::rules::variant_position;
use crate::app::cli::context::{Context, Failure};
use crate::app::cli::sources::{blame::blame, open};
use crate::app::value::Value;
use crate::game::Outcome;
use crate::game::variants::{SingleMove, VariantPosition, variant_fen};
use crate::tables::format::{Table, if_stored};
use crate::tables::index::TableRules;

/// Looks positions up in a table by these rules.
pub(super) fn run(
    args: &Args,
    tables: &Path,
    rules: TableRules,
    context: &Context,
) -> Result<(), Failure> {
    let read = |text: &str| variant_position(text.split_whitespace(), rules.set(), args.amazons);
    if !args.is_dash() {
        let open = || open::table_by(rules, tables, context);
        return answer_arguments(args, context, read, open, |table, position| {
            report(args, table, position)
        });
    }
    let table = open::table_by(rules, tables, context)?;
    answer_lines(context, |line| report(args, &table, &read(line)?))
}

fn report(args: &Args, table: &Table, position: &VariantPosition) -> Result<Report, Failure> {
    let outcome = blame(table.variant_value(position))?;
    let move_report = |(played, outcome): (SingleMove, Outcome)| MoveReport {
        played: played.text(position.board()),
        value: Value::of(Some(outcome)),
        margin: None,
        answer: None,
    };
    let moves = match args.values_only {
        true => Moves::NotAskedFor,
        false => {
            let moves = blame(if_stored(table.variant_moves(position)))?;
            Moves::Asked(moves.map(|moves| moves.into_iter().map(move_report).collect()))
        }
    };
    let rules = Some(position.rules().to_string());
    let (position, turn) = (variant_fen(position), position.turn());
    let value = Value::of(Some(outcome));
    Ok(Report { position, rules, value, basis: None, margin: None, moves, turn })
}
