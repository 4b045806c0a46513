//! A data release: `results/fetch` gets the files that `results/data.sha256` lists, and nothing
//! else takes their names; the list agrees with the files that git has, and with docs/data.md.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

const SUM_OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn list() -> String {
    fs::read_to_string(repository().join("results/data.sha256")).unwrap()
}

/// A repository with nothing but the script and a list of two files, and a folder to fetch from.
struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let results = directory.path().join("results");
        fs::create_dir(&results).unwrap();
        fs::create_dir_all(directory.path().join("from/results/data")).unwrap();
        fs::copy(repository().join("results/fetch"), results.join("fetch")).unwrap();
        let list = format!("{SUM_OF_ABC}  results/data/a\n{SUM_OF_ABC}  results/data/b\n");
        fs::write(results.join("data.sha256"), list).unwrap();
        Self { directory }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The script, read by its shell: the system refuses to start a file while another thread has
    /// its copy open.
    fn script(&self) -> Command {
        let mut command = Command::new("bash");
        command.arg(self.file("results/fetch"));
        command
    }

    fn fetch(&self, paths: &[&str]) -> assert_cmd::assert::Assert {
        let address = format!("file://{}", self.file("from").display());
        self.script().arg(address).args(paths).assert()
    }

    /// The names of what is there of the data.
    fn there(&self) -> Vec<String> {
        let names = fs::read_dir(self.file("results/data")).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn what_is_right_is_fetched_once_and_the_rest_is_named() {
    let place = Place::new();
    fs::write(place.file("from/results/data/a"), "abc").unwrap();
    let missing = contains("results/data/b: cannot be fetched");
    place.fetch(&[]).code(1).stdout("results/data/a: fetched\n").stderr(missing);
    assert_eq!(place.there(), ["a"]);

    fs::write(place.file("from/results/data/b"), "abd").unwrap();
    let wrong = contains(format!("results/data/b: expected the SHA-256 {SUM_OF_ABC}, found a52d"));
    place.fetch(&[]).code(1).stdout("results/data/a: there already\n").stderr(wrong);
    assert_eq!(place.there(), ["a"]);

    fs::write(place.file("from/results/data/b"), "abc").unwrap();
    fs::write(place.file("results/data/b"), "ab").unwrap();
    place.fetch(&["results/data/b"]).success().stdout("results/data/b: fetched\n");
    assert_eq!(place.there(), ["a", "b"]);
    assert_eq!(fs::read_to_string(place.file("results/data/b")).unwrap(), "abc");
}

#[test]
fn a_wrong_address_or_path_is_wrong_usage() {
    let place = Place::new();
    let usage = || contains("usage: results/fetch ADDRESS [PATH]...");
    let fetch = || place.script();
    fetch().assert().code(2).stderr(usage().and(contains("an ADDRESS is missing")));
    let address = contains("expected an ADDRESS such as https://example.org/data, found 'from'");
    fetch().arg("from").assert().code(2).stderr(usage().and(address));
    place.fetch(&["results/data/."]).code(2).stderr(usage().and(contains("lists no")));
}

#[test]
fn the_files_that_git_has_are_those_of_the_list() {
    let there = list().lines().filter(|line| repository().join(&line[66..]).exists()).count();
    assert!(there >= 6, "{there} files are there");
    let mut check = Command::new("sha256sum");
    check.current_dir(repository());
    check.args(["--check", "--strict", "--quiet", "--ignore-missing", "results/data.sha256"]);
    check.assert().success();
}

#[test]
fn the_document_has_the_sums_and_sizes_of_the_list() {
    let text = fs::read_to_string(repository().join("docs/data.md")).unwrap();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| `results/"))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    let written: Vec<String> = rows.iter().map(|row| format!("{}  {}", row[4], row[1])).collect();
    assert_eq!(written, list().lines().collect::<Vec<_>>());
    for row in rows {
        if let Ok(file) = fs::metadata(repository().join(row[1])) {
            assert_eq!(file.len().to_string(), row[2].replace(',', ""), "{}", row[1]);
        }
    }
}
