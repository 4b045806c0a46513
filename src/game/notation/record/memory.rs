//! How much memory the games of a record take.

use super::super::sgf::MAX_NODES;

/// Bytes of memory that games take at the most while they are read and when they are written again:
/// some copies of their text, and what a property, a value, a node and a game take beside it.
pub fn bytes_of_games(record: &[u8]) -> u64 {
    let count = |wanted: &[u8]| {
        record.iter().filter(|&byte| wanted.contains(byte)).count() as u64
    };
    let most = MAX_NODES as u64;
    let length = record.len() as u64;
    let text = 5 * length + 160 * count(b"[");
    let nodes = 512 * count(b";").max(length / 6).min(most);
    // In a list a game is a line at least, and its burned squares are values.
    let games = match record.windows(2).any(|pair| pair == b"(;") {
        false => 3072 * (count(b"\n") + 1).min(most) + 64 * count(b"*"),
        true => 0,
    };
    text + nodes + games
}
