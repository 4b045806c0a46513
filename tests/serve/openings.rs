//! Opening tables that are served, those of the program among them.

use std::fs;
use std::path::Path;
use std::process::Command;

use amazons::game::notation::{fen, move_text, parse_fen};
use amazons::tables::opening::Opening;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::client::Served;

/// The file of an opening table of the program.
fn built_in(board: &str) -> Vec<u8> {
    fs::read(format!("src/knowledge/built_in/{board}.amz")).unwrap()
}

fn value(answer: &Value, played: &str) -> Value {
    let moves = answer["moves"].as_array().unwrap();
    moves.iter().find(|found| found["move"] == played).unwrap()["value"].clone()
}

#[test]
fn those_of_the_program_are_the_beginnings_of_what_results_hold() {
    for (board, of) in [("5x5", "5x5-4v4"), ("4x6", "4x6-4v4"), ("6x4", "4x6-4v4")] {
        let path = format!("results/{of}/opening-{board}.amz");
        let whole = Opening::read(fs::File::open(path).unwrap()).unwrap();
        let mut beginning = Vec::new();
        whole.beginning(2).write(&mut beginning).unwrap();
        assert_eq!(beginning, built_in(board), "{board}");
    }
}

#[test]
fn the_program_proves_a_sample_of_those_of_4x5() {
    for board in ["4x5", "5x4"] {
        let file = format!("src/knowledge/built_in/{board}.amz");
        let program = Command::new(env!("CARGO_BIN_EXE_amazons"))
            .args(["verify", &file, "--sample", "5", "--memory", "600MB"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&program.stdout);
        assert!(program.status.success() && said.contains("0 wrong"), "{said}");
    }
}

#[test]
fn thirteen_solved_boards_are_there_without_any_files() {
    let served = Served::with_tables(&[]);
    let boards = served.json("/api/v1/boards");
    let found: Vec<_> = boards["boards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|board| {
            let text = |name: &str| board[name].as_str().unwrap().to_string();
            let number = |name: &str| board[name].as_u64().unwrap();
            let kind = board["source"]["kind"].as_str().unwrap().to_string();
            (text("board"), text("winner"), number("wins"), number("moves"), kind)
        })
        .collect();
    let expected = [
        ("4x4", "black", 0, 88, "table"),
        ("4x5", "black", 0, 170, "opening"),
        ("5x4", "white", 2, 170, "opening"),
        ("4x6", "white", 14, 256, "opening"),
        ("6x4", "black", 0, 256, "opening"),
        ("5x5", "white", 84, 260, "opening"),
        ("4x7", "white", 2, 350, "certificate"),
        ("7x4", "black", 0, 350, "elsewhere"),
        ("5x6", "white", 2, 410, "certificate"),
        ("6x5", "white", 2, 410, "elsewhere"),
        ("4x8", "white", 2, 448, "elsewhere"),
        ("5x7", "white", 2, 504, "elsewhere"),
        ("4x9", "white", 2, 544, "elsewhere"),
    ];
    let expected = expected.map(|(board, winner, wins, moves, kind)| {
        (board.to_string(), winner.to_string(), wins, moves, kind.to_string())
    });
    assert_eq!(found, expected);
    for table in served.json("/api/v1/tables")["tables"].as_array().unwrap() {
        assert_eq!((&table["built_in"], &table["available"]), (&json!(true), &json!(true)));
    }
}

/// Every answer before the last ply is the table's, at the last ply the value alone, and beyond it
/// nothing is claimed that the table does not say.
#[test]
fn answers_are_those_of_the_opening_table() {
    let served = Served::with_tables(&[]);
    let mut random = StdRng::seed_from_u64(3);
    for board in ["4x5", "5x4", "5x5", "4x6", "6x4"] {
        let opening = Opening::read(&built_in(board)[..]).unwrap();
        let last = opening.plies().len() - 1;
        for _ in 0..6 {
            let mut at = *opening.start();
            for ply in 0..=last {
                let answer = served.position(&fen(&at));
                let truth = opening.answer(&at).unwrap().unwrap();
                assert_eq!(answer["value"], truth.outcome.as_str());
                let source =
                    json!({"kind": "opening", "name": format!("{board} 4v4"), "moves": last});
                // Rules and bounds are asked before it.
                let kind = answer["source"]["kind"].as_str();
                let is_plain = matches!(kind, Some("rules" | "bounds"));
                assert!(is_plain || answer["source"] == source, "{answer}");
                let Some(moves) = truth.moves else {
                    assert_eq!(ply, last);
                    assert!(!truth.outcome.is_win() || answer["search"] == true, "{answer}");
                    break;
                };
                assert_eq!(answer["search"], false);
                for (played, outcome) in &moves {
                    assert_eq!(value(&answer, &move_text(at.board(), *played)), outcome.as_str());
                }
                at = at.play_indexed(moves.choose(&mut random).unwrap().0).unwrap();
            }
        }
    }
    // What the moves do not lead to is not in it.
    let beside = served.position("qqqq1/5/5/5/QQQQ1 w");
    assert_eq!((&beside["value"], &beside["source"]), (&json!("unknown"), &Value::Null));
}

#[test]
fn a_file_that_is_given_goes_before_the_program_s_own() {
    let path = Path::new("results/5x5-4v4/opening-5x5.amz");
    let served = Served::with_tables(&[path.into()]);
    let opening = Opening::read(fs::File::open(path).unwrap()).unwrap();
    let after_two = parse_fen("1*1q1/qq2q/1Q1*1/Q3Q/3Q1 w").unwrap();
    let truth = opening.answer(&after_two).unwrap().unwrap();
    let answer = served.position(&fen(&after_two));
    assert_eq!(answer["source"], json!({"kind": "opening", "name": "5x5 4v4", "moves": 3}));
    let wins = truth.moves.unwrap().iter().filter(|(_, outcome)| outcome.is_win()).count();
    assert_eq!((&answer["wins"], &answer["search"]), (&json!(wins), &json!(false)));
    let table = &served.json("/api/v1/tables")["tables"][0];
    assert_eq!((&table["opening_moves"], &table["built_in"]), (&json!(3), &json!(false)));
    assert_eq!(table["bytes"], fs::metadata(path).unwrap().len());
}

#[test]
fn a_damaged_file_is_refused_at_the_start() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("opening.amz");
    let mut bytes = built_in("4x5");
    let at = StdRng::seed_from_u64(5).random_range(40..bytes.len());
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    let options = amazons::app::serve::Options { tables: vec![path.clone()], ..Default::default() };
    let stop = amazons::machine::progress::StopFlag::new();
    let error = amazons::app::serve::Server::open(options, std::sync::Arc::new(()), &stop)
        .unwrap_err()
        .to_string();
    assert!(error.contains(path.to_str().unwrap()) && error.contains("is damaged"), "{error}");
}
