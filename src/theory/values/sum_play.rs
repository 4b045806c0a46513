//! Who wins a sum of values, without its value.
//!
//! The canonical form of a sum of a few hot games may be too large for any memory, though each of
//! them is small. Who wins is found by playing: a move is a move in one of the games. What keeps
//! that small:
//!
//! 1. number-up-stars are added up to one, and a game and its negative cancel;
//! 2. where all that is left is a number-up-star, its signs tell;
//! 3. if the right stops add up to more than 0, Left wins whoever begins, since each game is larger
//!    than every number below its right stop; and the same for Right;
//! 4. means add up, and a sum is no hotter than the hottest of its games, so each stop is as far
//!    from the sum of the means as that temperature at most;
//! 5. the hottest game is tried first and the number-up-star last, and what was found of a sum is
//!    remembered.
//!
//! Options are canonical, so none is dominated or reversible. Every move is tried before a sum is
//! called lost, moves in numbers too: games that are no numbers may add up to one, and then the
//! number avoidance theorem says nothing.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Dyadic, Evaluator, Nus, OutcomeClass, TooLarge, Value, Values};
use crate::theory::limit::Limit;
use crate::theory::region::Player;

/// Plays sums, and remembers who wins them.
#[derive(Debug)]
pub struct SumPlay<'a> {
    evaluator: &'a Evaluator,
    /// Whether the player who begins wins.
    known: HashMap<(Sum, Player), bool>,
}

/// A sum with all that cancels left out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Sum {
    nus: Nus,
    /// Games that are no number-up-stars, in increasing order.
    games: Vec<Value>,
}

impl<'a> SumPlay<'a> {
    /// Nothing is remembered yet; values are those of the evaluator, whose limits hold.
    pub fn new(evaluator: &'a Evaluator) -> Self {
        Self { evaluator, known: HashMap::new() }
    }

    /// Who wins a sum, by who begins.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit of the evaluator was reached.
    pub fn outcome(&mut self, values: &[Value]) -> Result<OutcomeClass, TooLarge> {
        let sum = self.sum(values);
        let (left, right) = (self.begins(&sum, Player::Left)?, self.begins(&sum, Player::Right)?);
        Ok(match (left, right) {
            (true, true) => OutcomeClass::Next,
            (true, false) => OutcomeClass::Left,
            (false, true) => OutcomeClass::Right,
            (false, false) => OutcomeClass::Previous,
        })
    }

    /// Whether a player wins a sum who begins.
    ///
    /// # Errors
    /// [`TooLarge`] if a limit of the evaluator was reached.
    pub fn wins(&mut self, values: &[Value], player: Player) -> Result<bool, TooLarge> {
        let sum = self.sum(values);
        self.begins(&sum, player)
    }

    fn values(&self) -> &'a Values {
        self.evaluator.values()
    }

    /// The sum of some values.
    fn sum(&self, values: &[Value]) -> Sum {
        let mut sum = Sum { nus: Nus::default(), games: Vec::with_capacity(values.len()) };
        for &value in values {
            match self.values().as_nus(value) {
                Some(nus) => sum.nus = sum.nus.plus(nus),
                None => {
                    let negative = self.values().negative(value);
                    match sum.games.iter().position(|&game| game == negative) {
                        Some(at) => _ = sum.games.swap_remove(at),
                        None => sum.games.push(value),
                    }
                }
            }
        }
        sum.games.sort_unstable();
        sum
    }

    fn begins(&mut self, sum: &Sum, player: Player) -> Result<bool, TooLarge> {
        if let Some(winner) = self.by_bounds(sum, player)? {
            return Ok(winner == player);
        }
        let key = (sum.clone(), player);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.evaluator.check()?;
        let wins = self.some_move_wins(sum, player)?;
        self.known.insert(key, wins);
        Ok(wins)
    }

    /// Who wins, if rules 2 to 4 tell.
    fn by_bounds(&self, sum: &Sum, player: Player) -> Result<Option<Player>, TooLarge> {
        let Sum { nus, games } = sum;
        if games.is_empty() {
            let zero = Nus::default();
            let first = match player {
                Player::Left => !Nus::le(*nus, zero),
                Player::Right => !Nus::le(zero, *nus),
            };
            return Ok(Some(if first { player } else { player.other() }));
        }
        let (mut left, mut right, mut mean) = (nus.number, nus.number, nus.number);
        let mut hottest = Dyadic::ZERO;
        for &game in games {
            left = left + self.values().left_stop(game);
            right = right + self.values().right_stop(game);
            let graph = self.evaluator.thermograph(game)?;
            mean = mean + graph.mean;
            hottest = hottest.max(graph.temperature);
        }
        let (left, right) = (left.min(mean + hottest), right.max(mean - hottest));
        Ok(match () {
            () if right > Dyadic::ZERO => Some(Player::Left),
            () if left < Dyadic::ZERO => Some(Player::Right),
            () => None,
        })
    }

    /// Whether a move of the player leads to a sum that the other loses who begins there.
    fn some_move_wins(&mut self, sum: &Sum, player: Player) -> Result<bool, TooLarge> {
        let mut order: Vec<usize> = (0..sum.games.len()).collect();
        order.dedup_by_key(|at| sum.games[*at]);
        let values = self.values();
        order.sort_by_key(|&at| Reverse(values.temperature(sum.games[at])));
        let beside = |at: usize| {
            let mut games = sum.games.clone();
            games.remove(at);
            games
        };
        for at in order {
            let mut rest = beside(at);
            rest.push(values.nus(sum.nus));
            for &option in options(values, sum.games[at], player) {
                rest.push(option);
                if !self.wins(&rest, player.other())? {
                    return Ok(true);
                }
                rest.pop();
            }
        }
        for &option in options(values, values.nus(sum.nus), player) {
            let mut rest = sum.games.clone();
            rest.push(option);
            if !self.wins(&rest, player.other())? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A player's canonical options.
fn options(values: &Values, value: Value, player: Player) -> &[Value] {
    match player {
        Player::Left => values.left(value),
        Player::Right => values.right(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::LocalPosition;
    use crate::theory::region::Placed;
    use rand::rngs::StdRng;
    use rand::seq::IndexedRandom;
    use rand::{Rng, SeedableRng};

    /// Values of local positions, hot ones and cold ones, numbers and infinitesimals.
    fn values(evaluator: &Evaluator) -> Vec<Value> {
        let texts = [
            "x..o", "x.o", ".xo.", "x..", "o", "x.o|...", "x..|..o", ".x.|..o", "xo.|...", "o..",
            "x#.|.o.", ".o|x.", "#x.|.o#", "x.o.",
        ];
        let value = |text: &&str| {
            let rows: LocalPosition = text.parse().unwrap();
            let parts = Placed::components(&rows).unwrap();
            let parts = parts.iter().map(|part| evaluator.value(part.game()).unwrap());
            evaluator.values().total(parts)
        };
        texts.iter().map(value).collect()
    }

    #[test]
    fn sums_are_won_by_whom_their_value_says() {
        let evaluator = Evaluator::new();
        let (values, mut random) = (values(&evaluator), StdRng::seed_from_u64(3));
        let mut play = SumPlay::new(&evaluator);
        let mut seen = [0; 4];
        for _ in 0..600 {
            let count = random.random_range(1..=4);
            let sum: Vec<Value> =
                (0..count).map(|_| *values.choose(&mut random).unwrap()).collect();
            let shift = evaluator.values().integer(random.random_range(-2..=2));
            let sum = [sum, vec![shift]].concat();
            let expected =
                evaluator.values().outcome(evaluator.values().total(sum.iter().copied()));
            assert_eq!(play.outcome(&sum).unwrap(), expected);
            seen[expected as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
        assert!(!play.known.is_empty());
    }
}
