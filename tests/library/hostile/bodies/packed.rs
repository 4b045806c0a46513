//! Inputs of which a part is compressed only after the fuzzer has changed it: else nearly every
//! change would end in the decompressor.

/// Cuts bytes into a head of `length` bytes and chunks, each after its length in two bytes; the
/// last one may be cut short. `None` without a head.
pub fn split(bytes: &[u8], length: usize) -> Option<(Vec<u8>, Vec<&[u8]>)> {
    let (head, mut rest) = bytes.split_at_checked(length)?;
    let mut chunks = Vec::new();
    while let Some((size, after)) = rest.split_first_chunk() {
        let size = usize::from(u16::from_le_bytes(*size)).min(after.len());
        let (chunk, after) = after.split_at(size);
        chunks.push(chunk);
        rest = after;
    }
    Some((head.to_vec(), chunks))
}

/// What [`split`] takes apart.
pub fn join(head: &[u8], chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = head.to_vec();
    for chunk in chunks {
        bytes.extend((chunk.len() as u16).to_le_bytes());
        bytes.extend(chunk);
    }
    bytes
}

/// The zstd frame of some bytes.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).expect("memory can be compressed")
}
