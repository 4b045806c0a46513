//! The engine's moves, what is seen of a position without a search, and exercises.

use amazons::app::serve::Options;
use amazons::game::notation::{parse_fen, play_text};
use serde_json::{Value, json};

use crate::client::{Served, query};

const START: &str = "1q1q1/q3q/5/Q3Q/1Q1Q1 w";
const LARGE: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";

fn engine(served: &Served, fen: &str, level: &str) -> Value {
    served.json(&format!("/api/v1/engine?fen={}&level={level}", query(fen)))
}

fn served() -> Served {
    Served::eager(Options::default())
}

#[test]
fn the_engine_plays_legal_moves_on_every_level_and_board() {
    let served = served();
    for position in [START, LARGE, "q2/3/2Q w", "1q*/3/*1Q b"] {
        for level in ["beginner", "easy", "medium", "hard", "analysis"] {
            let thought = engine(&served, position, level);
            let played = thought["move"].as_str().unwrap();
            assert!(play_text(&parse_fen(position).unwrap(), played).is_ok(), "{thought}");
            assert_eq!(thought["line"][0], played);
            // Either a lead or a proof, never both.
            assert_ne!(thought["lead"].is_null(), thought["proved"].is_null(), "{thought}");
            assert_ne!(thought["source"], "known");
        }
    }
}

#[test]
fn the_best_level_asks_the_tables() {
    let served = served();
    let thought = engine(&served, START, "best");
    assert_eq!((&thought["source"], &thought["proved"]), (&json!("known"), &json!("win")));
    let played = thought["move"].as_str().unwrap();
    let after = served.json(&format!("/api/v1/position?fen={}&moves={played}", query(START)));
    assert_eq!(after["value"], "loss");
    // Without a level it is the best one.
    let same = served.json(&format!("/api/v1/engine?fen={}", query(START)));
    assert_eq!(same["source"], "known");
}

#[test]
fn the_engine_has_no_move_where_there_is_none() {
    let thought = engine(&served(), "q**/**1/**Q w", "best");
    assert!(!thought["move"].is_null());
    let over = engine(&served(), "q1*/***/**Q w", "medium");
    assert_eq!((&over["move"], &over["proved"]), (&Value::Null, &json!("loss")));
}

#[test]
fn the_engine_counts_as_a_search() {
    let served = Served::new(Options { searches: 0, ..Options::default() });
    let reply = served.get(&format!("/api/v1/engine?fen={}", query(START)));
    assert_eq!((reply.status, reply.error().0.as_str()), (503, "no_searches"));
    let served = Served::new(Options { searches_a_minute: 1, ..Options::default() });
    let path = format!("/api/v1/engine?fen={}&level=easy", query(START));
    let answers: Vec<u16> = (0..12).map(|_| served.get(&path).status).collect();
    assert_eq!(answers[..10], [200; 10]);
    assert!(answers[10..].contains(&429), "{answers:?}");
    let reply = served.get(&format!("/api/v1/engine?fen={}&level=godlike", query(START)));
    assert_eq!((reply.status, reply.error().0.as_str()), (400, "bad_query"));
}

#[test]
fn the_parts_and_the_distances_are_told() {
    let served = served();
    let seen = served.json("/api/v1/insight?fen=Q1*1q/1**2/**Q*1/1*1*q/Q*2*+w");
    let white = seen["distances"]["white"].as_array().unwrap();
    // a1 has an amazon, a2 is beside it; e4 is Black's.
    assert_eq!((&white[0], &white[5]), (&Value::Null, &json!(1)));
    assert_eq!(seen["distances"]["black"][19], 1);
    let components = seen["regions"]["components"].as_array().unwrap();
    assert_eq!(components.len(), 3);
    assert_eq!(components[0]["parts"][0]["squares"], json!(["a2"]));
    assert_eq!((&components[0]["value"], &components[2]["value"]), (&json!("-1"), &json!("-2")));
    let large = served.json(&format!("/api/v1/insight?fen={}", query(LARGE)));
    assert_eq!(large["distances"]["white"].as_array().unwrap().len(), 100);
    assert_eq!(large["regions"]["components"].as_array().unwrap().len(), 1);
}

#[test]
fn an_exercise_has_one_winning_move() {
    let served = served();
    let bounds = [("easy", 1..20), ("medium", 20..60), ("hard", 60..1000)];
    for (board, levels) in
        [("4x4", &bounds[..2]), ("5x4", &bounds[1..]), ("4x5", &bounds[1..]), ("5x5", &bounds[2..])]
    {
        for (level, losses) in levels {
            for seed in 0..3 {
                let path = format!("/api/v1/exercise?board={board}&difficulty={level}&seed={seed}");
                let given = served.json(&path);
                assert_eq!(given, served.json(&path), "the same seed, another exercise");
                let answer = served.position(given["position"].as_str().unwrap());
                assert_eq!((&answer["value"], &answer["wins"]), (&json!("win"), &json!(1)));
                assert_eq!(given["losses"], answer["losses"]);
                assert!(losses.contains(&answer["losses"].as_u64().unwrap()), "{given}");
                let moves: Vec<&str> = given["moves"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|m| m.as_str().unwrap())
                    .collect();
                let start = query(given["start"].as_str().unwrap());
                let line = format!("/api/v1/line?fen={start}&moves={}", moves.join("+"));
                assert_eq!(served.json(&line)["position"], given["position"]);
            }
        }
    }
}

#[test]
fn where_there_is_no_exercise_that_is_said() {
    let served = served();
    for (path, status, code) in [
        ("board=7x7", 404, "no_exercise"),
        ("board=5x5&difficulty=easy", 404, "no_exercise"),
        ("board=5", 400, "bad_board"),
        ("seed=1", 400, "no_board"),
        ("board=4x4&difficulty=7", 400, "bad_query"),
        ("board=4x4&seed=-1", 400, "bad_query"),
    ] {
        let reply = served.get(&format!("/api/v1/exercise?{path}"));
        assert_eq!((reply.status, reply.error().0.as_str()), (status, code), "{path}");
    }
}
