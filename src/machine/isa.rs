//! Instruction sets: what this machine has beyond the least of its kind, found out once, at run
//! time.
//!
//! A build for every machine must not use the wide registers, and not even count bits in one
//! instruction. So hot code is written once, marked to be inlined, and compiled several times: into
//! functions that enable nothing, AVX2 with BMI, or AVX-512. `Available::run` does that for any
//! piece of work; backward solving, whose kernels also differ in what they call, has its own way to
//! ask.

#![allow(unsafe_code)]

/// An instruction set with kernels of its own. All give the same results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// No more than every machine has.
    Portable,
    /// x86-64 with AVX2, BMI2, LZCNT and POPCNT.
    Avx2,
    /// x86-64 with AVX-512 (F, BW, CD, DQ, VL) and GFNI too.
    Avx512,
}

impl InstructionSet {
    /// The best one this machine has.
    pub fn detect() -> Self {
        *Self::available().last().unwrap_or(&Self::Portable)
    }

    /// All that this machine has, the slowest first.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut))]
        let mut found = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let has_bmi = is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            if has_bmi && is_x86_feature_detected!("avx2") {
                found.push(Self::Avx2);
                let has_avx512 = is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("gfni");
                if has_avx512 {
                    found.push(Self::Avx512);
                }
            }
        }
        found
    }
}

/// Something to do with whatever instructions there are.
pub(crate) trait Work {
    /// What comes out.
    type Output;

    /// Does it. To be marked `#[inline(always)]`, and all that is to use the instructions, too.
    fn run(self) -> Self::Output;
}

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Available(InstructionSet);

impl Available {
    /// The best one.
    pub(crate) fn best() -> Self {
        Self(InstructionSet::detect())
    }

    /// All of them, the slowest first.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        InstructionSet::available().into_iter().map(Self).collect()
    }

    /// Does some work, compiled for this instruction set.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        fn avx2<W: Work>(work: W) -> W::Output {
            work.run()
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,gfni,avx2,bmi1,bmi2,popcnt,lzcnt"
        )]
        fn avx512<W: Work>(work: W) -> W::Output {
            work.run()
        }
        match self.0 {
            InstructionSet::Portable => work.run(),
            // SAFETY: only what the machine was found to have is ever wrapped.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { avx2(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { avx512(work) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => unreachable!("found only on x86-64"),
        }
    }
}
