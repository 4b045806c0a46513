//! What `sample` and `export` write.

use std::collections::BTreeMap;
use std::fs;

use amazons::tables::format::{Keep, Manifest};
use amazons::{Board, Position, Table};
use predicates::str::contains;

use amazons_test_support::tables::build;

use crate::amazons;

fn table(board: &str, amazons: &str, keep: Keep) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), board, amazons, keep, 500);
    let path = directory.path().to_str().unwrap().to_string();
    (directory, path)
}

fn csv(path: &str, more: &[&str]) -> Vec<(Position, bool)> {
    let output = amazons(&["sample", path]).args(more).assert().success().get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("position,value"));
    let read = |line: &str| {
        let (position, value) = line.split_once(',').unwrap();
        assert!(["win", "loss"].contains(&value), "{line}");
        (position.parse().unwrap(), value == "win")
    };
    lines.map(read).collect()
}

#[test]
fn a_sample_has_the_values_of_the_table_and_the_seed_repeats_it() {
    for (amazons, keep) in [("1v1", Keep::All), ("2v1", Keep::All), ("1v1", Keep::Odd)] {
        let (directory, path) = table("3x3", amazons, keep);
        let table = Table::open(directory.path()).unwrap();
        let drawn = csv(&path, &["--count", "500", "--seed", "7"]);
        assert_eq!(drawn.len(), 500);
        for (position, wins) in &drawn {
            assert_eq!(table.value(position).unwrap().is_win(), *wins, "{position}");
        }
        assert_eq!(drawn, csv(&path, &["--count", "500", "--seed", "7", "--threads", "1"]));
        assert_ne!(drawn, csv(&path, &["--count", "500", "--seed", "8"]));
        let more = csv(&path, &["--count", "900", "--seed", "7"]);
        assert_eq!(more[..500], drawn, "a longer sample begins with the shorter one");
    }
}

/// What is drawn in a long sample is what there is: each position of the smallest board is drawn
/// about as often as another.
#[test]
fn all_positions_are_as_likely_or_all_tiers() {
    let (_directory, path) = table("2x2", "1v1", Keep::All);
    let by_arrows = |more: &[&str]| {
        let mut counts = [0; 3];
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (position, _) in csv(&path, &[&["--count", "6000"], more].concat()) {
            counts[position.burned()] += 1;
            *seen.entry(position.to_string()).or_default() += 1;
        }
        // 12 placements without arrows, 4 x 6 with one, 6 x 2 with two.
        assert_eq!(seen.len(), 48);
        (counts, *seen.values().min().unwrap(), *seen.values().max().unwrap())
    };
    let (counts, least, most) = by_arrows(&[]);
    assert!((2700..3300).contains(&counts[1]), "{counts:?}");
    assert!(least > 80 && most < 175, "6000 of 48, 125 each: {least} to {most}");
    assert_eq!(by_arrows(&["--by", "tiers"]).0, [2000; 3]);
}

/// The file of an array of records: its head, and each record's bytes.
fn npy(bytes: &[u8]) -> (String, &[u8]) {
    assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    let head = String::from_utf8(bytes[10..10 + length].to_vec()).unwrap();
    assert!(head.ends_with('\n'));
    (head.trim_end().to_string(), &bytes[10 + length..])
}

#[test]
fn an_array_for_numpy_holds_what_the_csv_does() {
    let (directory, path) = table("3x3", "2v1", Keep::All);
    let out = directory.path().join("sample.npy");
    let arguments = ["--count", "300", "--seed", "3", "--by", "tiers"];
    amazons(&["sample", &path, "--format", "npy", "--out", out.to_str().unwrap()])
        .args(arguments)
        .assert()
        .success()
        .stdout(contains("300 positions"));
    let bytes = fs::read(&out).unwrap();
    let (head, records) = npy(&bytes);
    assert_eq!(
        head,
        "{'descr': [('position', '|u1', (3,)), ('win', '|b1')], 'fortran_order': False, \
         'shape': (300,), }"
    );
    let board: Board = "3x3".parse().unwrap();
    let found: Vec<(Position, bool)> = records
        .chunks_exact(4)
        .map(|record| (Position::from_packed(board, &record[..3]).unwrap(), record[3] == 1))
        .collect();
    assert_eq!(found, csv(&path, &arguments));
}

#[test]
fn an_export_is_the_content_of_the_tier() {
    let (directory, path) = table("3x3", "2v1", Keep::All);
    let manifest = Manifest::load(directory.path()).unwrap();
    let out = directory.path().join("bits");
    for (mover, colour) in [(2, "white"), (1, "black")] {
        let export = ["export", &path, "--arrows", "2", "--mover", colour];
        let command = amazons(&export).arg("--out").arg(&out).arg("--json").assert().success();
        let told: serde_json::Value = serde_json::from_slice(&command.get_output().stdout).unwrap();
        let bytes = fs::read(&out).unwrap();
        let tier = manifest.tiers.iter().find(|tier| (tier.arrows, tier.mover) == (2, mover));
        assert_eq!(blake3::hash(&bytes).to_hex().as_str(), tier.unwrap().content);
        assert_eq!(told["bytes"], bytes.len());
    }
}

#[test]
fn what_cannot_be_sampled_or_exported_is_refused() {
    let (directory, path) = table("3x3", "2v1", Keep::Odd);
    let out = directory.path().join("bits").to_str().unwrap().to_string();
    let export = |more: &[&str]| {
        let mut command = amazons(&["export", &path, "--out", &out]);
        command.args(more);
        command
    };
    export(&["--arrows", "1"]).assert().code(2).stderr(contains("--mover white"));
    export(&["--arrows", "7", "--mover", "white"]).assert().code(2).stderr(contains("0 to 6"));
    let even = export(&["--arrows", "2", "--mover", "white"]).assert().code(1);
    even.stderr(contains("--keep all"));
    assert!(!directory.path().join("bits").exists());
    amazons(&["sample", "nowhere", "--count", "1"]).assert().code(1);
    let half = directory.path().join("half");
    let half = half.to_str().unwrap();
    let build = ["build", "3x3", "--amazons", "1v1", "--tables", half, "--least-arrows", "4"];
    amazons(&build).assert().success();
    let sample = amazons(&["sample", half, "--count", "1"]).assert().code(1);
    sample.stderr(contains("is unfinished: tiers 0 to 3 are missing"));
    amazons(&["sample", &path, "--count", "1", "--format", "npy"]).assert().code(2);
    let file = directory.path().join("manifest.json");
    amazons(&["sample", file.to_str().unwrap(), "--count", "1"]).assert().code(1);
}
