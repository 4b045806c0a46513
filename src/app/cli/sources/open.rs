//! Opening tables and opening tables' files, within the memory that the command has left.

use std::path::{Path, PathBuf};

use crate::app::cli::context::failure::with_advice;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::kind::{FileKind, TABLE, expect_directory};
use crate::knowledge::SourceFile;
use crate::machine::shown::Shown as _;
use crate::tables::format::{Manifest, Table, TableError};
use crate::tables::index::TableRules;
use crate::tables::opening::{Opening, OpeningError};
use crate::tables::value_source::ValueSource;

/// With less memory no opening table is read.
const LEAST_OPENING: u64 = 1 << 20;

/// Opens a table and sets aside what it may hold.
///
/// # Errors
/// If there is no table, or not enough memory for it.
pub(in crate::app::cli) fn table(directory: &Path, context: &Context) -> Result<Table, Failure> {
    expect_directory(directory, TABLE)?;
    with_memory(Table::open(directory).or_failed()?, context)
}

/// As [`table`], for a table by any rules.
///
/// # Errors
/// As [`table`].
pub(in crate::app::cli) fn any_table(
    directory: &Path,
    context: &Context,
) -> Result<Table, Failure> {
    expect_directory(directory, TABLE)?;
    with_memory(Table::open_any(directory).or_failed()?, context)
}

/// As [`table`], for a table by these rules alone.
///
/// # Errors
/// As [`table`], and if it is by other rules.
pub(in crate::app::cli) fn table_by(
    expected: TableRules,
    directory: &Path,
    context: &Context,
) -> Result<Table, Failure> {
    let table = any_table(directory, context)?;
    let found = table.manifest().subject.rules;
    if found != expected {
        let path = directory.into();
        return Err(TableError::OtherRules { path, found, expected }).or_failed();
    }
    Ok(table)
}

/// As [`table`], for many positions: if three quarters of the memory that is left hold the whole
/// table decoded, it is kept, else they are worth more for positions that are looked up together.
///
/// # Errors
/// As [`table`].
pub(in crate::app::cli) fn table_for_many(
    directory: &Path,
    context: &Context,
) -> Result<Table, Failure> {
    let table = table(directory, context)?;
    let content = table.content_bytes();
    if content > context.left("the table", 0)? / 4 * 3 {
        return Ok(table);
    }
    context.set_aside("the table", content)?;
    let table = table.with_cache(content);
    let held = table.wanted_memory(context.threads());
    Ok(table.with_memory(held))
}

/// Opens a table or, if `path` is a file or a directory with one opening table alone, that opening
/// table, and sets aside what it may hold.
///
/// # Errors
/// If there is neither, it is damaged, or there is not enough memory for it.
pub(in crate::app::cli) fn source(path: &Path, context: &Context) -> Result<ValueSource, Failure> {
    match opening_at(path)? {
        Some(file) => opening(&file, context),
        None => table(path, context).map(ValueSource::Table),
    }
}

/// As [`source`], for many positions.
///
/// # Errors
/// As [`source`].
pub(in crate::app::cli) fn source_for_many(
    path: &Path,
    context: &Context,
) -> Result<ValueSource, Failure> {
    match opening_at(path)? {
        Some(file) => opening(&file, context),
        None => table_for_many(path, context).map(ValueSource::Table),
    }
}

/// The opening table that a path leads to: a file, or the only one of a directory without a table.
///
/// # Errors
/// If the directory has several, with their names.
fn opening_at(path: &Path) -> Result<Option<PathBuf>, Failure> {
    if path.is_file() {
        return Ok(Some(path.into()));
    }
    if !path.is_dir() || Manifest::path(path).exists() {
        return Ok(None);
    }
    let files = SourceFile::at(path).unwrap_or_default();
    let files = files.into_iter().map(|file| file.path().to_path_buf());
    let mut openings: Vec<PathBuf> = files.filter(|file| FileKind::Opening.is_of(file)).collect();
    if openings.len() < 2 {
        return Ok(openings.pop());
    }
    let names: Vec<String> = openings.iter().map(|file| file.shown().to_string()).collect();
    let (directory, names) = (path.shown(), names.join(", "));
    Err(Failure::failed(format!("{directory} has several opening tables, expected one: {names}")))
}

fn with_memory(table: Table, context: &Context) -> Result<Table, Failure> {
    let (directory, threads) = (table.directory().shown(), context.threads());
    let (least, wanted) = (table.least_memory(threads), table.wanted_memory(threads));
    let left = context.left(format_args!("the table in {directory}"), least)?;
    let held = least + (wanted - least).min((left - least) / 4);
    context.set_aside("the table", held)?;
    // Pages of maps count as memory of the process, which nobody here could bound. And a mapped
    // file that is cut meanwhile ends the process, where one that is read is an error.
    Ok(table.with_memory(held).without_maps())
}

/// Opens an opening table and sets aside what it holds.
///
/// # Errors
/// If there is none, it is damaged, or there is not enough memory for it.
pub(in crate::app::cli) fn opening(path: &Path, context: &Context) -> Result<ValueSource, Failure> {
    match FileKind::of(path) {
        Ok(Some(FileKind::Opening)) | Err(_) => {}
        Ok(Some(other)) => {
            return Err(other.instead_of(path, format_args!("{TABLE} or an opening table")));
        }
        Ok(None) => {
            let path = path.shown();
            return Err(Failure::failed(format!(
                "{path}: expected {TABLE} or an opening table, found a file with other first bytes"
            )));
        }
    }
    let memory = context.left("an opening table", LEAST_OPENING)?;
    let opening = Opening::open(path, memory).map_err(|error| match error {
        OpeningError::Memory { needed, .. } => {
            // Reading ends where the memory does; what the whole file takes, its length says.
            let length = path.metadata().map_or(0, |file| file.len());
            let needed = (context.memory() - memory).saturating_add(needed.max(2 * length + 1));
            let what = format!("the opening table {}", path.shown());
            Context::too_little(what, needed, context.memory())
        }
        error => Failure::failed(format!("{} {}", path.shown(), with_advice(&error))),
    })?;
    context.set_aside("the opening table", opening.memory())?;
    Ok(ValueSource::Opening(opening, path.into()))
}
