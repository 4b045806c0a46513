//! `POST /api/v1/positions`: what is known of many positions, in the order in which they stand.
//!
//! An answer has a bound in bytes and in time, because a thousand positions of a large board have
//! millions of moves.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value as Json;

use super::refusal::Refusal;
use super::report::PositionReport;
use crate::game::AnyPosition;
use crate::game::variants::RuleSet;
use crate::machine::clock::Instant;
use crate::machine::json;

/// The most positions of a request.
const MOST: usize = 1000;
/// The most bytes of an answer.
const MOST_BYTES: usize = 4 << 20;
/// How long positions are worked out; those that are left then are refused one by one.
const LONGEST: Duration = Duration::from_secs(5);

/// What is sent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionsRequest {
    /// FEN.
    positions: Vec<String>,
    /// Whether each answer has the list of moves.
    #[serde(default)]
    moves: Moves,
}

/// `true` or `false`.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(from = "bool")]
enum Moves {
    #[default]
    Listed,
    LeftOut,
}

impl From<bool> for Moves {
    fn from(listed: bool) -> Self {
        if listed { Self::Listed } else { Self::LeftOut }
    }
}

/// The answer to some JSON, as JSON. Positions are by these rules; without any by those of Amazons.
pub(crate) fn positions(
    text: &[u8],
    rules: Option<RuleSet>,
    report: &dyn Fn(&AnyPosition) -> Result<PositionReport, Refusal>,
) -> Result<String, Refusal> {
    let PositionsRequest { positions, moves } = serde_json::from_slice(text).map_err(|error| {
        let expected = r#"expected {"positions": ["FEN", ...], "moves": true or false}"#;
        Refusal::bad("bad_body", format!("{expected}: {}", json::fault(&error)))
    })?;
    if positions.len() > MOST {
        let message = format!("expected at most {MOST} positions, found {}", positions.len());
        return Err(Refusal::new(413, "too_many_positions", message));
    }
    let began = Instant::now();
    let mut answers = String::from("{\"positions\":[");
    for (done, fen) in positions.iter().enumerate() {
        let answer = match began.elapsed() < LONGEST {
            true => one(fen, moves, rules, report).unwrap_or_else(|refusal| refusal.json()),
            false => Refusal::busy("no time was left for this position; ask again for it").json(),
        };
        if answers.len() + answer.len() > MOST_BYTES {
            let message = format!(
                "the answer has more than {MOST_BYTES} bytes after {done} positions; ask for \
                 fewer, or with \"moves\": false"
            );
            return Err(Refusal::new(413, "answer_too_large", message));
        }
        if done > 0 {
            answers.push(',');
        }
        answers.push_str(&answer);
    }
    answers.push_str("]}");
    Ok(answers)
}

/// The answer to one position.
fn one(
    fen: &str,
    moves: Moves,
    rules: Option<RuleSet>,
    report: &dyn Fn(&AnyPosition) -> Result<PositionReport, Refusal>,
) -> Result<String, Refusal> {
    let position = AnyPosition::read(fen, rules)
        .map_err(|error| Refusal::bad("bad_fen", error.to_string()))?;
    let report = report(&position)?;
    let text = match moves {
        Moves::Listed => serde_json::to_string(&report),
        Moves::LeftOut => {
            let short = PositionReport { moves: Vec::new(), ..report };
            let mut fields = serde_json::to_value(short).map_err(|_| Refusal::internal())?;
            if let Json::Object(fields) = &mut fields {
                fields.retain(|name, _| name != "moves");
            }
            serde_json::to_string(&fields)
        }
    };
    text.map_err(|_| Refusal::internal())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(_: &AnyPosition) -> Result<PositionReport, Refusal> {
        Err(Refusal::internal())
    }

    #[test]
    fn what_is_sent_has_one_form() {
        let asked = |json: &str| positions(json.as_bytes(), None, &refused);
        assert_eq!(asked(r#"{"positions": []}"#).unwrap(), r#"{"positions":[]}"#);
        for json in [
            "",
            "[]",
            "{}",
            r#"{"positions": "4/4 w"}"#,
            r#"{"positions": [], "moves": "no"}"#,
            r#"{"positions": [], "move": false}"#,
        ] {
            let refusal = asked(json).unwrap_err();
            assert_eq!(refusal.code(), "bad_body", "{json}");
            assert!(refusal.message().starts_with("expected {\"positions\""), "{json}");
        }
        let many = format!(r#"{{"positions": [{}]}}"#, vec!["\"\""; MOST + 1].join(","));
        let refusal = asked(&many).unwrap_err();
        assert_eq!((refusal.status(), refusal.code()), (413, "too_many_positions"));
        assert!(refusal.message().contains("found 1001"), "{}", refusal.message());
    }

    #[test]
    fn an_answer_has_a_bound() {
        let long = |position: &AnyPosition| {
            Ok(PositionReport {
                position: position.fen(),
                rules: None,
                board: "x".repeat(MOST_BYTES / 2),
                amazons: String::new(),
                side_to_move: String::new(),
                value: crate::app::value::Value::Unknown,
                winner: None,
                source: None,
                search: false,
                wins: 0,
                losses: 0,
                moves: Vec::new(),
            })
        };
        let json = |count: usize| {
            format!(r#"{{"positions": [{}]}}"#, vec![r#""q1/1Q w""#; count].join(","))
        };
        assert!(positions(json(1).as_bytes(), None, &long).unwrap().contains("q1/1Q w"));
        let refusal = positions(json(2).as_bytes(), None, &long).unwrap_err();
        assert_eq!((refusal.status(), refusal.code()), (413, "answer_too_large"));
        assert!(refusal.message().contains("after 1 positions"), "{}", refusal.message());
    }
}
