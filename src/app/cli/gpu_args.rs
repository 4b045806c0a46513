//! The graphics card that a command may use.

use std::collections::BTreeMap;

use clap::ValueEnum;

use super::{Context, Failure, input};
use crate::machine::ranks::{RankPlace, Ranks};
use crate::tables::index::{ShapeError, TableSubject};
use crate::tables::retrograde::gpu::{Gpu, GpuError, GpuPlan, GpuSettings, LEAST_BLOCK};

/// Whether a graphics card solves, and which.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct GpuArgs {
    /// Solve on a graphics card: yes, or auto for the processor where a card cannot
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true, default_missing_value = "yes")]
    gpu: Option<When>,
    /// A part of the name of the card [default: the first with a memory of its own; `info --gpu`
    /// lists them]. With --mpi the ranks of a machine take all such cards in turn
    #[arg(long, value_name = "NAME", requires = "gpu")]
    gpu_adapter: Option<String>,
    /// Memory of the card that a process may use [default: seven eighths of it, shared evenly]
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

    /// The card with which this process solves a table with so many layers of margins, `None` if
    /// its processor does. Rank 0 says what each does.
    ///
    /// # Errors
    /// Why a card cannot, if the processor is not to take its place.
    pub(super) fn device(
        &self,
        subject: TableSubject,
        least_arrows: usize,
        layers: i8,
        ranks: &Ranks,
        context: &Context,
    ) -> Result<Option<Gpu>, Failure> {
        let Some(when) = self.gpu else { return Ok(None) };
        let settings = self.settings(context.place());
        let (gpu, who) = match Gpu::open_for(&settings, subject, least_arrows, layers) {
            Ok(gpu) => {
                let who = format!("solved by {}", gpu.name());
                (Some(gpu), who)
            }
            Err(error) if when == When::Auto => (None, format!("the processor solves: {error}")),
            Err(error @ GpuError::Rules { .. }) => return Err(Failure::usage(error.to_string())),
            Err(error) => return Err(Failure::failed(error.to_string())),
        };
        let any = ranks.gather(&gpu.is_some())?.contains(&true);
        for line in who_solves(&ranks.gather(&who)?) {
            context.remark(line);
        }
        let plan = self.plan(subject, least_arrows, layers).ok().filter(|_| any);
        if let Some(arrows) = plan.and_then(|plan| plan.processor_arrows) {
            context.remark(format_args!(
                "the processor solves tiers with {arrows} arrows and more: their blocks are small"
            ));
        }
        Ok(gpu)
    }

    /// What a table takes of a card.
    ///
    /// # Errors
    /// [`ShapeError`] if there are no such tiers.
    pub(super) fn plan(
        &self,
        subject: TableSubject,
        least_arrows: usize,
        layers: i8,
    ) -> Result<GpuPlan, ShapeError> {
        GpuPlan::new(subject, least_arrows, layers, self.gpu_least_block)
    }

    /// Opens the card.
    ///
    /// # Errors
    /// [`GpuError`].
    pub(super) fn open(&self) -> Result<Gpu, GpuError> {
        Gpu::open(&self.settings(RankPlace::default()))
    }

    fn settings(&self, place: RankPlace) -> GpuSettings {
        let (adapter, memory) = (self.gpu_adapter.clone(), self.gpu_memory);
        let least_block = Some(self.gpu_least_block);
        GpuSettings { adapter, memory, place, least_block, ..GpuSettings::default() }
    }
}

/// What the ranks say of who solves, each saying once, and behind it of which ranks, unless all say
/// the same.
fn who_solves(said: &[String]) -> Vec<String> {
    let mut ranks_of = BTreeMap::<&str, Vec<usize>>::new();
    for (rank, who) in said.iter().enumerate() {
        ranks_of.entry(who).or_default().push(rank);
    }
    let mut sayings: Vec<_> = ranks_of.into_iter().collect();
    sayings.sort_by_key(|(_, ranks)| ranks[0]);
    let all_same = sayings.len() == 1;
    let line = |(who, ranks): (&str, Vec<usize>)| match all_same {
        true => who.to_string(),
        false => format!("{} (rank {})", who, runs(&ranks)),
    };
    sayings.into_iter().map(line).collect()
}

/// Ascending numbers, runs of neighbours as `2-5`.
fn runs(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let text = |run: &[usize]| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    runs.map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ranks_say_is_said_once_with_their_numbers() {
        let say =
            |ranks: &[&str]| who_solves(&ranks.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(say(&["a", "a", "a"]), ["a"]);
        assert_eq!(say(&["b", "a", "a", "a", "b"]), ["b (rank 0, 4)", "a (rank 1-3)"]);
    }
}
