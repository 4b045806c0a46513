//! Where the bytes of a tier come from: memory, a mapped file, or a file that is read a piece at a
//! time.
//!
//! A program that uses the library maps the files, unless it says otherwise: nothing is copied, and
//! processes share the pages. A map of a file that another program truncates ends the process,
//! though (SIGBUS). So the commands, the server and the module for Python read: then it is an
//! error, or gives bytes whose checksums do not fit. A build reads too, because it goes through
//! each file once and counts its memory. Reading costs a copy, a twentieth of what decoding costs.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

use super::map::Map;
use crate::machine::files;

/// Bytes that do not change, or whose changes checksums tell.
pub trait ByteSource {
    /// How many there are.
    fn length(&self) -> u64;

    /// All of them, if they are in memory.
    fn in_memory(&self) -> Option<&[u8]>;

    /// Reads `into.len()` bytes from the byte `at` on.
    ///
    /// # Errors
    /// If there are fewer, or the system refuses.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;
}

impl<B: AsRef<[u8]>> ByteSource for B {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self.as_ref())
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let rest = usize::try_from(at).ok().and_then(|at| self.as_ref().get(at..));
        let found = rest.and_then(|rest| rest.get(..into.len()));
        into.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// The bytes of a tier's file, or given ones.
#[derive(Debug)]
pub struct TierBytes(Bytes);

#[derive(Debug)]
enum Bytes {
    #[cfg(any(unix, windows))]
    File {
        file: File,
        length: u64,
    },
    Mapped(Map),
    Given(Cow<'static, [u8]>),
    Other(OtherSource),
}

/// A source that the caller has.
struct OtherSource(Box<dyn ByteSource + Send + Sync>);

impl std::fmt::Debug for OtherSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OtherSource").field("length", &self.0.length()).finish_non_exhaustive()
    }
}

impl TierBytes {
    /// Opens a file. Where files cannot be read from any place, it is read as a whole.
    ///
    /// # Errors
    /// If it cannot be opened, or is no regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = files::open_regular(path)?;
        Self::of(file).map(Self)
    }

    /// As [`Self::open`], for a file of so many bytes that another machine may have written just
    /// now.
    ///
    /// # Errors
    /// As [`Self::open`], or if it has another length.
    pub fn shared(path: &Path, bytes: u64) -> io::Result<Self> {
        Self::of(files::open_shared(path, bytes)?).map(Self)
    }

    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped, or is no regular file.
    pub fn map(path: &Path) -> io::Result<Self> {
        Map::open(path).map(|map| Self(Bytes::Mapped(map)))
    }

    /// The bytes of a source of the caller's own, such as a server.
    pub fn of_source(source: impl ByteSource + Send + Sync + 'static) -> Self {
        Self(Bytes::Other(OtherSource(Box::new(source))))
    }

    #[cfg(any(unix, windows))]
    fn of(file: File) -> io::Result<Bytes> {
        let length = file.metadata()?.len();
        Ok(Bytes::File { file, length })
    }

    #[cfg(not(any(unix, windows)))]
    fn of(mut file: File) -> io::Result<Bytes> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        Ok(Bytes::Given(bytes.into()))
    }
}

impl ByteSource for TierBytes {
    fn length(&self) -> u64 {
        match &self.0 {
            #[cfg(any(unix, windows))]
            Bytes::File { length, .. } => *length,
            Bytes::Mapped(map) => map.length(),
            Bytes::Given(bytes) => bytes.length(),
            Bytes::Other(source) => source.0.length(),
        }
    }

    fn in_memory(&self) -> Option<&[u8]> {
        match &self.0 {
            #[cfg(any(unix, windows))]
            Bytes::File { .. } => None,
            Bytes::Mapped(map) => Some(map.as_ref()),
            Bytes::Given(bytes) => Some(bytes),
            Bytes::Other(source) => source.0.in_memory(),
        }
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        match &self.0 {
            #[cfg(unix)]
            Bytes::File { file, .. } => std::os::unix::fs::FileExt::read_exact_at(file, into, at),
            #[cfg(windows)]
            Bytes::File { file, .. } => {
                let (mut into, mut at) = (into, at);
                while !into.is_empty() {
                    match std::os::windows::fs::FileExt::seek_read(file, into, at)? {
                        0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                        read => {
                            at += read as u64;
                            into = &mut into[read..];
                        }
                    }
                }
                Ok(())
            }
            Bytes::Mapped(map) => map.read_at(at, into),
            Bytes::Given(bytes) => bytes.read_at(at, into),
            Bytes::Other(source) => source.0.read_at(at, into),
        }
    }
}

impl From<Cow<'static, [u8]>> for TierBytes {
    fn from(bytes: Cow<'static, [u8]>) -> Self {
        Self(Bytes::Given(bytes))
    }
}

impl From<Vec<u8>> for TierBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Cow::<[u8]>::Owned(bytes).into()
    }
}

impl From<&'static [u8]> for TierBytes {
    fn from(bytes: &'static [u8]) -> Self {
        Cow::Borrowed(bytes).into()
    }
}
