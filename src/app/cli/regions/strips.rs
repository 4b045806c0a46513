//! The values of all positions of strips of two rows, by length.

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::theory::values::{Evaluator, StripCensus, strip_census};

/// One length.
#[derive(Serialize)]
struct StripReport {
    length: u32,
    boards: u64,
    positions: u64,
    distinct_values: u64,
    numbers: u64,
    highest_temperature: Option<String>,
    hottest: Option<String>,
}

/// Values all positions with one amazon a side of strips of up to `longest` x 2 squares.
pub(super) fn run(longest: u32, evaluator: &Evaluator, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    if !context.json() {
        context.print("length    boards   positions  distinct values     numbers  hottest")?;
    }
    for length in 1..=longest {
        let census = strip_census(evaluator, length, &context.progress(), &stop).or_limit()?;
        let census = census.ok_or_else(|| Failure::limit(format!("stopped at length {length}")))?;
        StripReport::of(length, &census).print(context)?;
    }
    Ok(())
}

impl StripReport {
    fn of(length: u32, census: &StripCensus) -> Self {
        Self {
            length,
            boards: census.boards,
            positions: census.positions,
            distinct_values: census.values,
            numbers: census.numbers,
            highest_temperature: census.hottest.map(|hottest| hottest.0.to_string()),
            hottest: census.hottest.map(|hottest| hottest.1.to_string()),
        }
    }

    /// Prints it as a row of text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { length, boards, positions, distinct_values, numbers, .. } = self;
        let hottest = match (&self.highest_temperature, &self.hottest) {
            (Some(temperature), Some(game)) => format!("{temperature} {game}"),
            _ => String::new(),
        };
        context.print(format_args!(
            "{length:>6}{boards:>10}{positions:>12}{distinct_values:>17}{numbers:>12}  {hottest}"
        ))
    }
}
