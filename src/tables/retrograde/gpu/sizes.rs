//! How many rows, and how many words a row, the vectors of a tier have on a device.
//!
//! Let a block have n free squares, m amazons of the mover and o of the opponent. The rows of all
//! vectors run over sets of amazons of the side that does not move, and are whole words of 32 bits:
//!
//! ```text
//!   solved    rows C(n, m)          a bit for each of C(n - m, o)        the rows of the file
//!   arrived   rows C(n, m - 1) x (n - m + 1)       C(n - m + 1, o)
//!   child     rows C(n - 1, m)                     C(n - 1 - m, o)       a child, turned
//!   turned    rows C(n, o)                         C(n - o, m)           for the next tier
//! ```

use crate::tables::counting::small_binomial;
use crate::tables::index::TierShape;

/// Bytes of a word.
pub(super) const WORD: u64 = 4;

/// The sizes of a tier and kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Free squares.
    pub(super) free: usize,
    pub(super) movers: usize,
    pub(super) opponents: usize,
    /// Squares that the mover leaves, and those that are left after the arrow.
    pub(super) left: usize,
    pub(super) left_child: usize,
    pub(super) rows: usize,
    pub(super) child_rows: usize,
    pub(super) less_rows: usize,
    pub(super) turned_rows: usize,
    pub(super) words: usize,
    /// The bits that there are in the last word of a row.
    pub(super) last_word: u32,
    pub(super) words_less: usize,
    pub(super) words_child: usize,
    pub(super) words_turned: usize,
    /// Words with a bit for each set of amazons of a side on the free squares.
    pub(super) mover_words: usize,
    pub(super) opponent_words: usize,
}

/// How many sets there are.
fn count(squares: usize, size: usize) -> usize {
    small_binomial(squares, size) as usize
}

/// Words with a bit for each set.
fn words(squares: usize, size: usize) -> usize {
    count(squares, size).div_ceil(32).max(1)
}

/// The bits that there are in the last word of so many.
fn last_word(bits: usize) -> u32 {
    if bits == 0 { 0 } else { u32::MAX >> (31 - (bits - 1) % 32) }
}

impl Sizes {
    pub(super) fn of(shape: &TierShape) -> Self {
        let (free, movers, opponents) = (shape.free(), shape.mover(), shape.opponent());
        let left = free - movers;
        let left_child = left.saturating_sub(1);
        Self {
            free,
            movers,
            opponents,
            left,
            left_child,
            rows: count(free, movers),
            child_rows: count(free.saturating_sub(1), movers),
            less_rows: count(free, movers.saturating_sub(1)),
            turned_rows: count(free, opponents),
            words: words(left, opponents),
            last_word: last_word(count(left, opponents)),
            words_less: words(left + 1, opponents),
            words_child: words(left_child, opponents),
            words_turned: words(free - opponents, movers),
            mover_words: words(free, movers),
            opponent_words: words(free, opponents),
        }
    }

    /// Whether the mover can move at all.
    pub(super) fn has_children(&self) -> bool {
        self.movers > 0 && self.left > self.opponents
    }

    /// Bytes of what one arrow set takes: all its children, what arrived, what is solved.
    pub(super) fn gathered(&self) -> u64 {
        WORD * self.free as u64 * self.child_rows as u64 * self.words_child as u64
    }

    pub(super) fn arrived(&self) -> u64 {
        WORD * self.less_rows as u64 * (self.left as u64 + 1) * self.words_less as u64
    }

    pub(super) fn solved(&self) -> u64 {
        WORD * self.rows as u64 * self.words as u64
    }

    /// Bytes of a block as the next tier reads it.
    pub(super) fn turned(&self) -> u64 {
        WORD * self.turned_rows as u64 * self.words_turned as u64
    }
}
