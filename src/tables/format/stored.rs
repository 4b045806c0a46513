//! The stored tiers of a table, and of its planes of margins: bits by their location.
//!
//! Files are opened and mapped when they are first needed. Some decoded frames are kept, each in
//! the one slot that its number falls into, so that neighbouring positions cost no decoding. They
//! may be shared by threads: a slot is locked while its frame is decoded.
//!
//! Memory: what stands before the frames of the files that are open, a decoder for each thread, and
//! decoders of more files and decoded frames as far as there is room
//! ([`StoredTiers::set_memory`]).

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::header::head_bytes;
use super::reader::{BATCH_BYTES, Begun};
use super::source::ByteSource as _;
use super::{
    Decoder, Frames, Manifest, Missing, TableError, TableName, TierBytes, TierError, TierReader,
    TierRecord,
};
use crate::game::Outcome;
use crate::machine::shown::Shown as _;
use crate::tables::index::{Location, TierShape};

/// The manifest of a table and its stored tiers.
#[derive(Debug)]
pub struct StoredTiers {
    directory: PathBuf,
    manifest: Manifest,
    layers: Box<Layers>,
    tiers: HashMap<TierShape, Tier>,
    /// Decoded bytes that are kept, about.
    cache: u64,
    slots: Box<[Mutex<Slot>]>,
    /// How files are opened.
    files: Files,
    /// Bytes that may be held, and those that are.
    memory: u64,
    held: AtomicU64,
    /// Locked while bytes are counted that will stay, so that no thread finds the room taken by
    /// what another is about to give up.
    holding: Mutex<()>,
}

/// The layers of margins of a table; none of an ordinary one.
#[derive(Debug)]
struct Layers {
    /// Their manifests, from that with planes 1 and -1 on.
    manifests: Vec<Manifest>,
    /// Whether the last of them says nothing new, so that all is known.
    are_all: bool,
}

/// How the files of a table are opened.
enum Files {
    Mapped,
    Read,
    By(Box<OpenTier>),
}

/// Opens the file of a tier for a caller who keeps the files himself.
pub type OpenTier = dyn Fn(&TierFile) -> io::Result<TierBytes> + Send + Sync;

/// The file of a tier, as its table's manifest has it.
#[derive(Clone, Debug)]
pub struct TierFile {
    /// Its name in the directory of the table.
    pub name: String,
    /// Its bytes.
    pub bytes: u64,
    /// How many of them stand before the frames, unless the frames are of an unusual size: what is
    /// read when the file is opened.
    pub head: u64,
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Mapped => "Mapped",
            Self::Read => "Read",
            Self::By(_) => "By",
        })
    }
}

/// One stored tier.
#[derive(Debug)]
struct Tier {
    path: PathBuf,
    /// Frames of the tiers before it, about: its own have the slots after theirs.
    before: u64,
    reader: OnceLock<Arc<TierReader<TierBytes>>>,
    /// Locked while the file is opened: two threads that open it at once would count its bytes
    /// twice. Nothing that is done meanwhile may wait for another thread.
    opening: Mutex<()>,
    decoders: Mutex<Vec<Decoder>>,
}

/// Where a bit is: its tier, the frame, and its number in the decoded frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitPlace<'a> {
    tier: &'a Tier,
    reader: &'a TierReader<TierBytes>,
    frame: u64,
    bit: usize,
}

impl BitPlace<'_> {
    /// The tier.
    pub(super) fn shape(&self) -> &TierShape {
        self.reader.shape()
    }

    /// A number that no frame of another tier has.
    pub(super) fn frame_key(&self) -> ([usize; 3], u64) {
        let shape = self.shape();
        ([shape.arrows(), shape.mover(), shape.opponent()], self.frame)
    }

    pub(super) fn bit(&self) -> usize {
        self.bit
    }
}

/// A bit of a frame.
pub(super) fn is_set(raw: &[u8], bit: usize) -> bool {
    raw[bit / 8] >> (bit % 8) & 1 != 0
}

/// A decoded frame.
#[derive(Debug, Default)]
struct Slot {
    holds: Option<(TierShape, u64)>,
    raw: Vec<u8>,
}

/// Decoded bytes kept, about.
const CACHE_BYTES: u64 = 32 << 20;

impl StoredTiers {
    pub(super) fn new(directory: &Path, manifest: Manifest, layers: Vec<Manifest>) -> Self {
        let all = std::iter::once(&manifest).chain(&layers);
        let shapes: Vec<TierShape> = all.flat_map(Manifest::stored_shapes).collect();
        let last = layers.last().is_some_and(Manifest::is_last);
        let finished = |layer: &Manifest| Missing::of(layer, directory).is_none();
        let mut before = 0;
        let tier = |shape| {
            let tier = Tier::new(Manifest::tier_path(directory, &shape), before);
            before += Frames::of(&shape).len();
            (shape, tier)
        };
        let mut stored = Self {
            directory: directory.into(),
            tiers: shapes.into_iter().map(tier).collect(),
            cache: 0,
            slots: Box::default(),
            files: Files::Mapped,
            memory: u64::MAX,
            held: AtomicU64::new(0),
            holding: Mutex::new(()),
            layers: Box::new(Layers {
                are_all: last && layers.iter().all(finished),
                manifests: layers,
            }),
            manifest,
        };
        stored.set_cache(CACHE_BYTES);
        stored
    }

    /// See [`Table::with_cache`](super::Table::with_cache).
    pub(super) fn set_cache(&mut self, bytes: u64) {
        let content = self.content_bytes();
        let slots = if bytes >= content {
            self.shapes().map(|shape| Frames::of(shape).len()).sum()
        } else {
            bytes / self.tiers.keys().map(longest_frame).max().unwrap_or(1)
        };
        self.slots = (0..slots.max(1)).map(|_| Mutex::default()).collect();
        self.cache = bytes.min(content);
    }

    /// See [`Table::with_memory`](super::Table::with_memory).
    pub(super) fn set_memory(&mut self, memory: u64) {
        self.memory = memory;
    }

    /// See [`Table::without_maps`](super::Table::without_maps).
    pub(super) fn set_unmapped(&mut self) {
        self.files = Files::Read;
    }

    /// See [`Table::opened_by`](super::Table::opened_by).
    pub(super) fn set_opened_by(&mut self, open: Box<OpenTier>) {
        self.files = Files::By(open);
    }

    /// A file of a tier in memory.
    ///
    /// # Errors
    /// [`TierError`] if it is damaged, or is none of this table.
    pub(super) fn insert(&self, bytes: TierBytes) -> Result<(), TierError> {
        let reader = TierReader::open(bytes)?;
        let tier = self.tiers.get(reader.shape()).ok_or(TierError::OtherContent)?;
        self.check_described(&reader)?;
        let bytes = reader.memory();
        if tier.reader.set(Arc::new(reader)).is_ok() {
            self.held.fetch_add(bytes, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Bytes of all stored tiers, decoded.
    pub fn content_bytes(&self) -> u64 {
        saturating_sum(self.shapes().map(|shape| Frames::of(shape).raw_bytes()))
    }

    /// The stored tiers of the ordinary table: planes are decoded when they are asked for, and not
    /// kept.
    fn shapes(&self) -> impl Iterator<Item = &TierShape> {
        self.tiers.keys().filter(|shape| shape.plane() == 0)
    }

    /// Bytes with which all positions can be looked up, by so many threads at a time, and with
    /// which no more frames are decoded than with more.
    pub fn wanted_memory(&self, threads: usize) -> u64 {
        let decoders = saturating_sum(self.shapes().map(|shape| self.decoder_bytes(shape)));
        let decoders = decoders.saturating_mul(threads as u64);
        saturating_sum([self.least_memory(threads), decoders, self.cache])
    }

    /// Bytes with which all positions can be looked up, by so many threads at a time.
    pub fn least_memory(&self, threads: usize) -> u64 {
        let heads = saturating_sum(self.tiers.keys().map(usual_head_bytes));
        let frame = self.tiers.keys().map(longest_frame).max().unwrap_or(0);
        // A thread uses one decoder and one frame at a time. It may have kept one frame more: see
        // `hold`.
        let decoder = self.shapes().map(|shape| self.decoder_bytes(shape)).max().unwrap_or(0);
        // Of a table of margins a frame is copied, which the planes are decoded behind.
        let copies = if self.layers().is_empty() { 2 } else { 3 };
        let frames = frame.saturating_mul(copies);
        let of_thread = decoder.saturating_add(frames);
        heads.saturating_add(of_thread.saturating_mul(threads as u64))
    }

    /// Bytes of a decoder of a tier and its planes.
    fn decoder_bytes(&self, shape: &TierShape) -> u64 {
        let plane = i8::from(!self.layers().is_empty());
        decoder_bytes(&shape.with_plane(plane))
    }

    /// Bytes that it takes to check the tiers one after the other on all threads
    /// ([`check_tier`](super::check_tier)): what stands before the frames, the list of arrow sets
    /// once more, and the frames that are decoded together.
    pub fn check_memory(&self) -> u64 {
        let threads = rayon::current_num_threads() as u64;
        let of_tier = |shape: &TierShape| {
            let together = BATCH_BYTES.max(longest_frame(shape));
            let decoders = self.decoder_bytes(shape).saturating_mul(threads);
            let planes =
                usual_head_bytes(&shape.with_plane(1)).saturating_mul(self.layers().len() as u64);
            saturating_sum([usual_head_bytes(shape), planes, together, decoders]).saturating_mul(2)
        };
        self.shapes().map(of_tier).max().unwrap_or(0)
    }

    /// The directory; empty for tiers in memory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What the table holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What the layers of margins hold, from that with planes 1 and -1 on; none of an ordinary
    /// table.
    pub fn layers(&self) -> &[Manifest] {
        &self.layers.manifests
    }

    /// The stored tiers by arrows, then those of each layer.
    pub fn stored_shapes(&self) -> impl Iterator<Item = TierShape> + '_ {
        std::iter::once(&self.manifest).chain(self.layers()).flat_map(Manifest::stored_shapes)
    }

    /// What the manifest that names a tier, or plane, says of it.
    pub fn record(&self, shape: &TierShape) -> Option<&TierRecord> {
        let manifest = match shape.plane() {
            0 => &self.manifest,
            plane => self.layers().get(usize::from(plane.unsigned_abs()) - 1)?,
        };
        manifest.tier(shape)
    }

    /// Whether the table has a file of a tier, or plane.
    pub(super) fn is_stored(&self, shape: &TierShape) -> bool {
        self.tiers.contains_key(shape)
    }

    /// Whether the last layer says nothing new, so that every margin is known.
    pub fn has_all_layers(&self) -> bool {
        self.layers.are_all
    }

    /// Whether a plane lies beyond the last layer, which says nothing new.
    pub(super) fn is_beyond(&self, plane: i8) -> bool {
        self.layers.are_all && usize::from(plane.unsigned_abs()) > self.layers().len()
    }

    /// The value at a location, `None` if its tier is not stored.
    pub(super) fn outcome(&self, location: &Location) -> Result<Option<Outcome>, TableError> {
        let Some(place) = self.place(location)? else { return Ok(None) };
        let wins = self.with_frame(&place, |raw| is_set(raw, place.bit))?;
        Ok(Some(Outcome::win_if(wins)))
    }

    /// Where the bit of a location is, `None` if its tier is not stored.
    pub(super) fn place(&self, location: &Location) -> Result<Option<BitPlace<'_>>, TableError> {
        let shape = location.shape;
        if !self.is_stored(&shape) {
            return Ok(None);
        }
        let (tier, reader) = self.stored_tier(&shape)?;
        let damaged = |source| self.damaged(&shape, source);
        let arrows = location.arrows;
        let set = reader.rank(arrows).ok_or_else(|| damaged(TierError::NoSuchSet { arrows }))?;
        let (frame, at) = reader.frames().find(set, location.placement.row);
        Ok(Some(BitPlace { tier, reader, frame, bit: 8 * at + location.placement.column }))
    }

    /// Decodes the frame of a plane that has the bits of a place, behind that of its inner plane,
    /// which stands in `raw` and which it takes the place of.
    pub(super) fn read_behind(
        &self,
        plane: &TierShape,
        place: &BitPlace<'_>,
        raw: &mut [u8],
    ) -> Result<(), TableError> {
        let (_, reader) = self.stored_tier(plane)?;
        self.with_decoder(place.tier, reader, |decoder| {
            reader.read_frame_behind(place.frame, decoder, raw)
        })
    }

    /// Hands a decoded frame over, which no other thread takes from its slot meanwhile.
    pub(super) fn with_frame<T>(
        &self,
        place: &BitPlace<'_>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, TableError> {
        let BitPlace { tier, reader, frame, .. } = *place;
        let shape = *reader.shape();
        let slot = (tier.before + frame) % self.slots.len() as u64;
        let slot = &self.slots[slot as usize];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.holds != Some((shape, frame)) {
            slot.holds = None;
            let held = slot.raw.capacity() as u64;
            let decoded = self.with_decoder(tier, reader, |decoder| {
                reader.read_frame_into(frame, decoder, &mut slot.raw)
            });
            // What was held before is counted already; a buffer does not shrink.
            self.held.fetch_add(slot.raw.capacity() as u64 - held, Ordering::Relaxed);
            decoded?;
            slot.holds = Some((shape, frame));
        }
        let found = read(&slot.raw);
        if self.held.load(Ordering::Relaxed) > self.memory {
            self.empty(&mut slot);
        }
        Ok(found)
    }

    /// The reader of a stored tier; `None` if the table does not store it.
    ///
    /// # Errors
    /// [`TableError`] if its file is missing, damaged, or not the one that the manifest describes.
    pub fn reader(&self, shape: &TierShape) -> Result<Option<&TierReader<TierBytes>>, TableError> {
        if !self.is_stored(shape) {
            return Ok(None);
        }
        self.stored_tier(shape).map(|(_, reader)| Some(&**reader))
    }

    /// The error that a stored tier is damaged.
    pub fn damaged(&self, shape: &TierShape, source: TierError) -> TableError {
        let path = Manifest::tier_path(&self.directory, shape);
        TableError::Damaged { path, source: Box::new(source), table: self.name() }
    }

    /// Decodes the block over a canonical arrow set into `raw`, which must have
    /// [`TierShape::block_bytes`] bytes; `false` if the table does not store the tier. Keeps no
    /// frame.
    ///
    /// # Errors
    /// [`TableError`] if its file is missing or damaged.
    pub fn read_block(
        &self,
        shape: &TierShape,
        arrows: u64,
        raw: &mut [u8],
    ) -> Result<bool, TableError> {
        if !self.is_stored(shape) {
            return Ok(false);
        }
        let (tier, reader) = self.stored_tier(shape)?;
        let damaged = |source| self.damaged(shape, source);
        let set = reader.rank(arrows).ok_or_else(|| damaged(TierError::NoSuchSet { arrows }))?;
        self.with_decoder(tier, reader, |decoder| reader.read_block(set, decoder, raw))?;
        Ok(true)
    }

    /// Opens the file of a stored tier for a caller who goes through it once: it is read, and
    /// nothing of it is kept.
    ///
    /// # Errors
    /// As [`Self::reader`].
    pub fn open_once(&self, shape: &TierShape) -> Result<TierReader<TierBytes>, TableError> {
        let tier = self.tiers.get(shape).ok_or_else(|| self.not_stored(shape))?;
        let inner = match shape.inner() {
            Some(inner) => Some(Arc::new(self.open_once(&inner)?)),
            None => None,
        };
        self.open_tier(&tier.path, shape, inner, TierBytes::open, |_| Ok(()))
    }

    fn stored_tier(
        &self,
        shape: &TierShape,
    ) -> Result<(&Tier, &Arc<TierReader<TierBytes>>), TableError> {
        let tier = self.tiers.get(shape).ok_or_else(|| self.not_stored(shape))?;
        if let Some(reader) = tier.reader.get() {
            return Ok((tier, reader));
        }
        let inner = match shape.inner() {
            Some(inner) => Some(self.stored_tier(&inner)?.1.clone()),
            None => None,
        };
        let _opening = tier.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reader) = tier.reader.get() {
            return Ok((tier, reader));
        }
        // What there is no room for is not read, and so it is refused the next time too.
        let mut held = 0;
        let hold = |bytes| {
            self.hold(bytes)?;
            held = bytes;
            Ok(())
        };
        let opened = self.open_tier(&tier.path, shape, inner, TierBytes::map, hold);
        let reader = opened.inspect_err(|_| self.release(held))?;
        Ok((tier, tier.reader.get_or_init(|| Arc::new(reader))))
    }

    /// Counts bytes that will stay. If there is no room for them, decoded frames and decoders that
    /// nobody uses are given up. If there is none all the same, nothing is counted.
    ///
    /// Meanwhile every other thread holds at most a decoder and two frames. It gets another decoder
    /// only here, where it waits. When it has done with a frame, it gives the frame up if there is
    /// no room. One frame it may have kept just before `bytes` were counted.
    fn hold(&self, bytes: u64) -> Result<(), TableError> {
        let _alone = self.holding.lock().unwrap_or_else(PoisonError::into_inner);
        self.held.fetch_add(bytes, Ordering::Relaxed);
        let full = || self.held.load(Ordering::Relaxed) > self.memory;
        for slot in &self.slots {
            if !full() {
                return Ok(());
            }
            // A slot that is in use empties itself.
            if let Ok(mut slot) = slot.try_lock() {
                self.empty(&mut slot);
            }
        }
        for (shape, tier) in &self.tiers {
            if !full() {
                return Ok(());
            }
            let mut free = tier.decoders.lock().unwrap_or_else(PoisonError::into_inner);
            let count = free.len() as u64;
            free.clear();
            self.release(self.decoder_bytes(shape).saturating_mul(count));
        }
        if !full() {
            return Ok(());
        }
        let needed = self.held.fetch_sub(bytes, Ordering::Relaxed);
        Err(TableError::Memory { path: self.directory.clone(), needed, allowed: self.memory })
    }

    /// Counts bytes no longer.
    fn release(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn empty(&self, slot: &mut Slot) {
        let dropped = std::mem::take(slot);
        self.release(dropped.raw.capacity() as u64);
    }

    /// Opens the file of a tier. `hold` is asked for the bytes that its reader will hold before
    /// they are read.
    fn open_tier(
        &self,
        path: &Path,
        shape: &TierShape,
        inner: Option<Arc<TierReader<TierBytes>>>,
        map_or_read: fn(&Path) -> io::Result<TierBytes>,
        hold: impl FnOnce(u64) -> Result<(), TableError>,
    ) -> Result<TierReader<TierBytes>, TableError> {
        let damaged = |source| self.damaged(shape, source);
        let record = self.record(shape).map(|record| record.bytes);
        let opened = match &self.files {
            Files::Mapped => map_or_read(path),
            Files::Read => TierBytes::open(path),
            Files::By(open) => open(&TierFile {
                name: Manifest::tier_path(Path::new(""), shape).shown().to_string(),
                bytes: record.unwrap_or(0),
                head: usual_head_bytes(shape),
            }),
        };
        let bytes = opened.map_err(TableError::io("read", path))?;
        if let Some(expected) = record.filter(|&expected| expected != bytes.length()) {
            return Err(damaged(TierError::OtherLength { expected, found: bytes.length() }));
        }
        let begun = Begun::new(bytes).map_err(damaged)?;
        hold(begun.memory())?;
        let reader = begun.read(inner).map_err(damaged)?;
        if reader.shape() != shape {
            return Err(damaged(TierError::OtherTier { expected: *shape, found: *reader.shape() }));
        }
        self.check_described(&reader).map_err(damaged)?;
        Ok(reader)
    }

    /// Compares a tier with what the manifest says of it.
    fn check_described(&self, reader: &TierReader<TierBytes>) -> Result<(), TierError> {
        let record = self.record(reader.shape());
        let content = blake3::Hash::from(reader.content()).to_hex();
        let described = record.is_some_and(|record| {
            record.content == content.as_str()
                && (record.positions, record.wins) == (reader.positions(), reader.wins())
                && record.bytes == reader.file_bytes()
        });
        if described { Ok(()) } else { Err(TierError::OtherContent) }
    }

    pub(super) fn name(&self) -> Box<TableName> {
        Box::new(TableName::of(&self.manifest, &self.directory))
    }

    /// Whether the values of a tier are known: it is stored, or all that its moves lead to is.
    pub fn answers(&self, shape: &TierShape) -> bool {
        let is_at_hand = |shape: &TierShape| {
            shape.constant().is_some() || self.record(shape).is_some_and(|tier| tier.stored)
        };
        is_at_hand(shape) || shape.children().iter().all(is_at_hand)
    }

    /// The error that the table does not store a tier.
    pub fn not_stored(&self, shape: &TierShape) -> TableError {
        TableError::NotStored { path: self.directory.clone(), shape: *shape, table: self.name() }
    }

    /// Lends a decoder of a tier that is free, or a new one; the planes of a tier share them. Where
    /// there is no room for a new one, those that are free are given up. Its bytes are several
    /// times those of the longest frame of a tier, so no frame is decoded that goes beyond the
    /// memory.
    fn with_decoder(
        &self,
        tier: &Tier,
        reader: &TierReader<TierBytes>,
        read: impl FnOnce(&mut Decoder) -> Result<(), TierError>,
    ) -> Result<(), TableError> {
        let damaged = |source| self.damaged(reader.shape(), source);
        let tier = self.tiers.get(&reader.shape().with_plane(0)).unwrap_or(tier);
        let free = tier.decoders.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut decoder = match free {
            Some(decoder) => decoder,
            None => {
                let bytes = self.decoder_bytes(reader.shape());
                self.hold(bytes)?;
                reader.decoder().inspect_err(|_| self.release(bytes)).map_err(damaged)?
            }
        };
        let result = read(&mut decoder);
        tier.decoders.lock().unwrap_or_else(PoisonError::into_inner).push(decoder);
        result.map_err(damaged)
    }
}

impl Tier {
    fn new(path: PathBuf, before: u64) -> Self {
        let (reader, opening, decoders) = (OnceLock::new(), Mutex::new(()), Mutex::default());
        Self { path, before, reader, opening, decoders }
    }
}

/// Bytes before the frames of a tier's file, if these are of the usual size.
fn usual_head_bytes(shape: &TierShape) -> u64 {
    head_bytes(&Frames::of(shape))
}

/// The sum of bytes; a manifest may name tiers that no memory holds.
fn saturating_sum(bytes: impl IntoIterator<Item = u64>) -> u64 {
    bytes.into_iter().fold(0, u64::saturating_add)
}

/// Bytes of the longest frame of a tier.
fn longest_frame(shape: &TierShape) -> u64 {
    shape.row_bytes().max(Frames::TARGET as usize) as u64
}

/// Bytes of a decoder of a tier: the context of zstd, which rows vote, and five copies of a frame:
/// encoded, its streams, its rows in words, itself, and what buffers have more than they need; of a
/// plane those of the inner plane too.
pub(in crate::tables) fn decoder_bytes(shape: &TierShape) -> u64 {
    let frames = if shape.plane() == 0 { 5 } else { 6 };
    (200 << 10) + frames * longest_frame(shape) + Decoder::voters_bytes(shape)
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::super::header::Header;
    use super::super::reader::frame_sum;
    use super::super::{CodecError, Keep, Table, TierSummary, check_tier};
    use super::*;
    use crate::game::Position;
    use crate::tables::index::TableSubject;

    /// A directory with one tier, whose frames are of 120 terabytes by its shape and of 16 bytes by
    /// its file; a frame ends where `end` says.
    fn forged(end: impl Fn(u64) -> u64) -> (tempfile::TempDir, TierShape) {
        let board = "6x9".parse().unwrap();
        let shape = TierShape::new(board, 0, 1, 26).unwrap();
        let data = [7; 16];
        let frames = Frames::new(shape, 1, Frames::TARGET);
        assert_eq!(frames.len(), 54);
        let list = 0u64.to_le_bytes();
        let entry = |frame: u64| {
            let encoded: &[u8] = if frame == 0 { &data } else { &[] };
            [end(frame).to_le_bytes(), frame_sum(frame, encoded).to_le_bytes()].concat()
        };
        let index: Vec<u8> = (0..frames.len()).flat_map(entry).collect();
        let (target, finished, data_bytes) = (Frames::TARGET, true, data.len() as u64);
        let (sets_sum, index_sum) = (xxh3_64(&list), xxh3_64(&index));
        let (wins, content) = (0, [0; 32]);
        let header =
            Header { shape, target, finished, data_bytes, wins, content, sets_sum, index_sum };
        let file = [&header.to_bytes(), &list[..], &index, &data].concat();
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(Manifest::tier_path(directory.path(), &shape), &file).unwrap();
        let bytes = file.len() as u64;
        let summary = TierSummary { positions: header.positions(), wins, bytes, content };
        let subject = TableSubject::of_amazons(board, "1v26".parse().unwrap());
        let mut manifest = Manifest::new(subject, Keep::All);
        manifest.record(TierRecord::new(&shape, &summary));
        manifest.save(directory.path()).unwrap();
        (directory, shape)
    }

    #[test]
    fn no_file_makes_a_table_allocate_what_it_cannot_hold() {
        let text = "Qqqqqq/qqqqqq/qqqqqq/qqqqqq/qqq3/6/6/6/6 w";
        let position: Position = text.parse().unwrap();
        let (directory, shape) = forged(|_| 16);
        let open = || Table::open(directory.path()).unwrap();
        for table in [open().with_memory(64 << 20), open().without_maps().with_memory(64 << 20)] {
            for _ in 0..2 {
                let error = table.value(&position).unwrap_err();
                assert!(matches!(error, TableError::Memory { .. }), "{error}");
            }
        }
        let too_few = |error: &TierError, found: usize| {
            let TierError::Decode { source: CodecError::TooFew { found: few, .. }, .. } = error
            else {
                panic!("{error}")
            };
            assert_eq!(*few, found);
        };
        for table in [open(), open().without_maps()] {
            let error = table.value(&position).unwrap_err();
            let TableError::Damaged { source, .. } = error else { panic!("{error}") };
            too_few(&source, 0);
            let reader = table.stored().reader(&shape).unwrap().unwrap();
            let mut decoder = reader.decoder().unwrap();
            too_few(&reader.outcome(0, 0, 0, &mut decoder).unwrap_err(), 16);
            too_few(&check_tier(reader).unwrap_err(), 16);
        }
    }

    #[test]
    fn tiers_that_no_memory_holds_do_not_seem_small() {
        let board = "8x8".parse().unwrap();
        let shape = TierShape::new(board, 0, 1, 18).unwrap();
        let subject = TableSubject::of_amazons(board, "1v18".parse().unwrap());
        let mut manifest = Manifest::new(subject, Keep::All);
        let summary = TierSummary { positions: 0, wins: 0, bytes: 1, content: [0; 32] };
        manifest.record(TierRecord::new(&shape, &summary));
        let stored = StoredTiers::new(Path::new("nowhere"), manifest, Vec::new());
        assert!(stored.least_memory(1) > 1 << 50 && stored.check_memory() > 1 << 50);
        assert_eq!(
            (stored.least_memory(1 << 16), stored.wanted_memory(1 << 16)),
            (u64::MAX, u64::MAX)
        );
    }

    #[test]
    fn a_frame_is_not_longer_than_its_file() {
        let long = 100 << 40;
        let (directory, shape) = forged(|frame| if frame < 53 { long } else { 16 });
        let table = Table::open(directory.path()).unwrap().without_maps();
        let reader = table.stored().reader(&shape).unwrap().unwrap();
        let mut decoder = reader.decoder().unwrap();
        let error = reader.outcome(0, 0, 0, &mut decoder).unwrap_err();
        assert!(matches!(error, TierError::Index), "{error}");
    }
}
