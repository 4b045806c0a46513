//! The narrowest word that fits a board, for what is generic.

/// Runs an expression with a type for the narrowest word that has a bit for every square of a
/// board: `in_word!(board, W => work::<W>(..))`. It is compiled once for each word.
macro_rules! in_word {
    ($board:expr, $word:ident => $work:expr) => {{
        let board: $crate::game::board::Board = $board;
        if board.fits::<u64>() {
            type $word = u64;
            $work
        } else if board.fits::<u128>() {
            type $word = u128;
            $work
        } else {
            type $word = $crate::game::board::U512;
            $work
        }
    }};
}

pub(crate) use in_word;
