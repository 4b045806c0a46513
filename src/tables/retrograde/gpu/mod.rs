//! Backward solving on a graphics card, through wgpu: Vulkan, Metal or Direct3D.
//!
//! A batch of arrow sets at a time takes the place of the kernel for one; blocks come back in the
//! order of the file and go the way of all blocks, so the files do not depend on who has solved.
//! What the kernels do, what it takes of memory and what was measured: `docs/gpu.md`.
//!
//! ```text
//!   choice       which of several                  sizes       rows and words of a tier
//!   adapter      the device                        batches     what is solved at a time
//!   raw          what wgpu calls unsafe
//!   constants, spread, solve_tables, turn_tables   what the kernels look up
//!   program      the kernels, compiled             commands    kernels in a row
//!   segments     the blocks of a tier that stay    resident    from tier to tier
//!   lists        what a batch is                   solver      batches under way
//!   handover     blocks on their way to the encoders
//! ```

pub(super) mod adapter;
pub(super) mod batches;
pub(super) mod choice;
pub(super) mod commands;
pub(super) mod constants;
pub(super) mod error;
pub(super) mod handover;
pub(super) mod lists;
pub(super) mod plan;
pub(super) mod program;
pub(super) mod raw;
pub(super) mod resident;
pub(super) mod segments;
pub(super) mod sizes;
pub(super) mod solve_tables;
pub(super) mod solver;
pub(super) mod spread;
#[cfg(test)]
mod tests;
pub(super) mod turn_tables;

pub use adapter::{AdapterSummary, Gpu, GpuSettings, LEAST_BLOCK, adapter_list};
pub use error::GpuError;
pub use plan::GpuPlan;
pub(super) use resident::Resident;

use crate::tables::index::TableSubject;

impl Gpu {
    /// Opens the device for such a table, with so many layers of margins.
    ///
    /// # Errors
    /// [`GpuError`] if there is no such device, or it cannot solve the table.
    pub fn open_for(
        settings: &GpuSettings,
        subject: TableSubject,
        least_arrows: usize,
        layers: i8,
    ) -> Result<Self, GpuError> {
        GpuError::check_rules(subject.rules)?;
        let gpu = Self::open(settings)?;
        gpu.check_possible(subject, least_arrows, layers)?;
        Ok(gpu)
    }

    /// Makes sure that this device can solve such a table with so many layers of margins, before
    /// anything is solved.
    ///
    /// # Errors
    /// [`GpuError`] if it cannot.
    pub fn check_possible(
        &self,
        subject: TableSubject,
        least_arrows: usize,
        layers: i8,
    ) -> Result<(), GpuError> {
        GpuError::check_rules(subject.rules)?;
        batches::check_possible(self, subject, least_arrows, layers)
    }
}
