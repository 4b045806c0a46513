//! Makes one certificate of many, such as those of the positions after each move of a loser.
//!
//! What a file lists is won whatever the file is about. So several files together are one list of
//! won positions, each with its move. The merged certificate follows that list from its own start:
//! breadth first, two plies at a time, as the writer of [`crate::search`] does with a search. What
//! nothing leads to is left out. Of a position that several files list the first file's move is
//! taken, so the same files in the same order give the same certificate.
//!
//! Nothing is checked here but that all is there which must be listed. The merged file is one like
//! any other, and [`super::check`] says whether it is a proof.
//!
//! Memory: the codes of two tiers, packed ([`Codes`](super::Codes)), a frame of each file, and the
//! answers to some positions of a frame. Cost: each file is read once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, Read, Write};

use rayon::prelude::*;

use super::{
    CertificateError, Claim, Frame, LARGEST_LEAF, NextTier, Obligations, Reader, TooManyCodes,
};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::code::Code;
use crate::game::rules::{Bitboards, Colour, Position};
use crate::machine::framed::MOST_ITEMS;
use crate::machine::progress::{Observer, StopFlag};

/// What a merged certificate holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// What it claims.
    pub claim: Claim,
    /// Positions that it lists.
    pub listed: u64,
    /// Positions that were read, with those listed by several files counted several times.
    pub read: u64,
}

/// Why certificates cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There is no certificate to merge.
    #[error("no certificate to merge: expected one at least")]
    Nothing,
    /// One of them cannot be read.
    #[error("{error}")]
    Source {
        /// Which one, from 0.
        index: usize,
        /// Why.
        error: CertificateError,
    },
    /// One of them is about another board than the position.
    #[error("is about {found}, expected {expected}")]
    OtherBoard {
        /// Which one, from 0.
        index: usize,
        /// Its board.
        found: Board,
        /// The board of the position.
        expected: Board,
    },
    /// One of them says that another side wins than the first one does.
    #[error("says that {found} wins, the first certificate that {expected} does")]
    OtherWinner {
        /// Which one, from 0.
        index: usize,
        /// Who wins by it.
        found: Colour,
        /// Who wins by the first one.
        expected: Colour,
    },
    /// The new one is to leave out more than any may.
    #[error("expected at most {LARGEST_LEAF} empty squares of a leaf, found {0}")]
    Leaf(u8),
    /// One of them leaves out more than the new one may.
    #[error("leaves out positions with up to {found} empty squares, expected up to {expected}")]
    LargerLeaves {
        /// Which one, from 0.
        index: usize,
        /// The most empty squares of what it leaves out.
        found: u8,
        /// The most empty squares of what may be left out.
        expected: u8,
    },
    /// The codes of files about a larger board are those of its position alone.
    #[error("certificates of boards of more than 64 squares are not merged, found {0}")]
    LargeBoard(Board),
    /// The new file does not take it.
    #[error("the merged certificate cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The position is small enough for negamax, by which the other side wins it.
    #[error("{0} does not win the position")]
    Untrue(Colour),
    /// Positions that the certificate must list are in no file.
    #[error("no file lists {} of the positions with {arrows} arrows, or more", missing.len())]
    Missing {
        /// Their burned squares.
        arrows: usize,
        /// Who wins them, and is to move.
        winner: Colour,
        /// Some of the positions, one at least; all of the tier if it fits into one frame.
        missing: Vec<Bitboards>,
    },
    /// The move given for a position does not exist.
    #[error("a position has no move number {number}")]
    Move {
        /// Which certificate lists it, from 0.
        index: usize,
        /// The position, winner to move.
        position: Bitboards,
        /// Number of the move.
        number: u32,
    },
    /// The codes of two tiers do not fit the memory that is given.
    #[error("the positions with {arrows} arrows need more than the {allowed} bytes that are given")]
    Memory {
        /// Their burned squares.
        arrows: usize,
        /// Bytes that may be used.
        allowed: u64,
    },
    /// The merge was asked to stop.
    #[error("the merge was interrupted")]
    Stopped,
}

impl From<TooManyCodes> for MergeError {
    fn from(TooManyCodes { arrows, allowed }: TooManyCodes) -> Self {
        Self::Memory { arrows, allowed }
    }
}

/// Listed positions that one thread looks at together.
const TOGETHER: usize = 128;
/// What a file takes while it is read: a frame of positions, rounded up.
const SOURCE_BYTES: u64 = 3 << 20;
/// With less memory beside its files no merge is begun: a frame that is written, the bytes of one
/// that is read, packed and not, and the positions at work.
const LEAST: u64 = 24 << 20;

/// Least memory, in bytes, for a merge of so many files.
pub fn least_memory(files: usize) -> u64 {
    LEAST + SOURCE_BYTES * files as u64
}

/// Writes to `out` a certificate of who wins `position`, who is the winner of all `sources`. It
/// leaves to negamax positions with at most `leaf` empty squares, or what any of them leaves to it
/// if that is `None`, and to the wall rule what any of them leaves to it. At most about `memory`
/// bytes are used, if these are [`least_memory`].
///
/// # Errors
/// If `leaf` is above 12, the files do not belong together, one of them is damaged or leaves more
/// to negamax than `leaf`, a position is missing, the merge is stopped, or `out` does not take it.
pub fn merge<R: Read>(
    position: &Position,
    sources: Vec<Reader<R>>,
    leaf: Option<u8>,
    out: impl Write,
    memory: u64,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<Merged, MergeError> {
    let claim = merge_claims(position, &sources, leaf)?;
    let large = |_| MergeError::LargeBoard(claim.board());
    let obligations = Obligations::<u64>::new(&claim).map_err(large)?;
    let allowed = memory.saturating_sub(SOURCE_BYTES * sources.len() as u64);
    let mut listed = Listed::new(sources, stop)?;
    // Of some positions there are more answers than on average: the first of a large board.
    let together = NextTier::together(allowed / 4);
    // Frames are full whatever the memory, so that it does not change the file.
    let written =
        obligations.write(out, MOST_ITEMS, allowed, observer, |arrows, codes, next| {
            let frame = listed.frame(&obligations, arrows, codes)?;
            for part in frame.chunks(together) {
                next.add(answers(&obligations, part, stop)?)?;
                observer.add(part.len() as u64);
            }
            let moves = frame.iter().map(|&ListedPosition { code, number, .. }| (code, number));
            Ok::<_, MergeError>(moves.collect())
        })?;
    if written == 0 && !obligations.holds(stop).ok_or(MergeError::Stopped)? {
        return Err(MergeError::Untrue(claim.winner()));
    }
    // The hash of a file is at its end: none that is damaged has been used.
    observer.begin("rest of the files", 0, "positions");
    Ok(Merged { claim, listed: written, read: listed.finish()? })
}

/// What is claimed of the position: that the winner of all sources wins it.
fn merge_claims<R: Read>(
    position: &Position,
    sources: &[Reader<R>],
    leaf: Option<u8>,
) -> Result<Claim, MergeError> {
    if let Some(leaf) = leaf.filter(|&leaf| leaf > LARGEST_LEAF) {
        return Err(MergeError::Leaf(leaf));
    }
    let expected = sources.first().ok_or(MergeError::Nothing)?.claim().winner();
    let outcome = Outcome::win_if(expected == position.turn());
    let mut claim = Claim { position: *position, outcome, leaf: leaf.unwrap_or(0), walls: false };
    for (index, source) in sources.iter().map(Reader::claim).enumerate() {
        if source.board() != position.board() {
            let (found, expected) = (source.board(), position.board());
            return Err(MergeError::OtherBoard { index, found, expected });
        }
        if source.winner() != expected {
            return Err(MergeError::OtherWinner { index, found: source.winner(), expected });
        }
        if let Some(expected) = leaf.filter(|&leaf| source.leaf > leaf) {
            return Err(MergeError::LargerLeaves { index, found: source.leaf, expected });
        }
        claim.leaf = claim.leaf.max(source.leaf);
        claim.walls |= source.walls;
    }
    Ok(claim)
}

/// A position that is listed.
struct ListedPosition {
    code: Code,
    /// The number of its move.
    number: u32,
    /// Which source lists it.
    index: usize,
}

/// The answers after the moves of listed positions that must be listed as well.
fn answers(
    obligations: &Obligations,
    listed: &[ListedPosition],
    stop: &StopFlag,
) -> Result<Vec<Code>, MergeError> {
    let rules = obligations.rules();
    let parts: Result<Vec<Vec<Code>>, MergeError> = listed
        .par_chunks(TOGETHER)
        .map(|listed| {
            let mut answers = Vec::new();
            for &ListedPosition { code, number, index } in listed {
                if stop.is_set() {
                    return Err(MergeError::Stopped);
                }
                let position = obligations.position(code);
                let moves = rules.moves(&position);
                let played = moves.get(number as usize);
                let &played = played.ok_or(MergeError::Move { index, position, number })?;
                obligations.add_answers(&rules.play_unchecked(&position, played), &mut answers);
            }
            answers.sort_unstable();
            answers.dedup();
            Ok(answers)
        })
        .collect();
    Ok(parts?.concat())
}

/// Burned squares and code of a listed position, and which file lists it.
type Head = ((usize, Code), usize);

/// The positions of all sources, in increasing order.
struct Listed<'a, R: Read> {
    sources: Vec<Source<R>>,
    /// The next position of each source that has one, the least first.
    heads: BinaryHeap<Reverse<Head>>,
    /// Positions that were passed.
    read: u64,
    stop: &'a StopFlag,
}

/// A certificate that is read, position by position.
struct Source<R: Read> {
    index: usize,
    reader: Reader<R>,
    frame: Option<Frame>,
    /// The next position of the frame.
    next: usize,
}

impl<'a, R: Read> Listed<'a, R> {
    fn new(readers: Vec<Reader<R>>, stop: &'a StopFlag) -> Result<Self, MergeError> {
        let readers = readers.into_iter().enumerate();
        let mut sources: Vec<Source<R>> =
            readers.map(|(index, reader)| Source { index, reader, frame: None, next: 0 }).collect();
        let mut heads = BinaryHeap::new();
        for source in &mut sources {
            heads.extend(source.head(stop)?.map(Reverse));
        }
        Ok(Self { sources, heads, read: 0, stop })
    }

    /// The positions with these codes, which increase from call to call within a number of arrows.
    fn frame(
        &mut self,
        obligations: &Obligations,
        arrows: usize,
        codes: Vec<Code>,
    ) -> Result<Vec<ListedPosition>, MergeError> {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for code in codes {
            match self.find(arrows, code)? {
                Some((number, index)) => found.push(ListedPosition { code, number, index }),
                None => missing.push(obligations.position(code)),
            }
        }
        let winner = obligations.winner();
        if missing.is_empty() {
            Ok(found)
        } else {
            Err(MergeError::Missing { arrows, winner, missing })
        }
    }

    /// The move of a position, and the first source that lists it.
    fn find(&mut self, arrows: usize, code: Code) -> Result<Option<(u32, usize)>, MergeError> {
        while let Some(&Reverse((key, index))) = self.heads.peek() {
            if key > (arrows, code) {
                return Ok(None);
            }
            if key == (arrows, code) {
                return Ok(self.sources[index].next_move().map(|number| (number, index)));
            }
            self.advance()?;
        }
        Ok(None)
    }

    /// Goes past the least position.
    fn advance(&mut self) -> Result<(), MergeError> {
        let Some(mut least) = self.heads.peek_mut() else { return Ok(()) };
        let Reverse((_, index)) = *least;
        self.read += 1;
        self.sources[index].next += 1;
        match self.sources[index].head(self.stop)? {
            Some(head) => *least = Reverse(head),
            None => {
                PeekMut::pop(least);
            }
        }
        Ok(())
    }

    /// Reads all sources to their ends, and says how many positions they had.
    fn finish(mut self) -> Result<u64, MergeError> {
        while !self.heads.is_empty() {
            self.advance()?;
        }
        Ok(self.read)
    }
}

impl<R: Read> Source<R> {
    /// Its next position; `None` after the last.
    fn head(&mut self, stop: &StopFlag) -> Result<Option<Head>, MergeError> {
        loop {
            if let Some(frame) = &self.frame
                && let Some(&(code, _)) = frame.positions.get(self.next)
            {
                return Ok(Some(((frame.arrows, code), self.index)));
            }
            if stop.is_set() {
                return Err(MergeError::Stopped);
            }
            (self.frame, self.next) = (None, 0);
            let index = self.index;
            self.frame =
                self.reader.frame().map_err(|error| MergeError::Source { index, error })?;
            if self.frame.is_none() {
                return Ok(None);
            }
        }
    }

    /// The move of its next position.
    fn next_move(&self) -> Option<u32> {
        Some(self.frame.as_ref()?.positions.get(self.next)?.1)
    }
}
