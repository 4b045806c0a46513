//! What `mpirun` and `srun` tell a process through its environment.
//!
//! It says before MPI begins, and without MPI, whether there are other processes, so that only one
//! of them speaks.

use std::env;

/// The variables for the rank and for the number of processes, by launcher: Open MPI, MPICH and
/// Intel MPI, PMIx, Slurm.
const VARIABLES: [(&str, &str); 4] = [
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", ""),
    ("SLURM_PROCID", "SLURM_NTASKS"),
];

/// What the launcher said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Launcher {
    /// Which process this is; `None` without a launcher.
    pub rank: Option<usize>,
    /// How many processes there are, if it says so.
    pub size: Option<usize>,
}

impl Launcher {
    /// The launcher of this process.
    pub fn of_this_process() -> Self {
        Self::from(|name| env::var(name).ok())
    }

    fn from(variable: impl Fn(&str) -> Option<String>) -> Self {
        let number = |name: &str| variable(name).and_then(|text| text.parse().ok());
        VARIABLES
            .iter()
            .map(|(rank, size)| Self { rank: number(rank), size: number(size) })
            .find(|found| found.rank.is_some())
            .unwrap_or_default()
    }

    /// Whether this process is the one that speaks.
    pub fn is_first(self) -> bool {
        self.rank.is_none_or(|rank| rank == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_launcher_is_known_by_its_variables() {
        let found = |set: &[(&str, &str)]| {
            Launcher::from(|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into())
            })
        };
        assert_eq!(found(&[]), Launcher::default());
        assert!(found(&[]).is_first());
        let open_mpi = [("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "4")];
        assert_eq!(found(&open_mpi), Launcher { rank: Some(2), size: Some(4) });
        let both = [("SLURM_PROCID", "0"), ("SLURM_NTASKS", "1"), ("PMI_RANK", "3")];
        assert_eq!(found(&both), Launcher { rank: Some(3), size: None });
        assert!(!found(&both).is_first());
    }
}
