//! Questions by the line: one on each line of standard input, one JSON object for each on standard
//! output, in order.
//!
//! An object says the number of its line, from 1. What cannot be answered is an object with an
//! `error`, and the next line is read all the same.

mod incoming;
pub(super) mod line;

use std::io::{self, Read, Write};

use rayon::prelude::*;
use serde::Serialize;

use super::context::{Failure, OrFail};
use crate::machine::progress::StopFlag;
use incoming::Incoming;

/// Answers that one thread writes at a time.
const TOGETHER: usize = 1024;
/// Bytes of lines that are read ahead, for each line that is answered at a time.
const LINE_BYTES: usize = 64;

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
pub(super) fn answer_lines<R: Serialize + Send + Sync>(
    stop: &StopFlag,
    mut answer: impl FnMut(&str) -> Result<R, Failure>,
) -> Result<(), Failure> {
    answer_lines_together(stop, 1, |lines| lines.iter().map(|line| answer(line)).collect())
}

/// As [`answer_lines`], at most `most` lines at a time, where many answers cost less together:
/// `answer` gets as many as have come since the last time and gives as many answers.
///
/// # Errors
/// As [`answer_lines`].
pub(super) fn answer_lines_together<R: Serialize + Send + Sync>(
    stop: &StopFlag,
    most: usize,
    answer: impl FnMut(&[&str]) -> Vec<Result<R, Failure>>,
) -> Result<(), Failure> {
    // Standard output hands on every whole line, so who waits for an answer gets it.
    answer_all(io::stdin(), io::stdout().lock(), stop, most, answer)
}

fn answer_all<R: Serialize + Send + Sync>(
    input: impl Read + Send + 'static,
    mut output: impl Write,
    stop: &StopFlag,
    most: usize,
    mut answer: impl FnMut(&[&str]) -> Vec<Result<R, Failure>>,
) -> Result<(), Failure> {
    let incoming = Incoming::new(input, most.saturating_mul(LINE_BYTES));
    let (mut first, mut refused, mut taken) = (1, 0, Vec::new());
    while incoming.take(stop, &mut taken).map_err(Failure::of_input)? {
        let lines: Vec<&[u8]> = lines_of(&taken).collect();
        for lines in lines.chunks(most) {
            let (written, bad) = answer_some(lines, first, &mut answer);
            if stop.is_set() {
                break;
            }
            for part in written {
                output.write_all(&part.or_failed()?).map_err(Failure::of_output)?;
            }
            refused += bad;
            first += lines.len() as u64;
        }
        output.flush().map_err(Failure::of_output)?;
        if stop.is_set() {
            break;
        }
    }
    if stop.is_set() {
        return Err(Failure::limit(format!("interrupted before line {first} was answered")));
    }
    check_none_refused(refused)
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// The answers as text, and how many of them are errors.
fn answer_some<R: Serialize + Send + Sync>(
    lines: &[&[u8]],
    first: u64,
    answer: &mut impl FnMut(&[&str]) -> Vec<Result<R, Failure>>,
) -> (Vec<io::Result<Vec<u8>>>, u64) {
    let read: Vec<_> = lines.iter().map(|line| line::text(line)).collect();
    let is_asked = |text: &&str| !is_comment(text);
    let asked: Vec<&str> = read.iter().flatten().copied().filter(is_asked).collect();
    let mut answers = answer(&asked).into_iter();
    let mut numbered = Vec::with_capacity(lines.len());
    for (line, read) in (first..).zip(read) {
        match read {
            Ok(text) if is_comment(text) => {}
            Ok(_) => numbered.extend(answers.next().map(|answer| (line, answer))),
            Err(error) => numbered.push((line, Err(Failure::usage(error.to_string())))),
        }
    }
    let refused = numbered.iter().filter(|(_, answer)| answer.is_err()).count() as u64;
    (numbered.par_chunks(TOGETHER).map(as_json_lines).collect(), refused)
}

fn as_json_lines<R: Serialize>(answers: &[(u64, Result<R, Failure>)]) -> io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(80 * answers.len());
    for (line, answer) in answers {
        let line = *line;
        match answer {
            Ok(report) => serde_json::to_writer(&mut text, &Answered { line, report })?,
            Err(failure) => {
                serde_json::to_writer(&mut text, &Refused { line, error: failure.to_string() })?
            }
        }
        text.push(b'\n');
    }
    Ok(text)
}

fn check_none_refused(refused: u64) -> Result<(), Failure> {
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
    use super::line::LONGEST;
    use super::*;

    #[derive(Serialize)]
    struct Length {
        length: usize,
    }

    fn answer_text(input: &'static [u8], most: usize) -> (String, Result<(), Failure>) {
        let mut out = Vec::new();
        let one = |text: &&str| match *text {
            "bad" => Err(Failure::usage("expected something good")),
            text => Ok(Length { length: text.len() }),
        };
        let answer = |texts: &[&str]| texts.iter().map(one).collect();
        let outcome = answer_all(input, &mut out, &StopFlag::new(), most, answer);
        (String::from_utf8(out).unwrap(), outcome)
    }

    #[test]
    fn every_line_has_its_answer_and_number() {
        for most in [1, 2, 3, 100] {
            let (out, outcome) = answer_text(b"one\n\n# no\n three \r\nbad\n\xff\nlast", most);
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
        }
        assert!(matches!(answer_text(b"", 5), (out, Ok(())) if out.is_empty()));
    }

    #[test]
    fn many_lines_come_in_order_and_none_is_lost() {
        let lines: Vec<String> = (0..200_000).map(|i| "x".repeat(i % 50 + 1)).collect();
        let input: &'static [u8] = Vec::leak((lines.join("\n") + "\n").into_bytes());
        let (out, outcome) = answer_text(input, 3000);
        assert!(outcome.is_ok());
        let expected = (1..).zip(&lines).map(|(line, text)| {
            let length = text.len();
            format!(r#"{{"line":{line},"length":{length}}}"#)
        });
        assert!(out.lines().eq(expected));
    }

    #[test]
    fn a_line_without_end_takes_no_more_memory_than_the_longest() {
        let long: &'static [u8] =
            Vec::leak([vec![b'x'; 3 * LONGEST], b"\nyes\n".to_vec(), vec![b'x'; LONGEST]].concat());
        let (out, outcome) = answer_text(long, 10);
        assert!(outcome.is_err());
        let lines = [
            r#"{"line":1,"error":"the line is longer than 65536 bytes"}"#,
            r#"{"line":2,"length":3}"#,
            r#"{"line":3,"length":65536}"#,
        ];
        assert_eq!(out.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn a_stop_ends_it() {
        let stop = StopFlag::new();
        let answer = |texts: &[&str]| {
            stop.stop();
            texts.iter().map(|_| Ok(Length { length: 0 })).collect()
        };
        let mut out = Vec::new();
        let outcome = answer_all(&b"a\nb\n"[..], &mut out, &stop, 1, answer);
        let Err(Failure::Message(_, words)) = outcome else { panic!("it was stopped") };
        assert_eq!(words, "interrupted before line 1 was answered");
        assert!(out.is_empty());
    }
}
