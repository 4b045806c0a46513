//! What `perft` and `show` print.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

fn output(arguments: &[&str]) -> String {
    let assert = Command::cargo_bin("amazons").unwrap().args(arguments).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("amazons").unwrap().args(arguments).assert()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(arguments)).unwrap()
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(output(&["perft", "4x4", "3"]), "139500\n");
    assert_eq!(output(&["perft", "1qq1/q2q/Q2Q/1QQ1 w - - 0 1", "0"]), "1\n");
    let divided = output(&["perft", "4x4", "2", "--divide"]);
    let lines: Vec<&str> = divided.lines().collect();
    let counts =
        lines[..88].iter().map(|line| line.split_once(' ').unwrap().1.parse::<u64>().unwrap());
    assert_eq!((lines.len(), counts.sum(), lines[88]), (89, 4336, "4336"));
    // 157 replies, as published.
    assert!(output(&["perft", "5x6", "2", "--divide"]).contains("b1-b4/d4 157\n"));
    assert_eq!(output(&["perft", "5x6", "b1-b4/d4", "1"]), "157\n");
    assert_eq!(
        output(&["perft", "3x3", "b1-a1/a2", "1", "--amazons", "1v1"]),
        output(&["perft", "1q1/*2/Q2 b", "1"])
    );
    assert_eq!(output(&["perft", "q2/3/2Q", "w", "c1-b1/b2", "0"]), "1\n");
}

#[test]
fn perft_as_json() {
    let report = json(&["perft", "5x4", "2", "--json"]);
    assert_eq!(report["position"], "1q1q1/q3q/Q3Q/1Q1Q1 w");
    assert_eq!((&report["depth"], &report["nodes"]), (&Value::from(2), &Value::from(19114)));
    assert!(report["seconds"].as_f64().unwrap() >= 0.0);
    assert!(report.get("moves").is_none());
    assert_eq!(
        json(&["--json", "perft", "4x4", "1", "--divide"])["moves"].as_array().unwrap().len(),
        88
    );
}

#[test]
fn show_draws() {
    let lines = "4 . q q .\n3 q . . q\n2 Q . . Q\n1 . Q Q .\n  a b c d\n";
    assert!(output(&["show", "4x4", "--ascii"]).starts_with(lines));
    assert!(output(&["show", "1q2/**2/4/Q3 b"]).contains("▒ ▒"));
    assert_eq!(json(&["show", "4x5", "--json"])["side_to_move"], "white");
}

#[test]
fn show_plays_moves_first() {
    let report = json(&["show", "5x5", "b1-b3/d3", "b5b4b5", "--json"]);
    assert_eq!(report["position"], "1*1q1/qq2q/1Q1*1/Q3Q/3Q1 w");
}

#[test]
fn show_writes_a_picture() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("board.svg");
    Command::cargo_bin("amazons")
        .unwrap()
        .args(["show", "4x4", "--svg", file.to_str().unwrap()])
        .assert()
        .success()
        .stdout("")
        .stderr(predicate::str::contains("wrote"));
    assert!(std::fs::read_to_string(file).unwrap().starts_with("<svg"));
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["perft", "10x10", "2", "--divide", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}

#[test]
fn show_parts_a_position() {
    // White's amazon stands in a gap of the burned wall: three squares behind it, two before it.
    let lines = output(&["show", "3Q2q/******* w", "--regions", "--ascii"]);
    assert!(lines.starts_with("2 a a a Q b b q\n1 * * * * * * *\n"), "{lines}");
    for line in [
        "a     white            3  3              0              with d2",
        "b     contested        2  0 to 2",
    ] {
        assert!(lines.contains(line), "{lines}");
    }
    assert!(
        lines.contains("together ab: from white ahead by 1 to white ahead by 5, value "),
        "{lines}"
    );
    let report = json(&["show", "3Q2q/******* w", "--regions", "--json"]);
    let component = &report["components"][0];
    assert_eq!(
        (&component["white_ahead_at_least"], &component["white_ahead_at_most"]),
        (&1.into(), &5.into())
    );
    assert_eq!(component["parts"][0]["white_moves"], serde_json::json!([3, 3]));
    assert_eq!(component["parts"][1]["owner"], Value::Null);
    assert!(json(&["show", "4x4", "--json"]).get("components").is_none());
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("parts.svg");
    Command::cargo_bin("amazons")
        .unwrap()
        .args(["show", "3Q2q/******* w", "--regions", "--svg", file.to_str().unwrap()])
        .assert()
        .success()
        .stdout(predicate::str::contains("together ab"));
    let picture = std::fs::read_to_string(file).unwrap();
    assert_eq!(picture.matches("<rect class=\"area-white\"").count(), 3);
    assert_eq!(picture.matches("<rect class=\"area-none\"").count(), 2);
    let large = json(&["show", FINISHED, "--regions", "--json"]);
    let ahead = large["components"].as_array().unwrap().iter().map(|component| {
        assert_eq!(component["white_ahead_at_least"], component["white_ahead_at_most"]);
        component["white_ahead_at_most"].as_i64().unwrap()
    });
    assert_eq!(ahead.sum::<i64>(), -23);
}

#[test]
fn show_tells_who_is_nearer() {
    // Black comes to d2 in one move and to b1 in three; f1 is behind its amazon.
    let lines = output(&["show", "***1**/Q2*q1 w", "--distances", "--ascii"]);
    assert!(lines.starts_with("2  *   *   *  2:1  *   *\n1  Q  1:3 1:2  *   q  -:1\n"), "{lines}");
    assert!(lines.contains("nearer to white: 2, to black: 2, to neither: 0"), "{lines}");
    let report = json(&["show", "***1**/Q2*q1 w", "--distances", "--json"]);
    assert_eq!(report["distances"]["white"][1], 1);
    assert_eq!(report["distances"]["white"][5], Value::Null);
    assert_eq!(report["owned"], serde_json::json!({"white": 2, "black": 2, "both": 0}));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("distances.svg");
    let arguments = ["show", "***1**/Q2*q1 w", "--distances", "--svg", file.to_str().unwrap()];
    output(&arguments);
    let picture = std::fs::read_to_string(file).unwrap();
    assert_eq!(picture.matches("<rect class=\"area-white\"").count(), 2);
    assert_eq!(picture.matches("<rect class=\"area-black\"").count(), 2);
    assert_eq!(picture.matches(">1:3</text>").count(), 1);
    for other in [["--regions", ""], ["--rules", "cowboys"]] {
        let words = ["show", "4x4", "--distances"].into_iter().chain(other);
        let words = words.filter(|word| !word.is_empty());
        Command::cargo_bin("amazons").unwrap().args(words).assert().code(2);
    }
}

/// Black to move after the game of Wikipedia's article; its amazons on d1 and e2 touch.
pub(crate) const FINISHED: &str = "*2q*2*2/1***1*2*1/**Q*******/2***Q2*Q/2*1******/1***q*1*2/1**2**3/\
                        **1*****2/**1*Q**3/2*q**q2* b";

#[test]
fn score_counts_what_is_left() {
    assert_eq!(
        output(&["score", FINISHED]),
        "white has 8 moves left, black 31 moves\nblack wins, 23 moves ahead\n"
    );
    let report = json(&["score", FINISHED, "--json"]);
    let ahead = ["white_ahead_at_least", "white_ahead_at_most"].map(|bound| &report[bound]);
    assert_eq!(ahead, [-23, -23]);
    assert_eq!(report["winner"], "black");
    // Each side has two squares of its own: who must move runs out first.
    for (turn, winner) in [("w", "black"), ("b", "white")] {
        let even = format!("Q2*2q {turn}");
        assert!(output(&["score", &even]).ends_with(&format!(": {winner} wins\n")), "{turn}");
    }
    let open = output(&["score", "3Q2q/******* w"]);
    assert!(open.ends_with("white wins: from white ahead by 1 to white ahead by 5\n"), "{open}");
    let start = json(&["score", "5x5", "b1-b3/d3", "--json"]);
    assert_eq!(start["winner"], "white");
    assert!(
        output(&["score", "5x5", "b1-b3/d3"]).contains("\nwhite wins, by the opening table of ")
    );
    assert_eq!(json(&["score", "6x6", "--json"])["winner"], Value::Null);
    assert!(output(&["score", "6x6"]).contains("\nnot decided: from black ahead by "));
}

#[test]
fn a_game_tree_is_counted_as_perft_does() {
    let tree = json(&["tree", "4x4", "--plies", "3", "--json"]);
    let sequences: Vec<_> =
        tree["plies"].as_array().unwrap().iter().map(|ply| ply["sequences"].clone()).collect();
    assert_eq!(sequences, [1, 88, 4336, 139_500]);
    assert_eq!((&tree["whole"], &tree["mean_length"]), (&false.into(), &serde_json::Value::Null));
    // A square on a board of 1x3: its amazon goes there and burns where it came from, or is stuck.
    let text = output(&["tree", "Q1q w"]);
    assert!(text.starts_with("ply ") && text.lines().next().unwrap().ends_with(" moves/sequence"));
    assert!(text.ends_with(
        "\n1 game, 10^0.00\na game has 1.00 moves on the average, a place of the tree where it goes \
         on 1.00\n"
    ), "{text}");
}

#[test]
fn estimates_say_what_they_are_about() {
    // One of two games is longer than the other, so its figure is as uncertain as it is large.
    let tree = json(&["tree", "10x10", "--samples", "2", "--seed", "3", "--json"]);
    let last = tree["plies"].as_array().unwrap().last().unwrap();
    let of = |field: &str| last[field].as_f64().unwrap();
    assert_eq!(last["reached"], 1);
    assert!(of("sequences") > 1e154 && of("sequences").is_finite(), "{last}");
    assert!((of("sequences_error") / of("sequences") - 1.0).abs() < 1e-9, "{last}");
    assert!(tree["games_error"].as_f64().unwrap() > 0.1 * tree["games"].as_f64().unwrap());
    assert_eq!(tree["whole"], true);
    let killer = ["tree", "4x4", "--rules", "killer", "--plies", "2", "--samples", "300"];
    let text = output(&killer);
    assert!(text.ends_with("\nabout 0 games of at most 2 moves, by 300 random ones\n"), "{text}");
    assert_eq!(json(&[&killer[..], &["--json"]].concat())["whole"], false);
}

#[test]
fn a_tree_that_does_not_fit_says_what_is_left() {
    amazons(&["tree", "5x5", "--memory", "30MB", "--threads", "1"])
        .code(3)
        .stdout(predicates::str::contains("\n  2 "))
        .stderr(predicates::str::contains("--samples estimates them"));
    amazons(&["tree", "4x4", "--rules", "killer"]).code(2);
    amazons(&["tree", "10x10"]).code(2).stderr(predicates::str::contains("64"));
    amazons(&["tree", "4x4", "--samples", "1"]).code(2);
    amazons(&["tree", "4x4", "--samples", "2", "--memory", "6MB"])
        .code(2)
        .stderr(predicates::str::contains("sums of random games needs at least"));
    amazons(&["tree", "4x4", "--seed", "2"]).code(2);
}
