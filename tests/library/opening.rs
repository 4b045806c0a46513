//! Opening tables: what they hold, what the commands print of them, and how damaged ones fail.

use std::fs;
use std::path::PathBuf;

use amazons::game::notation::parse_fen;
use amazons::game::rules::{Bitboards, Colour, Position};
use amazons::machine::progress::StopFlag;
use amazons::tables::format::{Keep, Table};
use amazons::tables::opening::{MAGIC, Opening};
use amazons::verify::opening::verify;
use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;

use crate::support::build;

/// A 3x4 board with one amazon a side: three plies of it, its table, and a place for files.
struct Ground {
    directory: tempfile::TempDir,
    start: Position,
    opening: Opening,
}

const START: &str = "q2/3/3/2Q w";

impl Ground {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        build(directory.path(), "3x4", "1v1", Keep::Odd, 500);
        let start = parse_fen(START).unwrap();
        let table = Table::open(directory.path()).unwrap();
        let opening = Opening::derive(&table, &start, 3, 1 << 30, &(), &StopFlag::new()).unwrap();
        Self { directory, start, opening }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.opening.write(&mut bytes).unwrap();
        bytes
    }
}

fn amazons(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(arguments);
    command
}

#[test]
fn every_reachable_position_has_the_value_of_the_table() {
    let ground = Ground::new();
    let read = Opening::read(ground.written().as_slice()).unwrap();
    let table = Table::open(ground.directory.path()).unwrap();
    assert_eq!(read.plies(), ground.opening.plies());
    assert_eq!(read.start(), &ground.start);
    let (rules, mut level) = (read.rules(), vec![ground.start.bitboards::<u64>().unwrap()]);
    for ply in 0..=3 {
        let mut codes: Vec<_> = level.iter().map(|position| read.coder().code(position)).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(read.plies()[ply].len(), codes.len(), "ply {ply}");
        for position in &level {
            let position = Position::new(read.board(), position, Colour::White).unwrap();
            assert_eq!(read.value(&position), Ok(Some(table.value(&position).unwrap())));
        }
        let after =
            |position| rules.moves(position).into_iter().map(|m| rules.play_unchecked(position, m));
        level = level.iter().flat_map(after).collect();
    }
    let is_unknown = |position: &Bitboards| {
        let position = Position::new(read.board(), position, Colour::White).unwrap();
        read.value(&position) == Ok(None)
    };
    assert!(level.iter().all(is_unknown), "beyond the last ply");
    let answer = read.answer(&ground.start).unwrap().unwrap();
    assert_eq!(answer.moves, Some(table.answer(&ground.start).unwrap().moves));
    assert_eq!(verify(&read, &(), &StopFlag::new()).mismatches, 0);
}

#[test]
fn a_wrong_value_under_a_right_hash_is_found() {
    let ground = Ground::new();
    let bytes = ground.written();
    // The last of four plies: its first number ends in the value of its first position.
    let (mut plies, mut at) = (Vec::new(), 40);
    for _ in 0..4 {
        let length = u64::from_le_bytes(bytes[at + 8..at + 16].try_into().unwrap()) as usize;
        plies.push((bytes[at..at + 8].to_vec(), bytes[at + 16..at + 16 + length].to_vec()));
        at += 16 + length;
    }
    let mut found = 0;
    for changed in 0..4 {
        let mut forged = bytes[..40].to_vec();
        for (number, (count, packed)) in plies.iter().enumerate() {
            let mut raw = zstd::bulk::decompress(packed, 1 << 20).unwrap();
            raw[0] ^= u8::from(number == changed);
            let packed = zstd::bulk::compress(&raw, 1).unwrap();
            forged.extend(count);
            forged.extend((packed.len() as u64).to_le_bytes());
            forged.extend(packed);
        }
        forged.extend(blake3::hash(&forged).as_bytes());
        let path = ground.path("forged.amz");
        fs::write(&path, &forged).unwrap();
        let wrong = verify(&Opening::read(forged.as_slice()).unwrap(), &(), &StopFlag::new())
            .mismatches
            > 0;
        found += u32::from(wrong);
        let output = amazons(&["verify", path.to_str().unwrap(), "--sample", "1000000"]).assert();
        output.code(1).stderr(contains("are not what the moves or a proof say"));
    }
    assert!(found >= 3, "values before the last ply follow from those after them");
}

#[test]
fn the_commands_write_look_up_and_verify() {
    let ground = Ground::new();
    let (tables, file) = (ground.directory.path().to_str().unwrap(), ground.path("opening.amz"));
    let file = file.to_str().unwrap();
    let output = amazons(&["opening", START, "--tables", tables, "--out", file, "--json"])
        .assert()
        .success();
    let summary: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!(summary["plies"].as_array().unwrap().len(), 4);
    assert_eq!(fs::read(file).unwrap(), ground.written());
    let by = |source: &str| {
        let output = amazons(&["lookup", START, "--tables", source, "--json"]).assert().success();
        output.get_output().stdout.clone()
    };
    assert_eq!(by(tables), by(file));
    let last = amazons(&["lookup", "1q1/*2/**1/2Q b", "--tables", file]).assert().success();
    last.stdout(contains("beyond the last ply"));
    let unknown = amazons(&["lookup", "***/**1/1*q/2Q b", "--tables", file]).assert().code(2);
    unknown.stderr(contains("holds what at most 3 moves from q2/3/3/2Q w lead to"));
    amazons(&["lookup", "4x4", "--tables", file]).assert().code(2);
    amazons(&["verify", file, "--sample", "50"]).assert().success().stdout(contains("0 wrong"));
}

#[test]
fn bad_requests_leave_no_file() {
    let ground = Ground::new();
    let (tables, file) = (ground.directory.path().to_str().unwrap(), ground.path("none.amz"));
    let out = file.to_str().unwrap();
    let refused = |arguments: &[&str], status, reason: &str| {
        amazons(arguments).assert().code(status).stderr(contains(reason));
        assert!(!file.exists());
    };
    refused(&["opening", "4x4", "--tables", tables, "--out", out], 2, "holds 3x4 1v1");
    refused(
        &["opening", START, "--tables", tables, "--out", "/nowhere/at/all"],
        1,
        "/nowhere/at/all",
    );
    refused(&["opening", START, "--tables", tables, "--out", out, "--plies", "99"], 2, "99");
    refused(
        &["opening", START, "--tables", tables, "--out", out, "--memory", "1kB"],
        1,
        "ask for fewer plies",
    );
    refused(&["opening", START, "--tables", "/nowhere", "--out", out], 1, "/nowhere");
}

#[test]
fn damaged_files_are_refused() {
    let ground = Ground::new();
    let (bytes, path) = (ground.written(), ground.path("damaged.amz"));
    assert_eq!(&bytes[..8], MAGIC);
    for at in 8..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        assert!(Opening::read(damaged.as_slice()).is_err(), "byte {at}");
        assert!(Opening::read(&bytes[..at]).is_err(), "cut at {at}");
    }
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    for command in ["lookup", "verify"] {
        let path = path.to_str().unwrap();
        let arguments = if command == "lookup" {
            vec![command, START, "--tables", path]
        } else {
            vec![command, path]
        };
        amazons(&arguments).assert().code(1).stderr(contains("damaged.amz"));
    }
}
