//! `amazons tree`: how large the tree of a game is.

use serde::Serialize;

use super::arguments::position::PositionArgs;
use super::arguments::rules::{RulesArgs, for_amazons_only};
use super::context::{Context, Failure, OrFail};
use crate::app::counted::Counted;
use crate::app::input;
use crate::game::AnyPosition;
use crate::game::tree::{Estimate, GameTree, Ply, PlyEstimate, Sample, TreeEnd, game_tree};

/// Count positions, sequences of moves, games and moves by plies from POSITION, after the MOVEs
///
/// Exact for Amazons on boards of up to 64 squares, as far as the positions of two plies fit the
/// memory. With --samples random games give estimates with their standard errors, for any board.
///
/// Of the moves there are two means: moves/position counts each different position that has one
/// once, moves/sequence as often as sequences of moves lead to it. With --samples it is the mean
/// over the positions that random games reached.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// The last ply that is counted; without this all of them
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(0..=1000))]
    plies: Option<u32>,

    /// Estimate from N random games in place of counting
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(2..=1_000_000_000_000))]
    samples: Option<u64>,

    /// Which random games
    #[arg(long, value_name = "N", default_value = "1", requires = "samples", value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    rules: RulesArgs,
}

/// The least memory of a count.
const LEAST_MEMORY: u64 = 1 << 20;

#[derive(Serialize)]
struct Report {
    position: String,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    plies: Vec<PlyReport>,
    /// Whether all games have ended.
    whole: bool,
    /// The games of the plies above.
    games: u128,
    /// Moves of a game, on the average.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_length: Option<f64>,
    /// Moves in a place of the tree from which it goes on, on the average.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_branching: Option<f64>,
}

#[derive(Serialize)]
struct PlyReport {
    ply: usize,
    positions: u64,
    canonical_positions: u64,
    moves: u128,
    ended: u64,
    sequences: u128,
    games: u128,
}

#[derive(Serialize)]
struct EstimateReport {
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    samples: u64,
    seed: u64,
    plies: Vec<PlyEstimateReport>,
    /// Whether all random games have ended.
    whole: bool,
    games: f64,
    games_error: f64,
}

#[derive(Serialize)]
struct PlyEstimateReport {
    ply: usize,
    sequences: f64,
    sequences_error: f64,
    games: f64,
    games_error: f64,
    reached: u64,
    branching: f64,
}

/// Runs `amazons tree`.
pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let position = args.position.read_by(args.rules.variant())?;
    let most = args.plies.map_or(usize::MAX, |plies| plies as usize);
    match args.samples {
        Some(games) => estimate(&position, Sample { games, seed: args.seed }, most, context),
        None => count(&position, most, context),
    }
}

fn count(position: &AnyPosition, most: usize, context: &Context) -> Result<(), Failure> {
    let AnyPosition::Amazons(amazons) = position else {
        return Err(for_amazons_only("a count without --samples", position.rules()));
    };
    let memory = context.left("counting positions", LEAST_MEMORY)?;
    let (progress, stop) = (context.progress(), context.stop_on_interrupt()?);
    let tree = game_tree(amazons, most, memory, &progress, &stop).or_usage()?;
    drop(progress);
    let report = Report::of(position, &tree);
    report.print(context)?;
    match tree.end {
        TreeEnd::Whole | TreeEnd::Asked => Ok(()),
        TreeEnd::Memory => Err(Failure::limit(format!(
            "the positions of ply {} do not fit {memory} bytes; --samples estimates them",
            tree.plies.len()
        ))),
        TreeEnd::Stopped => {
            Err(Failure::limit(format!("stopped while counting ply {}", tree.plies.len())))
        }
    }
}

fn estimate(
    position: &AnyPosition,
    sample: Sample,
    most: usize,
    context: &Context,
) -> Result<(), Failure> {
    // Each move burns a square or closes a side of one, which has two that are its own.
    let longest = (2 * position.board().squares()).min(most);
    context.set_aside("sums of random games", Sample::memory(longest))?;
    let (progress, stop) = (context.progress(), context.stop_on_interrupt()?);
    let found = position.estimate(sample, most, &progress, &stop);
    drop(progress);
    let found = found.ok_or_else(|| Failure::limit("stopped before all games were played"))?;
    let finite = found.plies.iter().take_while(|ply| ply.sequences.is_finite()).count();
    if finite < found.plies.len() || !found.games.is_finite() {
        return Err(Failure::limit(format!(
            "there are more sequences of moves than 1.8e308, the largest number here; --plies {} \
             estimates them as far as they are fewer",
            finite.min(found.plies.len() - 1).saturating_sub(1)
        )));
    }
    let Estimate { mean: games, error: games_error } = found.games;
    let report = EstimateReport {
        position: position.fen(),
        rules: position.rules().other_than_amazons().map(|rules| rules.to_string()),
        samples: sample.games,
        seed: sample.seed,
        plies: found.plies.iter().enumerate().map(PlyEstimateReport::of).collect(),
        whole: found.whole,
        games,
        games_error,
    };
    report.print(context)
}

impl Report {
    fn of(position: &AnyPosition, tree: &GameTree) -> Self {
        let sum = |of: fn(&Ply) -> u128| tree.plies.iter().map(of).sum::<u128>();
        let games = sum(|ply| ply.games);
        let whole = tree.end == TreeEnd::Whole;
        let lengths = tree.plies.iter().enumerate().map(|(ply, of)| ply as f64 * of.games as f64);
        let inner = sum(|ply| ply.sequences) - games;
        let ratio = |part: f64, all: u128| (whole && all > 0).then(|| part / all as f64);
        Self {
            position: position.fen(),
            rules: position.rules().other_than_amazons().map(|rules| rules.to_string()),
            mean_length: ratio(lengths.sum(), games),
            mean_branching: ratio(sum(|ply| ply.sequences) as f64 - 1.0, inner),
            plies: tree.plies.iter().enumerate().map(PlyReport::of).collect(),
            whole,
            games,
        }
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        context.print(format_args!(
            "{:>3} {:>14} {:>14} {:>12} {:>14} {:>26} {:>26} {:>14}",
            "ply",
            "positions",
            "up to symmetry",
            "without move",
            "moves/position",
            "sequences",
            "games",
            "moves/sequence"
        ))?;
        let mut next = self.plies.iter().skip(1);
        for ply in &self.plies {
            let after = next.next().map(|next| next.sequences as f64);
            context.print(ply.line(after).trim_end())?;
        }
        if self.whole {
            let games = if self.games == 1 { "game" } else { "games" };
            let power = (self.games as f64).log10();
            context.print(format_args!("{} {games}, 10^{power:.2}", self.games))?;
        }
        let Some((length, branching)) = self.mean_length.zip(self.mean_branching) else {
            return Ok(());
        };
        context.print(format_args!(
            "a game has {length:.2} moves on the average, a place of the tree where it goes on \
             {branching:.2}"
        ))
    }
}

impl PlyReport {
    fn of((ply, of): (usize, &Ply)) -> Self {
        let Ply { positions, classes, moves, ended, sequences, games } = *of;
        Self { ply, positions, canonical_positions: classes, moves, ended, sequences, games }
    }

    /// The line of a ply, by the sequences of the next.
    fn line(&self, after: Option<f64>) -> String {
        let going_on = (self.positions - self.ended) as f64;
        let by_position = match self.moves {
            0 => String::new(),
            moves => format!("{:.2}", moves as f64 / going_on),
        };
        let inner = (self.sequences - self.games) as f64;
        let by_sequence = after.map(|after| format!("{:.2}", after / inner)).unwrap_or_default();
        format!(
            "{:>3} {:>14} {:>14} {:>12} {by_position:>14} {:>26} {:>26} {by_sequence:>14}",
            self.ply,
            self.positions,
            self.canonical_positions,
            self.ended,
            self.sequences,
            self.games
        )
    }
}

impl EstimateReport {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        context.print(format_args!(
            "{:>3} {:>10} {:>20} {:>20} {:>14}",
            "ply", "reached", "sequences", "games", "moves/position"
        ))?;
        let about = |mean: f64, error: f64| match mean {
            0.0 => "0".to_string(),
            _ => format!("{mean:.4e} +- {:.1}%", 100.0 * error / mean),
        };
        for ply in &self.plies {
            let line = format!(
                "{:>3} {:>10} {:>20} {:>20} {:>14.2}",
                ply.ply,
                ply.reached,
                about(ply.sequences, ply.sequences_error),
                about(ply.games, ply.games_error),
                ply.branching
            );
            context.print(line)?;
        }
        let which = match self.whole {
            true => String::new(),
            false => format!(" of at most {}", Counted(self.plies.len() - 1, "move")),
        };
        context.print(format_args!(
            "about {} games{which}, by {} random ones",
            about(self.games, self.games_error),
            self.samples
        ))
    }
}

impl PlyEstimateReport {
    fn of((ply, of): (usize, &PlyEstimate)) -> Self {
        Self {
            ply,
            sequences: of.sequences.mean,
            sequences_error: of.sequences.error,
            games: of.games.mean,
            games_error: of.games.error,
            reached: of.reached,
            branching: of.branching,
        }
    }
}
