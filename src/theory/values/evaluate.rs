//! The combinatorial value of a local position.
//!
//! Every position is split into its components and is the sum of their values; the value of a
//! component is the game of the values after each move. Components are remembered twice: as they
//! lie, which needs no work to look up, and as the least of their images under symmetry and
//! exchange of players, which is what makes the number of positions small. Components with one
//! player's amazons are whole numbers and are left to [`Territories`]. Cost: one [`Values::game`]
//! for each canonical component reached.

use std::cell::Cell;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use dashmap::DashMap;
use rayon::prelude::*;

use super::footprint::fits;
use super::table_bytes::table_bytes;
use super::{Thermograph, Value, Values};
use crate::machine::hash::Mix;
use crate::machine::progress::StopFlag;
use crate::theory::limit::Limit;
use crate::theory::region::{LocalGame, LocalMove, Player, Territories};

/// A limit was reached before the value was known. What was found stays remembered, so a further
/// call goes on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no exact value within the memory given: {positions} local positions are stored, which take {bytes} bytes with \
     their values"
)]
#[non_exhaustive]
pub struct TooLarge {
    /// Positions stored.
    pub positions: usize,
    /// About how many bytes they take.
    pub bytes: u64,
}

/// The memory is looked at when so many more positions are stored.
const CHECK_EVERY: usize = 16;
/// The memory is looked at when a thread has made so many more steps of a sum, of a comparison, or
/// of the search of a longest play, each of which may remember something.
const STEPS: u32 = 256;

thread_local! {
    /// The steps that this thread has made, whatever for; counting them for all threads together
    /// would make them wait for each other.
    static MADE: Cell<u32> = const { Cell::new(0) };
}

/// Values of local positions, remembered. All threads may share one.
#[derive(Debug)]
pub struct Evaluator {
    values: Values,
    territories: Territories,
    known: DashMap<LocalGame, Value, BuildHasherDefault<Mix>>,
    stored: AtomicUsize,
    memory: u64,
    /// The steps that may still be made, whatever for; `u64::MAX` if any number may.
    steps: AtomicU64,
    stop: StopFlag,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// Remembers nothing yet, and may store any number of positions.
    pub fn new() -> Self {
        Self::with_memory(u64::MAX)
    }

    /// Remembers nothing yet, and stops before what it remembers takes more than `memory` bytes.
    pub fn with_memory(memory: u64) -> Self {
        Self {
            values: Values::new(),
            territories: Territories::new(),
            known: DashMap::default(),
            stored: AtomicUsize::new(0),
            memory,
            steps: AtomicU64::new(u64::MAX),
            stop: StopFlag::new(),
        }
    }

    /// From now on so many steps of sums, comparisons and thermographs may be made, as far as each
    /// is remembered, before a limit is reached; `None` for any number.
    pub fn allow_steps(&self, steps: Option<u64>) {
        self.steps.store(steps.unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Takes one of the steps that may be made, if there is one.
    #[inline]
    fn step(&self) -> bool {
        let left = self.steps.load(Ordering::Relaxed);
        if left != u64::MAX && left > 0 {
            self.steps.store(left - 1, Ordering::Relaxed);
        }
        left > 0
    }

    /// The same evaluator, for which the limit is reached as soon as `stop` is set.
    pub fn with_stop(self, stop: StopFlag) -> Self {
        Self { stop, ..self }
    }

    /// The store that names the values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Longest plays of one-colour parts.
    pub fn territories(&self) -> &Territories {
        &self.territories
    }

    /// How many positions are stored.
    pub fn stored(&self) -> usize {
        self.stored.load(Ordering::Relaxed)
    }

    /// The value of a position.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit was reached.
    pub fn value(&self, position: &LocalGame) -> Result<Value, TooLarge> {
        let mut sum = Ok(Value::ZERO);
        position.for_each_component(|part| {
            if let Ok(so_far) = sum {
                sum = self.component(&part).and_then(|value| self.sum(so_far, value));
            }
        });
        sum
    }

    /// The sum of two values.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit was reached.
    ///
    /// # Panics
    /// As [`Values::sum`].
    pub fn sum(&self, a: Value, b: Value) -> Result<Value, TooLarge> {
        self.values.sum_within(self, a, b)
    }

    /// The sum of any number of values.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit was reached.
    ///
    /// # Panics
    /// As [`Values::sum`].
    pub fn total(&self, values: impl IntoIterator<Item = Value>) -> Result<Value, TooLarge> {
        values.into_iter().try_fold(Value::ZERO, |sum, value| self.sum(sum, value))
    }

    /// The thermograph of a value.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit was reached.
    pub fn thermograph(&self, value: Value) -> Result<&Thermograph, TooLarge> {
        self.values.thermograph_within(self, value)
    }

    /// Whether `a <= b`.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit was reached.
    pub fn le(&self, a: Value, b: Value) -> Result<bool, TooLarge> {
        self.values.le_within(self, a, b)
    }

    /// The value of a position, with all threads of the current pool: they share out the positions
    /// one move deep, meet in the memory, and what is left is looked up.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit was reached.
    pub fn value_in_parallel(&self, position: &LocalGame) -> Result<Value, TooLarge> {
        let mut children = Vec::new();
        for player in [Player::Left, Player::Right] {
            position.for_each_move(player, |_, after| children.push(after));
        }
        children.par_iter().try_for_each(|child| self.value(child).map(drop))?;
        self.value(position)
    }

    /// A player's moves, each with the value it leads to.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit was reached.
    pub fn moves(
        &self,
        position: &LocalGame,
        player: Player,
    ) -> Result<Vec<(LocalMove, Value)>, TooLarge> {
        let mut moves = Ok(Vec::new());
        position.for_each_move(player, |played, after| {
            if let Ok(list) = &mut moves {
                match self.value(&after) {
                    Ok(value) => list.push((played, value)),
                    Err(error) => moves = Err(error),
                }
            }
        });
        moves
    }

    /// The value of a connected position in the corner of its box.
    fn component(&self, part: &LocalGame) -> Result<Value, TooLarge> {
        if part.empty() == 0 {
            return Ok(Value::ZERO);
        }
        if let Some(known) = self.known.get(part) {
            return Ok(*known);
        }
        if part.amazons(Player::Left) == 0 || part.amazons(Player::Right) == 0 {
            return self.territory(part);
        }
        let (canonical, exchanged) = part.canonical();
        let known = self.known.get(&canonical).map(|known| *known);
        let value = match known {
            Some(value) => value,
            None => {
                let value = self.search(&canonical)?;
                self.store(canonical, value)?;
                value
            }
        };
        let value = if exchanged { self.values.negative(value) } else { value };
        if canonical != *part {
            self.store(*part, value)?;
        }
        Ok(value)
    }

    fn territory(&self, part: &LocalGame) -> Result<Value, TooLarge> {
        let moves = |part: &LocalGame| self.territories.moves_within(self, part);
        Ok(match part.amazons(Player::Left) {
            0 => self.values.integer(-(moves(&part.negative())? as i32)),
            _ => self.values.integer(moves(part)? as i32),
        })
    }

    fn store(&self, position: LocalGame, value: Value) -> Result<(), TooLarge> {
        let positions = self.stored();
        let limited = self.memory != u64::MAX && positions.is_multiple_of(CHECK_EVERY);
        if self.stop.is_set() || (limited && !self.fits(self.memory)) {
            return Err(self.too_large());
        }
        if self.known.insert(position, value).is_none() {
            self.stored.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn too_large(&self) -> TooLarge {
        TooLarge { positions: self.stored() + self.territories.len(), bytes: self.bytes() }
    }

    /// About how many bytes everything that is remembered takes.
    pub fn bytes(&self) -> u64 {
        self.values().bytes() + self.position_bytes() + self.territories().bytes()
    }

    /// Whether there is room to go on within `memory` bytes.
    fn fits(&self, memory: u64) -> bool {
        fits(self.bytes(), memory)
    }

    /// Bytes of the positions that are remembered.
    fn position_bytes(&self) -> u64 {
        table_bytes(&self.known)
    }

    fn search(&self, position: &LocalGame) -> Result<Value, TooLarge> {
        let left = self.options(position, Player::Left)?;
        let right = self.options(position, Player::Right)?;
        self.values.game_within(self, left, right)
    }

    /// The values that a player's moves lead to.
    pub(super) fn options(
        &self,
        position: &LocalGame,
        player: Player,
    ) -> Result<Vec<Value>, TooLarge> {
        let mut options = Vec::new();
        let mut failed = None;
        position.for_each_move(player, |_, after| {
            if failed.is_none() {
                match self.value(&after) {
                    Ok(value) if options.last() == Some(&value) => {}
                    Ok(value) => options.push(value),
                    Err(error) => failed = Some(error),
                }
            }
        });
        failed.map_or(Ok(options), Err)
    }
}

/// The memory, and the request to stop.
impl Limit for Evaluator {
    type Reached = TooLarge;

    #[inline]
    fn check(&self) -> Result<(), TooLarge> {
        let full = || {
            let made = MADE.get().wrapping_add(1);
            MADE.set(made);
            made.is_multiple_of(STEPS) && !self.fits(self.memory)
        };
        match self.stop.is_set() || !self.step() || (self.memory != u64::MAX && full()) {
            true => Err(self.too_large()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::LocalPosition;
    use crate::theory::region::Placed;

    #[test]
    fn who_is_stopped_says_so_and_goes_on_with_another_flag() {
        let rows: LocalPosition = "x...|....|...o".parse().unwrap();
        let parts = Placed::components(&rows).unwrap();
        let flag = StopFlag::new();
        flag.stop();
        let evaluator = Evaluator::new().with_stop(flag);
        assert!(evaluator.value(parts[0].game()).is_err());
        let evaluator = evaluator.with_stop(StopFlag::new());
        let value = evaluator.value(parts[0].game()).unwrap();
        let fresh = Evaluator::new();
        let expected = fresh.value(parts[0].game()).unwrap();
        assert_eq!(evaluator.values().text(value), fresh.values().text(expected));
    }

    /// The components of local positions.
    fn games(texts: &[&str]) -> Vec<LocalGame> {
        let placed = texts.iter().flat_map(|text| {
            let rows: LocalPosition = text.parse().unwrap();
            Placed::components(&rows).unwrap()
        });
        placed.map(|part| *part.game()).collect()
    }

    #[test]
    fn a_sum_keeps_to_the_memory_and_can_be_stopped() {
        let parts = games(&["x..|...|..o", "x.o|...|...", "x..|..o|...", "x..o|....", "x.o.|...."]);
        let evaluator = Evaluator::new();
        let values: Vec<Value> = parts.iter().map(|part| evaluator.value(part).unwrap()).collect();
        let memory = 4 * evaluator.bytes();
        let evaluator = Evaluator { memory, ..evaluator };
        let error = evaluator.total(values.iter().copied()).unwrap_err();
        assert!(error.bytes < memory && evaluator.bytes() < memory, "{error:?}");
        let flag = StopFlag::new();
        flag.stop();
        let evaluator = Evaluator { memory: u64::MAX, ..evaluator }.with_stop(flag);
        assert!(evaluator.total(values.iter().copied()).is_err());
        // What was remembered of the sum that was given up is true.
        let evaluator = evaluator.with_stop(StopFlag::new());
        let sum = evaluator.total(values[3..].iter().copied()).unwrap();
        let fresh = Evaluator::new();
        let values = parts[3..].iter().map(|part| fresh.value(part).unwrap());
        let expected = fresh.values().total(values);
        assert_eq!(evaluator.values().text(sum), fresh.values().text(expected));
    }

    #[test]
    fn a_territory_keeps_to_the_memory_and_can_be_stopped() {
        let text = "#.#.#x|x#..#.|.x.#.#|#x.#.#|.x###x|###.#.|####x#|####.#";
        let territory = games(&[text])[0];
        for game in [territory, territory.negative()] {
            let memory = 2 << 20;
            let evaluator = Evaluator::with_memory(memory);
            let error = evaluator.value(&game).unwrap_err();
            assert!(error.bytes < memory && evaluator.bytes() < memory, "{error:?}");
            assert!(evaluator.value_in_parallel(&game).is_err());
            let flag = StopFlag::new();
            flag.stop();
            let evaluator = Evaluator::new().with_stop(flag);
            assert!(evaluator.value(&game).is_err());
            assert!(evaluator.territories().is_empty());
        }
    }
}
