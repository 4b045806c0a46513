//! Kernels of every instruction set and of both widths: blocks from random children against the
//! moves, whole boards against golden counts; whole tables of both widths against each other.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::sync::Arc;

use super::kernel::{BoardTables, Child, TierKernel, Workspace};
use super::lines::free_squares;
use super::pack::SLACK;
use super::run::build_in;
use super::{BuildError, BuildJob, BuildOptions, build};
use crate::game::board::{Bitboard, Board, SquareIndex};
use crate::game::rules::Bitboards;
use crate::game::variants::{RuleSet, State, VariantRules};
use crate::machine::isa::InstructionSet;
use crate::machine::progress::StopFlag;
use crate::machine::ranks::Ranks;
use crate::tables::counting::Mask;
use crate::tables::counting::colex::{self, subsets};
use crate::tables::format::Keep;
use crate::tables::golden::{Count, counts};
use crate::tables::index::{Images, ShapeError, TableRules, TierShape};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

/// Blocks of a tier by arrow set and by the number of amazons of the mover.
type Blocks<M> = HashMap<(M, usize), Vec<u8>>;

fn solve_tier<M: Mask>(
    board: Board,
    arrows: usize,
    amazons: [usize; 2],
    isa: InstructionSet,
    below: &Blocks<M>,
) -> (Blocks<M>, u64) {
    let images = Images::<M>::new(board).unwrap();
    let [mover, opponent] = amazons;
    let tables = Arc::new(BoardTables::new(TableRules::Amazons, images.clone()));
    let shape = TierShape::new(board, arrows, mover, opponent).unwrap();
    let kernel = TierKernel::new(tables, &shape, isa);
    let (mut blocks, mut wins, mut work) = (Blocks::new(), 0, Workspace::default());
    for set in subsets::<M>(board.squares(), arrows).filter(|&set| images.is_canonical(set)) {
        let mut children = Vec::new();
        if kernel.has_moves() {
            for square in Bitboard::<u64>::from_word(free_squares(board, set).word()) {
                let child = images.canonical(set | M::single(square.index()));
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
            let mut below = Blocks::<u32>::new();
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
fn numbered(set: u64, within: u64) -> u64 {
    let number = |square: SquareIndex| (within & ((1 << square.index()) - 1)).count_ones();
    Bitboard::<u64>::from_word(set).iter().map(|square| 1 << number(square)).sum()
}

/// The squares of `within` that have the numbers of `set`.
fn placed(set: u64, within: u64) -> u64 {
    let squares = Bitboard::<u64>::from_word(within).iter().enumerate();
    squares
        .filter(|(number, _)| set >> number & 1 != 0)
        .map(|(_, square)| 1 << square.index())
        .sum()
}

/// Blocks of one kind, with the symmetries that lead to them.
type RandomBlocks = Vec<(Vec<u8>, usize)>;

/// One position of a block from random children, move by move. The children of each kind are in the
/// order of the sets of squares that a move can burn.
fn wins_naively(
    rules: &VariantRules<u64>,
    images: &Images<u64>,
    position: &Bitboards,
    kinds: &[(TierShape, RandomBlocks)],
) -> bool {
    let board = rules.board();
    let free = free_squares(board, position.arrows.word());
    let state = State::new(*position, 1);
    rules.moves(&state).into_iter().any(|played| {
        let child = rules.play_unchecked(&state, played).squares;
        let burned = numbered(child.arrows.without(position.arrows).word(), free);
        let sides = (child.mover.len(), child.opponent.len());
        if rules.rules() == RuleSet::KILLER && sides.0 == 0 {
            return true;
        }
        let kind = kinds.iter().find(|(kind, _)| (kind.mover(), kind.opponent()) == sides).unwrap();
        let (block, symmetry) = &kind.1[colex::rank(burned) as usize];
        let image = |set: Bitboard<u64>| images.image(*symmetry, set.word());
        let (mover, opponent) = (image(child.mover), image(child.opponent));
        let rest = free_squares(board, image(child.arrows));
        let row = colex::rank(numbered(mover, rest)) as usize;
        let column = colex::rank(numbered(opponent, rest & !mover)) as usize;
        let left = (rest & !mover).count_ones() as usize;
        let row_bytes = subsets::<u64>(left, opponent.count_ones() as usize).count().div_ceil(8);
        block[row * row_bytes + column / 8] >> (column % 8) & 1 == 0
    })
}

/// Boards for random blocks; Miri, which is slow, takes small ones, on which masks of 64 bits are
/// tried as well.
const SIZES: &[&str] =
    if cfg!(miri) { &["2x4", "1x8"] } else { &["3x3", "3x4", "4x4", "2x6", "1x8", "5x3"] };
/// Boards whose arrow sets take 64 bits.
const WIDE: &[&str] =
    if cfg!(miri) { &[] } else { &["6x6", "5x7", "7x5", "8x8", "4x9", "10x6", "7x7"] };

/// A block over `arrows` by the kernels of masks of one width.
fn solved<M: Mask>(
    (rules, board): (TableRules, Board),
    amazons: [usize; 2],
    arrows: u64,
    children: &[Child<'_>],
    isa: InstructionSet,
) -> (Vec<u8>, u64) {
    let tables = Arc::new(BoardTables::new(rules, Images::<M>::new(board).unwrap()));
    let [mover, opponent] = amazons;
    let shape = TierShape::new(board, arrows.len(), mover, opponent).unwrap();
    let kernel = TierKernel::new(tables, &shape.with_rules(rules), isa);
    let mut out = vec![0; kernel.block_bytes() + SLACK];
    let wins = kernel.solve(M::of(arrows), children, &mut out, &mut Workspace::default());
    (out, wins)
}

/// A block from random children, held against the moves. All but one in `2^dense` positions after a
/// move are won.
fn holds_against_the_moves(
    (named, size): (TableRules, &str),
    [mover, opponent, empty]: [usize; 3],
    dense: u32,
    seed: u64,
) -> Result<(), TestCaseError> {
    let board: Board = size.parse().unwrap();
    let images = Images::<u64>::new(board).unwrap();
    let mut random = StdRng::seed_from_u64(seed);
    let free = (mover + opponent + empty).min(board.squares());
    // With captures there are moves without an empty square too.
    let captures = named.captures();
    let free = free - usize::from(captures && seed.is_multiple_of(2) && mover + opponent < free);
    prop_assume!(mover + opponent > 0 && (captures || mover + opponent < free));
    // Without amazons of the opponent there is no tier where amazons can be taken.
    prop_assume!(!captures || opponent > 0);
    let mut squares: Vec<u64> = (0..board.squares() as u64).collect();
    squares.shuffle(&mut random);
    let arrows: u64 = squares[free..].iter().map(|square| 1 << square).sum();
    let rules = VariantRules::<u64>::new(board, named.set()).unwrap();
    let burned = named.burned();
    prop_assume!(captures || mover + opponent + burned <= free);
    let count = |squares, size| subsets::<u64>(squares, size).count();
    let shape = TierShape::new(board, board.squares() - free, mover, opponent).unwrap();
    let mut random_kind = |kind: TierShape| {
        let (rows, left) = (count(free - burned, kind.mover()), free - burned - kind.mover());
        let bytes = rows * count(left, kind.opponent()).div_ceil(8) + SLACK;
        let blocks: RandomBlocks = (0..count(free, burned))
            .map(|_| {
                (
                    (0..bytes)
                        .map(|_| (0..dense).fold(0, |bits, _| bits | random.random::<u8>()))
                        .collect(),
                    random.random_range(0..images.symmetries().len()),
                )
            })
            .collect();
        (kind, blocks)
    };
    let kinds: Vec<_> =
        shape.with_rules(named).children().into_iter().map(&mut random_kind).collect();
    let children: Vec<Child<'_>> = kinds
        .iter()
        .flat_map(|(_, blocks)| blocks)
        .map(|(block, symmetry)| Child { block, symmetry: *symmetry })
        .collect();
    let on = free_squares(board, arrows);
    let row_bytes = count(free - mover, opponent).div_ceil(8);
    let (mut expected, mut wins) = (vec![0; count(free, mover) * row_bytes], 0);
    for (row, mine) in subsets(free, mover).enumerate() {
        let mine = placed(mine, on);
        for (column, theirs) in subsets(free - mover, opponent).enumerate() {
            let set = Bitboard::from_word;
            let position = Bitboards {
                mover: set(mine),
                opponent: set(placed(theirs, on & !mine)),
                arrows: set(arrows),
            };
            let win = wins_naively(&rules, &images, &position, &kinds);
            expected[row * row_bytes + column / 8] |= u8::from(win) << (column % 8);
            wins += u64::from(win);
        }
    }
    for isa in InstructionSet::available() {
        let wide = solved::<u64>((named, board), [mover, opponent], arrows, &children, isa);
        prop_assert!(wide.0[..expected.len()] == expected[..], "{:?}", isa);
        prop_assert_eq!(wide.1, wins);
        if board.squares() <= 32 {
            let narrow = solved::<u32>((named, board), [mover, opponent], arrows, &children, isa);
            prop_assert!(narrow == wide, "{:?}", isa);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 120 }))]
    #[test]
    fn kernels_do_what_the_moves_say(
        named in prop::sample::select(TableRules::ALL.to_vec()),
        size in prop::sample::select([SIZES, WIDE].concat()),
        mover in 0..=if cfg!(miri) { 2 } else { 3usize },
        opponent in 0..=if cfg!(miri) { 1 } else { 2usize },
        empty in 1..=if cfg!(miri) { 2 } else { 6usize },
        seed: u64,
    ) {
        holds_against_the_moves((named, size), [mover, opponent, empty], 2, seed)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    // The placements of the mover take several words here, with an amazon less too, and not every
    // word has one without the last square; or the opponent has more amazons.
    #[test]
    #[cfg_attr(miri, ignore)]
    fn kernels_do_what_the_moves_say_where_vectors_are_longer(
        size in prop::sample::select(vec!["4x4", "5x5"]),
        [mover, opponent, empty] in prop::sample::select(vec![[3, 1, 9], [3, 2, 9], [4, 1, 6], [2, 3, 5], [2, 4, 3]]),
        seed: u64,
    ) {
        for named in TableRules::ALL {
            holds_against_the_moves((named, size), [mover, opponent, empty], 6, seed)?;
        }
    }
}

/// A kernel for 22 arrows on 5x6 and blocks for its children, asked about other arguments.
fn misused(arrows: u64, symmetry: usize, missing: usize) {
    let images = Images::<u32>::new("5x6".parse().unwrap()).unwrap();
    let shape = TierShape::new(images.board(), 22, 2, 2).unwrap();
    let tables = Arc::new(BoardTables::new(TableRules::Amazons, images));
    let kernel = TierKernel::new(tables, &shape, InstructionSet::detect());
    let block = vec![0; kernel.child_bytes()[0] + SLACK - missing];
    let children = [Child { block: &block, symmetry }; 8];
    let mut out = vec![0; kernel.block_bytes() + SLACK];
    kernel.solve(arrows as u32, &children, &mut out, &mut Workspace::default());
}

/// The files of a table, built with masks of one width; of the manifest what does not depend on the
/// time.
fn files_in<M: Mask>(board: &str, amazons: &str, keep: Keep) -> BTreeMap<OsString, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    let options = BuildOptions { keep, ..BuildOptions::new(1 << 30) };
    let (ranks, stop) = (Ranks::alone(), StopFlag::new());
    let (ranks, directory_of, observer) = (&ranks, directory.path(), &());
    let job = BuildJob { ranks, directory: directory_of, options: &options, observer, stop: &stop };
    let built = build_in::<M>(&job, board, amazons);
    let tiers = format!("{:?}", built.unwrap().manifest.tiers).into_bytes();
    let files = std::fs::read_dir(directory.path()).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let manifest = entry.file_name() == "manifest.json";
        let bytes = if manifest { tiers.clone() } else { std::fs::read(entry.path()).unwrap() };
        (entry.file_name(), bytes)
    });
    files.collect()
}

#[test]
fn the_files_of_small_boards_are_those_of_64_bits_too() {
    for (board, amazons, keep) in [
        ("3x3", "1v1", Keep::All),
        ("3x4", "2v1", Keep::None),
        ("4x3", "1v0", Keep::All),
        ("4x4", "2v2", Keep::Odd),
        ("4x4", "2v3", Keep::All),
        ("3x5", "2v2", Keep::First),
        ("2x7", "3v1", Keep::All),
    ] {
        let narrow = files_in::<u32>(board, amazons, keep);
        assert!(narrow.len() > 2, "{narrow:?}");
        assert!(narrow == files_in::<u64>(board, amazons, keep), "{board} {amazons}");
    }
}

#[test]
fn what_cannot_be_built_is_refused_before_anything_is_written() {
    let refused = |board: &str, amazons: &str, keep, least_arrows| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        let options = BuildOptions { keep, least_arrows, ..BuildOptions::new(u64::MAX) };
        let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        let stop = StopFlag::new();
        let refused = build(&path, board, amazons, &options, &(), &stop).unwrap_err();
        assert!(!path.exists());
        refused
    };
    let error = refused("6x6", "1v1", Keep::All, 35);
    assert!(matches!(error, BuildError::NoSuchTier { fullest: 34, found: 35, .. }), "{error}");
    let error = refused("6x6", "7v1", Keep::All, 0);
    assert!(matches!(error, BuildError::TooManyPlacements { .. }), "{error}");
    let error = refused("4x8", "12v0", Keep::All, 0);
    assert!(matches!(error, BuildError::TooManyPlacements { .. }), "{error}");
    let error = refused("8x8", "4v4", Keep::All, 0);
    assert!(matches!(error, BuildError::Shape(ShapeError::TooManyPositions { .. })), "{error}");
    let error = refused("8x9", "1v1", Keep::All, 60);
    assert!(matches!(error, BuildError::Shape(ShapeError::BoardTooLarge { .. })), "{error}");
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
