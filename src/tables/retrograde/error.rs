//! Why a table is not finished.

#[cfg(feature = "gpu")]
use super::gpu::GpuError;
use super::kernel::MOST_PLACEMENTS;
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::machine::ranks::{Elsewhere, Unfinished};
use crate::tables::format::TableError;
use crate::tables::index::{ShapeError, TableRules, TierShape};
use crate::tables::opening::DeriveError;

/// Why a table was not finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The board or the amazons are not for tables.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A file.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No tier has so many arrows.
    #[error("{board} {amazons} has tiers of 0 to {fullest} arrows, found {found}")]
    NoSuchTier {
        /// The board.
        board: Board,
        /// The amazons.
        amazons: Amazons,
        /// Arrows of the fullest tier.
        fullest: usize,
        /// The least number of arrows that was asked for.
        found: usize,
    },
    /// More placements of a side than the kernels take.
    #[error(
        "{shape} has too many placements of a side: tables are for at most {MOST_PLACEMENTS} on the squares that the other side leaves"
    )]
    TooManyPlacements {
        /// The tier.
        shape: TierShape,
    },
    /// What a table of margins cannot be built with.
    #[error("margins are for whole tables of amazons, built by one process, found {found}")]
    NotForMargins {
        /// What was asked for besides.
        found: &'static str,
    },
    /// A table by other rules that would keep nothing that answers.
    #[error(
        "a table that keeps no tier leaves an opening table, and those are of amazons, found \
         {rules}: keep the first tiers"
    )]
    NoOpeningOf {
        /// The rules.
        rules: TableRules,
    },
    /// Not enough memory, found before anything was solved.
    #[error(
        "building {board} {amazons} needs at least {needed} bytes of memory, {given} are given"
    )]
    Memory {
        /// The board.
        board: Board,
        /// The amazons.
        amazons: Amazons,
        /// Bytes needed.
        needed: u64,
        /// Bytes given.
        given: u64,
    },
    /// The directory holds something else.
    #[error("{directory} holds {holds}; give another directory to build {wanted}")]
    OtherTable {
        /// The directory.
        directory: String,
        /// What it holds.
        holds: String,
        /// What was to be built.
        wanted: String,
    },
    /// The ranks do not see the same directory.
    #[error(
        "{directory} is not the directory that rank 0 writes: all processes must see the same one, on a file system that they share"
    )]
    NotShared {
        /// The directory.
        directory: String,
    },
    /// The graphics card.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Another process of this run has failed.
    #[error(transparent)]
    Elsewhere(#[from] Elsewhere),
    /// Somebody asked to stop; everything finished until then is kept.
    #[error("stopped")]
    Stopped,
    /// [`AfterTier`](super::options::AfterTier) objected.
    #[error("{0}")]
    Objection(String),
    /// No opening table was made.
    #[error("no opening table: {0}")]
    Opening(DeriveError),
    /// A checkpoint that this program never makes.
    #[error("the unfinished tier ends inside a block; delete its .part file and build again")]
    OddCheckpoint,
    /// The tier below is not what it should be.
    #[error("the tier below lacks a child; delete the table and build it again")]
    NoChildren,
}

impl From<DeriveError> for BuildError {
    fn from(error: DeriveError) -> Self {
        match error {
            DeriveError::Stopped => Self::Stopped,
            DeriveError::Table(error) => Self::Table(error),
            other => Self::Opening(other),
        }
    }
}

impl From<Unfinished<Self>> for BuildError {
    fn from(unfinished: Unfinished<Self>) -> Self {
        match unfinished {
            Unfinished::Here(error) => error,
            Unfinished::Elsewhere(failed) => failed.into(),
            Unfinished::Stopped => Self::Stopped,
        }
    }
}
