//! Whose mistake it is that a table does not answer.

use crate::app::cli::context::{Failure, OrFail};
use crate::tables::format::TableError;

/// A position that the table is not about is the user's mistake, everything else is the table's.
///
/// # Errors
/// If there is no answer.
pub(in crate::app::cli) fn blame<T>(answer: Result<T, TableError>) -> Result<T, Failure> {
    match answer {
        Err(error @ (TableError::OtherGame { .. } | TableError::Location(_))) => {
            Err(error).or_usage()
        }
        answer => answer.or_failed(),
    }
}
