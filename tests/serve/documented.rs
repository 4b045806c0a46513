//! The examples in docs/serve.md are answers of the server.

use std::fs;

use amazons::app::serve::Options;
use serde_json::Value;

use crate::client::Served;

/// What differs from machine to machine.
const TIMES: [&str; 3] = ["seconds", "nodes", "table_fill"];

/// What is asked, and the answer that follows.
struct Example {
    path: String,
    /// What is sent.
    body: Option<String>,
    answer: String,
}

fn examples() -> Vec<Example> {
    let document = fs::read_to_string("docs/serve.md").unwrap();
    let blocks = document.split("```").skip(1).step_by(2);
    blocks
        .filter_map(|block| {
            let (command, answer) = block.trim().split_once('\n')?;
            let quoted: Vec<&str> =
                command.strip_prefix("$ curl")?.split('\'').skip(1).step_by(2).collect();
            let (address, sent) = quoted.split_last()?;
            let path = address.strip_prefix("http://127.0.0.1:7373").expect("the server's address");
            let body = sent.first().map(ToString::to_string);
            Some(Example { path: path.to_string(), body, answer: answer.trim().to_string() })
        })
        .collect()
}

fn without_times(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap();
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| !TIMES.contains(&name.as_str()));
    }
    value
}

#[test]
fn examples_in_the_document_are_true() {
    let served = Served::eager(Options::default());
    let examples = examples();
    assert_eq!(examples.len(), 9);
    for Example { path, body, answer } in examples {
        if answer.starts_with('{') {
            let reply = match body {
                Some(body) => served.post(&path, &body, ""),
                None => served.get(&path),
            };
            assert_eq!(reply.status, 200, "{path}: {}", reply.body);
            assert_eq!(without_times(&reply.body), without_times(&answer), "{path}");
            continue;
        }
        // Of a search what it proves is always the same; when it tells what, and what else it finds
        // on the way, is not.
        let fen = path.split(['=', '&']).nth(1).unwrap().replace('+', " ");
        let more = path.split_once('&').unwrap().1;
        let found: Vec<(String, Value)> = served.search(&fen, &format!("&{more}")).collect();
        let written: Vec<(&str, Value)> = answer
            .split("\n\n")
            .map(|event| {
                let (name, data) = event.split_once('\n').unwrap();
                let data = data.strip_prefix("data: ").unwrap();
                (name.strip_prefix("event: ").unwrap(), serde_json::from_str(data).unwrap())
            })
            .collect();
        for (name, data) in &written {
            let like = |other: &&(String, Value)| other.0 == *name;
            let Some((_, real)) = found.iter().rfind(like) else {
                // A search may be over before there is progress to tell.
                assert_eq!(*name, "progress", "no such event");
                continue;
            };
            let keys = |value: &Value| match value {
                Value::Object(fields) => fields.keys().cloned().collect(),
                Value::Array(items) => vec![items[0]["move"].is_string().to_string()],
                _ => Vec::new(),
            };
            assert_eq!(keys(data), keys(real), "{name}");
            // How far it is when it tells so is a matter of time.
            if *name == "progress" {
                continue;
            }
            for field in ["value", "winner", "moves", "first_moves"] {
                assert_eq!(data.get(field), real.get(field), "{name}: {field}");
            }
        }
    }
}
