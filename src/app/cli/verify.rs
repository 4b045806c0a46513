//! `amazons verify`: recomputes what a table, an opening table, a certificate or the results
//! directory claims.

use std::path::{Path, PathBuf};
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::check::Summary;
use super::{Context, Failure, OrFail, verify_opening, verify_results};
use crate::game::notation::fen;
use crate::game::rules::{Bitboards, Colour, Position};
use crate::proof::Reader;
use crate::proof::check::{self, Refusal};
use crate::tables::format::Table;
use crate::verify::table::{Report, verify_all, verify_sample};

/// Recompute what a table, an opening table, a certificate or the results directory claims
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A table's directory, a file (opening table or certificate), or `results`: every claim of
    /// ./results
    #[arg(value_name = "results | DIR | FILE")]
    target: PathBuf,

    /// Verify N random entries of a table in place of all; of an opening table's last ply, prove N
    /// by search
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Of the results: boards with more positions are not built again; their openings are checked
    #[arg(long, value_name = "N", default_value_t = 100_000_000_000)]
    up_to: u64,

    /// Seed of the random numbers of --sample
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if args.target == Path::new("results") {
        return verify_results::run(&args.target, args.up_to, context);
    }
    if verify_opening::is_one(&args.target) {
        return verify_opening::run(&args.target, args.sample.unwrap_or(0), args.seed, context);
    }
    if args.target.is_file() {
        return verify_certificate(&args.target, context);
    }
    verify_table(args, context)
}

/// Checks a proof with the rules and negamax, and with the wall rule if the file says so.
fn verify_certificate(path: &Path, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let open = || std::fs::File::open(path).map(std::io::BufReader::new);
    let outcome = check::verify(open, context.memory(), &progress, &stop);
    drop(progress);
    let (claim, checked) = match outcome {
        Ok(found) => found,
        Err(Refusal::Stopped) => return Err(Failure::limit("the check was interrupted")),
        Err(refusal) => {
            let at = refusal.position().and_then(|position| at(path, &position));
            let at = at.map_or(String::new(), |fen| format!(", in colours {fen}"));
            return Err(Failure::failed(format!("{}: {refusal}{at}", path.display())));
        }
    };
    let report = Report { checked: checked.positions, ..Report::default() };
    finish(path, &report, "positions of the proof", began, context)?;
    let (winner, position) = (claim.winner(), fen(&claim.position));
    let rule = if claim.walls { ", with the wall rule" } else { "" };
    context.remark(format_args!(
        "proved{rule}: {winner} wins {position} ({} answers met)",
        checked.answers
    ));
    Ok(())
}

/// A position of a certificate, with colours: in all of them the winner is to move.
fn at(path: &Path, position: &Bitboards) -> Option<String> {
    let reader = Reader::new(std::fs::File::open(path).ok()?).ok()?;
    let claim = reader.claim();
    Position::new(claim.board(), position, claim.winner()).ok().map(|position| fen(&position))
}

fn verify_table(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let table = Table::open(&args.target).or_failed()?;
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let report = match args.sample {
        Some(count) => {
            let mut random = StdRng::seed_from_u64(args.seed);
            verify_sample(&table, count, &mut random, &progress, &stop)
        }
        None => verify_all(&table, &progress, &stop),
    };
    drop(progress);
    let report = report.or_failed()?;
    let first = report.first.map(|position| describe(&table, &position));
    finish(&args.target, &report, "entries", began, context)?;
    if stop.is_set() {
        return Err(Failure::limit(
            "verification was interrupted: what was compared is right so far",
        ));
    }
    match first {
        None => Ok(()),
        Some(position) => Err(Failure::failed(format!(
            "{}: {} of {} entries are not what their moves say, for example that of {position}",
            args.target.display(),
            report.mismatches,
            report.checked
        ))),
    }
}

fn describe(table: &Table, position: &Bitboards<u64>) -> String {
    let coloured = Position::new(table.board(), position, Colour::White);
    coloured.map_or_else(|flaws| flaws.to_string(), |position| fen(&position))
}

/// Prints the result.
pub(super) fn finish(
    target: &Path,
    report: &Report,
    what: &str,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    let summary = Summary {
        target: target.display().to_string(),
        checked: report.checked,
        mismatches: report.mismatches,
        seconds: began.elapsed().as_secs_f64(),
    };
    if context.json() {
        return context.print_json(&summary);
    }
    let Summary { target, checked, mismatches, seconds } = summary;
    let rate = checked as f64 / seconds.max(1e-9) / 1e6;
    context.print(format_args!(
        "{target}: {checked} {what} recomputed, {mismatches} wrong ({seconds:.1} s, {rate:.2} million/s)"
    ))
}
