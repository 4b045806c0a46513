//! `amazons value`: arithmetic with values in CGSuite's notation.

use std::cmp::Ordering;
use std::path::PathBuf;

use serde::Serialize;

use super::context::{Context, Failure, OrFail};
use super::files::output;
use super::text::described::Described;
use super::text::plot::thermograph;
use crate::theory::values::{Budget, Value, Values, Wall};

/// Print the canonical form, temperature and thermograph of values; several are compared and added
///
/// A VALUE is written as CGSuite does: numbers 3, -1/2; *2, ^, v*; {2|0}, {3||2|1}, ±1 or +-1,
/// Tiny(2), Miny(1); sums such as "{2|0}+^". Quote it for the shell; one that begins with - and is
/// not a number stands in parentheses: "(-1/2)".
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The values, as above
    #[arg(required = true, value_name = "VALUE", allow_negative_numbers = true)]
    texts: Vec<String>,

    /// Draw the thermograph of the value, or of the sum of several, into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The longest text: longer ones may have forms that do not fit any memory.
const LONGEST: usize = 1000;

#[derive(Serialize)]
struct Report {
    /// How the first of two compares with the second: <, >, =, or || if they are confused.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'static str>,
    values: Vec<ValueReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<ValueReport>,
}

#[derive(Serialize)]
struct ValueReport {
    #[serde(flatten)]
    described: Described,
    /// Corners of the walls as tax and value, by increasing tax; above the last they are vertical.
    left_wall: Vec<[String; 2]>,
    right_wall: Vec<[String; 2]>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let length: usize = args.texts.iter().map(|text| text.chars().count()).sum();
    if length > LONGEST {
        return Err(Failure::usage(format!(
            "the values have {length} characters, at most {LONGEST} are read"
        )));
    }
    let (values, mut budget) = (Values::new(), Budget::default());
    let read = |text: &String| values.parse_within(&mut budget, text).or_usage();
    let given: Vec<Value> = args.texts.iter().map(read).collect::<Result<_, _>>()?;
    let total = total(&values, &mut budget, &given)?;
    let several = given.len() > 1;
    let report = Report {
        comparison: match given.as_slice() {
            &[a, b] => Some(sign(values.compare(a, b))),
            _ => None,
        },
        values: given.iter().map(|&value| ValueReport::of(&values, value)).collect(),
        sum: several.then(|| ValueReport::of(&values, total)),
    };
    if let Some(path) = &args.svg {
        let title = values.short_text(total);
        output::write(path, thermograph(&title, values.thermograph(total))?.as_bytes())?;
    }
    report.print(context)
}

/// The sum of values in range, each sum of the first of them in range too. The budget allows each,
/// and so the comparison of two.
///
/// # Errors
/// Wrong usage, if one is not, or the budget is spent.
fn total(values: &Values, budget: &mut Budget, given: &[Value]) -> Result<Value, Failure> {
    given.iter().try_fold(Value::ZERO, |sum, &value| {
        if !values.afford(budget, sum, value) {
            return Err(Failure::usage("the sum of these values has too many positions"));
        }
        let sum = values.sum(sum, value);
        let too_large = || Failure::usage("the sum of these values is too large to compute with");
        values.is_in_range(sum).then_some(sum).ok_or_else(too_large)
    })
}

fn sign(order: Option<Ordering>) -> &'static str {
    match order {
        Some(Ordering::Less) => "<",
        Some(Ordering::Equal) => "=",
        Some(Ordering::Greater) => ">",
        None => "||",
    }
}

impl Report {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        if let (Some(sign), [a, b]) = (self.comparison, self.values.as_slice()) {
            context.print(format_args!("{} {sign} {}", a.described.text, b.described.text))?;
        }
        if let Some(sum) = &self.sum {
            let parts: Vec<&str> =
                self.values.iter().map(|value| value.described.text.as_str()).collect();
            context.print(format_args!("sum of {}", parts.join(" and ")))?;
            return sum.print(context);
        }
        self.values.iter().try_for_each(|value| value.print(context))
    }
}

impl ValueReport {
    fn of(values: &Values, value: Value) -> Self {
        let graph = values.thermograph(value);
        let corners = |wall: &Wall| {
            wall.corners().iter().map(|(tax, at)| [tax.to_string(), at.to_string()]).collect()
        };
        Self {
            described: Described::new(values, value),
            left_wall: corners(&graph.left),
            right_wall: corners(&graph.right),
        }
    }

    /// Prints it as text.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        let wall = |corners: &[[String; 2]]| {
            let corners = corners.iter().map(|[tax, at]| format!("{at} at {tax}"));
            corners.collect::<Vec<_>>().join(", ")
        };
        context.print(format_args!(
            "{}\n\
             left wall    {}\n\
             right wall   {}",
            self.described,
            wall(&self.left_wall),
            wall(&self.right_wall)
        ))
    }
}
