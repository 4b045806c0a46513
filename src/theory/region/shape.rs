//! Regions: 8-connected sets of squares, enumerated by size.
//!
//! Two regions are the same if a translation and one of the 8 symmetries of the square maps one to
//! the other, and only those whose bounding box has an area of at most 56 and no side over 10 are
//! counted, as in table 1 of M. Müller and T. Tegos, "Experiments in computer Amazons".
//! Redelmeier's method makes every fixed region exactly once, without a memory of those seen
//! ("Counting polyominoes: yet another attack", 1981); it is kept if its picture, read as a binary
//! number, is the largest among its images:
//!
//! ```text
//!   # . #      bit row * width + column, row 0 at the top      0b010_101 = 21
//!   . # .      images with more rows than columns are not looked at
//! ```

use crate::machine::bits::ones;

/// The most squares of a region.
pub const MAX_SIZE: usize = 15;
/// The largest area of a bounding box.
pub const MAX_AREA: u32 = 56;
/// The longest side of a bounding box: that of the largest board. The published counts leave out
/// longer boxes too, as size 11 shows, where 11 x 5 has an area of 55.
pub const MAX_SIDE: u8 = 10;

/// An 8-connected set of squares, the representative of its class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Region {
    width: u8,
    height: u8,
    /// Bit `row * width + column`.
    picture: u64,
}

impl Region {
    /// Number of squares.
    pub fn size(&self) -> usize {
        self.picture.count_ones() as usize
    }

    /// Columns of the box around it.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Rows of the box around it, at most as many as columns.
    pub fn height(&self) -> usize {
        self.height.into()
    }

    /// The squares as (row, column), row by row.
    pub fn squares(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        ones(self.picture).map(|bit| (bit as usize / self.width(), bit as usize % self.width()))
    }

    /// Where the symmetries that map the region to itself move its squares, by place in
    /// [`squares`](Region::squares); the identity first.
    pub fn automorphisms(&self) -> Vec<Vec<usize>> {
        let maps = (0..if self.width == self.height { 8 } else { 4 })
            .filter(|&map| self.image(map) == self.picture);
        let squares: Vec<_> = self.squares().collect();
        let place = |bit: u32| {
            let at = (bit as usize / self.width(), bit as usize % self.width());
            squares.iter().position(|&square| square == at).unwrap_or(0)
        };
        maps.map(|map| squares.iter().map(|&square| place(self.moved(map, square))).collect())
            .collect()
    }

    fn image(&self, map: u32) -> u64 {
        self.squares().fold(0, |image, square| image | 1 << self.moved(map, square))
    }

    /// Bit 0 of `map` mirrors columns, bit 1 rows, bit 2 (in square boxes only) then exchanges
    /// them.
    fn moved(&self, map: u32, (row, column): (usize, usize)) -> u32 {
        let row = if map & 2 != 0 { self.height() - 1 - row } else { row };
        let column = if map & 1 != 0 { self.width() - 1 - column } else { column };
        let (row, column) = if map & 4 != 0 { (column, row) } else { (row, column) };
        (row * self.width() + column) as u32
    }

    /// The region of these squares if it is the representative of its class.
    fn representative(squares: &[(i8, i8)]) -> Option<Self> {
        let [top, bottom, first, last] = bounds(squares);
        let (width, height) = ((last - first + 1) as u8, (bottom - top + 1) as u8);
        if width < height || width > MAX_SIDE || u32::from(width) * u32::from(height) > MAX_AREA {
            return None;
        }
        let bit = |&(row, column): &(i8, i8)| {
            (row - top) as u32 * u32::from(width) + (column - first) as u32
        };
        let picture = squares.iter().fold(0, |picture, square| picture | 1u64 << bit(square));
        let region = Self { width, height, picture };
        let maps = if width == height { 8 } else { 4 };
        (1..maps).all(|map| region.image(map) <= picture).then_some(region)
    }
}

fn bounds(squares: &[(i8, i8)]) -> [i8; 4] {
    let mut bounds = [i8::MAX, i8::MIN, i8::MAX, i8::MIN];
    for &(row, column) in squares {
        bounds =
            [bounds[0].min(row), bounds[1].max(row), bounds[2].min(column), bounds[3].max(column)];
    }
    bounds
}

/// Side of the grid on which regions grow: enough rows below and columns to both sides of the first
/// square.
const GRID: usize = 2 * MAX_SIZE + 3;

/// A region being grown: a task of the enumeration that leads to all regions that extend it.
#[derive(Clone, Debug)]
pub struct Growth {
    squares: Vec<(i8, i8)>,
    /// Squares that may still be added, each to be decided once.
    untried: Vec<(i8, i8)>,
    /// Squares that were ever among the untried.
    seen: Box<[bool]>,
}

impl Growth {
    /// Tasks that together lead to every region of `size` squares exactly once, for several
    /// threads.
    ///
    /// # Panics
    /// If `size` is not in `1..=MAX_SIZE`.
    pub fn tasks(size: usize) -> Vec<Self> {
        assert!(
            (1..=MAX_SIZE).contains(&size),
            "regions of 1 to {MAX_SIZE} squares can be enumerated"
        );
        let mut root =
            Self { squares: vec![], untried: vec![(0, 0)], seen: vec![false; GRID * GRID].into() };
        root.see((0, 0));
        let mut tasks = Vec::new();
        root.grow(size.min(5), &mut |growth| tasks.push(growth.clone()));
        tasks
    }

    /// Calls `visit` with every region of `size` squares that extends this one.
    pub fn for_each(&self, size: usize, visit: &mut impl FnMut(Region)) {
        let mut growth = self.clone();
        growth.grow(size, &mut |growth| {
            if let Some(region) = Region::representative(&growth.squares) {
                visit(region);
            }
        });
    }

    /// Whether the square may be added later; it is not offered again.
    fn see(&mut self, (row, column): (i8, i8)) -> bool {
        // The first square is the leftmost of the top row.
        if row < 0 || (row == 0 && column < 0) {
            return false;
        }
        let place = row as usize * GRID + (column + MAX_SIZE as i8 + 1) as usize;
        !std::mem::replace(&mut self.seen[place], true)
    }

    fn forget(&mut self, (row, column): (i8, i8)) {
        self.seen[row as usize * GRID + (column + MAX_SIZE as i8 + 1) as usize] = false;
    }

    fn fits(&self) -> bool {
        let [top, bottom, first, last] = bounds(&self.squares);
        (bottom - top + 1) as u32 * (last - first + 1) as u32 <= MAX_AREA
    }

    /// `visit` sees the growth with `size` squares, and with the untried ones that belong to its
    /// own extensions.
    fn grow(&mut self, size: usize, visit: &mut impl FnMut(&Self)) {
        if self.squares.len() == size {
            visit(self);
            return;
        }
        let mut untried = std::mem::take(&mut self.untried);
        while let Some((row, column)) = untried.pop() {
            self.squares.push((row, column));
            if self.fits() {
                let before = untried.len();
                let mut next = untried.clone();
                for (r, c) in NEIGHBOURS {
                    let square = (row + r, column + c);
                    if self.see(square) {
                        next.push(square);
                    }
                }
                let new: Vec<_> = next[before..].to_vec();
                self.untried = next;
                self.grow(size, visit);
                for square in new {
                    self.forget(square);
                }
            }
            self.squares.pop();
        }
        self.untried = untried;
    }
}

const NEIGHBOURS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Every image of a set, as sorted squares from (0, 0).
    fn images(squares: &[(i8, i8)]) -> Vec<Vec<(i8, i8)>> {
        (0..8)
            .map(|map| {
                let turn = |&(r, c): &(i8, i8)| {
                    let (r, c) =
                        (if map & 1 != 0 { -r } else { r }, if map & 2 != 0 { -c } else { c });
                    if map & 4 != 0 { (c, r) } else { (r, c) }
                };
                let mut image: Vec<_> = squares.iter().map(turn).collect();
                let [top, _, first, _] = bounds(&image);
                image.iter_mut().for_each(|square| *square = (square.0 - top, square.1 - first));
                image.sort_unstable();
                image
            })
            .collect()
    }

    #[test]
    fn enumeration_equals_growth_with_a_memory() {
        let mut level: HashSet<Vec<(i8, i8)>> = HashSet::from([vec![(0, 0)]]);
        for size in 1..=6 {
            let mut found = HashSet::new();
            for task in Growth::tasks(size) {
                task.for_each(size, &mut |region| {
                    let squares: Vec<_> =
                        region.squares().map(|(r, c)| (r as i8, c as i8)).collect();
                    assert!(
                        found.insert(images(&squares).into_iter().min().unwrap()),
                        "made twice"
                    );
                });
            }
            assert_eq!(found, level);
            let mut next = HashSet::new();
            for squares in &level {
                for &(row, column) in squares {
                    for (r, c) in NEIGHBOURS {
                        let mut grown = squares.clone();
                        if !grown.contains(&(row + r, column + c)) {
                            grown.push((row + r, column + c));
                            next.insert(images(&grown).into_iter().min().unwrap());
                        }
                    }
                }
            }
            level = next;
        }
    }
}
