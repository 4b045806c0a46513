//! The pairs of squares that see each other past the arrows and a placement of the opponent.

use crate::tables::counting::Mask;
use crate::tables::index::MAX_SQUARES;
use crate::tables::retrograde::lines::Lines;

/// The pairs that an opponent's placement leaves, with their squares numbered among those it
/// leaves.
#[derive(Debug)]
pub(super) struct ClearPairs {
    /// Index of each pair in the arrow set's [`Lines`]. There is room for all pairs of the board;
    /// the last group tells how many there are.
    pub(super) ids: Vec<u16>,
    pub(super) ends: Vec<[u8; 2]>,
    /// How many have at most 0, 1, 2, 3 and any number of squares between.
    pub(super) groups: [usize; 5],
    /// The number of each free square among those the opponent leaves; slot [`Lines::NONE`] is one
    /// past them.
    pub(super) number: [u8; MAX_SQUARES + 1],
}

impl Default for ClearPairs {
    fn default() -> Self {
        Self { ids: Vec::new(), ends: Vec::new(), groups: [0; 5], number: [0; MAX_SQUARES + 1] }
    }
}

impl ClearPairs {
    /// Makes room for so many pairs, over so many squares that an opponent leaves.
    pub(super) fn make_room(&mut self, pairs: usize, squares: usize) {
        self.ids.resize(pairs, 0);
        self.ends.resize(pairs, [0; 2]);
        self.number[Lines::NONE as usize] = squares as u8;
    }

    /// The number of a free square among those that the opponent leaves.
    #[inline(always)]
    pub(super) fn number(&self, square: u8) -> usize {
        self.number[usize::from(square)].into()
    }

    #[inline(always)]
    pub(super) fn of<M: Mask>(
        &mut self,
        lines: &Lines,
        opponent: M,
        squares: usize,
        left_squares: &[u8; MAX_SQUARES],
    ) {
        let mut count = 0;
        for (number, &square) in left_squares.iter().enumerate().take(squares) {
            self.number[square as usize] = number as u8;
        }
        self.groups = [0; 5];
        for (q, &all) in lines.all.iter().enumerate() {
            let (mut alive, mut left) = (all, opponent);
            while !left.is_empty() {
                alive &= !lines.through(left.lowest())[q];
                left = left.without_lowest();
            }
            for (group, &end) in self.groups.iter_mut().zip(&lines.groups) {
                *group += (alive & low_bits(end as isize - 64 * q as isize)).count_ones() as usize;
            }
            while alive != 0 {
                let id = 64 * q + alive.trailing_zeros() as usize;
                alive &= alive - 1;
                self.ids[count] = id as u16;
                self.ends[count] = lines.ends[id].map(|end| self.number[end as usize]);
                count += 1;
            }
        }
    }
}

#[inline(always)]
fn low_bits(count: isize) -> u64 {
    match count {
        ..=0 => 0,
        1..=63 => (1 << count) - 1,
        _ => u64::MAX,
    }
}
