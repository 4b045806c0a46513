//! Looking positions up.
//!
//! Files are mapped when they are first needed. Some decoded frames are kept, each in the one slot
//! that its number falls into, so that neighbouring positions cost no decoding. A table may be
//! shared by threads: a slot is locked while its frame is decoded.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::error::TableName;
use super::{Decoder, Manifest, Map, TableError, TierError, TierReader};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{Amazons, Bitboards, Rules};
use crate::tables::index::{Index, Location, LocationError, TierShape};

/// A table opened for lookups.
#[derive(Debug)]
pub struct Table {
    directory: PathBuf,
    manifest: Manifest,
    index: Index,
    rules: Rules<u64>,
    tiers: HashMap<TierShape, Tier>,
    slots: Box<[Mutex<Slot>]>,
}

/// One stored tier.
#[derive(Debug)]
struct Tier {
    path: PathBuf,
    reader: OnceLock<TierReader<Map>>,
    decoders: Mutex<Vec<Decoder>>,
}

/// A decoded frame.
#[derive(Debug, Default)]
struct Slot {
    holds: Option<(TierShape, u64)>,
    raw: Vec<u8>,
}

/// Decoded bytes kept, about.
const CACHE_BYTES: usize = 32 << 20;

impl Table {
    /// Opens the table of a directory: reads its manifest. Files are opened when they are needed.
    ///
    /// # Errors
    /// [`TableError::Manifest`] if there is no table or its manifest is damaged.
    pub fn open(directory: &Path) -> Result<Self, TableError> {
        Self::with_manifest(directory, Manifest::load(directory)?)
    }

    /// As [`Self::open`], for a manifest that may be newer than the one in the directory.
    ///
    /// # Errors
    /// [`TableError::Shape`] if its board is not for tables.
    pub fn with_manifest(directory: &Path, manifest: Manifest) -> Result<Self, TableError> {
        let index = Index::new(manifest.board)?;
        let rules =
            Rules::new(manifest.board).map_err(|_| LocationError::Squares(manifest.board))?;
        let stored = manifest.tiers.iter().filter(|tier| tier.stored);
        let shapes: Vec<TierShape> = stored.filter_map(|tier| manifest.shape(tier)).collect();
        let tier = |shape| (shape, Tier::new(Manifest::tier_path(directory, &shape)));
        let longest = shapes.iter().map(TierShape::row_bytes).max().unwrap_or(0).max(32 << 10);
        let slots = (CACHE_BYTES / longest).clamp(1, 1024);
        Ok(Self {
            directory: directory.into(),
            index,
            rules,
            tiers: shapes.into_iter().map(tier).collect(),
            slots: (0..slots).map(|_| Mutex::default()).collect(),
            manifest,
        })
    }

    /// A table in memory: the bytes of its manifest, and those of its tiers' files in any order. A
    /// tier that is not among them is an error when a position needs it.
    ///
    /// ```
    /// use amazons::{BuildOptions, Outcome, Position, StopFlag, Table, build};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let options = BuildOptions::new(256 << 20);
    /// build(directory.path(), "3x3".parse()?, "1v1".parse()?, &options, &(), &StopFlag::new())?;
    ///
    /// let (mut manifest, mut tiers) = (Vec::new(), Vec::new());
    /// for file in std::fs::read_dir(directory.path())? {
    ///     let path = file?.path();
    ///     match path.extension().and_then(|extension| extension.to_str()) {
    ///         Some("json") => manifest = std::fs::read(&path)?,
    ///         Some("amz") => tiers.push(std::fs::read(&path)?),
    ///         _ => {}
    ///     }
    /// }
    /// drop(directory);
    /// let table = Table::from_bytes(&manifest, tiers)?;
    /// let position: Position = "q2/3/2Q w".parse()?;
    /// assert_eq!(table.value(&position)?, Outcome::Win);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError::Manifest`] if the manifest is damaged, [`TableError::Damaged`] if a tier is, or
    /// is none of this table; its path is `tier` and a number, 0 for the first.
    pub fn from_bytes<B: Into<Map>>(
        manifest: &[u8],
        tiers: impl IntoIterator<Item = B>,
    ) -> Result<Self, TableError> {
        let damaged = |source| TableError::Manifest { path: "manifest".into(), source };
        let table =
            Self::with_manifest(Path::new(""), Manifest::parse(manifest).map_err(damaged)?)?;
        for (number, bytes) in tiers.into_iter().enumerate() {
            let damaged = |source| {
                let path = format!("tier {number}").into();
                TableError::Damaged { path, source: Box::new(source), table: table.name() }
            };
            let reader = TierReader::open(bytes.into()).map_err(damaged)?;
            let tier = table.tiers.get(reader.shape());
            let tier = tier.ok_or(TierError::OtherContent).map_err(damaged)?;
            table.check_described(&reader).map_err(damaged)?;
            tier.reader.get_or_init(|| reader);
        }
        Ok(table)
    }

    /// The directory; empty for a table in memory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What the table holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.manifest.board
    }

    /// The rules on the table's board.
    pub fn rules(&self) -> &Rules<u64> {
        &self.rules
    }

    /// The index of the table's board.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Whether the table is about positions with this board and these amazons.
    pub(super) fn covers(&self, position: &Bitboards<u64>) -> bool {
        self.index.locate(position).is_ok_and(|location| self.manifest.has(&location.shape))
    }

    /// What the side to move reaches in a position of the table's board, as it lies there.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if the table is about another board or other amazons,
    /// [`TableError::NotStored`] if neither the position's tier nor the next one is stored,
    /// [`TableError::Damaged`] if a file is damaged.
    pub(crate) fn value_of(&self, position: &Bitboards<u64>) -> Result<Outcome, TableError> {
        let location = self.index.locate(position)?;
        if !self.manifest.has(&location.shape) {
            return Err(self.other_game(&location.shape));
        }
        match self.stored(&location)? {
            Some(outcome) => Ok(outcome),
            None => self.search(&location.shape, position),
        }
    }

    /// The value of a position of a tier that is not stored: it is won by a move to a lost one.
    fn search(&self, shape: &TierShape, position: &Bitboards<u64>) -> Result<Outcome, TableError> {
        for played in self.rules.moves(position) {
            let child = self.index.locate(&self.rules.play_unchecked(position, played))?;
            let known = self.stored(&child)?;
            // On the fullest tier nobody can move.
            let value = known.or(child.shape.child().is_none().then_some(Outcome::Loss));
            if value.ok_or_else(|| self.not_stored(shape))? == Outcome::Loss {
                return Ok(Outcome::Win);
            }
        }
        Ok(Outcome::Loss)
    }

    /// The value at a location, `None` if its tier is not stored.
    fn stored(&self, location: &Location) -> Result<Option<Outcome>, TableError> {
        let shape = location.shape;
        if !self.tiers.contains_key(&shape) {
            return Ok(None);
        }
        let (tier, reader) = self.stored_tier(&shape)?;
        let damaged = |source| self.damaged(&shape, source);
        let arrows = location.arrows;
        let set = reader.rank(arrows).ok_or_else(|| damaged(TierError::NoSuchSet { arrows }))?;
        let (frame, at) = reader.frames().find(set, location.placement.row);
        let slot = &self.slots[slot_of(&shape, frame) % self.slots.len()];
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.holds != Some((shape, frame)) {
            slot.holds = None;
            tier.decode(reader, frame, &mut slot.raw).map_err(damaged)?;
            slot.holds = Some((shape, frame));
        }
        let column = location.placement.column;
        let wins = slot.raw[at + column / 8] >> (column % 8) & 1 != 0;
        Ok(Some(Outcome::win_if(wins)))
    }

    /// The reader of a stored tier; `None` if the table does not store it.
    ///
    /// # Errors
    /// [`TableError`] if its file is missing, damaged, or not the one that the manifest describes.
    pub fn reader(&self, shape: &TierShape) -> Result<Option<&TierReader<Map>>, TableError> {
        if !self.tiers.contains_key(shape) {
            return Ok(None);
        }
        self.stored_tier(shape).map(|(_, reader)| Some(reader))
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
        arrows: u32,
        raw: &mut [u8],
    ) -> Result<bool, TableError> {
        if !self.tiers.contains_key(shape) {
            return Ok(false);
        }
        let (tier, reader) = self.stored_tier(shape)?;
        let damaged = |source| self.damaged(shape, source);
        let set = reader.rank(arrows).ok_or_else(|| damaged(TierError::NoSuchSet { arrows }))?;
        tier.with_decoder(reader, |decoder| reader.read_block(set, decoder, raw))
            .map_err(damaged)?;
        Ok(true)
    }

    fn stored_tier(&self, shape: &TierShape) -> Result<(&Tier, &TierReader<Map>), TableError> {
        let tier = self.tiers.get(shape).ok_or_else(|| self.not_stored(shape))?;
        if let Some(reader) = tier.reader.get() {
            return Ok((tier, reader));
        }
        let reader = self.open_tier(&tier.path, shape)?;
        Ok((tier, tier.reader.get_or_init(|| reader)))
    }

    fn open_tier(&self, path: &Path, shape: &TierShape) -> Result<TierReader<Map>, TableError> {
        let map = Map::open(path).map_err(TableError::io("read", path))?;
        let damaged = |source| self.damaged(shape, source);
        let reader = TierReader::open(map).map_err(damaged)?;
        if reader.shape() != shape {
            return Err(damaged(TierError::OtherTier { expected: *shape, found: *reader.shape() }));
        }
        self.check_described(&reader).map_err(damaged)?;
        Ok(reader)
    }

    /// Compares a tier with what the manifest says of it.
    fn check_described(&self, reader: &TierReader<Map>) -> Result<(), TierError> {
        let record = self.manifest.tier(reader.shape());
        let content = blake3::Hash::from(reader.content()).to_hex();
        let described = record.is_some_and(|record| {
            record.content == content.as_str()
                && (record.positions, record.wins) == (reader.positions(), reader.wins())
                && record.bytes == reader.file_bytes()
        });
        if described { Ok(()) } else { Err(TierError::OtherContent) }
    }

    fn name(&self) -> Box<TableName> {
        let Manifest { board, amazons, .. } = self.manifest;
        Box::new(TableName { board, amazons, directory: self.directory.clone() })
    }

    pub(super) fn not_stored(&self, shape: &TierShape) -> TableError {
        TableError::NotStored { path: self.directory.clone(), shape: *shape, table: self.name() }
    }

    fn other_game(&self, shape: &TierShape) -> TableError {
        let sides = Amazons { white: shape.mover(), black: shape.opponent() };
        TableError::OtherGame {
            path: self.directory.clone(),
            holds: format!("{} {}", self.manifest.board, self.manifest.amazons),
            wanted: format!("{} {sides} for the side to move", shape.board()),
        }
    }
}

impl Tier {
    fn new(path: PathBuf) -> Self {
        Self { path, reader: OnceLock::new(), decoders: Mutex::default() }
    }

    /// Decodes a frame.
    fn decode(
        &self,
        reader: &TierReader<Map>,
        frame: u64,
        raw: &mut Vec<u8>,
    ) -> Result<(), TierError> {
        raw.resize(reader.frames().bytes(frame), 0);
        self.with_decoder(reader, |decoder| reader.read_frame(frame, decoder, raw))
    }

    /// Lends a decoder that is free, or a new one.
    fn with_decoder(
        &self,
        reader: &TierReader<Map>,
        read: impl FnOnce(&mut Decoder) -> Result<(), TierError>,
    ) -> Result<(), TierError> {
        let free = self.decoders.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut decoder = free.map_or_else(|| reader.decoder(), Ok)?;
        let result = read(&mut decoder);
        self.decoders.lock().unwrap_or_else(PoisonError::into_inner).push(decoder);
        result
    }
}

/// A number that spreads frames over the slots: neighbours differ, and so do tiers.
fn slot_of(shape: &TierShape, frame: u64) -> usize {
    frame as usize + (shape.arrows() * 2 + usize::from(shape.mover() > shape.opponent())) * 97
}
