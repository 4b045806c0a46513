//! Questions that have one answer, by what stands behind `/api/v1/` in their address.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::answer::report;
use super::boards::{SolvedBoard, solved_boards};
use super::engine::{Level, think, think_by_other_rules};
use super::exercise::{Difficulty, Goal, WantedExercise, exercise};
use super::insight::insight;
use super::main_line::main_line;
use super::margins::HowMuch;
use super::positions::positions;
use super::query::{Line, NewGame, OF_POSITION, Query, Step};
use super::refusal::Refusal;
use super::report::PositionReport;
use super::rules::RulesReport;
use super::sgf;
use crate::game::AnyPosition;
use crate::game::variants::RuleSet;
use crate::knowledge::{Knowledge, SourceInfo};
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

/// What answers come from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// What is known.
    pub knowledge: &'a Arc<Knowledge>,
    /// The game that a page begins with.
    pub begins_with: RuleSet,
}

impl Sources<'_> {
    /// What is known of a position.
    fn report(&self, position: &AnyPosition) -> Result<PositionReport, Refusal> {
        report(self.knowledge, position)
    }
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// JSON.
    Json(String),
    /// A game file.
    Sgf(String),
}

/// What an answer takes of whoever works it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Little memory and time.
    Little,
    /// Much memory.
    Much,
    /// Seconds of a processor.
    Time,
    /// Much memory, and seconds of a processor where a search may tell more than is known.
    Search,
}

/// A kind of question.
#[derive(Debug)]
pub struct QuestionKind {
    /// What stands behind `/api/v1/`.
    pub path: &'static str,
    /// Whether something is sent with it, by `POST`.
    pub has_body: bool,
    /// What the answer takes.
    pub cost: Cost,
    /// The fields that its query may have beside the rules.
    fields: &'static [&'static str],
    answer: fn(&Asked<'_>) -> Result<Reply, Refusal>,
}

/// A question, and what it is answered from.
struct Asked<'a> {
    query: Query<'a>,
    body: &'a [u8],
    sources: Sources<'a>,
    stop: &'a StopFlag,
}

/// All kinds of questions.
pub const QUESTIONS: [QuestionKind; 15] = {
    const fn get(
        path: &'static str,
        fields: &'static [&'static str],
        cost: Cost,
        answer: fn(&Asked<'_>) -> Result<Reply, Refusal>,
    ) -> QuestionKind {
        QuestionKind { path, has_body: false, cost, fields, answer }
    }
    const fn post(
        path: &'static str,
        answer: fn(&Asked<'_>) -> Result<Reply, Refusal>,
    ) -> QuestionKind {
        QuestionKind { path, has_body: true, cost: Cost::Much, fields: &[], answer }
    }
    [
        // The value of a position and of all its moves, best first.
        get("position", &OF_POSITION, Cost::Little, |asked| asked.position()),
        // The same of many positions.
        post("positions", |asked| asked.positions()),
        // Optimal play from a position, as far as it is known.
        get("mainline", &OF_POSITION, Cost::Much, |asked| asked.main_line()),
        // By how much the position and each of its moves wins or loses.
        get("margins", &HowMuch::FIELDS, Cost::Search, |asked| asked.margins()),
        // The positions of a game.
        get("line", &OF_POSITION, Cost::Little, |asked| asked.line()),
        // A start position, for any amazons.
        get("start", &NewGame::FIELDS, Cost::Little, |asked| asked.start()),
        // Start positions that are solved.
        get("boards", &[], Cost::Little, |asked| asked.boards()),
        // The games that there are, and which one a page begins with.
        get("rules", &[], Cost::Little, |asked| asked.rules()),
        // Queen distances, and the parts with their values.
        get("insight", &OF_POSITION, Cost::Much, |asked| asked.insight()),
        // The engine's move, score and line.
        get("engine", &Thinking::FIELDS, Cost::Time, |asked| asked.engine()),
        // A position with one winning move, or one move that wins by most.
        get("exercise", &WhichExercise::FIELDS, Cost::Much, |asked| asked.exercise()),
        // The tables.
        get("tables", &[], Cost::Little, |asked| asked.tables()),
        // A game to SGF, and a file to a tree of moves.
        get("sgf", &OF_POSITION, Cost::Little, |asked| asked.write_sgf()),
        post("sgf", |asked| asked.read_sgf()),
        // A tree of moves to SGF.
        post("sgf/tree", |asked| asked.write_tree()),
    ]
};

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
    tables: Vec<SourceInfo>,
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
    goal: Option<Goal>,
    seed: Option<u64>,
}

/// What the engine is asked.
#[derive(Debug)]
pub struct Thinking {
    position: AnyPosition,
    level: Level,
}

impl WhichExercise {
    const FIELDS: [&'static str; 4] = ["board", "difficulty", "goal", "seed"];
}

impl Thinking {
    const FIELDS: [&'static str; 3] = ["fen", "moves", "level"];

    /// What a query asks for.
    ///
    /// # Errors
    /// If it has no position, or there is no such level.
    pub fn read(query: &str) -> Result<Self, Refusal> {
        Self::of(&Query::read(query, &Self::FIELDS)?)
    }

    fn of(query: &Query<'_>) -> Result<Self, Refusal> {
        let position = query.line()?.last;
        let HowToPlay { level } = query.fields()?;
        Ok(Self { position, level: level.unwrap_or(Level::Best) })
    }

    /// What the engine thinks.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn answer(&self, knowledge: &Arc<Knowledge>, stop: &StopFlag) -> Result<Reply, Refusal> {
        json(&match &self.position {
            AnyPosition::Amazons(position) => think(position, self.level, knowledge, stop)?,
            AnyPosition::Variant(position) => {
                think_by_other_rules(position, self.level, knowledge, stop)?
            }
        })
    }
}

impl Asked<'_> {
    fn position(&self) -> Result<Reply, Refusal> {
        json(&self.sources.report(&self.query.line()?.last)?)
    }

    fn positions(&self) -> Result<Reply, Refusal> {
        let report = |position: &AnyPosition| self.sources.report(position);
        positions(self.body, self.query.rules(), &report).map(Reply::Json)
    }

    fn main_line(&self) -> Result<Reply, Refusal> {
        let report = |position: &AnyPosition| self.sources.report(position);
        json(&main_line(self.query.line()?.last, &report)?)
    }

    fn margins(&self) -> Result<Reply, Refusal> {
        let (asked, knowledge) = (HowMuch::of(&self.query)?, self.sources.knowledge);
        let mut known = asked.known(knowledge)?;
        if asked.wants_search(&known) {
            known = asked.search(&known, knowledge, self.stop)?;
        }
        json(&asked.report(&known))
    }

    fn line(&self) -> Result<Reply, Refusal> {
        let Line { first, moves, last } = self.query.line()?;
        json(&LineReport { start: first.fen(), moves, position: last.fen() })
    }

    fn start(&self) -> Result<Reply, Refusal> {
        let start = self.query.start()?;
        json(&Start { board: start.board().to_string(), position: start.fen() })
    }

    fn boards(&self) -> Result<Reply, Refusal> {
        json(&Boards { boards: solved_boards(self.sources.knowledge, self.query.rules()) })
    }

    fn rules(&self) -> Result<Reply, Refusal> {
        json(&RulesReport::beginning_with(self.sources.begins_with))
    }

    fn insight(&self) -> Result<Reply, Refusal> {
        json(&insight(&self.query.amazons("insight")?)?)
    }

    fn engine(&self) -> Result<Reply, Refusal> {
        Thinking::of(&self.query)?.answer(self.sources.knowledge, self.stop)
    }

    fn exercise(&self) -> Result<Reply, Refusal> {
        self.query.for_amazons_only("exercise")?;
        let board = self.query.fields::<NewGame>()?.board()?;
        let WhichExercise { difficulty, goal, seed } = self.query.fields()?;
        let wanted = WantedExercise { goal: goal.unwrap_or(Goal::Win), difficulty };
        json(&exercise(self.sources.knowledge, board, wanted, seed.unwrap_or(0))?)
    }

    fn tables(&self) -> Result<Reply, Refusal> {
        json(&TableList { tables: self.sources.knowledge.list() })
    }

    fn write_sgf(&self) -> Result<Reply, Refusal> {
        self.query.for_amazons_only("SGF")?;
        let Line { first, moves, .. } = self.query.line()?;
        sgf::write(first.squares(), &moves).map(Reply::Sgf)
    }

    fn read_sgf(&self) -> Result<Reply, Refusal> {
        self.query.for_amazons_only("SGF")?;
        json(&sgf::read(self.body)?)
    }

    fn write_tree(&self) -> Result<Reply, Refusal> {
        self.query.for_amazons_only("SGF")?;
        sgf::write_tree(self.body).map(Reply::Sgf)
    }
}

/// Answers a question. Searches take notice of `stop`: those of margins and of the engine.
///
/// # Errors
/// What is wrong with the question, or with a table.
pub fn answer(
    question: &Question<'_>,
    sources: Sources<'_>,
    stop: &StopFlag,
) -> Result<Reply, Refusal> {
    let Question { path, query, body } = *question;
    let is_asked = |kind: &&QuestionKind| kind.path == path && kind.has_body == body.is_some();
    let Some(kind) = QUESTIONS.iter().find(is_asked) else {
        let path: String = path.chars().take(80).collect();
        return Err(Refusal::not_found("not_found", format!("there is nothing at {path}")));
    };
    let query = Query::read(query, kind.fields)?;
    (kind.answer)(&Asked { query, body: body.unwrap_or_default(), sources, stop })
}

/// An answer in JSON.
pub(crate) fn json(answer: &impl Serialize) -> Result<Reply, Refusal> {
    serde_json::to_string(answer).map(Reply::Json).map_err(|_| Refusal::internal())
}
