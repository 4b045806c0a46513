//! `amazons match`: two settings of the player against each other.

use std::time::Instant;

use serde::{Serialize, Serializer};

use super::arguments::engine::ConfigText;
use super::context::{Context, Failure, OrFail};
use super::context::{ENGINE_BYTES, THREAD_BYTES};
use crate::app::counted::Counted;
use crate::app::input;
use crate::game::notation::fen;
use crate::game::rules::Position;
use crate::play::{Game, Match, MatchOpenings, Settings, Tally};

/// Play two settings of the player against each other and count the games
///
/// Settings are written key=value, joined by commas:
///   time=100ms    time for each move
///   nodes=2000    positions evaluated for each move: with these, and one thread, the same match
///                 has the same games
///   depth=3       moves looked ahead
///   width=20      look at the best 20 moves of each position only; 0 for all [default: 0]
///   eval=full     mobility, distance or full [default: full]
///   endgame=proof off, bounds or proof [default: proof]
///   reductions=on look at late moves less deep at first: on or off [default: on]
///   threads=1     threads of one player [default: 1]
///   hash=16MiB    memory of one player, 0B for none [default: 16MiB]
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Settings of the first player
    #[arg(long, value_name = "SETTINGS")]
    first: ConfigText,

    /// Settings of the second player
    #[arg(long, value_name = "SETTINGS")]
    second: ConfigText,

    /// Number of games; each opening is played twice, with sides swapped
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = input::number::<u64>(1..=1_000_000))]
    games: u64,

    /// A board (its start position) or a FEN, where the openings start
    #[arg(long, value_name = "POSITION", default_value = "6x6", value_parser = input::position)]
    board: Position,

    /// Random moves of an opening
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = input::number::<u32>(0..=40))]
    opening_moves: u32,

    /// The same seed gives the same openings
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = input::number::<u64>(0..=u64::MAX))]
    seed: u64,

    /// Print every game too
    #[arg(long)]
    all_games: bool,
}

#[derive(Serialize)]
struct GameReport {
    game: u64,
    opening: String,
    first: String,
    winner: String,
    first_won: bool,
    moves: u32,
}

#[derive(Serialize)]
struct Report {
    board: String,
    games: u64,
    wins: u64,
    losses: u64,
    score: f64,
    score_low: f64,
    score_high: f64,
    #[serde(serialize_with = "tenths")]
    elo: f64,
    #[serde(serialize_with = "tenths")]
    elo_low: f64,
    #[serde(serialize_with = "tenths")]
    elo_high: f64,
    seed: u64,
    seconds: f64,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let engines = [args.first.0, args.second.0];
    refuse_memory(args, context)?;
    let openings =
        MatchOpenings { moves: args.opening_moves, seed: args.seed, ..MatchOpenings::default() };
    let matched = Match { engines, start: args.board, openings, games: args.games };
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    let games = matched.play(&stop, &progress).or_failed()?;
    drop(progress);
    if args.all_games {
        for game in &games {
            GameReport::of(game).print(context)?;
        }
    }
    Report::of(args, Tally::of(&games), began).print(context)?;
    if stop.is_set() {
        let (played, all) = (games.len(), args.games);
        return Err(Failure::limit(format!(
            "the match was interrupted after {played} of {}",
            Counted(all, "game")
        )));
    }
    Ok(())
}

/// The players of all games that are played at a time must fit the memory.
fn refuse_memory(args: &Args, context: &Context) -> Result<(), Failure> {
    let player = |config: &ConfigText| {
        let Settings { memory, threads, .. } = config.0.settings;
        // The thread that plays the game is counted already.
        let further = threads.saturating_sub(1) as u64;
        (memory as u64).saturating_add(ENGINE_BYTES + further * THREAD_BYTES)
    };
    let have = context.left("a match", 1 << 20)?;
    let pair = player(&args.first).saturating_add(player(&args.second));
    let need = pair.saturating_mul(context.threads() as u64);
    if need <= have {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{} at a time: {need} bytes are needed, {have} may be used: give a smaller hash, fewer \
         threads to a player or fewer --threads",
        Counted(context.threads(), "game")
    )))
}

impl GameReport {
    fn of(game: &Game) -> Self {
        Self {
            game: game.number + 1,
            opening: fen(&game.opening),
            first: game.first.to_string(),
            winner: game.winner.to_string(),
            first_won: game.first_won(),
            moves: game.moves,
        }
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Self { game, opening, first, winner, moves, .. } = self;
        context.print(format_args!(
            "game {game}: first is {first}, {winner} wins after {}; {opening}",
            Counted(*moves, "move")
        ))
    }
}

impl Report {
    fn of(args: &Args, tally: Tally, began: Instant) -> Self {
        let (score_low, score_high) = tally.interval();
        let (elo, elo_low, elo_high) = tally.elo();
        Self {
            board: args.board.board().to_string(),
            games: tally.games(),
            wins: tally.wins,
            losses: tally.losses,
            score: tally.score(),
            score_low,
            score_high,
            elo,
            elo_low,
            elo_high,
            seed: args.seed,
            seconds: began.elapsed().as_secs_f64(),
        }
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let percent = |share: f64| 100.0 * share;
        context.print(format_args!(
            "first: {}, {} of {}, {:.1} % [{:.1}, {:.1}]",
            Counted(self.wins, "win"),
            Counted(self.losses, "loss"),
            Counted(self.games, "game"),
            percent(self.score),
            percent(self.score_low),
            percent(self.score_high)
        ))?;
        let Self { elo, elo_low, elo_high, seconds, .. } = self;
        context
            .print(format_args!("Elo {elo:+.0} [{elo_low:+.0}, {elo_high:+.0}], 95 % interval"))?;
        context.remark(format_args!("{seconds:.1} s"));
        Ok(())
    }
}

/// To a tenth; JSON has no infinity: `null`.
fn tenths<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    number.is_finite().then_some((number * 10.0).round() / 10.0).serialize(serializer)
}
