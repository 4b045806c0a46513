//! `amazons sums`: its list is what sha256sum checks, and nothing else is listed.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

fn sums(directory: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("amazons").unwrap().arg("sums").arg(directory).args(more).assert()
}

/// A directory with files at two depths and a name that has to be escaped.
fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("below")).unwrap();
    fs::write(directory.path().join("b"), "abc").unwrap();
    fs::write(directory.path().join("below/a"), "").unwrap();
    fs::write(directory.path().join(".hidden"), vec![7; 3 << 20]).unwrap();
    directory
}

#[test]
fn the_list_is_sorted_and_complete() {
    let directory = directory();
    let listed = sums(directory.path(), &[]).success();
    let listed = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    let names: Vec<&str> = listed.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(names, [".hidden", "b", "below/a"]);
    let json = sums(directory.path(), &["--json"]).success();
    let json: Vec<serde_json::Value> =
        serde_json::Deserializer::from_slice(&json.get_output().stdout)
            .into_iter()
            .collect::<Result<_, _>>()
            .unwrap();
    assert_eq!(json.len(), 3);
    assert_eq!(json[0]["bytes"], 3 << 20);
    assert_eq!(json[1]["sha256"], listed.lines().nth(1).unwrap().split_once(' ').unwrap().0);
}

#[test]
fn the_lock_of_a_table_is_no_part_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path().to_str().unwrap();
    let build = ["build", "2x2", "--amazons", "1v1", "--tables", at, "-q"];
    assert_cmd::Command::cargo_bin("amazons").unwrap().args(build).assert().success();
    assert!(directory.path().join("lock").exists());
    let listed = sums(directory.path(), &[]).success();
    let listed = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    assert!(listed.contains("manifest.json") && !listed.contains("lock"), "{listed}");
    // Anywhere else a file of that name is one like others.
    std::fs::remove_file(directory.path().join("manifest.json")).unwrap();
    sums(directory.path(), &[]).success().stdout(contains("  lock"));
}

#[cfg(target_os = "linux")]
#[test]
fn sha256sum_checks_the_list() {
    let directory = directory();
    fs::write(directory.path().join("back\\slash"), "x").unwrap();
    let list = directory.path().join("SHA256SUMS");
    let check = || {
        let mut command = Command::new("sha256sum");
        command.current_dir(&directory).args(["--check", "--strict", "SHA256SUMS"]).assert()
    };
    for _ in 0..2 {
        // The second time the list is there, and is not listed.
        sums(directory.path(), &["--out", list.to_str().unwrap()]).success().stdout("");
        check().success().stdout(contains("below/a: OK").and(contains("slash: OK")));
        assert_eq!(fs::read_to_string(&list).unwrap().lines().count(), 4);
    }
    fs::write(directory.path().join("b"), "abd").unwrap();
    check().code(1).stdout(contains("b: FAILED"));
}

/// Such as a tier of a table that is in a directory below, or whose manifest is damaged.
#[test]
fn no_file_of_the_directory_is_written_over() {
    let directory = directory();
    for name in ["b", "below/../b", ".hidden"] {
        let path = directory.path().join(name);
        let before = fs::read(&path).unwrap();
        let refused = sums(directory.path(), &["--out", path.to_str().unwrap()]).code(2);
        refused.stderr(contains("is a file of the directory, and no list of sums"));
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    let list = directory.path().join("list.json");
    for _ in 0..2 {
        sums(directory.path(), &["--json", "--out", list.to_str().unwrap()]).success();
    }
}

#[test]
fn what_cannot_be_listed_is_said() {
    let directory = directory();
    sums(&directory.path().join("nowhere"), &[]).code(1).stderr(contains("nowhere"));
    sums(&directory.path().join("b"), &[]).code(1).stderr(contains("cannot read"));
    sums(&directory.path().join("below"), &["--out", "/no/such/file"]).code(1);
    let empty = tempfile::tempdir().unwrap();
    sums(empty.path(), &[]).code(1).stderr(contains("there are no files in"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("b", directory.path().join("link")).unwrap();
        let said = contains("link: expected a file or a directory, found a link or a device");
        sums(directory.path(), &[]).code(1).stderr(said);
    }
}

#[cfg(unix)]
#[test]
fn a_list_for_fetch_has_names_that_every_system_holds() {
    for name in ["back\\slash", "CON", "line\nbreak", "dot."] {
        let directory = directory();
        fs::write(directory.path().join("below").join(name), "x").unwrap();
        sums(directory.path(), &["--json"]).code(1).stdout("").stderr(contains("of its name, "));
        sums(directory.path(), &[]).success();
    }
}
