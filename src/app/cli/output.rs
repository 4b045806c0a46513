//! Files that are written whole or not at all.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use tempfile::NamedTempFile;

use super::Failure;

/// A file under another name until [`Output::keep`] gives it its own.
#[derive(Debug)]
pub(super) struct Output<'a> {
    path: &'a Path,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Temporary(NamedTempFile),
    /// A device or a pipe is written to, never replaced.
    Direct(File),
}

impl<'a> Output<'a> {
    /// Begins a file beside where it will be.
    ///
    /// # Errors
    /// If the file could not be written, with the reason.
    pub(super) fn create(path: &'a Path) -> Result<Self, Failure> {
        let target = match path.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(Failure::failed(format!(
                    "cannot write {}: it is a directory",
                    path.display()
                )));
            }
            Ok(found) if !found.is_file() => {
                File::options().write(true).open(path).map(Target::Direct)
            }
            _ => NamedTempFile::new_in(parent(path)).map(Target::Temporary),
        };
        Ok(Self { path, target: target.map_err(|error| refused(path, &error))? })
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        match &self.target {
            Target::Temporary(file) => file.as_file(),
            Target::Direct(file) => file,
        }
    }

    /// Gives the file its name, with what it holds on the disk.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn keep(self) -> Result<(), Failure> {
        let path = self.path;
        let Target::Temporary(file) = self.target else { return Ok(()) };
        let kept = file.as_file().sync_all().and_then(|()| readable(file.as_file()));
        let kept = kept.and_then(|()| file.persist(path).map(drop).map_err(|error| error.error));
        kept.map_err(|error| refused(path, &error))
    }
}

/// Writes a file whole.
///
/// # Errors
/// If it cannot be written; what was there is then still there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let output = Output::create(path)?;
    let mut file = output.file();
    file.write_all(bytes).map_err(|error| refused(path, &error))?;
    output.keep()
}

/// Tries now what would be a pity to find out after a long computation.
///
/// # Errors
/// If a file could not be written there.
pub(super) fn writable(path: &Path) -> Result<(), Failure> {
    Output::create(path).map(drop)
}

/// The failure to write a file.
pub(super) fn refused(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("cannot write {}: {error}", path.display()))
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file is its owner's alone; a result is for whoever may read the directory.
fn readable(file: &File) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        write(&path, b"one").unwrap();
        let begun = Output::create(&path).unwrap();
        begun.file().write_all(b"half").unwrap();
        drop(begun);
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        assert!(write(directory.path(), b"x").is_err());
        assert!(write(&directory.path().join("no/such"), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_stays() {
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
