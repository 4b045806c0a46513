//! The database of defective territories: which territories with one amazon give fewer moves than
//! they have squares, by line segment graph.
//!
//! Nearly every territory is filled without loss, so only the others are stored; a territory of a
//! size that the database covers and that is not in it has no defect. Keys are whole canonical
//! graphs, never hashes, so no collision can turn a defect into a move that does not exist. A probe
//! costs the canonical form of one graph, a few microseconds, against an exponential search.
//!
//! # File
//! All numbers little-endian.
//! ```text
//!  0  8  magic "AMZNTERR"
//!  8  4  version 1
//! 12  1  largest size covered, in points
//! 13  3  zero
//! 16  8  entries
//! 24  8  bytes of the content before compression
//! 32 32  BLAKE3 of the content before compression
//! 64     content, one zstd frame
//! ```
//! Content, sorted by key: for each entry the number of points n (1 byte), the defects (1 byte),
//! what stands on the points (4 bytes, two bits each by label: 1 the amazon), and n words of axes
//! (see [`CanonicalGraph`]).

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use rayon::prelude::*;

use super::{
    CanonicalGraph, Cell, Growth, LineSegmentGraph, LocalGame, MAX_POINTS, Player, Plod,
    Territories,
};
use crate::machine::progress::{Observer, StopFlag};

const MAGIC: [u8; 8] = *b"AMZNTERR";
const VERSION: u32 = 1;
const HEADER: usize = 64;
/// Content beyond this is not believed: size 11 takes 10 MiB.
const MAX_CONTENT: u64 = 1 << 30;

/// Why a file is no database of territories.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// It cannot be read or written.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// It is another kind of file, or another version.
    #[error("{file} is not a database of territories of version {VERSION}: {found}")]
    Kind {
        /// The file.
        file: String,
        /// What was found.
        found: String,
    },
    /// Its bytes are not those that were written.
    #[error("{file} is damaged ({what}); build it again with: amazons regions --database {file}")]
    Damaged {
        /// The file.
        file: String,
        /// What does not fit.
        what: &'static str,
    },
}

/// Defects of territories with one amazon.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TerritoryDatabase {
    size: usize,
    defects: HashMap<CanonicalGraph, u8>,
}

impl TerritoryDatabase {
    /// Solves all territories of up to `size` squares with one amazon, with all threads of the
    /// current pool. `None` if it was asked to stop.
    ///
    /// # Panics
    /// If `size` is not in `1..=MAX_SIZE`.
    pub fn build(size: usize, observer: &dyn Observer, stop: &StopFlag) -> Option<Self> {
        let mut database = Self { size, defects: HashMap::new() };
        for points in 1..=size {
            let tasks = Growth::tasks(points);
            observer.begin(&format!("territories of size {points}"), tasks.len() as u64, "parts");
            let solve = |task: &Growth| {
                let mut found = HashMap::new();
                if !stop.is_set() {
                    task.for_each(points, &mut |region| {
                        add_territories(&LineSegmentGraph::of_region(&region), &mut found);
                    });
                    observer.add(1);
                }
                found
            };
            database.defects.par_extend(tasks.par_iter().flat_map_iter(solve));
        }
        (!stop.is_set()).then_some(database)
    }

    /// The largest number of squares covered.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many territories are stored.
    pub fn len(&self) -> usize {
        self.defects.len()
    }

    /// Whether no territory is stored.
    pub fn is_empty(&self) -> bool {
        self.defects.is_empty()
    }

    /// The most moves that the only amazon of a connected territory has; `None` if the territory is
    /// larger than the database covers, or has not exactly one amazon.
    pub fn moves(&self, territory: &LocalGame) -> Option<u32> {
        let (left, right) = (territory.amazons(Player::Left), territory.amazons(Player::Right));
        let squares = territory.squares().count_ones() as usize;
        if squares > self.size || (left | right).count_ones() != 1 {
            return None;
        }
        let owned = if left == 0 { territory.negative() } else { *territory };
        let (form, _) = LineSegmentGraph::new(&owned.cells())?.canonical();
        let defects = self.defects.get(&form).copied().unwrap_or(0);
        Some(squares as u32 - 1 - u32::from(defects))
    }

    /// Writes the database, complete or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), DatabaseError> {
        let failed = |error| DatabaseError::Io { file: file.display().to_string(), error };
        let mut name = file.as_os_str().to_owned();
        name.push(".new");
        let bytes = self.to_bytes().map_err(failed)?;
        let written = fs::File::create(&name).and_then(|mut new| {
            new.write_all(&bytes)?;
            new.sync_all()
        });
        written.and_then(|()| fs::rename(&name, file)).map_err(failed)?;
        Ok(())
    }

    /// Reads a database and checks all of it.
    ///
    /// # Errors
    /// If the file cannot be read or is not what was written.
    pub fn read(file: &Path) -> Result<Self, DatabaseError> {
        let name = file.display().to_string();
        let bytes =
            fs::read(file).map_err(|error| DatabaseError::Io { file: name.clone(), error })?;
        Self::from_bytes(&bytes, &name)
    }

    /// BLAKE3 of the content before compression.
    pub fn content_hash(&self) -> String {
        blake3::hash(&self.content()).to_hex().to_string()
    }

    fn content(&self) -> Vec<u8> {
        let mut entries: Vec<_> = self.defects.iter().collect();
        entries.sort();
        let mut content = Vec::new();
        for (graph, &defects) in entries {
            let (axes, cells) = graph.words();
            content.extend([graph.points() as u8, defects]);
            content.extend(cells.to_le_bytes());
            content.extend(axes.iter().flat_map(|word| word.to_le_bytes()));
        }
        content
    }

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let content = self.content();
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.size as u8, 0, 0, 0]);
        bytes.extend((self.defects.len() as u64).to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(blake3::hash(&content).as_bytes());
        bytes.extend(zstd::bulk::compress(&content, 9)?);
        Ok(bytes)
    }

    /// Reads the bytes of a file called `name`.
    ///
    /// # Errors
    /// If they are not a database.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self, DatabaseError> {
        let damaged = |what| DatabaseError::Damaged { file: name.to_string(), what };
        let kind = |found: String| DatabaseError::Kind { file: name.to_string(), found };
        if !bytes.starts_with(&MAGIC) {
            return Err(kind("the magic bytes are missing".into()));
        }
        let (header, frame) =
            bytes.split_at_checked(HEADER).ok_or_else(|| damaged("the header is cut off"))?;
        let version = u32::from_le_bytes(array(header, 8));
        if version != VERSION {
            return Err(kind(format!("its version is {version}")));
        }
        let (size, entries) = (usize::from(header[12]), u64::from_le_bytes(array(header, 16)));
        let length = u64::from_le_bytes(array(header, 24));
        if size > MAX_POINTS || header[13..16] != [0; 3] || length > MAX_CONTENT {
            return Err(damaged("impossible header"));
        }
        let content = zstd::bulk::decompress(frame, length as usize)
            .map_err(|_| damaged("compressed content"))?;
        if content.len() as u64 != length || blake3::hash(&content).as_bytes()[..] != header[32..64]
        {
            return Err(damaged("checksum"));
        }
        let defects = entries_of(&content, size).ok_or_else(|| damaged("an impossible entry"))?;
        if defects.len() as u64 != entries {
            return Err(damaged("number of entries"));
        }
        Ok(Self { size, defects })
    }
}

fn add_territories(graph: &LineSegmentGraph, found: &mut HashMap<CanonicalGraph, u8>) {
    let mut plod = Plod::new(graph);
    for point in 0..graph.points() {
        let defects = plod.defects(point);
        if defects > 0 {
            let mut cells = vec![Cell::Empty; graph.points()];
            cells[point] = Cell::Amazon(Player::Left);
            found.insert(graph.clone().with_cells(&cells).canonical().0, defects as u8);
        }
    }
}

/// `None` for content that no database can have.
fn entries_of(mut content: &[u8], size: usize) -> Option<HashMap<CanonicalGraph, u8>> {
    let mut entries = HashMap::new();
    while let Some((head, rest)) = content.split_at_checked(6) {
        let points = usize::from(head[0]);
        let (axes, rest) = rest.split_at_checked(4 * points)?;
        let words: Vec<u32> = (0..points).map(|i| u32::from_le_bytes(array(axes, 4 * i))).collect();
        if points > size || usize::from(head[1]) >= points {
            return None;
        }
        entries.insert(
            CanonicalGraph::from_words(&words, u32::from_le_bytes(array(head, 2)))?,
            head[1],
        );
        content = rest;
    }
    content.is_empty().then_some(entries)
}

/// `N` bytes from `at` on; the caller has checked that they are there.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

impl Territories {
    /// The most moves that Left can make in a row on a position whose parts have one amazon each,
    /// looked up where the database covers a part and searched where it does not.
    pub fn moves_with(&self, database: &TerritoryDatabase, position: &LocalGame) -> u32 {
        let mut moves = 0;
        position.for_each_component(|part| {
            if part.amazons(Player::Left) != 0 {
                moves += database.moves(&part).unwrap_or_else(|| self.moves(&part));
            }
        });
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn database(size: usize) -> TerritoryDatabase {
        TerritoryDatabase::build(size, &(), &StopFlag::new()).unwrap()
    }

    #[test]
    fn every_territory_is_found_with_its_exact_moves() {
        let (database, territories) = (database(7), Territories::new());
        for size in 1..=7 {
            for task in Growth::tasks(size) {
                task.for_each(size, &mut |region| {
                    for point in 0..size {
                        let game = LocalGame::on_region(&region, 1 << point, 0);
                        let exact = territories.moves(&game);
                        assert_eq!(database.moves(&game), Some(exact), "{game}");
                        assert_eq!(database.moves(&game.negative()), Some(exact), "{game}");
                        assert_eq!(territories.moves_with(&database, &game), exact);
                    }
                });
            }
        }
    }

    #[test]
    fn the_file_is_what_was_written() {
        let (database, directory) = (database(6), tempfile::tempdir().unwrap());
        let file = directory.path().join("territories");
        database.write(&file).unwrap();
        assert_eq!(TerritoryDatabase::read(&file).unwrap(), database);
        // 6 + 12 + 3 and the smaller ones of table 2.
        assert_eq!(database.len(), 1 + 2 + 6 + 15);
    }

    #[test]
    fn content_stays_the_same_from_version_to_version() {
        let frozen = "33b2bf302c9fc5ad0d67b7a6f72f2dbd161287183d7404a62ee724d578df9632";
        assert_eq!(
            database(6).content_hash(),
            frozen,
            "a change of the content needs a new version"
        );
    }

    proptest! {
        #[test]
        fn damaged_files_are_refused(place: prop::sample::Index, flip in 1..=255u8, cut: prop::sample::Index) {
            let database = database(5);
            let good = database.to_bytes().unwrap();
            let mut bytes = good.clone();
            bytes[place.index(good.len())] ^= flip;
            // A change of the size covered is not seen by the hash of the content: it must not lose
            // entries.
            if let Ok(read) = TerritoryDatabase::from_bytes(&bytes, "test") {
                prop_assert_eq!(read.defects, database.defects);
            }
            prop_assert!(TerritoryDatabase::from_bytes(&good[..cut.index(good.len())], "test").is_err());
        }
    }
}
