//! `amazons opening`: writes a small table of the first moves.

use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::output::{Output, refused};
use super::{Context, Failure, OrFail, input};
use crate::game::notation::fen;
use crate::game::rules::Position;
use crate::tables::format::{Table, TableError};
use crate::tables::opening::{DeriveError, Opening};

/// Write an opening table: the values of all positions that the first moves lead to
///
/// `lookup` and `verify` take the file where they take the directory of a table.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Where the moves begin: a board (its start position) or a FEN
    #[arg(value_parser = input::position)]
    position: Position,

    /// Directory of the full table
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,

    /// Number of moves
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(..=32))]
    plies: u8,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Summary {
    position: String,
    plies: Vec<PlySummary>,
    bytes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct PlySummary {
    ply: usize,
    positions: usize,
    wins: usize,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let table = Table::open(&args.tables).or_failed()?;
    if !table.answers(&args.position) {
        let other = table.answer(&args.position).map(|_| ());
        return other.or_usage();
    }
    // Tried before the work, so that an unwritable place costs nothing.
    let output = Output::create(&args.out)?;
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let (plies, memory) = (args.plies.into(), context.memory());
    let derived = Opening::derive(&table, &args.position, plies, memory, &progress, &stop);
    drop(progress);
    let opening = match derived {
        Err(DeriveError::Stopped) => derived.or_limit()?,
        Err(DeriveError::TooLarge(_) | DeriveError::Table(TableError::OtherGame { .. })) => {
            derived.or_usage()?
        }
        _ => derived.or_failed()?,
    };
    let bytes = opening.write(&mut output.file()).map_err(|error| refused(&args.out, &error))?;
    output.keep()?;
    let ply = |(ply, held): (usize, &crate::tables::opening::Ply)| PlySummary {
        ply,
        positions: held.len(),
        wins: held.wins(),
    };
    let plies: Vec<PlySummary> = opening.plies().iter().enumerate().map(ply).collect();
    let seconds = began.elapsed().as_secs_f64();
    if context.json() {
        return context.print_json(&Summary {
            position: fen(&args.position),
            plies,
            bytes,
            seconds,
        });
    }
    for PlySummary { ply, positions, wins } in &plies {
        context.print(format_args!(
            "after {ply} moves: {positions} positions, {wins} won by the side to move"
        ))?;
    }
    context.print(format_args!("{bytes} bytes in {} ({seconds:.1} s)", args.out.display()))
}
