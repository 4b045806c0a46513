//! `amazons solve --margin` and `--spare` from outside.

use amazons_test_support::margins::golden_thresholds;
use assert_cmd::Command;
use predicates::str::contains;
use serde_json::{Value, json};

/// A zugzwang that is worth 4 to Black.
const FOUR: &str = "1*Q1/*q**/4/*1** b";

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(["--memory", "200MB", "--threads", "2"]).args(arguments).assert()
}

fn json(arguments: &[&str]) -> Value {
    let output = amazons(&[arguments, &["--json"]].concat()).success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

#[test]
fn a_margin_is_said_with_a_move_that_reaches_it() {
    amazons(&["solve", FOUR, "--margin"]).success().stdout(contains("black wins by 3: b3-"));
    let report = json(&["solve", FOUR, "--margin"]);
    assert_eq!((&report["threshold"], &report["margin"]), (&json!(-3), &json!(3)));
    assert_eq!((&report["thresholds"], &report["value"]), (&json!([-3, -3]), &json!("win")));
    assert!(report.get("spare").is_none() && report.get("margins").is_none());
    let lost = json(&["solve", &FOUR.replace(" b", " w"), "--margin"]);
    assert_eq!((&lost["threshold"], &lost["margin"]), (&json!(5), &json!(4)));
    assert_eq!(lost["winner"], "black");
}

#[test]
fn spare_moves_are_given_to_either_side() {
    amazons(&["solve", FOUR, "--spare", "-3"])
        .success()
        .stdout(contains("white has 3 spare moves: black wins by b3-"));
    amazons(&["solve", FOUR, "--spare", "-4"])
        .success()
        .stdout(contains("white has 4 spare moves: white wins"));
    let report = json(&["solve", &FOUR.replace(" b", " w"), "--spare", "5"]);
    assert_eq!((&report["spare"], &report["value"]), (&json!(5), &json!("win")));
    // 7 squares are empty.
    for spare in ["-9", "9"] {
        amazons(&["solve", FOUR, "--spare", spare])
            .code(2)
            .stderr(contains("--spare takes -8 to 8 here, found"));
    }
    amazons(&["solve", FOUR, "--spare", "8"]).success();
}

#[test]
fn a_win_with_a_spare_move_says_how_it_is_won() {
    // After a pass White wins, so Black wins by a move alone.
    let report = json(&["solve", "1**q/1q2/QQ**/2** b", "--spare", "1"]);
    assert_eq!((&report["value"], &report["spends_spare"]), (&json!("win"), &json!(false)));
    assert!(report["best_move"].is_string(), "{report}");
    let passed = json(&["solve", "1**q/1q2/QQ**/2** w", "--spare", "0"]);
    assert_eq!((&passed["value"], &passed["spends_spare"]), (&json!("win"), &json!(false)));
    // Nobody can move: a spare move is all that there is.
    let stuck = ["solve", "Q*q w", "--spare", "1"];
    assert_eq!(json(&stuck)["spends_spare"], true);
    amazons(&stuck).success().stdout(contains("white wins by spending one"));
    // What the certificate inside the program says is asked first: nothing is searched.
    let known = json(&["solve", "5x6", "--spare", "0"]);
    assert_eq!((&known["winner"], &known["nodes"]), (&json!("white"), &json!(0)));
    assert_eq!(known["best_move"], "b1-b4/d4");
}

#[test]
fn each_move_has_its_margin_the_best_first() {
    let report = json(&["solve", "2x4", "--amazons", "1v1", "--all-moves", "--margin"]);
    let margins = report["margins"].as_array().unwrap();
    let thresholds: Vec<i64> =
        margins.iter().map(|of_move| of_move["threshold"].as_i64().unwrap()).collect();
    assert!(thresholds.is_sorted() && thresholds.len() > 1, "{thresholds:?}");
    assert_eq!(report["best_move"], margins[0]["move"]);
    let winning = report["winning_moves"].as_array().map_or(0, Vec::len);
    assert_eq!(winning, thresholds.iter().filter(|&&threshold| threshold <= 0).count());
    let text = amazons(&["solve", "2x4", "--amazons", "1v1", "--all-moves", "--margin"]).success();
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    let of_moves = text.lines().skip(1).filter(|line| line.contains(" by ")).count();
    let mut distinct = thresholds.clone();
    distinct.dedup();
    assert_eq!(of_moves, distinct.len(), "{text}");
}

#[test]
fn when_the_time_is_up_it_says_between_what_the_margin_lies() {
    let output = amazons(&["solve", "8x8", "--margin", "--time", "300ms"]).code(3);
    output.stdout(contains("unknown: white wins by at most")).stderr(contains("the time is up"));
}

#[test]
fn a_margin_goes_on_from_a_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = directory.path().join("c");
    let checkpoint = checkpoint.to_str().unwrap();
    let first = ["solve", "5x5", "--method", "proof", "--checkpoint", checkpoint];
    amazons(&[&first[..], &["--margin", "--time", "500ms"]].concat()).code(3);
    // The checkpoint is one of the position, whatever is asked of it.
    let report = json(&first);
    assert_eq!(report["winner"], "white");
    assert!(report["searched_seconds"].is_f64());
}

#[test]
fn both_sides_of_a_margin_have_certificates() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    // Black wins by 3: if White has three spare moves, and not if it has four.
    for (spare, winner) in [("-3", "black"), ("-4", "white")] {
        let file = path(winner);
        amazons(&["solve", FOUR, "--spare", spare, "--certificate", &file])
            .success()
            .stdout(contains(format!("{winner} wins")))
            .stderr(contains("the certificate is of "));
        let verified = amazons(&["verify", &file, "--json"]).success();
        let report: Value = serde_json::from_slice(&verified.get_output().stdout).unwrap();
        assert_eq!(report["winner"], winner, "{report}");
    }
    // On 8x8 there is no room beside the board.
    amazons(&["solve", "8x8", "--spare", "1", "--certificate", &path("none")])
        .code(2)
        .stderr(contains("none of at most 64 squares has room for it"));
    assert!(!directory.path().join("none").exists());
}

#[test]
fn many_positions_have_their_margins() {
    let mut command = Command::cargo_bin("amazons").unwrap();
    let input = format!("{FOUR}\n{}\n", FOUR.replace(" b", " w"));
    let output = command
        .args(["solve", "-", "--margin", "--memory", "200MB"])
        .write_stdin(input)
        .assert()
        .success();
    let margins: Vec<Value> = String::from_utf8(output.get_output().stdout.clone())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["threshold"].clone())
        .collect();
    assert_eq!(margins, [json!(-3), json!(5)]);
}

#[test]
fn what_cannot_be_asked_is_refused_by_name() {
    let refused = |arguments: &[&str], message: &str| {
        amazons(arguments).code(2).stdout("").stderr(contains(message));
    };
    refused(&["solve", "4x4", "--margin", "--spare", "1"], "--spare");
    refused(&["solve", "4x4", "--spare", "1", "--all-moves"], "--all-moves");
    refused(&["solve", "4x4", "--margin", "--rules", "killer"], "--margin");
    refused(&["solve", "4x4", "--spare", "1", "--rules", "cowboys"], "--spare");
    // A program without MPI refuses it before.
    let mpi = if cfg!(feature = "mpi") { "--mpi" } else { "built without MPI" };
    refused(&["solve", "4x4", "--margin", "--mpi"], mpi);
    // What is known of a large board is told.
    for arguments in [&["solve", "10x10", "--margin"][..], &["solve", "11x11", "--margin"]] {
        amazons(arguments)
            .code(3)
            .stdout(contains("or black by at most 0"))
            .stderr(contains("margins are searched on boards of at most 64"));
    }
    let known = json(&["solve", "9x9", "--spare", "1"]);
    assert_eq!((&known["winner"], &known["method"]), (&json!("white"), &json!("bounds")));
    assert_eq!(known["basis"], "by being its own mirror image");
    let directory = tempfile::tempdir().unwrap();
    let table = directory.path().to_str().unwrap();
    let alone = ["solve", "4x4", "--margin", "--method", "tables", "--tables", table];
    refused(&alone, "--margin is not for --method tables");
}

#[test]
fn on_boards_that_no_search_takes_what_is_known_is_told() {
    let alone = "10/10/10/10/10/10/10/10/10/Q9";
    let lost = json(&["solve", &format!("{alone} b"), "--margin"]);
    assert_eq!((&lost["margin"], &lost["winner"]), (&json!(99), &json!("white")), "{lost}");
    let won = json(&["solve", &format!("{alone} w"), "--margin"]);
    assert_eq!((&won["margin"], &won["winner"]), (&json!(98), &json!("white")), "{won}");
    let spare = json(&["solve", &format!("{alone} w"), "--spare", "-98"]);
    assert_eq!(spare["winner"], "white", "{spare}");
    // Between what it lies, with the status of a limit.
    let open = "q9/**********/10/10/10/10/10/10/10/Qq8 w";
    let told = amazons(&["solve", open, "--margin"]).code(3);
    told.stdout(contains("by at most"))
        .stderr(contains("margins are searched on boards of at most 64"));
    let mut part = Command::cargo_bin("amazons").unwrap();
    let part = part.args(["solve", "-", "--margin", "--memory", "200MB"]);
    part.write_stdin(format!("{open}\n"))
        .assert()
        .code(3)
        .stderr(contains("1 line was answered in part"));
    let mut lines = Command::cargo_bin("amazons").unwrap();
    let lines = lines.args(["solve", "-", "--margin", "--memory", "200MB"]);
    let line = lines.write_stdin(format!("{alone} w\n")).assert().success();
    assert!(String::from_utf8_lossy(&line.get_output().stdout).contains("\"margin\":98"));
}

#[test]
fn what_is_known_is_not_searched_for() {
    // Each side fills what it holds: the bounds of the parts tell all of it.
    let report = json(&["solve", "Q2*1q/****** w", "--margin"]);
    assert_eq!((&report["nodes"], &report["threshold"]), (&json!(0), &json!(0)), "{report}");
    // A certificate of the program says who wins 5x6; by how much takes long.
    amazons(&["solve", "5x6", "--margin", "--time", "100ms"])
        .code(3)
        .stdout(contains("white wins by 0 to "));
}

/// The start of 7x4 is its own mirror image with the colours exchanged, so who loses it loses by a
/// single tempo.
#[test]
fn what_a_certificate_says_of_a_margin_is_said_to_be_by_it() {
    let certificate = json!("by the certificate 7x4.proof, which is not part of the program");
    for (question, spare) in [(&["--margin"][..], None), (&["--spare", "-1"], Some(-1))] {
        let report = json(&[&["solve", "7x4"][..], question].concat());
        assert_eq!((&report["winner"], &report["nodes"]), (&json!("black"), &json!(0)), "{report}");
        assert_eq!((&report["basis"], &report["spare"]), (&certificate, &json!(spare)), "{report}");
    }
    assert_eq!(json(&["solve", "7x4", "--margin"])["margin"], 0);
    let spent = json(&["solve", "7x4", "--spare", "1"]);
    assert_eq!((&spent["winner"], &spent["spends_spare"]), (&json!("white"), &json!(true)));
}

#[test]
fn the_score_of_a_position_meets_its_margin() {
    let mut open = 0;
    for (position, threshold) in golden_thresholds().step_by(20) {
        let (fen, threshold) = (position.to_string(), i64::from(threshold.spare()));
        let score = json(&["score", &fen]);
        let ahead = |field: &str| score[field].as_i64().unwrap();
        let (least, most) = (ahead("white_ahead_at_least"), ahead("white_ahead_at_most"));
        // The side to move leads by 1 less its threshold, whoever moves next.
        let lead = if fen.ends_with('w') { 1 - threshold } else { threshold - 1 };
        assert!((least..=most).contains(&lead), "{fen}: {threshold}, {score}");
        open += i64::from(least < most);
    }
    assert!(open > 2, "{open}");
}
