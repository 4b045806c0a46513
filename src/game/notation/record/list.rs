//! Lists of moves, each game with a board, a FEN or rows before it, or from the start of 10x10.
//!
//! A move is three squares, or four where a shot names its origin. Between them may stand the marks
//! that notations use, and blanks; between moves numbers, `;`, `,` and blanks. Lines
//! `[Name "text"]`, comments in braces and remarks after `#` may stand anywhere between moves. A
//! board or a FEN at the beginning of a line begins another game.

use super::super::sgf::{Game, NodeId, Remark, Style, Tree};
use super::error::{RecordError, StartFault};
use super::place::RecordPlace;
use super::scanner::{Blank, Kind, Scanner, Token, tag};
use super::start;
use crate::game::board::Board;
use crate::game::excerpt::excerpt;
use crate::game::rules::{Colour, Position, is_shot, is_step};
use crate::game::{Move, PlayError, Square};

/// The games of a text of at most so many positions.
///
/// # Errors
/// The first thing that is not as it should be, with its place.
pub(super) fn read(text: &str, most: usize) -> Result<Vec<Game>, RecordError> {
    let mut reader = Reader {
        scanner: Scanner::new(text),
        games: Vec::new(),
        open: None,
        tags: Vec::new(),
        named: None,
        positions: 0,
        most,
    };
    while reader.step()? {}
    if !reader.tags.is_empty() {
        reader.begin_without_position(text.len())?;
    }
    reader.close()?;
    if reader.games.is_empty() { Err(RecordError::Empty) } else { Ok(reader.games) }
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    games: Vec<Game>,
    open: Option<Open>,
    /// Those of the game that comes next.
    tags: Vec<PlacedTag>,
    /// The side that the last word named.
    named: Option<Colour>,
    positions: usize,
    most: usize,
}

struct PlacedTag {
    name: String,
    value: String,
    at: usize,
}

/// The game that is being read.
struct Open {
    game: Game,
    last: NodeId,
    /// The squares of a move that is not complete, with their places.
    squares: Vec<(Square, usize)>,
    /// The marks after the last of them, in small letters.
    marks: String,
    /// Whether a result was read, after which no move comes.
    over: Over,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    No,
    Yes,
}

/// What a list consists of.
const MOVE: &str = "a move such as d1-d6/g9";

impl<'a> Reader<'a> {
    /// Reads a position or a word; false at the end.
    fn step(&mut self) -> Result<bool, RecordError> {
        let rest = self.scanner.rest()?;
        let (at, whole) = (self.scanner.at(), !self.in_move());
        if whole && self.scanner.before() == Blank::Line {
            let taken = start::take(rest).map_err(|error| self.no_start(at, error))?;
            if let Some(taken) = taken {
                self.close()?;
                self.scanner.skip(taken.bytes);
                self.begin(taken.position, at)?;
                return Ok(true);
            }
        }
        let Some(token) = self.scanner.next()? else { return Ok(false) };
        self.word(&token).map(|()| true)
    }

    fn word(&mut self, token: &Token<'a>) -> Result<(), RecordError> {
        match token.kind {
            Kind::Square(square) => return self.square(square, token),
            Kind::Mark => return self.mark(token),
            _ if self.in_move() => return Err(self.unfinished(token.at, &excerpt(token.text))),
            Kind::Part => return Ok(()),
            Kind::Tag => self.tag(token)?,
            Kind::Result(winner) => {
                let text = token.text.to_string();
                self.end(token, winner.map_or(Remark::Result(text), Remark::Won))?;
            }
            Kind::Word => return self.letters(token),
            Kind::Other => {
                let expected = if self.open.is_some() { MOVE } else { "a position or a move" };
                return Err(self.scanner.unexpected_word(token, expected));
            }
        }
        self.named = None;
        Ok(())
    }

    /// Whether a move has begun and is not complete.
    fn in_move(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.squares.is_empty())
    }

    fn tag(&mut self, token: &Token<'a>) -> Result<(), RecordError> {
        self.close()?;
        if let Some(found) = tag(token.text) {
            let name = found.name.to_string();
            self.tags.push(PlacedTag { name, value: found.value, at: token.at });
        }
        Ok(())
    }

    /// A word of letters: who gave up or won, or the side whose move comes.
    fn letters(&mut self, token: &Token<'a>) -> Result<(), RecordError> {
        let word = token.text.to_ascii_lowercase();
        if let "white" | "black" = word.as_str() {
            self.named = word.parse().ok();
            return Ok(());
        }
        let named = self.named.take();
        let turn = self.open.as_ref().map(|open| open.game.position(open.last).turn());
        let side = named.or(turn);
        let end = match (word.as_str(), side) {
            ("resign" | "resigns" | "resigned", Some(side)) => Remark::Resigned(side),
            ("pass" | "passes" | "passed", Some(side)) => Remark::Passed(side),
            ("wins" | "won", Some(side)) if named.is_some() => Remark::Won(side),
            ("loses" | "lost", Some(side)) if named.is_some() => Remark::Won(side.other()),
            _ => {
                let expected = match self.open {
                    Some(_) => "a move such as d1-d6/g9, resign, pass or a result",
                    None => "SGF, GGF, a position or a move such as d1-d6/g9",
                };
                return Err(self.scanner.unexpected_word(token, expected));
            }
        };
        self.end(token, end)
    }

    /// The game ends here.
    fn end(&mut self, token: &Token<'a>, end: Remark) -> Result<(), RecordError> {
        let Some(open) = &mut self.open else {
            return Err(self.scanner.unexpected_word(token, "a position or a move"));
        };
        open.game.end(end);
        open.over = Over::Yes;
        Ok(())
    }

    fn mark(&mut self, token: &Token<'a>) -> Result<(), RecordError> {
        let small = match token.text {
            "->" | "→" | "−" => "-".to_string(),
            "×" => "x".to_string(),
            "@" => "p@".to_string(),
            // The letter of an amazon.
            "Q" | "q" => return Ok(()),
            other => other.to_ascii_lowercase(),
        };
        match self.open.as_mut().filter(|open| !open.squares.is_empty()) {
            Some(open) if open.marks.len() < 4 => open.marks.push_str(&small),
            None if small == "," => {}
            _ => return Err(self.scanner.unexpected_word(token, MOVE)),
        }
        Ok(())
    }

    /// The next square of a move.
    fn square(&mut self, square: Square, token: &Token<'a>) -> Result<(), RecordError> {
        if self.open.is_none() {
            self.begin_without_position(token.at)?;
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        if open.over == Over::Yes {
            return Err(self.scanner.unexpected_word(token, "the end of the game"));
        }
        let turn = open.game.position(open.last).turn();
        if self.named.take().is_some_and(|named| named != turn) {
            let expected = format!("a move of {turn}, whose turn it is");
            return Err(self.scanner.unexpected_word(token, &expected));
        }
        let marks = std::mem::take(&mut open.marks);
        open.squares.push((square, token.at));
        let fits = match open.squares.len() {
            1 => true,
            3 => is_shot(&marks),
            _ => is_step(&marks),
        };
        if !fits {
            let expected =
                "a dash between the squares of a step, / or another mark before an arrow";
            return Err(self.scanner.unexpected(token.at, expected, &excerpt(&marks)));
        }
        match open.squares[..] {
            [(from, at), (to, _), (arrow, _)] if arrow != to => {
                self.check_arrow(from, to, &marks, token)?;
                if marks == "(" {
                    self.closing()?;
                }
                self.play(Move { from, to, arrow }, at)
            }
            [(from, at), (to, _), _, (arrow, _)] => self.play(Move { from, to, arrow }, at),
            _ => Ok(()),
        }
    }

    /// That the third square of a move does not begin the next move, or a shot from elsewhere.
    fn check_arrow(
        &self,
        from: Square,
        to: Square,
        marks: &str,
        token: &Token<'a>,
    ) -> Result<(), RecordError> {
        let behind = self.scanner.behind();
        let mut symbols = behind.chars();
        let (first, second) = (symbols.next(), symbols.next());
        let square = first.is_some_and(|symbol| symbol.is_ascii_alphabetic())
            && second.is_some_and(|symbol| symbol.is_ascii_digit());
        let apart = token.before > Blank::None || !marks.is_empty();
        if !(behind.starts_with(['-', '–', '—']) || (square && apart)) {
            return Ok(());
        }
        let word = behind.split_whitespace().next().unwrap_or("");
        let found = excerpt(&format!("{}{word}", token.text));
        let expected = match marks {
            "" => format!("the square that {from}-{to} burns"),
            _ => format!("one square that {from}-{to} burns, or a shot from {to}"),
        };
        Err(self.scanner.unexpected(token.at, &expected, &found))
    }

    /// The `)` of an arrow in parentheses.
    fn closing(&mut self) -> Result<(), RecordError> {
        let end = self.scanner.text().len();
        match self.scanner.next()? {
            Some(token) if token.text == ")" => Ok(()),
            Some(token) => Err(self.scanner.unexpected_word(&token, "\")\"")),
            None => Err(self.scanner.unexpected(end, "\")\"", "the end")),
        }
    }

    fn play(&mut self, played: Move, at: usize) -> Result<(), RecordError> {
        self.count(at)?;
        let text = self.scanner.text();
        let Some(open) = &mut self.open else { return Ok(()) };
        open.squares.clear();
        let (number, colour) =
            (open.game.moves(open.last) + 1, open.game.position(open.last).turn());
        let fault = |error: PlayError| RecordError::Move {
            place: RecordPlace::of(text, at),
            number,
            colour,
            error,
        };
        open.last = open.game.play(open.last, &played.to_string()).map_err(fault)?;
        Ok(())
    }

    fn count(&mut self, at: usize) -> Result<(), RecordError> {
        self.positions += 1;
        if self.positions > self.most {
            let place = RecordPlace::of(self.scanner.text(), at);
            return Err(RecordError::TooLong { place, most: self.most });
        }
        Ok(())
    }

    /// Begins a game with the position of a tag, or the start of 10x10.
    fn begin_without_position(&mut self, at: usize) -> Result<(), RecordError> {
        let of_tag = self.tags.iter().find(|tag| tag.name == "FEN");
        let position = match of_tag {
            Some(tag) => tag.value.parse::<Position>().map_err(|e| self.no_start(tag.at, e)),
            None => usual_start().map_err(|error| self.no_start(at, error)),
        };
        self.begin(position?, at)
    }

    fn begin(&mut self, position: Position, at: usize) -> Result<(), RecordError> {
        self.count(at)?;
        let mut game = Game::new(&position, Style::Algebraic);
        for PlacedTag { name, value, .. } in self.tags.drain(..) {
            let (property, value) = match (name.as_str(), value.as_str()) {
                ("White", player) => ("PW", player),
                ("Black", player) => ("PB", player),
                ("Date", date) => ("DT", date),
                ("Event", event) => ("EV", event),
                ("Site", place) => ("PC", place),
                ("Round", round) => ("RO", round),
                ("Result", "1-0") => ("RE", "W+"),
                ("Result", "0-1") => ("RE", "B+"),
                _ => continue,
            };
            game.annotate(Tree::ROOT, property, value);
        }
        let (squares, marks) = (Vec::new(), String::new());
        self.open = Some(Open { game, last: Tree::ROOT, squares, marks, over: Over::No });
        Ok(())
    }

    /// Ends the game that is being read.
    fn close(&mut self) -> Result<(), RecordError> {
        if self.in_move() {
            return Err(self.unfinished(self.scanner.text().len(), "the end"));
        }
        self.games.extend(self.open.take().map(|open| open.game));
        Ok(())
    }

    /// The error that a move is not complete.
    fn unfinished(&self, at: usize, found: &str) -> RecordError {
        let squares = self.open.as_ref().map_or(&[][..], |open| &open.squares);
        let expected = match squares {
            [(from, _)] => format!("the square that the amazon on {from} goes to"),
            [(from, _), (to, _), ..] => format!("the square that {from}-{to} burns"),
            [] => MOVE.to_string(),
        };
        self.scanner.unexpected(at, &expected, found)
    }

    fn no_start(&self, at: usize, error: impl Into<StartFault>) -> RecordError {
        RecordError::Start { place: RecordPlace::of(self.scanner.text(), at), error: error.into() }
    }
}

/// Where a game begins if nothing is said.
fn usual_start() -> Result<Position, StartFault> {
    Ok(Position::start(Board::new(10, 10)?)?)
}
