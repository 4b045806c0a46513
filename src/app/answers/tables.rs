//! The tables that answers come from: what is asked of them, and what is told of them.

use std::sync::Arc;

use serde::Serialize;

use super::report::AnswerSource;
use super::refusal::Refusal;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::game::variants::{VariantPosition, variant_start};
use crate::search::Oracle;
use crate::tables::index::{TableRules, TableSubject};
use crate::tables::value_source::{Known, ValueSource, VariantAnswer};

/// Tables and opening tables, in the order in which they are asked.
pub trait Tables {
    /// What is known of a position and where it comes from; `None` if no table knows it.
    /// [`best_known`] chooses among several.
    ///
    /// # Errors
    /// If a table cannot be read.
    fn look_up(&self, position: &Position) -> Result<Option<(Known, AnswerSource)>, Refusal>;

    /// The same by other rules than those of Amazons. None, unless tables are about them.
    ///
    /// # Errors
    /// If a table cannot be read.
    fn look_up_by_other_rules(
        &self,
        position: &VariantPosition,
    ) -> Result<Option<(VariantAnswer, AnswerSource)>, Refusal> {
        let _ = position;
        Ok(None)
    }

    /// The start positions by some rules that the tables may know, as [`in_order`] puts them.
    fn starts(&self, rules: TableRules) -> Vec<Position>;

    /// The tables that a search of Amazons or the engine may ask about a board, either way round.
    fn sources(&self, board: Board) -> Vec<Arc<ValueSource>>;

    /// What the tables hold.
    fn list(&self) -> Vec<TableInfo>;
}

/// What `/api/v1/tables` tells of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableInfo {
    /// Board and amazons, the name by which answers refer to it; before them the rules, if they are
    /// not those of Amazons.
    pub name: String,
    /// The rules, if they are not those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Of an opening table: the moves from its start that it knows the values after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_moves: Option<usize>,
    /// The board.
    pub board: String,
    /// The amazons.
    pub amazons: String,
    /// Positions, every placement counted; in an opening table all mirror images counted once.
    pub positions: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// Whether the program has it without any files.
    pub built_in: bool,
    /// Whether its manifest is there, and what was last asked of it could be read.
    pub available: bool,
}

/// Of what is known from several tables, what says the most: a table that knows all moves goes
/// before one that knows the value alone, and earlier ones before later ones.
///
/// # Errors
/// That of a table, if none before it knows all moves.
pub fn best_known(
    found: impl IntoIterator<Item = Result<Option<(Known, AnswerSource)>, Refusal>>,
) -> Result<Option<(Known, AnswerSource)>, Refusal> {
    let mut value = None;
    for known in found {
        match known? {
            Some(known @ (Known::All(_), _)) => return Ok(Some(known)),
            Some(known) => value = value.or(Some(known)),
            None => {}
        }
    }
    Ok(value)
}

/// Start positions, the smallest board first, each once.
pub fn in_order(starts: impl IntoIterator<Item = Position>) -> Vec<Position> {
    let mut distinct: Vec<Position> = Vec::new();
    for start in starts {
        if !distinct.contains(&start) {
            distinct.push(start);
        }
    }
    distinct.sort_by_key(|start| (start.board().squares(), start.board().columns()));
    distinct
}

/// What a table is about, as answers ask it. They refer to the table by what it displays.
#[derive(Clone, Copy, Debug)]
pub struct Subject(pub TableSubject);

impl Subject {
    /// That of a table or an opening table.
    pub fn of(source: &ValueSource) -> Self {
        Self(match source {
            ValueSource::Table(table) => {
                TableSubject { board: table.board(), ..table.manifest().subject }
            }
            ValueSource::Opening(opening, _) => {
                TableSubject::of_amazons(opening.board(), opening.start().sides())
            }
        })
    }

    /// Whether it is about Amazons, and board and amazons are the table's, either way round.
    pub fn is_of(&self, position: &Position) -> bool {
        self.0.rules == TableRules::Amazons && self.fits(position)
    }

    /// The same by other rules.
    pub fn is_of_variant(&self, position: &VariantPosition) -> bool {
        self.0.rules.set() == position.rules() && self.fits(position.position())
    }

    fn fits(&self, position: &Position) -> bool {
        let setup = position.setup();
        let (white, black) = (setup.white.len(), setup.black.len());
        let sides = [(white, black), (black, white)];
        self.is_on(setup.board) && sides.contains(&(self.0.amazons.white, self.0.amazons.black))
    }

    /// Whether the table is about Amazons on a board, either way round.
    pub fn has(&self, board: Board) -> bool {
        self.0.rules == TableRules::Amazons && self.is_on(board)
    }

    fn is_on(&self, board: Board) -> bool {
        board == self.0.board || board.transposed() == self.0.board
    }

    /// The start positions of a table's game, or that of an opening table.
    pub fn starts(&self, source: &ValueSource) -> Vec<Position> {
        if let ValueSource::Opening(opening, _) = source {
            return vec![*opening.start()];
        }
        let boards = [self.0.board, self.0.board.transposed()];
        let start = |board| variant_start(self.0.rules.set(), board, Some(self.0.amazons)).ok();
        boards.into_iter().filter_map(start).collect()
    }

    /// How answers refer to the table.
    pub fn source_of(&self, source: &ValueSource) -> AnswerSource {
        let name = self.0.to_string();
        match source {
            ValueSource::Table(_) => AnswerSource::Table { name },
            ValueSource::Opening(opening, _) => {
                AnswerSource::Opening { name, moves: opening.plies().len() - 1 }
            }
        }
    }

    /// What there is to tell of a table that is there; `bytes` are those of an opening table's
    /// file.
    pub fn info(&self, source: &ValueSource, bytes: u64, built_in: bool) -> TableInfo {
        let (positions, bytes, opening_moves) = match source {
            ValueSource::Opening(opening, _) => {
                let positions = opening.plies().iter().map(|ply| ply.len() as u64).sum();
                (positions, bytes, Some(opening.plies().len() - 1))
            }
            ValueSource::Table(table) => {
                let tiers = &table.manifest().tiers;
                let stored = tiers.iter().filter(|tier| tier.stored);
                let positions = tiers.iter().map(|tier| tier.positions).sum();
                (positions, stored.map(|tier| tier.bytes).sum(), None)
            }
        };
        TableInfo {
            name: self.0.to_string(),
            rules: (self.0.rules != TableRules::Amazons).then(|| self.0.rules.to_string()),
            opening_moves,
            board: self.0.board.to_string(),
            amazons: self.0.amazons.to_string(),
            positions,
            bytes,
            built_in,
            available: true,
        }
    }
}

/// Some tables as a search asks them. A search that comes to positions with fewer amazons finds
/// them in tables with fewer amazons.
#[derive(Debug)]
pub struct TablesOracle(Vec<Arc<ValueSource>>);

impl TablesOracle {
    /// The tables that a search on a board may ask.
    pub fn of(tables: &dyn Tables, board: Board) -> Self {
        Self(tables.sources(board))
    }
}

impl Oracle for TablesOracle {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.0.iter().find_map(|source| source.outcome(position).ok().flatten())
    }
}
