//! What the machine offers: instruction sets, bits, memory, files, threads, compression, charsets,
//! the clock, random numbers, progress and stops.

#[cfg(feature = "cli")]
pub(crate) mod abandon;
pub(crate) mod bits;
pub(crate) mod buffer;
pub(crate) mod busy;
pub mod charset;
pub mod clock;
pub(crate) mod fields;
pub(crate) mod files;
pub(crate) mod framed;
pub(crate) mod hash;
pub mod isa;
pub(crate) mod json;
#[cfg(test)]
#[path = "../../tests/support/long.rs"]
pub(crate) mod long;
pub(crate) mod pieces;
pub(crate) mod prefetch;
pub mod progress;
pub(crate) mod random;
pub mod ranks;
pub mod shown;
pub mod threads;
mod transpose;
pub(crate) mod varint;
pub mod virtual_threads;
pub(crate) mod words;
pub(crate) mod zstd;
