//! Whole games: read, written, refused.

use proptest::prelude::*;

use super::{Game, Remark, Style, Tree, games_text, parse_games};
use crate::game::board::U512;
use crate::game::notation::{fen, move_text, parse_fen};
use crate::game::rules::{Colour, Position, Rules, start};

fn one(text: &str) -> Game {
    let mut games = parse_games(text.as_bytes()).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn end(text: &str) -> String {
    let game = one(text);
    fen(game.position(*game.tree().main_line().last().unwrap()))
}

#[test]
fn the_example_of_the_format_is_played_from_its_start_position() {
    // Black is below and begins, as in the format's own example.
    let game = one("(;GM[18]FF[4];B[djddgd];W[addgad];B[gjehea])");
    let line = game.tree().main_line();
    assert_eq!(fen(game.position(line[0])), "3Q2Q3/10/10/Q8Q/10/10/q8q/10/10/3q2q3 b");
    assert_eq!(fen(game.position(line[3])), "3Q*1Q3/10/10/*2q2*2Q/10/10/q2Q5q/4q5/10/10 w");
    assert_eq!((game.moves(line[3]), game.style()), (3, Style::Points));
}

#[test]
fn moves_with_digits_are_played_from_the_start_with_white_below() {
    assert_eq!(end("(;GM[18];W[d1d6g9])"), "3q2q3/6*3/10/q8q/3Q6/10/Q8Q/10/10/6Q3 b");
    assert_eq!(end("(;GM[18]SZ[4];W[b1-b3/b1];B[a3a4,a4a3])"), "qqq1/*Q1q/Q2Q/1*Q1 w");
    assert_eq!(end("(;GM[18]SZ[4:5])"), "1qq1/q2q/4/Q2Q/1QQ1 w");
    assert_eq!(end("(;GM[18]FF[4];C[nothing])"), "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w");
}

#[test]
fn the_colours_of_the_start_are_those_of_the_first_move() {
    // Points, White first from below, where the format has Black.
    let game = one("(;GM[18]SZ[4];W[bdbbbd];B[abaaab])");
    assert_eq!(fen(game.position(Tree::ROOT)), "1qq1/q2q/Q2Q/1QQ1 w");
    let white_below = Remark::ColoursExchanged { below: Colour::White };
    assert_eq!(game.remarks(), std::slice::from_ref(&white_below));
    assert!(white_below.to_string().contains("white has the amazons below"));
    // What is written has setup, so there is nothing to suppose any more.
    assert!(one(&games_text(&[game])).remarks().is_empty());
    let game = one("(;GM[18]SZ[4];B[b1b3b1];W[a3a4a3])");
    assert_eq!(fen(game.position(Tree::ROOT)), "1QQ1/Q2Q/q2q/1qq1 b");
    assert_eq!(game.remarks(), [Remark::ColoursExchanged { below: Colour::Black }]);
    // Whoever moves an amazon of the right colour needs no exchange, above or below.
    for text in ["(;GM[18]SZ[4];W[babcba])", "(;GM[18]SZ[4];B[b4b3b4])", "(;GM[18]SZ[4];W[c2c3c4])"]
    {
        assert!(parse_games(text.as_bytes()).is_err() || one(text).remarks().is_empty(), "{text}");
    }
}

#[test]
fn a_pass_or_a_resignation_ends_a_line() {
    let start = "(;GM[18]SZ[4];W[b1b3b1]";
    for (end, remark, result) in [
        (";B[])", Remark::Passed(Colour::Black), None),
        (";B[pass])", Remark::Passed(Colour::Black), None),
        (";B[resign])", Remark::Resigned(Colour::Black), Some("W+R")),
        (";W[Resign])", Remark::Resigned(Colour::White), Some("B+R")),
        ("(;B[b4a4b4])(;B[resign]))", Remark::Resigned(Colour::Black), None),
    ] {
        let game = one(&format!("{start}{end}"));
        assert_eq!(game.remarks(), [remark], "{end}");
        assert_eq!(game.tree().node(Tree::ROOT).text("RE").as_deref(), result, "{end}");
        let written = games_text(&[game]);
        assert!(!written.contains("B[]") && !written.contains("[resign]"), "{written}");
        assert_eq!(games_text(&[one(&written)]), written);
    }
    let game = one("(;GM[18]SZ[4]RE[W+3];W[b1b3b1];B[resign])");
    assert_eq!(game.tree().node(Tree::ROOT).text("RE").as_deref(), Some("W+3"));
}

#[test]
fn setup_puts_amazons_and_arrows() {
    let root = "GM[18]SZ[4:3]AW[ac]AB[d3]AA[bb:cb][dc]";
    assert_eq!(end(&format!("(;{root})")), "3q/1**1/Q2* w");
    assert_eq!(end(&format!("(;{root}PL[B])")), "3q/1**1/Q2* b");
    assert_eq!(end(&format!("(;{root};B[dacada])")), "2q*/1**1/Q2* w");
    // Setup within the game changes squares and leaves the rest.
    assert_eq!(end(&format!("(;{root};AE[bb]AW[cb]PL[b];C[x])")), "3q/2Q1/Q2* b");
    assert_eq!(end("(;GM[18]SZ[4];PL[B];B[b4b3b4])"), "1*q1/qq1q/Q2Q/1QQ1 w");
}

#[test]
fn unknown_properties_comments_and_variations_are_kept() {
    let text = "(;FF[4]GM[18]SZ[4]KGB[x\\]][]C[caf\u{e9}\nbar];W[b1b3b1]ZZ9[1]\n(;B[a3a4a3]BM[1])(;B[b4a4b4](;)(;C[z])))";
    let game = one(text);
    let written = games_text(std::slice::from_ref(&game));
    for kept in ["KGB[x\\]][]", "C[café\nbar]", "ZZ9[1]", "BM[1]", "CA[UTF-8]", "PL[W]", "C[z]"] {
        assert!(written.contains(kept), "{kept} is missing in {written}");
    }
    let again = one(&written);
    assert_eq!(again.tree().len(), 6);
    assert_eq!(games_text(&[again]), written);
    // The same in another charset, and several games at once.
    let latin: Vec<u8> = text.chars().map(|symbol| symbol as u8).collect();
    assert_eq!(games_text(&parse_games(&latin).unwrap()), written);
    let both = format!("{written}{written}");
    assert_eq!(parse_games(both.as_bytes()).unwrap().len(), 2);
}

#[test]
fn what_is_no_game_of_amazons_is_refused_with_its_place() {
    let cases = [
        ("(;GM[1]SZ[19];B[pd])", "line 1: expected a game of Amazons, GM[18], found GM[1] (Go)"),
        ("(;FF[4];B[pd])", "found no GM, which stands for Go"),
        ("(;GM[18]FF[5])", "FF[1] to FF[4], found FF[5]"),
        ("(;GM[18]SZ[21])", "1 to 20 columns and 1 to 20 rows, found 21x21"),
        ("(;GM[18]SZ[0:4])", "found 0x4"),
        ("(;GM[18]SZ[x])", "SZ: expected a number or COLUMNS:ROWS, found \"x\""),
        ("(;GM[18]SZ[4:])", "SZ: expected a number"),
        ("(;GM[18]SZ[99999999999999999999])", "SZ: expected a number"),
        ("(;GM[18]SZ[3])", "4 amazons of one side do not fit 3 squares, its half of 3x3"),
        (
            "(;GM[18]SZ[4]AW[ae])",
            "AW: expected a point of 4x4 such as da, or a rectangle of points, found \"ae\"",
        ),
        ("(;GM[18]SZ[4]AW[aa]AB[aa])", "AB: aa is set up twice"),
        ("(;GM[18]SZ[4]AA[aa])", "no amazon on the board"),
        ("(;GM[18]SZ[4]PL[X])", "PL: expected W or B, found \"X\""),
        (
            "(;GM[18]SZ[4]\n;W[b1b3b1]\n;B[b4b2b4])",
            "line 3, move 2, black \"b4b2b4\": b4-b2/b4 is illegal: the amazon on b4 has no queen move",
        ),
        (
            "(;GM[18]SZ[4]AW[bd]AB[ba];B[bdbbbd])",
            "move 1, black \"bdbbbd\": b1-b3/b1 is illegal: black to move has no",
        ),
        ("(;GM[18]SZ[4];W[b1b3b1];W[c1c2c1])", "move 2, white \"c1c2c1\": it is black's turn"),
        ("(;GM[18]SZ[4]PL[W];B[b4b3b4])", "move 1, black \"b4b3b4\": it is white's turn"),
        ("(;GM[18]SZ[4];W[];W[b1b3b1])", "found a pass, which the game does not have"),
        ("(;GM[18]SZ[4];W[b1b3b1];W[])", "move 2, white \"\": expected a move, found a pass"),
        ("(;GM[18]SZ[4];W[resign];W[b1b3b1])", "move 1, white \"resign\": a move is written"),
        ("(;GM[18]SZ[4];W[b1b3b1]B[b4a4b4])", "expected one move in a node, found 2"),
        ("(;GM[18]SZ[4];W[b1b3b1]AA[aa])", "either a move or setup"),
        ("(;GM[18]SZ[4];W[zz])", "a move is written from-to/arrow"),
        (
            "(;GM[18]SZ[4](;W[b1b3b1])\n(;W[b1b3b3]))",
            "line 2, move 1, white \"b1b3b3\": b1-b3/b3 is illegal",
        ),
        ("(;GM[18]SZ[4];W[b1b3b1]", "not closed"),
        ("hello", "expected a game, which begins with \"(;\""),
    ];
    for (text, expected) in cases {
        let error = parse_games(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

/// A game of random legal moves with random variations: each step goes on from some node.
fn random_game(
    start: &Position,
    style: Style,
    steps: &[(prop::sample::Index, prop::sample::Index)],
) -> Game {
    let mut game = Game::new(start, style);
    let rules = Rules::<U512>::new(start.board()).unwrap();
    for (from, choice) in steps {
        let ids: Vec<_> = game.tree().ids().collect();
        // Later nodes more often, so that lines of play grow.
        let id = ids[ids.len() - 1 - from.index(ids.len()).min(from.index(3))];
        let position = game.position(id).bitboards::<U512>().unwrap();
        let moves = rules.moves(&position);
        if !moves.is_empty() {
            let text = move_text(start.board(), moves[choice.index(moves.len())]);
            let child = game.play(id, &text).unwrap();
            game.annotate(child, "C", &text);
        }
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_games_round_trip(
        size in prop::sample::select(vec!["4x4", "5x4", "4x6", "10x10", "15x12"]), points: bool, steps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..40),
    ) {
        let board = size.parse().unwrap();
        let style = if points { Style::Points } else { Style::Algebraic };
        let game = random_game(&start(board).unwrap(), style, &steps);
        let text = games_text(std::slice::from_ref(&game));
        let again = one(&text);
        prop_assert_eq!(again.tree().len(), game.tree().len());
        for (id, image) in game.tree().preorder().into_iter().zip(again.tree().preorder()) {
            prop_assert_eq!(game.position(id), again.position(image));
            prop_assert_eq!(game.played(id), again.played(image));
            prop_assert_eq!(game.moves(id), again.moves(image));
            prop_assert_eq!(game.tree().node(id).properties(), again.tree().node(image).properties());
        }
        prop_assert_eq!(games_text(&[again]), text);
    }

    #[test]
    fn no_bytes_panic(any in prop::collection::vec(any::<u8>(), 0..200), near in "(\\(;|\\)|GM\\[18\\]|SZ\\[[0-9:]{1,4}\\]|;W\\[[a-d]{6}\\]|;B\\[[a-d1-4]{6}\\]|A[BWAE]\\[[a-d]{2}\\]|C\\[\\\\?.\\]){0,20}") {
        let _ = parse_games(&any);
        if let Ok(games) = parse_games(near.as_bytes()) {
            let text = games_text(&games);
            prop_assert_eq!(games_text(&parse_games(text.as_bytes()).unwrap()), text);
        }
    }
}

#[test]
fn a_setup_without_moves_keeps_its_style() {
    for style in [Style::Points, Style::Algebraic] {
        let text = games_text(&[Game::new(&parse_fen("1qq1/q2q/Q2Q/1QQ1 w").unwrap(), style)]);
        assert_eq!(games_text(&[one(&text)]), text);
    }
}

#[test]
fn a_move_played_twice_is_one_node() {
    let mut game = Game::new(&parse_fen("1qq1/q2q/Q2Q/1QQ1 w").unwrap(), Style::Points);
    let first = game.play(Tree::ROOT, "b1-b3/b1").unwrap();
    assert_eq!(game.play(Tree::ROOT, "b1b3b1"), Ok(first));
    assert_eq!(game.tree().len(), 2);
    assert!(games_text(&[game]).contains(";W[bdbbbd]"));
}

#[test]
fn what_is_written_is_of_the_fourth_format() {
    for root in ["GM[18]SZ[4]", "FF[1]GM[18]SZ[4]", "FF[4]GM[18]SZ[4]"] {
        let text = games_text(&[one(&format!("(;{root};W[bdbbbd])"))]);
        assert_eq!(text.matches("FF[4]").count(), 1, "{text}");
        assert!(!text.contains("FF[1]"), "{text}");
    }
}
