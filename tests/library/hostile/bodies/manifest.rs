//! Manifests.

use amazons::tables::format::Manifest;

use super::sums;

/// A manifest that is read can be written again, byte for byte but for the program's version and
/// the checksum. The sum is repaired first.
pub fn manifest(bytes: &[u8]) {
    let _ = Manifest::parse(bytes);
    let mut text = bytes.to_vec();
    sums::text(&mut text);
    if let Ok(manifest) = Manifest::parse(&text) {
        let again = manifest.to_bytes().expect("it was read");
        assert_eq!(Manifest::parse(&again).expect("it was written"), manifest);
    }
}
