//! What the commands write and print of opening tables, and how damaged ones fail.

use std::fs;

use amazons::{Outcome, Position};
use predicates::str::contains;
use serde_json::Value;

use amazons_test_support::opening::{Ground, START};

use crate::amazons;

#[test]
fn the_commands_write_look_up_and_verify() {
    let ground = Ground::build();
    let (tables, file) =
        (ground.directory.path().to_str().unwrap(), ground.directory.path().join("opening.amz"));
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
    let info = amazons(&["info", file, "--json"]).assert().success();
    let info: Value = serde_json::from_slice(&info.get_output().stdout).unwrap();
    assert_eq!((&info["start"], &info["plies"]), (&START.into(), &summary["plies"]));
    let lines = amazons(&["info", file]).assert().success();
    lines.stdout(contains("opening table: what at most 3 moves from q2/3/3/2Q w lead to"));
    amazons(&["info", file, "--csv", "counts"]).assert().code(2).stderr(contains("no tiers"));
    amazons(&["verify", file, "--sample", "50"]).assert().success().stdout(contains("0 wrong"));
}

#[test]
fn an_opening_table_gives_one_of_fewer_moves() {
    let ground = Ground::build();
    let at = |name: &str| ground.directory.path().join(name).to_str().unwrap().to_string();
    let (tables, three, two, same) = (at("."), at("three.amz"), at("two.amz"), at("same.amz"));
    let opening = |source: &str, plies: &str, out: &str| {
        amazons(&["opening", START, "--tables", source, "--plies", plies, "--out", out]).assert()
    };
    opening(&tables, "3", &three).success();
    opening(&tables, "2", &two).success();
    opening(&three, "2", &same).success();
    assert_eq!(fs::read(two).unwrap(), fs::read(&same).unwrap());
    let refused = opening(&same, "3", &at("none.amz")).code(2);
    refused.stderr(contains("holds what at most 2 moves from q2/3/3/2Q w lead to"));
    assert!(!std::path::Path::new(&at("none.amz")).exists());
}

/// There are no games with more moves than empty squares, and no file speaks of them.
#[test]
fn more_moves_than_there_are_squares_are_none() {
    let ground = Ground::build();
    let [tables, file] = ["", "all.amz"]
        .map(|name| ground.directory.path().join(name).to_str().unwrap().to_string());
    let opening = ["opening", START, "--tables", &tables, "--plies", "32", "--out", &file];
    amazons(&opening).assert().success();
    amazons(&["verify", &file]).assert().success().stdout(contains("0 wrong"));
}

/// At the last ply the values of the moves are not known, but that of the position is.
#[test]
fn the_last_ply_says_who_wins_and_not_how() {
    let ground = Ground::build();
    let [tables, file] = ["", "none.amz"]
        .map(|name| ground.directory.path().join(name).to_str().unwrap().to_string());
    let start: Position = START.parse().unwrap();
    let later = start.moves().map(|played| start.play(played).unwrap());
    let positions: Vec<Position> = std::iter::once(start).chain(later).collect();
    for value in [Outcome::Win, Outcome::Loss] {
        let is = |position: &&Position| ground.opening.value(position).unwrap() == Some(value);
        let position = positions.iter().find(is).unwrap();
        let fen = &position.to_string()[..];
        let opening = ["opening", fen, "--tables", &tables, "--plies", "0", "--out", &file];
        amazons(&opening).assert().success();
        let solve = ["solve", fen, "--tables", &file, "--method", "tables"];
        let winner = value.winner(position.turn()).to_string();
        amazons(&solve)
            .assert()
            .success()
            .stdout(contains(format!("{winner} wins, by the opening table of ")));
        let all = amazons(&[&solve[..], &["--all-moves", "--json"]].concat()).assert().success();
        let all: Value = serde_json::from_slice(&all.get_output().stdout).unwrap();
        assert_eq!((&all["value"], &all["method"]), (&value.as_str().into(), &"tables".into()));
        assert_eq!(all["winner"], winner);
        assert_eq!(
            (&all["best_move"], &all["winning_moves"]),
            (&Value::Null, &Value::Array(vec![]))
        );
        // In a lost position every move loses.
        let unknown = if value.is_win() { position.moves().len() } else { 0 };
        assert_eq!(all["unknown_moves"].as_array().unwrap().len(), unknown);
        let mut lines = amazons(&["solve", "-", "--tables", &file, "--method", "tables"]);
        let line = lines.write_stdin(fen).assert().success().get_output().stdout.clone();
        let line: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!((&line["value"], &line["winner"]), (&all["value"], &all["winner"]));
    }
}

#[test]
fn it_begins_after_the_moves_that_are_given() {
    let ground = Ground::build();
    let [tables, one, other] = ["", "one.amz", "other.amz"]
        .map(|name| ground.directory.path().join(name).to_str().unwrap().to_string());
    let written = |words: &[&str], out: &str| {
        let arguments = ["--tables", &tables, "--plies", "2", "--out", out];
        amazons(&[&["opening"], words, &arguments].concat()).assert().success();
        std::fs::read(out).unwrap()
    };
    let after: Position = START.parse().unwrap();
    let played = after.moves().next().unwrap();
    let after = after.play(played).unwrap().to_string();
    assert_eq!(written(&[START, &played.to_string()], &one), written(&[&after], &other));
}

#[test]
fn bad_requests_leave_no_file() {
    let ground = Ground::build();
    let (tables, file) =
        (ground.directory.path().to_str().unwrap(), ground.directory.path().join("none.amz"));
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
        2,
        "--memory is too small",
    );
    refused(&["opening", START, "--tables", "/nowhere", "--out", out], 1, "/nowhere");
}

#[test]
fn a_wrong_value_under_a_right_hash_fails() {
    let ground = Ground::build();
    let (bytes, path) = (ground.written(), ground.directory.path().join("forged.amz"));
    // The first ply is the start position alone; its number ends in its value.
    let length = u64::from_le_bytes(bytes[48..56].try_into().unwrap()) as usize;
    let mut raw = zstd::bulk::decompress(&bytes[56..56 + length], 16).unwrap();
    raw[0] ^= 1;
    let packed = zstd::bulk::compress(&raw, 1).unwrap();
    let mut forged = bytes[..48].to_vec();
    forged.extend((packed.len() as u64).to_le_bytes());
    forged.extend(packed);
    forged.extend(&bytes[56 + length..bytes.len() - 32]);
    forged.extend(blake3::hash(&forged).as_bytes());
    fs::write(&path, &forged).unwrap();
    let output = amazons(&["verify", path.to_str().unwrap()]).assert().code(1);
    output.stderr(contains("not what the moves or a proof say"));
}

#[test]
fn a_wrong_value_of_the_last_ply_is_found_by_proofs() {
    let ground = Ground::build();
    let (bytes, path) = (ground.written(), ground.directory.path().join("forged.amz"));
    let mut at = 40;
    for _ in 0..3 {
        at += 16 + u64::from_le_bytes(bytes[at + 8..at + 16].try_into().unwrap()) as usize;
    }
    let mut raw = zstd::bulk::decompress(&bytes[at + 16..bytes.len() - 32], 1 << 20).unwrap();
    raw[0] ^= 1;
    let packed = zstd::bulk::compress(&raw, 1).unwrap();
    let mut forged = bytes[..at + 8].to_vec();
    forged.extend((packed.len() as u64).to_le_bytes());
    forged.extend(packed);
    forged.extend(blake3::hash(&forged).as_bytes());
    fs::write(&path, &forged).unwrap();
    for sample in [&[][..], &["--sample", "1000000"]] {
        let verify = ["verify", path.to_str().unwrap()];
        let output = amazons(&[&verify[..], sample].concat()).assert().code(1);
        output.stderr(contains("are not what the moves or a proof say"));
    }
}

#[test]
fn what_is_not_checked_of_the_last_ply_is_counted() {
    let ground = Ground::build();
    let path = ground.directory.path().join("opening.amz");
    fs::write(&path, ground.written()).unwrap();
    let plies = ground.opening.plies();
    let all: usize = plies.iter().map(|ply| ply.len()).sum();
    let last = plies.last().unwrap().len();
    for (sample, not_checked) in [(None, 0), (Some("0"), last), (Some("3"), last - 3)] {
        let mut verify = vec!["verify", path.to_str().unwrap()];
        verify.extend(sample.into_iter().flat_map(|count| ["--sample", count]));
        let text = amazons(&verify).assert().success();
        let words = format!("{} positions of the opening recomputed, 0 wrong", all - not_checked);
        text.stdout(contains(format!("{words}, {not_checked} not checked")));
        verify.push("--json");
        let output = amazons(&verify).assert().success();
        let report: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        assert_eq!(
            (&report["checked"], &report["not_checked"]),
            (&(all - not_checked).into(), &not_checked.into())
        );
    }
}

#[test]
fn damaged_files_are_refused() {
    let ground = Ground::build();
    let (bytes, path) = (ground.written(), ground.directory.path().join("damaged.amz"));
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let path = path.to_str().unwrap();
    for arguments in [vec!["lookup", START, "--tables", path], vec!["verify", path]] {
        amazons(&arguments).assert().code(1).stderr(contains("damaged.amz"));
    }
}

/// What is written when the interrupt comes is not there afterwards.
#[cfg(unix)]
#[test]
fn an_interrupt_is_a_limit() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["opening", "4x6", "--tables", "results/4x6-4v4/opening-4x6.amz", "--out"])
        .arg(&out)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begun = || fs::read_dir(directory.path()).unwrap().next().is_some();
    while !begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let interrupt = ["-INT", &child.id().to_string()];
    assert!(std::process::Command::new("kill").args(interrupt).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{told}");
    assert!(told.contains("stopped before the opening table was complete"), "{told}");
    assert!(!begun());
}
