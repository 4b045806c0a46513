//! Streams of bits: filled, emptied, and entropy-coded.
//!
//! A frame's streams are written one after another, each after two lengths of two to three bytes
//! ([`varint`]): its bytes, and its encoded bytes.
//! Where the two are equal the bytes stand as they are; else they are a zstd frame, made with
//! Huffman codes and next to no search for repetitions, of which there are few.

use std::io;

use super::CodecError;
use super::votes::STREAMS;
use crate::machine::varint;
use crate::machine::zstd::{Compressor, Decompressor, compress_bound};

/// A level below zero makes zstd skip ahead fast; its literals are Huffman-coded all the same, by a
/// parameter.
pub(super) const LEVEL: i32 = -20;

/// Bits going in, the first at the lowest place of the first byte.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    word: u64,
    /// Bits in `word`, below 64.
    fill: u32,
}

impl Writer {
    /// Appends the lowest `count` bits; those above must be 0.
    #[inline(always)]
    pub(super) fn push(&mut self, bits: u64, count: u32) {
        self.word |= bits << self.fill;
        let fill = self.fill + count;
        if fill >= 64 {
            self.bytes.extend_from_slice(&self.word.to_le_bytes());
            self.word = if self.fill == 0 { 0 } else { bits >> (64 - self.fill) };
        }
        self.fill = fill % 64;
    }

    /// Appends the encoded stream to `out` and empties it.
    pub(super) fn flush(
        &mut self,
        zstd: &mut Compressor<'_>,
        buffer: &mut Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<(), CodecError> {
        let tail = self.word.to_le_bytes();
        self.bytes.extend_from_slice(&tail[..self.fill.div_ceil(8) as usize]);
        buffer.resize(compress_bound(self.bytes.len()), 0);
        let encoded = match zstd.compress_to_buffer(&self.bytes, buffer)? {
            shorter if shorter < self.bytes.len() => &buffer[..shorter],
            _ => &self.bytes[..],
        };
        varint::push(out, self.bytes.len() as u128);
        varint::push(out, encoded.len() as u128);
        out.extend_from_slice(encoded);
        self.bytes.clear();
        (self.word, self.fill) = (0, 0);
        Ok(())
    }
}

/// Bytes behind each stream, so that a word can be read at its last bit.
const SLACK: usize = 9;

/// The streams of a frame, decoded.
#[derive(Debug, Default)]
pub(super) struct Streams {
    bytes: Vec<u8>,
    /// For each stream its first byte, its length, and the bits read.
    places: [(usize, usize, usize); STREAMS],
}

impl Streams {
    /// Decodes the streams of a frame of `raw_bytes` bytes.
    pub(super) fn decode(
        &mut self,
        zstd: &mut Decompressor<'_>,
        mut encoded: &[u8],
        raw_bytes: usize,
    ) -> Result<(), CodecError> {
        self.bytes.clear();
        let most = raw_bytes + STREAMS * 8;
        // The streams below have no more bytes than that, so this is all the memory they take.
        let room = self.bytes.try_reserve_exact(most + (STREAMS + 1) * SLACK);
        room.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        for place in &mut self.places {
            let length = take_length(&mut encoded)?;
            let encoded_length = take_length(&mut encoded)?;
            let start = self.bytes.len();
            if length > (most + STREAMS * SLACK).saturating_sub(start) {
                return Err(CodecError::Streams);
            }
            let stream;
            (stream, encoded) =
                encoded.split_at_checked(encoded_length).ok_or(CodecError::Streams)?;
            self.bytes.resize(start + length, 0);
            let bytes = &mut self.bytes[start..];
            if encoded_length == length {
                bytes.copy_from_slice(stream);
            } else if zstd.decompress_to_buffer(stream, bytes)? != length {
                return Err(CodecError::Streams);
            }
            self.bytes.resize(start + length + SLACK, 0);
            *place = (start, length, 0);
        }
        if encoded.is_empty() { Ok(()) } else { Err(CodecError::Streams) }
    }

    /// A word that begins with the next `count` bits of a stream (what stands above them means
    /// nothing). Behind the end anything comes; [`Self::finish`] finds out.
    #[inline(always)]
    pub(super) fn take(&mut self, stream: usize, count: u32) -> u64 {
        let (start, length, read) = &mut self.places[stream];
        let at = *start + (*read / 8).min(*length);
        let shift = *read % 8;
        let bytes: &[u8; SLACK] =
            self.bytes[at..].first_chunk().expect("slack stands behind every stream");
        *read += count as usize;
        let [low @ .., high] = bytes;
        (u64::from_le_bytes(*low) >> shift) | (u64::from(*high) << 1 << (63 - shift))
    }

    /// Whether every stream was read to its end and not beyond.
    pub(super) fn finish(&self) -> Result<(), CodecError> {
        let read_out = self.places.iter().all(|&(_, length, read)| read.div_ceil(8) == length);
        if read_out { Ok(()) } else { Err(CodecError::Streams) }
    }
}

/// Bits of a stream's length: five bytes at the most.
const LENGTH_BITS: u32 = 35;

fn take_length(bytes: &mut &[u8]) -> Result<usize, CodecError> {
    let length = varint::take(bytes, LENGTH_BITS).and_then(|length| usize::try_from(length).ok());
    length.ok_or(CodecError::Streams)
}
