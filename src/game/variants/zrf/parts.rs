//! The parts of a game or of a variant in a rules file, each found by its name.

use std::collections::HashMap;

use super::expression::Expression;

/// What a piece is here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It has moves.
    Amazon,
    /// It has none.
    Obstacle,
}

/// What a game or a variant says itself. Of parts and pieces that it says twice the first counts.
pub(super) struct Parts<'a> {
    /// The word that it begins with.
    pub(super) name: &'a str,
    named: HashMap<&'a str, &'a [Expression<'a>]>,
    pieces: HashMap<&'a str, Kind>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(whole: &'a Expression<'a>) -> Self {
        let (mut named, mut pieces) = (HashMap::new(), HashMap::new());
        for part in whole.parts() {
            let Some(name) = part.name() else { continue };
            named.entry(name).or_insert(&part.parts()[1..]);
            let words = part.within("name").unwrap_or_default();
            let piece = words.first().and_then(Expression::word).filter(|_| name == "piece");
            if let Some(piece) = piece {
                let moves = part.within("moves").is_some();
                let kind = if moves { Kind::Amazon } else { Kind::Obstacle };
                pieces.entry(piece).or_insert(kind);
            }
        }
        Self { name: whole.name().unwrap_or("game"), named, pieces }
    }

    /// What follows the name of a part.
    pub(super) fn part(&self, name: &str) -> Option<&'a [Expression<'a>]> {
        self.named.get(name).copied()
    }

    /// What the piece of a name is, `None` for one that is not defined.
    pub(super) fn piece(&self, name: &str) -> Option<Kind> {
        self.pieces.get(name).copied()
    }
}
