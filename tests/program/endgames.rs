//! Late positions of 10x10, in commands that search them.

use amazons_test_support::endgames::endgames;
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

/// After 48 moves of a game: two parts with amazons of both sides, 24 empty squares in them. White
/// loses.
fn late() -> &'static str {
    endgames()[0].fen
}

/// Of another game: White wins.
fn other() -> &'static str {
    endgames()[1].fen
}

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
    let report = solved(&[other(), "--all-moves", "--method", "proof"]);
    assert_eq!((&report["board"], &report["method"]), (&"10x10".into(), &"proof".into()));
    assert!(report["nodes"].as_u64().unwrap() > 0);
    let winning = report["winning_moves"].as_array().unwrap();
    assert_eq!(report["unknown_moves"], serde_json::json!([]));
    assert!(report["value"] == "win" && !winning.is_empty());
    for played in winning.iter().step_by(winning.len() / 3 + 1) {
        let after = solved(&[other(), played.as_str().unwrap()]);
        assert_eq!(after["value"], "loss", "{played}");
        assert_eq!(after["winner"], report["winner"]);
    }
    amazons(&["solve", late()]).success().stdout(contains("black wins"));
}

#[test]
fn lines_of_large_boards_are_searched_each_by_its_own() {
    let lines = format!("{}\n4x4\n{}\n", late(), other());
    let mut command = Command::cargo_bin("amazons").unwrap();
    let told = command.args(["solve", "-", "--memory", "200MB"]).write_stdin(lines).assert();
    let told = String::from_utf8(told.success().get_output().stdout.clone()).unwrap();
    let values: Vec<Value> =
        told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
    for (answer, position) in [(0, late()), (2, other())] {
        assert_eq!(values[answer]["value"], solved(&[position])["value"]);
    }
}

#[test]
fn too_many_squares_are_refused_whatever_is_asked() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    // Only those that an amazon can reach count, and the refusal says who answers instead.
    let more = OPEN.replacen("/**********", "/5*****", 1);
    for option in ["--checkpoint", "--certificate"] {
        amazons(&["solve", &more, option, file.to_str().unwrap()]).code(2).stderr(
            contains("65 squares of 10x10 are not burned").and(contains("`amazons score`")),
        );
        assert!(!file.exists());
    }
}

#[test]
fn a_late_position_is_proved_and_the_proof_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("late.proof");
    let file = file.to_str().unwrap();
    amazons(&["solve", late(), "--certificate", file, "--walls"]).success();
    let proved = format!("proved, with the wall rule: black wins {}", late());
    amazons(&["verify", file]).success().stdout(contains(proved));
    amazons(&["verify", file, "--part", "1/2"]).success().stdout(contains("part 1/2 holds"));
    amazons(&["info", file]).success().stdout(contains("format version 6").and(contains(late())));
    amazons(&["lookup", late(), "--certificate", file])
        .success()
        .stdout(contains("loss for white, by the certificate"));
    let start = "10x10";
    amazons(&["lookup", start, "--certificate", file]).code(2).stderr(contains("says nothing of"));
    let merged = directory.path().join("merged.proof");
    amazons(&["merge", late(), "--from", file, "--out", merged.to_str().unwrap()])
        .code(1)
        .stderr(contains("boards of more than 64 squares are not merged, found 10x10"));
    assert!(!merged.exists());
}

#[test]
fn a_search_of_a_late_position_goes_on_from_its_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let [checkpoint, digest, smaller] = ["c", "d", "s"].map(|name| {
        let path = directory.path().join(name);
        path.to_str().unwrap().to_string()
    });
    let ask = ["solve", OPEN, "--checkpoint", &checkpoint, "--time"];
    amazons(&[&ask[..], &["1s"]].concat()).code(3).stderr(contains("goes on from"));
    let first = amazons(&["info", &checkpoint, "--json"]).success();
    let first: Value = serde_json::from_slice(&first.get_output().stdout).unwrap();
    assert_eq!((&first["version"], &first["board"]), (&4.into(), &"10x10".into()));
    assert_eq!(first["position"], OPEN);
    amazons(&[&ask[..], &["1s"]].concat()).code(3).stderr(contains("going on from"));
    amazons(&["digest", &checkpoint, "--size", "4kB", "--out", &digest]).success();
    amazons(&["digest", &digest, "--size", "2kB", "--out", &smaller]).success();
    amazons(&["solve", OPEN, "--digest", &smaller, "--time", "100ms"])
        .code(3)
        .stderr(contains("believing"));
    amazons(&["solve", late(), "--checkpoint", &checkpoint])
        .code(1)
        .stderr(contains("another position"));
}

#[test]
fn without_time_the_parts_are_told() {
    amazons(&["solve", OPEN, "--time", "20ms"])
        .code(3)
        .stdout(contains("unknown"))
        .stderr(contains("the part with ").and(contains("with --checkpoint FILE it could go on")));
}

#[test]
fn the_score_names_the_winner_that_a_search_finds() {
    let winner = solved(&[late()])["winner"].clone();
    let found = amazons(&["score", late(), "--time", "60s", "--json"]).success();
    let found: Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
    assert_eq!((&found["winner"], &found["basis"]), (&winner, &"by proof".into()));
    amazons(&["score", late()]).success().stdout(contains("not decided"));
    let words = format!("{} wins, by proof; what is left says ", winner.as_str().unwrap());
    amazons(&["score", late(), "--time", "60s"]).success().stdout(contains(words));
}
