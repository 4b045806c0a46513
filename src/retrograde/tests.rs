//! Whole boards solved in memory with every instruction set, against golden counts.

use std::collections::HashMap;
use std::sync::Arc;

use super::isa::InstructionSet;
use super::kernel::{BoardTables, Child, TierKernel, Workspace};
use super::lines::free_squares;
use super::pack::SLACK;
use super::space::subsets;
use crate::board::{Bitboard, Board};
use crate::index::Images;

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
    let kernel = TierKernel::new(tables, board.squares() - arrows, mover, opponent, isa);
    let (mut blocks, mut wins, mut work) = (Blocks::new(), 0, Workspace::default());
    for set in subsets(board.squares(), arrows).filter(|&set| images.is_canonical(set)) {
        let mut children = Vec::new();
        if kernel.has_children() {
            for square in Bitboard::<u64>::from_word(free_squares(board, set).into()) {
                let child = images.canonical(set | 1 << square.index());
                children.push(Child { block: &below[&(child.arrows, opponent)], symmetry: child.symmetry });
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
