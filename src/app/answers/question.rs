//! Questions that have one answer, by what stands behind `/api/v1/` in their address.

use serde::{Deserialize, Serialize};

use super::answer::report;
use super::boards::{SolvedBoard, solved_boards};
use super::bounds::Bounds;
use super::engine::{Level, think, think_by_other_rules};
use super::exercise::{Difficulty, exercise};
use super::insight::insight;
use super::query::{Line, NewGame, Step, amazons, for_amazons_only, read, variant};
use super::refusal::Refusal;
use super::rules::RulesReport;
use super::sgf;
use super::tables::{TableInfo, Tables};
use crate::game::AnyPosition;
use crate::game::variants::RuleSet;
use crate::machine::progress::StopFlag;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What stands behind `/api/v1/`, such as `position`.
    pub path: &'a str,
    /// What stands behind `?`.
    pub query: &'a str,
    /// What is sent, if anything is.
    pub body: Option<&'a [u8]>,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// JSON.
    Json(String),
    /// A game file.
    Sgf(String),
}

#[derive(Serialize)]
struct LineReport {
    start: String,
    moves: Vec<Step>,
    position: String,
}

#[derive(Serialize)]
struct Start {
    board: String,
    position: String,
}

#[derive(Serialize)]
struct Boards {
    boards: Vec<SolvedBoard>,
}

#[derive(Serialize)]
struct TableList {
    tables: Vec<TableInfo>,
}

/// How well to play; beside the position.
#[derive(Deserialize)]
struct HowToPlay {
    level: Option<Level>,
}

/// Which exercise; beside the board.
#[derive(Deserialize)]
struct WhichExercise {
    difficulty: Option<Difficulty>,
    seed: Option<u64>,
}

/// What the engine is asked.
#[derive(Debug)]
pub struct Thinking {
    position: AnyPosition,
    level: Level,
}

impl Thinking {
    /// What a query asks for.
    ///
    /// # Errors
    /// If it has no position, or there is no such level.
    pub fn read(query: &str) -> Result<Self, Refusal> {
        let position = Line::read(query)?.last;
        Ok(Self { position, level: read::<HowToPlay>(query)?.level.unwrap_or(Level::Best) })
    }

    /// What the engine thinks.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn answer(&self, tables: &dyn Tables, stop: &StopFlag) -> Result<Reply, Refusal> {
        json(&match &self.position {
            AnyPosition::Amazons(position) => {
                think(position, self.level, tables.sources(position.board()), stop)?
            }
            AnyPosition::Variant(position) => {
                think_by_other_rules(position, self.level, tables, stop)?
            }
        })
    }
}

/// Answers a question. Only the engine takes notice of `stop`.
///
/// # Errors
/// What is wrong with the question, or with a table.
pub fn answer(
    question: &Question<'_>,
    tables: &dyn Tables,
    bounds: &Bounds,
    stop: &StopFlag,
) -> Result<Reply, Refusal> {
    let query = question.query;
    match (question.path, question.body) {
        ("position", None) => json(&report(tables, bounds, &Line::read(query)?.last)?),
        ("line", None) => {
            let Line { first, moves, last } = Line::read(query)?;
            json(&LineReport { start: first.fen(), moves, position: last.fen() })
        }
        ("start", None) => {
            let start = read::<NewGame>(query)?.position(variant(query)?)?;
            json(&Start { board: start.board().to_string(), position: start.fen() })
        }
        ("boards", None) => {
            json(&Boards { boards: solved_boards(tables, bounds, variant(query)?) })
        }
        ("rules", None) => json(&RulesReport::beginning_with(RuleSet::AMAZONS)),
        ("insight", None) => json(&insight(&amazons("insight", query)?)?),
        ("engine", None) => Thinking::read(query)?.answer(tables, stop),
        ("exercise", None) => {
            for_amazons_only("exercise", query)?;
            let board = read::<NewGame>(query)?.board()?;
            let which: WhichExercise = read(query)?;
            json(&exercise(tables, board, which.difficulty, which.seed.unwrap_or(0))?)
        }
        ("tables", None) => json(&TableList { tables: tables.list() }),
        ("sgf", None) => {
            for_amazons_only("SGF", query)?;
            let Line { first, moves, .. } = Line::read(query)?;
            sgf::write(first.squares(), &moves).map(Reply::Sgf)
        }
        ("sgf", Some(file)) => {
            for_amazons_only("SGF", query)?;
            json(&sgf::read(file)?)
        }
        ("sgf/tree", Some(tree)) => {
            for_amazons_only("SGF", query)?;
            sgf::write_tree(tree).map(Reply::Sgf)
        }
        (path, _) => {
            let path: String = path.chars().take(80).collect();
            Err(Refusal::not_found("not_found", format!("there is nothing at {path}")))
        }
    }
}

fn json(answer: &impl Serialize) -> Result<Reply, Refusal> {
    serde_json::to_string(answer).map(Reply::Json).map_err(|_| Refusal::internal())
}
