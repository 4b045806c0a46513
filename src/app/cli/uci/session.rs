//! The engine: reads commands on one thread while another searches.

use std::io::BufRead;
use std::sync::Arc;
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::command::{Command, Go, excerpt, parse};
use super::options::{Change, Options};
use crate::app::cli::batch::line::Line;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::board::{Board, Word};
use crate::game::notation::{Symbols, diagram, fen, parse_fen, play_text, square_text};
use crate::game::perft::divide;
use crate::game::rules::{self, Colour, IndexedMove, Position, Rules};
use crate::knowledge::Knowledge;
use crate::machine::progress::StopFlag;
use crate::play::{Engine, Iteration, Limits, Score};

/// An engine at work.
pub(super) struct Session<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    context: &'env Context,
    knowledge: Arc<Knowledge>,
    options: Options,
    position: Position,
    /// `None` until it is needed, and while it searches.
    player: Option<Engine>,
    running: Option<Running<'scope>>,
}

/// A search on its thread. The thread gives the player back.
struct Running<'scope> {
    stop: StopFlag,
    endless: bool,
    thread: ScopedJoinHandle<'scope, Result<Option<Engine>, Failure>>,
}

/// How soon a search that is done, but must not answer yet, sees that it is stopped.
const TICK: Duration = Duration::from_millis(2);
/// The classical board.
const START: &str = "10x10";

impl<'scope, 'env> Session<'scope, 'env> {
    pub(super) fn new(
        scope: &'scope Scope<'scope, 'env>,
        context: &'env Context,
        knowledge: Arc<Knowledge>,
    ) -> Result<Self, Failure> {
        let options = Options::new(context.threads(), context.engine_memory()?);
        let position = start()?;
        Ok(Self { scope, context, knowledge, options, position, player: None, running: None })
    }

    /// Obeys until `quit` or the end of the input. A search that ends by itself is waited for.
    pub(super) fn run(mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        let mut line = Line::default();
        let outcome = loop {
            match line.read(input) {
                Ok(false) => break Ok(()),
                Ok(true) => {}
                Err(failure) => break Err(failure),
            }
            let command = line.text().map_err(|error| error.to_string()).and_then(parse);
            if command == Ok(Command::Quit) {
                self.stop();
                break Ok(());
            }
            match command.and_then(|command| self.refuse_while_endless(command)) {
                Err(error) => self.complain(&error)?,
                Ok(command) => match self.obey(command) {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => self.complain(&error)?,
                    Err(failure) => break Err(failure),
                },
            }
        };
        if let Some(running) =
            self.running.as_ref().filter(|running| running.endless || outcome.is_err())
        {
            running.stop.stop();
        }
        let last = self.join();
        outcome.and(last)
    }

    fn complain(&self, error: &str) -> Result<(), Failure> {
        self.context.print(format_args!("info string error: {error}"))
    }

    /// An endless search has to be stopped before anything else is asked for; one that ends by
    /// itself is waited for.
    fn refuse_while_endless(&self, command: Command) -> Result<Command, String> {
        let endless = self.running.as_ref().is_some_and(|running| running.endless);
        match command {
            Command::SetOption { .. }
            | Command::Bitboards { .. }
            | Command::Go(_)
            | Command::NewGame
                if endless =>
            {
                Err("a search without limits is running; send stop first".to_string())
            }
            command => Ok(command),
        }
    }

    /// The outer error ends the program, the inner one is told.
    fn obey(&mut self, command: Command) -> Result<Result<(), String>, Failure> {
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Uci => {
                self.context
                    .print(format_args!("id name amazons {}", env!("CARGO_PKG_VERSION")))?;
                self.context.print(format_args!("id author {}", env!("CARGO_PKG_NAME")))?;
                for line in self.options.lines() {
                    self.context.print(line)?;
                }
                self.context.print("uciok")?;
            }
            Command::IsReady => self.context.print("readyok")?,
            Command::Stop => {
                self.stop();
                self.join()?;
            }
            Command::Show => {
                let text = diagram(&self.position, Symbols::Ascii);
                self.context.print(format_args!("{text}Fen: {}", fen(&self.position)))?;
            }
            Command::NewGame => {
                self.join()?;
                self.player.iter_mut().for_each(Engine::forget);
            }
            Command::SetOption { name, value } => {
                self.join()?;
                match self.options.set(&name, &value) {
                    Ok(Change::Engine) => self.player = None,
                    Ok(Change::Forget) => self.player.iter_mut().for_each(Engine::forget),
                    Ok(Change::Nothing) => {}
                    Err(error) => return Ok(Err(error)),
                }
            }
            Command::Bitboards { fen, moves } => match position(fen.as_deref(), &moves) {
                Ok(position) => self.position = position,
                Err(error) => return Ok(Err(error)),
            },
            Command::Go(go) => {
                self.join()?;
                return self.go(&go);
            }
        }
        Ok(Ok(()))
    }

    fn stop(&self) {
        if let Some(running) = &self.running {
            running.stop.stop();
        }
    }

    /// Waits for the search and takes the player back.
    fn join(&mut self) -> Result<(), Failure> {
        if let Some(running) = self.running.take() {
            let joined = running.thread.join();
            self.player = joined.map_err(|_| Failure::failed("the search broke down"))??;
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<Result<(), String>, Failure> {
        let (stop, context, position) = (StopFlag::new(), self.context, self.position);
        let flag = stop.clone();
        if let Some(depth) = go.perft {
            let player = self.player.take();
            let thread =
                self.scope.spawn(move || perft(&position, depth, &flag, context).map(|()| player));
            self.running = Some(Running { stop, endless: false, thread });
            return Ok(Ok(()));
        }
        let limits = self.limits(go);
        let endless = go.infinite || limits == Limits::default();
        let limits =
            if go.infinite { Limits { time: None, enough: None, ..limits } } else { limits };
        let player = match self.player.take().filter(|player| player.board() == position.board()) {
            Some(player) => player,
            None => match Engine::new(position.board(), self.options.settings()) {
                Ok(player) => player.with_known(self.knowledge.clone()),
                Err(error) => return Ok(Err(error.to_string())),
            },
        };
        let thread = self
            .scope
            .spawn(move || search(player, &position, &limits, endless, &flag, context).map(Some));
        self.running = Some(Running { stop, endless, thread });
        Ok(Ok(()))
    }

    fn limits(&self, go: &Go) -> Limits {
        let side = usize::from(self.position.turn() == Colour::Black);
        let setup = self.position.setup();
        let taken = (setup.white | setup.black | setup.arrows).len();
        let clock = go
            .clock(side)
            .map(|clock| Limits::clock(clock, self.position.board().squares() - taken));
        let clock = clock.unwrap_or_default();
        // Zero milliseconds are answered as fast as possible.
        let movetime = go.movetime.map(|time| time.max(Duration::from_millis(1)));
        let time = movetime.into_iter().chain(clock.time).min();
        Limits { time, enough: clock.enough, nodes: go.nodes, depth: go.depth }
    }
}

/// The start position of 10x10.
fn start() -> Result<Position, Failure> {
    let board: Board = START.parse().or_failed()?;
    rules::start(board).or_failed()
}

/// The position that a `position` command describes; nothing else changes if there is none.
fn position(text: Option<&str>, moves: &[String]) -> Result<Position, String> {
    let mut position = match text {
        Some(text) => parse_fen(text).map_err(|error| error.to_string())?,
        None => start().map_err(|_| format!("{START} has no start position"))?,
    };
    for (at, text) in moves.iter().enumerate() {
        let played = play_text(&position, text);
        (_, position) =
            played.map_err(|error| format!("move {} ({}): {error}", at + 1, excerpt(text)))?;
    }
    Ok(position)
}

/// `d1d7,d7g7`.
fn uci_move(board: Board, played: IndexedMove) -> String {
    let [from, to, arrow] =
        [played.from, played.to, played.arrow].map(|square| square_text(board, square));
    format!("{from}{to},{to}{arrow}")
}

/// Searches and answers; an endless search answers when it is stopped.
fn search(
    mut player: Engine,
    position: &Position,
    limits: &Limits,
    endless: bool,
    stop: &StopFlag,
    context: &Context,
) -> Result<Engine, Failure> {
    let board = position.board();
    let began = Instant::now();
    let mut failure = None;
    let decision = player.choose(position, limits, stop, &mut |report| {
        if let Err(error) = context.print(info(board, report)) {
            failure.get_or_insert(error);
            stop.stop();
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let played = match &decision {
        Ok(decision) => {
            if let Some(line) = decision
                .lines
                .first()
                .filter(|line| line.depth == 0 || line.score != decision.score)
            {
                let line = crate::play::Line { score: decision.score, ..line.clone() };
                let (nodes, elapsed) = (decision.nodes, began.elapsed());
                context
                    .print(info(board, &Iteration { rank: 0, line, nodes, elapsed, full: 0 }))?;
            }
            context.print(format_args!(
                "info string by {}: {}",
                decision.source.word(),
                decision.score
            ))?;
            decision.played
        }
        Err(error) => {
            context.print(format_args!("info string error: {error}"))?;
            None
        }
    };
    while endless && !stop.is_set() {
        std::thread::park_timeout(TICK);
    }
    let text = played.map_or("(none)".to_string(), |played| uci_move(board, played));
    context.print(format_args!("bestmove {text}"))?;
    Ok(player)
}

/// The line of a report.
fn info(board: Board, report: &Iteration) -> String {
    let Iteration { rank, line, nodes, elapsed, full } = report;
    let moves: Vec<String> = line.moves.iter().map(|&played| uci_move(board, played)).collect();
    let milliseconds = elapsed.as_millis();
    let rate = (*nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    format!(
        "info depth {} multipv {} score {} nodes {nodes} nps {rate} hashfull {full} time {milliseconds} pv {}",
        line.depth,
        rank + 1,
        points(line.score),
        moves.join(" ")
    )
}

/// A square is 100 centipawns. A proven end is 20,000, as the length of the proof is not known.
fn points(score: Score) -> String {
    format!("cp {}", score.hundredths())
}

/// Counts move sequences, first move by first move.
fn perft(
    position: &Position,
    depth: u32,
    stop: &StopFlag,
    context: &Context,
) -> Result<(), Failure> {
    if position.board().fits::<u64>() {
        count::<u64>(position, depth, stop, context)
    } else {
        count::<u128>(position, depth, stop, context)
    }
}

fn count<W: Word>(
    coloured: &Position,
    depth: u32,
    stop: &StopFlag,
    context: &Context,
) -> Result<(), Failure> {
    let board = coloured.board();
    let rules = Rules::<W>::new(board).or_failed()?;
    let position = coloured.bitboards().ok_or_else(|| Failure::failed("the board is too large"))?;
    let counts = divide(&rules, &position, depth, stop, &());
    let Some(counts) = counts else {
        return context.print("info string stopped before all moves were counted");
    };
    for &(played, nodes) in &counts {
        context.print(format_args!("{}: {nodes}", uci_move(board, played)))?;
    }
    let nodes: u64 = counts.iter().map(|(_, nodes)| nodes).sum();
    context.print(format_args!("\nNodes searched: {nodes}\n"))
}
