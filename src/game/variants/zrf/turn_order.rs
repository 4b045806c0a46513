//! Whose moves the turns of a rules file consist of, and which turn of some rules comes first.

use crate::game::rules::Colour;
use crate::game::variants::rule_set::Turns;

/// The turns in a file: of each how many steps and shots it has together.
pub(super) struct TurnOrder {
    /// Who begins.
    pub(super) first: Colour,
    /// The turns that come once.
    once: Vec<usize>,
    /// Those that are repeated.
    repeated: Vec<usize>,
}

impl TurnOrder {
    /// The turns of these steps and shots, by who makes them, `None` where those begin that are
    /// repeated; if there is no such place, all are. `None` for no turns.
    pub(super) fn new(order: &[Option<Colour>]) -> Option<Self> {
        let first = order.iter().flatten().copied().next()?;
        let repeat = order.iter().position(Option::is_none);
        let (once, repeated) = match repeat {
            Some(place) => (&order[..place], &order[place + 1..]),
            None => (&order[..0], order),
        };
        let turns =
            |order: &[Option<Colour>]| order.chunk_by(PartialEq::eq).map(<[_]>::len).collect();
        Some(Self { first, once: turns(once), repeated: turns(repeated) })
    }

    /// The number of the first turn: the least from which the turns of the rules are those of the
    /// file, a move being a step and a shot. 1 if there is none: the file has other turns.
    pub(super) fn number(&self, turns: Turns) -> u8 {
        let after =
            |number: u8, more: usize| number.saturating_add(u8::try_from(more).unwrap_or(u8::MAX));
        let fits = |&number: &u8| {
            let all = self.once.iter().chain(&self.repeated).enumerate();
            let length = |turn| 2 * usize::from(turns.length(after(number, turn)));
            after(number, self.once.len()) >= turns.count() && { all }
                .all(|(turn, &steps)| steps == length(turn))
        };
        (1..=turns.count()).find(fits).unwrap_or(1)
    }
}
