//! A place in a text.

use std::fmt;

/// A line and a column, both from 1; a column is a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordPlace {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl RecordPlace {
    /// The place of the character that begins at this byte.
    pub(in crate::game) fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        Self { line, column: before[begin..].chars().count() + 1 }
    }
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
