//! What people use: the command line, the explorer in the browser, annotated games.

pub mod annotation;
#[cfg(feature = "cli")]
pub mod cli;
pub mod input;
#[cfg(feature = "serve")]
pub mod serve;
