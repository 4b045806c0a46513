//! What people use: the command line, the explorer in the browser, annotated games.

pub mod annotation;
pub mod cli;
#[cfg(feature = "serve")]
pub mod serve;
