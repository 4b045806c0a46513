//! Positions as bytes: two bits a square, then who moves.
//!
//! Square (file, rank) has number `rank x columns + file`, from a1 = 0. Bits `2i` and `2i + 1` of
//! the little-endian number are square `i`: 0 empty, 1 White, 2 Black, 3 burned. The bit after the
//! last square is 1 if Black is to move. The bits behind it are 0. The board is not in the bytes.
//!
//! ```text
//!   2x1, "Q* b"     byte 0: 0001_1101     bits 0-1: a1 White, bits 2-3: b1 burned, bit 4: Black moves
//! ```

use crate::game::board::{Bitboard, Board, U512};
use crate::game::rules::position::Position;
use crate::game::rules::{Colour, IllegalSetup, Setup};

/// Why some bytes are not a packed position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackedError {
    /// Another number of bytes than the board has.
    #[error("a packed position of {board} has {expected} bytes, found {found}")]
    Length {
        /// The board.
        board: Board,
        /// Bytes of a packed position of it.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// A bit that is set behind the last one.
    #[error("a bit behind the side to move is set")]
    Padding,
    /// Squares that make no position.
    #[error(transparent)]
    Illegal(#[from] IllegalSetup),
}

impl Position {
    /// Bytes of a packed position of a board, 1 to 101.
    pub fn packed_bytes(board: Board) -> usize {
        (2 * board.squares() + 1).div_ceil(8)
    }

    /// The position as bytes, two bits a square: of square i, from a1 by ranks, bits 2i and 2i + 1
    /// of the little-endian number, 0 empty, 1 White, 2 Black, 3 burned; then one bit, 1 if Black
    /// is to move. [`Self::packed_bytes`] says how many bytes.
    ///
    /// ```
    /// use amazons::Position;
    ///
    /// let position: Position = "Q* b".parse()?;
    /// assert_eq!(position.packed(), [0b1_11_01]);
    /// assert_eq!(Position::from_packed("2x1".parse()?, &[0b1_11_01])?, position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn packed(&self) -> Vec<u8> {
        let (board, setup) = (self.board(), self.setup());
        let mut bytes = vec![0; Self::packed_bytes(board)];
        let mut put = |bit: usize, value: u8| bytes[bit / 8] |= value << (bit % 8);
        for (set, contents) in [(setup.white, 1), (setup.black, 2), (setup.arrows, 3)] {
            set.iter().for_each(|square| put(2 * square.index(), contents));
        }
        put(2 * board.squares(), u8::from(setup.turn == Colour::Black));
        bytes
    }

    /// The position of a board that [`Self::packed`] made into these bytes.
    ///
    /// # Errors
    /// [`PackedError`] if there are more or fewer bytes, a bit is set behind the last one, or there
    /// is no amazon.
    pub fn from_packed(board: Board, bytes: &[u8]) -> Result<Self, PackedError> {
        let (expected, found) = (Self::packed_bytes(board), bytes.len());
        if expected != found {
            return Err(PackedError::Length { board, expected, found });
        }
        let get = |bit: usize| bytes[bit / 8] >> (bit % 8);
        let last = 2 * board.squares();
        if get(last) >> 1 != 0 {
            return Err(PackedError::Padding);
        }
        let turn = if get(last) & 1 != 0 { Colour::Black } else { Colour::White };
        let all = board.all::<U512>();
        let squares_with = |contents: u8| -> Bitboard<U512> {
            all.iter().filter(|square| get(2 * square.index()) & 3 == contents).collect()
        };
        let [white, black, arrows] = [1, 2, 3].map(squares_with);
        Ok(Setup { board, white, black, arrows, turn }.check()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::any_board;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_packed_position_is_refused() {
        let board: Board = "4x5".parse().unwrap();
        let start = Position::start(board).unwrap();
        let packed = start.packed();
        assert_eq!((packed.len(), Position::packed_bytes("10x10".parse().unwrap())), (6, 26));
        assert_eq!(Position::from_packed(board, &packed), Ok(start));
        let short = Position::from_packed(board, &packed[1..]).unwrap_err();
        assert_eq!(short.to_string(), "a packed position of 4x5 has 6 bytes, found 5");
        let mut wrong = packed.clone();
        wrong[5] |= 2;
        assert_eq!(Position::from_packed(board, &wrong), Err(PackedError::Padding));
        let empty = Position::from_packed(board, &[0; 6]).unwrap_err().to_string();
        assert!(empty.contains("no amazon"), "{empty}");
    }

    proptest! {
        #[test]
        fn positions_round_trip(board in any_board(), bytes in prop::collection::vec(any::<u8>(), 101)) {
            let mut bytes = bytes[..Position::packed_bytes(board)].to_vec();
            let used = (2 * board.squares() + 1 + 7) % 8 + 1;
            *bytes.last_mut().unwrap() &= 0xff >> (8 - used);
            match Position::from_packed(board, &bytes) {
                Ok(position) => {
                    prop_assert_eq!(position.packed(), bytes);
                    prop_assert_eq!(position.board(), board);
                }
                Err(error) => prop_assert!(matches!(error, PackedError::Illegal(_))),
            }
        }
    }
}
