//! Commands that answer the lines of standard input, and how positions are written.

use amazons::Position;
use amazons::tables::format::Keep;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use amazons_test_support::tables::build;

use crate::amazons;

/// The objects that the lines are answered with, and the exit status.
fn answers(arguments: &[&str], lines: &str) -> (Vec<Value>, i32) {
    let output = amazons(arguments).write_stdin(lines).assert().get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let objects = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (objects, output.status.code().unwrap())
}

fn one(arguments: &[&str]) -> Value {
    let assert = amazons(arguments).arg("--json").assert().success();
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

/// An answer without the number of its line and the time it took.
fn plain(answer: &Value) -> Value {
    let mut answer = answer.clone();
    let object = answer.as_object_mut().unwrap();
    object.remove("line");
    object.remove("seconds");
    answer
}

#[test]
fn lookup_answers_each_line_as_it_answers_one() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 500);
    let tables = directory.path().to_str().unwrap();
    let lines = "# three\nq2/3/2Q w\n\nnonsense\nq2/3/2Q w c1-b1/b2\n4x4\nq2/3/2Q b - - 0 1\n";
    let (found, status) = answers(&["lookup", "-", "--tables", tables], lines);
    assert_eq!(status, 1, "two lines cannot be answered");
    let numbers: Vec<_> = found.iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 4, 5, 6, 7]);
    assert!(found[1]["error"].as_str().unwrap().contains("nonsense"));
    assert!(found[3]["error"].as_str().unwrap().contains("holds 3x3 1v1"));
    for (answer, position) in
        [(&found[0], "q2/3/2Q w"), (&found[2], "q2/1*1/1Q1 b"), (&found[4], "q2/3/2Q b")]
    {
        assert_eq!(plain(answer), one(&["lookup", position, "--tables", tables]));
    }
    let only = &["lookup", "-", "--tables", tables, "--values-only"];
    let (values, status) = answers(only, "q2/3/2Q w\n");
    assert_eq!((status, values[0]["value"].as_str()), (0, Some("win")));
    assert!(values[0].get("moves").is_none());
}

#[test]
fn a_certificate_answers_each_line_as_it_answers_one() {
    let proof = concat!(env!("CARGO_MANIFEST_DIR"), "/results/proofs/4x7.proof");
    let lines = "4x7\nnonsense\n4x7 b1-b6/c5\n4x7 b1-b6/c6\n4x8\n";
    let (found, status) = answers(&["lookup", "-", "--certificate", proof], lines);
    assert_eq!((status, found.len()), (1, 5));
    for (at, expected) in
        [(1, "nonsense"), (3, "says nothing of"), (4, "is on 4x8, expected one on 4x7")]
    {
        let error = found[at]["error"].as_str().unwrap();
        assert!(error.contains(expected), "{error}");
    }
    for (at, words) in [(0, &["4x7"][..]), (2, &["4x7", "b1-b6/c5"])] {
        let alone = one(&[&["lookup"], words, &["--certificate", proof]].concat());
        assert_eq!(plain(&found[at]), alone);
    }
    // What is wrong with the file is said once.
    let (found, status) = answers(&["lookup", "-", "--certificate", "no/such/file"], "4x7\n4x7\n");
    assert_eq!((status, found.len()), (1, 0));
}

#[test]
fn many_lookups_are_answered_as_one_by_one() {
    for (keep, amazons) in [(Keep::All, "1v1"), (Keep::Odd, "1v1"), (Keep::All, "2v1")] {
        let directory = tempfile::tempdir().unwrap();
        build(directory.path(), "3x3", amazons, keep, 50);
        let tables = directory.path().to_str().unwrap();
        let table = amazons::Table::open(directory.path()).unwrap();
        let mut positions: Vec<Position> = Vec::new();
        for arrows in (0..=6).filter(|arrows| keep == Keep::All || arrows % 2 == 1) {
            positions.extend(table.tier(arrows).unwrap().map(|found| found.unwrap().0));
        }
        // Far from the order of the table, and with positions of tiers that are not stored.
        let count = positions.len();
        let moved = (0..count).map(|i| positions[i * 7919 % count]);
        let mut asked: Vec<Position> = moved.collect();
        let start: Position = "q2/3/2Q w".parse().unwrap();
        if amazons == "1v1" {
            asked.extend(start.moves().map(|played| start.play(played).unwrap()));
            asked.push(start);
        }
        let lines: Vec<String> = asked.iter().map(|position| format!("{position}\n")).collect();
        let (found, status) =
            answers(&["lookup", "-", "--tables", tables, "--values-only"], &lines.concat());
        assert_eq!((found.len(), status), (asked.len(), 0));
        for ((line, found), position) in (1..).zip(&found).zip(&asked) {
            let value = table.value(position).unwrap();
            let expected = serde_json::json!({
                "line": line, "position": position.to_string(), "value": value.to_string(),
            });
            assert_eq!(*found, expected);
        }
    }
}

#[test]
fn solve_answers_each_line_as_it_answers_one() {
    let lines = "4x4 b1-b2/a1\n5x4\n10x10\n4x4\n";
    let (found, status) = answers(&["solve", "-", "--threads", "1", "--memory", "64MiB"], lines);
    assert_eq!((found.len(), status), (4, 1));
    assert!(found[2]["error"].as_str().unwrap().contains("at most 64"));
    for (answer, position) in [(0, ["4x4", "b1-b2/a1"].as_slice()), (1, &["5x4"]), (3, &["4x4"])] {
        let alone = one(&[&["solve"], position].concat());
        for field in ["position", "board", "side_to_move", "value", "winner", "method"] {
            assert_eq!(found[answer][field], alone[field], "{position:?} {field}");
        }
    }
    // When the time is up the status says so, unless it says that a line could not be answered.
    let short = ["solve", "-", "--threads", "1", "--memory", "64MiB", "--time", "1ms"];
    let (found, status) = answers(&short, "8x8\n8x8\n");
    assert_eq!((found.len(), &found[1]["value"], status), (2, &"unknown".into(), 3));
    amazons(&short).write_stdin("8x8\n").assert().stderr(contains("time was up for 1 of"));
    let (found, status) = answers(&short, "8x8\n10x10\n");
    assert_eq!((found.len(), status), (2, 1));
    amazons(&["solve", "-", "--certificate", "c"]).assert().code(2).stderr(contains("many"));
    amazons(&["solve", "-", "b1-b2/a1"]).assert().code(2).stderr(contains("lines"));
}

#[test]
fn show_and_region_answer_lines() {
    let (found, status) = answers(&["show", "-"], "4x4 b1-b2/a1\n4x4 b1-b2/b2\n");
    assert_eq!(status, 1);
    assert_eq!(plain(&found[0]), one(&["show", "4x4", "b1-b2/a1"]));
    assert!(found[1]["error"].as_str().unwrap().contains("b2"));
    let (found, status) = answers(&["region", "-"], "x..o\nx.o x|.\n###\n");
    assert_eq!(status, 1);
    assert_eq!(plain(&found[0]), one(&["region", "x..o"]));
    assert_eq!(plain(&found[1]), one(&["region", "x.o", "x|."]));
    assert!(found[2]["error"].as_str().unwrap().contains("not burned"));
    amazons(&["show", "-", "--svg", "s.svg"]).assert().code(2).stderr(contains("one position"));
}

#[test]
fn a_position_may_be_written_in_other_ways() {
    let shown = |arguments: &[&str]| one(&[&["show"], arguments].concat())["position"].clone();
    assert_eq!(shown(&["4×5"]), shown(&["4X5"]));
    assert_eq!(shown(&["1qq1/q2q/Q2Q/1QQ1", "w", "b1-b2/a1"]), shown(&["4x4", "b1-b2/a1"]));
    assert_eq!(shown(&["5x5", "--amazons", "1v1"]), shown(&["1q3/5/5/5/1Q3 w"]));
    amazons(&["show", "4x4", "--amazons", "9v9"]).assert().code(2);
    amazons(&["show", "1q/Q1 w", "--amazons", "1v1"]).assert().code(2).stderr(contains("FEN"));
}

#[test]
fn a_table_that_the_disk_cannot_hold_is_not_begun() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t");
    let build = ["build", "8x4", "--tables", path.to_str().unwrap()];
    amazons(&build).assert().code(1).stderr(contains("there is room for").and(contains("--force")));
    assert!(!path.exists());
}

/// A mapped file that another program cuts would end the process.
#[cfg(target_os = "linux")]
#[test]
fn tables_are_read_and_not_mapped() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 500);
    let tables = directory.path().to_str().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["lookup", "-", "--tables", tables])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(input, "q2/3/2Q w").unwrap();
    assert!(answers.next().unwrap().unwrap().contains("win"));
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", child.id())).unwrap();
    assert!(maps.contains("amazons") && !maps.contains(tables), "{maps}");
    drop(input);
    assert!(child.wait().unwrap().success());
}
