//! The positions that play comes to, ply by ply.
//!
//! Every move burns a square, so a position is met in one ply only, and a ply needs the one before
//! it alone. Of each class under the symmetries of the board is kept how many sequences of moves
//! lead to it and which of its images occur. Cost: a look-up for each move of each class.

use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;
use rayon::prelude::*;

use super::Ply;
use super::images::Images;
use crate::game::board::BoardError;
use crate::game::rules::{Bitboards, Position, Rules};
use crate::machine::hash::Mix;
use crate::machine::progress::{Observer, StopFlag};

/// Bytes for each class: an entry of a list and one of a table that may be half empty.
const CLASS_BYTES: u64 = 192;

/// The plies of a game tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTree {
    /// From the position itself on, each complete.
    pub plies: Vec<Ply>,
    /// Why there are no more.
    pub end: TreeEnd,
}

/// Why a game tree has no further plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeEnd {
    /// All games have ended.
    Whole,
    /// So many were asked for.
    Asked,
    /// The next one does not fit the memory.
    Memory,
    /// It was asked to stop.
    Stopped,
}

/// Why there is no game tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTree {
    /// The board has too many squares.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A figure needs more than 128 bits.
    #[error("the sequences of {0} moves are more than 128 bits can count")]
    TooMany(usize),
}

/// How a class is met.
#[derive(Clone, Copy)]
struct Node {
    sequences: u128,
    /// The images that occur, as [`Images`] counts them.
    images: u8,
}

type Layer = Vec<(Bitboards, Node)>;

/// What the play from a position comes to in each ply up to `most`, with all threads of the current
/// pool and about `memory` bytes.
///
/// # Errors
/// [`NoTree`] if the board has more than 64 squares, or a figure needs more than 128 bits.
pub fn game_tree(
    position: &Position,
    most: usize,
    memory: u64,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<GameTree, NoTree> {
    let rules = Rules::<u64>::new(position.board())?;
    let images = Images::new(position.board());
    let start = position.bitboards::<u64>().expect("rules of the board fit its positions");
    let least = images.least(&start);
    let node = Node { sequences: 1, images: images.carried(1, least.by) };
    let mut layer: Layer = vec![(least.position, node)];
    let limit = usize::try_from(memory / CLASS_BYTES).unwrap_or(usize::MAX).max(1);
    let walk = Walk { rules, images, limit, observer, stop };
    let mut plies = Vec::new();
    loop {
        let too_many = NoTree::TooMany(plies.len());
        let ply = walk.ply(&layer).ok_or(too_many)?;
        plies.push(ply);
        let end = match () {
            () if ply.ended == ply.positions => Some(TreeEnd::Whole),
            () if plies.len() > most => Some(TreeEnd::Asked),
            () => None,
        };
        if let Some(end) = end {
            return Ok(GameTree { plies, end });
        }
        layer = match walk.next(&layer, plies.len()) {
            Ok(next) => next,
            Err(Unfinished::TooMany) => return Err(NoTree::TooMany(plies.len())),
            Err(Unfinished::Ends(end)) => return Ok(GameTree { plies, end }),
        };
    }
}

/// Why a ply was not finished.
enum Unfinished {
    TooMany,
    Ends(TreeEnd),
}

/// What all plies need.
struct Walk<'a> {
    rules: Rules<u64>,
    images: Images,
    /// The most classes of a ply.
    limit: usize,
    observer: &'a dyn Observer,
    stop: &'a StopFlag,
}

impl Walk<'_> {
    /// What a layer has; `None` if that needs more than 128 bits.
    fn ply(&self, layer: &Layer) -> Option<Ply> {
        let of = |(least, node): &(Bitboards, Node)| {
            let positions = self.images.distinct(least, node.images);
            let moves = self.rules.count(least);
            let ended = moves == 0;
            Ply {
                positions,
                classes: 1,
                moves: u128::from(moves) * u128::from(positions),
                ended: if ended { positions } else { 0 },
                sequences: node.sequences,
                games: if ended { node.sequences } else { 0 },
            }
        };
        layer
            .par_iter()
            .map(of)
            .try_fold(Ply::default, Ply::plus)
            .try_reduce(Ply::default, Ply::plus)
    }

    /// The layer after one.
    fn next(&self, layer: &Layer, ply: usize) -> Result<Layer, Unfinished> {
        self.observer.begin(&format!("ply {ply}"), layer.len() as u64, "positions");
        let found: DashMap<Bitboards, Node, BuildHasherDefault<Mix>> = DashMap::default();
        let classes = AtomicUsize::new(0);
        let spread = |chunk: &[(Bitboards, Node)]| {
            for (least, node) in chunk {
                self.spread(least, *node, &found, &classes)?;
            }
            self.observer.add(chunk.len() as u64);
            match () {
                () if self.stop.is_set() => Err(Unfinished::Ends(TreeEnd::Stopped)),
                () if classes.load(Ordering::Relaxed) > self.limit => {
                    Err(Unfinished::Ends(TreeEnd::Memory))
                }
                () => Ok(()),
            }
        };
        layer.par_chunks(64).try_for_each(spread)?;
        Ok(found.into_iter().collect())
    }

    /// Enters the positions after one.
    fn spread(
        &self,
        from: &Bitboards,
        node: Node,
        found: &DashMap<Bitboards, Node, BuildHasherDefault<Mix>>,
        classes: &AtomicUsize,
    ) -> Result<(), Unfinished> {
        for played in self.rules.moves(from) {
            let least = self.images.least(&self.rules.play_unchecked(from, played));
            let images = self.images.carried(node.images, least.by);
            let mut entry = found.entry(least.position).or_insert_with(|| {
                classes.fetch_add(1, Ordering::Relaxed);
                Node { sequences: 0, images: 0 }
            });
            let sequences = entry.sequences.checked_add(node.sequences);
            entry.sequences = sequences.ok_or(Unfinished::TooMany)?;
            entry.images |= images;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::board::Symmetry;

    /// The plies by a walk over every sequence of moves, without symmetries.
    fn naive(start: Position) -> Vec<Ply> {
        let mut plies = Vec::new();
        let mut sequences = vec![start];
        while !sequences.is_empty() {
            let different: HashSet<Position> = sequences.iter().copied().collect();
            let classes: HashSet<Bitboards> = different
                .iter()
                .map(|position| {
                    let images = Symmetry::all(position.board());
                    let sets: Bitboards = position.bitboards().unwrap();
                    images.iter().map(|map| sets.mapped(map)).min().unwrap()
                })
                .collect();
            let over = |position: &&Position| position.moves().len() == 0;
            plies.push(Ply {
                positions: different.len() as u64,
                classes: classes.len() as u64,
                moves: different.iter().map(|position| position.moves().len() as u128).sum(),
                ended: different.iter().filter(over).count() as u64,
                sequences: sequences.len() as u128,
                games: sequences.iter().filter(over).count() as u128,
            });
            let after = |position: &Position| -> Vec<Position> {
                position.moves().map(|played| position.play(played).unwrap()).collect()
            };
            sequences = sequences.iter().flat_map(after).collect();
        }
        plies
    }

    fn tree(text: &str, most: usize, memory: u64) -> GameTree {
        game_tree(&text.parse().unwrap(), most, memory, &(), &StopFlag::new()).unwrap()
    }

    #[test]
    fn the_plies_are_those_of_every_sequence() {
        for text in ["q2/**1/2Q w", "q2/1*1/Q2 b", "2q/*2/Q1* w", "1q1/Q1q w", "Q2 b"] {
            let tree = tree(text, 100, u64::MAX);
            assert_eq!(tree.plies, naive(text.parse().unwrap()), "{text}");
            assert_eq!(tree.end, TreeEnd::Whole);
        }
    }

    #[test]
    fn the_sequences_are_those_of_perft() {
        let tree = tree("1qq1/q2q/Q2Q/1QQ1 w", 3, u64::MAX);
        let sequences: Vec<_> = tree.plies.iter().map(|ply| ply.sequences).collect();
        assert_eq!((sequences, tree.end), (vec![1, 88, 4336, 139_500], TreeEnd::Asked));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let tree = tree("1qq1/q2q/Q2Q/1QQ1 w", 8, 2_000 * CLASS_BYTES);
        assert_eq!((tree.plies.len(), tree.end), (3, TreeEnd::Memory));
        let stop = StopFlag::new();
        stop.stop();
        let stopped = game_tree(&"q2/3/2Q w".parse().unwrap(), 9, u64::MAX, &(), &stop).unwrap();
        assert_eq!((stopped.plies.len(), stopped.end), (1, TreeEnd::Stopped));
    }
}
