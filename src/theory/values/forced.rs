//! Play that nobody may leave: what two searches by minimax say of a position.
//!
//! The ends of play ([`Ends`]) let it stop where the value has become a number: nobody wants to
//! move in a number. A search of the position alone does not know that. It makes the sides move in
//! turn until in every part one of them has no move, and then counts the moves that the other has
//! there. A side may also spend one of the moves that it has in such a part, which costs it that
//! move. The two agree unless somebody is made to move in a number, for example in a zugzwang.

use std::collections::BTreeMap;

use dashmap::DashMap;

use super::placements::{placements, regions};
use super::{Dyadic, Ends, Evaluator, TooLarge};
use crate::machine::progress::{Observer, StopFlag};
use crate::theory::region::{LocalGame, Player, Region};
use crate::theory::stage::Stage;

/// Parts in which both sides can move, least images in order, and the moves that each side has left
/// in the others.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Sum {
    open: Vec<LocalGame>,
    left: i32,
    right: i32,
}

/// Forced play, remembered. All threads may share one.
#[derive(Debug)]
pub struct ForcedPlay<'a> {
    evaluator: &'a Evaluator,
    known: DashMap<(Sum, Player), i32>,
}

impl<'a> ForcedPlay<'a> {
    /// Remembers nothing yet.
    pub fn new(evaluator: &'a Evaluator) -> Self {
        Self { evaluator, known: DashMap::new() }
    }

    /// By how many moves Left is ahead in the end if `begins` has to begin; `None` if that side has
    /// no move.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit of the evaluator was reached.
    pub fn end(&self, game: &LocalGame, begins: Player) -> Result<Option<i32>, TooLarge> {
        let sum = self.split(Sum::default(), game)?;
        let mut ends = Vec::new();
        for after in self.moves(&sum, begins)? {
            ends.push(self.lead(after, begins.other())?);
        }
        Ok(match begins {
            Player::Left => ends.into_iter().max(),
            Player::Right => ends.into_iter().min(),
        })
    }

    /// The lead of Left in the end, with `turn` to move.
    fn lead(&self, sum: Sum, turn: Player) -> Result<i32, TooLarge> {
        if sum.open.is_empty() {
            return Ok(sum.left - sum.right);
        }
        let key = (sum, turn);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let mut best: Option<i32> = None;
        for after in self.moves(&key.0, turn)? {
            let lead = self.lead(after, turn.other())?;
            best = Some(match (best, turn) {
                (None, _) => lead,
                (Some(best), Player::Left) => best.max(lead),
                (Some(best), Player::Right) => best.min(lead),
            });
        }
        // Both sides can move in a part that is open.
        let lead = best.unwrap_or_default();
        self.known.insert(key, lead);
        Ok(lead)
    }

    /// What each move of a side leaves.
    fn moves(&self, sum: &Sum, turn: Player) -> Result<Vec<Sum>, TooLarge> {
        let mut moves = Vec::new();
        for (number, part) in sum.open.iter().enumerate() {
            let mut rest = sum.clone();
            rest.open.remove(number);
            let mut afters = Vec::new();
            part.for_each_move(turn, |_, after| afters.push(after));
            for after in afters {
                moves.push(self.split(rest.clone(), &after)?);
            }
        }
        let spent = match turn {
            Player::Left if sum.left > 0 => Some(Sum { left: sum.left - 1, ..sum.clone() }),
            Player::Right if sum.right > 0 => Some(Sum { right: sum.right - 1, ..sum.clone() }),
            _ => None,
        };
        moves.extend(spent);
        Ok(moves)
    }

    /// A sum with the parts of one more position.
    fn split(&self, mut sum: Sum, game: &LocalGame) -> Result<Sum, TooLarge> {
        let mut parts = Vec::new();
        game.for_each_component(|part| parts.push(part));
        for part in parts {
            if can_move(&part, Player::Left) && can_move(&part, Player::Right) {
                sum.open.push(part.canonical_shape());
                continue;
            }
            let value = self.evaluator.value(&part)?;
            let number = self.evaluator.values().as_number(value).and_then(Dyadic::to_integer);
            // Where one side has no move, the value is a whole number.
            let moves = number.and_then(|number| i32::try_from(number).ok()).unwrap_or_default();
            sum.left += moves.max(0);
            sum.right += (-moves).max(0);
        }
        sum.open.sort_unstable();
        Ok(sum)
    }
}

fn can_move(game: &LocalGame, player: Player) -> bool {
    let mut can = false;
    game.for_each_move(player, |_, _| can = true);
    can
}

/// How forced play and the ends of play differ in one position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Distortion {
    /// They do not.
    None,
    /// Neither is a zugzwang, and they are different numbers.
    Elsewhere,
    /// The ends are those of a zugzwang, forced play is that of one too, and the numbers differ.
    OtherNumbers,
    /// The ends are those of a zugzwang, forced play is not.
    Missed,
    /// Forced play is that of a zugzwang, the ends are not.
    FalseAlarm,
    /// An end is no whole number, so forced play cannot come to it.
    Fraction,
}

/// A position with its ends and with forced play, by who has to begin.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Distorted {
    /// The position.
    pub game: LocalGame,
    /// Where play ends if Left begins, and if Right does.
    pub ends: [Dyadic; 2],
    /// The same by forced play.
    pub forced: [i32; 2],
}

/// Forced play beside the ends of play, on all positions of one size.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ForcedCensus {
    /// Positions by how the two differ, where both sides can move.
    pub counts: BTreeMap<Distortion, u64>,
    /// Zugzwangs by the ends of play.
    pub zugzwangs: u64,
    /// The least positions of each kind but the first.
    pub examples: BTreeMap<Distortion, Vec<Distorted>>,
}

/// Examples that are kept of each kind.
const EXAMPLES: usize = 3;

impl ForcedCensus {
    fn plus(mut self, other: Self) -> Self {
        for (kind, count) in other.counts {
            *self.counts.entry(kind).or_default() += count;
        }
        self.zugzwangs += other.zugzwangs;
        for (kind, examples) in other.examples {
            let mine = self.examples.entry(kind).or_default();
            mine.extend(examples);
            mine.sort_unstable();
            mine.truncate(EXAMPLES);
        }
        self
    }

    fn add(&mut self, distorted: Distorted) {
        let is_zugzwang = is_zugzwang(distorted.ends);
        self.zugzwangs += u64::from(is_zugzwang);
        let kind = kind(&distorted);
        *self.counts.entry(kind).or_default() += 1;
        if kind != Distortion::None {
            let examples = self.examples.entry(kind).or_default();
            examples.push(distorted);
            examples.sort_unstable();
            examples.truncate(EXAMPLES);
        }
    }
}

fn is_zugzwang([left, right]: [Dyadic; 2]) -> bool {
    left < right - Dyadic::integer(1)
}

fn kind(distorted: &Distorted) -> Distortion {
    let forced = distorted.forced.map(Dyadic::integer);
    let zugzwang = (is_zugzwang(distorted.ends), is_zugzwang(forced));
    match zugzwang {
        _ if distorted.ends.iter().any(|end| end.to_integer().is_none()) => Distortion::Fraction,
        _ if distorted.ends == forced => Distortion::None,
        (true, true) => Distortion::OtherNumbers,
        (true, false) => Distortion::Missed,
        (false, true) => Distortion::FalseAlarm,
        (false, false) => Distortion::Elsewhere,
    }
}

/// Compares forced play with the ends of play on all positions of `size` squares in which both
/// sides can move, up to symmetry and exchange of players, with all threads of the current pool.
/// `None` if it was asked to stop.
///
/// # Errors
/// [`TooLarge`] if the limit of the evaluator was reached.
///
/// # Panics
/// If `size` is not in `1..=MAX_SIZE`.
pub fn forced_census(
    evaluator: &Evaluator,
    size: usize,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<Option<ForcedCensus>, TooLarge> {
    let play = ForcedPlay::new(evaluator);
    let name = format!("forced play of size {size}");
    let stage = Stage { name: &name, unit: "regions", observer, stop };
    let find = |region: &Region| on_region(evaluator, &play, region);
    stage.gather(&regions(size), find, ForcedCensus::plus)
}

fn on_region(
    evaluator: &Evaluator,
    play: &ForcedPlay<'_>,
    region: &Region,
) -> Result<ForcedCensus, TooLarge> {
    let mut found = ForcedCensus::default();
    for (left, right) in placements(region) {
        let game = LocalGame::on_region(region, left, right);
        let options = [Player::Left, Player::Right].map(|player| evaluator.options(&game, player));
        let [left, right] = options;
        let Some(ends) = Ends::of_options(evaluator.values(), &left?, &right?) else { continue };
        let forced = (play.end(&game, Player::Left)?, play.end(&game, Player::Right)?);
        if let (Some(left), Some(right)) = forced {
            found.add(Distorted { game, ends: [ends.left, ends.right], forced: [left, right] });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::zugzwangs;
    use super::*;

    /// Forced play by the definition, with nothing remembered and nothing made canonical.
    fn naive(evaluator: &Evaluator, parts: &[LocalGame], spare: [i32; 2], turn: Player) -> i32 {
        let is_open =
            |part: &LocalGame| can_move(part, Player::Left) && can_move(part, Player::Right);
        let Some(open) = parts.iter().position(|part| !is_open(part)) else {
            return match parts {
                [] => spare[0] - spare[1],
                _ => naive_moves(evaluator, parts, spare, turn),
            };
        };
        // A part that is not open is so many moves of one side.
        let value = evaluator.value(&parts[open]).unwrap();
        let number =
            evaluator.values().as_number(value).and_then(Dyadic::to_integer).unwrap() as i32;
        let mut rest = parts.to_vec();
        rest.remove(open);
        naive(evaluator, &rest, [spare[0] + number.max(0), spare[1] + (-number).max(0)], turn)
    }

    fn naive_moves(
        evaluator: &Evaluator,
        parts: &[LocalGame],
        spare: [i32; 2],
        turn: Player,
    ) -> i32 {
        let mut leads = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            part.for_each_move(turn, |_, after| {
                let mut rest = parts.to_vec();
                rest.remove(at);
                after.for_each_component(|part| rest.push(part));
                leads.push(naive(evaluator, &rest, spare, turn.other()));
            });
        }
        let mut spent = spare;
        spent[turn as usize] -= 1;
        if spent[turn as usize] >= 0 {
            leads.push(naive(evaluator, parts, spent, turn.other()));
        }
        let leads = leads.into_iter();
        if turn == Player::Left { leads.max().unwrap() } else { leads.min().unwrap() }
    }

    #[test]
    fn forced_play_is_that_of_the_definition() {
        let evaluator = Evaluator::new();
        let play = ForcedPlay::new(&evaluator);
        for region in (1..=5).flat_map(regions) {
            for (left, right) in placements(&region) {
                let game = LocalGame::on_region(&region, left, right);
                for begins in [Player::Left, Player::Right] {
                    let mut ends = Vec::new();
                    game.for_each_move(begins, |_, after| {
                        let mut parts = Vec::new();
                        after.for_each_component(|part| parts.push(part));
                        ends.push(naive(&evaluator, &parts, [0, 0], begins.other()));
                    });
                    let ends = ends.into_iter();
                    let best = if begins == Player::Left { ends.max() } else { ends.min() };
                    let both = can_move(&game, Player::Left) && can_move(&game, Player::Right);
                    if both {
                        assert_eq!(play.end(&game, begins).unwrap(), best, "{game}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_zugzwangs_are_those_of_the_census() {
        let evaluator = Evaluator::new();
        for size in 4..=5 {
            let stop = StopFlag::new();
            let forced = forced_census(&evaluator, size, &(), &stop).unwrap().unwrap();
            let census = zugzwangs(&evaluator, size, &(), &stop).unwrap().unwrap();
            assert_eq!(forced.zugzwangs, census.plain() + census.hidden());
        }
    }
}
