//! `amazons play`: a game in the terminal, against the program or another human.

mod amazons_chooser;
mod chooser;
mod command;
mod saving;
mod session;
mod side;
mod variant_chooser;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::arguments::position::PositionArgs;
use super::arguments::rules::{RulesArgs, for_amazons_only};
use super::files::{output, overwriting};
use super::sources::known::{knowledge, knowledge_by};
use super::{Context, Failure, OrFail, input};
use crate::game::AnyPosition;
use crate::game::rules::Position;
use crate::game::variants::RuleSet;
use crate::play::{Engine, Known as _, Limits, Settings};
use amazons_chooser::AmazonsChooser;
use chooser::Chooser;
use saving::Saving;
use session::Session;
use side::Side;
use variant_chooser::VariantChooser;

/// Play POSITION against the program
///
/// Moves are read from standard input, in any form (b1-b3/d3, b1-b3,d3, b1b3d3, b1b3,b3d3), one a
/// line; so are the words undo, hint, moves, fen, show, help and quit. An error does not end the
/// game. Inside solved tables, and where a proof can be found in time, the program plays perfectly.
/// Under other rules than those of Amazons it judges by mobility; there a move is that of one
/// amazon, and those of a turn may be joined by +.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Tables, opening tables, certificates, and directories of files of the latter two: the program
    /// plays perfectly where one knows the position. With --rules tables by these rules alone
    #[arg(long, value_name = "DIR | FILE", num_args = 1..)]
    tables: Vec<PathBuf>,

    /// The side you play: both, or none to watch the program
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,

    /// Time of the program for each move [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = input::duration)]
    move_time: Option<Duration>,

    /// Positions evaluated by the program for each move; with --threads 1 its moves are the same
    /// every time
    #[arg(long, value_name = "N", value_parser = input::number::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Moves the program looks ahead
    #[arg(long, value_name = "N", value_parser = input::number::<u32>(1..=100))]
    depth: Option<u32>,

    /// Look at the best N moves of each position only; 0 for all
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = input::number::<usize>(0..=u64::MAX))]
    width: usize,

    /// Write the game to FILE as SGF after each move and when it ends
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Strength from 1, which hardly looks ahead, to 8, which uses all its time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = input::number::<u8>(1..=8))]
    level: u8,
}

/// The time of a move, if nothing is said.
const MOVE_TIME: Duration = Duration::from_secs(5);
/// Memory of the player, if there is as much.
const MEMORY: u64 = 256 << 20;
/// Positions evaluated by the lower levels.
const LEVELS: [u64; 7] = [10, 100, 400, 1_500, 6_000, 25_000, 100_000];

impl Args {
    /// Whether the program plays by what is known: by files that are given, and at the highest
    /// level by whatever it knows.
    fn plays_what_is_known(&self) -> bool {
        !self.tables.is_empty() || usize::from(self.level) > LEVELS.len()
    }

    fn limits(&self) -> Limits {
        let level = LEVELS.get(usize::from(self.level) - 1).copied();
        let nodes = self.nodes.into_iter().chain(level).min();
        let limited = nodes.is_some() || self.depth.is_some();
        let time = self.move_time.or((!limited).then_some(MOVE_TIME));
        Limits { time, nodes, depth: self.depth, enough: None }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if args.move_time == Some(Duration::ZERO) {
        return Err(Failure::usage("--move-time is zero: give a duration such as 5s"));
    }
    if let Some(rules) = args.rules.variant() {
        return play_variant(args, rules, context);
    }
    overwriting::refuse(&args.tables, &args.save)?;
    let position = args.position.read()?.position;
    let chooser = amazons_chooser(args, &position, context)?;
    if let Some(file) = &args.save {
        output::writable(file)?;
    }
    let saving = args.save.as_deref().map(|file| Saving::new(file, position));
    play(AnyPosition::Amazons(position), chooser, saving, args, context)
}

/// The engine of Amazons, with what is known.
fn amazons_chooser(
    args: &Args,
    start: &Position,
    context: &Context,
) -> Result<AmazonsChooser, Failure> {
    let knowledge = knowledge(&args.tables, context)?;
    let settings = Settings {
        threads: context.threads(),
        width: args.width,
        memory: context.engine_memory()?.min(MEMORY) as usize,
        ..Settings::default()
    };
    let mut engine = Engine::new(start.board(), settings).or_failed()?;
    if args.plays_what_is_known() {
        // What is made when it is first asked is not made in the time of a move. What is wrong with
        // it is told then.
        let _ = knowledge.looked_up(start);
        engine = engine.with_known(Arc::new(knowledge));
    }
    Ok(AmazonsChooser::new(engine, args.limits()))
}

/// A game by other rules than those of Amazons.
fn play_variant(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    if args.width > 0 {
        return Err(for_amazons_only("--width", rules));
    }
    if args.save.is_some() {
        return Err(for_amazons_only("--save", rules));
    }
    let position = args.position.read_by(Some(rules))?;
    let knowledge = knowledge_by(rules, &args.tables, context)?;
    let memory = context.engine_memory()?.min(MEMORY);
    let board = position.board();
    let mut chooser = VariantChooser::new(board, rules, memory, args.limits()).or_failed()?;
    if args.plays_what_is_known() {
        chooser = chooser.with_known(knowledge);
    }
    play(position, chooser, None, args, context)
}

fn play(
    position: AnyPosition,
    chooser: impl Chooser,
    saving: Option<Saving<'_>>,
    args: &Args,
    context: &Context,
) -> Result<(), Failure> {
    let prompts = io::stdin().is_terminal() && io::stdout().is_terminal();
    let session = Session::new(position, args.side, chooser, saving, prompts, context);
    session.run(&mut io::stdin().lock())
}
