//! The manifest: what a table's directory holds, as JSON that people can read.
//!
//! The file is accepted only if writing it anew gives the same bytes, its own checksum included, so
//! a changed byte anywhere in it is noticed.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::header::{VERSION_OF_PLANES, version};
use super::{NEWEST_VERSION, TierSummary, tier_file};
use crate::game::board::Board;
use crate::game::rules::{Amazons, Colour};
use crate::machine::json;
use crate::tables::index::{ShapeError, TableRules, TableSubject, TierShape, Width};

/// Moves from the start whose positions stay of a table that keeps the first alone: in tiers, or in
/// an opening table.
pub const OPENING_PLIES: usize = 2;

/// Which tiers a table keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Every tier.
    All,
    /// Tiers with an odd number of arrows; the others are answered by one ply of search.
    Odd,
    /// Those of the positions after at most [`OPENING_PLIES`] moves; of the others their counts and
    /// hashes.
    First,
    /// None: their counts and hashes alone, and an opening table beside them.
    None,
}

impl Keep {
    /// Whether a tier stays when the table is finished whose squares so many moves have burned.
    pub fn stays(self, moves: usize) -> bool {
        match self {
            Self::All => true,
            Self::Odd => moves % 2 == 1,
            Self::First => moves <= OPENING_PLIES,
            Self::None => false,
        }
    }
}

/// One tier and kind that was solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierRecord {
    /// Burned squares.
    pub arrows: usize,
    /// Amazons of the side to move.
    pub mover: usize,
    /// Amazons of the other side.
    pub opponent: usize,
    /// The plane of a table of margins; 0 in ordinary tables, whose manifests do not say it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub plane: i8,
    /// Positions, every arrow set counted.
    pub positions: u64,
    /// Wins among them.
    pub wins: u64,
    /// Whether its file is kept.
    pub stored: bool,
    /// Bytes of its file.
    pub bytes: u64,
    /// BLAKE3 of its uncompressed blocks, in hexadecimal.
    pub content: String,
}

impl TierRecord {
    /// The record of a finished tier.
    pub fn new(shape: &TierShape, summary: &TierSummary) -> Self {
        Self {
            arrows: shape.arrows(),
            mover: shape.mover(),
            opponent: shape.opponent(),
            plane: shape.plane(),
            positions: summary.positions,
            wins: summary.wins,
            stored: true,
            bytes: summary.bytes,
            content: blake3::Hash::from(summary.content).to_hex().to_string(),
        }
    }
}

/// Whether a number is left out of the file.
fn is_zero(number: &i8) -> bool {
    *number == 0
}

/// What a table holds, or a layer of a table of margins.
///
/// Layer `n` of a table of margins is its planes `n` and `-n`. Each layer has a manifest of its
/// own, and layer 0 is an ordinary table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// What the table is about.
    pub subject: TableSubject,
    /// The layer; 0 for an ordinary table.
    pub layer: i8,
    /// Which tiers are kept.
    pub keep: Keep,
    /// Time spent solving.
    pub milliseconds: u64,
    /// The tiers that were solved, by arrows, White to move first.
    pub tiers: Vec<TierRecord>,
}

/// What is wrong with a manifest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot read manifest.json: {0}")]
    Io(#[from] std::io::Error),
    /// It is no manifest.
    #[error("manifest.json is damaged: {}", json::fault(.0))]
    Syntax(#[from] serde_json::Error),
    /// It was changed, or written by something else.
    #[error("manifest.json is damaged: it does not match its checksum")]
    Checksum,
    /// A version that this program does not read.
    #[error("it has format version {found}, this program reads versions 1 to {NEWEST_VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// That of a layer of another table.
    #[error("it is not of a table of {expected}")]
    OtherTable {
        /// What it was expected to be about.
        expected: TableSubject,
    },
    /// That of other planes than were expected.
    #[error("it is that of layer {found} of a table, expected that of layer {expected}")]
    OtherLayer {
        /// The layer.
        found: i8,
        /// What it was expected to be; 0 is the table itself.
        expected: i8,
    },
    /// Fields that contradict each other.
    #[error("manifest.json is damaged: it describes a tier that its board does not have")]
    Contradiction,
    /// More positions are won with fewer spare moves.
    #[error("manifest.json is damaged: fewer positions are won with more spare moves")]
    Order,
    /// It is longer than any manifest.
    #[error("manifest.json has more than {MOST_BYTES} bytes, no table's manifest has as many")]
    TooLong,
    /// A field says what no program that writes this format says.
    #[error("manifest.json is damaged: expected {field} to be {expected}, found {found:?}")]
    Foreign {
        /// The field.
        field: &'static str,
        /// What was expected.
        expected: String,
        /// What it says.
        found: String,
    },
}

/// How the names of the manifests of layers begin.
pub(super) const MARGINS: &str = "margins-";

/// Most bytes of a manifest: a table, or a layer, has hundreds of tiers, kinds and planes of some
/// 300 bytes each, one of Killer with ten amazons a side some 1,500.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// Whether a text names a version of this program, as `amazons 0.1.0` does.
fn is_engine(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let version = text.strip_prefix("amazons ").map(|text| text.split(['-', '+']).next());
    version
        .flatten()
        .is_some_and(|version| version.split('.').count() == 3 && version.split('.').all(number))
}

/// Rules in words, as a manifest has them.
fn in_words(rules: TableRules) -> &'static str {
    match rules {
        TableRules::Amazons => "queen step, queen shot, one arrow a move; who cannot move loses",
        TableRules::Cowboys => "knight step, knight shot, one arrow a move; who cannot move loses",
        TableRules::Pencil => {
            "queen step, the square left burns, queen shot, one arrow a move; who cannot move loses"
        }
        TableRules::Killer => {
            "queen step, or onto the first amazon met, which is taken, queen shot, one arrow a move; \
             who cannot move loses"
        }
    }
}

/// The manifest as it stands in the file.
#[derive(Serialize, Deserialize)]
struct Text {
    format: u32,
    engine: String,
    rules: String,
    board: String,
    amazons: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    layer: i8,
    keep: Keep,
    milliseconds: u64,
    tiers: Vec<TierRecord>,
    checksum: String,
}

impl Text {
    /// The bytes of the file, for the checksum that is in place.
    fn bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The manifest of these bytes, if writing it anew gives them again.
    fn read(bytes: &[u8]) -> Result<Self, ManifestError> {
        let mut text: Self = serde_json::from_slice(bytes)?;
        if !(1..=NEWEST_VERSION).contains(&text.format) {
            return Err(ManifestError::Version { found: text.format });
        }
        text.seal()?;
        if text.bytes()? == bytes { Ok(text) } else { Err(ManifestError::Checksum) }
    }

    /// What the fields before the tiers say, each of which has one way to be written.
    fn into_manifest(self) -> Result<Manifest, ManifestError> {
        let board: Board = self.board.parse().map_err(|_| ManifestError::Contradiction)?;
        let amazons: Amazons = self.amazons.parse().map_err(|_| ManifestError::Contradiction)?;
        if self.board != board.to_string() {
            return Err(foreign("board", &board, &self.board));
        }
        if self.amazons != amazons.to_string() {
            return Err(foreign("amazons", &amazons, &self.amazons));
        }
        let rules = TableRules::ALL.into_iter().find(|&rules| in_words(rules) == self.rules);
        let Some(rules) = rules else {
            let all = TableRules::ALL.map(in_words).join("\" or \"");
            return Err(foreign("rules", &format!("\"{all}\""), &self.rules));
        };
        if !is_engine(&self.engine) {
            return Err(foreign("engine", &"amazons and a version", &self.engine));
        }
        let Self { layer, keep, milliseconds, tiers, .. } = self;
        let subject = TableSubject { rules, board, amazons };
        subject.check_sides().map_err(|_| ManifestError::Contradiction)?;
        let manifest = Manifest { subject, layer, keep, milliseconds, tiers };
        let expected = manifest.version();
        if self.format != expected {
            return Err(foreign("format", &expected, &self.format.to_string()));
        }
        if layer != 0 && (layer < 0 || rules != TableRules::Amazons || keep != Keep::All) {
            return Err(ManifestError::Contradiction);
        }
        Ok(manifest)
    }

    /// Puts the checksum of the other fields in place.
    fn seal(&mut self) -> Result<(), serde_json::Error> {
        self.checksum.clear();
        self.checksum = blake3::hash(&self.bytes()?).to_hex().to_string();
        Ok(())
    }
}

/// A field says what no writer says.
fn foreign(field: &'static str, expected: &dyn fmt::Display, found: &str) -> ManifestError {
    ManifestError::Foreign { field, expected: expected.to_string(), found: found.to_string() }
}

impl Manifest {
    /// A table without tiers.
    pub fn new(subject: TableSubject, keep: Keep) -> Self {
        Self { subject, layer: 0, keep, milliseconds: 0, tiers: Vec::new() }
    }

    /// A layer of a table of margins, without tiers.
    pub fn of_layer(subject: TableSubject, layer: i8) -> Self {
        Self { layer, ..Self::new(subject, Keep::All) }
    }

    /// The version of the format.
    fn version(&self) -> u32 {
        if self.layer != 0 {
            return VERSION_OF_PLANES;
        }
        let TableSubject { rules, board, .. } = self.subject;
        // No table is about a larger board; its manifest has no tier.
        version(rules, Width::of(board).unwrap_or(Width::Wide))
    }

    /// Where the manifest of a directory is.
    pub fn path(directory: &Path) -> PathBuf {
        Self::layer_path(directory, 0)
    }

    /// Where the manifest of a layer is.
    pub fn layer_path(directory: &Path, layer: i8) -> PathBuf {
        match layer {
            0 => directory.join("manifest.json"),
            layer => directory.join(format!("{MARGINS}{layer:02}.json")),
        }
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// [`ManifestError`] if these bytes are none, or changed.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(ManifestError::TooLong);
        }
        let manifest = Text::read(bytes)?.into_manifest()?;
        if !manifest.tiers.is_sorted_by(|one, next| manifest.place(one) < manifest.place(next)) {
            return Err(foreign("tiers", &"in order, each once", "another order"));
        }
        if manifest.tiers.iter().all(|tier| manifest.fits(tier)) {
            Ok(manifest)
        } else {
            Err(ManifestError::Contradiction)
        }
    }

    /// Whether a record says of a tier what can be.
    fn fits(&self, tier: &TierRecord) -> bool {
        let count = self.shape(tier).and_then(|shape| shape.count().positions());
        count == Some(tier.positions.into())
            && tier.plane.checked_abs() == Some(self.layer)
            && tier.wins <= tier.positions
            && (tier.stored || self.keep != Keep::All)
            && blake3::Hash::from_hex(&tier.content)
                .is_ok_and(|hash| hash.to_hex().as_str() == tier.content)
    }

    /// Where a record stands among others: by arrows, then as its kind does, plane `n` before `-n`.
    fn place(&self, tier: &TierRecord) -> impl Ord + use<> {
        (tier.arrows, self.subject.place(tier.mover, tier.opponent), tier.plane < 0)
    }

    /// The same, if it is that of this layer; 0 is the table itself.
    ///
    /// # Errors
    /// [`ManifestError::OtherLayer`].
    pub fn of_this_layer(self, expected: i8) -> Result<Self, ManifestError> {
        match self.layer {
            layer if layer == expected => Ok(self),
            found => Err(ManifestError::OtherLayer { found, expected }),
        }
    }

    /// The same, if it is of this table.
    ///
    /// # Errors
    /// [`ManifestError::OtherTable`].
    pub fn of_this_table(self, expected: TableSubject) -> Result<Self, ManifestError> {
        if self.subject == expected {
            Ok(self)
        } else {
            Err(ManifestError::OtherTable { expected })
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// None that is known; JSON could refuse.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ManifestError> {
        let TableSubject { rules, board, amazons } = self.subject;
        let mut text = Text {
            format: self.version(),
            engine: format!("amazons {}", env!("CARGO_PKG_VERSION")),
            rules: in_words(rules).into(),
            board: board.to_string(),
            amazons: amazons.to_string(),
            layer: self.layer,
            keep: self.keep,
            milliseconds: self.milliseconds,
            tiers: self.tiers.clone(),
            checksum: String::new(),
        };
        text.seal()?;
        Ok(text.bytes()?)
    }

    /// The tier of a record, `None` if this board has no such tier for these amazons.
    pub fn shape(&self, tier: &TierRecord) -> Option<TierShape> {
        let TableSubject { rules, board, .. } = self.subject;
        let shape = TierShape::new(board, tier.arrows, tier.mover, tier.opponent).ok()?;
        let shape = shape.with_rules(rules).with_plane(tier.plane);
        self.subject.stores(&shape).then_some(shape)
    }

    /// The tiers that are stored, by arrows.
    pub fn stored_shapes(&self) -> impl Iterator<Item = TierShape> + '_ {
        self.tiers.iter().filter(|tier| tier.stored).filter_map(|tier| self.shape(tier))
    }

    /// The kinds of a tier with so many arrows; of a layer both planes of each, as far as they have
    /// files.
    ///
    /// # Errors
    /// [`ShapeError`] if there is no such tier.
    pub fn kinds(&self, arrows: usize) -> Result<Vec<TierShape>, ShapeError> {
        let kinds = self.subject.kinds(arrows)?;
        if self.layer == 0 {
            return Ok(kinds);
        }
        let planes =
            |kind: TierShape| [self.layer, -self.layer].map(|plane| kind.with_plane(plane));
        let stored = |plane: &TierShape| plane.constant().is_none();
        Ok(kinds.into_iter().flat_map(planes).filter(stored).collect())
    }

    /// Whether no layer after this one, which is finished, says anything new: with so many spare
    /// moves everybody wins, and with so many fewer nobody, or there are no more empty squares.
    pub fn is_last(&self) -> bool {
        let constant = |tier: &TierRecord| match tier.plane {
            1.. => tier.wins == tier.positions,
            _ => tier.wins == 0,
        };
        let fullest = self.subject.fullest().unwrap_or(0);
        let empty = i8::try_from(fullest).unwrap_or(i8::MAX);
        self.layer >= empty || self.layer != 0 && self.tiers.iter().all(constant)
    }

    /// Whether the tiers with so many arrows stay when the table is finished.
    pub fn stays(&self, arrows: usize) -> bool {
        self.keep.stays(arrows / self.subject.rules.burned())
    }

    /// Who moves in the positions of a tier: the side that alone can have the mover's amazons, the
    /// other side the opponent's. Where both can, White if the number of moves that burn its arrows
    /// is even.
    pub fn turn(&self, shape: &TierShape) -> Colour {
        let (mover, opponent) = (shape.mover(), shape.opponent());
        let sides = [(mover, opponent), (opponent, mover)];
        let can_have = |(white, black)| self.subject.has_amazons(Amazons { white, black });
        let white_moves = match sides.map(can_have) {
            [true, false] => true,
            [false, true] => false,
            _ => (shape.arrows() / self.subject.rules.burned()).is_multiple_of(2),
        };
        if white_moves { Colour::White } else { Colour::Black }
    }

    /// The record of a tier.
    pub fn tier(&self, shape: &TierShape) -> Option<&TierRecord> {
        self.tiers.iter().find(|tier| self.shape(tier) == Some(*shape))
    }

    /// Adds or replaces the record of a tier, keeping their order.
    pub fn record(&mut self, record: TierRecord) {
        let place = self.tiers.binary_search_by_key(&self.place(&record), |tier| self.place(tier));
        match place {
            Ok(found) => self.tiers[found] = record,
            Err(place) => self.tiers.insert(place, record),
        }
    }

    /// Removes the record of a tier, if there is one.
    pub fn forget(&mut self, shape: &TierShape) {
        let of = |tier: &TierRecord| {
            (tier.arrows, tier.mover, tier.opponent, tier.plane)
                == (shape.arrows(), shape.mover(), shape.opponent(), shape.plane())
        };
        self.tiers.retain(|tier| !of(tier));
    }

    /// Where the opening table of a directory is that keeps no tiers.
    pub fn opening_path(directory: &Path) -> PathBuf {
        directory.join("opening.amz")
    }

    /// Where the file of a tier is.
    pub fn tier_path(directory: &Path, shape: &TierShape) -> PathBuf {
        directory.join(tier_file(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Manifest {
        let (board, amazons) = ("3x4".parse().unwrap(), "2v1".parse().unwrap());
        let mut manifest = Manifest::new(TableSubject::of_amazons(board, amazons), Keep::Odd);
        for (arrows, mover, opponent) in [(3, 1, 2), (2, 2, 1), (3, 2, 1)] {
            let shape = TierShape::new(board, arrows, mover, opponent).unwrap();
            let positions = shape.count().positions().unwrap() as u64;
            let summary =
                TierSummary { positions, wins: 5, bytes: 300, content: [arrows as u8; 32] };
            manifest.record(TierRecord::new(&shape, &summary));
        }
        manifest
    }

    #[test]
    fn manifests_round_trip_in_order() {
        let manifest = example();
        let order: Vec<_> = manifest.tiers.iter().map(|tier| (tier.arrows, tier.mover)).collect();
        assert_eq!(order, [(2, 2), (3, 2), (3, 1)]);
        assert_eq!(Manifest::parse(&manifest.to_bytes().unwrap()).unwrap(), manifest);
    }

    /// The manifest with a text replaced by another one, and a checksum that fits.
    fn forged(from: &str, to: &str) -> Vec<u8> {
        let text = String::from_utf8(example().to_bytes().unwrap()).unwrap();
        assert!(text.contains(from), "{text}");
        let mut text: Text = serde_json::from_str(&text.replacen(from, to, 1)).unwrap();
        text.seal().unwrap();
        text.bytes().unwrap()
    }

    #[test]
    fn what_no_writer_says_is_refused_even_if_the_checksum_fits() {
        let engine = format!("amazons {}", env!("CARGO_PKG_VERSION"));
        assert!(Manifest::parse(&forged(&engine, "amazons 12.0.3-beta")).is_ok());
        for (from, to) in [
            ("3x4", "03x4"),
            ("2v1", "02v1"),
            ("one arrow a move", "two arrows a move"),
            (&engine, "something else"),
            (&engine, "amazons 1"),
            ("\"keep\"", "\"layer\": 1,\n  \"keep\""),
            ("\"positions\"", "\"plane\": 1,\n      \"positions\""),
            ("\"arrows\": 2", "\"arrows\": 4"),
            ("\"arrows\": 2", "\"arrows\": 3"),
            ("\"wins\": 5", "\"wins\": 5000000"),
            ("\"content\": \"02", "\"content\": \"0g"),
            ("\"content\": \"02", "\"content\": \""),
        ] {
            let error = Manifest::parse(&forged(from, to)).unwrap_err();
            let told =
                matches!(error, ManifestError::Foreign { .. } | ManifestError::Contradiction);
            assert!(told, "{from} -> {to}: {error}");
        }
        let long = vec![b' '; MOST_BYTES as usize + 1];
        assert!(matches!(Manifest::parse(&long), Err(ManifestError::TooLong)));
    }

    #[test]
    fn a_layer_has_both_planes_where_they_are_stored() {
        let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
        let mut layer = Manifest::of_layer(TableSubject::of_amazons(board, amazons), 2);
        let planes = |arrows| {
            let kinds = layer.kinds(arrows).unwrap();
            kinds.iter().map(TierShape::plane).collect::<Vec<_>>()
        };
        assert_eq!([7, 6, 5, 4].map(planes), [vec![], vec![], vec![2], vec![2, -2]]);
        let kinds: Vec<TierShape> =
            (0..=7).flat_map(|arrows| layer.kinds(arrows).unwrap()).collect();
        for shape in kinds.iter().rev() {
            let positions = shape.count().positions().unwrap() as u64;
            let wins = if shape.plane() > 0 { positions } else { 0 };
            let summary = TierSummary { positions, wins, bytes: 300, content: [7; 32] };
            layer.record(TierRecord::new(shape, &summary));
        }
        assert_eq!(layer.tiers.len(), kinds.len());
        assert!(
            kinds.iter().zip(&layer.tiers).all(|(kind, tier)| layer.shape(tier) == Some(*kind))
        );
        assert_eq!(Manifest::parse(&layer.to_bytes().unwrap()).unwrap(), layer);
        assert!(layer.is_last());
        layer.tiers[1].wins = 1;
        assert!(!layer.is_last());
        layer.forget(&kinds[0]);
        assert_eq!(layer.tiers.len() + 1, kinds.len());
    }

    #[test]
    fn any_changed_or_missing_byte_is_noticed() {
        let bytes = example().to_bytes().unwrap();
        for at in 0..bytes.len() {
            for flip in [1, 2, 0x10, 0x20, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                assert!(Manifest::parse(&changed).is_err(), "byte {at} changed by {flip:#x}");
            }
            assert!(Manifest::parse(&bytes[..at]).is_err(), "cut to {at}");
        }
        assert!(Manifest::parse(&[&bytes[..], b"\n"].concat()).is_err());
    }
}
