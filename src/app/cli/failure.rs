//! How a subcommand fails: an exit status and one message that says what, where and what to do.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// The exit status of a program that did not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Damaged file, verification mismatch, no space, no memory.
    Failed = 1,
    /// Wrong usage or an impossible position.
    Usage = 2,
    /// A limit was reached without an answer; being interrupted is such a limit.
    Limit = 3,
}

/// Why a subcommand did not finish.
#[derive(Debug)]
pub enum Failure {
    /// The user is told, and the exit status is this.
    Message(Status, String),
    /// Nobody reads standard output any more: there is nobody to tell and nothing wrong.
    ClosedPipe,
}

impl Failure {
    /// Wrong usage or an impossible position: exit status 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Message(Status::Usage, message.into())
    }

    /// Something went wrong: exit status 1.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Message(Status::Failed, message.into())
    }

    /// A limit was reached without an answer: exit status 3.
    pub fn limit(message: impl Into<String>) -> Self {
        Self::Message(Status::Limit, message.into())
    }

    /// Tells the user; the return value is the exit status.
    pub(super) fn report(self) -> ExitCode {
        match self {
            Self::ClosedPipe => ExitCode::SUCCESS,
            Self::Message(status, message) => {
                // There is nobody to tell when standard error is closed.
                let _ = writeln!(io::stderr().lock(), "error: {message}");
                ExitCode::from(status as u8)
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::failed(error.to_string()),
        }
    }
}

/// The message of an error and of its causes, without those that a message before already has in
/// it.
fn told_once(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let told = cause.to_string();
        if !message.contains(&told) {
            message = format!("{message}: {told}");
        }
        source = cause.source();
    }
    message
}

/// Gives an error of the library its exit status: `table.open().or_failed()?`.
pub trait OrFail<T> {
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

impl<T, E: Error> OrFail<T> for Result<T, E> {
    fn or_usage(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::usage(told_once(&error)))
    }

    fn or_failed(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::failed(told_once(&error)))
    }

    fn or_limit(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::limit(told_once(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{message}")]
    struct Told {
        message: &'static str,
        source: io::Error,
    }

    #[test]
    fn causes_are_told_once() {
        for message in ["cannot write x", "cannot write x: no space"] {
            let told = Told { message, source: io::Error::other("no space") };
            assert_eq!(told_once(&told), "cannot write x: no space");
        }
    }
}
