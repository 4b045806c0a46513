//! The bytes of a file: mapped into memory, or given.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::io;
use std::path::Path;

/// Bytes, for a reader that does not care where they are.
///
/// Tier files are written under a temporary name and never changed under their final one. If
/// another program truncates a mapped file all the same, the operating system ends this process
/// (SIGBUS); if it changes bytes, checksums tell. Where files cannot be mapped they are read.
#[derive(Debug)]
pub struct Map(Bytes);

#[derive(Debug)]
enum Bytes {
    #[cfg(any(unix, windows))]
    Mapped(memmap2::Mmap),
    Given(Cow<'static, [u8]>),
}

impl Map {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped.
    #[cfg(any(unix, windows))]
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = std::fs::File::open(path)?;
        // SAFETY: the map is read-only, and this crate never changes or truncates a file under its
        // final name (it renames complete files there) nor, while it is mapped, an unfinished one,
        // whose directory's lock it holds. So the bytes stay as they are for as long as they are
        // mapped. They are only ever read as `&[u8]`, for which every value is valid.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Self(Bytes::Mapped(map)))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read.
    #[cfg(not(any(unix, windows)))]
    pub fn open(path: &Path) -> io::Result<Self> {
        std::fs::read(path).map(Self::from)
    }

    /// Gives the pages read so far back to the operating system, which may read them again from its
    /// own cache; they no longer count as memory of this process.
    pub fn give_back(&self) {
        #[cfg(unix)]
        if let Bytes::Mapped(map) = &self.0 {
            // SAFETY: dropping pages of a read-only file map loses nothing: they are read again
            // when touched. Failure only means that they stay.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }
}

impl From<Cow<'static, [u8]>> for Map {
    fn from(bytes: Cow<'static, [u8]>) -> Self {
        Self(Bytes::Given(bytes))
    }
}

impl From<Vec<u8>> for Map {
    fn from(bytes: Vec<u8>) -> Self {
        Cow::<[u8]>::Owned(bytes).into()
    }
}

impl From<&'static [u8]> for Map {
    fn from(bytes: &'static [u8]) -> Self {
        Cow::Borrowed(bytes).into()
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        match &self.0 {
            #[cfg(any(unix, windows))]
            Bytes::Mapped(map) => map,
            Bytes::Given(bytes) => bytes,
        }
    }
}
