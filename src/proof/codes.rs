//! Sorted sets of codes in little memory.
//!
//! Each code is kept as the difference to the one before it, in a variable-length integer: four to
//! five bytes in place of sixteen where there are millions. Sets are read from the front and
//! merged; nothing is looked up in them.

use crate::game::code::Code;
use crate::machine::varint;

/// A set of codes, in increasing order.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    bytes: Vec<u8>,
    count: u64,
    last: Code,
}

impl Codes {
    /// Sorts codes and drops what is there twice.
    pub fn new(mut codes: Vec<Code>) -> Self {
        codes.sort_unstable();
        let mut set = Self::default();
        codes.into_iter().for_each(|code| set.push(code));
        set.bytes.shrink_to_fit();
        set
    }

    /// Number of codes.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The codes in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = Code> {
        let (mut bytes, mut last) = (&self.bytes[..], 0);
        std::iter::from_fn(move || {
            last += varint::take(&mut bytes, u128::BITS)?;
            Some(Code(last))
        })
    }

    /// The codes that are in one of two sets.
    pub fn merged(&self, other: &Self) -> Self {
        let (mut ones, mut others) = (self.iter().peekable(), other.iter().peekable());
        let mut union = Self::default();
        union.bytes.reserve(self.bytes.len().max(other.bytes.len()));
        while let Some(&one) = ones.peek() {
            while let Some(code) = others.next_if(|&code| code < one) {
                union.push(code);
            }
            union.push(one);
            ones.next();
        }
        others.for_each(|code| union.push(code));
        union
    }

    /// Adds a code that is no smaller than the last one.
    fn push(&mut self, code: Code) {
        debug_assert!(code >= self.last);
        if self.count > 0 && code == self.last {
            return;
        }
        varint::push(&mut self.bytes, code.0 - self.last.0);
        self.count += 1;
        self.last = code;
    }
}

/// Makes a set of codes from parts of it, in any order.
///
/// A set is merged with the one before it when that is less than twice as large, as in a binary
/// counter: each code is merged a logarithmic number of times, and at most twice the memory of the
/// union is in use.
#[derive(Debug, Default)]
pub struct CodesBuilder(Vec<Codes>);

impl CodesBuilder {
    /// Adds codes, in any order.
    pub fn add(&mut self, codes: Vec<Code>) {
        let mut set = Codes::new(codes);
        while let Some(before) = self.0.pop_if(|before| before.len() < 2 * set.len()) {
            set = before.merged(&set);
        }
        self.0.push(set);
    }

    /// Bytes that the codes added so far take; merging them takes as many again at the most.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(Codes::bytes).sum()
    }

    /// All codes that were added.
    pub fn finish(self) -> Codes {
        self.0.into_iter().rev().reduce(|set, before| before.merged(&set)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn gathered_codes_are_the_set_of_all(
            parts in prop::collection::vec(prop::collection::vec(0..300u128, 0..40), 0..12), large: u128,
        ) {
            let mut gathering = CodesBuilder::default();
            let mut all = BTreeSet::new();
            for part in parts {
                let codes: Vec<Code> = part.iter().map(|&code| Code(code * (large >> 9))).collect();
                all.extend(codes.iter().copied());
                gathering.add(codes);
            }
            let set = gathering.finish();
            prop_assert_eq!(set.len(), all.len() as u64);
            prop_assert!(set.iter().eq(all));
        }
    }
}
