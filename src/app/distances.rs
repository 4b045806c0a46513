//! Who is nearer to each square, as `amazons show --distances` and the explorer have it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::board::{BoardError, SquareIndex};
use crate::game::notation::Area;
use crate::game::rules::{Colour, Position};
use crate::play::queen_distances;

/// Queen moves to each square from a1, b1 and so on; `null` for those that the side does not reach.
#[derive(Debug, Serialize)]
pub struct Distances {
    white: Vec<Option<u8>>,
    black: Vec<Option<u8>>,
}

/// How many squares each side owns: those that it reaches in fewer moves than the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Owned {
    white: usize,
    black: usize,
    /// Squares that both sides reach in as many moves.
    both: usize,
}

/// The distances of both sides to one square, which at least one of them reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    white: Option<u8>,
    black: Option<u8>,
}

impl Distances {
    /// The distances in a position.
    ///
    /// # Errors
    /// If the board fits no word; no board is that large.
    pub fn of(position: &Position) -> Result<Self, BoardError> {
        let distances = queen_distances(position)?;
        Ok(Self { white: distances.white, black: distances.black })
    }

    /// The squares that a side reaches.
    fn pairs(&self) -> impl Iterator<Item = (SquareIndex, Pair)> + '_ {
        let pairs = self.white.iter().zip(&self.black);
        let pairs = pairs.map(|(&white, &black)| Pair { white, black });
        let squares = (0..).map(SquareIndex::new).zip(pairs);
        squares.filter(|(_, pair)| pair.white.is_some() || pair.black.is_some())
    }

    /// An area for the squares with the same two distances, which are its label: White's, a colon
    /// and Black's, with `-` for one that does not reach them.
    pub fn areas(&self) -> Vec<Area> {
        let mut areas: BTreeMap<Pair, Area> = BTreeMap::new();
        for (square, pair) in self.pairs() {
            let area = areas.entry(pair).or_insert_with(|| pair.area());
            area.squares = area.squares.with(square);
        }
        areas.into_values().collect()
    }

    /// How many squares each side owns.
    pub fn owned(&self) -> Owned {
        let mut owned = Owned::default();
        for (_, pair) in self.pairs() {
            *match pair.owner() {
                Some(Colour::White) => &mut owned.white,
                Some(Colour::Black) => &mut owned.black,
                None => &mut owned.both,
            } += 1;
        }
        owned
    }
}

impl Owned {
    /// The legend of a diagram.
    pub fn lines(self) -> [String; 2] {
        let Self { white, black, both } = self;
        [
            "white's queen moves:black's, - for never".to_string(),
            format!("nearer to white: {white}, to black: {black}, to neither: {both}"),
        ]
    }
}

impl Pair {
    /// Who reaches the square in fewer moves.
    fn owner(self) -> Option<Colour> {
        let moves = |distance: Option<u8>| distance.map_or(u16::MAX, u16::from);
        match moves(self.white).cmp(&moves(self.black)) {
            std::cmp::Ordering::Less => Some(Colour::White),
            std::cmp::Ordering::Greater => Some(Colour::Black),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// An area without squares yet.
    fn area(self) -> Area {
        let text =
            |distance: Option<u8>| distance.map_or("-".to_string(), |moves| moves.to_string());
        let label = format!("{}:{}", text(self.white), text(self.black));
        Area { squares: [].into_iter().collect(), owner: self.owner(), label }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::parse_fen;

    #[test]
    fn each_reached_square_is_in_one_area() {
        // Both reach b1, c1 and d1 in one move, Black alone f1.
        let position = parse_fen("******/Q3q1 w").unwrap();
        let distances = Distances::of(&position).unwrap();
        let areas = distances.areas();
        let all: usize = areas.iter().map(|area| area.squares.len()).sum();
        assert_eq!(distances.owned(), Owned { white: 0, black: 1, both: 3 });
        assert_eq!(all, 4);
        let labels: Vec<_> = areas.iter().map(|area| area.label.as_str()).collect();
        assert_eq!(labels, ["-:1", "1:1"]);
    }

    #[test]
    fn fewer_moves_own_a_square() {
        let position = parse_fen("Q2/*1*/1*q w").unwrap();
        let areas = Distances::of(&position).unwrap().areas();
        let of = |label: &str| areas.iter().find(|area| area.label == label).unwrap().owner;
        assert_eq!(of("1:1"), None);
        assert_eq!((of("2:2"), of("1:2")), (None, Some(Colour::White)));
    }
}
