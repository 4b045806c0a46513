//! Certificates.

use amazons::machine::progress::StopFlag;
use amazons::proof::variants::{VariantReader, check as variant_check, is_of_variant};
use amazons::proof::{Part, Reader, check};

use super::{packed, sums};

/// Bytes of the header, and of what stands before the length of a frame's bytes.
const SIZES: (usize, usize) = (38, 5);
/// The same, of a certificate of another game.
const VARIANT_SIZES: (usize, usize) = (68, 4);
/// Leaves of more empty squares may take negamax a second.
const LARGEST_LEAF: u8 = 6;

/// Every frame of a certificate can be read or is an error, and its claim is checked. The sum is
/// repaired first. After an odd first byte come the header and frames that are to be compressed.
pub fn certificate(bytes: &[u8]) {
    let Some((how, bytes)) = bytes.split_first() else { return };
    let mut file = if how % 2 == 0 { bytes.to_vec() } else { pack(bytes).unwrap_or_default() };
    sums::certificate(&mut file);
    if is_of_variant(&file[..]) {
        return variant(&file);
    }
    let Ok(mut reader) = Reader::new(&file[..]) else { return };
    let small = reader.claim().leaf <= LARGEST_LEAF;
    while let Ok(Some(frame)) = reader.frame() {
        assert!(frame.positions.is_sorted() && !frame.positions.is_empty());
    }
    if small {
        let checked = check::verify(|| Ok(&file[..]), 1 << 20, &(), &StopFlag::new());
        assert!(checked.is_err() || reader.claim().winner() == checked.unwrap().0.winner());
    }
}

fn variant(file: &[u8]) {
    let Ok(mut reader) = VariantReader::new(file) else { return };
    while let Ok(Some(frame)) = reader.frame() {
        assert!(frame.is_sorted_by_key(|listed| listed.code) && !frame.is_empty());
    }
    let memory = variant_check::least_memory();
    let checked =
        variant_check::verify_part(|| Ok(file), Part::WHOLE, memory, &(), &StopFlag::new());
    assert!(checked.is_err() || reader.claim().winner() == checked.unwrap().0.winner());
}

/// A chunk has what stands before the length of a frame's bytes, and then its positions.
fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, begins) = if is_of_variant(bytes) { VARIANT_SIZES } else { SIZES };
    let (mut file, chunks) = packed::split(bytes, header)?;
    for chunk in chunks {
        let (head, raw) = chunk.split_at_checked(begins)?;
        let frame = packed::zstd(raw);
        file.push(b'F');
        file.extend(head);
        file.extend((frame.len() as u32).to_le_bytes());
        file.extend(frame);
    }
    file.extend([0; 33]);
    Some(file)
}
