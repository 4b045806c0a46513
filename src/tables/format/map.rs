//! The bytes of a file, mapped into memory.
#![allow(unsafe_code)]

use std::io;
use std::path::Path;

use crate::machine::files;

/// The bytes of a file. Where files cannot be mapped they are read.
///
/// Tier files are written under a temporary name and never changed under their final one. If
/// another program truncates a mapped file all the same, the operating system ends this process
/// (SIGBUS); if it changes bytes, checksums tell.
#[derive(Debug)]
pub(super) struct Map(Bytes);

#[cfg(any(unix, windows))]
type Bytes = memmap2::Mmap;
#[cfg(not(any(unix, windows)))]
type Bytes = Vec<u8>;

impl Map {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped, or is no regular file.
    #[cfg(any(unix, windows))]
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = files::open_regular(path)?;
        // SAFETY: the map is read-only, and this crate never changes or truncates a file under its
        // final name (it renames complete files there) nor, while it is mapped, an unfinished one,
        // whose directory's lock it holds. So the bytes stay as they are for as long as they are
        // mapped. They are only ever read as `&[u8]`, for which every value is valid.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(map))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read.
    #[cfg(not(any(unix, windows)))]
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut files::open_regular(path)?, &mut bytes)?;
        Ok(Self(bytes))
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
