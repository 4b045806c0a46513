//! Static evaluation by queen distance.
//!
//! A square belongs to the side whose amazons reach it in fewer queen moves (the evaluation of the
//! program Arrow; Müller and Tegos, *Experiments in Computer Amazons*). With one square = 16:
//!
//! ```text
//! evaluation = 16 (D + d) + 8 E + C
//! D  squares nearer to the mover minus squares nearer to the opponent
//! d  net integer of the decided regions
//! E  squares at the same distance from both: the tempo of the side to move
//! C  sum over distances k = 1, 2, 3, 4, with weights 8, 8, 2, 1:
//!    squares the mover first reaches at k minus squares the opponent first reaches at k
//! ```
//!
//! It only orders the search: nothing is pruned by it.

use super::board_data::BoardData;
use super::reduction::Sum;
use crate::game::board::{Bitboard, QueenFill, Word};
use crate::game::rules::Rules;
use crate::machine::isa::{Isa, Work};

/// What the evaluation says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Evaluation {
    /// Lead of the side to move, in sixteenths of a square.
    pub lead: i32,
    /// Number of queen steps its amazons have.
    pub steps: i32,
}

/// Distances beyond this are not looked at; nearly every square is reached by then.
const DEEPEST: usize = 8;
/// What a square that a side first reaches at distance 1, 2, ... is worth to it.
const CLOSENESS: [i32; DEEPEST] = [8, 8, 2, 1, 0, 0, 0, 0];

/// Evaluates a sum for its side to move.
#[inline(always)]
pub(in crate::search) fn evaluate<W: Word>(data: &BoardData<W>, sum: &Sum<W>) -> Evaluation {
    data.isa.run(Distances { rules: &data.rules, fill: &data.fill, sum })
}

/// The squares that a side reaches in a move, in the way that is faster for the word.
#[inline(always)]
fn reach<W: Word>(fill: &QueenFill<W>, from: Bitboard<W>, free: Bitboard<W>) -> Bitboard<W> {
    if W::BITS > u64::BITS { fill.reach(from, free) } else { fill.reach_by_vectors(from, free) }
}

/// A sum to evaluate.
struct Distances<'a, W: Word> {
    rules: &'a Rules<W>,
    fill: &'a QueenFill<W>,
    sum: &'a Sum<W>,
}

impl<W: Word> Work for Distances<'_, W> {
    type Output = Evaluation;

    #[inline(always)]
    fn run(self, _: impl Isa) -> Evaluation {
        let Self { rules, fill, sum } = self;
        let free = sum.empty;
        let (mut steps, mut front) = (0, Bitboard::EMPTY);
        for amazon in sum.mover {
            let reach = rules.rays().reach(amazon, free);
            steps += reach.len() as i32;
            front |= reach;
        }
        let (mut mine, mut his) = (front, reach(fill, sum.opponent, free));
        let (mut seen_mine, mut seen_his) = (mine, his);
        let mut nearer_mine = mine.without(his);
        let mut nearer_his = his.without(mine);
        let mut equal = mine & his;
        let mut closeness = (mine.len() as i32 - his.len() as i32) * CLOSENESS[0];
        for weight in &CLOSENESS[1..] {
            mine = if mine.is_empty() { mine } else { reach(fill, mine, free).without(seen_mine) };
            his = if his.is_empty() { his } else { reach(fill, his, free).without(seen_his) };
            if (mine | his).is_empty() {
                break;
            }
            nearer_mine |= mine.without(his | seen_his);
            nearer_his |= his.without(mine | seen_mine);
            equal |= mine & his;
            closeness += (mine.len() as i32 - his.len() as i32) * weight;
            seen_mine |= mine;
            seen_his |= his;
        }
        let nearer = nearer_mine.len() as i32 - nearer_his.len() as i32 + i32::from(sum.spare);
        Evaluation { lead: 16 * nearer + 8 * equal.len() as i32 + closeness, steps }
    }
}
