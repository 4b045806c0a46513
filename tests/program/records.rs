//! Records of games: `convert`, `play --save`, and the examples of docs/records.md.

use std::fs;
use std::path::Path;

use amazons::read_records;
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::amazons;

fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// A record of the page, and what the page says of it.
struct Example {
    record: String,
    kind: String,
    expected: String,
}

fn examples() -> Vec<Example> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/records.md");
    let (mut blocks, mut open): (Vec<(String, String)>, bool) = (Vec::new(), false);
    for line in fs::read_to_string(page).unwrap().lines() {
        match line.strip_prefix("```") {
            Some("") => open = false,
            Some(kind) => {
                blocks.push((kind.to_string(), String::new()));
                open = true;
            }
            None if open => {
                let (_, text) = blocks.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    assert!(blocks.len().is_multiple_of(2));
    let pairs = blocks.chunks(2).map(|pair| {
        assert_eq!(pair[0].0, "record");
        let (kind, expected) = pair[1].clone();
        Example { record: pair[0].1.clone(), kind, expected }
    });
    pairs.collect()
}

#[test]
fn the_examples_of_the_page_are_what_is_read() {
    let examples = examples();
    assert!(examples.len() >= 10);
    for Example { record, kind, expected } in examples {
        let read = read_records(record.as_bytes());
        let found = match (&read, kind.as_str()) {
            (Ok(games), "moves") => games.iter().map(|game| format!("{game}\n")).collect(),
            (Err(error), "error") => format!("{error}\n"),
            _ => format!("{read:?}"),
        };
        assert_eq!(found, expected, "{record}");
    }
}

#[test]
fn a_record_is_written_in_every_form_and_read_again() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name).to_str().unwrap().to_string();
    let (list, sgf) = (at("list.txt"), at("game.sgf"));
    fs::write(&list, "1. d1-d6(g9) 2. D10-F10xE10 resign\n4x4 b1-b3/b1\n").unwrap();
    amazons(&["convert", &list, "--to", "sgf", "--out", &sgf])
        .assert()
        .success()
        .stdout(contains("2 games in "))
        .stderr(contains("game 1: white resigned"));
    let text = fs::read_to_string(&sgf).unwrap();
    assert!(text.contains(";W[d1d6g9]\n;B[d10f10e10])") && text.contains("RE[B+R]"), "{text}");

    let moves = "10x10 d1-d6/g9 d10-f10/e10\n4x4 b1-b3/b1\n";
    assert_eq!(stdout(&mut amazons(&["convert", &sgf])), moves);
    assert_eq!(stdout(amazons(&["convert", "-", "--to", "moves"]).write_stdin(text)), moves);
    let last = "6q3/4*5/6*3/q8q/3Q6/10/Q8Q/10/10/6Q3 w";
    let fen = stdout(&mut amazons(&["convert", &list, "--to", "fen"]));
    assert!(fen.lines().count() == 2 && fen.lines().all(|line| line.ends_with(['w', 'b'])));
    let all = stdout(&mut amazons(&["convert", &list, "--to", "fen", "--all"]));
    assert_eq!(all.lines().count(), 5);
    assert_eq!(all.lines().nth(2), fen.lines().next());
    assert_eq!(all.lines().next(), Some("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w"));
    assert_eq!(last.matches('*').count(), fen.lines().next().unwrap().matches('*').count());

    let json = stdout(&mut amazons(&["convert", &list, "--json"]));
    let first: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["moves"][1], "d10-f10/e10");
    assert_eq!(first["remarks"][0], "white resigned");
}

#[test]
fn variations_are_left_out_with_a_remark() {
    let text = "(;GM[18]SZ[4];W[b1b3b1](;B[a3a4a3])(;B[b4a4b4]))";
    amazons(&["convert", "-"])
        .write_stdin(text)
        .assert()
        .success()
        .stdout("4x4 b1-b3/b1 a3-a4/a3\n")
        .stderr(contains("game 1: 1 move beside its main line is left out"));
    amazons(&["convert", "-", "--to", "sgf", "--quiet"])
        .write_stdin(text)
        .assert()
        .success()
        .stdout(contains("(;B[b4a4b4])"))
        .stderr("");
}

#[test]
fn bad_records_and_usage_are_refused_and_nothing_is_written() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name).to_str().unwrap().to_string();
    let (bad, out) = (at("bad.txt"), at("out.sgf"));
    fs::write(&bad, "4x4\n1. b1-b4/b3").unwrap();
    for command in ["convert", "annotate"] {
        amazons(&[command, &bad, "--out", &out])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("bad.txt: line 2, column 4, move 1, white: b1-b4/b3 is illegal"))
            .stderr(contains("panicked").not());
    }
    amazons(&["convert", &at("none")]).assert().code(1).stderr(contains("cannot read"));
    amazons(&["convert", "-", "--all"]).assert().code(2).stderr(contains("--all is for --to fen"));
    amazons(&["convert", "-", "--json", "--out", "-"])
        .assert()
        .code(2)
        .stderr(contains("give --out a FILE"));
    amazons(&["convert", &bad, "--out", &bad]).assert().code(2).stderr(contains("the same file"));
    assert!(!Path::new(&out).exists());
}

#[test]
fn annotate_takes_a_list_of_moves() {
    amazons(&["annotate", "-", "--time", "10s", "--out", "-"])
        .write_stdin("[FEN \"1qq1/q2q/Q2Q/1QQ1 w\"]\n1. B1-B3 x B1 A3-B2(A3) resign")
        .assert()
        .success()
        .stdout(contains(";B[a3b2a3]"))
        .stderr(contains("game 1: white resigned"))
        .stderr(contains("1 move threw a win away"));
}

#[test]
fn a_game_that_is_played_is_saved_after_each_move_and_at_its_end() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("game.sgf");
    let path = file.to_str().unwrap();
    let play = ["play", "3x3", "--amazons", "1v1", "--nodes", "10", "--save", path];
    let saved = || read_records(&fs::read(&file).unwrap()).unwrap().remove(0);
    amazons(&play).arg("--side").arg("both").write_stdin("b1-b2/a2\n").assert().success();
    assert_eq!(saved().to_string(), "1q1/3/1Q1 w b1-b2/a2");
    assert!(!fs::read_to_string(&file).unwrap().contains("RE["));
    let taken_back = "b1-b2/a2\nb3-a3/b3\nundo\n";
    amazons(&play).args(["--side", "both"]).write_stdin(taken_back).assert().success();
    assert_eq!(saved().moves().len(), 1);

    amazons(&play).args(["--side", "none"]).assert().success();
    let game = saved();
    assert!(game.last().moves().len() == 0 && !game.moves().is_empty());
    let winner = if game.moves().len() % 2 == 1 { "RE[W+]" } else { "RE[B+]" };
    assert!(fs::read_to_string(&file).unwrap().contains(winner));

    let nowhere = home.path().join("no/such/game.sgf");
    amazons(&["play", "4x4", "--save", nowhere.to_str().unwrap()])
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("cannot write"));
    amazons(&["play", "4x4", "--rules", "cowboys", "--save", path])
        .assert()
        .code(2)
        .stderr(contains("--save"));
}
