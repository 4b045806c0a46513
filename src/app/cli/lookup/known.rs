//! `amazons lookup` without a file: what the program knows of itself.

use std::sync::atomic::{AtomicU64, Ordering};

use super::arguments::Args;
use super::asking::{answer_arguments, answer_lines};
use super::report::{MoveReport, Moves, Report};
use crate::app::cli::arguments::rules::variant_position;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::sources::known;
use crate::app::input;
use crate::app::value::Value;
use crate::game::Outcome;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{Colour, Position};
use crate::game::variants::{RuleSet, SingleMove, VariantPosition, variant_fen};
use crate::knowledge::{Basis, Finding, Knowledge};
use crate::search::GroundTooLarge;

/// Looks positions up in what the program knows.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    known::set_aside(context)?;
    if let Some(rules) = args.rules.variant() {
        let read = |text: &str| variant_position(text.split_whitespace(), rules, args.amazons);
        let has_search = |position: &VariantPosition| position.board().fits::<u64>();
        return answer_all(args, context, read, variant_report, has_search);
    }
    let read = |text: &str| {
        input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
    };
    let has_search = |position: &Position| GroundTooLarge::check(position).is_ok();
    answer_all(args, context, read, report, has_search)
}

/// Answers for the positions of the arguments or of the lines, by whatever rules.
fn answer_all<P>(
    args: &Args,
    context: &Context,
    read: impl Fn(&str) -> Result<P, Failure> + Sync,
    report: impl Fn(&Args, &Knowledge, &P) -> Result<Report, Failure> + Sync,
    has_search: impl Fn(&P) -> bool + Sync,
) -> Result<(), Failure> {
    let undecided = Undecided::default();
    let answer = |knowledge: &Knowledge, position: &P| {
        let report = report(args, knowledge, position)?;
        undecided.note(&report, || has_search(position));
        Ok(report)
    };
    if args.is_dash() {
        let knowledge = Knowledge::default();
        answer_lines(context, |line| answer(&knowledge, &read(line)?))?;
    } else {
        answer_arguments(args, context, read, || Ok(Knowledge::default()), answer)?;
    }
    undecided.into_result(args.rules.variant())
}

/// How many positions nothing decides, and of how many of them there is a search.
#[derive(Default)]
struct Undecided {
    all: AtomicU64,
    searched: AtomicU64,
}

impl Undecided {
    fn note(&self, report: &Report, has_search: impl FnOnce() -> bool) {
        if report.value == Value::Unknown {
            self.all.fetch_add(1, Ordering::Relaxed);
            self.searched.fetch_add(u64::from(has_search()), Ordering::Relaxed);
        }
    }

    /// How the command ends.
    ///
    /// # Errors
    /// A limit, if there are any.
    fn into_result(self, rules: Option<RuleSet>) -> Result<(), Failure> {
        let unknown = self.all.into_inner();
        let solve = match rules {
            None => "`amazons solve`".to_string(),
            Some(rules) => format!("`amazons solve --rules {rules}`"),
        };
        let advice = match (unknown, self.searched.into_inner()) {
            (0, _) => return Ok(()),
            (_, 0) if rules.is_some() => "they are too large for a search".into(),
            (_, 0) => "they are too large for a search; `amazons score` says who is ahead".into(),
            (1, _) => format!("{solve} searches it"),
            (all, some) if all == some => format!("{solve} searches them"),
            (_, some) => format!("{solve} searches {some} of them, the others are too large"),
        };
        Err(Failure::limit(format!("nothing decides {unknown} of the positions; {advice}")))
    }
}

fn report(args: &Args, knowledge: &Knowledge, position: &Position) -> Result<Report, Failure> {
    let finding = knowledge.of(position)?;
    let (named, turn) = (Named { position: fen(position), rules: None }, position.turn());
    Ok(told(args, named, turn, &finding, |played| move_text(position.board(), played)))
}

/// As [`report`], by other rules.
fn variant_report(
    args: &Args,
    knowledge: &Knowledge,
    position: &VariantPosition,
) -> Result<Report, Failure> {
    let finding = knowledge.by_other_rules(position)?;
    let rules = Some(position.rules().to_string());
    let (named, turn) = (Named { position: variant_fen(position), rules }, position.turn());
    Ok(told(args, named, turn, &finding, |played: SingleMove| played.text(position.board())))
}

/// How a position is named.
struct Named {
    position: String,
    /// The rules, unless they are those of Amazons.
    rules: Option<String>,
}

/// What a finding says of a position.
fn told<M: Copy + Ord>(
    args: &Args,
    Named { position, rules }: Named,
    turn: Colour,
    finding: &Finding<M>,
    text: impl Fn(M) -> String,
) -> Report {
    let reported = |&(played, known): &(M, Option<Outcome>)| MoveReport {
        played: text(played),
        value: Value::of(known),
        margin: None,
        answer: None,
    };
    let moves = match args.values_only {
        true => Moves::NotAskedFor,
        false => Moves::Asked(Some(finding.moves().iter().map(reported).collect())),
    };
    let basis = match args.values_only {
        true => finding.basis().cloned(),
        false => finding.basis_of_all(),
    };
    Report {
        position,
        rules,
        value: Value::of(finding.value()),
        margin: None,
        basis: finding.value().and(basis).as_ref().map(Basis::to_string),
        moves,
        turn,
    }
}
