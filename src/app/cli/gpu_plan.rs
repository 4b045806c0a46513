//! What `plan --gpu` says of the graphics card.

use std::fmt;

use serde::Serialize;

use super::gpu_args::GpuArgs;
use super::text::quantity;
use crate::tables::index::TableSubject;
use crate::tables::retrograde::gpu::GpuError;

/// What a table takes of a graphics card, and what this machine has.
#[derive(Debug, Serialize)]
pub(super) struct OnCard {
    /// Bytes with which all blocks stay on the card that the next tier needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_whole: Option<u64>,
    /// Bytes that each of several ranks needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_batch: Option<u64>,
    /// Bytes that come back from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_back: Option<u64>,
    /// The fewest arrows of a tier that the processor solves, because its blocks are small.
    #[serde(skip_serializing_if = "Option::is_none")]
    processor_arrows: Option<usize>,
    /// The card.
    #[serde(skip_serializing_if = "Option::is_none")]
    adapter: Option<String>,
    /// Bytes of its memory that may be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    /// Why it cannot solve this table.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
}

/// What a card needs for a table with so many layers of margins, or the card of each of so many
/// ranks; `None` if none is asked for.
pub(super) fn on_card(
    args: &GpuArgs,
    subject: TableSubject,
    least_arrows: usize,
    layers: i8,
    ranks: usize,
) -> Option<OnCard> {
    if !args.wanted() {
        return None;
    }
    let plan = args.plan(subject, least_arrows, layers).ok();
    let opened = GpuError::check_rules(subject.rules).and_then(|()| args.open());
    let checked = opened.map(|gpu| {
        let refusal = gpu.check_possible(subject, least_arrows, layers).err();
        (gpu, refusal)
    });
    let mut card = OnCard {
        bytes_whole: plan.filter(|_| ranks == 1).map(|plan| plan.bytes_whole),
        bytes_batch: plan.filter(|_| ranks > 1).map(|plan| plan.bytes_batch),
        // How many planes there are is known when they are made.
        bytes_back: plan.filter(|_| layers == 0).map(|plan| plan.bytes_back),
        processor_arrows: plan.and_then(|plan| plan.processor_arrows),
        adapter: None,
        memory: None,
        refusal: None,
    };
    match checked {
        Ok((gpu, refusal)) => {
            card.adapter = Some(gpu.name().to_string());
            card.memory = Some(gpu.memory());
            card.refusal = refusal.map(|error| error.to_string());
        }
        Err(error) => card.refusal = Some(error.to_string()),
    }
    Some(card)
}

impl fmt::Display for OnCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |bytes: u64| quantity::bytes(bytes.into());
        write!(f, "card    ")?;
        if let Some(whole) = self.bytes_whole {
            write!(f, "{} for all blocks", bytes(whole))?;
        }
        if let Some(batch) = self.bytes_batch {
            write!(f, "{} for each rank, whose children come from the host", bytes(batch))?;
        }
        if let Some(back) = self.bytes_back {
            write!(f, ", {} come back", bytes(back))?;
        }
        if let (Some(adapter), Some(memory)) = (&self.adapter, self.memory) {
            write!(f, "; {adapter} has {}", bytes(memory))?;
            if self.bytes_whole.is_some_and(|whole| whole > memory) {
                write!(f, ", so some children come from the host")?;
            }
        }
        if let Some(arrows) = self.processor_arrows {
            write!(f, "; tiers with {arrows} arrows and more by the processor")?;
        }
        match &self.refusal {
            Some(refusal) => write!(f, "\ndoes not fit: {refusal}"),
            None => Ok(()),
        }
    }
}
