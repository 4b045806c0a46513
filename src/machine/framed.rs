//! Files in frames: a header, items in frames that are packed alone, and a hash of it all.
//!
//! ```text
//! header     of the length that this kind of file has
//! frame*     'F' | what its items share, of a fixed length | items u32 | bytes u32
//!            | zstd of the items
//! end        'E' | BLAKE3 of all bytes before the 'E', 32 bytes
//! ```
//!
//! All integers are little-endian. A frame has one item at least and [`MOST_ITEMS`] at most.

use std::io::{self, ErrorKind, Read, Write};

use super::zstd;

/// Most items of a frame.
pub(crate) const MOST_ITEMS: usize = 1 << 16;
/// Bytes of the end.
pub(crate) const END_BYTES: usize = 1 + blake3::OUT_LEN;
const FRAME: u8 = b'F';
const END: u8 = b'E';

/// Why a file in frames cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FramedError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is shorter than its header.
    #[error("a shorter file")]
    Short,
    /// Something in it cannot be.
    #[error("is damaged at byte {at}: {what}")]
    Damaged { at: u64, what: &'static str },
}

/// The items of a frame.
#[derive(Debug)]
pub(crate) struct Items<const SHARED: usize> {
    /// Where the frame begins in the file.
    pub(crate) at: u64,
    /// What they share.
    pub(crate) shared: [u8; SHARED],
    /// How many there are, as the file says.
    pub(crate) count: usize,
    /// Their bytes, unpacked.
    pub(crate) bytes: Vec<u8>,
}

/// Reads a file in frames. No length or count in it is trusted.
#[derive(Debug)]
pub(crate) struct FramedReader<R, const SHARED: usize> {
    input: R,
    hash: blake3::Hasher,
    at: u64,
    /// Most bytes of a frame, unpacked.
    most_bytes: usize,
}

impl<R: Read, const SHARED: usize> FramedReader<R, SHARED> {
    /// Reads the header of a file whose items have at most `item_bytes` bytes each.
    ///
    /// # Errors
    /// If the file is shorter, or cannot be read.
    pub(crate) fn begin<const HEADER: usize>(
        mut input: R,
        item_bytes: usize,
    ) -> Result<(Self, [u8; HEADER]), FramedError> {
        let mut header = [0; HEADER];
        input.read_exact(&mut header).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => FramedError::Short,
            _ => error.into(),
        })?;
        let mut hash = blake3::Hasher::new();
        hash.update(&header);
        let most_bytes = MOST_ITEMS * item_bytes;
        Ok((Self { input, hash, at: HEADER as u64, most_bytes }, header))
    }

    /// Reads more bytes of the header, which is longer in this version of the file.
    ///
    /// # Errors
    /// If the file ends before, or cannot be read.
    pub(crate) fn more_header<const N: usize>(&mut self) -> Result<[u8; N], FramedError> {
        let bytes = self.get()?;
        self.hash.update(&bytes);
        Ok(bytes)
    }

    /// Reads single frames of a file that was read to its end before: `input` begins with one,
    /// which is at this byte of the file. The hash is not that of the file.
    pub(crate) fn within(input: R, at: u64, item_bytes: usize) -> Self {
        Self { input, hash: blake3::Hasher::new(), at, most_bytes: MOST_ITEMS * item_bytes }
    }

    /// Where in the file the next frame, or the end, begins.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// The next frame, `None` after the last one, when the hash has been found right and nothing
    /// follows it.
    ///
    /// # Errors
    /// Where and how the file is damaged, or that it cannot be read.
    pub(crate) fn next(&mut self) -> Result<Option<Items<SHARED>>, FramedError> {
        let at = self.at;
        let damaged = |what| FramedError::Damaged { at, what };
        let tag: [u8; 1] = self.get()?;
        if tag == [END] {
            return self.end(at).map(|()| None);
        }
        if tag != [FRAME] {
            return Err(damaged("neither a frame nor the end"));
        }
        let (shared, count, length) = (self.get()?, self.get()?, self.get()?);
        let [items, bytes] = [count, length].map(|number| u32::from_le_bytes(number) as usize);
        if items > MOST_ITEMS || bytes > zstd::compress_bound(self.most_bytes) {
            return Err(damaged("an impossible length of a frame"));
        }
        if items == 0 {
            return Err(damaged("a frame without positions"));
        }
        let mut packed = vec![0; bytes];
        self.fill(&mut packed)?;
        for part in [&tag[..], &shared, &count, &length, &packed] {
            self.hash.update(part);
        }
        let bytes = zstd::decompress(&packed, self.most_bytes)
            .map_err(|_| damaged("a frame that zstd refuses"))?;
        Ok(Some(Items { at, shared, count: items, bytes }))
    }

    /// The hash of all that was read so far: after the last frame the one that ends the file.
    pub(crate) fn hash(&self) -> blake3::Hash {
        self.hash.finalize()
    }

    /// Reads the end, which begins at `at`.
    fn end(&mut self, at: u64) -> Result<(), FramedError> {
        let found: [u8; blake3::OUT_LEN] = self.get()?;
        if self.hash.finalize() != found {
            let what = "the hash is not that of the bytes before it";
            return Err(FramedError::Damaged { at, what });
        }
        match self.input.read_exact(&mut [0]) {
            Ok(()) => Err(FramedError::Damaged { at: self.at, what: "bytes after the end" }),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn get<const N: usize>(&mut self) -> Result<[u8; N], FramedError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FramedError> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                FramedError::Damaged { at: self.at, what: "the file ends here" }
            }
            _ => error.into(),
        })?;
        self.at += bytes.len() as u64;
        Ok(())
    }
}

/// Writes a file in frames.
#[derive(Debug)]
pub(crate) struct FramedWriter<W> {
    out: W,
    hash: blake3::Hasher,
    level: i32,
}

impl<W: Write> FramedWriter<W> {
    /// Writes the header; frames will be packed at this level of zstd.
    ///
    /// # Errors
    /// If `out` does not take it.
    pub(crate) fn begin(out: W, header: &[u8], level: i32) -> io::Result<Self> {
        let mut writer = Self { out, hash: blake3::Hasher::new(), level };
        writer.put(header)?;
        Ok(writer)
    }

    /// Writes a frame of so many items with these bytes.
    ///
    /// # Errors
    /// If `out` does not take it, or zstd fails.
    pub(crate) fn frame(&mut self, shared: &[u8], count: usize, bytes: &[u8]) -> io::Result<()> {
        debug_assert!((1..=MOST_ITEMS).contains(&count), "{count} items in a frame");
        let packed = zstd::compress(bytes, self.level)?;
        self.put(&[FRAME])?;
        self.put(shared)?;
        self.put(&(count as u32).to_le_bytes())?;
        self.put(&(packed.len() as u32).to_le_bytes())?;
        self.put(&packed)
    }

    /// Writes the end; gives back what was written to.
    ///
    /// # Errors
    /// If `out` does not take it.
    pub(crate) fn end(mut self) -> io::Result<W> {
        self.out.write_all(&[END])?;
        self.out.write_all(self.hash.finalize().as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.out.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of items of up to two bytes, each with what they share.
    fn write(frames: &[([u8; 3], usize, &[u8])]) -> Vec<u8> {
        let mut writer = FramedWriter::begin(Vec::new(), b"head", 1).unwrap();
        for (shared, count, bytes) in frames {
            writer.frame(shared, *count, bytes).unwrap();
        }
        writer.end().unwrap()
    }

    /// The header, and each frame's start, what its items share, their number, and their bytes.
    type Read = ([u8; 4], Vec<(u64, [u8; 3], usize, Vec<u8>)>);

    fn read(bytes: &[u8]) -> Result<Read, FramedError> {
        let (mut reader, header) = FramedReader::<_, 3>::begin(bytes, 2)?;
        let mut frames = Vec::new();
        while let Some(Items { at, shared, count, bytes }) = reader.next()? {
            frames.push((at, shared, count, bytes));
        }
        Ok((header, frames))
    }

    #[test]
    fn what_is_written_is_read() {
        let long = vec![9; 2 * MOST_ITEMS];
        let frames = [(*b"abc", 2, &b"four"[..]), (*b"def", MOST_ITEMS, &long), (*b"ghi", 1, b"")];
        for some in [&frames[..0], &frames[..1], &frames] {
            let (header, found) = read(&write(some)).unwrap();
            assert_eq!(header, *b"head");
            let without_places =
                found.iter().map(|(_, shared, count, bytes)| (*shared, *count, &bytes[..]));
            assert!(without_places.eq(some.iter().copied()));
            assert!(found.first().is_none_or(|first| first.0 == 4));
        }
        assert_eq!(write(&[]).len(), 4 + END_BYTES);
    }

    #[test]
    fn every_changed_missing_or_further_byte_is_noticed() {
        let bytes = write(&[(*b"abc", 2, b"four"), (*b"def", 1, b"2")]);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert!(read(&changed).is_err(), "byte {at}");
            let error = read(&bytes[..at]).unwrap_err();
            assert_eq!(matches!(error, FramedError::Short), at < 4, "{at} bytes: {error}");
        }
        let error = read(&[&bytes[..], b"x"].concat()).unwrap_err().to_string();
        assert_eq!(error, format!("is damaged at byte {}: bytes after the end", bytes.len()));
    }

    #[test]
    fn impossible_lengths_are_refused_before_memory_is_taken() {
        let bytes = write(&[(*b"abc", 2, b"four")]);
        for (at, number, what) in [
            (8, 0, "a frame without positions"),
            (8, MOST_ITEMS as u32 + 1, "an impossible length of a frame"),
            (12, u32::MAX, "an impossible length of a frame"),
        ] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
            let error = read(&changed).unwrap_err().to_string();
            assert_eq!(error, format!("is damaged at byte 4: {what}"));
        }
    }
}
