//! Why a device does not solve, or not any more.

use crate::tables::index::{TableRules, TierShape};

/// Why a device does not solve, or not any more.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The system knows of no adapter.
    #[error(
        "no graphics adapter was found: it takes the driver of the card, and on Linux the loader of Vulkan (libvulkan1)"
    )]
    NoAdapter,
    /// No adapter has this name.
    #[error("no graphics adapter has '{wanted}' in its name, found {found}")]
    NoSuchAdapter {
        /// What its name should contain.
        wanted: String,
        /// The names of those that there are.
        found: String,
    },
    /// The adapter gave no device.
    #[error("{adapter} cannot be opened: {why}")]
    Unusable {
        /// The adapter.
        adapter: String,
        /// What the system says.
        why: String,
    },
    /// Rules that the kernels do not know.
    #[error("a graphics card solves Amazons and Cowboys, found {rules}")]
    Rules {
        /// The rules.
        rules: TableRules,
    },
    /// A limit of the adapter that a tier goes beyond.
    #[error(
        "{shape} is too large for {adapter}: it takes {needed} {what}, the most is {most}; fuller tiers alone can be solved"
    )]
    Limit {
        /// The tier.
        shape: TierShape,
        /// The adapter.
        adapter: String,
        /// What is limited.
        what: &'static str,
        /// What the tier takes.
        needed: u64,
        /// The limit.
        most: u64,
    },
    /// Too little memory for anything.
    #[error(
        "{adapter} has too little memory for {shape}: needs at least {needed} bytes, {given} are given"
    )]
    Memory {
        /// The tier.
        shape: TierShape,
        /// The adapter.
        adapter: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes that may be used.
        given: u64,
    },
    /// The device failed in the middle.
    #[error("{adapter} has failed: {why}; the same command goes on from what is finished")]
    Failed {
        /// The adapter.
        adapter: String,
        /// What the system says.
        why: String,
    },
}

impl GpuError {
    /// Whether there are kernels for these rules.
    ///
    /// # Errors
    /// [`GpuError::Rules`] if there are none.
    pub fn check_rules(rules: TableRules) -> Result<(), Self> {
        match rules {
            TableRules::Amazons | TableRules::Cowboys => Ok(()),
            TableRules::Pencil | TableRules::Killer => Err(Self::Rules { rules }),
        }
    }
}
