//! Positions that benches search, and the words on their command lines.

use amazons::game::Outcome;
use amazons::game::rules::{self, Position};

/// A position to search.
pub(crate) struct Line {
    pub(crate) board: &'static str,
    /// The moves from the start of the board.
    pub(crate) moves: &'static str,
    /// What the side to move reaches.
    pub(crate) outcome: Outcome,
    /// Whether it is left out unless it is named: many searches of it take longer than minutes.
    pub(crate) is_long: bool,
}

impl Line {
    pub(crate) const fn wins(board: &'static str, moves: &'static str) -> Self {
        Self { board, moves, outcome: Outcome::Win, is_long: false }
    }

    pub(crate) const fn loses(board: &'static str, moves: &'static str) -> Self {
        Self { board, moves, outcome: Outcome::Loss, is_long: false }
    }

    pub(crate) const fn long(self) -> Self {
        Self { is_long: true, ..self }
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.board, self.moves)
    }

    /// The position after the moves.
    pub(crate) fn position(&self) -> Position {
        let start = rules::start(self.board.parse().expect("a board")).expect("a start");
        self.moves.split_whitespace().fold(start, |position, played| {
            position.play(played.parse().expect("a move")).expect("a legal move")
        })
    }
}

/// What stands on the command line: `name=value`, and beginnings of names of lines.
pub(crate) struct Words {
    options: Vec<String>,
    names: Vec<String>,
}

impl Words {
    /// The words of this process. Cargo adds flags of its own.
    pub(crate) fn of_this_process() -> Self {
        let words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
        let (options, names) = words.partition(|word| word.contains('='));
        Self { options, names }
    }

    /// Whether only what is asserted is to be run.
    pub(crate) fn is_test() -> bool {
        std::env::args().any(|word| word == "--test")
    }

    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter();
        options.find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    pub(crate) fn number(&self, name: &str, usual: u64) -> u64 {
        self.option(name).map_or(usual, |text| text.parse().expect("a number"))
    }

    /// The numbers of an option, with commas between.
    pub(crate) fn numbers(&self, name: &str, usual: &str) -> Vec<usize> {
        let text = self.option(name).unwrap_or(usual);
        text.split(',').map(|number| number.parse().expect("a number")).collect()
    }

    /// The lines that are named; without names those that are not long.
    pub(crate) fn chosen<'l>(&self, lines: &'l [Line]) -> impl Iterator<Item = &'l Line> {
        let is_named = |line: &&Line| self.names.iter().any(|name| line.name().starts_with(name));
        let is_chosen = |line: &&Line| match self.names.is_empty() {
            true => !line.is_long,
            false => is_named(line),
        };
        lines.iter().filter(is_chosen).collect::<Vec<_>>().into_iter()
    }
}
