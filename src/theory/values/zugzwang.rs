//! Zugzwangs, and best play in a sum of them.
//!
//! A *zugzwang* is a local game in which the mover would rather pass: its options leave numbers
//! `a|b` with `a < b - 1`. Its value is the simplest number between, so for who wins it is a number
//! like any other; but each side wants the other to move there, and the score depends on who must
//! (M. Müller, "Amazons", *More Games of No Chance*, 2002).
//!
//! **Score.** Let a sum consist of `k` spare moves (Left's territory less Right's) and zugzwangs
//! `a_i|b_i` of whole numbers with values `v_i`. Call the *margin* the number of moves Left still
//! has when Right, to move, has none: the largest n such that what is left is worth n or more. That
//! may be less than the moves that Left could make in a row there. If S is the set of zugzwangs in
//! which Right had to move, moves alternate, so
//!
//! ```text
//! margin = k + sum over all (a_i + 1) + sum over S (b_i - a_i - 2) - [Left began]
//! ```
//!
//! **Knapsack.** Let Left win, with total value `V = k + sum v_i`, less one if Left begins. Any S
//! whose values above 0 add up to at most V can be held: Left plays the rest, worth at least 0 with
//! Right to move, as the second player of a game of numbers, and always has a reply there. When
//! Right opens a zugzwang of S it becomes `b_i`; for `v_i >= 0` that is at least 1 and pays for the
//! tempo, for `v_i < 0` it costs Left `1 - b_i = -v_i`, which V, taken over all zugzwangs, already
//! contains. So Left gets at least the best total gain `b_i - a_i - 2` of a knapsack of capacity V
//! with weights `max(v_i, 0)`. That Right can hold Left to it is tested against minimax over random
//! sums; a knapsack that lets negative values make room for others promises too much.

use std::collections::HashMap;

use super::{Dyadic, Evaluator, TooLarge, Value, Values};
use crate::theory::region::{LocalGame, Player};

/// A local game `a|b` with numbers `a < b - 1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Zugzwang {
    /// What Left gets by moving.
    pub left: Dyadic,
    /// What is left when Right moves.
    pub right: Dyadic,
}

impl Zugzwang {
    /// The value, the simplest number between.
    pub fn value(self) -> Dyadic {
        Dyadic::simplest(Some((self.left, false)), Some((self.right, false))).unwrap_or_default()
    }

    /// What the other side's having to move here is worth to the winner, `b - a - 2`.
    pub fn gain(self) -> Dyadic {
        self.right - self.left - Dyadic::integer(2)
    }

    /// The zugzwang that these options make, if they do: each side's best option is a number, and
    /// the two are more than one apart.
    pub fn of_options(values: &Values, left: &[Value], right: &[Value]) -> Option<Self> {
        let left = values.as_number(values.best(left, Player::Left)?)?;
        let right = values.as_number(values.best(right, Player::Right)?)?;
        (left < right - Dyadic::integer(1)).then_some(Self { left, right })
    }

    /// The zugzwang that a local game is.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit of the evaluator was reached.
    pub fn of(evaluator: &Evaluator, game: &LocalGame) -> Result<Option<Self>, TooLarge> {
        let left = evaluator.options(game, Player::Left)?;
        let right = evaluator.options(game, Player::Right)?;
        Ok(Self::of_options(evaluator.values(), &left, &right))
    }

    /// The same in whole numbers `(a, b)`.
    fn whole(self) -> Option<(i64, i64)> {
        Some((self.left.to_integer()?, self.right.to_integer()?))
    }
}

/// A sum of spare moves and zugzwangs of whole numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ZugzwangSum {
    spare: i64,
    /// The zugzwangs as (a, b).
    zugzwangs: Vec<(i64, i64)>,
}

impl ZugzwangSum {
    /// A sum of `spare` moves (Left's less Right's) and zugzwangs `a|b`; `None` if one is not a
    /// zugzwang.
    #[cfg(any(test, feature = "internals"))]
    pub fn new(spare: i64, zugzwangs: Vec<(i64, i64)>) -> Option<Self> {
        zugzwangs.iter().all(|&(a, b)| a < b - 1).then_some(Self { spare, zugzwangs })
    }

    /// The sum of these components, if each is a territory or a zugzwang of whole numbers.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit of the evaluator was reached.
    pub fn of(evaluator: &Evaluator, components: &[LocalGame]) -> Result<Option<Self>, TooLarge> {
        let mut sum = Self::default();
        for game in components {
            let value =
                evaluator.values().as_number(evaluator.value(game)?).and_then(Dyadic::to_integer);
            let one_colour = game.amazons(Player::Left) == 0 || game.amazons(Player::Right) == 0;
            match (value, Zugzwang::of(evaluator, game)?.and_then(Zugzwang::whole)) {
                (Some(value), _) if one_colour => sum.spare += value,
                (_, Some(zugzwang)) => sum.zugzwangs.push(zugzwang),
                _ => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// The moves that Left has left when Right, to move, has none, with best play of both: at least
    /// 0 if Left wins. If Right wins it is negative: `-1 - m` for m moves that Right has left when
    /// Left has none.
    pub fn margin(&self, begins: Player) -> i64 {
        let left_begins = i64::from(begins == Player::Left);
        if self.total() - left_begins >= 0 {
            let base: i64 = self.spare + self.zugzwangs.iter().map(|&(a, _)| a + 1).sum::<i64>();
            return base + self.best_gain(self.total() - left_begins) - left_begins;
        }
        -1 - self.negative().margin(begins.other())
    }

    fn negative(&self) -> Self {
        Self {
            spare: -self.spare,
            zugzwangs: self.zugzwangs.iter().map(|&(a, b)| (-b, -a)).collect(),
        }
    }

    fn total(&self) -> i64 {
        self.spare + self.zugzwangs.iter().map(|&zugzwang| value(zugzwang)).sum::<i64>()
    }

    /// The largest total gain of zugzwangs with a total value of at most `capacity`.
    fn best_gain(&self, capacity: i64) -> i64 {
        let mut best = HashMap::from([(0i64, 0i64)]);
        for &(a, b) in &self.zugzwangs {
            let taken: Vec<_> = best
                .iter()
                .map(|(&weight, &gain)| (weight + value((a, b)).max(0), gain + b - a - 2))
                .collect();
            for (weight, gain) in taken {
                let known = best.entry(weight).or_insert(gain);
                *known = gain.max(*known);
            }
        }
        best.into_iter()
            .filter(|&(weight, _)| weight <= capacity)
            .map(|(_, gain)| gain)
            .max()
            .unwrap_or(0)
    }
}

/// The value of a zugzwang of whole numbers: the one nearest to 0 between the two.
fn value((a, b): (i64, i64)) -> i64 {
    0.clamp(a + 1, b - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Margin by minimax: Left's and Right's spare moves, the zugzwangs that are left, and Left's
    /// wish to win first and to win by much second, which the margin's order is.
    fn minimax(left: i64, right: i64, zugzwangs: &[(i64, i64)], turn: Player) -> i64 {
        if zugzwangs.is_empty() {
            return match turn {
                Player::Right if left >= right => left - right,
                Player::Right => -1 - (right - 1 - left),
                Player::Left if left > right => left - 1 - right,
                Player::Left => -1 - (right - left),
            };
        }
        let gained = |n: i64| if n >= 0 { (n, 0) } else { (0, -n) };
        let mut results = Vec::new();
        for i in 0..zugzwangs.len() {
            let mut rest = zugzwangs.to_vec();
            let (a, b) = rest.remove(i);
            let (l, r) = gained(if turn == Player::Left { a } else { b });
            let next = if turn == Player::Left { Player::Right } else { Player::Left };
            results.push(minimax(left + l, right + r, &rest, next));
        }
        match turn {
            Player::Left => {
                if left > 0 {
                    results.push(minimax(left - 1, right, zugzwangs, Player::Right));
                }
                results.into_iter().max().unwrap()
            }
            Player::Right => {
                if right > 0 {
                    results.push(minimax(left, right - 1, zugzwangs, Player::Left));
                }
                results.into_iter().min().unwrap()
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn the_knapsack_is_best_play(
            left in 0..4i64,
            right in 0..4i64,
            zugzwangs in proptest::collection::vec((-4..3i64, 2..5i64), 0..4),
        ) {
            let zugzwangs: Vec<_> = zugzwangs.into_iter().map(|(a, width)| (a, a + width)).collect();
            let sum = ZugzwangSum::new(left - right, zugzwangs.clone()).unwrap();
            for begins in [Player::Left, Player::Right] {
                prop_assert_eq!(sum.margin(begins), minimax(left, right, &zugzwangs, begins), "{:?}", begins);
            }
        }
    }
}
