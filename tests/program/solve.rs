//! `amazons solve` and `amazons verify CERTIFICATE` from outside.

use std::collections::BTreeSet;

use amazons::game::Outcome;
use amazons::game::board::{Bitboard, Board, SquareIndex};
use amazons::game::naive::NaiveSolver;
use amazons::game::notation::fen;
use amazons::game::rules::{Bitboards, Colour, Position, Rules};
use amazons::proof::{Claim, Writer};
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use amazons_test_support::long::long_tests;

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(["--memory", "200MB", "--threads", "2"]).args(arguments).assert()
}

#[test]
fn json_has_the_promised_fields() {
    let output = amazons(&["solve", "4x4", "--json", "--all-moves", "--method", "proof"])
        .success()
        .get_output()
        .stdout
        .clone();
    let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(report["position"], "1qq1/q2q/Q2Q/1QQ1 w");
    assert_eq!((&report["board"], &report["side_to_move"]), (&"4x4".into(), &"white".into()));
    assert_eq!((&report["value"], &report["winner"]), (&"loss".into(), &"black".into()));
    assert_eq!(
        (&report["method"], &report["best_move"]),
        (&"proof".into(), &serde_json::Value::Null)
    );
    assert_eq!(report["winning_moves"], serde_json::json!([]));
    assert!(report["nodes"].is_u64() && report["seconds"].is_f64());
}

#[test]
fn exactly_one_first_move_and_its_mirror_win_on_5x4() {
    let output =
        amazons(&["solve", "5x4", "--json", "--all-moves"]).success().get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(report["value"], "win");
    assert_eq!(report["winning_moves"].as_array().unwrap().len(), 2, "{report}");
}

#[test]
fn decided_positions_are_answered() {
    for (position, winner) in
        [("Q*2/**2/3q/4 w", "black"), ("Q3/4/4/4 b", "white"), ("Q3/4/4/4 w", "white")]
    {
        amazons(&["solve", position]).success().stdout(contains(format!("{winner} wins")));
    }
}

#[test]
fn who_has_no_move_has_lost() {
    for position in ["Q w", "Q3 b", "*Q**/****/1q2 w"] {
        for more in [&[][..], &["--all-moves"], &["--time", "1h"], &["--threads", "2"]] {
            let output = amazons(&[&["solve", position, "--json"], more].concat()).success();
            let said = String::from_utf8(output.get_output().stdout.clone()).unwrap();
            assert!(said.contains("\"value\":\"loss\""), "{position} {more:?}: {said}");
        }
    }
    amazons(&["solve", "4x4", "--amazons", "0v4"]).success();
}

#[test]
fn a_table_that_is_not_about_the_position_is_told() {
    let tables = tempfile::tempdir().unwrap();
    let at = tables.path().to_str().unwrap();
    let build = ["build", "3x3", "--amazons", "1v1", "--tables", at, "-q"];
    assert_cmd::Command::cargo_bin("amazons").unwrap().args(build).assert().success();
    let told = contains("holds 3x3 1v1");
    amazons(&["solve", "4x4", "--tables", at]).success().stderr(told.clone());
    amazons(&["solve", "4x4", "--tables", at, "-q"]).success().stderr("");
    amazons(&["solve", "3x3", "--amazons", "1v1", "--tables", at]).success().stderr(told.not());
}

#[test]
fn impossible_wishes_are_refused() {
    amazons(&["solve", "10x10"]).code(2).stderr(contains("at most 64"));
    amazons(&["solve", "4/4/4/4 w"]).code(2).stderr(contains("no amazon"));
    for position in [&["4x4"][..], &["-"], &["4x4", "--rules", "killer"], &["4x4", "--margin"]] {
        let no_time = [&["solve", "--time", "0s"], position].concat();
        amazons(&no_time).code(2).stderr(contains("zero"));
    }
    amazons(&["solve", "4x4", "--time", "soon"]).code(2);
    amazons(&["solve", "4x4", "--certificate", "/nowhere/x"])
        .code(1)
        .stderr(contains("/nowhere/x"));
}

#[test]
fn a_limit_gives_status_3_and_a_checkpoint_that_is_taken_up() {
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = directory.path().join("search");
    let checkpoint = checkpoint.to_str().unwrap();
    let arguments = ["solve", "4x5", "--time", "1ms", "--checkpoint", checkpoint];
    amazons(&arguments).code(3).stdout(contains("unknown")).stderr(contains("time is up"));
    let picture = directory.path().join("picture.svg");
    let chart = |source, of| {
        let picture = picture.to_str().unwrap();
        amazons(&["chart", source, "--of", of, "--out", picture])
    };
    chart(checkpoint, "wins").code(2).stderr(contains("is a checkpoint"));
    chart("results/5x5-4v4/counts.csv", "nodes").code(2).stderr(contains("is no checkpoint"));
    chart(checkpoint, "moves").code(1).stderr(contains("without --all-moves"));
    chart("tests/data/checkpoint-2.amzs", "nodes").code(1).stderr(contains("has no history"));
    amazons(&["chart", checkpoint, "--out", picture.to_str().unwrap()]).success();
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.contains("million nodes") && drawn.contains("seconds"), "{drawn}");
    let moves = directory.path().join("moves");
    let moves = moves.to_str().unwrap();
    let all = ["solve", "5x6", "--all-moves", "--time", "200ms", "--checkpoint", moves, "--json"];
    amazons(&all).code(3);
    let told = amazons(&all).code(3).stderr(contains("going on"));
    let told: serde_json::Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
    assert!(told["searched_seconds"].as_f64() > told["seconds"].as_f64(), "{told}");
    chart(moves, "moves").success();
    let drawn = std::fs::read_to_string(&picture).unwrap();
    assert!(drawn.contains("Moves whose value is known, of "), "{drawn}");
    let json = |arguments: &[&str]| -> serde_json::Value {
        let told = amazons(arguments).success();
        serde_json::from_slice(&told.get_output().stdout).unwrap()
    };
    let solved = json(&["solve", "4x5", "--checkpoint", checkpoint, "--json"]);
    assert_eq!((&solved["winner"], &solved["checkpoint"]), (&"black".into(), &checkpoint.into()));
    // At the end of the search it has all of it.
    assert_eq!(json(&["info", checkpoint, "--json"])["nodes"], solved["nodes"]);
    amazons(&["solve", "4x5", "--checkpoint", checkpoint])
        .success()
        .stdout(contains("black wins"))
        .stderr(contains("going on"));
    amazons(&["solve", "5x4", "--checkpoint", checkpoint])
        .code(1)
        .stderr(contains("not a checkpoint"));
}

/// A disk that is full is said whatever `-q` says, and nothing is promised of a file that is not
/// there.
#[test]
#[cfg(target_os = "linux")]
fn a_checkpoint_that_cannot_be_saved_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = directory.path().join("search");
    let name = checkpoint.to_str().unwrap();
    let run = |limit: &str, left: &str| {
        // Files of so many KiB at most, and no signal: writing more fails as on a full disk.
        let limited = format!(
            "trap '' XFSZ; ulimit -f {limit}; exec {} solve 5x6 --threads 1 --memory 60MB --time 300ms --checkpoint {name} -q",
            assert_cmd::cargo::cargo_bin("amazons").display()
        );
        let output = std::process::Command::new("bash").args(["-c", &limited]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("time is up; no checkpoint was saved"), "{said}");
        assert!(said.contains(left) && !said.contains("goes on"), "{said}");
    };
    run("1", "there is none before it");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    amazons(&["solve", "5x6", "--time", "1ms", "--checkpoint", name]).code(3);
    let before = std::fs::read(&checkpoint).unwrap();
    run("1", "the one before it is still there");
    assert_eq!(std::fs::read(&checkpoint).unwrap(), before);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// Moves that are unknown may win: nothing is said of them.
#[test]
fn no_winning_move_is_denied_before_all_are_known() {
    let cut = ["solve", "8x8", "--all-moves", "--time", "1ms"];
    amazons(&cut).code(3).stdout(contains("no winning move known yet\n"));
    amazons(&["solve", "4x4", "--all-moves"]).success().stdout(contains("no winning move\n"));
}

/// What only a search reads or writes is not passed over in silence.
#[test]
fn a_table_alone_takes_no_file_of_a_search() {
    for option in ["--checkpoint", "--certificate", "--digest"] {
        amazons(&["solve", "4x4", "--tables", "t", "--method", "tables", option, "none/x"])
            .code(2)
            .stderr(contains(format!("{option} needs a search")));
    }
}

/// Of two searches with one checkpoint, each would replace what the other has saved.
#[test]
#[cfg(unix)]
fn a_second_search_with_the_checkpoint_of_a_first_is_refused() {
    use std::io::{BufRead, BufReader};
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let checkpoint = at("search");
    amazons(&["solve", "6x6", "--time", "1ms", "--checkpoint", &checkpoint]).code(3);
    let before = std::fs::read(&checkpoint).unwrap();
    let mut first = std::process::Command::new(assert_cmd::cargo::cargo_bin("amazons"))
        .args(["solve", "6x6", "--threads", "1", "--memory", "200MB", "--time", "10m"])
        .args(["--checkpoint", &checkpoint])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // It has the checkpoint when it says that it goes on from it.
    let mut said = String::new();
    BufReader::new(first.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.contains("going on"), "{said}");
    for path in [&checkpoint, &at("./search")] {
        amazons(&["solve", "6x6", "--time", "1ms", "--checkpoint", path])
            .code(1)
            .stderr(contains("another process is at work with the checkpoint"));
    }
    assert_eq!(std::fs::read(&checkpoint).unwrap(), before);
    // Whoever only reads it is not kept out, and what is beside it is no other checkpoint's.
    amazons(&["digest", &checkpoint, "--out", &at("digest"), "--size", "20kB"]).success();
    amazons(&["chart", &checkpoint, "--out", &at("chart.svg")]).success();
    amazons(&["solve", "6x6", "--time", "1ms", "--checkpoint", &at("other")]).code(3);
    first.kill().unwrap();
    first.wait().unwrap();
    amazons(&["solve", "6x6", "--time", "1ms", "--checkpoint", &checkpoint]).code(3);
    let entries = std::fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["chart.svg", "digest", "other", "search"]);
}

/// What a search had found goes on in another one, which says so; whatever is no digest of its
/// board is refused.
#[test]
fn a_search_goes_on_from_the_digest_of_a_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let [checkpoint, digest, proof, other] =
        ["search", "digest", "proof", "other"].map(|name| directory.path().join(name));
    let [checkpoint, digest, proof, other] =
        [&checkpoint, &digest, &proof, &other].map(|path| path.to_str().unwrap());
    // With a certificate to write, what was found is saved at the end of the search.
    let whole = ["solve", "4x5", "--checkpoint", checkpoint, "--certificate", proof];
    amazons(&whole).success();
    let json = amazons(&["digest", checkpoint, "--out", digest, "--size", "20kB", "--json"]);
    let written: serde_json::Value =
        serde_json::from_slice(&json.success().get_output().stdout).unwrap();
    let bytes = std::fs::read(digest).unwrap();
    assert_eq!(written["bytes"], bytes.len());
    assert!(bytes.len() <= 20_000 && written["positions"].as_u64().unwrap() > 0, "{written}");
    assert!(written["position"].as_str().unwrap().ends_with(" w"), "{written}");
    let solve = ["solve", "4x5", "--digest", digest, "--certificate", proof, "--json"];
    let json = amazons(&solve).success().stderr(contains("believing"));
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!((&json["value"], &json["digest"]), (&"loss".into(), &digest.into()));
    assert!(json["nodes"].as_u64().unwrap() < written["nodes"].as_u64().unwrap() / 10, "{json}");
    amazons(&["verify", proof]).success().stdout(contains("proved: black wins"));
    // The answer itself says what it rests on.
    let told = amazons(&["solve", "4x5", "--digest", digest, "-q"]).success();
    told.stdout(format!("black wins, if the values of {digest} hold\n")).stderr("");
    // What goes on from its checkpoint alone rests on the digest too, and says so.
    let resting = directory.path().join("resting");
    let resting = resting.to_str().unwrap();
    amazons(&[&solve[..], &["--checkpoint", resting]].concat()).success();
    let json = amazons(&["solve", "4x5", "--checkpoint", resting, "--json"]).success();
    let json = json.stderr(contains("which rest on a digest"));
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!((&json["value"], &json["digest"]), (&"loss".into(), &resting.into()));
    amazons(&["solve", "4x5", "--checkpoint", resting, "-q"])
        .success()
        .stdout(format!("black wins, if the values of {resting} hold\n"));
    amazons(&["info", resting]).success().stdout(contains("rest on a digest"));
    amazons(&["info", checkpoint]).success().stdout(contains("rest on a digest").not());
    amazons(&["solve", "5x4", "--digest", digest]).code(1).stderr(contains("4x5"));
    amazons(&["solve", "4x5", "--digest", checkpoint])
        .code(1)
        .stderr(contains(format!("{checkpoint} is a checkpoint, expected a digest")));
    amazons(&["solve", "4x5", "--digest", other]).code(1).stderr(contains(other));
    std::fs::write(other, &bytes[..bytes.len() - 1]).unwrap();
    amazons(&["solve", "4x5", "--digest", other]).code(1).stderr(contains("damaged"));
    // A digest takes the place of a checkpoint, too.
    let small = directory.path().join("small");
    let small = small.to_str().unwrap();
    let smaller = ["digest", digest, "--out", small, "--size", "1kB"];
    amazons(&smaller).success().stdout(contains(" of 4x5 after "));
    assert!(std::fs::metadata(small).unwrap().len() <= 1000);
    amazons(&["solve", "4x5", "--digest", small]).success().stdout(contains("black wins"));
    let large = ["digest", checkpoint, "--out", other, "--size", "1GB"];
    amazons(&large).code(2).stderr(contains("--memory"));
    amazons(&["digest", checkpoint, "--out", other, "--size", "80B"]).code(2);
    assert_eq!(std::fs::read(other).unwrap().len(), bytes.len() - 1);
}

#[test]
fn a_certificate_is_written_and_verified() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("proof");
    let name = path.to_str().unwrap();
    amazons(&["solve", "5x4", "--certificate", name]).success().stdout(contains("white wins"));
    amazons(&["verify", name]).success().stdout(contains("proved: white wins"));
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    amazons(&["verify", name]).code(1).stderr(contains(name));
}

#[test]
fn a_certificate_that_proves_nothing_is_refused_with_the_position() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let position = Position::start("5x4".parse().unwrap()).unwrap();
    let claim = Claim { position, outcome: Outcome::Win, leaf: 5, walls: false };
    Writer::new(file.as_file(), &claim).unwrap().finish().unwrap();
    let words = "a position is not shown to be won for its side to move: 1q1q1/q3q/Q3Q/1Q1Q1 w\n";
    amazons(&["verify", path]).code(1).stderr(contains(format!("{path}: {words}")));
}

#[test]
fn a_certificate_with_the_wall_rule_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("proof");
    let name = path.to_str().unwrap();
    amazons(&["solve", "5x4", "--certificate", name, "--walls"])
        .success()
        .stdout(contains("white wins"));
    amazons(&["verify", name, "--quiet"])
        .success()
        .stdout(contains("proved, with the wall rule: white wins"));
    let json = amazons(&["verify", name, "--json"]).success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!((&json["winner"], &json["rule"]), (&"white".into(), &"walls".into()));
    assert_eq!(json["position"], "1q1q1/q3q/Q3Q/1Q1Q1 w");
    amazons(&["solve", "5x4", "--walls"]).code(2).stderr(contains("--certificate"));
}

#[test]
fn a_certificate_leaves_to_negamax_what_it_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("proof");
    let name = path.to_str().unwrap();
    let mut sizes = Vec::new();
    let leaves: [(&[&str], u8); 5] = [
        (&["--leaf", "5"], 5),
        (&[], 9),
        (&["--leaf", "10"], 10),
        (&["--walls", "--leaf", "5"], 5),
        (&["--walls"], 11),
    ];
    for (options, leaf) in leaves {
        amazons(&[&["solve", "5x4", "--certificate", name], options].concat()).success();
        let json = amazons(&["info", name, "--json"]).success();
        let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
        assert_eq!(json["leaf"], leaf);
        amazons(&["verify", name]).success().stdout(contains("white wins"));
        sizes.push(std::fs::metadata(&path).unwrap().len());
    }
    // With the wall rule nothing is listed here.
    assert!(sizes[..3].is_sorted_by(|one, other| one > other), "{sizes:?}");
    amazons(&["solve", "5x4", "--certificate", name, "--leaf", "13"])
        .code(2)
        .stderr(contains("from 0 to 12"));
    amazons(&["solve", "5x4", "--leaf", "5"]).code(2).stderr(contains("--certificate"));
}

#[test]
fn a_certificate_is_verified_in_parts() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/results/proofs/4x7.proof");
    let bytes = std::fs::read(file).unwrap();
    let hash: String = bytes[bytes.len() - 32..].iter().map(|byte| format!("{byte:02x}")).collect();
    let mut positions = 0;
    for part in ["1/3", "2/3", "3/3"] {
        let report = amazons(&["verify", file, "--part", part, "--json"]).success();
        let report: serde_json::Value =
            serde_json::from_slice(&report.get_output().stdout).unwrap();
        assert_eq!((&report["part"], &report["hash"]), (&part.into(), &hash[..].into()));
        assert_eq!(report["claims"]["winner"], "white");
        // A part alone proves nothing.
        assert_eq!((report.get("winner"), report.get("position")), (None, None));
        positions += report["checked"].as_u64().unwrap();
    }
    assert_eq!(positions, 11_463);
    amazons(&["verify", file, "--part", "2/3"]).success().stdout(
        contains(format!("part 2/3 holds of the file that ends with the hash {hash}"))
            .and(contains("if all 3 parts of it do: proved, with the wall rule: white wins")),
    );
    for wrong in ["0/3", "4/3", "3", "1/0", "-1/3", "a/b"] {
        amazons(&["verify", file, &format!("--part={wrong}")]).code(2).stderr(contains("K/N"));
    }
    amazons(&["verify", file, "--sample", "3"]).code(2).stderr(contains("--sample is for tables"));
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    amazons(&["verify", results, "--part", "1/2"])
        .code(2)
        .stderr(contains("--part is for certificates").and(contains("results is none")));
}

#[test]
fn a_certificate_of_another_game_is_verified_in_parts() {
    let proofs = concat!(env!("CARGO_MANIFEST_DIR"), "/results/variants/proofs");
    let file = &format!("{proofs}/cowboys-4x5-2v2.proof");
    let verify = |more: &[&str]| {
        let report = amazons(&[&["verify", file, "--json"], more].concat()).success();
        serde_json::from_slice::<serde_json::Value>(&report.get_output().stdout).unwrap()
    };
    let whole = verify(&[]);
    let parts = ["1/3", "2/3", "3/3"].map(|part| verify(&["--part", part]));
    let checked = |report: &serde_json::Value| report["checked"].as_u64().unwrap();
    assert!(parts.iter().all(|part| checked(part) > 0));
    assert_eq!(parts.iter().map(checked).sum::<u64>(), checked(&whole));
    for part in &parts {
        assert_eq!(part["hash"], parts[0]["hash"]);
        assert_eq!((part.get("winner"), part.get("position")), (None, None));
        for claimed in ["position", "winner", "rules"] {
            assert_eq!(part["claims"][claimed], whole[claimed]);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_search_killed_at_any_moment_goes_on_from_a_whole_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = directory.path().join("search");
    let checkpoint = checkpoint.to_str().unwrap();
    // Whether much is written, under the checkpoint's name or the one that comes before it. In the
    // beginning the program tries whether it can write there at all.
    let is_written = || {
        let mut files = std::fs::read_dir(directory.path()).unwrap();
        files.any(|file| file.unwrap().metadata().is_ok_and(|file| file.len() > 1 << 12))
    };
    for pause in [0, 1, 2, 5, 10, 20] {
        for file in std::fs::read_dir(directory.path()).unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("amazons"))
            .args(["solve", "6x6", "--threads", "1", "--memory", "200MB", "--time", "200ms"])
            .args(["--checkpoint", checkpoint])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while !is_written() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        std::thread::sleep(std::time::Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(is_written(), "killed before a checkpoint was begun");
        // Whatever there is under the name is taken up: status 1 would say that it is not whole.
        let status = amazons(&["solve", "6x6", "--time", "1ms", "--checkpoint", checkpoint]);
        assert_eq!(status.get_output().status.code(), Some(3), "{:?}", status.get_output());
    }
}

#[test]
fn a_checkpoint_has_a_name() {
    for name in [".", ".."] {
        amazons(&["solve", "6x6", "--time", "1ms", "--checkpoint", name])
            .code(1)
            .stdout("")
            .stderr(contains("the name is none of a file"));
    }
}

/// When the time is up, all moves are told as far as they are known; the checkpoint keeps them.
#[test]
fn moves_that_are_known_are_told_when_the_time_is_up() {
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = directory.path().join("search");
    let (mut won, mut unknown) = (BTreeSet::new(), None::<BTreeSet<String>>);
    // Whatever each run has time for, it goes on from the one before.
    for milliseconds in (0..).map(|round| 1u64 << round) {
        let time = format!("{milliseconds}ms");
        let arguments = ["solve", "5x4", "--all-moves", "--json", "--time", &time, "--checkpoint"];
        let mut arguments = arguments.to_vec();
        arguments.push(checkpoint.to_str().unwrap());
        let run = std::process::Command::new(assert_cmd::cargo::cargo_bin("amazons"))
            .args(&arguments)
            .output()
            .unwrap();
        let report: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        let moves = |field: &str| -> BTreeSet<String> {
            let moves = report[field].as_array().unwrap().iter();
            moves.map(|played| played.as_str().unwrap().to_string()).collect()
        };
        assert!(moves("winning_moves").is_superset(&won));
        assert!(unknown.is_none_or(|unknown| unknown.is_superset(&moves("unknown_moves"))));
        (won, unknown) = (moves("winning_moves"), Some(moves("unknown_moves")));
        if run.status.success() {
            break;
        }
        assert_eq!(run.status.code(), Some(3));
        assert!(String::from_utf8_lossy(&run.stderr).contains("time is up"));
    }
    assert_eq!(won, ["b1-b2/d2", "d1-d2/b2"].map(String::from).into());
    assert_eq!(unknown, Some(BTreeSet::new()));
}

/// The end of the terminal stops a search, unless the program was started to outlive it.
#[test]
#[cfg(unix)]
fn a_search_outlives_its_terminal_under_nohup() {
    use std::io::{BufRead, BufReader, Read};
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = directory.path().join("search");
    let checkpoint = checkpoint.to_str().unwrap();
    amazons(&["solve", "6x6", "--memory", "200MB", "--time", "1ms", "--checkpoint", checkpoint])
        .code(3);
    let cases = [("trap '' HUP", "100ms", "time is up"), (":", "1m", "interrupted")];
    // Under nohup a hangup ends no process, and none that it starts can change that. So if the
    // tests themselves run under nohup, the second case cannot be made.
    let mut hangup = std::process::Command::new("sh");
    let under_nohup = hangup.args(["-c", "kill -HUP $$"]).status().unwrap().success();
    for (trap, time, expected) in cases.into_iter().take(if under_nohup { 1 } else { 2 }) {
        let search =
            format!("{trap}; exec \"$0\" solve 6x6 --memory 200MB --time {time} --checkpoint $1");
        let mut child = std::process::Command::new("sh")
            .args(["-c", &search])
            .arg(assert_cmd::cargo::cargo_bin("amazons"))
            .arg(checkpoint)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // The program says that it goes on when it is ready for signals.
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        stderr.read_line(&mut said).unwrap();
        assert!(said.contains("going on"), "{trap}: {said}");
        std::process::Command::new("kill")
            .args(["-HUP", &child.id().to_string()])
            .status()
            .unwrap();
        stderr.read_to_string(&mut said).unwrap();
        let status = child.wait().unwrap();
        assert!(status.code() == Some(3) && said.contains(expected), "{trap}: {said}");
    }
}

/// A table answers the search on its own board, either way round, and on no other of as many
/// squares.
#[test]
fn a_table_helps_the_proof_of_the_boards_it_is_about() {
    let directory = tempfile::tempdir().unwrap();
    for (built, board) in
        [("3x5", "3x5"), ("3x5", "5x3"), ("3x4", "4x3"), ("3x4", "2x6"), ("3x4", "6x2")]
    {
        let tables = directory.path().join(built);
        let tables = tables.to_str().unwrap();
        amazons(&["build", built, "--amazons", "2v2", "--tables", tables]).success();
        let board: Board = board.parse().unwrap();
        let mut naive = NaiveSolver::new(Rules::new(board).unwrap());
        let seeds = if long_tests() { 0..6 } else { 1..2 };
        for seed in seeds {
            let position = scattered(board, seed);
            let fen = fen(&Position::new(board, &position, Colour::White).unwrap());
            let winner =
                if naive.outcome(&position).is_win() { "white wins" } else { "black wins" };
            let proof = directory.path().join("proof");
            let proof = proof.to_str().unwrap();
            let arguments = ["solve", &fen, "--tables", tables, "--certificate", proof];
            amazons(&arguments).success().stdout(contains(winner));
            amazons(&["verify", proof]).success();
        }
    }
}

/// Two amazons a side and an arrow or two somewhere.
fn scattered(board: Board, seed: u64) -> Bitboards {
    let mut squares: Vec<SquareIndex> = board.all::<u64>().iter().collect();
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut take = |count: usize| -> Bitboard {
        let mut one = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            squares.swap_remove((random >> 33) as usize % squares.len())
        };
        (0..count).map(|_| one()).collect()
    };
    Bitboards { mover: take(2), opponent: take(2), arrows: take(seed as usize % 2) }
}
