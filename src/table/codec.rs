//! Frames to fewer bytes and back.
//!
//! An [`Encoder`] or [`Decoder`] belongs to one thread and keeps its buffers; what it writes depends on nothing
//! but the frame and the tier's shape.

use zstd::bulk::{Compressor, Decompressor};

use super::Frames;

/// How the frames of a tier are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Codec {
    /// Each frame is one zstd frame of its bytes.
    #[default]
    Zstd = 0,
}

/// Why a frame cannot be encoded or decoded.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The compressor failed, or the bytes are no compressed frame.
    #[error("{0}")]
    Zstd(#[from] std::io::Error),
    /// A frame of another size than its tier implies.
    #[error("a frame of {expected} bytes was expected, found {found}")]
    Size {
        /// Bytes the frame should have.
        expected: usize,
        /// Bytes it has.
        found: usize,
    },
    /// A tier that is to be finished without all its frames.
    #[error("the tier has {expected} frames, only {found} were written")]
    Frames {
        /// Frames of the tier.
        expected: usize,
        /// Frames written.
        found: usize,
    },
}

impl Codec {
    /// The codec with a number of the file format.
    pub fn from_byte(byte: u8) -> Option<Self> {
        [Self::Zstd].into_iter().find(|&codec| codec as u8 == byte)
    }
}

/// Level 1: higher levels gain 3 % and cost a third of the speed.
const LEVEL: i32 = 1;

/// Encodes the frames of one tier.
pub struct Encoder {
    frames: Frames,
    zstd: Compressor<'static>,
    buffer: Vec<u8>,
}

impl Encoder {
    /// An encoder for the frames of a tier.
    ///
    /// # Errors
    /// If zstd cannot set up its context.
    pub fn new(frames: Frames) -> Result<Self, CodecError> {
        Ok(Self { frames, zstd: Compressor::new(LEVEL)?, buffer: Vec::new() })
    }

    /// Appends the encoded frame to `out`.
    ///
    /// # Errors
    /// [`CodecError::Size`] if `raw` is not as long as this frame must be.
    pub fn encode(&mut self, frame: u64, raw: &[u8], out: &mut Vec<u8>) -> Result<(), CodecError> {
        expect_size(&self.frames, frame, raw.len())?;
        self.buffer.resize(zstd::zstd_safe::compress_bound(raw.len()), 0);
        let written = self.zstd.compress_to_buffer(raw, &mut self.buffer[..])?;
        out.extend_from_slice(&self.buffer[..written]);
        Ok(())
    }
}

/// Decodes the frames of one tier.
pub struct Decoder {
    frames: Frames,
    zstd: Decompressor<'static>,
    /// A whole frame, for readers that want a part of one.
    pub(super) scratch: Vec<u8>,
}

impl Decoder {
    /// A decoder for the frames of a tier.
    ///
    /// # Errors
    /// If zstd cannot set up its context.
    pub fn new(frames: Frames) -> Result<Self, CodecError> {
        Ok(Self { frames, zstd: Decompressor::new()?, scratch: Vec::new() })
    }

    /// Decodes a frame into `raw`. After an error the bytes of `raw` mean nothing.
    ///
    /// # Errors
    /// [`CodecError`] if `raw` is not as long as this frame must be, or `encoded` is no encoded frame of that
    /// length.
    pub fn decode(&mut self, frame: u64, encoded: &[u8], raw: &mut [u8]) -> Result<(), CodecError> {
        expect_size(&self.frames, frame, raw.len())?;
        let found = self.zstd.decompress_to_buffer(encoded, raw)?;
        expect_size(&self.frames, frame, found)
    }
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
