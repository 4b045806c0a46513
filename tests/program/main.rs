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
mod large_boards;
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

use assert_cmd::Command;
use serde_json::Value;

/// The program with these words.
fn amazons(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(arguments);
    command
}

/// What it answers as JSON.
fn json(arguments: &[&str]) -> Value {
    let assert = amazons(arguments).arg("--json").assert().success();
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}
