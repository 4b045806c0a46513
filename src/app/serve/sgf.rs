//! Games in SGF, in and out: `POST /api/v1/sgf` and `GET /api/v1/sgf`.
//!
//! The page shows one line of play, so of a file it gets the main line of the first game; what was
//! left out is counted. Setup inside a game begins it anew.

use serde::Serialize;

use super::error::ApiError;
use super::query::Step;
use crate::game::board::Bitboard;
use crate::game::notation::sgf::{Game, NodeId, Style, Tree, games_text, parse_games};
use crate::game::notation::{fen, move_text};
use crate::game::rules::{Colour, IndexedMove, Position};

/// What `POST /api/v1/sgf` answers.
#[derive(Debug, Serialize)]
pub(super) struct Read {
    start: String,
    moves: Vec<Step>,
    position: String,
    /// Games after the first.
    games_left_out: usize,
    /// Moves of the first game that are not in its main line.
    moves_left_out: usize,
}

/// The main line of the first game in some bytes.
pub(super) fn read(bytes: &[u8]) -> Result<Read, ApiError> {
    let bad = |message: String| ApiError::bad("bad_sgf", message);
    let games = parse_games(bytes).map_err(|error| bad(error.to_string()))?;
    let game = games.first().ok_or_else(|| bad("expected a game, found none".to_string()))?;
    let line = game.tree().main_line();
    let root = *game.position(Tree::ROOT);
    let start = match game.played(Tree::ROOT) {
        Some(played) => before(&root, played).ok_or_else(ApiError::internal)?,
        None => root,
    };
    let (mut start, mut moves, mut last) = (start, Vec::new(), root);
    for &node in &line {
        let position = *game.position(node);
        match game.played(node) {
            Some(played) => moves.push(step(played, &position)),
            None if position != last => (start, moves) = (position, Vec::new()),
            None => {}
        }
        last = position;
    }
    let all = game.tree().ids().filter(|&node: &NodeId| game.played(node).is_some()).count();
    let in_line = line.iter().filter(|&&node| game.played(node).is_some()).count();
    Ok(Read {
        start: fen(&start),
        moves,
        position: fen(&last),
        games_left_out: games.len() - 1,
        moves_left_out: all - in_line,
    })
}

/// A game of these moves, which are legal one after another.
pub(super) fn write(start: &Position, moves: &[Step]) -> Result<String, ApiError> {
    let mut game = Game::new(start, Style::Algebraic);
    let mut at = Tree::ROOT;
    for step in moves {
        at = game.play(at, &step.played).map_err(|_| ApiError::internal())?;
    }
    Ok(games_text(&[game]))
}

fn step(played: IndexedMove, after: &Position) -> Step {
    Step { played: move_text(after.board(), played), position: fen(after) }
}

/// The position before a move that led to `after`.
fn before(after: &Position, played: IndexedMove) -> Option<Position> {
    let mut setup = after.setup();
    setup.turn = setup.turn.other();
    setup.arrows = setup.arrows.without(Bitboard::of(played.arrow));
    let amazons = match setup.turn {
        Colour::White => &mut setup.white,
        Colour::Black => &mut setup.black,
    };
    *amazons = amazons.without(Bitboard::of(played.to)).with(played.from);
    setup.check().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::{parse_fen, play_text};

    #[test]
    fn what_is_written_is_read() {
        let start = parse_fen("1q1q1/q3q/5/Q3Q/1Q1Q1 w").unwrap();
        let (mut at, mut moves) = (start, Vec::new());
        for text in ["b1-b3/d3", "b5-b4/b5", "a2-a3/a2"] {
            let (played, after) = play_text(&at, text).unwrap();
            moves.push(step(played, &after));
            at = after;
        }
        let text = write(&start, &moves).unwrap();
        let read = read(text.as_bytes()).unwrap();
        assert_eq!((read.start, read.position), (fen(&start), fen(&at)));
        let played: Vec<&str> = read.moves.iter().map(|step| step.played.as_str()).collect();
        assert_eq!(played, ["b1-b3/d3", "b5-b4/b5", "a2-a3/a2"]);
        assert_eq!((read.games_left_out, read.moves_left_out), (0, 0));
    }

    #[test]
    fn what_is_left_out_is_counted_and_setup_begins_anew() {
        let text = "(;FF[4]GM[18]SZ[4]AW[b1]AB[c4]PL[W](;W[b1b2b1];B[c4c3c4];AE[b1]PL[W];W[b2b1b2])(;W[b1a1b1]))(;GM[18]SZ[4])";
        let read = read(text.as_bytes()).unwrap();
        assert_eq!((read.games_left_out, read.moves_left_out), (1, 1));
        assert_eq!(read.start, "2*1/2q1/1Q2/4 w");
        assert_eq!(read.moves.len(), 1);
        assert_eq!(read.position, "2*1/2q1/1*2/1Q2 b");
    }

    #[test]
    fn a_move_in_the_root_is_undone() {
        let (_, after) = play_text(&parse_fen("2q1/4/4/1Q2 w").unwrap(), "b1-b3/b1").unwrap();
        let played = crate::game::notation::parse_move(after.board(), "b1-b3/b1").unwrap();
        assert_eq!(fen(&before(&after, played).unwrap()), "2q1/4/4/1Q2 w");
    }

    #[test]
    fn other_files_are_refused() {
        for (text, expected) in
            [("", ""), ("(;GM[1])", ""), ("(;GM[18]SZ[10];W[d1d5d9];W[a4a5a6])", "turn"), ("x", "")]
        {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!(error.code(), "bad_sgf");
            assert!(error.message().contains(expected), "{text}: {}", error.message());
        }
    }
}
