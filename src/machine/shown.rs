//! Names of files, as they are shown.
//!
//! A name may hold any character. A line break in it would write lines among those of the program,
//! and what follows an escape character changes what a terminal shows. So whatever is printed of a
//! name is printed by this. JSON has its own way to write such characters, and holds the name
//! itself.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::{self, Write};
use std::path::Path;

/// A name for a reader: characters that control something are written as `\n` or `\u{1b}`, and what
/// is no UTF-8 as `�`.
#[derive(Clone, Debug)]
pub struct ShownName<'a>(Cow<'a, str>);

/// What is a name, or may hold one.
pub trait Shown {
    /// The name for a reader.
    fn shown(&self) -> ShownName<'_>;
}

impl Shown for Path {
    fn shown(&self) -> ShownName<'_> {
        self.as_os_str().shown()
    }
}

impl Shown for OsStr {
    fn shown(&self) -> ShownName<'_> {
        ShownName(self.to_string_lossy())
    }
}

impl Shown for str {
    fn shown(&self) -> ShownName<'_> {
        ShownName(Cow::Borrowed(self))
    }
}

impl fmt::Display for ShownName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match controls(character) {
                true => write!(f, "{}", character.escape_default())?,
                false => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// Whether a character is none to be seen, but breaks lines, moves a cursor or turns the direction
/// of writing.
fn controls(character: char) -> bool {
    let separates = matches!(character, '\u{2028}' | '\u{2029}');
    let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || separates || turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_controls_something_is_written_as_text() {
        for (name, shown) in [
            ("results/4x4.proof", "results/4x4.proof"),
            ("ä b\\n", "ä b\\n"),
            ("a\nproved", "a\\nproved"),
            ("\r\t\u{1b}[31m\u{7f}\u{9b}", "\\r\\t\\u{1b}[31m\\u{7f}\\u{9b}"),
            ("\u{202e}x\u{2028}", "\\u{202e}x\\u{2028}"),
        ] {
            assert_eq!(name.shown().to_string(), shown);
            assert_eq!(Path::new(name).shown().to_string(), shown);
        }
    }
}
