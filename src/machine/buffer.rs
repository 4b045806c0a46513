//! Buffers whose lengths come from files: memory that cannot be had is an error there, and ends the
//! process where a list grows by itself.

use std::io;

/// Makes a buffer so long; what is new of it is 0. It takes no more memory than that needs.
///
/// # Errors
/// [`io::ErrorKind::OutOfMemory`] if there is no memory; the buffer is then as it was.
pub(crate) fn resize<T: Copy + Default>(buffer: &mut Vec<T>, length: usize) -> io::Result<()> {
    let more = length.saturating_sub(buffer.len());
    buffer.try_reserve_exact(more).map_err(|_| io::ErrorKind::OutOfMemory)?;
    buffer.resize(length, T::default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_as_long_as_asked_or_as_it_was() {
        let mut buffer = vec![7; 3];
        resize(&mut buffer, 5).unwrap();
        assert_eq!(buffer, [7, 7, 7, 0, 0]);
        resize(&mut buffer, 2).unwrap();
        assert_eq!(buffer, [7, 7]);
        let refused = resize(&mut buffer, usize::MAX).unwrap_err();
        assert_eq!((refused.kind(), &buffer[..]), (io::ErrorKind::OutOfMemory, &[7, 7][..]));
    }
}
