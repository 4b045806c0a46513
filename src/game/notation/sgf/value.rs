//! Values of properties: the text between two brackets, escapes and all.
//!
//! A value is kept as it stands in the file, so that what nobody here understands is written back
//! unchanged. What it says depends on its type: [`Value::text`] and [`Value::simple_text`] undo the
//! escapes of FF\[4\], where `\` makes the next character plain and removes a line break. Line
//! breaks are LF, CR, CRLF or LFCR.

use std::iter::Peekable;
use std::str::Chars;

/// The raw text of a value; every `]` in it is escaped, and it does not end in the middle of an
/// escape.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Value(String);

impl Value {
    /// A value that says `text`.
    pub fn of_text(text: &str) -> Self {
        let mut raw = String::with_capacity(text.len());
        for symbol in text.chars() {
            if matches!(symbol, ']' | '\\') {
                raw.push('\\');
            }
            raw.push(symbol);
        }
        Self(raw)
    }

    /// A value that was read; the parser saw to the invariant.
    pub(super) fn of_raw(raw: &str) -> Self {
        Self(raw.to_string())
    }

    /// A value as it stands in a file; `None` if it could not stand there, because of a `]` that is
    /// not escaped, or an escape at its end.
    pub fn from_raw(raw: &str) -> Option<Self> {
        let mut escaped = false;
        for symbol in raw.chars() {
            if symbol == ']' && !escaped {
                return None;
            }
            escaped = symbol == '\\' && !escaped;
        }
        (!escaped).then(|| Self::of_raw(raw))
    }

    /// The value as it stands in a file.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// The value as `Text`: line breaks stay and become LF, other white space becomes a blank.
    pub fn text(&self) -> String {
        self.plain('\n')
    }

    /// The value as `SimpleText`: one line, line breaks become blanks too.
    pub fn simple_text(&self) -> String {
        self.plain(' ')
    }

    /// The two halves of a composed value, parted by its first `:` that is not escaped.
    pub(super) fn halves(&self) -> Option<(Self, Self)> {
        let mut escaped = false;
        let colon = self.0.char_indices().find(|&(_, symbol)| {
            let found = symbol == ':' && !escaped;
            escaped = symbol == '\\' && !escaped;
            found
        });
        let (at, _) = colon?;
        Some((Self::of_raw(&self.0[..at]), Self::of_raw(&self.0[at + 1..])))
    }

    fn plain(&self, line_break: char) -> String {
        let (mut plain, mut symbols) =
            (String::with_capacity(self.0.len()), self.0.chars().peekable());
        while let Some(symbol) = symbols.next() {
            match symbol {
                '\n' | '\r' => {
                    finish_break(symbol, &mut symbols);
                    plain.push(line_break);
                }
                '\\' => match symbols.next() {
                    Some(first @ ('\n' | '\r')) => finish_break(first, &mut symbols),
                    Some(escaped) => plain.push(blank(escaped)),
                    None => {}
                },
                other => plain.push(blank(other)),
            }
        }
        plain
    }
}

/// White space that is no line break is a blank.
fn blank(symbol: char) -> char {
    if matches!(symbol, '\t' | '\u{b}' | '\u{c}') { ' ' } else { symbol }
}

/// Takes the second half of CRLF or LFCR.
fn finish_break(first: char, symbols: &mut Peekable<Chars<'_>>) {
    symbols.next_if(|&second| matches!(second, '\n' | '\r') && second != first);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_are_undone_as_the_format_says() {
        let cases = [
            (r"a\]b\\c\:d\e", r"a]b\c:de", r"a]b\c:de"),
            (
                "one\ntwo\r\nthree\rfour\n\rfive",
                "one\ntwo\nthree\nfour\nfive",
                "one two three four five",
            ),
            ("so\\\nft\\\r\n!", "soft!", "soft!"),
            ("\n\n", "\n\n", "  "),
            ("a\tb\u{b}c\\\td", "a b c d", "a b c d"),
        ];
        for (raw, text, simple) in cases {
            let value = Value::of_raw(raw);
            assert_eq!(
                (value.text().as_str(), value.simple_text().as_str()),
                (text, simple),
                "{raw:?}"
            );
        }
    }

    #[test]
    fn what_would_end_a_value_is_no_value() {
        for raw in ["", "a", "\\]", "\\\\", "a:b\\]c", "\\\\\\]"] {
            assert_eq!(Value::from_raw(raw).unwrap().raw(), raw);
        }
        for raw in ["]", "\\", "a]b", "\\\\]", "\\]\\"] {
            assert_eq!(Value::from_raw(raw), None, "{raw}");
        }
    }

    #[test]
    fn composed_values_part_at_the_first_plain_colon() {
        let halves = |raw: &str| Value::of_raw(raw).halves().map(|(a, b)| (a.text(), b.text()));
        assert_eq!(halves("4:5"), Some(("4".into(), "5".into())));
        assert_eq!(halves(r"a\:b:c:d"), Some(("a:b".into(), "c:d".into())));
        assert_eq!(halves(r"\\:x"), Some(("\\".into(), "x".into())));
        assert_eq!(halves(r"a\:b"), None);
    }

    proptest! {
        #[test]
        fn text_round_trips(text in "[^\r\t\u{b}\u{c}]*") {
            prop_assert_eq!(Value::of_text(&text).text(), text);
        }
    }
}
