//! `amazons verify` goes by what its target is, not by its name. In a directory of results,
//! verdicts are held against their certificate or proof, and what nothing answers is counted by
//! itself.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

fn amazons(directory: &Path, arguments: &[&str]) -> Assert {
    Command::cargo_bin("amazons").unwrap().current_dir(directory).args(arguments).assert()
}

/// The first line of a file of verdicts.
const HEADER: &str = "board,winner,winning_first_moves,method\n";

/// What the program says of a results directory with one verdict.
fn verdict(directory: &Path, line: &str) -> Assert {
    fs::write(directory.join("results/verdicts.csv"), format!("{HEADER}{line}\n")).unwrap();
    amazons(directory, &["verify", "results"])
}

/// The figures of 3x3 with one amazon a side, which the program solves and prints.
struct Figures {
    counts: String,
    hashes: String,
}

impl Figures {
    fn of_3x3(home: &Path) -> Self {
        amazons(home, &["build", "3x3", "--amazons", "1v1", "--tables", "table"]).success();
        let csv = |what| {
            let told = amazons(home, &["info", "table", "--csv", what]).success();
            String::from_utf8(told.get_output().stdout.clone()).unwrap()
        };
        Self { counts: csv("counts"), hashes: csv("hashes") }
    }

    /// Writes them as results, with the verdicts of these lines.
    fn write(&self, home: &Path, verdicts: &str) {
        let board = home.join("results/3x3-1v1");
        fs::create_dir_all(&board).unwrap();
        fs::write(home.join("results/verdicts.csv"), format!("{HEADER}{verdicts}")).unwrap();
        fs::write(board.join("counts.csv"), &self.counts).unwrap();
        fs::write(board.join("hashes.csv"), &self.hashes).unwrap();
    }
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
    // In pieces it is the same; a piece alone is none, and says how it is read.
    let (whole, first) = (proofs.join("4x4.proof"), proofs.join("4x4.proof.0"));
    fs::write(&first, &bytes[..bytes.len() / 2]).unwrap();
    fs::write(proofs.join("4x4.proof.1"), &bytes[bytes.len() / 2..]).unwrap();
    fs::remove_file(&whole).unwrap();
    verdict(home, "4x4,second,,certificate").success().stdout(contains(" 0 wrong"));
    amazons(home, &["verify", "results/proofs/4x4.proof"]).success();
    amazons(home, &["verify", "results/proofs/4x4.proof.0"])
        .code(1)
        .stderr(contains("`amazons verify results/proofs/4x4.proof` reads all pieces"));
    fs::remove_file(proofs.join("4x4.proof.1")).unwrap();
    verdict(home, "4x4,second,,certificate").code(1).stderr(contains("4x4.proof: "));
    fs::remove_file(first).unwrap();
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
    fs::write(home.join("claims/verdicts.csv"), format!("{HEADER}5x4,first,,proof\n")).unwrap();
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
    let figures = Figures::of_3x3(home);
    fs::create_dir_all(&board).unwrap();
    let missing = |file: &str| {
        amazons(home, &["verify", "results"])
            .code(1)
            .stderr(contains(file).and(contains("cannot read")));
    };
    missing("verdicts.csv");
    fs::write(home.join("results/verdicts.csv"), HEADER).unwrap();
    missing("counts.csv");
    fs::write(board.join("counts.csv"), &figures.counts).unwrap();
    missing("hashes.csv");
    fs::write(board.join("hashes.csv"), &figures.hashes).unwrap();
    amazons(home, &["verify", "results"]).success().stdout(contains("24 figures recomputed"));
}

#[test]
fn what_is_not_checked_is_counted_apart_from_what_is_wrong() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let mut figures = Figures::of_3x3(home);
    figures.counts = figures.counts.replace("3x3,1,1,0,72,72\n", "3x3,1,1,0,72,71\n");
    let digest = |hashes: &str| {
        let lines = hashes.lines().map(|line| line.strip_prefix("3x3,1,1,0,"));
        lines.flatten().next().unwrap().to_string()
    };
    figures.hashes = figures.hashes.replace(&digest(&figures.hashes), &"0".repeat(64));
    figures.write(home, "4x4,second,0,tables\n5x4,second,,proof\n4x4,second,,certificate\n");
    let counts = |up_to: &str| {
        let report = json(home, &["verify", "results", "--json", "--up-to", up_to]);
        ["checked", "mismatches", "not_checked"].map(|field| report[field].as_u64().unwrap())
    };
    // The wins and the hash of a tier are wrong, and the verdict by proof.
    assert_eq!(counts("10000"), [25, 3, 2]);
    // If the board is not built again, its numbers of positions are checked and nothing else.
    assert_eq!(counts("1"), [9, 1, 18]);
    amazons(home, &["verify", "results"])
        .code(1)
        .stdout(contains("25 figures recomputed, 3 wrong, 2 not checked"))
        .stderr(contains(
            "3 figures are wrong, the first: 3x3 1v1 with 0 arrows: claimed 71 wins, found 72\n",
        ));
}

#[test]
fn files_that_are_not_whole_are_a_failure() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let figures = Figures::of_3x3(home);
    let refused = |path: &str, text: &str, expected: &str| {
        figures.write(home, "");
        fs::write(home.join("results").join(path), text).unwrap();
        for up_to in ["1", "10000"] {
            amazons(home, &["verify", "results", "--up-to", up_to])
                .code(1)
                .stdout("")
                .stderr(contains(path).and(contains(expected)));
        }
    };
    for (name, text) in [("counts.csv", &figures.counts), ("hashes.csv", &figures.hashes)] {
        let path = format!("3x3-1v1/{name}");
        let (header, lines) = text.split_once('\n').unwrap();
        let first = lines.split_inclusive('\n').next().unwrap();
        refused(&path, "", "expected the first line board,mover_amazons");
        refused(&path, "garbage\n", "found \"garbage\"");
        refused(&path, lines, "found \"3x3,1,1,0,");
        refused(&path, &format!("{header}\n{first}"), "found none for 3x3 1v1 with 1 arrows");
        refused(&path, &format!("{text}{first}"), "line 10: expected one line of its kind");
        refused(&path, &format!("{text}junk\n"), "line 10: expected board, amazons of both sides");
        refused(&path, &text.replace("3x3,1,1,0,", "3x3,1,2,0,"), "no such tier");
        refused(&path, &"#".repeat((64 << 20) + 1), "has more than the 67108864 bytes");
    }
    refused("verdicts.csv", "junk\n", "expected the first line board,winner");
    let twice = format!("{HEADER}5x4,first,,proof\n5x4,first,,proof\n");
    refused(
        "verdicts.csv",
        &twice,
        "line 3: expected one line of its kind, found another in line 2",
    );
}

/// What the program says that is interrupted while it builds 4x5.
#[cfg(unix)]
fn interrupted(home: &Path) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("amazons"));
    let arguments = ["verify", "results", "--memory", "500MB", "--threads", "1"];
    command.current_dir(home).args(arguments);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "4x5 4v4"), "it builds no 4x5");
    let interrupt = ["-INT", &child.id().to_string()];
    assert!(std::process::Command::new("kill").args(interrupt).status().unwrap().success());
    let told: Vec<String> = lines.collect();
    (child.wait().unwrap().code(), told.join("\n"))
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_a_limit_and_hides_nothing_wrong() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let mut figures = Figures::of_3x3(home);
    figures.write(home, "");
    let large = home.join("results/4x5-4v4");
    fs::create_dir_all(&large).unwrap();
    for name in ["counts.csv", "hashes.csv"] {
        fs::copy(Path::new("results/4x5-4v4").join(name), large.join(name)).unwrap();
    }
    let (code, told) = interrupted(home);
    assert!(told.ends_with("error: verification was interrupted"), "{told}");
    assert_eq!(code, Some(3));

    figures.counts = figures.counts.replace("3x3,1,1,0,72,72\n", "3x3,1,1,0,72,71\n");
    figures.write(home, "");
    let (code, told) = interrupted(home);
    assert!(told.contains("1 figure is wrong, the first: 3x3"), "{told}");
    assert_eq!(code, Some(1));
}

#[test]
fn margins_are_searched_again() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::create_dir_all(home.join("results")).unwrap();
    fs::write(home.join("results/verdicts.csv"), HEADER).unwrap();
    let header = "board,amazons,winner,least_margin,most_margin,method,nodes,seconds\n";
    let verify = |lines: &str| {
        fs::write(home.join("results/margins.csv"), format!("{header}{lines}")).unwrap();
        amazons(home, &["verify", "results", "--json"])
    };
    let solved = amazons(home, &["solve", "4x4", "--margin", "--json", "--method", "proof"]);
    let solved: Value = serde_json::from_slice(&solved.success().get_output().stdout).unwrap();
    let margin = solved["margin"].as_u64().unwrap();
    // Ranges, and what took long, are not searched again.
    let told = verify(&format!(
        "4x4,4v4,second,{margin},{margin},proof,9,0.1\n6x6,4v4,,,,proof,9,60\n\
         5x5,4v4,first,0,0,proof,9,99\n5x5,2v2,first,0,0,tables,,\n"
    ));
    let told: Value = serde_json::from_slice(&told.success().get_output().stdout).unwrap();
    assert_eq!((&told["checked"], &told["not_checked"]), (&1.into(), &3.into()), "{told}");
    let wrong = margin + 1;
    verify(&format!("4x4,4v4,second,{wrong},{wrong},proof,9,0.1\n"))
        .code(1)
        .stderr(contains(format!("4x4 4v4: the first player loses by {margin} by a search")));
    verify("4x4,4v4,second\n").code(1).stderr(contains("margins.csv, line 2"));
}

#[test]
fn figures_of_margins_are_built_again() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let build = ["build", "3x3", "--amazons", "1v1", "--tables", "table", "--margins"];
    amazons(home, &build).success();
    let csv = |what| {
        let told = amazons(home, &["info", "table", "--csv", what]).success();
        String::from_utf8(told.get_output().stdout.clone()).unwrap()
    };
    let (counts, hashes) = (csv("margins"), csv("margin-hashes"));
    let lines = (counts.lines().count() + hashes.lines().count() - 2) as u64;
    fs::create_dir_all(home.join("results/margins")).unwrap();
    fs::write(home.join("results/verdicts.csv"), HEADER).unwrap();
    let verify = |counts: &str, margin: &str, options: &[&str]| {
        fs::write(home.join("results/margins/3x3-1v1.csv"), counts).unwrap();
        fs::write(home.join("results/margins/3x3-1v1.hashes.csv"), &hashes).unwrap();
        let header = "board,amazons,winner,least_margin,most_margin,method,nodes,seconds\n";
        let text = format!("{header}3x3,1v1,first,{margin},{margin},tables,,\n");
        fs::write(home.join("results/margins.csv"), text).unwrap();
        amazons(home, &[&["verify", "results", "--json"], options].concat())
    };
    // The figures, and the margin of the start position by the same table.
    let told = |run: Assert| -> Value {
        serde_json::from_slice(&run.success().get_output().stdout).unwrap()
    };
    let right = told(verify(&counts, "0", &[]));
    assert_eq!((&right["checked"], &right["not_checked"]), (&(lines + 1).into(), &0.into()));
    // Too many positions in all planes: nothing is checked, and that is said.
    let left_out = told(verify(&counts, "0", &["--up-to", "20000"]));
    let expected = (&0.into(), &(lines + 1).into());
    assert_eq!((&left_out["checked"], &left_out["not_checked"]), expected);
    verify(&counts, "3", &[])
        .code(1)
        .stderr(contains("3x3 1v1: the first player wins by 0 by its table"));
    let (head, last) = counts.trim_end().rsplit_once(',').unwrap();
    verify(&format!("{head},1{last}\n"), "0", &[])
        .code(1)
        .stderr(contains(format!("claimed 1{last}, found {last}")));
    verify("", "0", &[]).code(1).stderr(contains("3x3-1v1.csv: expected the first line board,"));
}
