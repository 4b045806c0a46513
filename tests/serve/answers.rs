//! What the API answers is what the table, the naive solver and the rules say.

use std::collections::BTreeMap;

use amazons::game::Outcome;
use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::notation::{fen, move_text, parse_fen};
use amazons::game::rules::{Position, Rules};
use amazons::machine::progress::StopFlag;
use amazons::tables::format::{Keep, Table};
use amazons::tables::retrograde::{BuildOptions, build};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value;

use crate::client::Served;
use amazons_test_support::positions::random_position;

/// Moves with their values, `None` for unknown; and that they are in order.
fn moves(answer: &Value) -> BTreeMap<String, Option<Outcome>> {
    let list = answer["moves"].as_array().unwrap();
    let rank = |played: &Value| {
        let order =
            ["win", "unknown", "loss"].iter().position(|value| played["value"] == *value).unwrap();
        (order, played["replies"].as_u64().unwrap())
    };
    assert!(list.is_sorted_by_key(rank), "{answer}");
    let value = |played: &Value| match played["value"].as_str() {
        Some("unknown") => None,
        value => Some(value.unwrap().parse().unwrap()),
    };
    list.iter()
        .map(|played| (played["move"].as_str().unwrap().to_string(), value(played)))
        .collect()
}

/// Compares an answer with a table.
fn agrees(served: &Served, table: &Table, position: &Position, name: &str) {
    let answer = served.position(&fen(position));
    let truth = table.answer(position).unwrap();
    assert_eq!(answer["position"], fen(position));
    assert_eq!(answer["value"], truth.outcome.as_str());
    let winner = truth.outcome.winner(position.turn());
    assert_eq!(answer["winner"], winner.to_string());
    // What the rules or bounds decide with all moves needs no table.
    let source = &answer["source"];
    let is_plain = ["rules", "bounds"].iter().any(|kind| source["kind"] == **kind);
    assert!(is_plain || *source == serde_json::json!({"kind": "table", "name": name}), "{answer}");
    assert_eq!(answer["search"], false);
    let board = position.board();
    let expected: BTreeMap<_, _> = truth
        .moves
        .iter()
        .map(|&(played, value)| (move_text(board, played), Some(value)))
        .collect();
    assert_eq!(moves(&answer), expected);
    let wins = truth.moves.iter().filter(|(_, outcome)| outcome.is_win()).count();
    assert_eq!(
        (&answer["wins"], &answer["losses"]),
        (&wins.into(), &(truth.moves.len() - wins).into())
    );
}

#[test]
fn answers_are_those_of_the_tables() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(1);
    let options = BuildOptions::new(1 << 28);
    let mut tables = Vec::new();
    for (board, amazons, keep) in
        [("4x4", "4v4", Keep::All), ("3x4", "2v1", Keep::Odd), ("3x3", "1v1", Keep::All)]
    {
        let path = directory.path().join(format!("{board}-{amazons}"));
        let options = BuildOptions { keep, ..options.clone() };
        build(
            &path,
            board.parse().unwrap(),
            amazons.parse().unwrap(),
            &options,
            &(),
            &StopFlag::new(),
        )
        .unwrap();
        tables.push((Table::open(&path).unwrap(), path));
    }
    let own: Vec<_> = tables[1..].iter().map(|(_, path)| path.clone()).collect();
    // 4x4 is the server's own.
    let served = Served::with_tables(&own);
    for (index, sizes) in [(0, [4, 4]), (1, [2, 1]), (1, [1, 2]), (2, [1, 1])] {
        let table = &tables[index].0;
        let name = table.manifest().subject.to_string();
        for turn in 0..60 {
            let board = if turn % 2 == 0 { table.board() } else { table.board().transposed() };
            agrees(&served, table, &random_position(board, sizes, 16, &mut random), &name);
        }
    }
    for start in ["1qq1/q2q/Q2Q/1QQ1 w", "1qq1/q2q/Q2Q/1QQ1 b"] {
        agrees(&served, &tables[0].0, &parse_fen(start).unwrap(), "4x4 4v4");
    }
}

#[test]
fn answers_without_a_table_are_true() {
    let board: Board = "3x4".parse().unwrap();
    let served = Served::with_tables(&[]);
    let rules = Rules::<u64>::new(board).unwrap();
    let mut naive = NaiveSolver::new(rules.clone());
    let mut random = StdRng::seed_from_u64(2);
    let (mut known, mut all) = (0, 0);
    for _ in 0..200 {
        let position = random_position(board, [2, 2], 6, &mut random);
        let plain = position.bitboards::<u64>().unwrap();
        let answer = served.position(&fen(&position));
        let outcome = naive.outcome(&plain);
        if answer["value"] != "unknown" {
            assert_eq!(answer["value"], outcome.as_str(), "{answer}");
        }
        let told = moves(&answer);
        let legal = rules.moves(&plain);
        assert_eq!(told.len(), legal.len());
        for played in legal {
            all += 1;
            if let Some(told) = told[&move_text(board, played)] {
                known += 1;
                assert_eq!(told, !naive.outcome(&rules.play_unchecked(&plain, played)), "{answer}");
            }
        }
        let complete = told.values().all(Option::is_some) && answer["value"] != "unknown";
        assert_eq!(answer["search"], !complete);
    }
    assert!(known * 10 > all && known < all, "{known} of {all} moves are known");
}

#[test]
fn large_boards_are_answered_with_what_is_known() {
    let served = Served::with_tables(&[]);
    let start = served.position("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w");
    assert_eq!(
        (&start["value"], &start["search"], &start["source"]),
        (&"unknown".into(), &false.into(), &Value::Null)
    );
    assert_eq!(start["moves"].as_array().unwrap().len(), 2176);
    let over = served.position("Q*8/**8/10/10/10/10/10/10/10/9q w");
    assert_eq!((&over["value"], &over["winner"]), (&"loss".into(), &"black".into()));
    assert_eq!(over["source"]["kind"], "rules");
    let middle = served.position("1q1q2/q4q/6/6/Q4Q/1Q1Q2 w");
    assert_eq!((&middle["value"], &middle["search"]), (&"unknown".into(), &true.into()));
    assert_eq!(middle["amazons"], "4v4");
}

#[test]
fn a_line_of_moves_and_starts() {
    let served = Served::with_tables(&[]);
    let line = served.json("/api/v1/line?fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5b4b5");
    assert_eq!(line["position"], "1*1q1/qq2q/1Q1*1/Q3Q/3Q1 w");
    assert_eq!(line["moves"][1]["move"], "b5-b4/b5");
    assert_eq!(line["moves"][0]["position"], "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b");
    let played = served.json("/api/v1/position?fen=1qq1/q2q/Q2Q/1QQ1+w&moves=b1-b3/b1");
    assert_eq!(
        (&played["position"], &played["board"]),
        (&"1qq1/qQ1q/Q2Q/1*Q1 b".into(), &"4x4".into())
    );
    assert_eq!(served.json("/api/v1/start?board=5x5")["position"], "1q1q1/q3q/5/Q3Q/1Q1Q1 w");
    assert_eq!(served.json("/api/v1/start?board=4x4&amazons=1v1")["position"], "1q2/4/4/1Q2 w");
}

#[test]
fn tables_and_health_are_told() {
    let served = Served::with_tables(&[]);
    let tables = served.json("/api/v1/tables");
    assert_eq!(tables["tables"][0]["name"], "4x4 4v4");
    assert_eq!(tables["tables"][0]["positions"], 230_630_400u64);
    assert_eq!(
        (&tables["tables"][0]["built_in"], &tables["tables"][0]["available"]),
        (&true.into(), &true.into())
    );
    let health = served.json("/api/v1/health");
    assert_eq!((&health["status"], &health["searches_running"]), (&"ok".into(), &0.into()));
}

#[test]
fn games_go_out_as_sgf_and_come_back() {
    let served = Served::with_tables(&[]);
    let path = "/api/v1/sgf?fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w&moves=b1-b3/d3+b5b4b5";
    let written = served.get(path);
    assert_eq!(
        (written.status, written.header("content-type")),
        (200, Some("application/x-go-sgf; charset=utf-8"))
    );
    assert!(
        written.body.contains("GM[18]") && written.body.contains("W[b1b3d3]"),
        "{}",
        written.body
    );
    let post = |body: &str| {
        let length = body.len();
        served.send(&format!("POST /api/v1/sgf HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"))
    };
    let read = post(&written.body).json();
    assert_eq!(read["start"], "1q1q1/q3q/5/Q3Q/1Q1Q1 w");
    assert_eq!(read["moves"], served.json(&path.replace("sgf", "line"))["moves"]);
    assert_eq!((&read["moves_left_out"], &read["games_left_out"]), (&0.into(), &0.into()));
    // The tree that was read is written as it was.
    let tree = serde_json::json!({ "nodes": read["nodes"] }).to_string();
    let length = tree.len();
    let again = served.send(&format!("POST /api/v1/sgf/tree HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{tree}"));
    assert_eq!((again.status, &again.body), (200, &written.body));
    for (body, code, message) in [
        ("(;GM[1]SZ[19])", "bad_sgf", "18"),
        ("(;GM[18]SZ[10];W[a4a5b5];B[a7a6a4])", "bad_sgf", "move 2"),
        ("junk", "bad_sgf", ""),
    ] {
        let reply = post(body);
        let (found, said) = reply.error();
        assert_eq!((reply.status, found.as_str()), (400, code), "{said}");
        assert!(said.contains(message), "{body}: {said}");
    }
    let tree = r#"{"start":"Q2q/4 w","nodes":[{"parent":null},{"parent":0,"move":"a2-d1/a1","side":"w"}]}"#;
    let length = tree.len();
    let refused = served.send(&format!("POST /api/v1/sgf/tree HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{tree}"));
    let (code, said) = refused.error();
    assert_eq!((refused.status, code.as_str()), (400, "bad_tree"), "{said}");
    assert!(said.starts_with("move 1, white "), "{said}");
    let large = post(&"x".repeat(300_000));
    assert_eq!((large.status, large.error().0.as_str()), (413, "body_too_large"));
}
