//! Reading one tier from bytes that nobody vouches for.
//!
//! Opening compares the header with itself, the file's length with what the header implies, and the
//! list of arrow sets and the frame index with their checksums: a pass over a thousandth of the
//! file, which of a file stays in memory. A frame is read, and compared with its checksum, when it
//! is needed. What remains possible is a file that was forged with fitting checksums; it may give
//! wrong answers, but no panic, and a full check finds it. Its length bounds what it makes a reader
//! allocate, and memory that cannot be had is an error.

use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::header::{ENTRY_BYTES, HEADER_BYTES, Header, HeaderError};
use super::source::ByteSource;
use super::{CodecError, Decoder, Frames};
use crate::game::Outcome;
use crate::machine::buffer;
use crate::machine::fields::field;
use crate::tables::index::{TierShape, Width};

/// What is wrong with a tier file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TierError {
    /// Its header.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// It is longer or shorter than its header says.
    #[error("it has {found} bytes, its header says {expected}")]
    Length {
        /// Bytes by the header.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// It is longer or shorter than the manifest says.
    #[error("it has {found} bytes, by the manifest {expected}")]
    OtherLength {
        /// Bytes by the manifest.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// It cannot be read, or not as far as it was long.
    #[error("it cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// It is another tier than its name says.
    #[error("it holds {found}, its name says {expected}")]
    OtherTier {
        /// The tier by the name.
        expected: TierShape,
        /// The tier in the header.
        found: TierShape,
    },
    /// It is a plane of a table of margins, and its inner plane is not at hand or another one.
    #[error("it holds {found}, which is read behind {}", in_words(*expected))]
    OtherInner {
        /// The plane.
        found: TierShape,
        /// Its inner plane.
        expected: Option<TierShape>,
    },
    /// It is not the file that the manifest describes.
    #[error("its counts or its content are not those in the manifest")]
    OtherContent,
    /// The list of arrow sets does not match its checksum.
    #[error("its list of arrow sets does not match its checksum")]
    Sets,
    /// The frame index does not match its checksum, or points outside the file.
    #[error("its frame index is damaged")]
    Index,
    /// A frame does not match its checksum.
    #[error("frame {frame} does not match its checksum")]
    Frame {
        /// Number of the frame.
        frame: u64,
    },
    /// A frame cannot be decoded.
    #[error("frame {frame} cannot be decoded: {source}")]
    Decode {
        /// Number of the frame.
        frame: u64,
        /// Why.
        source: CodecError,
    },
    /// The list does not have the canonical arrow sets.
    #[error("its list of arrow sets is not that of the canonical ones")]
    NotCanonical,
    /// An arrow set is not in the list.
    #[error("its list of arrow sets lacks {arrows:#x}")]
    NoSuchSet {
        /// The set.
        arrows: u64,
    },
    /// The uncompressed content does not match its hash.
    #[error("its content does not match its BLAKE3 hash")]
    Content,
    /// The wins do not add up.
    #[error("its header says {expected} wins, its content has {found}")]
    Wins {
        /// Wins by the header.
        expected: u64,
        /// Wins counted.
        found: u64,
    },
    /// A bit is set behind the end of a row.
    #[error("a padding bit is set in frame {frame}")]
    Padding {
        /// Number of the frame.
        frame: u64,
    },
}

/// A tier in words.
fn in_words(tier: Option<TierShape>) -> String {
    tier.map_or_else(|| "no other one".to_string(), |tier| tier.to_string())
}

/// The encoded frames of a file, finished or not.
pub(super) struct EncodedFrames<'a, B> {
    pub(super) frames: Frames,
    /// The inner plane, if it is a plane that has one.
    pub(super) inner: Option<&'a TierReader<B>>,
    /// The first of them that are here; index and data begin with it.
    pub(super) first: u64,
    pub(super) index: &'a [u8],
    pub(super) data: Data<'a>,
}

/// Encoded frames one after another, from a place in a source on.
pub(super) struct Data<'a> {
    source: &'a (dyn ByteSource + Sync),
    at: u64,
}

impl<'a> Data<'a> {
    /// All bytes of a source behind the first `at`.
    pub(super) fn of(source: &'a (dyn ByteSource + Sync), at: u64) -> Self {
        Self { source, at }
    }
}

/// Bytes of the frames that are decoded together by all threads, if there is more than one.
pub(super) const BATCH_BYTES: u64 = 8 << 20;

impl<B: ByteSource + Sync + Send> EncodedFrames<'_, B> {
    /// The encoded bytes of a frame, compared with their checksum; into `buffer` if they are not in
    /// memory.
    pub(super) fn get<'b>(
        &'b self,
        frame: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], TierError> {
        let start = if frame <= self.first { 0 } else { self.entry(frame - 1)?.0 };
        let (end, sum) = self.entry(frame)?;
        let length = end.checked_sub(start).and_then(|length| usize::try_from(length).ok());
        let length = length.filter(|&length| length <= self.longest(frame));
        let (length, at) = length.zip(self.data.at.checked_add(start)).ok_or(TierError::Index)?;
        // No memory is taken for bytes that the file does not have.
        if at.checked_add(length as u64).is_none_or(|end| end > self.data.source.length()) {
            return Err(TierError::Index);
        }
        let encoded = match self.data.source.in_memory() {
            Some(bytes) => usize::try_from(at)
                .ok()
                .and_then(|at| bytes.get(at..)?.get(..length))
                .ok_or(TierError::Index)?,
            None => {
                buffer::resize(buffer, length)?;
                self.data.source.read_at(at, buffer)?;
                buffer
            }
        };
        if frame_sum(frame, encoded) == sum { Ok(encoded) } else { Err(TierError::Frame { frame }) }
    }

    /// More bytes than any encoding of a frame takes.
    fn longest(&self, frame: u64) -> usize {
        self.frames.bytes(frame).saturating_mul(2).saturating_add(4 << 10)
    }

    /// Where a frame ends in the data, and its checksum.
    fn entry(&self, frame: u64) -> Result<(u64, u64), TierError> {
        let place = frame.checked_sub(self.first);
        let at = place.and_then(|place| usize::try_from(place.checked_mul(ENTRY_BYTES)?).ok());
        let entry = at.and_then(|at| self.index.get(at..)?.get(..ENTRY_BYTES as usize));
        let entry = entry.ok_or(TierError::Index)?;
        Ok((number(entry, 0), number(entry, 8)))
    }

    pub(super) fn decode(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        raw: &mut [u8],
    ) -> Result<(), TierError> {
        if let Some(inner) = self.inner {
            inner.read_frame(frame, decoder, raw)?;
        }
        self.decode_behind(frame, decoder, raw)
    }

    /// As [`Self::decode`], where the frame of the inner plane, if there is one, is in `raw`
    /// before.
    pub(super) fn decode_behind(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        raw: &mut [u8],
    ) -> Result<(), TierError> {
        let plane = self.frames.shape().plane();
        self.with_encoded(frame, decoder, |decoder, encoded| match plane {
            0 => decoder.decode(frame, encoded, raw),
            _ => decoder.decode_plane(plane, frame, encoded, raw),
        })
    }

    /// As [`Self::decode`], into a buffer that is made as long as the frame
    /// ([`Decoder::decode_into`]).
    fn decode_into(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        raw: &mut Vec<u8>,
    ) -> Result<(), TierError> {
        if let Some(inner) = self.inner {
            inner.read_frame_into(frame, decoder, raw)?;
            return self.decode_behind(frame, decoder, raw);
        }
        self.with_encoded(frame, decoder, |decoder, encoded| {
            decoder.decode_into(frame, encoded, raw)
        })
    }

    /// Reads an encoded frame for a decoder.
    fn with_encoded(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        decode: impl FnOnce(&mut Decoder, &[u8]) -> Result<(), CodecError>,
    ) -> Result<(), TierError> {
        let mut buffer = std::mem::take(&mut decoder.encoded);
        let decoded = self.get(frame, &mut buffer).and_then(|encoded| {
            let decoded = decode(decoder, encoded);
            decoded.map_err(|source| TierError::Decode { frame, source })
        });
        decoder.encoded = buffer;
        decoded
    }

    /// Decodes the frames before `end` on all threads, makes something of each there, and hands
    /// both over in order.
    pub(super) fn visit<T: Send, E: From<TierError> + Send>(
        &self,
        end: u64,
        make: impl Fn(u64, &[u8]) -> Result<T, E> + Sync,
        mut visit: impl FnMut(u64, &[u8], T),
    ) -> Result<(), E> {
        let together = (BATCH_BYTES / self.frames.longest().max(1) as u64).max(1);
        let mut first = self.first;
        while first < end {
            let batch = first..end.min(first + together);
            let decoded: Vec<_> = batch
                .into_par_iter()
                .map_init(
                    || None,
                    |decoder, frame| {
                        let decoder = reuse(decoder, &self.frames, frame)?;
                        let mut raw = Vec::new();
                        self.decode_into(frame, decoder, &mut raw)?;
                        let made = make(frame, &raw)?;
                        Ok((frame, raw, made))
                    },
                )
                .collect::<Result<_, E>>()?;
            first += decoded.len() as u64;
            for (frame, raw, made) in decoded {
                visit(frame, &raw, made);
            }
        }
        Ok(())
    }
}

fn reuse<'d>(
    decoder: &'d mut Option<Decoder>,
    frames: &Frames,
    frame: u64,
) -> Result<&'d mut Decoder, TierError> {
    if decoder.is_none() {
        *decoder =
            Some(Decoder::new(*frames).map_err(|source| TierError::Decode { frame, source })?);
    }
    Ok(decoder.as_mut().expect("it was just made"))
}

/// The checksum of an encoded frame; its number is the seed, so that exchanged frames do not match.
pub(super) fn frame_sum(frame: u64, encoded: &[u8]) -> u64 {
    xxh3_64_with_seed(encoded, frame)
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(field(bytes, at))
}

/// A finished tier in bytes of any kind, for example [`TierBytes`](super::TierBytes).
#[derive(Debug)]
pub struct TierReader<B> {
    bytes: B,
    header: Header,
    frames: Frames,
    /// The inner plane, of a plane that has one.
    inner: Option<Arc<TierReader<B>>>,
    /// What stands before the frames, unless all bytes are in memory.
    head: Option<Box<[u8]>>,
    index_at: usize,
    data_at: usize,
}

/// A tier of which the header was read, and no more.
pub(super) struct Begun<B> {
    bytes: B,
    start: [u8; HEADER_BYTES],
    header: Header,
    index_at: usize,
    data_at: usize,
}

impl<B: ByteSource + Sync + Send> Begun<B> {
    pub(super) fn new(bytes: B) -> Result<Self, TierError> {
        let found = bytes.length();
        let mut start = [0; HEADER_BYTES];
        let there = &mut start[..HEADER_BYTES.min(found as usize)];
        bytes.read_at(0, there)?;
        let header = Header::from_bytes(there)?;
        let expected = header.file_bytes();
        if expected != found {
            return Err(TierError::Length { expected, found });
        }
        let offset = |offset: u64| usize::try_from(offset).map_err(|_| TierError::Index);
        let (index_at, data_at) = (offset(header.index_offset())?, offset(header.data_offset())?);
        Ok(Self { bytes, start, header, index_at, data_at })
    }

    /// Bytes of memory that the reader will hold of its file: what stands before the frames, unless
    /// all bytes are in memory.
    pub(super) fn memory(&self) -> u64 {
        if self.bytes.in_memory().is_some() { 0 } else { self.data_at as u64 }
    }

    /// Reads what stands before the frames, and compares it with its checksums. A plane is read
    /// behind its inner plane.
    pub(super) fn read(
        self,
        inner: Option<Arc<TierReader<B>>>,
    ) -> Result<TierReader<B>, TierError> {
        let Self { bytes, start, header, index_at, data_at } = self;
        let (found, expected) = (header.shape, header.shape.inner());
        let cut = |inner: &Arc<TierReader<B>>| (*inner.shape(), inner.header.target);
        if inner.as_ref().map(cut) != expected.map(|shape| (shape, header.target)) {
            return Err(TierError::OtherInner { found, expected });
        }
        // All offsets are at most the length, so a header cannot ask for more than is there; but a
        // file may have holes, and take less of the disk than of the memory.
        let head = match bytes.in_memory() {
            Some(_) => None,
            None => {
                let mut head = Vec::new();
                buffer::resize(&mut head, data_at)?;
                bytes.read_at(0, &mut head)?;
                if head[..HEADER_BYTES] != start {
                    return Err(HeaderError::Checksum.into());
                }
                Some(head.into_boxed_slice())
            }
        };
        let frames = header.frames();
        let reader = TierReader { bytes, header, frames, inner, head, index_at, data_at };
        if xxh3_64(reader.list()) != reader.header.sets_sum {
            return Err(TierError::Sets);
        }
        let index = reader.index();
        if xxh3_64(index) != reader.header.index_sum {
            return Err(TierError::Index);
        }
        let end = index.last_chunk::<16>().map_or(0, |entry| number(entry, 0));
        if end != reader.header.data_bytes {
            return Err(TierError::Index);
        }
        Ok(reader)
    }
}

impl<B: ByteSource + Sync + Send> TierReader<B> {
    /// Opens a tier.
    ///
    /// # Errors
    /// [`TierError`] if these bytes are no finished tier file; see the module for what is compared.
    pub fn open(bytes: B) -> Result<Self, TierError> {
        Begun::new(bytes)?.read(None)
    }

    /// Opens a plane behind its inner plane.
    ///
    /// # Errors
    /// As [`Self::open`]; [`TierError::OtherInner`] if `inner` is another one.
    pub fn open_plane(bytes: B, inner: Arc<Self>) -> Result<Self, TierError> {
        Begun::new(bytes)?.read(Some(inner))
    }

    /// The inner plane, of a plane that has one.
    pub fn inner(&self) -> Option<&Self> {
        self.inner.as_deref()
    }

    /// Bytes of memory that the reader holds of its file.
    pub fn memory(&self) -> u64 {
        self.head.as_ref().map_or(0, |head| head.len() as u64)
    }

    /// What stands before the frames.
    fn head(&self) -> &[u8] {
        let given = || self.bytes.in_memory().unwrap_or(&[]);
        self.head.as_deref().unwrap_or_else(given)
    }

    /// The list of arrow sets as it stands in the file.
    fn list(&self) -> &[u8] {
        &self.head()[HEADER_BYTES..self.index_at]
    }

    fn index(&self) -> &[u8] {
        &self.head()[self.index_at..self.data_at]
    }

    /// The tier and kind.
    pub fn shape(&self) -> &TierShape {
        &self.header.shape
    }

    /// How blocks are cut into frames.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Positions of the tier, every arrow set counted.
    pub fn positions(&self) -> u64 {
        self.header.positions()
    }

    /// Wins among them.
    pub fn wins(&self) -> u64 {
        self.header.wins
    }

    /// Bytes of the file.
    pub fn file_bytes(&self) -> u64 {
        self.header.file_bytes()
    }

    /// BLAKE3 of the uncompressed blocks.
    pub fn content(&self) -> [u8; 32] {
        self.header.content
    }

    /// A decoder for this tier, for one thread.
    ///
    /// # Errors
    /// If zstd cannot set up its context.
    pub fn decoder(&self) -> Result<Decoder, TierError> {
        Decoder::new(self.frames).map_err(|source| TierError::Decode { frame: 0, source })
    }

    /// The arrow set of a rank; `None` if there are fewer.
    pub fn set(&self, rank: u64) -> Option<u64> {
        if let Some(inner) = &self.inner {
            return inner.set(rank);
        }
        let width = self.shape().width();
        let at = usize::try_from(rank.checked_mul(width.bytes())?).ok()?;
        let entry = self.list().get(at..)?;
        Some(match width {
            Width::Narrow => u32::from_le_bytes(*entry.first_chunk()?).into(),
            Width::Wide => u64::from_le_bytes(*entry.first_chunk()?),
        })
    }

    /// The rank of a canonical arrow set; `None` if it is none of this tier. A binary search.
    pub fn rank(&self, arrows: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.frames.sets());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.set(middle)?.cmp(&arrows) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    pub(super) fn encoded(&self) -> EncodedFrames<'_, B> {
        EncodedFrames {
            frames: self.frames,
            inner: self.inner.as_deref(),
            first: 0,
            index: self.index(),
            data: Data::of(&self.bytes, self.data_at as u64),
        }
    }

    /// Decodes a frame into `raw`, which must have [`Frames::bytes`] bytes.
    ///
    /// # Errors
    /// [`TierError`] if the frame is damaged or `raw` has another length.
    pub fn read_frame(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        raw: &mut [u8],
    ) -> Result<(), TierError> {
        self.encoded().decode(frame, decoder, raw)
    }

    /// As [`Self::read_frame`], where the frame of the inner plane is in `raw` before.
    ///
    /// # Errors
    /// As [`Self::read_frame`].
    pub fn read_frame_behind(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        raw: &mut [u8],
    ) -> Result<(), TierError> {
        self.encoded().decode_behind(frame, decoder, raw)
    }

    /// As [`Self::read_frame`], into a buffer that is made as long as the frame, once its encoded
    /// bytes are found to be whole and enough for it.
    ///
    /// # Errors
    /// [`TierError`] if the frame is damaged or does not exist, or there is no memory for it.
    pub fn read_frame_into(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        raw: &mut Vec<u8>,
    ) -> Result<(), TierError> {
        self.encoded().decode_into(frame, decoder, raw)
    }

    /// Decodes the block of an arrow set, by rank, into `raw`, which must have
    /// [`TierShape::block_bytes`] bytes.
    ///
    /// # Errors
    /// [`TierError`] if a frame is damaged, or there is no such block, or `raw` has another length.
    pub fn read_block(
        &self,
        set: u64,
        decoder: &mut Decoder,
        raw: &mut [u8],
    ) -> Result<(), TierError> {
        let expected = self.shape().block_bytes();
        if set >= self.frames.sets() || raw.len() != expected {
            let source = CodecError::Size { expected, found: raw.len() };
            let frame = if set < self.frames.sets() { self.frames.find(set, 0).0 } else { 0 };
            return Err(TierError::Decode { frame, source });
        }
        let frames = self.frames.of_block(set);
        if self.frames.bytes(frames.start) > raw.len() {
            return self.read_block_of_many(set, decoder, raw);
        }
        let mut rest = raw;
        for frame in frames {
            let (part, after) = rest.split_at_mut(self.frames.bytes(frame));
            self.read_frame(frame, decoder, part)?;
            rest = after;
        }
        Ok(())
    }

    fn read_block_of_many(
        &self,
        set: u64,
        decoder: &mut Decoder,
        raw: &mut [u8],
    ) -> Result<(), TierError> {
        let (frame, at) = self.frames.find(set, 0);
        self.with_frame(frame, decoder, |bytes| raw.copy_from_slice(&bytes[at..at + raw.len()]))
    }

    /// What `look` finds in a frame, which is decoded into the decoder's own memory.
    fn with_frame<T>(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, TierError> {
        let mut scratch = std::mem::take(&mut decoder.scratch);
        let read = self.read_frame_into(frame, decoder, &mut scratch);
        let found = read.map(|()| look(&scratch));
        decoder.scratch = scratch;
        found
    }

    /// What the side to move reaches at a place: decodes its frame.
    ///
    /// # Errors
    /// [`TierError`] if the frame is damaged or does not exist.
    pub fn outcome(
        &self,
        set: u64,
        row: usize,
        column: usize,
        decoder: &mut Decoder,
    ) -> Result<Outcome, TierError> {
        if set >= self.frames.sets()
            || row >= self.shape().rows()
            || column >= self.shape().row_bits()
        {
            return Err(TierError::Index);
        }
        let (frame, at) = self.frames.find(set, row);
        self.with_frame(frame, decoder, |bytes| {
            Outcome::win_if(bytes[at + column / 8] >> (column % 8) & 1 != 0)
        })
    }
}
