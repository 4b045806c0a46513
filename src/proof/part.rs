//! Shares of a check, for machines that work side by side or one after the other.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// One of several shares of a check, of about equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which one, from 0.
    index: u64,
    of: u64,
}

/// That there is no such part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected K/N with K from 1 to N, for example 3/20")]
#[non_exhaustive]
pub struct PartError;

impl Part {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Part `number`, from 1, of `of`.
    ///
    /// # Errors
    /// If there is no such part.
    pub fn new(number: u64, of: u64) -> Result<Self, PartError> {
        match number.checked_sub(1) {
            Some(index) if index < of => Ok(Self { index, of }),
            _ => Err(PartError),
        }
    }

    /// Which part it is, from 1.
    pub fn number(self) -> u64 {
        self.index + 1
    }

    /// Of how many parts.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Whether it takes the piece of work with this number, from 0: the parts take turns.
    pub(crate) fn takes(self, piece: u64) -> bool {
        piece % self.of == self.index
    }
}

impl FromStr for Part {
    type Err = PartError;

    fn from_str(text: &str) -> Result<Self, PartError> {
        let (number, of) = text.split_once('/').ok_or(PartError)?;
        // Without a sign, which the parser of numbers allows.
        let [number, of] = [number, of].map(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
        });
        Self::new(number.ok_or(PartError)?, of.ok_or(PartError)?)
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number(), self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_as_it_is_told_and_nothing_else_is() {
        for text in ["1/1", "3/20", "20/20", "1/18446744073709551615"] {
            assert_eq!(text.parse::<Part>().unwrap().to_string(), text);
        }
        let wrong =
            ["", "/", "1", "0/1", "2/1", "0/0", "1/", "/1", "+1/2", "1/2/3", " 1/2", "-1/2", "a/b"];
        for text in wrong.into_iter().chain(["1/18446744073709551616"]) {
            assert_eq!(text.parse::<Part>(), Err(PartError), "{text}");
        }
    }

    #[test]
    fn every_piece_is_taken_by_one_part() {
        for of in 1..9 {
            let parts: Vec<Part> = (1..=of).map(|number| Part::new(number, of).unwrap()).collect();
            for piece in 0..50 {
                assert_eq!(parts.iter().filter(|part| part.takes(piece)).count(), 1);
            }
        }
    }
}
