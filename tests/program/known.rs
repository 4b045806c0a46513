//! What is known is said by every command, with nothing but the program at hand. Each test is a
//! case that users met.

use std::fs;

use predicates::prelude::*;
use predicates::str::{contains, starts_with};

use crate::{amazons, json};

/// A game of 10x10, one move from where White cannot move.
const LATE: &str = "4*5/******1*2/Qq**6/q*q1*1*3/**********/Q******q*Q/****Q*****/**********/\
                    **********/***2***** b";

#[test]
fn a_decided_game_of_10x10_is_decided_for_all() {
    assert_eq!(json(&["score", LATE])["winner"], "black");
    let solved = json(&["solve", LATE, "--all-moves"]);
    assert_eq!((&solved["value"], &solved["nodes"]), (&"win".into(), &0.into()));
    let looked_up = json(&["lookup", LATE]);
    assert_eq!(looked_up["value"], "win");
    let moves = looked_up["moves"].as_array().unwrap();
    assert!(moves.len() == 2 && moves.iter().all(|played| played["value"] == "win"));
    let game = format!("{LATE}\nc7-d7/c7\n");
    let story = amazons(&["annotate", "-"]).write_stdin(game).assert().success();
    story.stderr(contains("2 of 2 positions known").and(contains("Black wins by 18 moves")));
}

#[test]
fn a_search_is_advised_where_there_is_one() {
    let open = "10q1/12/12/12/12/12/12/12/12/12/12/Q11 w";
    for (position, advice) in [
        ("8x8", "nothing decides 1 of the positions; `amazons solve` searches it"),
        (open, "they are too large for a search; `amazons score` says who is ahead"),
    ] {
        amazons(&["lookup", position, "--values-only"]).assert().code(3).stderr(contains(advice));
    }
    let both = ["lookup", "-", "--values-only"];
    amazons(&both)
        .write_stdin(format!("8x8\n{open}\n"))
        .assert()
        .code(3)
        .stderr(contains("`amazons solve` searches 1 of them, the others are too large"));
}

#[test]
fn boards_that_are_solved_are_known_without_files() {
    for (board, winner) in [
        ("4x4", "black"),
        ("4x5", "black"),
        ("5x4", "white"),
        ("5x5", "white"),
        ("4x6", "white"),
        ("6x4", "black"),
        ("4x7", "white"),
        ("7x4", "black"),
        ("5x6", "white"),
        ("6x5", "white"),
        ("4x8", "white"),
        ("5x7", "white"),
        ("4x9", "white"),
    ] {
        let solved = json(&["solve", board]);
        assert_eq!((&solved["winner"], &solved["nodes"]), (&winner.into(), &0.into()), "{board}");
        let looked_up = json(&["lookup", board, "--values-only"]);
        assert_eq!(looked_up["value"], solved["value"], "{board}");
        assert_eq!(looked_up["basis"], solved["basis"], "{board}");
        // With moves it names what these rest on as well.
        let with_moves = json(&["lookup", board]);
        assert_eq!(with_moves["value"], solved["value"], "{board}");
        let rests = |report: &serde_json::Value| report["basis"].as_str().unwrap().to_string();
        let (alone, with_moves) = (rests(&looked_up), rests(&with_moves));
        let more = with_moves.contains("6x5-b1-b4-b3-b5-e2-b2.proof");
        assert_eq!(more, board == "6x5", "{board}: {with_moves}");
        assert!(more || with_moves == alone, "{board}: {with_moves}");
    }
}

/// What is claimed of a position is said of those after its moves, and what is claimed of them is
/// said of its moves.
#[test]
fn a_position_and_its_moves_know_the_same() {
    let move_of = |position: &str, played: &str| {
        let report = json(&["lookup", position]);
        let moves = report["moves"].as_array().unwrap();
        let found = moves.iter().find(|of| of["move"] == played).unwrap();
        found["value"].clone()
    };
    for (board, played, value, other) in [
        // Lost by a certificate that is elsewhere.
        ("7x4", "b1-b3/e3", "loss", "win"),
        // Refuted by one.
        ("6x5", "b1-b4/b3", "loss", "win"),
        // Won by one that is here: the mirror image of the move that it names.
        ("4x7", "c1-c6/b5", "win", "loss"),
        ("5x7", "d1-d5/b5", "win", "loss"),
    ] {
        assert_eq!(move_of(board, played), value, "{board} {played}");
        let after = json(&["lookup", board, played]);
        assert_eq!(after["value"], other, "{board} {played}");
    }
    let game = amazons(&["annotate", "-", "--time", "0s", "--estimate-nodes", "0", "--json"])
        .write_stdin("7x4\nb1-b3/e3\n")
        .assert()
        .success();
    let told = String::from_utf8(game.get_output().stdout.clone()).unwrap();
    assert!(told.contains("7x4.proof") && !told.contains("unknown"), "{told}");
}

#[test]
fn a_score_says_what_is_known_otherwise() {
    let report = json(&["score", "5x5"]);
    assert_eq!(report["winner"], "white");
    assert_eq!(report["basis"], "by the opening table of 5x5 4v4");
    amazons(&["score", "7x4"])
        .assert()
        .success()
        .stdout(contains("black wins, by the certificate 7x4.proof").and(contains("ahead by")));
    // What the bounds tell needs no more.
    assert_eq!(json(&["score", LATE]).get("basis"), None);
}

#[test]
fn positions_by_other_rules_are_looked_up_without_files() {
    let report = json(&["lookup", "q*1/1*1/*1Q w", "--rules", "cowboys"]);
    assert_eq!(
        (&report["value"], &report["basis"]),
        (&"win".into(), &"by the bounds of its parts".into())
    );
    amazons(&["lookup", "5x5", "--rules", "killer"])
        .assert()
        .code(3)
        .stderr(contains("nothing decides 1 of the positions"));
}

/// A lost position is played as well as one of which nothing is known: the engine looks for itself.
#[test]
fn a_known_loss_is_not_played_by_the_first_move_of_the_list() {
    let mut play = amazons(&["play", "7x4", "--json", "--move-time", "1s"]);
    let told = String::from_utf8(
        play.write_stdin("hint\nquit\n").assert().success().get_output().stdout.clone(),
    )
    .unwrap();
    assert!(told.contains("\"known\""), "{told}");
    assert!(!told.contains("b1-a1/b1"), "{told}");
}

#[test]
fn a_directory_with_an_opening_table_is_opened() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/results/5x5-4v4");
    let of_directory = json(&["lookup", "5x5", "--tables", directory]);
    let without = json(&["lookup", "5x5"]);
    assert_eq!(of_directory["moves"], without["moves"]);
    // Where there are several, they are named.
    let several = tempfile::tempdir().unwrap();
    for name in ["opening-a.amz", "opening-b.amz"] {
        fs::copy(format!("{directory}/opening-5x5.amz"), several.path().join(name)).unwrap();
    }
    let given = several.path().to_str().unwrap();
    let refused = amazons(&["lookup", "5x5", "--tables", given]).assert().code(1);
    let named = contains("several opening tables, expected one: ")
        .and(contains("opening-a.amz"))
        .and(contains("opening-b.amz"));
    refused.stderr(named);
    let empty = tempfile::tempdir().unwrap();
    let refused = amazons(&["lookup", "5x5", "--tables", empty.path().to_str().unwrap()]).assert();
    refused.code(1).stderr(contains("is no table"));
}

#[test]
fn where_a_named_board_begins_is_said() {
    let help = amazons(&["--help"]).assert().success();
    help.stdout(contains("So 8x8 is not the start with c1, f1, a3"));
    let given = "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 b";
    amazons(&["show", given]).assert().success().stdout(contains("black to move"));
}

#[test]
fn a_piece_of_a_certificate_says_how_the_whole_is_checked() {
    let directory = tempfile::tempdir().unwrap();
    let proofs = concat!(env!("CARGO_MANIFEST_DIR"), "/results/proofs/4x7.proof");
    let proof = fs::read(proofs).unwrap();
    let piece = directory.path().join("half.proof.0");
    fs::write(&piece, &proof[..proof.len() / 2]).unwrap();
    let refused = amazons(&["verify", piece.to_str().unwrap()]).assert().code(1);
    refused.stderr(contains("a piece alone is no certificate").and(contains("half.proof` reads")));
}

#[test]
fn a_letter_that_is_no_amazon_is_pointed_at() {
    for (position, expected) in [
        ("R3/4/4/3r w", "error: rank 4, file a: expected 'Q', 'q'"),
        ("R3/4/4/3r r", "error: rank 4, file a: expected 'Q', 'q'"),
        ("Q3/4/4/3q r", "error: after the squares: expected the side to move"),
    ] {
        amazons(&["show", position]).assert().code(2).stderr(starts_with(expected));
    }
}

/// Whoever gives files of a search wants the search: a table helps, and brings nothing else along.
/// A search that is cut short ends well where the table has answered.
#[test]
fn a_table_beside_files_of_a_search_tells_what_it_knows_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("search");
    let files = ["--checkpoint", path.to_str().unwrap(), "--time", "1ms", "--json"];
    let built_in = |board: &str| format!("src/knowledge/built_in/{board}.amz");
    let cut = amazons(&["solve", "5x6", "--tables", &built_in("4x6")]).args(files).assert().code(3);
    let told: serde_json::Value = serde_json::from_slice(&cut.get_output().stdout).unwrap();
    assert_eq!((&told["value"], &told["basis"]), (&"unknown".into(), &serde_json::Value::Null));
    std::fs::remove_file(&path).unwrap();
    let known = amazons(&["solve", "6x4", "--tables", &built_in("6x4")]).args(files).assert();
    let told = known.success().get_output().stdout.clone();
    let told: serde_json::Value = serde_json::from_slice(&told).unwrap();
    assert_eq!((&told["value"], &told["method"]), (&"loss".into(), &"tables".into()));
    amazons(&["solve", "6x4", "--method", "proof", "--tables", &built_in("6x4")])
        .assert()
        .code(2)
        .stderr(contains("leave out one of --method and --tables"));
}

/// By other rules, too, what is plain to see needs no search, and no board is too large for it.
#[test]
fn the_rules_answer_for_variants_as_for_amazons() {
    for position in ["Q*/** w", &format!("Q*********{}/*********q w", "/**********".repeat(8))] {
        let solved = json(&["solve", position, "--rules", "cowboys"]);
        let expected = (&"loss".into(), &"rules".into(), &"by the rules".into());
        assert_eq!((&solved["value"], &solved["method"], &solved["basis"]), expected);
        let looked_up = json(&["lookup", position, "--rules", "cowboys"]);
        assert_eq!(looked_up["basis"], solved["basis"]);
    }
    let searched = json(&["solve", "Q*/** w", "--rules", "cowboys", "--method", "proof"]);
    assert_eq!(searched["method"], "proof");
}

/// Moves of each game belong to the position before them.
#[test]
fn moves_of_variants_are_read_after_positions() {
    let told = amazons(&["lookup", "8x8", "c8-c7/W", "8x8", "--rules", "tromazons"])
        .args(["--values-only", "--json"])
        .assert()
        .code(3);
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    let positions: Vec<serde_json::Value> =
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown = json(&["show", "8x8", "c8-c7/W", "--rules", "tromazons"]);
    assert_eq!(positions.len(), 2);
    assert_eq!(positions[0]["position"], shown["position"]);
    assert_ne!(positions[1]["position"], shown["position"]);
}

#[test]
fn positions_stand_in_one_argument_each_or_in_words() {
    for words in [
        &["q2/3/2Q w", "q2/3/1QQ w"][..],
        &["q2/3/2Q", "w", "q2/3/1QQ", "w"],
        &["x..|...|..o w", "x..|...|.oo w"],
        &["X..|...|..O", "w", "q2/3/1QQ w"],
    ] {
        // The first is not known without a search.
        let told = amazons(&[&["lookup", "--values-only"], words].concat()).assert().code(3);
        let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
        let positions: Vec<&str> =
            told.lines().map(|line| line.split(": ").next().unwrap()).collect();
        assert_eq!(positions, ["q2/3/2Q w", "q2/3/1QQ w"], "{words:?}");
    }
}

/// Who takes the last amazon of the other side decides by the rules; that a turn cannot be
/// completed is counted.
#[test]
fn the_end_of_a_game_by_other_rules_is_said_to_be_by_the_rules() {
    for (position, rules, winner, basis) in [
        ("qQ/** b", "killer", "black wins", "by the rules"),
        ("*Q**/****/**q*/**** w 2", "134", "black wins", "by the rules"),
        ("4/4/4/qQ2 w 2", "134", "black wins", "by the bounds of its parts"),
        ("q*1/1*1/*1Q w", "cowboys", "white wins", "by the bounds of its parts"),
    ] {
        let solved = amazons(&["solve", position, "--rules", rules]).assert().success();
        solved.stdout(contains(winner).and(contains(basis)));
    }
}

#[test]
fn certificates_of_other_games_are_passed_over_in_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    let cowboys = directory.path().join("a.proof");
    fs::copy("results/variants/proofs/cowboys-3x4-1v1.proof", &cowboys).unwrap();
    fs::copy("results/proofs/4x7.proof", directory.path().join("b.proof")).unwrap();
    let annotate = |path: &std::path::Path| {
        let path = path.to_str().unwrap();
        amazons(&["annotate", "-", "--time", "0s", "--tables", path]).write_stdin("4x7").assert()
    };
    annotate(directory.path()).success();
    let alone = directory.path().join("alone");
    fs::create_dir(&alone).unwrap();
    fs::copy(&cowboys, alone.join("a.proof")).unwrap();
    annotate(&alone).code(1).stderr(contains("nor certificates of Amazons (*.proof)"));
    annotate(&cowboys).code(1).stderr(contains("is a certificate of another game"));
}
