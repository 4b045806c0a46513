//! What everybody makes of a claim first: the rules of its board, the codes of its file, its start as
//! these have it, and the wall rule if the claim rests on that.

use super::wall_rule::WallRule;
use super::{Claim, NoCertificate};
use crate::game::board::{Kings, Word};
use crate::game::code::Coder;
use crate::game::rules::{Bitboards, Rules};

/// A claim with what it is about, in a word that fits its board.
#[derive(Debug)]
pub(super) struct ClaimedGround<W: Word> {
    pub(super) claim: Claim,
    /// The position of the claim as codes have it.
    pub(super) start: Bitboards<W>,
    pub(super) rules: Rules<W>,
    pub(super) kings: Kings<W>,
    pub(super) coder: Coder<W>,
    /// The wall rule, if the claim rests on it.
    pub(super) walls: Option<WallRule<W>>,
}

impl<W: Word> ClaimedGround<W> {
    /// Of a claim.
    ///
    /// # Errors
    /// If there is no certificate of its position.
    ///
    /// # Panics
    /// If its board does not fit the word.
    pub(super) fn of(claim: &Claim) -> Result<Self, NoCertificate> {
        let board = claim.board();
        let (rules, kings) = (Rules::new(board)?, Kings::new(board)?);
        let start = claim.position.bitboards().expect("its board fits the word of its rules");
        let coder = Coder::of_file(&kings, &start)?;
        let walls = claim.walls.then(|| WallRule::new(board)).transpose()?;
        Ok(Self { claim: *claim, start: coder.part(&start), rules, kings, coder, walls })
    }
}
