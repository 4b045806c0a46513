//! The settings of an engine as text: `nodes=2000,width=20,eval=distance`.
//!
//! | key | value | without it |
//! |---|---|---|
//! | `time` | a duration for each move | no limit |
//! | `nodes` | positions evaluated for each move | no limit |
//! | `depth` | moves looked ahead | no limit |
//! | `width` | moves looked at in each position, 0 for all | 0 |
//! | `eval` | `mobility`, `distance`, `full` | `full` |
//! | `endgame` | `off`, `bounds`, `proof` | `proof` |
//! | `reductions` | `on`, `off` | `on` |
//! | `threads` | threads of one engine | 1 |
//! | `hash` | memory of one engine, 0B for none | 16MiB |

use std::str::FromStr;

use crate::app::cli::input;
use crate::play::{Endgame, EngineConfig, Limits, Settings, Terms};

/// Text that does not say how to play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::app::cli) enum ConfigError {
    /// A part that is not `key=value`.
    #[error(
        "settings are key=value, joined by commas, for example nodes=2000,width=20, found {0:?}"
    )]
    Syntax(String),
    /// A key that does not exist.
    #[error(
        "there is no setting {0:?}, only time, nodes, depth, width, eval, endgame, reductions, threads and hash"
    )]
    Key(String),
    /// A key that is given twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// A value that does not fit its key.
    #[error("{key} takes {expected}, found {found:?}")]
    Value {
        /// The key.
        key: String,
        /// What it takes.
        expected: &'static str,
        /// What was written.
        found: String,
    },
    /// Nothing ends the search.
    #[error("nothing limits a move: give one of time, nodes and depth")]
    Endless,
}

/// The configuration of an engine, from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app::cli) struct ConfigText(pub(in crate::app::cli) EngineConfig);

/// Memory of an engine that is not told otherwise.
const HASH: usize = 16 << 20;

impl FromStr for ConfigText {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let mut settings = Settings { memory: HASH, ..Settings::default() };
        let mut limits = Limits::default();
        let mut seen: Vec<&str> = Vec::new();
        for part in text.split(',') {
            let (key, value) =
                part.split_once('=').ok_or_else(|| ConfigError::Syntax(part.to_string()))?;
            if seen.contains(&key) {
                return Err(ConfigError::Twice(key.to_string()));
            }
            seen.push(key);
            if !set(&mut settings, &mut limits, key, value)? {
                return Err(ConfigError::Key(key.to_string()));
            }
        }
        if limits == Limits::default() {
            return Err(ConfigError::Endless);
        }
        settings.evaluation.territories = settings.endgame != Endgame::Off;
        Ok(Self(EngineConfig { settings, limits }))
    }
}

/// Sets what a key says; whether there is such a key.
fn set(
    settings: &mut Settings,
    limits: &mut Limits,
    key: &str,
    value: &str,
) -> Result<bool, ConfigError> {
    let wrong =
        |expected| ConfigError::Value { key: key.to_string(), expected, found: value.to_string() };
    let number = |expected, least: u64| {
        let digits = value.bytes().all(|byte| byte.is_ascii_digit());
        let number = if digits { value.parse::<u64>().ok() } else { None };
        number.filter(|&number| number >= least).ok_or_else(|| wrong(expected))
    };
    match key {
        "time" => {
            let time = input::duration(value).map_err(|_| wrong("a duration such as 100ms"))?;
            limits.time = Some(time).filter(|time| !time.is_zero());
            limits.time.ok_or_else(|| wrong("a duration above zero"))?;
        }
        "nodes" => limits.nodes = Some(number("a number from 1", 1)?),
        "depth" => limits.depth = Some(number("a number from 1", 1)?.min(100) as u32),
        "width" => settings.width = number("a number, 0 for all moves", 0)? as usize,
        "threads" => {
            let threads = input::threads(value).map_err(|_| wrong("a number from 1 to 1024"))?;
            settings.threads = threads.into();
        }
        "hash" => {
            settings.memory =
                input::size(value).map_err(|_| wrong("a size such as 16MiB"))? as usize
        }
        "eval" => {
            settings.evaluation.terms = match value {
                "mobility" => Terms::Mobility,
                "distance" => Terms::Distance,
                "full" => Terms::Full,
                _ => return Err(wrong("mobility, distance or full")),
            }
        }
        "endgame" => {
            settings.endgame = match value {
                "off" => Endgame::Off,
                "bounds" => Endgame::Bounds,
                "proof" => Endgame::Proof,
                _ => return Err(wrong("off, bounds or proof")),
            }
        }
        "reductions" => {
            settings.reductions = match value {
                "on" => true,
                "off" => false,
                _ => return Err(wrong("on or off")),
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    #[test]
    fn settings_are_read() {
        let ConfigText(contestant) =
            "time=100ms,width=20,eval=mobility,endgame=off,threads=2,hash=1MiB,nodes=7,depth=3,reductions=off"
                .parse()
                .unwrap();
        let EngineConfig { settings, limits } = contestant;
        assert_eq!(
            (limits.time, limits.nodes, limits.depth),
            (Some(Duration::from_millis(100)), Some(7), Some(3))
        );
        assert_eq!((settings.width, settings.threads, settings.memory), (20, 2, 1 << 20));
        assert_eq!((settings.evaluation.terms, settings.endgame), (Terms::Mobility, Endgame::Off));
        assert!(!settings.evaluation.territories && !settings.reductions);
    }

    #[test]
    fn other_text_is_refused() {
        for (text, expected) in [
            ("", "key=value"),
            ("nodes", "key=value"),
            ("nodes=5,", "key=value"),
            ("speed=5", "no setting \"speed\""),
            ("nodes=0", "nodes takes a number from 1, found \"0\""),
            ("nodes=-1", "found \"-1\""),
            ("nodes=1,nodes=2", "twice"),
            ("time=100", "a duration"),
            ("time=0s", "above zero"),
            ("width=20", "nothing limits a move"),
            ("nodes=1,eval=best", "mobility, distance or full"),
            ("nodes=1,endgame=on", "off, bounds or proof"),
            ("nodes=1,threads=0", "from 1"),
            ("nodes=1,threads=5000", "1024"),
            ("nodes=1,hash=lots", "a size"),
        ] {
            let error = text.parse::<ConfigText>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC*", other in "(nodes|time|width|hash)=[0-9a-zA-Z]{0,25}") {
            let _ = text.parse::<ConfigText>();
            let _ = other.parse::<ConfigText>();
        }
    }
}
