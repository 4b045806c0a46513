//! GGF, the format of the Generic Game Server: M. Buro, *Generic Game Format*.
//!
//! ```text
//! (;GM[Amazons]PB[amsbot]PW[Raphael]RE[-3.00]
//! BO[10 ---*--*--- ... ---O--O--- *]B[D1-D7-G7/11.50/5.04]W[J7-G4-B4//21.42];)
//! ```
//!
//! `BO` has the size, the rows from rank 1 on, and the side to move: `*` is Black, `O` White, `-`
//! empty. Burned squares are not in that description; `X` and `#` are read as such. A move is
//! followed by an evaluation and a time, which are left out, as is what SGF has no property for.

use super::super::sgf::{Game, NodeId, Remark, Style, Tree};
use super::error::{RecordError, StartFault};
use super::place::RecordPlace;
use crate::game::Move;
use crate::game::PlayError;
use crate::game::board::{Bitboard, Board};
use crate::game::excerpt::excerpt;
use crate::game::rules::{Colour, Position, Setup};

/// The games of a text of at most so many positions.
///
/// # Errors
/// The first thing that is not as it should be, with its place.
pub(super) fn read(text: &str, most: usize) -> Result<Vec<Game>, RecordError> {
    let mut reader = Reader { text, at: 0, positions: 0, most };
    let mut games = Vec::new();
    while let Some(begin) = reader.next_game() {
        reader.at = begin;
        games.push(reader.game()?);
    }
    if games.is_empty() { Err(RecordError::Empty) } else { Ok(games) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    positions: usize,
    most: usize,
}

/// A property, and where its value begins.
#[derive(Clone, Copy)]
struct Property<'a> {
    name: &'a str,
    value: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Behind the next `(;`.
    fn next_game(&self) -> Option<usize> {
        self.text[self.at..].find("(;").map(|step| self.at + step + 2)
    }

    fn game(&mut self) -> Result<Game, RecordError> {
        let mut properties = Vec::new();
        while let Some(property) = self.property()? {
            properties.push(property);
        }
        let named = |name: &str| properties.iter().find(|property| property.name == name);
        match named("GM") {
            Some(game) if game.value.trim().eq_ignore_ascii_case("amazons") => {}
            Some(other) => {
                let found = excerpt(other.value);
                return Err(self.unexpected(other.at, "a game of Amazons, GM[Amazons]", &found));
            }
            None => return Err(self.unexpected(self.at, "GM[Amazons]", "a game without GM")),
        }
        let Some(board) = named("BO") else {
            return Err(self.unexpected(self.at, "BO[10 ---*--*--- ... *]", "a game without BO"));
        };
        let mut game = Game::new(&self.board(board)?, Style::Algebraic);
        let mut last = Tree::ROOT;
        self.count(board.at)?;
        for property in &properties {
            match property.name {
                "B" => last = self.play(&mut game, last, Colour::Black, property)?,
                "W" => last = self.play(&mut game, last, Colour::White, property)?,
                "KB" | "KW" => {
                    let expected = "a game without komi moves";
                    return Err(self.unexpected(property.at, expected, property.name));
                }
                _ => describe(&mut game, property),
            }
        }
        Ok(game)
    }

    /// The next property of a game, `None` behind its `;)`.
    fn property(&mut self) -> Result<Option<Property<'a>>, RecordError> {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        if rest.starts_with(";)") {
            self.at += 2;
            return Ok(None);
        }
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = &rest[..letters];
        let value = rest[letters..].strip_prefix('[');
        let Some(value) = value.filter(|_| letters > 0) else {
            let found = rest.split_whitespace().next().map_or("the end".to_string(), excerpt);
            return Err(self.unexpected(self.at, "a property such as B[...] or \";)\"", &found));
        };
        let at = self.at + letters + 1;
        let Some(end) = value.find(']') else {
            return Err(self.unexpected(at, "a \"]\" for this value", "the end"));
        };
        self.at = at + end + 1;
        Ok(Some(Property { name, value: &value[..end], at }))
    }

    /// The position of `BO`.
    fn board(&self, property: &Property<'_>) -> Result<Position, RecordError> {
        let place_of = |word: &str| property.at + offset(property.value, word);
        let words: Vec<&str> = property.value.split_whitespace().collect();
        let expected = "a size, as many rows of as many squares, and the side to move, * or O";
        let found = || excerpt(property.value);
        let [size, rows @ .., turn] = &words[..] else {
            return Err(self.unexpected(property.at, expected, &found()));
        };
        let fault = |error: StartFault| RecordError::Start {
            place: RecordPlace::of(self.text, property.at),
            error,
        };
        let sides = Board::side(size).unwrap_or(0);
        let board = Board::new(sides, rows.len()).map_err(|error| fault(error.into()))?;
        let none = Bitboard::EMPTY;
        let turn = match *turn {
            "*" => Colour::Black,
            "O" | "o" => Colour::White,
            other => {
                let found = excerpt(other);
                return Err(self.unexpected(place_of(other), "the side to move, * or O", &found));
            }
        };
        let mut setup = Setup { board, white: none, black: none, arrows: none, turn };
        for (rank, row) in rows.iter().enumerate() {
            if row.chars().count() != sides {
                let expected = format!("a row of {sides} squares");
                return Err(self.unexpected(place_of(row), &expected, &excerpt(row)));
            }
            for (file, (at, symbol)) in row.char_indices().enumerate() {
                let square = board.square(file, rank).map_or(none, Bitboard::of);
                match symbol {
                    '-' | '.' => {}
                    '*' => setup.black |= square,
                    'O' | 'o' => setup.white |= square,
                    'X' | 'x' | '#' => setup.arrows |= square,
                    other => {
                        let (at, found) = (place_of(row) + at, format!("{other:?}"));
                        return Err(self.unexpected(at, "'*', 'O', '-' or 'X'", &found));
                    }
                }
            }
        }
        setup.check().map_err(|error| fault(error.into()))
    }

    /// Plays the move of a property: what is before its first `/`.
    fn play(
        &mut self,
        game: &mut Game,
        last: NodeId,
        colour: Colour,
        property: &Property<'_>,
    ) -> Result<NodeId, RecordError> {
        let text = property.value.split('/').next().unwrap_or("").trim();
        let turn = game.position(last).turn();
        match text.to_ascii_lowercase().as_str() {
            "" | "pass" | "pa" => game.end(Remark::Passed(colour)),
            "resign" => game.end(Remark::Resigned(colour)),
            _ if colour != turn => {
                let expected = format!("a move of {turn}, whose turn it is");
                return Err(self.unexpected(property.at, &expected, &format!("one of {colour}")));
            }
            _ => {
                self.count(property.at)?;
                let number = game.moves(last) + 1;
                let fault = |error| {
                    let place = RecordPlace::of(self.text, property.at);
                    RecordError::Move { place, number, colour, error }
                };
                let played: Move = text.parse().map_err(|e| fault(PlayError::Move(e)))?;
                return game.play(last, &played.to_string()).map_err(fault);
            }
        }
        Ok(last)
    }

    fn count(&mut self, at: usize) -> Result<(), RecordError> {
        self.positions += 1;
        if self.positions > self.most {
            let place = RecordPlace::of(self.text, at);
            return Err(RecordError::TooLong { place, most: self.most });
        }
        Ok(())
    }

    fn unexpected(&self, at: usize, expected: &str, found: &str) -> RecordError {
        let place = RecordPlace::of(self.text, at);
        RecordError::Unexpected { place, expected: expected.to_string(), found: found.to_string() }
    }
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Writes what SGF has a property for.
fn describe(game: &mut Game, property: &Property<'_>) {
    let value = property.value.trim();
    let (name, value) = match property.name {
        "PB" | "PW" | "PC" => (property.name, value.to_string()),
        "RB" => ("BR", value.to_string()),
        "RW" => ("WR", value.to_string()),
        "DT" => ("DT", date(value)),
        "RE" => ("RE", result(value)),
        _ => return,
    };
    game.annotate(Tree::ROOT, name, &value);
}

/// `2004.09.18_05:54:38.MDT` as SGF has it; other text stays.
fn date(value: &str) -> String {
    let day = value.split('_').next().unwrap_or(value);
    let numbers = day.split('.').all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    if numbers && day.len() == 10 { day.replace('.', "-") } else { value.to_string() }
}

/// `-3.00` and `+64.00:r`, the lead of Black, as SGF has it; other text stays.
fn result(value: &str) -> String {
    let (lead, flag) = value.split_once(':').unwrap_or((value, ""));
    let Some(lead) = lead.parse::<f64>().ok().filter(|lead| lead.is_finite()) else {
        return value.to_string();
    };
    let winner = match lead {
        lead if lead > 0.0 => "B+",
        lead if lead < 0.0 => "W+",
        _ => return "0".to_string(),
    };
    match flag {
        "r" => format!("{winner}R"),
        "t" => format!("{winner}T"),
        _ => format!("{winner}{}", lead.abs()),
    }
}
