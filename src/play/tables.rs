//! Perfect play inside solved tables.
//!
//! A won position is played to a position that is lost for the opponent, and so to the end: the win
//! is never thrown away. In a lost one the move is chosen that leaves the opponent the fewest ways
//! to win.

use crate::game::rules::{IndexedMove, Position};
use crate::tables::format::{Table, TableError};

/// Solved tables.
#[derive(Debug, Default)]
pub struct Tables(Vec<Table>);

/// What the tables say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side to move wins by each of these moves, at least one.
    Win(Vec<IndexedMove>),
    /// It loses, whatever it plays; in order of preference, at least one if it can move.
    Loss(Vec<IndexedMove>),
}

/// Lost positions with more moves than this are not looked into further.
const MOST_REPLIES: usize = 300;

impl Tables {
    /// These tables; the first that knows a position answers.
    pub fn new(tables: Vec<Table>) -> Self {
        Self(tables)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.0
    }

    /// The value of a position and of its moves, `None` if no table knows it.
    ///
    /// # Errors
    /// If a table that should know it is damaged.
    pub(super) fn verdict(&self, position: &Position) -> Result<Option<Verdict>, TableError> {
        for table in self.0.iter().filter(|table| table.answers(position)) {
            let answer = match table.answer(position) {
                Ok(answer) => answer,
                Err(TableError::NotStored { .. }) => continue,
                Err(error) => return Err(error),
            };
            if answer.outcome.is_win() {
                let winning = answer.moves.into_iter().filter(|(_, outcome)| outcome.is_win());
                return Ok(Some(Verdict::Win(winning.map(|(played, _)| played).collect())));
            }
            let mut moves: Vec<IndexedMove> =
                answer.moves.into_iter().map(|(played, _)| played).collect();
            if moves.len() <= MOST_REPLIES {
                let replies: Result<Vec<_>, _> =
                    moves.iter().map(|&played| winning_replies(table, position, played)).collect();
                let replies = replies?;
                let mut order: Vec<usize> = (0..moves.len()).collect();
                order.sort_by_key(|&at| replies[at]);
                moves = order.into_iter().map(|at| moves[at]).collect();
            }
            return Ok(Some(Verdict::Loss(moves)));
        }
        Ok(None)
    }
}

/// How many winning answers there are to a move.
fn winning_replies(
    table: &Table,
    position: &Position,
    played: IndexedMove,
) -> Result<usize, TableError> {
    let Ok(after) = position.play_indexed(played) else { return Ok(usize::MAX) };
    match table.answer(&after) {
        Ok(answer) => Ok(answer.moves.iter().filter(|(_, outcome)| outcome.is_win()).count()),
        // The next tier may not be stored; then all moves are alike.
        Err(TableError::NotStored { .. }) => Ok(usize::MAX),
        Err(error) => Err(error),
    }
}
