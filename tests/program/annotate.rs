//! `amazons annotate`: games with known blunders against a table, by proof, and bad input.

use std::path::Path;

use amazons::game::notation::sgf::{Game, Style, Tree, games_text, parse_games};
use amazons::game::notation::{fen, parse_fen};
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::amazons;

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn write(directory: &Path, name: &str, text: &str) -> String {
    let path = directory.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

/// The replies that lose and those that win after 4x4 b1-b3/b1, from the table.
fn replies(tables: &str, position: &str) -> (Vec<String>, Vec<String>) {
    let answer = amazons(&["lookup", position, "--tables", tables, "--json"]).assert().success();
    let answer: Value = serde_json::from_str(&stdout(&answer)).unwrap();
    assert_eq!(answer["value"], "win", "the second player wins 4x4");
    let named = |value: &str| -> Vec<String> {
        let moves = answer["moves"].as_array().unwrap().iter();
        moves
            .filter(|m| m["value"] == value)
            .map(|m| m["move"].as_str().unwrap().to_string())
            .collect()
    };
    (named("loss"), named("win"))
}

#[test]
fn a_blunder_on_4x4_is_found_by_the_table() {
    let directory = tempfile::tempdir().unwrap();
    let tables = directory.path().join("tables").to_str().unwrap().to_string();
    amazons(&["build", "4x4", "--tables", &tables, "--quiet"]).assert().success();

    // White's first move loses like all others; the first variation throws Black's win away, the
    // second keeps it.
    let mut game = Game::new(&parse_fen("1qq1/q2q/Q2Q/1QQ1 w").unwrap(), Style::Algebraic);
    let first = game.play(Tree::ROOT, "b1-b3/b1").unwrap();
    let (losing, winning) = replies(&tables, &fen(game.position(first)));
    let bad = game.play(first, &losing[0]).unwrap();
    game.annotate(bad, "C", "looked good");
    game.play(first, &winning[0]).unwrap();
    let path = write(directory.path(), "game.sgf", &games_text(&[game]));

    let picture = directory.path().join("game.svg");
    let out = directory.path().join("out.sgf");
    let (picture, out) = (picture.to_str().unwrap(), out.to_str().unwrap());
    let told = amazons(&[
        "annotate", &path, "--tables", &tables, "--time", "0s", "--out", out, "--svg", picture,
    ])
    .assert()
    .success()
    .stdout(contains("4 of 4 positions known; 1 move threw a win away"))
    .stdout(contains(format!("move 2, black {}", losing[0])));
    assert!(stdout(&told).contains(&format!("{} of", winning.len())));

    let annotated = parse_games(&std::fs::read(out).unwrap()).unwrap().remove(0);
    let nodes: Vec<_> = annotated.tree().preorder();
    let node = |at: usize| annotated.tree().node(nodes[at]);
    assert!(node(0).values("GB").is_some() && node(1).values("GB").is_some());
    assert!(node(1).values("BM").is_none(), "a lost position has no blunders");
    assert_eq!(node(2).text("BM").as_deref(), Some("2"));
    assert!(node(2).values("GW").is_some() && node(2).values("GB").is_none());
    let comment = node(2).text("C").unwrap();
    assert!(comment.starts_with("looked good\namazons: white wins, by the "), "{comment}");
    assert!(comment.contains("threw the win away") && comment.contains(&winning[0]), "{comment}");
    assert!(node(3).values("BM").is_none() && node(3).values("GB").is_some());

    let drawn = std::fs::read_to_string(picture).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n"));
    assert_eq!(drawn.matches("threw the win away").count(), 1);
    assert!(drawn.contains(&format!("variation, move 2, black {}: black wins", winning[0])));

    // Standard output takes the games, and annotating them again changes nothing.
    let once = stdout(&amazons(&["annotate", &path, "--tables", &tables]).assert().success());
    assert_eq!(once, std::fs::read_to_string(out).unwrap());
    let again = amazons(&["annotate", "-", "--tables", &tables])
        .write_stdin(once.clone())
        .assert()
        .success();
    assert_eq!(stdout(&again), once);

    // A proof search finds the same without the table.
    let report = amazons(&["annotate", &path, "--time", "60s", "--json"]).assert().success();
    let report: Value = serde_json::from_str(&stdout(&report)).unwrap();
    assert_eq!((&report["known"], &report["blunders"]), (&4.into(), &1.into()));
    let blunder = &report["moves"][1];
    assert_eq!((&blunder["mark"], &blunder["value"]), (&"blunder".into(), &"loss".into()));
    assert_eq!((&blunder["number"], &blunder["side"]), (&2.into(), &"black".into()));
    let instead = blunder["winning_moves"][0].as_str().unwrap();
    assert!(winning.iter().any(|played| played == instead), "{instead} is no winning move");
}

#[test]
fn a_game_without_answers_is_a_limit() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "game.sgf", "(;FF[4]GM[18];B[djddgd];W[addgad])");
    amazons(&["annotate", &path, "--estimate-nodes", "0"])
        .assert()
        .code(3)
        .stdout(contains("UC[1]"))
        .stderr(contains("nothing is known"));
    let path = write(directory.path(), "small.sgf", "(;FF[4]GM[18]SZ[6];W[b1b3b1])");
    amazons(&["annotate", &path, "--time", "0s", "--estimate-nodes", "0"]).assert().code(3);
}

#[test]
fn a_game_of_10x10_is_estimated_and_its_end_is_known() {
    let directory = tempfile::tempdir().unwrap();
    let game = std::fs::read_to_string("tests/data/10x10.sgf").unwrap();
    let path = write(directory.path(), "game.sgf", &game);
    let graph = directory.path().join("graph.svg");
    let options = ["--estimate-nodes", "500", "--time", "0s"];
    let told = amazons(&["annotate", &path, "--json", "--graph", graph.to_str().unwrap()])
        .args(options)
        .assert()
        .success();
    let report: Value = serde_json::from_str(&stdout(&told)).unwrap();
    let moves = report["moves"].as_array().unwrap();
    // Estimated first, known from some move on, with the winner that the game had.
    assert!(moves[0]["white_leads"].is_f64() && moves[0]["value"] == "unknown");
    let known = moves.iter().position(|played| played["value"] != "unknown").unwrap();
    assert!((20..60).contains(&known), "{known}");
    assert!(moves[known..].iter().all(|played| played.get("white_leads").is_none()));
    let wins = |played: &Value| (played["side"] == "white") == (played["value"] == "win");
    assert!(moves[known..].iter().all(wins));
    let costly: Vec<&Value> = moves.iter().filter(|played| played["costly"].is_string()).collect();
    assert!((1..=5).contains(&costly.len()) && costly[0]["main_line"] == true);
    let story: Vec<&str> =
        report["story"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!(story[0], "White wins by 6 moves.");
    assert!(story[1].starts_with("That is certain after move "), "{story:?}");
    assert!(story[2].starts_with("The costliest is move "), "{story:?}");
    let drawn = std::fs::read_to_string(graph).unwrap();
    assert_eq!(drawn.matches("<circle").count(), costly.len());

    // The example of the documents.
    let document = std::fs::read_to_string("docs/play.md").unwrap();
    let out = directory.path().join("out.sgf");
    let example = ["annotate", "tests/data/10x10.sgf", "--time", "0s", "--out"];
    let told = amazons(&example).arg(&out).assert().success();
    assert!(document.contains(&stdout(&told)), "{}", stdout(&told));

    // Estimates are the same every time, and replace those that were there.
    let once = stdout(&amazons(&["annotate", &path]).args(options).assert().success());
    assert!(once.contains("amazons: the winner is not known; "));
    let again = amazons(&["annotate", "-"]).args(options).write_stdin(once.clone()).assert();
    assert_eq!(stdout(&again.success()), once);
}

#[test]
fn bad_games_are_refused_and_nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out.sgf");
    let cases = [
        ("(;GM[1]FF[4]SZ[19];B[pd])", "expected a game of Amazons, GM[18], found GM[1] (Go)"),
        (
            "(;GM[18]SZ[4];W[b1b3b1]\n;B[b4b2b4])",
            "line 2, move 2, black \"b4b2b4\": b4-b2/b4 is illegal",
        ),
        ("(;GM[18]SZ[4];W[b1b3b1]", "line 1: the tree that begins here is not closed"),
        ("(;GM[18]SZ[21])", "found 21x21"),
        ("", "expected a game: SGF, GGF, or moves such as"),
        ("(;", "line 1: the tree that begins here is not closed"),
    ];
    for (text, message) in cases {
        let path = write(directory.path(), "bad.sgf", text);
        amazons(&["annotate", &path, "--out", out.to_str().unwrap()])
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("bad.sgf").and(contains(message)).and(contains("panicked").not()));
    }
    assert!(!out.exists());
    amazons(&["annotate", "no such.sgf"])
        .assert()
        .code(1)
        .stderr(contains("cannot read no such.sgf"));
}

#[test]
fn bad_tables_and_outputs_are_refused_before_anything_is_computed() {
    let directory = tempfile::tempdir().unwrap();
    let path = write(directory.path(), "game.sgf", "(;FF[4]GM[18]SZ[4];W[b1b3b1])");
    let nowhere = directory.path().join("no/where.sgf");
    let nowhere = nowhere.to_str().unwrap();
    amazons(&["annotate", &path, "--out", nowhere])
        .assert()
        .code(1)
        .stderr(contains("cannot write"));
    amazons(&["annotate", &path, "--svg", nowhere])
        .assert()
        .code(1)
        .stderr(contains("cannot write"));
    amazons(&["annotate", &path, "--tables", directory.path().to_str().unwrap()]).assert().code(1);
    amazons(&["annotate", &path, "--json", "--out", "-"])
        .assert()
        .code(2)
        .stderr(contains("give --out a FILE"));
    amazons(&["annotate", &path, "--time", "soon"]).assert().code(2);
}

/// What the search of margins finds is told of the positions before and after it, and by what.
#[test]
fn who_wins_by_a_search_of_margins_is_told_along_the_game() {
    let directory = tempfile::tempdir().unwrap();
    let start = "2*2/qQq*q/1*3/Q*2Q/*q*Q1 w";
    let annotated = |moves: &str| -> Vec<Value> {
        let path = write(directory.path(), "game.txt", &format!("{start} {moves}\n"));
        let out = directory.path().join("out.sgf");
        let time = ["--time", "0s", "--estimate-nodes", "0", "--margins", "10m", "--json"];
        let told = amazons(&["annotate", &path]).args(time).arg("--out").arg(out).assert();
        let told: Value = serde_json::from_str(&stdout(&told.success())).unwrap();
        told["moves"].as_array().unwrap().clone()
    };
    // The move of the game that follows is a blunder: no value rests on it.
    let moves = annotated("e2-e3/d3 a4-a5/b5 b4-c3/b4");
    assert_eq!((&moves[0]["value"], &moves[0]["basis"]), (&"loss".into(), &"by proof".into()));
    assert!(moves.iter().all(|of| of["mark"] == "blunder"), "{moves:?}");
    // A move that wins is one of those that win.
    let moves = annotated("d1-d3/c2");
    assert_eq!(moves[0]["value"], "win");
    let winning = moves[0]["winning_moves"].as_array().unwrap();
    assert!(winning.contains(&"d1-d3/c2".into()), "{winning:?}");
}

/// An estimate after a move does not tell that it threw a known win away.
#[test]
fn a_move_that_may_win_is_not_called_costly() {
    let told = amazons(&["annotate", "-", "--time", "0s", "--json"])
        .write_stdin("4x7 b1-b6/c6\n")
        .assert()
        .success();
    let report: Value = serde_json::from_str(&stdout(&told)).unwrap();
    assert_eq!(report["moves"][0]["value"], "unknown", "{report}");
    assert!(report["moves"].as_array().unwrap().iter().all(|played| played["costly"].is_null()));
    assert!(!report["story"].to_string().contains("costliest"), "{report}");
}

#[test]
fn more_time_is_not_asked_for_where_no_search_helps() {
    for (game, advice) in [("10x10\n", "no search takes so many squares"), ("6x6\n", "--time")] {
        let options = ["--time", "0s", "--estimate-nodes", "0", "--memory", "200MB"];
        let told = amazons(&[&["annotate", "-"], &options[..]].concat()).write_stdin(game).assert();
        told.code(3).stderr(contains(advice));
    }
}
