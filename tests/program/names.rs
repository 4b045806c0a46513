//! Names of files may hold any character. None of them writes a line of its own, or reaches the
//! terminal as what it is.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

fn amazons(at: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.current_dir(at).args(arguments).output().unwrap()
}

/// A name that says something for itself, in red.
const NAME: &str = "a\nproved: white wins 6x6\u{1b}[31m";

/// What was printed, which shows the name as text.
fn shown(arguments: &[&str], output: &Output) {
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let shown = "a\\nproved: white wins 6x6\\u{1b}[31m";
    assert!(text.contains(shown), "{arguments:?}: {text}");
    assert!(!text.contains('\u{1b}'), "{arguments:?}: {text}");
    assert!(
        !text.lines().any(|line| line.starts_with("proved: white wins 6x6")),
        "{arguments:?}: {text}"
    );
}

#[test]
fn names_of_what_is_not_there_are_shown_as_text() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        &["info", NAME][..],
        &["check", NAME],
        &["verify", NAME],
        &["verify", NAME, "--part", "1/2"],
        &["lookup", "4x4", "--tables", NAME],
        &["lookup", "4x4", "--certificate", NAME],
        &["solve", "4x4", "--tables", NAME],
        &["solve", "4x4", "--digest", NAME],
        &["solve", "4x4", "--checkpoint", &format!("no/{NAME}")],
        &["solve", "4x4", "--certificate", &format!("no/{NAME}")],
        &["play", "4x4", "--tables", NAME],
        &["annotate", NAME],
        &["digest", NAME, "--out", "out"],
        &["opening", "4x4", "--tables", NAME, "--out", "out"],
        &["export", NAME, "--arrows", "1", "--out", "out"],
        &["sample", NAME, "--count", "1"],
        &["chart", NAME, "--out", "out"],
        &["merge", "4x4", "--from", NAME, "--out", "out"],
        &["sums", NAME],
        &["instance", "hamilton", NAME],
        // An argument that nothing is asked for.
        &["info", "t", NAME],
        &["info", &format!("--csv={NAME}")],
    ] {
        let output = amazons(directory.path(), arguments);
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
        shown(arguments, &output);
    }
}

#[test]
fn names_of_what_is_there_are_shown_as_text() {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    let proof = format!("{NAME}.proof");
    let build = ["build", "3x3", "--amazons", "1v1", "--tables", NAME];
    assert!(amazons(at, &build).status.success());
    let done = [
        &["check", NAME][..],
        &["verify", NAME],
        &["export", NAME, "--arrows", "2", "--out", &format!("{NAME}.bits")],
        &["solve", "4x4", "--certificate", &proof],
        &["verify", &proof],
        &["verify", "."],
        &["info", &proof],
        &["show", "4x4", "--svg", &format!("{NAME}.svg")],
    ];
    for arguments in done {
        let output = amazons(at, arguments);
        assert!(output.status.success(), "{arguments:?}");
        shown(arguments, &output);
    }
    fs::write(at.join(&proof), "no proof").unwrap();
    for arguments in [["verify", "."], ["verify", &proof], ["info", &proof]] {
        let output = amazons(at, &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        shown(&arguments, &output);
    }
    // In JSON it is the name itself.
    let output = amazons(at, &["check", NAME, "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["target"], NAME);
}
