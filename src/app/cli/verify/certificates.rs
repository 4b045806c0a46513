//! `amazons verify DIR` for a directory of certificates.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::certificate;
use crate::app::cli::context::{Context, Failure, Status};
use crate::app::cli::files::directory::files_in;
use crate::app::cli::files::kind::FileKind;
use crate::machine::shown::Shown as _;

/// The files of a directory that have the name of certificates, `*.proof`, in order of name.
pub(super) fn files(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = files_in(directory)?;
    files.retain(|path| path.extension() == Some(OsStr::new("proof")) && !path.is_dir());
    Ok(files)
}

/// Checks each file, and says of each what `verify` says of it alone. One that is refused, or that
/// a limit leaves open, does not end it; an interrupt does, and so does what is the same for all,
/// such as too little memory. If one was refused that decides the status.
pub(super) fn run(directory: &Path, files: &[PathBuf], context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let (mut refused, mut left) = (0, 0);
    for path in files {
        let checked =
            FileKind::Certificate.expect(path).and_then(|()| certificate::run(path, None, context));
        match checked {
            Ok(()) => continue,
            Err(failure @ Failure::Message(Status::Failed, _)) => {
                refused += 1;
                failure.report();
            }
            Err(failure @ Failure::Message(Status::Limit, _)) => {
                left += 1;
                if !stop.is_set() {
                    failure.report();
                }
            }
            Err(failure) => return Err(failure),
        }
        if stop.is_set() {
            break;
        }
    }
    let (directory, all) = (directory.shown(), files.len());
    let refusals = format!("{directory}: {refused} of {all} certificates were refused");
    match (refused, left) {
        (0, 0) => Ok(()),
        (0, _) if stop.is_set() => Err(Failure::limit(format!(
            "{directory}: the check was interrupted, no certificate was refused until then"
        ))),
        (0, _) => {
            let words = format!("{directory}: {left} of {all} certificates were not checked");
            Err(Failure::limit(words))
        }
        _ if stop.is_set() => {
            Err(Failure::failed(format!("{refusals} until the check was interrupted")))
        }
        _ => Err(Failure::failed(refusals)),
    }
}
