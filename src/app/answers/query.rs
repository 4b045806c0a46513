//! What a question says: positions, moves and boards in its query.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::refusal::Refusal;
use crate::game::board::Board;
use crate::game::excerpt::excerpt;
use crate::game::rules::{Amazons, Position};
use crate::game::variants::{RuleSet, Turns, VariantPosition};
use crate::game::{AnyPosition, PlayTextError};

/// What stands behind the `?` of an address. Its rules are read once, for all who need them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    text: &'a str,
    /// `None` if they are those of Amazons.
    rules: Option<RuleSet>,
}

/// The fields of [`Rules`], which every question may have.
const OF_RULES: [&str; 2] = ["rules", "turns"];
/// The fields of a question about a position.
pub(super) const OF_POSITION: [&str; 2] = ["fen", "moves"];

/// `rules=cowboys`, and `turns=1,2` if not those of the game.
#[derive(Deserialize)]
struct Rules {
    rules: Option<String>,
    turns: Option<String>,
}

impl<'a> Query<'a> {
    /// A query and the rules that it names. Beside these it may have the `fields` that are named,
    /// and no others.
    ///
    /// # Errors
    /// If there are no such rules, or it has another field.
    pub(crate) fn read(text: &'a str, fields_of: &[&str]) -> Result<Self, Refusal> {
        let known = |name: &str| OF_RULES.iter().chain(fields_of).any(|&field| field == name);
        let mut names = form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name);
        if let Some(other) = names.find(|name| !known(name)) {
            let known = OF_RULES.iter().chain(fields_of).copied().collect::<Vec<_>>().join(", ");
            let message = format!("expected fields of {known}, found {}", excerpt(&other));
            return Err(Refusal::bad("bad_query", message));
        }
        let Rules { rules, turns } = fields(text)?;
        let rules = rules.as_deref().map(str::parse::<RuleSet>).transpose();
        let rules = rules.map_err(|error| bad("bad_rules", &error))?;
        let turns = turns.as_deref().map(str::parse::<Turns>).transpose();
        let turns = turns.map_err(|error| bad("bad_turns", &error))?;
        let rules = rules.unwrap_or(RuleSet::AMAZONS).with_turns(turns).other_than_amazons();
        Ok(Self { text, rules })
    }

    /// The rules, `None` if they are those of Amazons.
    pub(crate) fn rules(&self) -> Option<RuleSet> {
        self.rules
    }

    /// Other fields.
    ///
    /// # Errors
    /// If one that is there has not the form that it should have.
    pub(crate) fn fields<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        fields(self.text)
    }

    /// Refuses other rules than those of Amazons, where something is for Amazons only.
    ///
    /// # Errors
    /// If the rules are others.
    pub(crate) fn for_amazons_only(&self, what: &str) -> Result<(), Refusal> {
        let Some(rules) = self.rules else { return Ok(()) };
        let message = format!("{what} is for the rules of amazons, found {rules}");
        Err(Refusal::impossible("amazons_only", message))
    }

    /// The position of Amazons that is asked about.
    ///
    /// # Errors
    /// If there is none, or the rules are others.
    pub(crate) fn amazons(&self, what: &str) -> Result<Position, Refusal> {
        self.for_amazons_only(what)?;
        Ok(*self.line()?.last.squares())
    }

    /// The position that is asked about, and the moves that lead to it.
    ///
    /// # Errors
    /// What is wrong with the position, or with the first move that cannot be played.
    pub(crate) fn line(&self) -> Result<Line, Refusal> {
        let game: Game = self.fields()?;
        let text = game.fen.as_deref().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| {
            Refusal::bad(
                "no_fen",
                "expected a position as fen=..., for example fen=1qq1/q2q/Q2Q/1QQ1+w, found none",
            )
        })?;
        let first = AnyPosition::read(text, self.rules).map_err(|error| bad("bad_fen", &error))?;
        let (mut last, mut moves) = (first, Vec::new());
        for text in game.moves.split_ascii_whitespace() {
            last = play_turn(last, text, &mut moves).map_err(|error| {
                Refusal::bad("bad_move", format!("move {}: {error}", moves.len() + 1))
            })?;
        }
        Ok(Line { first, moves, last })
    }

    /// The start position that is asked for.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn start(&self) -> Result<AnyPosition, Refusal> {
        self.fields::<NewGame>()?.position(self.rules)
    }
}

/// Reads some fields of a query.
fn fields<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    let pairs = form_urlencoded::parse(text.as_bytes());
    let deserializer = serde_urlencoded::Deserializer::new(pairs);
    serde_path_to_error::deserialize(deserializer).map_err(|error| {
        let fault = in_words(&error.inner().to_string());
        let message = match error.path().iter().next() {
            Some(_) => format!("{}: {fault}", error.path()),
            None => fault,
        };
        Refusal::bad("bad_query", message)
    })
}

/// What a reader of values says, in the words of all other errors.
fn in_words(fault: &str) -> String {
    if fault.contains("digit") || fault.contains("number too") {
        return "expected a whole number from 0 to 2^64 - 1".to_string();
    }
    let word = fault.strip_prefix("unknown variant ");
    match word.and_then(|word| word.split_once(", expected ")) {
        Some((found, expected)) => format!("expected {expected}, found {found}"),
        None => fault.to_string(),
    }
}

/// `fen=...`, and `moves=...` to play from there, with blanks between them.
#[derive(Debug, Deserialize)]
struct Game {
    fen: Option<String>,
    #[serde(default)]
    moves: String,
}

/// A move of a game and the position it leads to.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Step {
    #[serde(rename = "move")]
    pub(crate) played: String,
    pub(crate) position: String,
}

/// A position, and one that moves lead to from there.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) first: AnyPosition,
    pub(crate) moves: Vec<Step>,
    pub(crate) last: AnyPosition,
}

/// Plays a move, or the moves of a turn that are joined by `+`; adds each to `steps`.
fn play_turn(
    first: AnyPosition,
    text: &str,
    steps: &mut Vec<Step>,
) -> Result<AnyPosition, PlayTextError> {
    let singles = match first {
        AnyPosition::Amazons(_) => vec![text],
        AnyPosition::Variant(_) => text.split('+').collect(),
    };
    let mut last = first;
    for single in singles {
        let (played, after) = last.play(single)?;
        steps.push(Step { played, position: after.fen() });
        last = after;
    }
    Ok(last)
}

/// `board=5x5`, and `amazons=2v2` if not four a side.
#[derive(Debug, Deserialize)]
pub(crate) struct NewGame {
    board: Option<String>,
    amazons: Option<String>,
}

impl NewGame {
    /// Its fields.
    pub(super) const FIELDS: [&'static str; 2] = ["board", "amazons"];

    /// The board.
    pub(crate) fn board(&self) -> Result<Board, Refusal> {
        let board = self.board.as_deref().ok_or_else(|| {
            Refusal::bad(
                "no_board",
                "expected a board as board=COLUMNSxROWS, for example board=5x5, found none",
            )
        })?;
        board.parse().map_err(|error| bad("bad_board", &error))
    }

    /// The start position by these rules; without any by those of Amazons.
    fn position(&self, rules: Option<RuleSet>) -> Result<AnyPosition, Refusal> {
        let board = self.board()?;
        let amazons = self.amazons.as_deref().map(str::parse::<Amazons>);
        let amazons = amazons.transpose().map_err(|error| bad("bad_amazons", &error))?;
        let start = VariantPosition::start(rules.unwrap_or(RuleSet::AMAZONS), board, amazons)
            .map_err(|error| Refusal::impossible("no_start", error.to_string()))?;
        Ok(match rules {
            None => AnyPosition::Amazons(*start.position()),
            Some(_) => AnyPosition::Variant(start),
        })
    }
}

fn bad(code: &'static str, error: &dyn std::error::Error) -> Refusal {
    Refusal::bad(code, error.to_string())
}
