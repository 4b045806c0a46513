//! What must hold for any bytes at all; one function a fuzz target.
//!
//! `cargo +nightly fuzz run TARGET` feeds them what the fuzzer finds; `main.rs` beside this file
//! feeds them random and damaged text on the stable toolchain. A new target is a function here, a
//! file in `fuzz/fuzz_targets/`, a `[[bin]]` in `fuzz/Cargo.toml` and a test in `main.rs`.

use amazons::app::cli::input;
use amazons::game::board::Board;
use amazons::game::notation::sgf::{games_text, parse_games};
use amazons::game::notation::{
    Drawing, LocalPosition, Symbols, diagram, fen as fen_text, move_text, parse_fen, parse_move,
    parse_square, svg,
};
use amazons::game::rules::{Colour, Rules};
use amazons::tables::format::{Manifest, TierReader, check_tier};

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
    let rules = Rules::<u128>::new(position.board()).expect("every board fits 128 bits");
    let plain = position.bitboards::<u128>().expect("every board fits 128 bits");
    assert_eq!(rules.count(&plain) > 0, rules.can_move(&plain));
}

/// A move that is read can be written and read again. The first two bytes choose the board.
pub fn mv(bytes: &[u8]) {
    let &[columns, rows, ref text @ ..] = bytes else { return };
    let board =
        Board::new(columns as usize % 10 + 1, rows as usize % 10 + 1).expect("sides from 1 to 10");
    let text = String::from_utf8_lossy(text);
    let _ = parse_square(board, &text);
    if let Ok(played) = parse_move(board, &text) {
        assert_eq!(parse_move(board, &move_text(board, played)), Ok(played));
    }
}

/// A local position that is read can be written and read again.
pub fn region(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(local) = text.parse::<LocalPosition>() {
        assert_eq!(local.to_string(), text.to_lowercase());
        assert_eq!(local.to_string().parse(), Ok(local));
    }
}

/// Games that are read can be written, and read again to the same text and positions.
pub fn sgf(bytes: &[u8]) {
    let Ok(games) = parse_games(bytes) else { return };
    let text = games_text(&games);
    let again = parse_games(text.as_bytes()).expect("it was read");
    assert_eq!(games_text(&again), text);
    for (game, image) in games.iter().zip(&again) {
        let (order, images) = (game.tree().preorder(), image.tree().preorder());
        assert_eq!(order.len(), images.len());
        for (id, image_id) in order.into_iter().zip(images) {
            assert_eq!(game.position(id), image.position(image_id));
        }
    }
}

/// Bytes that open as a tier can be searched, decoded and checked without a panic; the first byte
/// chooses how. A manifest that is read can be written again, byte for byte.
pub fn tier(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::parse(bytes) {
        assert_eq!(manifest.to_bytes().expect("it was read").len(), bytes.len());
    }
    let Ok(tier) = TierReader::open(bytes) else { return };
    let Ok(mut decoder) = tier.decoder() else { return };
    let (sets, rows, columns) =
        (tier.frames().sets(), tier.shape().rows(), tier.shape().row_bits());
    for rank in [0, sets / 2, sets.saturating_sub(1), sets, u64::MAX] {
        let _ = tier.set(rank).and_then(|set| tier.rank(set));
        let _ = tier.bit(rank, rows - 1, columns.saturating_sub(1), &mut decoder);
        let _ = tier.bit(rank, rows, columns, &mut decoder);
    }
    if tier.frames().raw_bytes() < 1 << 20 {
        let _ = check_tier(&tier);
    }
}
