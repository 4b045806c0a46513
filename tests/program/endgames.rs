//! Late positions of 10x10, in commands that search them.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

/// After 48 moves of a game: two parts with amazons of both sides, 24 empty squares in them. White
/// loses.
const LATE: &str = "*3Q*4/****2**q1/*q***1**1Q/4**1*2/1*1*q****1/**1*4**/****2***1/1*Q****Q*1/\
                    2*1**1*q1/2*1*1*3 w";
/// Of another game: White wins.
const OTHER: &str = "*2q**2**/2****1*2/1**2*1Q*q/2*1Q1**2/****3**1/1***3**1/*q1*******/*****2Q2/\
                     1*1**1q**1/1Q1*1*4 w";
/// 60 squares that are not burned and within reach, and no walls.
const OPEN: &str = "9q/10/10/5Q4/4q5/9Q/**********/**********/**********/***1****** w";

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(["--memory", "200MB", "--threads", "1"]).args(arguments).assert()
}

fn solved(arguments: &[&str]) -> Value {
    let output = amazons(&[&["solve", "--json"], arguments].concat()).success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn a_late_position_is_solved_with_all_its_moves() {
    let report = solved(&[OTHER, "--all-moves", "--method", "proof"]);
    assert_eq!((&report["board"], &report["method"]), (&"10x10".into(), &"proof".into()));
    assert!(report["nodes"].as_u64().unwrap() > 0);
    let winning = report["winning_moves"].as_array().unwrap();
    assert_eq!(report["unknown_moves"], serde_json::json!([]));
    assert!(report["value"] == "win" && !winning.is_empty());
    for played in winning.iter().step_by(winning.len() / 3 + 1) {
        let after = solved(&[OTHER, played.as_str().unwrap()]);
        assert_eq!(after["value"], "loss", "{played}");
        assert_eq!(after["winner"], report["winner"]);
    }
    amazons(&["solve", LATE]).success().stdout(contains("black wins"));
}

#[test]
fn lines_of_large_boards_are_searched_each_by_its_own() {
    let lines = format!("{LATE}\n4x4\n{OTHER}\n");
    let mut command = Command::cargo_bin("amazons").unwrap();
    let told = command.args(["solve", "-", "--memory", "200MB"]).write_stdin(lines).assert();
    let told = String::from_utf8(told.success().get_output().stdout.clone()).unwrap();
    let values: Vec<Value> =
        told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    for (answer, position) in [(0, LATE), (2, OTHER)] {
        assert_eq!(values[answer]["value"], solved(&[position])["value"]);
    }
}

#[test]
fn what_there_is_on_small_boards_alone_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    for option in ["--checkpoint", "--certificate"] {
        amazons(&["solve", LATE, option, file.to_str().unwrap()])
            .code(2)
            .stderr(contains(format!("{option} is for boards of at most 64 squares")));
        assert!(!file.exists());
    }
    // Only those that an amazon can reach count, and the refusal says who answers instead.
    let more = OPEN.replacen("/**********", "/5*****", 1);
    amazons(&["solve", &more])
        .code(2)
        .stderr(contains("65 squares of 10x10 are not burned").and(contains("`amazons score`")));
}

#[test]
fn without_time_the_parts_are_told() {
    amazons(&["solve", OPEN, "--time", "20ms"])
        .code(3)
        .stdout(contains("unknown"))
        .stderr(contains("the part with ").and(contains("the time is up; give more --time")));
}

#[test]
fn the_score_names_the_winner_that_a_search_finds() {
    let winner = solved(&[LATE])["winner"].clone();
    let found = amazons(&["score", LATE, "--time", "60s", "--json"]).success();
    let found: Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
    assert_eq!((&found["winner"], &found["searched"]), (&winner, &true.into()));
    amazons(&["score", LATE]).success().stdout(contains("not decided"));
    let words = format!("{} wins by a search: ", winner.as_str().unwrap());
    amazons(&["score", LATE, "--time", "60s"]).success().stdout(contains(words));
}
