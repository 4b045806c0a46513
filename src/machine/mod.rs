//! What the machine offers: instruction sets, bits, memory, threads, compression, the clock, progress
//! and stops.

pub mod bits;
pub(crate) mod busy;
pub mod clock;
pub(crate) mod hash;
pub mod isa;
pub(crate) mod prefetch;
pub mod progress;
pub(crate) mod threads;
pub(crate) mod words;
pub(crate) mod zstd;
