//! `amazons sums`: the SHA-256 of every file of a directory, so that who downloads a table can tell
//! whether it is the one that was published, without this program.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::context::{Context, Failure};
use super::files::kind::expect_directory;
use super::files::sum::{Entry, Sum, Summing};
use super::files::{output, overwriting, portable_name};
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::machine::{files, pieces};
use crate::tables::format::{DirectoryLock, Manifest};

/// List the files of a directory with their SHA-256 sums, as sha256sum does
///
/// In the directory, `sha256sum --check SHA256SUMS` compares the files with a list of that name.
/// The lock of a table, which is no part of it, is left out.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of a table, or of anything else; files in directories below it are listed too
    directory: PathBuf,

    /// Write the list into a file instead of to standard output; it does not list itself
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    overwriting::refuse([&args.directory], &args.out)?;
    expect_directory(&args.directory, "a directory")?;
    let stop = context.stop_on_interrupt()?;
    if let Some(out) = &args.out {
        output::writable(out)?;
    }
    let itself = args.out.as_ref().and_then(|out| out.canonicalize().ok());
    let mut files = Vec::new();
    list(&args.directory, "", &mut files)?;
    let is_itself = |path: &Path| itself.is_some() && path.canonicalize().ok() == itself;
    if let Some((path, _)) = files.iter().find(|(path, _)| is_itself(path) && !is_list(path)) {
        let path = path.shown();
        return Err(Failure::usage(format!(
            "cannot write {path}: it is a file of the directory, and no list of sums; name another"
        )));
    }
    files.retain(|(path, _)| !is_itself(path));
    if Manifest::load(&args.directory).is_ok() {
        files.retain(|(_, name)| name != DirectoryLock::NAME);
    }
    files.sort_by(|(_, one), (_, other)| one.cmp(other));
    if context.json() {
        refuse_names(&files)?;
    }
    if files.is_empty() {
        let directory = args.directory.shown();
        return Err(Failure::failed(format!("there are no files in {directory}")));
    }
    let progress = context.progress();
    progress.begin("sums", files.len() as u64, "files");
    let mut sums = Vec::with_capacity(files.len());
    for (path, name) in files {
        let found = sha256(&path, &stop)?;
        sums.push(Entry { name, bytes: found.bytes(), sha256: found.sum() });
        progress.add(1);
    }
    drop(progress);
    let line = |entry: &Entry| match context.json() {
        true => serde_json::to_string(entry).expect("names and numbers are JSON"),
        false => line(entry),
    };
    let text = sums.iter().map(line).collect::<Vec<_>>().join("\n");
    match &args.out {
        Some(out) => output::write(out, format!("{text}\n").as_bytes()),
        None => context.print(text),
    }
}

/// Refuses names that some system cannot hold, as `amazons fetch` does in a list.
fn refuse_names(files: &[(PathBuf, String)]) -> Result<(), Failure> {
    let faults = files.iter().filter_map(|(path, name)| Some((path, portable_name::fault(name)?)));
    let Some((path, why)) = faults.into_iter().next() else { return Ok(()) };
    let path = path.shown();
    Err(Failure::failed(format!("cannot list {path} for `amazons fetch`: of its name, {why}")))
}

/// Whether a file is empty or begins as a list of this command does, which may be written anew.
fn is_list(path: &Path) -> bool {
    let mut begins = Vec::new();
    let read = File::open(path).and_then(|file| file.take(67).read_to_end(&mut begins));
    let is_sum = |begins: &[u8]| {
        // The line of a name with a backslash begins with one.
        let sum = begins.strip_prefix(b"\\").unwrap_or(begins);
        sum.split_at_checked(64).is_some_and(|(sum, after)| {
            sum.iter().all(u8::is_ascii_hexdigit) && after.starts_with(b"  ")
        })
    };
    read.is_ok() && (begins.is_empty() || is_sum(&begins) || begins.starts_with(br#"{"name":"#))
}

/// The longest list of one line.
const MOST_STATED: u64 = 4 << 10;

/// Puts the files below a directory into `files`, with their names in the list, which begin with
/// `before`.
fn list(directory: &Path, before: &str, files: &mut Vec<(PathBuf, String)>) -> Result<(), Failure> {
    let refused = |path: &Path, why: &dyn std::fmt::Display| {
        Failure::failed(format!("cannot read {}: {why}", path.shown()))
    };
    for entry in fs::read_dir(directory).map_err(|error| refused(directory, &error))? {
        let entry = entry.map_err(|error| refused(directory, &error))?;
        let path = entry.path();
        let name = path.file_name().and_then(OsStr::to_str);
        let name = name.ok_or_else(|| refused(&path, &"its name is not UTF-8"))?;
        // Line ends have an escape in lists, nothing else has.
        if name.chars().any(|character| character.is_control() && !"\r\n".contains(character)) {
            return Err(refused(&path, &"its name has control characters, which no list can hold"));
        }
        let name = format!("{before}{name}");
        // Links are not followed: they would be other files elsewhere.
        let kind = entry.file_type().map_err(|error| refused(&path, &error))?;
        if kind.is_dir() {
            list(&path, &format!("{name}/"), files)?;
        } else if kind.is_file() {
            files.push((path, name));
        } else {
            return Err(refused(
                &path,
                &"expected a file or a directory, found a link or a device",
            ));
        }
    }
    Ok(())
}

/// The SHA-256 of a file or of its pieces together, and its length in bytes.
pub(super) fn sha256(path: &Path, stop: &StopFlag) -> Result<Summing, Failure> {
    let refused = |error| Failure::failed(format!("cannot read {}: {error}", path.shown()));
    let mut file = pieces::open(path).map_err(refused)?;
    Summing::of(&mut file, stop)
        .map_err(refused)?
        .ok_or_else(|| Failure::limit(format!("interrupted while {} was read", path.shown())))
}

/// The SHA-256 that a list of one line gives for the file `name`.
///
/// # Errors
/// What is wrong with the list, in words.
pub(super) fn sum_in_list(list: &Path, name: &str) -> Result<Sum, String> {
    let text = files::text_at_most(list, MOST_STATED)
        .map_err(|error| format!("cannot be read: {error}"))?;
    let mut parts = text.strip_suffix('\n').unwrap_or(&text).splitn(2, "  ");
    let sum = parts.next().and_then(|sum| sum.parse().ok());
    sum.filter(|_| parts.next() == Some(name))
        .ok_or_else(|| format!("is not the SHA-256 of {name}, as sha256sum writes it"))
}

/// A file as sha256sum lists it. A name with a backslash or an end of a line has a backslash before
/// the sum and before these.
fn line(Entry { name, sha256, .. }: &Entry) -> String {
    let escaped = name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
    let mark = if escaped == *name { "" } else { "\\" };
    format!("{mark}{sha256}  {escaped}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_backslash_is_escaped() {
        let sha256: Sum = "0".repeat(64).parse().unwrap();
        let entry = Entry { name: "a\\b".to_string(), bytes: 0, sha256: sha256.clone() };
        assert_eq!(line(&entry), format!("\\{sha256}  a\\\\b"));
    }

    #[test]
    fn a_list_states_the_sum_of_one_file_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let list = directory.path().join("list");
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        for line in [format!("{sum}  file\n"), format!("{sum}  file")] {
            fs::write(&list, line).unwrap();
            assert_eq!(sum_in_list(&list, "file").unwrap().to_string(), sum);
        }
        let wrong = [
            String::new(),
            format!("{sum}\n"),
            format!("{sum} file\n"),
            format!("{sum}  other\n"),
            format!("{}  file\n", &sum[1..]),
            format!("{}  file\n", sum.to_uppercase()),
            format!("{sum}  file\n{sum}  other\n"),
        ];
        for line in wrong {
            fs::write(&list, &line).unwrap();
            assert!(sum_in_list(&list, "file").is_err(), "{line}");
        }
        assert!(sum_in_list(&directory.path().join("none"), "file").is_err());
    }
}
