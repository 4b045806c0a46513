//! Random positions of a table, drawn from all placements: no arrow set is preferred because its
//! images are stored as one.

use super::{Table, TableError};
use crate::game::board::Bitboard;
use crate::game::rules::{Bitboards, Colour};
use crate::game::{Outcome, Position};
use crate::machine::random::Random;
use crate::tables::counting::{colex, small_binomial};
use crate::tables::index::{Placement, TierShape};

/// Which positions are as likely as which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleBy {
    /// Every position of the table as likely as another: nearly all have a middling number of
    /// arrows.
    Positions,
    /// As many of each tier, within one; in each tier every position as likely as another.
    Tiers,
}

/// A stream of random positions of one finished table. It has no end, unless the table has more
/// positions than the machine can count: then it may end at any position.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// Each tier, who moves in it, and how many positions it and those before it have.
    tiers: Vec<(TierShape, Colour, u64)>,
    by: SampleBy,
    random: Random,
    drawn: usize,
}

impl Sampler {
    /// The stream of a seed: the same numbers everywhere, in every version.
    ///
    /// # Errors
    /// [`TableError::Unfinished`] if the table is not finished: what it lacks could not be drawn,
    /// and nobody would see that. [`TableError::NotStored`] if it keeps the first tiers alone, for
    /// the same reason.
    pub fn new(table: &Table, by: SampleBy, seed: u64) -> Result<Self, TableError> {
        table.check_finished()?;
        let manifest = table.manifest();
        let mut shapes = manifest.tiers.iter().filter_map(|record| manifest.shape(record));
        if let Some(shape) = shapes.find(|shape| !table.stored().answers(shape)) {
            return Err(table.stored().not_stored(&shape));
        }
        let mut before = 0;
        let tiers = manifest.tiers.iter().filter_map(|record| {
            let shape = manifest.shape(record)?;
            before += record.positions;
            Some((shape, manifest.turn(&shape), before))
        });
        Ok(Self { tiers: tiers.collect(), by, random: Random::new(seed), drawn: 0 })
    }

    fn tier(&mut self) -> Option<usize> {
        let all = self.tiers.last()?.2;
        Some(match self.by {
            SampleBy::Tiers => self.drawn % self.tiers.len(),
            SampleBy::Positions => {
                let place = self.random.below(usize::try_from(all).ok()?) as u64;
                self.tiers.partition_point(|&(.., before)| before <= place)
            }
        })
    }
}

impl Iterator for Sampler {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        let tier = self.tier()?;
        let (shape, turn, _) = self.tiers[tier];
        self.drawn += 1;
        let squares = shape.board().squares();
        let mut below = |count: usize| self.random.below(count);
        let rank = below(usize::try_from(small_binomial(squares, shape.arrows())).ok()?);
        let arrows = colex::unrank(rank as u64, squares, shape.arrows())?;
        let placement = Placement { row: below(shape.rows()), column: below(shape.row_bits()) };
        let free = shape.board().all::<u64>().word() & !arrows;
        let (mover, opponent) = placement.unrank(free, shape.mover(), shape.opponent())?;
        let sets = [mover, opponent, arrows].map(Bitboard::from_word);
        let [mover, opponent, arrows] = sets;
        Position::new(shape.board(), &Bitboards { mover, opponent, arrows }, turn).ok()
    }
}

impl Table {
    /// So many random positions of the table, and what the side to move reaches in each. A seed
    /// gives the same positions always. Takes about 200 bytes a position; for more than fit see
    /// [`Self::values`].
    ///
    /// # Errors
    /// As [`Sampler::new`], [`TableError::OtherGame`] if the table is of another game than Amazons,
    /// [`TableError::Damaged`] if a file is damaged.
    pub fn sample(
        &self,
        count: usize,
        by: SampleBy,
        seed: u64,
    ) -> Result<Vec<(Position, Outcome)>, TableError> {
        let positions: Vec<Position> = Sampler::new(self, by, seed)?.take(count).collect();
        let values = self.values(&positions).into_iter();
        positions.iter().zip(values).map(|(&position, value)| Ok((position, value?))).collect()
    }
}
