//! What must hold for any bytes at all: one file and one function for each fuzz target.
//!
//! `cargo +nightly fuzz run TARGET` feeds them what the fuzzer finds. The tests beside this folder
//! feed them random and damaged text on the stable toolchain. A new target is a file here, a file
//! in `fuzz/fuzz_targets/`, a `[[bin]]` in `fuzz/Cargo.toml` and a test. Files with checksums are
//! fed as they come and again after [`sums`] has made the sums right; the fuzzer begins with the
//! real ones in `fuzz/seeds/`.

mod certificate;
mod checkpoint;
mod fen;
mod journal;
mod manifest;
mod mv;
mod opening;
pub mod packed;
mod plane;
mod record;
mod region;
mod sgf;
pub mod sums;
mod tier;

pub use certificate::certificate;
pub use checkpoint::{checkpoint, solver};
pub use fen::fen;
pub use journal::{Unfinished, journal};
pub use manifest::manifest;
pub use mv::mv;
pub use opening::opening;
pub use plane::plane;
pub use record::record;
pub use region::region;
pub use sgf::sgf;
pub use tier::tier;
