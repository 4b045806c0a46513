//! The size of a game tree from random games.
//!
//! A random game plays one of the legal moves in each position, each as likely as any other. It
//! comes to a sequence of k moves with one chance in the product of the numbers of moves on its
//! way. So that product, and 0 for a game that is over before, has the number of sequences as its
//! mean (D. E. Knuth, *Estimating the efficiency of backtrack programs*, 1975). The products of
//! long games differ by many powers of ten, and so do their standard errors: they are told.

use rayon::prelude::*;

use crate::game::perft::MoveGenerator;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::random::Random;

/// Random games that one thread plays together.
const BATCH: u64 = 256;

/// Batches whose sums are kept until all of them are played.
const TOGETHER: u64 = 256;

/// A mean with its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The mean of what was found.
    pub mean: f64,
    /// By how much it may be expected to be off: its standard deviation.
    pub error: f64,
}

impl Estimate {
    /// Whether both figures are in the range of floating point, which ends at 1.8e308. If not, both
    /// are infinite.
    pub fn is_finite(&self) -> bool {
        self.mean.is_finite()
    }
}

/// How many random games are played, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many.
    pub games: u64,
    /// The same seed gives the same games.
    pub seed: u64,
}

impl Sample {
    /// Bytes that the sums of games of at most so many moves take, however many games there are.
    pub fn memory(moves: usize) -> u64 {
        (TOGETHER + 1) * (moves as u64 + 1) * size_of::<Sums>() as u64
    }
}

/// What random games say of a game tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimates {
    /// Of each ply from the position itself on.
    pub plies: Vec<PlyEstimate>,
    /// How many games there are, of all lengths that were allowed.
    pub games: Estimate,
    /// Whether all random games came to their ends.
    pub whole: bool,
}

/// What random games say of one ply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlyEstimate {
    /// Sequences of so many moves.
    pub sequences: Estimate,
    /// Those that end here.
    pub games: Estimate,
    /// Random games that came so far.
    pub reached: u64,
    /// The mean number of moves of the positions in which they were, without those that had none.
    pub branching: f64,
}

/// Sums over random games, of one ply.
#[derive(Clone, Copy, Default)]
struct Sums {
    sequences: Sum,
    games: Sum,
    reached: u64,
    ended: u64,
    moves: u64,
}

/// The sum of some figures and of their squares, all multiplied with [`SCALE`] before.
#[derive(Clone, Copy, Default)]
struct Sum {
    all: f64,
    squares: f64,
}

/// 2^-537. It keeps squares of figures and their sums in the range of floating point, as far as the
/// figures are. They are whole numbers. The square of 1 becomes the least number that there is, so
/// small figures lose nothing, and the sum of 2^49 squares of the largest figure is finite.
const SCALE: f64 = f64::from_bits((1023 - 537) << 52);

impl Sum {
    /// Adds a whole number from 1 on.
    fn add(&mut self, figure: f64) {
        let scaled = figure * SCALE;
        self.all += scaled;
        self.squares += scaled * scaled;
    }

    fn plus(&mut self, other: Self) {
        self.all += other.all;
        self.squares += other.squares;
    }

    /// The mean over so many figures; those that were not added are 0.
    fn estimate(self, figures: u64) -> Estimate {
        let number = figures as f64;
        if self.all == 0.0 {
            return Estimate::default();
        }
        let scaled = self.all / number;
        let mean = scaled / SCALE;
        if !mean.is_finite() {
            return Estimate { mean: f64::INFINITY, error: f64::INFINITY };
        }
        // The variance by the square of the mean, which is less than the number of figures.
        let relative = (self.squares / self.all / scaled - 1.0).max(0.0);
        Estimate { mean, error: mean * (relative / (number - 1.0).max(1.0)).sqrt() }
    }
}

/// Plays random games of at most `most` moves from a position, with all threads of the current
/// pool. `None` if it was asked to stop.
pub fn estimate<G: MoveGenerator>(
    generator: &G,
    position: &G::Position,
    Sample { games: samples, seed }: Sample,
    most: usize,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Option<Estimates>
where
    G::Position: Clone,
{
    observer.begin("random games", samples, "games");
    let batch = |number: u64| {
        let mut sums = Batch::default();
        // Streams of different batches have nothing in common.
        let mut random = Random::new(Random::new(seed ^ number.rotate_left(32)).next());
        for _ in number * BATCH..samples.min((number + 1) * BATCH) {
            if stop.is_set() {
                return None;
            }
            sums.play(generator, position.clone(), most, &mut random);
        }
        observer.add(BATCH.min(samples - number * BATCH));
        Some(sums)
    };
    // In order, so that the sums are the same whatever thread has which.
    let mut whole = Batch::default();
    for first in (0..samples.div_ceil(BATCH)).step_by(TOGETHER as usize) {
        let end = samples.div_ceil(BATCH).min(first + TOGETHER);
        let batches: Vec<Batch> = (first..end).into_par_iter().map(batch).collect::<Option<_>>()?;
        whole = batches.into_iter().fold(whole, Batch::plus);
    }
    let of_ply = |sums: &Sums| PlyEstimate {
        sequences: sums.sequences.estimate(samples),
        games: sums.games.estimate(samples),
        reached: sums.reached,
        branching: sums.moves as f64 / ((sums.reached - sums.ended) as f64).max(1.0),
    };
    let plies = whole.plies.iter().map(of_ply).collect();
    let ended: u64 = whole.plies.iter().map(|sums| sums.ended).sum();
    Some(Estimates { plies, games: whole.games.estimate(samples), whole: ended == samples })
}

/// Sums over some random games.
#[derive(Default)]
struct Batch {
    plies: Vec<Sums>,
    games: Sum,
}

impl Batch {
    fn play<G: MoveGenerator>(
        &mut self,
        generator: &G,
        mut at: G::Position,
        most: usize,
        random: &mut Random,
    ) {
        let mut product = 1.0;
        for ply in 0..=most {
            if self.plies.len() == ply {
                self.plies.push(Sums::default());
            }
            let sums = &mut self.plies[ply];
            sums.reached += 1;
            sums.sequences.add(product);
            let moves = generator.moves(&at);
            sums.moves += moves.len() as u64;
            if moves.is_empty() {
                sums.ended += 1;
                sums.games.add(product);
                self.games.add(product);
                return;
            }
            product *= moves.len() as f64;
            at = generator.play_unchecked(&at, moves[random.below(moves.len())]);
        }
    }

    fn plus(mut self, other: Self) -> Self {
        if self.plies.len() < other.plies.len() {
            self.plies.resize(other.plies.len(), Sums::default());
        }
        for (mine, theirs) in self.plies.iter_mut().zip(other.plies) {
            mine.sequences.plus(theirs.sequences);
            mine.games.plus(theirs.games);
            mine.reached += theirs.reached;
            mine.ended += theirs.ended;
            mine.moves += theirs.moves;
        }
        self.games.plus(other.games);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::game_tree;
    use super::*;
    use crate::game::rules::{Position, Rules};

    #[test]
    fn the_exact_figures_are_within_four_standard_errors() {
        let start: Position = "q3/4/1*2/Q3 w".parse().unwrap();
        let stop = StopFlag::new();
        let exact = game_tree(&start, 100, u64::MAX, &(), &stop).unwrap().plies;
        let rules = Rules::<u64>::new(start.board()).unwrap();
        let position = start.bitboards().unwrap();
        let found = estimate(&rules, &position, Sample { games: 20_000, seed: 1 }, 100, &(), &stop)
            .unwrap();
        let near = |estimate: Estimate, exact: u128| {
            (estimate.mean - exact as f64).abs() <= 4.0 * estimate.error + 1e-9 * exact as f64
        };
        // The longest games are so rare that a sample may have none of them.
        for (ply, (estimate, exact)) in found.plies.iter().zip(&exact).enumerate().take(8) {
            assert!(near(estimate.sequences, exact.sequences), "{ply} {estimate:?} {exact:?}");
            assert!(near(estimate.games, exact.games), "{ply} {estimate:?} {exact:?}");
        }
        assert!(near(found.games, exact.iter().map(|ply| ply.games).sum()), "{found:?}");
        assert_eq!(found.plies[0].reached, 20_000);
        let again = estimate(&rules, &position, Sample { games: 20_000, seed: 1 }, 100, &(), &stop)
            .unwrap();
        assert_eq!(found, again, "a seed gives the same games");
        let few =
            estimate(&rules, &position, Sample { games: 300, seed: 1 }, 2, &(), &stop).unwrap();
        assert_eq!((few.plies.len(), few.games.mean, few.whole), (3, 0.0, false));
        assert!(found.whole);
        stop.stop();
        assert!(
            estimate(&rules, &position, Sample { games: 300, seed: 1 }, 2, &(), &stop).is_none()
        );
    }

    #[test]
    fn errors_are_right_up_to_the_largest_figures() {
        let estimate = |figures: &[f64], number| {
            let mut sum = Sum::default();
            figures.iter().for_each(|&figure| sum.add(figure));
            sum.estimate(number)
        };
        for unit in [1.0, 7.0, 1e20, 1e150, 1e160, 1e200, 4e307] {
            // Of 1, 2 and 0 the mean is 1, the variance 2/3; by the number less 1 it is 1/3.
            let Estimate { mean, error } = estimate(&[unit, 2.0 * unit], 3);
            assert!((mean / unit - 1.0).abs() < 1e-12, "{unit} {mean}");
            assert!((error / unit - 3f64.sqrt().recip()).abs() < 1e-12, "{unit} {error}");
            assert_eq!(estimate(&[unit; 4], 4), Estimate { mean: unit, error: 0.0 });
        }
        assert_eq!(estimate(&[], 5), Estimate::default());
        let beyond = estimate(&[1.0, f64::MAX * 2.0], 2);
        assert!(beyond.error.is_infinite() && !beyond.is_finite(), "{beyond:?}");
    }

    #[test]
    fn sums_of_many_batches_are_those_of_one_after_another() {
        let rules = Rules::<u64>::new("2x2".parse().unwrap()).unwrap();
        let start: Position = "Q*/q1 w".parse().unwrap();
        let position = start.bitboards().unwrap();
        let games = BATCH * TOGETHER + 3;
        let found =
            estimate(&rules, &position, Sample { games, seed: 5 }, 9, &(), &StopFlag::new());
        let found = found.unwrap();
        assert_eq!(found.plies[0].reached, games);
        assert_eq!(found.plies[0].sequences, Estimate { mean: 1.0, error: 0.0 });
        assert!(found.whole);
    }
}
