//! What the kernels know of a board.

use super::shadows::Shadows;
use crate::game::board::{Board, Symmetry};
use crate::tables::counting::Mask;
use crate::tables::index::{Images, TableRules};
use crate::tables::retrograde::lines::BoardPairs;

/// What the kernels need to know of a board: tables shared by all tiers.
#[derive(Debug)]
pub struct BoardTables<M: Mask> {
    pub(super) rules: TableRules,
    pub(super) board: Board,
    pub(super) pairs: BoardPairs,
    pub(super) shadows: Shadows<M>,
    pub(super) images: Images<M>,
    /// For each symmetry, the one that undoes it.
    pub(super) inverse: Vec<usize>,
}

impl<M: Mask> BoardTables<M> {
    /// The tables of the board that `images` belong to.
    pub fn new(rules: TableRules, images: Images<M>) -> Self {
        let board = images.board();
        let inverse = |symmetry: &Symmetry| {
            let found = images.symmetries().iter().position(|other| *other == symmetry.inverse());
            found.expect("symmetries are a group")
        };
        let inverse = images.symmetries().iter().map(inverse).collect();
        let (pairs, shadows) = (BoardPairs::new(rules, board), Shadows::new(rules, board));
        Self { rules, board, pairs, shadows, images, inverse }
    }
}
