//! By how much positions and moves win or lose.

use serde_json::{Value, json};

use crate::client::{Served, query};

fn margins(served: &Served, fen: &str) -> Value {
    served.json(&format!("/api/v1/margins?fen={}", query(fen)))
}

#[test]
fn a_position_and_each_of_its_moves_have_their_margins() {
    let served = Served::with_tables(&[]);
    // A zugzwang that is worth 4 to Black.
    for (turn, winner, threshold, margin) in [("b", "black", -3, 3), ("w", "black", 5, 4)] {
        let found = margins(&served, &format!("1*Q1/*q**/4/*1** {turn}"));
        assert_eq!((&found["winner"], &found["complete"]), (&json!(winner), &json!(true)));
        assert_eq!(found["threshold"], threshold);
        assert_eq!(found["margin"], json!([margin, margin]));
        assert_eq!(found["thresholds"], json!([threshold, threshold]));
        let moves = found["moves"].as_array().unwrap();
        let thresholds: Vec<i64> =
            moves.iter().map(|of_move| of_move["threshold"].as_i64().unwrap()).collect();
        assert!(thresholds.is_sorted() && thresholds[0] >= threshold, "{thresholds:?}");
    }
    let over = margins(&served, "q1*/***/**Q w");
    assert_eq!((&over["winner"], &over["moves"]), (&json!("black"), &json!([])));
}

#[test]
fn what_is_not_known_lies_in_a_range() {
    let served = Served::with_tables(&[]);
    let found = margins(&served, "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w");
    assert_eq!((&found["winner"], &found["margin"]), (&Value::Null, &Value::Null));
    assert!(found["thresholds"][0].as_i64() < found["thresholds"][1].as_i64());
    assert_eq!(served.get("/api/v1/margins?fen=x").error().0, "bad_fen");
    assert_eq!(
        served.get("/api/v1/margins?rules=cowboys&fen=q*1/1*1/*1Q+w").error().0,
        "amazons_only"
    );
}
