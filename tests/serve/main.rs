//! The server from outside: what it answers, what it refuses, and that it stays up.

mod answers;
mod bad_input;
mod client;
mod documented;
#[path = "../support/long.rs"]
mod long;
mod openings;
mod playing;
#[path = "../support/positions.rs"]
mod positions;
mod program;
mod searches;
mod tables;
mod variants;
