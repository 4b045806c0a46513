//! `instance` and the chart of its searches.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("amazons").unwrap().args(arguments).assert()
}

fn graph(text: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("graph.txt");
    fs::write(&path, text).unwrap();
    (directory, path.to_str().unwrap().to_string())
}

fn json(text: &str, options: &[&str]) -> Value {
    let (_directory, path) = graph(text);
    let arguments = [&["instance", "hamilton", path.as_str(), "--json"], options].concat();
    let output = amazons(&arguments).success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results/instances")
}

#[test]
fn the_longest_play_says_whether_there_is_a_circuit() {
    for (text, circuit, length) in [
        ("o-o\n| |\no-o\n", true, 15),
        ("o-o-o\n| | |\no-o-o\n", true, 29),
        ("o-o-o\n|   |\no-o-o\n|   |\no-o-o\n", false, 44),
    ] {
        let report = json(text, &["--solve"]);
        assert_eq!(
            (&report["has_circuit"], &report["length_with_circuit"]),
            (&circuit.into(), &length.into())
        );
        assert_eq!(report["longest_play"].as_u64() == Some(length), circuit);
        assert_eq!(json(text, &[]).get("longest_play"), None);
    }
}

#[test]
fn other_commands_read_the_position() {
    let report = json("o-o\n| |\no-o", &[]);
    let position = report["position"].as_str().unwrap();
    let drawn = amazons(&["show", position, "--json"]).success().get_output().stdout.clone();
    let drawn: Value = serde_json::from_slice(&drawn).unwrap();
    assert_eq!(drawn["position"], position);
    assert_eq!(drawn["board"], format!("{}x{}", report["columns"], report["rows"]));
}

#[test]
fn what_is_no_cubic_subgrid_graph_is_refused() {
    for (text, expected) in [
        ("", "expected a graph, with o for each vertex, found none"),
        ("o/o", "line 1, column 2: expected an edge - or a blank, found '/'"),
        ("o-", "line 1, column 2: expected a vertex o at both ends"),
        ("  o\n  |\no-o-o\n  |\n  o", "line 3, column 3: expected at most 3 edges"),
        ("o-o", "expected a vertex with exactly two edges, found none"),
    ] {
        let (_directory, path) = graph(text);
        amazons(&["instance", "hamilton", &path]).code(2).stderr(contains(expected));
    }
    amazons(&["instance", "hamilton", "no/such"]).code(1).stderr(contains("cannot read no/such"));
    amazons(&["instance"]).code(2);
}

#[test]
fn limits_are_told() {
    let ladder = |rungs: usize| {
        let side = vec!["o"; rungs].join("-");
        format!("{side}\n{}\n{side}\n", vec!["|"; rungs].join(" "))
    };
    let (_directory, path) = graph(&ladder(40));
    amazons(&["instance", "hamilton", &path]).success().stdout(contains("197x"));
    amazons(&["instance", "hamilton", &path, "--solve"])
        .code(2)
        .stderr(contains("on at most 128 squares, found"));
    let (_directory, path) = graph(&ladder(9));
    amazons(&["instance", "hamilton", &path, "--solve", "--memory", "17MB", "--threads", "1"])
        .code(3)
        .stderr(contains("more memory"));
}

#[test]
fn the_growth_of_searches_is_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let picture = directory.path().join("growth.svg");
    let chart = |source: &Path| {
        let (source, out) = (source.to_str().unwrap(), picture.to_str().unwrap());
        amazons(&["chart", source, "--of", "longest-play", "--out", out])
    };
    let source = results().join("ladders.jsonl");
    chart(&source).success();
    let lines = fs::read_to_string(&source).unwrap().lines().count();
    let drawn = fs::read_to_string(&picture).unwrap();
    assert_eq!(drawn.matches("<circle").count(), lines);
    let bad = directory.path().join("bad");
    fs::write(&bad, "{}\n").unwrap();
    chart(&bad).code(1).stderr(contains("line 1: expected what instance hamilton --solve"));
    fs::write(&bad, "").unwrap();
    chart(&bad).code(1).stderr(contains("expected a line for each graph"));
}
