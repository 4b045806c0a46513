//! Sums that fit: what damages a file for a test makes its checksums right again, so that the
//! damage reaches what is behind them.

use xxhash_rust::xxh3::xxh3_64;

/// Of a tier's file: of its list of arrow sets, its frame index and its header.
pub fn tier(file: &mut [u8]) {
    if file.len() < 160 {
        return;
    }
    let number = |at: usize, file: &[u8]| {
        let bytes = file[at..].first_chunk().expect("the header is there");
        usize::try_from(u64::from_le_bytes(*bytes)).unwrap_or(usize::MAX)
    };
    let offsets = [72, 80, 88].map(|at| number(at, file));
    if offsets.is_sorted() && offsets[2] <= file.len() {
        for (at, sum) in [
            (136, xxh3_64(&file[offsets[0]..offsets[1]])),
            (144, xxh3_64(&file[offsets[1]..offsets[2]])),
        ] {
            file[at..][..8].copy_from_slice(&sum.to_le_bytes());
        }
    }
    let sum = xxh3_64(&file[..152]);
    file[152..160].copy_from_slice(&sum.to_le_bytes());
}

/// Of an opening table: BLAKE3 of everything stands at the end.
pub fn at_the_end(file: &mut [u8]) {
    let Some(end) = file.len().checked_sub(32) else { return };
    let hash = blake3::hash(&file[..end]);
    file[end..].copy_from_slice(hash.as_bytes());
}

/// Of a checkpoint: each block has the sum of its bytes, and at the end stands that of the header,
/// of the history, and of all blocks without their bytes. The first version had only the last one,
/// the second no history.
pub fn checkpoint(file: &mut [u8]) {
    let Some(end) = file.len().checked_sub(32) else { return };
    let header = match file.get(8..12) {
        Some([4, 0, 0, 0]) => LARGE_CHECKPOINT_HEADER,
        _ => CHECKPOINT_HEADER,
    };
    if file.get(8..12) == Some(&[1, 0, 0, 0]) || end < header + 4 {
        return at_the_end(file);
    }
    let mut begins = header;
    if file[8..12] != [2, 0, 0, 0] {
        let moments = file[begins..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        begins += 4 + moments as usize * MOMENT;
    }
    if begins > end {
        return;
    }
    let mut all = blake3::Hasher::new();
    all.update(&file[..begins]);
    let mut rest = &mut file[begins..end];
    while rest.len() >= BLOCK_HEADER {
        let (head, after) = std::mem::take(&mut rest).split_at_mut(BLOCK_HEADER);
        let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        let (bytes, after) = after.split_at_mut(size.min(after.len()));
        head[8..].copy_from_slice(blake3::hash(bytes).as_bytes());
        all.update(head);
        rest = after;
    }
    file[end..].copy_from_slice(all.finalize().as_bytes());
}

/// Bytes of the header of a checkpoint.
const CHECKPOINT_HEADER: usize = 64;
/// The same of a board of more than 64 squares.
const LARGE_CHECKPOINT_HEADER: usize = 88;
/// Bytes of a moment of its history.
const MOMENT: usize = 28;
/// Entries, bytes and sum of a block of a checkpoint.
const BLOCK_HEADER: usize = 40;

/// Of a certificate: an `E` and BLAKE3 of everything before it stand at the end.
pub fn certificate(file: &mut [u8]) {
    let Some(end) = file.len().checked_sub(33) else { return };
    let hash = blake3::hash(&file[..end]);
    file[end] = b'E';
    file[end + 1..].copy_from_slice(hash.as_bytes());
}

/// Of a manifest or a journal: the field `checksum` has BLAKE3 of the text in which it is empty.
pub fn text(file: &mut Vec<u8>) {
    let name = b"\"checksum\":";
    let Some(found) = file.windows(name.len()).rposition(|bytes| bytes == name) else { return };
    let quote = |from: usize, file: &[u8]| {
        file[from..].iter().position(|&byte| byte == b'"').map(|at| from + at + 1)
    };
    let Some(start) = quote(found + name.len(), file) else { return };
    let Some(end) = quote(start, file).map(|end| end - 1) else { return };
    file.drain(start..end);
    let hash = blake3::hash(file).to_hex();
    file.splice(start..start, hash.bytes());
}
