//! Positions by where play ends: at the number `a` if Left has to begin there, at `b` if Right has.
//!
//! These are the stops, unless the value is a number: then the value forgets them. The zugzwangs
//! `-2|1` and `-2|2` and a position without any move are all 0, and 0 are their stops.
//!
//! Up to `WHOLE` squares every position is looked at, so what is found there is the smallest there
//! is. Beyond there are too many, and positions are *grown*: of each size the `KEPT` are kept whose
//! ends are nearest to those wanted, plain ones and those with few amazons first, and every square
//! beside them is added in turn, empty. What is found by growing has the ends wanted; a smaller one
//! may exist, but not below the size that the ends themselves ask for (`Ends::least_size`).

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::placements::{placements, regions};
use super::{Dyadic, Evaluator, TooLarge, Value, Values};
use crate::machine::progress::{Observer, StopFlag};
use crate::theory::region::{Cell, LocalGame, MAX_SIDE, MAX_SIZE, Player, Region};
use crate::theory::stage::Stage;

/// The largest size of which every position is looked at.
const WHOLE: usize = 6;
/// Positions of each size that larger ones are grown from.
const KEPT: usize = 300;
/// Grown positions that one thread judges together.
const BATCH: usize = 64;

/// The numbers at which play in a position ends, by who has to begin there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends {
    /// If Left begins.
    pub left: Dyadic,
    /// If Right begins.
    pub right: Dyadic,
}

/// A position that has the ends wanted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Example {
    /// Whether a side's best option is no number, or a side has no best option.
    pub hidden: bool,
    /// The position, one of each class under the symmetries of the square.
    pub game: LocalGame,
    /// What Left's and Right's best move leave, where a side has one that is no worse than any
    /// other.
    pub best: [Option<Value>; 2],
}

/// A position, ordered by how near it is to what is wanted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Judged {
    /// From the ends wanted.
    distance: Dyadic,
    hidden: bool,
    amazons: u32,
    example: Example,
}

/// Positions that have the ends wanted, and of the others the nearest, [`KEPT`] at most.
#[derive(Default)]
struct Nearest {
    found: Vec<Example>,
    others: BTreeSet<Judged>,
}

/// The positions of one size that have the ends wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examples {
    /// Squares of each position.
    pub size: usize,
    /// What was found, plain ones first; empty if there is nothing up to this size.
    pub found: Vec<Example>,
    /// Whether there is surely nothing smaller.
    pub smallest: bool,
}

impl Ends {
    /// The best stops of the options. `None` if a side has no move.
    pub(super) fn of_options(values: &Values, left: &[Value], right: &[Value]) -> Option<Self> {
        let left = left.iter().map(|&value| values.right_stop(value)).max()?;
        let right = right.iter().map(|&value| values.left_stop(value)).min()?;
        Some(Self { left, right })
    }

    /// No position with fewer squares has these ends. Where play ends at a number x of at least n,
    /// Left can make n moves there alone: in the sum of it and -n Left wins if Right begins, so
    /// Left has an answer there to each of the n moves that Right can make in -n. Each burns a
    /// square. One square was burned on the way there, and each side has an amazon. The same holds
    /// for Right.
    fn least_size(self) -> usize {
        let moves = |end: Dyadic| end.max(-end).floor() as usize;
        moves(self.left).max(moves(self.right)) + 3
    }

    /// The smallest positions with these ends that are found on up to `most` squares, with all
    /// threads of the current pool. `None` if it was asked to stop.
    ///
    /// # Errors
    /// [`TooLarge`] if the limit of the evaluator was reached.
    ///
    /// # Panics
    /// If `most` is not in `1..=MAX_SIZE`.
    pub fn examples(
        self,
        evaluator: &Evaluator,
        most: usize,
        observer: &dyn Observer,
        stop: &StopFlag,
    ) -> Result<Option<Examples>, TooLarge> {
        assert!(
            (1..=MAX_SIZE).contains(&most),
            "positions of 1 to {MAX_SIZE} squares are searched"
        );
        let judge = |games: &[LocalGame]| -> Result<Nearest, TooLarge> {
            let mut nearest = Nearest::default();
            for game in games.iter().take_while(|_| !stop.is_set()) {
                nearest.extend(self.judge(evaluator, game)?);
            }
            Ok(nearest)
        };
        let mut kept: Vec<LocalGame> = Vec::new();
        for size in 1..=most {
            let name = format!("positions of size {size}");
            let stage = |unit| Stage { name: &name, unit, observer, stop };
            let nearest = if size <= WHOLE {
                let judge = |region: &Region| judge(&on_region(region));
                stage("regions").gather(&regions(size), judge, Nearest::merged)?
            } else {
                let games = grown(&kept);
                let batches: Vec<&[LocalGame]> = games.chunks(BATCH).collect();
                stage("batches").gather(&batches, |games| judge(games), Nearest::merged)?
            };
            let Some(Nearest { mut found, others }) = nearest else { return Ok(None) };
            if !found.is_empty() {
                found.sort_unstable();
                let smallest = size <= WHOLE || size == self.least_size();
                return Ok(Some(Examples { size, found, smallest }));
            }
            kept = others.into_iter().map(|judged| judged.example.game).collect();
        }
        Ok(Some(Examples { size: most, found: Vec::new(), smallest: false }))
    }

    /// How near the ends of a position are to these; `None` if a side has no move.
    fn judge(self, evaluator: &Evaluator, game: &LocalGame) -> Result<Option<Judged>, TooLarge> {
        let values = evaluator.values();
        let left = evaluator.options(game, Player::Left)?;
        let right = evaluator.options(game, Player::Right)?;
        let Some(ends) = Self::of_options(values, &left, &right) else { return Ok(None) };
        let apart = |a: Dyadic, b: Dyadic| (a - b).max(b - a);
        let best = [values.best(&left, Player::Left), values.best(&right, Player::Right)];
        let is_number = |value: Option<Value>| value.is_some_and(|v| values.as_number(v).is_some());
        let amazons = game.amazons(Player::Left) | game.amazons(Player::Right);
        let example = Example { hidden: !best.into_iter().all(is_number), game: *game, best };
        Ok(Some(Judged {
            distance: apart(ends.left, self.left) + apart(ends.right, self.right),
            hidden: example.hidden,
            amazons: amazons.count_ones(),
            example,
        }))
    }
}

impl Values {
    /// The option that a player likes no less than any other, if there is one.
    pub fn best(&self, options: &[Value], player: Player) -> Option<Value> {
        let no_worse = |a: Value, b: Value| match player {
            Player::Left => self.le(b, a),
            Player::Right => self.le(a, b),
        };
        options.iter().copied().find(|&a| options.iter().all(|&b| no_worse(a, b)))
    }
}

impl Nearest {
    /// Takes a position up, and forgets the one farthest from what is wanted if there are too many.
    fn extend(&mut self, judged: impl IntoIterator<Item = Judged>) {
        for judged in judged {
            if judged.distance == Dyadic::ZERO {
                self.found.push(judged.example);
                continue;
            }
            self.others.insert(judged);
            if self.others.len() > KEPT {
                self.others.pop_last();
            }
        }
    }

    /// The nearest of two collections of different positions.
    fn merged(mut self, other: Self) -> Self {
        self.found.extend(other.found);
        self.extend(other.others);
        self
    }
}

/// Every position of a region, one of each class under symmetry.
fn on_region(region: &Region) -> Vec<LocalGame> {
    let games = placements(region).into_iter().flat_map(|(left, right)| {
        let game = LocalGame::on_region(region, left, right);
        [game, game.negative()].map(|game| game.canonical_shape())
    });
    sorted(games.collect())
}

/// The positions with one empty square more than some others, one of each class under symmetry.
fn grown(games: &[LocalGame]) -> Vec<LocalGame> {
    let larger = |game: &LocalGame| -> Vec<LocalGame> {
        // A margin on all sides: the square added may lie above or to the left.
        let cells: Vec<_> = game.cells().iter().map(|&(r, c, cell)| (r + 1, c + 1, cell)).collect();
        let taken: BTreeSet<_> = cells.iter().map(|&(row, column, _)| (row, column)).collect();
        let around = |&(row, column): &(usize, usize)| {
            (0..9).map(move |step| (row + step / 3 - 1, column + step % 3 - 1))
        };
        let beside: BTreeSet<_> =
            taken.iter().flat_map(around).filter(|place| !taken.contains(place)).collect();
        let with = |(row, column): (usize, usize)| {
            let cells = [cells.as_slice(), &[(row, column, Cell::Empty)]].concat();
            let fits = |of: fn(&(usize, usize, Cell)) -> usize| {
                let (least, most) = (cells.iter().map(of).min(), cells.iter().map(of).max());
                most.zip(least).is_some_and(|(most, least)| most - least < usize::from(MAX_SIDE))
            };
            let game = LocalGame::from_cells(&cells).filter(|_| fits(|c| c.0) && fits(|c| c.1));
            game.map(|game| game.canonical_shape())
        };
        beside.into_iter().filter_map(with).collect()
    };
    sorted(games.par_iter().flat_map_iter(larger).collect())
}

fn sorted(mut games: Vec<LocalGame>) -> Vec<LocalGame> {
    games.sort_unstable();
    games.dedup();
    games
}

#[cfg(test)]
mod tests {
    use super::super::zugzwangs;
    use super::*;

    fn examples(left: i32, right: i32, most: usize) -> Examples {
        let [left, right] = [left, right].map(Dyadic::integer);
        let found = Ends { left, right }.examples(&Evaluator::new(), most, &(), &StopFlag::new());
        found.unwrap().unwrap()
    }

    /// What a player gets in the end, by playing all moves to the end: numbers are where play
    /// stops.
    fn outcome(evaluator: &Evaluator, game: &LocalGame, player: Player) -> Option<Dyadic> {
        let values = evaluator.values();
        let mut ends = Vec::new();
        game.for_each_move(player, |_, after| {
            let value = evaluator.value(&after).unwrap();
            ends.push(
                values.as_number(value).or_else(|| after_play(values, value, player.other())),
            );
        });
        let ends = ends.into_iter().map(Option::unwrap);
        if player == Player::Left { ends.max() } else { ends.min() }
    }

    fn after_play(values: &Values, value: Value, player: Player) -> Option<Dyadic> {
        let options = if player == Player::Left { values.left(value) } else { values.right(value) };
        let end = |&option: &Value| {
            let number = values.as_number(option);
            number.or_else(|| after_play(values, option, player.other())).unwrap()
        };
        let ends = options.iter().map(end);
        if player == Player::Left { ends.max() } else { ends.min() }
    }

    #[test]
    fn what_is_found_ends_as_wanted() {
        let evaluator = Evaluator::new();
        for (left, right) in [(-2, 2), (1, -1), (-1, 2), (0, 3), (4, -4)] {
            let examples = examples(left, right, 8);
            assert!(!examples.found.is_empty(), "{left}|{right}");
            for Example { game, .. } in &examples.found {
                for (player, end) in [(Player::Left, left), (Player::Right, right)] {
                    assert_eq!(
                        outcome(&evaluator, game, player),
                        Some(Dyadic::integer(end)),
                        "{game}"
                    );
                }
                assert_eq!(game.squares().count_ones() as usize, examples.size);
            }
        }
    }

    /// Up to exchange and symmetry they are those of the census, and the published four are the
    /// smallest with a gain of 2.
    #[test]
    fn the_smallest_zugzwangs_are_those_of_the_census() {
        let census = zugzwangs(&Evaluator::new(), 6, &(), &StopFlag::new()).unwrap().unwrap();
        for (left, right) in [(-2, 2), (-3, 1), (-1, 3)] {
            let examples = examples(left, right, 8);
            assert!(examples.smallest && examples.size == 6);
            let ends = [(left, right), (-right, -left)]
                .map(|(a, b)| (Dyadic::integer(a), Dyadic::integer(b)));
            let listed = census
                .gainful
                .iter()
                .filter(|found| ends.contains(&(found.zugzwang.left, found.zugzwang.right)));
            let listed: BTreeSet<LocalGame> =
                listed.map(|found| found.game.canonical().0).collect();
            let found: BTreeSet<LocalGame> =
                examples.found.iter().map(|example| example.game.canonical().0).collect();
            assert_eq!(found, listed, "{left}|{right}");
        }
    }

    #[test]
    fn nothing_is_said_to_be_nothing() {
        let none = examples(9, -9, 5);
        assert_eq!((none.size, none.found.len(), none.smallest), (5, 0, false));
        // Large and grown, but no smaller position has so many moves.
        let grown = examples(5, -5, 9);
        assert!(grown.size == 8 && grown.smallest, "{grown:?}");
    }
}
