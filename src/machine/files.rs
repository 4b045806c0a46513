//! Files that are written whole or not at all, and last.
//!
//! A new file is written beside where it will be, under another name. When it is complete and on
//! the disk it takes its own name, and then the directory is written to the disk too. So at any
//! moment, whatever happens to the process or the machine, the name stands for the old content or
//! for the new one. What a process leaves behind that is killed meanwhile ends in `.new`.

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The end of the names of files that are being written.
const UNFINISHED: &str = ".new";

/// A file that replaces what is at its path when it is complete. Dropped before that, it leaves no
/// trace. Errors are those of the system and name no path: only the caller's is of interest.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    /// Where it is until then; `None` once it has its own name.
    unfinished: Option<PathBuf>,
    file: File,
}

impl NewFile {
    /// Begins a file. It gets the permissions of any new file.
    ///
    /// # Errors
    /// If no file can be made in that directory, or the path names none.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        loop {
            let unfinished = parent(path).join(unfinished_name(name.into()));
            match OpenOptions::new().read(true).write(true).create_new(true).open(&unfinished) {
                Ok(file) => {
                    return Ok(Self { path: path.into(), unfinished: Some(unfinished), file });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The open file, to write to.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Puts the file in its place, so that it lasts.
    ///
    /// # Errors
    /// If the system refuses; what was there is then still there, unless it was the last step that
    /// failed, which writes the directory to the disk.
    pub(crate) fn keep(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        if let Some(unfinished) = &self.unfinished {
            fs::rename(unfinished, &self.path)?;
        }
        self.unfinished = None;
        sync_directory(parent(&self.path))
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(unfinished) = &self.unfinished {
            // If it stays, it does no harm under its name.
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// A name that no other file has: the file's own, a random number and the ending.
fn unfinished_name(mut name: OsString) -> OsString {
    let random = RandomState::new().build_hasher().finish();
    name.push(format!(".{random:016x}{UNFINISHED}"));
    name
}

/// Whether [`unfinished_name`] made the name of this file.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
    let random = name.strip_suffix(UNFINISHED.as_bytes()).and_then(<[u8]>::last_chunk::<17>);
    random
        .is_some_and(|[dot, digits @ ..]| *dot == b'.' && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Replaces the content of a file, or makes it.
///
/// # Errors
/// As [`NewFile::create`] and [`NewFile::keep`], or if the bytes cannot be written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = NewFile::create(path)?;
    file.file().write_all(bytes)?;
    file.keep()
}

/// Removes what killed processes have left in a directory. Nobody may be writing there.
///
/// # Errors
/// If the directory cannot be read, or a file in it not be removed.
pub(crate) fn remove_unfinished(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if is_unfinished(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Makes a directory and those above it as far as they are missing, so that they last.
///
/// # Errors
/// If the system refuses.
pub(crate) fn create_directories(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|above| !above.exists()).collect();
    fs::create_dir_all(path)?;
    missing.into_iter().try_for_each(|made| sync_directory(parent(made)))
}

/// Writes to the disk which files a directory has. Where directories cannot be opened as files
/// (Windows), the system does that by itself.
///
/// # Errors
/// If the system refuses.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory) {
        Ok(opened) => opened.sync_all(),
        Err(_) => Ok(()),
    }
}

/// The directory that a file is in.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the files in a directory.
    fn names(directory: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        replace(&path, b"one").unwrap();
        let begun = NewFile::create(&path).unwrap();
        begun.file().write_all(b"half").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(directory.path()).len()), (b"one".into(), 2));
        drop(begun);
        assert_eq!((fs::read(&path).unwrap(), names(directory.path()).len()), (b"one".into(), 1));
        replace(&path, b"two").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(directory.path()).len()), (b"two".into(), 1));
    }

    #[test]
    fn two_that_write_one_file_do_not_mix() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let [one, two] = [(); 2].map(|()| NewFile::create(&path).unwrap());
        one.file().write_all(b"one").unwrap();
        two.file().write_all(b"two and more").unwrap();
        one.keep().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        two.keep().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two and more");
    }

    #[test]
    fn what_cannot_be_written_is_an_error_without_a_path_and_leaves_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("absent/file");
        let error = replace(&missing, b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains("absent"), "{error}");
        fs::create_dir_all(directory.path().join("taken/more")).unwrap();
        assert!(replace(&directory.path().join("taken"), b"x").is_err());
        assert!(replace(Path::new(".."), b"x").is_err());
        assert_eq!(names(directory.path()), ["taken"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let [ours, any] = ["ours", "any"].map(|name| directory.path().join(name));
        replace(&ours, b"x").unwrap();
        fs::write(&any, b"x").unwrap();
        let [ours, any] = [ours, any].map(|path| path.metadata().unwrap().permissions().mode());
        assert_eq!(ours, any);
    }

    #[test]
    fn directories_are_made_once_and_cleared_of_what_was_left() {
        let directory = tempfile::tempdir().unwrap();
        let deep = directory.path().join("a/b/c");
        create_directories(&deep).unwrap();
        create_directories(&deep).unwrap();
        let whole = ["0123456789abcdef.new", "a.123456789abcdef.new", "a.new", "whole"];
        whole.iter().for_each(|name| fs::write(deep.join(name), b"x").unwrap());
        fs::write(deep.join(unfinished_name("whole".into())), b"half").unwrap();
        remove_unfinished(&deep).unwrap();
        assert_eq!(names(&deep), whole);
        assert!(create_directories(&deep.join("whole")).is_err());
    }
}
