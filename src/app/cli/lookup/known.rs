//! `amazons lookup` without a file: what the program knows of itself.

use std::sync::atomic::{AtomicU64, Ordering};

use super::arguments::Args;
use super::asking::{answer_arguments, answer_lines};
use super::report::{MoveReport, Moves, Report};
use crate::app::cli::arguments::rules::variant_position;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::sources::known;
use crate::app::input;
use crate::game::Outcome;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{Colour, IndexedMove, Position};
use crate::game::variants::{RuleSet, SingleMove, VariantPosition, variant_fen};
use crate::knowledge::{Basis, Finding, Knowledge};

/// Looks positions up in what the program knows.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    known::set_aside(context)?;
    if let Some(rules) = args.rules.variant() {
        return by_other_rules(args, rules, context);
    }
    let read = |text: &str| {
        input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
    };
    let unknown = AtomicU64::new(0);
    let answer = |knowledge: &Knowledge, position: &Position| {
        let report = report(args, knowledge, position)?;
        unknown.fetch_add(u64::from(report.value == UNKNOWN), Ordering::Relaxed);
        Ok(report)
    };
    if args.is_dash() {
        let knowledge = Knowledge::default();
        answer_lines(context, |line| answer(&knowledge, &read(line)?))?;
    } else {
        answer_arguments(args, context, read, || Ok(Knowledge::default()), answer)?;
    }
    nothing_decides(unknown.into_inner(), "of which at most 64 squares take part")
}

/// Looks positions by other rules up in what the program knows.
fn by_other_rules(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    let read = |text: &str| variant_position(text.split_whitespace(), rules, args.amazons);
    let unknown = AtomicU64::new(0);
    let answer = |knowledge: &Knowledge, position: &VariantPosition| {
        let finding = knowledge.by_other_rules(position)?;
        let text = |played: SingleMove| played.text(position.board());
        let named = (variant_fen(position), Some(position.rules().to_string()));
        let report = told(args, named, position.turn(), &finding, text);
        unknown.fetch_add(u64::from(report.value == UNKNOWN), Ordering::Relaxed);
        Ok(report)
    };
    if args.is_dash() {
        let knowledge = Knowledge::default();
        answer_lines(context, |line| answer(&knowledge, &read(line)?))?;
    } else {
        answer_arguments(args, context, read, || Ok(Knowledge::default()), answer)?;
    }
    nothing_decides(unknown.into_inner(), "on boards of at most 64 squares")
}

/// How it ends where nothing decides so many positions.
///
/// # Errors
/// A limit, if there are any.
fn nothing_decides(count: u64, searched: &str) -> Result<(), Failure> {
    match count {
        0 => Ok(()),
        count => Err(Failure::limit(format!(
            "nothing decides {count} of the positions; `amazons solve` searches those {searched}"
        ))),
    }
}

/// The value of a position that nothing decides.
const UNKNOWN: &str = "unknown";

fn report(args: &Args, knowledge: &Knowledge, position: &Position) -> Result<Report, Failure> {
    let finding = knowledge.of(position)?;
    let text = |played: IndexedMove| move_text(position.board(), played);
    Ok(told(args, (fen(position), None), position.turn(), &finding, text))
}

/// What a finding says of a position, named by its text and its rules.
fn told<M: Copy + Ord>(
    args: &Args,
    (position, rules): (String, Option<String>),
    turn: Colour,
    finding: &Finding<M>,
    text: impl Fn(M) -> String,
) -> Report {
    let value = |known: Option<Outcome>| known.map_or(UNKNOWN, Outcome::as_str);
    let reported = |&(played, known): &(M, Option<Outcome>)| MoveReport {
        played: text(played),
        value: value(known),
        margin: None,
        answer: None,
    };
    let moves = match args.values_only {
        true => Moves::NotAskedFor,
        false => Moves::Asked(Some(finding.moves().iter().map(reported).collect())),
    };
    Report {
        position,
        rules,
        value: value(finding.value()),
        margin: None,
        basis: finding.value().and(finding.basis()).map(Basis::to_string),
        moves,
        turn,
    }
}
