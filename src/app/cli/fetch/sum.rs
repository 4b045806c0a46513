//! The SHA-256 of a file.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 in hexadecimal, in small letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Sum(String);

impl Sum {
    /// The sum of bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self::from_hasher(Sha256::new_with_prefix(bytes))
    }

    /// The sum of what a hasher was given.
    pub(super) fn from_hasher(hasher: Sha256) -> Self {
        Self(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether it is this text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.0 == text
    }

    /// Its first digits, which tell versions of one file apart.
    pub(super) fn beginning(&self) -> &str {
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
