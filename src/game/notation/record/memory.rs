//! How much memory the games of a record take.

use super::super::sgf::MAX_NODES;

/// Bytes of memory that games take at the most while they are read and when they are written again:
/// some copies of their text, and what a property, a value, a node and a game take beside it.
pub fn bytes_of_games(record: &[u8]) -> u64 {
    let count = |wanted: &[u8]| record.iter().filter(|&byte| wanted.contains(byte)).count() as u64;
    let most = MAX_NODES as u64;
    let length = record.len() as u64;
    let text = 5 * length + 160 * count(b"[");
    let is_tree = record.windows(2).any(|pair| pair == b"(;");
    let nodes = count(b";");
    match is_tree {
        true => text + 832 * nodes.min(most),
        // A move has six letters at least. A game is a line at least, and each of its burned
        // squares is a value.
        false => {
            let games = 3584 * (count(b"\n") + 1).min(most) + 64 * count(b"*");
            text + 832 * nodes.max(length / 6).min(most) + games
        }
    }
}
