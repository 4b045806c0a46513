//! Questions by the line: one on each line of standard input, one JSON object for each on standard
//! output, in order.
//!
//! An object says the number of its line, from 1. What cannot be answered is an object with an
//! `error`, and the next line is read all the same.

mod incoming;
mod together;

use std::io::{self, BufReader, BufWriter, Write};

use serde::Serialize;

use super::Failure;
use super::line::Line;
use crate::machine::progress::StopFlag;

pub(super) use together::answer_lines_together;

#[derive(Serialize)]
struct Answered<R> {
    line: u64,
    #[serde(flatten)]
    report: R,
}

#[derive(Serialize)]
struct Refused {
    line: u64,
    error: String,
}

/// Answers the lines of standard input; empty lines and comments (`# like this`) are skipped.
///
/// # Errors
/// If there was a line that could not be answered, after all lines; at once if the input cannot be
/// read or the output cannot be written, or `stop` is set.
pub(super) fn answer_lines<R: Serialize>(
    stop: &StopFlag,
    answer: impl FnMut(&str) -> Result<R, Failure>,
) -> Result<(), Failure> {
    answer_all(BufReader::new(io::stdin().lock()), io::stdout().lock(), stop, answer)
}

fn answer_all<R: Serialize>(
    mut input: BufReader<impl io::Read>,
    output: impl Write,
    stop: &StopFlag,
    mut answer: impl FnMut(&str) -> Result<R, Failure>,
) -> Result<(), Failure> {
    let mut output = BufWriter::new(output);
    let (mut line, mut refused, mut read) = (0, 0, Line::default());
    loop {
        // Who writes a line and waits for its answer gets it.
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line += 1;
        if !read.read(&mut input)? {
            break;
        }
        let asked = match read.text() {
            Ok(text) if is_comment(text) => continue,
            Ok(text) => answer(text),
            Err(error) => Err(Failure::usage(error.to_string())),
        };
        if stop.is_set() {
            output.flush()?;
            return Err(Failure::limit(format!("interrupted before line {line} was answered")));
        }
        match asked {
            Ok(report) => serde_json::to_writer(&mut output, &Answered { line, report }),
            Err(Failure::Message(_, error)) => {
                refused += 1;
                serde_json::to_writer(&mut output, &Refused { line, error })
            }
            Err(closed @ Failure::ClosedPipe) => return Err(closed),
        }
        .map_err(io::Error::from)?;
        output.write_all(b"\n")?;
    }
    refused_in_all(refused)
}

fn refused_in_all(refused: u64) -> Result<(), Failure> {
    match refused {
        0 => Ok(()),
        count => Err(Failure::failed(format!("{count} of the lines could not be answered"))),
    }
}

/// A sign `#` without a space after it may be a burned square.
fn is_comment(text: &str) -> bool {
    text.is_empty() || text == "#" || text.starts_with("# ")
}

#[cfg(test)]
mod tests {
    use super::super::line::LONGEST;
    use super::*;

    #[derive(Serialize)]
    struct Length {
        length: usize,
    }

    fn answered(input: &[u8]) -> (String, Result<(), Failure>) {
        let mut out = Vec::new();
        let answer = |text: &str| match text {
            "bad" => Err(Failure::usage("expected something good")),
            text => Ok(Length { length: text.len() }),
        };
        // A buffer of a few bytes: lines do not end where it does.
        let input = BufReader::with_capacity(3, input);
        let outcome = answer_all(input, &mut out, &StopFlag::new(), answer);
        (String::from_utf8(out).unwrap(), outcome)
    }

    #[test]
    fn every_line_has_its_answer_and_number() {
        let (out, outcome) = answered(b"one\n\n# no question\n three \r\nbad\n\xff\nlast");
        let lines = [
            r#"{"line":1,"length":3}"#,
            r#"{"line":4,"length":5}"#,
            r#"{"line":5,"error":"expected something good"}"#,
            r#"{"line":6,"error":"the line is not UTF-8"}"#,
            r#"{"line":7,"length":4}"#,
        ];
        assert_eq!(out.lines().collect::<Vec<_>>(), lines);
        let Err(Failure::Message(_, words)) = outcome else { panic!("two lines are bad") };
        assert_eq!(words, "2 of the lines could not be answered");
        assert!(matches!(answered(b""), (out, Ok(())) if out.is_empty()));
    }

    #[test]
    fn a_line_without_end_takes_no_more_memory_than_the_longest() {
        let long = [vec![b'x'; 3 * LONGEST], b"\nyes\n".to_vec()].concat();
        let (out, outcome) = answered(&long);
        assert!(outcome.is_err());
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines[0], r#"{"line":1,"error":"the line is longer than 65536 bytes"}"#);
        assert_eq!(lines[1], r#"{"line":2,"length":3}"#);
    }

    #[test]
    fn a_stop_ends_it() {
        let stop = StopFlag::new();
        let answer = |_: &str| {
            stop.stop();
            Ok(Length { length: 0 })
        };
        let mut out = Vec::new();
        let outcome = answer_all(BufReader::new(&b"a\nb\n"[..]), &mut out, &stop, answer);
        assert!(matches!(outcome, Err(Failure::Message(super::super::Status::Limit, _))));
        assert!(out.is_empty());
    }
}
