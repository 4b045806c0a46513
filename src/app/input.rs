//! What users write on the command line: sizes, durations, positions.
//!
//! Each function is a clap `value_parser`: `#[arg(value_parser = input::size)]`.

use std::time::Duration;

use crate::game::board::{Board, BoardError};
use crate::game::notation::{FenError, parse_fen};
use crate::game::rules::{self, Position, StartError};

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

/// Text that is not a `POSITION`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A bad FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A bad board.
    #[error("{0}; a position is a board or a FEN such as \"1qq1/q2q/Q2Q/1QQ1 w\"")]
    Board(#[from] BoardError),
    /// A board without a start position.
    #[error(transparent)]
    Start(#[from] StartError),
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

/// A board, which stands for its start position, or a FEN.
///
/// # Errors
/// What is wrong with the one or the other, whichever the text looks like.
pub fn position(text: &str) -> Result<Position, PositionError> {
    let fen = |symbol: char| symbol.is_ascii_whitespace() || "/Qq*".contains(symbol);
    if text.contains(fen) {
        return Ok(parse_fen(text)?);
    }
    Ok(rules::start(text.parse::<Board>()?)?)
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
    fn positions() {
        assert_eq!(position("4x4"), position("1qq1/q2q/Q2Q/1QQ1 w - - 0 1"));
        for (text, expected) in [
            ("4x", "COLUMNSxROWS"),
            ("0x4", "1 to 10 columns"),
            ("3x4", "no start position"),
            ("Q2q", "expected the side to move"),
            ("", "COLUMNSxROWS"),
        ] {
            let error = position(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
