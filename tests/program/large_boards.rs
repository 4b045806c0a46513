//! Boards of more than ten columns or rows: what takes them, and what says that it does not.

use std::fs;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::{amazons, json};

/// A late game on 12x12: White's corner and Black's are apart.
const LATE: &str = "10**/9*2/8*3/7*2q1/7*4/7*4/7*4/7*****/****8/3*8/1Q1*8/3*8 w";

#[test]
fn the_largest_board_is_drawn_and_counted() {
    let shown = json(&["show", "20x20", "b1-b19/s19"]);
    let empty = "20/".repeat(16);
    let expected = format!("1q16q1/qQ16*q/{empty}Q18Q/18Q1 b");
    assert_eq!(shown["position"], expected.as_str());
    let lines = shown["diagram"].as_array().unwrap();
    assert_eq!(lines[0].as_str().unwrap().split_whitespace().next(), Some("20"));
    assert!(lines[20].as_str().unwrap().ends_with("s t"));
    assert_eq!(json(&["perft", "20x20", "1"])["nodes"], 12248);
    assert_eq!(json(&["perft", "15x15", "1", "--rules", "134"])["nodes"], 7476);
    let sampled = json(&["tree", "20x20", "--samples", "2", "--plies", "2"]);
    assert_eq!(sampled["plies"][1]["sequences"], 12248.0);
    amazons(&["tree", "20x20", "--samples", "2"])
        .assert()
        .code(3)
        .stderr(contains("more sequences of moves than 1.8e308").and(contains("--plies ")));
    for rules in ["killer", "cowboys", "pencil", "134", "tromazons"] {
        let sampled = json(&["tree", "20x13", "--samples", "2", "--plies", "1", "--rules", rules]);
        assert_eq!(sampled["plies"][1]["reached"], 2, "{rules}");
        let counted = json(&["perft", "20x13", "1", "--rules", rules, "--divide"]);
        let moves = counted["moves"].as_array().unwrap();
        assert_eq!(counted["nodes"], moves.len(), "{rules}");
        let first = moves[0]["move"].as_str().unwrap();
        amazons(&["show", "20x13", first, "--rules", rules]).assert().success();
    }
    let directory = tempfile::tempdir().unwrap();
    let picture = directory.path().join("large.svg");
    amazons(&["show", "20x20", "--svg", picture.to_str().unwrap()]).assert().success();
    assert!(fs::read_to_string(picture).unwrap().contains(">t</text>"));
}

#[test]
fn games_are_played_recorded_and_annotated() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.sgf");
    let saved = path.to_str().unwrap();
    let play = |rules: &[&str]| {
        let options = ["play", "12x11", "--nodes", "20", "--memory", "200MB", "--threads", "1"];
        let mut command = amazons(&[&options[..], rules].concat());
        command.write_stdin("k1-k8/k9\nfen\nquit\n").assert().success()
    };
    play(&["--save", saved]).stdout(contains("10*1/10Q1"));
    let annotated = ["annotate", saved, "--time", "0s", "--estimate-nodes", "1", "--threads", "1"];
    amazons(&annotated).assert().success().stdout(contains("SZ[12:11]"));
    let moves = json(&["convert", saved]);
    assert_eq!((&moves["board"], &moves["moves"][0]), (&"12x11".into(), &"k1-k8/k9".into()));
    play(&["--rules", "pencil"]).stdout(contains("10*1/"));
}

#[test]
fn late_positions_are_scored() {
    let score = json(&["score", LATE]);
    assert_eq!(score["white_moves"], serde_json::json!([8, 8]), "{score}");
    let shown = json(&["show", LATE, "--regions"]);
    assert_eq!(shown["components"].as_array().unwrap().len(), 2);
}

#[test]
fn what_takes_no_such_board_says_so() {
    for (arguments, expected) in [
        (&["solve", "12x12"][..], "12x12 has 144 squares, a search takes boards of at most 64"),
        (
            &["solve", "12x12", "--rules", "killer"],
            "12x12 has 144 squares, the search by the rules of",
        ),
        (&["build", "12x12", "--tables", "t"], "tables are for boards of at most 64 squares"),
        (&["plan", "12x12"], "no plan for 12x12 4v4"),
        (&["perft", "21x4", "1"], "a board has 1 to 20 columns and 1 to 20 rows, found 21x4"),
        (&["show", "20x20", "u1-u2/u3"], "files are a-t and ranks 1-20"),
    ] {
        amazons(arguments).assert().code(2).stderr(contains(expected).and(contains("panic").not()));
    }
}
