//! Checks a certificate: with the rules and plain negamax, and with the wall rule if the claim rests
//! on it ([`Claim::walls`](super::Claim::walls)).
//!
//! A position counts as *covered* if it has at most `leaf` empty squares and negamax
//! ([`mod@super::leaf`]) says that its side to move wins, or if its code is listed. The claim holds
//! if
//!
//! 1. the start is covered (when its side to move is to win), or every position after a move from
//!    it is;
//! 2. for every listed position, the move given is legal, and every position after it and any
//!    answer is covered.
//!
//! With the wall rule a position is also covered if the side to move wins by it
//! ([`WallRule`]), or has a move after which the other side loses by it. After a listed move nothing
//! need be covered if the other side loses by it. The negamax of the leaves uses the rule too.
//!
//! *What is shared.* The checker uses [`crate::game`] (board, rules, codes) and the wall rule. The
//! writer of certificates ([`crate::search`]) uses both as well: writer and checker call the same
//! [`WallRule::covers`] and [`WallRule::shows_loss`]. Nothing else is shared: no bound, no table
//! and no evaluation of the search is used here.
//!
//! By induction over the empty squares every covered position is a win for its side to move. The
//! winner plays the move that is given. Whatever the answer, it comes to a covered position with
//! fewer empty squares, so it is never the first without a move. Positions that are images of each
//! other under the symmetries of the board count as one.
//!
//! A file about a board of more than 64 squares is about the ground of its position: all other
//! squares are burned in what is checked, the start as well. No amazon comes to them, so the same
//! moves can be made.
//!
//! A listed code must be the smallest image of a position with as many burned squares as its frame
//! says. Frames are not empty and come in increasing order of burned squares ([`Reader`]), so a
//! file has at most as many passes as the board has squares. The stop flag is looked at before
//! every frame and every position after an answer.
//!
//! A check can be divided ([`Part`]): each part takes its share of the listed positions, and the
//! first takes the start. If all parts of a file hold then the whole does. The file is read several
//! times, and has to end with the same hash each time.
//!
//! Memory: the codes with one number of arrows, in ranges of bounded size. The positions with two
//! arrows fewer are streamed past each range. Cost: every answer is generated once for each range.
//! Neighbours in the file have answers in common, so the answers of a few hundred positions are
//! sorted and looked up together.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::claimed_ground::ClaimedGround;
use super::leaf::LeafSolver;
use crate::game::Outcome;
use crate::game::board::Word;
use crate::game::code::{Code, Coder};
use crate::game::rules::{Bitboards, Rules};
use crate::machine::progress::{Observer, StopFlag};
use crate::proof::{CertificateError, Claim, Frame, NoCertificate, Part, Reader, WallRule};

/// What a checked certificate, or the part of it that was checked, held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Positions listed with a move.
    pub positions: u64,
    /// Positions after an answer that were looked up or solved.
    pub answers: u64,
    /// The BLAKE3 hash that ends the file. Parts of a check belong together if it is the same.
    pub hash: [u8; 32],
}

/// Why a certificate proves nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The file is not one, or is damaged.
    #[error(transparent)]
    File(#[from] CertificateError),
    /// There is none of its position.
    #[error(transparent)]
    None(#[from] NoCertificate),
    /// A code is not a position of the board.
    #[error("code {0:#x} is not a position of the board")]
    Code(u128),
    /// A code is not the smallest one among the images of its position.
    #[error("code {0:#x} is not the smallest image of its position")]
    Image(u128),
    /// A position is listed among those with another number of burned squares.
    #[error(
        "a position is listed among those with {listed} burned squares, and has {}",
        .position.arrows.len()
    )]
    Arrows {
        /// The position, winner to move.
        position: Bitboards<u128>,
        /// The number of burned squares that its frame gives.
        listed: usize,
    },
    /// The move given for a position does not exist.
    #[error("a position has no move number {number}")]
    Move {
        /// The position, winner to move.
        position: Bitboards<u128>,
        /// Number of the move.
        number: u32,
    },
    /// A position that the winner can come to is missing, or it is a leaf and lost.
    #[error("a position is not shown to be won for its side to move")]
    Uncovered {
        /// The position, winner to move.
        position: Bitboards<u128>,
    },
    /// The file is read several times, and was not the same each time.
    #[error("the file was changed while it was checked")]
    Changed,
    /// The checker was asked to stop.
    #[error("the check was interrupted")]
    Stopped,
}

impl Refusal {
    /// The position where the proof fails, if it is one. The words of the refusal do not say it,
    /// since it has no colours and no board.
    pub fn position(&self) -> Option<Bitboards<u128>> {
        match self {
            Self::Move { position, .. }
            | Self::Arrows { position, .. }
            | Self::Uncovered { position } => Some(*position),
            _ => None,
        }
    }
}

/// Listed positions that one thread checks together. Parts of a check are made of them, and
/// `docs/certificate.md` says how, so that parts by other versions and by other programs fit.
pub(super) const TOGETHER: usize = 256;
/// How many times as many are handed to the threads at once.
const AT_ONCE: usize = 256;

/// Memory of a check beside the codes of a range: two frames of the file, packed and not, the
/// positions at work, and what threads judge leaves with.
const BESIDE: u64 = 14 << 20;
/// The fewest codes of a range.
const LEAST_CODES: u64 = 1 << 16;
/// With less memory a check uses more than it is given.
pub const LEAST_MEMORY: u64 = BESIDE + LEAST_CODES * size_of::<Code>() as u64;

/// Checks a certificate; `open` begins to read it anew each time. At most about `memory` bytes are
/// used, if these are [`LEAST_MEMORY`].
///
/// # Errors
/// The first reason found why it is no proof.
pub fn verify<R: Read>(
    open: impl Fn() -> std::io::Result<R>,
    memory: u64,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<(Claim, Checked), Refusal> {
    verify_part(open, Part::WHOLE, memory, observer, stop)
}

/// As [`verify`], but a part of it only: the certificate holds if every part of it does.
///
/// # Errors
/// The first reason found why it is no proof.
pub fn verify_part<R: Read>(
    open: impl Fn() -> std::io::Result<R>,
    part: Part,
    memory: u64,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<(Claim, Checked), Refusal> {
    let contents = Contents::new(&open, part, stop)?;
    match contents.claim.board().fits::<u64>() {
        true => {
            Checker::<u64>::new(&contents, part, memory, observer, stop)?.check(&open, &contents)
        }
        false => {
            Checker::<u128>::new(&contents, part, memory, observer, stop)?.check(&open, &contents)
        }
    }
}

/// Listed positions with equally many burned squares.
struct Tier {
    arrows: usize,
    /// The number of its first chunk in the file.
    first_chunk: u64,
    /// Positions of it in the part that is checked.
    positions: u64,
}

/// The chunks of a frame that are in a part; `number` is that of its first one in the file, then
/// that of the next frame's.
fn chunks<'f>(
    frame: &'f Frame,
    part: Part,
    number: &mut u64,
) -> impl Iterator<Item = &'f [(Code, u32)]> {
    let first = *number;
    let chunks = frame.positions.chunks(TOGETHER);
    *number += chunks.len() as u64;
    chunks.zip(first..).filter(move |&(_, number)| part.takes(number)).map(|(chunk, _)| chunk)
}

/// What a file holds.
struct Contents {
    claim: Claim,
    tiers: Vec<Tier>,
    /// The hash that ends it.
    hash: [u8; 32],
}

impl Contents {
    /// Reads the whole file once, so that nothing is checked of a damaged one.
    fn new<R: Read>(
        open: impl Fn() -> std::io::Result<R>,
        part: Part,
        stop: &StopFlag,
    ) -> Result<Self, Refusal> {
        let mut reader = Reader::new(open().map_err(CertificateError::from)?)?;
        let mut tiers: Vec<Tier> = Vec::new();
        let mut number = 0;
        while let Some(frame) = next_frame(&mut reader, stop)? {
            let first_chunk = number;
            let positions = chunks(&frame, part, &mut number).map(|chunk| chunk.len() as u64).sum();
            match tiers.last_mut() {
                Some(tier) if tier.arrows == frame.arrows => tier.positions += positions,
                _ => tiers.push(Tier { arrows: frame.arrows, first_chunk, positions }),
            }
        }
        Ok(Self { claim: *reader.claim(), tiers, hash: reader.hash() })
    }
}

/// The next frame, unless the check is to stop.
fn next_frame<R: Read>(reader: &mut Reader<R>, stop: &StopFlag) -> Result<Option<Frame>, Refusal> {
    if stop.is_set() { Err(Refusal::Stopped) } else { Ok(reader.frame()?) }
}

struct Checker<'a, W: Word = u64> {
    claim: Claim,
    /// The position of the claim as codes have it.
    start: Bitboards<W>,
    rules: Rules<W>,
    coder: Coder<W>,
    /// The wall rule, if the claim rests on it.
    walls: Option<WallRule<W>>,
    part: Part,
    /// The hash that ends the file whenever it is read.
    hash: [u8; 32],
    /// Most codes of a range.
    most: usize,
    observer: &'a dyn Observer,
    stop: &'a StopFlag,
    answers: AtomicU64,
}

/// The listed codes between two bounds, and whether these are the first of their tier.
struct CodeRange {
    codes: Vec<Code>,
    from: Code,
    to: Code,
    first: bool,
}

impl<'a, W: Word> Checker<'a, W> {
    fn new(
        &Contents { claim, hash, .. }: &Contents,
        part: Part,
        memory: u64,
        observer: &'a dyn Observer,
        stop: &'a StopFlag,
    ) -> Result<Self, NoCertificate> {
        let codes = memory.saturating_sub(BESIDE) / size_of::<Code>() as u64;
        let most = codes.max(LEAST_CODES) as usize;
        let ClaimedGround { claim, start, rules, coder, walls, .. } = ClaimedGround::of(&claim)?;
        Ok(Self {
            claim,
            start,
            rules,
            coder,
            walls,
            part,
            hash,
            most,
            observer,
            stop,
            answers: AtomicU64::new(0),
        })
    }

    /// Checks the part that is to be checked.
    fn check<R: Read>(
        self,
        open: &impl Fn() -> std::io::Result<R>,
        Contents { claim, tiers, hash }: &Contents,
    ) -> Result<(Claim, Checked), Refusal> {
        let positions = tiers.iter().map(|tier| tier.positions).sum();
        self.observer.begin("proof", positions, "positions");
        if self.part.takes(0) {
            let first = self.start.arrows.len() + usize::from(!claim.outcome.is_win());
            self.tier(open, None, first)?;
        }
        for tier in tiers {
            self.tier(open, Some(tier), tier.arrows + 2)?;
        }
        let checked = Checked { positions, answers: self.answers.into_inner(), hash: *hash };
        Ok((*claim, checked))
    }

    /// The next frame of the file whose contents were read.
    fn next_frame<R: Read>(&self, reader: &mut Reader<R>) -> Result<Option<Frame>, Refusal> {
        let frame = next_frame(reader, self.stop)?;
        if frame.is_none() && reader.hash() != self.hash {
            Err(Refusal::Changed)
        } else {
            Ok(frame)
        }
    }

    /// Checks the positions of a tier (`None`: the start) against those listed with `target` burned
    /// squares.
    fn tier<R: Read>(
        &self,
        open: &impl Fn() -> std::io::Result<R>,
        tier: Option<&Tier>,
        target: usize,
    ) -> Result<(), Refusal> {
        let mut listed = Reader::new(open().map_err(CertificateError::from)?)?;
        let (mut from, mut first) = (Code(0), true);
        let mut left: Option<Frame> = None;
        loop {
            let mut codes = Vec::new();
            let mut full = false;
            while let Some(frame) =
                left.take().map_or_else(|| self.next_frame(&mut listed), |frame| Ok(Some(frame)))?
            {
                if frame.arrows != target {
                    continue;
                }
                if codes.len() + frame.positions.len() > self.most && !codes.is_empty() {
                    (left, full) = (Some(frame), true);
                    break;
                }
                codes.extend(frame.positions.iter().map(|position| position.0));
            }
            let to = if full { codes.last().map_or(from, |last| *last) } else { Code(u128::MAX) };
            self.against(open, tier, &CodeRange { codes, from, to, first })?;
            if !full {
                return Ok(());
            }
            (from, first) = (Code(to.0 + 1), false);
        }
    }

    fn against<R: Read>(
        &self,
        open: &impl Fn() -> std::io::Result<R>,
        tier: Option<&Tier>,
        range: &CodeRange,
    ) -> Result<(), Refusal> {
        let Some(&Tier { arrows, first_chunk, .. }) = tier else { return self.start(range) };
        let mut reader = Reader::new(open().map_err(CertificateError::from)?)?;
        let (mut number, mut waiting) = (first_chunk, Vec::new());
        while let Some(frame) = self.next_frame(&mut reader)? {
            if frame.arrows != arrows {
                continue;
            }
            // A part has few chunks of a frame, so those of several frames go to the threads.
            for chunk in chunks(&frame, self.part, &mut number) {
                waiting.push(chunk.to_vec());
                if waiting.len() == AT_ONCE {
                    self.chunks(std::mem::take(&mut waiting), arrows, range)?;
                }
            }
        }
        self.chunks(waiting, arrows, range)
    }

    fn chunks(
        &self,
        chunks: Vec<Vec<(Code, u32)>>,
        arrows: usize,
        range: &CodeRange,
    ) -> Result<(), Refusal> {
        let positions = chunks.iter().map(|chunk| chunk.len() as u64).sum();
        chunks.par_iter().try_for_each(|listed| self.chunk(listed, arrows, range))?;
        self.observer.add(if range.first { positions } else { 0 });
        Ok(())
    }

    /// The start itself, or all positions after a move from it.
    fn start(&self, range: &CodeRange) -> Result<(), Refusal> {
        let mut cover = Cover::new(self, range);
        if self.claim.outcome.is_win() {
            cover.position(&self.start)?;
            return cover.look_up().map_err(|_| uncovered(&self.start));
        }
        cover.answers(&self.start)?;
        cover.look_up()
    }

    /// Listed positions with `arrows` burned squares: the codes are right, the moves are legal, and
    /// every position after an answer is covered.
    fn chunk(
        &self,
        listed: &[(Code, u32)],
        arrows: usize,
        range: &CodeRange,
    ) -> Result<(), Refusal> {
        if self.stop.is_set() {
            return Err(Refusal::Stopped);
        }
        let mut cover = Cover::new(self, range);
        for &(code, number) in listed {
            let position = self.position(code, arrows)?;
            let moves = self.rules.moves(&position);
            let no_move = || Refusal::Move { position: wide(&position), number };
            let &played = moves.get(number as usize).ok_or_else(no_move)?;
            let after = self.rules.play(&position, played).map_err(|_| no_move())?;
            cover.answers(&after)?;
        }
        cover.look_up()
    }

    /// The position of a listed code.
    fn position(&self, code: Code, arrows: usize) -> Result<Bitboards<W>, Refusal> {
        let position = self.coder.position(code).ok_or(Refusal::Code(code.0))?;
        if position.arrows.len() != arrows {
            return Err(Refusal::Arrows { position: wide(&position), listed: arrows });
        }
        if self.coder.code(&position) != code {
            return Err(Refusal::Image(code.0));
        }
        Ok(position)
    }
}

/// A position as refusals have it, whatever its board.
fn wide<W: Word>(position: &Bitboards<W>) -> Bitboards<u128> {
    position.resize().expect("a board that is searched fits 128 bits")
}

fn uncovered<W: Word>(position: &Bitboards<W>) -> Refusal {
    Refusal::Uncovered { position: wide(position) }
}

/// Positions that have to be covered: what can be judged is judged at once, the others' codes are
/// looked up together.
struct Cover<'a, W: Word> {
    checker: &'a Checker<'a, W>,
    range: &'a CodeRange,
    leaves: LeafSolver<'a, W>,
    codes: Vec<Code>,
}

impl<'a, W: Word> Cover<'a, W> {
    fn new(checker: &'a Checker<'_, W>, range: &'a CodeRange) -> Self {
        let leaves = LeafSolver::new(&checker.rules, checker.walls.as_ref(), checker.stop);
        Self { checker, range, leaves, codes: Vec::new() }
    }

    /// The position after each move of the loser; none if it loses by the wall rule.
    fn answers(&mut self, position: &Bitboards<W>) -> Result<(), Refusal> {
        let checker = self.checker;
        if checker.walls.as_ref().is_some_and(|walls| walls.shows_loss(position)) {
            return Ok(());
        }
        let moves = checker.rules.moves(position);
        checker
            .answers
            .fetch_add(if self.range.first { moves.len() as u64 } else { 0 }, Ordering::Relaxed);
        moves
            .iter()
            .try_for_each(|&answer| self.position(&checker.rules.play_unchecked(position, answer)))
    }

    /// A leaf is won, and so is what the wall rule decides at once or after a move; any other
    /// position must be listed.
    fn position(&mut self, position: &Bitboards<W>) -> Result<(), Refusal> {
        let Checker { claim, walls, coder, stop, .. } = self.checker;
        // A few hundred hard positions and their leaves can take minutes.
        if stop.is_set() {
            return Err(Refusal::Stopped);
        }
        let is_leaf = position.empty(claim.board()).len() <= usize::from(claim.leaf);
        if is_leaf {
            if !self.range.first {
                return Ok(());
            }
            return match self.leaves.outcome(position).ok_or(Refusal::Stopped)? {
                Outcome::Win => Ok(()),
                Outcome::Loss => Err(uncovered(position)),
            };
        }
        if !walls.as_ref().is_some_and(|walls| walls.covers(position)) {
            self.codes.push(coder.code(position));
        }
        Ok(())
    }

    /// Every code within the bounds of the range is one of its codes.
    fn look_up(self) -> Result<(), Refusal> {
        let Self { checker, range, mut codes, .. } = self;
        codes.sort_unstable();
        codes.dedup();
        let mut listed = &range.codes[..];
        for code in codes.into_iter().filter(|code| (range.from..=range.to).contains(code)) {
            listed = &listed[listed.partition_point(|&other| other < code)..];
            if listed.first() != Some(&code) {
                let position = checker.coder.position(code).ok_or(Refusal::Code(code.0))?;
                return Err(uncovered(&position));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::machine::long::long_tests;
    use crate::proof::Writer;

    /// Positions of a frame: tiers of the certificate of 4x7 have up to 4,727.
    const MOST: usize = 2_500;

    /// The certificate of 4x7 with at most `most` positions in a frame, but for what `keep` leaves
    /// out.
    fn in_frames(most: usize, keep: impl Fn(Code) -> bool) -> Vec<u8> {
        let file = include_bytes!("../../results/proofs/4x7.proof");
        let mut reader = Reader::new(&file[..]).unwrap();
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out, reader.claim()).unwrap();
        while let Some(mut frame) = reader.frame().unwrap() {
            frame.positions.retain(|position| keep(position.0));
            for positions in frame.positions.chunks(most) {
                writer.tier(frame.arrows, positions).unwrap();
            }
        }
        writer.finish().unwrap();
        out
    }

    /// What a part says, when a range of codes is no longer than a frame.
    fn frame_by_frame(bytes: &[u8], part: Part) -> Result<Checked, Refusal> {
        let (open, stop) = (|| Ok(Cursor::new(bytes)), StopFlag::new());
        let contents = Contents::new(open, part, &stop)?;
        let mut checker = Checker::<u64>::new(&contents, part, 0, &(), &stop)?;
        checker.most = 1;
        checker.check(&open, &contents).map(|(_, checked)| checked)
    }

    #[test]
    fn a_writer_refuses_what_is_not_in_order() {
        let file = include_bytes!("../../results/proofs/4x7.proof");
        let reader = Reader::new(&file[..]).unwrap();
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out, reader.claim()).unwrap();
        writer.tier(2, &[(Code(1), 0), (Code(5), 0)]).unwrap();
        for (arrows, code) in [(256, 6), (1, 6), (2, 5), (2, 4)] {
            let refused = writer.tier(arrows, &[(Code(code), 0)]).unwrap_err();
            assert_eq!(refused.kind(), std::io::ErrorKind::InvalidInput, "{arrows} {code}");
        }
        let twice = writer.tier(3, &[(Code(7), 0); 2]).unwrap_err();
        assert_eq!(twice.kind(), std::io::ErrorKind::InvalidInput);
        writer.tier(4, &[(Code(1), 0)]).unwrap();
    }

    #[test]
    fn ranges_and_parts_together_are_the_whole() {
        let all = |_| true;
        let bytes = in_frames(MOST, all);
        let (claim, whole) =
            verify(|| Ok(Cursor::new(&bytes)), 1 << 30, &(), &StopFlag::new()).unwrap();
        assert_eq!(frame_by_frame(&bytes, Part::WHOLE).unwrap(), whole);
        let parts: Vec<Checked> = (1..=2)
            .map(|number| frame_by_frame(&bytes, Part::new(number, 2).unwrap()).unwrap())
            .collect();
        assert!(parts.iter().all(|part| part.hash == whole.hash && part.positions > 0));
        let sum = |what: fn(&Checked) -> u64| parts.iter().map(what).sum::<u64>();
        assert_eq!(
            (sum(|part| part.positions), sum(|part| part.answers)),
            (whole.positions, whole.answers)
        );
        // One that is missing is missed in whatever range it would lie: at the beginning of the
        // second, at the end of the first, and at the end of the last.
        let codes: Vec<Code> = {
            let mut reader = Reader::new(&bytes[..]).unwrap();
            let frames = std::iter::from_fn(|| reader.frame().unwrap());
            let last = frames.filter(|frame| frame.arrows == 8).flat_map(|frame| frame.positions);
            last.map(|position| position.0).collect()
        };
        assert!(codes.len() > MOST, "{}", codes.len());
        let coder = Coder::new(claim.board());
        let missing = [MOST, MOST - 1, codes.len() - 1].map(|at| codes[at]);
        for missing in missing.into_iter().take(if long_tests() { 3 } else { 1 }) {
            let bytes = in_frames(MOST, |code| code != missing);
            let refusals: Vec<Refusal> = (1..=2)
                .filter_map(|number| frame_by_frame(&bytes, Part::new(number, 2).unwrap()).err())
                .collect();
            assert!(!refusals.is_empty());
            for refusal in refusals {
                let position = refusal.position().unwrap().resize().unwrap();
                assert_eq!(coder.code(&position), missing, "{refusal}");
            }
        }
    }

    #[test]
    fn a_file_that_changes_meanwhile_is_refused() {
        let files = [in_frames(MOST, |_| true), in_frames(MOST + 1, |_| true)];
        // The second file takes the place of the first before one of the times that it is read.
        let mut times = 0;
        for first in 1.. {
            let read = AtomicU64::new(0);
            let open = || {
                let late = read.fetch_add(1, Ordering::Relaxed) >= first;
                Ok(Cursor::new(&files[usize::from(late)]))
            };
            match verify(open, 1 << 30, &(), &StopFlag::new()) {
                Err(Refusal::Changed) => times += 1,
                Err(refusal) => panic!("{refusal}"),
                Ok((_, checked)) => {
                    assert_eq!(read.into_inner(), first);
                    assert_eq!(checked.hash, files[0][files[0].len() - 32..]);
                    break;
                }
            }
        }
        assert!(times > 2, "{times}");
    }
}
