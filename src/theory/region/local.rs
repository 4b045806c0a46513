//! A local game: the squares of a part of the board and the amazons on them.
//!
//! What surrounds the part is burned or off the board, so it may be moved, turned and mirrored.
//! Squares are bits of one word, row by row from the top, with one column more than the part is
//! wide; the extra column is never set, so a step off the side lands on it or on no bit, and rays
//! need no edge masks:
//!
//! ```text
//!   x . #      0  1  2  |3|       width 3, stride 4
//!   . . o      4  5  6  |7|       neighbours of i: i +- 1, i +- 4, i +- 3, i +- 5
//! ```

use std::fmt;
use std::hash::{Hash, Hasher};

use super::Region;
use crate::game::board::grow;
use crate::machine::bits::ones;

/// The two players of a local position. Left's amazons are drawn `x`, Right's `o`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// Left, `x`, Black.
    Left,
    /// Right, `o`, White.
    Right,
}

impl Player {
    /// The other player.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A local game. The three sets are disjoint; every other square is burned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LocalGame {
    stride: u8,
    left: u64,
    right: u64,
    empty: u64,
}

impl Hash for LocalGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.empty ^ u64::from(self.stride).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        state.write_u64(self.left ^ self.right.rotate_left(32));
        state.write_u64(self.right);
    }
}

/// Rows from the top with `|` between them, as CGSuite writes them.
impl fmt::Display for LocalGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = self.cornered().cells();
        let height = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
        let width = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
        let mut rows = vec![vec!['#'; width]; height];
        for (row, column, cell) in cells {
            rows[row][column] = match cell {
                Cell::Empty => '.',
                Cell::Amazon(Player::Left) => 'x',
                Cell::Amazon(Player::Right) => 'o',
            };
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        f.write_str(&rows.join("|"))
    }
}

/// What stands on a square of a local game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// An amazon.
    Amazon(Player),
}

/// Which images of a position are the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Players {
    /// Those under the symmetries of the square.
    Kept,
    /// Those under the exchange of the players too.
    Exchanged,
}

/// A move inside a local position, squares by bit index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocalMove {
    /// Where the amazon stood.
    pub from: u32,
    /// Where it stands now.
    pub to: u32,
    /// What it burned.
    pub arrow: u32,
}

/// The bits of column 0 for every stride.
const FIRST_COLUMN: [u64; 65] = {
    let mut masks = [0; 65];
    let mut stride = 1;
    while stride <= 64 {
        let mut bit = 0;
        while bit < 64 {
            masks[stride] |= 1 << bit;
            bit += stride;
        }
        stride += 1;
    }
    masks
};

impl LocalGame {
    /// The position with these cells, each at (row, column), none twice; the box around them, with
    /// its extra column, must fit 64 bits, and is laid on its side where only that fits. `None` if
    /// it does not fit.
    pub fn from_cells(cells: &[(usize, usize, Cell)]) -> Option<Self> {
        let upright = Self::boxed(cells);
        upright.or_else(|| {
            let turned: Vec<_> =
                cells.iter().map(|&(row, column, cell)| (column, row, cell)).collect();
            Self::boxed(&turned)
        })
    }

    /// The squares of a region, its players' amazons given as sets of places in
    /// [`Region::squares`].
    pub fn on_region(region: &Region, left: u32, right: u32) -> Self {
        // Boxes of regions have an area of at most 56 and no more rows than columns, so they fit.
        let stride = region.width() + 1;
        let mut game = Self { stride: stride as u8, left: 0, right: 0, empty: 0 };
        for (place, (row, column)) in region.squares().enumerate() {
            let cell = match (left >> place & 1, right >> place & 1) {
                (1, _) => Cell::Amazon(Player::Left),
                (_, 1) => Cell::Amazon(Player::Right),
                _ => Cell::Empty,
            };
            game.put(row * stride + column, cell);
        }
        game
    }

    fn boxed(cells: &[(usize, usize, Cell)]) -> Option<Self> {
        let top = cells.iter().map(|c| c.0).min().unwrap_or(0);
        let side = cells.iter().map(|c| c.1).min().unwrap_or(0);
        let width = cells.iter().map(|c| c.1 - side + 1).max().unwrap_or(1);
        let height = cells.iter().map(|c| c.0 - top + 1).max().unwrap_or(1);
        if width > 63 || height > 64 || (width + 1) * height > 64 {
            return None;
        }
        let mut position = Self { stride: width as u8 + 1, left: 0, right: 0, empty: 0 };
        for &(row, column, cell) in cells {
            position.put((row - top) * (width + 1) + column - side, cell);
        }
        Some(position)
    }

    fn put(&mut self, bit: usize, cell: Cell) {
        *match cell {
            Cell::Empty => &mut self.empty,
            Cell::Amazon(Player::Left) => &mut self.left,
            Cell::Amazon(Player::Right) => &mut self.right,
        } |= 1 << bit;
    }

    /// The squares as (row, column, what stands there), top row first.
    pub fn cells(&self) -> Vec<(usize, usize, Cell)> {
        let cell = |bit: u32| {
            let (row, column) = self.place(bit);
            (row, column, self.cell(bit))
        };
        ones(self.squares()).map(cell).collect()
    }

    /// Row and column of a bit.
    pub fn place(&self, bit: u32) -> (usize, usize) {
        (bit as usize / self.stride as usize, bit as usize % self.stride as usize)
    }

    fn cell(&self, bit: u32) -> Cell {
        match (self.left >> bit & 1, self.right >> bit & 1) {
            (1, _) => Cell::Amazon(Player::Left),
            (_, 1) => Cell::Amazon(Player::Right),
            _ => Cell::Empty,
        }
    }

    /// All squares, as bits.
    #[inline]
    pub fn squares(&self) -> u64 {
        self.left | self.right | self.empty
    }

    /// The empty squares, as bits.
    #[inline]
    pub fn empty(&self) -> u64 {
        self.empty
    }

    /// The amazons of one player, as bits.
    #[inline]
    pub fn amazons(&self, player: Player) -> u64 {
        match player {
            Player::Left => self.left,
            Player::Right => self.right,
        }
    }

    /// The same squares with the players exchanged; the value is the negative.
    #[inline]
    pub fn negative(&self) -> Self {
        Self { left: self.right, right: self.left, ..*self }
    }

    /// The squares that a queen on `square` (one bit) reaches over `free`.
    #[inline]
    pub fn reach(&self, square: u64, free: u64) -> u64 {
        let stride = u32::from(self.stride);
        let mut reach = 0;
        for step in [1, stride - 1, stride, stride + 1] {
            let mut at = square << (step & 63) & free;
            while at != 0 {
                reach |= at;
                at = at << (step & 63) & free;
            }
            at = square >> (step & 63) & free;
            while at != 0 {
                reach |= at;
                at = at >> (step & 63) & free;
            }
        }
        reach
    }

    /// Calls `visit` with every move of a player and the position after it.
    #[inline]
    pub fn for_each_move(&self, player: Player, mut visit: impl FnMut(LocalMove, Self)) {
        let mut amazons = self.amazons(player);
        while amazons != 0 {
            let from = amazons & amazons.wrapping_neg();
            amazons ^= from;
            let mut steps = self.reach(from, self.empty);
            while steps != 0 {
                let to = steps & steps.wrapping_neg();
                steps ^= to;
                let stepped = self.stepped(player, from, to);
                let mut shots = stepped.reach(to, stepped.empty);
                while shots != 0 {
                    let arrow = shots & shots.wrapping_neg();
                    shots ^= arrow;
                    let played = LocalMove {
                        from: from.trailing_zeros(),
                        to: to.trailing_zeros(),
                        arrow: arrow.trailing_zeros(),
                    };
                    visit(played, Self { empty: stepped.empty ^ arrow, ..stepped });
                }
            }
        }
    }

    fn stepped(&self, player: Player, from: u64, to: u64) -> Self {
        let mut after = Self { empty: (self.empty | from) & !to, ..*self };
        *match player {
            Player::Left => &mut after.left,
            Player::Right => &mut after.right,
        } ^= from | to;
        after
    }

    /// The squares of `within` that are 8-connected to `seed` (one bit, of `within`).
    pub(crate) fn connected(&self, seed: u64, within: u64) -> u64 {
        Self { left: 0, right: 0, empty: within, ..*self }.flood(seed)
    }

    /// The 8-connected part of the squares that holds the lowest square of `seed`.
    #[inline]
    fn flood(&self, seed: u64) -> u64 {
        let (squares, stride) = (self.squares(), u32::from(self.stride) & 63);
        grow(seed & seed.wrapping_neg(), |part| {
            let row = part | part << 1 | part >> 1;
            (row | row << stride | row >> stride) & squares
        })
    }

    /// Calls `visit` with every 8-connected part that has an amazon, moved to the corner of its
    /// box. No move crosses from one part to another, so the position is the sum of these.
    #[inline]
    pub fn for_each_component(&self, mut visit: impl FnMut(Self)) {
        let mut amazons = self.left | self.right;
        while amazons != 0 {
            let part = self.flood(amazons);
            amazons &= !part;
            visit(self.restricted(part).cornered());
        }
    }

    fn restricted(&self, part: u64) -> Self {
        Self { left: self.left & part, right: self.right & part, empty: self.empty & part, ..*self }
    }

    /// Moved up and to the left as far as it goes, in the same stride.
    #[inline]
    fn cornered(&self) -> Self {
        let squares = self.squares();
        if squares == 0 {
            return *self;
        }
        let stride = u32::from(self.stride);
        let mut shift = squares.trailing_zeros() / stride * stride;
        let column = FIRST_COLUMN[self.stride as usize];
        while squares >> shift & column == 0 {
            shift += 1;
        }
        Self {
            left: self.left >> shift,
            right: self.right >> shift,
            empty: self.empty >> shift,
            ..*self
        }
    }

    /// The least of the images under the symmetries of the square and the exchange of the players,
    /// and whether the players were exchanged. Two positions with the same image have the same
    /// value, up to that exchange.
    pub fn canonical(&self) -> (Self, bool) {
        self.least_image(Players::Exchanged)
    }

    /// The least of the images under the symmetries of the square, the players kept.
    pub fn canonical_shape(&self) -> Self {
        self.least_image(Players::Kept).0
    }

    fn least_image(&self, players: Players) -> (Self, bool) {
        let corner = self.cornered();
        let stride = u32::from(corner.stride);
        let (mut width, mut height) = (0, 0);
        for bit in ones(corner.squares()) {
            width = width.max(bit % stride + 1);
            height = height.max(bit / stride + 1);
        }
        let mut best: Option<(Self, bool)> = None;
        for map in 0..8 {
            let turned = map & 4 != 0;
            let (w, h) = if turned { (height, width) } else { (width, height) };
            // The box lies on its side only where that is the shape of all images.
            if w < h {
                continue;
            }
            let image = corner.image(map, (width, height), w + 1);
            best = Some(best.map_or((image, false), |best| best.min((image, false))));
            if players == Players::Exchanged {
                best = best.map(|best| best.min((image.negative(), true)));
            }
        }
        best.unwrap_or((corner, false))
    }

    /// The image in which bit 0 of `map` mirrors columns, bit 1 rows, bit 2 then exchanges them.
    #[inline]
    fn image(&self, map: u32, (width, height): (u32, u32), stride: u32) -> Self {
        let from = u32::from(self.stride);
        let place = |bit: u32| {
            let (mut row, mut column) = (bit / from, bit % from);
            column = if map & 1 != 0 { width - 1 - column } else { column };
            row = if map & 2 != 0 { height - 1 - row } else { row };
            if map & 4 != 0 { column * stride + row } else { row * stride + column }
        };
        let moved = |set: u64| ones(set).fold(0u64, |image, bit| image | 1 << place(bit));
        Self {
            stride: stride as u8,
            left: moved(self.left),
            right: moved(self.right),
            empty: moved(self.empty),
        }
    }
}
