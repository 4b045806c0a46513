//! The program as its user sees it: what it prints, writes and refuses. One module for each command
//! or group of commands.

mod altered;
mod annotate;
mod bad_input;
mod claims;
mod commands;
#[cfg(target_os = "linux")]
mod data_release;
#[cfg(unix)]
mod documents;
mod endgames;
mod fetch;
mod file_kinds;
mod instance;
mod json;
mod known;
mod lines;
mod margin_tables;
#[cfg(target_os = "linux")]
mod memory;
mod merge;
mod names;
mod opening;
mod overwriting;
mod packaging;
mod play;
mod records;
mod region;
mod sample;
mod solve;
mod solve_margin;
mod sums;
mod table_commands;
mod uci;
mod variants;
mod verify_results;
