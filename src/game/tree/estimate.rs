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

/// A mean with its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// The mean of what was found.
    pub mean: f64,
    /// By how much it may be expected to be off: its standard deviation.
    pub error: f64,
}

/// How many random games are played, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many.
    pub games: u64,
    /// The same seed gives the same games.
    pub seed: u64,
}

/// What random games say of a game tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimates {
    /// Of each ply from the position itself on.
    pub plies: Vec<PlyEstimate>,
    /// How many games there are, of all lengths that were allowed.
    pub games: Estimate,
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

/// The sum of some figures and of their squares.
#[derive(Clone, Copy, Default)]
struct Sum {
    all: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, figure: f64) {
        self.all += figure;
        self.squares += figure * figure;
    }

    fn plus(&mut self, other: Self) {
        self.all += other.all;
        self.squares += other.squares;
    }

    /// The mean over so many figures; those that were not added are 0.
    fn estimate(self, figures: u64) -> Estimate {
        let number = figures as f64;
        let mean = self.all / number;
        let variance = (self.squares / number - mean * mean).max(0.0);
        Estimate { mean, error: (variance / (number - 1.0).max(1.0)).sqrt() }
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
    let batches: Vec<Batch> =
        (0..samples.div_ceil(BATCH)).into_par_iter().map(batch).collect::<Option<_>>()?;
    let whole = batches.into_iter().fold(Batch::default(), Batch::plus);
    let of_ply = |sums: &Sums| PlyEstimate {
        sequences: sums.sequences.estimate(samples),
        games: sums.games.estimate(samples),
        reached: sums.reached,
        branching: sums.moves as f64 / ((sums.reached - sums.ended) as f64).max(1.0),
    };
    let plies = whole.plies.iter().map(of_ply).collect();
    Some(Estimates { plies, games: whole.games.estimate(samples) })
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
        assert_eq!((few.plies.len(), few.games.mean), (3, 0.0));
        stop.stop();
        assert!(
            estimate(&rules, &position, Sample { games: 300, seed: 1 }, 2, &(), &stop).is_none()
        );
    }
}
