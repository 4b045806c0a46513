//! How many positions of a table of margins have which margin: from what the manifests say, without
//! a look at the files of the planes.

use super::{Manifest, StoredTiers, TableMargin};
use crate::game::margin::Threshold;
use crate::tables::index::TierShape;

/// The positions of a tier with one margin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarginCount {
    /// The tier, plane 0 of it.
    pub shape: TierShape,
    /// The margin of its positions.
    pub margin: TableMargin,
    /// How many there are, every arrow set counted.
    pub positions: u64,
}

impl StoredTiers {
    /// The first layer that says fewer positions are won with more spare moves, if one does.
    pub(super) fn layer_out_of_order(&self) -> Option<i8> {
        let manifest = self.manifest();
        let shapes = manifest.tiers.iter().filter_map(|tier| manifest.shape(tier));
        let wrong = |shape: TierShape| {
            let positions = self.record(&shape)?.positions;
            let wins = |plane: i8| self.wins(&shape.with_plane(plane), positions);
            // What is still being built is not known.
            let is_less = |less: i8, more: i8| Some(wins(more)? < wins(less)?);
            let is_wrong = |&layer: &i8| {
                is_less(layer - 1, layer) == Some(true) || is_less(-layer, 1 - layer) == Some(true)
            };
            (1..=i8::try_from(self.layers().len()).ok()?).find(is_wrong)
        };
        shapes.filter_map(wrong).min()
    }

    /// How many positions of each tier have which margin, from the largest win to the largest loss;
    /// nothing of an ordinary table. Margins that no position has are left out.
    pub fn margin_counts(&self) -> Vec<MarginCount> {
        if self.layers().is_empty() {
            return Vec::new();
        }
        let manifest: &Manifest = self.manifest();
        let shapes = manifest.tiers.iter().filter_map(|tier| manifest.shape(tier));
        shapes.flat_map(|shape| self.counts_of(shape)).collect()
    }

    /// How many positions are won in a plane, if that is known.
    fn wins(&self, plane: &TierShape, positions: u64) -> Option<u64> {
        let all = |wins: bool| if wins { positions } else { 0 };
        match plane.constant() {
            Some(outcome) => Some(all(outcome.is_win())),
            None if self.is_beyond(plane.plane()) => Some(all(plane.plane() > 0)),
            None => self.record(plane).map(|record| record.wins),
        }
    }

    fn counts_of(&self, shape: TierShape) -> Vec<MarginCount> {
        let positions = self.record(&shape).map_or(0, |record| record.positions);
        let wins = |plane: i8| self.wins(&shape.with_plane(plane), positions);
        // The known planes, up to those that are the same everywhere.
        let least = (0..=i8::MAX)
            .map(|plane| -plane)
            .find(|&plane| wins(plane) == Some(0) || wins(plane - 1).is_none());
        let most = (0..=i8::MAX)
            .find(|&plane| wins(plane) == Some(positions) || wins(plane + 1).is_none());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        let mut counts = Vec::new();
        let mut before = 0;
        for plane in least..=most {
            let up_to = wins(plane).unwrap_or(before);
            let threshold = Threshold::new(plane.into());
            let bound = if plane == least { TableMargin::AtMost } else { TableMargin::Exactly };
            counts.push(MarginCount { shape, margin: bound(threshold), positions: up_to - before });
            before = up_to;
        }
        let margin = TableMargin::AtLeast(Threshold::new(i16::from(most) + 1));
        counts.push(MarginCount { shape, margin, positions: positions - before });
        counts.retain(|count| count.positions > 0);
        counts
    }
}
