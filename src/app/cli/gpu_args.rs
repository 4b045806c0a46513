//! The graphics card that a command may use.

use clap::ValueEnum;

use super::context::OrFail;
use super::{Context, Failure, input};
use crate::machine::ranks::Ranks;
use crate::tables::index::{ShapeError, TableSubject};
use crate::tables::retrograde::BuildError;
use crate::tables::retrograde::gpu::{Gpu, GpuError, GpuPlan, GpuSettings, LEAST_BLOCK};

/// Whether a graphics card solves, and which.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct GpuArgs {
    /// Solve on a graphics card: yes, or auto for the processor where a card cannot
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "yes")]
    gpu: Option<When>,
    /// A part of the name of the card [default: the first with a memory of its own; `info --gpu`
    /// lists them]
    #[arg(long, value_name = "NAME", requires = "gpu")]
    gpu_adapter: Option<String>,
    /// Memory of the card never to exceed [default: seven eighths of it]
    #[arg(long, value_name = "SIZE", requires = "gpu", value_parser = input::size)]
    gpu_memory: Option<u64>,
    /// Placements over an arrow set from which on the card solves; tiers with fewer are left to the
    /// processor
    #[arg(long, value_name = "N", requires = "gpu", default_value_t = LEAST_BLOCK)]
    gpu_least_block: u64,
}

/// See [`GpuArgs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// A card, or failure.
    Yes,
    /// A card if there is one that can.
    Auto,
}

impl GpuArgs {
    /// Whether a card is asked for.
    pub(super) fn wanted(&self) -> bool {
        self.gpu.is_some()
    }

    /// Refuses a card for planes of margins, which the processor solves.
    ///
    /// # Errors
    /// If the processor is not to take its place.
    pub(super) fn refuse_for_margins(&self) -> Result<(), Failure> {
        let refused = match self.gpu {
            Some(When::Yes) => Err(BuildError::NotForMargins { found: "a graphics card (--gpu)" }),
            Some(When::Auto) | None => Ok(()),
        };
        refused.or_usage()
    }

    /// The card that solves a table, `None` if the processor does.
    ///
    /// # Errors
    /// Why a card cannot, if the processor is not to take its place.
    pub(super) fn device(
        &self,
        subject: TableSubject,
        least_arrows: usize,
        ranks: &Ranks,
        context: &Context,
    ) -> Result<Option<Gpu>, Failure> {
        let Some(when) = self.gpu else { return Ok(None) };
        let opened = self.open_for(subject, least_arrows, ranks);
        match opened {
            Ok(gpu) => {
                context.remark(format_args!("solved by {}", gpu.name()));
                let plan = self.plan(subject, least_arrows).ok();
                if let Some(arrows) = plan.and_then(|plan| plan.processor_arrows) {
                    context.remark(format_args!(
                        "the processor solves tiers with {arrows} arrows and more: their blocks are small"
                    ));
                }
                Ok(Some(gpu))
            }
            Err(error) if when == When::Auto => {
                context.remark(format_args!("the processor solves: {error}"));
                Ok(None)
            }
            Err(error @ (GpuError::Rules { .. } | GpuError::Together { .. })) => {
                Err(Failure::usage(error.to_string()))
            }
            Err(error) => Err(Failure::failed(error.to_string())),
        }
    }

    /// What a table takes of a card.
    ///
    /// # Errors
    /// [`ShapeError`] if there are no such tiers.
    pub(super) fn plan(
        &self,
        subject: TableSubject,
        least_arrows: usize,
    ) -> Result<GpuPlan, ShapeError> {
        GpuPlan::new(subject, least_arrows, self.gpu_least_block)
    }

    fn open_for(
        &self,
        subject: TableSubject,
        least_arrows: usize,
        ranks: &Ranks,
    ) -> Result<Gpu, GpuError> {
        if ranks.size() > 1 {
            return Err(GpuError::Together { ranks: ranks.size() });
        }
        GpuError::check_rules(subject.rules)?;
        let gpu = self.open()?;
        gpu.check_possible(subject, least_arrows)?;
        Ok(gpu)
    }

    /// Opens the card.
    ///
    /// # Errors
    /// [`GpuError`].
    pub(super) fn open(&self) -> Result<Gpu, GpuError> {
        let (adapter, memory) = (self.gpu_adapter.clone(), self.gpu_memory);
        let least_block = Some(self.gpu_least_block);
        Gpu::open(&GpuSettings { adapter, memory, least_block, ..GpuSettings::default() })
    }
}
