//! The smallest positions where play ends at given numbers.

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::counted::Counted;
use crate::theory::values::{Dyadic, Ends, Evaluator, Example};

#[derive(Serialize)]
struct Report {
    left: String,
    right: String,
    size: usize,
    smallest: bool,
    regions: Vec<RegionReport>,
}

/// One of the regions.
#[derive(Serialize)]
struct RegionReport {
    region: String,
    value: String,
    /// What the best moves leave, where a side has one that is no worse than any other.
    left_best: Option<String>,
    right_best: Option<String>,
}

/// Finds positions of up to `most` squares by the texts of these numbers.
pub(super) fn run(
    [left, right]: [&str; 2],
    most: usize,
    evaluator: &Evaluator,
    context: &Context,
) -> Result<(), Failure> {
    let wanted = Ends { left: number(left, evaluator)?, right: number(right, evaluator)? };
    let stop = context.stop_on_interrupt()?;
    let examples = wanted.examples(evaluator, most, &context.progress(), &stop).or_limit()?;
    let examples = examples.ok_or_else(|| Failure::limit("stopped before anything was found"))?;
    if examples.found.is_empty() {
        return Err(Failure::limit(format!(
            "no position of up to {} squares was found that ends at {left} and {right}",
            examples.size
        )));
    }
    let report = Report {
        left: wanted.left.to_string(),
        right: wanted.right.to_string(),
        size: examples.size,
        smallest: examples.smallest,
        regions: examples
            .found
            .iter()
            .map(|example| RegionReport::of(example, evaluator))
            .collect::<Result<_, _>>()?,
    };
    report.print(context)
}

impl RegionReport {
    fn of(example: &Example, evaluator: &Evaluator) -> Result<Self, Failure> {
        let values = evaluator.values();
        let value = values.short_text(evaluator.value(&example.game).or_limit()?);
        let [left_best, right_best] =
            example.best.map(|best| best.map(|value| values.short_text(value)));
        Ok(Self { region: example.game.to_string(), value, left_best, right_best })
    }
}

impl Report {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let how = if self.smallest { "the smallest there are" } else { "grown from smaller ones" };
        let Self { left, right, size, regions, .. } = self;
        let (count, size) = (Counted(regions.len(), "region"), Counted(*size, "square"));
        context.print(format_args!("{left}|{right}: {count} of {size}, {how}"))?;
        for RegionReport { region, value, left_best, right_best } in regions {
            let best =
                |best: &Option<String>| best.clone().unwrap_or_else(|| "several".to_string());
            let (left, right) = (best(left_best), best(right_best));
            context
                .print(format_args!("{region}  value {value}, best: Left {left}, Right {right}"))?;
        }
        Ok(())
    }
}

fn number(text: &str, evaluator: &Evaluator) -> Result<Dyadic, Failure> {
    let value = evaluator.values().parse(text).or_usage()?;
    let number = evaluator.values().as_number(value);
    number.ok_or_else(|| Failure::usage(format!("play ends at a number, found {text:?}")))
}
