//! The rules that tables can be about.

use std::fmt;

use crate::game::variants::{RuleSet, Shot, Step, Turns};

/// The rules of a table: those of the family by which every move burns the same number of squares,
/// so that the positions with as many burned squares depend on one other tier alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TableRules {
    /// Amazons.
    #[default]
    Amazons,
    /// Cowboys Amazons.
    Cowboys,
    /// Pencil & Paper Amazons.
    Pencil,
    /// Killer Amazons.
    Killer,
}

/// Rules that no table is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "tables are about amazons, cowboys, pencil and killer, found {rules}: {}; a search answers single positions",
    why_not(.rules)
)]
pub struct NoTables {
    rules: RuleSet,
}

/// Why the tiers of a table do not fit some rules.
fn why_not(rules: &RuleSet) -> &'static str {
    if rules.turns != Turns::SINGLE {
        return "with turns of several moves a position is more than its squares";
    }
    match rules.shot {
        Shot::Wall => "a wall burns no square, so tiers by burned squares do not order the moves",
        _ => "no kernel knows them",
    }
}

impl TableRules {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Amazons, Self::Cowboys, Self::Pencil, Self::Killer];

    /// Those of a rule set.
    ///
    /// # Errors
    /// [`NoTables`], with the reason.
    pub fn of(rules: RuleSet) -> Result<Self, NoTables> {
        Self::ALL.into_iter().find(|known| known.set() == rules).ok_or(NoTables { rules })
    }

    /// The rules.
    pub fn set(self) -> RuleSet {
        match self {
            Self::Amazons => RuleSet::AMAZONS,
            Self::Cowboys => RuleSet::COWBOYS,
            Self::Pencil => RuleSet::PENCIL,
            Self::Killer => RuleSet::KILLER,
        }
    }

    /// How many squares a move burns.
    pub fn burned(self) -> usize {
        match self {
            Self::Amazons | Self::Cowboys | Self::Killer => 1,
            Self::Pencil => 2,
        }
    }

    /// Whether amazons can be taken, so that a move may lead to tiers with fewer of them.
    pub fn captures(self) -> bool {
        self.set().step == Step::Capturing
    }

    /// The number that stands for them in files.
    pub fn number(self) -> u8 {
        match self {
            Self::Amazons => 0,
            Self::Cowboys => 1,
            Self::Pencil => 2,
            Self::Killer => 3,
        }
    }

    /// Those of a number, if there are any.
    pub fn numbered(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.number() == number)
    }

    /// Their name and a space before something, nothing for Amazons, which needs no name.
    pub fn prefix(self) -> impl fmt::Display {
        struct Prefix(TableRules);
        impl fmt::Display for Prefix {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0 {
                    TableRules::Amazons => Ok(()),
                    rules => write!(f, "{rules} "),
                }
            }
        }
        Prefix(self)
    }
}

/// The name, as [`RuleSet`] has it.
impl fmt::Display for TableRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.set().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_known_by_set_and_number() {
        for rules in TableRules::ALL {
            assert_eq!(TableRules::of(rules.set()), Ok(rules));
            assert_eq!(TableRules::numbered(rules.number()), Some(rules));
        }
        assert_eq!(TableRules::numbered(TableRules::ALL.len() as u8), None);
    }

    #[test]
    fn what_has_no_tables_is_told_why() {
        for (rules, why) in [
            (RuleSet::TURNS_134, "found 134: with turns of several moves"),
            (RuleSet::TROMAZONS, "found tromazons: a wall burns no square"),
        ] {
            let error = TableRules::of(rules).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}
