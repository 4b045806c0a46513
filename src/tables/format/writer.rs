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
//!
//! Several processes write a tier together in segments, each a stretch of frames in a file of its
//! own, with a journal of its own, which one writer [adopts](TierWriter::adopt) in the end:
//!
//! ```text
//!   tier-08-4v4.amz.part-40-80    header | index of frames 40 to 79 | frames 40 to 79
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::check::check_tier_of;
use super::content_hash::{ContentHash, Piece};
use super::header::{ENTRY_BYTES, HEADER_BYTES, Header};
use super::journal::Journal;
use super::map::Map;
use super::names::{journal_path, part_path, tier_file};
use super::planes::{open_behind_planes, open_planes};
use super::reader::{Data, EncodedFrames, frame_sum};
use super::segment::{Segment, read_index, shifted};
use super::{CodecError, Frames, TableError, TierError, TierSummary};
use crate::machine::files;
use crate::machine::progress::StopFlag;
use crate::tables::counting::Mask;
use crate::tables::index::{CanonicalSets, TierShape, Width};

/// A tier file that is being written, or a segment of it.
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
    hasher: ContentHash,
    /// The frames to be written, if it is a segment.
    segment: Option<Range<u64>>,
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
    pub fn create<M: Mask>(
        directory: &Path,
        shape: &TierShape,
        sets: &CanonicalSets<M>,
        target: u32,
    ) -> Result<Self, TableError> {
        let (header, list) = begin(shape, sets, target);
        Self::create_file(directory, header, &list, None)
    }

    /// Begins a segment of a tier: these frames.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn create_segment(
        directory: &Path,
        shape: &TierShape,
        target: u32,
        frames: Range<u64>,
    ) -> Result<Self, TableError> {
        Self::create_file(directory, empty(shape, target, 0), &[], Some(frames))
    }

    fn create_file(
        directory: &Path,
        header: Header,
        list: &[u8],
        segment: Option<Range<u64>>,
    ) -> Result<Self, TableError> {
        let part = part_path(directory, &header.shape, segment.as_ref());
        remove(&journal_path(directory, &header.shape, segment.as_ref()))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        let file = options.open(&part).map_err(TableError::io("write", &part))?;
        let mut writer = Self::new(directory, header, file, segment);
        let bytes = [&writer.header.to_bytes()[..], list].concat();
        let start = writer.data_offset();
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
    pub fn finished<M: Mask>(
        directory: &Path,
        shape: &TierShape,
        sets: &CanonicalSets<M>,
    ) -> Result<Option<(TierSummary, File)>, TableError> {
        assert_eq!((sets.board(), sets.arrows()), (shape.board(), shape.arrows()), "other sets");
        let (path, part) = (directory.join(tier_file(shape)), part_path(directory, shape, None));
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
    pub fn resume<M: Mask>(
        directory: &Path,
        shape: &TierShape,
        sets: &CanonicalSets<M>,
        target: u32,
    ) -> Result<Option<Self>, TableError> {
        let (part, journal) =
            (part_path(directory, shape, None), journal_path(directory, shape, None));
        let Some(journal) = Journal::load(&journal)? else { return Ok(None) };
        let (header, list) = begin(shape, sets, target);
        let Some(restored) = restore(&part, &header, &list, &journal, None) else {
            return Ok(None);
        };
        Self::go_on(directory, header, &journal, restored, None).map(Some)
    }

    /// Goes on with a segment, as [`Self::resume`] does with a tier; it may be complete.
    ///
    /// # Errors
    /// As [`Self::resume`].
    pub fn resume_segment(
        directory: &Path,
        shape: &TierShape,
        target: u32,
        frames: Range<u64>,
    ) -> Result<Option<Self>, TableError> {
        let part = part_path(directory, shape, Some(&frames));
        let journal = Journal::load(&journal_path(directory, shape, Some(&frames)))?;
        let header = empty(shape, target, 0);
        for state in complete_segment(&part, frames.end).into_iter().chain(journal) {
            if let Some(restored) = restore(&part, &header, &[], &state, Some(&frames)) {
                return Self::go_on(directory, header, &state, restored, Some(frames)).map(Some);
            }
        }
        Ok(None)
    }

    /// Goes on behind the frames that a journal describes.
    fn go_on(
        directory: &Path,
        header: Header,
        journal: &Journal,
        (index, hasher): (Vec<u8>, ContentHash),
        segment: Option<Range<u64>>,
    ) -> Result<Self, TableError> {
        let part = part_path(directory, &header.shape, segment.as_ref());
        let mut options = OpenOptions::new();
        let file =
            options.read(true).write(true).open(&part).map_err(TableError::io("write", &part))?;
        let begun = header.to_bytes();
        let mut writer = Self::new(directory, header, file, segment);
        writer.header.data_bytes = journal.data_bytes;
        writer.header.wins = journal.wins;
        let end = writer.file_bytes();
        let file = &mut writer.file;
        // The header may be that of the finished tier, whose end was lost.
        let cut = file
            .get_ref()
            .set_len(end)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(&begun))
            .and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.map_err(TableError::io("write", &part))?;
        Ok(Self { index_saved: index.len(), index, hasher, ..writer })
    }

    /// Whether there is a journal of a tier, damaged or not.
    pub fn has_journal(directory: &Path, shape: &TierShape) -> bool {
        journal_path(directory, shape, None).exists()
    }

    /// Whether there are segments of a tier.
    ///
    /// # Errors
    /// [`TableError::Io`] if the directory cannot be read.
    pub fn has_segments(directory: &Path, shape: &TierShape) -> Result<bool, TableError> {
        Ok(!segment_files(directory, shape)?.is_empty())
    }

    /// Removes what is only of use while a tier is not finished. The caller has made sure that the
    /// finished one lasts.
    ///
    /// # Errors
    /// [`TableError::Io`] if something is there that cannot be removed.
    pub fn clear(directory: &Path, shape: &TierShape) -> Result<(), TableError> {
        segment_files(directory, shape)?.iter().try_for_each(|path| remove(path))?;
        remove(&part_path(directory, shape, None))?;
        remove(&journal_path(directory, shape, None))
    }

    fn new(directory: &Path, header: Header, file: File, segment: Option<Range<u64>>) -> Self {
        let frames = header.frames();
        let first = segment.as_ref().map_or(0, |frames| frames.start);
        Self {
            path: directory.join(tier_file(&header.shape)),
            part: part_path(directory, &header.shape, segment.as_ref()),
            journal: journal_path(directory, &header.shape, segment.as_ref()),
            file: BufWriter::with_capacity(1 << 20, file),
            frames,
            header,
            index: Vec::new(),
            index_saved: 0,
            hasher: ContentHash::new(frames.bytes_before(first), frames.raw_bytes()),
            segment,
        }
    }

    /// The frames to be written.
    pub fn range(&self) -> Range<u64> {
        self.segment.clone().unwrap_or(0..self.frames.len())
    }

    /// Where the index begins: a segment has no list of arrow sets.
    fn index_offset(&self) -> u64 {
        if self.segment.is_some() { HEADER_BYTES as u64 } else { self.header.index_offset() }
    }

    fn data_offset(&self) -> u64 {
        let Range { start, end } = self.range();
        self.index_offset() + ENTRY_BYTES * (end - start)
    }

    fn file_bytes(&self) -> u64 {
        self.data_offset() + self.header.data_bytes
    }

    /// How the tier is cut into frames; encoders need it.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// The number of the next frame.
    pub fn written(&self) -> u64 {
        self.range().start + self.index.len() as u64 / ENTRY_BYTES
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
    #[cfg(any(test, feature = "internals"))]
    pub fn push(&mut self, raw: &[u8], encoded: &[u8], wins: u64) -> Result<(), TableError> {
        let at = self.frames.bytes_before(self.written());
        let mut hash = ContentHash::new(at, self.frames.raw_bytes());
        hash.update(raw);
        self.push_hashed(hash.into_pieces(), encoded, wins)
    }

    /// Appends the next frame, whose bytes were hashed elsewhere, as a segment of the content.
    ///
    /// # Errors
    /// [`TableError::Codec`] if the tier has no more frames or this one has the wrong length,
    /// [`TableError::Io`] if it cannot be written.
    pub(in crate::tables) fn push_hashed(
        &mut self,
        raw: Vec<Piece>,
        encoded: &[u8],
        wins: u64,
    ) -> Result<(), TableError> {
        let frame = self.written();
        let end = self.range().end;
        let expected = if frame < end { self.frames.bytes(frame) } else { 0 };
        let found = raw.iter().map(Piece::length).sum::<u64>() as usize;
        if found != expected || frame >= end {
            return Err(CodecError::Size { expected, found }.into());
        }
        self.file.write_all(encoded).map_err(TableError::io("write", &self.part))?;
        self.header.data_bytes += encoded.len() as u64;
        self.header.wins += wins;
        self.index.extend(self.header.data_bytes.to_le_bytes());
        self.index.extend(frame_sum(frame, encoded).to_le_bytes());
        self.hasher.append(raw);
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
        self.file.seek(SeekFrom::Start(self.file_bytes()))?;
        self.file.get_ref().sync_data()?;
        self.index_saved = self.index.len();
        Ok(())
    }

    /// Writes the index entries that are not yet in the file to their place.
    fn write_index(&mut self) -> io::Result<()> {
        let at = self.index_offset() + self.index_saved as u64;
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(&self.index[self.index_saved..])
    }

    /// Takes over a segment that begins with the next frame, all but the bytes of its frames, which
    /// [`Segment::copy`] puts in their place: at the byte that is returned.
    ///
    /// # Errors
    /// [`TableError::Io`] or [`TableError::Damaged`] if its file is not what it should be.
    ///
    /// # Panics
    /// If it begins with another frame.
    pub fn adopt(&mut self, segment: Segment) -> Result<u64, TableError> {
        let at = self.file_bytes();
        assert_eq!(segment.frames.start, self.written(), "a segment is missing");
        let index = read_index(files::parent(&self.path), &self.header.shape, &segment)?;
        self.index.extend(shifted(&index, self.header.data_bytes));
        self.header.data_bytes += segment.data_bytes;
        self.header.wins += segment.wins;
        self.hasher.append(segment.pieces);
        Ok(at)
    }

    /// Lets others see the file as it is so far, who put frames of segments there.
    ///
    /// # Errors
    /// [`TableError::Io`] if it cannot be written.
    pub fn flush(&mut self) -> Result<(), TableError> {
        self.file.flush().map_err(TableError::io("write", &self.part))
    }

    /// Completes a segment.
    ///
    /// # Errors
    /// As [`Self::finish`].
    ///
    /// # Panics
    /// If it is none.
    pub fn finish_segment(mut self) -> Result<Segment, TableError> {
        let frames = self.segment.clone().expect("only a segment is completed as one");
        self.close()?;
        let Header { data_bytes, wins, index_sum, .. } = self.header;
        Ok(Segment { frames, data_bytes, wins, index_sum, pieces: self.hasher.into_pieces() })
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
        let hasher = std::mem::replace(&mut self.hasher, ContentHash::new(0, 0));
        if self.written() == self.frames.len() {
            self.header.content = hasher.finalize();
        }
        self.close()?;
        fs::rename(&self.part, &self.path).map_err(TableError::io("rename", &self.part))?;
        let Header { wins, content, .. } = self.header;
        let (positions, bytes) = (self.header.positions(), self.header.file_bytes());
        let file = self
            .file
            .into_inner()
            .map_err(|error| TableError::io("write", &self.path)(error.into_error()))?;
        Ok((TierSummary { positions, wins, bytes, content }, file))
    }

    /// Fills in the index and the header.
    fn close(&mut self) -> Result<(), TableError> {
        let Range { start, end } = self.range();
        if self.written() != end {
            let (expected, found) = ((end - start) as usize, (self.written() - start) as usize);
            return Err(CodecError::Frames { expected, found }.into());
        }
        self.header.finished = true;
        self.header.index_sum = xxh3_64(&self.index);
        self.complete().map_err(TableError::io("write", &self.part))
    }

    fn complete(&mut self) -> io::Result<()> {
        self.write_index()?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&self.header.to_bytes())?;
        self.file.flush()?;
        self.file.get_ref().set_len(self.file_bytes())
    }
}

/// What a file says of the tier, if it holds the whole of it, undamaged.
fn summary_of<M: Mask>(
    path: &Path,
    shape: &TierShape,
    sets: &CanonicalSets<M>,
) -> Option<TierSummary> {
    let tier = open_behind_planes(files::parent(path), path, shape).ok()?;
    let whole = tier.shape() == shape && check_tier_of(&tier, sets, &StopFlag::new()).is_ok();
    let positions = u64::try_from(shape.count().positions()?).ok()?;
    whole.then(|| TierSummary {
        positions,
        wins: tier.wins(),
        bytes: tier.file_bytes(),
        content: tier.content(),
    })
}

/// The header of a tier without frames, and the bytes of its list.
fn begin<M: Mask>(shape: &TierShape, sets: &CanonicalSets<M>, target: u32) -> (Header, Vec<u8>) {
    assert_eq!(
        (sets.board(), sets.arrows()),
        (shape.board(), shape.arrows()),
        "sets of another tier"
    );
    if shape.plane() != 0 {
        return (empty(shape, target, xxh3_64(&[])), Vec::new());
    }
    // What stands in the file follows from the board, not from the mask.
    let words = sets.as_slice().iter().map(|set| set.word());
    let list: Vec<u8> = match shape.width() {
        Width::Narrow => words.flat_map(|set| (set as u32).to_le_bytes()).collect(),
        Width::Wide => words.flat_map(u64::to_le_bytes).collect(),
    };
    (empty(shape, target, xxh3_64(&list)), list)
}

/// The header of a file without frames.
fn empty(shape: &TierShape, target: u32, sets_sum: u64) -> Header {
    Header {
        shape: *shape,
        target,
        finished: false,
        data_bytes: 0,
        wins: 0,
        content: [0; 32],
        sets_sum,
        index_sum: 0,
    }
}

/// What a journal would say of a complete segment.
fn complete_segment(part: &Path, frames: u64) -> Option<Journal> {
    let mut bytes = [0; HEADER_BYTES];
    io::Read::read_exact(&mut files::open_regular(part).ok()?, &mut bytes).ok()?;
    let Header { data_bytes, wins, index_sum, .. } = Header::from_bytes(&bytes).ok()?;
    Some(Journal { frames, data_bytes, wins, index_sum })
}

/// The index and the hash of the frames that a journal describes, if the unfinished file has them
/// undamaged.
fn restore(
    part: &Path,
    header: &Header,
    list: &[u8],
    journal: &Journal,
    segment: Option<&Range<u64>>,
) -> Option<(Vec<u8>, ContentHash)> {
    let map = Map::open(part).ok()?;
    let file = map.as_ref();
    let frames = header.frames();
    let Range { start, end } = segment.cloned().unwrap_or(0..frames.len());
    let index_at = HEADER_BYTES + list.len();
    let data_at = index_at + usize::try_from((end - start) * ENTRY_BYTES).ok()?;
    let found = Header::unfinished_from_bytes(file).ok()?;
    let Header { shape, target, sets_sum, .. } = *header;
    let begins = (found.shape, found.target, found.sets_sum) == (shape, target, sets_sum)
        && file.get(HEADER_BYTES..index_at)? == list;
    if !begins || !(start..=end).contains(&journal.frames) {
        return None;
    }
    let entries = ((journal.frames - start) * ENTRY_BYTES) as usize;
    let index = file.get(index_at..index_at + entries)?;
    // Before the first frame is written, the file ends before the data begin.
    let data = file.get(data_at.min(file.len())..)?;
    let data = data.get(..usize::try_from(journal.data_bytes).ok()?)?;
    let data = Data::of(&data, 0);
    if xxh3_64(index) != journal.index_sum {
        return None;
    }
    let mut hasher = ContentHash::new(frames.bytes_before(start), frames.raw_bytes());
    let inner = match shape.inner() {
        Some(inner) => Some(open_planes(files::parent(part), &inner).ok()?),
        None => None,
    };
    let inner = inner.as_deref();
    let encoded = EncodedFrames { frames, inner, first: start, index, data };
    let hash = |_, raw: &[u8], ()| {
        hasher.update(raw);
    };
    encoded.visit(journal.frames, |_, _| Ok::<_, TierError>(()), hash).ok()?;
    Some((index.to_vec(), hasher))
}

/// The files of all segments of a tier, and their journals.
fn segment_files(directory: &Path, shape: &TierShape) -> Result<Vec<PathBuf>, TableError> {
    let begins = [part_path(directory, shape, None), journal_path(directory, shape, None)]
        .map(|path| [path.file_name().unwrap_or_default().as_encoded_bytes(), b"-"].concat());
    let read = || -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let name = entry.file_name();
            if begins.iter().any(|begin| name.as_encoded_bytes().starts_with(begin)) {
                found.push(entry.path());
            }
        }
        Ok(found)
    };
    read().map_err(TableError::io("read", directory))
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
