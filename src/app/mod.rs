//! What people use: the command line, the explorer in the browser, annotated games.

pub mod annotation;
#[cfg(feature = "answers")]
pub mod answers;
#[cfg(feature = "cli")]
pub mod cli;
pub mod counted;
#[cfg(any(feature = "cli", feature = "answers"))]
pub mod distances;
pub mod input;
#[cfg(any(feature = "cli", feature = "answers"))]
pub mod parts;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(any(feature = "cli", feature = "answers"))]
pub mod threshold_report;
#[cfg(any(feature = "cli", feature = "answers"))]
pub mod value;
