//! `--rules` and `--turns`.

use amazons::game::variants::naive::NaiveVariantSolver;
use amazons::game::variants::{RuleSet, VariantPosition, VariantRules, variant_fen};
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(["--memory", "200MB", "--threads", "2"]).args(arguments).assert()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = amazons(&[arguments, &["--json"]].concat()).success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn every_game_is_solved_on_small_boards() {
    for (rules, winner) in [("cowboys", "black"), ("pencil", "white"), ("134", "black")] {
        let report = json(&["solve", "4x4", "--rules", rules, "--all-moves"]);
        assert_eq!((&report["rules"], &report["winner"]), (&rules.into(), &winner.into()));
        let wins = report["winning_moves"].as_array().unwrap();
        assert_eq!(wins.is_empty(), winner == "black", "{rules}");
        assert_eq!(report["unknown_moves"], serde_json::json!([]));
        assert_eq!(report["best_move"].is_null(), wins.is_empty());
    }
    for rules in ["killer", "tromazons"] {
        let report = json(&["solve", "3x3", "--amazons", "1v1", "--rules", rules]);
        assert!(report["winner"].is_string(), "{rules}");
    }
    // The rules of Amazons by their name are those of the search without one.
    let named = json(&["solve", "4x4", "--rules", "amazons", "--turns", "1"]);
    let plain = json(&["solve", "4x4"]);
    assert_eq!((&named["winner"], named.get("rules")), (&plain["winner"], None));
}

#[test]
fn turns_make_games_of_their_own() {
    let report = json(&["solve", "4x4", "--turns", "1,2"]);
    assert_eq!(report["rules"], "amazons --turns 1,2");
    assert_eq!(report["position"], "1qq1/q2q/Q2Q/1QQ1 w 1");
    assert_eq!(json(&["perft", "4x4", "1", "--turns", "2"])["nodes"], 88);
}

#[test]
fn positions_are_drawn_with_walls_and_turns() {
    let drawn = "8 . . . . . . . .\n7 . .|Q . .|q . .\n";
    amazons(&["show", "8x8", "c8-c7/W", "f8-f7/W", "--rules", "tromazons", "--ascii"])
        .success()
        .stdout(contains(drawn))
        .stdout(contains("tromazons: 8/2Q2q2/q6Q/8/8/Q6q/8/2q2Q2 w 1 b7E,e7E"));
    amazons(&["show", "3/q1Q/3 b 1 a2E,b1N", "--rules", "tromazons", "--ascii"])
        .success()
        .stdout(contains("2 q|. Q\n    -\n1 . . .\n"));
    amazons(&["show", "4x4", "b1-b3/b1", "b4-a4/b4+c4-d4/c4", "--rules", "134"])
        .success()
        .stdout(contains("134: q**q/qQ1q/Q2Q/1*Q1 b 2+a4,d4"));
}

#[test]
fn every_game_is_played_to_its_end() {
    for rules in ["killer", "cowboys", "pencil", "134", "tromazons"] {
        let arguments =
            ["play", "4x4", "--rules", rules, "--side", "none", "--nodes", "3000", "--json"];
        let output = amazons(&arguments).success().get_output().stdout.clone();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (last, moves) = (lines.last().unwrap(), &lines[1..lines.len() - 1]);
        assert_eq!(last["moves"], moves.len(), "{rules}");
        // Every position follows from the one before by the move that was printed.
        for (before, after) in lines.iter().zip(moves) {
            let (from, played) =
                (before["position"].as_str().unwrap(), after["move"].as_str().unwrap());
            let shown = json(&["show", from, played, "--rules", rules]);
            assert_eq!(shown["position"], after["position"], "{rules}: {from} {played}");
        }
        let solved = json(&["solve", last["position"].as_str().unwrap(), "--rules", rules]);
        assert_eq!(solved["winner"], last["winner"]);
    }
}

#[test]
fn a_user_plays_turns_of_several_moves() {
    let play = |input: &'static str| {
        let mut command = Command::cargo_bin("amazons").unwrap();
        let arguments = ["play", "4x4", "--rules", "134", "--side", "both", "--memory", "200MB"];
        command.args(arguments).write_stdin(input).assert().success()
    };
    play("b1-b3/b1\nb4-a4/b4+c4-d4/c4\nfen\n")
        .stdout(contains("2. black b4-a4/b4+c4-d4/c4"))
        .stdout(contains("q**q/qQ1q/Q2Q/1*Q1 b 2+a4,d4"));
    play("b1-b3/b1\nb1-b3/b1\nundo\nmoves b1\n")
        .stdout(contains("error: b1-b3/b1 is illegal by the rules 134"))
        .stdout(contains("b1-b2/b1 "));
    // Nobody plays on for the other side.
    play("b1-b3/b1+b4-a4/b4\nfen\n")
        .stdout(contains("\"b4-a4/b4\" is no more of this turn: + joins the moves of one"))
        .stdout(contains("1qq1/q2q/Q2Q/1QQ1 w"));
}

#[test]
fn tables_of_other_rules_are_built_looked_up_and_verified() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t").display().to_string();
    for rules in ["cowboys", "pencil", "killer"] {
        build_and_verify(rules, &path);
        let looked_up = look_up_as_the_search_does(rules, &path);
        look_lines_up(rules, &path, &looked_up);
        refuse_what_does_not_fit(rules, &path);
        let counts = amazons(&["info", &path, "--csv", "counts"]).success();
        let head = "rules,board,mover_amazons,opponent_amazons,arrows,positions,wins\n";
        counts.stdout(starts_with(head).and(contains(format!("\n{rules},3x4,2,2,0,"))));
        let picture = directory.path().join("wins.svg");
        amazons(&["chart", &path, "--out", picture.to_str().unwrap()]).success();
        let picture = std::fs::read_to_string(picture).unwrap();
        assert!(picture.contains(&format!("by the rules of {rules}")), "{picture}");
        std::fs::remove_dir_all(&path).unwrap();
    }
}

/// A table of Killer has tiers of all numbers of amazons that can be left, and is known by the
/// numbers of the beginning.
#[test]
fn a_table_with_captures_is_named_by_its_beginning() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t").display().to_string();
    let out = directory.path().join("out").display().to_string();
    let build = ["build", "3x3", "--amazons", "2v2", "--tables", &path];
    amazons(&[&build[..], &["--rules", "killer"]].concat()).success();
    let export = ["export", &path, "--arrows", "3", "--out", &out];
    let of = |more: &[&str]| amazons(&[&export[..], more].concat());
    of(&["--amazons", "2v1", "--mover", "white"]).success().stdout(contains("killer 3x3 2v1"));
    for (amazons, found) in [("2v0", "it has no tiers of 2v0"), ("3v1", "it has no tiers of 3v1")] {
        of(&["--amazons", amazons, "--mover", "white"]).code(2).stderr(contains(found));
    }
    of(&["--plane", "1"]).code(2).stderr(contains("found one of killer 3x3 2v2"));
    let margins = amazons(&["info", &path, "--csv", "margins"]).code(1);
    margins.stderr(contains("those are of tables of amazons, found killer"));

    let tier = |kind: &str| directory.path().join("t").join(format!("tier-04-{kind}.amz"));
    let kept = std::fs::read(tier("2v1")).unwrap();
    std::fs::copy(tier("2v2"), tier("2v1")).unwrap();
    let told = amazons(&["check", &path]).code(1);
    told.stderr(contains("by the manifest").and(contains("--amazons 2v2 --rules killer")));
    std::fs::write(tier("2v1"), kept).unwrap();
    amazons(&["check", &path]).success();

    std::fs::remove_file(directory.path().join("t/manifest.json")).unwrap();
    let told = amazons(&["info", &path]).code(1);
    told.stderr(contains("amazons build 3x3 --amazons 2v2 --rules killer"))
        .stderr(contains("with the --amazons and the --keep that the table had"));
    let other = amazons(&[&build[..], &["--rules", "cowboys"]].concat()).code(2);
    other.stderr(contains("holds tiers of killer 3x3 2v2 without a manifest"));
    let again = amazons(&[&build[..], &["--rules", "killer"]].concat()).success();
    again.stdout(contains("were taken up"));
    amazons(&["check", &path]).success();
}

/// What is to be built anew is of the same rules.
#[test]
fn a_hint_names_the_rules() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t").display().to_string();
    let build = ["build", "3x3", "--amazons", "1v1", "--rules", "cowboys", "--keep", "odd"];
    amazons(&[&build[..], &["--tables", &path]].concat()).success();
    let out = directory.path().join("out").display().to_string();
    let told = amazons(&["export", &path, "--arrows", "2", "--out", &out]).code(1);
    told.stderr(contains(
        "`amazons build 3x3 --amazons 1v1 --rules cowboys --keep all --tables DIR`",
    ));
}

/// Whoever plays by a table keeps a win, whoever looks hardly ahead does not.
#[test]
fn a_table_of_another_game_is_played_by() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t").display().to_string();
    let game = ["3x4", "--amazons", "2v2", "--rules", "killer"];
    amazons(&[&["build"], &game[..], &["--tables", &path]].concat()).success();
    let play = ["--side", "none", "--nodes", "10", "--tables", &path, "--json"];
    let arguments = [&["play"], &game[..], &play].concat();
    let output = amazons(&arguments).success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (end, moves) = lines.split_last().unwrap();
    assert_eq!(end["winner"], "white", "{text}");
    let by_white = moves.iter().filter(|played| played["side"] == "white");
    let (mut count, mut known) = (0, 0);
    for played in by_white {
        count += 1;
        let thought = &played["thought"];
        known += usize::from(thought["source"] == "known" && thought["score"] == "win");
    }
    assert!(count > 1 && known == count, "{text}");
}

/// What two neighbouring tiers have room for can be solved, and answers the first moves.
#[test]
fn the_first_tiers_answer_the_first_moves() {
    for rules in ["amazons", "pencil", "killer"] {
        let directory = tempfile::tempdir().unwrap();
        let [all, first] = ["all", "first"].map(|keep| {
            let path = directory.path().join(keep).display().to_string();
            let build = ["build", "3x4", "--amazons", "2v2", "--rules", rules, "--keep", keep];
            // A part of it first, as if the build had been stopped.
            for least in ["5", "0"] {
                let part = ["--least-arrows", least, "--tables", &path];
                amazons(&[&build[..], &part].concat()).success();
            }
            path
        });
        let info = [&all, &first].map(|path| json(&["info", path]));
        let tiers = info.each_ref().map(|info| info["tiers"].as_array().unwrap());
        let moves = |tier: &serde_json::Value| {
            tier["arrows"].as_u64().unwrap() / if rules == "pencil" { 2 } else { 1 }
        };
        for (one, other) in tiers[0].iter().zip(tiers[1]) {
            assert_eq!(one["wins"], other["wins"], "{one} {other}");
            assert_eq!(one["content"], other["content"], "{one} {other}");
            assert_eq!(other["stored"], moves(other) <= 2, "{other}");
        }
        amazons(&["info", &first]).success().stdout(contains("tiers of at most 2 moves kept"));
        amazons(&["check", &first]).success();
        // Pencil & Paper burns two squares: what follows tier 5 are the fullest ones, which are lost.
        let remark = "3x4 2v2 with 2 arrows: what its moves lead to is not stored";
        let said = amazons(&["verify", &first]).success();
        said.stderr(contains(remark).count(usize::from(rules != "pencil")));
        let [whole, part] = [&all, &first].map(|path| json(&["verify", path]));
        let checked = |report: &serde_json::Value| report["checked"].as_u64().unwrap();
        assert_eq!((&whole["mismatches"], &part["mismatches"]), (&0.into(), &0.into()));
        assert!(checked(&part) > 0 && checked(&part) < checked(&whole), "{part}");
        assert_eq!(whole["not_checked"], serde_json::Value::Null);
        assert!(part["not_checked"].as_u64().unwrap() > 0, "{part}");

        let start = ["lookup", "3x4", "--amazons", "2v2", "--rules", rules, "--tables"];
        let ask = |path: &str, moves: &[&str]| {
            let position = [&["3x4"], moves].concat().join(" ");
            let start = start.map(|word| if word == "3x4" { position.as_str() } else { word });
            json(&[&start[..], &[path]].concat())
        };
        assert_eq!(ask(&all, &[]), ask(&first, &[]));
        let one = ["a1-a2/b2"];
        assert_eq!(ask(&all, &one), ask(&first, &one));
        // Of the last tier that stays the values alone are known, of later ones nothing.
        let two = ["a1-a2/b2", "b4-b3/c4"];
        let [whole, part] = [&all, &first].map(|path| ask(path, &two));
        assert_eq!(whole["value"], part["value"]);
        // On so small a board a third move of Pencil & Paper leads to positions that follow by one
        // ply from the fullest tiers, which are lost.
        if rules == "pencil" {
            assert_eq!(whole["moves"], part["moves"]);
            continue;
        }
        assert_eq!(part["moves"], serde_json::Value::Null);
        let position = format!("3x4 {}", two.join(" "));
        let said = ["lookup", &position, "--amazons", "2v2", "--rules", rules, "--tables", &first];
        amazons(&said).success().stdout(contains("lead beyond the last ply that is kept"));
        let position = format!("{position} b1-c1/c2");
        let said = ["lookup", &position, "--amazons", "2v2", "--rules", rules, "--tables", &first];
        let whole = "--keep all --tables DIR`, with another DIR";
        amazons(&said).code(1).stderr(contains(whole));
        if rules == "amazons" {
            let sample = amazons(&["sample", &first, "--count", "1"]).code(1);
            sample.stdout("").stderr(contains(whole));
            let export = amazons(&["info", &first, "--csv", "margins"]).code(1);
            export.stderr(contains("--keep all --margins --tables DIR`, with another DIR, makes"));
        }
    }
}

/// Builds the table of 3x4 2v2, which `info`, `check` and `verify` find right.
fn build_and_verify(rules: &str, path: &str) {
    let build = ["build", "3x4", "--amazons", "2v2", "--rules", rules, "--tables", path];
    let report = json(&[&build[..], &["--check-sample", "50"]].concat());
    assert_eq!((&report["rules"], &report["board"]), (&rules.into(), &"3x4".into()));
    assert!(report["checked"].as_u64().unwrap() > 300);
    let again = json(&build);
    assert_eq!(again["tiers"], report["tiers"]);
    let info = json(&["info", path]);
    assert_eq!((&info["rules"], &info["tiers"]), (&rules.into(), &report["tiers"]));
    let title = format!("{rules} 3x4 2v2, all tiers kept");
    amazons(&["info", path]).success().stdout(contains(title));
    amazons(&["check", path]).success().stdout(contains("all undamaged"));
    let verified = json(&["verify", path]);
    assert_eq!(verified["mismatches"], 0);
    assert!(verified["checked"].as_u64().unwrap() > 100_000);
    assert_eq!(json(&["verify", path, "--sample", "500"])["checked"], 500);
}

/// What the table says of each move is what the search says of it; returns what the table says.
fn look_up_as_the_search_does(rules: &str, path: &str) -> serde_json::Value {
    let asked = ["3x4", "--rules", rules, "--amazons", "2v2"];
    let looked_up = json(&[&["lookup"][..], &asked, &["--tables", path]].concat());
    let solved = json(&[&["solve"][..], &asked, &["--all-moves"]].concat());
    assert_eq!((&looked_up["value"], &looked_up["rules"]), (&solved["value"], &rules.into()));
    let moves = looked_up["moves"].as_array().unwrap();
    let winning: Vec<_> =
        moves.iter().filter(|played| played["value"] == "win").map(|it| &it["move"]).collect();
    assert_eq!(serde_json::json!(winning), solved["winning_moves"]);
    looked_up
}

/// Lines of standard input are answered as positions are that stand in the command.
fn look_lines_up(rules: &str, path: &str, looked_up: &serde_json::Value) {
    let mut command = Command::cargo_bin("amazons").unwrap();
    let lines = ["lookup", "-", "--rules", rules, "--tables", path, "--memory", "200MB"];
    let fen = looked_up["position"].as_str().unwrap();
    let first = &looked_up["moves"][0];
    let input = format!("{fen}\n{fen} {}\nx\n", first["move"].as_str().unwrap());
    let output = command.args(lines).write_stdin(input).assert().get_output().stdout.clone();
    let answers: Vec<serde_json::Value> = String::from_utf8(output)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["moves"], looked_up["moves"]);
    assert_ne!(answers[1]["value"], first["value"], "the other side moves there");
    assert!(answers[2]["error"].is_string());
}

/// Other rules, boards and amazons than the table's are refused, each by name.
fn refuse_what_does_not_fit(rules: &str, path: &str) {
    // With captures the table has fewer amazons too.
    let (position, amazons_of_it) = match rules {
        "killer" => ("qqq/3/3/QQ1 w", "2v3"),
        _ => ("q2/3/3/2Q w", "1v1"),
    };
    for (arguments, code, expected) in [
        (
            vec!["lookup", "3x4", "--amazons", "2v2", "--tables", path],
            1,
            format!("is a table of {rules}, expected one of amazons"),
        ),
        (
            vec!["lookup", "4x4", "--rules", rules, "--tables", path],
            2,
            format!("holds {rules} 3x4 2v2, the position is of {rules} on 4x4"),
        ),
        (
            vec!["lookup", position, "--rules", rules, "--tables", path],
            2,
            format!(
                "holds {rules} 3x4 2v2, the position is 3x4 {amazons_of_it} for the side to move"
            ),
        ),
        (
            vec!["build", "3x4", "--amazons", "2v2", "--tables", path],
            2,
            format!("holds a table of {rules} 3x4 2v2; give another directory"),
        ),
        (
            vec!["solve", "3x4", "--amazons", "2v2", "--tables", path],
            1,
            format!("is a table of {rules}, expected one of amazons"),
        ),
        (vec!["sample", path, "--count", "3"], 1, format!("is a table of {rules}")),
    ] {
        amazons(&arguments).code(code).stderr(contains(expected));
    }
}

#[test]
fn certificates_are_written_verified_and_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("proof");
    let name = path.to_str().unwrap();
    let solve = |given: &[&str]| amazons(&[&["solve"], given, &["--certificate", name]].concat());
    for (given, rules, position, winner) in [
        (&["4x4", "--rules", "cowboys"][..], "cowboys", "1qq1/q2q/Q2Q/1QQ1 w", "black"),
        (&["4x4", "--rules", "134"], "134", "1qq1/q2q/Q2Q/1QQ1 w 1", "black"),
        (&["4x4", "b1-b3/a4", "--rules", "pencil"], "pencil", "*qq1/qQ1q/Q2Q/1*Q1 b", "white"),
        (
            &["3x4", "--amazons", "4v4", "--turns", "1,2"],
            "amazons --turns 1,2",
            "qqq/1q1/1Q1/QQQ w 1",
            "black",
        ),
    ] {
        solve(given).success().stdout(contains(format!("{winner} wins")));
        let said = format!("proved by the rules {rules}: {winner} wins {position}");
        amazons(&["verify", name]).success().stdout(contains(said));
        let json = amazons(&["verify", name, "--json"]).success();
        let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
        for (field, expected) in [("position", position), ("winner", winner), ("rules", rules)] {
            assert_eq!(json[field], expected, "{json}");
        }
    }
    let whole = std::fs::read(&path).unwrap();
    for at in [9, 11, 24, whole.len() / 2] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        amazons(&["verify", name]).code(1).stderr(contains(name));
    }
    let nowhere = ["solve", "4x4", "--rules", "killer", "--certificate", "/nowhere/x"];
    amazons(&nowhere).code(1).stderr(contains("cannot write /nowhere/x"));
    std::fs::remove_file(&path).unwrap();
    solve(&["5x5", "--rules", "killer", "--time", "1ms"]).code(3);
    assert!(!path.exists(), "no certificate without a verdict");
    solve(&["4x4", "--rules", "killer", "--memory", "8MB"]).code(2).stderr(contains("--memory"));
}

#[test]
fn positions_are_solved_by_the_line() {
    let solve = |input: &'static str, more: &[&str]| {
        let mut command = Command::cargo_bin("amazons").unwrap();
        let arguments = ["solve", "-", "--rules", "134", "--memory", "200MB"];
        command.args(arguments).args(more).write_stdin(input).assert()
    };
    let output = solve("4x4\n4x4 b1-b3/b1\n3x3 a1\n4x1\n1q1/3/1Q1 b 2\n", &["--all-moves"]);
    let output = output.code(1).get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5);
    for (at, position) in [(0, "4x4"), (4, "1q1/3/1Q1 b 2")] {
        let alone = json(&["solve", position, "--rules", "134", "--all-moves"]);
        for field in ["position", "rules", "winner", "value", "winning_moves", "unknown_moves"] {
            assert_eq!(lines[at][field], alone[field], "{field} of {position}");
        }
    }
    assert_eq!(lines[1]["position"], "1qq1/qQ1q/Q2Q/1*Q1 b 2");
    assert!(lines[2]["error"].is_string() && lines[3]["error"].is_string());
    solve("5x5\n", &["--time", "1ms"])
        .code(3)
        .stderr(contains("the time was up for 1 of the lines"));
}

#[test]
fn bad_input_says_what_was_expected_and_found() {
    for (arguments, expected) in [
        (&["solve", "4x4", "--rules", "foo"][..], "killer, cowboys, pencil, 134, tromazons, found"),
        (&["solve", "4x4", "--turns", "1,0"], "numbers of moves from 1 to 50"),
        (&["solve", "1qq1/q2q/Q2Q/1QQ1 w 3"], "expected the end"),
        (&["solve", "1qq1/q2q/Q2Q/1QQ1 w 3", "--rules", "killer"], "turns of one move"),
        (&["solve", "1qq1/q2q/Q2Q/1QQ1 w 1 a1N", "--rules", "killer"], "killer has no walls"),
        (
            &["solve", "4x4", "--rules", "killer", "--certificate", "x", "--walls"],
            "--walls is for the rules of amazons, found killer",
        ),
        (
            &["solve", "4x4", "--rules", "killer", "--certificate", "x", "--leaf", "5"],
            "--leaf is for the rules of amazons, found killer",
        ),
        (&["solve", "4x4", "--rules", "killer", "--checkpoint", "x"], "--checkpoint is for"),
        (
            &["solve", "4x4", "--rules", "killer", "--tables", "x"],
            "tables by the rules of amazons only, found killer",
        ),
        (
            &["solve", "-", "--rules", "killer", "--certificate", "x"],
            "--certificate is for one position, - are many",
        ),
        (&["show", "4x4", "--rules", "killer", "--svg", "x"], "--svg is for"),
        (
            &["solve", "4x4", "--rules", "killer", "--tables", "x"],
            "amazons only, found killer; `amazons lookup --rules killer --tables DIR` answers",
        ),
        (
            &["solve", "4x4", "--rules", "134", "--tables", "x"],
            "tables are about amazons, cowboys, pencil and killer, found 134",
        ),
        (&["play", "4x4", "--rules", "134", "--tables", "x"], "killer, found 134"),
        (&["play", "4x4", "--rules", "killer", "--width", "3"], "--width is for"),
        (
            &["build", "4x4", "--rules", "tromazons", "--tables", "x"],
            "tables are about amazons, cowboys, pencil and killer, found tromazons: a wall burns",
        ),
        (
            &["build", "4x4", "--amazons", "2v0", "--rules", "killer", "--tables", "x"],
            "tables of killer need an amazon of each side, found 2v0",
        ),
        (
            &["build", "4x4", "--turns", "1,2", "--tables", "x"],
            "found amazons --turns 1,2: with turns of several moves",
        ),
        (
            &["build", "3x3", "--rules", "cowboys", "--keep", "none", "--tables", "x"],
            "those are of amazons, found cowboys",
        ),
        (
            &["lookup", "4x4", "--rules", "tromazons", "--tables", "x"],
            "found tromazons: a wall burns no square",
        ),
        (&["solve", "10x10", "--rules", "killer"], "at most 64"),
        (&["solve", "4x4", "b1-b3/b1", "--rules", "pencil"], "cannot shoot there"),
        (&["perft", "4x4 b1-b3/b1", "1", "--rules", "cowboys"], "cannot step there"),
    ] {
        amazons(arguments).code(2).stderr(contains(expected));
    }
    amazons(&["solve", "6x6", "--rules", "killer", "--time", "1ms"])
        .code(3)
        .stdout(contains("unknown"))
        .stderr(contains("the time is up"));
}

#[test]
fn the_start_of_a_rules_file_is_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("r.zrf");
    let file = file.to_str().unwrap();
    let run = |arguments: &[&str]| {
        Command::cargo_bin("amazons").unwrap().arg("rules").args(arguments).assert()
    };
    for rules in ["amazons", "killer", "cowboys", "pencil", "134", "tromazons"] {
        run(&["4x4", "--rules", rules, "--zrf", file]).success().stdout("");
        run(&["--starts", file, "--rules", rules])
            .success()
            .stdout(contains("1qq1/q2q/Q2Q/1QQ1 w").and(contains(rules)));
    }
    for start in ["1qq1/q2q/Q2Q/1QQ1 b 2", "1qq1/q2q/Q2Q/1QQ1 w 3"] {
        run(&[start, "--rules", "134", "--zrf", file]).success();
        run(&["--starts", file, "--rules", "134"]).success().stdout(contains(start));
    }
    run(&["4x4", "--json"]).code(2).stdout("").stderr(contains("give --zrf a FILE"));
    run(&["4x4", "--json", "--zrf", file]).success().stdout("");
    run(&["1qq1/q2q/Q2Q/1QQ1 w - -", "--rules", "killer", "--zrf", file]).success();
    std::fs::write(file, "(game (title").unwrap();
    run(&["--starts", file]).code(2).stderr(contains("r.zrf"));
}

/// Annotates a game that stands in standard input.
fn annotate(game: &str, options: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    let common = ["annotate", "-", "--memory", "200MB"];
    command.args(common).args(options).write_stdin(game.to_string()).assert()
}

#[test]
fn games_are_annotated_with_the_values_of_the_naive_solver() {
    let mut random = StdRng::seed_from_u64(7);
    let pairs = RuleSet { turns: "1,2".parse().unwrap(), ..RuleSet::AMAZONS };
    let games = [
        (RuleSet::KILLER, "3x3", "2v2"),
        (RuleSet::COWBOYS, "3x4", "2v2"),
        (RuleSet::PENCIL, "3x4", "2v2"),
        (pairs, "3x3", "2v2"),
        (RuleSet::TROMAZONS, "2x3", "1v1"),
    ];
    let mut marks = [0; 3];
    for (rules, board, amazons) in games {
        let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        let start = VariantPosition::start(rules, board, Some(amazons)).unwrap();
        let mut naive = NaiveVariantSolver::new(VariantRules::<u64>::new(board, rules).unwrap());
        for _ in 0..4 {
            // Moves at random to the end.
            let (mut line, mut text) = (vec![start], format!("{} # 1\n", variant_fen(&start)));
            while let Some(&played) = line[line.len() - 1].moves().choose(&mut random) {
                text += &format!("{}  # a comment\n", played.text(board));
                line.push(line[line.len() - 1].play(played).unwrap());
            }
            let (name, turns) = rules.named().unwrap();
            let turns = turns.map(|turns| ["--turns".to_string(), turns.to_string()]);
            let mut options = vec!["--json", "--rules", name];
            options.extend(turns.iter().flatten().map(String::as_str));
            let said = annotate(&text, &options).success().get_output().stdout.clone();
            let report: serde_json::Value = serde_json::from_slice(&said).unwrap();
            assert_eq!(report["known"], line.len(), "{text}");
            let moves = report["moves"].as_array().unwrap();
            assert_eq!(moves.len(), line.len() - 1);
            for (at, played) in moves.iter().enumerate() {
                let (before, after) = (&line[at], &line[at + 1]);
                let mut value = |position: &VariantPosition| {
                    naive.outcome(&position.state().unwrap()).winner(position.turn())
                };
                let (first, second) = (value(before), value(after));
                let maker = before.turn();
                assert_eq!(played["side"], maker.to_string());
                assert_eq!(played["position"], variant_fen(after));
                let expected = if second == maker { "win" } else { "loss" };
                assert_eq!(played["value"], expected, "{rules} {text} {played}");
                let winning = |played: &amazons::game::variants::SingleMove| {
                    let after = before.play(*played).unwrap();
                    value(&after) == maker
                };
                let all = before.moves();
                let winning: Vec<String> =
                    all.iter().copied().filter(winning).map(|played| played.text(board)).collect();
                let named = played["winning_moves"].as_array().into_iter().flatten();
                let named: Vec<&str> = named.map(|played| played.as_str().unwrap()).collect();
                assert!(named.iter().all(|played| winning.iter().any(|other| other == played)));
                let mark = match played.get("mark").and_then(|mark| mark.as_str()) {
                    None => 0,
                    Some("blunder") => 1,
                    Some(_) => 2,
                };
                marks[mark] += 1;
                assert_eq!(mark == 1, first == maker && second != maker, "{text} {played}");
                assert!(mark != 2 || (winning.len() == 1 && all.len() > 1), "{text} {played}");
            }
        }
    }
    // A search names one move that wins, so the only one is seldom known to be that.
    assert!(marks[0] > 20 && marks[1] > 10, "{marks:?}");
}

#[test]
fn the_game_of_the_documents_is_annotated() {
    let game = "4x4 b1-b3/b1 b4-a4/b4+c4-d4/c4";
    let expected = "\
game 1, 134 on 4x4: 4 of 4 positions known; 1 move threw a win away
  White wins.
  That is certain after move 3, black c4-d4/c4, by proof.
  The first that threw a win away is move 3, black c4-d4/c4.
  move 3, black c4-d4/c4: d3-c2/b2 would have won
";
    annotate(game, &["--rules", "134"]).success().stdout(expected);
    let documented = std::fs::read_to_string("docs/variants.md").unwrap();
    assert!(
        documented.contains(&format!("echo '{game}' | amazons annotate - --rules 134\n{expected}"))
    );
}

#[test]
fn a_game_by_other_rules_that_cannot_be_annotated_is_refused() {
    let game = "4x4 b1-b3/b1 b4-a4/b4+c4-d4/c4";
    for (game, options, expected) in [
        (game, ["--svg", "x.svg"], "--svg is for the rules of amazons, found 134"),
        (game, ["--margins", "1s"], "--margins is for the rules of amazons"),
        (game, ["--estimate-nodes", "1"], "--estimate-nodes is for the rules of amazons"),
        (
            "4x4 b1-b3/b1 b4-b3/b4",
            ["--time", "1s"],
            "-: turn 2, move 1, black: b4-b3/b4 is illegal",
        ),
        ("", ["--time", "1s"], "-: "),
        (game, ["--tables", "results"], "tables are about amazons, cowboys, pencil and killer"),
    ] {
        let options = [&options[..], &["--rules", "134"]].concat();
        annotate(game, &options).code(2).stdout("").stderr(contains(expected));
    }
    annotate("10x10", &["--rules", "killer", "--time", "1s"])
        .code(3)
        .stderr(contains("boards of more than 64 squares are not searched by these rules"));
    annotate("4x4", &["--rules", "134", "--time", "0s"])
        .code(3)
        .stderr(contains("nothing is known"));
    // A table of these rules answers without a search, and one of others is refused.
    let directory = tempfile::tempdir().unwrap();
    let table = directory.path().join("t");
    let table = table.to_str().unwrap();
    amazons(&["build", "3x3", "--amazons", "1v1", "--rules", "cowboys", "--tables", table])
        .success();
    let said = ["--rules", "cowboys", "--time", "0s", "--tables", table];
    annotate("q2/3/2Q w", &said).success().stdout(contains("by the table"));
    let said = ["--rules", "pencil", "--time", "0s", "--tables", table];
    annotate("q2/3/2Q w", &said).failure().stderr(contains("pencil"));
}

#[test]
fn recorded_games_are_written_in_other_forms_and_read_again() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name).to_str().unwrap().to_string();
    let (printed, list) = (at("printed.txt"), at("list.txt"));
    let game = "4x4\n1. b1-b3/b1  # first\n2. b4-a4/b4 c4-d4/c4 d3-c3/d3\n3. c1-c2/c1 resigns\n";
    std::fs::write(&printed, game).unwrap();
    let turns = ["--rules", "134"];
    amazons(&[&["convert", &printed, "--out", &list][..], &turns].concat())
        .success()
        .stdout(contains("1 game in "));
    let line = "1qq1/q2q/Q2Q/1QQ1 w 1 b1-b3/b1 b4-a4/b4+c4-d4/c4+d3-c3/d3 c1-c2/c1\n";
    assert_eq!(std::fs::read_to_string(&list).unwrap(), line);
    let positions = |file: &str| {
        let options = ["convert", file, "--to", "fen", "--all", "--rules", "134"];
        let output = amazons(&options).success().get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    assert_eq!(positions(&printed), positions(&list));
    assert_eq!(positions(&list).lines().count(), 6);
    let last = positions(&list).lines().last().unwrap().to_string();
    amazons(&[&["convert", &list, "--to", "fen"][..], &turns].concat())
        .success()
        .stdout(last + "\n");
    amazons(&[&["convert", &list, "--to", "sgf"][..], &turns].concat())
        .code(2)
        .stderr(contains("--to sgf is for the rules of amazons, found 134"));
}

#[test]
fn what_each_side_has_left_is_counted_where_the_rules_let_it() {
    // White has a square alone with two empty ones, Black none.
    let alone = |turn: &str| json(&["score", &format!("q*1/**1/1*Q {turn}"), "--rules", "pencil"]);
    for turn in ["w", "b"] {
        let report = alone(turn);
        let counts = ["white_moves", "black_moves"].map(|field| report[field].clone());
        assert_eq!(counts, [serde_json::json!([1, 1]), serde_json::json!([0, 0])], "{report}");
        let ahead = ["white_ahead_at_least", "white_ahead_at_most"];
        assert_eq!(ahead.map(|field| report[field].clone()), [1, 1]);
        assert_eq!(report["winner"], "white");
    }
    amazons(&["score", "q*1/**1/1*Q w", "--rules", "pencil"])
        .success()
        .stdout("white has 1 move left, black 0 moves\nwhite wins, 1 move ahead\n");
    let open = json(&["score", "4x4", "--rules", "cowboys"]);
    assert!(open["winner"].is_null() && open["white_moves"] == serde_json::json!([0, 8]));
    let searched = json(&["score", "4x4", "--rules", "cowboys", "--time", "60s"]);
    assert_eq!((&searched["winner"], &searched["basis"]), (&"black".into(), &"by proof".into()));
    let killer = json(&["score", "q*1/**1/1*Q w", "--rules", "killer"]);
    assert_eq!(killer["white_moves"], serde_json::json!([2, 2]));
    // Five sides are open around White's three squares.
    let walls = json(&["score", "q*1/**1/1*Q w", "--rules", "tromazons"]);
    assert_eq!((&walls["winner"], &walls["white_moves"][1]), (&"white".into(), &5.into()));
    amazons(&["score", "4x4", "--rules", "134"])
        .code(2)
        .stderr(contains("is counted where every turn has one move, found 134"));
    amazons(&["score", "10x10", "--rules", "cowboys"]).code(2).stderr(contains("64"));
}
