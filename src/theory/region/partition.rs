//! The partition of a position: its components, and within each the finer parts that amazons wall
//! off.
//!
//! Components do not touch, so the position is their sum. Inside a component with amazons of both
//! players, let `F(B)` be the empty squares that B's amazons reach by king steps over empty squares
//! alone, for either player B, A the other one. An amazon of A is a *blocker* if it stands beside
//! `F(B)` or beside an amazon of B; the others are *free*.
//!
//! | part | its squares |
//! |---|---|
//! | A's | a connected set of A's free amazons and of empty squares outside `F(B)` |
//! | contested | a connected set of empty squares of both `F(A)` and `F(B)` |
//!
//! Every empty square of a component is in exactly one part: it is connected over empty squares to
//! some amazon, hence in `F(A)` or `F(B)`, and being in both, or in one alone, does not change
//! along a chain of empty squares.
//!
//! **Claim.** Let `lo(P)` for a part P of A be the number of moves that A's amazons *assigned* to P
//! can make as below, no amazon assigned twice, and `hi(H)` for a *hall* H of B, a connected set of
//! squares of `F(B)` and B's amazons, the longest play of B's amazons alone in H. Then the
//! component is worth at least `sum lo(P) - sum hi(H)` moves to A, whoever moves.
//!
//! **Proof.** A answers nothing and makes the moves of its parts one after the other:
//!
//! 1. Free amazons play inside their part. Its squares, their own among them, are not beside `F(B)`
//!    or B's amazons, and whatever surrounds the part is burned, a blocker, or off the board; so
//!    steps and shots stay inside it.
//! 2. A blocker assigned to P steps to a square of P and shoots back onto the square that it left,
//!    which a queen can always do; from then on it is a free amazon of P without that square.
//! 3. So the squares around B's halls stay burned or hold blockers for ever: B's steps and shots
//!    stay inside them, and A never changes them. B's moves in a hall are a play of B alone, at
//!    most `hi(H)` of them; A's moves do not interfere with each other, since parts are disjoint. A
//!    therefore makes its `sum lo(P)` moves whatever B does.
//!
//! Longest plays of small sets are exact ([`Territories`]) as long as there is an [`Allowance`] to
//! search for them; others are bounded by their empty squares from above and by a greedy walk
//! ([`greedy_walk`]) from below, which (1) and (2) allow too. See [`blocker`](super::blocker),
//! which is the special case that the search can afford at every node. (M. Müller, "Solving 5x5
//! Amazons", 2001, has the idea of blockers.)

use super::allowance::Allowance;
use super::blocker::greedy_walk;
use super::local::{Cell, LocalGame, Player};
use super::territory::Territories;
use crate::game::board::{Bitboard, Kings, SquareIndex, Word};

/// Longest plays are searched for up to so many empty squares.
const EXACT: usize = 14;

/// A component of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component<W: Word = u64> {
    /// All its squares.
    pub squares: Bitboard<W>,
    /// Amazons that wall a part off.
    pub blockers: Bitboard<W>,
    /// Its parts, by their lowest squares.
    pub parts: Vec<Part<W>>,
    /// What the component is worth to Left at least, in moves.
    pub low: i32,
    /// What it is worth to Left at most.
    pub high: i32,
}

/// A part of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<W: Word = u64> {
    /// The player who holds it; `None` if it is contested.
    pub owner: Option<Player>,
    /// Its empty squares.
    pub empty: Bitboard<W>,
    /// The free amazons that live in it.
    pub amazons: Bitboard<W>,
    /// Blockers that its owner's moves are counted with.
    pub assigned: Bitboard<W>,
    /// Moves that Left is sure of while its blockers hold, and the most it can make here.
    pub left: MoveBounds,
    /// The same for Right.
    pub right: MoveBounds,
}

/// How many moves of a part a player can count on, and cannot exceed: its share of the sums of the
/// component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MoveBounds {
    /// At least.
    pub least: i32,
    /// At most.
    pub most: i32,
}

/// A component that is to be divided into parts.
#[derive(Clone, Copy, Debug)]
struct Undivided<'a, W: Word> {
    kings: &'a Kings<W>,
    territories: &'a Territories,
    allowance: &'a Allowance,
    left: Bitboard<W>,
    right: Bitboard<W>,
    empty: Bitboard<W>,
}

/// The components that have an amazon, by their lowest squares. The three sets are disjoint, and
/// every other square is burned. Their bounds are as close as the allowance makes them.
pub fn partition<W: Word>(
    kings: &Kings<W>,
    territories: &Territories,
    allowance: &Allowance,
    left: Bitboard<W>,
    right: Bitboard<W>,
    empty: Bitboard<W>,
) -> Vec<Component<W>> {
    let cells = left | right | empty;
    let found =
        kings.components(cells, cells).filter(|component| component.intersects(left | right));
    let component = |squares: Bitboard<W>| {
        let (left, right, empty) = (left & squares, right & squares, empty & squares);
        Undivided { kings, territories, allowance, left, right, empty }.component()
    };
    found.map(component).collect()
}

/// What one player has in a component.
#[derive(Debug)]
struct Side<W: Word> {
    blockers: Bitboard<W>,
    parts: Vec<Part<W>>,
    /// The sum of `hi` over the halls.
    most: i32,
}

impl<W: Word> Undivided<'_, W> {
    fn amazons(&self, player: Player) -> Bitboard<W> {
        match player {
            Player::Left => self.left,
            Player::Right => self.right,
        }
    }

    /// `F`: the empty squares that a player's amazons reach by king steps over empty squares.
    fn flooded(&self, player: Player) -> Bitboard<W> {
        self.kings.flood(self.amazons(player), self.empty) & self.empty
    }

    fn component(&self) -> Component<W> {
        let [left, right] = [Player::Left, Player::Right].map(|player| self.side(player));
        let sure = |side: &Side<W>, player: Player| {
            side.parts.iter().map(|part| part.of(player).least).sum::<i32>()
        };
        let low = sure(&left, Player::Left) - right.most;
        let high = left.most - sure(&right, Player::Right);
        let blockers = left.blockers | right.blockers;
        let mut parts: Vec<Part<W>> = left.parts.into_iter().chain(right.parts).collect();
        let contested = self.flooded(Player::Left) & self.flooded(Player::Right);
        parts.extend(self.kings.components(contested, contested).map(Part::contested));
        parts.sort_by_key(|part| (part.empty | part.amazons).first());
        Component { squares: self.left | self.right | self.empty, blockers, parts, low, high }
    }

    fn side(&self, player: Player) -> Side<W> {
        let (own, theirs) = (self.amazons(player), self.amazons(player.other()));
        let reached = self.flooded(player.other());
        let blockers = own & self.kings.neighbours(reached | theirs);
        let free = own.without(blockers);
        let kept = self.empty.without(reached) | free;
        let mut parts: Vec<Part<W>> = self
            .kings
            .components(kept, kept)
            .map(|squares| Part::owned(player, squares & self.empty, squares & free))
            .collect();
        self.assign(&mut parts, blockers);
        for part in &mut parts {
            let moves = MoveBounds { least: self.least(part), most: part.empty.len() as i32 };
            *part.of_mut(player) = moves;
        }
        let halls = self.kings.components(own, own | self.flooded(player));
        let most = halls.map(|hall| self.longest_at_most(hall & own, hall & self.empty)).sum();
        Side { blockers, parts, most }
    }

    /// Gives every blocker to at most one part that it stands beside: one without an amazon if
    /// there is one, the largest of several.
    fn assign(&self, parts: &mut [Part<W>], blockers: Bitboard<W>) {
        let mut waiting: Vec<SquareIndex> = blockers.iter().collect();
        let beside = |square: SquareIndex, part: &Part<W>| {
            self.kings.neighbours(Bitboard::of(square)).intersects(part.empty)
        };
        // Who has the fewest parts to choose from chooses first.
        waiting.sort_by_key(|&square| parts.iter().filter(|part| beside(square, part)).count());
        for square in waiting {
            let near = parts.iter_mut().filter(|part| beside(square, part));
            let best = near
                .max_by_key(|part| ((part.amazons | part.assigned).is_empty(), part.empty.len()));
            if let Some(part) = best {
                part.assigned = part.assigned.with(square);
            }
        }
    }

    /// `lo` of a part.
    fn least(&self, part: &Part<W>) -> i32 {
        let walk = greedy_walk(self.kings, part.amazons | part.assigned, part.empty) as i32;
        let free = self.longest(part.amazons, part.empty).unwrap_or(0);
        walk.max(free).max(self.entering(part))
    }

    /// The longest play after one blocker entered the part, of it and the free amazons; the blocker
    /// that does best.
    fn entering(&self, part: &Part<W>) -> i32 {
        let mut best = 0;
        for blocker in part.assigned {
            for to in self.kings.neighbours(Bitboard::of(blocker)) & part.empty {
                let empty = part.empty.without(Bitboard::of(to));
                let after = self.longest(part.amazons.with(to), empty);
                best = best.max(after.map_or(0, |moves| moves + 1));
            }
        }
        best
    }

    /// The longest play of amazons alone on these squares, if that is quick to find.
    fn longest(&self, amazons: Bitboard<W>, empty: Bitboard<W>) -> Option<i32> {
        let room = empty.len();
        if greedy_walk(self.kings, amazons, empty) == room {
            return Some(room as i32);
        }
        if room > EXACT {
            return None;
        }
        let board = self.kings.board();
        let cell = |square: SquareIndex| {
            let kind =
                if amazons.contains(square) { Cell::Amazon(Player::Left) } else { Cell::Empty };
            (board.rank(square), board.file(square), kind)
        };
        let cells: Vec<_> = (amazons | empty).iter().map(cell).collect();
        let game = LocalGame::from_cells(&cells)?;
        let moves = self.territories.moves_within(&self.allowance.share(), &game);
        moves.ok().map(|moves| moves as i32)
    }

    fn longest_at_most(&self, amazons: Bitboard<W>, empty: Bitboard<W>) -> i32 {
        self.longest(amazons, empty).unwrap_or(empty.len() as i32)
    }
}

impl<W: Word> Part<W> {
    fn owned(player: Player, empty: Bitboard<W>, amazons: Bitboard<W>) -> Self {
        let none = MoveBounds::default();
        let assigned = Bitboard::EMPTY;
        Self { owner: Some(player), empty, amazons, assigned, left: none, right: none }
    }

    fn contested(empty: Bitboard<W>) -> Self {
        let moves = MoveBounds { least: 0, most: empty.len() as i32 };
        let none = Bitboard::EMPTY;
        Self { owner: None, empty, amazons: none, assigned: none, left: moves, right: moves }
    }

    /// The moves of a player.
    pub fn of(&self, player: Player) -> MoveBounds {
        match player {
            Player::Left => self.left,
            Player::Right => self.right,
        }
    }

    fn of_mut(&mut self, player: Player) -> &mut MoveBounds {
        match player {
            Player::Left => &mut self.left,
            Player::Right => &mut self.right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::U512;
    use crate::game::notation::LocalPosition;

    fn parted(rows: &str) -> Vec<Component> {
        parted_within(&Territories::new(), &Allowance::default(), rows)
    }

    fn parted_within(
        territories: &Territories,
        allowance: &Allowance,
        rows: &str,
    ) -> Vec<Component> {
        let rows: LocalPosition = rows.parse().unwrap();
        let kings = Kings::new(rows.board).unwrap();
        let narrow = |set: Bitboard<U512>| set.resize::<u64>().unwrap();
        let (left, right) = (narrow(rows.left), narrow(rows.right));
        let empty = kings.all().without(left | right | narrow(rows.burned));
        partition(&kings, territories, allowance, left, right, empty)
    }

    #[test]
    fn a_blocker_keeps_what_is_behind_it() {
        // Left's amazon stands in a gap: three squares behind it, two before it.
        let found = parted("...x..o");
        let [component] = &found[..] else { panic!("{found:?}") };
        let kinds: Vec<_> =
            component.parts.iter().map(|part| (part.owner, part.empty.len())).collect();
        assert_eq!(kinds, [(Some(Player::Left), 3), (None, 2)]);
        assert_eq!(component.parts[0].left, MoveBounds { least: 3, most: 3 });
        assert_eq!((component.blockers.len(), component.low, component.high), (2, 1, 5));
    }

    #[test]
    fn a_component_of_one_colour_is_an_integer() {
        let found = parted("x..#oo|.#.#..");
        assert_eq!(found.iter().map(|c| (c.low, c.high)).collect::<Vec<_>>(), [(4, 4), (-2, -2)]);
        assert!(
            found
                .iter()
                .all(|component| component.blockers.is_empty() && component.parts.len() == 1)
        );
    }

    #[test]
    fn a_part_that_takes_millions_of_positions_gets_bounds() {
        // Its longest play is 13.
        let hard = "####.##|##...##|x..#.x.|###x.#.|#.##x#.|##x.#x#|#.###x#";
        let (territories, allowance) = (Territories::new(), Allowance::default());
        let found = parted_within(&territories, &allowance, hard);
        assert!(found[0].low <= 13 && found[0].high == 14, "{found:?}");
        assert!(territories.len() < 1 << 14, "{}", territories.len());
        // The next part is found all the same.
        let found = parted_within(&territories, &allowance, "x.#|.##|..#");
        assert_eq!(found[0].low, found[0].high);
    }

    #[test]
    fn less_to_search_makes_wider_bounds() {
        for rows in ["x.#.|.##x|..#.|x#..", "#x#|.#.|.o.", ".x#o.|.#.#.|x..#o"] {
            let exact = parted(rows);
            for positions in [0, 1, 8] {
                let found = parted_within(&Territories::new(), &Allowance::of(positions), rows);
                for (wide, exact) in found.iter().zip(&exact) {
                    assert!(wide.low <= exact.low && exact.high <= wide.high, "{rows}: {wide:?}");
                }
            }
        }
    }

    #[test]
    fn a_blocker_is_counted_in_one_part_only() {
        // The amazon in the middle touches two dead ends and the contested square below it.
        let found = parted(".#.|#x#|#.#|#o#");
        let sure: i32 = found[0].parts.iter().map(|part| part.left.least).sum();
        assert_eq!((found[0].parts.len(), sure), (3, 1));
    }
}
