//! What a table is about: rules, a board and the amazons of both sides.

use std::fmt;

use super::{ShapeError, TableRules, TierShape};
use crate::game::board::Board;
use crate::game::rules::Amazons;

/// What a table is about; it answers with either side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSubject {
    /// The rules.
    pub rules: TableRules,
    /// The board.
    pub board: Board,
    /// Amazons of the sides.
    pub amazons: Amazons,
}

impl TableSubject {
    /// A board by the rules of Amazons.
    pub fn of_amazons(board: Board, amazons: Amazons) -> Self {
        Self { rules: TableRules::Amazons, board, amazons }
    }

    /// What the table is about that a tier belongs to, if the tier's mover is White.
    pub fn of_tier(shape: &TierShape) -> Self {
        let amazons = Amazons { white: shape.mover(), black: shape.opponent() };
        Self { rules: shape.rules(), board: shape.board(), amazons }
    }

    /// Whether a tier belongs to it, either side to move.
    pub fn has(&self, shape: &TierShape) -> bool {
        let Amazons { white, black } = self.amazons;
        let sides = (shape.mover(), shape.opponent());
        (shape.rules(), shape.board()) == (self.rules, self.board)
            && (sides == (white, black) || sides == (black, white))
    }

    /// The kinds of blocks of the tier with so many arrows: one if the sides are equal, else two,
    /// White to move first.
    ///
    /// # Errors
    /// [`ShapeError`] if there is no such tier.
    pub fn kinds(&self, arrows: usize) -> Result<Vec<TierShape>, ShapeError> {
        let Self { rules, board, amazons: Amazons { white, black } } = *self;
        let kind =
            |mover, opponent| Ok(TierShape::new(board, arrows, mover, opponent)?.with_rules(rules));
        let first = kind(white, black)?;
        Ok(if white == black { vec![first] } else { vec![first, kind(black, white)?] })
    }

    /// The number of the fullest tier: every square has an amazon or an arrow.
    ///
    /// # Errors
    /// [`ShapeError`] if the board is too large, or the amazons do not fit, or there are none.
    pub fn fullest(&self) -> Result<usize, ShapeError> {
        let empty = TierShape::new(self.board, 0, self.amazons.white, self.amazons.black)?;
        Ok(self.board.squares() - empty.mover() - empty.opponent())
    }
}

/// The rules, unless they are those of Amazons, board and amazons.
impl fmt::Display for TableSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {}", self.rules.prefix(), self.board, self.amazons)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fullest_tier_has_no_empty_square() {
        let fullest = |board: &str, amazons: &str| {
            TableSubject::of_amazons(board.parse().unwrap(), amazons.parse().unwrap()).fullest()
        };
        assert_eq!(fullest("4x5", "4v4"), Ok(12));
        assert!(matches!(fullest("2x2", "3v2"), Err(ShapeError::TooMany { .. })));
    }

    #[test]
    fn unequal_sides_have_two_kinds_and_a_move_swaps_them() {
        let subject = TableSubject {
            rules: TableRules::Cowboys,
            ..TableSubject::of_amazons("3x4".parse().unwrap(), "2v1".parse().unwrap())
        };
        let (kinds, next) = (subject.kinds(3).unwrap(), subject.kinds(4).unwrap());
        assert_eq!(kinds.iter().map(TierShape::mover).collect::<Vec<_>>(), [2, 1]);
        assert_eq!((kinds[0].child(), kinds[1].child()), (Some(next[1]), Some(next[0])));
        assert!(kinds.iter().all(|kind| subject.has(kind)));
        assert!(!subject.has(&kinds[0].with_rules(TableRules::Amazons)));
        assert_eq!(TableSubject::of_tier(&kinds[0]), subject);
        assert_eq!(subject.to_string(), "cowboys 3x4 2v1");
    }
}
