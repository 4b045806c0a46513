//! Whole boards solved in memory with every instruction set, against golden counts.

use std::collections::HashMap;
use std::sync::Arc;

use super::isa::InstructionSet;
use super::kernel::{TierKernel, Workspace};
use super::lines::{BoardPairs, free_squares};
use super::pack::SLACK;
use super::space::subsets;
use super::turn::{TurnWorkspace, Turner};
use crate::board::{Bitboard, Board, Symmetry};

fn image(symmetry: &Symmetry, set: u32) -> u32 {
    symmetry.set(Bitboard::<u64>::from_word(set as u64)).word() as u32
}

/// Blocks of a tier by arrow set and by the number of amazons of the mover.
type Blocks = HashMap<(u32, usize), Vec<u8>>;

fn solve_tier(
    board: Board,
    arrows: usize,
    amazons: [usize; 2],
    isa: InstructionSet,
    below: &Blocks,
) -> (Blocks, u64) {
    let pairs = Arc::new(BoardPairs::new(board));
    let symmetries = Symmetry::all(board);
    let free = board.squares() - arrows;
    let [mover, opponent] = amazons;
    let kernel = TierKernel::new(pairs, board, free, mover, opponent, isa);
    let turner = kernel.has_children().then(|| Turner::new(free - 1, opponent, mover, isa));
    let (mut blocks, mut wins) = (Blocks::new(), 0);
    let (mut work, mut turn) = (Workspace::default(), TurnWorkspace::default());
    for set in subsets(board.squares(), arrows) {
        let images: Vec<u32> = symmetries.iter().map(|symmetry| image(symmetry, set)).collect();
        if images.iter().any(|&image| image > set) {
            continue;
        }
        let orbit = symmetries.len() / images.iter().filter(|&&image| image == set).count();
        let mut children = Vec::new();
        if let Some(turner) = &turner {
            for square in Bitboard::<u64>::from_word(free_squares(board, set) as u64) {
                let child = set | 1 << square.index();
                let symmetry = symmetries.iter().max_by_key(|symmetry| image(symmetry, child)).unwrap();
                let canonical = image(symmetry, child);
                let target = free_squares(board, canonical);
                let number = |at: u32| (target & ((1u32 << at) - 1)).count_ones() as u8;
                let free = Bitboard::<u64>::from_word(free_squares(board, child) as u64);
                let moved: Vec<u8> =
                    free.iter().map(|square| number(symmetry.square(square).index() as u32)).collect();
                let mut turned = vec![0; turner.block_bytes() + SLACK];
                turner.turn(&moved, &below[&(canonical, opponent)], &mut turned, &mut turn);
                children.push(turned);
            }
        }
        let children: Vec<&[u8]> = children.iter().map(Vec::as_slice).collect();
        let mut block = vec![0; kernel.block_bytes() + SLACK];
        wins += orbit as u64 * kernel.solve(set, &children, &mut block, &mut work);
        blocks.insert((set, mover), block);
    }
    (blocks, wins)
}

#[test]
fn counts_equal_the_golden_ones_with_every_instruction_set() {
    let golden = include_str!("../../tests/data/counts.csv");
    let lines: Vec<Vec<&str>> = golden
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    for (size, amazons) in [("3x3", [1, 1]), ("3x4", [2, 1]), ("4x4", [2, 2]), ("4x4", [4, 4])] {
        let board: Board = size.parse().unwrap();
        for isa in InstructionSet::available() {
            if isa == InstructionSet::Portable && amazons[0] == 4 && cfg!(not(feature = "long-tests")) {
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
                    let key = [size, &mover.to_string(), &opponent.to_string(), &arrows.to_string()];
                    let line = lines.iter().find(|line| line[..4] == key).unwrap();
                    assert_eq!(wins, line[5].parse::<u64>().unwrap(), "{line:?} {isa:?}");
                    blocks.extend(kind);
                }
                below = blocks;
            }
        }
    }
}
