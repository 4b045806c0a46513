//! What a player types.

/// A line of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// Nothing, or a comment.
    Nothing,
    /// Take back your last move, and the program's answer.
    Undo,
    /// What the program would play.
    Hint,
    /// The legal moves, or those of one square.
    Moves(Option<&'a str>),
    /// The position as FEN.
    Fen,
    /// The diagram.
    Show,
    /// The words there are.
    Help,
    /// End the program.
    Quit,
    /// Anything else is a move.
    Move(&'a str),
}

/// The words, for the user.
pub(super) const HELP: &str = "\
a move     b1-b3/d3 (from-to/arrow), also b1-b3,d3 or b1b3d3 or b1b3,b3d3
undo       take back your last move
hint       what the program would play
moves      all legal moves; moves b1: those of one amazon
fen        the position as text
show       the position as a diagram
quit       end the game here";

impl<'a> Command<'a> {
    /// Reads a line.
    pub(super) fn parse(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => Self::Nothing,
            _ if word.starts_with('#') => Self::Nothing,
            ("undo" | "u", "") => Self::Undo,
            ("hint", "") => Self::Hint,
            ("moves", "") => Self::Moves(None),
            ("moves", square) => Self::Moves(Some(square)),
            ("fen", "") => Self::Fen,
            ("show" | "d", "") => Self::Show,
            ("help" | "?", "") => Self::Help,
            ("quit" | "exit" | "q", "") => Self::Quit,
            _ => Self::Move(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_moves_are_told_apart() {
        for (line, command) in [
            ("", Command::Nothing),
            ("  # opening", Command::Nothing),
            (" undo ", Command::Undo),
            ("moves", Command::Moves(None)),
            ("moves  b1", Command::Moves(Some("b1"))),
            ("quit", Command::Quit),
            ("quit now", Command::Move("quit now")),
            ("b1-b3/d3\n", Command::Move("b1-b3/d3")),
        ] {
            assert_eq!(Command::parse(line), command, "{line:?}");
        }
    }
}
