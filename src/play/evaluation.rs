//! Static evaluation: who is nearer to the squares that are left.
//!
//! Each move burns one square, so a side can make about as many moves as it gets squares. A square
//! belongs to the side that reaches it in fewer queen moves (program Arrow; Müller and Tegos,
//! *Experiments in Computer Amazons*, 2002). J. Lieberum's terms (*An evaluation function for the
//! game of amazons*, 2005) refine that while much is open:
//!
//! ```text
//! t1   squares nearer to the mover by queen moves - those nearer to the opponent, + a fifth of the equally near
//! t2   the same by king moves
//! c1   2 x sum over squares of 2^-(mover's queen distance) - 2^-(opponent's)
//! c2   sum over squares of (opponent's king distance - mover's) / 6, distances beyond 6 counted as 7
//! m    amazons with few steps cost up to a square and a half each
//! w    sum over squares that both reach of 2^-|difference of queen distances|: how open the position is
//! ```
//!
//! [`Terms::Full`] blends them: the wider open (larger w), the less t1 and the more the others
//! count; with w = 0 it is t1 alone. Then everything is walled off, and t1 counts territories.
//!
//! What can be proved on the way is proved: the fills that measure distance also give the blocker
//! bound ([`crate::theory::region::blocker`]). With all opposing squares that can ever be reached
//! `F` and a walk of length `P` outside them, the mover wins if `P > |F|` and loses if the
//! opponent's `P >= |F|` of the mover.
//!
//! Cost: two fills a distance and side, about half a microsecond on 6x6 and one on 10x10.

use super::board_data::BoardData;
use super::score::Score;
use crate::game::board::{Bitboard, Word};
use crate::game::rules::Bitboards;
use crate::theory::region::blocker::greedy_walk;

/// What an evaluation looks at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Terms {
    /// The number of queen steps, a tenth of a square each.
    Mobility,
    /// Queen distance alone: t1.
    Distance,
    /// All terms.
    #[default]
    Full,
}

/// How positions are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Evaluation {
    /// What is looked at.
    pub terms: Terms,
    /// Whether territories are counted, and ends proved by what each side can fill.
    pub territories: bool,
}

impl Default for Evaluation {
    fn default() -> Self {
        Self { terms: Terms::Full, territories: true }
    }
}

/// Queen levels kept apart for `w`; farther squares count to the last.
const LEVELS: usize = 4;
/// King distances looked at by c2.
const NEAR: usize = 6;
/// `w` from which on a position is as open as it can be.
const OPEN: i32 = 48;
/// Shares of t1, c1, c2 and t2, in 256ths, in a position without and with everything open.
const CLOSED: [i32; 4] = [256, 0, 0, 0];
const OPENED: [i32; 4] = [90, 44, 44, 78];

/// Distances of both sides to all squares, as sets.
struct Queens<W> {
    nearer: [Bitboard<W>; 2],
    seen: [Bitboard<W>; 2],
    equal: Bitboard<W>,
    levels: [[Bitboard<W>; LEVELS]; 2],
    closeness: i32,
}

/// Evaluates a position for its side to move.
#[inline]
pub(super) fn evaluate<W: Word>(
    data: &BoardData<W>,
    position: &Bitboards<W>,
    how: Evaluation,
) -> Score {
    let free = position.empty(data.board());
    let sides = [position.mover, position.opponent];
    let mut steps = [0; 2];
    let mut pinned = [0; 2];
    let mut front = [Bitboard::EMPTY; 2];
    for side in 0..2 {
        for amazon in sides[side] {
            let reach = data.rules.rays().reach(amazon, free);
            steps[side] += reach.len() as i32;
            pinned[side] += 600 / (reach.len() as i32 + 4);
            front[side] |= reach;
        }
    }
    if front[0].is_empty() {
        return Score::LOSS;
    }
    if how.terms == Terms::Mobility && !how.territories {
        return Score::lead((steps[0] - steps[1]) * 10);
    }
    let queens = Queens::spread(data, free, front);
    if how.territories {
        let score = fillings(data, position, &queens);
        if let Some(score) = score {
            return score;
        }
    }
    let t1 = lead(queens.nearer, queens.equal);
    match how.terms {
        Terms::Mobility => Score::lead((steps[0] - steps[1]) * 10),
        Terms::Distance => Score::lead(t1),
        Terms::Full => {
            let open = queens.openness().min(OPEN);
            let (t2, c2) = kings(data, sides, free);
            let terms = [t1, queens.closeness, c2, t2];
            let share = |term: usize| CLOSED[term] * (OPEN - open) + OPENED[term] * open;
            let sum: i32 = (0..4).map(|term| terms[term] * share(term)).sum();
            Score::lead(sum / (256 * OPEN) + (pinned[1] - pinned[0]) * open / OPEN)
        }
    }
}

/// Hundredths of a square.
fn lead<W: Word>(nearer: [Bitboard<W>; 2], equal: Bitboard<W>) -> i32 {
    100 * (nearer[0].len() as i32 - nearer[1].len() as i32) + 20 * equal.len() as i32
}

impl<W: Word> Queens<W> {
    /// Fills from the squares at distance 1 until nothing new is reached.
    #[inline(always)]
    fn spread(data: &BoardData<W>, free: Bitboard<W>, front: [Bitboard<W>; 2]) -> Self {
        let empty = Bitboard::EMPTY;
        let mut queens = Self {
            nearer: [empty; 2],
            seen: [empty; 2],
            equal: empty,
            levels: [[empty; LEVELS]; 2],
            closeness: 0,
        };
        let [mut mine, mut his] = front;
        let mut level = 0;
        loop {
            queens.nearer[0] |= mine.without(his | queens.seen[1]);
            queens.nearer[1] |= his.without(mine | queens.seen[0]);
            queens.equal |= mine & his;
            queens.seen[0] |= mine;
            queens.seen[1] |= his;
            queens.levels[0][level.min(LEVELS - 1)] |= mine;
            queens.levels[1][level.min(LEVELS - 1)] |= his;
            // 2 x 2^-(level + 1), in hundredths.
            queens.closeness += ((mine.len() as i32 - his.len() as i32) * 100) >> level.min(8);
            level += 1;
            let further = |last: Bitboard<W>, seen: Bitboard<W>| {
                // What is not seen yet is reached from the last squares, or not at all.
                let rest = free.without(seen);
                if last.is_empty() || rest.is_empty() {
                    empty
                } else {
                    data.fill.reach(last, free) & rest
                }
            };
            (mine, his) = (further(mine, queens.seen[0]), further(his, queens.seen[1]));
            if (mine | his).is_empty() {
                return queens;
            }
        }
    }

    /// `w`.
    #[inline(always)]
    fn openness(&self) -> i32 {
        let mut sixteenths = 0;
        for (i, mine) in self.levels[0].iter().enumerate() {
            for (j, his) in self.levels[1].iter().enumerate() {
                sixteenths += ((*mine & *his).len() << (4 - i.abs_diff(j))) as i32;
            }
        }
        sixteenths / 16
    }
}

/// t2 and c2.
#[inline(always)]
fn kings<W: Word>(data: &BoardData<W>, sides: [Bitboard<W>; 2], free: Bitboard<W>) -> (i32, i32) {
    let empty = Bitboard::EMPTY;
    let (mut seen, mut nearer, mut equal, mut within) = ([empty; 2], [empty; 2], empty, 0);
    let mut edge = sides;
    for distance in 0.. {
        let next = |side: usize| (data.kings.neighbours(edge[side]) & free).without(seen[side]);
        edge = [next(0), next(1)];
        let [mine, his] = edge;
        nearer[0] |= mine.without(his | seen[1]);
        nearer[1] |= his.without(mine | seen[0]);
        equal |= mine & his;
        seen = [seen[0] | mine, seen[1] | his];
        if distance < NEAR {
            within += seen[0].len() as i32 - seen[1].len() as i32;
        }
        if (mine | his).is_empty() && distance + 1 >= NEAR {
            break;
        }
    }
    (lead(nearer, equal), within * 100 / NEAR as i32)
}

/// The end, if the squares that the sides can fill undisturbed prove it; or the exact count of
/// walled off territories.
#[inline(always)]
fn fillings<W: Word>(
    data: &BoardData<W>,
    position: &Bitboards<W>,
    queens: &Queens<W>,
) -> Option<Score> {
    let [mine, his] = queens.seen;
    let (room, flooded) = ([mine.without(his), his.without(mine)], [mine.len(), his.len()]);
    let walk = |side: usize| {
        let amazons = if side == 0 { position.mover } else { position.opponent };
        greedy_walk(&data.kings, amazons, room[side])
    };
    if room[0].len() > flooded[1] && walk(0) > flooded[1] {
        return Some(Score::WIN);
    }
    if room[1].len() >= flooded[0] && walk(1) >= flooded[0] {
        return Some(Score::LOSS);
    }
    // Nothing is contested, but a territory has dead ends: what can surely be filled counts.
    (mine & his).is_empty().then(|| Score::lead(100 * (walk(0) as i32 - walk(1) as i32)))
}
