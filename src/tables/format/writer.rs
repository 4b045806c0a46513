//! Writing one tier, frame by frame, so that a kill at any moment costs only what came after the
//! last checkpoint.
//!
//! ```text
//!   tier-08-4v4.amz.part     header (unfinished) | list of arrow sets | room for the index | frames ...
//!   tier-08-4v4.journal      how many frames, and their sums, are safely on disk
//! ```
//!
//! When the last frame is there, index and header are filled in and the file is renamed, so after a
//! kill a file under its final name is complete. It is synced before the manifest names it, and
//! only then the journal is removed. So whatever is lost, the manifest, the file itself or the
//! journal tells how far the tier has come: [`TierWriter::finished`] takes up a tier that is
//! complete under either name, [`TierWriter::resume`] one that has a journal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::check::check_tier_of;
use super::header::{ENTRY_BYTES, HEADER_BYTES, Header};
use super::journal::Journal;
use super::map::Map;
use super::reader::{Data, EncodedFrames, frame_sum};
use super::{CodecError, Frames, TableError, TierBytes, TierReader};
use crate::machine::files;
use crate::tables::index::{CanonicalSets, TierShape};

/// Name of the file of a tier and kind, for example `tier-08-4v4.amz`: arrows, mover's and
/// opponent's amazons.
pub fn tier_file(shape: &TierShape) -> String {
    format!("tier-{:02}-{}v{}.amz", shape.arrows(), shape.mover(), shape.opponent())
}

/// What a finished tier file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierSummary {
    /// Positions, every arrow set counted.
    pub positions: u64,
    /// Wins among them.
    pub wins: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// BLAKE3 of the uncompressed blocks.
    pub content: [u8; 32],
}

/// A tier file that is being written.
#[derive(Debug)]
pub struct TierWriter {
    path: PathBuf,
    part: PathBuf,
    journal: PathBuf,
    file: BufWriter<File>,
    header: Header,
    frames: Frames,
    /// Index entries of the frames written, and how many bytes of them are in the file.
    index: Vec<u8>,
    index_saved: usize,
    hasher: blake3::Hasher,
}

impl TierWriter {
    /// Begins a tier file in a directory whose lock the caller holds. `target` is the size of
    /// frames, for example [`Frames::TARGET`].
    ///
    /// # Errors
    /// [`TableError::Io`] if the file cannot be written.
    ///
    /// # Panics
    /// If `sets` are not those of the tier.
    pub fn create(
        directory: &Path,
        shape: &TierShape,
        sets: &CanonicalSets,
        target: u32,
    ) -> Result<Self, TableError> {
        let part = part_path(directory, shape);
        remove(&journal_path(directory, shape))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        let file = options.open(&part).map_err(TableError::io("write", &part))?;
        let (header, list) = begin(shape, sets, target);
        let mut writer = Self::new(directory, header, file);
        let bytes = [&writer.header.to_bytes()[..], &list].concat();
        let start = writer.header.data_offset();
        let written =
            writer.file.write_all(&bytes).and_then(|()| writer.file.seek(SeekFrom::Start(start)));
        written.map_err(TableError::io("write", &part))?;
        Ok(writer)
    }

    /// A tier that an earlier run completed: it has its final name afterwards. `None` if there is
    /// none that is right from the first byte to the last; of what only looks complete (power was
    /// lost before it was synced) [`Self::resume`] has what the journal describes. Decodes the
    /// tier. The file that is returned may not be synced yet, nor its name.
    ///
    /// # Errors
    /// [`TableError::Io`] if the file is there but cannot be renamed.
    ///
    /// # Panics
    /// If `sets` are not those of the tier.
    pub fn finished(
        directory: &Path,
        shape: &TierShape,
        sets: &CanonicalSets,
    ) -> Result<Option<(TierSummary, File)>, TableError> {
        assert_eq!((sets.board(), sets.arrows()), (shape.board(), shape.arrows()), "other sets");
        let (path, part) = (directory.join(tier_file(shape)), part_path(directory, shape));
        let rename =
            |from: &Path, to: &Path| fs::rename(from, to).map_err(TableError::io("rename", from));
        let mut whole = summary_of(&path, shape, sets);
        if whole.is_none() {
            whole = summary_of(&part, shape, sets);
            if whole.is_some() {
                rename(&part, &path)?;
            } else if Self::has_journal(directory, shape) && path.exists() && !part.exists() {
                rename(&path, &part)?;
            }
        }
        let Some(summary) = whole else { return Ok(None) };
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).open(&path);
        Ok(Some((summary, file.map_err(TableError::io("write", &path))?)))
    }

    /// Goes on with a tier file at its last checkpoint; `None` if there is none that fits, whatever
    /// the reason: then [`Self::create`] begins anew. Decodes what is there, to check and hash it.
    ///
    /// # Errors
    /// [`TableError::Io`] if the file is there but cannot be written, [`TableError::OtherJournal`]
    /// if another version of this program wrote it.
    ///
    /// # Panics
    /// If `sets` are not those of the tier.
    pub fn resume(
        directory: &Path,
        shape: &TierShape,
        sets: &CanonicalSets,
        target: u32,
    ) -> Result<Option<Self>, TableError> {
        let part = part_path(directory, shape);
        let Some(journal) = Journal::load(&journal_path(directory, shape))? else {
            return Ok(None);
        };
        let (header, list) = begin(shape, sets, target);
        let Some((index, hasher)) = restore(&part, &header, &list, &journal) else {
            return Ok(None);
        };
        let mut options = OpenOptions::new();
        let file =
            options.read(true).write(true).open(&part).map_err(TableError::io("write", &part))?;
        let begun = header.to_bytes();
        let mut writer = Self::new(directory, header, file);
        writer.header.data_bytes = journal.data_bytes;
        writer.header.wins = journal.wins;
        let end = writer.header.file_bytes();
        let file = &mut writer.file;
        // The header may be that of the finished tier, whose end was lost.
        let cut = file
            .get_ref()
            .set_len(end)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(&begun))
            .and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.map_err(TableError::io("write", &part))?;
        Ok(Some(Self { index_saved: index.len(), index, hasher, ..writer }))
    }

    /// Whether there is a journal of a tier, damaged or not.
    pub fn has_journal(directory: &Path, shape: &TierShape) -> bool {
        journal_path(directory, shape).exists()
    }

    /// Removes what is only of use while a tier is not finished. The caller has made sure that the
    /// finished one lasts.
    ///
    /// # Errors
    /// [`TableError::Io`] if something is there that cannot be removed.
    pub fn clear(directory: &Path, shape: &TierShape) -> Result<(), TableError> {
        remove(&part_path(directory, shape))?;
        remove(&journal_path(directory, shape))
    }

    fn new(directory: &Path, header: Header, file: File) -> Self {
        Self {
            path: directory.join(tier_file(&header.shape)),
            part: part_path(directory, &header.shape),
            journal: journal_path(directory, &header.shape),
            file: BufWriter::with_capacity(1 << 20, file),
            frames: header.frames(),
            header,
            index: Vec::new(),
            index_saved: 0,
            hasher: blake3::Hasher::new(),
        }
    }

    /// How the tier is cut into frames; encoders need it.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Frames written, so the number of the next one.
    pub fn written(&self) -> u64 {
        self.index.len() as u64 / ENTRY_BYTES
    }

    /// Bytes of all encoded frames so far.
    #[cfg(any(test, feature = "internals"))]
    pub fn data_bytes(&self) -> u64 {
        self.header.data_bytes
    }

    /// Appends the next frame: its bytes, what an [`Encoder`](super::Encoder) made of them, and how
    /// many wins it holds, each arrow set counted with its images.
    ///
    /// # Errors
    /// [`TableError::Codec`] if the tier has no more frames or this one has the wrong length,
    /// [`TableError::Io`] if it cannot be written.
    pub fn push(&mut self, raw: &[u8], encoded: &[u8], wins: u64) -> Result<(), TableError> {
        let frame = self.written();
        let expected = if frame < self.frames.len() { self.frames.bytes(frame) } else { 0 };
        if raw.len() != expected || frame >= self.frames.len() {
            return Err(CodecError::Size { expected, found: raw.len() }.into());
        }
        self.file.write_all(encoded).map_err(TableError::io("write", &self.part))?;
        self.header.data_bytes += encoded.len() as u64;
        self.header.wins += wins;
        self.index.extend(self.header.data_bytes.to_le_bytes());
        self.index.extend(frame_sum(frame, encoded).to_le_bytes());
        self.hasher.update(raw);
        Ok(())
    }

    /// Makes everything pushed so far safe from a kill or a crash.
    ///
    /// # Errors
    /// [`TableError::Io`]; the last checkpoint then still holds.
    pub fn checkpoint(&mut self) -> Result<(), TableError> {
        self.save_index().map_err(TableError::io("write", &self.part))?;
        let journal = Journal {
            frames: self.written(),
            data_bytes: self.header.data_bytes,
            wins: self.header.wins,
            index_sum: xxh3_64(&self.index),
        };
        journal.save(&self.journal)
    }

    /// Writes the index entries that are not yet in the file, and syncs it.
    fn save_index(&mut self) -> io::Result<()> {
        self.write_index()?;
        self.file.seek(SeekFrom::Start(self.header.file_bytes()))?;
        self.file.get_ref().sync_data()?;
        self.index_saved = self.index.len();
        Ok(())
    }

    /// Writes the index entries that are not yet in the file to their place.
    fn write_index(&mut self) -> io::Result<()> {
        let at = self.header.index_offset() + self.index_saved as u64;
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(&self.index[self.index_saved..])
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// [`TableError::Codec`] if frames are missing, [`TableError::Io`] if it cannot be written.
    #[cfg(any(test, feature = "internals"))]
    pub fn finish(self) -> Result<TierSummary, TableError> {
        let (path, journal) = (self.path.clone(), self.journal.clone());
        let (summary, file) = self.finish_unsynced()?;
        file.sync_all().map_err(TableError::io("sync", &path))?;
        let directory = files::parent(&path);
        files::sync_directory(directory).map_err(TableError::io("sync", directory))?;
        remove(&journal)?;
        Ok(summary)
    }

    /// As [`Self::finish`], but the caller syncs the file and then its directory before anything
    /// relies on them after a loss of power, and calls [`Self::clear`] after that. A kill of the
    /// process needs no sync.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_unsynced(mut self) -> Result<(TierSummary, File), TableError> {
        if self.written() != self.frames.len() {
            let (expected, found) = (self.frames.len() as usize, self.written() as usize);
            return Err(CodecError::Frames { expected, found }.into());
        }
        self.header.finished = true;
        self.header.index_sum = xxh3_64(&self.index);
        self.header.content = *self.hasher.finalize().as_bytes();
        self.complete().map_err(TableError::io("write", &self.part))?;
        fs::rename(&self.part, &self.path).map_err(TableError::io("rename", &self.part))?;
        let Header { wins, content, .. } = self.header;
        let (positions, bytes) = (self.header.positions(), self.header.file_bytes());
        let file = self
            .file
            .into_inner()
            .map_err(|error| TableError::io("write", &self.path)(error.into_error()))?;
        Ok((TierSummary { positions, wins, bytes, content }, file))
    }

    fn complete(&mut self) -> io::Result<()> {
        self.write_index()?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&self.header.to_bytes())?;
        self.file.flush()?;
        self.file.get_ref().set_len(self.header.file_bytes())
    }
}

/// What a file says of the tier, if it holds the whole of it, undamaged.
fn summary_of(path: &Path, shape: &TierShape, sets: &CanonicalSets) -> Option<TierSummary> {
    let tier = TierReader::open(TierBytes::open(path).ok()?).ok()?;
    let whole = tier.shape() == shape && check_tier_of(&tier, sets).is_ok();
    let positions = u64::try_from(shape.count().positions()?).ok()?;
    whole.then(|| TierSummary {
        positions,
        wins: tier.wins(),
        bytes: tier.file_bytes(),
        content: tier.content(),
    })
}

/// The header of a tier without frames, and the bytes of its list.
fn begin(shape: &TierShape, sets: &CanonicalSets, target: u32) -> (Header, Vec<u8>) {
    assert_eq!(
        (sets.board(), sets.arrows()),
        (shape.board(), shape.arrows()),
        "sets of another tier"
    );
    let list: Vec<u8> = sets.as_slice().iter().flat_map(|set| set.to_le_bytes()).collect();
    let header = Header {
        shape: *shape,
        target,
        finished: false,
        data_bytes: 0,
        wins: 0,
        content: [0; 32],
        sets_sum: xxh3_64(&list),
        index_sum: 0,
    };
    (header, list)
}

/// The index and the hash of the frames that a journal describes, if the unfinished file has them
/// undamaged.
fn restore(
    part: &Path,
    header: &Header,
    list: &[u8],
    journal: &Journal,
) -> Option<(Vec<u8>, blake3::Hasher)> {
    let map = Map::open(part).ok()?;
    let file = map.as_ref();
    let (index_at, data_at) = (header.index_offset() as usize, header.data_offset() as usize);
    let found = Header::unfinished_from_bytes(file).ok()?;
    let Header { shape, target, sets_sum, .. } = *header;
    let begins = (found.shape, found.target, found.sets_sum) == (shape, target, sets_sum)
        && file.get(HEADER_BYTES..index_at)? == list;
    if !begins || journal.frames > header.frames().len() {
        return None;
    }
    let index = file.get(index_at..index_at + (journal.frames * ENTRY_BYTES) as usize)?;
    let data = file.get(data_at..)?.get(..usize::try_from(journal.data_bytes).ok()?)?;
    let data = Data::of(&data, 0);
    if xxh3_64(index) != journal.index_sum {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    let encoded = EncodedFrames { frames: header.frames(), index, data };
    let hash = |_, raw: &[u8], ()| {
        hasher.update(raw);
    };
    encoded.visit(journal.frames, |_, _| Ok(()), hash).ok()?;
    Some((index.to_vec(), hasher))
}

fn part_path(directory: &Path, shape: &TierShape) -> PathBuf {
    directory.join(format!("{}.part", tier_file(shape)))
}

fn journal_path(directory: &Path, shape: &TierShape) -> PathBuf {
    directory.join(tier_file(shape)).with_extension("journal")
}

/// Removes a file that may not be there.
fn remove(path: &Path) -> Result<(), TableError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(TableError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
