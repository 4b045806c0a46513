//! `amazons verify results`: verdicts are held against their certificate or proof, and what nobody
//! answers is said.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

fn amazons(directory: &Path, arguments: &[&str]) -> Assert {
    Command::cargo_bin("amazons").unwrap().current_dir(directory).args(arguments).assert()
}

/// What the program says of a results directory with one verdict.
fn verdict(directory: &Path, line: &str) -> Assert {
    let text = format!("board,winner,winning_first_moves,method\n{line}\n");
    fs::write(directory.join("results/verdicts.csv"), text).unwrap();
    amazons(directory, &["verify", "results"])
}

#[test]
fn certificates_are_held_against_the_verdicts() {
    let home = tempfile::tempdir().unwrap();
    let (home, proofs) = (home.path(), home.path().join("results/proofs"));
    fs::create_dir_all(&proofs).unwrap();
    verdict(home, "4x4,second,,certificate")
        .code(1)
        .stderr(contains("4x4.proof").and(contains("cannot be read")));

    amazons(home, &["solve", "4x4", "--certificate", "results/proofs/4x4.proof"]).success();
    verdict(home, "4x4,second,,certificate").success().stdout(contains(" 0 wrong"));
    verdict(home, "4x4,first,,certificate").code(1).stderr(contains("it proves the opposite"));

    // A loss of the second player after a first move.
    let walls =
        ["solve", "5x4", "b1-b2/d2", "--walls", "--certificate", "results/proofs/5x4.proof"];
    amazons(home, &walls).success();
    verdict(home, "5x4,first,,certificate").success();
    verdict(home, "5x4,second,,certificate").code(1).stderr(contains("it proves the opposite"));

    fs::copy(proofs.join("5x4.proof"), proofs.join("4x5.proof")).unwrap();
    verdict(home, "4x5,first,,certificate")
        .code(1)
        .stderr(contains("it is about another position"));
    let mut bytes = fs::read(proofs.join("4x4.proof")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(proofs.join("4x4.proof"), bytes).unwrap();
    verdict(home, "4x4,second,,certificate").code(1).stderr(contains("4x4.proof"));
}

#[test]
fn verdicts_are_proved_again_or_said_not_to_be_checked() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("results")).unwrap();
    verdict(home.path(), "5x4,first,,proof").success().stdout(contains(" 0 wrong"));
    verdict(home.path(), "5x4,second,,proof").code(1).stderr(contains("the proof says otherwise"));
    verdict(home.path(), "4x4,second,0,tables").code(1).stderr(contains("not checked"));
    verdict(home.path(), "4x4,second,0,magic").code(1).stderr(contains("certificate"));
}
