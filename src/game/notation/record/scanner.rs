//! The words of a list of moves: squares, what joins and parts them, numbers, words, results.

use super::error::RecordError;
use super::place::RecordPlace;
use crate::game::Square;
use crate::game::board::square::split_square;
use crate::game::excerpt::excerpt;
use crate::game::rules::Colour;

/// A word of a list, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// What stands between it and the word before it.
    pub(super) before: Blank,
}

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A square of some board.
    Square(Square),
    /// A mark that may stand within a move: a dash, `/`, `x`, `P@`.
    Mark,
    /// What parts moves: a number with or without its dot, `;`, `.`.
    Part,
    /// A result as in chess: `1-0`.
    Result(Option<Colour>),
    /// Letters.
    Word,
    /// `[Name "text"]`, as in PGN.
    Tag,
    /// Anything else.
    Other,
}

/// Blanks before a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Blank {
    /// None.
    None,
    /// Within its line.
    Space,
    /// It is the first of its line.
    Line,
}

/// Reads words from the front of a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// What stands before the next word.
    before: Blank,
}

/// Marks of more than one character, or of letters.
const MARKS: [&str; 3] = ["P@", "p@", "->"];
/// Results, the winner of each.
const RESULTS: [(&str, Option<Colour>); 8] = [
    ("1-0", Some(Colour::White)),
    ("0-1", Some(Colour::Black)),
    ("1–0", Some(Colour::White)),
    ("0–1", Some(Colour::Black)),
    ("1:0", Some(Colour::White)),
    ("0:1", Some(Colour::Black)),
    ("1/2-1/2", None),
    ("½-½", None),
];

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, before: Blank::Line }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// What is left, without blanks and comments before it.
    pub(super) fn rest(&mut self) -> Result<&'a str, RecordError> {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            let passed = &rest[..blanks];
            self.before = self.before.max(match passed {
                "" => Blank::None,
                passed if passed.contains('\n') => Blank::Line,
                _ => Blank::Space,
            });
            self.at += blanks;
            let rest = &rest[blanks..];
            let comment = match rest.chars().next() {
                Some('{') => {
                    rest.find('}').map(|end| end + 1).ok_or_else(|| self.open_comment())?
                }
                // A remark goes to the end of its line.
                Some('#') => rest.find('\n').unwrap_or(rest.len()),
                _ => return Ok(rest),
            };
            self.at += comment;
            self.before = self.before.max(Blank::Space);
        }
    }

    fn open_comment(&self) -> RecordError {
        self.unexpected(self.at, "a \"}\" for this \"{\"", "the end")
    }

    /// What stands before the next word.
    pub(super) fn before(&self) -> Blank {
        self.before
    }

    /// Goes over some bytes, which are a word.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
        self.before = Blank::None;
    }

    /// Where the next word begins, once [`Self::rest`] was asked.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next word, `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, RecordError> {
        let rest = self.rest()?;
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let (kind, bytes) = kind(rest, first);
        let token = Token { kind, text: &rest[..bytes], at: self.at, before: self.before };
        self.skip(bytes);
        Ok(Some(token))
    }

    /// What stands right behind the last word, without blanks between.
    pub(super) fn behind(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The error that at some byte something else must stand.
    pub(super) fn unexpected(&self, at: usize, expected: &str, found: &str) -> RecordError {
        let place = RecordPlace::of(self.text, at);
        RecordError::Unexpected { place, expected: expected.to_string(), found: found.to_string() }
    }

    /// As [`Self::unexpected`], of a word.
    pub(super) fn unexpected_word(&self, token: &Token<'_>, expected: &str) -> RecordError {
        self.unexpected(token.at, expected, &excerpt(token.text))
    }
}

/// What the word at the front of a text is, and its bytes.
fn kind(rest: &str, first: char) -> (Kind, usize) {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if let Some((result, winner)) = RESULTS.iter().find(|(text, _)| begins(rest, text)) {
        return (Kind::Result(*winner), result.len());
    }
    if digits > 0 {
        let dots = rest[digits..].bytes().take_while(|&byte| byte == b'.').count();
        let closed = usize::from(dots == 0 && rest[digits..].starts_with(')'));
        return (Kind::Part, digits + dots + closed);
    }
    if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
        return (Kind::Mark, mark.len());
    }
    if first.is_ascii_alphabetic() {
        return letters(rest);
    }
    match first {
        '-' | '–' | '—' | '−' | '→' | '/' | ',' | '(' | ')' | '@' | '×' => {
            (Kind::Mark, first.len_utf8())
        }
        ';' | '.' | '…' | ':' => (Kind::Part, first.len_utf8()),
        '*' => (Kind::Result(None), 1),
        '[' if tag(rest).is_some() => (Kind::Tag, tag(rest).map_or(1, |tag| tag.bytes)),
        _ => (Kind::Other, rest.find(char::is_whitespace).unwrap_or(rest.len())),
    }
}

/// Whether a text begins with a result, after which no further digit comes.
fn begins(rest: &str, result: &str) -> bool {
    let after = rest.strip_prefix(result);
    after.is_some_and(|after| !after.starts_with(|next: char| next.is_ascii_alphanumeric()))
}

/// What a word of letters is: a square, a mark, or a word.
fn letters(rest: &str) -> (Kind, usize) {
    let end = rest.find(|s: char| !s.is_ascii_alphabetic()).unwrap_or(rest.len());
    let end_of_square = 1 + rest[1..].bytes().take_while(u8::is_ascii_digit).count();
    let small = rest[..end_of_square].to_ascii_lowercase();
    if let Ok(Some((square, ""))) = split_square(&small) {
        return (Kind::Square(square), end_of_square);
    }
    // A letter before a square, or alone, as in `xg9`, `pg9`, `Qd1` and `d6 x g9`.
    let before_square = end == 1 || rest[1..].starts_with(['@', '(']) || {
        let next = rest.as_bytes()[1].to_ascii_lowercase();
        end == 2 && next <= b't' && rest[2..].starts_with(|s: char| s.is_ascii_digit())
    };
    if before_square && rest.starts_with(['x', 'X', 'p', 'P', 'q', 'Q']) {
        return (Kind::Mark, 1);
    }
    (Kind::Word, end.max(end_of_square))
}

/// A line `[Name "text"]`.
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) value: String,
    bytes: usize,
}

/// The tag at the front of a text, if there is one.
pub(super) fn tag(rest: &str) -> Option<Tag<'_>> {
    let line = rest.lines().next()?.strip_prefix('[')?;
    let (name, after) = line.split_once('"')?;
    let name = name.trim();
    let mut ends = after.match_indices("\"]");
    let (end, _) = ends.find(|&(end, _)| !after[..end].ends_with('\\'))?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let bytes = after.as_ptr() as usize - rest.as_ptr() as usize + end + 2;
    let value = after[..end].replace("\\\"", "\"").replace("\\\\", "\\");
    is_name.then_some(Tag { name, value, bytes })
}
