//! Which of a machine's adapters a process takes.

use wgpu::{Backend, DeviceType};

use super::error::GpuError;
use crate::machine::ranks::RankPlace;

/// What the choice depends on.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) kind: DeviceType,
    /// How it is reached; the same card may be there once for each way.
    pub(super) backend: Backend,
    /// Where it is plugged in, if the system says it: two drivers may show the same card.
    pub(super) bus: String,
    /// Why it cannot solve, whatever the table.
    pub(super) flaw: Option<String>,
}

/// The adapter that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// Its place in the list.
    pub(super) at: usize,
    /// Processes of this machine that take it.
    pub(super) sharers: usize,
}

/// Chooses among adapters, those that are preferred first. Only those count that have `wanted` in
/// their names, in any case of letters. The processes of a machine take them in turn: those in
/// software only if there are no others, and each card once.
///
/// # Errors
/// [`GpuError::NoAdapter`], [`GpuError::NoSuchAdapter`], or [`GpuError::Unusable`].
pub(super) fn choose(
    all: &[Candidate],
    wanted: &str,
    place: RankPlace,
) -> Result<Choice, GpuError> {
    if all.is_empty() {
        return Err(GpuError::NoAdapter);
    }
    let wanted_lower = wanted.to_lowercase();
    let named = (0..all.len()).filter(|&at| all[at].name.to_lowercase().contains(&wanted_lower));
    let mut those: Vec<usize> = named.collect();
    let Some(&first) = those.first() else {
        let found: Vec<&str> = all.iter().map(|adapter| adapter.name.as_str()).collect();
        return Err(GpuError::NoSuchAdapter { wanted: wanted.into(), found: found.join(", ") });
    };
    let in_software = |at: usize| all[at].kind == DeviceType::Cpu;
    those.retain(|&at| in_software(at) == in_software(first));
    those.retain(|&at| all[at].backend == all[first].backend);
    let mut buses: Vec<&str> = Vec::new();
    those.retain(|&at| {
        let bus = all[at].bus.as_str();
        let again = !bus.is_empty() && buses.contains(&bus);
        buses.push(bus);
        !again
    });
    those.retain(|&at| all[at].flaw.is_none());
    if those.is_empty() {
        let (adapter, why) = (all[first].name.clone(), all[first].flaw.clone().unwrap_or_default());
        return Err(GpuError::Unusable { adapter, why });
    }
    let turn = place.number % those.len();
    let sharers = (0..place.of).filter(|number| number % those.len() == turn).count();
    Ok(Choice { at: those[turn], sharers: sharers.max(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(name: &str, kind: DeviceType, bus: &str) -> Candidate {
        let backend = Backend::Vulkan;
        Candidate { name: name.into(), kind, backend, bus: bus.into(), flaw: None }
    }

    /// Two cards, one of which two drivers show, and one that shows again under another interface.
    fn machine() -> Vec<Candidate> {
        let card = |bus| adapter("NVIDIA H200", DeviceType::DiscreteGpu, bus);
        let again = Candidate { backend: Backend::Dx12, ..card("") };
        vec![
            card("0000:01:00.0"),
            again,
            adapter("NVK H200", DeviceType::DiscreteGpu, "0000:01:00.0"),
            card("0000:02:00.0"),
            adapter("llvmpipe", DeviceType::Cpu, ""),
        ]
    }

    fn taken(all: &[Candidate], wanted: &str, of: usize) -> Vec<(usize, usize)> {
        let choice = |number| {
            let Choice { at, sharers } = choose(all, wanted, RankPlace { number, of }).unwrap();
            (at, sharers)
        };
        (0..of).map(choice).collect()
    }

    #[test]
    fn processes_of_a_machine_take_its_cards_in_turn() {
        let all = machine();
        assert_eq!(taken(&all, "", 1), [(0, 1)]);
        assert_eq!(taken(&all, "", 2), [(0, 1), (3, 1)]);
        assert_eq!(taken(&all, "", 3), [(0, 2), (3, 1), (0, 2)]);
        assert_eq!(taken(&all, "nvidia", 2), [(0, 1), (3, 1)]);
        assert_eq!(taken(&all, "nvk", 2), [(2, 2), (2, 2)]);
        // What is in software only where nothing else is, or by name.
        assert_eq!(taken(&all, "LLVM", 2), [(4, 2), (4, 2)]);
        assert_eq!(taken(&all[4..], "", 3), [(0, 3), (0, 3), (0, 3)]);
    }

    #[test]
    fn cards_that_cannot_solve_are_passed_over_and_what_is_not_there_is_an_error() {
        let mut all = machine();
        all[0].flaw = Some("it is small".into());
        assert_eq!(taken(&all, "", 2), [(3, 2), (3, 2)]);
        all[3].flaw = Some("it is small".into());
        let place = RankPlace::default();
        let refused = choose(&all, "", place).unwrap_err().to_string();
        assert_eq!(refused, "NVIDIA H200 cannot be opened: it is small");
        assert!(matches!(choose(&all, "x", place), Err(GpuError::NoSuchAdapter { .. })));
        assert!(matches!(choose(&[], "", place), Err(GpuError::NoAdapter)));
    }
}
