//! The SHA-256 of files: of what was read, and in the lists that have them.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::machine::progress::StopFlag;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// A SHA-256 in hexadecimal, in small letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::app::cli) struct Sum(String);

/// A file of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::app::cli) struct Entry {
    /// Its path in the directory, with `/`.
    pub(in crate::app::cli) name: String,
    pub(in crate::app::cli) bytes: u64,
    pub(in crate::app::cli) sha256: Sum,
}

/// The sum of bytes as they come, and how many there were.
#[derive(Clone, Debug, Default)]
pub(in crate::app::cli) struct Summing {
    hasher: Sha256,
    bytes: u64,
}

impl Summing {
    /// Takes the next bytes.
    pub(in crate::app::cli) fn add(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
        self.bytes += piece.len() as u64;
    }

    /// Takes all that there is to read; `None` if somebody asks to stop meanwhile.
    ///
    /// # Errors
    /// If the system refuses.
    pub(in crate::app::cli) fn of(
        input: &mut impl Read,
        stop: &StopFlag,
    ) -> io::Result<Option<Self>> {
        let (mut summing, mut piece) = (Self::default(), vec![0; PIECE]);
        loop {
            if stop.is_set() {
                return Ok(None);
            }
            match input.read(&mut piece)? {
                0 => return Ok(Some(summing)),
                read => summing.add(&piece[..read]),
            }
        }
    }

    /// How many bytes there were.
    pub(in crate::app::cli) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Their sum.
    pub(in crate::app::cli) fn sum(self) -> Sum {
        Sum(self.hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl Sum {
    /// The sum of bytes.
    #[cfg(feature = "fetch")]
    pub(in crate::app::cli) fn of(bytes: &[u8]) -> Self {
        let mut summing = Summing::default();
        summing.add(bytes);
        summing.sum()
    }

    /// Its first digits, which tell versions of one file apart.
    #[cfg(feature = "fetch")]
    pub(in crate::app::cli) fn beginning(&self) -> &str {
        &self.0[..16]
    }
}

impl FromStr for Sum {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == 64 && text.bytes().all(is_digit) {
            true => Ok(Self(text.to_string())),
            false => Err(format!(
                "expected a SHA-256 of 64 hexadecimal digits in small letters, found {text:?}"
            )),
        }
    }
}

impl TryFrom<String> for Sum {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_of_the_standard() {
        for (content, expected) in [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ] {
            let summing = Summing::of(&mut content.as_bytes(), &StopFlag::new()).unwrap().unwrap();
            assert_eq!(summing.bytes(), content.len() as u64);
            assert_eq!(summing.sum(), expected.parse().unwrap());
        }
    }

    #[test]
    fn a_set_flag_ends_it() {
        let stop = StopFlag::new();
        stop.stop();
        assert!(Summing::of(&mut &b"x"[..], &stop).unwrap().is_none());
    }

    #[test]
    fn what_is_no_sum_is_refused() {
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sum.parse::<Sum>().unwrap().to_string(), sum);
        for text in ["", &sum[1..], &sum.to_uppercase(), &format!("{sum}0")] {
            assert!(text.parse::<Sum>().is_err(), "{text}");
        }
    }
}
