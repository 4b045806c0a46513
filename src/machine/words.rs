//! Large blocks of atomic words, zero at first.
//!
//! A block of gigabytes must cost nothing until it is used. So it is mapped: the system gives
//! zeroed pages when they are first touched, and huge ones where it has them. Where memory cannot
//! be mapped, it is allocated.

#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::AtomicU64;

/// A block of 64-bit atomics.
#[derive(Debug)]
pub(crate) struct Words(Memory);

#[cfg(any(unix, windows))]
#[derive(Debug)]
struct Memory(memmap2::MmapRaw);

#[cfg(not(any(unix, windows)))]
#[derive(Debug)]
struct Memory(Vec<AtomicU64>);

impl Words {
    /// `count` words that are zero. `count` must not be 0.
    ///
    /// # Errors
    /// What the system says when it has no such amount of address space.
    pub(crate) fn zeroed(count: usize) -> io::Result<Self> {
        Memory::zeroed(count).map(Self)
    }

    /// The words.
    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[AtomicU64] {
        self.0.as_slice()
    }
}

#[cfg(any(unix, windows))]
impl Memory {
    fn zeroed(count: usize) -> io::Result<Self> {
        let bytes = count.checked_mul(size_of::<AtomicU64>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = memmap2::MmapRaw::from(memmap2::MmapMut::map_anon(bytes)?);
        // Without huge pages it is slower and no less right. Miri has no such call.
        #[cfg(all(target_os = "linux", not(miri)))]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self(map))
    }

    #[inline(always)]
    fn as_slice(&self) -> &[AtomicU64] {
        let count = self.0.len() / size_of::<AtomicU64>();
        // SAFETY: the map is readable and writable, begins at a page and has `count` words; it is
        // unmapped only when `self` is dropped, which the slice does not outlive. Every bit pattern
        // is an `AtomicU64`. `MmapRaw` makes no reference to its bytes, and nothing else here does,
        // so they are accessed only as atomics.
        unsafe { std::slice::from_raw_parts(self.0.as_mut_ptr().cast::<AtomicU64>(), count) }
    }
}

#[cfg(not(any(unix, windows)))]
impl Memory {
    fn zeroed(count: usize) -> io::Result<Self> {
        let mut words = Vec::new();
        words.try_reserve_exact(count).map_err(|_| io::ErrorKind::OutOfMemory)?;
        words.resize_with(count, AtomicU64::default);
        Ok(Self(words))
    }

    #[inline(always)]
    fn as_slice(&self) -> &[AtomicU64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn words_are_zero_at_first_and_keep_what_threads_store() {
        let words = Words::zeroed(1 << 10).unwrap();
        assert_eq!(words.as_slice().len(), 1 << 10);
        assert!(words.as_slice().iter().all(|word| word.load(Ordering::Relaxed) == 0));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let words = &words;
                scope.spawn(move || words.as_slice()[thread].store(7, Ordering::Relaxed));
            }
            words.as_slice()[0].fetch_or(8, Ordering::Relaxed);
        });
        let sum: u64 = words.as_slice().iter().map(|word| word.load(Ordering::Relaxed)).sum();
        assert!(sum == 28 || sum == 36, "{sum}");
    }

    #[test]
    fn more_than_the_address_space_is_an_error() {
        assert!(Words::zeroed(usize::MAX).is_err());
        assert!(Words::zeroed(usize::MAX / 8).is_err());
    }
}
