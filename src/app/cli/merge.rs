//! `amazons merge`: one certificate of many.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::arguments::position::PositionArgs;
use super::context::failure::as_word;
use super::context::{Context, Failure};
use super::files::directory::files_in;
use super::files::kind::FileKind;
use super::files::output::{Output, refused};
use super::files::overwriting;
use crate::app::counted::Counted;
use crate::app::input;
use crate::game::code::{Code, Coder};
use crate::game::notation::{fen, move_text};
use crate::game::rules::{Bitboards, Position, Rules};
use crate::machine::files::open_regular;
use crate::machine::shown::Shown as _;
use crate::proof::merge::{MergeError, least_memory, merge};
use crate::proof::{CertificateError, LARGEST_LEAF, Reader};

/// Make one certificate of many, such as those of the positions after each first move
///
/// Where a certificate is too much for one run, it can be written in pieces: one of the position
/// after each move of the side that loses. Mirror images need one piece only. The merged
/// certificate says who wins the position, and lists nothing that its own strategy does not lead
/// to. It is not checked yet: `amazons verify` tells whether it is a proof.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: PositionArgs,

    /// Certificates, or directories in which all files are certificates
    #[arg(long, value_name = "FILE | DIR", num_args = 1.., required = true)]
    from: Vec<PathBuf>,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Leave out positions with at most N empty squares, 0 to 12. A larger N can make the file
    /// smaller; its check takes longer then [default: the most that a file leaves out]
    #[arg(long, value_name = "N", value_parser = input::number::<u8>(0..=LARGEST_LEAF.into()))]
    leaf: Option<u8>,
}

#[derive(Serialize)]
struct Summary {
    position: String,
    winner: String,
    /// A rule besides those of the game that the certificate rests on: `walls`, the wall rule.
    rule: Option<&'static str>,
    files: usize,
    /// Positions of all files together.
    read: u64,
    positions: u64,
    bytes: u64,
    seconds: f64,
}

/// How many moves without a certificate are told.
const MOST_LISTED: usize = 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let position = args.given.read()?.position;
    let files = files(&args.from)?;
    overwriting::refuse(&files, [&args.out])?;
    let count = files.len();
    let memory = context.left(format_args!("merging {count} files"), least_memory(count))?;
    let sources = files.iter().map(|path| open(path)).collect::<Result<Vec<_>, Failure>>()?;
    // Tried before the work, so that an unwritable place costs nothing.
    let output = Output::create(&args.out)?;
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let out = BufWriter::new(output.file());
    let merged = merge(&position, sources, args.leaf, out, memory, &progress, &stop);
    drop(progress);
    let merged = merged.map_err(|error| failure(&error, &position, &files, &args.out))?;
    let bytes = output.file().metadata().map_err(|error| refused(&args.out, &error))?.len();
    output.keep()?;
    let summary = Summary {
        position: fen(&position),
        winner: merged.claim.winner().to_string(),
        rule: merged.claim.walls.then_some("walls"),
        files: count,
        read: merged.read,
        positions: merged.listed,
        bytes,
        seconds: began.elapsed().as_secs_f64(),
    };
    summary.print(&args.out, context)
}

impl Summary {
    /// Prints it as text or JSON.
    fn print(&self, out: &Path, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { winner, rule, files, read, positions, bytes, seconds, .. } = self;
        let (out, word) = (out.shown(), as_word(out));
        context.print(format_args!(
            "{positions} of {} in {}, {bytes} bytes in {out} ({seconds:.1} s)",
            Counted(*read, "position"),
            Counted(*files, "file")
        ))?;
        let rule = rule.map_or("", |_| ", with the wall rule");
        context.print(format_args!("{winner} wins{rule}, if `amazons verify {word}` accepts it"))
    }
}

/// The files that are named, and those of the directories that are named, by name.
fn files(from: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in from {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = files_in(path)?;
        if found.is_empty() {
            return Err(Failure::failed(format!("{} has no files", path.shown())));
        }
        files.append(&mut found);
    }
    Ok(files)
}

fn open(path: &Path) -> Result<Reader<BufReader<File>>, Failure> {
    FileKind::Certificate.expect(path)?;
    let file = open_regular(path).map_err(CertificateError::from);
    let reader = file.and_then(|file| Reader::new(BufReader::new(file)));
    reader.map_err(|error| Failure::of_file(path, &error))
}

/// The failure of a merge, with the file or the moves that it is about.
fn failure(error: &MergeError, position: &Position, files: &[PathBuf], out: &Path) -> Failure {
    match error {
        MergeError::Source { index, .. }
        | MergeError::OtherBoard { index, .. }
        | MergeError::OtherWinner { index, .. }
        | MergeError::Move { index, .. } => Failure::of_file(&files[*index], error),
        MergeError::LargerLeaves { index, found, .. } => {
            Failure::of_file(&files[*index], &format_args!("{error}; give --leaf {found} or more"))
        }
        MergeError::Io(error) => refused(out, error),
        MergeError::Nothing => Failure::usage(error.to_string()),
        MergeError::Memory { .. } => Failure::limit(format!("{error}; give more --memory")),
        MergeError::Stopped => Failure::limit(error.to_string()),
        MergeError::Missing { arrows, winner, missing } => {
            let moves = moves_to_missing(position, missing);
            if moves.is_empty() {
                if *arrows == position.burned() {
                    return Failure::failed(format!("no file lists {}", fen(position)));
                }
                let missing = Position::new(position.board(), &missing[0], *winner);
                let example = missing.map_or(String::new(), |missing| fen(&missing));
                return Failure::failed(format!("{error}, for example {example}"));
            }
            let listed = moves[..moves.len().min(MOST_LISTED)].join(", ");
            let more = if moves.len() > MOST_LISTED { ", ..." } else { "" };
            let (count, all) = (moves.len(), position.moves().len());
            Failure::failed(format!(
                "no file lists the position after {count} of {}: {listed}{more}",
                Counted(all, "move")
            ))
        }
        _ => Failure::failed(error.to_string()),
    }
}

/// The moves of a position that lead to one of those that are missing, or to an image of it.
fn moves_to_missing(position: &Position, missing: &[Bitboards]) -> Vec<String> {
    let coder = Coder::new(position.board());
    let (Ok(rules), Some(start)) = (Rules::new(position.board()), position.bitboards::<u64>())
    else {
        return Vec::new();
    };
    let missing: HashSet<Code> = missing.iter().map(|position| coder.code(position)).collect();
    let moves = rules.moves(&start).into_iter();
    moves
        .filter(|&played| missing.contains(&coder.code(&rules.play_unchecked(&start, played))))
        .map(|played| move_text(position.board(), played))
        .collect()
}
