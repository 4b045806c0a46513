//! How a subcommand fails: an exit status and one message that says what, where and what to do.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::knowledge::SourceError;
use crate::machine::files;
use crate::machine::ranks::Ending;
use crate::machine::shown::Shown as _;
use crate::play::EngineError;
use crate::search::SolverError;
use crate::tables::format::{Keep, Manifest, ManifestError, Missing, TableError, TableName};
use crate::tables::index::{TableRules, TableSubject};
use crate::tables::opening::{DeriveError, OpeningError};
use crate::tables::retrograde::BuildError;

/// The exit status of a program that did not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app::cli) enum Status {
    /// Damaged file, verification mismatch, no space, no memory.
    Failed = 1,
    /// Wrong usage or an impossible position.
    Usage = 2,
    /// A limit was reached without an answer; being interrupted is such a limit.
    Limit = 3,
}

/// Why a subcommand did not finish.
#[derive(Clone, Debug)]
pub(in crate::app::cli) enum Failure {
    /// The user is told, and the exit status is this.
    Message(Status, String),
    /// Nobody reads standard output any more: there is nobody to tell and nothing wrong.
    ClosedPipe,
    /// Another process of this command has failed; that one says why.
    Elsewhere,
}

/// Tells the user how a command has ended that did not end well; returns the exit status.
pub(in crate::app::cli) fn report(outcome: &Ending) -> ExitCode {
    let (status, message) = match outcome {
        Ending::Limit(message) => (Status::Limit as u8, message),
        Ending::Failed(status, message) => (*status, message),
        Ending::Done | Ending::Elsewhere => return ExitCode::FAILURE,
    };
    // There is nobody to tell when standard error is closed.
    let _ = writeln!(io::stderr().lock(), "error: {message}");
    ExitCode::from(status)
}

impl Failure {
    /// Wrong usage or an impossible position: exit status 2.
    pub(in crate::app::cli) fn usage(message: impl Into<String>) -> Self {
        Self::Message(Status::Usage, message.into())
    }

    /// Something went wrong: exit status 1.
    pub(in crate::app::cli) fn failed(message: impl Into<String>) -> Self {
        Self::Message(Status::Failed, message.into())
    }

    /// A limit was reached without an answer: exit status 3.
    pub(in crate::app::cli) fn limit(message: impl Into<String>) -> Self {
        Self::Message(Status::Limit, message.into())
    }

    /// Something is wrong with a file: exit status 1.
    pub(in crate::app::cli) fn of_file(path: &Path, error: &dyn fmt::Display) -> Self {
        Self::failed(format!("{}: {error}", path.shown()))
    }

    /// Standard input gives nothing more, though it has not come to its end.
    pub(in crate::app::cli) fn of_input(error: io::Error) -> Self {
        Self::failed(format!("cannot read standard input: {error}"))
    }

    /// Standard output does not take what is written. If nobody reads it any more, nothing is
    /// wrong.
    pub(in crate::app::cli) fn of_output(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::failed(format!("cannot write to standard output: {error}")),
        }
    }

    /// Tells the user; the return value is the exit status.
    pub(in crate::app::cli) fn report(self) -> ExitCode {
        match self.outcome() {
            Ending::Done => ExitCode::SUCCESS,
            outcome => report(&outcome),
        }
    }

    /// What the other processes of the command are told.
    pub(in crate::app::cli) fn outcome(self) -> Ending {
        match self {
            Self::ClosedPipe => Ending::Done,
            Self::Elsewhere => Ending::Elsewhere,
            Self::Message(Status::Limit, message) => Ending::Limit(message),
            Self::Message(status, message) => Ending::Failed(status as u8, message),
        }
    }
}

/// A source of knowledge is damaged, or contradicts another: exit status 1.
impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Self::failed(with_advice(&error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(_, message) => f.write_str(message),
            Self::ClosedPipe => f.write_str("nobody reads the answers"),
            Self::Elsewhere => f.write_str("another process has failed"),
        }
    }
}

/// The message of an error and of its causes, without those that a message before already has in
/// it.
fn with_causes(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_message = cause.to_string();
        if !message.contains(&cause_message) {
            message = format!("{message}: {cause_message}");
        }
        source = cause.source();
    }
    message
}

/// The message of an error and of its causes, and what to do about it.
pub(in crate::app::cli) fn with_advice(error: &(dyn Error + 'static)) -> String {
    if let Some(TableError::Manifest { path, .. }) = error.downcast_ref()
        && !path.exists()
    {
        return format!("{} does not exist", path.shown());
    }
    match advice(error) {
        Some(advice) => format!("{}; {advice}", with_causes(error)),
        None => with_causes(error),
    }
}

/// What the user can do about an error of the library, which knows no commands and options.
fn advice(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<TableError>() {
        return table_advice(error);
    }
    match error.downcast_ref() {
        Some(BuildError::Table(error)) => return table_advice(error),
        Some(BuildError::Stopped) => return Some("the same command goes on from here".into()),
        _ => {}
    }
    if let Some(SourceError::Table(error)) = error.downcast_ref() {
        return table_advice(error);
    }
    if let Some(EngineError::Known(error)) = error.downcast_ref() {
        return advice(error.as_ref());
    }
    if let Some(DeriveError::Table(error)) = error.downcast_ref() {
        return table_advice(error);
    }
    #[cfg(feature = "serve")]
    if let Some(crate::app::serve::ServeError::Table(error)) = error.downcast_ref() {
        return table_advice(error);
    }
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(SolverError::Memory { .. }), _) => Some("give a smaller --memory".into()),
        (_, Some(OpeningError::Damaged(_))) => {
            Some("delete it and write it again with `amazons opening`".into())
        }
        _ => None,
    }
}

/// The command that builds a table, or goes on with it: with its margins, if it has any.
pub(in crate::app::cli) fn build_command(table: &TableName) -> String {
    if Manifest::layer_path(&table.directory, 1).exists() {
        return margins_command(table);
    }
    command(table, "")
}

/// The command that makes the margins of a table.
pub(in crate::app::cli) fn margins_command(table: &TableName) -> String {
    let most = most_margins(&table.directory);
    making_margins(table, &most.map_or(String::new(), |most| format!(" --most {most}")))
}

/// The command that makes all margins of a table, however few were wanted before.
pub(in crate::app::cli) fn all_margins_command(table: &TableName) -> String {
    making_margins(table, "")
}

/// Margins stand beside all tiers: those of a table that keeps fewer are made with another table.
fn making_margins(table: &TableName, most: &str) -> String {
    let manifest = Manifest::load(&table.directory);
    match manifest.is_ok_and(|manifest| manifest.keep != Keep::All) {
        true => whole_table_command(&table.subject, &format!(" --margins{most}")),
        false => command(table, &format!(" --margins{most}")),
    }
}

fn command(table: &TableName, more: &str) -> String {
    let (build, directory) = (build_words(&table.subject), as_word(&table.directory));
    format!("`{build} --tables {directory}{more}`")
}

/// The command that builds a table that keeps all tiers, as the beginning of a sentence.
fn whole_table_command(subject: &TableSubject, more: &str) -> String {
    format!("`{} --keep all{more} --tables DIR`, with another DIR,", build_words(subject))
}

/// The most spare moves of a table whose larger margins were not wanted.
fn most_margins(directory: &Path) -> Option<i8> {
    let layers = Manifest::load(directory).ok()?.load_layers(directory).ok()?;
    let last = layers.last().filter(|last| !last.is_last())?;
    Missing::of(last, directory).is_none().then_some(last.layer)
}

/// A path as a shell takes it for one word.
pub(in crate::app::cli) fn as_word(path: &Path) -> String {
    let shown = path.shown().to_string();
    let is_plain =
        |c: char| c.is_alphanumeric() || "_-./+:=@%,".contains(c) || cfg!(windows) && c == '\\';
    match !shown.is_empty() && shown.chars().all(is_plain) {
        true => shown,
        false if cfg!(windows) => format!("\"{shown}\""),
        false => format!("'{}'", shown.replace('\'', "'\\''")),
    }
}

/// The beginning of a command that builds a table of some board and rules, wherever it is to be.
pub(in crate::app::cli) fn build_words(subject: &TableSubject) -> String {
    let TableSubject { rules, board, amazons } = subject;
    let rules = match rules {
        TableRules::Amazons => String::new(),
        other => format!(" --rules {other}"),
    };
    format!("amazons build {board} --amazons {amazons}{rules}")
}

/// How to come by the tiers that a table has given up.
pub(in crate::app::cli) fn whole_table_advice(subject: &TableSubject) -> String {
    format!("{} writes a table with all of them", whole_table_command(subject, ""))
}

fn table_advice(error: &TableError) -> Option<String> {
    match error {
        TableError::Damaged { table, .. } => {
            Some(format!("delete it and run {} to make it again", build_command(table)))
        }
        TableError::Unfinished { table, .. } => Some(format!("{} goes on", build_command(table))),
        TableError::Manifest { path, source } => manifest_advice(path, source),
        TableError::Layer { path, why, .. } => layer_advice(path, why),
        TableError::OtherRules { found, .. } if *found != TableRules::Amazons => {
            Some(format!("`amazons lookup --rules {found}` answers from it"))
        }
        TableError::NotStored { path, shape, table } => {
            let manifest = Manifest::load(path).ok();
            let is_given_up =
                manifest.is_some_and(|manifest| manifest.tier(shape).is_some_and(|of| !of.stored));
            Some(match is_given_up {
                true => whole_table_advice(&table.subject),
                false => format!("run {} to make them", build_command(table)),
            })
        }
        _ => None,
    }
}

/// What to do about the manifest of a layer of margins that is damaged or lost: its planes say
/// themselves whether they are whole.
fn layer_advice(path: &Path, error: &ManifestError) -> Option<String> {
    let first = match error {
        ManifestError::Version { .. } => return None,
        ManifestError::Io(error) if error.kind() == io::ErrorKind::NotFound => "",
        ManifestError::Io(_) => return None,
        _ => "restore it, or delete it and ",
    };
    let directory = files::parent(path);
    let table = TableName::of(&Manifest::load(directory).ok()?, directory);
    let build = margins_command(&table);
    Some(format!("{first}run {build}, which takes up the planes that are whole"))
}

/// What to do about a manifest that is damaged or lost: the tiers say themselves whether they are
/// whole, so none of them is lost with it.
fn manifest_advice(directory: &Path, error: &ManifestError) -> Option<String> {
    let first = match error {
        ManifestError::Version { .. } => return None,
        ManifestError::Io(error) if error.kind() == io::ErrorKind::NotFound => "",
        ManifestError::Io(_) => return None,
        _ => "restore it, or delete manifest.json and ",
    };
    match TableName::of_tiers(directory) {
        Some(table) => {
            // The tiers of unequal sides do not say which of them is White. Where amazons can be
            // taken, those of the beginning may not be there yet.
            let TableSubject { rules, amazons, .. } = table.subject;
            let sides = match amazons.white == amazons.black {
                _ if rules.captures() => "--amazons and the ",
                true => "",
                false => "order of --amazons and the ",
            };
            let build = build_command(&table);
            Some(format!(
                "{first}run {build}, with the {sides}--keep that the table had, which takes up \
                 the tiers that are whole"
            ))
        }
        // Counts and hashes are all that was there, or nothing.
        None if first.is_empty() => None,
        None => Some(format!("{first}build the table again")),
    }
}

/// Gives an error of the library its exit status: `table.open().or_failed()?`.
pub(in crate::app::cli) trait OrFail<T> {
    /// The error is the user's: exit status 2.
    ///
    /// # Errors
    /// If `self` is one.
    fn or_usage(self) -> Result<T, Failure>;

    /// Something went wrong: exit status 1.
    ///
    /// # Errors
    /// If `self` is one.
    fn or_failed(self) -> Result<T, Failure>;

    /// A limit was reached: exit status 3.
    ///
    /// # Errors
    /// If `self` is one.
    fn or_limit(self) -> Result<T, Failure>;
}

impl<T, E: Error + 'static> OrFail<T> for Result<T, E> {
    fn or_usage(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::usage(with_advice(&error)))
    }

    fn or_failed(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::failed(with_advice(&error)))
    }

    fn or_limit(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::limit(with_advice(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{message}")]
    struct WithCause {
        message: &'static str,
        source: io::Error,
    }

    #[test]
    fn causes_are_named_once() {
        for message in ["cannot write x", "cannot write x: no space"] {
            let error = WithCause { message, source: io::Error::other("no space") };
            assert_eq!(with_causes(&error), "cannot write x: no space");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_in_a_command_is_one_word() {
        for (path, word) in [
            ("tables/4x4-4v4", "tables/4x4-4v4"),
            ("sp ace/t", "'sp ace/t'"),
            ("d'x", "'d'\\''x'"),
            ("", "''"),
            ("$HOME", "'$HOME'"),
            ("a\\b", "'a\\b'"),
        ] {
            assert_eq!(as_word(Path::new(path)), word);
        }
    }

    #[test]
    fn what_to_do_is_told_with_the_error() {
        let source = io::Error::other("no space");
        let memory = SolverError::Memory { bytes: 8, source };
        assert!(with_advice(&memory).ends_with("; give a smaller --memory"));
        assert!(with_advice(&OpeningError::Damaged("its end")).ends_with("with `amazons opening`"));
        assert_eq!(with_advice(&OpeningError::Foreign("a picture".into())).matches(';').count(), 0);
        let lost =
            || TableError::Manifest { path: "/".into(), source: Manifest::parse(b"").unwrap_err() };
        assert_eq!(with_advice(&lost()), with_advice(&BuildError::from(lost())));
        let source = Manifest::parse(b"").unwrap_err();
        let nowhere = TableError::Manifest { path: "no/such".into(), source };
        assert_eq!(with_advice(&nowhere), "no/such does not exist");
        let stopped = with_advice(&BuildError::Stopped);
        assert_eq!(stopped, "stopped; the same command goes on from here");
    }
}
