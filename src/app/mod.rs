//! What people use: the command line, the explorer in the browser, annotated games.

pub mod annotation;
#[cfg(feature = "cli")]
pub mod cli;
pub mod input;
#[cfg(any(feature = "cli", feature = "serve"))]
pub mod parts;
#[cfg(feature = "serve")]
pub mod serve;
