//! Backward solving on a graphics card, through wgpu: Vulkan, Metal or Direct3D.
//!
//! A batch of arrow sets at a time takes the place of the kernel for one; blocks come back in the
//! order of the file and go the way of all blocks, so the files do not depend on who has solved. What
//! the kernels do, what it takes of memory and what was measured: `docs/gpu.md`.
//!
//! ```text
//!   adapter      the device                        sizes       rows and words of a tier
//!   raw          what wgpu calls unsafe            batches     what is solved at a time
//!   constants, spread, solve_tables, turn_tables   what the kernels look up
//!   program      the kernels, compiled             commands    kernels in a row
//!   segments     the blocks of a tier that stay    resident    from tier to tier
//!   lists        what a batch is                   solver      batches under way
//!   handover     blocks on their way to the encoders
//! ```

mod adapter;
mod batches;
mod commands;
mod constants;
mod error;
mod handover;
mod lists;
mod plan;
mod program;
mod raw;
mod resident;
mod segments;
mod sizes;
mod solve_tables;
mod solver;
mod spread;
#[cfg(test)]
mod tests;
mod turn_tables;

pub use adapter::{AdapterSummary, Gpu, GpuSettings, adapter_list};
pub use error::GpuError;
pub use plan::GpuPlan;
pub(super) use resident::Resident;

use super::BuildOptions;
use crate::game::board::Board;
use crate::game::rules::Amazons;

impl Gpu {
    /// Makes sure that this device can solve such a table, before anything is solved.
    ///
    /// # Errors
    /// [`GpuError`] if it cannot.
    pub fn check_possible(
        &self,
        board: Board,
        amazons: Amazons,
        options: &BuildOptions,
    ) -> Result<(), GpuError> {
        let rules = options.rules;
        GpuError::check_rules(rules)?;
        batches::check_possible(self, rules, board, amazons, options.least_arrows)
    }
}
