//! Where a rank stands among those that share its machine.

/// A rank among those of its machine. The default is one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankPlace {
    /// Its number there, from 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl Default for RankPlace {
    fn default() -> Self {
        Self { number: 0, of: 1 }
    }
}

impl RankPlace {
    /// The place of a rank, by the machines of all.
    pub fn among(machines: &[&str], rank: usize) -> Self {
        let own = machines.get(rank);
        let same = |machine: &&&str| Some(*machine) == own;
        let of = machines.iter().filter(same).count().max(1);
        Self { number: machines.iter().take(rank).filter(same).count(), of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_numbered_on_each_machine() {
        let machines = ["a", "b", "a", "a", "b"];
        let places = [0, 1, 2, 3, 4].map(|rank| {
            let RankPlace { number, of } = RankPlace::among(&machines, rank);
            (number, of)
        });
        assert_eq!(places, [(0, 3), (0, 2), (1, 3), (2, 3), (1, 2)]);
        assert_eq!(RankPlace::among(&["a"], 0), RankPlace::default());
    }
}
