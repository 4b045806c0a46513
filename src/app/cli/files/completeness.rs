//! Whether a table is finished, as every command says it that says something of a whole table.

use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::failure::build_command;
use crate::app::cli::context::{Context, Failure};
use crate::tables::format::{Manifest, Missing, TableName};

/// Whether a table is finished.
#[derive(Debug, Serialize)]
pub(in crate::app::cli) struct Completeness {
    finished: bool,
    /// The tiers that are still to be solved, by their numbers of arrows.
    missing: Vec<usize>,
    /// What is missing and what to do about it, if it is not finished.
    #[serde(skip)]
    words: Option<String>,
}

impl Completeness {
    /// That of a table in a directory.
    pub(in crate::app::cli) fn of(manifest: &Manifest, directory: &Path) -> Self {
        let missing = Missing::of(manifest, directory);
        let words = missing.as_ref().map(|missing| {
            let build = build_command(&TableName::of(manifest, directory));
            format!("unfinished: {missing}; {build} goes on")
        });
        let tiers = missing.as_ref().map_or(&[][..], Missing::tiers).to_vec();
        Self { finished: missing.is_none(), missing: tiers, words }
    }

    /// Whether nothing is missing.
    pub(in crate::app::cli) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Prints a line if the table is not finished.
    ///
    /// # Errors
    /// As [`Context::print`].
    pub(in crate::app::cli) fn print(&self, context: &Context) -> Result<(), Failure> {
        self.words.as_ref().map_or(Ok(()), |words| context.print(words))
    }
}
