//! The options of the engine.

use crate::app::cli::context::THREAD_BYTES;
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
    /// Threads whose own memory is counted already.
    counted: usize,
    /// Bytes for all else: the player's memory, and further threads.
    memory: u64,
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
        let least = Self { hash: 1, threads, lines: 1, width: 0, counted: threads, memory };
        Self { hash: HASH.min(least.most_hash()), ..least }
    }

    /// The lines that tell an interface of the options.
    pub(super) fn lines(&self) -> Vec<String> {
        let spin = |name: &str, value: usize, least: usize, most: usize| {
            format!("option name {name} type spin default {value} min {least} max {most}")
        };
        vec![
            "option name UCI_Variant type combo default amazons var amazons".to_string(),
            spin("Hash", self.hash, 1, self.most_hash()),
            spin("Threads", self.threads, 1, self.most_threads()),
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
            "hash" => {
                let hash = number(1, self.most_hash())?;
                *self = Self { hash, ..*self }.that_fit()?;
            }
            "threads" => {
                let threads = number(1, self.most_threads())?;
                *self = Self { threads, ..*self }.that_fit()?;
            }
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

    /// The most MiB of hash, without further threads. One there may always be.
    fn most_hash(&self) -> usize {
        ((self.memory >> 20) as usize).max(1)
    }

    /// The most threads, with the least hash.
    fn most_threads(&self) -> usize {
        let further = self.memory.saturating_sub(1 << 20) / THREAD_BYTES;
        self.counted.saturating_add(further as usize).min(MOST_THREADS)
    }

    /// The same, if hash and threads fit the memory together.
    fn that_fit(self) -> Result<Self, String> {
        let further = self.threads.saturating_sub(self.counted) as u64;
        let needed = ((self.hash as u64) << 20) + further * THREAD_BYTES;
        if needed <= (self.most_hash() as u64) << 20 {
            return Ok(self);
        }
        let (hash, threads, most) = (self.hash, self.threads, self.most_hash());
        let needed = needed.div_ceil(1 << 20);
        Err(format!(
            "Hash {hash} with Threads {threads} takes {needed} MiB, at most {most} MiB may be \
             used: set less of the other one first"
        ))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_and_threads_fit_the_memory_together() {
        let mut options = Options::new(2, 64 << 20);
        assert_eq!(options.hash, 64);
        assert_eq!((options.most_threads(), Options::new(4, 0).most_threads()), (65, 4));
        assert_eq!(options.set("Threads", "2"), Ok(Change::Engine));
        let error = options.set("Threads", "10").unwrap_err();
        assert!(error.contains("Threads 10 takes 72 MiB, at most 64 MiB may"), "{error}");
        assert_eq!(options.threads, 2);
        assert_eq!(options.set("Hash", "56"), Ok(Change::Engine));
        assert_eq!(options.set("Threads", "10"), Ok(Change::Engine));
        assert!(options.set("Hash", "57").is_err());
        assert_eq!((options.hash, options.threads), (56, 10));
        // What there always is.
        assert_eq!(Options::new(4, 0).set("Hash", "1"), Ok(Change::Engine));
    }
}
