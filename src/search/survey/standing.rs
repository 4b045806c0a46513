//! How a position and each of its moves stand: what is known of them, and what follows from it.

use serde::{Deserialize, Serialize};

use crate::game::Outcome;
use crate::search::monitor::history::MoveCounts;

/// Which moves are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// One that wins, if there is any.
    One,
    /// Every one, whether it wins or not.
    All,
}

/// The position, or one of its moves by its place among all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::search) enum Item {
    Position,
    Move(usize),
}

/// What is known of a position and its moves, of which type ever.
#[derive(Clone, Debug)]
pub struct Standing<M> {
    pub(in crate::search) wanted: Wanted,
    pub(in crate::search) outcome: Option<Outcome>,
    pub(in crate::search) moves: Vec<(M, Option<Outcome>)>,
}

impl<M: Copy> Standing<M> {
    /// Nothing is known yet.
    pub(in crate::search) fn new(wanted: Wanted, moves: impl IntoIterator<Item = M>) -> Self {
        let moves = moves.into_iter().map(|played| (played, None)).collect();
        Self { wanted, outcome: None, moves }
    }

    /// What the side to move reaches, if that is known.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// All moves, in the order in which the rules list them, and what their maker reaches by each,
    /// if that is known.
    pub fn moves(&self) -> &[(M, Option<Outcome>)] {
        &self.moves
    }

    /// The moves of a value; of `None` those whose value is not known.
    pub fn of_value(&self, value: Option<Outcome>) -> Vec<M> {
        self.moves.iter().filter(|(_, known)| *known == value).map(|(played, _)| *played).collect()
    }

    /// Whether all is known that was asked for.
    pub fn is_complete(&self) -> bool {
        let win = Some(Outcome::Win);
        match (self.outcome, self.wanted) {
            (None, _) => false,
            (Some(Outcome::Loss), _) => true,
            (Some(Outcome::Win), Wanted::One) => self.moves.iter().any(|&(_, known)| known == win),
            (Some(Outcome::Win), Wanted::All) => {
                self.moves.iter().all(|(_, known)| known.is_some())
            }
        }
    }

    /// How many moves are of which value; all are 0 if not all were asked for.
    pub fn counts(&self) -> MoveCounts {
        let count = |value| self.moves.iter().filter(|(_, known)| *known == value).count() as u32;
        match self.wanted {
            Wanted::One => MoveCounts::default(),
            Wanted::All => {
                let [win, lose, open] = [Some(Outcome::Win), Some(Outcome::Loss), None].map(count);
                MoveCounts { win, lose, open }
            }
        }
    }

    /// Takes over what a turn of an item has found out: what the side to move reaches by it.
    pub(in crate::search) fn record(&mut self, item: Item, found: Option<Outcome>) {
        let known = match item {
            Item::Position => &mut self.outcome,
            Item::Move(index) => &mut self.moves[index].1,
        };
        *known = known.or(found);
    }

    /// Takes over what is known of the position, first, and of moves.
    pub(in crate::search) fn learn(&mut self, known: &[Option<Outcome>]) {
        let Some((&of_position, of_moves)) = known.split_first() else { return };
        self.outcome = self.outcome.or(of_position);
        for ((_, value), &known) in self.moves.iter_mut().zip(of_moves) {
            *value = value.or(known);
        }
        self.conclude();
    }

    /// Takes over what follows from what is known.
    pub(in crate::search) fn conclude(&mut self) {
        if self.outcome == Some(Outcome::Loss) {
            self.moves.iter_mut().for_each(|(_, known)| *known = Some(Outcome::Loss));
        }
        if self.moves.iter().any(|(_, known)| *known == Some(Outcome::Win)) {
            self.outcome = Some(Outcome::Win);
        } else if self.moves.iter().all(|(_, known)| *known == Some(Outcome::Loss)) {
            self.outcome = Some(Outcome::Loss);
        }
    }
}
