//! Files that say something else than what is so, with sums that fit: each claim is refused by the
//! command that checks it, or counted as not checked, or the answer names what it rests on.
//!
//! What else there is of this: opening tables in `opening.rs`, results in `verify_results.rs`, and
//! in `tests/library/` tiers (`table.rs`), certificates (`certificate.rs`) and those of other games
//! (`variant_certificate.rs`).

use std::fs;
use std::path::Path;

use amazons::tables::format::{Keep, Manifest, TierRecord};
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::str::contains;
use serde_json::Value;

use amazons_test_support::tables::build;

fn amazons(arguments: &[&str]) -> Assert {
    Command::cargo_bin("amazons").unwrap().args(arguments).assert()
}

/// Changes what a manifest says of a tier, and gives it a sum that fits.
fn alter(directory: &Path, at: usize, change: impl Fn(&mut TierRecord)) {
    let path = Manifest::path(directory);
    let mut manifest = Manifest::parse(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest.tiers[at]);
    fs::write(&path, manifest.to_bytes().unwrap()).unwrap();
}

#[test]
fn what_a_manifest_says_of_a_tier_that_is_stored_is_refused() {
    /// What is changed.
    type Change = fn(&mut TierRecord);
    let changes: [(&str, Change); 4] = [
        ("wins", |tier| tier.wins -= 1),
        ("positions", |tier| tier.positions += 1),
        ("bytes", |tier| tier.bytes += 1),
        ("content", |tier| tier.content = "0".repeat(64)),
    ];
    for (claim, change) in changes {
        let directory = tempfile::tempdir().unwrap();
        build(directory.path(), "3x3", "1v1", Keep::All, 500);
        alter(directory.path(), 1, change);
        for command in ["check", "verify"] {
            let refused = amazons(&[command, directory.path().to_str().unwrap()]);
            assert_eq!(refused.get_output().status.code(), Some(1), "{claim}: {command}");
        }
    }
}

#[test]
fn what_a_manifest_says_of_a_tier_that_is_not_stored_is_not_checked() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::Odd, 500);
    let path = directory.path().to_str().unwrap();
    for altered in [false, true] {
        if altered {
            alter(directory.path(), 2, |tier| tier.wins -= 1);
        }
        let told = amazons(&["verify", path]).success();
        // The wins and the hash of tiers 0, 2, 4 and 6.
        told.stdout(contains("0 wrong, 8 not checked"));
        let told = amazons(&["verify", path, "--json"]).success();
        let report: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
        assert_eq!(report["not_checked"], 8);
    }
}

/// The bounds of a frame of a digest, in which its values are known, and all else as it was.
fn alter_digest(bytes: &mut [u8]) {
    const HEADER: usize = 56;
    let [won, lost] = [HEADER + 3, HEADER + 4];
    assert_eq!(bytes[HEADER], b'F');
    // With any net integer the mover wins, or loses.
    (bytes[won], bytes[lost]) = match bytes[lost] as i8 {
        -64 => (63, 62),
        _ => (-63i8 as u8, -64i8 as u8),
    };
    let end = bytes.len() - 33;
    let hash = blake3::hash(&bytes[..end]);
    bytes[end + 1..].copy_from_slice(hash.as_bytes());
}

/// No command checks a digest: a search believes it. What the bounds of the search refute is
/// refused, and of all else the answer says that it rests on the file.
#[test]
fn what_a_digest_says_is_refused_or_named_by_the_answer() {
    let directory = tempfile::tempdir().unwrap();
    let [checkpoint, proof, digest] = ["checkpoint", "proof", "digest"]
        .map(|name| directory.path().join(name).to_str().unwrap().to_string());
    let solve = ["solve", "4x4", "--checkpoint", &checkpoint, "--certificate", &proof];
    amazons(&solve).success();
    amazons(&["digest", &checkpoint, "--out", &digest]).success();
    let mut bytes = fs::read(&digest).unwrap();
    alter_digest(&mut bytes);
    fs::write(&digest, bytes).unwrap();
    let told = amazons(&["solve", "4x4", "--digest", &digest, "-q"]);
    let output = told.get_output();
    let [answer, error] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8(text.clone()).unwrap());
    match output.status.code() {
        Some(0) => assert!(answer.contains(&format!(", if the values of {digest} hold"))),
        _ => assert!(error.contains("claims what is not so"), "{answer}{error}"),
    }
}
