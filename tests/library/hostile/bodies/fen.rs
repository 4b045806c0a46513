//! Positions in FEN, and what the command line reads besides them.

use amazons::app::input;
use amazons::game::board::{Board, U512};
use amazons::game::notation::{Drawing, Symbols, diagram, fen as fen_text, parse_fen, svg};
use amazons::game::rules::{Colour, Rules};

/// A position that is read can be written, read again, drawn, and moved in.
pub fn fen(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = input::position(&text);
    let _ =
        (input::size(&text), input::duration(&text), text.parse::<Colour>(), text.parse::<Board>());
    let Ok(position) = parse_fen(&text) else { return };
    assert_eq!(parse_fen(&fen_text(&position)), Ok(position));
    assert!(diagram(&position, Symbols::Unicode).lines().count() == position.board().rows() + 2);
    assert!(svg(&Drawing::of(&position)).ends_with("</svg>\n"));
    let rules = Rules::<U512>::new(position.board()).expect("every board fits 512 bits");
    let plain = position.bitboards::<U512>().expect("every board fits 512 bits");
    assert_eq!(rules.count(&plain) > 0, rules.can_move(&plain));
}
