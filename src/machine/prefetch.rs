//! A hint to the processor: this memory is wanted soon.

#![allow(unsafe_code)]

/// Asks for the cache line of an address, which need not be readable. Does nothing where the
/// processor has no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every x86-64 processor has the instruction. It changes nothing but caches and never
    // faults, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(any(not(target_arch = "x86_64"), miri))]
    let _ = address;
}
