//! Files of claims: how their lines are read, and what can be wrong with them.

use std::collections::HashMap;
use std::hash::Hash;
use std::io;
use std::path::{Path, PathBuf};

use crate::game::board::Board;
use crate::game::excerpt::excerpt;
use crate::game::rules::Amazons;
use crate::machine::files;
use crate::machine::shown::Shown as _;
use crate::tables::index::{ShapeError, TierShape};

/// The most bytes of a file of claims.
const LARGEST: u64 = 64 << 20;

/// What the lines of a file of claims are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// The first line, which names them.
    pub(super) header: &'static str,
    /// What every other line holds, in words.
    pub(super) line: &'static str,
}

/// Why claims cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimsError {
    /// The operating system refused.
    #[error("cannot read {}: {source}", path.shown())]
    Io {
        /// What was read.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The first line does not name the columns.
    #[error("{}: expected the first line {expected}, found {found}", path.shown())]
    Header {
        /// The file.
        path: PathBuf,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A line that is no claim.
    #[error("{}, line {line}: expected {expected}, found {found}", path.shown())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A line that claims again what a line before it claims something of.
    #[error(
        "{}, line {line}: expected one line of its kind, found another in line {first}: {found}",
        path.shown()
    )]
    Twice {
        /// The file.
        path: PathBuf,
        /// The later line, from 1.
        line: usize,
        /// The first, from 1.
        first: usize,
        /// The later line itself.
        found: String,
    },
    /// The name of a directory is that of a board without tables.
    #[error("{}: {source}", path.shown())]
    Board {
        /// The directory.
        path: PathBuf,
        /// Why there are none.
        source: ShapeError,
    },
    /// A claim about a tier that the board does not have.
    #[error("{}: expected tiers of {board} {amazons}, found {shape}: no such tier", path.shown())]
    NoTier {
        /// The file.
        path: PathBuf,
        /// The board that its directory is named after.
        board: Board,
        /// The amazons.
        amazons: Amazons,
        /// The tier.
        shape: TierShape,
    },
    /// A claim about a tier that its size alone denies.
    #[error("{}: {words}", path.shown())]
    Size {
        /// The file.
        path: PathBuf,
        /// What is claimed, and what there is.
        words: String,
    },
    /// A tier of the board without a claim.
    #[error("{}: expected a line for every tier, found none for {shape}", path.shown())]
    Missing {
        /// The file.
        path: PathBuf,
        /// The tier.
        shape: TierShape,
    },
}

/// The file of the verdicts in a directory of results.
pub(super) fn verdicts_path(results: &Path) -> PathBuf {
    results.join("verdicts.csv")
}

/// What `parse` finds in each line of a file of claims behind the first, which names the columns.
/// Empty lines and those that begin with `#` are passed over. No two lines may claim something of
/// the same `subject`.
///
/// # Errors
/// If the file cannot be read, its first line does not name the columns, `parse` finds nothing in
/// another line, or a subject comes again.
pub(super) fn read_claims<T, K: Eq + Hash>(
    path: &Path,
    columns: Columns,
    parse: impl Fn(&str) -> Option<T>,
    subject: impl Fn(&T) -> K,
) -> Result<Vec<T>, ClaimsError> {
    let failed = |source| ClaimsError::Io { path: path.into(), source };
    let text = files::read_at_most(path, LARGEST).map_err(failed)?;
    let no_text = |error| failed(io::Error::new(io::ErrorKind::InvalidData, error));
    let text = String::from_utf8(text).map_err(no_text)?;
    let mut lines =
        (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    let header = lines.next().map(|(_, line)| line);
    if header != Some(columns.header) {
        let found = header.map_or("no line".into(), excerpt);
        return Err(ClaimsError::Header { path: path.into(), expected: columns.header, found });
    }
    let (mut claims, mut lines_of) = (Vec::new(), HashMap::new());
    for (line, text) in lines {
        let (path, found) = (path.to_path_buf(), || excerpt(text));
        let Some(claim) = parse(text) else {
            return Err(ClaimsError::Line { path, line, expected: columns.line, found: found() });
        };
        if let Some(first) = lines_of.insert(subject(&claim), line) {
            return Err(ClaimsError::Twice { path, line, first, found: found() });
        }
        claims.push(claim);
    }
    Ok(claims)
}
