//! Looking positions up.
//!
//! A table of 4x5 also answers 5x4: the two are one board, seen from two sides. Such a position is
//! turned on the way in and its moves on the way out.

use std::io;
use std::path::Path;

use super::answer::Answer;
use super::stored::{StoredTiers, TierFile};
use super::{
    Keep, Manifest, ManifestError, Missing, TableError, TableMargin, TableName, TierBytes,
    TierError, TierReader, if_stored,
};
use crate::game::board::{Bitboard, Board};
use crate::game::rules::{Amazons, Bitboards, IndexedMove, Position, Rules};
use crate::game::variants::{State, VariantRules};
use crate::game::{Move, Outcome};
use crate::tables::index::{
    Index, Location, LocationError, Placement, TableRules, TableSubject, TierShape,
};

/// A table opened for lookups.
#[derive(Debug)]
pub struct Table {
    stored: StoredTiers,
    index: Index,
    rules: Rules<u64>,
    /// The rules, if they are others than those of Amazons.
    variant: Option<VariantRules<u64>>,
}

impl Table {
    /// Opens the table of a directory: reads its manifest. Files are opened when they are needed.
    ///
    /// # Errors
    /// [`TableError::Manifest`] if there is no table or its manifest is damaged,
    /// [`TableError::OtherRules`] if it is of another game than Amazons,
    /// [`TableError::KeepsNone`] if its files do not stay, [`TableError::Unfinished`] if then its
    /// opening table is not there yet.
    pub fn open(directory: &Path) -> Result<Self, TableError> {
        Self::open_any(directory)?.of_amazons()
    }

    /// As [`Self::open`], for a table by any rules.
    ///
    /// # Errors
    /// As [`Self::open`], but for the rules.
    pub fn open_any(directory: &Path) -> Result<Self, TableError> {
        let manifest = Manifest::load(directory)?;
        if manifest.keep == Keep::None {
            return Err(without_tiers(directory, &manifest));
        }
        let layers = manifest.load_layers(directory)?;
        Self::with_layers(directory, manifest, layers)
    }

    /// As [`Self::open`], for a manifest that may be newer than the one in the directory.
    ///
    /// # Errors
    /// [`TableError::Shape`] if its board is not for tables.
    pub fn with_manifest(directory: &Path, manifest: Manifest) -> Result<Self, TableError> {
        Self::with_layers(directory, manifest, Vec::new())
    }

    /// As [`Self::with_manifest`], with the manifests of its layers of margins, from that with
    /// planes 1 and -1 on.
    ///
    /// # Errors
    /// As [`Self::with_manifest`].
    pub fn with_layers(
        directory: &Path,
        manifest: Manifest,
        layers: Vec<Manifest>,
    ) -> Result<Self, TableError> {
        let TableSubject { rules, board, .. } = manifest.subject;
        let index = Index::new(board)?.with_rules(rules);
        let too_large = |_| LocationError::Squares(board);
        let variant = match rules {
            TableRules::Amazons => None,
            other => Some(VariantRules::new(board, other.set()).map_err(too_large)?),
        };
        let rules = Rules::new(board).map_err(too_large)?;
        let stored = StoredTiers::new(directory, manifest, layers);
        if let Some(layer) = stored.layer_out_of_order() {
            let path = Manifest::layer_path(directory, layer);
            return Err(TableError::Layer { path, layer, why: ManifestError::Order });
        }
        Ok(Self { stored, index, rules, variant })
    }

    /// The same table, for a caller who knows Amazons only.
    fn of_amazons(self) -> Result<Self, TableError> {
        self.check_amazons().map(|()| self)
    }

    /// Refuses a table of another game than Amazons.
    fn check_amazons(&self) -> Result<(), TableError> {
        match (self.manifest().subject.rules, TableRules::Amazons) {
            (found, expected) if found == expected => Ok(()),
            (found, expected) => {
                Err(TableError::OtherRules { path: self.directory().into(), found, expected })
            }
        }
    }

    /// The same table, which keeps about so many bytes of decoded frames; 32 MiB if nothing is
    /// said. With [`Self::content_bytes`] no frame is decoded twice.
    pub fn with_cache(mut self, bytes: u64) -> Self {
        self.stored.set_cache(bytes);
        self
    }

    /// The same table, whose files are read and not mapped. If another program truncates one, that
    /// is an error; with maps the system ends the process.
    pub fn without_maps(mut self) -> Self {
        self.stored.set_unmapped();
        self
    }

    /// The same table, which holds at most about `memory` bytes. With less than
    /// [`Self::least_memory`] some look-ups may fail ([`TableError::Memory`]).
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.stored.set_memory(memory);
        self
    }

    /// Bytes of all stored tiers, decoded.
    pub fn content_bytes(&self) -> u64 {
        self.stored.content_bytes()
    }

    /// Bytes with which all positions can be looked up, by so many threads at a time, and with
    /// which no more frames are decoded than with more.
    pub fn wanted_memory(&self, threads: usize) -> u64 {
        self.stored.wanted_memory(threads)
    }

    /// Bytes with which all positions can be looked up, by so many threads at a time.
    pub fn least_memory(&self, threads: usize) -> u64 {
        self.stored.least_memory(threads)
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
    /// [`TableError::Manifest`] if the manifest is damaged or is that of a layer,
    /// [`TableError::KeepsNone`] if its tiers do not stay, [`TableError::OtherRules`] if it is of
    /// another game than Amazons, [`TableError::Damaged`] if a tier is damaged or is none of this
    /// table; its path is `tier` and a number, 0 for the first.
    pub fn from_bytes<B: Into<TierBytes>>(
        manifest: &[u8],
        tiers: impl IntoIterator<Item = B>,
    ) -> Result<Self, TableError> {
        let table = Self::with_manifest(Path::new(""), manifest_of(manifest)?)?.of_amazons()?;
        for (number, bytes) in tiers.into_iter().enumerate() {
            table.stored.insert(bytes.into()).map_err(|source| TableError::Damaged {
                path: format!("tier {number}").into(),
                source: Box::new(source),
                table: table.stored.name(),
            })?;
        }
        Ok(table)
    }

    /// A table of this manifest, whose files `open` opens when a position needs them; where it
    /// fails it is asked again the next time. A table of margins has the manifests of its layers as well,
    /// from that with planes 1 and -1 on; an ordinary table has none.
    ///
    /// # Errors
    /// [`TableError::Manifest`] if the manifest is damaged or is that of a layer,
    /// [`TableError::KeepsNone`] if its tiers do not stay, [`TableError::Layer`] if the manifest of a
    /// layer is damaged, of another table or stands in another place, [`TableError::OtherRules`] if
    /// the table is of another game than Amazons.
    pub fn opened_by(
        manifest: &[u8],
        layers: &[&[u8]],
        open: impl Fn(&TierFile) -> io::Result<TierBytes> + Send + Sync + 'static,
    ) -> Result<Self, TableError> {
        Self::opened_any_by(manifest, layers, open)?.of_amazons()
    }

    /// As [`Self::opened_by`], of any game that has tables.
    ///
    /// # Errors
    /// As [`Self::opened_by`], but for the rules.
    pub fn opened_any_by(
        manifest: &[u8],
        layers: &[&[u8]],
        open: impl Fn(&TierFile) -> io::Result<TierBytes> + Send + Sync + 'static,
    ) -> Result<Self, TableError> {
        let manifest = manifest_of(manifest)?;
        let layers = (1..).zip(layers).map(|(number, bytes)| {
            let layer = Manifest::parse(bytes).and_then(|layer| layer.of_this_layer(number));
            let layer = layer.and_then(|layer| layer.of_this_table(manifest.subject));
            let path = Manifest::layer_path(Path::new(""), number);
            layer.map_err(|why| TableError::Layer { path, layer: number, why })
        });
        let layers = layers.collect::<Result<_, _>>()?;
        let mut table = Self::with_layers(Path::new(""), manifest, layers)?;
        table.stored.set_opened_by(Box::new(open));
        Ok(table)
    }

    /// The directory; empty for a table in memory.
    pub fn directory(&self) -> &Path {
        self.stored.directory()
    }

    /// What the table holds.
    pub fn manifest(&self) -> &Manifest {
        self.stored.manifest()
    }

    /// Its files.
    pub fn stored(&self) -> &StoredTiers {
        &self.stored
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.manifest().subject.board
    }

    /// The rules of Amazons on the table's board.
    pub fn rules(&self) -> &Rules<u64> {
        &self.rules
    }

    /// The rules on the table's board, `None` if they are those of Amazons.
    pub fn variant_rules(&self) -> Option<&VariantRules<u64>> {
        self.variant.as_ref()
    }

    /// The index of the table's board.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Whether the table is about this position: board, either way round, and amazons.
    pub fn answers(&self, position: &Position) -> bool {
        self.turned(position).is_some_and(|position| self.covers(&position))
    }

    /// The value of a position and of each of its moves.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if the table is about another board or other amazons, and those of
    /// [`Table::value`].
    pub fn answer(&self, coloured: &Position) -> Result<Answer, TableError> {
        let (Some(position), Some(turned)) = (coloured.bitboards::<u64>(), self.turned(coloured))
        else {
            return Err(self.other_board(coloured));
        };
        let outcome = self.value_of(&turned)?;
        let board = coloured.board();
        let rules = Rules::<u64>::new(board).map_err(|_| self.other_board(coloured))?;
        let value = |played: IndexedMove| -> Result<(IndexedMove, Outcome), TableError> {
            let child = self.lay(board, &rules.play_unchecked(&position, played));
            Ok((played, !self.value_of(&child)?))
        };
        let moves = rules.moves(&position).into_iter().map(value).collect::<Result<_, _>>()?;
        Ok(Answer { outcome, moves })
    }

    /// What the side to move reaches.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if the table is about another board or other amazons,
    /// [`TableError::NotStored`] if neither the position's tier nor the next one is stored,
    /// [`TableError::Damaged`] if a file is damaged.
    pub fn value(&self, position: &Position) -> Result<Outcome, TableError> {
        self.value_of(&self.turned(position).ok_or_else(|| self.other_board(position))?)
    }

    /// Whether the table knows margins.
    pub fn has_margins(&self) -> bool {
        !self.stored.layers().is_empty()
    }

    /// By how much a position is won or lost, as far as the planes of the table tell it; `None` of
    /// an ordinary table.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn margin(&self, position: &Position) -> Result<Option<TableMargin>, TableError> {
        let turned = self.turned(position).ok_or_else(|| self.other_board(position))?;
        if self.has_margins() { self.margin_of(&turned).map(Some) } else { Ok(None) }
    }

    /// Every legal move in increasing order, and what it is worth to its maker; `None` of an
    /// ordinary table.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn move_margins(
        &self,
        coloured: &Position,
    ) -> Result<Option<Vec<(IndexedMove, TableMargin)>>, TableError> {
        let position = coloured.bitboards::<u64>().filter(|_| self.turned(coloured).is_some());
        let position = position.ok_or_else(|| self.other_board(coloured))?;
        if !self.has_margins() {
            return Ok(None);
        }
        let board = coloured.board();
        let rules = Rules::<u64>::new(board).map_err(|_| self.other_board(coloured))?;
        let margin = |played: IndexedMove| {
            let child = self.lay(board, &rules.play_unchecked(&position, played));
            Ok((played, TableMargin::of_move(self.margin_of(&child)?)))
        };
        rules.moves(&position).into_iter().map(margin).collect::<Result<_, _>>().map(Some)
    }

    /// As [`Self::margin`], of a position as it lies on the table's board.
    pub(crate) fn margin_of(&self, position: &Bitboards<u64>) -> Result<TableMargin, TableError> {
        let location = self.index.locate(position)?;
        if !self.manifest().subject.has(&location.shape) {
            return Err(self.other_amazons(&location.shape));
        }
        let place = self.stored.place(&location)?;
        let place = place.ok_or_else(|| self.stored.not_stored(&location.shape))?;
        Ok(self.stored.margins(&place, &[place.bit()])?[0])
    }

    /// Every legal move in increasing order, and what its maker reaches by it.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, Outcome)>, TableError> {
        let outcomes = self.answer(position)?.moves.into_iter().map(|(_, outcome)| outcome);
        Ok(position.moves().zip(outcomes).collect())
    }

    /// Every position with so many burned squares, and what its side to move reaches. Of burned
    /// squares that are each other's image under a symmetry of the board only one set is listed.
    /// The positions are read as the iterator goes on: it holds none of them. Where no position has
    /// so many burned squares there are none.
    ///
    /// # Errors
    /// [`TableError::NotStored`] if the table does not store these positions,
    /// [`TableError::OtherRules`] if it is of another game than Amazons, [`TableError::Damaged`] if
    /// a file is damaged; the iterator ends with no value wrong.
    pub fn tier(
        &self,
        arrows: usize,
    ) -> Result<impl Iterator<Item = Result<(Position, Outcome), TableError>> + '_, TableError>
    {
        self.check_amazons()?;
        let mut tiers = Vec::new();
        for shape in self.manifest().kinds(arrows).unwrap_or_default() {
            let reader =
                self.stored.reader(&shape)?.ok_or_else(|| self.stored.not_stored(&shape))?;
            let sets = (0..reader.frames().sets()).map(move |rank| self.set_of_rank(reader, rank));
            tiers.push(sets.flat_map(move |set| {
                let (arrows, damaged) = match set {
                    Ok(arrows) => (Some(arrows), None),
                    Err(error) => (None, Some(Err(error))),
                };
                let over = move |arrows| {
                    let places = (0..shape.rows()).flat_map(move |row| {
                        (0..shape.row_bits()).map(move |column| Placement { row, column })
                    });
                    places.map(move |placement| Location { shape, arrows, placement })
                };
                let locations = arrows.into_iter().flat_map(over);
                damaged.into_iter().chain(locations.map(|location| self.entry(&location)))
            }));
        }
        Ok(tiers.into_iter().flatten())
    }

    /// The arrow set of a rank. The checksum of the list tells what happened to it, not who made
    /// it; but where every set is canonical and larger than the one before, it is the right list.
    fn set_of_rank(&self, reader: &TierReader<TierBytes>, rank: u64) -> Result<u64, TableError> {
        let (shape, arrows) = (reader.shape(), reader.set(rank));
        let before = rank.checked_sub(1).and_then(|rank| reader.set(rank));
        let belongs = |&arrows: &u64| {
            arrows.count_ones() as usize == shape.arrows()
                && before < Some(arrows)
                && self.index().is_canonical(arrows)
        };
        let damaged = || self.stored.damaged(shape, TierError::NotCanonical);
        arrows.filter(belongs).ok_or_else(damaged)
    }

    /// The position at a location of a stored tier, and its value.
    fn entry(&self, location: &Location) -> Result<(Position, Outcome), TableError> {
        let position = self.index().position(location).expect("a location of the tier");
        let turn = self.manifest().turn(&location.shape);
        let outcome = self.value_of(&position)?;
        let position = Position::new(self.board(), &position, turn);
        Ok((position.expect("every location has a legal position"), outcome))
    }

    /// As [`Self::value`]; `None` if the table holds another board or other amazons, or neither the
    /// position's tier nor the next.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::Io`] if a file cannot be read.
    pub fn known(&self, position: &Position) -> Result<Option<Outcome>, TableError> {
        let Some(turned) = self.turned(position).filter(|turned| self.covers(turned)) else {
            return Ok(None);
        };
        if_stored(self.value_of(&turned))
    }

    /// Whether no tier is missing.
    ///
    /// # Errors
    /// [`TableError::Unfinished`] if one is.
    pub fn check_finished(&self) -> Result<(), TableError> {
        unfinished(self.directory(), self.manifest()).map_or(Ok(()), Err)
    }

    /// Whether the table is about positions with this board and these amazons.
    pub(super) fn covers(&self, position: &Bitboards<u64>) -> bool {
        self.index
            .locate(position)
            .is_ok_and(|location| self.manifest().subject.has(&location.shape))
    }

    /// What the side to move reaches in a position of the table's board, as it lies there.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if the table is about another board or other amazons,
    /// [`TableError::NotStored`] if neither the position's tier nor the next one is stored,
    /// [`TableError::Damaged`] if a file is damaged.
    pub(crate) fn value_of(&self, position: &Bitboards<u64>) -> Result<Outcome, TableError> {
        let location = self.index.locate(position)?;
        if !self.manifest().subject.has(&location.shape) {
            return Err(self.other_amazons(&location.shape));
        }
        if let Some(outcome) = location.shape.constant() {
            return Ok(outcome);
        }
        match self.stored.outcome(&location)? {
            Some(outcome) => Ok(outcome),
            None => self.search(&location.shape, position),
        }
    }

    /// The value of a position of a tier that is not stored: it is won by a move to a lost one.
    fn search(&self, shape: &TierShape, position: &Bitboards<u64>) -> Result<Outcome, TableError> {
        for child in self.children(position) {
            let child = self.index.locate(&child)?;
            let known = match child.shape.constant() {
                Some(outcome) => Some(outcome),
                None => self.stored.outcome(&child)?,
            };
            let value = known.or(child.shape.has_no_moves().then_some(Outcome::Loss));
            if value.ok_or_else(|| self.stored.not_stored(shape))? == Outcome::Loss {
                return Ok(Outcome::Win);
            }
        }
        Ok(Outcome::Loss)
    }

    /// The positions that the moves of a position lead to.
    fn children(&self, position: &Bitboards<u64>) -> Vec<Bitboards<u64>> {
        if let Some(rules) = &self.variant {
            let state = State::new(*position, 1);
            let after = |played| rules.play_unchecked(&state, played).squares;
            return rules.moves(&state).into_iter().map(after).collect();
        }
        let after = |played| self.rules.play_unchecked(position, played);
        self.rules.moves(position).into_iter().map(after).collect()
    }

    /// The position as it lies on the table's board; `None` if that is another one, or the table is
    /// of another game than Amazons.
    pub(super) fn turned(&self, coloured: &Position) -> Option<Bitboards<u64>> {
        let board = coloured.board();
        let same = self.is_on(board) && self.variant.is_none();
        coloured.bitboards().filter(|_| same).map(|position| self.lay(board, &position))
    }

    /// Whether the table's board is this one, either way round.
    pub(super) fn is_on(&self, board: Board) -> bool {
        board == self.board() || board.transposed() == self.board()
    }

    /// The position as it lies on the table's board: files and ranks exchanged if `board` is not
    /// that one.
    pub(crate) fn lay(&self, board: Board, position: &Bitboards<u64>) -> Bitboards<u64> {
        if board == self.board() {
            return *position;
        }
        let set = |set: Bitboard<u64>| board.transpose(set);
        Bitboards {
            mover: set(position.mover),
            opponent: set(position.opponent),
            arrows: set(position.arrows),
        }
    }

    fn other_board(&self, position: &Position) -> TableError {
        let of = if self.variant.is_some() { "of amazons " } else { "" };
        self.other_game(format!("{of}on {}", position.board()))
    }

    fn other_amazons(&self, shape: &TierShape) -> TableError {
        let sides = Amazons { white: shape.mover(), black: shape.opponent() };
        self.other_game(format!("{} {sides} for the side to move", shape.board()))
    }

    pub(super) fn other_game(&self, wanted: String) -> TableError {
        let path = self.directory().to_path_buf();
        TableError::OtherGame { path, holds: self.manifest().subject.to_string(), wanted }
    }
}

/// The manifest of a table that is in no directory.
fn manifest_of(bytes: &[u8]) -> Result<Manifest, TableError> {
    let manifest = Manifest::parse(bytes).and_then(|manifest| manifest.of_this_layer(0));
    let path = || "manifest".into();
    let manifest = manifest.map_err(|source| TableError::Manifest { path: path(), source })?;
    match manifest.keep {
        Keep::None => Err(TableError::KeepsNone { path: path(), opening: None }),
        Keep::All | Keep::Odd | Keep::First => Ok(manifest),
    }
}

/// Why nothing is looked up in a table that keeps no tiers.
fn without_tiers(directory: &Path, manifest: &Manifest) -> TableError {
    // Without a start there is none.
    let opening = Some(Manifest::opening_path(directory)).filter(|opening| opening.exists());
    unfinished(directory, manifest)
        .unwrap_or(TableError::KeepsNone { path: directory.into(), opening })
}

/// The error of a table that is not finished; `None` if it is.
fn unfinished(directory: &Path, manifest: &Manifest) -> Option<TableError> {
    let missing = Missing::of(manifest, directory)?;
    let table = Box::new(TableName::of(manifest, directory));
    Some(TableError::Unfinished { path: directory.into(), missing, table })
}
