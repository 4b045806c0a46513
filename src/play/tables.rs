//! Perfect play inside solved tables.
//!
//! A won position is played to a position that is lost for the opponent, and so to the end: the win
//! is never thrown away. In a lost one the move is chosen that leaves the opponent the fewest ways
//! to win.

use std::sync::Arc;

use crate::game::rules::{IndexedMove, Position};
use crate::tables::format::TableError;
use crate::tables::value_source::{Known, ValueSource};

/// Solved tables and opening tables.
#[derive(Debug, Default)]
pub struct Tables(Vec<Arc<ValueSource>>);

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
    pub fn new(tables: impl IntoIterator<Item = impl Into<ValueSource>>) -> Self {
        Self(tables.into_iter().map(|table| Arc::new(table.into())).collect())
    }

    /// Tables that others use too.
    pub fn shared(tables: Vec<Arc<ValueSource>>) -> Self {
        Self(tables)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a position and of its moves, `None` if no table knows it.
    ///
    /// # Errors
    /// If a table that should know it is damaged.
    pub(super) fn verdict(&self, position: &Position) -> Result<Option<Verdict>, TableError> {
        for table in &self.0 {
            let Some(Known::All(answer)) = table.known(position)? else { continue };
            if answer.outcome.is_win() {
                let winning: Vec<IndexedMove> = answer.winning().collect();
                // A table that says so and has no such move contradicts itself: it knows nothing.
                if winning.is_empty() {
                    continue;
                }
                return Ok(Some(Verdict::Win(winning)));
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
    table: &ValueSource,
    position: &Position,
    played: IndexedMove,
) -> Result<usize, TableError> {
    let Ok(after) = position.play_indexed(played) else { return Ok(usize::MAX) };
    Ok(match table.known(&after)? {
        Some(Known::All(answer)) => answer.winning().count(),
        // The next tier may not be stored, or be the last of an opening table; then all moves are
        // alike.
        _ => usize::MAX,
    })
}
