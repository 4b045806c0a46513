//! How many amazons the sides have.

use std::fmt;
use std::str::FromStr;

/// Amazons a side, White v Black: `4v4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Amazons {
    /// White's amazons.
    pub white: usize,
    /// Black's amazons.
    pub black: usize,
}

/// Text that does not say how many amazons there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("amazons are written WHITEvBLACK with at least one in all, for example 4v4, found {0:?}")]
pub struct AmazonsError(String);

impl fmt::Display for Amazons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.white, self.black)
    }
}

impl FromStr for Amazons {
    type Err = AmazonsError;

    fn from_str(text: &str) -> Result<Self, AmazonsError> {
        let number = |digits: &str| -> Option<usize> {
            let plain = !digits.is_empty()
                && digits.len() <= 3
                && digits.bytes().all(|b| b.is_ascii_digit());
            if plain { digits.parse().ok() } else { None }
        };
        let sides =
            text.split_once('v').and_then(|(white, black)| Some((number(white)?, number(black)?)));
        match sides {
            Some((white, black)) if white + black > 0 => Ok(Self { white, black }),
            _ => Err(AmazonsError(text.to_string())),
        }
    }
}
