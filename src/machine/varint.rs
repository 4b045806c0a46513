//! Integers of variable length: seven bits a byte, the lowest first; the high bit of a byte says
//! that more follow.
//!
//! ```text
//!   300 = 10_0101100      bytes   1_0101100  0_0000010
//! ```

use std::io::{self, BufRead};

/// Appends a number.
pub(crate) fn push(bytes: &mut Vec<u8>, mut number: u128) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number of at most `bits` bits off the bytes; `None` if they end before it does, or it
/// has more bits or more bytes than such a number needs at the most.
#[inline]
pub(crate) fn take(bytes: &mut &[u8], bits: u32) -> Option<u128> {
    number(bits, || {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(byte)
    })
}

/// As [`take`], from a stream.
///
/// # Errors
/// If the stream cannot be read.
pub(crate) fn read(input: &mut impl BufRead, bits: u32) -> io::Result<Option<u128>> {
    let mut failed = Ok(());
    let found = number(bits, || match input.fill_buf().map(|bytes| bytes.first().copied()) {
        Ok(byte) => {
            input.consume(byte.is_some().into());
            byte
        }
        Err(error) => {
            failed = Err(error);
            None
        }
    });
    failed.map(|()| found)
}

#[inline]
fn number(bits: u32, mut next: impl FnMut() -> Option<u8>) -> Option<u128> {
    let (mut number, mut shift) = (0, 0);
    while shift < bits {
        let byte = next()?;
        let part = u128::from(byte & 127);
        if part >> (bits - shift).min(7) != 0 {
            return None;
        }
        number |= part << shift;
        if byte < 128 {
            return Some(number);
        }
        shift += 7;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_if_they_have_no_more_bits_than_allowed(
            number: u128, shift in 0..128u32, bits in 1..=128u32, next: u8,
        ) {
            let (number, mut bytes) = (number >> shift, Vec::new());
            push(&mut bytes, number);
            bytes.push(next);
            let mut rest = &bytes[..];
            let fits = number.checked_shr(bits).unwrap_or(0) == 0;
            prop_assert_eq!(take(&mut rest, bits), fits.then_some(number));
            prop_assert!(!fits || rest == [next]);
            let mut stream = &bytes[..];
            prop_assert_eq!(read(&mut stream, bits).unwrap(), fits.then_some(number));
            prop_assert_eq!(stream, rest);
            prop_assert_eq!(take(&mut &bytes[..bytes.len() - 2], 128), None);
        }
    }

    #[test]
    fn bytes_without_an_end_are_refused() {
        for bits in [7, 35, 65, 128] {
            assert_eq!(take(&mut &[0x80; 30][..], bits), None);
        }
        assert_eq!(take(&mut &[0x80, 0][..], 8), Some(0));
        assert_eq!(take(&mut &[0x80, 0][..], 7), None);
    }
}
