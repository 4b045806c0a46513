//! What `lookup`, `info`, `check` and `verify` print, and how they fail.

use std::fs;
use std::path::Path;

use amazons::game::Outcome;
use amazons::game::rules::{Position, start_with};
use amazons::proof::{Claim, Writer};
use amazons::tables::format::Keep;
use predicates::prelude::*;
use serde_json::Value;

use amazons_test_support::tables::build;

use crate::{amazons, json};

fn table() -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 500);
    let path = directory.path().to_str().unwrap().to_string();
    (directory, path)
}

#[test]
fn lookup_gives_the_value_and_every_move() {
    let (_directory, path) = table();
    let report = json(&["lookup", "q2/3/2Q w", "--tables", &path]);
    assert_eq!((&report["position"], &report["value"]), (&"q2/3/2Q w".into(), &"win".into()));
    let moves = report["moves"].as_array().unwrap();
    assert!(!moves.is_empty() && moves.iter().any(|m| m["value"] == "win"));
    let lost = json(&["lookup", "q*1/**1/2Q b", "--tables", &path]);
    assert_eq!((&lost["value"], lost["moves"].as_array().unwrap().len()), (&"loss".into(), 0));
}

#[test]
fn lookup_refuses_other_games() {
    let (_directory, path) = table();
    for (position, reason) in
        [("4x4", "holds 3x3 1v1"), ("qq1/3/2Q w", "holds 3x3 1v1"), ("q2/3/2Z w", "Z")]
    {
        let refused = amazons(&["lookup", position, "--tables", &path]).assert().code(2);
        refused.stderr(predicate::str::contains(reason));
    }
    let nowhere = amazons(&["lookup", "4x4", "--tables", "no/such/table"]).assert().code(1);
    nowhere.stderr("error: no/such/table does not exist\n");
}

#[test]
fn a_table_that_keeps_nothing_says_so_and_answers_the_first_moves() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let build = ["build", "3x3", "--amazons", "1v1", "--tables", path, "--keep", "none"];
    amazons(&build).assert().success();
    amazons(&["info", path]).assert().success().stdout(predicate::str::contains("no tiers kept"));
    let start = ["3x3", "--amazons", "1v1", "--tables"];
    for command in [&["lookup"], &["solve"]] {
        let refused = amazons(&[&command[..], &start, &[path]].concat()).assert().code(1);
        refused.stderr(predicate::str::contains("keeps counts and hashes alone"));
    }
    for command in ["check", "verify"] {
        let refused = amazons(&[command, path]).assert().code(1);
        refused.stderr(predicate::str::contains("keeps counts and hashes alone"));
    }
    let opening = directory.path().join("opening.amz");
    let whole = std::fs::read(&opening).unwrap();
    for damaged in [&b""[..], &whole[..whole.len() - 1]] {
        std::fs::write(&opening, damaged).unwrap();
        let told = predicate::str::contains("opening.amz is made again");
        amazons(&build).assert().success().stderr(told);
        assert_eq!(std::fs::read(&opening).unwrap(), whole);
    }
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/results/5x5-4v4/opening-5x5.amz");
    std::fs::copy(other, &opening).unwrap();
    let told = predicate::str::contains("the opening table of another start, 5x5 4v4");
    amazons(&build).assert().code(2).stderr(told);
    assert_eq!(std::fs::read(&opening).unwrap(), std::fs::read(other).unwrap());
    std::fs::write(&opening, &whole).unwrap();
    let report = json(&[&["lookup"], &start[..], &[opening.to_str().unwrap()]].concat());
    let first = start_with("3x3".parse().unwrap(), "1v1".parse().unwrap()).unwrap();
    assert_eq!(report["moves"].as_array().unwrap().len(), first.moves().len());
    let plan = |keep| json(&["plan", "3x3", "--amazons", "1v1", "--keep", keep]);
    let [all, none] = ["all", "none"].map(plan);
    assert_eq!(all["bytes_kept"], all["bytes_expected"]);
    assert_eq!(none["bytes_kept"], 0);
    assert!(none["bytes_peak"].as_u64() < all["bytes_peak"].as_u64());
}

/// What is planned is what `build` wants.
#[test]
fn a_plan_says_what_a_build_wants() {
    let plan = ["plan", "5x4", "--amazons", "2v1", "--threads", "2"];
    let least = json(&plan)["memory_least"].as_u64().unwrap();
    let words = format!("memory  at least {:.2} MB, as `build` wants, ", least as f64 / 1e6);
    amazons(&plan).assert().success().stdout(predicate::str::contains(words));
    let directory = tempfile::tempdir().unwrap();
    let build = ["build", "5x4", "--amazons", "2v1", "--threads", "2", "--tables"];
    let mut build = amazons(&build);
    build.arg(directory.path()).args(["--memory", &format!("{}B", least - 1)]);
    let words = format!("needs at least {}MB in all", least.div_ceil(1_000_000));
    build.assert().code(2).stderr(predicate::str::contains(words));
}

#[test]
fn info_has_the_golden_counts() {
    let (_directory, path) = table();
    let report = json(&["info", &path]);
    assert_eq!((&report["board"], &report["amazons"]), (&"3x3".into(), &"1v1".into()));
    assert_eq!(report["positions"], 72 + 504 + 1512 + 2520 + 2520 + 1512 + 504 + 72);
    let tier = &report["tiers"][1];
    assert_eq!(
        (&tier["arrows"], &tier["wins"], &tier["stored"]),
        (&1.into(), &336.into(), &true.into())
    );
    amazons(&["info", &path]).assert().success().stdout(predicate::str::contains("1988"));
}

#[test]
fn check_and_verify_accept_and_refuse() {
    let (directory, path) = table();
    assert_eq!(json(&["check", &path])["mismatches"], 0);
    assert_eq!(json(&["verify", &path])["mismatches"], 0);
    assert_eq!(json(&["verify", &path, "--sample", "1000"])["checked"], 1000);
    let file = directory.path().join("tier-03-1v1.amz");
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let said = || {
        predicate::str::contains("tier-03-1v1.amz")
            .and(predicate::str::contains("amazons build 3x3"))
    };
    amazons(&["check", &path]).assert().code(1).stderr(said());
    amazons(&["verify", &path]).assert().code(1).stderr(said());
    std::fs::remove_file(Path::new(&path).join("manifest.json")).unwrap();
    for command in ["check", "verify", "info"] {
        let refused = amazons(&[command, &path]).assert().code(1);
        refused.stderr(predicate::str::contains("manifest.json"));
    }
}

/// The command that builds a table of 3x3 1v1 or goes on with it.
fn building(path: &str) -> Vec<&str> {
    vec!["build", "3x3", "--amazons", "1v1", "--tables", path]
}

/// A table of which tiers 0 to 3 are missing.
fn unfinished(keep: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap().to_string();
    amazons(&building(&path)).args(["--keep", keep, "--least-arrows", "4"]).assert().success();
    (directory, path)
}

#[test]
fn a_tier_that_is_not_there_yet_is_not_exported() {
    let (directory, path) = unfinished("all");
    let out = directory.path().join("bits");
    let export = |arrows| {
        let mut command = amazons(&["export", &path, "--arrows", arrows]);
        command.arg("--out").arg(&out);
        command.assert()
    };
    let build = format!("`amazons {}`", building(&path).join(" "));
    export("0").code(1).stderr(format!(
        "error: {path} does not hold 3x3 1v1 with 0 arrows; run {build} to make it\n"
    ));
    assert!(!out.exists());
    export("4").success();
}

#[test]
fn an_unfinished_table_says_so_and_how_it_goes_on() {
    let (_directory, path) = unfinished("all");
    let build = format!("`amazons {}`", building(&path).join(" "));
    let line = format!("unfinished: tiers 0 to 3 are missing; {build} goes on\n");
    for command in [&["info"][..], &["check"], &["verify"], &["verify", "--sample", "9"]] {
        let arguments = [command, &[path.as_str()]].concat();
        amazons(&arguments).assert().success().stdout(predicate::str::contains(line.as_str()));
        let report = json(&arguments);
        assert_eq!(report["finished"], false, "{command:?}");
        assert_eq!(report["missing"], serde_json::json!([0, 1, 2, 3]), "{command:?}");
    }
    let said = amazons(&["info", &path]).assert();
    said.stdout(predicate::str::starts_with("3x3 1v1, all tiers to be kept\n"));
    let again = amazons(&building(&path)).args(["--least-arrows", "2"]).assert().success();
    again.stdout(predicate::str::contains("unfinished: tiers 0 to 1 are missing"));
    amazons(&building(&path)).assert().success();
    for command in ["info", "check", "verify"] {
        let said = amazons(&[command, &path]).assert().success();
        said.stdout(predicate::str::contains("unfinished").not());
        let report = json(&[command, &path]);
        assert_eq!(report["finished"], true, "{command}");
        assert_eq!(report["missing"], serde_json::json!([]), "{command}");
    }
}

#[test]
fn an_unfinished_table_that_keeps_nothing_names_no_file_that_is_not_there() {
    let (directory, path) = unfinished("none");
    let build = format!("`amazons {}`", building(&path).join(" "));
    let out = directory.path().join("out").to_str().unwrap().to_string();
    let all_say = |missing: &str| {
        let error = format!("error: {path} is unfinished: {missing}; {build} goes on\n");
        for command in [
            &["check", &path][..],
            &["verify", &path],
            &["lookup", "3x3", "--amazons", "1v1", "--tables", &path],
            &["sample", &path, "--count", "1"],
            &["export", &path, "--arrows", "5", "--out", &out],
        ] {
            amazons(command).assert().code(1).stderr(error.clone());
        }
        let line = format!("unfinished: {missing}; {build} goes on\n");
        amazons(&["info", &path]).assert().success().stdout(predicate::str::contains(line));
    };
    all_say("tiers 0 to 3 are missing");
    // The command that they name keeps what the table was to keep.
    amazons(&building(&path)).assert().success();
    let opening = directory.path().join("opening.amz");
    amazons(&["check", &path]).assert().code(1).stderr(predicate::str::contains("opening.amz"));
    std::fs::remove_file(&opening).unwrap();
    all_say("its opening table is missing");
    amazons(&building(&path)).assert().success();
    assert!(opening.exists());
}

#[test]
fn a_game_without_a_start_has_no_opening_table_to_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let build = ["build", "3x3", "--amazons", "4v4", "--tables", path, "--keep", "none"];
    amazons(&build).assert().success();
    assert_eq!(json(&["info", path])["finished"], true);
    let said = amazons(&["check", path]).assert().code(1);
    said.stderr(
        predicate::str::contains("keeps counts and hashes alone: a table that")
            .and(predicate::str::contains("opening.amz").not()),
    );
}

#[test]
fn info_does_not_count_files_that_are_not_whole() {
    let (directory, path) = table();
    let all = json(&["info", &path]);
    assert_eq!(all["damaged"], Value::Null);
    let (cut, lost) =
        (directory.path().join("tier-03-1v1.amz"), directory.path().join("tier-05-1v1.amz"));
    std::fs::OpenOptions::new().write(true).open(&cut).unwrap().set_len(100).unwrap();
    std::fs::remove_file(&lost).unwrap();
    let bytes = |arrows: usize| all["tiers"][arrows]["bytes"].as_u64().unwrap();
    let report = json(&["info", &path]);
    assert_eq!(report["bytes"], all["bytes"].as_u64().unwrap() - bytes(3) - bytes(5));
    let stored: Vec<_> = (0..8).map(|arrows| &report["tiers"][arrows]["stored"]).collect();
    assert_eq!(stored, [true, true, true, false, true, false, true, true]);
    let damaged = serde_json::json!([
        {"file": "tier-03-1v1.amz", "expected": bytes(3), "found": 100},
        {"file": "tier-05-1v1.amz", "expected": bytes(5), "found": null},
    ]);
    assert_eq!(report["damaged"], damaged);
    let build = format!("`amazons {}`", building(&path).join(" "));
    let line = format!(
        "damaged: tier-03-1v1.amz has {} bytes by the manifest, found 100 bytes; {build} solves \
         the tier again\n",
        bytes(3)
    );
    amazons(&["info", &path]).assert().success().stdout(predicate::str::contains(line));
    std::fs::create_dir(&lost).unwrap();
    let said = predicate::str::contains("not a regular file; remove it, and `amazons build");
    amazons(&["info", &path]).assert().success().stdout(said);
    std::fs::remove_dir(&lost).unwrap();
    amazons(&building(&path)).assert().success();
    assert_eq!(json(&["info", &path])["damaged"], Value::Null);
}

#[test]
fn a_damaged_manifest_costs_no_tier() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    amazons(&building(path)).assert().success();
    let expected = json(&["info", path])["tiers"].clone();
    let manifest = directory.path().join("manifest.json");
    let whole = std::fs::read(&manifest).unwrap();
    let build = format!("run `amazons {}`", building(path).join(" "));
    let words = "restore it, or delete manifest.json and run";
    for bytes in [Vec::new(), whole[1..].to_vec(), whole.repeat(9999)] {
        std::fs::write(&manifest, bytes).unwrap();
        for command in [&["check", path][..], &["info", path], &building(path)] {
            let said = predicate::str::contains(words)
                .and(predicate::str::contains(build.as_str()))
                .and(predicate::str::contains("delete the directory").not());
            amazons(command).assert().code(1).stderr(said);
        }
    }
    std::fs::remove_file(&manifest).unwrap();
    let lost = amazons(&["check", path]).assert().code(1);
    lost.stderr(predicate::str::contains(build.as_str()));
    let built = amazons(&building(path)).assert().success();
    let said = predicate::str::contains("3x3 1v1: 9216 positions were taken up in")
        .and(predicate::str::contains("positions/s").not());
    built.stdout(said);
    assert_eq!(json(&["info", path])["tiers"], expected);
    // Where one tier is not whole, the others are taken up all the same.
    std::fs::remove_file(&manifest).unwrap();
    std::fs::write(directory.path().join("tier-02-1v1.amz"), "").unwrap();
    let built = amazons(&building(path)).assert().success();
    let said = "3x3 1v1: 1512 positions solved and 7704 taken up in";
    built.stdout(predicate::str::contains(said));
    // Without any tier there is nothing to take up.
    std::fs::write(&manifest, "").unwrap();
    for file in std::fs::read_dir(path).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "amz") {
            std::fs::remove_file(file).unwrap();
        }
    }
    let nothing = amazons(&["check", path]).assert().code(1);
    nothing.stderr(predicate::str::contains("delete manifest.json and build the table again"));
}

#[test]
fn a_certificate_says_how_its_winner_plays() {
    let proof = concat!(env!("CARGO_MANIFEST_DIR"), "/results/proofs/4x8.proof");
    let ask = |words: &[&str]| json(&[&["lookup"], words, &["--certificate", proof]].concat());
    let won = ask(&["4x8"]);
    assert_eq!(won["value"], "win");
    assert_eq!(won["moves"].to_string(), r#"[{"move":"b1-b6/c6","value":"win"}]"#);
    // Each answer is the move of the position after it, which the file lists too.
    let lost = ask(&["4x8", "b1-b6/c6"]);
    assert_eq!((&lost["value"], lost["moves"].as_array().unwrap().len()), (&"loss".into(), 151));
    let (played, answer) = (&lost["moves"][20]["move"], &lost["moves"][20]["answer"]);
    let after = ask(&["4x8", "b1-b6/c6", played.as_str().unwrap()]);
    assert_eq!((&after["value"], &after["moves"][0]["move"]), (&"win".into(), answer));
    let only = ask(&["4x8", "--values-only"]);
    assert!(only["value"] == "win" && only.get("moves").is_none());

    let lookup = |words: &[&str]| amazons(&[&["lookup"], words].concat()).assert();
    let told = lookup(&["4x8", "4x8", "b1-b6/c6", "--certificate", proof]);
    let told = String::from_utf8(told.success().get_output().stdout.clone()).unwrap();
    let told: Vec<&str> = told.lines().collect();
    assert!(told[0].ends_with("/1QQ1 w: win for white, by the certificate"), "{}", told[0]);
    assert_eq!((told[1], told.len()), ("  b1-b6/c6 wins", 4 + 151));
    for (words, code, expected) in [
        (&["4x8", "b1-b6/c5"][..], 2, "4x8.proof: the certificate says nothing of "),
        (&["4x7"], 2, "4x8.proof: the position is on 4x7, expected one on 4x8"),
        (&["4x8", "--rules", "cowboys"], 2, "--certificate is for the rules of amazons"),
        (&["4x8", "--tables", "t"], 2, "cannot be used with"),
    ] {
        let refused = lookup(&[words, &["--certificate", proof]].concat()).code(code);
        refused.stderr(predicates::str::contains(expected));
    }
    let variant = proof.replace("proofs/4x8", "variants/proofs/cowboys-3x4-1v1");
    for (file, expected) in [
        ("no/such/file", "no/such/file does not exist"),
        (variant.as_str(), "is a certificate of another game, expected one of Amazons"),
    ] {
        let refused = lookup(&["4x8", "--certificate", file]).code(1);
        refused.stderr(predicates::str::contains(expected));
    }
}

#[test]
fn where_the_wall_rule_wins_no_move_is_named() {
    // An empty list: all that is said is what the rule decides.
    let file = tempfile::NamedTempFile::new().unwrap();
    let position: Position = "*1Q*Q1/*Q1**1/*q*1q* b".parse().unwrap();
    let claim = Claim { position, outcome: Outcome::Win, leaf: 0, walls: true };
    Writer::new(file.as_file(), &claim).unwrap().finish().unwrap();
    let path = file.path().to_str().unwrap();
    let lookup = |position: &str, more: &[&str]| {
        let asked = [&["lookup", position, "--certificate", path], more].concat();
        let told = amazons(&asked).assert().success();
        String::from_utf8(told.get_output().stdout.clone()).unwrap()
    };
    let won = lookup("*1Q*Q1/*Q1**1/*q*1q* b", &[]);
    let expected = "win for black, by the wall rule\n  the wall rule names no move\n";
    assert!(won.ends_with(expected), "{won}");
    let won = lookup("*1Q*Q1/*Q1**1/*q*1q* b", &["--json"]);
    assert!(
        won.trim_end().ends_with(r#""value":"win","basis":"by the wall rule","moves":null}"#),
        "{won}"
    );
    let lost = lookup("1Q1*QQ/1*1Qqq/*q1**1 b", &[]);
    assert!(lost.contains("\n  b1-a2/a3 by the wall rule\n"), "{lost}");
    // A file that says nothing of its own position is at fault, not who asks.
    let claim = Claim { position: Position::start("4x4".parse().unwrap()).unwrap(), ..claim };
    Writer::new(fs::File::create(path).unwrap(), &claim).unwrap().finish().unwrap();
    let refused = amazons(&["lookup", "4x4", "--certificate", path]).assert().code(1);
    refused.stderr(predicates::str::contains("`amazons verify "));
}
