//! Files that are written whole or not at all, and last.
//!
//! A new file is written beside where it will be, under another name. When it is complete and on
//! the disk it takes its own name, and then the directory is written to the disk too. So at any
//! moment, whatever happens to the process or the machine, the name stands for the old content or
//! for the new one. What a process leaves behind that is killed meanwhile ends in `.new`. While a
//! process lives it holds a lock on what it writes, so the files of dead ones can be told and are
//! removed by whoever writes the same file next. A process that reads a file and replaces it again
//! and again has a [`Reservation`] of it meanwhile.
//!
//! A link leads to the file that is replaced; the link stays.
//!
//! What is read is opened only if it is a file: a pipe would keep its reader waiting, and a device
//! need not end.

use std::collections::hash_map::RandomState;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[cfg(feature = "cli")]
use super::charset::without_mark;

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
        // Renaming to such a name would fail, when the work is done.
        let text = path.as_os_str().to_string_lossy();
        if text.ends_with(std::path::is_separator) {
            let words = "a file is to be written, and the name is one of a directory";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        let path = &destination(path);
        let name = path.file_name().ok_or_else(names_no_file)?;
        loop {
            let unfinished = parent(path).join(unfinished_name(name.into()));
            match OpenOptions::new().read(true).write(true).create_new(true).open(&unfinished) {
                Ok(file) => {
                    // Until the lock is held the file looks abandoned, and may be gone again.
                    let contested = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
                    if !contested && unfinished.exists() {
                        return Ok(Self { path: path.into(), unfinished: Some(unfinished), file });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The name that it has until it is complete.
    pub(crate) fn unfinished(&self) -> Option<&OsStr> {
        self.unfinished.as_ref().and_then(|path| path.file_name())
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
            rename_over(unfinished, &self.path)?;
        }
        self.unfinished = None;
        sync_directory(parent(&self.path))
    }
}

/// How long a file may be held by somebody else that is to be replaced.
const RENAMED_WITHIN: Duration = Duration::from_secs(1);

/// Renames a file, in the place of what has the name. Windows refuses that while somebody else
/// replaces or opens it, so there it is tried again for a second.
///
/// # Errors
/// If the system refuses.
pub(crate) fn rename_over(from: &Path, to: &Path) -> io::Result<()> {
    let renamed = until(RENAMED_WITHIN, || match fs::rename(from, to) {
        Ok(()) => Ok(Some(())),
        Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    });
    match renamed? {
        Some(()) => Ok(()),
        None => fs::rename(from, to),
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

/// What lies there are the open files of processes, not names in a directory.
const OPEN_FILES: &str = "/proc";

/// Most links that are followed one after the other, as Linux has it.
const MOST_LINKS: usize = 40;

/// Where a path leads: by links, as far as the last of them, to what is there or may be made. A
/// link to an open file of a process is not followed.
fn destination(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match path.read_link() {
            Ok(target) if !path.starts_with(OPEN_FILES) => path = parent(&path).join(target),
            _ => break,
        }
    }
    path
}

/// The open file that a path stands for, as `/dev/stdout` and `/proc/self/fd/1` do: what is written
/// to it comes behind what is there. `None` if the path stands for none.
///
/// # Errors
/// If the system refuses.
#[cfg(feature = "cli")]
pub(crate) fn open_file_of_process(path: &Path) -> io::Result<Option<File>> {
    let path = destination(path);
    if !path.starts_with(OPEN_FILES) {
        return Ok(None);
    }
    #[cfg(unix)]
    {
        // What this process writes there itself would be written over by another opening.
        use std::os::fd::AsFd;
        let stdout = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        if leads_to(&path, &stdout) {
            return Ok(Some(stdout));
        }
    }
    OpenOptions::new().append(true).open(path).map(Some)
}

/// A name that no other file has: the file's own, a random number and the ending.
fn unfinished_name(name: OsString) -> OsString {
    numbered_name(name, RandomState::new().build_hasher().finish())
}

fn numbered_name(mut name: OsString, number: u64) -> OsString {
    name.push(format!(".{number:016x}{UNFINISHED}"));
    name
}

/// The name that a file was to have if [`unfinished_name`] made the one that it has.
fn final_name(name: &OsStr) -> Option<&[u8]> {
    let name = name.as_encoded_bytes().strip_suffix(UNFINISHED.as_bytes())?;
    let (name, [dot, digits @ ..]) = name.split_last_chunk::<17>()?;
    (*dot == b'.' && digits.iter().all(u8::is_ascii_hexdigit)).then_some(name)
}

/// Whether a file is being written, or was when its process was killed.
pub(crate) fn is_unfinished(path: &Path) -> bool {
    path.file_name().and_then(final_name).is_some()
}

/// Removes what killed processes have left that were writing the file of this path. What a living
/// process is writing stays; so does everything where files cannot be locked. Failures are passed
/// over: what stays does no harm under its name.
pub(crate) fn remove_abandoned(path: &Path) {
    let path = &destination(path);
    let Some(name) = path.file_name().map(OsStr::as_encoded_bytes) else { return };
    for entry in fs::read_dir(parent(path)).into_iter().flatten().flatten() {
        if final_name(&entry.file_name()) == Some(name) {
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

/// Removes an unfinished file unless a living process has it.
///
/// # Errors
/// If it is none, or the system does not remove it.
fn remove_if_abandoned(left: &Path) -> io::Result<()> {
    // Held until the file is gone, so that a process that has just made it knows.
    let file = open_regular(left)?;
    match file.try_lock() {
        Ok(()) => fs::remove_file(left),
        Err(_) => Ok(()),
    }
}

/// How long a process that was killed may keep its locks: the system gives them back when it has
/// ended, which is a moment after the signal. Unit tests kill no process.
const RELEASED_WITHIN: Duration = Duration::from_millis(if cfg!(test) { 50 } else { 1000 });

fn names_no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the name is none of a file")
}

/// Opens a file, or makes it, and locks it until the file that is returned is closed or the process
/// ends, however it ends. `None` if it is locked already, and still is after a second.
///
/// # Errors
/// If there is something else than a file, or the system refuses to open or to lock it.
pub(crate) fn lock(path: &Path) -> io::Result<Option<File>> {
    lock_within(RELEASED_WITHIN, path)
}

fn lock_within(time: Duration, path: &Path) -> io::Result<Option<File>> {
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(not_regular());
    }
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    let locked = until(time, || match file.try_lock() {
        Ok(()) => Ok(Some(())),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            Err(io::Error::new(error.kind(), format!("it cannot be locked: {error}")))
        }
    });
    Ok(locked?.map(|()| file))
}

/// The right to go on from a file and to replace it, held until it is dropped or the process ends,
/// however it ends.
///
/// What is locked is a file beside it, because a lock on the file itself would go with the content
/// that is replaced. It is the unfinished file of number 0, so one that a killed process has left
/// is removed as any other.
#[cfg(feature = "cli")]
#[derive(Debug)]
pub(crate) struct Reservation {
    path: PathBuf,
    file: File,
}

#[cfg(feature = "cli")]
impl Reservation {
    /// Reserves the file of a path, which need not exist; `None` if another has reserved it.
    ///
    /// # Errors
    /// If no file can be made or locked in that directory, or the path names none.
    pub(crate) fn of(path: &Path) -> io::Result<Option<Self>> {
        let path = &destination(path);
        let name = path.file_name().ok_or_else(names_no_file)?;
        let path = parent(path).join(numbered_name(name.into(), 0));
        loop {
            let Some(file) = lock(&path)? else { return Ok(None) };
            // Whoever had the lock before may have removed the file after it was opened here.
            if leads_to(&path, &file) {
                return Ok(Some(Self { path, file }));
            }
        }
    }
}

#[cfg(feature = "cli")]
impl Drop for Reservation {
    /// Removes the file while it is locked, and gives the lock back by itself: to close the file is
    /// not enough while a process that was just forked off has it too.
    fn drop(&mut self) {
        // If it stays, it does no harm under its name.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// Whether a path leads to an open file.
#[cfg(all(unix, feature = "cli"))]
fn leads_to(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |found: fs::Metadata| (found.dev(), found.ino());
    file.metadata().is_ok_and(|open| path.metadata().is_ok_and(|at| place(at) == place(open)))
}

/// As on Unix, as far as it can be told.
#[cfg(all(not(unix), feature = "cli"))]
fn leads_to(path: &Path, _: &File) -> bool {
    path.exists()
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

/// Removes what killed processes have left in a directory. What living ones are writing stays.
///
/// # Errors
/// If the directory cannot be read, or a file in it not be removed.
pub(crate) fn remove_unfinished(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if is_unfinished(&path) {
            match remove_if_abandoned(&path) {
                // Its process has finished it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
    }
    Ok(())
}

/// Makes a directory and those above it as far as they are missing, so that they last. One that is
/// there may have been made by a process that was killed before it lasted.
///
/// # Errors
/// If the system refuses.
pub(crate) fn create_directories(path: &Path) -> io::Result<()> {
    let missing = path.ancestors().take_while(|above| !above.exists()).count();
    fs::create_dir_all(path)?;
    path.ancestors().take(missing.max(1)).try_for_each(|made| sync_directory(parent(made)))
}

/// Writes to the disk which files a directory has. Where directories cannot be opened as files
/// (Windows), the system does that by itself; where this one may not be read, nobody can.
///
/// # Errors
/// If the system refuses.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    match File::open(directory) {
        Ok(opened) => opened.sync_all(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied || cfg!(not(unix)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Opens a file to read. A pipe or a device, which may have no end, is an error.
///
/// # Errors
/// If it is none, or the system refuses.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    // Opening a pipe waits for its writer, so it is looked at first.
    if !fs::metadata(path)?.is_file() {
        return Err(not_regular());
    }
    File::open(path)
}

/// How many bytes a file has; `None` if there is none. A directory, a pipe or a device is an error.
///
/// # Errors
/// If it is no file, or the system refuses.
pub(crate) fn length(path: &Path) -> io::Result<Option<u64>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(Some(found.len())),
        Ok(_) => Err(not_regular()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

/// How long another machine may take to show what was written to a file system that it shares. The
/// ranks of a unit test are threads, which see at once what is written.
const SHOWN_WITHIN: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 60 });

/// Looks until another process's work is there: what `look` finds; `None` if it finds nothing for a
/// minute.
///
/// # Errors
/// Those of `look`.
pub(crate) fn until_shown<T>(look: impl FnMut() -> io::Result<Option<T>>) -> io::Result<Option<T>> {
    until(SHOWN_WITHIN, look)
}

/// Looks again and again: what `look` finds; `None` if it finds nothing for so long.
///
/// # Errors
/// Those of `look`.
fn until<T>(
    time: Duration,
    mut look: impl FnMut() -> io::Result<Option<T>>,
) -> io::Result<Option<T>> {
    let begun = Instant::now();
    loop {
        let found = look()?;
        if found.is_some() || begun.elapsed() > time {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Opens a file that has this many bytes, which another process has written; waits a little for a
/// file system that does not show that at once.
///
/// # Errors
/// If it has another length for a minute, or the system refuses.
pub(crate) fn open_shared(path: &Path, bytes: u64) -> io::Result<File> {
    let mut seen = String::new();
    let shown = until_shown(|| {
        let opened = open_regular(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        seen = match opened {
            Ok((found, file)) if found == bytes => return Ok(Some(file)),
            Ok((found, _)) => format!("{found} bytes"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => "no file".into(),
            Err(error) => return Err(error),
        };
        Ok(None)
    })?;
    shown.ok_or_else(|| {
        let words = format!("another process has written {bytes} bytes, this one sees {seen}");
        io::Error::other(words)
    })
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// As [`open_regular`], or if it is longer or cannot be read.
pub(crate) fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let words = format!("it has more than the {most} bytes that such a file may have");
        return Err(io::Error::new(io::ErrorKind::InvalidData, words));
    }
    Ok(bytes)
}

/// As [`read_at_most`], of text.
///
/// # Errors
/// As [`read_at_most`], or if it is not UTF-8.
#[cfg(feature = "cli")]
pub(crate) fn text_at_most(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read_at_most(path, most)?);
    let text =
        text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))?;
    Ok(without_mark(&text).to_string())
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

    #[test]
    fn what_the_dead_have_left_of_a_file_is_removed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let living = NewFile::create(&path).unwrap();
        let others = ["a", "a.0123456789abcdef", "a.new", "b.0123456789abcdef.new"];
        others.iter().for_each(|name| fs::write(directory.path().join(name), b"x").unwrap());
        for _ in 0..3 {
            fs::write(directory.path().join(unfinished_name("a".into())), b"half").unwrap();
        }
        assert_eq!(names(directory.path()).len(), 1 + others.len() + 3);
        remove_abandoned(&path);
        assert_eq!(names(directory.path()).len(), 1 + others.len());
        living.file().write_all(b"whole").unwrap();
        living.keep().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(directory.path()), others.map(OsString::from));
    }

    #[test]
    fn what_the_dead_have_left_in_a_directory_is_removed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let living = NewFile::create(&directory.path().join("a")).unwrap();
        for name in ["b", "b.0123456789abcdef.new", "c.0000000000000000.new"] {
            fs::write(directory.path().join(name), b"x").unwrap();
        }
        remove_unfinished(directory.path()).unwrap();
        assert_eq!(names(directory.path()).len(), 2);
        living.keep().unwrap();
        assert_eq!(names(directory.path()), ["a", "b"]);
    }

    #[cfg(feature = "cli")]
    #[test]
    fn a_file_is_reserved_once_at_a_time_whatever_is_written_meanwhile() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let reserved = Reservation::of(&path).unwrap().unwrap();
        for _ in 0..2 {
            assert!(Reservation::of(&path).unwrap().is_none());
            remove_abandoned(&path);
            replace(&path, b"one").unwrap();
        }
        assert!(names(directory.path()).iter().any(|name| is_unfinished(Path::new(name))));
        drop(reserved);
        assert_eq!(names(directory.path()), ["a"]);
        // A process that was killed has left the file, and no lock.
        fs::write(directory.path().join(numbered_name("a".into(), 0)), b"").unwrap();
        drop(Reservation::of(&path).unwrap().unwrap());
        assert_eq!(names(directory.path()), ["a"]);
        assert!(Reservation::of(&directory.path().join("absent/a")).is_err());
    }

    /// As of a process that was killed a moment ago.
    #[test]
    fn a_lock_that_is_about_to_be_given_back_is_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let held = lock(&path).unwrap().unwrap();
        assert!(lock(&path).unwrap().is_none());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| lock_within(Duration::from_secs(600), &path).unwrap());
            while !waiting.is_finished() {
                // The second time there is nothing to unlock, which Windows says.
                let _ = held.unlock();
                std::thread::yield_now();
            }
            assert!(waiting.join().unwrap().is_some());
        });
    }

    /// A lock on a file that has just been removed would keep nobody out.
    #[cfg(feature = "cli")]
    #[test]
    fn no_two_reserve_a_file_at_once() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let directory = tempfile::tempdir().unwrap();
        let (path, holders) = (directory.path().join("a"), AtomicUsize::new(0));
        crate::machine::threads::in_parts(4, |_| {
            for _ in 0..500 {
                if let Some(reserved) = Reservation::of(&path).unwrap() {
                    assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                    std::thread::yield_now();
                    holders.fetch_sub(1, Ordering::SeqCst);
                    drop(reserved);
                }
            }
        });
        assert!(names(directory.path()).is_empty());
    }

    /// If the remover did not look at the lock, some of the writers would lose their file.
    #[test]
    fn writers_and_removers_of_one_file_get_along() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        crate::machine::threads::in_parts(4, |part| {
            for _ in 0..40 {
                match part {
                    0 | 1 => remove_abandoned(&path),
                    _ => replace(&path, b"whole").unwrap(),
                }
            }
        });
        assert_eq!((fs::read(&path).unwrap(), names(directory.path()).len()), (b"whole".into(), 1));
    }

    #[test]
    fn only_files_are_read_and_only_so_much_of_them() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        fs::write(&path, b"four").unwrap();
        assert_eq!(read_at_most(&path, 4).unwrap(), b"four");
        assert!(read_at_most(&path, 3).unwrap_err().to_string().contains("more than the 3 bytes"));
        assert!(open_regular(directory.path()).unwrap_err().to_string().contains("not a regular"));
        #[cfg(target_os = "linux")]
        for endless in ["/dev/zero", "/dev/stdin"] {
            std::os::unix::fs::symlink(endless, directory.path().join("b")).unwrap();
            // Standard input may be a file.
            let is_file = Path::new(endless).metadata().is_ok_and(|found| found.is_file());
            assert!(is_file || open_regular(&directory.path().join("b")).is_err(), "{endless}");
            fs::remove_file(directory.path().join("b")).unwrap();
        }
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
