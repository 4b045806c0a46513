//! Perfect play where the values of positions are known.
//!
//! A won position is played to a position that is lost for the opponent, and so to the end: the win
//! is never thrown away. In a lost one the move is chosen that leaves the opponent the fewest ways
//! to win.

use std::error::Error;
use std::fmt::Debug;

use crate::game::Outcome;
use crate::game::rules::{IndexedMove, Position};

/// What is known of a position and its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownMoves {
    /// What the side to move reaches.
    pub value: Outcome,
    /// Moves that win for it.
    pub winning: Vec<IndexedMove>,
    /// Whether `winning` holds all of them.
    pub is_complete: bool,
}

/// Something that knows the values of some positions: solved tables, certificates, bounds.
pub trait Known: Debug + Send + Sync {
    /// What is known of a position; `None` if its value is not.
    ///
    /// # Errors
    /// If what should know it is damaged.
    fn known(
        &self,
        position: &Position,
    ) -> Result<Option<KnownMoves>, Box<dyn Error + Send + Sync>>;

    /// The same of what is looked up alone, and costs little.
    ///
    /// # Errors
    /// As [`Self::known`].
    fn looked_up(
        &self,
        position: &Position,
    ) -> Result<Option<KnownMoves>, Box<dyn Error + Send + Sync>>;
}

/// What is known, as an engine plays by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The side to move wins by some moves, at least one, and loses by others, as far as they are
    /// known.
    Win { winning: Vec<IndexedMove>, losing: Vec<IndexedMove> },
    /// It loses, whatever it plays; in order of preference, at least one if it can move. `None`
    /// where nothing that is known tells the moves apart.
    Loss(Option<Vec<IndexedMove>>),
}

/// Lost positions with more moves than this are not looked into further.
const MOST_REPLIES: usize = 300;

impl Verdict {
    /// What is known of a position; `None` if that helps no engine: a win by no known move.
    ///
    /// # Errors
    /// As [`Known::known`].
    pub(super) fn of(
        known: &dyn Known,
        position: &Position,
    ) -> Result<Option<Self>, Box<dyn Error + Send + Sync>> {
        let Some(KnownMoves { value, winning, is_complete }) = known.known(position)? else {
            return Ok(None);
        };
        let mut moves = position.indexed_moves();
        if value.is_win() {
            moves.retain(|played| is_complete && !winning.contains(played));
            return Ok((!winning.is_empty()).then_some(Self::Win { winning, losing: moves }));
        }
        if moves.len() > MOST_REPLIES {
            return Ok(Some(Self::Loss(None)));
        }
        let replies: Result<Vec<_>, _> =
            moves.iter().map(|&played| winning_replies(known, position, played)).collect();
        let replies = replies?;
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&at| replies[at]);
        let is_known = moves.is_empty() || replies.iter().any(|&count| count < usize::MAX);
        Ok(Some(Self::Loss(is_known.then(|| order.into_iter().map(|at| moves[at]).collect()))))
    }
}

/// How many winning answers there are to a move.
fn winning_replies(
    known: &dyn Known,
    position: &Position,
    played: IndexedMove,
) -> Result<usize, Box<dyn Error + Send + Sync>> {
    let Ok(after) = position.play_indexed(played) else { return Ok(usize::MAX) };
    let known = known.looked_up(&after)?.filter(|known| known.is_complete);
    // The answers to a move may not be known; where they are not, all moves are alike.
    Ok(known.map_or(usize::MAX, |known| known.winning.len()))
}
