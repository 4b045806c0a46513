//! The characters of a file: bytes to text.
//!
//! FF\[4\] names the charset in the root property `CA`, and means ISO-8859-1 without it. In
//! practice files without `CA` are often UTF-8: what is valid UTF-8 is taken as that, anything else
//! as ISO-8859-1 (as its superset windows-1252, in which no byte is an error). A byte order mark
//! goes before all of these. Text inside the program and in files written is UTF-8.

use std::borrow::Cow;

use super::parse::in_first_node;
use crate::game::excerpt::excerpt;
use crate::machine::charset::{Charset, western};

/// Why the bytes of a file are not text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CharsetError {
    /// A name in `CA` that no charset has.
    #[error("CA: expected the name of a charset such as UTF-8 or ISO-8859-1, found {0}")]
    Unknown(String),
    /// Bytes that are nothing in the charset.
    #[error("the file is not valid {charset}, which its {named_by} says it is")]
    Malformed {
        /// The charset.
        charset: String,
        /// What says so.
        named_by: &'static str,
    },
}

/// The text of a file.
pub(in crate::game::notation) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, CharsetError> {
    if let Some((charset, mark)) = Charset::of_mark(bytes) {
        return decode_as(&charset, &bytes[mark..], "byte order mark");
    }
    // Every charset in use has ASCII in common, so that the name can be read before the charset is
    // known.
    let ascii = western(bytes);
    match in_first_node(&ascii, "CA") {
        None => Ok(std::str::from_utf8(bytes).map_or(ascii.into(), Cow::Borrowed)),
        Some(name) => {
            let label = name.trim();
            let charset = Charset::of_name(label);
            let charset = charset.ok_or_else(|| CharsetError::Unknown(excerpt(label)))?;
            decode_as(&charset, bytes, "CA property")
        }
    }
}

/// The name of the charset that text is written in.
pub(super) const WRITTEN: &str = "UTF-8";

fn decode_as<'a>(
    charset: &Charset,
    bytes: &'a [u8],
    named_by: &'static str,
) -> Result<Cow<'a, str>, CharsetError> {
    let text = charset.decode(bytes);
    text.ok_or_else(|| CharsetError::Malformed { charset: charset.name(), named_by })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_charset_is_that_of_the_file() {
        let cases: [(&[u8], &str); 7] = [
            (b"(;C[caf\xe9])", "(;C[café])"),
            ("(;C[café])".as_bytes(), "(;C[café])"),
            (b"(;CA[ISO-8859-1]C[caf\xc3\xa9])", "(;CA[ISO-8859-1]C[cafÃ©])"),
            (b"(;CA[utf-8]C[caf\xc3\xa9])", "(;CA[utf-8]C[café])"),
            // The second byte of this character is that of a backslash.
            (b"(;CA[Shift_JIS]C[\x83\x5c])", "(;CA[Shift_JIS]C[ソ])"),
            (b"\xef\xbb\xbf(;C[caf\xc3\xa9])", "(;C[café])"),
            (b"\xff\xfe(\0;\0C\0[\0\xe9\0]\0)\0", "(;C[é])"),
        ];
        for (bytes, text) in cases {
            assert_eq!(decode(bytes).unwrap(), text);
        }
    }

    #[test]
    fn what_is_not_the_charset_is_refused() {
        let error = |bytes: &[u8]| decode(bytes).unwrap_err().to_string();
        assert!(error(b"(;CA[klingon])").contains("found \"klingon\""));
        let found = error(b"(;CA[UTF-8]C[caf\xe9])");
        assert_eq!(found, "the file is not valid UTF-8, which its CA property says it is");
        assert!(error(b"\xef\xbb\xbf\xff").contains("byte order mark"));
    }
}
