//! Positions up to the symmetries of their board, and which of the images of one are meant.
//!
//! A class is kept once, as the least of its images. Which of its images occur is a set of
//! symmetries: bit g for the image of the least under the symmetry g.

use crate::game::board::{Bitboard, Board, Symmetry, SymmetryMap};
use crate::game::rules::Bitboards;

/// The symmetries of a board of at most 64 squares as they act on positions.
pub(super) struct Images {
    maps: Vec<SymmetryMap<u64>>,
    /// `after[h][set]`: the symmetries `g h'`, first h' and then g, for all g of a set, where h'
    /// undoes h.
    after: Vec<[u8; 256]>,
}

/// The least image of a position, and the symmetry that maps the position to it.
pub(super) struct Least {
    pub(super) position: Bitboards,
    pub(super) by: usize,
}

impl Images {
    /// The symmetries of a board.
    ///
    /// # Panics
    /// If the board has more than 64 squares.
    pub(super) fn new(board: Board) -> Self {
        let symmetries = Symmetry::all(board);
        let bytes = board.squares().div_ceil(8);
        let image = |square| Bitboard::<u64>::of(square).word();
        let maps = symmetries.iter().map(|map| SymmetryMap::new(board, map, bytes, image));
        let number = |is_meant: &dyn Fn(usize, usize) -> bool| {
            (0..symmetries.len()).find(|&one| {
                board
                    .all::<u64>()
                    .iter()
                    .all(|square| is_meant(square.index(), symmetries[one].square(square).index()))
            })
        };
        let undone_then = |h: usize, g: usize| {
            let undo = symmetries[h].inverse();
            let squares: Vec<_> = board.all::<u64>().iter().collect();
            let meant = |from: usize, to: usize| {
                symmetries[g].square(undo.square(squares[from])).index() == to
            };
            number(&meant).expect("symmetries are a group")
        };
        let after = |h: usize| {
            let products: Vec<_> = (0..symmetries.len()).map(|g| undone_then(h, g)).collect();
            std::array::from_fn(|set: usize| {
                let members = products.iter().enumerate().filter(|(g, _)| set >> g & 1 != 0);
                members.fold(0u8, |all, (_, &product)| all | 1 << product)
            })
        };
        Self { maps: maps.collect(), after: (0..symmetries.len()).map(after).collect() }
    }

    /// The least image of a position.
    pub(super) fn least(&self, position: &Bitboards) -> Least {
        let mut least = Least { position: *position, by: 0 };
        for (by, map) in self.maps.iter().enumerate().skip(1) {
            let image = image(map, position);
            if image < least.position {
                least = Least { position: image, by };
            }
        }
        least
    }

    /// Of a position whose least image is reached by the symmetry `by`: which images of that least
    /// one are the images of the position under `set`.
    pub(super) fn carried(&self, set: u8, by: usize) -> u8 {
        self.after[by][usize::from(set)]
    }

    /// How many different positions the images under `set` are.
    pub(super) fn distinct(&self, least: &Bitboards, set: u8) -> u64 {
        let members = self.maps.iter().enumerate().filter(|(g, _)| set >> g & 1 != 0);
        let mut images: Vec<_> = members.map(|(_, map)| image(map, least)).collect();
        images.sort_unstable();
        images.dedup();
        images.len() as u64
    }
}

fn image(map: &SymmetryMap<u64>, position: &Bitboards) -> Bitboards {
    let set = |set: Bitboard| Bitboard::from_word(map.image(set));
    Bitboards {
        mover: set(position.mover),
        opponent: set(position.opponent),
        arrows: set(position.arrows),
    }
}
