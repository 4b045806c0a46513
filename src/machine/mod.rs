//! What the machine offers: instruction sets, bit tricks, progress and stops.

pub mod bits;
pub(crate) mod hash;
pub mod isa;
pub mod progress;
