//! Records of games in any form.

use amazons::game::notation::record::{Record, read_games};
use amazons::game::notation::sgf::games_text;
use amazons::read_records;

/// The main line of a game that is read can be written as a list of moves, and the game as SGF;
/// both are read again to the same moves.
pub fn record(bytes: &[u8]) {
    let Ok(games) = read_games(bytes) else { return };
    for game in games {
        let record = Record::of(&game);
        for text in [record.to_string(), games_text(std::slice::from_ref(&game))] {
            let again = read_records(text.as_bytes()).expect("it was written");
            assert_eq!(again.len(), 1);
            assert_eq!((again[0].start(), again[0].moves()), (record.start(), record.moves()));
        }
    }
}
