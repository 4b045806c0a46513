//! Reading a certificate; no count in it is trusted.

use std::io::{self, Read};

use super::{
    AFTER_LEAF, Claim, FIRST_WALLS_VERSION, HEADER, LARGE_HEADER, LARGE_VERSION, LARGEST_LEAF,
    MAGIC, POSITION_BYTES, VERSION, WALLS_VERSION,
};
use crate::game::Outcome;
use crate::game::board::{Board, Word};
use crate::game::code::Code;
use crate::game::ground::Ground;
use crate::game::rules::{Bitboards, Colour, Position};
use crate::machine::fields::field;
use crate::machine::framed::{FramedError, FramedReader, Items};
use crate::machine::varint;

/// Why a file is not a certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It does not begin as certificates do.
    #[error("is not a certificate: found {0}")]
    Foreign(&'static str),
    /// It is one of another version.
    #[error(
        "unsupported version of a certificate: expected {VERSION}, {FIRST_WALLS_VERSION}, \
         {WALLS_VERSION} or {LARGE_VERSION}, or {variants} of another game, found {0}",
        variants = super::variants::VERSION
    )]
    Version(u8),
    /// It is of another game than the reader is for.
    #[error("is a certificate of {found}, expected one of {expected}")]
    OtherGame {
        /// The game of the file.
        found: &'static str,
        /// The game of the reader.
        expected: &'static str,
    },
    /// It leaves larger positions to negamax than that can judge.
    #[error("its leaves are too large: expected at most {LARGEST_LEAF} empty squares, found {0}")]
    Leaf(u8),
    /// It is of another game, and leaves larger positions to negamax than that can judge.
    #[error(
        "its leaves are too large: expected room for at most {most} moves, found {0}",
        most = super::variants::LARGEST_LEAF
    )]
    VariantLeaf(u8),
    /// Its header names no position.
    #[error("the header holds no legal position: {0}")]
    Header(String),
    /// Something in it cannot be.
    #[error("is damaged at byte {at}: {what}")]
    Damaged {
        /// Offset in the file.
        at: u64,
        /// What was found.
        what: &'static str,
    },
}

impl From<FramedError> for CertificateError {
    fn from(error: FramedError) -> Self {
        match error {
            FramedError::Io(error) => Self::Io(error),
            FramedError::Short => Self::Foreign("a shorter file"),
            FramedError::Damaged { at, what } => Self::Damaged { at, what },
        }
    }
}

/// Positions with the winner to move, equally many burned squares, and the number of the move for
/// each.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Burned squares.
    pub arrows: usize,
    /// Positions in increasing order.
    pub positions: Vec<(Code, u32)>,
}

/// Reads a certificate from `input`.
#[derive(Debug)]
pub struct Reader<R: Read> {
    body: Body<R>,
    version: u8,
    claim: Claim,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If `input` does not begin as a certificate does.
    pub fn new(input: R) -> Result<Self, CertificateError> {
        let (mut framed, header) = FramedReader::begin::<HEADER>(input, POSITION_BYTES)?;
        if &header[..8] != MAGIC {
            return Err(CertificateError::Foreign("other first bytes"));
        }
        let claim = match header[8] {
            VERSION | FIRST_WALLS_VERSION | WALLS_VERSION => claim(&header)?,
            LARGE_VERSION => {
                let more: [u8; LARGE_HEADER - HEADER] = framed.more_header()?;
                let after: Vec<u8> = header[AFTER_LEAF..].iter().copied().chain(more).collect();
                claim_of_large(&header, &field(&after, 0))?
            }
            super::variants::VERSION => {
                let (found, expected) = ("another game", "Amazons");
                return Err(CertificateError::OtherGame { found, expected });
            }
            other => return Err(CertificateError::Version(other)),
        };
        Ok(Self { body: Body { framed, last: None }, version: header[8], claim })
    }

    /// Where in the file the next frame, or the end, begins.
    pub(super) fn at(&self) -> u64 {
        self.body.framed.at()
    }

    /// The version of the format.
    pub fn version(&self) -> u8 {
        self.version
    }

    /// What is claimed.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// The next frame, `None` after the last one, when the hash has been found right. No frame is
    /// empty, and none has fewer burned squares than the one before it.
    ///
    /// # Errors
    /// Where and how the file is damaged.
    pub fn frame(&mut self) -> Result<Option<Frame>, CertificateError> {
        self.body.next()
    }

    /// The BLAKE3 hash of all that was read so far: once [`Reader::frame`] has given `None`, the
    /// one that ends the file.
    pub fn hash(&self) -> [u8; 32] {
        self.body.framed.hash().into()
    }
}

/// Reads one frame of a file that was read to its end before, whose bytes begin with `input` and
/// are at `at` of the file.
///
/// # Errors
/// As [`Reader::frame`].
pub(super) fn frame_at(input: impl Read, at: u64) -> Result<Frame, CertificateError> {
    let framed = FramedReader::within(input, at, POSITION_BYTES);
    let what = "no frame where there was one";
    Body { framed, last: None }.next()?.ok_or(CertificateError::Damaged { at, what })
}

/// What stands behind the header of a certificate: its frames.
#[derive(Debug)]
struct Body<R: Read> {
    framed: FramedReader<R, 1>,
    /// Burned squares and code of the last position.
    last: Option<(usize, Code)>,
}

impl<R: Read> Body<R> {
    /// See [`Reader::frame`].
    fn next(&mut self) -> Result<Option<Frame>, CertificateError> {
        let Some(Items { at, shared, count, bytes }) = self.framed.next()? else {
            return Ok(None);
        };
        let arrows = usize::from(shared[0]);
        let damaged = |what| CertificateError::Damaged { at, what };
        if self.last.is_some_and(|(before, _)| arrows < before) {
            return Err(damaged("fewer burned squares than in the frame before"));
        }
        let positions =
            self.positions(arrows, count, &bytes).ok_or(damaged("positions out of order"))?;
        Ok(Some(Frame { arrows, positions }))
    }

    /// Decodes a frame; `None` if it is not what a writer makes.
    fn positions(
        &mut self,
        arrows: usize,
        count: usize,
        mut bytes: &[u8],
    ) -> Option<Vec<(Code, u32)>> {
        let mut positions = Vec::with_capacity(count);
        let mut code: u128 = 0;
        for _ in 0..count {
            code = code.checked_add(varint::take(&mut bytes, u128::BITS)?)?;
            let played = varint::take(&mut bytes, u32::BITS)? as u32;
            let here = (arrows, Code(code));
            if self.last.is_some_and(|last| here <= last) {
                return None;
            }
            self.last = Some(here);
            positions.push((Code(code), played));
        }
        bytes.is_empty().then_some(positions)
    }
}

/// What is wrong with a header that holds no position.
fn no_position(reason: impl ToString) -> CertificateError {
    CertificateError::Header(reason.to_string())
}

/// What is claimed of a board of at most 64 squares.
fn claim(header: &[u8; HEADER]) -> Result<Claim, CertificateError> {
    let (board, turn) = board_and_turn(header)?;
    if !board.fits::<u64>() {
        let version = header[8];
        let words = format!("version {version} is of boards of at most 64 squares, found {board}");
        return Err(no_position(words));
    }
    let position = Bitboards::from_bytes(field(header, AFTER_LEAF));
    claim_of(header, board, &position, turn, header[8] != VERSION)
}

/// What is claimed of a larger board, with the bytes after `leaf`.
fn claim_of_large(
    header: &[u8; HEADER],
    after: &[u8; LARGE_HEADER - AFTER_LEAF],
) -> Result<Claim, CertificateError> {
    let (board, turn) = board_and_turn(header)?;
    if board.fits::<u64>() || after[0] > 1 {
        let words = "expected a board of more than 64 squares, and 0 or 1 for the wall rule";
        return Err(no_position(format!("{words}, found {board} and {}", after[0])));
    }
    let position = Bitboards::from_wide_bytes(field(after, 1));
    let claim = claim_of(header, board, &position, turn, after[0] == 1)?;
    Ground::in_position(&claim.position).map_err(no_position)?;
    Ok(claim)
}

fn board_and_turn(header: &[u8; HEADER]) -> Result<(Board, Colour), CertificateError> {
    let [columns, rows, turn, win] = [9, 10, 11, 12].map(|at| header[at]);
    let board = Board::new(columns.into(), rows.into()).map_err(no_position)?;
    for (what, found) in [("the side to move", turn), ("the claim", win)] {
        if found > 1 {
            return Err(no_position(format!("expected 0 or 1 for {what}, found {found}")));
        }
    }
    Ok((board, if turn == 1 { Colour::Black } else { Colour::White }))
}

fn claim_of<W: Word>(
    header: &[u8; HEADER],
    board: Board,
    position: &Bitboards<W>,
    turn: Colour,
    walls: bool,
) -> Result<Claim, CertificateError> {
    let (outcome, leaf) = (Outcome::win_if(header[12] == 1), header[13]);
    if leaf > LARGEST_LEAF {
        return Err(CertificateError::Leaf(leaf));
    }
    let position = Position::new(board, position, turn).map_err(no_position)?;
    Ok(Claim { position, outcome, leaf, walls })
}
