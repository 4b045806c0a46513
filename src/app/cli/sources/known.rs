//! What is known, with the files that a command was given, within the memory that it has left.

use std::path::PathBuf;
use std::sync::Arc;

use super::open;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::variants::RuleSet;
use crate::knowledge::{Knowledge, Source, SourceFile, TableSource};
use crate::machine::shown::Shown as _;
use crate::tables::index::TableRules;

/// Knowledge of the program, and of tables, opening tables and certificates: files, directories of
/// tables, and directories of such files.
///
/// # Errors
/// If there is none at a path, one is damaged, or there is not enough memory for it.
pub(in crate::app::cli) fn knowledge(
    paths: &[PathBuf],
    context: &Context,
) -> Result<Knowledge, Failure> {
    set_aside(context)?;
    let mut sources = Vec::new();
    for path in paths {
        for file in SourceFile::at(path).or_failed()? {
            sources.push(source(&file, context)?);
        }
    }
    Ok(Knowledge::new(sources))
}

/// What the program knows, and what tables by these rules do.
///
/// # Errors
/// If there are no tables by these rules, there is none at a path, one is damaged or of another
/// game, or there is not enough memory for it.
pub(in crate::app::cli) fn knowledge_by(
    rules: RuleSet,
    paths: &[PathBuf],
    context: &Context,
) -> Result<Knowledge, Failure> {
    set_aside(context)?;
    let mut sources: Vec<Arc<dyn Source>> = Vec::new();
    for path in paths {
        let expected = TableRules::of(rules).or_usage()?;
        let table = open::table_by(expected, path, context)?;
        sources.push(Arc::new(TableSource::new(Arc::new(table.into()), 0)));
    }
    Ok(Knowledge::new(sources))
}

/// Sets aside what the program's own knowledge takes when it is asked.
///
/// # Errors
/// If there is not enough memory for it.
pub(in crate::app::cli) fn set_aside(context: &Context) -> Result<(), Failure> {
    context.set_aside("what the program knows", KNOWN_BYTES)
}

/// The source in a file.
fn source(file: &SourceFile, context: &Context) -> Result<Arc<dyn Source>, Failure> {
    Ok(match file {
        SourceFile::Table(path) => {
            let table = open::table(path, context)?;
            Arc::new(TableSource::new(Arc::new(table.into()), 0))
        }
        SourceFile::Opening(path) => {
            Arc::new(TableSource::new(Arc::new(open::opening(path, context)?), 0))
        }
        SourceFile::Certificate(path) => {
            // What is remembered of each frame is little beside its bytes.
            let bytes = file.bytes().or_failed()?;
            let what = format!("the certificate {}", path.shown());
            let least = bytes.saturating_add(CHECKING);
            context.set_aside(what, least)?;
            Arc::new(file.certificate().or_failed()?)
        }
    })
}

/// Memory of the program's own knowledge: the table of 4x4 while it is solved takes the most.
pub(in crate::app::cli) const KNOWN_BYTES: u64 = 24 << 20;
/// Memory for a frame of a certificate, packed and not, and for judging leaves.
const CHECKING: u64 = 8 << 20;
