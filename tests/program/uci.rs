//! `amazons uci` as a graphical interface or a match runner uses it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use amazons::game::notation::{fen, parse_fen, play_text};
use amazons::game::rules::Rules;

/// An engine with its pipes; its lines arrive over a channel, so that a test never waits for ever.
struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
            .args(["uci", "--memory", "64MB"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self { child, input, lines }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// All lines up to the first that begins with `start`.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect(start);
            lines.push(line.clone());
            if line.starts_with(start) {
                return lines;
            }
        }
    }

    /// Sends a line and gives what comes up to `start`.
    fn ask(&mut self, line: &str, start: &str) -> Vec<String> {
        self.send(line);
        self.until(start)
    }

    fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

/// The move of a `bestmove` line.
fn best(lines: &[String]) -> String {
    lines.last().unwrap().strip_prefix("bestmove ").unwrap().to_string()
}

#[test]
fn a_session_from_uci_to_quit() {
    let mut engine = Engine::start(&["--threads", "2"]);
    let lines = engine.ask("uci", "uciok");
    assert!(lines.iter().any(|line| line.starts_with("id name amazons")));
    assert!(
        lines.contains(
            &"option name UCI_Variant type combo default amazons var amazons".to_string()
        )
    );
    for option in ["Hash", "Threads", "MultiPV"] {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("option name {option} type spin"))),
            "{option}"
        );
    }
    engine.send("setoption name UCI_Variant value amazons");
    engine.send("setoption name Hash value 16");
    engine.send("ucinewgame");
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);

    engine.send("position startpos moves d1d7,d7g7 a7d4,d4g4");
    let lines = engine.ask("go nodes 5000", "bestmove");
    let start = parse_fen("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1").unwrap();
    let (_, after) = play_text(&start, "d1d7,d7g7").unwrap();
    let (_, after) = play_text(&after, "a7d4,d4g4").unwrap();
    play_text(&after, &best(&lines)).unwrap();
    let info = lines.iter().find(|line| line.starts_with("info depth ")).unwrap();
    for word in [" multipv 1", " score cp ", " nodes ", " nps ", " time ", " pv "] {
        assert!(info.contains(word), "{info} lacks {word}");
    }
    engine.quit();
}

#[test]
fn perft_is_that_of_the_rules() {
    let mut engine = Engine::start(&[]);
    engine.send("position fen 1qq1/q2q/Q2Q/1QQ1 w - - 0 1");
    let lines = engine.ask("go perft 3", "Nodes searched");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 139500");
    assert_eq!(lines.iter().filter(|line| line.contains(',')).count(), 88);
    engine.send("position startpos");
    assert_eq!(
        engine.ask("go perft 2", "Nodes searched").last().unwrap(),
        "Nodes searched: 4307152"
    );
    engine.quit();
}

#[test]
fn an_endless_search_answers_when_it_is_stopped() {
    let mut engine = Engine::start(&["--threads", "2"]);
    engine.send("position startpos");
    engine.send("go infinite");
    engine.until("info depth 2");
    assert_eq!(engine.ask("isready", "readyok").last().unwrap(), "readyok");
    let lines = engine.ask("position startpos", "info string error");
    assert!(lines.last().unwrap().contains("send stop first"));
    play_text(
        &parse_fen("3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w").unwrap(),
        &best(&engine.ask("stop", "bestmove")),
    )
    .unwrap();

    // A search that ends by itself waits for stop all the same.
    engine.send("position fen Q3/4/4/3q w");
    engine.send("go infinite");
    engine.until("info string by");
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    engine.ask("stop", "bestmove");
    engine.quit();
}

#[test]
fn a_game_by_the_clock_ends_legally() {
    let mut engine = Engine::start(&["--threads", "1"]);
    let start = parse_fen("1q1q1/q3q/5/Q3Q/1Q1Q1 w").unwrap();
    let rules = Rules::<u64>::new(start.board()).unwrap();
    let (mut position, mut moves) = (start, Vec::new());
    while rules.can_move(&position.bitboards().unwrap()) {
        let played =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        engine.send(&format!("position fen {}{played}", fen(&start)));
        let answer = best(&engine.ask("go wtime 300 btime 300 winc 0 binc 0", "bestmove"));
        (_, position) = play_text(&position, &answer).unwrap();
        moves.push(answer);
    }
    engine.send(&format!("position fen {}", fen(&position)));
    assert_eq!(best(&engine.ask("go movetime 50", "bestmove")), "(none)");
    engine.quit();
}

#[test]
fn several_lines_are_different_and_in_order() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.send("setoption name MultiPV value 3");
    engine.send("position fen 1q2q1/q4q/6/6/Q4Q/1Q2Q1 w");
    let lines = engine.ask("go depth 2", "bestmove");
    let of = |rank: usize| {
        let line = lines
            .iter()
            .find(|line| line.starts_with(&format!("info depth 2 multipv {rank} ")))
            .unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let after = |word| words[words.iter().position(|&w| w == word).unwrap() + 1].to_string();
        (after("cp").parse::<i32>().unwrap(), after("pv"))
    };
    let ((first, a), (second, b), (third, c)) = (of(1), of(2), of(3));
    assert!(first >= second && second >= third);
    assert!(a != b && b != c && a != c);
    assert_eq!(best(&lines), a);
    engine.quit();
}

#[test]
fn several_lines_are_told_of_what_is_known() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.send("setoption name MultiPV value 5");
    // On 4x4 White loses by all moves; after one of them, Black wins by four.
    for (start, expected) in [
        ("1qq1/q2q/Q2Q/1QQ1 w", [-20_000; 5]),
        ("1qq1/qQ1q/Q2Q/1*Q1 b", [20_000, 20_000, 20_000, 20_000, -20_000]),
    ] {
        let position = parse_fen(start).unwrap();
        engine.send(&format!("position fen {start}"));
        let lines = engine.ask("go movetime 50", "bestmove");
        let info: Vec<&String> = lines.iter().filter(|line| line.starts_with("info d")).collect();
        let mut played = Vec::new();
        for (rank, points) in expected.iter().enumerate() {
            let head = format!("info depth 0 multipv {} score cp {points} ", rank + 1);
            assert!(info[rank].starts_with(&head), "{start}: {}", info[rank]);
            let (_, pv) = info[rank].split_once(" pv ").unwrap();
            play_text(&position, pv).unwrap();
            assert!(!played.contains(&pv), "{start}: {pv} twice");
            played.push(pv);
        }
        assert_eq!((info.len(), best(&lines)), (expected.len(), played[0].to_string()));
    }
    engine.quit();
}

#[test]
fn bad_lines_are_answered_and_change_nothing() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.send("position fen 1qq1/q2q/Q2Q/1QQ1 w");
    for (line, expected) in [
        ("xyzzy", "unknown command"),
        ("setoption name Hash value 0", "from 1 to"),
        ("setoption name Hash value 99999999999", "from 1 to"),
        ("setoption name UCI_Variant value chess", "only the variant amazons"),
        ("setoption name Colour value red", "no option"),
        ("go depth x", "expected a number"),
        ("go sideways", "unknown word"),
    ] {
        let answer = engine.ask(line, "info string");
        let answer = answer.last().unwrap();
        assert!(
            answer.starts_with("info string error: ") && answer.contains(expected),
            "{line}: {answer}"
        );
    }
    engine.send("\u{0}\u{7}");
    engine.until("info string error");
    assert!(engine.ask("d", "Fen").last().unwrap().contains("1qq1/q2q/Q2Q/1QQ1 w"));
    engine.quit();
}

/// Who goes on after a position that was refused must not get a move of another.
#[test]
fn there_is_no_position_after_one_that_was_refused() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.send("position fen 1qq1/q2q/Q2Q/1QQ1 w");
    for (line, expected) in [
        ("position fen 1zq1/q2q/Q2Q/1QQ1 w", "'z'"),
        ("position fen 4/4/4/4 w", "no amazon"),
        ("position startpos moves a1a2,a2a3", "move 1"),
        ("position somewhere", "expected position"),
    ] {
        let answer = engine.ask(line, "info string error");
        assert!(answer.last().unwrap().contains(expected), "{line}: {answer:?}");
        for asked in ["go nodes 100", "d"] {
            engine.send(asked);
            let answer = engine.ask("isready", "readyok");
            let none = "info string error: there is no position: the last one was refused";
            assert_eq!(answer, [none, "readyok"], "{line}");
        }
    }
    engine.send("position startpos");
    engine.ask("go nodes 100", "bestmove");
    engine.quit();
}

/// Searches of the classical board that nobody waits for.
const FAR: &str = "position startpos\ngo depth 40";

#[test]
fn stop_is_heard_whatever_stands_before_it() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.send(FAR);
    engine.send("ucinewgame\nsetoption name Hash value 8\nposition fen Q3/4/4/3q w\ngo depth 40");
    engine.send("position startpos\ngo depth 40\nd");
    assert_eq!(engine.ask("isready", "readyok").last().unwrap(), "readyok");
    engine.send("stop");
    // The first, what waited behind it, and what stood behind that.
    let moves: Vec<String> = (0..3).map(|_| best(&engine.until("bestmove"))).collect();
    let small = parse_fen("Q3/4/4/3q w").unwrap();
    assert!(play_text(&small, &moves[1]).is_ok() && play_text(&small, &moves[0]).is_err());
    assert!(engine.until("Fen").last().unwrap().contains("3q2q3"));
    engine.quit();
}

#[test]
fn quit_and_the_end_of_the_input_are_heard_whatever_stands_before_them() {
    for (end, moves) in [("quit", 1), ("", 2)] {
        let mut engine = Engine::start(&["--threads", "1"]);
        engine.send(&format!("{FAR}\nsetoption name Hash value 8\ngo depth 40\n{end}"));
        let Engine { mut child, input, lines } = engine;
        drop(input);
        assert!(child.wait().unwrap().success());
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), moves);
    }
}

#[test]
fn what_waits_for_a_search_is_obeyed_after_it() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.send("position fen 1qq1/q2q/Q2Q/1QQ1 w\ngo depth 2\nsetoption name MultiPV value 2");
    engine.send("position fen Q3/4/4/3q w\ngo depth 1");
    engine.until("bestmove");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("multipv 2")), "{lines:?}");
    play_text(&parse_fen("Q3/4/4/3q w").unwrap(), &best(&lines)).unwrap();
    engine.quit();
}

#[test]
fn a_script_is_worked_through_to_its_end() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.send("position fen 1qq1/q2q/Q2Q/1QQ1 w\ngo depth 2\nposition startpos\ngo nodes 100\ngo infinite");
    let Engine { mut child, input, lines } = engine;
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 3);
}
