//! What a certificate must list: the positions that the winner can come to, but for those that are
//! judged without being listed.
//!
//! Writers use this ([`crate::search::write_certificate`] and [`mod@super::merge`]). The checker
//! has a reading of its own, so a mistake here is a certificate that it refuses.

use super::{Claim, Codes, Walls};
use crate::game::board::{Board, BoardError};
use crate::game::code::{Code, Coder};
use crate::game::rules::{Bitboards, Rules};

/// What one claim obliges a writer to list.
#[derive(Debug)]
pub(crate) struct Obligations {
    board: Board,
    rules: Rules,
    coder: Coder,
    /// Most empty squares of a leaf.
    leaf: usize,
    /// The wall rule, where the certificate leaves positions to it.
    walls: Option<Walls>,
}

impl Obligations {
    /// Those of a claim.
    ///
    /// # Errors
    /// If its board has more than 64 squares.
    pub(crate) fn new(claim: &Claim) -> Result<Self, BoardError> {
        let board = claim.board();
        Ok(Self {
            board,
            rules: Rules::new(board)?,
            coder: Coder::new(board),
            leaf: claim.leaf.into(),
            walls: claim.walls.then(|| Walls::new(board)).transpose()?,
        })
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn coder(&self) -> &Coder {
        &self.coder
    }

    /// The number of arrows of the first positions, and their codes: the start, if its side to move
    /// is to win, else what its moves lead to.
    pub(crate) fn first(&self, claim: &Claim, start: &Bitboards) -> (usize, Codes) {
        let mut codes = Vec::new();
        let arrows = start.arrows.len();
        if claim.outcome.is_win() {
            self.add(start, &mut codes);
            (arrows, Codes::new(codes))
        } else {
            self.add_answers(start, &mut codes);
            (arrows + 1, Codes::new(codes))
        }
    }

    /// Adds the codes of the positions after each of the loser's moves, as far as they must be
    /// listed, in increasing order.
    pub(crate) fn add_answers(&self, position: &Bitboards, codes: &mut Vec<Code>) {
        let all_leaves = position.empty(self.board).len() <= self.leaf + 1;
        if all_leaves || self.walls.as_ref().is_some_and(|walls| walls.shows_loss(position)) {
            return;
        }
        let first = codes.len();
        for answer in self.rules.moves(position) {
            self.add(&self.rules.play_unchecked(position, answer), codes);
        }
        codes[first..].sort_unstable();
    }

    /// Adds the code of a position with the winner to move, unless it is judged without being
    /// listed.
    fn add(&self, position: &Bitboards, codes: &mut Vec<Code>) {
        let is_leaf = position.empty(self.board).len() <= self.leaf;
        if !is_leaf && !self.walls.as_ref().is_some_and(|walls| walls.covers(position)) {
            codes.push(self.coder.code(position));
        }
    }
}
