//! Zugzwangs by size of region.
//!
//! All placements of both players' amazons on all regions are tried, one of each class under the
//! symmetries of the square and the exchange of players. *Plain* zugzwangs have a number as best
//! option of each side; *hidden* ones are hot after every best move, and only the stops are numbers
//! more than one apart: whoever moves threatens and still ends up worse than by passing, as in
//! `{0|-2||2|0} = 0`.
//!
//! The *gain* of `a|b` is `b - a - 2`, what the winner makes of the other side's having to move
//! there. A gain of 0 is no more than two territories side by side, where either move fills a
//! square of one's own: `1 + -1 = -1|1`.

use std::collections::BTreeMap;

use super::placements::{placements, regions};
use super::{Dyadic, Ends, Evaluator, TooLarge, Value, Zugzwang};
use crate::machine::progress::{Observer, StopFlag};
use crate::theory::region::{LocalGame, Player, Region};
use crate::theory::stage::Stage;

/// A zugzwang that was found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FoundZugzwang {
    /// The position.
    pub game: LocalGame,
    /// What the two sides get by moving: the best options, or the stops of hidden ones.
    pub zugzwang: Zugzwang,
    /// Whether the best options of a side are not numbers.
    pub hidden: bool,
}

/// The zugzwangs of one size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ZugzwangCensus {
    /// How many there are, by whether they are hidden and by gain.
    pub counts: BTreeMap<(bool, Dyadic), u64>,
    /// Those with a gain above 0, sorted.
    pub gainful: Vec<FoundZugzwang>,
}

impl ZugzwangCensus {
    /// How many plain ones there are.
    pub fn plain(&self) -> u64 {
        self.count(|hidden, _| !hidden)
    }

    /// How many hidden ones there are.
    pub fn hidden(&self) -> u64 {
        self.count(|hidden, _| hidden)
    }

    /// How many have at least this gain, plain and hidden together.
    pub fn with_gain(&self, least: Dyadic) -> u64 {
        self.count(|_, gain| gain >= least)
    }

    fn count(&self, counts: impl Fn(bool, Dyadic) -> bool) -> u64 {
        let counted = self.counts.iter().filter(|((hidden, gain), _)| counts(*hidden, *gain));
        counted.map(|(_, count)| count).sum()
    }

    fn add(&mut self, found: FoundZugzwang) {
        let gain = found.zugzwang.gain();
        *self.counts.entry((found.hidden, gain)).or_default() += 1;
        if gain > Dyadic::ZERO {
            self.gainful.push(found);
        }
    }

    fn plus(mut self, other: Self) -> Self {
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
        self.gainful.extend(other.gainful);
        self
    }
}

/// Counts the zugzwangs on regions of `size` squares, up to symmetry and exchange of players, with
/// all threads of the current pool. `None` if it was asked to stop.
///
/// # Errors
/// [`TooLarge`] if the limit of the evaluator was reached.
///
/// # Panics
/// If `size` is not in `1..=MAX_SIZE`.
pub fn zugzwangs(
    evaluator: &Evaluator,
    size: usize,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<Option<ZugzwangCensus>, TooLarge> {
    let name = format!("zugzwangs of size {size}");
    let stage = Stage { name: &name, unit: "regions", observer, stop };
    let find = |region: &Region| on_region(evaluator, region);
    let mut found = stage.gather(&regions(size), find, ZugzwangCensus::plus)?;
    if let Some(found) = &mut found {
        found.gainful.sort();
    }
    Ok(found)
}

fn on_region(evaluator: &Evaluator, region: &Region) -> Result<ZugzwangCensus, TooLarge> {
    let mut found = ZugzwangCensus::default();
    for (left, right) in placements(region) {
        let game = LocalGame::on_region(region, left, right);
        if let Some((zugzwang, hidden)) = classify(evaluator, &game)? {
            found.add(FoundZugzwang { game, zugzwang, hidden });
        }
    }
    Ok(found)
}

fn classify(evaluator: &Evaluator, game: &LocalGame) -> Result<Option<(Zugzwang, bool)>, TooLarge> {
    let values = evaluator.values();
    let options = |player| -> Result<Vec<Value>, TooLarge> {
        let mut options = evaluator.options(game, player)?;
        options.sort_unstable();
        options.dedup();
        Ok(options)
    };
    let (left_options, right_options) = (options(Player::Left)?, options(Player::Right)?);
    let Some(Ends { left, right }) = Ends::of_options(values, &left_options, &right_options) else {
        return Ok(None);
    };
    if left >= right - Dyadic::integer(1) {
        return Ok(None);
    }
    Ok(Some(match Zugzwang::of_options(values, &left_options, &right_options) {
        Some(zugzwang) => (zugzwang, false),
        None => (Zugzwang { left, right }, true),
    }))
}
