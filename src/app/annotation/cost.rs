//! What a move cost its maker, in spare moves.

use crate::game::ThresholdRange;
use crate::game::notation::sgf::{Game, NodeId};
use crate::game::rules::Colour;

/// By how much the maker of a move wins or loses before and after it, as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Who made the move.
    pub maker: Colour,
    /// The maker's threshold in the position before the move.
    pub before: ThresholdRange,
    /// What the move is worth to its maker.
    pub after: ThresholdRange,
}

impl Cost {
    /// What the move that leads to a node cost; `None` if none does. A range is the side to move's,
    /// by node.
    ///
    /// # Panics
    /// If there are fewer ranges than nodes.
    pub fn of(game: &Game, id: NodeId, ranges: &[ThresholdRange]) -> Option<Self> {
        let parent = game.tree().node(id).parent()?;
        game.played(id)?;
        let maker = game.position(parent).turn();
        let after = ThresholdRange::of_move(ranges[id.index()]);
        Some(Self { maker, before: ranges[parent.index()], after })
    }

    /// How many spare moves it cost at least.
    pub fn least(&self) -> u16 {
        let lost = self.after.least().spare() - self.before.most().spare();
        lost.max(0).unsigned_abs()
    }

    /// How many spare moves it cost at most.
    pub fn most(&self) -> u16 {
        let lost = self.after.most().spare() - self.before.least().spare();
        lost.max(0).unsigned_abs()
    }

    /// In words: `white wins by 1 by this move, which cost 2 spare moves`.
    pub fn words(&self) -> String {
        let cost = match (self.least(), self.most()) {
            (0, 0) => "which cost nothing".to_string(),
            (1, 1) => "which cost 1 spare move".to_string(),
            (least, most) if least == most => format!("which cost {least} spare moves"),
            (least, most) => format!("which cost {least} to {most} spare moves"),
        };
        format!("{} {} by this move, {cost}", self.maker, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Threshold};

    #[test]
    fn a_cost_is_the_difference_of_what_could_be_had_and_what_is() {
        let before = ThresholdRange::from(Threshold::new(-3));
        let after = ThresholdRange::from(Threshold::new(-1));
        let cost = Cost { maker: Colour::White, before, after };
        assert_eq!(cost.words(), "white wins by 1 by this move, which cost 2 spare moves");
        assert_eq!(
            Cost { after: before, ..cost }.words(),
            "white wins by 3 by this move, which cost nothing"
        );
        let vague = ThresholdRange::of_empty(6).with(-2, Outcome::Loss).unwrap();
        let vague = Cost { after: vague.with(1, Outcome::Win).unwrap(), ..cost };
        assert_eq!((vague.least(), vague.most()), (2, 4));
        let unknown = Cost { before: vague.after, after: vague.after, ..cost };
        assert_eq!((unknown.least(), unknown.most()), (0, 2));
    }
}
