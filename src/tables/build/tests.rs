//! Kernels of every instruction set: blocks from random children against the moves, whole boards
//! against golden counts.

use std::collections::HashMap;
use std::sync::Arc;

use super::kernel::{BoardTables, Child, TierKernel, Workspace};
use super::lines::free_squares;
use super::pack::SLACK;
use crate::game::board::{Bitboard, Board, SquareIndex};
use crate::game::rules::{Bitboards, Rules};
use crate::machine::isa::InstructionSet;
use crate::tables::counting::colex::{self, subsets};
use crate::tables::golden::{Count, counts};
use crate::tables::index::{Images, TierShape};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

/// Blocks of a tier by arrow set and by the number of amazons of the mover.
type Blocks = HashMap<(u32, usize), Vec<u8>>;

fn solve_tier(
    board: Board,
    arrows: usize,
    amazons: [usize; 2],
    isa: InstructionSet,
    below: &Blocks,
) -> (Blocks, u64) {
    let images = Images::new(board).unwrap();
    let [mover, opponent] = amazons;
    let tables = Arc::new(BoardTables::new(images.clone()));
    let shape = TierShape::new(board, arrows, mover, opponent).unwrap();
    let kernel = TierKernel::new(tables, &shape, isa);
    let (mut blocks, mut wins, mut work) = (Blocks::new(), 0, Workspace::default());
    for set in subsets(board.squares(), arrows).filter(|&set| images.is_canonical(set)) {
        let mut children = Vec::new();
        if kernel.has_children() {
            for square in Bitboard::<u64>::from_word(free_squares(board, set).into()) {
                let child = images.canonical(set | 1 << square.index());
                children.push(Child {
                    block: &below[&(child.arrows, opponent)],
                    symmetry: child.symmetry,
                });
            }
        }
        let mut block = vec![0; kernel.block_bytes() + SLACK];
        wins += images.orbit_size(set) as u64 * kernel.solve(set, &children, &mut block, &mut work);
        blocks.insert((set, mover), block);
    }
    (blocks, wins)
}

#[test]
fn counts_equal_the_golden_ones_with_every_instruction_set() {
    let golden = counts();
    for (size, amazons) in [("3x3", [1, 1]), ("3x4", [2, 1]), ("4x4", [2, 2]), ("4x4", [4, 4])] {
        let board: Board = size.parse().unwrap();
        for isa in InstructionSet::available() {
            if isa == InstructionSet::PORTABLE
                && amazons[0] == 4
                && !crate::machine::long::long_tests()
            {
                continue;
            }
            let mut below = Blocks::new();
            for arrows in (0..=board.squares() - amazons[0] - amazons[1]).rev() {
                let mut blocks = Blocks::new();
                let kinds = if amazons[0] == amazons[1] {
                    vec![amazons]
                } else {
                    vec![amazons, [amazons[1], amazons[0]]]
                };
                for [mover, opponent] in kinds {
                    let (kind, wins) = solve_tier(board, arrows, [mover, opponent], isa, &below);
                    let is = |count: &&Count| {
                        (count.board, count.mover, count.opponent, count.arrows)
                            == (size, mover, opponent, arrows)
                    };
                    let count = golden.iter().find(is).unwrap();
                    assert_eq!(wins, count.wins, "{count:?} {isa:?}");
                    blocks.extend(kind);
                }
                below = blocks;
            }
        }
    }
}

/// The squares of `set` numbered among those of `within`.
fn numbered(set: u32, within: u32) -> u32 {
    let number = |square: SquareIndex| (within & ((1u32 << square.index()) - 1)).count_ones();
    Bitboard::<u64>::from_word(set.into()).iter().map(|square| 1 << number(square)).sum()
}

/// The squares of `within` that have the numbers of `set`.
fn placed(set: u32, within: u32) -> u32 {
    let squares = Bitboard::<u64>::from_word(within.into()).iter().enumerate();
    squares
        .filter(|(number, _)| set >> number & 1 != 0)
        .map(|(_, square)| 1 << square.index())
        .sum()
}

/// One position of a block from random children, move by move.
fn wins_naively(
    rules: &Rules<u64>,
    images: &Images,
    position: &Bitboards,
    children: &[(Vec<u8>, usize)],
) -> bool {
    let board = rules.board();
    let free = free_squares(board, position.arrows.word() as u32);
    rules.moves(position).into_iter().any(|played| {
        let (block, symmetry) =
            &children[(free & ((1u32 << played.arrow.index()) - 1)).count_ones() as usize];
        let child = rules.play_unchecked(position, played);
        let image = |set: Bitboard<u64>| images.image(*symmetry, set.word() as u32);
        let (mover, opponent) = (image(child.mover), image(child.opponent));
        let rest = free_squares(board, image(child.arrows));
        let row = colex::rank(numbered(mover, rest)) as usize;
        let column = colex::rank(numbered(opponent, rest & !mover)) as usize;
        let left = (rest & !mover).count_ones() as usize;
        let row_bytes = subsets(left, opponent.count_ones() as usize).count().div_ceil(8);
        block[row * row_bytes + column / 8] >> (column % 8) & 1 == 0
    })
}

/// Boards for random blocks; Miri, which is slow, takes small ones.
const SIZES: &[&str] =
    if cfg!(miri) { &["2x4", "1x8"] } else { &["3x3", "3x4", "4x4", "2x6", "1x8", "5x3"] };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 50 }))]
    #[test]
    fn kernels_do_what_the_moves_say(
        size in prop::sample::select(SIZES),
        mover in 0..=3usize,
        opponent in 0..=2usize,
        empty in 1..=if cfg!(miri) { 2 } else { 6usize },
        seed: u64,
    ) {
        let board: Board = size.parse().unwrap();
        let images = Images::new(board).unwrap();
        let mut random = StdRng::seed_from_u64(seed);
        let free = (mover + opponent + empty).min(board.squares());
        prop_assume!(mover + opponent > 0 && mover + opponent < free);
        let mut squares: Vec<u32> = (0..board.squares() as u32).collect();
        squares.shuffle(&mut random);
        let arrows: u32 = squares[free..].iter().map(|square| 1 << square).sum();
        let tables = Arc::new(BoardTables::new(images.clone()));
        let rules = Rules::<u64>::new(board).unwrap();
        let left = free - opponent - 1;
        let bytes = subsets(free - 1, opponent).count() * subsets(left, mover).count().div_ceil(8) + SLACK;
        let blocks: Vec<(Vec<u8>, usize)> = (0..free)
            .map(|_| ((0..bytes).map(|_| random.random::<u8>() | random.random::<u8>()).collect(),
                random.random_range(0..images.symmetries().len())))
            .collect();
        let children: Vec<Child<'_>> =
            blocks.iter().map(|(block, symmetry)| Child { block, symmetry: *symmetry }).collect();
        let on = free_squares(board, arrows);
        let row_bytes = subsets(free - mover, opponent).count().div_ceil(8);
        let (mut expected, mut wins) = (vec![0; subsets(free, mover).count() * row_bytes], 0);
        for (row, mine) in subsets(free, mover).enumerate() {
            let mine = placed(mine, on);
            for (column, theirs) in subsets(free - mover, opponent).enumerate() {
                let set = |set: u32| Bitboard::from_word(u64::from(set));
                let position =
                    Bitboards { mover: set(mine), opponent: set(placed(theirs, on & !mine)), arrows: set(arrows) };
                let win = wins_naively(&rules, &images, &position, &blocks);
                expected[row * row_bytes + column / 8] |= u8::from(win) << (column % 8);
                wins += u64::from(win);
            }
        }
        for isa in InstructionSet::available() {
            let shape = TierShape::new(board, board.squares() - free, mover, opponent).unwrap();
            let kernel = TierKernel::new(tables.clone(), &shape, isa);
            let mut out = vec![0; kernel.block_bytes() + SLACK];
            let found = kernel.solve(arrows, &children, &mut out, &mut Workspace::default());
            prop_assert_eq!(&out[..expected.len()], &expected[..], "{:?}", isa);
            prop_assert_eq!(found, wins);
        }
    }
}

/// A kernel for 22 arrows on 5x6 and blocks for its children, asked about other arguments.
fn misused(arrows: u32, symmetry: usize, missing: usize) {
    let images = Images::new("5x6".parse().unwrap()).unwrap();
    let shape = TierShape::new(images.board(), 22, 2, 2).unwrap();
    let tables = Arc::new(BoardTables::new(images));
    let kernel = TierKernel::new(tables, &shape, InstructionSet::detect());
    let block = vec![0; kernel.child_bytes() + SLACK - missing];
    let children = [Child { block: &block, symmetry }; 8];
    let mut out = vec![0; kernel.block_bytes() + SLACK];
    kernel.solve(arrows, &children, &mut out, &mut Workspace::default());
}

#[test]
#[should_panic = "free squares of 0x0 on 5x6"]
fn a_kernel_refuses_a_set_of_too_few_arrows() {
    misused(0, 3, 0);
}

#[test]
#[should_panic = "arrows beside 5x6"]
fn a_kernel_refuses_arrows_that_are_not_on_the_board() {
    misused(0xffff_fc00, 3, 0);
}

#[test]
#[should_panic = "a child's block is too short"]
fn a_kernel_refuses_a_short_block() {
    misused(0x3fff_ff00, 3, 1);
}

#[test]
#[should_panic = "5x6 has 4 symmetries"]
fn a_kernel_refuses_a_symmetry_that_the_board_lacks() {
    misused(0x3fff_ff00, 4, 0);
}
