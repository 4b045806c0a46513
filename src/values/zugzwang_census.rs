//! Zugzwangs by size of region.
//!
//! All placements of both players' amazons on all regions are tried, one of each class under the symmetries of
//! the square and the exchange of players. *Plain* zugzwangs have a number as best option of each side; *hidden*
//! ones are hot after every best move, and only the stops are numbers more than one apart: whoever moves threatens
//! and still ends up worse than by passing, as in `{0|-2||2|0} = 0`.

use rayon::prelude::*;

use super::{Dyadic, Evaluator, TooLarge, Value, Zugzwang};
use crate::progress::{Observer, StopFlag};
use crate::region::{Growth, LocalGame, Player, Region};

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

/// Every zugzwang on regions of `size` squares, up to symmetry and exchange of players, sorted; with all threads
/// of the current pool. `None` if it was asked to stop.
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
) -> Result<Option<Vec<FoundZugzwang>>, TooLarge> {
    let mut regions = Vec::new();
    for task in Growth::tasks(size) {
        task.for_each(size, &mut |region| regions.push(region));
    }
    observer.begin(&format!("zugzwangs of size {size}"), regions.len() as u64, "regions");
    let search = |region: &Region| {
        if stop.is_set() {
            return Ok(Vec::new());
        }
        let found = on_region(evaluator, region);
        observer.add(1);
        found
    };
    let found: Result<Vec<Vec<FoundZugzwang>>, TooLarge> = regions.par_iter().map(search).collect();
    let mut found: Vec<FoundZugzwang> = found?.into_iter().flatten().collect();
    found.sort();
    Ok((!stop.is_set()).then_some(found))
}

fn on_region(evaluator: &Evaluator, region: &Region) -> Result<Vec<FoundZugzwang>, TooLarge> {
    let size = region.size();
    let automorphisms = region.automorphisms();
    let mut found = Vec::new();
    for left in 1u32..1 << size {
        let rest = ((1u32 << size) - 1) & !left;
        let mut right = rest;
        while right != 0 {
            // At least one empty square, and the first of its class.
            if right != rest && is_first(left, right, &automorphisms) {
                let game = LocalGame::on_region(region, left, right);
                if let Some((zugzwang, hidden)) = classify(evaluator, &game)? {
                    found.push(FoundZugzwang { game, zugzwang, hidden });
                }
            }
            right = (right - 1) & rest;
        }
    }
    Ok(found)
}

fn is_first(left: u32, right: u32, automorphisms: &[Vec<usize>]) -> bool {
    automorphisms.iter().all(|map| {
        let image =
            |set: u32| (0..map.len()).filter(|&p| set >> p & 1 != 0).fold(0, |image, p| image | 1 << map[p]);
        let (l, r) = (image(left), image(right));
        (left, right) <= (l, r) && (left, right) <= (r, l)
    })
}

fn classify(evaluator: &Evaluator, game: &LocalGame) -> Result<Option<(Zugzwang, bool)>, TooLarge> {
    let values = evaluator.values();
    let options = |player| -> Result<Vec<Value>, TooLarge> {
        let mut options: Vec<_> =
            evaluator.moves(game, player)?.into_iter().map(|(_, value)| value).collect();
        options.sort_unstable();
        options.dedup();
        Ok(options)
    };
    let left = options(Player::Left)?;
    let Some(low) = left.iter().map(|&value| values.right_stop(value)).max() else { return Ok(None) };
    let right = options(Player::Right)?;
    let Some(high) = right.iter().map(|&value| values.left_stop(value)).min() else { return Ok(None) };
    if low >= high - Dyadic::integer(1) {
        return Ok(None);
    }
    Ok(Some(match Zugzwang::of_options(values, &left, &right) {
        Some(zugzwang) => (zugzwang, false),
        None => (Zugzwang { left: low, right: high }, true),
    }))
}
