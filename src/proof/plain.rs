//! The wall rule as `docs/certificate.md` states it, sentence by sentence, one image at a time and
//! without a shortcut: what the tests hold [`WallRule`](super::WallRule) against. It shares nothing
//! with it, neither rays nor king steps nor symmetries, and works out the examples of the document.

use std::fmt::Write;

use crate::game::board::Board;
use crate::game::rules::Bitboards;

const AROUND: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The rule on one board.
pub(super) struct Plain {
    columns: i32,
    rows: i32,
}

/// A set of squares, by bits.
pub(super) type Set = u64;

/// Where steps are made: the amazons that may step, those of the other side, the empty squares of
/// the area.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) steppers: Set,
    pub(super) other: Set,
    pub(super) area: Set,
}

/// A walk, in the squares of the position.
pub(super) struct Walk {
    /// Number of the symmetry.
    pub(super) image: u32,
    /// For each amazon that has a part in it the squares where it comes to stand, its own first.
    pub(super) parts: Vec<Vec<usize>>,
    pub(super) idle: Set,
    pub(super) single: Set,
    /// The steps that make up for what is missing: how many, and whether singles make them too.
    pub(super) steps: Option<(i32, bool)>,
    pub(super) missing: i32,
}

/// What the rule finds for one holder.
pub(super) struct Account {
    pub(super) begins: bool,
    pub(super) area: Set,
    pub(super) kept: Set,
    pub(super) needed: i32,
    pub(super) walks: Vec<Walk>,
}

impl Walk {
    fn moves(&self) -> i32 {
        self.parts.iter().map(|part| part.len() as i32 - 1).sum()
    }

    pub(super) fn decides(&self) -> bool {
        self.missing <= 0 || self.steps.is_some()
    }
}

impl Account {
    pub(super) fn decides(&self) -> bool {
        self.walks.iter().any(Walk::decides)
    }
}

fn squares(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(square)
    })
}

impl Plain {
    pub(super) fn new(board: Board) -> Self {
        Self { columns: board.columns() as i32, rows: board.rows() as i32 }
    }

    fn at(&self, file: i32, rank: i32) -> Option<usize> {
        let inside = (0..self.columns).contains(&file) && (0..self.rows).contains(&rank);
        inside.then_some((rank * self.columns + file) as usize)
    }

    fn file_and_rank(&self, square: usize) -> (i32, i32) {
        (square as i32 % self.columns, square as i32 / self.columns)
    }

    fn all(&self) -> Set {
        (0..self.columns * self.rows).fold(0, |set, square| set | 1 << square)
    }

    fn near(&self, square: usize) -> Set {
        let (file, rank) = self.file_and_rank(square);
        let around = AROUND.iter().filter_map(|(x, y)| self.at(file + x, rank + y));
        around.fold(0, |set, square| set | 1 << square)
    }

    fn near_any(&self, set: Set) -> Set {
        squares(set).fold(0, |near, square| near | self.near(square))
    }

    /// Where a queen can go over free squares.
    fn reach(&self, from: usize, free: Set) -> Set {
        let mut reach = 0;
        for (x, y) in AROUND {
            let (mut file, mut rank) = self.file_and_rank(from);
            loop {
                (file, rank) = (file + x, rank + y);
                match self.at(file, rank) {
                    Some(square) if free >> square & 1 == 1 => reach |= 1 << square,
                    _ => break,
                }
            }
        }
        reach
    }

    /// The numbers of the symmetries of the board.
    pub(super) fn images(&self) -> u32 {
        if self.columns == self.rows { 8 } else { 4 }
    }

    /// Where a symmetry takes a square.
    pub(super) fn image(&self, image: u32, square: usize) -> usize {
        let (mut file, mut rank) = self.file_and_rank(square);
        if image & 1 != 0 {
            file = self.columns - 1 - file;
        }
        if image & 2 != 0 {
            rank = self.rows - 1 - rank;
        }
        if image & 4 != 0 {
            (file, rank) = (rank, file);
        }
        self.at(file, rank).unwrap()
    }

    fn image_of(&self, image: u32, set: Set) -> Set {
        squares(set).fold(0, |mapped, square| mapped | 1 << self.image(image, square))
    }

    pub(super) fn win(&self, position: &Bitboards) -> Account {
        self.account(position, position.mover.word(), position.opponent.word(), true)
    }

    pub(super) fn lose(&self, position: &Bitboards) -> Account {
        self.account(position, position.opponent.word(), position.mover.word(), false)
    }

    fn account(&self, position: &Bitboards, holder: Set, other: Set, begins: bool) -> Account {
        let empty = self.all() & !(holder | other | position.arrows.word());
        let mut area = 0;
        loop {
            let larger = area | (self.near_any(area | other) & empty);
            if larger == area {
                break;
            }
            area = larger;
        }
        let kept = empty & !area;
        let needed = area.count_ones() as i32 + i32::from(begins);
        let walks = (0..self.images()).map(|image| {
            let mut walk = self.walk(image, holder, area, kept);
            walk.missing = needed - walk.moves();
            if walk.missing > 0 {
                walk.steps = self.steps(&walk, other, area, begins);
            }
            walk
        });
        Account { begins, area, kept, needed, walks: walks.collect() }
    }

    /// The walk in an image, told in the squares of the position.
    fn walk(&self, image: u32, holder: Set, area: Set, kept: Set) -> Walk {
        let back =
            |place: usize| squares(self.all()).find(|&square| self.image(image, square) == place);
        let [holder, area, mut left] = [holder, area, kept].map(|set| self.image_of(image, set));
        let beside = |&amazon: &usize| self.near(amazon) & area != 0;
        let (last, first): (Vec<usize>, Vec<usize>) = squares(holder).partition(beside);
        let mut walk =
            Walk { image, parts: Vec::new(), idle: 0, single: 0, steps: None, missing: 0 };
        for amazon in first.into_iter().chain(last) {
            let mut part = vec![amazon];
            loop {
                let ways = self.near(part[part.len() - 1]) & left;
                let ways_on = |&way: &usize| (self.near(way) & left).count_ones();
                // The first of equal ones: the lowest square.
                let Some(next) = squares(ways).min_by_key(ways_on) else { break };
                left &= !(1 << next);
                part.push(next);
            }
            let part: Vec<usize> = part.into_iter().map(|place| back(place).unwrap()).collect();
            match part.len() {
                1 => walk.idle |= 1 << part[0],
                2 => walk.single |= 1 << part[0],
                _ => {}
            }
            if part.len() > 1 {
                walk.parts.push(part);
            }
        }
        walk
    }

    /// The fewest steps that make up for what is missing, if possible without singles.
    fn steps(&self, walk: &Walk, other: Set, area: Set, begins: bool) -> Option<(i32, bool)> {
        let most = if begins { 3 } else { 2 };
        let sure = |steppers, steps| {
            let stage = Stage { steppers, other, area };
            if begins { self.moving(&stage, steps) } else { self.answering(&stage, steps) }
        };
        let singles = walk.single.count_ones() as i32;
        (1..=most).flat_map(|steps| [(steps, false), (steps, true)]).find(|&(steps, with)| {
            let lost = if with { steps.min(singles) } else { 0 };
            let steppers = if with { walk.idle | walk.single } else { walk.idle };
            2 * steps - lost >= walk.missing && sure(steppers, steps)
        })
    }

    /// Whether steps are sure with the holder to move.
    pub(super) fn moving(&self, stage: &Stage, steps: i32) -> bool {
        steps == 0
            || squares(stage.steppers).any(|from| {
                squares(self.near(from) & stage.area).any(|to| {
                    let steppers = stage.steppers & !(1 << from) | 1 << to;
                    let area = stage.area & !(1 << to);
                    self.answering(&Stage { steppers, area, ..*stage }, steps - 1)
                })
            })
    }

    /// Whether steps are sure with the other side to move.
    pub(super) fn answering(&self, stage: &Stage, steps: i32) -> bool {
        steps == 0
            || self.moving(stage, steps)
                && squares(stage.other).all(|from| {
                    let vacated = stage.area | 1 << from;
                    squares(self.reach(from, stage.area)).all(|to| {
                        squares(self.reach(to, vacated)).all(|arrow| {
                            let other = stage.other & !(1 << from) | 1 << to;
                            let area = vacated & !(1 << to) & !(1 << arrow);
                            self.moving(&Stage { other, area, ..*stage }, steps)
                        })
                    })
                })
    }

    fn name(&self, square: usize) -> String {
        let (file, rank) = self.file_and_rank(square);
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }

    fn names(&self, set: Set) -> String {
        let names: Vec<String> = squares(set).map(|square| self.name(square)).collect();
        if names.is_empty() { "none".into() } else { names.join(" ") }
    }

    /// An account in words, as the document has them.
    pub(super) fn text(&self, account: &Account, holder: &str) -> String {
        let Account { begins, area, kept, needed, .. } = *account;
        let turn = if begins { "begins" } else { "answers" };
        let mut text = format!("holder {holder}, who {turn}: needed {needed}\n");
        for (name, set) in [("F", area), ("K", kept)] {
            writeln!(text, "  {name} ({}): {}", set.count_ones(), self.names(set)).unwrap();
        }
        for walk in &account.walks {
            let parts = walk.parts.iter().map(|part| {
                let names: Vec<String> = part.iter().map(|&square| self.name(square)).collect();
                names.join("-")
            });
            let parts = parts.collect::<Vec<_>>().join(", ");
            let verdict = match walk.steps {
                _ if walk.missing <= 0 => "decides".into(),
                Some((steps, false)) => format!("decides with k {steps}"),
                Some((steps, true)) => format!("decides with k {steps} and singles"),
                None => "does not decide".into(),
            };
            let walked = if parts.is_empty() { "no walk" } else { &parts };
            let [idle, single] = [walk.idle, walk.single].map(|set| self.names(set));
            let (image, moves, missing) = (walk.image, walk.moves(), walk.missing);
            writeln!(text, "  {image}: {walked}; P {moves}, missing {missing}").unwrap();
            writeln!(text, "     idle {idle}; single {single}: {verdict}").unwrap();
        }
        text
    }
}
