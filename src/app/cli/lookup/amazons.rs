//! `amazons lookup` by the rules of Amazons, in a table or an opening table.

use std::path::Path;

use rayon::prelude::*;

use super::arguments::Args;
use super::asking::{answer_arguments, answer_lines};
use super::report::{MoveReport, Moves, Report, ValueReport};
use crate::app::cli::batch::answer_lines_together;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::margins::ToldMargin;
use crate::app::cli::sources::{blame::blame, open};
use crate::app::input;
use crate::app::value::Value;
use crate::game::Outcome;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{IndexedMove, Position};
use crate::tables::value_source::{TableAnswer, ValueSource};

/// Lines that are answered by a value at a time: as many as a table of 4x5 has frames, thirty
/// times.
const MOST_LINES: u64 = 1 << 20;
/// Memory of a line while it is answered: its text, position, place, value and answer.
const LINE_MEMORY: u64 = 768;
/// With less memory for them no lines are read.
const LEAST_MEMORY: u64 = 1 << 20;

/// Looks positions up in a table or an opening table.
pub(super) fn run(args: &Args, tables: &Path, context: &Context) -> Result<(), Failure> {
    let read = |text: &str| {
        input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
    };
    if !args.is_dash() {
        let open = || open::source(tables, context);
        return answer_arguments(args, context, read, open, |source, position| {
            report(args, source, position)
        });
    }
    let source = open::source_for_many(tables, context)?;
    if args.values_only {
        return answer_lines_by_value(&source, context, read);
    }
    answer_lines(context, |line| report(args, &source, &read(line)?))
}

/// Answers lines by values alone, as many at a time as there is memory for.
fn answer_lines_by_value(
    source: &ValueSource,
    context: &Context,
    read: impl Fn(&str) -> Result<Position, Failure> + Sync,
) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let memory = context.left("looking positions up", LEAST_MEMORY)?;
    let most = (memory / LINE_MEMORY).min(MOST_LINES) as usize;
    answer_lines_together(&stop, most, |lines| {
        let positions: Vec<_> = lines.par_iter().map(|line| read(line)).collect();
        let good: Vec<Position> = positions.iter().flatten().copied().collect();
        let mut values = source.values(&good).into_iter();
        let mut margins = source.margins(&good).into_iter();
        let mut report = |position: Position| {
            // Both go on, whatever is wrong with one of them.
            let value = values.next().expect("a value for each");
            let margin = margins.next().expect("an answer for each");
            let (value, margin) = (Value::of(Some(blame(value)?)), blame(margin)?);
            let margin = margin.map(|margin| ToldMargin::new(margin, position.empty_squares()));
            Ok(ValueReport { position, value, margin })
        };
        positions.into_iter().map(|position| position.and_then(&mut report)).collect()
    })
}

fn report(args: &Args, source: &ValueSource, position: &Position) -> Result<Report, Failure> {
    let empty = position.empty_squares();
    let margin = blame(source.margin(position))?.map(|margin| ToldMargin::new(margin, empty));
    let (outcome, moves) = if args.values_only {
        (blame(source.value(position))?, Moves::NotAskedFor)
    } else {
        let known = blame(source.look_up(position))?;
        let margins = blame(source.move_margins(position))?;
        let margin = |played: IndexedMove| {
            let (_, margin) = margins.as_ref()?.iter().find(|(of, _)| *of == played)?;
            Some(ToldMargin::of_move(*margin, empty))
        };
        let move_report = |&(played, outcome): &(IndexedMove, Outcome)| MoveReport {
            played: move_text(position.board(), played),
            value: Value::of(Some(outcome)),
            margin: margin(played),
            answer: None,
        };
        let moves = match &known {
            TableAnswer::All(answer) => Some(answer.moves.iter().map(move_report).collect()),
            TableAnswer::Outcome(_) => None,
        };
        (known.outcome(), Moves::Asked(moves))
    };
    let (position, turn) = (fen(position), position.turn());
    let value = Value::of(Some(outcome));
    Ok(Report { position, rules: None, value, basis: None, margin, moves, turn })
}
