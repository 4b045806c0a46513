//! Bad input on the command line: each gets its exit status and a message that says what is wrong.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("amazons").unwrap().args(arguments).assert()
}

/// Refused as wrong usage: status 2, the message on standard error, nothing on standard output, no
/// panic.
fn refused(arguments: &[&str], message: &str) {
    amazons(arguments).code(2).stdout("").stderr(contains(message).and(contains("panicked").not()));
}

#[test]
fn impossible_boards_are_refused() {
    refused(&["show", "0x4"], "1 to 20 columns and 1 to 20 rows, found 0x4");
    refused(&["show", "4x"], "written COLUMNSxROWS, for example 4x5, found \"4x\"");
    refused(&["show", "x4"], "COLUMNSxROWS");
    refused(&["show", "21x4"], "found 21x4");
    refused(&["show", "999999999999x4"], "COLUMNSxROWS");
    refused(&["show", "4x-5"], "COLUMNSxROWS");
    refused(&["show", "4*5"], "expected the side to move");
    refused(&["show", ""], "COLUMNSxROWS");
    refused(
        &["show", "3x3"],
        "4 amazons of one side do not fit 3 squares, its half of 3x3: take fewer",
    );
    refused(&["perft", "2x3", "1"], "do not fit 2 squares, its half of 2x3");
}

#[test]
#[cfg(not(feature = "gpu"))]
fn options_of_a_feature_name_it() {
    let said = "This program is without the feature gpu; `cargo install --path . --features gpu`";
    refused(&["build", "3x3", "--tables", "t", "--gpu"], said);
    refused(&["plan", "3x3", "--gpu-memory", "1GB"], said);
    refused(&["info", "--gpu"], said);
    amazons(&["build", "3x3", "--tables", "t", "--gnu"]).code(2).stderr(contains(said).not());
}

#[test]
fn impossible_positions_are_refused() {
    refused(&["show", "1qq1/q2q/Q2/1QQ1 w"], "rank 2 has 3 squares, but rank 4 above it has 4");
    refused(
        &["show", "1qq1/q2q/Q2Q/1QQ1 x"],
        "expected the side to move, \"w\" or \"b\", found \"x\"",
    );
    refused(&["show", "1qq1/q2q/Q2Q/1QQ1"], "found nothing");
    refused(&["show", "1qq1/q2K/Q2Q/1QQ1 w"], "rank 3, file d: expected 'Q', 'q', '*'");
    refused(
        &["show", "1qq1/q2q/Q21Q/1QQ1 w"],
        "rank 2, file b: expected a run of 1 to 20 empty squares",
    );
    refused(&["show", "20Q/20q w"], "found 21x2");
    refused(&["show", "4/4/4/4 w"], "no amazon on the board");
    refused(
        &["show", "1qq1/q2q/Q2Q/1QQ1 w KQkq"],
        "expected the end or \"- - 0 1\", found \"KQkq\"",
    );
    refused(&["perft", "4/4/4/**** b", "2"], "no amazon");
}

#[test]
fn illegal_moves_are_refused() {
    refused(
        &["show", "4x4", "b1-b2/b4"],
        "b1-b2/b4 is illegal: from b2 there is no shot over empty squares to b4",
    );
    refused(&["show", "4x4", "b4-b3/b4"], "white to move has no amazon on b4");
    refused(
        &["show", "4x4", "b1-d4/a1"],
        "the amazon on b1 has no queen move over empty squares to d4",
    );
    refused(
        &["show", "4x4", "b1-b2/b1", "b4-b3/e5"],
        "square e5 is not on 4x4, whose files are a-d and ranks 1-4",
    );
    refused(&["show", "4x4", "b1b2"], "a move is written from-to/arrow, for example d1-d6/g9");
}

#[test]
fn wrong_usage_is_refused() {
    refused(&[], "Usage");
    refused(&["frobnicate"], "frobnicate");
    refused(&["perft", "4x4"], "<DEPTH>");
    refused(&["perft", "4x4", "-1"], "-1");
    refused(&["perft", "4x4", "two"], "two");
    refused(&["perft", "4x4", "1", "--threads", "0"], "--threads");
    refused(&["perft", "4x4", "1", "--memory", "8"], "a size is a number and a unit");
    refused(&["perft", "4x4", "1", "--quiet", "-v"], "cannot be used with");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let bytes = std::ffi::OsStr::from_bytes(b"4x4\xff");
    Command::cargo_bin("amazons")
        .unwrap()
        .arg("show")
        .arg(bytes)
        .assert()
        .code(2)
        .stderr(contains("UTF-8"));
}

#[test]
fn failures_of_the_system_have_status_1() {
    let file = std::env::temp_dir().join("no such directory").join("board.svg");
    let file = file.to_str().unwrap();
    let says = contains("cannot write").and(contains("no such directory"));
    amazons(&["show", "4x4", "--svg", file]).code(1).stdout("").stderr(says);
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_takes_no_more_is_named() {
    use std::fs::File;
    use std::io::Write;
    use std::process::{self, Stdio};

    let tables = tempfile::tempdir().unwrap();
    let table = tables.path().to_str().unwrap();
    amazons(&["build", "3x3", "--amazons", "1v1", "--tables", table]).success();
    let lookup = ["lookup", "-", "--tables", table];
    for arguments in [&["show", "4x4"][..], &lookup, &["--help"], &["show", "--help"]] {
        let mut child = process::Command::new(env!("CARGO_BIN_EXE_amazons"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(File::options().write(true).open("/dev/full").unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Who asks nothing of it closes it unread.
        let _ = child.stdin.take().unwrap().write_all(b"2q/3/Q2 w\n");
        let ended = child.wait_with_output().unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{told}");
        assert!(told.starts_with("error: cannot write to standard output: "), "{told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_input_that_cannot_be_read_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let table = directory.path().to_str().unwrap();
    amazons(&["build", "3x3", "--amazons", "1v1", "--tables", table]).success();
    for arguments in [&["lookup", "-", "--tables", table][..], &["play", "4x4"], &["uci"]] {
        let ended = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
            .args(arguments)
            .stdin(std::fs::File::open(directory.path()).unwrap())
            .output()
            .unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{told}");
        assert!(told.starts_with("error: cannot read standard input: "), "{told}");
    }
}

/// What was asked for is done, whoever reads the answer, and what cannot be done is said.
#[cfg(target_os = "linux")]
#[test]
fn a_file_is_written_though_nobody_reads_the_answer() {
    use std::io::Read;
    use std::process::Stdio;
    let directory = tempfile::tempdir().unwrap();
    let unread = |more: &str, file: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"));
        command.current_dir(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.args(["solve", "4x3", "--amazons", "2v1", "--certificate", file]);
        let mut child = command.args(more.split_whitespace()).spawn().unwrap();
        drop(child.stdout.take());
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        (child.wait().unwrap().code(), told)
    };
    for (name, more) in [("a.proof", ""), ("b.proof", "--rules cowboys"), ("c.proof", "--spare 0")]
    {
        let (code, told) = unread(more, name);
        assert_eq!(code, Some(0), "{told}");
        amazons(&["verify", directory.path().join(name).to_str().unwrap()]).success();
        let (code, told) = unread(more, "/dev/full");
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains("No space left"), "{told}");
    }
}

#[test]
fn a_dash_is_no_name_of_a_file_to_write() {
    refused(&["solve", "4x4", "--certificate", "-"], "found -; ./- is a file of that name");
    refused(&["show", "5x5", "--svg", "-"], "found -; ./- is a file of that name");
}

/// Nobody would know that the answers are lost.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_a_failure() {
    for arguments in ["perft 4x4 1", "--help", "show 4x4 --json"] {
        let shell = |redirected: &str| {
            let amazons = env!("CARGO_BIN_EXE_amazons");
            std::process::Command::new("sh")
                .args(["-c", &format!("exec {amazons} {arguments} {redirected}")])
                .output()
                .unwrap()
        };
        let ended = shell(">&-");
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{arguments}: {told}");
        assert_eq!(told, "error: cannot write to standard output: it is closed\n");
        for open in [">/dev/null", "<>/dev/null >&0"] {
            assert_eq!(shell(open).status.code(), Some(0), "{arguments}");
        }
    }
}

#[test]
fn what_is_not_there_is_said_to_be_missing_whatever_the_options() {
    for option in [&["--part", "1/2"][..], &["--up-to", "5"], &["--sample", "5"], &[]] {
        let refused = amazons(&[&["verify", "no/such.proof"], option].concat()).code(1);
        refused.stderr(contains("no/such.proof does not exist"));
    }
}

/// Found out before the search, not after it.
#[test]
fn the_name_of_a_directory_is_no_output() {
    for option in ["--checkpoint", "--certificate"] {
        let refused = amazons(&["solve", "10x6", "--time", "1h", option, "no-directory/"]).code(1);
        refused.stdout("").stderr(contains("the name is one of a directory"));
    }
}

#[test]
fn one_side_may_lack_amazons() {
    amazons(&["perft", "2q1/4/4/4 b", "1"]).success();
    amazons(&["perft", "2q1/4/4/4 w", "1"]).success().stdout("0\n");
    amazons(&["perft", "1x1", "1"]).code(2);
    amazons(&["perft", "Q w", "1"]).success().stdout("0\n");
}

#[test]
fn numbers_say_what_was_expected() {
    for (arguments, expected) in [
        (&["perft", "4x4", "x"][..], "'x' for '<DEPTH>': expected a whole number from 0 to 100"),
        (&["perft", "4x4", "101"], "expected a whole number from 0 to 100"),
        (&["play", "4x4", "--level", "0"], "expected a whole number from 1 to 8"),
        (&["play", "4x4", "--nodes", "1.5"], "expected a whole number from 1\n"),
        (&["sample", "t", "--count", "many", "--out", "o"], "expected a whole number from 0\n"),
        (&["perft", "4x4", "1", "--threads", "1025"], "is a whole number from 1 to 1024"),
        (&["plan", "4x4", "--ranks", "0"], "expected a whole number from 1 to 1000000"),
        (&["serve", "--bind", "localhost:0"], "expected an IP address and a port"),
        (
            &["verify", "results/proofs/4x7.proof", "--up-to", "5"],
            "--up-to is for directories of results",
        ),
        (&["verify", "t", "--seed", "5"], "--sample"),
        (&["serve", "--host", "https://board.example"], "expected a name without scheme and port"),
        (&["serve", "--host", "board.example:80"], "expected a name without scheme and port"),
        (&["serve", "--host", ""], "expected a name without scheme and port"),
        (&["sample", "t", "--count", "1", "--json"], "--json goes with --out"),
    ] {
        refused(arguments, expected);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_itself_is_not_a_file_that_is_missing() {
    let directory = tempfile::tempdir().unwrap();
    let link = directory.path().join("link");
    std::os::unix::fs::symlink(&link, &link).unwrap();
    let link = link.to_str().unwrap();
    for arguments in [
        &["info", link][..],
        &["verify", link],
        &["check", link],
        &["lookup", "4x4", "--tables", link],
        &["lookup", "4x4", "--certificate", link],
    ] {
        let expected = format!("cannot read {link}: ");
        amazons(arguments).code(1).stderr(contains(expected).and(contains("links")));
    }
}

#[test]
fn options_that_mean_nothing_together_are_refused() {
    for more in [&["--list"][..], &["--size", "3"], &["--zugzwangs", "2"]] {
        for job in [&["--strips", "2"][..], &["--minimax", "3"]] {
            refused(&[&["regions"], job, more].concat(), "cannot be used with");
        }
    }
}

#[test]
fn files_of_a_search_are_read_whatever_a_table_knows() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (table, missing, junk) = (at("table"), at("missing"), at("junk"));
    std::fs::write(&junk, "x".repeat(500)).unwrap();
    amazons(&["build", "3x3", "--amazons", "1v1", "--tables", &table]).success();
    let solve = ["solve", "q2/3/2Q w", "--tables", &table];
    amazons(&solve).success();
    for (option, file) in [("--digest", &missing), ("--digest", &junk), ("--checkpoint", &junk)] {
        amazons(&[&solve[..], &[option, file]].concat()).code(1).stdout("").stderr(contains(file));
    }
    let saved = at("saved");
    amazons(&[&solve[..], &["--checkpoint", &saved]].concat()).success();
}

#[test]
fn a_table_of_another_game_is_refused_where_amazons_is_played() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (table, game) = (at("table"), at("game"));
    std::fs::write(&game, "q2/3/2Q w\n").unwrap();
    let build = ["build", "3x3", "--amazons", "1v1", "--rules", "pencil", "--tables", &table];
    amazons(&build).success();
    for command in [&["annotate", &game][..], &["play", "q2/3/2Q w", "--side", "none"], &["uci"]] {
        let all = [command, &["--tables", &table]].concat();
        amazons(&all).code(1).stderr(contains("pencil"));
    }
}
