//! What a table is about: rules, a board and the amazons of both sides.

use std::cmp::Reverse;
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

    /// What the table is about that a tier belongs to, if the tier's mover is White and no amazon
    /// has been taken.
    pub fn of_tier(shape: &TierShape) -> Self {
        let amazons = Amazons { white: shape.mover(), black: shape.opponent() };
        Self { rules: shape.rules(), board: shape.board(), amazons }
    }

    /// Whether a tier belongs to it, either side to move.
    pub fn has(&self, shape: &TierShape) -> bool {
        (shape.rules(), shape.board()) == (self.rules, self.board)
            && self.has_sides(shape.mover(), shape.opponent())
    }

    /// Whether it is about positions where White and Black have so many amazons. By rules with
    /// captures a side may have fewer than in the beginning, or none.
    pub fn has_amazons(&self, left: Amazons) -> bool {
        let Amazons { white, black } = self.amazons;
        let some = self.rules.captures() && left.white + left.black > 0;
        left == self.amazons || some && left.white <= white && left.black <= black
    }

    /// As [`Self::has_amazons`], whichever side is White.
    pub fn has_sides(&self, one: usize, other: usize) -> bool {
        self.has_amazons(Amazons { white: one, black: other })
            || self.has_amazons(Amazons { white: other, black: one })
    }

    /// Whether a tier of it has a file. By rules with captures that takes an amazon of each side.
    pub fn stores(&self, shape: &TierShape) -> bool {
        let plays = shape.opponent() > 0 || !self.rules.captures();
        self.has(shape) && plays && shape.constant().is_none()
    }

    /// Whether another is the same, with White and Black exchanged or not.
    pub fn is_same_either_way(&self, other: &Self) -> bool {
        let Amazons { white, black } = other.amazons;
        let exchanged = Amazons { white: black, black: white };
        self == other || *self == Self { amazons: exchanged, ..*other }
    }

    /// The kinds of blocks that tiers have, as amazons of the mover and of the opponent: one if the
    /// sides are equal, else two, White to move first. By rules with captures, those with fewer
    /// amazons follow, down to one a side.
    pub fn sides(&self) -> Vec<(usize, usize)> {
        let Amazons { white, black } = self.amazons;
        let all = |most: usize| if self.rules.captures() { 1..=most } else { most..=most };
        let pairs = all(white).flat_map(|white| all(black).map(move |black| (white, black)));
        let mut sides: Vec<_> =
            pairs.flat_map(|(one, other)| [(one, other), (other, one)]).collect();
        sides.sort_by_key(|&(mover, opponent)| self.place(mover, opponent));
        sides.dedup();
        sides
    }

    /// By what the kinds of a tier are ordered.
    pub fn place(&self, mover: usize, opponent: usize) -> impl Ord + use<> {
        let amazons = mover.saturating_add(opponent);
        (Reverse(amazons), mover != self.amazons.white, Reverse(mover))
    }

    /// The kinds of blocks that are stored of the tier with so many arrows, in the order of
    /// [`Self::sides`]. By rules with captures they are those that fit the board.
    ///
    /// # Errors
    /// [`ShapeError`] if there is no such tier.
    pub fn kinds(&self, arrows: usize) -> Result<Vec<TierShape>, ShapeError> {
        let Self { rules, board, .. } = *self;
        let fullest = self.fullest()?;
        let mut sides = self.sides();
        if arrows <= fullest {
            sides.retain(|&(mover, opponent)| arrows + mover + opponent <= board.squares());
        }
        let kind = |(mover, opponent)| {
            Ok(TierShape::new(board, arrows, mover, opponent)?.with_rules(rules))
        };
        sides.into_iter().map(kind).collect()
    }

    /// Refuses amazons of one side alone, by rules with captures.
    ///
    /// # Errors
    /// [`ShapeError::OneSided`].
    pub fn check_sides(&self) -> Result<(), ShapeError> {
        let Self { rules, amazons, .. } = *self;
        match rules.captures() && (amazons.white == 0 || amazons.black == 0) {
            true => Err(ShapeError::OneSided { rules, amazons }),
            false => Ok(()),
        }
    }

    /// The number of the fullest tier: every square has an amazon or an arrow. With captures, one
    /// amazon a side is left there.
    ///
    /// # Errors
    /// [`ShapeError`] if the board is too large, or the amazons do not fit, or there are too few.
    pub fn fullest(&self) -> Result<usize, ShapeError> {
        let Amazons { white, black } = self.amazons;
        let empty = TierShape::new(self.board, 0, white, black)?;
        self.check_sides()?;
        let least = if self.rules.captures() { 2 } else { empty.mover() + empty.opponent() };
        Ok(self.board.squares() - least)
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
    fn with_captures_there_are_kinds_with_fewer_amazons() {
        let amazons = "2v1".parse().unwrap();
        let subject = TableSubject {
            rules: TableRules::Killer,
            ..TableSubject::of_amazons("3x3".parse().unwrap(), amazons)
        };
        let sides = |arrows: usize| {
            let kinds = subject.kinds(arrows).unwrap();
            assert!(kinds.iter().all(|kind| subject.has(kind)));
            kinds.iter().map(|kind| (kind.mover(), kind.opponent())).collect::<Vec<_>>()
        };
        assert_eq!(sides(0), [(2, 1), (1, 2), (1, 1)]);
        assert_eq!(sides(6), [(2, 1), (1, 2), (1, 1)]);
        assert_eq!(sides(7), [(1, 1)]);
        assert_eq!(subject.fullest(), Ok(7));
        assert!(subject.kinds(8).is_err());
        assert!(subject.has_sides(0, 2) && subject.has_sides(1, 0) && subject.has_sides(1, 2));
        assert!(!subject.has_sides(2, 2) && !subject.has_sides(0, 3));
        assert!(!subject.has_sides(0, 0));
        let smaller = TableSubject { amazons: "1v1".parse().unwrap(), ..subject };
        let exchanged = TableSubject { amazons: "1v2".parse().unwrap(), ..subject };
        assert!(subject.is_same_either_way(&subject) && subject.is_same_either_way(&exchanged));
        assert!(!subject.is_same_either_way(&smaller));
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
