//! What two searches by minimax say of positions, beside where play ends.

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::theory::values::{Distorted, Distortion, Evaluator, ForcedCensus, forced_census};

/// One size.
#[derive(Serialize)]
struct Report {
    size: usize,
    positions: u64,
    zugzwangs: u64,
    same: u64,
    elsewhere: u64,
    other_numbers: u64,
    missed: u64,
    false_alarms: u64,
    fractions: u64,
    examples: Vec<ExampleReport>,
}

/// A position in which the two differ.
#[derive(Serialize)]
struct ExampleReport {
    kind: &'static str,
    region: String,
    left: String,
    right: String,
    forced_left: i32,
    forced_right: i32,
}

/// Compares the two on all positions of up to `most` squares.
pub(super) fn run(most: usize, evaluator: &Evaluator, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    if !context.json() {
        context.print(
            "size   positions   zugzwangs          same   elsewhere  other numbers      missed  \
             false alarms   fractions",
        )?;
    }
    let mut reports = Vec::new();
    for size in 1..=most {
        let census = forced_census(evaluator, size, &context.progress(), &stop).or_limit()?;
        let census = census.ok_or_else(|| Failure::limit(format!("stopped at size {size}")))?;
        let report = Report::of(size, &census);
        report.print(context)?;
        reports.push(report);
    }
    if context.json() {
        return Ok(());
    }
    let smallest = |kind: &'static str| {
        let of = move |report: &&Report| report.examples.iter().any(|one| one.kind == kind);
        reports.iter().find(of).map(move |report| (report.size, kind, &report.examples))
    };
    for (size, kind, examples) in KINDS.into_iter().filter_map(|(_, kind)| smallest(kind)) {
        context.print(format_args!("\n{kind}, the first of size {size}"))?;
        for one in examples.iter().filter(|one| one.kind == kind) {
            let ExampleReport { region, left, right, forced_left, forced_right, .. } = one;
            context.print(format_args!(
                "{region}  ends {left}|{right}, by minimax {forced_left}|{forced_right}"
            ))?;
        }
    }
    Ok(())
}

/// How the two may differ, with its name.
const KINDS: [(Distortion, &str); 5] = [
    (Distortion::Elsewhere, "elsewhere"),
    (Distortion::OtherNumbers, "other numbers"),
    (Distortion::Missed, "missed"),
    (Distortion::FalseAlarm, "false alarm"),
    (Distortion::Fraction, "fraction"),
];

impl Report {
    fn of(size: usize, census: &ForcedCensus) -> Self {
        let count = |kind| census.counts.get(&kind).copied().unwrap_or(0);
        let example = |kind: &'static str, of: &Distorted| ExampleReport {
            kind,
            region: of.game.to_string(),
            left: of.ends[0].to_string(),
            right: of.ends[1].to_string(),
            forced_left: of.forced[0],
            forced_right: of.forced[1],
        };
        let examples = KINDS.iter().flat_map(|(kind, name)| {
            census.examples.get(kind).into_iter().flatten().map(move |one| example(name, one))
        });
        Self {
            size,
            positions: census.counts.values().sum(),
            zugzwangs: census.zugzwangs,
            same: count(Distortion::None),
            elsewhere: count(Distortion::Elsewhere),
            other_numbers: count(Distortion::OtherNumbers),
            missed: count(Distortion::Missed),
            false_alarms: count(Distortion::FalseAlarm),
            fractions: count(Distortion::Fraction),
            examples: examples.collect(),
        }
    }

    /// Prints a line of it, as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        context.print(format_args!(
            "{:>4}{:>12}{:>12}{:>14}{:>12}{:>15}{:>12}{:>14}{:>12}",
            self.size,
            self.positions,
            self.zugzwangs,
            self.same,
            self.elsewhere,
            self.other_numbers,
            self.missed,
            self.false_alarms,
            self.fractions
        ))
    }
}
