//! The other games of the family: the same questions with `rules=` and `turns=`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use amazons::app::serve::Options;
use amazons::game::Outcome;
use amazons::game::board::Board;
use amazons::game::variants::naive::NaiveVariantSolver;
use amazons::game::variants::{
    RuleSet, VariantPosition, VariantRules, parse_variant_fen, variant_fen,
};
use amazons::machine::progress::StopFlag;
use amazons::tables::format::Table;
use amazons::tables::index::TableRules;
use amazons::tables::retrograde::{BuildOptions, build};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use crate::client::{Reply, Served};
use amazons_test_support::positions::random_position;

/// The games that are asked for by a name, by turns, and by both.
const GAMES: [(&str, RuleSet); 6] = [
    ("&rules=killer", RuleSet::KILLER),
    ("&rules=cowboys", RuleSet::COWBOYS),
    ("&rules=pencil", RuleSet::PENCIL),
    ("&turns=1,3,4", RuleSet::TURNS_134),
    ("&rules=134", RuleSet::TURNS_134),
    ("&rules=tromazons", RuleSet::TROMAZONS),
];

/// These, and turns that are not those of a name.
fn games() -> Vec<(String, RuleSet)> {
    let turns = "1,2";
    let pairs = [("killer", RuleSet::KILLER), ("tromazons", RuleSet::TROMAZONS)];
    let pairs = pairs.map(|(name, rules)| {
        (format!("&rules={name}&turns={turns}"), rules.with_turns(turns.parse().ok()))
    });
    let named = GAMES.map(|(named, rules)| (named.to_string(), rules));
    named.into_iter().chain(pairs).collect()
}

fn served() -> Served {
    Served::eager(Options::default())
}

fn start(rules: RuleSet, board: &str, amazons: &str) -> VariantPosition {
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    VariantPosition::start(rules, board, Some(amazons)).unwrap()
}

/// A position in a query; the turn of a FEN has a sign that would be a blank.
fn at(position: &VariantPosition) -> String {
    variant_fen(position).replace('+', "%2B").replace(' ', "+")
}

fn asked(served: &Served, path: &str, position: &VariantPosition, more: &str) -> Value {
    served.json(&format!("/api/v1/{path}?fen={}{more}", at(position)))
}

/// The values of the moves that are known.
fn known(answer: &Value) -> BTreeMap<String, Outcome> {
    let moves = answer["moves"].as_array().unwrap().iter();
    let known = moves.filter(|played| played["value"] != "unknown");
    let text = |value: &Value| value.as_str().unwrap().to_string();
    known.map(|played| (text(&played["move"]), text(&played["value"]).parse().unwrap())).collect()
}

#[test]
fn every_game_has_its_moves_and_what_they_lead_to() {
    let served = served();
    // Without amazons a board begins as on the command line.
    for (board, rules) in [("15x15", RuleSet::TURNS_134), ("6x6", RuleSet::KILLER)] {
        let named = rules.named().unwrap().0;
        let begin = served.json(&format!("/api/v1/start?board={board}&rules={named}"));
        let start = VariantPosition::start(rules, board.parse().unwrap(), None).unwrap();
        assert_eq!(begin["position"], variant_fen(&start));
    }
    let mut random = StdRng::seed_from_u64(1);
    for (named, rules) in games() {
        for (board, amazons) in [("4x4", "2v2"), ("10x10", "4v4")] {
            let begin =
                served.json(&format!("/api/v1/start?board={board}&amazons={amazons}{named}"));
            let mut position = start(rules, board, amazons);
            assert_eq!(begin["position"], variant_fen(&position), "{named}");
            let (first, mut played) = (position, Vec::new());
            for _ in 0..if board == "4x4" { 12 } else { 2 } {
                let answer = asked(&served, "position", &position, &named);
                assert_eq!(answer["rules"], rules.to_string());
                assert_eq!(answer["position"], variant_fen(&position));
                assert_eq!(answer["side_to_move"], position.turn().to_string());
                let found = answer["moves"].as_array().unwrap().iter();
                let found: BTreeMap<_, _> = found
                    .map(|one| (one["move"].as_str().unwrap(), one["position"].as_str().unwrap()))
                    .collect();
                let legal = position.moves();
                assert_eq!(found.len(), legal.len(), "{named} {}", variant_fen(&position));
                for &one in legal.iter().step_by(1 + legal.len() / 50) {
                    let after = position.play(one).unwrap();
                    assert_eq!(found[one.text(position.board()).as_str()], variant_fen(&after));
                }
                let Some(&next) = legal.choose(&mut random) else {
                    assert_eq!(
                        (&answer["value"], &answer["source"]["kind"]),
                        (&json!("loss"), &json!("rules"))
                    );
                    break;
                };
                played.push(next.text(position.board()));
                position = position.play(next).unwrap();
            }
            let moves = format!("{named}&moves={}", played.join("+"));
            let line = asked(&served, "line", &first, &moves);
            assert_eq!(line["position"], variant_fen(&position));
            assert_eq!(line["moves"].as_array().unwrap().len(), played.len());
            let joined = format!("{named}&moves={}", played.join("%2B"));
            assert_eq!(asked(&served, "line", &first, &joined), line);
        }
    }
}

#[test]
fn the_rules_of_amazons_by_name_change_no_answer() {
    let served = served();
    for path in [
        "position?fen=1qq1/q2q/Q2Q/1QQ1+w",
        "position?fen=1q1q1/q3q/5/Q3Q/1Q1Q1+w",
        "line?fen=1qq1/q2q/Q2Q/1QQ1+w&moves=b1-b3/b1",
        "start?board=5x5",
        "boards?",
        "insight?fen=1qq1/q2q/Q2Q/1QQ1+w",
        "exercise?board=4x4",
        "sgf?fen=1qq1/q2q/Q2Q/1QQ1+w",
    ] {
        let plain = served.get(&format!("/api/v1/{path}"));
        assert_eq!(plain.status, 200, "{}", plain.body);
        assert!(!plain.body.contains("rules"), "{}", plain.body);
        for more in ["&rules=amazons", "&turns=1", "&rules=134&turns=1,1"] {
            assert_eq!(served.get(&format!("/api/v1/{path}{more}")).body, plain.body, "{path}");
        }
    }
}

/// Small boards, because the naive solver knows no bound.
fn small(rules: RuleSet, random: &mut StdRng) -> VariantPosition {
    let (board, empty): (Board, _) =
        if rules.burns() { ("3x4".parse().unwrap(), 6) } else { ("3x3".parse().unwrap(), 3) };
    VariantPosition::new(rules, random_position(board, [2, 2], empty, random))
}

fn naive(position: &VariantPosition) -> NaiveVariantSolver {
    NaiveVariantSolver::new(VariantRules::new(position.board(), position.rules()).unwrap())
}

/// What the side to move reaches, and by each move its maker.
fn truth(position: &VariantPosition) -> (Outcome, BTreeMap<String, Outcome>) {
    let mut naive = naive(position);
    let by_move = |played: &amazons::game::variants::SingleMove| {
        let after = position.play(*played).unwrap().state().unwrap();
        let reached = after.outcome_of_move(naive.outcome(&after));
        (played.text(position.board()), reached)
    };
    let moves = position.moves().iter().map(by_move).collect();
    (naive.outcome(&position.state().unwrap()), moves)
}

#[test]
fn what_is_said_and_what_is_searched_is_what_the_naive_solver_finds() {
    let served = served();
    let mut random = StdRng::seed_from_u64(2);
    let (mut told, mut all) = (0, 0);
    for (named, rules) in games() {
        for _ in 0..12 {
            let position = small(rules, &mut random);
            let (outcome, moves) = truth(&position);
            let answer = asked(&served, "position", &position, &named);
            if answer["value"] != "unknown" {
                assert_eq!(answer["value"], outcome.as_str(), "{named} {answer}");
            }
            let said = known(&answer);
            let complete = said.len() == moves.len() && answer["value"] != "unknown";
            assert_eq!(answer["search"], !complete);
            (told, all) = (told + said.len(), all + moves.len());
            for (played, value) in said {
                assert_eq!(moves[&played], value, "{named} {answer}");
            }
            for valued in ["all", "best"] {
                let more = format!("{named}&seconds=20&moves_valued={valued}");
                let fen = variant_fen(&position).replace('+', "%2B");
                let (mut found, mut last) = (BTreeMap::new(), (String::new(), Value::Null));
                for (name, data) in served.search(&fen, &more) {
                    if name == "moves" {
                        for one in data.as_array().unwrap() {
                            let value = one["value"].as_str().unwrap().parse().unwrap();
                            let twice =
                                found.insert(one["move"].as_str().unwrap().to_string(), value);
                            assert_eq!(twice, None, "told twice: {one}");
                        }
                    }
                    last = (name, data);
                }
                let (name, done) = last;
                assert_eq!((name.as_str(), &done["value"]), ("done", &json!(outcome.as_str())));
                assert_eq!(done["moves_known"], found.len());
                assert!(valued == "best" || found == moves, "{named} {found:?}");
                assert!(found.iter().all(|(played, value)| moves[played] == *value));
                assert_eq!(done["best_move"].is_null(), !outcome.is_win());
                if let Some(best) = done["best_move"].as_str() {
                    assert!(moves[best].is_win());
                }
            }
        }
    }
    assert!(told * 20 > all && told < all, "{told} of {all} moves are known");
}

#[test]
fn a_search_tells_how_far_it_is_and_ends() {
    let served = served();
    let hard = start(RuleSet::KILLER, "6x6", "4v4");
    let fen = variant_fen(&hard);
    let events: Vec<_> = served.search(&fen, "&rules=killer&seconds=1").collect();
    let (name, done) = events.last().unwrap();
    assert_eq!((name.as_str(), &done["value"]), ("done", &json!("unknown")));
    let told = served.search(&fen, "&rules=killer&seconds=60").working();
    assert!(told["table_fill"].as_f64() > Some(0.0), "{told}");
    assert_eq!(told["proof"], Value::Null);
    // Its client has left, and it gives its place back.
    served.wait_for(0);
    let next = served.search(&fen, "&rules=killer&seconds=0.05");
    assert_eq!(next.status, 200);
    assert_eq!(next.last().unwrap().0, "done");
}

#[test]
fn the_program_plays_on_every_level() {
    let served = served();
    for (named, rules) in games() {
        for (board, amazons) in [("3x3", "1v1"), ("8x8", "4v4")] {
            let position = start(rules, board, amazons);
            for level in ["beginner", "easy", "medium", "hard", "best", "analysis"] {
                if board == "8x8" && level != "beginner" && level != "easy" {
                    continue;
                }
                let thought =
                    asked(&served, "engine", &position, &format!("{named}&level={level}"));
                let Some(played) = thought["move"].as_str() else {
                    assert!(position.moves().is_empty());
                    continue;
                };
                assert!(position.play_text(played).is_ok(), "{named} {thought}");
                assert_eq!(thought["line"], json!([played]));
                assert_ne!(thought["lead"].is_null(), thought["proved"].is_null(), "{thought}");
            }
        }
    }
    let over = parse_variant_fen("q*1/*1*/1*Q w", RuleSet::COWBOYS).unwrap();
    let thought = asked(&served, "engine", &over, "&rules=cowboys");
    assert_eq!((&thought["move"], &thought["proved"]), (&Value::Null, &json!("loss")));
}

fn table(directory: &Path, rules: TableRules, board: &str, amazons: &str) -> PathBuf {
    let path = directory.join(format!("{rules}-{board}-{amazons}"));
    let options = BuildOptions { rules, ..BuildOptions::new(1 << 28) };
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    build(&path, board, amazons, &options, &(), &StopFlag::new()).unwrap();
    path
}

#[test]
fn tables_answer_by_their_own_rules() {
    let directory = tempfile::tempdir().unwrap();
    let all = [TableRules::Cowboys, TableRules::Amazons, TableRules::Pencil];
    let mut paths = all.map(|rules| table(directory.path(), rules, "3x4", "2v2")).to_vec();
    // The same one twice does no harm.
    paths.push(paths[0].clone());
    let served = Served::eager(Options { tables: paths.clone(), ..Options::default() });
    let names = served.json("/api/v1/tables");
    let told: Vec<_> = names["tables"].as_array().unwrap()[..4]
        .iter()
        .map(|table| (table["name"].as_str().unwrap(), table["rules"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("cowboys 3x4 2v2", Some("cowboys")),
            ("3x4 2v2", None),
            ("pencil 3x4 2v2", Some("pencil")),
            ("cowboys 3x4 2v2", Some("cowboys")),
        ]
    );
    let mut random = StdRng::seed_from_u64(3);
    for (path, rules) in paths.iter().zip(all).filter(|(_, rules)| *rules != TableRules::Amazons) {
        let truth = Table::open_any(path).unwrap();
        let named = format!("&rules={rules}");
        for turn in 0..40 {
            let board: Board = if turn % 2 == 0 { "3x4" } else { "4x3" }.parse().unwrap();
            let position =
                VariantPosition::new(rules.set(), random_position(board, [2, 2], 8, &mut random));
            let answer = asked(&served, "position", &position, &named);
            assert_eq!(answer["value"], truth.variant_value(&position).unwrap().as_str());
            let moves = truth.variant_moves(&position).unwrap().into_iter();
            let moves: BTreeMap<_, _> =
                moves.map(|(played, value)| (played.text(board), value)).collect();
            assert_eq!(known(&answer), moves);
            assert_eq!(answer["search"], false);
            let table = json!({"kind": "table", "name": format!("{rules} 3x4 2v2")});
            let is_plain =
                ["rules", "bounds"].iter().any(|kind| answer["source"]["kind"] == **kind);
            assert!(is_plain || answer["source"] == table, "{answer}");
            let thought = asked(&served, "engine", &position, &named);
            if let Some(played) = thought["move"].as_str() {
                assert_eq!(
                    (&thought["source"], &thought["proved"]),
                    (&json!("known"), &answer["value"])
                );
                assert_eq!(moves[played].as_str(), answer["value"]);
            }
            // No other game is answered from it.
            for other in ["&rules=killer", "&rules=cowboys&turns=1,2"] {
                let answer = asked(&served, "position", &position, other);
                assert_ne!(answer["source"]["kind"], "table", "{other}");
            }
        }
        let boards = served.json(&format!("/api/v1/boards?rules={rules}"));
        let boards = boards["boards"].as_array().unwrap();
        assert!(!boards.is_empty());
        for board in boards {
            assert_eq!(board["source"]["name"], format!("{rules} 3x4 2v2"));
        }
    }
    assert_eq!(served.json("/api/v1/boards?rules=killer"), json!({"boards": []}));
    // One by other rules in its place is not taken for it.
    fs::rename(&paths[0], directory.path().join("away")).unwrap();
    fs::rename(&paths[2], &paths[0]).unwrap();
    let position = at(&start(RuleSet::COWBOYS, "3x4", "2v2"));
    let reply = served.get(&format!("/api/v1/position?fen={position}&rules=cowboys"));
    assert_eq!((reply.status, reply.error().0.as_str()), (503, "table_unavailable"));
}

#[test]
fn a_table_with_captures_answers_with_fewer_amazons() {
    let directory = tempfile::tempdir().unwrap();
    let path = table(directory.path(), TableRules::Killer, "3x3", "2v2");
    let served = Served::eager(Options { tables: vec![path.clone()], ..Options::default() });
    let truth = Table::open_any(&path).unwrap();
    let (board, mut random) = (truth.board(), StdRng::seed_from_u64(5));
    let mut from_the_table = 0;
    for sides in [[2, 2], [2, 1], [1, 2], [1, 1]] {
        for _ in 0..10 {
            let position = VariantPosition::new(
                RuleSet::KILLER,
                random_position(board, sides, 5, &mut random),
            );
            let answer = asked(&served, "position", &position, "&rules=killer");
            assert_eq!(answer["value"], truth.variant_value(&position).unwrap().as_str());
            let moves = truth.variant_moves(&position).unwrap().into_iter();
            let moves: BTreeMap<_, _> =
                moves.map(|(played, value)| (played.text(board), value)).collect();
            assert_eq!(known(&answer), moves);
            from_the_table += usize::from(answer["source"]["name"] == "killer 3x3 2v2");
        }
    }
    assert!(from_the_table > 10, "{from_the_table}");

    // With an amazon more, those captures are known that lead into the table.
    let (mut captures, mut by_the_table) = (0, 0);
    for _ in 0..10 {
        let position = random_position(board, [3, 2], 2, &mut random);
        let position = VariantPosition::new(RuleSet::KILLER, position);
        let answer = asked(&served, "position", &position, "&rules=killer");
        by_the_table += usize::from(answer["source"]["name"] == "killer 3x3 2v2");
        let known = known(&answer);
        for played in position.moves() {
            let after = position.play(played).unwrap();
            if let Ok(value) = truth.variant_value(&after) {
                captures += 1;
                assert_eq!(known.get(&played.text(board)), Some(&value.reversed()), "{position:?}");
            }
        }
    }
    assert!(captures > 10 && by_the_table > 0, "{captures} {by_the_table}");
}

#[test]
fn the_games_are_told_and_the_one_to_begin_with() {
    let told = served().json("/api/v1/rules");
    assert_eq!(told["first"], json!({"rules": "amazons", "turns": null}));
    let names: Vec<_> =
        told["rules"].as_array().unwrap().iter().map(|game| game["name"].clone()).collect();
    assert_eq!(names, ["amazons", "killer", "cowboys", "pencil", "134", "tromazons"]);
    assert_eq!(
        told["rules"][5],
        json!({"name": "tromazons", "step": "neighbour", "origin": "empty", "shot": "wall", "turns": "1"})
    );
    let begins_with = RuleSet::TROMAZONS.with_turns("1,2".parse().ok());
    let served = Served::new(Options { begins_with, ..Options::default() });
    let first = &served.json("/api/v1/rules")["first"];
    assert_eq!(*first, json!({"rules": "tromazons", "turns": "1,2"}));
}

#[test]
fn what_is_wrong_is_refused_with_a_reason() {
    let served = served();
    let refused = |reply: &Reply| (reply.status, reply.error().0, reply.error().1);
    let four = "fen=1qq1/q2q/Q2Q/1QQ1+w";
    for (path, status, code, said) in [
        ("position?rules=chess", 400, "bad_rules", "rules are one of amazons, killer"),
        ("position?rules=Cowboys", 400, "bad_rules", "found \"Cowboys\""),
        ("position?rules=", 400, "bad_rules", "found \"\""),
        ("position?turns=0", 400, "bad_turns", "for example 1,3,4, found \"0\""),
        ("position?rules=killer&turns=1,1,1,1,1,1,1,1,1", 400, "bad_turns", "up to 8"),
        ("position?rules=killer&rules=pencil", 400, "bad_query", "duplicate"),
        ("position?rules=killer", 400, "no_fen", "found none"),
        ("position?rules=killer&fen=x", 400, "bad_fen", "rank 1, file a: expected 'Q'"),
        ("start?board=4x4&rules=go", 400, "bad_rules", "found \"go\""),
        ("start?board=3x3&rules=cowboys", 422, "no_start", "4 amazons of one side do not fit"),
        ("start?rules=cowboys", 400, "no_board", "board=COLUMNSxROWS"),
        ("boards?rules=go", 400, "bad_rules", "found \"go\""),
        (
            "insight?rules=cowboys",
            422,
            "amazons_only",
            "insight is for the rules of amazons, found cowboys",
        ),
        ("exercise?board=4x4&turns=1,2", 422, "amazons_only", "found amazons --turns 1,2"),
        (
            "sgf?rules=tromazons",
            422,
            "amazons_only",
            "SGF is for the rules of amazons, found tromazons",
        ),
        ("search?rules=killer&fen=Q8q/10/10/10/10/10/10+w", 422, "board_too_large", "70 squares"),
        ("engine?rules=killer&fen=4/4+w", 400, "bad_fen", "no amazon"),
    ] {
        let (found, word, text) = refused(&served.get(&format!("/api/v1/{path}")));
        assert_eq!((found, word.as_str()), (status, code), "{path}: {text}");
        assert!(text.contains(said), "{path}: {text}");
    }
    for (more, code, said) in [
        ("+1+a1N&rules=killer", "bad_fen", "killer has no walls, found \"a1N\""),
        ("+2&rules=cowboys", "bad_fen", "turns of one move, so expected no turn but 1"),
        ("+1+d1E&rules=tromazons", "bad_fen", "none on the edge of the board"),
        ("+2%2Ba3&rules=134", "bad_fen", "each once and of the side to move"),
        (
            "&rules=cowboys&moves=b1-b3/b1",
            "bad_move",
            "move 1: b1-b3/b1 is illegal by the rules cowboys",
        ),
        ("&rules=tromazons&moves=b1-b2/b1", "bad_move", "the side being N, E, S or W"),
        (
            "&rules=134&moves=b1-b3/b1+b4-a4/b4%2Ba4-b4/a4",
            "bad_move",
            "move 3: a4-b4/a4 is illegal",
        ),
    ] {
        for path in ["position", "line", "search", "engine"] {
            let (status, word, text) =
                refused(&served.get(&format!("/api/v1/{path}?{four}{more}")));
            assert_eq!((status, word.as_str()), (400, code), "{path} {more}: {text}");
            assert!(text.contains(said), "{path} {more}: {text}");
        }
    }
    for path in ["sgf", "sgf/tree"] {
        let posted = served.send(&format!(
            "POST /api/v1/{path}?rules=pencil HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n()"
        ));
        assert_eq!((posted.status, posted.error().0.as_str()), (422, "amazons_only"));
    }
    let nothing = r#"{"nodes":[]}"#;
    let posted = served.send(&format!(
        "POST /api/v1/sgf/tree HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{nothing}",
        nothing.len()
    ));
    assert_eq!((posted.status, posted.error().0.as_str()), (400, "bad_tree"));
    // What is searched and played by other rules counts as all searches do.
    let none = Served::new(Options { searches: 0, ..Options::default() });
    for path in ["search", "engine"] {
        let reply = none.get(&format!("/api/v1/{path}?{four}&rules=killer"));
        assert_eq!((reply.status, reply.error().0.as_str()), (503, "no_searches"));
    }
}
