//! The player by the library, and `amazons play` and `amazons match` from outside.

use std::sync::{Arc, OnceLock};

use amazons::game::board::{Bitboard, Board};
use amazons::game::notation::{fen, parse_fen, play_text};
use amazons::game::rules::{Colour, Position, Rules, Setup, start};
use amazons::knowledge::{Knowledge, Source, TableSource};
use amazons::machine::progress::StopFlag;
use amazons::play::{Endgame, Engine, Evaluation, Limits, MoveSource, Settings, Terms};
use amazons::tables::format::Table;
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use proptest::prelude::*;

fn amazons(arguments: &[&str], input: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("amazons").unwrap();
    command
        .args(["--memory", "200MB", "--threads", "1"])
        .args(arguments)
        .write_stdin(input)
        .assert()
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A position of any size: amazons where the bits fall, squares burned where others do.
fn positions() -> impl Strategy<Value = Position> {
    (1..=10usize, 1..=10usize, any::<[u128; 8]>(), any::<bool>()).prop_filter_map(
        "no amazon",
        |(c, r, bits, turn)| {
            let board = Board::new(c, r).unwrap();
            let sparse = |at: usize| {
                Bitboard::<u128>::from_word(bits[at] & bits[at + 1] & bits[at + 2]).widen()
                    & board.all()
            };
            let (white, black) = (sparse(0), sparse(3));
            let black = black.without(white);
            let burned = Bitboard::<u128>::from_word(bits[6] & bits[7]).widen() & board.all();
            let arrows = burned.without(white | black);
            let turn = if turn { Colour::White } else { Colour::Black };
            Setup { board, white, black, arrows, turn }.check().ok()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_move_is_legal(
        position in positions(), threads in 1..=3usize, width in 0..6usize, memory in 0..3usize, terms in 0..3usize,
        endgame in 0..3usize,
    ) {
        let endgame = [Endgame::Off, Endgame::Bounds, Endgame::Proof][endgame];
        let terms = [Terms::Mobility, Terms::Distance, Terms::Full][terms];
        let settings = Settings {
            threads, width, memory: [0, 1 << 10, 1 << 20][memory], endgame,
            evaluation: Evaluation { terms, territories: endgame != Endgame::Off }, ..Settings::default()
        };
        let mut player = Engine::new(position.board(), settings).unwrap();
        let rules = Rules::<u128>::new(position.board()).unwrap();
        let mut plain = position.bitboards().unwrap();
        let mut turn = position.turn();
        for _ in 0..3 {
            let now = Position::new(position.board(), &plain, turn).unwrap();
            let decision = player.choose(&now, &nodes(400), &StopFlag::new(), &mut |_| {}).unwrap();
            let Some(played) = decision.played else {
                prop_assert!(!rules.can_move(&plain));
                break;
            };
            plain = rules.play(&plain, played).map_err(|why| TestCaseError::fail(format!("{played:?}: {why}")))?;
            turn = turn.other();
        }
    }
}

#[test]
fn a_game_begins_after_the_moves_that_are_given() {
    let arguments = ["play", "3x3", "b1-a1/a2", "--amazons", "1v1", "--side", "both"];
    amazons(&arguments, "fen\nquit\n").success().stdout(contains("1q1/*2/Q2 b"));
    let arguments = ["play", "3x3", "b1-b3/b1", "--amazons", "1v1"];
    amazons(&arguments, "").code(2).stderr(contains("b1-b3/b1 is illegal"));
}

#[test]
fn another_board_is_refused() {
    let mut player = Engine::new("4x4".parse().unwrap(), Settings::default()).unwrap();
    let start = start("4x5".parse().unwrap()).unwrap();
    let error = player.choose(&start, &nodes(1), &StopFlag::new(), &mut |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "the position is on 4x5, expected one on 4x4");
}

/// The figures that `benches/play.rs` asserts.
#[test]
fn evaluations_and_searches_are_what_they_were() {
    for (board, sum, depth_2) in [("6x6", 124342, (3678, 261)), ("10x10", 41508, (11174, 478))] {
        let start = start(board.parse().unwrap()).unwrap();
        let rules = Rules::<u128>::new(start.board()).unwrap();
        let mut player = Engine::new(start.board(), Settings::default()).unwrap();
        let plain = start.bitboards().unwrap();
        let score = |played| {
            let child = rules.play_unchecked(&plain, played);
            let child = Position::new(start.board(), &child, Colour::Black).unwrap();
            i64::from(player.evaluate(&child).unwrap().hundredths())
        };
        let found: i64 = rules.moves(&plain).into_iter().map(score).sum();
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let decision = player.choose(&start, &limits, &StopFlag::new(), &mut |_| {}).unwrap();
        let searched = (decision.nodes, decision.score.hundredths());
        assert_eq!((board, found, searched), (board, sum, depth_2));
    }
}

#[test]
fn a_stopped_search_still_has_a_move() {
    let stop = StopFlag::new();
    stop.stop();
    for board in ["5x5", "10x10"] {
        let start = start(board.parse().unwrap()).unwrap();
        let mut player = Engine::new(start.board(), Settings::default()).unwrap();
        let decision = player.choose(&start, &Limits::default(), &stop, &mut |_| {}).unwrap();
        assert!(decision.played.is_some());
    }
}

#[test]
fn the_same_nodes_give_the_same_game() {
    let game = || {
        let output =
            amazons(&["play", "5x5", "--side", "none", "--nodes", "500", "--json"], "").success();
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        let lines =
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.map(|line| line["move"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(game(), game());
}

/// All positions of 4x4 with two amazons a side.
fn table() -> (&'static Table, Arc<Knowledge>, &'static str) {
    static PLACE: OnceLock<(tempfile::TempDir, Table)> = OnceLock::new();
    let (directory, table) = PLACE.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t");
        amazons(
            &["build", "4x4", "--amazons", "2v2", "--tables", path.to_str().unwrap(), "-q"],
            "",
        )
        .success();
        let table = Table::open(&path).unwrap();
        (directory, table)
    });
    let source = Arc::new(Table::open(table.directory()).unwrap().into());
    let source: Arc<dyn Source> = Arc::new(TableSource::new(source, 0));
    let _ = directory;
    (table, Arc::new(Knowledge::new([source])), table.directory().to_str().unwrap())
}

#[test]
fn inside_tables_a_win_is_never_thrown_away() {
    let (table, tables, _) = table();
    let board: Board = "4x4".parse().unwrap();
    let rules = Rules::<u64>::new(board).unwrap();
    let mut player = Engine::new(board, Settings::default()).unwrap().with_known(tables);
    // The opponent plays by a simple rule that leads through many different games.
    let (mut won, mut number) = (0, 7usize);
    for text in
        ["q2q/4/4/Q2Q w", "1q1q/4/4/Q1Q1 w", "qq2/4/4/2QQ w", "q3/3q/Q3/3Q w", "4/qQ2/2qQ/4 w"]
    {
        for _ in 0..6 {
            let mut position = parse_fen(text).unwrap();
            let mut winning = false;
            loop {
                let plain = position.bitboards::<u64>().unwrap();
                if !rules.can_move(&plain) {
                    assert!(!winning || position.turn() == Colour::Black);
                    break;
                }
                let played = if position.turn() == Colour::White {
                    let outcome = table.value(&position).unwrap();
                    assert!(outcome.is_win() || !winning, "thrown away before {}", fen(&position));
                    winning = outcome.is_win();
                    let decision = player
                        .choose(&position, &nodes(100), &StopFlag::new(), &mut |_| {})
                        .unwrap();
                    let source = decision.source;
                    assert!(
                        matches!(source, MoveSource::Known | MoveSource::Filling),
                        "{source:?}"
                    );
                    assert_eq!(decision.score.proven(), Some(outcome));
                    won += usize::from(outcome.is_win());
                    decision.played.unwrap()
                } else {
                    let moves = rules.moves(&plain);
                    number = number * 1_103_515_245 % 2_147_483_647 + 12_345;
                    moves[number % moves.len()]
                };
                let after = rules.play(&plain, played).unwrap();
                position = Position::new(board, &after, position.turn().other()).unwrap();
            }
        }
    }
    assert!(won > 50, "{won}");
}

#[test]
fn a_game_from_a_pipe_to_its_end() {
    let (_, _, directory) = table();
    // The user plays the first move that `moves` lists, as a human with a script would.
    let mut script = String::from("moves\nmoves a1\nfen\nhint\nnonsense\na1-a4/a1\nhelp\nundo\n");
    let (rules, board) =
        (Rules::<u64>::new("4x4".parse().unwrap()).unwrap(), "4x4".parse::<Board>().unwrap());
    for move_text in ["a1-a2/a1", "a1a2,a2a1"] {
        script += &format!("{move_text}\nundo\n");
    }
    let output =
        amazons(&["play", "q2q/4/4/Q2Q w", "--tables", directory, "--nodes", "50"], &script)
            .success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    for expected in [
        "white to move",
        "a1-b1/",
        "q2q/4/4/Q2Q w",
        "hint: ",
        "error: a move is written",
        "a1-a4/a1 is illegal: the amazon on a1 has no queen move over empty squares to a4",
        "undo       take back",
        "error: there is no move of yours to take back",
        "1. white a1-a2/a1",
        "(known)",
        "not finished after 0 moves",
    ] {
        assert!(text.contains(expected), "{expected} is missing in\n{text}");
    }
    // To the end: the replies are known after each line, so the game is replayed with one more move
    // each time.
    let (mut moves, mut finished) = (Vec::<String>::new(), false);
    for _ in 0..12 {
        let input = moves.join("\n") + "\n";
        let output =
            amazons(&["play", "q2q/4/4/Q2Q w", "--tables", directory, "--json"], &input).success();
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let position = parse_fen(last["position"].as_str().unwrap()).unwrap();
        if !last["winner"].is_null() {
            assert_eq!(last["winner"], position.turn().other().to_string());
            assert!(!rules.can_move(&position.bitboards().unwrap()));
            finished = true;
            break;
        }
        let played = rules.moves(&position.bitboards().unwrap())[0];
        moves.push(amazons::game::notation::move_text(board, played));
    }
    assert!(finished);
}

#[test]
fn both_sides_and_json() {
    let input = "b1-b2/b1\nc4c3c4\nundo\nfen\nmoves b9\nmoves b2\nquit\n";
    let output = amazons(&["play", "4x4", "--side", "both", "--json"], input).success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&lines[1]["number"], &lines[1]["move"], &lines[1]["by"]),
        (&1.into(), &"b1-b2/b1".into(), &"user".into())
    );
    assert_eq!(lines[2]["side"], "black");
    assert_eq!(lines[3]["position"], lines[1]["position"]);
    assert_eq!(lines[4]["position"], lines[1]["position"]);
    assert!(lines[5]["error"].as_str().unwrap().contains("b9"));
    assert_eq!(lines[6]["moves"], serde_json::json!([]));
    assert!(lines[7]["winner"].is_null());
    let start = parse_fen(lines[0]["position"].as_str().unwrap()).unwrap();
    assert_eq!(fen(&play_text(&start, "b1-b2/b1").unwrap().1), lines[1]["position"]);
}

#[test]
fn the_program_alone_plays_a_10x10_game_to_its_end() {
    let arguments = ["play", "10x10", "--side", "none", "--nodes", "300", "--width", "5", "--json"];
    let output = amazons(&arguments, "").success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert!(last["moves"].as_u64().unwrap() > 30 && last["winner"].is_string());
}

#[test]
fn a_position_without_moves_is_over_at_once() {
    amazons(&["play", "Q*2/**2/3q/4 w"], "")
        .success()
        .stdout(contains("white cannot move: black wins after 0 moves"));
    amazons(&["play", "Q*2/**2/3q/4 b", "--side", "none", "--nodes", "10"], "")
        .success()
        .stdout(contains("black wins after 1 move"));
}

#[test]
fn impossible_wishes_are_refused() {
    amazons(&["play", "3x3"], "").code(2).stderr(contains("do not fit 3 squares"));
    amazons(&["play", "4x4", "--move-time", "0s"], "").code(2).stderr(contains("zero"));
    amazons(&["play", "4x4", "--level", "9"], "").code(2);
    amazons(&["play", "4x4", "--side", "red"], "").code(2);
    amazons(&["play", "4x4", "--tables", "/nowhere"], "").code(1).stderr(contains("/nowhere"));
    for (settings, expected) in [
        ("width=5", "nothing limits a move"),
        ("nodes=5,eval=best", "mobility, distance or full"),
        ("nodes=5,hash=1TiB", "give a smaller hash"),
    ] {
        amazons(&["match", "--first", "nodes=5", "--second", settings], "")
            .code(2)
            .stderr(contains(expected));
    }
    amazons(&["match", "--first", "nodes=5", "--second", "nodes=5", "--games", "0"], "").code(2);
}

#[test]
fn a_match_is_counted_with_error_bars() {
    let arguments = [
        "match",
        "--first",
        "nodes=400,hash=1MiB",
        "--second",
        "depth=1,eval=mobility,endgame=off,hash=0B",
        "--games",
        "12",
        "--board",
        "4x5",
        "--seed",
        "3",
        "--all-games",
        "--json",
    ];
    let run = || {
        let output = amazons(&arguments, "").success();
        let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect::<Vec<serde_json::Value>>()
    };
    let (lines, again) = (run(), run());
    let (last, games) = lines.split_last().unwrap();
    assert_eq!(games, &again[..again.len() - 1]);
    assert_eq!((games.len(), &last["games"], &last["board"]), (12, &12.into(), &"4x5".into()));
    let wins = games.iter().filter(|game| game["first_won"] == true).count() as u64;
    assert_eq!(last["wins"], wins);
    assert!(wins >= 8, "a search of 400 positions beats counting steps: {wins}");
    let value = |key: &str| last[key].as_f64().unwrap();
    assert!(value("score_low") < value("score") && value("score") <= value("score_high"));
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(
            (pair[0]["first"].as_str(), pair[1]["first"].as_str()),
            (Some("white"), Some("black"))
        );
    }
    amazons(
        &["match", "--first", "nodes=5", "--second", "nodes=5", "--games", "2", "--board", "4x4"],
        "",
    )
    .success()
    .stdout(contains("of 2 games").and(contains("95 % interval")));
}

/// In a lost position that a table knows the opponent is left one winning reply where that can be.
#[test]
fn a_lost_game_is_made_hard_to_win() {
    let knowledge = Arc::new(Knowledge::default());
    let start = start("4x4".parse().unwrap()).unwrap();
    let wins_after = |played: amazons::Move| {
        let after = start.play(played).unwrap();
        let finding = knowledge.of(&after).unwrap();
        finding.of_value(Some(amazons::Outcome::Win)).count()
    };
    let fewest = start.moves().map(wins_after).min().unwrap();
    for limits in [nodes(2_000), nodes(200_000)] {
        let engine = Engine::new(start.board(), Settings::default()).unwrap();
        let mut engine = engine.with_known(knowledge.clone());
        let decision = engine.choose(&start, &limits, &StopFlag::new(), &mut |_| {}).unwrap();
        let played = amazons::Move::of(start.board(), decision.played.unwrap()).unwrap();
        assert_eq!(wins_after(played), fewest, "{played}");
    }
}
