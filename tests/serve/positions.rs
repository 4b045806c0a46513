//! Many positions in one request.

use serde_json::{Value, json};

use crate::client::Served;

const PATH: &str = "/api/v1/positions";

fn asked(served: &Served, body: &Value) -> Vec<Value> {
    let reply = served.post(PATH, &body.to_string(), "");
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    reply.json()["positions"].as_array().unwrap().clone()
}

#[test]
fn each_is_answered_as_if_it_were_asked_alone() {
    let served = Served::with_tables(&[]);
    let fens = [
        "1qq1/q2q/Q2Q/1QQ1 w",
        "nonsense",
        "1q1q1/q3q/1Q1*1/Q3Q/3Q1 b",
        "q1*/***/**Q w",
        "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w",
        "1qq1/q2q/Q2Q/1QQ1 w",
    ];
    let alone = |fen: &str| {
        served.get(&format!("/api/v1/position?fen={}", crate::client::query(fen))).json()
    };
    for (more, has_moves) in
        [(json!({}), true), (json!({"moves": true}), true), (json!({"moves": false}), false)]
    {
        let mut body = json!({"positions": fens});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let found = asked(&served, &body);
        assert_eq!(found.len(), fens.len());
        for (fen, found) in fens.iter().zip(found) {
            let mut expected = alone(fen);
            if !has_moves {
                expected.as_object_mut().unwrap().remove("moves");
            }
            assert_eq!(found, expected, "{fen}");
        }
    }
    assert_eq!(alone("nonsense")["error"]["code"], "bad_fen");
    assert_eq!(asked(&served, &json!({"positions": []})), Vec::<Value>::new());
}

#[test]
fn other_games_are_asked_the_same_way() {
    let served = Served::with_tables(&[]);
    let body = json!({"positions": ["q*1/1*1/*1Q w"]}).to_string();
    let found = served.post(&format!("{PATH}?rules=cowboys"), &body, "").json();
    assert_eq!(
        found["positions"][0],
        served.json("/api/v1/position?rules=cowboys&fen=q*1/1*1/*1Q+w")
    );
}

#[test]
fn too_many_and_wrong_ones_are_refused() {
    let served = Served::with_tables(&[]);
    let many = |count: usize, fen: &str| json!({"positions": vec![fen; count], "moves": false});
    assert_eq!(asked(&served, &many(1000, "q1/1Q w")).len(), 1000);
    for (body, status, code) in [
        (many(1001, "q1/1Q w").to_string(), 413, "too_many_positions"),
        ("{".to_string(), 400, "bad_body"),
        (json!({"fen": []}).to_string(), 400, "bad_body"),
        (many(1000, &"x".repeat(300)).to_string(), 413, "body_too_large"),
    ] {
        let reply = served.post(PATH, &body, "");
        let (found, said) = reply.error();
        assert_eq!((reply.status, found.as_str()), (status, code), "{said}");
    }
    assert_eq!(served.get(PATH).error().0, "wrong_method");
}
