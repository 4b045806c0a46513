//! `amazons value`: arithmetic with values in CGSuite's notation.

use std::cmp::Ordering;
use std::path::PathBuf;

use serde::Serialize;

use super::context::{Context, Failure};
use super::files::output;
use super::text::described::Described;
use super::text::plot::thermograph;
use crate::theory::values::{Overwork, Value, ValueTextError, Values, Wall, Work};

/// Print the canonical form, temperature and thermograph of values; several are compared and added
///
/// A VALUE is written as CGSuite does: numbers 3, 1/2; *2, ^, v*; {2|0}, {3||2|1}, ±1 or +-1,
/// Tiny(2), Miny(1); sums such as "{2|0}+^". The braces around the whole may be left out: "3|6".
/// Quote it for the shell; one that begins with - stands in parentheses unless it is a whole
/// number: -3, "(-1/2)".
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The values, as above
    #[arg(required = true, value_name = "VALUE", allow_negative_numbers = true)]
    texts: Vec<String>,

    /// Draw the thermograph of the value, or of the sum of several, into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The longest text.
const LONGEST: usize = 1000;
/// With less memory nothing is computed.
const LEAST: u64 = 2 << 20;
/// The share of the memory for the values; the rest is for their text.
const VALUES_SHARE: u64 = 2;

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
    let memory = context.left("arithmetic with values", LEAST)?;
    let values = Values::new();
    let work = Work::within(&values, memory / VALUES_SHARE);
    let read = |text: &String| work.parse(text).map_err(unread);
    let given: Vec<Value> = args.texts.iter().map(read).collect::<Result<_, _>>()?;
    let total = total(&work, &given)?;
    let several = given.len() > 1;
    let room = (memory - memory / VALUES_SHARE) / (given.len() as u64 + 1);
    let report = Report {
        comparison: match given.as_slice() {
            &[a, b] => Some(sign(work.compare(a, b).map_err(overworked)?)),
            _ => None,
        },
        values: given
            .iter()
            .map(|&value| ValueReport::of(&work, room, value))
            .collect::<Result<_, _>>()?,
        sum: several.then(|| ValueReport::of(&work, room, total)).transpose()?,
    };
    if let Some(path) = &args.svg {
        let title = values.short_text(total);
        output::write(path, thermograph(&title, values.thermograph(total))?.as_bytes())?;
    }
    report.print(context)
}

/// A text that is no value is wrong usage; where memory does not suffice for it, that is a limit.
fn unread(error: ValueTextError) -> Failure {
    match error {
        ValueTextError::Overwork { why: Overwork::Memory { .. }, .. } => {
            Failure::limit(format!("{error}; give more --memory"))
        }
        error => Failure::usage(error.to_string()),
    }
}

/// That the arithmetic beyond the texts takes too much.
fn overworked(why: Overwork) -> Failure {
    match why {
        Overwork::Memory { .. } => Failure::limit(format!("{why}; give more --memory")),
        why => Failure::usage(format!("what these values are asked for is too much: {why}")),
    }
}

/// The sum of values in range, each sum of the first of them in range too.
///
/// # Errors
/// Wrong usage, if one is not, or they take too much.
fn total(work: &Work<'_>, given: &[Value]) -> Result<Value, Failure> {
    given.iter().try_fold(Value::ZERO, |sum, &value| {
        let sum = work.sum(sum, value).map_err(overworked)?;
        let too_large = || Failure::usage("the sum of these values is too large to compute with");
        work.is_in_range(sum).map_err(overworked)?.then_some(sum).ok_or_else(too_large)
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
    /// # Errors
    /// If that takes too much, or its text takes more than `room` bytes.
    fn of(work: &Work<'_>, room: u64, value: Value) -> Result<Self, Failure> {
        let values = work.values();
        if !values.is_writable_within(room, value) {
            return Err(Failure::limit("a value is too long to be written"));
        }
        let graph = work.thermograph(value).map_err(overworked)?;
        // Its outcome is asked for where nothing more can be refused.
        work.compare(value, Value::ZERO).map_err(overworked)?;
        let corners = |wall: &Wall| {
            wall.corners().iter().map(|(tax, at)| [tax.to_string(), at.to_string()]).collect()
        };
        Ok(Self {
            described: Described::new(values, value),
            left_wall: corners(&graph.left),
            right_wall: corners(&graph.right),
        })
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
