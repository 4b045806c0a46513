//! Figures from lines of JSON that other commands print.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::app::cli::context::Failure;
use crate::machine::shown::Shown as _;
use crate::machine::{files, json};

/// The longest file of lines.
const MOST_LINES: u64 = 16 << 20;

/// What the lines of a file say, of which `command` prints each for one `what`.
pub(super) fn read<T: DeserializeOwned>(
    file: &Path,
    command: &str,
    what: &str,
) -> Result<Vec<T>, Failure> {
    let path = file.shown();
    let text = files::text_at_most(file, MOST_LINES)
        .map_err(|error| Failure::failed(format!("cannot read {path}: {error}")))?;
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            Failure::failed(format!(
                "{path}, line {number}: expected what {command} prints: {}",
                json::fault(&error)
            ))
        })
    };
    let lines: Vec<T> = (1..).zip(text.lines()).map(line).collect::<Result<_, Failure>>()?;
    if lines.is_empty() {
        return Err(Failure::failed(format!(
            "{path}: expected a line for each {what}, found none"
        )));
    }
    Ok(lines)
}
