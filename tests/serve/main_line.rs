//! Optimal play from a position, as far as it is known.

use serde_json::{Value, json};

use crate::client::{Served, query};

fn line(served: &Served, fen: &str) -> Value {
    served.json(&format!("/api/v1/mainline?fen={}", query(fen)))
}

#[test]
fn every_move_is_the_first_best_one_to_the_end() {
    let served = Served::with_tables(&[]);
    for start in ["1qq1/q2q/Q2Q/1QQ1 w", "1qq1/qQ1q/Q2Q/1*Q1 b"] {
        let line = line(&served, start);
        assert_eq!((&line["start"], &line["winner"]), (&json!(start), &json!("black")));
        let mut at = start.to_string();
        for step in line["moves"].as_array().unwrap() {
            let known = served.position(&at);
            assert_eq!(known["winner"], "black");
            let best = &known["moves"][0];
            assert_eq!((&step["move"], &step["value"]), (&best["move"], &best["value"]));
            assert_eq!(step["value"], known["value"]);
            at = step["position"].as_str().unwrap().to_string();
        }
        assert_eq!((&line["position"], &line["ended"]), (&json!(at), &json!("over")));
        let over = served.position(&at);
        assert_eq!(
            (&over["side_to_move"], over["moves"].as_array().unwrap().len()),
            (&json!("white"), 0)
        );
    }
}

#[test]
fn it_ends_where_the_best_move_is_not_known() {
    let served = Served::with_tables(&[]);
    // The opening table knows the moves of two positions, and the value of the third.
    let found = line(&served, "1q1q1/q3q/5/Q3Q/1Q1Q1 w");
    let moves = found["moves"].as_array().unwrap();
    assert!(moves.len() >= 2, "{found}");
    assert_eq!((&found["value"], &found["ended"]), (&json!("win"), &json!("unknown")));
    let end = served.position(found["position"].as_str().unwrap());
    assert_ne!(end["moves"][0]["value"], end["value"]);
    let none = line(&served, "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w");
    assert_eq!(
        (&none["moves"], &none["value"], &none["winner"], &none["ended"]),
        (&json!([]), &json!("unknown"), &Value::Null, &json!("unknown"))
    );
    let over = line(&served, "q1*/***/**Q w");
    assert_eq!(
        (&over["moves"], &over["value"], &over["ended"]),
        (&json!([]), &json!("loss"), &json!("over"))
    );
}

#[test]
fn other_games_have_one_too() {
    let served = Served::with_tables(&[]);
    let found = served.json("/api/v1/mainline?rules=cowboys&fen=q*1/1*1/*1Q+w");
    assert_eq!(found["moves"][0]["move"], "c1-a2/c3");
    assert_eq!(found["moves"][0]["position"], "q**/Q*1/*2 b");
    assert_eq!(served.get("/api/v1/mainline?fen=x").error().0, "bad_fen");
}
