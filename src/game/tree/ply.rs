//! What there is after some number of moves.

/// All that the play from one position comes to after some number of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ply {
    /// Different positions.
    pub positions: u64,
    /// Those of them that are not images of each other under the symmetries of the board.
    pub classes: u64,
    /// The legal moves of these positions, together.
    pub moves: u128,
    /// Positions without a move.
    pub ended: u64,
    /// Sequences of moves that lead here.
    pub sequences: u128,
    /// Those that end here, because the side to move has no move: the games of this length.
    pub games: u128,
}

impl Ply {
    /// The same with what another part of the ply has; `None` if a figure needs more than 128 bits.
    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            positions: self.positions.checked_add(other.positions)?,
            classes: self.classes.checked_add(other.classes)?,
            moves: self.moves.checked_add(other.moves)?,
            ended: self.ended.checked_add(other.ended)?,
            sequences: self.sequences.checked_add(other.sequences)?,
            games: self.games.checked_add(other.games)?,
        })
    }
}
