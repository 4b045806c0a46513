//! A line of standard input, which may be anything and as long as it likes.

use std::io::BufRead;

use crate::app::cli::context::Failure;
use crate::machine::charset::without_mark;

/// The longest line, in bytes; no question and no command is as long.
pub(in crate::app::cli) const LONGEST: usize = 1 << 16;

/// A line that is not read as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::app::cli) enum LineError {
    #[error("the line is longer than {LONGEST} bytes")]
    Long,
    #[error("the line is not UTF-8")]
    Encoding,
}

/// The line read last; of one that is too long only the beginning is kept.
#[derive(Debug, Default)]
pub(in crate::app::cli) struct Line(Vec<u8>);

impl Line {
    /// Reads the next line; `false` at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(in crate::app::cli) fn read(&mut self, input: &mut impl BufRead) -> Result<bool, Failure> {
        let Self(bytes) = self;
        bytes.clear();
        let mut any = false;
        loop {
            let available = input.fill_buf().map_err(Failure::of_input)?;
            if available.is_empty() {
                return Ok(any);
            }
            any = true;
            let end = available.iter().position(|&byte| byte == b'\n');
            let taken = end.unwrap_or(available.len());
            let room = (LONGEST + 1).saturating_sub(bytes.len());
            bytes.extend_from_slice(&available[..taken.min(room)]);
            input.consume(end.map_or(taken, |end| end + 1));
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Its text, without white space at either end.
    ///
    /// # Errors
    /// If the line is too long or not UTF-8.
    pub(in crate::app::cli) fn text(&self) -> Result<&str, LineError> {
        text(&self.0)
    }
}

/// The text of a line, of which the first [`LONGEST`] bytes and one more were kept, without white
/// space at either end, nor the mark of a file's beginning.
///
/// # Errors
/// If the line is too long or not UTF-8.
pub(in crate::app::cli) fn text(bytes: &[u8]) -> Result<&str, LineError> {
    if bytes.len() > LONGEST {
        return Err(LineError::Long);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| LineError::Encoding)?;
    Ok(without_mark(text).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_text_or_says_why_not() {
        let long = vec![b'x'; 3 * LONGEST];
        let input = ["\u{feff} one \n\n".as_bytes(), &long, b"\n\xff\nlast"].concat();
        let mut input = input.as_slice();
        let mut line = Line::default();
        for expected in
            [Ok("one"), Ok(""), Err(LineError::Long), Err(LineError::Encoding), Ok("last")]
        {
            assert!(line.read(&mut input).unwrap());
            assert_eq!(line.text(), expected);
            assert!(line.0.len() <= LONGEST + 1);
        }
        assert!(!line.read(&mut input).unwrap());
    }
}
