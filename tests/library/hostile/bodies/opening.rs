//! Opening tables.

use amazons::tables::opening::Opening;

use super::{packed, sums};

/// Bytes of the header.
const HEADER: usize = 40;

/// An opening table that is read can be asked, and its plies are sorted. The sum is repaired first.
/// After an odd first byte come the header and plies that are to be compressed, with their counts.
pub fn opening(bytes: &[u8]) {
    let Some((how, bytes)) = bytes.split_first() else { return };
    let mut file = if how % 2 == 0 { bytes.to_vec() } else { pack(bytes).unwrap_or_default() };
    sums::at_the_end(&mut file);
    let Ok(opening) = Opening::read(&file[..]) else { return };
    let answer = opening.answer(opening.start()).expect("the same board");
    assert!(answer.is_none_or(|answer| answer.moves.is_none_or(|moves| moves.len() < 10_000)));
    for ply in opening.plies() {
        let codes: Vec<_> = ply.entries().map(|(code, _)| code).collect();
        assert!(codes.is_sorted_by(|one, next| one < next));
        assert!(codes.iter().all(|&code| ply.find(code).is_some()));
    }
}

/// A chunk has the count of a ply in 8 bytes and then its positions.
fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut file, chunks) = packed::split(bytes, HEADER)?;
    for chunk in chunks {
        let (count, raw) = chunk.split_at_checked(8)?;
        let frame = packed::zstd(raw);
        file.extend(count);
        file.extend((frame.len() as u64).to_le_bytes());
        file.extend(frame);
    }
    file.extend([0; 32]);
    Some(file)
}
