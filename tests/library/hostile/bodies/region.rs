//! Local positions.

use amazons::game::notation::LocalPosition;

/// A local position that is read can be written and read again.
pub fn region(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(local) = text.parse::<LocalPosition>() {
        assert_eq!(local.to_string(), text.to_lowercase());
        assert_eq!(local.to_string().parse(), Ok(local));
    }
}
