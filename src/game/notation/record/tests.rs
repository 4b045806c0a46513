//! Every form, from real sites and programs; what is refused, with its place; any bytes.

use proptest::prelude::*;
use proptest::sample::Index;

use super::super::sgf::{Game, Remark, Style, Tree, games_text};
use super::{Record, read_games, read_games_at_most, read_records};
use crate::game::Move;
use crate::game::board::Board;
use crate::game::rules::{Colour, Position, start};

fn one(text: &str) -> Game {
    let mut games = read_games(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// The record as a list of moves.
fn list(text: &str) -> String {
    Record::of(&one(text)).to_string()
}

fn error(text: &str) -> String {
    match read_games(text.as_bytes()) {
        Err(error) => error.to_string(),
        Ok(games) => panic!("{text}: read as {}", Record::of(&games[0])),
    }
}

/// A game from PlayStrategy, which ends because Black cannot move.
const PLAYED: &str = "10x10 d1-d6/g9 d10-f10/e10 a4-f9/e9 a7-a10/b10 d6-a9/b9 j7-j10/h10 j4-j9/h9 \
                      j10-i10/i9 j9-j10/j9";

/// The moves of [`PLAYED`], each rewritten.
fn rewritten(write: impl Fn(usize, &Move) -> String) -> String {
    let moves = PLAYED.split(' ').skip(1).map(|text| text.parse::<Move>().unwrap());
    moves.enumerate().map(|(index, played)| write(index, &played)).collect()
}

#[test]
fn every_notation_of_moves_is_read() {
    let texts = [
        PLAYED.to_string(),
        PLAYED.replace(' ', "\n"),
        PLAYED.replace("10x10 ", ""),
        PLAYED.to_uppercase(),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to}p{arrow} ")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to}\nP@{arrow}\n")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to} P@{arrow}, ")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to},P@{arrow} ")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to},{to}{arrow} ")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to} {to}{arrow} ")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to},{arrow} ")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}{to}{arrow}")),
        rewritten(|_, Move { from, to, arrow }| format!("{from} {to} {arrow} ")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}-{to}-{arrow},")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}-{to}({arrow})")),
        rewritten(|_, Move { from, to, arrow }| format!("{from}-{to} ( {arrow} ); ")),
        rewritten(|i, Move { from, to, arrow }| format!("{}.{from}–{to},{arrow}; ", i + 1)),
        rewritten(|i, Move { from, to, arrow }| format!("{}. {from}-{to} x {arrow}\n", i + 1)),
        rewritten(|i, Move { from, to, arrow }| format!("{}) Q{from} → {to} @ {arrow}\n", i + 1)),
        rewritten(|i, Move { from, to, arrow }| match i % 2 {
            0 => format!("{}. {from}-{to}/{arrow} ", i / 2 + 1),
            _ => format!("{}... {from}-{to}/{arrow} {{a comment}} # to the end\n", i / 2 + 1),
        }),
    ];
    for text in texts {
        assert_eq!(list(&text), PLAYED, "{text}");
        assert!(one(&text).remarks().is_empty());
    }
}

#[test]
fn lines_of_real_sites_are_read() {
    let at_e4 = "4*5/******1*2/Qq**6/q*q1*1*3/**********/Q******q*Q/****Q*****/**********/**********/***2***** b";
    let start = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3";
    for (text, moves) in [
        ("1.d1–d5,g8;", "10x10 d1-d5/g8"),
        ("d1-d6-g9", "10x10 d1-d6/g9"),
        ("d1-d6(g9)", "10x10 d1-d6/g9"),
        ("10x10 d1-d6/g9", "10x10 d1-d6/g9"),
        ("  10×10  d1-d6/g9\r\n", "10x10 d1-d6/g9"),
        ("8x8", "8x8"),
        (
            "3q6/10/10/10/10/10/4Q5/10/10/10 w\n1. E4-H7 x E4",
            "3q6/10/10/10/10/10/4Q5/10/10/10 w e4-h7/e4",
        ),
        (&format!("{start}[PPPPpppp] w - 0 1 d1d6 P@g9"), "10x10 d1-d6/g9"),
        (&format!("{start}[PPPPpppp] w - - 0 1\n1. d1d6pg9"), "10x10 d1-d6/g9"),
        (at_e4, at_e4),
        ("x..|.#.|..o w c1-c2/c1", "2*/"),
        ("x../.#./..o b", "q2/1*1/2Q b"),
    ] {
        let found = list(text);
        assert!(found == moves || moves.ends_with('/'), "{text}: {found}");
    }
    assert_eq!(list("x..|.#.|..o w c1-c2/c1"), "q2/1*1/2Q w c1-c2/c1");
}

#[test]
fn results_are_remarks_and_end_a_game() {
    use Colour::{Black, White};
    for (end, remarks, result) in [
        ("resign", vec![Remark::Resigned(Black)], Some("W+R")),
        ("Black resigns 1-0", vec![Remark::Resigned(Black), Remark::Won(White)], Some("W+R")),
        ("0-1", vec![Remark::Won(Black)], Some("B+")),
        ("1–0", vec![Remark::Won(White)], Some("W+")),
        ("pass", vec![Remark::Passed(Black)], None),
        ("*", vec![Remark::Result("*".to_string())], None),
        ("white won", vec![Remark::Won(White)], Some("W+")),
        ("White lost.", vec![Remark::Won(Black)], Some("B+")),
    ] {
        let game = one(&format!("10x10 d1-d6/g9 {end}"));
        assert_eq!(game.remarks(), remarks, "{end}");
        assert_eq!(game.tree().node(Tree::ROOT).text("RE").as_deref(), result, "{end}");
        let error = error(&format!("10x10 d1-d6/g9 {end} d10-d7/g7"));
        assert!(error.contains("expected the end of the game, found \"d10\""), "{error}");
    }
}

#[test]
fn several_games_stand_below_each_other() {
    let text = "# two games\n4x4 b1-b3/b1 a3-a4/a3 resign\n\n2q1/4/4/1Q2 w b1-b3/b1\n4x4\n";
    let lists: Vec<String> =
        read_records(text.as_bytes()).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(lists, ["4x4 b1-b3/b1 a3-a4/a3", "2q1/4/4/1Q2 w b1-b3/b1", "4x4"]);
    assert!(read_games_at_most(text.as_bytes(), 6).is_ok());
    let error = read_games_at_most(text.as_bytes(), 5).unwrap_err();
    assert!(error.is_too_long());
    assert_eq!(error.to_string(), "line 5, column 1: more than 5 positions");
}

#[test]
fn tags_as_in_pgn_are_read() {
    let text = "[Event \"A \\\"cup\\\"\"]\n[White \"Ann\"] [FEN \"2q1/4/4/1Q2 w\"]\n\n1. b1-b3/b1 0-1\n\
                [White \"Bob\"]\n[Result \"1-0\"]\n\n1. d1-d6/g9\n";
    let games = read_games(text.as_bytes()).unwrap();
    let root = |game: usize| games[game].tree().node(Tree::ROOT);
    assert_eq!(root(0).text("EV").as_deref(), Some("A \"cup\""));
    let results = [root(0), root(1)].map(|root| root.text("RE").unwrap());
    assert_eq!(results, ["B+", "W+"]);
    assert_eq!(
        (root(0).text("PW").as_deref(), root(1).text("PW").as_deref()),
        (Some("Ann"), Some("Bob"))
    );
    assert_eq!(Record::of(&games[0]).to_string(), "2q1/4/4/1Q2 w b1-b3/b1");
    assert_eq!(Record::of(&games[1]).to_string(), "10x10 d1-d6/g9");
    assert_eq!(list("[FEN \"2q1/4/4/1Q2 w\"]"), "2q1/4/4/1Q2 w");
    let found = error("\n[FEN \"2q1/4/4/1A2 w\"]");
    assert!(found.starts_with("line 2, column 1: rank 1, file b: expected 'Q'"), "{found}");
}

/// The board and the first moves of the example in the definition of GGF.
const GGF: &str = "(;GM[Amazons]PC[GGS/ams]DT[2004.09.18_05:54:38.MDT]\nPB[amsbot5]PW[Raphael]RB[1897.01]RW[1874.15]TI[30:00/00:05/02:00]TY[10]RE[-3.00]\nBO[10 ---*--*--- ---------- ---------- *--------* ---------- ----------\nO--------O ---------- ---------- ---O--O--- *]\nB[D1-D7-G7/11.50/5.04]W[J7-G4-B4//21.42]\nB[G1-E3-E10/8.30/5.01]W[G10-I8-I5//14.01]\n;)";

#[test]
fn ggf_is_read_as_its_definition_says() {
    let game = one(GGF);
    let record = Record::of(&game);
    assert_eq!(record.start().to_string(), "3Q2Q3/10/10/Q8Q/10/10/q8q/10/10/3q2q3 b");
    let moves: Vec<String> = record.moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["d1-d7/g7", "j7-g4/b4", "g1-e3/e10", "g10-i8/i5"]);
    let root = game.tree().node(Tree::ROOT);
    for (name, value) in [("PB", "amsbot5"), ("WR", "1874.15"), ("DT", "2004-09-18"), ("RE", "W+3")]
    {
        assert_eq!(root.text(name).as_deref(), Some(value), "{name}");
    }
    // Archives have several in a line, with a number before them.
    let both = format!("2 {}{}", GGF.replace("RE[-3.00]", "RE[+64.00:r]"), GGF);
    let games = read_games(both.as_bytes()).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tree().node(Tree::ROOT).text("RE").as_deref(), Some("B+R"));
    let burned =
        GGF.replace("---------- ---------- ---O--O--- *]", "---------- X--------# ---O--O--- *]");
    assert!(Record::of(&one(&burned)).start().to_string().starts_with("3Q2Q3/*8*/10/Q8Q/"));
    let ended = GGF.replace("W[G10-I8-I5//14.01]", "W[resign]");
    assert_eq!(one(&ended).remarks(), [Remark::Resigned(Colour::White)]);
    for (from, to, expected) in [
        (
            "GM[Amazons]",
            "GM[Othello]",
            "line 1, column 6: expected a game of Amazons, GM[Amazons], found \"Othello\"",
        ),
        ("W[J7-G4", "W[J7-G5", "line 5, column 25, move 2, white: j7-g5/b4 is illegal"),
        ("W[J7-G4-B4", "W[J7-G4", "line 5, column 25, move 2, white: a move is written"),
        (
            "W[J7-G4-B4//21.42]\n",
            "",
            "line 5, column 25: expected a move of white, whose turn it is, found one of black",
        ),
        (
            "*--------*",
            "*-------*",
            "line 3, column 40: expected a row of 10 squares, found \"*-------*\"",
        ),
        ("*--------*", "*---?----*", "line 3, column 44: expected '*', 'O', '-' or 'X', found '?'"),
        (
            "O--O--- *]",
            "O--O--- ?]",
            "line 4, column 45: expected the side to move, * or O, found \"?\"",
        ),
        ("BO[10", "BO[9", "expected a row of 9 squares"),
        ("BO[10", "BO[", "found 0x9"),
        (";)", "", "line 7, column 1: expected a property such as B[...] or \";)\", found the end"),
        ("B[G1", "KB[G1", "expected a game without komi moves, found KB"),
        ("I5//14.01]\n;)", "", "expected a \"]\" for this value"),
    ] {
        let found = error(&GGF.replacen(from, to, 1));
        assert!(found.contains(expected), "{to}: {found}");
    }
}

#[test]
fn boards_and_numbers_of_open_spiel_are_read() {
    // d1-d6/g9, d10-f10/e10.
    let numbers = "93, 43, 16\n3, 5, 4\n";
    assert_eq!(list(numbers), "10x10 d1-d6/g9 d10-f10/e10");
    assert_eq!(list("[93, 43, 16]"), "10x10 d1-d6/g9");
    // The start on 6x6 of its first versions, where X stands above.
    let board = ".X..X.\nX....X\n......\n......\nO....O\n.O..O.";
    let game = one(board);
    assert_eq!(Record::of(&game).to_string(), "1Q2Q1/Q4Q/6/6/q4q/1q2q1 w");
    assert_eq!(game.remarks(), [Remark::TurnCounted { turn: Colour::White, burned: 0 }]);
    assert_eq!(list(&format!("{board}\n1 7 13")), "1Q2Q1/Q4Q/6/6/q4q/1q2q1 w b6-b5/b4");
    let burned = board.replacen("......", "#.....", 1);
    assert!(list(&burned).ends_with(" b"));
    for (text, expected) in [
        (
            "93 43",
            "line 1, column 1: expected three numbers for each move: from, to, arrow, found 2 at the end",
        ),
        ("93 43 100", "line 1, column 7: expected a square of 10x10, 0 to 99, found \"100\""),
        ("93 43 16 93 43 17", "line 1, column 10, move 2, black: d1-d6/h9 is illegal"),
        ("X..\n.O", "line 1, column 1: row 2 has 2 squares"),
        ("...\n...", "no amazon on the board"),
    ] {
        let found = error(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn what_is_refused_names_its_place() {
    for (text, expected) in [
        ("", "found nothing"),
        (" \n# nothing\n", "found nothing"),
        (
            "hello",
            "line 1, column 1: expected SGF, GGF, a position or a move such as d1-d6/g9, found \"hello\"",
        ),
        ("resign", "expected SGF, GGF, a position or a move"),
        (
            "10x10\n1. d1-d6/g9\n2. d1-d5/d4",
            "line 3, column 4, move 2, black: d1-d5/d4 is illegal: black to move has no amazon on d1",
        ),
        ("10x10 d1-d6/g9 d10-d21/g7", "line 1, column 20"),
        (
            "10x10 d1-d6/g9 d10-d11/g7",
            "line 1, column 16, move 2, black: square d11 is not on 10x10",
        ),
        ("4x4 b1-b3/b1 a3-a5/a3", "line 1, column 14, move 2, black: square a5 is not on 4x4"),
        (
            "21x21 d1-d6/g9",
            "line 1, column 1: a board has 1 to 20 columns and 1 to 20 rows, found 21x21",
        ),
        (
            "4x4 b1-b3/b1\n3x3",
            "line 2, column 1: 4 amazons of one side do not fit 3 squares, its half of 3x3",
        ),
        (
            "3a2a3/10/10/a8a/10/10/A8A/10/10/3A2A3 w",
            "line 1, column 1: rank 10, file d: expected 'Q', 'q', '*', a number of empty squares or '/', found 'a'; amazons are Q (white) and q (black)",
        ),
        (
            "4x4\n1bb1/b2b/W2W/1WW1 w",
            "line 2, column 1: rank 4, file b: expected 'Q', 'q', '*', a number of empty squares or '/', found 'b'; amazons are",
        ),
        (
            "1qq1/q2q/Q2Q/1QQ1 r d1-d2/d3",
            "line 1, column 1: after the squares: expected the side to move, \"w\" or \"b\", found \"r\"",
        ),
        ("1qq1/q2q/Q2Q/1QQ1", "expected the side to move, \"w\" or \"b\", found nothing"),
        (
            "x..|..o",
            "after the rows: expected the side to move, \"w\" (o) or \"b\" (x), found nothing",
        ),
        ("x..|..oo w", "row 2 has 4 squares"),
    ] {
        let found = error(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn a_move_that_is_refused_names_its_place() {
    for (text, expected) in [
        (
            "d1-d6 d10-d7/g7",
            "line 1, column 7: expected the square that d1-d6 burns, found \"d10-d7/g7\"",
        ),
        (
            "d1d6 d10d7g7",
            "line 1, column 6: expected the square that d1-d6 burns, found \"d10d7g7\"",
        ),
        (
            "d1d6,c6g9",
            "line 1, column 6: expected one square that d1-d6 burns, or a shot from d6, found \"c6g9\"",
        ),
        ("d1-d6; g9", "line 1, column 6: expected the square that d1-d6 burns, found \";\""),
        (
            "1. d1-d6/g9 2. d10",
            "line 1, column 19: expected the square that the amazon on d10 goes to, found the end",
        ),
        (
            "1. d1 2. d10-d7/g7",
            "line 1, column 7: expected the square that the amazon on d1 goes to, found \"2.\"",
        ),
        ("d1-d6(g9 d10-d7(g7)", "expected \")\", found \"d10\""),
        ("d1-d6(g9", "line 1, column 9: expected \")\", found the end"),
        (
            "d1/d6-g9",
            "line 1, column 4: expected a dash between the squares of a step, / or another mark before an arrow, found \"/\"",
        ),
        ("d1-d6-/-,-g9", "expected a move such as d1-d6/g9"),
        (
            "d1-d6/g9 Black: d10-d7/g7 Black: a4-a5/a6",
            "line 1, column 34: expected a move of white, whose turn it is, found \"a4\"",
        ),
        ("d1-d6/g9 ?", "line 1, column 10: expected a move such as d1-d6/g9, found \"?\""),
        ("d1-d6/g9 {open", "line 1, column 10: expected a \"}\" for this \"{\", found the end"),
        ("d1-d6/g9 (d10-d7/g7)", "expected a move such as d1-d6/g9, found \"(\""),
        ("(;GM[18]SZ[4];W[b1b3b3])", "line 1, move 1, white \"b1b3b3\""),
        ("(;GM[1]SZ[19];B[pd])", "found GM[1] (Go)"),
    ] {
        let found = error(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn long_texts_are_read_in_linear_time() {
    // Each of these is quadratic if a place is counted, or a line is searched, for every word.
    let long = 1 << 20;
    for text in [
        "4x4\n".repeat(long / 4),
        "[".repeat(long),
        "[A \"b\"] ".repeat(long / 8),
        "{".repeat(long),
        "{}".repeat(long / 2),
        "a".repeat(long),
        "Q".repeat(long),
        "1 ".repeat(long / 2),
        "X.O.\n".repeat(long / 5),
        "(;GM[Amazons]".repeat(long / 13),
        "/".repeat(long),
        "d1-".repeat(long / 3),
    ] {
        let games = read_games(text.as_bytes());
        assert!(games.is_err() || games.is_ok_and(|games| games.len() <= 200_000));
    }
}

/// A game of random legal moves.
fn random(board: Board, choices: &[Index]) -> Record {
    let (mut at, mut moves) = (start(board).unwrap(), Vec::new());
    let first = at;
    for choice in choices {
        let legal: Vec<Move> = at.moves().collect();
        if legal.is_empty() {
            break;
        }
        let played = legal[choice.index(legal.len())];
        at = at.play(played).unwrap();
        moves.push(played);
    }
    Record::new(first, &moves).unwrap()
}

fn boards() -> impl Strategy<Value = Board> {
    prop::sample::select(vec!["4x4", "5x4", "8x8", "10x10"]).prop_map(|text| text.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(
        board in boards(), choices in prop::collection::vec(any::<Index>(), 0..30), cut: Index,
    ) {
        let record = random(board, &choices);
        let again = read_records(record.to_string().as_bytes()).unwrap().remove(0);
        prop_assert_eq!(&again, &record);
        // From a position within the game on.
        let cut = cut.index(record.moves().len() + 1);
        let middle = match cut { 0 => *record.start(), _ => record.positions()[cut - 1] };
        let rest = Record::new(middle, &record.moves()[cut..]).unwrap();
        prop_assert_eq!(&read_records(rest.to_string().as_bytes()).unwrap(), &[rest]);
        // As SGF.
        let mut game = Game::new(record.start(), Style::Points);
        let mut last = Tree::ROOT;
        for played in record.moves() {
            last = game.play(last, &played.to_string()).unwrap();
        }
        prop_assert_eq!(&read_records(games_text(&[game]).as_bytes()).unwrap(), &[record]);
    }

    #[test]
    fn no_bytes_panic(
        any in prop::collection::vec(any::<u8>(), 0..200),
        near in "([a-k][0-9]{1,2}|[-–/,;.()x@pPqQ×]|[0-9]{1,2}\\.?|P@| |\n|resign|white|10x10|4x4|1qq1/q2q/Q2Q/1QQ1|\\[PPpp\\]| [wb] |[xXO.#|]{1,4}|\\[A \"b\"\\]|[{}#*?]){0,24}",
        ggf in "\\(;GM\\[Amazons\\](BO\\[4( [-*OX]{4}){4} \\*\\]|[BW]\\[[A-D][1-4]-[A-D][1-4]-[A-D][1-4](/1)?\\]|;\\)|.){0,9}",
    ) {
        for text in [&any[..], near.as_bytes(), ggf.as_bytes()] {
            if let Ok(games) = read_games(text) {
                for game in games {
                    let record = Record::of(&game);
                    let again = read_records(record.to_string().as_bytes()).unwrap().remove(0);
                    prop_assert_eq!(again.moves(), record.moves());
                    prop_assert_eq!(again.last(), record.last());
                }
            }
        }
    }

    #[test]
    fn no_change_of_a_record_panics(
        which in 0..5usize, at: Index, length in 0..4usize, put in "[ -~\n\u{e9}–]{0,3}",
    ) {
        let sgf = "(;GM[18]SZ[4];W[b1b3b1];B[resign])".to_string();
        let pocket = "1qq1/q2q/Q2Q/1QQ1[PPpp] w - 0 1 b1b3 P@b1".to_string();
        let rows = ".XX.\nX..X\nO..O\n.OO.\n1 5 9".to_string();
        let mut text: Vec<char> = [PLAYED.into(), GGF.into(), sgf, pocket, rows][which].chars().collect();
        let at = at.index(text.len());
        text.splice(at..(at + length).min(text.len()), put.chars());
        let _ = read_games(text.into_iter().collect::<String>().as_bytes());
    }

    #[test]
    fn a_position_alone_is_a_game_without_moves(position in any::<[u8; 26]>()) {
        let board: Board = "7x6".parse().unwrap();
        let bytes = &position[..Position::packed_bytes(board)];
        if let Ok(position) = Position::from_packed(board, bytes) {
            let read = read_records(position.to_string().as_bytes()).unwrap();
            prop_assert_eq!(read, [Record::new(position, &[]).unwrap()]);
        }
    }
}
