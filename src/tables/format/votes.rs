//! The model of the bits of a block: rows that were seen before vote on each bit of the next.
//!
//! A row belongs to a placement of the mover. The placements that differ by one amazon one place
//! lower (in the numbering of free squares) come before it, and because only two neighbouring
//! numbers change, their packed columns stand in the same places. So do those of the same placement
//! in the block before. Four bits in five equal the majority of up to five such rows, and how many
//! agree tells how sure that is:
//!
//! ```text
//!   rows before   1 1 0 1 0 0        votes for 1 of 3    3 2 0 1 0 1
//!                 1 1 0 0 0 1        certain, 1          x . . . . .
//!                 1 0 0 0 0 0        certain, 0          . . x . x .
//!                                    two of three, 1     . x . . . .
//!                                    two of three, 0     . . . x . x
//! ```
//!
//! Each case has a stream of its own, into which the bits of the row under that case's mask are
//! packed: within a stream bits are alike, so that bytes of eight of them have few frequent values,
//! which is what an entropy coder needs. Everything works on words of 64 bits.

use super::Frames;
use crate::machine::bits;
use crate::tables::counting::colex;
use crate::tables::index::TierShape;

/// Streams, sorted by how sure the vote is; even ones hold bits that the vote says are 0, odd ones
/// 1.
pub(super) const STREAMS: usize = 12;
/// Most votes.
pub(super) const VOTERS: usize = 5;
/// Most votes from the same block.
const NEIGHBOURS: usize = 4;

/// The streams of the cases in [`cases`], by number of voters.
pub(super) const STREAMS_OF: [&[usize]; VOTERS + 1] =
    [&[10], &[6, 7], &[2, 3, 10, 11], &[0, 1, 8, 9], &[0, 1, 4, 5, 10, 11], &[0, 1, 2, 3, 8, 9]];

/// Which bits of a word fall into which case, for `N` voters; the masks are disjoint and cover the
/// word. A tie counts as what the first voter says.
#[inline(always)]
pub(super) fn cases<const N: usize>([a, b, c, d, e]: [u64; VOTERS]) -> [u64; 6] {
    match N {
        0 => [!0, 0, 0, 0, 0, 0],
        1 => [!a, a, 0, 0, 0, 0],
        2 => [!(a | b), a & b, !a & b, a & !b, 0, 0],
        3 => {
            let (none, all, most) = (!(a | b | c), a & b & c, (a & b) | (c & (a | b)));
            [none, all, !most & !none, most & !all, 0, 0]
        }
        _ => {
            let (differ_ab, differ_cd) = (a ^ b, c ^ d);
            let (none, all) = (!(a | b | c | d), a & b & c & d);
            let one = (differ_ab & !(c | d)) | (differ_cd & !(a | b));
            let three = (differ_ab & c & d) | (differ_cd & a & b);
            let two = !(none | all | one | three);
            if N == 4 {
                return [none, all, one, three, two & !a, two & a];
            }
            let with = |without: u64, fewer: u64| (without & !e) | (fewer & e);
            [
                with(none, 0),
                with(0, all),
                with(one, none),
                with(all, three),
                with(two, one),
                with(three, two),
            ]
        }
    }
}

/// The rows that vote on each row of a tier.
#[derive(Debug)]
pub(super) struct Voters {
    /// For each of some rows of a block, how far back in the same block the rows are that differ by
    /// one amazon one place lower, nearest first; 0 where there are fewer. A block with many rows
    /// has several frames, and these are the rows of one of them.
    back: Vec<[u32; NEIGHBOURS]>,
    /// The first of these rows.
    first: usize,
}

/// Blocks with at most so many rows have the neighbours of all of them at hand; every block of a
/// 5x5 board does.
const ROWS_AT_HAND: usize = 1 << 16;

impl Voters {
    pub(super) fn new(shape: &TierShape) -> Self {
        let rows = if shape.rows() <= ROWS_AT_HAND { shape.rows() } else { 0 };
        Self { back: Self::neighbours(shape, 0, rows), first: 0 }
    }

    /// Bytes that the voters of a tier take, if its frames are not larger than usual.
    pub(super) fn bytes(shape: &TierShape) -> u64 {
        (shape.rows().min(ROWS_AT_HAND) * size_of::<[u32; NEIGHBOURS]>()) as u64
    }

    /// The neighbours of some rows.
    fn neighbours(shape: &TierShape, first: usize, rows: usize) -> Vec<[u32; NEIGHBOURS]> {
        let back = |(row, placement): (usize, u64)| {
            let mut back = [0; NEIGHBOURS];
            // Amazons whose place below is free of the mover: it can be 0, because bit 0 shifted
            // down is lost.
            let movable = placement & !(placement << 1) & !1;
            for (slot, place) in back.iter_mut().zip(bits::ones(movable)) {
                let distance = row as u64 - colex::rank(placement ^ (0b11 << (place - 1)));
                // No frame has so many rows that one so far back is in it.
                *slot = u32::try_from(distance).unwrap_or(0);
            }
            back
        };
        let start = colex::unrank(first as u64, shape.free(), shape.mover());
        let placements = std::iter::successors(start, |&placement| colex::next(placement));
        (first..first + rows).zip(placements).map(back).collect()
    }

    /// Makes sure that the neighbours of the rows of a frame are at hand.
    fn fetch(&mut self, frames: &Frames, first: usize, rows: usize) {
        let at_hand = self.first..self.first + self.back.len();
        if !at_hand.contains(&first) || first + rows > at_hand.end {
            self.back = Self::neighbours(frames.shape(), first, rows);
            self.first = first;
        }
    }

    /// Calls `visit` for every row of a frame in order, with the rows (counted in the frame) that
    /// vote on it.
    pub(super) fn for_each_row(
        &mut self,
        frames: &Frames,
        frame: u64,
        mut visit: impl FnMut(usize, &[usize]),
    ) {
        let span = frames.span(frame);
        self.fetch(frames, span.first_row, span.rows);
        let at = span.first_row - self.first;
        let mut voters = [0; VOTERS];
        for row in 0..span.sets * span.rows {
            let (block, in_span) = (row / span.rows, row % span.rows);
            let mut count = 0;
            for &back in &self.back[at + in_span] {
                if back != 0 && back as usize <= in_span {
                    voters[count] = row - back as usize;
                    count += 1;
                }
            }
            if block > 0 {
                voters[count] = row - span.rows;
                count += 1;
            }
            visit(row, &voters[..count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>() {
        // Every combination of votes stands at one bit.
        let votes = std::array::from_fn(|voter| {
            (0..64u64).filter(|bit| bit >> voter & 1 != 0).fold(0, |word, bit| word | 1 << bit)
        });
        let masks = cases::<N>(votes);
        assert_eq!(masks.iter().fold(0, |all, mask| all | mask), !0);
        assert_eq!(masks.iter().map(|mask| mask.count_ones()).sum::<u32>(), 64);
        assert!(masks[STREAMS_OF[N].len()..].iter().all(|&mask| mask == 0));
        for bit in 0..64usize {
            let ones = (bit & ((1 << N) - 1)).count_ones() as usize;
            let says = match (2 * ones).cmp(&N) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => bit & usize::from(N > 0),
                std::cmp::Ordering::Greater => 1,
            };
            let case = masks.iter().position(|mask| mask >> bit & 1 != 0).unwrap();
            let stream = STREAMS_OF[N][case];
            assert_eq!(stream % 2, says, "{N} voters, {ones} for 1");
            let expected = match (N, ones.max(N - ones)) {
                (3, 3) | (4, 4) | (5, 5) => 0,
                (2, 2) | (5, 4) => 1,
                (4, 3) => 2,
                (1, 1) => 3,
                (3, 2) | (5, 3) => 4,
                _ => 5,
            };
            assert_eq!(stream / 2, expected, "{N} voters, {ones} for 1");
        }
    }

    #[test]
    fn every_combination_of_votes_has_its_stream() {
        check::<0>();
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
    }

    #[test]
    fn voters_come_before_and_differ_by_one_place() {
        let shape = TierShape::new("4x4".parse().unwrap(), 3, 4, 2).unwrap();
        let placements: Vec<u32> = colex::subsets(shape.free(), shape.mover()).collect();
        for (target, sets) in [(200, 3), (1 << 15, 7)] {
            let frames = Frames::new(shape, sets, target);
            for frame in 0..frames.len().min(9) {
                let span = frames.span(frame);
                Voters::new(&shape).for_each_row(&frames, frame, |row, voters| {
                    let placement = |row: usize| placements[span.first_row + row % span.rows];
                    for &voter in voters {
                        let differ = placement(voter) ^ placement(row);
                        assert!(voter < row);
                        let neighbours = differ.is_multiple_of(3) && (differ / 3).is_power_of_two();
                        assert!(differ == 0 || neighbours);
                        assert!(voter / span.rows == row / span.rows || differ == 0);
                    }
                });
            }
        }
    }
}
