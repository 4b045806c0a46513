//! From a position to its place in the tables and back.

use super::{Images, Placement, ShapeError, TableRules, TierShape, Width};
use crate::game::board::{Bitboard, Board};
use crate::game::rules::Bitboards;
use crate::tables::counting::Mask;

/// The way from positions of one board to their bits.
#[derive(Clone, Debug)]
pub struct Index {
    rules: TableRules,
    images: AnyImages,
}

/// The symmetries of a board, applied to the narrowest masks that have a bit for each square.
#[derive(Clone, Debug)]
enum AnyImages {
    Narrow(Images<u32>),
    Wide(Images<u64>),
}

/// Where a position's bit is. The arrow set's rank in its tier turns this into an offset; see
/// [`CanonicalSets::rank`](super::CanonicalSets::rank).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The tier and kind.
    pub shape: TierShape,
    /// The canonical arrow set.
    pub arrows: u64,
    /// Row and column of the block over that set.
    pub placement: Placement,
}

/// Why a position has no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LocationError {
    /// There is no tier for it.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Its sets overlap or leave the board.
    #[error("the squares of the position overlap or are not on {0}")]
    Squares(Board),
}

impl Index {
    /// The index of a board, by the rules of Amazons.
    ///
    /// # Errors
    /// [`ShapeError::BoardTooLarge`] if the board has more than 64 squares.
    pub fn new(board: Board) -> Result<Self, ShapeError> {
        let images = match Width::of(board)? {
            Width::Narrow => AnyImages::Narrow(Images::new(board)?),
            Width::Wide => AnyImages::Wide(Images::new(board)?),
        };
        Ok(Self { rules: TableRules::Amazons, images })
    }

    /// The same index, of tables by other rules.
    pub fn with_rules(self, rules: TableRules) -> Self {
        Self { rules, ..self }
    }

    /// The board.
    pub fn board(&self) -> Board {
        match &self.images {
            AnyImages::Narrow(images) => images.board(),
            AnyImages::Wide(images) => images.board(),
        }
    }

    /// How many bits its arrow sets take.
    pub fn width(&self) -> Width {
        match &self.images {
            AnyImages::Narrow(_) => Width::Narrow,
            AnyImages::Wide(_) => Width::Wide,
        }
    }

    /// Where a position is stored: its image under a symmetry that makes its arrow set canonical.
    ///
    /// # Errors
    /// [`LocationError`] if the position is none of this board, or has no amazon.
    pub fn locate(&self, position: &Bitboards<u64>) -> Result<Location, LocationError> {
        let Bitboards { mover, opponent, arrows } = *position;
        let all = self.board().all::<u64>();
        let overlap = mover.intersects(opponent) || (mover | opponent).intersects(arrows);
        if overlap || !position.occupied().is_subset(all) {
            return Err(LocationError::Squares(self.board()));
        }
        let shape = TierShape::new(self.board(), arrows.len(), mover.len(), opponent.len())?;
        Ok(self.locate_in(shape.with_rules(self.rules), position))
    }

    /// As [`Self::locate`], for a position that is known to belong to a tier; any other gets some
    /// location.
    #[inline]
    fn locate_in(&self, shape: TierShape, position: &Bitboards<u64>) -> Location {
        match &self.images {
            AnyImages::Narrow(images) => locate_by(images, shape, position),
            AnyImages::Wide(images) => locate_by(images, shape, position),
        }
    }

    /// Whether these are squares of the board, and the canonical ones among their images.
    pub fn is_canonical(&self, arrows: u64) -> bool {
        let arrows = Bitboard::from_word(arrows);
        arrows.is_subset(self.board().all())
            && match &self.images {
                AnyImages::Narrow(images) => images.is_canonical(Mask::of(arrows.word())),
                AnyImages::Wide(images) => images.is_canonical(Mask::of(arrows.word())),
            }
    }

    /// The position at a location, over the canonical arrow set; `None` if its numbers are out of
    /// range.
    pub fn position(&self, location: &Location) -> Option<Bitboards<u64>> {
        let Location { shape, arrows, placement } = *location;
        let free = self.board().all::<u64>().word() & !arrows;
        let (mover, opponent) = placement.unrank(free, shape.mover(), shape.opponent())?;
        let [mover, opponent, arrows] = [mover, opponent, arrows].map(Bitboard::from_word);
        Some(Bitboards { mover, opponent, arrows })
    }
}

#[inline]
fn locate_by<M: Mask>(images: &Images<M>, shape: TierShape, position: &Bitboards<u64>) -> Location {
    let mask = |set: Bitboard| M::of(set.word());
    let canonical = images.canonical(mask(position.arrows));
    let image = |set: Bitboard| images.image(canonical.symmetry, mask(set));
    let free = mask(images.board().all()) & !canonical.arrows;
    let placement = Placement::rank(free, image(position.mover), image(position.opponent));
    Location { shape, arrows: canonical.arrows.word(), placement }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Symmetry;
    use crate::tables::index::CanonicalSets;
    use std::collections::HashMap;

    fn every_bit_is_a_position<M: Mask>(board: Board, tiers: &[(usize, usize, usize)]) {
        let (index, symmetries) = (Index::new(board).unwrap(), Symmetry::all(board));
        for &(arrows, mover, opponent) in tiers {
            let shape = TierShape::new(board, arrows, mover, opponent).unwrap();
            let sets = CanonicalSets::<M>::new(board, arrows).unwrap();
            let mut seen = HashMap::new();
            for arrows in sets.as_slice().iter().map(|&arrows| arrows.word()) {
                for row in 0..shape.rows() {
                    for column in 0..shape.row_bits() {
                        let location =
                            Location { shape, arrows, placement: Placement { row, column } };
                        let position = index.position(&location).unwrap();
                        assert_eq!(index.locate(&position), Ok(location));
                        assert_eq!(seen.insert(position, location), None);
                    }
                }
            }
            assert_eq!(Some(seen.len() as u128), shape.count().stored_positions());
            for position in seen.keys() {
                for symmetry in &symmetries {
                    let location = index.locate(&position.mapped(symmetry)).unwrap();
                    let stored = index.position(&location).unwrap();
                    let images = symmetries.iter().map(|s| position.mapped(s));
                    assert!(images.into_iter().any(|image| image == stored));
                }
            }
        }
    }

    #[test]
    fn every_bit_is_a_position_and_every_position_has_its_orbit_s_bits() {
        let tiers = [(2, 1, 2), (3, 2, 1), (4, 1, 1), (0, 2, 2)];
        every_bit_is_a_position::<u32>("3x3".parse().unwrap(), &tiers);
        every_bit_is_a_position::<u64>(
            "6x6".parse().unwrap(),
            &[(34, 1, 1), (33, 1, 2), (1, 1, 0)],
        );
        every_bit_is_a_position::<u64>("5x7".parse().unwrap(), &[(33, 1, 1), (32, 2, 0)]);
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let index = Index::new("3x3".parse().unwrap()).unwrap();
        let set = Bitboard::<u64>::from_word;
        let at = |mover, opponent, arrows| {
            index.locate(&Bitboards {
                mover: set(mover),
                opponent: set(opponent),
                arrows: set(arrows),
            })
        };
        assert!(matches!(at(1, 1, 2), Err(LocationError::Squares(_))));
        assert!(matches!(at(1, 2, 1 << 9), Err(LocationError::Squares(_))));
        assert!(matches!(at(0, 0, 1), Err(LocationError::Shape(ShapeError::NoAmazon))));
        assert!(at(1, 0, 0).is_ok());
    }
}
