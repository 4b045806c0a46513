//! One writer a directory.

use std::fs::File;
use std::path::Path;

use super::TableError;
use crate::machine::files;

/// The right to write a table's directory, held until it is dropped or the process ends, however it
/// ends.
#[derive(Debug)]
pub struct DirectoryLock {
    file: File,
}

impl Drop for DirectoryLock {
    /// Gives the lock back by itself: to close the file is not enough while a process that was just
    /// forked off has it too.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl DirectoryLock {
    /// The name of the file in the directory that is locked. It is no part of the table.
    pub const NAME: &str = "lock";

    /// Takes the lock of a directory, which is made if it does not exist. Removes the unfinished
    /// files of a writer that was killed.
    ///
    /// # Errors
    /// [`TableError::Locked`] if another process (or another lock in this one) holds it,
    /// [`TableError::Io`] if the directory cannot be written.
    pub fn acquire(directory: &Path) -> Result<Self, TableError> {
        files::create_directories(directory).map_err(TableError::io("make", directory))?;
        let path = directory.join(Self::NAME);
        let locked = files::lock(&path).map_err(TableError::io("write", &path))?;
        let Some(file) = locked else { return Err(TableError::Locked { path: directory.into() }) };
        let lock = Self { file };
        files::remove_unfinished(directory).map_err(TableError::io("clear", directory))?;
        Ok(lock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_writer_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let lock = DirectoryLock::acquire(directory.path()).unwrap();
        assert!(matches!(DirectoryLock::acquire(directory.path()), Err(TableError::Locked { .. })));
        drop(lock);
        DirectoryLock::acquire(directory.path()).unwrap();
    }
}
