//! No command writes over what it reads.

use std::fs;

use assert_cmd::Command;
use predicates::str::contains;

use amazons_test_support::opening::{Ground, START};

#[test]
fn an_output_that_is_an_input_is_refused_and_stays() {
    let ground = Ground::build();
    let at = |name: &str| ground.directory.path().join(name).to_str().unwrap().to_string();
    let (tables, manifest, again) = (&at("."), &at("manifest.json"), &at("./manifest.json"));
    let [checkpoint, opening, proof, game] =
        &["search", "opening.amz", "proof", "game.sgf"].map(at);
    fs::copy("tests/data/checkpoint-2.amzs", checkpoint).unwrap();
    fs::write(opening, ground.written()).unwrap();
    fs::write(proof, b"a certificate").unwrap();
    fs::write(game, b"(;FF[4]GM[18]SZ[4])").unwrap();
    let before =
        || [checkpoint, manifest, opening, proof, game].map(|path| fs::read(path).unwrap());
    let (kept, missing) = (before(), &at("missing"));
    for arguments in [
        &["digest", checkpoint, "--out", checkpoint][..],
        &["chart", checkpoint, "--out", checkpoint],
        &["chart", tables, "--out", again],
        &["export", tables, "--arrows", "1", "--out", manifest],
        &["sample", tables, "--count", "1", "--out", manifest],
        &["sums", tables, "--out", manifest],
        &["opening", START, "--tables", tables, "--out", manifest],
        &["opening", START, "--tables", opening, "--plies", "1", "--out", opening],
        &["merge", START, "--from", proof, "--out", proof],
        &["annotate", game, "--out", game],
        &["annotate", game, "--svg", game],
        &["convert", game, "--out", game],
        &["play", "4x4", "--tables", opening, "--save", opening],
        &["annotate", game, "--tables", tables, opening, "--svg", opening],
        &["annotate", game, "--out", missing, "--svg", missing],
        &["solve", "4x4", "--tables", opening, "--certificate", opening],
        &["solve", "4x4", "--tables", tables, "--checkpoint", again],
        &["solve", "4x5", "--digest", checkpoint, "--checkpoint", checkpoint],
        &["solve", "4x5", "--checkpoint", checkpoint, "--certificate", checkpoint],
        &["solve", "4x4", "--checkpoint", missing, "--certificate", missing],
    ] {
        let refused = Command::cargo_bin("amazons").unwrap().args(arguments).assert();
        refused.code(2).stdout("").stderr(contains("which is the same file; name another"));
        assert_eq!(before(), kept, "{arguments:?}");
    }
    assert!(!fs::exists(missing).unwrap());
}
