//! `amazons export`: the values of one tier as plain bits.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::context::failure::{all_margins_command, build_command, whole_table_advice};
use super::context::{Context, Failure, OrFail};
use super::files::output::{Output, refused};
use super::files::overwriting;
use super::sources::open;
use crate::app::input;
use crate::game::rules::{Amazons, Colour};
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::tables::format::{Manifest, Table, TableError, TableName, TierError, TierRecord};
use crate::tables::index::{TableRules, TierShape};

/// Write the values of all positions of a tier as bits without compression or header
///
/// The file is what docs/format.md calls the tier's content: a bit for each position, 1 if its side
/// to move wins, by arrow set, then by the mover's amazons, then by the opponent's. Its BLAKE3 is
/// the one that info prints.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of the table
    directory: PathBuf,

    /// The tier: its number of burned squares
    #[arg(long, value_name = "K", value_parser = input::number::<usize>(0..=64))]
    arrows: usize,

    /// The amazons that White and Black have left in the tier, 2v1 say; a table by rules with
    /// captures has tiers of fewer than in the beginning
    #[arg(long, value_name = "NvM")]
    amazons: Option<Amazons>,

    /// Who is to move, white or black; needed if the sides have different numbers of amazons
    #[arg(long, value_name = "SIDE")]
    mover: Option<Colour>,

    /// The plane of a table of margins: who wins with S spare moves more than the other side
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i8).range(-64..=64))]
    plane: i8,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Serialize)]
struct Summary {
    file: String,
    arrows: usize,
    mover: usize,
    opponent: usize,
    /// The plane, if it is another one than 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<i8>,
    arrow_sets: u64,
    rows: usize,
    row_bits: usize,
    bytes: u64,
    content: String,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    overwriting::refuse([&args.directory], [&args.out])?;
    let table = open::any_table(&args.directory, context)?;
    let shape = plane(args, &table, tier(args, table.manifest())?)?;
    let record = stored_record(args, &table, &shape)?;
    let output = Output::create(&args.out)?;
    let stop = context.stop_on_interrupt()?;
    let summary = write_bits(args, &table, &shape, output.file(), &stop, context)?;
    if summary.content != record.content {
        return Err(table.stored().damaged(&shape, TierError::Content)).or_failed();
    }
    output.keep()?;
    summary.print(&shape, context)
}

/// The plane of a tier that is asked for, if it has one with a file.
fn plane(args: &Args, table: &Table, tier: TierShape) -> Result<TierShape, Failure> {
    let subject = table.manifest().subject;
    if args.plane != 0 && subject.rules != TableRules::Amazons {
        return Err(Failure::usage(format!(
            "planes of margins are of tables of amazons, found one of {subject}"
        )));
    }
    let shape = tier.with_plane(args.plane);
    let Some(outcome) = shape.constant() else { return Ok(shape) };
    let does = if outcome.is_win() { "wins" } else { "loses" };
    Err(Failure::usage(format!(
        "{} has no such plane of {tier}: with so few empty squares every mover {does} with {} spare \
         moves",
        table.directory().shown(),
        args.plane
    )))
}

/// What the manifest says of a tier that is stored.
fn stored_record<'a>(
    args: &Args,
    table: &'a Table,
    shape: &TierShape,
) -> Result<&'a TierRecord, Failure> {
    let directory = args.directory.shown();
    let Some(record) = table.stored().record(shape) else {
        let name = TableName::of(table.manifest(), &args.directory);
        let build = match shape.plane() {
            0 => build_command(&name),
            _ => all_margins_command(&name),
        };
        return Err(Failure::failed(format!(
            "{directory} does not hold {shape}; run {build} to make it"
        )));
    };
    if !record.stored {
        let (arrows, advice) = (args.arrows, whole_table_advice(&table.manifest().subject));
        return Err(Failure::failed(format!(
            "{directory} does not store the tier with {arrows} arrows; {advice}"
        )));
    }
    Ok(record)
}

/// Writes the values of a tier, frame by frame, and says what was written.
fn write_bits(
    args: &Args,
    table: &Table,
    shape: &TierShape,
    file: &File,
    stop: &StopFlag,
    context: &Context,
) -> Result<Summary, Failure> {
    let cannot_write = |error| refused(&args.out, &error);
    let damaged = |source| -> TableError { table.stored().damaged(shape, source) };
    let reader = table.stored().open_once(shape).or_failed()?;
    let mut decoder = reader.decoder().map_err(damaged).or_failed()?;
    let (mut file, mut raw) = (BufWriter::new(file), Vec::new());
    let (mut hasher, mut bytes) = (blake3::Hasher::new(), 0);
    let progress = context.progress();
    progress.begin(&shape.to_string(), reader.frames().len(), "frames");
    for frame in 0..reader.frames().len() {
        if stop.is_set() {
            return Err(Failure::limit("interrupted: nothing is written"));
        }
        reader.read_frame_into(frame, &mut decoder, &mut raw).map_err(damaged).or_failed()?;
        hasher.update(&raw);
        bytes += raw.len() as u64;
        file.write_all(&raw).map_err(cannot_write)?;
        progress.add(1);
    }
    file.flush().map_err(cannot_write)?;
    Ok(Summary {
        file: args.out.to_string_lossy().into_owned(),
        arrows: shape.arrows(),
        mover: shape.mover(),
        opponent: shape.opponent(),
        plane: Some(shape.plane()).filter(|&plane| plane != 0),
        arrow_sets: reader.frames().sets(),
        rows: shape.rows(),
        row_bits: shape.row_bits(),
        bytes,
        content: hasher.finalize().to_hex().to_string(),
    })
}

impl Summary {
    /// Prints it as text or JSON.
    fn print(&self, shape: &TierShape, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { file, arrow_sets, rows, row_bits, bytes, .. } = self;
        context.print(format_args!(
            "{shape}: {arrow_sets} arrow sets x {rows} rows of {row_bits} bits, {bytes} bytes in \
             {}",
            file.shown()
        ))
    }
}

/// The tier that the arguments speak of, which the table may still lack.
fn tier(args: &Args, manifest: &Manifest) -> Result<TierShape, Failure> {
    let sides = args.amazons.unwrap_or(manifest.subject.amazons);
    let (mover, opponent) = match args.mover {
        Some(Colour::White) => (sides.white, sides.black),
        Some(Colour::Black) => (sides.black, sides.white),
        None if sides.white == sides.black => (sides.white, sides.black),
        None => {
            return Err(Failure::usage(format!(
                "the tier is of {sides}: say whether the side to move is --mover white or \
                 --mover black"
            )));
        }
    };
    manifest.subject.fullest().or_failed()?;
    if !manifest.subject.sides().contains(&(mover, opponent)) {
        return Err(Failure::usage(format!(
            "the table is of {}, it has no tiers of {sides}",
            manifest.subject
        )));
    }
    let fullest = manifest.subject.board.squares() - mover - opponent;
    let kinds = manifest.kinds(args.arrows).unwrap_or_default();
    let shape = kinds.into_iter().find(|kind| (kind.mover(), kind.opponent()) == (mover, opponent));
    shape.ok_or_else(|| {
        Failure::usage(format!(
            "{} has tiers of {sides} with 0 to {fullest} arrows, found {}",
            manifest.subject, args.arrows
        ))
    })
}
