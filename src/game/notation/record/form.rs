//! Which form a record has.

use super::super::sgf::{has_tree, in_first_node};
use super::openspiel;

/// The forms of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// SGF of any game.
    Sgf,
    /// GGF of any game.
    Ggf,
    /// Rows and numbers of OpenSpiel.
    OpenSpiel,
    /// A list of moves.
    List,
}

impl Form {
    /// The form of a text.
    pub(super) fn of(text: &str) -> Self {
        if !has_tree(text) {
            return if openspiel::is(text) { Self::OpenSpiel } else { Self::List };
        }
        // SGF numbers the games, GGF names them.
        let game = in_first_node(text, "GM");
        let is_name = |name: String| name.trim().starts_with(|first: char| first.is_alphabetic());
        if game.is_some_and(is_name) { Self::Ggf } else { Self::Sgf }
    }
}
