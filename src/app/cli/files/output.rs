//! Files that are written whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::app::cli::context::Failure;
use crate::machine::files::{self, NewFile};
use crate::machine::shown::Shown as _;

/// A file under another name until [`Output::keep`] gives it its own.
#[derive(Debug)]
pub(in crate::app::cli) struct Output<'a> {
    path: &'a Path,
    target: Target,
}

#[derive(Debug)]
enum Target {
    New(NewFile),
    /// A device, a pipe or what is open already is written to, never replaced.
    Direct(File),
}

impl<'a> Output<'a> {
    /// Begins a file beside where it will be. Removes what killed processes have left of it.
    ///
    /// # Errors
    /// If the file could not be written, with the reason, or the name is `-`, which stands for
    /// standard output elsewhere.
    pub(in crate::app::cli) fn create(path: &'a Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Err(Failure::usage(
                "expected the name of a file to write, found -; ./- is a file of that name",
            ));
        }
        let target = match path.metadata() {
            Ok(found) if found.is_dir() => {
                return Err(Failure::failed(format!(
                    "cannot write {}: it is a directory",
                    path.shown()
                )));
            }
            Ok(found) if !found.is_file() => {
                File::options().write(true).open(path).map(Target::Direct)
            }
            // Links that lead round in a circle, for example.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => match files::open_file_of_process(path) {
                Ok(Some(file)) => Ok(Target::Direct(file)),
                Ok(None) => {
                    files::remove_abandoned(path);
                    NewFile::create(path).map(Target::New)
                }
                Err(error) => Err(error),
            },
        };
        Ok(Self { path, target: target.map_err(|error| refused(path, &error))? })
    }

    /// The open file.
    pub(in crate::app::cli) fn file(&self) -> &File {
        match &self.target {
            Target::New(file) => file.file(),
            Target::Direct(file) => file,
        }
    }

    /// Gives the file its name, with what it holds on the disk.
    ///
    /// # Errors
    /// If the system refuses.
    pub(in crate::app::cli) fn keep(self) -> Result<(), Failure> {
        let path = self.path;
        let Target::New(file) = self.target else { return Ok(()) };
        file.keep().map_err(|error| refused(path, &error))
    }
}

/// Writes a file whole.
///
/// # Errors
/// If it cannot be written; what was there is then still there.
pub(in crate::app::cli) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let output = Output::create(path)?;
    let mut file = output.file();
    file.write_all(bytes).map_err(|error| refused(path, &error))?;
    output.keep()
}

/// Makes a directory and those above it as far as they are missing.
///
/// # Errors
/// If the system refuses.
pub(in crate::app::cli) fn create_directory(path: &Path) -> Result<(), Failure> {
    files::create_directories(path).map_err(|error| refused(path, &error))
}

/// Tries now what would be a pity to find out after a long computation.
///
/// # Errors
/// If a file could not be written there.
pub(in crate::app::cli) fn writable(path: &Path) -> Result<(), Failure> {
    Output::create(path).map(drop)
}

/// The failure to write a file.
pub(in crate::app::cli) fn refused(path: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write {}: {error}", path.shown()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(write(directory.path(), b"x").is_err());
        assert!(write(&directory.path().join("no/such"), b"x").is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_leads_to_is_written() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir(at("other")).unwrap();
        symlink("other/file", at("link")).unwrap();
        symlink("link", at("second")).unwrap();
        for (path, content) in [("link", b"1"), ("second", b"2"), ("other/file", b"3")] {
            write(&at(path), content).unwrap();
            assert_eq!(std::fs::read(at("other/file")).unwrap(), content);
        }
        assert!(at("link").is_symlink() && at("second").is_symlink());
        // One that leads to itself is no place for a file, nor is one to a file that is not open.
        for (link, target) in [("round", "round"), ("closed", "/proc/self/fd/987654")] {
            symlink(target, at(link)).unwrap();
            assert!(write(&at(link), b"4").is_err());
            assert!(at(link).is_symlink());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_open_already_is_written_to_behind_what_is_there() {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        let mut open = File::options().append(true).create(true).open(&file).unwrap();
        open.write_all(b"before, ").unwrap();
        symlink(format!("/proc/self/fd/{}", open.as_raw_fd()), &link).unwrap();
        write(&link, b"behind").unwrap();
        open.write_all(b", after").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"before, behind, after");
        assert!(link.is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_stays() {
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!Path::new("/dev/null").is_file());
    }
}
