//! The choices that make a game of the family.

use std::fmt;
use std::str::FromStr;

/// How an amazon steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Along a queen's line over empty squares.
    Queen,
    /// As [`Step::Queen`], or onto the first amazon of either colour that the line meets; that one
    /// is removed.
    Capturing,
    /// A knight's leap onto an empty square.
    Knight,
    /// To an empty square beside it on its rank or file, where no wall is between.
    Neighbour,
}

/// What becomes of the square that an amazon leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// It is empty, for the shot already.
    Empty,
    /// It burns before the shot.
    Burns,
}

/// What an amazon does when it has stepped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shot {
    /// It burns an empty square along a queen's line over empty squares.
    Queen,
    /// It burns an empty square a knight's leap away.
    Knight,
    /// It builds a wall on a side of its square that has none and is not the edge of the board.
    Wall,
}

/// How many moves a turn has, each by a different amazon: the first turn, the second and so on; all
/// turns after the last one listed are like it. At most eight turns are listed, none is empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turns {
    lengths: [u8; Turns::MOST],
    count: u8,
}

/// Text that says no turns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "turns are up to {most} numbers of moves from 1 to {longest}, for example 1,3,4, found {found:?}",
    most = Turns::MOST,
    longest = Turns::LONGEST
)]
pub struct TurnsError {
    found: String,
}

impl Turns {
    /// The most turns that can be listed.
    pub const MOST: usize = 8;
    /// The most moves of a turn.
    pub const LONGEST: u8 = 50;
    /// One move in every turn.
    pub const SINGLE: Self = Self { lengths: [1; Self::MOST], count: 1 };

    /// Turns of these lengths, `None` if there is none, one too many, or one of no or too many
    /// moves.
    pub fn new(listed: &[u8]) -> Option<Self> {
        let fits = (1..=Self::MOST).contains(&listed.len())
            && listed.iter().all(|length| (1..=Self::LONGEST).contains(length));
        if !fits {
            return None;
        }
        let mut lengths = [listed[listed.len() - 1]; Self::MOST];
        lengths[..listed.len()].copy_from_slice(listed);
        // What repeats is listed once.
        let mut count = listed.len();
        while count > 1 && lengths[count - 1] == lengths[count - 2] {
            count -= 1;
        }
        Some(Self { lengths, count: count as u8 })
    }

    /// Whether every turn has one move.
    pub fn is_single(&self) -> bool {
        *self == Self::SINGLE
    }

    /// How many turns are listed; later ones are like the last, so they have its number.
    pub fn count(&self) -> u8 {
        self.count
    }

    /// Moves of a turn, by its number from 1.
    ///
    /// # Panics
    /// If the number is 0.
    pub fn length(&self, number: u8) -> u8 {
        self.lengths[usize::from(number.min(self.count)) - 1]
    }

    /// The number of the turn after this one.
    pub fn after(&self, number: u8) -> u8 {
        number.saturating_add(1).min(self.count)
    }
}

impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths: Vec<String> =
            self.lengths[..usize::from(self.count)].iter().map(u8::to_string).collect();
        f.write_str(&lengths.join(","))
    }
}

impl FromStr for Turns {
    type Err = TurnsError;

    fn from_str(text: &str) -> Result<Self, TurnsError> {
        let lengths: Option<Vec<u8>> =
            text.split(',').map(|word| word.parse::<u8>().ok()).collect();
        lengths
            .and_then(|listed| Self::new(&listed))
            .ok_or_else(|| TurnsError { found: text.to_string() })
    }
}

/// The rules of one game of the family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleSet {
    /// How an amazon steps.
    pub step: Step,
    /// What becomes of the square that it leaves.
    pub origin: Origin,
    /// What it does then.
    pub shot: Shot,
    /// How many moves a turn has.
    pub turns: Turns,
}

/// The name of no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rules are one of {names}, found {found:?}", names = RuleSet::names().join(", "))]
pub struct RulesError {
    found: String,
}

impl RuleSet {
    /// Amazons itself.
    pub const AMAZONS: Self =
        Self { step: Step::Queen, origin: Origin::Empty, shot: Shot::Queen, turns: Turns::SINGLE };
    /// Killer Amazons.
    pub const KILLER: Self = Self { step: Step::Capturing, ..Self::AMAZONS };
    /// Cowboys.
    pub const COWBOYS: Self = Self { step: Step::Knight, shot: Shot::Knight, ..Self::AMAZONS };
    /// Pencil & Paper Amazons.
    pub const PENCIL: Self = Self { origin: Origin::Burns, ..Self::AMAZONS };
    /// 134*: turns of 1, 3, 4, 4, ... moves.
    pub const TURNS_134: Self =
        Self { turns: Turns { lengths: [1, 3, 4, 4, 4, 4, 4, 4], count: 3 }, ..Self::AMAZONS };
    /// Tromazons.
    pub const TROMAZONS: Self = Self { step: Step::Neighbour, shot: Shot::Wall, ..Self::AMAZONS };

    /// The sets that have names.
    pub const NAMED: [(&str, Self); 6] = [
        ("amazons", Self::AMAZONS),
        ("killer", Self::KILLER),
        ("cowboys", Self::COWBOYS),
        ("pencil", Self::PENCIL),
        ("134", Self::TURNS_134),
        ("tromazons", Self::TROMAZONS),
    ];

    fn names() -> Vec<&'static str> {
        Self::NAMED.iter().map(|&(name, _)| name).collect()
    }

    /// With other turns, if any are given.
    pub fn with_turns(self, turns: Option<Turns>) -> Self {
        Self { turns: turns.unwrap_or(self.turns), ..self }
    }

    /// These rules, `None` if they are those of Amazons.
    pub fn other_than_amazons(self) -> Option<Self> {
        (self != Self::AMAZONS).then_some(self)
    }

    /// The name, and the turns if they are not those of the name; `None` if nothing that has a name
    /// steps, burns and shoots so.
    pub fn named(&self) -> Option<(&'static str, Option<Turns>)> {
        if let Some((name, _)) = Self::NAMED.iter().find(|(_, rules)| rules == self) {
            return Some((name, None));
        }
        let alike = |rules: &Self| rules.with_turns(Some(self.turns)) == *self;
        let (name, _) = Self::NAMED.iter().find(|(_, rules)| alike(rules))?;
        Some((name, Some(self.turns)))
    }

    /// Whether an arrow burns a square; else a wall is built.
    pub fn burns(&self) -> bool {
        self.shot != Shot::Wall
    }
}

/// The name, with the turns if they are not those of the name: `amazons`, `killer --turns 1,2`.
impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.named() {
            Some((name, None)) => f.write_str(name),
            Some((name, Some(turns))) => write!(f, "{name} --turns {turns}"),
            None => {
                write!(f, "{:?}, {:?}, {:?}, {}", self.step, self.origin, self.shot, self.turns)
            }
        }
    }
}

impl FromStr for RuleSet {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let named = Self::NAMED.into_iter().find(|&(name, _)| name == text);
        named.map(|(_, rules)| rules).ok_or_else(|| RulesError { found: text.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_read_and_written() {
        for (text, written) in [("1", "1"), ("1,3,4", "1,3,4"), ("2,2", "2"), ("1,2,2,2", "1,2")] {
            assert_eq!(text.parse::<Turns>().unwrap().to_string(), written);
        }
        let turns: Turns = "1,3,4".parse().unwrap();
        assert_eq!(turns, RuleSet::TURNS_134.turns);
        assert_eq!([1, 2, 3, 4, 200].map(|number| turns.length(number)), [1, 3, 4, 4, 4]);
        assert_eq!([1, 2, 3].map(|number| turns.after(number)), [2, 3, 3]);
        for text in ["", "0", "1,", "1,,2", "-1", "51", "1 2", "1,1,1,1,1,1,1,1,1", "x"] {
            let error = text.parse::<Turns>().unwrap_err().to_string();
            assert!(error.contains("for example 1,3,4, found"), "{error}");
        }
    }

    #[test]
    fn named_sets_are_read_and_written() {
        for (name, rules) in RuleSet::NAMED {
            assert_eq!(name.parse(), Ok(rules));
            assert_eq!(rules.to_string(), name);
        }
        let error = "Amazons".parse::<RuleSet>().unwrap_err().to_string();
        assert!(error.contains("amazons, killer, cowboys, pencil, 134, tromazons"), "{error}");
        let twice = RuleSet { turns: "1,2".parse().unwrap(), ..RuleSet::KILLER };
        assert_eq!(twice.to_string(), "killer --turns 1,2");
        assert_eq!(twice.named(), Some(("killer", Some(twice.turns))));
        assert_eq!(
            RuleSet::AMAZONS.with_turns(Some(RuleSet::TURNS_134.turns)).named(),
            Some(("134", None))
        );
    }
}
