//! Tables of margins as users build and read them.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;

fn amazons(words: &str, home: &Path) -> Command {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.current_dir(home).args(shlex::split(words).unwrap());
    command
}

/// What a command prints that does what it is asked.
fn printed(words: &str, home: &Path) -> String {
    let assert = amazons(words, home).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[test]
fn margins_are_built_and_told_by_every_command() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path();
    let told = printed("build 3x3 --amazons 1v1 --tables t --margins --check-sample 20 -q", home);
    for line in ["random entries agree", "margins: planes from -", "every margin is known"] {
        assert!(told.contains(line), "{told}");
    }
    let alone = "lookup 'Q*1/**1/1q1 b' --tables t";
    let told = printed(alone, home);
    assert!(told.starts_with("Q*1/**1/1q1 b: win for black, wins by 3\n  wins by 3, "), "{told}");
    let lost = printed("lookup 'Q*1/**1/1q1 w' --tables t", home);
    assert!(lost.starts_with("Q*1/**1/1q1 w: loss for white, loses by 4\n"), "{lost}");
    let info = printed("info t", home);
    assert!(info.contains("wins by 3") && info.contains("loses by 4"), "{info}");
    let counts = printed("info t --csv margins", home);
    let sum: u64 = counts.lines().skip(1).map(count_of).sum();
    assert_eq!(sum, 9216);
    let hashes = printed("info t --csv margin-hashes", home);
    assert!(hashes.lines().any(|line| line.starts_with("3x3,1,1,0,-1,")), "{hashes}");
    assert!(printed("check t", home).contains("all undamaged"));
    assert!(printed("verify t", home).contains("0 wrong"));
    // What a sample leaves out is counted: entries, and of each plane its wins and its hash.
    let whole: serde_json::Value = serde_json::from_str(&printed("verify t --json", home)).unwrap();
    let all = whole["checked"].as_u64().unwrap();
    assert!(whole.get("not_checked").is_none(), "{whole}");
    let planes = fs::read_dir(home.join("t")).unwrap().filter(|entry| {
        entry.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "amz")
    });
    let left_out = all - 500 + 2 * planes.count() as u64;
    let words = format!("500 entries recomputed, 0 wrong, {left_out} not checked");
    let said = printed("verify t --sample 500", home);
    assert!(said.contains(&words), "expected {words}, found {said}");
    let sample = printed("sample t --count 5 --margins", home);
    assert!(sample.starts_with("position,value,threshold\n"), "{sample}");
    assert!(sample.lines().skip(1).all(agrees), "{sample}");
    printed("export t --arrows 3 --plane -2 --out plane", home);
    printed("export t --arrows 3 --out tier", home);
    // Who wins though the other side has two spare moves wins without them.
    let [plane, tier] = ["plane", "tier"].map(|name| fs::read(home.join(name)).unwrap());
    assert!(plane.iter().zip(&tier).all(|(plane, tier)| plane & !tier == 0) && plane != tier);
    for what in ["margins", "sharpness", "wins"] {
        printed(&format!("chart t --of {what} --out {what}.svg"), home);
        assert!(fs::read_to_string(home.join(format!("{what}.svg"))).unwrap().contains("<svg"));
    }
    // Whoever asks what is known of margins is told by it.
    let asked = "solve 'Q*1/**1/1q1 b' --tables t --margin --all-moves --json";
    let solved: serde_json::Value = serde_json::from_str(&printed(asked, home)).unwrap();
    assert_eq!((&solved["threshold"], &solved["nodes"]), (&(-3).into(), &0.into()));
    let margins = solved["margins"].as_array().unwrap();
    assert!(!margins.is_empty() && margins.iter().all(|of| !of["threshold"].is_null()));
    // It is a table.
    let value = "solve 3x3 --amazons 1v1 --tables t --json";
    assert!(printed(value, home).contains("by the table of 3x3 1v1"));
}

/// The last field of a line.
fn count_of(line: &str) -> u64 {
    line.rsplit(',').next().unwrap().parse().unwrap()
}

/// Whether the value of a sampled position is what its threshold says.
fn agrees(line: &str) -> bool {
    let [_, value, threshold] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
    (value == "win") == (threshold.parse::<i16>().unwrap() <= 0)
}

#[test]
fn what_margins_are_not_for_is_wrong_usage() {
    let directory = tempfile::tempdir().unwrap();
    for (words, reason) in [
        ("--margins --rules cowboys", "the rules of cowboys"),
        ("--margins --rules pencil", "the rules of pencil"),
        ("--margins --keep odd", "odd tiers only"),
        ("--margins --keep first", "first tiers only"),
        ("--margins --keep none", "keeps no tiers"),
        ("--margins --least-arrows 2", "--least-arrows"),
        ("--margins --gpu", "--gpu"),
        // A program without MPI refuses it before.
        ("--margins --mpi", if cfg!(feature = "mpi") { "--mpi" } else { "built without MPI" }),
        ("--margins --most 0", "1 to 64"),
        ("--most 3", "--margins"),
    ] {
        let line = format!("build 3x3 --amazons 1v1 --tables t {words}");
        let refused = amazons(&line, directory.path()).assert().code(2);
        refused.stderr(predicate::str::contains(reason));
        assert!(!directory.path().join("t").exists(), "{words}");
    }
}

#[test]
fn planes_that_are_not_there_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path();
    printed("build 3x3 --amazons 1v1 --tables t -q", home);
    for words in [
        "sample t --count 5 --margins",
        "info t --csv margins",
        "chart t --of margins --out c.svg",
        "export t --arrows 3 --plane 1 --out plane",
    ] {
        let refused = amazons(words, home).assert().code(1);
        refused.stderr(predicate::str::contains(
            "`amazons build 3x3 --amazons 1v1 --tables t --margins`",
        ));
    }
    printed("build 3x3 --amazons 1v1 --tables t --margins --most 1 -q", home);
    let told = printed("lookup 'Q*1/**1/1q1 b' --tables t", home);
    assert!(told.contains("wins by 1 or more"), "{told}");
    amazons("sample t --count 5 --margins", home).assert().code(1);
    let refused = amazons("export t --arrows 6 --plane 3 --out plane", home).assert().code(2);
    refused.stderr(predicate::str::contains("every mover wins with 3 spare moves"));
    amazons("export t --arrows 6 --plane 65 --out plane", home).assert().code(2);
    printed("build 3x3 --amazons 1v1 --tables t --margins -q", home);
    fs::remove_file(home.join("t/margins-02.json")).unwrap();
    for words in ["lookup 'Q*1/**1/1q1 b' --tables t", "info t", "verify t", "check t"] {
        let refused = amazons(words, home).assert().code(1);
        refused.stderr(
            predicate::str::contains("planes 2 and -2")
                .and(predicate::str::contains("margins-02.json"))
                .and(predicate::str::contains("--margins`")),
        );
    }
    printed("build 3x3 --amazons 1v1 --tables t --margins -q", home);
    fs::remove_file(home.join("t/tier-00-1v1-plus-01.amz")).unwrap();
    let info = printed("info t", home);
    assert!(info.contains("damaged: tier-00-1v1-plus-01.amz"), "{info}");
    let refused = amazons("check t", home).assert().code(1);
    refused.stderr(predicate::str::contains("tier-00-1v1-plus-01.amz"));
}

#[test]
fn a_damaged_plane_is_named_once_and_those_behind_it_are_not_checked() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path();
    printed("build 3x3 --amazons 1v1 --tables t --margins", home);
    let path = home.join("t/tier-03-1v1-plus-02.amz");
    let whole = fs::read(&path).unwrap();
    let behind = |plane: u32| home.join(format!("t/tier-03-1v1-plus-{plane:02}.amz")).exists();
    let planes = (3..=9).filter(|&plane| behind(plane)).count() as u64;
    assert!(planes > 0);
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    for bytes in [&changed[..], &whole[..10]] {
        fs::write(&path, bytes).unwrap();
        let output = amazons("check t --json", home).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let (mismatches, left) = (&report["mismatches"], &report["not_checked"]);
        assert_eq!((mismatches, left), (&1.into(), &(2 * planes).into()), "{report}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told.matches("error: ").count(), 1, "{told}");
        assert!(told.contains("plus-02.amz") && told.contains("--margins`"), "{told}");
    }
}

#[test]
fn a_build_of_few_planes_tells_of_all_that_are_there() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path();
    let margins = |told: &str| {
        let line = told.lines().find(|line| line.starts_with("margins: ")).unwrap();
        line.to_string()
    };
    let few = printed("build 3x3 --amazons 1v1 --tables 'a table' --margins --most 1", home);
    assert!(margins(&few).contains("larger margins are not known"), "{few}");
    // A command that is told builds what was wanted, wherever the table is.
    fs::write(home.join("a table/tier-03-1v1-plus-01.amz"), "").unwrap();
    let hint = "`amazons build 3x3 --amazons 1v1 --tables 'a table' --margins --most 1`";
    amazons("check 'a table'", home).assert().code(1).stderr(predicate::str::contains(hint));
    fs::remove_file(home.join("a table/tier-03-1v1-plus-01.amz")).unwrap();
    printed(hint.trim_matches('`').trim_start_matches("amazons "), home);
    let all = printed("build 3x3 --amazons 1v1 --tables 'a table' --margins", home);
    assert!(all.contains(" positions of planes ") && !all.contains("9216 positions in"), "{all}");
    let again = printed("build 3x3 --amazons 1v1 --tables 'a table' --margins --most 1", home);
    assert_eq!(margins(&again), margins(&all));
    assert_eq!(margins(&again), margins(&printed("info 'a table'", home)));
}

#[test]
fn lines_of_values_alone_have_margins_too() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path();
    printed("build 3x3 --amazons 1v1 --tables t --margins", home);
    let of_one = printed("lookup 'Q*1/**1/1q1 b' --tables t --values-only --json", home);
    let mut command = amazons("lookup - --tables t --values-only", home);
    // Behind a line that is wrong the others have their own answers.
    let lines = "q2/3/2Q w\nq3/4/3Q w\nQ*1/**1/1q1 b\n";
    let told = command.write_stdin(lines).assert().get_output().stdout.clone();
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let told: Vec<_> = str::from_utf8(&told).unwrap().lines().map(read).collect();
    let (one, line) = (read(&of_one), &told[2]);
    assert!(told.len() == 3 && told[1].get("error").is_some(), "{told:?}");
    for field in ["position", "value", "threshold", "margin", "thresholds"] {
        assert!(one.get(field) == line.get(field) && one.get(field).is_some(), "{field}: {line}");
    }
}

#[test]
fn what_is_advised_where_few_margins_were_wanted_makes_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path();
    printed("build 4x3 --amazons 2v1 --tables t --margins --most 1 -q", home);
    let advised = "build 4x3 --amazons 2v1 --tables t --margins";
    for wanting in ["sample t --count 3 --margins --out s", "chart t --of margins --out c.svg"] {
        let refused = amazons(wanting, home).assert().code(1);
        refused.stderr(predicate::str::contains(format!("`amazons {advised}`")));
    }
    printed(&format!("{advised} -q"), home);
    printed("sample t --count 3 --margins --out s -q", home);
    printed("chart t --of margins --out c.svg -q", home);
}
