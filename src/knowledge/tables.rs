//! Tables and opening tables as sources, and as a search asks them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::info::SourceInfo;
use super::margins::Margins;
use super::source::Source;
use super::subject::Subject;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::game::variants::{SingleMove, VariantPosition};
use crate::search::Oracle;
use crate::tables::format::TableError;
use crate::tables::index::TableRules;
use crate::tables::value_source::{TableAnswer, TableMargins, ValueSource, VariantAnswer};

/// A table or an opening table.
#[derive(Clone, Debug)]
pub struct TableSource {
    source: Arc<ValueSource>,
    subject: Subject,
    /// Bytes of an opening table's file.
    bytes: u64,
    built_in: bool,
}

impl TableSource {
    /// A table of files; `bytes` are those of an opening table's.
    pub fn new(source: Arc<ValueSource>, bytes: u64) -> Self {
        Self { subject: Subject::of(&source), source, bytes, built_in: false }
    }

    /// One that the program has without any files.
    pub fn built_in(source: Arc<ValueSource>, bytes: u64) -> Self {
        Self { built_in: true, ..Self::new(source, bytes) }
    }
}

/// Tells what a table knows of a position of its board and amazons.
///
/// # Errors
/// As [`Source::tell`].
pub fn tell_by_table(
    found: Result<Option<TableAnswer>, SourceError>,
    basis: &Basis,
    finding: &mut Finding,
) -> Result<(), SourceError> {
    match found? {
        None => Ok(()),
        Some(TableAnswer::Outcome(value)) => finding.tell_value(value, basis),
        Some(TableAnswer::All(answer)) => {
            for (played, value) in answer.moves {
                finding.tell_move(played, value, basis)?;
            }
            finding.tell_value(answer.outcome, basis)
        }
    }
}

/// Tells the margins that a table has found of a position with so many empty squares.
///
/// # Errors
/// As [`tell_by_table`].
pub fn tell_margins_by_table(
    found: Result<Option<TableMargins>, SourceError>,
    empty: usize,
    basis: &Basis,
    margins: &mut Margins,
) -> Result<(), SourceError> {
    let Some(TableMargins { position, moves }) = found? else { return Ok(()) };
    margins.tell(position.range(empty), basis)?;
    let mut moves = moves.into_iter();
    moves.try_for_each(|(played, margin)| {
        margins.tell_move(played, margin.range_of_move(empty), basis)
    })
}

/// As [`tell_by_table`] by other rules.
///
/// # Errors
/// As [`tell_by_table`].
pub fn tell_by_table_of_other_rules(
    found: Result<Option<VariantAnswer>, SourceError>,
    basis: &Basis,
    finding: &mut Finding<SingleMove>,
) -> Result<(), SourceError> {
    let Some(answer) = found? else { return Ok(()) };
    for (played, value) in answer.moves {
        finding.tell_move(played, value, basis)?;
    }
    finding.tell_value(answer.outcome, basis)
}

impl Source for TableSource {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        if !self.subject.is_of(position) {
            return Ok(());
        }
        let found = self.source.known(position).map_err(Box::new);
        tell_by_table(found.map_err(Into::into), &self.subject.basis(&self.source), finding)
    }

    fn tell_by_other_rules(
        &self,
        position: &VariantPosition,
        finding: &mut Finding<SingleMove>,
    ) -> Result<(), SourceError> {
        if !self.subject.is_of_variant(position) {
            return Ok(());
        }
        let found = self.source.known_by_other_rules(position).map_err(Box::new);
        let basis = self.subject.basis(&self.source);
        tell_by_table_of_other_rules(found.map_err(Into::into), &basis, finding)
    }

    fn tell_margins(&self, position: &Position, margins: &mut Margins) -> Result<(), SourceError> {
        if !self.subject.is_of(position) {
            return Ok(());
        }
        let found = self.source.known_margins(position).map_err(Box::new);
        let (found, basis) = (found.map_err(Into::into), self.subject.basis(&self.source));
        tell_margins_by_table(found, position.empty_squares(), &basis, margins)
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        self.subject.starts(rules, &self.source)
    }

    fn table(&self, board: Board) -> Option<Arc<ValueSource>> {
        self.subject.has(board).then(|| self.source.clone())
    }

    fn info(&self) -> Option<SourceInfo> {
        Some(self.subject.info(&self.source, self.bytes, self.built_in))
    }
}

/// Some tables as a search asks them. A search that comes to positions with fewer amazons finds
/// them in tables with fewer amazons. One that turns out to be damaged stops being asked, and that
/// is remembered.
#[derive(Debug)]
pub struct TablesOracle(Vec<Asked>);

#[derive(Debug)]
struct Asked {
    source: Arc<ValueSource>,
    damage: OnceLock<TableError>,
    /// Whether it has told a value.
    told: AtomicBool,
}

impl TablesOracle {
    /// Of these tables.
    pub fn new(tables: Vec<Arc<ValueSource>>) -> Self {
        let told = || AtomicBool::new(false);
        let asked = |source| Asked { source, damage: OnceLock::new(), told: told() };
        Self(tables.into_iter().map(asked).collect())
    }

    /// What a search rests on that has asked these tables until now.
    pub fn basis(&self) -> Basis {
        let told = self.0.iter().filter(|asked| asked.told.load(Ordering::Relaxed));
        Basis::proof_given(told.flat_map(|asked| {
            let source = &asked.source;
            Subject::of(source).basis(source).sources()
        }))
    }

    /// What was found damaged. No answer of the oracle rests on it.
    pub fn damage(&self) -> Option<&TableError> {
        self.0.iter().find_map(|asked| asked.damage.get())
    }
}

impl Asked {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if self.damage.get().is_some() {
            return None;
        }
        let outcome = self.source.outcome(position).unwrap_or_else(|error| {
            self.damage.get_or_init(|| error);
            None
        });
        // Threads read it far more often than it changes.
        if outcome.is_some() && !self.told.load(Ordering::Relaxed) {
            self.told.store(true, Ordering::Relaxed);
        }
        outcome
    }
}

impl Oracle for TablesOracle {
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.0.iter().find_map(|asked| asked.outcome(position))
    }
}
