//! What a build is told, and what it gives back.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "gpu")]
use super::gpu::Gpu;
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::machine::isa::InstructionSet;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::Ranks;
use crate::tables::format::{Keep, Manifest, TableError};
use crate::tables::index::{TableRules, TableSubject, TierShape};

/// Called after a tier was solved, while the tier below is still stored, with a manifest that names
/// both; the tier counts as solved only if it returns no objection. Called again if a run ended
/// before the tier was recorded.
#[derive(Clone)]
pub struct AfterTier(pub Arc<AfterTierFn>);

/// What [`AfterTier`] calls.
pub type AfterTierFn = dyn Fn(&Manifest, &TierShape) -> Result<(), Objection> + Send + Sync;

/// Why [`AfterTier`] does not let a tier pass.
#[derive(Debug)]
pub enum Objection {
    /// The tier is wrong, and how. Its file is removed.
    Wrong(String),
    /// It could not be looked at.
    Table(TableError),
    /// Somebody asked to stop.
    Stopped,
}

impl fmt::Debug for AfterTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AfterTier")
    }
}

/// How a table is built.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The rules of the game.
    pub rules: TableRules,
    /// Which tiers stay.
    pub keep: Keep,
    /// The least number of arrows of the tiers that are solved; 0 for the whole table. What is
    /// solved can be used as a table that is not finished, and built on.
    pub least_arrows: usize,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// The kernels to use; those of [`InstructionSet::detect`] unless there is a reason.
    pub isa: InstructionSet,
    /// The shortest time between checkpoints inside a tier.
    pub interval: Duration,
    /// Called after each tier.
    pub after_tier: Option<AfterTier>,
    /// The graphics card that solves, if one does.
    #[cfg(feature = "gpu")]
    pub gpu: Option<Gpu>,
}

impl BuildOptions {
    /// Amazons, all tiers stay, the fastest kernels, a checkpoint a minute.
    pub fn new(memory: u64) -> Self {
        let isa = InstructionSet::detect();
        let (rules, keep, interval) = (TableRules::Amazons, Keep::All, Duration::from_secs(60));
        Self {
            rules,
            keep,
            least_arrows: 0,
            memory,
            isa,
            interval,
            after_tier: None,
            #[cfg(feature = "gpu")]
            gpu: None,
        }
    }

    /// What a table of a board is about that is built with these.
    pub fn subject(&self, board: Board, amazons: Amazons) -> TableSubject {
        TableSubject { rules: self.rules, board, amazons }
    }
}

/// Who builds a table, where and how, and who is told of it.
#[derive(Clone, Copy)]
pub struct BuildJob<'a> {
    /// The processes, each of which calls the same with a job of its own.
    pub ranks: &'a Ranks,
    /// The directory, which they share.
    pub directory: &'a Path,
    /// How.
    pub options: &'a BuildOptions,
    /// Who is told of progress.
    pub observer: &'a dyn Observer,
    /// Set when the build is to end.
    pub stop: &'a StopFlag,
}

/// What a build has come to.
#[derive(Clone, Debug)]
pub struct Built {
    /// What the directory holds now.
    pub manifest: Manifest,
    /// Positions that this run has solved.
    pub solved: u64,
    /// Positions that earlier runs had solved and this one has recorded. What they had of segments
    /// counts as solved.
    pub taken_up: u64,
}
