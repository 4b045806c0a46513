//! Reading a digest; no count in it is trusted. And what a solver takes from it.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use super::{
    Digest, DigestError, Group, HEADER, LARGE_HEADER, LARGE_VERSION, MAGIC, POSITION_BYTES, VERSION,
};
use crate::game::Outcome;
use crate::game::board::{Board, Kings, OtherBoard, Word};
use crate::game::code::{Code, Coder};
use crate::game::notation::fen_of_mover;
use crate::game::rules::{Bitboards, Colour, Position};
use crate::machine::fields::field;
use crate::machine::framed::{FramedReader, Items};
use crate::machine::{files, varint};
use crate::search::monitor::line::NoProofs;
use crate::search::solver::Solver;
use crate::search::sum::canonical::RegionSquares;
use crate::search::sum::key::Key;
use crate::search::sum::numbers::{INFINITE, Numbers};
use crate::search::sum::reduction::{Bounds, Reduced, Reducer};
use crate::search::table::Entry;

/// Positions of which the same is known.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What is known of each.
    pub group: Group,
    /// The positions, in the order of their codes.
    pub positions: Vec<Bitboards<u128>>,
    /// The numbers of each, if the group has any.
    pub numbers: Vec<Numbers>,
}

/// Reads a digest from `input`, frame by frame.
#[derive(Debug)]
pub struct Reader<R: Read> {
    frames: FramedReader<R, 4>,
    coder: Coder<u128>,
    /// What the header says, and of the frames read so far what is not in the header.
    digest: Digest,
    /// Positions read so far.
    read: u64,
    /// The last position.
    last: Option<(Group, Code)>,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If `input` does not begin as a digest does.
    pub fn new(input: R) -> Result<Self, DigestError> {
        let (mut frames, header) = FramedReader::begin::<HEADER>(input, POSITION_BYTES)?;
        if &header[..8] != MAGIC {
            return Err(DigestError::Foreign("other first bytes"));
        }
        let version = u32::from_le_bytes(field(&header, 8));
        let mut header = header.to_vec();
        match version {
            VERSION => {}
            LARGE_VERSION => header.extend(frames.more_header::<{ LARGE_HEADER - HEADER }>()?),
            _ => return Err(DigestError::Version(version)),
        }
        let damaged = |at, what| DigestError::Damaged { at, what };
        let is_large = version == LARGE_VERSION;
        let board = Board::new(header[12].into(), header[13].into()).ok();
        let board =
            board.filter(|board| board.fits::<u64>() != is_large && header[14..16] == [0, 0]);
        let board = board.ok_or(damaged(12, "no board of this version"))?;
        let number = |at: usize| u64::from_le_bytes(field(&header, at));
        let no_position = || damaged(16, "no legal position");
        let position = Bitboards::from_bytes_on(board, &header[16..]).ok_or_else(no_position)?;
        if Position::new(board, &position, Colour::White).is_err() {
            return Err(no_position());
        }
        let kings = Kings::new(board).map_err(|_| no_position())?;
        let coder = Coder::of_file(&kings, &position).map_err(|_| no_position())?;
        let nodes = number(header.len() - 16);
        let positions = number(header.len() - 8);
        let digest =
            Digest { board, position, nodes, positions, solved: 0, open: 0, least_effort: 0 };
        Ok(Self { frames, coder, digest, read: 0, last: None })
    }

    /// What the header says, and of the frames read so far how many are solved or open.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The next frame, `None` after the last one, when the hash has been found right.
    ///
    /// # Errors
    /// Where and how the file is damaged.
    pub fn frame(&mut self) -> Result<Option<Frame>, DigestError> {
        let Some(Items { at, shared, count, bytes }) = self.frames.next()? else {
            return self.end().map(|()| None);
        };
        let damaged = |what| DigestError::Damaged { at, what };
        let [effort, spare, won, lost] = shared;
        let [spare, won, lost] = [spare, won, lost].map(|byte| byte as i8);
        let group = Group { effort: Reverse(effort), spare, won, lost };
        if !group.is_possible() {
            return Err(damaged("an effort or net integers that cannot be"));
        }
        let frame = self
            .decode(group, count, &bytes)
            .ok_or(damaged("positions out of order, that cannot be, or with impossible numbers"))?;
        let count = count as u64;
        self.read += count;
        self.digest.solved += if group.bounds() == Bounds::NONE { 0 } else { count };
        self.digest.open += if group.has_numbers() { count } else { 0 };
        self.digest.least_effort = group.effort.0;
        Ok(Some(frame))
    }

    /// Decodes a frame; `None` if it is not what a writer makes.
    fn decode(&mut self, group: Group, count: usize, mut bytes: &[u8]) -> Option<Frame> {
        let mut frame = Frame { group, positions: Vec::new(), numbers: Vec::new() };
        let mut code: u128 = 0;
        for _ in 0..count {
            code = code.checked_add(varint::take(&mut bytes, u128::BITS)?)?;
            let here = (group, Code(code));
            if self.last.is_some_and(|last| here <= last) {
                return None;
            }
            self.last = Some(here);
            let position = self.coder.position(Code(code))?;
            if self.coder.code(&position) != Code(code) {
                return None;
            }
            frame.positions.push(position);
        }
        if group.has_numbers() {
            let mut column = || -> Option<Vec<u32>> {
                let take = |_| varint::take(&mut bytes, 18).map(|number| number as u32);
                let numbers: Option<Vec<u32>> = (0..count).map(take).collect();
                numbers.filter(|numbers| numbers.iter().all(|&n| n > 0 && n < INFINITE))
            };
            let (proofs, disproofs) = (column()?, column()?);
            let numbers = proofs.into_iter().zip(disproofs);
            frame.numbers = numbers.map(|(proof, disproof)| Numbers { proof, disproof }).collect();
        }
        bytes.is_empty().then_some(frame)
    }

    /// Compares what was read with what the header says.
    fn end(&self) -> Result<(), DigestError> {
        if self.read == self.digest.positions {
            return Ok(());
        }
        // The last field of the header, which is as long as the board asks for.
        let header = if self.digest.board.fits::<u64>() { HEADER } else { LARGE_HEADER };
        let at = header as u64 - 8;
        Err(DigestError::Damaged { at, what: "another number of positions than there are" })
    }
}

impl<W: Word> Solver<'_, W> {
    /// Takes up a digest of a search of any position of the solver's board; says what it held. What
    /// is found from then on rests on it.
    ///
    /// On a board of more than 64 squares the digest may be of an earlier or a later position than
    /// the solver's. What is not of the solver's ground is passed over.
    ///
    /// The positions are reduced anew. So a digest serves a version whose canonical places are
    /// others, and what contradicts the bounds of the search is found out.
    ///
    /// # Errors
    /// If the file is damaged, or of another board or version, or claims what is not so. The solver
    /// then knows what it knew, unless the file was changed, or could not be read, after all of it
    /// had been found right. [`DigestError::Stopped`] if the search is over meanwhile
    /// ([`Solver::is_over`]): the solver may then know a part of it.
    pub fn take_digest(&mut self, path: &Path) -> Result<Digest, DigestError> {
        let mut file = files::open_regular(path)?;
        // Read twice: nothing is taken up before all of it has been found right.
        let found = self.read_digest(&file, |_, _| ())?;
        self.reserve(found.positions)?;
        file.rewind()?;
        self.rests_on_digest = true;
        self.read_digest(&file, |key, entry| self.table.insert(key, entry))
    }

    /// Reads a digest; calls `take` with the entries of the table that it stands for.
    fn read_digest(
        &self,
        file: &File,
        mut take: impl FnMut(Key, Entry),
    ) -> Result<Digest, DigestError> {
        let mut reader = Reader::new(BufReader::new(file))?;
        OtherBoard::check(self.data.board(), reader.digest().board)?;
        let mut reducer = Reducer::default();
        while let Some(Frame { group, positions, numbers }) = reader.frame()? {
            if self.is_over() {
                return Err(DigestError::Stopped);
            }
            let bounds = group.bounds();
            for (at, position) in positions.iter().enumerate() {
                let position = position.resize::<W>().expect("the solver's board fits its word");
                if self.check(self.data.board(), &position).is_err() {
                    continue;
                }
                let mut say = |spare: i8, numbers: Numbers| {
                    let squares = RegionSquares::of(self.data.board(), &position);
                    match reducer.reduce(&self.data, &NoProofs, squares, spare.into()) {
                        Reduced::Open { sum, key, .. } => {
                            take(key, Entry::new(sum.spare, numbers, group.effort.0));
                            true
                        }
                        Reduced::Decided(outcome) => numbers.verdict() != Some(!outcome),
                    }
                };
                let win = bounds.won != Bounds::NONE.won;
                let loss = bounds.lost != Bounds::NONE.lost;
                if (win && !say(bounds.won, Numbers::solved(Outcome::Win)))
                    || (loss && !say(bounds.lost, Numbers::solved(Outcome::Loss)))
                {
                    let position = fen_of_mover(self.data.board(), &position);
                    return Err(DigestError::Untrue(position));
                }
                if let Some(&numbers) = numbers.get(at) {
                    say(group.spare, numbers);
                }
            }
        }
        Ok(reader.digest())
    }
}
