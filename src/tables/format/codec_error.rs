//! What can go wrong with a frame on its way to fewer bytes and back.

/// Why a frame cannot be encoded or decoded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The compressor failed, or the bytes are no compressed frame.
    #[error("{0}")]
    Zstd(#[from] std::io::Error),
    /// The streams of a frame do not have the lengths that its bits need.
    #[error("its streams do not fit its rows")]
    Streams,
    /// A frame of another size than its tier implies.
    #[error("a frame of {expected} bytes was expected, found {found}")]
    Size {
        /// Bytes the frame should have.
        expected: usize,
        /// Bytes it has.
        found: usize,
    },
    /// An encoded frame that is too short for any frame of the size that its tier implies.
    #[error("its {found} bytes are too few for a frame of {expected}")]
    TooFew {
        /// Bytes the frame should have.
        expected: usize,
        /// Bytes it has, encoded.
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
