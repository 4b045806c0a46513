//! What users write on the command line: sizes, durations, positions.
//!
//! Those of one argument are clap's `value_parser`: `#[arg(value_parser = input::size)]`.

use std::net::{Ipv6Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::time::Duration;

use crate::game::board::{Board, BoardError};
use crate::game::notation::record::{StartFault, take_rows};
use crate::game::notation::{FenError, fen, parse_fen, play_text};
use crate::game::rules::{self, Amazons, IndexedMove, Position, StartError};
use crate::game::variants::{
    RuleSet, VariantFenError, VariantPosition, VariantRecord, VariantRecordError,
    parse_variant_fen, variant_fen_words,
};
use crate::game::{Move, PlayError};
use crate::machine::threads::MOST_THREADS;

/// Text that is not a `SIZE`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a size is a number and a unit (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB), for example 8GiB or 500MB"
)]
pub struct SizeError;

/// Text that is not a `DURATION`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a duration is a number and a unit (ms, s, m, h, d), for example 90s, 10m or 2h")]
pub struct DurationError;

/// No whole number of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a whole number from {least}{}", if *most == u64::MAX { String::new() } else { format!(" to {most}") })]
pub struct NumberError {
    least: u64,
    most: u64,
}

/// Text that is not a number of threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a number of threads is a whole number from 1 to {MOST_THREADS}, for example 4")]
pub struct ThreadsError;

/// Text that is not an address to listen on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an IP address and a port, for example 127.0.0.1:7373 or [::1]:0")]
pub struct AddressError;

/// Text that is not the name of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a name without scheme and port, for example amazons.example")]
pub struct HostNameError;

/// Text that is not a `POSITION`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A bad FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A FEN without the side to move, from which the shell may have parted it.
    #[error("{0}; a FEN has a space, so it stands in quotes: \"1qq1/q2q/Q2Q/1QQ1 w\"")]
    Unquoted(FenError),
    /// A bad board.
    #[error("{0}; a position is a board or a FEN such as \"1qq1/q2q/Q2Q/1QQ1 w\"")]
    Board(#[from] BoardError),
    /// A board without a start position.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Rows of squares that are no position.
    #[error("{0}; a position of rows has a side to move, and stands in quotes: \"x..|..o w\"")]
    Rows(#[from] StartFault),
    /// A number of amazons beside a FEN.
    #[error("--amazons goes with a board: a FEN has its amazons")]
    Amazons,
    /// A move that cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A bad FEN of other rules.
    #[error(transparent)]
    VariantFen(#[from] VariantFenError),
    /// A move that cannot be played under other rules.
    #[error(transparent)]
    VariantRecord(#[from] VariantRecordError),
}

/// Bytes: `8GiB`, `500MB`, `1.5GB`.
///
/// # Errors
/// If the text is anything else, or 2^64 bytes or more.
pub fn size(text: &str) -> Result<u64, SizeError> {
    let (number, unit) = number_and_unit(text).ok_or(SizeError)?;
    let (base, power) = match unit {
        "B" => (1000, 0),
        "kB" | "KB" => (1000, 1),
        "MB" => (1000, 2),
        "GB" => (1000, 3),
        "TB" => (1000, 4),
        "KiB" => (1024, 1),
        "MiB" => (1024, 2),
        "GiB" => (1024, 3),
        "TiB" => (1024, 4),
        _ => return Err(SizeError),
    };
    scale(number, u64::pow(base, power)).ok_or(SizeError)
}

/// Time: `90s`, `10m`, `1.5h`.
///
/// # Errors
/// If the text is anything else, or 2^64 milliseconds or more.
pub fn duration(text: &str) -> Result<Duration, DurationError> {
    let (number, unit) = number_and_unit(text).ok_or(DurationError)?;
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(DurationError),
    };
    scale(number, milliseconds).map(Duration::from_millis).ok_or(DurationError)
}

/// Whole numbers of a range, as the parser of an argument.
pub fn number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, NumberError> + Clone {
    let (least, most) = range.into_inner();
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or(NumberError { least, most })
    }
}

/// A number of threads, from 1 to [`MOST_THREADS`].
///
/// # Errors
/// If the text is anything else.
pub fn threads(text: &str) -> Result<NonZeroUsize, ThreadsError> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or(ThreadsError)
}

/// An address and a port.
///
/// # Errors
/// If the text is anything else.
pub fn address(text: &str) -> Result<SocketAddr, AddressError> {
    text.parse().map_err(|_| AddressError)
}

/// A name of a host, as browsers write it in `Host`, without a port; a final dot is left out.
///
/// # Errors
/// If the text is anything else.
pub fn host_name(text: &str) -> Result<String, HostNameError> {
    let name = text.strip_suffix('.').unwrap_or(text);
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let is_address = address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-._".contains(symbol);
    match !name.is_empty() && (is_address || name.chars().all(is_plain)) {
        true => Ok(name.to_string()),
        false => Err(HostNameError),
    }
}

/// A board, which stands for its start position, or a FEN.
///
/// # Errors
/// What is wrong with the one or the other, whichever the text looks like.
pub fn position(text: &str) -> Result<Position, PositionError> {
    if text.contains(is_fen) {
        return parse_fen(text).map_err(|error| match error {
            FenError::Side(_) if !text.contains(char::is_whitespace) => {
                PositionError::Unquoted(error)
            }
            error => error.into(),
        });
    }
    Ok(rules::start(text.parse::<Board>()?)?)
}

/// A position, the amazons of a board's start position, and moves to play, with spaces between. The
/// position may also be rows of squares as CGSuite writes them, and the side to move after them.
///
/// # Errors
/// What is wrong with the position, or with the first move that cannot be played.
pub fn position_and_moves(
    text: &str,
    amazons: Option<Amazons>,
) -> Result<(Position, Option<IndexedMove>), PositionError> {
    let text = text.trim_start();
    if let Some(rows) = take_rows(text)? {
        return match amazons {
            None => play_all(rows.position, text[rows.bytes..].split_whitespace()),
            Some(_) => Err(PositionError::Amazons),
        };
    }
    let mut words = text.split_whitespace().peekable();
    let first = words.next().unwrap_or("");
    // What of the text is the position: with a FEN the side to move, and the tail that other
    // programs write after it.
    let mut start = first;
    if first.contains(is_fen) {
        let is_move = |word: &str| word.contains(['-', ',', '/']) || word.parse::<Move>().is_ok();
        let belongs = |word: &&str| *word == "-" || !is_move(word);
        while let Some(word) = words.next_if(belongs) {
            start = from_to(text, first, word);
        }
        if amazons.is_some() {
            return Err(PositionError::Amazons);
        }
    }
    let position = match amazons {
        Some(amazons) => Position::start_with(start.parse::<Board>()?, amazons)?,
        None => position(start)?,
    };
    play_all(position, words)
}

/// The position after these moves, and the last of them.
fn play_all<'a>(
    position: Position,
    mut moves: impl Iterator<Item = &'a str>,
) -> Result<(Position, Option<IndexedMove>), PositionError> {
    moves.try_fold((position, None), |(position, _), word| {
        let (played, after) = play_text(&position, word)?;
        Ok((after, Some(played)))
    })
}

/// The part of a text from one of its words to the end of another.
fn from_to<'a>(text: &'a str, first: &str, last: &str) -> &'a str {
    let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    &text[at(first)..at(last) + last.len()]
}

/// As [`position_and_moves`] under other rules, where a FEN may have a turn and walls. Rows have
/// neither.
///
/// # Errors
/// As [`position_and_moves`].
pub fn variant_position_and_moves(
    text: &str,
    rules: RuleSet,
    amazons: Option<Amazons>,
) -> Result<VariantPosition, PositionError> {
    Ok(*variant_record(text, rules, amazons)?.last())
}

/// As [`variant_position_and_moves`], with all positions on the way.
///
/// # Errors
/// As [`variant_position_and_moves`].
pub fn variant_record(
    text: &str,
    rules: RuleSet,
    amazons: Option<Amazons>,
) -> Result<VariantRecord, PositionError> {
    if let Some(rows) = take_rows(text.trim_start())? {
        if amazons.is_some() {
            return Err(PositionError::Amazons);
        }
        let position = parse_variant_fen(&fen(&rows.position), rules)?;
        return Ok(VariantRecord::read(position, &text.trim_start()[rows.bytes..])?);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    let (position, moves) = if first.contains(is_fen) {
        let (start, moves) = words.split_at(variant_fen_words(&words));
        if amazons.is_some() {
            return Err(PositionError::Amazons);
        }
        (parse_variant_fen(&start.join(" "), rules)?, moves)
    } else {
        (
            VariantPosition::start(rules, first.parse()?, amazons)?,
            words.get(1..).unwrap_or_default(),
        )
    };
    Ok(VariantRecord::read(position, &moves.join(" "))?)
}

/// Whether a symbol is one of a FEN and not of a board.
fn is_fen(symbol: char) -> bool {
    symbol.is_ascii_whitespace() || "/Qq*".contains(symbol)
}

/// A decimal number, perhaps with a fraction of up to nine digits, and the letters after it.
fn number_and_unit(text: &str) -> Option<((u64, u32, u64), &str)> {
    let end = text.find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.')?;
    let (number, unit) = text.split_at(end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    Some(((whole.parse().ok()?, fraction.len() as u32, fraction.parse().ok()?), unit.trim_start()))
}

/// (whole + fraction / 10^digits) x unit, rounded down.
fn scale((whole, digits, fraction): (u64, u32, u64), unit: u64) -> Option<u64> {
    let part = u128::from(fraction) * u128::from(unit) / 10u128.pow(digits);
    u64::try_from(u128::from(whole) * u128::from(unit) + part).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant_fen;

    #[test]
    fn sizes() {
        let known = [
            ("8GiB", 8 << 30),
            ("500MB", 500_000_000),
            ("1.5KiB", 1536),
            ("0B", 0),
            ("2 MiB", 2 << 20),
        ];
        for (text, bytes) in known {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "8",
            "GiB",
            "8Gi",
            "-1GB",
            "1..5GB",
            ".5GB",
            "5.GB",
            "99999999TiB",
            "99999999999999999999B",
            "8GiBs",
        ] {
            assert_eq!(size(text), Err(SizeError), "{text}");
        }
    }

    #[test]
    fn durations() {
        for (text, seconds) in
            [("90s", 90.0), ("10m", 600.0), ("2h", 7200.0), ("0.25s", 0.25), ("1d", 86400.0)]
        {
            assert_eq!(duration(text).unwrap().as_secs_f64(), seconds, "{text}");
        }
        for text in ["", "90", "s", "-1s", "1 minute", "1h30m", "99999999999999999999s"] {
            assert_eq!(duration(text), Err(DurationError), "{text}");
        }
    }

    #[test]
    fn rows_of_squares_are_positions() {
        let read = |text: &str| position_and_moves(text, None).map(|(position, _)| position);
        assert_eq!(read(" x..|.#.|..o w"), read("q2/1*1/2Q w"));
        assert_eq!(read("x../.#./..o b a3-a2/a3"), read("q2/1*1/2Q b a3-a2/a3"));
        for (text, expected) in [
            ("x..|..o", "expected the side to move, \"w\" (o) or \"b\" (x), found nothing"),
            ("x..|..oo w", "row 2 has 4 squares"),
            ("x..|..o w a1-a2/b1", "white to move has no amazon on a1"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let amazons = "1v1".parse().ok();
        assert_eq!(position_and_moves("x..|..o w", amazons), Err(PositionError::Amazons));
    }

    #[test]
    fn rows_are_read_by_other_rules_too() {
        let read = |text: &str, rules| {
            let read = variant_position_and_moves(text, rules, None);
            read.map(|at| variant_fen(&at)).map_err(|error| error.to_string())
        };
        for rules in [RuleSet::KILLER, RuleSet::COWBOYS, RuleSet::TURNS_134] {
            for moves in ["", " a3-a2/a1"] {
                let rows = read(&format!("  x..|.#.|..o b{moves}"), rules);
                assert_eq!(rows, read(&format!("q2/1*1/2Q b{moves}"), rules), "{rules}{moves}");
                // By the rules of Cowboys the move is no leap.
                assert_eq!(rows.is_err(), rules == RuleSet::COWBOYS && !moves.is_empty());
            }
        }
        let refused = read("x..|.#.|..o", RuleSet::KILLER).unwrap_err();
        assert!(refused.contains("found nothing"), "{refused}");
        let amazons = "1v1".parse().ok();
        let refused = variant_position_and_moves("x..|..o w", RuleSet::KILLER, amazons);
        assert_eq!(refused.unwrap_err(), PositionError::Amazons);
    }

    #[test]
    fn moves_of_other_rules_stand_behind_a_fen_in_every_form() {
        let read = |text: &str, rules| {
            let read = variant_position_and_moves(text, rules, None);
            read.map(|at| variant_fen(&at)).map_err(|error| error.to_string())
        };
        let (tromazons, turns) = (RuleSet::TROMAZONS, RuleSet::TURNS_134);
        let start = "5q2/2Q5/q6Q/8/8/Q6q/8/2q2Q2 b";
        let walls = |text: &str| read(&format!("{start} {text}"), tromazons);
        for (text, played) in [
            ("1 b7E f7W", "1 b7E f8-f7/W"),
            ("f7W", "f8-f7/W"),
            ("1 - f7W", "1 - f8-f7/W"),
            ("1 b7E 1. f7W", "1 b7E f8-f7/W"),
            ("1 b7E 1 --- f7W", "1 b7E f8-f7/W"),
            ("1. f7W resigns 1-0", "f8-f7/W"),
            ("- - 0 1 f7W", "f8-f7/W"),
            ("- 1.f7W", "f8-f7/W"),
            ("1 b7E,c3N", "1 c3N,b7E"),
        ] {
            assert!(walls(played).is_ok(), "{played}");
            assert_eq!(walls(text), walls(played), "{text}");
        }
        let start = "1qq1/q2q/Q2Q/1QQ1 w";
        let many = |text: &str| read(&format!("{start} {text}"), turns);
        let one = many("1 b1-b3/b1");
        assert_eq!(one.as_deref(), Ok("1qq1/qQ1q/Q2Q/1*Q1 b 2"));
        for text in
            ["1.b1-b3/b1", "1. b1-b3/b1", "1 1 b1-b3/b1 resigns", "1.b1-b3/b1 0-1", "b1-b3/b1"]
        {
            assert_eq!(many(text), one, "{text}");
        }
        assert_eq!(many("resigns"), Ok(format!("{start} 1")));
        assert_eq!(many("1-0"), Ok(format!("{start} 1")));
        assert_eq!(many("2+b1 c1-c3/c1"), Ok("1qq1/q1Qq/Q2Q/1Q*1 w 2+b1,c3".to_string()));
        for (text, rules, expected) in [
            ("1qq1/q2q/Q2Q/1QQ1", turns, "the side to move, \"w\" or \"b\", found nothing"),
            ("1qq1/q2q/Q2Q/1QQ1 b1-b3/b1", turns, "the side to move, \"w\" or \"b\", found \"b1"),
            ("1qq1/q2q/Q2Q/1QQ1 w 1 a1N", turns, "134 has no walls, found \"a1N\""),
            ("1qq1/q2q/Q2Q/1QQ1 w 2+x", turns, "x"),
            ("1qq1/q2q/Q2Q/1QQ1 w x", turns, "turn 1, move 1, white"),
            ("1qq1/q2q/Q2Q/1QQ1 w 1 a1,b1N", tromazons, "expected - or walls by square and side"),
        ] {
            let error = read(text, rules).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn positions() {
        assert_eq!(position("4x4"), position("1qq1/q2q/Q2Q/1QQ1 w - - 0 1"));
        for (text, expected) in [
            ("4x", "COLUMNSxROWS"),
            ("0x4", "1 to 20 columns"),
            ("3x3", "do not fit 3 squares"),
            ("Q2q", "expected the side to move"),
            ("", "COLUMNSxROWS"),
        ] {
            let error = position(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
