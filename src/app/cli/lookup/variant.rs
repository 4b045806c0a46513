//! `amazons lookup` by other rules than those of Amazons.

use std::path::Path;

use rayon::prelude::*;

use super::{
    Args, LINE_MEMORY_WITH_MOVES, MOST_LINES_WITH_MOVES, MoveReport, Moves, Report, by_position,
    print, told,
};
use crate::app::cli::arguments::rules::variant_position;
use crate::app::cli::batch::answer_lines_together;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::sources::open;
use crate::game::Outcome;
use crate::game::variants::{SingleMove, VariantPosition, variant_fen};
use crate::tables::format::{Table, TableError};
use crate::tables::index::TableRules;

/// Looks positions up in a table by these rules.
pub(in crate::app::cli) fn run(
    args: &Args,
    tables: &Path,
    rules: TableRules,
    context: &Context,
) -> Result<(), Failure> {
    let position =
        |text: &str| variant_position(text.split_whitespace(), rules.set(), args.amazons);
    if args.words.len() == 1 && args.words[0] == "-" {
        let table = table(tables, rules, context)?;
        let stop = context.stop_on_interrupt()?;
        let memory = context.left("looking positions up", LINE_MEMORY_WITH_MOVES)?;
        let most = (memory / LINE_MEMORY_WITH_MOVES).min(MOST_LINES_WITH_MOVES) as usize;
        return answer_lines_together(&stop, most, |lines| {
            let answer = |line: &&str| report(&table, &position(line)?, args.values_only);
            lines.par_iter().map(answer).collect()
        });
    }
    // All positions are read before anything is printed.
    let asked = by_position(&args.words);
    let asked: Vec<VariantPosition> =
        asked.iter().map(|text| position(text)).collect::<Result<_, _>>()?;
    let table = table(tables, rules, context)?;
    asked.iter().try_for_each(|position| {
        let report = report(&table, position, args.values_only)?;
        match context.json() {
            true => context.print_json(&report),
            false => print(&report, position.turn(), context),
        }
    })
}

fn table(tables: &Path, expected: TableRules, context: &Context) -> Result<Table, Failure> {
    if tables.is_file() {
        return Err(Failure::usage(format!(
            "an opening table is for the rules of amazons, found {expected}"
        )));
    }
    let table = open::any_table(tables, context)?;
    let found = table.manifest().rules;
    if found != expected {
        let path = tables.into();
        return Err(TableError::OtherRules { path, found, expected }).or_failed();
    }
    Ok(table)
}

fn report(table: &Table, position: &VariantPosition, values_only: bool) -> Result<Report, Failure> {
    let outcome = told(table.variant_value(position))?;
    let named = |(played, outcome): (SingleMove, Outcome)| MoveReport {
        played: played.text(position.board()),
        value: outcome.as_str(),
        answer: None,
    };
    let moves = match values_only {
        true => Moves::NotAskedFor,
        false => {
            let moves = told(table.variant_moves(position))?;
            Moves::Asked(Some(moves.into_iter().map(named).collect()))
        }
    };
    let rules = Some(position.rules().to_string());
    Ok(Report { position: variant_fen(position), rules, value: outcome.as_str(), moves })
}
