//! Games in SGF.

use amazons::game::notation::sgf::{games_text, parse_games};

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
