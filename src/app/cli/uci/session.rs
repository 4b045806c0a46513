//! The engine: obeys commands while another thread searches.
//!
//! A command that needs the search to be over waits for it in a queue, and so does what stands
//! behind it and is about the game. So `stop`, `quit`, `isready` and the end of the input are heard
//! at once, whatever stands before them.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use super::command::{Command, Described, Go, parse};
use super::event::{Event, MOST_EVENTS, send_lines};
use super::options::{Change, Options};
use crate::app::cli::batch::line::LineError;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::game::board::{Board, Word, in_word};
use crate::game::excerpt::excerpt;
use crate::game::notation::{Symbols, diagram, fen, parse_fen, play_text, square_text};
use crate::game::perft::divide;
use crate::game::rules::{self, Colour, IndexedMove, Position, Rules};
use crate::knowledge::Knowledge;
use crate::machine::progress::StopFlag;
use crate::play::{Decision, Engine, Iteration, Known as _, Limits, Line, Score};

/// An engine at work.
pub(super) struct Session<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    context: &'env Context,
    knowledge: Arc<Knowledge>,
    options: Options,
    /// `None` after a `position` that was refused: there is none to search then.
    position: Option<Position>,
    /// `None` until it is needed, and while it searches.
    player: Option<Engine>,
    running: Option<Running<'scope>>,
    /// What is to be obeyed when the search is over, in order.
    waiting: VecDeque<Command>,
    events: Receiver<Event>,
    /// Where searches say that they are done.
    sender: SyncSender<Event>,
}

/// A search on its thread. The thread gives the player back.
struct Running<'scope> {
    stop: StopFlag,
    endless: bool,
    done: Arc<AtomicBool>,
    thread: ScopedJoinHandle<'scope, Result<Option<Engine>, Failure>>,
}

/// Says that a search is done when it is dropped, however the search ends.
struct Done {
    done: Arc<AtomicBool>,
    sender: SyncSender<Event>,
}

impl Drop for Done {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
        // If there is no room, the session wakes for what is there, and looks then.
        let _ = self.sender.try_send(Event::Search);
    }
}

/// Whether the session goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    GoOn,
    Quit,
}

/// How soon a search that is done, but must not answer yet, sees that it is stopped.
const TICK: Duration = Duration::from_millis(2);
/// The classical board.
const START: &str = "10x10";
/// Commands that may wait for the end of a search.
const MOST_WAITING: usize = 1000;

impl<'scope, 'env> Session<'scope, 'env> {
    pub(super) fn new(
        scope: &'scope Scope<'scope, 'env>,
        context: &'env Context,
        knowledge: Arc<Knowledge>,
    ) -> Result<Self, Failure> {
        let options = Options::new(context.threads(), context.engine_memory()?);
        let (sender, events) = sync_channel(MOST_EVENTS);
        Ok(Self {
            scope,
            context,
            knowledge,
            options,
            position: Some(start()?),
            player: None,
            running: None,
            waiting: VecDeque::new(),
            events,
            sender,
        })
    }

    /// Obeys until `quit` or the end of the input, which ends what is being searched.
    pub(super) fn run(mut self, input: impl BufRead + Send + 'static) -> Result<(), Failure> {
        send_lines(input, self.sender.clone());
        let outcome = self.obey_all();
        // A failure leaves a search behind, which is not to be waited for.
        self.waiting.clear();
        let last = self.end_searches();
        outcome.and(last)
    }

    fn obey_all(&mut self) -> Result<(), Failure> {
        loop {
            // There is always a sender: this session has one.
            let Ok(event) = self.events.recv() else { return Ok(()) };
            match event {
                Event::Line(line) => {
                    if self.hear(line)? == Then::Quit {
                        self.waiting.clear();
                        return Ok(());
                    }
                }
                Event::End(Ok(())) => return self.end_searches(),
                Event::End(Err(failure)) => return Err(failure),
                Event::Search => {}
            }
            if self.running.as_ref().is_some_and(|running| running.done.load(Ordering::SeqCst)) {
                self.join()?;
            }
            self.go_on()?;
        }
    }

    /// Obeys a line, or has it wait.
    fn hear(&mut self, line: Result<String, LineError>) -> Result<Then, Failure> {
        let command = match line {
            Ok(text) => parse(&text),
            Err(error) => Err(error.to_string()),
        };
        match command {
            Err(error) => self.complain(&error)?,
            Ok(Command::Quit) => return Ok(Then::Quit),
            Ok(Command::Stop) => self.end_searches()?,
            Ok(command) => match self.refusal(&command) {
                Some(error) => {
                    if matches!(command, Command::Position(_)) {
                        self.position = None;
                    }
                    self.complain(&error)?;
                }
                None if self.must_wait(&command) => self.waiting.push_back(command),
                None => self.obey(command)?,
            },
        }
        Ok(Then::GoOn)
    }

    /// Obeys what has waited, up to what has to wait on.
    fn go_on(&mut self) -> Result<(), Failure> {
        while self.waiting.front().is_some_and(|next| !self.is_held_up(next)) {
            let Some(next) = self.waiting.pop_front() else { break };
            self.obey(next)?;
        }
        Ok(())
    }

    /// Ends the search, and those that wait: each answers with what it has found at once.
    fn end_searches(&mut self) -> Result<(), Failure> {
        loop {
            self.stop();
            self.join()?;
            let Some(next) = self.waiting.pop_front() else { return Ok(()) };
            self.obey(next)?;
        }
    }

    fn complain(&self, error: &str) -> Result<(), Failure> {
        self.context.print(format_args!("info string error: {error}"))
    }

    /// Why a command is refused: a search without limits has to be stopped before anything else is
    /// asked for, and only so much may wait for another.
    fn refusal(&self, command: &Command) -> Option<String> {
        let endless = self.running.as_ref().is_some_and(|running| running.endless);
        if endless && command.is_about_the_game() && *command != Command::Show {
            return Some("a search without limits is running; send stop first".to_string());
        }
        let full = self.waiting.len() >= MOST_WAITING && self.must_wait(command);
        full.then(|| format!("{MOST_WAITING} commands wait for the search; send stop first"))
    }

    /// Whether a command stands behind others, or needs a search to be over that is not.
    fn must_wait(&self, command: &Command) -> bool {
        command.is_about_the_game() && (!self.waiting.is_empty() || self.is_held_up(command))
    }

    /// Whether a command needs a search to be over that is not.
    fn is_held_up(&self, command: &Command) -> bool {
        self.running.is_some() && command.needs_the_player()
    }

    /// Obeys a command for which no search is in the way.
    ///
    /// # Errors
    /// What ends the program; what is wrong with the command is told.
    fn obey(&mut self, command: Command) -> Result<(), Failure> {
        match command {
            Command::Nothing | Command::Quit | Command::Stop => Ok(()),
            Command::Uci => self.introduce(),
            Command::IsReady => self.context.print("readyok"),
            Command::Show => match self.position {
                Some(position) => {
                    let text = diagram(&position, Symbols::Ascii);
                    self.context.print(format_args!("{text}Fen: {}", fen(&position)))
                }
                None => self.complain(NO_POSITION),
            },
            Command::NewGame => {
                self.player.iter_mut().for_each(Engine::forget);
                Ok(())
            }
            Command::SetOption { name, value } => {
                match self.options.set(&name, &value) {
                    Ok(Change::Engine) => self.player = None,
                    Ok(Change::Forget) => self.player.iter_mut().for_each(Engine::forget),
                    Ok(Change::Nothing) => {}
                    Err(error) => self.complain(&error)?,
                }
                Ok(())
            }
            Command::Position(described) => {
                let found = described.and_then(|described| described.position());
                self.position = found.as_ref().ok().copied();
                let position = match found {
                    Ok(position) => position,
                    Err(error) => return self.complain(&error),
                };
                // What is made when it is first asked is not made in the time of a move. What is
                // wrong with it is told then.
                let _ = self.knowledge.looked_up(&position);
                Ok(())
            }
            Command::Go(go) => match self.position {
                Some(position) => match self.go(position, &go) {
                    Ok(()) => Ok(()),
                    Err(error) => self.complain(&error),
                },
                None => self.complain(NO_POSITION),
            },
        }
    }

    fn introduce(&self) -> Result<(), Failure> {
        self.context.print(format_args!("id name amazons {}", env!("CARGO_PKG_VERSION")))?;
        self.context.print(format_args!("id author {}", env!("CARGO_PKG_NAME")))?;
        for line in self.options.lines() {
            self.context.print(line)?;
        }
        self.context.print("uciok")
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

    /// Searches on a thread, which says when it is done.
    fn start(
        &mut self,
        endless: bool,
        stop: StopFlag,
        search: impl FnOnce() -> Result<Option<Engine>, Failure> + Send + 'scope,
    ) {
        let done = Arc::new(AtomicBool::new(false));
        let at_the_end = Done { done: Arc::clone(&done), sender: self.sender.clone() };
        let thread = self.scope.spawn(move || {
            let _at_the_end = at_the_end;
            search()
        });
        self.running = Some(Running { stop, endless, done, thread });
    }

    /// Begins a search.
    ///
    /// # Errors
    /// If there is no player for the board.
    fn go(&mut self, position: Position, go: &Go) -> Result<(), String> {
        let (stop, context) = (StopFlag::new(), self.context);
        let flag = stop.clone();
        if let Some(depth) = go.perft {
            let player = self.player.take();
            let count = move || perft(&position, depth, &flag, context).map(|()| player);
            self.start(false, stop, count);
            return Ok(());
        }
        let limits = limits(&position, go);
        let endless = go.infinite || limits == Limits::default();
        let limits =
            if go.infinite { Limits { time: None, enough: None, ..limits } } else { limits };
        let player = match self.player.take().filter(|player| player.board() == position.board()) {
            Some(player) => player,
            None => {
                let player = Engine::new(position.board(), self.options.settings());
                player.map_err(|error| error.to_string())?.with_known(self.knowledge.clone())
            }
        };
        self.start(endless, stop, move || {
            search(player, &position, &limits, endless, &flag, context).map(Some)
        });
        Ok(())
    }
}

/// What a search may take.
fn limits(position: &Position, go: &Go) -> Limits {
    let side = usize::from(position.turn() == Colour::Black);
    let clock = go.clock(side).map(|clock| Limits::clock(clock, position.empty_squares()));
    let clock = clock.unwrap_or_default();
    // Zero milliseconds are answered as fast as possible.
    let movetime = go.movetime.map(|time| time.max(Duration::from_millis(1)));
    let time = movetime.into_iter().chain(clock.time).min();
    Limits { time, enough: clock.enough, nodes: go.nodes, depth: go.depth }
}

/// What is said where a position is needed.
const NO_POSITION: &str = "there is no position: the last one was refused";

/// The start position of 10x10.
fn start() -> Result<Position, Failure> {
    let board: Board = START.parse().or_failed()?;
    rules::start(board).or_failed()
}

impl Described {
    /// The position that is described.
    ///
    /// # Errors
    /// What is wrong with it, or with a move.
    fn position(&self) -> Result<Position, String> {
        let mut position = match &self.fen {
            Some(text) => parse_fen(text).map_err(|error| error.to_string())?,
            None => start().map_err(|_| format!("{START} has no start position"))?,
        };
        for (at, text) in self.moves.iter().enumerate() {
            let played = play_text(&position, text);
            (_, position) =
                played.map_err(|error| format!("move {} {}: {error}", at + 1, excerpt(text)))?;
        }
        Ok(position)
    }
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
            for report in unreported(decision, began.elapsed()) {
                context.print(info(board, &report))?;
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

/// The lines of a decision that no iteration of a search has reported: those of moves whose value
/// is known, and the first where a proof says more than the search.
fn unreported(decision: &Decision, elapsed: Duration) -> impl Iterator<Item = Iteration> + '_ {
    let nodes = decision.nodes;
    decision.lines.iter().enumerate().filter_map(move |(rank, line)| {
        let score = if rank == 0 { decision.score } else { line.score };
        (line.depth == 0 || line.score != score).then(|| {
            let line = Line { score, ..line.clone() };
            Iteration { rank, line, nodes, elapsed, full: 0 }
        })
    })
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
    in_word!(position.board(), W => count::<W>(position, depth, stop, context))
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
