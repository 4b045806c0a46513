//! What a table is about, as answers ask it.

use super::basis::Basis;
use super::info::{SourceInfo, SourceKind};
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::game::variants::{VariantPosition, variant_start};
use crate::tables::index::{TableRules, TableSubject};
use crate::tables::value_source::ValueSource;

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
        self.is_on(setup.board) && self.0.has_sides(setup.white.len(), setup.black.len())
    }

    /// Whether the table is about Amazons on a board, either way round.
    pub fn has(&self, board: Board) -> bool {
        self.0.rules == TableRules::Amazons && self.is_on(board)
    }

    fn is_on(&self, board: Board) -> bool {
        board == self.0.board || board.transposed() == self.0.board
    }

    /// The start positions of a table's game, or that of an opening table, if it is by these rules.
    pub fn starts(&self, rules: TableRules, source: &ValueSource) -> Vec<Position> {
        if self.0.rules != rules {
            return Vec::new();
        }
        if let ValueSource::Opening(opening, _) = source {
            return vec![*opening.start()];
        }
        let boards = [self.0.board, self.0.board.transposed()];
        let start = |board| variant_start(self.0.rules.set(), board, Some(self.0.amazons)).ok();
        boards.into_iter().filter_map(start).collect()
    }

    /// How answers refer to the table.
    pub fn basis(&self, source: &ValueSource) -> Basis {
        let name = self.0.to_string();
        match source {
            ValueSource::Table(_) => Basis::Table { name },
            ValueSource::Opening(opening, _) => {
                Basis::Opening { name, moves: opening.plies().len() - 1 }
            }
        }
    }

    /// What there is to tell of a table that is there; `bytes` are those of an opening table's
    /// file.
    pub fn info(&self, source: &ValueSource, bytes: u64, built_in: bool) -> SourceInfo {
        let (kind, positions, bytes, opening_moves) = match source {
            ValueSource::Opening(opening, _) => {
                let positions = opening.plies().iter().map(|ply| ply.len() as u64).sum();
                (SourceKind::Opening, positions, bytes, Some(opening.plies().len() - 1))
            }
            ValueSource::Table(table) => {
                let tiers = &table.manifest().tiers;
                let stored = tiers.iter().filter(|tier| tier.stored);
                let positions = tiers.iter().map(|tier| tier.positions).sum();
                (SourceKind::Table, positions, stored.map(|tier| tier.bytes).sum(), None)
            }
        };
        SourceInfo {
            name: self.0.to_string(),
            kind,
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
