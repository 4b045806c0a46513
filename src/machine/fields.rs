//! Fields of fixed size in the headers and lists of files.
//!
//! Numbers in files are little-endian: `u64::from_le_bytes(field(header, 40))`.

/// The bytes of a field.
///
/// # Panics
/// If the bytes end before it does.
#[inline]
pub(crate) fn field<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}
