//! The library through its public interface: one module for each part of it.
//!
//! One program holds all of them, because each test program links the whole library again. The
//! module is part of a test's name: `cargo test --test library perft::` runs one module.

mod agreement;
mod architecture;
mod boards;
mod build;
mod certificate;
mod certificate_lookup;
mod endgame_certificate;
mod endgames;
mod hostile;
mod knowledge;
mod margin_tables;
mod margins;
mod merge;
mod naive_counts;
mod notation;
mod opening;
mod outcomes;
mod partition;
mod perft;
mod recorded_games;
mod regions;
mod runs;
mod table;
mod territories;
mod values;
mod variant_certificate;
mod variant_tables;
mod variants;
mod wide;
