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
use crate::search::GroundTooLarge;

/// Looks positions up in what the program knows.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    known::set_aside(context)?;
    if let Some(rules) = args.rules.variant() {
        return by_other_rules(args, rules, context);
    }
    let read = |text: &str| {
        input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
    };
    let undecided = Undecided::default();
    let answer = |knowledge: &Knowledge, position: &Position| {
        let report = report(args, knowledge, position)?;
        undecided.note(&report, || GroundTooLarge::check(position).is_ok());
        Ok(report)
    };
    if args.is_dash() {
        let knowledge = Knowledge::default();
        answer_lines(context, |line| answer(&knowledge, &read(line)?))?;
    } else {
        answer_arguments(args, context, read, || Ok(Knowledge::default()), answer)?;
    }
    undecided.into_result()
}

/// Looks positions by other rules up in what the program knows.
fn by_other_rules(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    let read = |text: &str| variant_position(text.split_whitespace(), rules, args.amazons);
    let undecided = Undecided::default();
    let answer = |knowledge: &Knowledge, position: &VariantPosition| {
        let finding = knowledge.by_other_rules(position)?;
        let text = |played: SingleMove| played.text(position.board());
        let named = (variant_fen(position), Some(position.rules().to_string()));
        let report = told(args, named, position.turn(), &finding, text);
        undecided.note(&report, || position.board().fits::<u64>());
        Ok(report)
    };
    if args.is_dash() {
        let knowledge = Knowledge::default();
        answer_lines(context, |line| answer(&knowledge, &read(line)?))?;
    } else {
        answer_arguments(args, context, read, || Ok(Knowledge::default()), answer)?;
    }
    undecided.into_result()
}

/// How many positions nothing decides, and of how many of them there is a search.
#[derive(Default)]
struct Undecided {
    all: AtomicU64,
    searched: AtomicU64,
}

impl Undecided {
    fn note(&self, report: &Report, has_search: impl FnOnce() -> bool) {
        if report.value == UNKNOWN {
            self.all.fetch_add(1, Ordering::Relaxed);
            self.searched.fetch_add(u64::from(has_search()), Ordering::Relaxed);
        }
    }

    /// How the command ends.
    ///
    /// # Errors
    /// A limit, if there are any.
    fn into_result(self) -> Result<(), Failure> {
        let unknown = self.all.into_inner();
        let advice = match (unknown, self.searched.into_inner()) {
            (0, _) => return Ok(()),
            (_, 0) => "they are too large for a search; `amazons score` says who is ahead".into(),
            (1, _) => "`amazons solve` searches it".to_string(),
            (all, some) if all == some => "`amazons solve` searches them".to_string(),
            (_, some) => {
                format!("`amazons solve` searches {some} of them, the others are too large")
            }
        };
        Err(Failure::limit(format!("nothing decides {unknown} of the positions; {advice}")))
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
        basis: finding.value().and(finding.basis_of_all()).as_ref().map(Basis::to_string),
        moves,
        turn,
    }
}
