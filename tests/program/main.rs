//! The program as its user sees it: what it prints, writes and refuses. One module for each command
//! or group of commands.

mod annotate;
mod bad_input;
mod commands;
mod packaging;
mod play;
mod region;
mod solve;
#[path = "../support/mod.rs"]
mod support;
mod table_commands;
mod uci;
mod verify_results;
