//! Reading a certificate of another game; no count in it is trusted.

use std::io::Read;

use super::{
    HEADER, LARGEST_LEAF, LISTED_BYTES, Listed, MAGIC, ORIGINS, SHOTS, STEPS, VERSION,
    VariantClaim, parts,
};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::Colour;
use crate::game::variants::{RuleSet, Turns, VariantCode, VariantCoder, VariantPosition};
use crate::machine::fields::field;
use crate::machine::framed::{FramedReader, Items};
use crate::machine::varint;
use crate::proof::{self, CertificateError, FIRST_WALLS_VERSION, LARGE_VERSION, WALLS_VERSION};

/// Whether a file begins as the certificates of other games do.
pub fn is_of_variant(mut input: impl Read) -> bool {
    let mut begins = [0; MAGIC.len() + 1];
    input.read_exact(&mut begins).is_ok() && begins[..8] == *MAGIC && begins[8] == VERSION
}

/// Reads a certificate of another game.
#[derive(Debug)]
pub struct VariantReader<R: Read> {
    frames: FramedReader<R, 0>,
    claim: VariantClaim,
    last: Option<VariantCode>,
}

impl<R: Read> VariantReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If `input` does not begin as such a certificate does.
    pub fn new(input: R) -> Result<Self, CertificateError> {
        let (frames, header) = FramedReader::begin::<HEADER>(input, LISTED_BYTES)?;
        if &header[..8] != MAGIC {
            return Err(CertificateError::Foreign("other first bytes"));
        }
        match header[8] {
            VERSION => {}
            proof::VERSION | FIRST_WALLS_VERSION | WALLS_VERSION | LARGE_VERSION => {
                let (found, expected) = ("Amazons", "another game");
                return Err(CertificateError::OtherGame { found, expected });
            }
            other => return Err(CertificateError::Version(other)),
        }
        Ok(Self { frames, claim: claim(&header)?, last: None })
    }

    /// The version of the format: there is one.
    pub fn version(&self) -> u8 {
        VERSION
    }

    /// What is claimed.
    pub fn claim(&self) -> &VariantClaim {
        &self.claim
    }

    /// The positions of the next frame, in increasing order of their codes; `None` after the last
    /// one, when the hash has been found right. No frame is empty.
    ///
    /// # Errors
    /// Where and how the file is damaged.
    pub fn frame(&mut self) -> Result<Option<Vec<Listed>>, CertificateError> {
        let Some(Items { at, count, bytes, .. }) = self.frames.next()? else { return Ok(None) };
        let what = "positions out of order";
        self.read_list(count, &bytes).map(Some).ok_or(CertificateError::Damaged { at, what })
    }

    /// The BLAKE3 hash of all that was read so far: once [`VariantReader::frame`] has given `None`,
    /// the one that ends the file.
    pub fn hash(&self) -> [u8; 32] {
        self.frames.hash().into()
    }

    fn read_list(&mut self, count: usize, mut bytes: &[u8]) -> Option<Vec<Listed>> {
        let (walls, turns) = parts(self.claim.position.rules());
        let mut listed = Vec::with_capacity(count);
        let mut squares: u128 = 0;
        for _ in 0..count {
            let mut take = |bits| varint::take(&mut bytes, bits);
            squares = squares.checked_add(take(u128::BITS)?)?;
            let mut code = VariantCode { squares, turn: [1, 0], ..VariantCode::default() };
            if walls {
                code.walls = take(u128::BITS)?;
            }
            if turns {
                code.moved = take(u64::BITS)? as u64;
                code.turn = [take(u8::BITS)? as u8, take(u8::BITS)? as u8];
            }
            let played = take(u32::BITS + 1)?.checked_sub(1);
            let played = played.map(u32::try_from).transpose().ok()?;
            if self.last.is_some_and(|last| code <= last) {
                return None;
            }
            self.last = Some(code);
            listed.push(Listed { code, played });
        }
        bytes.is_empty().then_some(listed)
    }
}

fn claim(header: &[u8; HEADER]) -> Result<VariantClaim, CertificateError> {
    let bad = |reason: &str| CertificateError::Header(reason.to_string());
    let board = Board::new(header[9].into(), header[10].into());
    let board = board.map_err(|error| bad(&error.to_string()))?;
    if !board.fits::<u64>() {
        return Err(bad("the board has more than 64 squares"));
    }
    let rules = rules(&header[11..23]).ok_or_else(|| bad("its rules are none of the family"))?;
    let [turn, win, leaf] = [23, 24, 25].map(|at| header[at]);
    if turn > 1 || win > 1 {
        return Err(bad("an impossible turn or claim"));
    }
    if leaf > LARGEST_LEAF {
        return Err(CertificateError::VariantLeaf(leaf));
    }
    let code = VariantCode {
        squares: u128::from_le_bytes(field(header, 26)),
        walls: u128::from_le_bytes(field(header, 42)),
        moved: u64::from_le_bytes(field(header, 58)),
        turn: [header[66], header[67]],
    };
    let turn = if turn == 1 { Colour::Black } else { Colour::White };
    let state = VariantCoder::new(board, rules).state(&code);
    let position = state.and_then(|state| VariantPosition::of(board, rules, &state, turn));
    let position = position.ok_or_else(|| bad("its position is none of its board and rules"))?;
    Ok(VariantClaim { position, outcome: Outcome::win_if(win == 1), leaf })
}

fn rules(choices: &[u8]) -> Option<RuleSet> {
    let [step, origin, shot, count] = [0, 1, 2, 3].map(|at| usize::from(choices[at]));
    let lengths = &choices[4..];
    let turns = Turns::new(lengths.get(..count)?)?;
    let rules = RuleSet {
        step: *STEPS.get(step)?,
        origin: *ORIGINS.get(origin)?,
        shot: *SHOTS.get(shot)?,
        turns,
    };
    // What repeats is listed once, and repeated behind.
    let spelled = (1..=8).map(|number| turns.length(number));
    (turns.count() == choices[3] && spelled.eq(lengths.iter().copied())).then_some(rules)
}
