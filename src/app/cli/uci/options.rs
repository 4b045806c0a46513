//! The options of the engine.

use crate::machine::threads::MOST_THREADS;
use crate::play::Settings;

/// Options with their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// Memory in MiB.
    hash: usize,
    threads: usize,
    lines: usize,
    width: usize,
    most_hash: usize,
}

/// What a setting of an option asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The player has to be made anew.
    Engine,
    /// The player has to forget.
    Forget,
    /// Nothing.
    Nothing,
}

/// MiB, if there is as much.
const HASH: usize = 256;
const MOST_LINES: usize = 500;
const MOST_WIDTH: usize = 10_000;

impl Options {
    /// With so many threads, and memory as far as there is so much.
    pub(super) fn new(threads: usize, memory: u64) -> Self {
        let most_hash = ((memory >> 20) as usize).max(1);
        Self { hash: HASH.min(most_hash), threads, lines: 1, width: 0, most_hash }
    }

    /// The lines that tell an interface of the options.
    pub(super) fn lines(&self) -> Vec<String> {
        let spin = |name: &str, value: usize, least: usize, most: usize| {
            format!("option name {name} type spin default {value} min {least} max {most}")
        };
        vec![
            "option name UCI_Variant type combo default amazons var amazons".to_string(),
            spin("Hash", self.hash, 1, self.most_hash),
            spin("Threads", self.threads, 1, MOST_THREADS),
            spin("MultiPV", self.lines, 1, MOST_LINES),
            spin("Width", self.width, 0, MOST_WIDTH),
            "option name Clear Hash type button".to_string(),
        ]
    }

    /// Sets an option; names may be written in any case.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        let number = |least: usize, most: usize| -> Result<usize, String> {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| {
                format!("{name} takes a number from {least} to {most}, found {value:?}")
            })
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.hash = number(1, self.most_hash)?,
            "threads" => self.threads = number(1, MOST_THREADS)?,
            "multipv" => self.lines = number(1, MOST_LINES)?,
            "width" => self.width = number(0, MOST_WIDTH)?,
            "clear hash" => return Ok(Change::Forget),
            "uci_variant" if value == "amazons" => return Ok(Change::Nothing),
            "uci_variant" => {
                return Err(format!("only the variant amazons is played, found {value:?}"));
            }
            _ => return Err(format!("there is no option {name:?}")),
        }
        Ok(Change::Engine)
    }

    /// The settings of the player.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            memory: self.hash << 20,
            threads: self.threads,
            lines: self.lines,
            width: self.width,
            ..Settings::default()
        }
    }
}
