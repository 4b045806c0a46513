//! `amazons sample`: random positions of a table with their values.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::context::failure::all_margins_command;
use super::context::{Context, Failure, OrFail};
use super::files::output::{Output, refused};
use super::files::overwriting;
use super::sources::open;
use crate::app::counted::Counted;
use crate::app::input;
use crate::game::board::Board;
use crate::game::margin::Threshold;
use crate::game::{Outcome, Position};
use crate::machine::progress::StopFlag;
use crate::machine::shown::Shown as _;
use crate::tables::format::{SampleBy, Sampler, Table, TableMargin, TableName};

/// Write random positions of a table with their values
///
/// CSV has a header and a line for each position: its FEN and win or loss, what its side to move
/// reaches. NPY is read by numpy.load: an array of records with the fields position, bytes with two
/// bits a square, and win. With --margins there is a threshold too. docs/format.md describes both.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of the table
    directory: PathBuf,

    /// How many positions
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(0..=u64::MAX))]
    count: u64,

    /// Which positions are as likely as which
    #[arg(long, value_enum, default_value_t = By::Positions)]
    by: By,

    /// Also the threshold of each position, of a table of margins: the least number of spare moves
    /// with which its side to move wins. 0 or less is a win by as many, 1 or more a loss by one
    /// less
    #[arg(long)]
    margins: bool,

    /// The same seed gives the same positions
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,

    /// How they are written
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,

    /// The file to write [default: standard output, for CSV]
    #[arg(long, value_name = "FILE", required_if_eq("format", "npy"))]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum By {
    /// Every position of the table
    Positions,
    /// As many of each number of arrows, and there every position
    Tiers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A line for each position
    Csv,
    /// The file of an array for numpy
    Npy,
}

#[derive(Serialize)]
struct Summary {
    file: String,
    positions: u64,
    wins: u64,
    bytes: u64,
    seconds: f64,
}

/// Positions that are looked up together, if there is memory for them, and the memory of one.
const TOGETHER: u64 = 1 << 18;
const MEMORY: u64 = 512;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    if context.json() && args.out.is_none() {
        return Err(Failure::usage(
            "--json goes with --out, of which it tells: positions are written as --format says",
        ));
    }
    overwriting::refuse([&args.directory], &args.out)?;
    let table = open::table_for_many(&args.directory, context)?;
    if args.margins {
        expect_all_margins(&table)?;
    }
    let memory = context.left("drawing positions", 1 << 20)?;
    let together = (memory / MEMORY).min(TOGETHER);
    let stop = context.stop_on_interrupt()?;
    let Some(path) = &args.out else {
        let output = io::stdout().lock();
        return write(args, &table, together, &stop, output, Failure::of_output).map(drop);
    };
    let output = Output::create(path)?;
    let failed = |error: io::Error| refused(path, &error);
    let Written { wins, bytes } = write(args, &table, together, &stop, output.file(), failed)?;
    output.keep()?;
    let (positions, seconds) = (args.count, began.elapsed().as_secs_f64());
    let file = path.to_string_lossy().into_owned();
    Summary { file, positions, wins, bytes, seconds }.print(context)
}

/// Refuses a table that does not know every margin.
fn expect_all_margins(table: &Table) -> Result<(), Failure> {
    if table.stored().has_all_layers() {
        return Ok(());
    }
    let build = all_margins_command(&TableName::of(table.manifest(), table.directory()));
    Err(Failure::failed(format!(
        "{} does not know all margins; {build} makes them",
        table.directory().shown()
    )))
}

/// The threshold of each position, if they are asked for.
fn thresholds(
    args: &Args,
    table: &Table,
    positions: &[Position],
) -> Result<Vec<Option<Threshold>>, Failure> {
    if !args.margins {
        return Ok(vec![None; positions.len()]);
    }
    let exact = |margin: Option<TableMargin>| margin.and_then(TableMargin::exact);
    let margins = table.margins(positions).into_iter();
    margins.map(|margin| margin.map(exact)).collect::<Result<_, _>>().or_failed()
}

impl Summary {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { file, positions, wins, bytes, .. } = self;
        context.print(format_args!(
            "{}, {wins} won, {bytes} bytes in {}",
            Counted(*positions, "position"),
            file.shown()
        ))
    }
}

/// What went into the file.
struct Written {
    wins: u64,
    bytes: u64,
}

fn write(
    args: &Args,
    table: &Table,
    together: u64,
    stop: &StopFlag,
    output: impl Write,
    failed: impl Fn(io::Error) -> Failure,
) -> Result<Written, Failure> {
    let by = match args.by {
        By::Positions => SampleBy::Positions,
        By::Tiers => SampleBy::Tiers,
    };
    let mut sampler = Sampler::new(table, by, args.seed).or_failed()?;
    let mut output = BufWriter::new(output);
    let mut written = Written { wins: 0, bytes: 0 };
    let head = match args.format {
        Format::Csv if args.margins => b"position,value,threshold\n".to_vec(),
        Format::Csv => b"position,value\n".to_vec(),
        Format::Npy => npy_head(table.board(), args),
    };
    written.bytes += head.len() as u64;
    output.write_all(&head).map_err(&failed)?;
    let (mut left, mut text) = (args.count, Vec::new());
    while left > 0 {
        if stop.is_set() {
            return Err(Failure::limit("interrupted: nothing is written"));
        }
        let count = left.min(together);
        left -= count;
        let positions: Vec<Position> = sampler.by_ref().take(count as usize).collect();
        text.clear();
        let thresholds = thresholds(args, table, &positions)?;
        let values = table.values(&positions).into_iter().zip(thresholds);
        for (position, (value, threshold)) in positions.iter().zip(values) {
            let value = value.or_failed()?;
            written.wins += u64::from(value.is_win());
            push(&mut text, args.format, position, value, threshold);
        }
        written.bytes += text.len() as u64;
        output.write_all(&text).map_err(&failed)?;
    }
    output.flush().map_err(&failed)?;
    Ok(written)
}

fn push(
    text: &mut Vec<u8>,
    format: Format,
    position: &Position,
    value: Outcome,
    threshold: Option<Threshold>,
) {
    match format {
        Format::Csv => {
            text.extend(position.to_string().bytes());
            text.push(b',');
            text.extend(value.as_str().bytes());
            if let Some(threshold) = threshold {
                text.extend(format!(",{}", threshold.spare()).bytes());
            }
            text.push(b'\n');
        }
        Format::Npy => {
            text.extend(position.packed());
            text.push(u8::from(value.is_win()));
            // A board of a table has at most 64 squares.
            text.extend(threshold.map(|threshold| threshold.spare() as i8 as u8));
        }
    }
}

/// The head of an NPY file of version 1.0: magic, version, the length of what follows, and that:
/// the type, the order and the number of the records, filled with spaces to a multiple of 64 bytes.
fn npy_head(board: Board, args: &Args) -> Vec<u8> {
    let (bytes, count) = (Position::packed_bytes(board), args.count);
    let threshold = if args.margins { ", ('threshold', '|i1')" } else { "" };
    let mut text = format!(
        "{{'descr': [('position', '|u1', ({bytes},)), ('win', '|b1'){threshold}], \
         'fortran_order': False, 'shape': ({count},), }}"
    );
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let length = u16::try_from(text.len()).expect("two lines of text");
    [b"\x93NUMPY\x01\x00", length.to_le_bytes().as_slice(), text.as_bytes()].concat()
}
