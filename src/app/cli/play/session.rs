//! One game: whose turn it is, what was played, what is printed.

use std::io::{BufRead, Write};

use serde::Serialize;
use serde_json::json;

use super::chooser::{Choice, Chooser, Thought};
use super::command::{Command, HELP};
use super::saving::Saving;
use super::side::Side;
use crate::app::cli::batch::line::Line;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::counted::Counted;
use crate::game::notation::{Symbols, parse_square};
use crate::game::rules::Colour;
use crate::game::{AnyPosition, PlayTextError};

/// A game in progress.
pub(super) struct Session<'a, C: Chooser> {
    /// All positions from the first to the present one.
    history: Vec<AnyPosition>,
    /// The move to each of them but the first.
    moves: Vec<String>,
    side: Side,
    chooser: C,
    saving: Option<Saving<'a>>,
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

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    On,
    Quit,
}

impl<'a, C: Chooser> Session<'a, C> {
    pub(super) fn new(
        start: AnyPosition,
        side: Side,
        chooser: C,
        saving: Option<Saving<'a>>,
        prompts: bool,
        context: &'a Context,
    ) -> Self {
        Self { history: vec![start], moves: Vec::new(), side, chooser, saving, prompts, context }
    }

    /// Plays until the game is over, or the input is.
    pub(super) fn run(mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        self.show()?;
        if self.prompts {
            self.context.remark("type help for the words you can use");
        }
        while self.present().can_move() {
            let next = if self.side.has(self.turn()) { self.ask(input)? } else { self.answer()? };
            if next == Next::Quit {
                return self.break_off();
            }
        }
        self.finish()
    }

    fn present(&self) -> &AnyPosition {
        self.history.last().expect("the first position stays")
    }

    fn turn(&self) -> Colour {
        self.present().turn()
    }

    fn fen(&self) -> String {
        self.present().fen()
    }

    /// One line of the user.
    fn ask(&mut self, input: &mut impl BufRead) -> Result<Next, Failure> {
        if self.prompts {
            print!("{}> ", self.turn());
            std::io::stdout().flush().map_err(Failure::of_output)?;
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
            Command::Fen => self.say(self.fen(), &json!({ "position": self.fen() }))?,
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
        let object = json!({ "position": self.fen() });
        self.say(self.present().diagram(Symbols::Ascii).trim_end(), &object)
    }

    fn list(&self, square: Option<&str>) -> Result<(), Failure> {
        let board = self.present().board();
        let from = match square.map(|text| parse_square(board, text)).transpose() {
            Ok(from) => from,
            Err(error) => return self.complain(error),
        };
        let texts = self.present().moves(from);
        let text =
            if texts.is_empty() { "no legal move from there".to_string() } else { texts.join(" ") };
        self.say(text, &json!({ "moves": texts }))
    }

    fn choose(&mut self) -> Result<Choice, Failure> {
        let position = *self.present();
        self.chooser.choose(&position)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let Choice { played: Some(played), thought } = self.choose()? else { return Ok(()) };
        let text = format!("hint: {played}, {}", thought.words());
        self.say(text, &json!({ "hint": played, "thought": thought }))
    }

    /// Back to the position before the user's last move.
    fn undo(&mut self) -> Result<(), Failure> {
        let mine = |position: &AnyPosition| self.side.has(position.turn());
        let Some(at) = self.history[..self.history.len() - 1].iter().rposition(mine) else {
            return self.complain("there is no move of yours to take back");
        };
        self.history.truncate(at + 1);
        self.moves.truncate(at);
        self.save(None)?;
        self.show()
    }

    /// Writes the game as it is, if it is to be saved.
    fn save(&self, winner: Option<Colour>) -> Result<(), Failure> {
        self.saving.as_ref().map_or(Ok(()), |saving| saving.write(&self.moves, winner))
    }

    /// The user's move.
    fn play(&mut self, text: &str) -> Result<(), Failure> {
        match play(self.present(), text) {
            Ok((played, after)) => self.record(played, after, None),
            Err(error) => self.complain(format_args!("{error} (help lists what you can type)")),
        }
    }

    /// The program's move.
    fn answer(&mut self) -> Result<Next, Failure> {
        let Choice { played: Some(played), thought } = self.choose()? else {
            return Ok(Next::Quit);
        };
        let (played, after) = self.present().play(&played).or_failed()?;
        self.record(played, after, Some(thought))?;
        Ok(Next::On)
    }

    fn record(
        &mut self,
        played: String,
        after: AnyPosition,
        thought: Option<Thought>,
    ) -> Result<(), Failure> {
        let side = self.turn().to_string();
        let by = if thought.is_some() { "program" } else { "user" };
        let number = self.history.len();
        self.history.push(after);
        self.moves.push(played.clone());
        self.save(None)?;
        if self.context.json() {
            let position = self.fen();
            return self.context.print_json(&Played {
                number,
                side,
                played,
                by,
                position,
                thought,
            });
        }
        let words = thought.map_or(String::new(), |thought| format!(", {}", thought.words()));
        self.context.print(format_args!("{number}. {side} {played}{words}"))?;
        self.show()
    }

    /// The end of the game: whoever is to move cannot.
    fn finish(&self) -> Result<(), Failure> {
        let loser = self.turn();
        let (winner, moves) = (loser.other(), self.history.len() - 1);
        self.save(Some(winner))?;
        let after = Counted(moves, "move");
        let text = format!("{loser} cannot move: {winner} wins after {after}");
        let object =
            json!({ "winner": winner.to_string(), "moves": moves, "position": self.fen() });
        self.say(text, &object)
    }

    /// The game was left before its end.
    fn break_off(&self) -> Result<(), Failure> {
        let (moves, position) = (self.history.len() - 1, self.fen());
        let text = format!("not finished after {}: {position}", Counted(moves, "move"));
        self.say(text, &json!({ "winner": null, "moves": moves, "position": position }))
    }
}

/// Plays what the user typed: the move as it is shown, and the position after it. A move of Amazons
/// is shown in the form that the program writes; those of a turn by other rules, which `+` may
/// join, as they were typed.
fn play(position: &AnyPosition, text: &str) -> Result<(String, AnyPosition), PlayTextError> {
    match position {
        AnyPosition::Amazons(_) => position.play(text),
        AnyPosition::Variant(variant) => {
            Ok((text.to_string(), AnyPosition::Variant(variant.play_text(text)?)))
        }
    }
}
