//! The word operations that differ between instruction sets.
//!
//! Everything in this module is written once, generic over [`Isa`], and compiled three times:
//! inlined into functions that enable nothing, AVX2 with BMI2, or AVX-512 with BMI2. The vector
//! loops are plain loops over arrays of words, which the compiler turns into the widest registers
//! that are enabled; only what it cannot find by itself (parallel bit extract and deposit, the
//! 64x64 transpose) is spelled out here.

#![allow(unsafe_code)]

use super::transpose;
use crate::machine::bits;

/// Calls a method that is generic over [`Isa`] with the type of an instruction set, inlined into a
/// function that enables its instructions: `with_isa!(isa, Type::method(this, argument: its type,
/// ...) -> result)`.
///
/// Unsafe as the method is; the instruction set must be one that this machine has
/// ([`available`](crate::machine::isa::InstructionSet::available)).
macro_rules! with_isa {
    ($isa:expr, $type:ident::$method:ident($this:expr $(, $argument:ident: $kind:ty)*) -> $result:ty) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        unsafe fn avx2(this: &$type $(, $argument: $kind)*) -> $result {
            // SAFETY: the caller's promises; the instructions are enabled here.
            unsafe { this.$method::<$crate::tables::build::isa::Avx2>($($argument),*) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,gfni,avx2,bmi1,bmi2,popcnt,lzcnt")]
        unsafe fn avx512(this: &$type $(, $argument: $kind)*) -> $result {
            // SAFETY: the caller's promises; the instructions are enabled here.
            unsafe { this.$method::<$crate::tables::build::isa::Avx512>($($argument),*) }
        }
        match $isa {
            InstructionSet::Portable => $this.$method::<$crate::tables::build::isa::Portable>($($argument),*),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => avx2($this $(, $argument)*),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => avx512($this $(, $argument)*),
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("found only on x86-64"),
        }
    }};
}
pub(super) use with_isa;

/// The operations of one instruction set. The methods of the x86 types may only be called where
/// their instructions are enabled, which [`with_isa`] sees to.
pub(super) trait Isa: Copy {
    /// The bits of `word` selected by `mask`, moved together at the low end.
    fn extract(word: u64, mask: u64) -> u64;
    /// The low bits of `word`, spread to the places set in `mask`.
    fn deposit(word: u64, mask: u64) -> u64;
    /// Transposes a 64x64 bit matrix: bit `j` of word `i` becomes bit `i` of word `j`.
    fn transpose(tile: &mut [u64; 64]);
}

/// See [`crate::machine::isa::InstructionSet::Portable`].
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        bits::extract(word, mask)
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        bits::deposit(word, mask)
    }

    #[inline(always)]
    fn transpose(tile: &mut [u64; 64]) {
        transpose::delta_swaps(tile);
    }
}

/// See [`crate::machine::isa::InstructionSet::Avx2`].
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: called only where BMI2 is enabled.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        // SAFETY: called only where BMI2 is enabled.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }

    #[inline(always)]
    fn transpose(tile: &mut [u64; 64]) {
        transpose::delta_swaps(tile);
    }
}

/// See [`crate::machine::isa::InstructionSet::Avx512`].
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        Avx2::extract(word, mask)
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        Avx2::deposit(word, mask)
    }

    #[inline(always)]
    fn transpose(tile: &mut [u64; 64]) {
        // SAFETY: called only where AVX-512 and GFNI are enabled.
        unsafe { transpose::avx512(tile) }
    }
}

/// Asks for the cache line of an address, which need not be readable.
#[inline(always)]
pub(super) fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on caches, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
