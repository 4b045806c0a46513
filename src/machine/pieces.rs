//! A file that may stand cut into pieces: `FILE.0`, `FILE.1` and so on, read one behind the other.
//!
//! Some places take no files beyond a size. What is too large for them stands there in pieces, and
//! whoever reads it needs not put them together first.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::files::open_regular;

/// Where a file begins: itself, or if it is not there its first piece, if that is.
pub(crate) fn beginning(path: &Path) -> PathBuf {
    let first = piece(path, 0);
    if is_missing(path) && !is_missing(&first) { first } else { path.into() }
}

/// Whether neither a file nor its first piece is there, and no link that leads nowhere either.
pub(crate) fn are_missing(path: &Path) -> bool {
    is_missing(&beginning(path))
}

/// The file that a path may be a piece of: its name without a number at its end.
#[cfg(any(test, feature = "cli"))]
pub(crate) fn whole(path: &Path) -> Option<PathBuf> {
    let number = path.extension()?.to_str()?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| path.with_extension(""))
}

/// Opens a file or, if it is not there, its pieces.
///
/// # Errors
/// If a piece cannot be opened, or neither the file nor its first piece is there.
pub(crate) fn open(path: &Path) -> io::Result<Pieces> {
    let (first, rest) = files(path);
    Ok(Pieces { current: open_regular(&first)?, rest: rest.into_iter() })
}

/// The bytes of a file or, if it is not there, of its pieces.
///
/// # Errors
/// As [`open`].
pub(crate) fn bytes(path: &Path) -> io::Result<u64> {
    let (first, rest) = files(path);
    [first].iter().chain(&rest).map(|file| Ok(file.metadata()?.len())).sum()
}

/// The file, or its first piece and the others.
fn files(path: &Path) -> (PathBuf, Vec<PathBuf>) {
    let first = beginning(path);
    let rest = match first == path {
        true => Vec::new(),
        false => (1..).map(|at| piece(path, at)).take_while(|piece| !is_missing(piece)).collect(),
    };
    (first, rest)
}

/// The bytes of a file and of the pieces behind it.
#[derive(Debug)]
pub(crate) struct Pieces {
    current: File,
    rest: std::vec::IntoIter<PathBuf>,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.current.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(next) = self.rest.next() else { return Ok(0) };
            self.current = open_regular(&next)?;
        }
    }
}

fn piece(path: &Path, at: usize) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{at}"));
    name.into()
}

fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &Path) -> io::Result<String> {
        let mut text = String::new();
        open(path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn pieces_are_read_where_the_file_is_not_there() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.proof");
        assert!(are_missing(&path) && text(&path).is_err());
        // A piece without those before it is none.
        std::fs::write(piece(&path, 1), "second, ").unwrap();
        assert!(are_missing(&path) && text(&path).is_err());
        std::fs::write(piece(&path, 0), "first, ").unwrap();
        std::fs::write(piece(&path, 2), "").unwrap();
        std::fs::write(piece(&path, 3), "fourth").unwrap();
        std::fs::write(piece(&path, 5), "sixth").unwrap();
        assert!(!are_missing(&path));
        assert_eq!(beginning(&path), piece(&path, 0));
        assert_eq!(text(&path).unwrap(), "first, second, fourth");
        assert_eq!(bytes(&path).unwrap(), "first, second, fourth".len() as u64);
        std::fs::write(&path, "whole").unwrap();
        assert_eq!((text(&path).unwrap().as_str(), beginning(&path)), ("whole", path.clone()));
        assert_eq!(whole(&piece(&path, 12)), Some(path.clone()));
        assert_eq!(whole(&path), None);
    }
}
