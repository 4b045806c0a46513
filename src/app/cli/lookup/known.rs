//! `amazons lookup` without a file: what the program knows of itself.

use std::sync::atomic::{AtomicU64, Ordering};

use super::arguments::Args;
use super::asking::{answer_arguments, answer_lines};
use super::report::{MoveReport, Moves, Report};
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::sources::known;
use crate::app::input;
use crate::game::Outcome;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{IndexedMove, Position};
use crate::knowledge::{Basis, Knowledge};
use crate::search::GroundTooLarge;

/// Looks positions up in what the program knows.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if let Some(rules) = args.rules.variant() {
        return Err(Failure::usage(format!(
            "the program has no table of {rules}: give one with --tables DIR, or search with \
             `amazons solve --rules NAME`"
        )));
    }
    known::set_aside(context)?;
    let read = |text: &str| {
        input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
    };
    let (unknown, searched) = (AtomicU64::new(0), AtomicU64::new(0));
    let answer = |knowledge: &Knowledge, position: &Position| {
        let report = report(args, knowledge, position)?;
        if report.value == UNKNOWN {
            let has_search = GroundTooLarge::check(position).is_ok();
            unknown.fetch_add(1, Ordering::Relaxed);
            searched.fetch_add(u64::from(has_search), Ordering::Relaxed);
        }
        Ok(report)
    };
    if args.is_dash() {
        let knowledge = Knowledge::default();
        answer_lines(context, |line| answer(&knowledge, &read(line)?))?;
    } else {
        answer_arguments(args, context, read, || Ok(Knowledge::default()), answer)?;
    }
    match unknown.into_inner() {
        0 => Ok(()),
        more => Err(undecided(more, searched.into_inner())),
    }
}

/// The failure of positions that nothing decides, of which there is a search for some.
fn undecided(unknown: u64, searched: u64) -> Failure {
    let advice = match (unknown, searched) {
        (_, 0) => "they are too large for a search; `amazons score` says who is ahead".to_string(),
        (1, _) => "`amazons solve` searches it".to_string(),
        (all, some) if all == some => "`amazons solve` searches them".to_string(),
        (_, some) => format!("`amazons solve` searches {some} of them, the others are too large"),
    };
    Failure::limit(format!("nothing decides {unknown} of the positions; {advice}"))
}

/// The value of a position that nothing decides.
const UNKNOWN: &str = "unknown";

fn report(args: &Args, knowledge: &Knowledge, position: &Position) -> Result<Report, Failure> {
    let finding = knowledge.of(position)?;
    let value = |known: Option<Outcome>| known.map_or(UNKNOWN, Outcome::as_str);
    let reported = |&(played, known): &(IndexedMove, Option<Outcome>)| MoveReport {
        played: move_text(position.board(), played),
        value: value(known),
        margin: None,
        answer: None,
    };
    let moves = match args.values_only {
        true => Moves::NotAskedFor,
        false => Moves::Asked(Some(finding.moves().iter().map(reported).collect())),
    };
    Ok(Report {
        position: fen(position),
        rules: None,
        value: value(finding.value()),
        margin: None,
        basis: finding.value().and(finding.basis()).map(Basis::to_string),
        moves,
        turn: position.turn(),
    })
}
