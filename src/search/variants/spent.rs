//! What a move uses up, and so how many moves a set of squares sees.
//!
//! A *component* is a set of squares that no step and no shot leaves ([`super::near`]).
//!
//! **Claim.** In a component with `e` empty squares and `a` amazons the sides make together, in
//! whatever order, at most so many moves:
//!
//! | rules | moves |
//! |---|---|
//! | a move burns a square, or the one that it leaves too | e, e / 2 |
//! | amazons may be captured | e + a - 1, and none without an amazon |
//! | a move builds a wall | the open sides of its squares, and none without an empty square |
//!
//! **Proof.** A move that captures nothing takes the square it steps to and the square it burns,
//! and gives back the square it leaves, unless that burns too: there are one or two empty squares
//! less. One that captures takes an amazon away, and no more empty squares than another. Either way
//! e + a becomes smaller by 1 at least, and an amazon is left that has moved, so e + a is never
//! below 1. A wall is built on a side of a square of the component that is open, and no wall opens
//! again. Where walls are built a step needs an empty square and leaves one, so nothing ever steps
//! in a component without one.

use crate::game::board::Bitboard;
use crate::game::variants::{Origin, RuleSet, Shot, Side, State, Step, VariantRules};

/// What a move uses up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spent {
    /// So many empty squares.
    Squares(usize),
    /// An empty square at least, or an amazon.
    SquaresOrAmazons,
    /// An open side.
    Walls,
}

impl Spent {
    /// By these rules, if steps and shots go by [`super::near`]: where walls are built nothing is
    /// captured.
    pub(super) fn new(rules: RuleSet) -> Self {
        match rules {
            RuleSet { shot: Shot::Wall, .. } => Self::Walls,
            RuleSet { step: Step::Capturing, .. } => Self::SquaresOrAmazons,
            RuleSet { origin: Origin::Empty, .. } => Self::Squares(1),
            RuleSet { origin: Origin::Burns, .. } => Self::Squares(2),
        }
    }

    /// The room of a component: the most moves that it sees. That of a whole position, by which
    /// certificates are checked, is counted apart, so that their check rests on no bound of the
    /// search.
    pub(super) fn room(self, rules: &VariantRules, state: &State, component: Bitboard) -> usize {
        let empty = (state.squares.empty(rules.board()) & component).len();
        let amazons = ((state.squares.mover | state.squares.opponent) & component).len();
        match self {
            Self::Squares(spent) => empty / spent,
            Self::SquaresOrAmazons if amazons == 0 => 0,
            Self::SquaresOrAmazons => empty + amazons - 1,
            Self::Walls if empty == 0 => 0,
            Self::Walls => open_sides(rules, state, component),
        }
    }
}

/// How many sides of these squares have no wall and are not the edge; one between two of them
/// counts once.
fn open_sides(rules: &VariantRules, state: &State, squares: Bitboard) -> usize {
    let board = rules.board();
    let open = |&(square, side): &(_, Side)| {
        let counted = match side {
            Side::North | Side::East => true,
            // That of the square beyond counts already.
            Side::South | Side::West => {
                side.neighbour(board, square).is_none_or(|beyond| !squares.contains(beyond))
            }
        };
        counted && !state.walls.is_closed(board, square, side)
    };
    let sides = squares.iter().flat_map(|square| Side::ALL.map(|side| (square, side)));
    sides.filter(open).count()
}
