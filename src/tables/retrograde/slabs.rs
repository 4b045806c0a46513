//! Buffers of one length, cut from large slabs, used again and again, and given back to the system
//! all at once.
//!
//! A cache of gigabytes made of single allocations stays with the allocator when the cache is gone,
//! while the next tier asks for as many bytes of another size; the process then holds both. A slab
//! is large enough that allocators map it by itself and unmap it with the last of its buffers.
//! Memory that no buffer has used is never touched.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::BytesMut;

/// Bytes of a slab, unless one buffer is longer.
const SLAB: usize = 64 << 20;
/// Buffers are this much or a multiple of it, so that what is counted is what the system lends.
const PAGE: usize = 4096;

/// Where buffers come from and go back to.
#[derive(Debug)]
pub(super) struct Slabs {
    length: usize,
    free: Mutex<Free>,
}

#[derive(Debug, Default)]
struct Free {
    buffers: Vec<BytesMut>,
    /// What is left of the newest slab.
    slab: BytesMut,
}

/// A buffer with anything in it; dropped, it is free for whoever asks next.
#[derive(Debug)]
pub(super) struct Buffer {
    bytes: BytesMut,
    slabs: Arc<Slabs>,
}

impl Slabs {
    /// Buffers of at least `length` bytes.
    pub(super) fn new(length: usize) -> Arc<Self> {
        Arc::new(Self { length: length.next_multiple_of(PAGE), free: Mutex::default() })
    }

    /// A buffer, used before if there is one.
    pub(super) fn take(self: &Arc<Self>) -> Buffer {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = free.buffers.pop().unwrap_or_else(|| {
            if free.slab.len() < self.length {
                free.slab = BytesMut::zeroed(SLAB / self.length.max(1) * self.length + self.length);
            }
            free.slab.split_to(self.length)
        });
        Buffer { bytes, slabs: self.clone() }
    }
}

impl Buffer {
    /// Its bytes, to be filled.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Deref for Buffer {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.slabs.free.lock().unwrap_or_else(PoisonError::into_inner).buffers.push(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_used_again() {
        let slabs = Slabs::new(5000);
        let (mut first, second) = (slabs.take(), slabs.take());
        assert_eq!((first.len(), second.len()), (8192, 8192));
        assert!(first.as_ptr().wrapping_add(8192) == second.as_ptr(), "neighbours of one slab");
        first.bytes_mut()[4999] = 7;
        let at = first.as_ptr();
        drop(first);
        let again = slabs.take();
        assert_eq!((again.as_ptr(), again[4999]), (at, 7));
    }

    #[test]
    fn long_buffers_are_slabs_of_their_own() {
        let slabs = Slabs::new(SLAB + 1);
        assert_eq!(slabs.take().len(), SLAB + PAGE);
    }
}
