//! `amazons chart`: what a table or a list of counts says of each number of arrows, as a picture.

use std::path::PathBuf;

use super::plot::{Figures, by_arrows};
use super::{Context, Failure, OrFail, output};
use crate::tables::format::Manifest;
use crate::verify::results::counted;

/// Draw figures of a table by the number of arrows, as SVG
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of a table, or a counts.csv as `info --csv counts` prints it
    source: PathBuf,

    /// What is drawn
    #[arg(long, value_enum, default_value_t = What::Wins)]
    of: What,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// The share of the positions that the side to move wins
    Wins,
    /// Positions, every placement counted
    Positions,
    /// Bytes of the files; of a table only
    Bytes,
    /// Bits of the files for each stored position; of a table only
    Bits,
}

/// A tier, or both of its kinds together.
#[derive(Clone, Copy, Debug, Default)]
struct Tier {
    arrows: u32,
    positions: f64,
    wins: f64,
    bytes: f64,
    stored_positions: f64,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let (name, tiers) = if args.source.is_file() { of_counts(args)? } else { of_table(args)? };
    let figure = |tier: &Tier| match args.of {
        What::Wins => 100.0 * tier.wins / tier.positions,
        What::Positions => tier.positions,
        What::Bytes => tier.bytes / 1e6,
        What::Bits => 8.0 * tier.bytes / tier.stored_positions,
    };
    let points = tiers.iter().map(|tier| (tier.arrows, figure(tier)));
    let points: Vec<(u32, f64)> = points.filter(|(_, figure)| figure.is_finite()).collect();
    let (title, axis, top) = match args.of {
        What::Wins => ("Positions won by the side to move", "%", Some(100.0)),
        What::Positions => ("Positions", "positions", None),
        What::Bytes => ("Files", "MB", None),
        What::Bits => ("Bits a stored position", "bits", None),
    };
    let title = &format!("{title}, {name}");
    let svg = by_arrows(&Figures { title, axis, points, top })?;
    output::write(&args.out, svg.as_bytes())?;
    context.remark(format_args!("{}: {title}", args.out.display()));
    Ok(())
}

fn of_table(args: &Args) -> Result<(String, Vec<Tier>), Failure> {
    let manifest = Manifest::load(&args.source).or_failed()?;
    let mut tiers: Vec<Tier> = Vec::new();
    for record in &manifest.tiers {
        let stored = manifest.shape(record).filter(|_| record.stored);
        let held = stored.and_then(|shape| shape.count().stored_positions()).unwrap_or(0) as f64;
        add(
            &mut tiers,
            Tier {
                arrows: record.arrows as u32,
                positions: record.positions as f64,
                wins: record.wins as f64,
                bytes: if record.stored { record.bytes as f64 } else { 0.0 },
                stored_positions: held,
            },
        );
    }
    Ok((format!("{} {}", manifest.board, manifest.amazons), tiers))
}

/// Both kinds of a tier are one point.
fn add(tiers: &mut Vec<Tier>, tier: Tier) {
    match tiers.last_mut().filter(|last| last.arrows == tier.arrows) {
        Some(last) => {
            last.positions += tier.positions;
            last.wins += tier.wins;
            last.bytes += tier.bytes;
            last.stored_positions += tier.stored_positions;
        }
        None => tiers.push(tier),
    }
}

fn of_counts(args: &Args) -> Result<(String, Vec<Tier>), Failure> {
    let path = args.source.display();
    if matches!(args.of, What::Bytes | What::Bits) {
        return Err(Failure::usage(format!(
            "{path} has no sizes of files: give the directory of a table"
        )));
    }
    let counted = counted(&args.source).or_failed()?;
    let (mut names, mut tiers) = (Vec::new(), Vec::new());
    for (shape, positions, wins) in counted {
        let (mover, opponent) = (shape.mover(), shape.opponent());
        let (more, fewer) = (mover.max(opponent), mover.min(opponent));
        names.push(format!("{} {more}v{fewer}", shape.board()));
        let (positions, wins) = (positions as f64, wins as f64);
        add(&mut tiers, Tier { arrows: shape.arrows() as u32, positions, wins, ..Tier::default() });
    }
    names.dedup();
    match names.as_slice() {
        [name] => Ok((name.clone(), tiers)),
        _ => Err(Failure::failed(format!(
            "{path}: expected the counts of one board, found those of {}",
            names.len()
        ))),
    }
}
