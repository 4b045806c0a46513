//! Searches: what they find, that they end when nobody listens, and that they are few.

use std::collections::BTreeMap;

use amazons::app::serve::Options;
use amazons::game::Outcome;
use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::notation::{fen, move_text};
use amazons::game::rules::Rules;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value;

use crate::client::Served;
use amazons_test_support::positions::random_position;

/// A position that no test's search solves.
const HARD: &str = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w";

/// The last event, and all values of moves that were told.
fn listen(served: &Served, fen: &str, more: &str) -> (String, Value, BTreeMap<String, Outcome>) {
    let events = served.search(fen, more);
    assert_eq!(events.status, 200);
    let (mut values, mut last) = (BTreeMap::new(), (String::new(), Value::Null));
    for (name, data) in events {
        if name == "moves" {
            for told in data.as_array().unwrap() {
                let value = told["value"].as_str().unwrap().parse().unwrap();
                let old = values.insert(told["move"].as_str().unwrap().to_string(), value);
                assert_eq!(old, None, "told twice: {told}");
            }
        }
        last = (name, data);
    }
    (last.0, last.1, values)
}

#[test]
fn searches_find_what_the_naive_solver_does() {
    let served = Served::eager(Options::default());
    let board: Board = "3x4".parse().unwrap();
    let rules = Rules::<u64>::new(board).unwrap();
    let mut naive = NaiveSolver::new(rules.clone());
    let mut random = StdRng::seed_from_u64(3);
    for round in 0..8 {
        let position = random_position(board, [2, 2], 8, &mut random);
        let plain = position.bitboards().unwrap();
        let (name, done, values) = listen(&served, &fen(&position), "&seconds=20");
        let outcome = naive.outcome(&plain);
        assert_eq!((name.as_str(), &done["value"]), ("done", &outcome.as_str().into()), "{round}");
        let legal = rules.moves(&plain);
        assert_eq!(
            (&done["moves"], &done["moves_known"]),
            (&legal.len().into(), &legal.len().into())
        );
        let truth: BTreeMap<String, Outcome> = legal
            .iter()
            .map(|&played| {
                (move_text(board, played), !naive.outcome(&rules.play_unchecked(&plain, played)))
            })
            .collect();
        assert_eq!(values, truth);
        if outcome.is_win() {
            assert!(truth[done["best_move"].as_str().unwrap()].is_win());
        } else {
            assert_eq!(done["best_move"], Value::Null);
        }
    }
}

#[test]
fn one_move_is_enough_if_one_was_asked_for() {
    let served = Served::eager(Options::default());
    let (_, done, values) =
        listen(&served, "1q1q1/q3q/Q3Q/1Q1Q1 w", "&seconds=20&moves_valued=best");
    assert_eq!((&done["value"], &done["winner"]), (&"win".into(), &"white".into()));
    assert_eq!(values[done["best_move"].as_str().unwrap()], Outcome::Win);
}

/// What it says while it goes is what is said of the position afterwards.
#[test]
fn a_search_that_believes_a_table_says_so() {
    let served = Served::eager(Options::default());
    for (fen, more) in [
        ("1q1q1/q3q/Q3Q/2QQ1 w", "&seconds=60&moves_valued=best"),
        ("1q**/q2*/***Q/**Q1 w", "&seconds=20"),
    ] {
        let (mut value, mut of_moves) = (Value::Null, Vec::new());
        for (name, data) in served.search(fen, more) {
            match name.as_str() {
                "value" => value = data,
                "moves" => of_moves.extend(data.as_array().unwrap().clone()),
                _ => {}
            }
        }
        let known = served.json(&format!("/api/v1/position?fen={}", fen.replace(' ', "+")));
        assert_eq!(value["value"], known["value"]);
        if known["source"]["kind"] == "conditional" {
            assert_eq!(value["source"], known["source"]);
            assert!(of_moves.iter().any(|told| told["source"] == known["source"]), "{known}");
        } else {
            assert!(of_moves.iter().all(|told| told.get("source").is_none()), "{known}");
        }
    }
    let believed = served.json("/api/v1/position?fen=1q1q1/q3q/Q3Q/2QQ1+w");
    assert_eq!(believed["source"]["kind"], "conditional");
    let margins = served.json("/api/v1/margins?fen=1q1q1/q3q/Q3Q/2QQ1+w&seconds=0");
    assert_eq!(margins["source"]["kind"], "conditional");
}

#[test]
fn time_runs_out_with_a_word() {
    let served = Served::eager(Options::default());
    let events: Vec<(String, Value)> = served.search(HARD, "&seconds=1").collect();
    let (name, done) = events.last().unwrap();
    assert_eq!(
        (name.as_str(), &done["value"], &done["winner"]),
        ("done", &"unknown".into(), &Value::Null)
    );
    let nodes: Vec<_> = events.iter().filter_map(|(_, data)| data["nodes"].as_u64()).collect();
    assert!(nodes.is_sorted() && nodes.last() == done["nodes"].as_u64().as_ref(), "{events:?}");
}

#[test]
fn a_search_tells_how_far_it_is() {
    let served = Served::eager(Options::default());
    let told = served.search(HARD, "&seconds=60").working();
    assert!(told["table_fill"].as_f64() > Some(0.0), "{told}");
}

#[test]
fn a_search_ends_when_its_client_leaves() {
    let served = Served::eager(Options::default());
    for _ in 0..3 {
        let mut events = served.search(HARD, "&seconds=60");
        assert_eq!(events.next().unwrap().0, "progress");
        served.wait_for(1);
        drop(events);
        served.wait_for(0);
    }
}

#[test]
fn searches_are_few_at_once_and_by_the_minute() {
    let served = Served::new(Options { searches: 1, searches_a_minute: 1, ..Options::default() });
    let mut first = served.search(HARD, "&seconds=60");
    assert_eq!(first.next().unwrap().0, "progress");
    let path = format!("/api/v1/search?fen={}", crate::client::query(HARD));
    let refused = served.get(&path);
    assert_eq!((refused.status, refused.error().0.as_str()), (503, "busy"));
    assert_eq!(refused.header("retry-after"), Some("1"));
    drop(first);
    served.wait_for(0);
    let mut begun = 0;
    let refused = loop {
        let mut events = served.search(HARD, "&seconds=0.05");
        if events.status != 200 {
            break events.status;
        }
        assert_eq!(events.by_ref().last().unwrap().0, "done");
        drop(events);
        served.wait_for(0);
        begun += 1;
    };
    // The first search took the tenth token.
    assert_eq!((begun, refused), (9, 429));
    assert!(served.get(&path).header("retry-after").unwrap().parse::<u64>().unwrap() > 1);
    let none = Served::new(Options { searches: 0, ..Options::default() });
    assert_eq!((none.get(&path).status, none.get(&path).error().0.as_str()), (503, "no_searches"));
}

#[test]
fn a_server_that_stops_ends_its_searches() {
    let mut served = Served::eager(Options::default());
    let mut events = served.search(HARD, "&seconds=60");
    assert_eq!(events.next().unwrap().0, "progress");
    served.stop().unwrap();
    // Not by its time.
    let (name, data) = events.last().unwrap();
    assert_eq!((name.as_str(), &data["code"]), ("failed", &"stopped".into()));
}
