//! Lines of the protocol, read.

use std::num::{IntErrorKind, ParseIntError};
use std::time::Duration;

use crate::game::excerpt::excerpt;
use crate::play::Clock;

/// A command that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Nothing to do.
    Nothing,
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    /// A position, or why there is none: who goes on without it must not get another.
    Position(Result<Described, String>),
    Go(Go),
    Stop,
    Show,
    Quit,
}

/// A position as it is described, which may be none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Described {
    /// Where it begins; `None` for the start of the classical board.
    pub fen: Option<String>,
    pub moves: Vec<String>,
}

impl Command {
    /// Whether it is about the game, so that its place among others matters.
    pub(super) fn is_about_the_game(&self) -> bool {
        match self {
            Self::NewGame
            | Self::SetOption { .. }
            | Self::Position(_)
            | Self::Go(_)
            | Self::Show => true,
            Self::Nothing | Self::Uci | Self::IsReady | Self::Stop | Self::Quit => false,
        }
    }

    /// Whether it needs the player, which a search has until it is over.
    pub(super) fn needs_the_player(&self) -> bool {
        matches!(self, Self::NewGame | Self::SetOption { .. } | Self::Go(_))
    }
}

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub movetime: Option<Duration>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub infinite: bool,
    /// Time and increment of White and Black.
    pub time: [Option<Duration>; 2],
    pub increment: [Duration; 2],
    pub moves_to_go: Option<u32>,
    pub perft: Option<u32>,
}

impl Go {
    /// The clock of a side, 0 for White, if there is one.
    pub(super) fn clock(&self, side: usize) -> Option<Clock> {
        let (increment, moves_to_go) = (self.increment[side], self.moves_to_go);
        self.time[side].map(|left| Clock { left, increment, moves_to_go })
    }
}

/// Reads a line; the error says what was expected.
pub(super) fn parse(line: &str) -> Result<Command, String> {
    let mut words = line.split_ascii_whitespace();
    let Some(first) = words.next() else { return Ok(Command::Nothing) };
    let rest: Vec<&str> = words.collect();
    match first {
        _ if first.starts_with('#') => Ok(Command::Nothing),
        "uci" => Ok(Command::Uci),
        "isready" => Ok(Command::IsReady),
        "ucinewgame" => Ok(Command::NewGame),
        "stop" => Ok(Command::Stop),
        "d" => Ok(Command::Show),
        "quit" => Ok(Command::Quit),
        // Asked of every engine by some interfaces; there is nothing to do.
        "debug" | "register" | "ponderhit" => Ok(Command::Nothing),
        "setoption" => set_option(&rest),
        "position" => Ok(Command::Position(position(&rest))),
        "go" => go(&rest).map(Command::Go),
        _ => Err(format!(
            "unknown command {}; there are uci, isready, setoption, ucinewgame, position, go, stop, d and quit",
            excerpt(first)
        )),
    }
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let usage = || "expected setoption name NAME [value VALUE]".to_string();
    if words.first() != Some(&"name") {
        return Err(usage());
    }
    let at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let (name, value) = (words[1..at].join(" "), words.get(at + 1..).unwrap_or(&[]).join(" "));
    if name.is_empty() { Err(usage()) } else { Ok(Command::SetOption { name, value }) }
}

fn position(words: &[&str]) -> Result<Described, String> {
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words.get(at + 1..).unwrap_or(&[]).iter().map(ToString::to_string).collect();
    match words[..at] {
        ["startpos"] => Ok(Described { fen: None, moves }),
        ["fen", ref fen @ ..] if !fen.is_empty() => {
            Ok(Described { fen: Some(fen.join(" ")), moves })
        }
        _ => Err("expected position startpos|fen FEN [moves MOVE ...]".to_string()),
    }
}

fn go(words: &[&str]) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut number = || -> Result<i64, String> {
            let text = words
                .next()
                .ok_or_else(|| format!("expected a number after {word}, found nothing"))?;
            text.parse().map_err(|error: ParseIntError| match error.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
                    format!("expected a number of 64 bits after {word}, found {}", excerpt(text))
                }
                _ => format!("expected a number after {word}, found {}", excerpt(text)),
            })
        };
        // Interfaces send negative times when a clock has run out.
        let time = |milliseconds: i64| Duration::from_millis(milliseconds.max(0) as u64);
        let positive = |number: i64| {
            if number >= 1 {
                Ok(number as u64)
            } else {
                Err(format!("expected a number from 1 after {word}, found {number}"))
            }
        };
        match word {
            "movetime" => go.movetime = Some(time(number()?)),
            "depth" => go.depth = Some(positive(number()?)?.min(255) as u32),
            "nodes" => go.nodes = Some(positive(number()?)?),
            "perft" => go.perft = Some(positive(number()?)?.min(100) as u32),
            "wtime" => go.time[0] = Some(time(number()?)),
            "btime" => go.time[1] = Some(time(number()?)),
            "winc" => go.increment[0] = time(number()?),
            "binc" => go.increment[1] = time(number()?),
            "movestogo" => go.moves_to_go = Some(positive(number()?)?.min(1000) as u32),
            "infinite" => go.infinite = true,
            _ => {
                return Err(format!(
                    "unknown word {} after go; there are movetime, depth, nodes, infinite, wtime, btime, winc, binc, \
                     movestogo and perft",
                    excerpt(word)
                ));
            }
        }
    }
    Ok(go)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn commands_are_read() {
        let moves = vec!["d1d7,d7g7".to_string()];
        assert_eq!(
            parse("position startpos moves d1d7,d7g7"),
            Ok(Command::Position(Ok(Described { fen: None, moves })))
        );
        let fen = Some("1qq1/q2q/Q2Q/1QQ1 w - - 0 1".to_string());
        assert_eq!(
            parse(" position fen 1qq1/q2q/Q2Q/1QQ1 w - - 0 1 "),
            Ok(Command::Position(Ok(Described { fen, moves: vec![] })))
        );
        let (name, value) = ("UCI_Variant".to_string(), "amazons".to_string());
        assert_eq!(
            parse("setoption name UCI_Variant value amazons"),
            Ok(Command::SetOption { name, value })
        );
        let Ok(Command::Go(go)) = parse("go wtime 60000 btime 50000 winc 1000 binc 0 movestogo 20")
        else {
            panic!()
        };
        let clock = go.clock(0).unwrap();
        assert_eq!(
            (clock.left.as_secs(), clock.increment.as_secs(), clock.moves_to_go),
            (60, 1, Some(20))
        );
        assert_eq!(go.clock(1).unwrap().left.as_secs(), 50);
        assert_eq!(
            parse("go wtime -5"),
            Ok(Command::Go(Go { time: [Some(Duration::ZERO), None], ..Go::default() }))
        );
        assert_eq!((parse(""), parse("isready")), (Ok(Command::Nothing), Ok(Command::IsReady)));
    }

    #[test]
    fn bad_lines_are_refused() {
        for (line, expected) in [
            ("xyzzy", "unknown command \"xyzzy\""),
            ("go depth", "found nothing"),
            ("go depth five", "found \"five\""),
            ("go depth 0", "from 1"),
            ("go nodes 9223372036854775808", "a number of 64 bits after nodes"),
            ("go fast", "unknown word \"fast\""),
            ("setoption Hash 5", "expected setoption"),
            ("setoption name value 3", "expected setoption"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
        for line in ["position", "position fen", "position fen moves"] {
            let Ok(Command::Position(Err(error))) = parse(line) else { panic!("{line}") };
            assert!(error.contains("expected position"), "{line}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC*", go in "go( (movetime|depth|nodes|wtime|perft|movestogo)| -?[0-9]{1,20}){0,6}") {
            let _ = parse(&line);
            let _ = parse(&go);
        }
    }
}
