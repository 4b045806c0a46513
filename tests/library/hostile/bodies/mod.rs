//! What must hold for any bytes at all: one file and one function for each fuzz target.
//!
//! `cargo +nightly fuzz run TARGET` feeds them what the fuzzer finds. The tests beside this folder
//! feed them random and damaged text on the stable toolchain. A new target is a file here, a file
//! in `fuzz/fuzz_targets/`, a `[[bin]]` in `fuzz/Cargo.toml` and a test.

mod fen;
mod mv;
mod region;
mod sgf;
mod tier;

pub use fen::fen;
pub use mv::mv;
pub use region::region;
pub use sgf::sgf;
pub use tier::tier;
