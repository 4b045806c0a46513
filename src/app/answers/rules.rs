//! `/api/v1/rules`: the games there are, and the choices that make them.

use serde::Serialize;

use crate::game::variants::{Origin, RuleSet, Shot, Step};

/// `/api/v1/rules`.
#[derive(Clone, Debug, Serialize)]
pub struct RulesReport {
    /// What a page begins with.
    first: Named,
    /// Those that have names.
    rules: Vec<Choices>,
}

/// How a game is asked for.
#[derive(Clone, Debug, Serialize)]
struct Named {
    rules: &'static str,
    /// If they are not those of the name.
    turns: Option<String>,
}

/// A game.
#[derive(Clone, Debug, Serialize)]
struct Choices {
    name: &'static str,
    /// How an amazon steps: `queen`, `capturing`, `knight` or `neighbour`.
    step: &'static str,
    /// What becomes of the square that it leaves: `empty`, or `burns` before the shot.
    origin: &'static str,
    /// What it shoots: like a `queen` or a `knight`, or it builds a `wall`.
    shot: &'static str,
    /// Moves of a turn.
    turns: String,
}

impl RulesReport {
    /// All games, with the one that a page begins with.
    pub fn beginning_with(first: RuleSet) -> Self {
        // What has no name cannot be asked for.
        let (rules, turns) = first.named().unwrap_or(("amazons", None));
        let turns = turns.map(|turns| turns.to_string());
        let rules_of = RuleSet::NAMED.into_iter().map(|(name, rules)| Choices::of(name, rules));
        Self { first: Named { rules, turns }, rules: rules_of.collect() }
    }
}

impl Choices {
    fn of(name: &'static str, rules: RuleSet) -> Self {
        Self {
            name,
            step: match rules.step {
                Step::Queen => "queen",
                Step::Capturing => "capturing",
                Step::Knight => "knight",
                Step::Neighbour => "neighbour",
            },
            origin: match rules.origin {
                Origin::Empty => "empty",
                Origin::Burns => "burns",
            },
            shot: match rules.shot {
                Shot::Queen => "queen",
                Shot::Knight => "knight",
                Shot::Wall => "wall",
            },
            turns: rules.turns.to_string(),
        }
    }
}
