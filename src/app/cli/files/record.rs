//! Records of games, read from a file or from standard input.

use std::io::Read;
use std::path::Path;

use crate::app::cli::context::{Context, Failure};
use crate::app::input;
use crate::game::notation::record::{bytes_of_games, read_games};
use crate::game::notation::sgf::Game;
use crate::game::variants::{RuleSet, VariantRecord};
use crate::machine::charset::without_mark;
use crate::machine::shown::Shown as _;

/// Records of more bytes are refused.
const MOST_BYTES: u64 = 64 << 20;

/// Bytes of a position by other rules, and of the move to it.
const VARIANT_BYTES: u64 = 512;

/// Whether a path stands for standard input or output.
pub(in crate::app::cli) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads all games of a record, in whatever form, and says on standard error what there is to
/// remark of them.
///
/// # Errors
/// If the file cannot be read, is no record of games, or does not fit the memory.
pub(in crate::app::cli) fn read(path: &Path, context: &Context) -> Result<Vec<Game>, Failure> {
    let bytes = read_bytes(path, context)?;
    context.set_aside("reading these games", bytes_of_games(&bytes))?;
    let games =
        read_games(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", path.shown())))?;
    for (number, game) in (1..).zip(&games) {
        let remarks = game.remarks().iter();
        remarks.for_each(|remark| context.remark(format_args!("game {number}: {remark}")));
    }
    Ok(games)
}

/// Reads a game by other rules: a board or a FEN, then moves. What follows `#` in its line is passed
/// over.
///
/// # Errors
/// As [`read`], and the first move that cannot be played.
pub(in crate::app::cli) fn read_variant(
    path: &Path,
    rules: RuleSet,
    context: &Context,
) -> Result<VariantRecord, Failure> {
    let bytes = read_bytes(path, context)?;
    // A move has at least two symbols and a blank.
    context.set_aside("reading this game", bytes.len() as u64 / 3 * VARIANT_BYTES)?;
    let refused = |why: String| Failure::usage(format!("{}: {why}", path.shown()));
    let text = String::from_utf8(bytes).map_err(|error| refused(format!("no text: {error}")))?;
    let lines = without_mark(&text).lines().map(|line| line.split('#').next().unwrap_or_default());
    let text: Vec<&str> = lines.collect();
    let read = input::variant_record(&text.join("\n"), rules, None);
    read.map_err(|error| refused(error.to_string()))
}

/// The bytes of a record, as many as fit the memory and are read at all.
///
/// # Errors
/// If it cannot be read, or is larger.
pub(in crate::app::cli) fn read_bytes(path: &Path, context: &Context) -> Result<Vec<u8>, Failure> {
    let refused = |error| Failure::failed(format!("cannot read {}: {error}", path.shown()));
    let source: Box<dyn Read> = match is_dash(path) {
        true => Box::new(std::io::stdin()),
        false => Box::new(std::fs::File::open(path).map_err(refused)?),
    };
    let mut bytes = Vec::new();
    let most = MOST_BYTES.min(context.left("reading games", 1 << 20)? / 2);
    source.take(most + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(Failure::usage(format!("{}: more than {most} MiB of games", path.shown())));
    }
    if bytes.len() as u64 > most {
        // More than half of what is left: this says so.
        context.set_aside("reading games", 2 * bytes.len() as u64)?;
    }
    Ok(bytes)
}
