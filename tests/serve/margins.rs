//! By how much positions and moves win or lose.

use amazons::app::serve::Options;
use amazons::machine::progress::StopFlag;
use amazons::tables::retrograde::{BuildOptions, build_margins};
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
        assert_eq!(found["margin"], margin);
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
    for seconds in ["-1", "1.5", "NaN", "60"] {
        let path = format!("/api/v1/margins?fen=2*1/2q1/1Q2/4+w&seconds={seconds}");
        let (code, message) = served.get(&path).error();
        assert_eq!(code, "bad_seconds");
        assert!(message.contains("expected seconds from 0 to 1"), "{message}");
    }
    assert_eq!(
        served.get("/api/v1/margins?fen=2*1/2q1/1Q2/4+w&seconds=soon").error().0,
        "bad_query"
    );
    assert_eq!(
        served.get("/api/v1/margins?rules=cowboys&fen=q*1/1*1/*1Q+w").error().0,
        "amazons_only"
    );
}

#[test]
fn without_a_search_it_tells_what_is_known() {
    let served = Served::with_tables(&[]);
    let fen = query("1*Q1/*q**/4/*1** b");
    let asked =
        |seconds: &str| served.json(&format!("/api/v1/margins?fen={fen}&seconds={seconds}"));
    let before = asked("0");
    assert_eq!((&before["complete"], &before["threshold"]), (&json!(false), &Value::Null));
    let searched = asked("1");
    assert_eq!(searched["complete"], true);
    // What was proved is known, and who wins by it.
    assert_eq!(asked("0"), searched);
    assert_eq!(served.json(&format!("/api/v1/position?fen={fen}"))["value"], "win");
}

#[test]
fn a_search_of_margins_counts_as_a_search() {
    let served = Served::new(Options { searches: 0, ..Options::default() });
    let found = margins(&served, "1*Q1/*q**/4/*1** b");
    assert_eq!((&found["complete"], &found["threshold"]), (&json!(false), &Value::Null));
}

#[test]
fn a_table_of_margins_answers_and_has_exercises() {
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons) = ("3x4".parse().unwrap(), "2v2".parse().unwrap());
    let options = BuildOptions::new(1 << 30);
    let stop = StopFlag::new();
    build_margins(directory.path(), board, amazons, None, &options, &(), &stop).unwrap();
    let served = Served::with_tables(&[directory.path().into()]);
    for seed in 0..5 {
        let path = format!("/api/v1/exercise?board=3x4&goal=margin&seed={seed}");
        let given = served.json(&path);
        assert_eq!((&given["goal"], &given), (&json!("margin"), &served.json(&path)));
        let fen = query(given["position"].as_str().unwrap());
        let known = served.json(&format!("/api/v1/margins?fen={fen}&seconds=0"));
        assert_eq!(known["complete"], true, "{known}");
        let moves = known["moves"].as_array().unwrap();
        let count = |value: &str| moves.iter().filter(|of| of["value"] == value).count();
        assert_eq!(given["wins"], count("win"));
        assert_eq!(given["losses"], count("loss"));
        // One wins by most, and others win too.
        let margin = |at: usize| moves[at]["margin"].as_u64().unwrap();
        assert!(margin(0) > margin(1) && moves[1]["value"] == "win", "{known}");
    }
    let none = served.get("/api/v1/exercise?board=3x4&goal=margin&difficulty=hard");
    assert_eq!(none.error().0, "no_exercise");
    assert!(none.error().1.contains("a table of margins tells"), "{:?}", none.error());
    assert_eq!(served.get("/api/v1/exercise?board=3x4&goal=most").error().0, "bad_query");
}
