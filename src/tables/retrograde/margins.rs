//! Building a table of margins: an ordinary table, and its layers of planes from 0 outwards.
//!
//! ```text
//!   wins(P, s) = some move leads to P' with not wins(P', -s)
//!                or s > 0 and not wins(P with the other side to move, 1 - s)
//! ```
//!
//! Plane `s` of a tier needs plane `-s` of the tier below, and plane `1 - s` of the same tier. So
//! layer `n`, which is the planes `n` and `-n`, needs itself and the layer before it: each layer is
//! built as a table is, from the fullest tier down, with two planes for each kind of a tier. It is
//! resumed as a table is. The last layer is the one that says nothing new ([`Manifest::is_last`]).

use std::path::Path;

use super::error::BuildError;
use super::options::{BuildJob, BuildOptions, Built};
use super::run::{build_layer, check_memory, check_possible, open_manifest};
use super::solvers;
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::Ranks;
use crate::tables::counting::Mask;
use crate::tables::format::{DirectoryLock, Keep, Manifest};
use crate::tables::index::{TableRules, TableSubject, Width, with_mask};

/// What a build of a table of margins has come to.
#[derive(Clone, Debug)]
pub struct BuiltMargins {
    /// What the ordinary table in the directory holds, and the positions of all planes that were
    /// solved or taken up.
    pub built: Built,
    /// What its layers hold, from the one with planes 1 and -1 on.
    pub layers: Vec<Manifest>,
}

/// Builds the table of `board` with these amazons as [`build`](super::build()) does, and beside it
/// its planes: all of them, or those of at most `most` spare moves. Goes on with what is there, an
/// ordinary table included. [`Table::margin`](crate::tables::format::Table::margin) answers from
/// them.
///
/// # Errors
/// [`BuildError`]; [`BuildError::NotForMargins`] for other rules than those of Amazons and for a
/// part of a table.
pub fn build_margins(
    directory: &Path,
    board: Board,
    amazons: Amazons,
    most: Option<u8>,
    options: &BuildOptions,
    observer: &dyn Observer,
    stop: &StopFlag,
) -> Result<BuiltMargins, BuildError> {
    let job = BuildJob { ranks: &Ranks::alone(), directory, options, observer, stop };
    build_margins_on(&job, board, amazons, most)
}

/// As [`build_margins`], for a caller that has a job.
///
/// # Errors
/// As [`build_margins`], also for several processes.
pub fn build_margins_on(
    job: &BuildJob<'_>,
    board: Board,
    amazons: Amazons,
    most: Option<u8>,
) -> Result<BuiltMargins, BuildError> {
    check_margins(job.options, job.ranks)?;
    check_possible(board, amazons, job.options)?;
    let subject = job.options.subject(board, amazons);
    let most_layers = layers(subject, most)?;
    solvers::check(subject, job.options, most_layers)?;
    check_memory(subject, most_layers, job.options)?;
    with_mask!(Width::of(board)?, M => build_in::<M>(job, board, amazons, most))
}

/// Refuses what is no whole table of Amazons that one process builds, as [`build_margins_on`] does
/// before it writes anything.
///
/// # Errors
/// [`BuildError::NotForMargins`].
pub fn check_margins(options: &BuildOptions, ranks: &Ranks) -> Result<(), BuildError> {
    let refused = [
        (options.rules == TableRules::Cowboys, "the rules of cowboys"),
        (options.rules == TableRules::Pencil, "the rules of pencil & paper"),
        (options.rules == TableRules::Killer, "the rules of killer"),
        (options.keep == Keep::Odd, "a table that keeps odd tiers only"),
        (options.keep == Keep::First, "a table that keeps first tiers only"),
        (options.keep == Keep::None, "a table that keeps no tiers"),
        (options.least_arrows > 0, "a part of a table"),
        (ranks.size() > 1, "several processes"),
    ];
    match refused.into_iter().find(|(refused, _)| *refused) {
        Some((_, found)) => Err(BuildError::NotForMargins { found }),
        None => Ok(()),
    }
}

/// The most layers that a table of margins has: with as many spare moves as there are empty squares
/// at the most, and one more, a side has the last move.
fn layers(subject: TableSubject, most: Option<u8>) -> Result<i8, BuildError> {
    let empty = subject.fullest()?;
    Ok(most.map_or(empty, |most| empty.min(most.into())) as i8)
}

fn build_in<M: Mask>(
    job: &BuildJob<'_>,
    board: Board,
    amazons: Amazons,
    most: Option<u8>,
) -> Result<BuiltMargins, BuildError> {
    let subject = job.options.subject(board, amazons);
    let _lock = DirectoryLock::acquire(job.directory)?;
    let table = open_manifest(job.directory, Manifest::new(subject, Keep::All))?;
    let mut built = build_layer::<M>(job, table)?;
    let mut layers_built = Vec::new();
    for layer in 1..=layers(subject, most)? {
        let manifest = open_manifest(job.directory, Manifest::of_layer(subject, layer))?;
        let of_layer = build_layer::<M>(job, manifest)?;
        built.solved += of_layer.solved;
        built.taken_up += of_layer.taken_up;
        let last = of_layer.manifest.is_last();
        layers_built.push(of_layer.manifest);
        if last {
            break;
        }
    }
    Ok(BuiltMargins { built, layers: layers_built })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::ranks::{Ending, in_threads};

    #[test]
    fn several_processes_are_refused_by_name() {
        let options = BuildOptions::new(1 << 30);
        assert!(check_margins(&options, &Ranks::alone()).is_ok());
        let ending = in_threads(2, |ranks| {
            let refused = check_margins(&options, ranks).expect_err("there are two");
            assert!(refused.to_string().contains("several processes"), "{refused}");
            Ending::Done
        });
        assert!(matches!(ending, Ending::Done));
    }
}
