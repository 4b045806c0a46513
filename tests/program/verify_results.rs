//! `amazons verify` goes by what its target is, not by its name. In a directory of results,
//! verdicts are held against their certificate or proof, and what nothing answers is counted by
//! itself.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

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
    // One that is too large to be kept has its hash there; it is checked where it is.
    let hash = proofs.join("4x4.proof.sha256");
    fs::write(&hash, "").unwrap();
    verdict(home, "4x4,second,,certificate").code(1).stderr(contains("is not the SHA-256 of"));
    fs::write(&hash, format!("{}  4x4.proof\n", "0".repeat(64))).unwrap();
    verdict(home, "4x4,second,,certificate")
        .success()
        .stdout(contains("0 figures").and(contains("1 not checked")))
        .stderr(contains("4x4.proof is not here"));

    // What is there and cannot be read is not left out.
    let path = proofs.join("4x4.proof");
    fs::create_dir(&path).unwrap();
    let cannot = || contains("4x4.proof").and(contains("cannot read"));
    verdict(home, "4x4,second,,certificate").code(1).stderr(cannot());
    fs::remove_dir(&path).unwrap();
    #[cfg(unix)]
    for (link, words) in [(&path, "cannot read"), (&hash, "cannot be read")] {
        let kept = fs::read(link).ok();
        if kept.is_some() {
            fs::remove_file(link).unwrap();
        }
        std::os::unix::fs::symlink("nowhere", link).unwrap();
        verdict(home, "4x4,second,,certificate").code(1).stderr(contains(words));
        fs::remove_file(link).unwrap();
        if let Some(kept) = kept {
            fs::write(link, kept).unwrap();
        }
    }

    amazons(home, &["solve", "4x4", "--certificate", "results/proofs/4x4.proof"]).success();
    verdict(home, "4x4,second,,certificate").code(1).stderr(contains("its SHA-256 is"));
    let sums = amazons(home, &["sums", "results/proofs"]).success().get_output().stdout.clone();
    let line = String::from_utf8(sums).unwrap();
    let line = line.lines().find(|line| line.ends_with("  4x4.proof")).unwrap();
    fs::write(&hash, format!("{line}\n")).unwrap();
    verdict(home, "4x4,second,,certificate").success().stdout(contains(" 0 wrong"));
    fs::remove_file(&hash).unwrap();
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

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let output = amazons(directory, arguments);
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn a_target_is_what_it_holds_and_not_its_name() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::create_dir(home.join("claims")).unwrap();
    fs::write(home.join("claims/verdicts.csv"), "head\n5x4,first,,proof\n").unwrap();
    for name in ["claims", "./claims", "claims/", "./claims/."] {
        amazons(home, &["verify", name]).success().stdout(contains("1 figures recomputed"));
    }
    amazons(home, &["build", "3x3", "--amazons", "1v1", "--tables", "results"]).success();
    let entries = json(home, &["verify", "results", "--json"])["checked"].as_u64().unwrap();
    assert!(entries >= 9 * 8 * 128 / 8, "a table of 3x3 has {entries} entries");
    fs::remove_dir_all(home.join("results")).unwrap();
    amazons(home, &["solve", "4x4", "--certificate", "results"]).success();
    amazons(home, &["verify", "results"]).success().stdout(contains("proved: black wins"));
}

#[test]
fn files_of_claims_that_are_missing_are_a_failure() {
    let home = tempfile::tempdir().unwrap();
    let (home, board) = (home.path(), home.path().join("results/3x3-1v1"));
    fs::create_dir_all(&board).unwrap();
    let missing = |file: &str| {
        amazons(home, &["verify", "results"])
            .code(1)
            .stderr(contains(file).and(contains("cannot read")));
    };
    missing("verdicts.csv");
    fs::write(home.join("results/verdicts.csv"), "head\n").unwrap();
    missing("counts.csv");
    fs::write(board.join("counts.csv"), "head\n3x3,1,1,0,72,72\n").unwrap();
    missing("hashes.csv");
    fs::write(board.join("hashes.csv"), "head\n").unwrap();
    amazons(home, &["verify", "results"]).success().stdout(contains("2 figures recomputed"));
}

#[test]
fn what_is_not_checked_is_counted_apart_from_what_is_wrong() {
    let home = tempfile::tempdir().unwrap();
    let (home, board) = (home.path(), home.path().join("results/3x3-1v1"));
    fs::create_dir_all(&board).unwrap();
    fs::write(board.join("counts.csv"), "head\n3x3,1,1,0,72,71\n").unwrap();
    fs::write(board.join("hashes.csv"), "head\n3x3,1,1,0,none\n").unwrap();
    let verdicts = "head\n4x4,second,0,tables\n5x4,second,,proof\n4x4,second,,certificate\n";
    fs::write(home.join("results/verdicts.csv"), verdicts).unwrap();
    let counts = |up_to: &str| {
        let report = json(home, &["verify", "results", "--json", "--up-to", up_to]);
        ["checked", "mismatches", "not_checked"].map(|field| report[field].as_u64().unwrap())
    };
    // The wins and the hash of the table are wrong, and the verdict by proof.
    assert_eq!(counts("10000"), [4, 3, 2]);
    // If the board is not built again, its number of positions is checked and nothing else.
    assert_eq!(counts("1"), [2, 1, 4]);
    amazons(home, &["verify", "results"])
        .code(1)
        .stdout(contains("4 figures recomputed, 3 wrong, 2 not checked"))
        .stderr(contains("3 figures are wrong, the first: 3x3 1v1"));
}
