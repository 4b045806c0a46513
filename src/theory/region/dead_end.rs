//! Dead ends: a lower bound on the defects of a territory.
//!
//! Let e be a square of a territory T such that T without e falls apart, and let D be one of the
//! parts, with no amazon on it. Every line from outside into D passes through e, so D is a *dead
//! end* with *entrance* e. Let `visitors` be the number of amazons of T. In the *relaxed game* on D
//! and e, up to that many visitors come and go: from outside a visitor may step to e, or through e
//! along any line of T, or shoot through e; on D and e it moves by the rules, and may shoot or
//! leave to the outside along any line of T through e. Outside there is always room, and shots
//! there burn nothing that counts. The *defects* of D are its squares that are never burned, at
//! least, when no visitor ends on D.
//!
//! **Claim.** If n amazons share T and `D_1, D_2, ..` are disjoint dead ends with defects `d_1 >=
//! d_2 >= ..`, then T has at least `d_(n+1) + d_(n+2) + ..` defects.
//!
//! **Proof.** Take a longest play. Every amazon ends on one square, so at most n of the dead ends
//! hold an amazon at the end. Restricted to another dead end D and its entrance, the play is one of
//! the relaxed game (an amazon that began on e is a visitor who arrived there) in which no visitor
//! ends on D; so at least `d` squares of D are not burned, nor occupied, at the end: they stay
//! empty. Each move burns one square and the number of amazons stays, so the defects of T are the
//! squares that are empty at the end. The dead ends are disjoint, so their squares add up.
//!
//! This is the dead-end bound of M. Müller and T. Tegos with a definition of a dead end's defects
//! that can be computed. It is weak on small territories: outside room is for nothing here.

use std::collections::HashMap;

use super::local::{LocalGame, Player};
use crate::machine::bits::ones;

/// A dead end of a territory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeadEnd {
    /// Its squares, as bits of the local game.
    pub squares: u64,
    /// The entrance, one bit; not among the squares.
    pub entrance: u64,
    /// Squares of it that stay empty unless an amazon ends on it.
    pub defects: u32,
}

/// Dead ends of more squares are not looked at: the relaxed game is solved by trying all plays.
const MAX_SQUARES: u32 = 6;

/// The dead ends with at least one defect of a one-colour territory, a connected game of Left's
/// amazons.
pub fn dead_ends(territory: &LocalGame) -> Vec<DeadEnd> {
    let visitors = territory.amazons(Player::Left).count_ones();
    let mut found = Vec::new();
    for entrance in ones(territory.squares()).map(|bit| 1u64 << bit) {
        let rest = territory.squares() & !entrance;
        let parts = parts(territory, rest);
        if parts.len() < 2 {
            continue;
        }
        for part in parts {
            let vacant = part & territory.amazons(Player::Left) == 0;
            if vacant && part.count_ones() <= MAX_SQUARES {
                let mut visit =
                    Visit { territory, part, entrance, visitors, burned: HashMap::new() };
                let defects = part.count_ones() - visit.most_burned(0, 0);
                if defects > 0 {
                    found.push(DeadEnd { squares: part, entrance, defects });
                }
            }
        }
    }
    found
}

/// A lower bound on the defects of a one-colour territory by disjoint dead ends, chosen greedily.
pub fn dead_end_bound(territory: &LocalGame) -> u32 {
    let mut ends = dead_ends(territory);
    ends.sort_by_key(|end| (std::cmp::Reverse(end.defects), end.squares.count_ones()));
    let (mut taken, mut defects) = (0u64, Vec::new());
    for end in ends {
        if end.squares & taken == 0 {
            taken |= end.squares;
            defects.push(end.defects);
        }
    }
    defects.iter().skip(territory.amazons(Player::Left).count_ones() as usize).sum()
}

fn parts(territory: &LocalGame, mut rest: u64) -> Vec<u64> {
    let mut parts = Vec::new();
    while rest != 0 {
        let part = territory.connected(rest & rest.wrapping_neg(), rest);
        rest &= !part;
        parts.push(part);
    }
    parts
}

/// The relaxed game on one dead end.
struct Visit<'a> {
    territory: &'a LocalGame,
    part: u64,
    entrance: u64,
    visitors: u32,
    /// By burned squares and squares of visitors: the most squares of the part burned in the end.
    burned: HashMap<(u64, u64), u32>,
}

impl Visit<'_> {
    fn most_burned(&mut self, gone: u64, inside: u64) -> u32 {
        if let Some(&known) = self.burned.get(&(gone, inside)) {
            return known;
        }
        // Entered first: a visitor may go round in circles over outside shots, which gains nothing.
        // A state that is met again on the way to itself counts as its own standing still.
        let stay = if inside & self.part == 0 { (gone & self.part).count_ones() } else { 0 };
        self.burned.insert((gone, inside), stay);
        let states = self.closure(gone, inside);
        let mut best = 0;
        for &state in &states {
            let still = if state & self.part == 0 { (gone & self.part).count_ones() } else { 0 };
            best = best.max(still);
            for arrow in self.burns(gone, state) {
                best = best.max(self.most_burned(gone | arrow.0, arrow.1));
            }
        }
        for state in states {
            self.burned.insert((gone, state), best);
        }
        best
    }

    /// All placements of visitors reached by moves whose shots burn nothing here.
    fn closure(&self, gone: u64, inside: u64) -> Vec<u64> {
        let mut states = vec![inside];
        let mut next = 0;
        while next < states.len() {
            let state = states[next];
            next += 1;
            for after in self.steps(gone, state) {
                // The move must be able to shoot outside: from outside always, from within through
                // the entrance.
                let free_shot =
                    after.moved_to == 0 || self.sees_outside(gone, after.inside, after.moved_to);
                if free_shot && !states.contains(&after.inside) {
                    states.push(after.inside);
                }
            }
        }
        states
    }

    /// Moves that burn a square of the part or the entrance: (arrow, visitors after).
    fn burns(&self, gone: u64, state: u64) -> Vec<(u64, u64)> {
        let here = self.part | self.entrance;
        let mut burns = Vec::new();
        let mut steps = self.steps(gone, state);
        // A visitor outside may step about there and then shoot in.
        if state.count_ones() < self.visitors {
            steps.push(Step { inside: state, moved_to: 0 });
        }
        for step in steps {
            let shots = match step.moved_to {
                0 => self.seen_from_outside(gone, step.inside),
                at => self.territory.reach(at, self.open(gone, step.inside)) & here,
            };
            burns.extend(ones(shots).map(|bit| (1 << bit, step.inside)));
        }
        burns
    }

    fn steps(&self, gone: u64, state: u64) -> Vec<Step> {
        let here = self.part | self.entrance;
        let mut steps = Vec::new();
        if state.count_ones() < self.visitors {
            let targets = self.seen_from_outside(gone, state);
            steps.extend(
                ones(targets).map(|bit| Step { inside: state | 1 << bit, moved_to: 1 << bit }),
            );
        }
        for from in ones(state).map(|bit| 1u64 << bit) {
            let targets = self.territory.reach(from, self.open(gone, state)) & here;
            steps.extend(
                ones(targets)
                    .map(|bit| Step { inside: state & !from | 1 << bit, moved_to: 1 << bit }),
            );
            if self.sees_outside(gone, state, from) {
                steps.push(Step { inside: state & !from, moved_to: 0 });
            }
        }
        steps
    }

    /// Everything that is not burned here and holds no visitor, the outside always open.
    fn open(&self, gone: u64, inside: u64) -> u64 {
        self.territory.squares() & !gone & !inside
    }

    fn sees_outside(&self, gone: u64, inside: u64, at: u64) -> bool {
        self.territory.reach(at, self.open(gone, inside)) & !(self.part | self.entrance) != 0
    }

    /// What visitors outside, wherever they are, can reach here.
    fn seen_from_outside(&self, gone: u64, inside: u64) -> u64 {
        let here = self.part | self.entrance;
        let outside = self.territory.squares() & !here;
        let open = self.open(gone, inside);
        ones(outside).fold(0, |seen, bit| seen | self.territory.reach(1 << bit, open)) & here
    }
}

struct Step {
    inside: u64,
    /// One bit, 0 for the outside.
    moved_to: u64,
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, Growth, Territories};
    use super::*;
    use crate::machine::long::long_tests;
    use proptest::prelude::*;

    #[test]
    fn the_bound_never_exceeds_the_defects_of_small_territories() {
        let territories = Territories::new();
        for size in 1..=if long_tests() { 7 } else { 6 } {
            for task in Growth::tasks(size) {
                task.for_each(size, &mut |region| {
                    for placement in 1u32..1 << size {
                        if placement.count_ones() <= 2 {
                            let game = LocalGame::on_region(&region, placement, 0);
                            assert!(dead_end_bound(&game) <= territories.defects(&game), "{game}");
                        }
                    }
                });
            }
        }
    }

    /// Rows of text, `x` an amazon.
    fn game(rows: &str) -> LocalGame {
        let row = |(row, text): (usize, &str)| -> Vec<(usize, usize, Cell)> {
            let cell = |(column, letter): (usize, char)| match letter {
                '.' => Some((row, column, Cell::Empty)),
                'x' => Some((row, column, Cell::Amazon(Player::Left))),
                _ => None,
            };
            text.chars().enumerate().filter_map(cell).collect()
        };
        LocalGame::from_cells(&rows.split('|').enumerate().flat_map(row).collect::<Vec<_>>())
            .unwrap()
    }

    #[test]
    fn a_square_round_two_bends_is_kept() {
        // Who goes to c4 sees no way out: the shot burns b4, or the way back. So a5 is not reached.
        let ends = dead_ends(&game(".####|#..##|###.#|###.#|##.x."));
        let mut found: Vec<_> =
            ends.iter().map(|end| (end.squares.count_ones(), end.defects)).collect();
        found.sort_unstable();
        assert_eq!(found, [(3, 1), (4, 1)]);
        assert!(dead_ends(&game("#####|#..##|###.#|###.#|##.x.")).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn nor_of_larger_ones(bits: u64, more: u64, seed: u64, two: bool) {
            // About 12 squares of a 5x6 box, in one part.
            let mut cells = Vec::new();
            for square in 0..30usize {
                if bits >> square & 1 == 1 && more >> square & 1 == 0 || (bits ^ more) >> (square + 30) & 3 == 3 {
                    cells.push((square / 5, square % 5, Cell::Empty));
                }
            }
            prop_assume!(cells.len() > 4 && cells.len() < 15);
            let n = cells.len();
            cells[seed as usize % n].2 = Cell::Amazon(Player::Left);
            if two {
                cells[(seed >> 32) as usize % n].2 = Cell::Amazon(Player::Left);
            }
            let whole = LocalGame::from_cells(&cells).unwrap();
            let territories = Territories::new();
            whole.for_each_component(|part| {
                assert!(dead_end_bound(&part) <= territories.defects(&part), "{part}");
            });
        }
    }
}
