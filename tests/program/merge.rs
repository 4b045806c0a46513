//! `amazons merge` from outside.

use std::path::Path;

use amazons::game::code::Coder;
use amazons::game::notation::fen;
use amazons::game::rules::Position;
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

/// With memory enough for the files, of which each takes some.
fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(["--memory", "300MB", "--threads", "2"]).args(arguments).assert()
}

#[test]
fn certificates_after_each_first_move_are_merged() {
    let directory = tempfile::tempdir().unwrap();
    let [pieces, out, other] = ["pieces", "whole", "other"].map(|name| directory.path().join(name));
    std::fs::create_dir(&pieces).unwrap();
    let [from, out, other] = [&pieces, &out, &other].map(|path| path.to_str().unwrap());
    // Black wins; after a move 12 squares are empty.
    let start = Position::start_with("4x4".parse().unwrap(), "1v2".parse().unwrap()).unwrap();
    let position = &fen(&start)[..];
    let moves: Vec<String> = start.moves().map(|played| played.to_string()).collect();
    for played in &moves {
        let piece = pieces.join(played.replace('/', "-"));
        let piece = piece.to_str().unwrap();
        amazons(&["solve", position, played, "--certificate", piece]).success();
    }
    let merge = ["merge", position, "--from", from, "--out", out];
    amazons(&merge).success().stdout(contains("black wins, if `amazons verify"));
    amazons(&["verify", out]).success().stdout(contains("proved: black wins"));
    let json = amazons(&[&merge[..], &["--json"]].concat()).success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!((&json["winner"], &json["files"]), (&"black".into(), &moves.len().into()));
    assert!(json["positions"].as_u64() >= Some(moves.len() as u64), "{json}");
    assert_eq!(json["bytes"], std::fs::metadata(out).unwrap().len());
    // What a killed process has left is no certificate.
    std::fs::write(pieces.join("a.0123456789abcdef.new"), b"half").unwrap();
    let [one, other_piece] =
        [&moves[0], &moves[1]].map(|played| pieces.join(played.replace('/', "-")));
    let one = one.to_str().unwrap();
    amazons(&["merge", position, "--from", one, from, "--out", out]).success();

    let failing = ["merge", position, "--from", from, "--out", other];
    let bytes = std::fs::read(&other_piece).unwrap();
    std::fs::write(&other_piece, &bytes[..bytes.len() - 1]).unwrap();
    let name = other_piece.to_str().unwrap();
    amazons(&failing).code(1).stderr(contains(name).and(contains("ends here")));
    // A move is missing if none has led to an image of the position after it.
    let coder = Coder::new(start.board());
    let codes: Vec<_> = start
        .moves()
        .map(|played| coder.code(&start.play(played).unwrap().bitboards().unwrap()))
        .collect();
    let images = |of: usize| -> Vec<usize> {
        (0..moves.len()).filter(|&at| codes[at] == codes[of]).collect()
    };
    for at in images(1) {
        std::fs::remove_file(pieces.join(moves[at].replace('/', "-"))).unwrap();
    }
    let missing = images(1).iter().map(|&at| &moves[at][..]).collect::<Vec<_>>().join(", ");
    let words = format!("after {} of {} moves: {missing}\n", images(1).len(), moves.len());
    amazons(&failing).code(1).stderr(contains(words));
    let words = format!("after {} of {} moves: ", moves.len() - images(0).len(), moves.len());
    amazons(&["merge", position, "--from", one, "--out", other])
        .code(1)
        .stderr(contains(words).and(contains(", ...")));
    amazons(&["merge", "5x4", "--from", out, "--out", other]).code(1).stderr(contains("4x4"));
    amazons(&["merge", position, "--out", other]).code(2).stderr(contains("--from"));
    amazons(&["merge", position, "--from", "/dev/null", "--out", other])
        .code(1)
        .stderr(contains("not a regular file"));
    let none = directory.path().join("none");
    std::fs::create_dir(&none).unwrap();
    amazons(&["merge", position, "--from", none.to_str().unwrap(), "--out", other])
        .code(1)
        .stderr(contains("none has no files"));
    assert!(!Path::new(other).exists());
}

#[test]
fn a_merge_names_what_does_not_fit() {
    let directory = tempfile::tempdir().unwrap();
    let [piece, out] = ["piece", "out"].map(|name| directory.path().join(name));
    let [piece, out] = [&piece, &out].map(|path| path.to_str().unwrap());
    amazons(&["solve", "5x4", "--certificate", piece]).success();
    amazons(&["merge", "5x4", "--from", piece, "--out", out]).success();
    assert!(std::fs::read(piece).unwrap() == std::fs::read(out).unwrap());
    amazons(&["merge", "5x4", "--from", piece, "--out", out, "--leaf", "8"])
        .code(1)
        .stderr(contains(format!("{piece}: leaves out positions with up to 9 empty squares")))
        .stderr(contains("give --leaf 9 or more"));
    // Nobody has a certificate of what follows on another position.
    let other = "1q1q1/q3q/Q3Q/1Q1Q1 b";
    amazons(&["merge", other, "--from", piece, "--out", out])
        .code(1)
        .stderr(contains("after 170 of 170 moves: "));
    let other = "1q1q1/q3q/Q3Q/1Q1*Q w";
    amazons(&["merge", other, "--from", piece, "--out", out])
        .code(1)
        .stderr(contains(format!("no file lists {other}")));
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(["--memory", "20MB", "merge", "5x4", "--from", piece, "--out", out]);
    command.assert().code(2).stderr(contains("merging 1 files needs"));
    assert!(std::fs::read(piece).unwrap() == std::fs::read(out).unwrap());
}
