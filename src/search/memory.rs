//! Memory for the transposition table: zeroed lazily by the system, in huge pages where it has
//! them.
//!
//! This is one of the modules in which `unsafe` is allowed. A table of gigabytes must cost nothing
//! until it is used, because most positions are solved in milliseconds.
#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// A block of 64-bit atomics, zero at first.
#[derive(Debug)]
pub(super) struct Words {
    map: MmapMut,
}

impl Words {
    /// `count` words. `count` must not be 0.
    ///
    /// # Errors
    /// What the system says when it has no such amount of address space.
    pub(super) fn zeroed(count: usize) -> io::Result<Self> {
        let bytes = count.checked_mul(8).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map })
    }

    /// The words.
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: the map is page-aligned and lives as long as `self`; every bit pattern is an
        // `AtomicU64`; the bytes are never handed out in another way, so all accesses are atomic.
        unsafe {
            std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.map.len() / 8)
        }
    }
}

/// Asks the processor to fetch the cache line of `words`; does nothing where there is no such
/// instruction.
#[inline(always)]
pub(super) fn prefetch(words: &[AtomicU64]) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect on memory, and the pointer is valid.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(words.as_ptr().cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = words;
}
