//! Subset spaces: bit vectors over the m-subsets of f squares in colex order, and how to go between
//! them.
//!
//! With the opponent's placement fixed, the mover's placements on the f squares it leaves are one
//! [`Space`]; the placements less one amazon are another, one amazon smaller. For f = 4, m = 2 (bit
//! 0 first):
//!
//! ```text
//!   subset       {0,1} {0,2} {1,2} {0,3} {1,3} {2,3}
//!   avoid[1]       0     1     0     1     0     1        the subsets without square 1
//! ```
//!
//! Two facts make the word operations below possible. The subsets that avoid square j, taken in
//! order, are the subsets of the other f-1 squares in order. And removing j from the subsets that
//! contain it keeps their order among the (m-1)-subsets that avoid j. So both are runs of extract
//! and deposit.

use crate::tables::counting::colex::subsets;
use crate::tables::counting::{Mask, small_binomial};

/// A vector over the m-subsets of f squares.
#[derive(Clone, Debug)]
pub(super) struct Space {
    /// Number of subsets.
    pub(super) len: usize,
    /// Words that hold them.
    pub(super) words: usize,
    /// Words a vector takes, [`padded`] so that a kernel of that width exists.
    pub(super) width: usize,
    /// Squares.
    pub(super) squares: usize,
    /// `width` words a square: the subsets without it; one more vector of ones for "no square".
    avoid: Vec<u64>,
}

/// How large a [`Space`] is: its fields of the same names.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) squares: u64,
    pub(super) len: u64,
    pub(super) words: u64,
    pub(super) width: u64,
}

impl Size {
    /// That of the subsets of so many squares that have so many.
    pub(super) fn of(squares: usize, size: usize) -> Self {
        let len = small_binomial(squares, size);
        let words = len.div_ceil(64).max(1);
        Self { squares: squares as u64, len, words, width: padded(words) }
    }
}

/// Vector widths grow in steps that whole registers fill.
fn padded(words: u64) -> u64 {
    match words {
        0..=2 => words.max(1),
        3..=32 => words.next_multiple_of(4),
        _ => words.next_multiple_of(8),
    }
}

impl Space {
    pub(super) fn new(squares: usize, size: usize) -> Self {
        let Size { len, words, width, .. } = Size::of(squares, size);
        let [len, words, width] = [len, words, width].map(|count| count as usize);
        let mut avoid = vec![0; (squares + 1) * width];
        for (rank, subset) in subsets::<u64>(squares, size).enumerate() {
            for square in (0..squares).filter(|square| subset >> square & 1 == 0) {
                avoid[square * width + rank / 64] |= 1 << (rank % 64);
            }
        }
        avoid[squares * width..].fill(u64::MAX);
        Self { len, words, width, squares, avoid }
    }

    /// The subsets without `square`; all ones for `square == squares`.
    #[inline(always)]
    pub(super) fn avoid(&self, square: usize) -> &[u64] {
        &self.avoid[square * self.width..(square + 1) * self.width]
    }

    /// The first word of all avoid vectors, `width` words apart.
    #[inline(always)]
    pub(super) fn avoid_base(&self) -> *const u64 {
        self.avoid.as_ptr()
    }

    /// Writes the subsets disjoint from `taken` to the first `width` words of `out`.
    #[inline(always)]
    pub(super) fn disjoint<M: Mask>(&self, taken: M, out: &mut [u64]) {
        if taken.is_empty() {
            return self.everything(out);
        }
        let mut vectors = [self.avoid(taken.lowest()); 4];
        let mut left = taken;
        for vector in &mut vectors {
            // Squares run out before the slots do: the first square again changes nothing.
            if !left.is_empty() {
                *vector = self.avoid(left.lowest());
                left = left.without_lowest();
            }
        }
        let out = &mut out[..self.width];
        match self.width {
            1 | 2 => intersect::<1>(vectors, out),
            width if width % 8 == 0 => intersect::<8>(vectors, out),
            _ => intersect::<4>(vectors, out),
        }
        while !left.is_empty() {
            let avoid = self.avoid(left.lowest());
            left = left.without_lowest();
            for (word, &bits) in out.iter_mut().zip(avoid) {
                *word &= bits;
            }
        }
    }

    /// Writes all subsets.
    fn everything(&self, out: &mut [u64]) {
        for (word, bits) in out[..self.width].iter_mut().enumerate() {
            *bits = match self.len.saturating_sub(64 * word) {
                left @ 0..64 => (1 << left) - 1,
                _ => u64::MAX,
            };
        }
    }
}

/// The intersection of four vectors, `LANES` words at a time.
#[inline(always)]
fn intersect<const LANES: usize>(vectors: [&[u64]; 4], out: &mut [u64]) {
    let [a, b, c, d] = vectors.map(|vector| vector.as_chunks::<LANES>().0);
    for (((out, a), b), (c, d)) in
        out.as_chunks_mut::<LANES>().0.iter_mut().zip(a).zip(b).zip(c.iter().zip(d))
    {
        for lane in 0..LANES {
            out[lane] = a[lane] & b[lane] & c[lane] & d[lane];
        }
    }
}

/// Reads a row of a child (bits of the subsets that avoid a square, packed) into a vector of the
/// whole space: `vector[word] |= deposit(row >> bit, mask)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    pub(super) mask: u64,
    pub(super) byte: u32,
    pub(super) shift: u8,
    pub(super) word: u16,
}

/// For each square, how to spread a packed row over the subsets without that square.
#[derive(Clone, Debug)]
pub(super) struct Spreads {
    /// `words` a square: the first operation of each word.
    pub(super) first: Vec<Spread>,
    /// A square's second operations, for words whose bits straddle nine bytes.
    pub(super) more: Vec<Vec<Spread>>,
}

impl Spreads {
    pub(super) fn new(space: &Space) -> Self {
        let (mut first, mut more) = (Vec::new(), Vec::new());
        for square in 0..space.squares {
            let (mut bit, mut straddling) = (0, Vec::new());
            for word in 0..space.words {
                let mask = space.avoid(square)[word];
                let readable = 64 - bit % 8;
                let low = lowest_bits(mask, readable);
                let spread = |mask, bit: usize| Spread {
                    mask,
                    byte: (bit / 8) as u32,
                    shift: (bit % 8) as u8,
                    word: u16::try_from(word).expect("vectors have at most 65,536 words"),
                };
                first.push(spread(low, bit));
                if low != mask {
                    straddling.push(spread(mask & !low, bit + readable));
                }
                bit += mask.count_ones() as usize;
            }
            more.push(straddling);
        }
        Self { first, more }
    }
}

fn lowest_bits(mask: u64, count: usize) -> u64 {
    let mut rest = mask;
    for _ in 0..count {
        rest &= rest.wrapping_sub(1);
    }
    mask & !rest
}

/// One word operation of an exchange: `deposit(extract(word, from_mask), to_mask)` of word `from`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub(super) from_mask: u64,
    pub(super) to_mask: u64,
    pub(super) from: u32,
}

/// Word operations grouped by the word they make, so that it is put together in a register and
/// stored once.
#[derive(Clone, Debug, Default)]
pub(super) struct Exchanges {
    pub(super) operations: Vec<Exchange>,
    /// The word made, and how many operations make it.
    pub(super) words: Vec<(u32, u32)>,
}

impl Exchanges {
    /// Adds an operation for a word that is not before the last one.
    fn push(&mut self, word: u32, operation: Exchange) {
        match self.words.last_mut() {
            Some((last, count)) if *last == word => *count += 1,
            _ => self.words.push((word, 1)),
        }
        self.operations.push(operation);
    }

    /// The second exchange from the first: each operation with its two ends exchanged, grouped by
    /// the word that it makes, which is the remainder by `words`.
    fn reversed(&self, words: usize) -> Self {
        let made = |operation: &Exchange| operation.from as usize % words;
        let mut ends = vec![0; words + 1];
        for operation in &self.operations {
            ends[made(operation) + 1] += 1;
        }
        let count = |word: usize| (word as u32, ends[word + 1]);
        let words_made = (0..words).map(count).filter(|&(_, count)| count > 0).collect();
        for word in 0..words {
            ends[word + 1] += ends[word];
        }
        let none = Exchange { from_mask: 0, to_mask: 0, from: 0 };
        let mut operations = vec![none; self.operations.len()];
        let mut left = self.operations.iter();
        for &(word, count) in &self.words {
            for operation in left.by_ref().take(count as usize) {
                let place = &mut ends[made(operation)];
                let &Exchange { from_mask, to_mask, .. } = operation;
                operations[*place as usize] =
                    Exchange { from_mask: to_mask, to_mask: from_mask, from: word };
                *place += 1;
            }
        }
        Self { operations, words: words_made }
    }
}

/// The two exchanges between every square's vector over the placements (`full`, m-subsets) and its
/// vector over the placements less one amazon (`less`, (m-1)-subsets). The first takes the amazon
/// on the square away; the second puts it back and unites the vectors of all squares in one. Words
/// are counted from the first square's vector on.
pub(super) fn exchanges(full: &Space, less: &Space, size: usize) -> [Exchanges; 2] {
    let ranks = |size: usize, with: bool, square: usize| {
        let all = subsets::<u64>(full.squares, size).enumerate();
        all.filter(move |&(_, subset)| (subset >> square & 1 == 1) == with).map(|(rank, _)| rank)
    };
    let mut away = Exchanges::default();
    for square in 0..full.squares {
        for (from, to) in ranks(size, true, square).zip(ranks(size - 1, false, square)) {
            let full_word = (square * full.width + from / 64) as u32;
            let less_word = (square * less.width + to / 64) as u32;
            let (full_mask, less_mask) = (1 << (from % 64), 1 << (to % 64));
            // Both ranks grow, so no word is before that of the pair before.
            match (away.words.last(), away.operations.last_mut()) {
                (Some(&(word, _)), Some(last)) if (word, last.from) == (less_word, full_word) => {
                    last.from_mask |= full_mask;
                    last.to_mask |= less_mask;
                }
                _ => {
                    let one =
                        Exchange { from_mask: full_mask, to_mask: less_mask, from: full_word };
                    away.push(less_word, one);
                }
            }
        }
    }
    let back = away.reversed(full.width);
    [away, back]
}

/// Bytes that tables really have, to hold bounds against.
#[cfg(test)]
pub(super) mod bytes {
    use super::{Exchange, Exchanges, Space, Spread, Spreads};

    pub(in crate::tables::retrograde) fn of_space(space: &Space) -> usize {
        8 * space.avoid.capacity()
    }

    pub(in crate::tables::retrograde) fn of_spreads(spreads: &Spreads) -> usize {
        let more: usize = spreads.more.iter().map(Vec::capacity).sum();
        (spreads.first.capacity() + more) * size_of::<Spread>()
    }

    pub(in crate::tables::retrograde) fn of_exchanges(exchanges: &Exchanges) -> usize {
        exchanges.operations.capacity() * size_of::<Exchange>()
            + exchanges.words.capacity() * size_of::<(u32, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disjoint_subsets_are_those_that_share_no_square() {
        let (space, taken) = (Space::new(9, 3), 0b1_0001_0010u32);
        let mut mask = vec![0; space.width];
        space.disjoint(taken, &mut mask);
        for (rank, subset) in subsets::<u32>(9, 3).enumerate() {
            assert_eq!(mask[rank / 64] >> (rank % 64) & 1 == 1, subset & taken == 0, "{subset:b}");
        }
    }
}
