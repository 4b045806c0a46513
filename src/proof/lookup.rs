//! What a certificate says of positions.
//!
//! The file is read once, from the first byte to its hash, for all positions that are asked for
//! together; of its list only they and the positions after their moves are kept. What is found is
//! what the file *claims*: whether its moves win is for the checker ([`mod@super::check`]) to say.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;

use super::claimed_ground::ClaimedGround;
use super::leaf::LeafSolver;
use super::{CertificateError, Claim, Frame, NoCertificate, Reader, WallRule};
use crate::game::board::{Kings, OtherBoard, Symmetry, Word};
use crate::game::code::{Code, Coder};
use crate::game::notation::{fen, fen_of_mover};
use crate::game::rules::{Bitboards, IndexedMove, Position, Rules};
use crate::game::{Move, Outcome};
use crate::machine::progress::StopFlag;

/// What a certificate says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateStrategy {
    /// The side to move wins by this move. Without a move: the wall rule says that it wins, and
    /// names none.
    Win(Option<Move>),
    /// The side to move loses: its moves in increasing order, each with the answer that wins.
    /// Without an answer: the position after the move is left to the wall rule, which names none.
    Loss(Vec<(Move, Option<Move>)>),
}

/// What is said of a position, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateAnswer {
    /// Who wins, and how.
    pub strategy: CertificateStrategy,
    /// What the value rests on.
    pub basis: StrategyBasis,
}

/// What an answer about a position rests on. Of several the last one in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StrategyBasis {
    /// The wall rule alone, which holds whatever the file lists.
    WallRule,
    /// Negamax, beside the wall rule where the certificate rests on that: it holds as well.
    Negamax,
    /// What the file lists and claims.
    Certificate,
}

/// In words that follow `wins`.
impl fmt::Display for StrategyBasis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WallRule => "by the wall rule",
            Self::Negamax => "by negamax",
            Self::Certificate => "by the certificate",
        })
    }
}

/// Why a certificate does not say anything of a position.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateLookupError {
    /// The file is not a certificate, or is damaged.
    #[error(transparent)]
    File(#[from] CertificateError),
    /// There is none of its position.
    #[error(transparent)]
    None(#[from] NoCertificate),
    /// The position is of another board.
    #[error(transparent)]
    OtherBoard(#[from] OtherBoard),
    /// Nothing is said of the position: the moves that are given do not lead there, or the file
    /// does not hold what it has to.
    #[error(
        "the certificate says nothing of {position}: it claims that {} wins {}, and nothing that \
         it lists decides this position",
        claim.winner(),
        fen(&claim.position)
    )]
    Unknown {
        /// The position that was asked for, as FEN.
        position: String,
        /// The claim.
        claim: Box<Claim>,
    },
    /// The move given for a position does not exist.
    #[error("there is no move number {number} in {position}, the side to move written as White")]
    Move {
        /// The position, its mover written as White.
        position: String,
        /// Number of the move.
        number: u32,
    },
    /// It was asked to stop.
    #[error("interrupted before all positions were looked up")]
    Stopped,
}

/// What a certificate says of some positions: one answer for each.
///
/// A position from which a move leads to the one that the certificate is about is won by that move,
/// if that one is claimed to be lost. Positions that are not listed are solved if they have at most
/// as many empty squares as the leaves of the certificate, and decided by the wall rule if it rests
/// on that, whether moves lead to them or not: [`CertificateAnswer::basis`] tells these apart. A
/// certificate is not about the board that is its own
/// turned on its side.
///
/// # Errors
/// If the file cannot be read to its end, or is damaged. The answer for a position is an error if
/// it is of another board, or the certificate does not say anything of it.
pub fn look_up<R: Read>(
    input: R,
    positions: &[Position],
    stop: &StopFlag,
) -> Result<Vec<Result<CertificateAnswer, CertificateLookupError>>, CertificateLookupError> {
    let reader = Reader::new(input)?;
    match reader.claim().board().fits::<u64>() {
        true => look_up_in::<u64, R>(reader, positions, stop),
        false => look_up_in::<u128, R>(reader, positions, stop),
    }
}

/// As [`look_up`], with squares as the bits of this word, which has one for each of them.
fn look_up_in<W: Word, R: Read>(
    mut reader: Reader<R>,
    positions: &[Position],
    stop: &StopFlag,
) -> Result<Vec<Result<CertificateAnswer, CertificateLookupError>>, CertificateLookupError> {
    let lookup = Lookup::<W>::new(reader.claim())?;
    let mut wanted = WantedCodes::default();
    for position in positions {
        if let Ok(squares) = lookup.squares(position) {
            wanted.want(&lookup, &squares);
        }
    }
    while let Some(frame) = reader.frame()? {
        if stop.is_set() {
            return Err(CertificateLookupError::Stopped);
        }
        wanted.take(&frame);
    }
    let leaves = lookup.leaves(stop);
    let mut asked = Asked { lookup: &lookup, wanted, leaves, leaf: lookup.claim.leaf, stop };
    Ok(positions.iter().map(|position| asked.answer(position)).collect())
}

/// What does not change from one question about a certificate to the next.
#[derive(Debug)]
pub(super) struct Lookup<W: Word = u64> {
    pub(super) claim: Claim,
    rules: Rules<W>,
    kings: Kings<W>,
    coder: Coder<W>,
    /// Those that lead to positions which have the same code.
    symmetries: Vec<Symmetry>,
    walls: Option<WallRule<W>>,
    /// The position of the claim.
    claimed: Code,
}

/// Positions that are asked for, those after their moves, and the numbers of their moves as far as
/// they are listed.
#[derive(Debug, Default)]
pub(super) struct WantedCodes(HashMap<Code, Option<u32>>);

/// A question about positions.
#[derive(Debug)]
pub(super) struct Asked<'a, W: Word = u64> {
    pub(super) lookup: &'a Lookup<W>,
    pub(super) wanted: WantedCodes,
    pub(super) leaves: LeafSolver<'a, W>,
    /// The most empty squares of positions that negamax judges.
    pub(super) leaf: u8,
    pub(super) stop: &'a StopFlag,
}

/// What is known of a position without looking at those after its moves.
enum Known {
    /// Its side to move wins, by a move if one is known.
    Wins(Option<IndexedMove>, StrategyBasis),
    /// It loses, by negamax.
    Loses,
    /// Nothing.
    Nothing,
}

impl WantedCodes {
    /// Keeps what the list says of a position and of those after its moves.
    pub(super) fn want<W: Word>(&mut self, lookup: &Lookup<W>, squares: &Bitboards<W>) {
        self.0.insert(lookup.coder.code(squares), None);
        for played in lookup.rules.moves(squares) {
            let after = lookup.rules.play_unchecked(squares, played);
            self.0.insert(lookup.coder.code(&after), None);
        }
    }

    /// The codes that are kept, in no order.
    pub(super) fn codes(&self) -> impl Iterator<Item = Code> {
        self.0.keys().copied()
    }

    /// Takes what is wanted of a frame. A code holds the burned squares too; that its frame has as
    /// many is for the checker to say.
    pub(super) fn take(&mut self, frame: &Frame) {
        for (code, number) in &frame.positions {
            if let Some(wanted) = self.0.get_mut(code) {
                *wanted = Some(*number);
            }
        }
    }
}

impl<W: Word> Lookup<W> {
    pub(super) fn new(claim: &Claim) -> Result<Self, NoCertificate> {
        let ClaimedGround { claim, start, rules, kings, coder, walls } = ClaimedGround::of(claim)?;
        let (claimed, symmetries) = (coder.code(&start), coder.symmetries());
        Ok(Self { claim, claimed, rules, kings, symmetries, coder, walls })
    }

    /// A solver of leaves.
    pub(super) fn leaves<'a>(&'a self, stop: &'a StopFlag) -> LeafSolver<'a, W> {
        LeafSolver::new(&self.rules, self.walls.as_ref(), stop)
    }

    /// A position as codes have it.
    ///
    /// # Errors
    /// If the certificate is not about such positions.
    pub(super) fn squares(
        &self,
        position: &Position,
    ) -> Result<Bitboards<W>, CertificateLookupError> {
        OtherBoard::check(self.claim.board(), position.board())?;
        let plain = position.bitboards().expect("its board fits the word of its rules");
        match self.coder.ground().holds(&self.kings, &plain) {
            true => Ok(self.coder.part(&plain)),
            false => Err(self.unknown(position)),
        }
    }

    /// That nothing is said of a position.
    fn unknown(&self, position: &Position) -> CertificateLookupError {
        let (position, claim) = (fen(position), Box::new(self.claim));
        CertificateLookupError::Unknown { position, claim }
    }

    /// Whether the certificate is about this position, and claims that its side to move loses.
    fn claims_loss(&self, squares: &Bitboards<W>) -> bool {
        self.claim.outcome == Outcome::Loss && self.coder.code(squares) == self.claimed
    }

    /// The move with a number in the smallest image of a position, whose code this is, as a move of
    /// the position.
    fn move_of(
        &self,
        squares: &Bitboards<W>,
        code: Code,
        number: u32,
    ) -> Result<IndexedMove, CertificateLookupError> {
        let image = self.coder.position(code).expect("the coder made this code");
        let missing = || CertificateLookupError::Move {
            position: fen_of_mover(self.claim.board(), &image),
            number,
        };
        let played = *self.rules.moves(&image).get(number as usize).ok_or_else(missing)?;
        let there = self.symmetries.iter().find(|symmetry| squares.mapped(symmetry) == image);
        let back = there.expect("some symmetry leads to the smallest image").inverse();
        Ok(IndexedMove {
            from: back.square(played.from),
            to: back.square(played.to),
            arrow: back.square(played.arrow),
        })
    }
}

impl<W: Word> Asked<'_, W> {
    /// A position that is listed, or judged without the list, or each of whose moves leads to one
    /// that is.
    ///
    /// # Errors
    /// If the certificate says nothing of it.
    pub(super) fn answer(
        &mut self,
        position: &Position,
    ) -> Result<CertificateAnswer, CertificateLookupError> {
        if self.stop.is_set() {
            return Err(CertificateLookupError::Stopped);
        }
        let lookup = self.lookup;
        let squares = lookup.squares(position)?;
        let named = |played| Move::of(lookup.claim.board(), played).expect("a move of the board");
        let won = |played: Option<IndexedMove>, basis| {
            Ok(CertificateAnswer { strategy: CertificateStrategy::Win(played.map(named)), basis })
        };
        let shows_loss = || lookup.walls.as_ref().is_some_and(|walls| walls.shows_loss(&squares));
        let lost = match self.value(&squares)? {
            Known::Wins(played, basis) => return won(played, basis),
            Known::Loses => Some(StrategyBasis::Negamax),
            Known::Nothing => shows_loss().then_some(StrategyBasis::WallRule),
        };
        let (mut answered, mut is_silent) = (Vec::new(), false);
        let mut by_answers = StrategyBasis::WallRule;
        for played in lookup.rules.moves(&squares) {
            let after = lookup.rules.play_unchecked(&squares, played);
            if lookup.claims_loss(&after) {
                return won(Some(played), StrategyBasis::Certificate);
            }
            match self.value(&after)? {
                Known::Wins(answer, basis) => {
                    by_answers = by_answers.max(basis);
                    answered.push((named(played), answer.map(named)));
                }
                Known::Nothing if lost.is_some() => answered.push((named(played), None)),
                Known::Nothing => is_silent = true,
                Known::Loses => return won(Some(played), StrategyBasis::Negamax),
            }
        }
        if is_silent {
            return Err(lookup.unknown(position));
        }
        let strategy = CertificateStrategy::Loss(answered);
        Ok(CertificateAnswer { strategy, basis: lost.unwrap_or(by_answers) })
    }

    /// As it is listed, else by negamax if it is small enough, else by the wall rule.
    fn value(&mut self, squares: &Bitboards<W>) -> Result<Known, CertificateLookupError> {
        let lookup = self.lookup;
        let code = lookup.coder.code(squares);
        if let Some(Some(number)) = self.wanted.0.get(&code) {
            let played = lookup.move_of(squares, code, *number)?;
            return Ok(Known::Wins(Some(played), StrategyBasis::Certificate));
        }
        let after = |played| lookup.rules.play_unchecked(squares, played);
        if squares.empty(lookup.claim.board()).len() > usize::from(self.leaf) {
            // What `WallRule::covers` says, with the move.
            let Some(walls) = &lookup.walls else { return Ok(Known::Nothing) };
            let mut moves = lookup.rules.moves(squares).into_iter();
            let played = moves.find(|&played| walls.shows_loss(&after(played)));
            let wins = played.is_some() || walls.shows_win(squares);
            let won = Known::Wins(played, StrategyBasis::WallRule);
            return Ok(if wins { won } else { Known::Nothing });
        }
        for played in lookup.rules.moves(squares) {
            let outcome = self.leaves.outcome(&after(played));
            if outcome.ok_or(CertificateLookupError::Stopped)? == Outcome::Loss {
                return Ok(Known::Wins(Some(played), StrategyBasis::Negamax));
            }
        }
        Ok(Known::Loses)
    }
}
