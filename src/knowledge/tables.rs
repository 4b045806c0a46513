//! Tables and opening tables as sources, and as a search asks them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::basis::Basis;
use super::held_table::HeldTable;
use super::info::SourceInfo;
use super::subject::Subject;
use crate::game::Outcome;
use crate::game::rules::Position;
use crate::search::Oracle;
use crate::tables::format::TableError;
use crate::tables::value_source::ValueSource;

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

impl HeldTable for TableSource {
    fn subject(&self) -> Subject {
        self.subject
    }

    fn opened(&self) -> Arc<ValueSource> {
        self.source.clone()
    }

    fn listed(&self) -> SourceInfo {
        self.subject.info(&self.source, self.bytes, self.built_in)
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
