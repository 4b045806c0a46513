//! Frames to fewer bytes and back.
//!
//! An [`Encoder`] or [`Decoder`] belongs to one thread and keeps its buffers; what it writes
//! depends on nothing but the frame and the tier's shape. Two codecs, chosen by the shape: where
//! rows are long, rows seen before vote on each bit (see the module `votes`) and the bits go to a
//! stream for each outcome of the vote; where they are short, the frame's bytes go through zstd.
//! `docs/compression.md` has the figures.
//!
//! A plane of a table of margins is coded behind its inner plane, the one nearer to 0, which
//! decides it in part: who wins with `s` spare moves wins with `s + 1`. Only the positions that the
//! inner plane leaves *open* are coded. Planes below 0 are complemented first, so that of all of
//! them the bits grow outwards. A frame that is as that of the inner plane takes no bytes.

use super::streams::{self, Streams, Writer};
use super::votes::{STREAMS, STREAMS_OF, VOTERS, Voters, cases};
use super::{CodecError, Frames};
use crate::machine::buffer;
use crate::machine::isa::{InstructionSet, Isa, Work};
use crate::machine::zstd::{Compressor, Decompressor, compress_bound, literal_compressor};
use crate::tables::index::TierShape;

/// How the frames of a tier are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Codec {
    /// Each frame is one zstd frame of its bytes.
    Zstd = 0,
    /// Bits in streams by the votes of earlier rows, each stream entropy-coded.
    Votes = 1,
    /// As [`Self::Zstd`], of the difference to the inner plane.
    PlaneZstd = 2,
    /// As [`Self::Votes`], of the bits that the inner plane leaves open.
    PlaneVotes = 3,
}

impl Codec {
    /// The codec of a tier: votes if a row fills a word, else the bytes of rows are too few to vote
    /// on.
    pub fn of(shape: &TierShape) -> Self {
        match (shape.row_bits() >= 64, shape.plane()) {
            (false, 0) => Self::Zstd,
            (true, 0) => Self::Votes,
            (false, _) => Self::PlaneZstd,
            (true, _) => Self::PlaneVotes,
        }
    }

    /// Whether rows vote.
    fn votes(self) -> bool {
        matches!(self, Self::Votes | Self::PlaneVotes)
    }
}

/// Level 1: higher levels gain 3 % and cost a third of the speed.
const LEVEL: i32 = 1;

/// A frame has fewer bytes than so many times those of its encoding: a block of zstd stands for at
/// most 2^17 bytes and takes at least 4, and where bits are in streams a row has at most 9 bytes
/// for each 8 that its bits fill.
const MOST_OF_A_BYTE: usize = 1 << 16;

/// Encodes the frames of one tier.
pub struct Encoder {
    frames: Frames,
    zstd: Compressor<'static>,
    buffer: Vec<u8>,
    /// The difference of a frame to that of the inner plane.
    difference: Vec<u8>,
    isa: InstructionSet,
    votes: Option<Votes<[Writer; STREAMS]>>,
}

/// What voting needs: the voters of a tier, the rows of a frame in words, and the streams.
struct Votes<S> {
    voters: Voters,
    rows: Vec<u64>,
    /// The rows of the inner plane, or of none.
    inner: Vec<u64>,
    streams: S,
}

impl<S: Default> Votes<S> {
    fn of(frames: &Frames) -> Option<Self> {
        Codec::of(frames.shape()).votes().then(|| Self {
            voters: Voters::new(frames.shape()),
            rows: Vec::new(),
            inner: Vec::new(),
            streams: S::default(),
        })
    }
}

impl<S> Votes<S> {
    /// Puts the bytes of a frame into the words of its rows.
    fn take_rows(&mut self, frames: &Frames, raw: &[u8]) {
        words_into(&mut self.rows, frames, raw);
    }

    /// The same of the frame of the inner plane.
    fn take_inner(&mut self, frames: &Frames, raw: &[u8]) {
        words_into(&mut self.inner, frames, raw);
    }

    /// Complements all rows of a plane below 0, so that it is coded as one above 0 is.
    fn complement(&mut self, plane: i8, frames: &Frames) {
        if plane < 0 {
            complement(&mut self.rows, frames);
            complement(&mut self.inner, frames);
        }
    }

    /// Words of 0 for the rows of a frame of so many bytes.
    fn clear_rows(&mut self, frames: &Frames, bytes: usize) -> Result<(), CodecError> {
        self.rows.clear();
        let words = bytes / frames.shape().row_bytes() * words_of_row(frames);
        Ok(buffer::resize(&mut self.rows, words)?)
    }

    /// Puts the words of the rows into the bytes of a frame.
    fn give_rows(&self, frames: &Frames, raw: &mut [u8]) {
        let rows = raw.chunks_exact_mut(frames.shape().row_bytes());
        for (row, words) in rows.zip(self.rows.chunks_exact(words_of_row(frames))) {
            let (whole, tail) = row.as_chunks_mut::<8>();
            for (bytes, word) in whole.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            let length = tail.len();
            tail.copy_from_slice(&words[words.len() - 1].to_le_bytes()[..length]);
        }
    }
}

/// The bytes of a frame as the words of its rows.
fn words_into(words: &mut Vec<u64>, frames: &Frames, raw: &[u8]) {
    words.clear();
    for row in raw.chunks_exact(frames.shape().row_bytes()) {
        let (whole, tail) = row.as_chunks::<8>();
        words.extend(whole.iter().map(|&word| u64::from_le_bytes(word)));
        if !tail.is_empty() {
            words.push(little_endian(tail));
        }
    }
}

/// Complements rows, but not what stands behind their last columns.
fn complement(rows: &mut [u64], frames: &Frames) {
    let last = last_word(frames.shape());
    for row in rows.chunks_exact_mut(words_of_row(frames)) {
        let (tail, whole) = row.split_last_mut().expect("a row has a word");
        whole.iter_mut().for_each(|word| *word = !*word);
        *tail ^= last;
    }
}

impl Encoder {
    /// An encoder for the frames of a tier.
    ///
    /// # Errors
    /// If zstd cannot set up its context.
    pub fn new(frames: Frames) -> Result<Self, CodecError> {
        let votes = Votes::of(&frames);
        let zstd = if votes.is_some() {
            literal_compressor(streams::LEVEL)?
        } else {
            Compressor::new(LEVEL)?
        };
        let (buffer, difference) = (Vec::new(), Vec::new());
        Ok(Self { frames, zstd, buffer, difference, isa: InstructionSet::detect(), votes })
    }

    /// Appends the encoded frame to `out`.
    ///
    /// # Errors
    /// [`CodecError::Size`] if `raw` is not as long as this frame must be.
    pub fn encode(&mut self, frame: u64, raw: &[u8], out: &mut Vec<u8>) -> Result<(), CodecError> {
        expect_size(&self.frames, frame, raw.len())?;
        let Some(votes) = &mut self.votes else { return self.compress(raw, out) };
        votes.take_rows(&self.frames, raw);
        self.encode_rows(frame, out)
    }

    /// As [`Self::encode`], of a plane behind the frame of its inner plane.
    ///
    /// # Errors
    /// As [`Self::encode`], of both.
    pub fn encode_plane(
        &mut self,
        frame: u64,
        inner: &[u8],
        raw: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), CodecError> {
        expect_size(&self.frames, frame, raw.len())?;
        expect_size(&self.frames, frame, inner.len())?;
        if raw == inner {
            return Ok(());
        }
        let Some(votes) = &mut self.votes else {
            let mut difference = std::mem::take(&mut self.difference);
            difference.clear();
            difference.extend(raw.iter().zip(inner).map(|(outer, inner)| outer ^ inner));
            let compressed = self.compress(&difference, out);
            self.difference = difference;
            return compressed;
        };
        votes.take_rows(&self.frames, raw);
        votes.take_inner(&self.frames, inner);
        votes.complement(self.frames.shape().plane(), &self.frames);
        self.encode_rows(frame, out)
    }

    /// Appends a zstd frame.
    fn compress(&mut self, raw: &[u8], out: &mut Vec<u8>) -> Result<(), CodecError> {
        self.buffer.resize(compress_bound(raw.len()), 0);
        let written = self.zstd.compress_to_buffer(raw, &mut self.buffer[..])?;
        out.extend_from_slice(&self.buffer[..written]);
        Ok(())
    }

    /// Appends the streams of the rows that were taken.
    fn encode_rows(&mut self, frame: u64, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let Some(votes) = &mut self.votes else { return Ok(()) };
        self.isa.run(Walk { frames: &self.frames, frame, votes });
        votes
            .streams
            .iter_mut()
            .try_for_each(|stream| stream.flush(&mut self.zstd, &mut self.buffer, out))
    }
}

/// Calls a function with the number of voters as a constant, so that the loop over words is
/// compiled for each.
macro_rules! by_voters {
    ($count:expr, $function:ident($($argument:expr),*)) => {
        match $count {
            0 => $function::<0>($($argument),*),
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            _ => $function::<5>($($argument),*),
        }
    };
}

/// The streams of a frame, on their way from its rows or to them.
trait Sorted {
    /// Moves the bits of a row's word that stand under `mask` between the word and a stream.
    fn pass(&mut self, isa: impl Isa, word: &mut u64, mask: u64, stream: usize);
}

/// Encoding: from the word to the end of the stream.
impl Sorted for [Writer; STREAMS] {
    #[inline(always)]
    fn pass(&mut self, isa: impl Isa, word: &mut u64, mask: u64, stream: usize) {
        self[stream].push(isa.extract(*word, mask), mask.count_ones());
    }
}

/// Decoding: from the stream to the word, where these bits are 0 before.
impl Sorted for Streams {
    #[inline(always)]
    fn pass(&mut self, isa: impl Isa, word: &mut u64, mask: u64, stream: usize) {
        *word |= isa.deposit(self.take(stream, mask.count_ones()), mask);
    }
}

/// Goes through all bits of a frame in the order in which the streams have them. Rows vote on those
/// behind them only, so a decoder always has those that vote.
struct Walk<'a, S> {
    frames: &'a Frames,
    frame: u64,
    votes: &'a mut Votes<S>,
}

impl<S: Sorted> Work for Walk<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: impl Isa) {
        let Self { frames, frame, votes: Votes { voters, rows, inner, streams } } = self;
        let (words, last) = (words_of_row(frames), last_word(frames.shape()));
        let inner = &inner[..];
        voters.for_each_row(frames, frame, |row, voters| {
            let inner = if inner.is_empty() { inner } else { &inner[row * words..][..words] };
            by_voters!(voters.len(), walk_row(isa, rows, words, row, voters, last, inner, streams));
        });
    }
}

#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "it is the body of a loop over constants")]
fn walk_row<const N: usize>(
    isa: impl Isa,
    rows: &mut [u64],
    words: usize,
    row: usize,
    voters: &[usize],
    last: u64,
    inner: &[u64],
    streams: &mut impl Sorted,
) {
    let (before, rows) = rows.split_at_mut(row * words);
    let votes = voting_rows::<N>(before, words, voters);
    for (at, place) in rows[..words].iter_mut().enumerate() {
        let mut used = if at + 1 == words { last } else { !0 };
        if !inner.is_empty() {
            used &= !inner[at];
            if used == 0 {
                continue;
            }
        }
        let masks = cases::<N>(words_at::<N>(votes, at));
        // A copy: the compiler does not know that the streams lie elsewhere.
        let mut word = *place;
        for (&stream, mask) in STREAMS_OF[N].iter().zip(masks) {
            streams.pass(isa, &mut word, mask & used, stream);
        }
        *place = word;
    }
}

/// The words of the rows that vote; unused places repeat some row. Without voters, as in the first
/// row of a frame, there need not be any row.
#[inline(always)]
fn voting_rows<'a, const N: usize>(
    rows: &'a [u64],
    words: usize,
    voters: &[usize],
) -> [&'a [u64]; VOTERS] {
    if N == 0 {
        return [&[]; VOTERS];
    }
    std::array::from_fn(|voter| {
        let row = if voter < N { voters[voter] } else { 0 };
        &rows[row * words..][..words]
    })
}

/// One word of each row that votes.
#[inline(always)]
fn words_at<const N: usize>(votes: [&[u64]; VOTERS], at: usize) -> [u64; VOTERS] {
    if N == 0 { [0; VOTERS] } else { votes.map(|voter| voter[at]) }
}

/// Decodes the frames of one tier, and of all its planes.
pub struct Decoder {
    frames: Frames,
    zstd: Decompressor<'static>,
    isa: InstructionSet,
    votes: Option<Votes<Streams>>,
    /// A whole frame, for readers that want a part of one.
    pub(super) scratch: Vec<u8>,
    /// An encoded frame, for readers of files.
    pub(super) encoded: Vec<u8>,
    /// The difference of a frame to that of the inner plane.
    difference: Vec<u8>,
}

impl Decoder {
    /// A decoder for the frames of a tier.
    ///
    /// # Errors
    /// If zstd cannot set up its context.
    pub fn new(frames: Frames) -> Result<Self, CodecError> {
        Ok(Self {
            frames,
            zstd: Decompressor::new()?,
            isa: InstructionSet::detect(),
            votes: Votes::of(&frames),
            scratch: Vec::new(),
            encoded: Vec::new(),
            difference: Vec::new(),
        })
    }

    /// Bytes that a decoder of a tier holds to know which rows vote.
    pub(super) fn voters_bytes(shape: &TierShape) -> u64 {
        if Codec::of(shape).votes() { Voters::bytes(shape) } else { 0 }
    }

    /// As [`Self::decode`], into a buffer that is made as long as the frame. What a frame of one
    /// row needs is bounded by the positions of its tier alone, so memory is asked for only if the
    /// encoded bytes may be those of such a frame.
    ///
    /// # Errors
    /// As [`Self::decode`], [`CodecError::TooFew`] if they cannot be, or if there is no memory.
    pub(super) fn decode_into(
        &mut self,
        frame: u64,
        encoded: &[u8],
        raw: &mut Vec<u8>,
    ) -> Result<(), CodecError> {
        let expected = self.frames.bytes(frame);
        if expected > encoded.len().saturating_mul(MOST_OF_A_BYTE) {
            return Err(CodecError::TooFew { expected, found: encoded.len() });
        }
        buffer::resize(raw, expected)?;
        self.decode(frame, encoded, raw)
    }

    /// Decodes a frame into `raw`. After an error the bytes of `raw` mean nothing.
    ///
    /// # Errors
    /// [`CodecError`] if `raw` is not as long as this frame must be, or `encoded` is no encoded
    /// frame of that length.
    pub fn decode(&mut self, frame: u64, encoded: &[u8], raw: &mut [u8]) -> Result<(), CodecError> {
        expect_size(&self.frames, frame, raw.len())?;
        let Some(votes) = &mut self.votes else {
            let found = self.zstd.decompress_to_buffer(encoded, raw)?;
            return expect_size(&self.frames, frame, found);
        };
        votes.streams.decode(&mut self.zstd, encoded, raw.len())?;
        votes.clear_rows(&self.frames, raw.len())?;
        votes.inner.clear();
        self.isa.run(Walk { frames: &self.frames, frame, votes });
        votes.give_rows(&self.frames, raw);
        votes.streams.finish()
    }

    /// Decodes a frame of a plane into `raw`, where that of its inner plane is before. After an
    /// error the bytes of `raw` mean nothing.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub fn decode_plane(
        &mut self,
        plane: i8,
        frame: u64,
        encoded: &[u8],
        raw: &mut [u8],
    ) -> Result<(), CodecError> {
        expect_size(&self.frames, frame, raw.len())?;
        if encoded.is_empty() {
            return Ok(());
        }
        let Some(votes) = &mut self.votes else {
            buffer::resize(&mut self.difference, raw.len())?;
            let found = self.zstd.decompress_to_buffer(encoded, &mut self.difference[..])?;
            expect_size(&self.frames, frame, found)?;
            for (byte, difference) in raw.iter_mut().zip(&self.difference) {
                *byte ^= difference;
            }
            return Ok(());
        };
        votes.streams.decode(&mut self.zstd, encoded, raw.len())?;
        votes.inner.clear();
        votes.take_rows(&self.frames, raw);
        votes.complement(plane, &self.frames);
        votes.inner.clone_from(&votes.rows);
        self.isa.run(Walk { frames: &self.frames, frame, votes });
        votes.inner.clear();
        votes.complement(plane, &self.frames);
        votes.give_rows(&self.frames, raw);
        votes.streams.finish()
    }
}

/// Words that a row takes.
fn words_of_row(frames: &Frames) -> usize {
    frames.shape().row_bytes().div_ceil(8)
}

/// The bits of a row's last word that belong to columns.
fn last_word(shape: &TierShape) -> u64 {
    match shape.row_bits() % 64 {
        0 => !0,
        used => (1 << used) - 1,
    }
}

fn little_endian(tail: &[u8]) -> u64 {
    tail.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn expect_size(frames: &Frames, frame: u64, found: usize) -> Result<(), CodecError> {
    let expected = frames.bytes(frame);
    if found == expected { Ok(()) } else { Err(CodecError::Size { expected, found }) }
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder").field("frames", &self.frames).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("frames", &self.frames).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    /// Rows of bits that often equal those of the row before, as real ones do.
    fn content(shape: &TierShape, rows: usize, random: &mut StdRng) -> Vec<u8> {
        let noise = random.random_range(0..=100);
        let mut out = Vec::new();
        for row in 0..rows {
            for column in 0..shape.row_bytes() {
                let before = if row > 0 { out[(row - 1) * shape.row_bytes() + column] } else { 0 };
                out.push(if random.random_range(0..100) < noise {
                    before ^ random.random::<u8>()
                } else {
                    before
                });
            }
            let used = shape.row_bits() % 8;
            if used > 0 {
                *out.last_mut().unwrap() &= (1 << used) - 1;
            }
        }
        out
    }

    #[test]
    fn planes_come_back_behind_their_inner_planes() {
        let mut random = StdRng::seed_from_u64(11);
        for (board, arrows, mover, opponent) in
            [("4x4", 1, 4, 4), ("4x4", 7, 4, 4), ("4x5", 6, 3, 2)]
        {
            let shape = TierShape::new(board.parse().unwrap(), arrows, mover, opponent).unwrap();
            for plane in [3, -3] {
                let frames = Frames::new(shape.with_plane(plane), 40, 3000);
                let (mut encoder, mut decoder) =
                    (Encoder::new(frames).unwrap(), Decoder::new(frames).unwrap());
                for frame in [0, frames.len() / 2] {
                    let rows = frames.span(frame).sets * frames.span(frame).rows;
                    let inner = content(&shape, rows, &mut random);
                    let other = content(&shape, rows, &mut random);
                    let nested = |(inner, other): (&u8, &u8)| match plane {
                        1.. => inner | other,
                        _ => inner & other,
                    };
                    let raw: Vec<u8> = inner.iter().zip(&other).map(nested).collect();
                    let mut encoded = Vec::new();
                    encoder.encode_plane(frame, &inner, &inner, &mut encoded).unwrap();
                    assert!(encoded.is_empty(), "what is as the inner plane takes no bytes");
                    encoder.encode_plane(frame, &inner, &raw, &mut encoded).unwrap();
                    let mut back = inner.clone();
                    decoder.decode_plane(plane, frame, &encoded, &mut back).unwrap();
                    assert!(back == raw, "{shape}, plane {plane}");
                    for _ in 0..20 {
                        let at = random.random_range(0..encoded.len());
                        let mut damaged = encoded.clone();
                        damaged[at] ^= random.random_range(1..=255u8);
                        let mut back = inner.clone();
                        let _ = decoder.decode_plane(plane, frame, &damaged, &mut back);
                        let cut = decoder.decode_plane(plane, frame, &encoded[..at], &mut back);
                        assert!(at == 0 || cut.is_err());
                    }
                }
            }
        }
    }

    #[test]
    fn frames_come_back_and_damaged_ones_never_panic() {
        let mut random = StdRng::seed_from_u64(7);
        for (board, arrows, mover, opponent) in [
            ("4x4", 1, 4, 4),
            ("4x4", 7, 4, 4),
            ("4x5", 8, 4, 4),
            ("4x4", 0, 1, 5),
            ("4x5", 6, 3, 2),
            ("4x5", 9, 6, 0),
        ] {
            let shape = TierShape::new(board.parse().unwrap(), arrows, mover, opponent).unwrap();
            for target in [1, 3000, 1 << 16] {
                let frames = Frames::new(shape, 40, target);
                let (mut encoder, mut decoder) =
                    (Encoder::new(frames).unwrap(), Decoder::new(frames).unwrap());
                for frame in [0, frames.len() / 2, frames.len() - 1] {
                    let rows = frames.span(frame).sets * frames.span(frame).rows;
                    let raw = content(&shape, rows, &mut random);
                    let mut encoded = Vec::new();
                    encoder.encode(frame, &raw, &mut encoded).unwrap();
                    let mut back = vec![0xaa; raw.len()];
                    decoder.decode(frame, &encoded, &mut back).unwrap();
                    assert!(back == raw, "{shape}, frame {frame} of {}", frames.len());
                    for _ in 0..20 {
                        let at = random.random_range(0..encoded.len());
                        let mut damaged = encoded.clone();
                        damaged[at] ^= random.random_range(1..=255u8);
                        let _ = decoder.decode(frame, &damaged, &mut back);
                        assert!(decoder.decode(frame, &encoded[..at], &mut back).is_err());
                    }
                }
            }
        }
    }
}
