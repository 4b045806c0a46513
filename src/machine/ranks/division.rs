//! How the pieces of a whole are divided among ranks.
//!
//! Neighbouring pieces have much in common, so each rank begins with a stretch of them of its own.
//! Who has none left takes the second half of the longest run that another rank has.

use std::ops::Range;

/// The pieces that are left, by rank.
#[derive(Clone, Debug)]
pub struct Division {
    runs: Vec<Range<usize>>,
}

impl Division {
    /// The pieces 0, 1, ... below `count`, in even runs.
    pub fn new(count: usize, ranks: usize) -> Self {
        let cut = |rank: usize| (count as u128 * rank as u128 / ranks as u128) as usize;
        Self { runs: (0..ranks).map(|rank| cut(rank)..cut(rank + 1)).collect() }
    }

    /// The next piece for a rank; `None` if all are taken.
    pub fn next(&mut self, rank: usize) -> Option<usize> {
        if self.runs[rank].is_empty() {
            let longest = self.runs.iter_mut().max_by_key(|run| run.len())?;
            let middle = longest.start + longest.len() / 2;
            let half = middle..longest.end;
            longest.end = middle;
            self.runs[rank] = half;
        }
        self.runs[rank].next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_taken_once_whoever_asks() {
        for count in [0, 1, 2, 7, 100] {
            for ranks in [1, 2, 3, 7] {
                for slow in 0..ranks {
                    let mut division = Division::new(count, ranks);
                    let mut taken = Vec::new();
                    // One rank takes one piece and no more.
                    taken.extend(division.next(slow));
                    for turn in 0.. {
                        let rank = turn % ranks;
                        if rank == slow && ranks > 1 {
                            continue;
                        }
                        match division.next(rank) {
                            Some(piece) => taken.push(piece),
                            None => break,
                        }
                    }
                    taken.sort_unstable();
                    assert!(taken.into_iter().eq(0..count), "{count} {ranks} {slow}");
                }
            }
        }
    }

    #[test]
    fn a_rank_takes_its_own_run_in_order_first() {
        let mut division = Division::new(10, 2);
        assert!((0..5).map(|_| division.next(1)).eq((5..10).map(Some)));
        assert_eq!(
            [division.next(1), division.next(0), division.next(0)],
            [Some(2), Some(0), Some(1)]
        );
    }
}
