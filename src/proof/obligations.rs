//! What a certificate must list: the positions that the winner can come to, but for those that are
//! judged without being listed.
//!
//! Writers differ in where they take the winner's moves from ([`crate::search::write_certificate`]
//! and [`mod@super::merge`]); the way through the positions is here. The checker has a reading of
//! its own, so a mistake here is a certificate that it refuses.

use std::io::{self, Write};

use super::claimed_ground::ClaimedGround;
use super::leaf::LeafSolver;
use super::{Claim, Codes, NextTier, NoCertificate, TooManyCodes, WallRule, Writer};
use crate::game::board::Word;
use crate::game::code::{Code, Coder};
use crate::game::rules::{Bitboards, Colour, Rules};
use crate::machine::progress::{Observer, StopFlag};

/// What one claim obliges a writer to list.
#[derive(Debug)]
pub(crate) struct Obligations<W: Word = u64> {
    claim: Claim,
    /// The position of the claim as codes have it.
    start: Bitboards<W>,
    rules: Rules<W>,
    coder: Coder<W>,
    /// The wall rule, where the certificate leaves positions to it.
    walls: Option<WallRule<W>>,
}

impl<W: Word> Obligations<W> {
    /// Those of a claim.
    ///
    /// # Errors
    /// If there is no certificate of its position.
    pub(crate) fn new(claim: &Claim) -> Result<Self, NoCertificate> {
        let ClaimedGround { claim, start, rules, coder, walls, .. } = ClaimedGround::of(claim)?;
        Ok(Self { claim, start, rules, coder, walls })
    }

    /// Who wins, and is to move in what is listed.
    pub(crate) fn winner(&self) -> Colour {
        self.claim.winner()
    }

    pub(crate) fn rules(&self) -> &Rules<W> {
        &self.rules
    }

    /// The position of a code that was added here.
    pub(crate) fn position(&self, code: Code) -> Bitboards<W> {
        self.coder.position(code).expect("the coder made this code")
    }

    /// Whether negamax finds the claim true, which must be tried where no position need be listed;
    /// `None` if it is stopped.
    pub(crate) fn holds(&self, stop: &StopFlag) -> Option<bool> {
        let mut leaves = LeafSolver::new(&self.rules, self.walls.as_ref(), stop);
        Some(leaves.outcome(&self.start)? == self.claim.outcome)
    }

    /// Writes the certificate to `out`, breadth first: the positions with some number of arrows in
    /// which the winner is to move, then those two plies on. `list` is given frames of at most
    /// `together` codes, in increasing order. It returns each with the number of its move, and adds
    /// to the next tier what the answers to that move lead to. At most `allowed` bytes are used for
    /// the codes of two tiers. Returns how many positions are listed.
    ///
    /// # Errors
    /// Those of `list`; if the codes do not fit; if `out` does not take it.
    pub(crate) fn write<E: From<io::Error> + From<TooManyCodes>>(
        &self,
        out: impl Write,
        together: usize,
        allowed: u64,
        observer: &dyn Observer,
        mut list: impl FnMut(usize, Vec<Code>, &mut NextTier) -> Result<Vec<(Code, u32)>, E>,
    ) -> Result<u64, E> {
        let mut writer = Writer::new(out, &self.claim)?;
        let (mut arrows, mut tier) = self.first();
        while !tier.is_empty() {
            observer.begin(&format!("certificate, {arrows} arrows"), tier.len(), "positions");
            let mut next = NextTier::new(arrows + 2, &tier, allowed);
            let mut codes = tier.iter();
            loop {
                let frame: Vec<Code> = codes.by_ref().take(together).collect();
                if frame.is_empty() {
                    break;
                }
                let listed = list(arrows, frame, &mut next)?;
                writer.tier(arrows, &listed)?;
            }
            drop(codes);
            tier = next.finish();
            arrows += 2;
        }
        Ok(writer.finish()?)
    }

    /// The number of arrows of the first positions, and their codes: the start, if its side to move
    /// is to win, else what its moves lead to.
    fn first(&self) -> (usize, Codes) {
        let mut codes = Vec::new();
        let arrows = self.start.arrows.len();
        if self.claim.outcome.is_win() {
            self.add(&self.start, &mut codes);
            (arrows, Codes::new(codes))
        } else {
            self.add_answers(&self.start, &mut codes);
            (arrows + 1, Codes::new(codes))
        }
    }

    /// Adds the codes of the positions after each of the loser's moves, as far as they must be
    /// listed, in increasing order.
    pub(crate) fn add_answers(&self, position: &Bitboards<W>, codes: &mut Vec<Code>) {
        let all_leaves = self.empty(position) <= usize::from(self.claim.leaf) + 1;
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
    fn add(&self, position: &Bitboards<W>, codes: &mut Vec<Code>) {
        let is_leaf = self.empty(position) <= usize::from(self.claim.leaf);
        if !is_leaf && !self.walls.as_ref().is_some_and(|walls| walls.covers(position)) {
            codes.push(self.coder.code(position));
        }
    }

    fn empty(&self, position: &Bitboards<W>) -> usize {
        position.empty(self.claim.board()).len()
    }
}
