//! What a rules file consists of: words, texts in quotation marks, and brackets around both.

use super::error::ZrfError;
use crate::game::notation::record::RecordPlace;

/// A part of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression<'a> {
    /// A word outside quotation marks.
    Word(&'a str),
    /// What stands between quotation marks.
    Text(&'a str),
    /// What stands between brackets.
    List(Vec<Expression<'a>>),
}

/// The most brackets within brackets.
const DEPTH: usize = 64;

impl<'a> Expression<'a> {
    /// The parts of a file.
    ///
    /// # Errors
    /// If a bracket or a text is not closed, a bracket closes nothing, or there are too many within
    /// each other.
    pub(super) fn all(text: &'a str) -> Result<Vec<Self>, ZrfError> {
        let mut open: Vec<(usize, Vec<Self>)> = Vec::new();
        let (mut parts, mut at) = (Vec::new(), 0);
        while let Some(first) = text[at..].chars().next() {
            let rest = &text[at..];
            let place = || RecordPlace::of(text, at);
            let (part, bytes) = match first {
                ';' => (None, rest.find('\n').unwrap_or(rest.len())),
                '(' if open.len() == DEPTH => return Err(ZrfError::TooDeep { place: place() }),
                '(' => {
                    open.push((at, std::mem::take(&mut parts)));
                    (None, 1)
                }
                ')' => {
                    let (_, before) = open.pop().ok_or_else(|| ZrfError::Stray(place()))?;
                    (Some(Self::List(std::mem::replace(&mut parts, before))), 1)
                }
                '"' => {
                    let end = rest[1..].find('"').ok_or_else(|| ZrfError::Open(place()))?;
                    (Some(Self::Text(&rest[1..=end])), end + 2)
                }
                blank if blank.is_whitespace() => (None, blank.len_utf8()),
                _ => {
                    let ends = |symbol: char| symbol.is_whitespace() || "();\"".contains(symbol);
                    let end = rest.find(ends).unwrap_or(rest.len());
                    (Some(Self::Word(&rest[..end])), end)
                }
            };
            parts.extend(part);
            at += bytes;
        }
        match open.first() {
            Some(&(at, _)) => Err(ZrfError::Open(RecordPlace::of(text, at))),
            None => Ok(parts),
        }
    }

    /// What stands between the brackets, none for a word or a text.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::List(parts) => parts,
            _ => &[],
        }
    }

    /// The word, `None` for anything else.
    pub(super) fn word(&self) -> Option<&'a str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The word that a list begins with.
    pub(super) fn name(&self) -> Option<&'a str> {
        self.parts().first()?.word()
    }

    /// What follows the word `name` in the first list within this one that begins with it.
    pub(super) fn within(&self, name: &str) -> Option<&[Self]> {
        let found = self.parts().iter().find(|part| part.name() == Some(name))?;
        Some(&found.parts()[1..])
    }
}
