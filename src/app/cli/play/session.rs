//! One game: whose turn it is, what was played, what is printed.

use std::io::{BufRead, Write};
use std::time::Instant;

use serde::Serialize;
use serde_json::json;

use super::super::line::Line;
use super::super::{Context, Failure, OrFail};
use super::Side;
use super::command::{Command, HELP};
use crate::game::notation::{Symbols, diagram, fen, move_text, parse_square, play_text};
use crate::game::rules::{IndexedMove, Position, Rules};
use crate::machine::progress::StopFlag;
use crate::play::{Decision, Engine, Limits};

/// A game in progress.
pub(super) struct Session<'a> {
    /// All positions from the first to the present one.
    history: Vec<Position>,
    side: Side,
    limits: Limits,
    player: Engine,
    rules: Rules<u128>,
    prompts: bool,
    context: &'a Context,
}

/// A move that was played.
#[derive(Serialize)]
struct Played {
    number: usize,
    side: String,
    #[serde(rename = "move")]
    played: String,
    by: &'static str,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought: Option<Thought>,
}

/// What the program has to say of its move.
#[derive(Serialize)]
struct Thought {
    /// `win`, `loss` or a lead in squares, for the side that moved.
    score: String,
    source: &'static str,
    depth: u32,
    nodes: u64,
    seconds: f64,
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    On,
    Quit,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        start: Position,
        side: Side,
        limits: Limits,
        player: Engine,
        prompts: bool,
        context: &'a Context,
    ) -> Self {
        let rules = Rules::new(start.board()).expect("every board fits 128 bits");
        Self { history: vec![start], side, limits, player, rules, prompts, context }
    }

    /// Plays until the game is over, or the input is.
    pub(super) fn run(mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        self.show()?;
        if self.prompts {
            self.context.remark("type help for the words you can use");
        }
        while self.can_move() {
            let next = if self.side.has(self.present().turn()) {
                self.ask(input)?
            } else {
                self.answer()?
            };
            if next == Next::Quit {
                return self.break_off();
            }
        }
        self.finish()
    }

    fn present(&self) -> &Position {
        self.history.last().expect("the first position stays")
    }

    fn legal(&self) -> Vec<IndexedMove> {
        self.present().bitboards().map_or_else(Vec::new, |position| self.rules.moves(&position))
    }

    fn can_move(&self) -> bool {
        self.present().bitboards().is_some_and(|position| self.rules.can_move(&position))
    }

    /// One line of the user.
    fn ask(&mut self, input: &mut impl BufRead) -> Result<Next, Failure> {
        if self.prompts {
            print!("{}> ", self.present().turn());
            std::io::stdout().flush()?;
        }
        let mut line = Line::default();
        if !line.read(input)? {
            return Ok(Next::Quit);
        }
        let command = match line.text() {
            Ok(text) => Command::parse(text),
            Err(error) => return self.complain(error).map(|()| Next::On),
        };
        match command {
            Command::Nothing => {}
            Command::Quit => return Ok(Next::Quit),
            Command::Help => self.say(HELP, &json!({ "help": HELP }))?,
            Command::Fen => {
                self.say(fen(self.present()), &json!({ "position": fen(self.present()) }))?
            }
            Command::Show => self.show()?,
            Command::Moves(square) => self.list(square)?,
            Command::Hint => self.hint()?,
            Command::Undo => self.undo()?,
            Command::Move(text) => self.play(text)?,
        }
        Ok(Next::On)
    }

    /// Prints text, or as JSON the other.
    fn say(&self, text: impl std::fmt::Display, object: &serde_json::Value) -> Result<(), Failure> {
        if self.context.json() { self.context.print_json(object) } else { self.context.print(text) }
    }

    fn complain(&self, error: impl std::fmt::Display) -> Result<(), Failure> {
        self.say(format_args!("error: {error}"), &json!({ "error": error.to_string() }))
    }

    fn show(&self) -> Result<(), Failure> {
        let object = json!({ "position": fen(self.present()) });
        self.say(diagram(self.present(), Symbols::Ascii).trim_end(), &object)
    }

    fn list(&self, square: Option<&str>) -> Result<(), Failure> {
        let board = self.present().board();
        let from = match square.map(|text| parse_square(board, text)).transpose() {
            Ok(from) => from,
            Err(error) => return self.complain(error),
        };
        let moves =
            self.legal().into_iter().filter(|played| from.is_none_or(|from| played.from == from));
        let texts: Vec<String> = moves.map(|played| move_text(board, played)).collect();
        let text =
            if texts.is_empty() { "no legal move from there".to_string() } else { texts.join(" ") };
        self.say(text, &json!({ "moves": texts }))
    }

    fn think(&mut self) -> Result<(Decision, f64), Failure> {
        let began = Instant::now();
        let position = *self.present();
        let decision = self
            .player
            .choose(&position, &self.limits, &StopFlag::new(), &mut |_| {})
            .or_failed()?;
        Ok((decision, began.elapsed().as_secs_f64()))
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let (decision, seconds) = self.think()?;
        let Some(played) = decision.played else { return Ok(()) };
        let played = move_text(self.present().board(), played);
        let thought = Thought::of(&decision, seconds);
        let text = format!("hint: {played}, {}", thought.words());
        self.say(text, &json!({ "hint": played, "thought": thought }))
    }

    /// Back to the position before the user's last move.
    fn undo(&mut self) -> Result<(), Failure> {
        let mine = |position: &Position| self.side.has(position.turn());
        let Some(at) = self.history[..self.history.len() - 1].iter().rposition(mine) else {
            return self.complain("there is no move of yours to take back");
        };
        self.history.truncate(at + 1);
        self.show()
    }

    /// The user's move.
    fn play(&mut self, text: &str) -> Result<(), Failure> {
        match play_text(self.present(), text) {
            Ok((played, after)) => self.record(played, after, None),
            Err(error) => self.complain(format_args!("{error} (help lists what you can type)")),
        }
    }

    /// The program's move.
    fn answer(&mut self) -> Result<Next, Failure> {
        let (decision, seconds) = self.think()?;
        let Some(played) = decision.played else { return Ok(Next::Quit) };
        let text = move_text(self.present().board(), played);
        let (played, after) = play_text(self.present(), &text).or_failed()?;
        self.record(played, after, Some(Thought::of(&decision, seconds)))?;
        Ok(Next::On)
    }

    fn record(
        &mut self,
        played: IndexedMove,
        after: Position,
        thought: Option<Thought>,
    ) -> Result<(), Failure> {
        let side = self.present().turn().to_string();
        let played = move_text(after.board(), played);
        let by = if thought.is_some() { "program" } else { "user" };
        let number = self.history.len();
        self.history.push(after);
        if self.context.json() {
            return self.context.print_json(&Played {
                number,
                side,
                played,
                by,
                position: fen(&after),
                thought,
            });
        }
        let words = thought.map_or(String::new(), |thought| format!(", {}", thought.words()));
        self.context.print(format_args!("{number}. {side} {played}{words}"))?;
        self.show()
    }

    /// The end of the game: whoever is to move cannot.
    fn finish(&self) -> Result<(), Failure> {
        let loser = self.present().turn();
        let (winner, moves) = (loser.other(), self.history.len() - 1);
        let text = format!("{loser} cannot move: {winner} wins after {moves} moves");
        let object = json!({ "winner": winner.to_string(), "moves": moves, "position": fen(self.present()) });
        self.say(text, &object)
    }

    /// The game was left before its end.
    fn break_off(&self) -> Result<(), Failure> {
        let (moves, position) = (self.history.len() - 1, fen(self.present()));
        let text = format!("not finished after {moves} moves: {position}");
        self.say(text, &json!({ "winner": null, "moves": moves, "position": position }))
    }
}

impl Thought {
    fn of(decision: &Decision, seconds: f64) -> Self {
        Self {
            score: decision.score.to_string(),
            source: decision.source.word(),
            depth: decision.lines.first().map_or(0, |line| line.depth),
            nodes: decision.nodes,
            seconds,
        }
    }

    fn words(&self) -> String {
        let Self { score, source, depth, nodes, seconds } = self;
        match source {
            &"search" => format!("score {score}, depth {depth}, {nodes} positions, {seconds:.1} s"),
            _ => format!("score {score} ({source}), {seconds:.1} s"),
        }
    }
}
