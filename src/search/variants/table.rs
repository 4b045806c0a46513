//! The numbers of positions, within a bound of memory.

use std::hash::{Hash as _, Hasher as _};

use crate::game::Outcome;
use crate::game::variants::VariantCode;
use crate::machine::hash::Mix;

/// Slots that a code may be in.
const BUCKET: usize = 4;
/// Slots of a table at its beginning.
const FIRST: usize = 1 << 14;

/// The proof and disproof number of a position: positions that are at least to be solved to show
/// that its side to move wins, and that it loses. One of them is 0 exactly if the position is
/// solved; the other is infinite then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct VariantNumbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl VariantNumbers {
    /// Larger than every number of a position that is not solved.
    pub(super) const INFINITE: u32 = u32::MAX;
    /// The largest number of a position that is not solved.
    pub(super) const MOST: u32 = u32::MAX - 1;

    pub(super) const WIN: Self = Self { proof: 0, disproof: Self::INFINITE };
    pub(super) const LOSS: Self = Self { proof: Self::INFINITE, disproof: 0 };

    pub(super) fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// What the side to move reaches, if the position is solved.
    pub(super) fn verdict(self) -> Option<Outcome> {
        self.is_solved().then(|| Outcome::win_if(self.proof == 0))
    }

    /// The numbers of the other side.
    pub(super) fn exchanged(self) -> Self {
        Self { proof: self.disproof, disproof: self.proof }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    code: VariantCode,
    numbers: VariantNumbers,
    /// Nodes that were visited for the numbers.
    effort: u32,
}

impl Slot {
    /// Whether it holds no position.
    fn is_free(&self) -> bool {
        self.code == VariantCode::default()
    }
}

/// All bits of a code, mixed.
fn mixed(code: &VariantCode) -> u64 {
    let mut hasher = Mix::default();
    code.hash(&mut hasher);
    hasher.finish()
}

/// A table that grows to its bound, or as long as there is memory; then what took the least effort
/// makes room.
#[derive(Debug)]
pub(super) struct VariantProofTable {
    slots: Vec<Slot>,
    used: usize,
    most: usize,
}

impl VariantProofTable {
    /// A table of at most `bytes` bytes, also while it grows.
    pub(super) fn new(bytes: u64) -> Self {
        // While it grows there is one of half the size beside it.
        let slots = bytes / 3 * 2 / size_of::<Slot>() as u64;
        let most = 1 << usize::try_from(slots).unwrap_or(usize::MAX).max(BUCKET).ilog2();
        Self { slots: vec![Slot::default(); FIRST.min(most)], used: 0, most }
    }

    /// Slots in use, and how many there may be.
    pub(super) fn fill(&self) -> (u64, u64) {
        (self.used as u64, self.most as u64)
    }

    fn bucket(&self, code: &VariantCode) -> std::ops::Range<usize> {
        let first = mixed(code) as usize & (self.slots.len() - 1) & !(BUCKET - 1);
        first..first + BUCKET
    }

    /// The numbers of a position, if they are known.
    pub(super) fn get(&self, code: &VariantCode) -> Option<VariantNumbers> {
        let slots = &self.slots[self.bucket(code)];
        slots.iter().find(|slot| slot.code == *code).map(|slot| slot.numbers)
    }

    /// Remembers the numbers of a position.
    pub(super) fn put(&mut self, code: VariantCode, numbers: VariantNumbers, effort: u32) {
        if self.used > self.slots.len() / 2 && self.slots.len() < self.most {
            self.grow();
        }
        let bucket = self.bucket(&code);
        let slots = &mut self.slots[bucket];
        let same = slots.iter().position(|slot| slot.code == code);
        let free = || slots.iter().position(|slot| slot.is_free());
        let at = same.or_else(free).unwrap_or_else(|| {
            let least = (0..BUCKET).min_by_key(|&at| slots[at].effort);
            least.expect("a bucket is not empty")
        });
        self.used += usize::from(slots[at].is_free());
        let before = if same.is_some() { slots[at].effort } else { 0 };
        slots[at] = Slot { code, numbers, effort: effort.saturating_add(before) };
    }

    fn grow(&mut self) {
        let (mut larger, slots) = (Vec::new(), 2 * self.slots.len());
        if larger.try_reserve_exact(slots).is_err() {
            self.most = self.slots.len();
            return;
        }
        larger.resize(slots, Slot::default());
        self.used = 0;
        for Slot { code, numbers, effort } in std::mem::replace(&mut self.slots, larger) {
            if code != VariantCode::default() {
                let bucket = self.bucket(&code);
                let slots = &mut self.slots[bucket];
                // Of two buckets that were one, neither has more than it had.
                let free = slots.iter_mut().find(|slot| slot.is_free());
                *free.expect("a bucket that was divided has room") = Slot { code, numbers, effort };
                self.used += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules;
    use crate::game::variants::{RuleSet, State, VariantCoder, VariantRules};
    use std::collections::HashMap;

    #[test]
    fn a_growing_table_forgets_little_and_a_full_one_answers_for_no_other_position() {
        let board = "5x5".parse().unwrap();
        let game = VariantRules::<u64>::new(board, RuleSet::AMAZONS).unwrap();
        let coder = VariantCoder::new(board, RuleSet::AMAZONS);
        let start = rules::start(board).unwrap();
        let start = State::new(start.bitboards().unwrap(), 1);
        let mut expected: HashMap<u64, (VariantCode, VariantNumbers)> = HashMap::new();
        let (mut large, mut small) =
            (VariantProofTable::new(64 << 20), VariantProofTable::new(10 << 10));
        for first in game.moves(&start).into_iter().step_by(2) {
            let after = game.play_unchecked(&start, first);
            for (number, second) in game.moves(&after).into_iter().enumerate() {
                let code = coder.code(&game.play_unchecked(&after, second));
                let numbers = VariantNumbers { proof: number as u32 + 1, disproof: 7 };
                large.put(code, numbers, 1);
                small.put(code, numbers, 1);
                expected.insert(mixed(&code), (code, numbers));
            }
        }
        assert!(expected.len() > FIRST, "{}", expected.len());
        let kept = |table: &VariantProofTable| {
            let found = |(code, numbers): &(VariantCode, VariantNumbers)| {
                let found = table.get(code);
                assert!(found.is_none_or(|found| found == *numbers));
                found.is_some()
            };
            expected.values().filter(|one| found(one)).count()
        };
        assert!(kept(&large) > expected.len() / 10 * 9, "{} of {}", kept(&large), expected.len());
        assert!(0 < kept(&small) && kept(&small) <= small.slots.len());
    }
}
