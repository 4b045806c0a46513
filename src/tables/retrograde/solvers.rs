//! Who solves a tier: the kernels of the processor, or the graphics card of the options. Here alone
//! it matters whether the program has been compiled with graphics cards.

#[cfg(feature = "gpu")]
pub(super) use with_gpu::{accelerator, check, solve_unwritten};
#[cfg(not(feature = "gpu"))]
pub(super) use without_gpu::{accelerator, check, solve_unwritten};

#[cfg(feature = "gpu")]
mod with_gpu {
    use crate::tables::counting::Mask;
    use crate::tables::index::TableSubject;
    use crate::tables::retrograde::accelerator::{Accelerator, ChunkSolver};
    use crate::tables::retrograde::error::BuildError;
    use crate::tables::retrograde::gpu::Resident;
    use crate::tables::retrograde::options::BuildOptions;
    use crate::tables::retrograde::tier::{Solution, TierJob};
    use crate::tables::retrograde::unwritten;

    /// Refuses what the graphics card of the options cannot solve, before anything is written: a
    /// table with so many layers of margins.
    pub(in super::super) fn check(
        subject: TableSubject,
        options: &BuildOptions,
        layers: i8,
    ) -> Result<(), BuildError> {
        let Some(gpu) = &options.gpu else { return Ok(()) };
        Ok(gpu.check_possible(subject, options.least_arrows, layers)?)
    }

    /// Who solves in place of the kernels.
    pub(in super::super) fn accelerator<M: Mask>(
        subject: TableSubject,
        options: &BuildOptions,
    ) -> Result<Option<Box<dyn Accelerator<M>>>, BuildError> {
        let Some(gpu) = &options.gpu else { return Ok(None) };
        Ok(Some(Box::new(Resident::new(gpu, subject, options.least_arrows)?)))
    }

    /// Solves a tier whose file nobody will read.
    pub(in super::super) fn solve_unwritten<M: Mask>(
        job: &TierJob<'_, M>,
        solver: &dyn ChunkSolver,
    ) -> Result<Solution, BuildError> {
        unwritten::solve(job, solver)
    }
}

#[cfg(not(feature = "gpu"))]
mod without_gpu {
    use crate::tables::counting::Mask;
    use crate::tables::index::TableSubject;
    use crate::tables::retrograde::accelerator::{Accelerator, ChunkSolver};
    use crate::tables::retrograde::error::BuildError;
    use crate::tables::retrograde::options::BuildOptions;
    use crate::tables::retrograde::tier::{Solution, TierJob};

    /// Refuses nothing.
    pub(in super::super) fn check(
        _subject: TableSubject,
        _options: &BuildOptions,
        _layers: i8,
    ) -> Result<(), BuildError> {
        Ok(())
    }

    /// Nobody.
    pub(in super::super) fn accelerator<M: Mask>(
        _subject: TableSubject,
        _options: &BuildOptions,
    ) -> Result<Option<Box<dyn Accelerator<M>>>, BuildError> {
        Ok(None)
    }

    /// As any other tier: without an accelerator all are written.
    pub(in super::super) fn solve_unwritten<M: Mask>(
        job: &TierJob<'_, M>,
        _solver: &dyn ChunkSolver,
    ) -> Result<Solution, BuildError> {
        job.solve()
    }
}
