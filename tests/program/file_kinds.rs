//! What kind of file a command was given: `amazons info` says what it is about, `verify` and the
//! others name it where they expect something else. And `verify` of a directory of certificates.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};
use serde_json::Value;

fn amazons(directory: &Path, arguments: &[&str]) -> Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.current_dir(directory).args(arguments).args(["--threads", "1"]).assert()
}

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let told = amazons(directory, &[arguments, &["--json"]].concat()).success();
    serde_json::from_slice(&told.get_output().stdout).unwrap()
}

/// A file of this repository.
fn kept(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The bytes of a file in a directory.
fn length(directory: &Path, name: &str) -> u64 {
    directory.join(name).metadata().unwrap().len()
}

/// A directory with one file of each kind and a table.
fn files() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let at = home.path();
    amazons(at, &["build", "3x3", "--amazons", "1v1", "--tables", "table"]).success();
    let opening = ["opening", "3x3", "--amazons", "1v1", "--tables", "table", "--plies", "1"];
    amazons(at, &[&opening[..], &["--out", "opening"]].concat()).success();
    amazons(at, &["solve", "4x4", "--certificate", "proof"]).success();
    fs::copy(kept("tests/data/checkpoint-2.amzs"), at.join("checkpoint")).unwrap();
    amazons(at, &["digest", "checkpoint", "--out", "digest"]).success();
    home
}

const START: &str = "1qq1/q2q/Q2Q/1QQ1 w";
const START_OF_4X5: &str = "1qq1/q2q/4/Q2Q/1QQ1 w";

#[test]
fn info_says_what_a_certificate_claims() {
    let home = tempfile::tempdir().unwrap();
    let at = home.path();
    for (walls, version, rule) in [(&[][..], 1, Value::Null), (&["--walls"], 4, "walls".into())] {
        amazons(at, &[&["solve", "4x4", "--certificate", "proof"], walls].concat()).success();
        let report = json(at, &["info", "proof"]);
        assert_eq!((&report["kind"], &report["version"]), (&"certificate".into(), &version.into()));
        assert_eq!((&report["position"], &report["winner"]), (&START.into(), &"black".into()));
        assert_eq!(report["rule"], rule);
        assert!(report["leaf"].as_u64().is_some_and(|leaf| leaf > 0), "{report}");
        assert_eq!(report["bytes"], length(at, "proof"));
        assert_eq!(report.get("rules"), None);
        let words = if walls.is_empty() { "without the wall rule" } else { "with the wall rule" };
        amazons(at, &["info", "proof"]).success().stdout(
            starts_with(format!("proof: certificate, format version {version}, "))
                .and(contains(format!("\nclaims that black wins {START}\n")))
                .and(contains(words))
                .and(contains("not checked: `amazons verify proof` does that\n")),
        );
    }
    let variant = kept("results/variants/proofs/cowboys-3x4-1v1.proof");
    let report = json(at, &["info", &variant]);
    assert_eq!((&report["version"], &report["rules"]), (&5.into(), &"cowboys".into()));
    assert_eq!((&report["winner"], &report["rule"]), (&"black".into(), &Value::Null));
    amazons(at, &["info", &variant])
        .success()
        .stdout(contains("certificate by the rules cowboys, format version 5, "));
}

#[test]
fn info_says_what_a_search_has_left() {
    let home = files();
    let at = home.path();
    let report = json(at, &["info", "digest"]);
    assert_eq!((&report["kind"], &report["board"]), (&"digest".into(), &"4x5".into()));
    assert_eq!(report["position"], START_OF_4X5);
    assert_eq!(report["nodes"], 12_651);
    assert!(report["positions"].as_u64().unwrap() > 0);
    assert_eq!(report["bytes"], length(at, "digest"));
    amazons(at, &["info", "digest"]).success().stdout(
        starts_with("digest: digest of a search of 4x5, ")
            .and(contains("12651 positions"))
            .and(contains("the header alone")),
    );

    let report = json(at, &["info", "checkpoint"]);
    assert_eq!((&report["kind"], &report["version"]), (&"checkpoint".into(), &2.into()));
    assert_eq!((&report["nodes"], &report["entries"]), (&12_651.into(), &3366.into()));
    assert_eq!((&report["searched_seconds"], &report["moves"]), (&Value::Null, &Value::Null));
    let first = json(at, &["info", &kept("tests/data/checkpoint-1.amzs")]);
    assert_eq!((&first["version"], &first["nodes"]), (&1.into(), &5246.into()));
    assert_eq!(first["entries"], 1362);

    let search = ["solve", "4x5", "--all-moves", "--checkpoint", "search", "--time", "1ms"];
    amazons(at, &search).code(3);
    let report = json(at, &["info", "search"]);
    assert_eq!((&report["version"], &report["position"]), (&3.into(), &START_OF_4X5.into()));
    assert!(report["searched_seconds"].as_f64().is_some(), "{report}");
    let moves = ["win", "lose", "open"].map(|count| report["moves"][count].as_u64().unwrap());
    assert_eq!(moves.iter().sum::<u64>(), json(at, &["perft", "4x5", "1"])["nodes"]);
    amazons(at, &["info", "search"])
        .success()
        .stdout(contains("searched for ").and(contains(format!(" lose, {} open\n", moves[2]))));
}

#[test]
fn info_refuses_what_is_damaged_and_what_is_no_file() {
    let home = files();
    let at = home.path();
    let refused = |name: &str| {
        let words = contains(name).and(contains("panicked").not());
        amazons(at, &["info", name]).code(1).stdout("").stderr(words);
    };
    for name in ["proof", "digest", "checkpoint"] {
        let bytes = fs::read(at.join(name)).unwrap();
        for length in [8, 9, 30] {
            fs::write(at.join(name), &bytes[..length]).unwrap();
            refused(name);
        }
        // Another version, then no such board.
        for changed in [8, 9, 12] {
            let mut damaged = bytes.clone();
            damaged[changed] = 0xFF;
            fs::write(at.join(name), damaged).unwrap();
            refused(name);
        }
    }
    fs::write(at.join("text"), "board,winner\n").unwrap();
    amazons(at, &["info", "text"]).code(1).stderr(contains("text: expected the directory of"));
    amazons(at, &["info", "table/tier-00-1v1.amz"]).code(1).stderr(contains("a tier of a table"));
    amazons(at, &["info", "opening", "--csv", "counts"]).code(2).stderr(contains("no tiers"));
    #[cfg(target_os = "linux")]
    for command in ["info", "verify", "check"] {
        amazons(at, &[command, "/dev/zero"]).code(1).stderr(contains("/dev/zero"));
    }
}

#[test]
fn a_file_of_another_kind_is_named() {
    let home = files();
    let at = home.path();
    let named = |arguments: &[&str], words: &str| {
        amazons(at, arguments).code(1).stdout("").stderr(contains(words));
    };
    for (name, kind) in [("digest", "a digest"), ("checkpoint", "a checkpoint")] {
        let expected = "expected a table, an opening table, a certificate or results";
        let advice = format!("`amazons info {name}` says what it holds");
        named(&["verify", name], &format!("{name} is {kind}, {expected}; {advice}"));
    }
    fs::write(at.join("text"), "text").unwrap();
    named(
        &["verify", "text"],
        "text: expected a table, an opening table, a certificate or results",
    );
    let opening = "opening is an opening table, expected";
    let verify = "`amazons verify opening` checks it";
    for arguments in [
        &["check", "opening"][..],
        &["export", "opening", "--arrows", "1", "--out", "out"],
        &["sample", "opening", "--count", "1"],
        &["sums", "opening"],
        &["chart", "opening", "--out", "out"],
        &["merge", "4x4", "--from", "opening", "--out", "out"],
        &["digest", "opening", "--out", "out"],
        &["solve", "4x4", "--digest", "opening"],
        &["solve", "4x4", "--checkpoint", "opening"],
    ] {
        named(arguments, opening);
        named(arguments, verify);
    }
    named(
        &["lookup", "4x4", "--tables", "proof"],
        "proof is a certificate, expected the directory of a table or an opening table",
    );
    let tables = "text: expected the directory of a table or an opening table, found a file with";
    named(&["lookup", "4x4", "--tables", "text"], tables);
    named(&["check", "text"], "cannot read text: expected the directory of a table");
    assert!(!at.join("out").exists());
}

#[test]
fn every_certificate_of_a_directory_is_verified() {
    let home = files();
    let at = home.path();
    let proofs = at.join("proofs");
    fs::create_dir(&proofs).unwrap();
    // Nothing is there, or nothing that has the name of a certificate.
    for _ in 0..2 {
        amazons(at, &["verify", "proofs"]).code(1).stderr(contains("proofs: expected a table, an"));
        fs::write(proofs.join("README"), "text").unwrap();
    }
    fs::copy(at.join("proof"), proofs.join("b.proof")).unwrap();
    let variant = kept("results/variants/proofs/cowboys-3x4-1v1.proof");
    fs::copy(variant, proofs.join("a.proof")).unwrap();
    let told = amazons(at, &["verify", "proofs"]).success();
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    let begin = ["proofs/a.proof: ", "proved by the rules cowboys: black wins "];
    let then = ["proofs/b.proof: ", "proved: black wins 1qq1"];
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 4, "{told}");
    assert!(lines.iter().zip([begin, then].concat()).all(|(line, is)| line.starts_with(is)));

    // One that is refused does not end it.
    let mut bytes = fs::read(at.join("proof")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(proofs.join("aa.proof"), bytes).unwrap();
    fs::copy(at.join("digest"), proofs.join("ab.proof")).unwrap();
    let told = amazons(at, &["verify", "proofs", "--json"]).code(1).stderr(
        contains("error: proofs/aa.proof: ")
            .and(contains("proofs/ab.proof is a digest, expected a certificate"))
            .and(contains("error: proofs: 2 of 4 certificates were refused\n")),
    );
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    let each = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let targets: Vec<Value> = each.map(|report| report["target"].clone()).collect();
    assert_eq!(targets, ["proofs/a.proof", "proofs/b.proof"]);

    for option in [&["--part", "1/2"][..], &["--sample", "3"], &["--up-to", "5"]] {
        amazons(at, &[&["verify", "proofs"], option].concat())
            .code(2)
            .stderr(contains(format!("{} is for ", option[0])).and(contains("proofs is none")));
    }
}

/// What the program says that is interrupted while it checks a certificate that takes seconds.
#[cfg(unix)]
fn interrupted(home: &Path) -> (Option<i32>, String) {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("amazons"));
    command.current_dir(home).args(["verify", "proofs", "--threads", "1", "--quiet"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.starts_with("proved")), "it proves nothing");
    let interrupt = ["-INT", &child.id().to_string()];
    assert!(Command::new("kill").args(interrupt).status().unwrap().success());
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(lines.next(), None);
    (child.wait().unwrap().code(), told)
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_directory_and_hides_no_refusal() {
    let home = tempfile::tempdir().unwrap();
    let (home, proofs) = (home.path(), home.path().join("proofs"));
    fs::create_dir(&proofs).unwrap();
    let small = kept("results/variants/proofs/cowboys-3x4-1v1.proof");
    fs::copy(small, proofs.join("b.proof")).unwrap();
    fs::copy(kept("results/proofs/4x8.proof"), proofs.join("c.proof")).unwrap();
    let (code, told) = interrupted(home);
    assert!(told.contains("interrupted, no certificate was refused until then"), "{told}");
    assert_eq!(code, Some(3));
    fs::write(proofs.join("a.proof"), "no proof").unwrap();
    let (code, told) = interrupted(home);
    assert!(told.contains("error: proofs/a.proof: is not a certificate"), "{told}");
    assert!(told.contains("1 of 3 certificates were refused until the check was"), "{told}");
    assert_eq!(code, Some(1));
}

/// A certificate in pieces is told about and looked up as a whole one.
#[test]
fn a_certificate_in_pieces_is_one() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let start = ["3x3", "--amazons", "1v1", "--certificate", "c.proof"];
    amazons(directory, &[&["solve"], &start[..]].concat()).success();
    let told = || {
        [&["info", "c.proof"][..], &[&["lookup"], &start[..]].concat()].map(|arguments| {
            let told = amazons(directory, arguments).success();
            String::from_utf8(told.get_output().stdout.clone()).unwrap()
        })
    };
    let whole = told();
    let path = directory.join("c.proof");
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let (first, second) = bytes.split_at(bytes.len() / 2);
    fs::write(directory.join("c.proof.0"), first).unwrap();
    fs::write(directory.join("c.proof.1"), second).unwrap();
    assert_eq!(whole, told());
    let refused = amazons(directory, &["info", "c.proof.0"]).code(1);
    refused.stderr(contains("c.proof.0 is a piece of c.proof; `amazons info c.proof` says"));
}
