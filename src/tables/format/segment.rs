//! Segments: stretches of frames of a tier that several processes write apart.
//!
//! A segment's file is of use until the tier is complete: then its frames are copied to where they
//! belong, by any process. A tier may have thousands.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::content_hash::Piece;
use super::header::{ENTRY_BYTES, HEADER_BYTES};
use super::names::part_path;
use super::reader::frame_sum;
use super::{TableError, TierError};
use crate::machine::fields::field;
use crate::machine::files;
use crate::tables::index::TierShape;

/// A segment that is complete.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// Its frames.
    pub frames: Range<u64>,
    /// Bytes of its encoded frames.
    pub data_bytes: u64,
    pub(super) wins: u64,
    pub(super) index_sum: u64,
    pub(super) pieces: Vec<Piece>,
}

impl Segment {
    /// What [`Self::copy`] has to know.
    pub fn without_hash(&self) -> Self {
        Self { pieces: Vec::new(), frames: self.frames.clone(), ..*self }
    }

    /// Copies the encoded frames to byte `at` of the unfinished file of their tier, comparing each
    /// with its checksum. They may not be on the disk afterwards.
    ///
    /// # Errors
    /// [`TableError::Io`], or [`TableError::Damaged`] if the segment is not what was written.
    pub fn copy(&self, directory: &Path, shape: &TierShape, at: u64) -> Result<(), TableError> {
        let (from, to) =
            (part_path(directory, shape, Some(&self.frames)), part_path(directory, shape, None));
        let index = read_index(directory, shape, self)?;
        let mut file = self.open(directory, shape)?;
        file.seek(SeekFrom::Start(self.data_offset())).map_err(TableError::io("read", &from))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let open = || {
            let mut whole = OpenOptions::new().write(true).open(&to)?;
            whole.seek(SeekFrom::Start(at))?;
            Ok(BufWriter::with_capacity(1 << 20, whole))
        };
        let mut whole = open().map_err(TableError::io("write", &to))?;
        let (mut start, mut encoded) = (0, Vec::new());
        for (frame, entry) in self.frames.clone().zip(entries(&index)) {
            let [end, sum] = entry;
            let damaged = || TableError::damaged(&from, shape, TierError::Frame { frame });
            let length = end.checked_sub(start).filter(|_| end <= self.data_bytes);
            let length = length.and_then(|length| usize::try_from(length).ok());
            encoded.resize(length.ok_or_else(damaged)?, 0);
            file.read_exact(&mut encoded).map_err(TableError::io("read", &from))?;
            if frame_sum(frame, &encoded) != sum {
                return Err(damaged());
            }
            whole.write_all(&encoded).map_err(TableError::io("write", &to))?;
            start = end;
        }
        whole.flush().map_err(TableError::io("write", &to))
    }

    /// Makes sure that what this process has copied to the unfinished file of a tier lasts.
    ///
    /// # Errors
    /// [`TableError::Io`].
    pub fn sync(directory: &Path, shape: &TierShape) -> Result<(), TableError> {
        let path = part_path(directory, shape, None);
        let opened = OpenOptions::new().write(true).open(&path);
        opened.and_then(|file| file.sync_data()).map_err(TableError::io("sync", &path))
    }

    fn data_offset(&self) -> u64 {
        HEADER_BYTES as u64 + ENTRY_BYTES * (self.frames.end - self.frames.start)
    }

    fn open(&self, directory: &Path, shape: &TierShape) -> Result<File, TableError> {
        let path = part_path(directory, shape, Some(&self.frames));
        files::open_shared(&path, self.data_offset() + self.data_bytes)
            .map_err(TableError::io("read", &path))
    }
}

/// The index of a segment: where its frames end in its data, and their checksums.
pub(super) fn read_index(
    directory: &Path,
    shape: &TierShape,
    segment: &Segment,
) -> Result<Vec<u8>, TableError> {
    let mut file = segment.open(directory, shape)?;
    let path = part_path(directory, shape, Some(&segment.frames));
    let mut index = vec![0; segment.data_offset() as usize - HEADER_BYTES];
    let read = |file: &mut File, index: &mut [u8]| -> io::Result<()> {
        file.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
        file.read_exact(index)
    };
    read(&mut file, &mut index).map_err(TableError::io("read", &path))?;
    if xxh3_64(&index) != segment.index_sum {
        return Err(TableError::damaged(&path, shape, TierError::Index));
    }
    Ok(index)
}

fn entries(index: &[u8]) -> impl Iterator<Item = [u64; 2]> {
    let entries = index.chunks_exact(ENTRY_BYTES as usize);
    entries.map(|entry| [0, 8].map(|at| u64::from_le_bytes(field(entry, at))))
}

/// The entries of an index whose frames stand `by` bytes further on.
pub(super) fn shifted(index: &[u8], by: u64) -> impl Iterator<Item = u8> {
    entries(index).flat_map(move |[end, sum]| [end + by, sum]).flat_map(u64::to_le_bytes)
}
