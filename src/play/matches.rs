//! Matches between two engines, and what their results mean.

use rayon::prelude::*;

use super::engine::{Engine, EngineError};
use super::limits::Limits;
use super::match_openings::MatchOpenings;
use super::settings::Settings;
use crate::game::rules::{Colour, Position};
use crate::machine::progress::{Observer, StopFlag};

/// One of the two engines of a match: how it plays and how long it may think about each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineConfig {
    /// How it plays.
    pub settings: Settings,
    /// Limits of each move.
    pub limits: Limits,
}

/// A match: both engines play every opening from both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// The engines.
    pub engines: [EngineConfig; 2],
    /// Where games start before the openings.
    pub start: Position,
    /// The openings.
    pub openings: MatchOpenings,
    /// How many games.
    pub games: u64,
}

/// A finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    /// Number in the match, from 0. Games 2n and 2n + 1 have the same opening.
    pub number: u64,
    /// The position the engines began with.
    pub opening: Position,
    /// What the first engine played.
    pub first: Colour,
    /// Who won.
    pub winner: Colour,
    /// Moves after the opening.
    pub moves: u32,
}

impl Game {
    /// Whether the first engine won.
    pub fn first_won(&self) -> bool {
        self.winner == self.first
    }
}

impl Match {
    /// Plays the games, several at a time on the threads of the current pool; those that `stop`
    /// interrupted are left out. With nodes or depth as limits and one thread an engine, the same
    /// match has the same games.
    ///
    /// # Errors
    /// As [`Engine::choose`].
    pub fn play(&self, stop: &StopFlag, observer: &dyn Observer) -> Result<Vec<Game>, EngineError> {
        observer.begin("match", self.games, "games");
        let game = |number| -> Result<Option<Game>, EngineError> {
            let game = self.game(number, stop)?;
            if game.is_some() {
                observer.add(1);
            }
            Ok(game)
        };
        let games: Result<Vec<_>, _> = (0..self.games).into_par_iter().map(game).collect();
        Ok(games?.into_iter().flatten().collect())
    }

    /// One game, `None` if it was interrupted.
    fn game(&self, number: u64, stop: &StopFlag) -> Result<Option<Game>, EngineError> {
        // To set up the opening and the players of every game that is left would take long.
        if stop.is_set() {
            return Ok(None);
        }
        let opening = self.openings.opening(&self.start, number / 2)?;
        let first = if number.is_multiple_of(2) { Colour::White } else { Colour::Black };
        let player = |engine: &EngineConfig| Engine::new(opening.board(), engine.settings);
        let mut players = [player(&self.engines[0])?, player(&self.engines[1])?];
        let (mut position, mut moves) = (opening, 0);
        loop {
            if stop.is_set() {
                return Ok(None);
            }
            let at = usize::from(position.turn() != first);
            let limits = &self.engines[at].limits;
            let decision = players[at].choose(&position, limits, stop, &mut |_| {})?;
            let Some(next) = decision.played.and_then(|played| position.play_indexed(played).ok())
            else {
                break;
            };
            (position, moves) = (next, moves + 1);
        }
        Ok(Some(Game { number, opening, first, winner: position.turn().other(), moves }))
    }
}

/// The result of a match for its first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
}

/// Standard deviations on either side of a 95 % interval.
const Z: f64 = 1.959_964;

impl Tally {
    /// The tally of some games.
    pub fn of(games: &[Game]) -> Self {
        let wins = games.iter().filter(|game| game.first_won()).count() as u64;
        Self { wins, losses: games.len() as u64 - wins }
    }

    /// Share of games won, from 0 to 1; a half of no games.
    pub fn score(self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.wins as f64 / self.games() as f64 }
    }

    /// Number of games.
    pub fn games(self) -> u64 {
        self.wins + self.losses
    }

    /// The 95 % interval of the score (E. B. Wilson, 1927). There are no draws, so games are coin
    /// throws; that pairs of games share an opening only makes the true interval smaller.
    pub fn interval(self) -> (f64, f64) {
        let (n, p, z2) = (self.games() as f64, self.score(), Z * Z);
        if n == 0.0 {
            return (0.0, 1.0);
        }
        let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        // Both ends as they are without rounding where all games were lost or won.
        let low = if self.wins == 0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if self.losses == 0 { 1.0 } else { (centre + half).min(1.0) };
        (low, high)
    }

    /// The difference in strength, in Elo points, with its 95 % interval; infinite where the score
    /// is 0 or 1.
    pub fn elo(self) -> (f64, f64, f64) {
        // From 0, so that half of the points are 0 and not -0.
        let elo = |score: f64| 0.0 - 400.0 * (1.0 / score - 1.0).log10();
        let (low, high) = self.interval();
        (elo(self.score()), elo(low), elo(high))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn elo_and_its_error_bars() {
        let (elo, low, high) = Tally { wins: 60, losses: 40 }.elo();
        // Wilson's interval of 60 in 100 is 0.502 to 0.691.
        assert!(
            (elo - 70.4).abs() < 0.1 && (low - 1.4).abs() < 0.5 && (high - 139.5).abs() < 0.5,
            "{elo} {low} {high}"
        );
        let (elo, low, high) = Tally { wins: 10, losses: 0 }.elo();
        assert!(elo.is_infinite() && low > 100.0 && high.is_infinite(), "{elo} {low} {high}");
        for losses in 1..100 {
            assert_eq!(Tally { wins: 0, losses }.interval().0, 0.0);
            assert_eq!(Tally { wins: losses, losses: 0 }.interval().1, 1.0);
        }
        assert_eq!(Tally::default().interval(), (0.0, 1.0));
        assert_eq!(format!("{:+.0}", Tally { wins: 3, losses: 3 }.elo().0), "+0");
    }

    /// A match of two that play fast.
    fn a_match(games: u64) -> Match {
        let engine = |nodes, width| EngineConfig {
            settings: Settings { memory: 1 << 16, width, ..Settings::default() },
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
        };
        Match {
            engines: [engine(3000, 0), engine(50, 2)],
            start: crate::game::rules::start("4x4".parse().unwrap()).unwrap(),
            openings: MatchOpenings::default(),
            games,
        }
    }

    #[test]
    fn a_match_can_be_repeated_and_swaps_sides() {
        let played = a_match(12);
        let games = played.play(&StopFlag::new(), &()).unwrap();
        assert_eq!(games, played.play(&StopFlag::new(), &()).unwrap());
        for pair in games.chunks(2) {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_ne!(pair[0].first, pair[1].first);
        }
        assert_eq!(Tally::of(&games).games(), 12);
    }

    /// Counts games, and stops the match after the first.
    #[derive(Default)]
    struct StopsAtOnce {
        stop: StopFlag,
        games: AtomicU64,
    }

    impl Observer for StopsAtOnce {
        fn add(&self, count: u64) {
            self.games.fetch_add(count, Ordering::Relaxed);
            self.stop.stop();
        }
    }

    #[test]
    fn an_interrupt_leaves_out_the_games_that_are_left() {
        let observer = StopsAtOnce::default();
        let games = a_match(1000).play(&observer.stop, &observer).unwrap();
        assert!((1..1000).contains(&games.len()), "{} games", games.len());
        assert_eq!(observer.games.into_inner(), games.len() as u64, "games that were not played");

        // Not even the opening of a game that is left is chosen: of so many it would take hours.
        let endless = MatchOpenings { choices: u32::MAX, ..MatchOpenings::default() };
        let stop = StopFlag::new();
        stop.stop();
        let left = Match { openings: endless, ..a_match(2) };
        assert!(left.play(&stop, &()).unwrap().is_empty());
    }
}
