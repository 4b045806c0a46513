//! The tables of the page: those of its folder, and those of which it reads pieces.

use std::sync::Arc;

use amazons::app::answers::{
    AnswerSource, Refusal, Subject, TableInfo, Tables, best_known, in_order,
};
use amazons::game::board::Board;
use amazons::game::rules::Position;
use amazons::tables::format::{Table, TableError, TierBytes};
use amazons::tables::index::TableRules;
use amazons::tables::value_source::{Known, ValueSource};

use crate::shelf::{InPieces, Shelf};

/// A table and where it is kept.
#[derive(Debug)]
struct HeldTable {
    subject: Subject,
    source: Arc<ValueSource>,
    bytes: u64,
    place: String,
    /// Whether pieces of its files are fetched. A search and the engine, which ask for many
    /// positions, do without such a table.
    in_pieces: bool,
}

impl HeldTable {
    fn look_up(
        &self,
        shelf: &Shelf,
        position: &Position,
    ) -> Result<Option<(Known, AnswerSource)>, Refusal> {
        let known = self.source.known(position).map_err(|error: TableError| {
            if shelf.wants() {
                // All that the moves lead to is noted at once, and fetched together.
                for played in position.moves() {
                    let _ = position.play(played).map(|after| self.source.outcome(&after));
                }
            }
            Refusal::no_table(format!("the table {} cannot be read: {error}", self.subject.0))
        })?;
        Ok(known.map(|known| (known, self.subject.source_of(&self.source))))
    }
}

/// All tables, in the order in which they are asked.
#[derive(Debug, Default)]
pub(crate) struct HeldTables {
    tables: Vec<HeldTable>,
    pub(crate) shelf: Shelf,
}

impl HeldTables {
    /// Puts a table of files behind the others: its manifest, the address of its directory, and
    /// whether pieces of its files are fetched or whole ones.
    pub(crate) fn add(
        &mut self,
        manifest: &[u8],
        place: String,
        in_pieces: bool,
    ) -> Result<(), TableError> {
        let (shelf, directory) = (self.shelf.clone(), place.clone());
        let table = Table::opened_by(manifest, move |tier| {
            let file = format!("{directory}{}", tier.name);
            if !in_pieces {
                return shelf.take(&file, tier.bytes).map(TierBytes::from);
            }
            let (shelf, bytes, head) = (shelf.clone(), tier.bytes, tier.head);
            Ok(TierBytes::of_source(InPieces { shelf, file, bytes, head }))
        })?;
        self.push(ValueSource::Table(table), 0, place, in_pieces);
        Ok(())
    }

    /// Puts a table behind the others; `bytes` are those of an opening table's file.
    pub(crate) fn push(&mut self, source: ValueSource, bytes: u64, place: String, in_pieces: bool) {
        let subject = Subject::of(&source);
        self.tables.push(HeldTable { subject, source: Arc::new(source), bytes, place, in_pieces });
    }

    /// Gives up the table of a place.
    pub(crate) fn drop_place(&mut self, place: &str) {
        self.tables.retain(|table| table.place != place);
    }
}

impl Tables for HeldTables {
    fn look_up(&self, position: &Position) -> Result<Option<(Known, AnswerSource)>, Refusal> {
        let about = self.tables.iter().filter(|table| table.subject.is_of(position));
        best_known(about.map(|table| table.look_up(&self.shelf, position)))
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        let about = self.tables.iter().filter(|table| table.subject.0.rules == rules);
        in_order(about.flat_map(|table| table.subject.starts(&table.source)))
    }

    fn sources(&self, board: Board) -> Vec<Arc<ValueSource>> {
        let asked = self.tables.iter().filter(|table| !table.in_pieces && table.subject.has(board));
        asked.map(|table| table.source.clone()).collect()
    }

    fn list(&self) -> Vec<TableInfo> {
        let info =
            |table: &HeldTable| table.subject.info(&table.source, table.bytes, !table.in_pieces);
        self.tables.iter().map(info).collect()
    }
}
