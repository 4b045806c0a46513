//! Files as bytes in memory: the only unsafe code for input and output.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A file mapped into memory, read-only.
///
/// Tier files are written under a temporary name and never changed under their final one. If
/// another program truncates a mapped file all the same, the operating system ends this process
/// (SIGBUS); if it changes bytes, checksums tell.
#[derive(Debug)]
pub struct Map(Mmap);

impl Map {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the map is read-only, and this crate never changes or truncates a file under its
        // final name (it renames complete files there) nor, while it is mapped, an unfinished one,
        // whose directory's lock it holds. So the bytes stay as they are for as long as they are
        // mapped. They are only ever read as `&[u8]`, for which every value is valid.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self(map))
    }

    /// Gives the pages read so far back to the operating system, which may read them again from its
    /// own cache; they no longer count as memory of this process.
    pub fn give_back(&self) {
        #[cfg(unix)]
        // SAFETY: dropping pages of a read-only file map loses nothing: they are read again when
        // touched. Failure only means that they stay.
        let _ = unsafe { self.0.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
