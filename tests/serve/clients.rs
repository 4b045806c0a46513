//! What is known of a position is the same whoever is asked: the library, the server, and the
//! commands `lookup`, `solve`, `annotate` and `uci`.

use std::io::Write;
use std::process::{Command, Stdio};

use amazons::game::Outcome;
use amazons::game::notation::fen;
use amazons::game::rules::Position;
use amazons::knowledge::Knowledge;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use serde_json::Value;

use crate::client::Served;

/// Boards, and how far random games on them are followed: to where an opening table, a certificate
/// or nothing knows them, and to near their ends, where the rules and bounds do.
const GAMES: [(&str, usize); 12] = [
    ("4x4", 16),
    ("4x5", 3),
    ("5x4", 4),
    ("5x5", 3),
    ("4x6", 3),
    ("4x7", 3),
    ("5x6", 3),
    ("6x5", 2),
    ("7x4", 2),
    ("6x6", 40),
    ("8x8", 64),
    ("10x10", 100),
];

/// Positions of random games.
fn positions() -> Vec<Position> {
    let mut random = StdRng::seed_from_u64(17);
    let mut positions = Vec::new();
    for (board, longest) in GAMES {
        for _ in 0..3 {
            let mut game = vec![Position::start(board.parse().unwrap()).unwrap()];
            while game.len() <= longest {
                let at = game.last().unwrap();
                let Some(played) = at.moves().choose(&mut random) else { break };
                game.push(at.play(played).unwrap());
            }
            // All of a short game; of a long one the last ones, and some before.
            let late = game.len().saturating_sub(6);
            let keep = |at: usize| at >= late || at < 3;
            positions.extend(game.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, p)| *p));
        }
    }
    // The strategies of certificates.
    let proved = [
        ("4x7", "b1-b6/c5"),
        ("4x8", "b1-b6/c6"),
        ("5x6", "b1-b4/d4"),
        ("6x5", "b1-b3/c4"),
        ("6x5", "e1-e3/d4"),
        ("5x7", "b1-b5/d5"),
        ("4x9", "b1-b7/c7"),
    ];
    for (board, best) in proved {
        let start = Position::start(board.parse().unwrap()).unwrap();
        let after = start.play(best.parse().unwrap()).unwrap();
        positions.extend([start, after]);
        for _ in 0..6 {
            let answered = after.play(after.moves().choose(&mut random).unwrap()).unwrap();
            positions.push(answered);
        }
    }
    positions
}

/// What a program prints that reads this.
fn said(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(arguments)
        .args(["--quiet", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The values of the lines of an answer.
fn values(lines: &str, field: &str) -> Vec<String> {
    let value = |line: &str| {
        let answer: Value = serde_json::from_str(line).unwrap();
        answer[field].as_str().unwrap_or_else(|| panic!("{line}")).to_string()
    };
    lines.lines().map(value).collect()
}

#[test]
fn everybody_knows_the_same_of_a_position() {
    let positions = positions();
    assert!(positions.len() >= 200, "{}", positions.len());
    let knowledge = Knowledge::default();
    let word = |value: Option<Outcome>| value.map_or("unknown", Outcome::as_str).to_string();
    let expected: Vec<String> =
        positions.iter().map(|position| word(knowledge.of(position).unwrap().value())).collect();
    let known = expected.iter().filter(|value| *value != "unknown").count();
    assert!((100..positions.len()).contains(&known), "{known} of {}", positions.len());

    let fens: Vec<String> = positions.iter().map(fen).collect();
    let lines = fens.join("\n") + "\n";
    assert_eq!(values(&said(&["lookup", "-"], &lines), "value"), expected, "lookup");

    let served = Served::with_tables(&[]);
    let answered: Vec<String> = fens
        .iter()
        .map(|fen| {
            let path = format!("/api/v1/position?fen={}", fen.replace(' ', "+"));
            served.json(&path)["value"].as_str().unwrap().to_string()
        })
        .collect();
    assert_eq!(answered, expected, "serve");

    let games: String = positions.iter().map(sgf).collect();
    let annotated =
        said(&["annotate", "-", "--time", "0s", "--estimate-nodes", "0", "--json"], &games);
    assert_eq!(values(&annotated, "start_value"), expected, "annotate");

    // The engine and a search may find out more; what is known they say too.
    for (position, expected) in
        positions.iter().zip(&expected).filter(|(_, value)| *value == "loss")
    {
        let commands = format!("position fen {}\ngo nodes 1\n", fen(position));
        let said = said(&["uci"], &commands);
        assert!(said.contains(&format!(": {expected}\n")), "{}: {said}", fen(position));
    }
    let decided = positions.iter().zip(&expected).filter(|(_, value)| *value != "unknown");
    for (position, expected) in decided.step_by(7) {
        let answer = said(&["solve", &fen(position), "--json", "--time", "10s"], "");
        assert_eq!(values(&answer, "value")[..], [&expected[..]], "solve {}", fen(position));
    }
}

/// A game that begins with a position.
fn sgf(position: &Position) -> String {
    use amazons::game::notation::sgf::{Game, Style, games_text};
    games_text(&[Game::new(position, Style::Points)])
}
