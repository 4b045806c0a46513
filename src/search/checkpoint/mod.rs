//! Checkpoints: the table of a search in a file, to go on from after a stop or a crash.
//!
//! The file ([`Saved`]) is written under another name, and renamed when it is complete and synced.
//! So a crash leaves the checkpoint before it. Entries that hold only an evaluation are left out.
//!
//! Gigabytes are saved and loaded on all threads: they pack or unpack blocks, some at a time, and
//! each puts entries into its own part of the buckets, in the order of the file. So what is loaded
//! does not depend on the number of threads.

pub(super) mod format;
pub(super) mod summary;

use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use super::foreign_position::ForeignPosition;
use super::solver::Solver;
use crate::game::board::Word;
use crate::game::ground::Ground;
use crate::game::rules::{Bitboards, Position};
use crate::machine::files::{self, NewFile};
use crate::machine::threads;
#[cfg(feature = "cli")]
use crate::machine::zstd;
use format::{
    AT_A_TIME, Block, CheckpointError, Entries, Header, LARGE_VERSION, MOST_ENTRIES, Saved, VERSION,
};
#[cfg(feature = "cli")]
use format::{ENTRY, HEAD, PIECE};
use summary::CheckpointSummary;

/// Entries that are read whatever the time is: so many take a moment.
const AT_ONCE: u64 = 1 << 18;
/// What zstd works in.
#[cfg(feature = "cli")]
const ZSTD_BYTES: usize = 2 << 20;

/// Bytes of memory that saving and loading take with so many threads, beside the table.
#[cfg(feature = "cli")]
pub(crate) fn checkpoint_memory(threads: usize) -> u64 {
    let raw = MOST_ENTRIES * ENTRY;
    let blocks = AT_A_TIME * (raw + HEAD + zstd::compress_bound(raw));
    (threads * (blocks + ZSTD_BYTES) + 2 * PIECE) as u64
}

impl<W: Word> Solver<'_, W> {
    /// Saves what the search of `position` knows, on all threads. No search may be running. Removes
    /// what killed processes have left of the same file.
    ///
    /// # Errors
    /// If the position is of another board, or on a large one another than the solver was made for,
    /// or the file cannot be written; the file before it is then untouched.
    pub fn save(&self, path: &Path, position: &Position) -> Result<(), CheckpointError> {
        let position = self.of_file(position)?;
        files::remove_abandoned(path);
        let file = NewFile::create(path)?;
        let (mut out, mut heads, mut entries) = (file.file(), Vec::new(), 0);
        let history = self.history();
        let length = Header::length(self.header(position, 0).version);
        out.seek(SeekFrom::Start(length as u64))?;
        out.write_all(&history.to_bytes())?;
        let parts = self.table.parts_of(MOST_ENTRIES);
        for some in parts.chunks(AT_A_TIME * self.threads()) {
            let pack = |at: usize| Block::pack(&self.worth_keeping(some[at].clone()));
            for block in threads::each(self.threads(), some.len(), pack) {
                let Some(Block { head, packed }) = block? else { continue };
                out.write_all(&head.to_bytes())?;
                out.write_all(&packed)?;
                heads.extend(head.to_bytes());
                entries += u64::from(head.entries);
            }
        }
        let header = self.header(position, entries).to_bytes();
        let mut hash = blake3::Hasher::new();
        let hash = hash.update(&header).update(&history.to_bytes()).update(&heads).finalize();
        out.write_all(hash.as_bytes())?;
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&header)?;
        file.keep()?;
        self.note(history);
        Ok(())
    }

    /// Takes up what a search of `position` had saved, on all threads; returns what the file says
    /// of that search.
    ///
    /// # Errors
    /// If the file is damaged, or of another position, board, seed or version; or
    /// [`CheckpointError::Stopped`] if the search is over meanwhile ([`Solver::is_over`]; a small
    /// file is read all the same). What was read until then is as true as the file, and the solver
    /// may know it: then it [has gone on](Self::searched_before) from the file too.
    pub fn load(
        &mut self,
        path: &Path,
        position: &Position,
    ) -> Result<CheckpointSummary, CheckpointError> {
        let position = self.of_file(position)?;
        let saved = Saved::open(path, || self.is_over())?;
        let Header { board, rests_on_digest, seed, nodes, entries, .. } = saved.header;
        let mine = (self.data.board(), self.seed(), position);
        if (board, seed, saved.header.position) != mine {
            return Err(CheckpointError::Foreign("another position"));
        }
        self.reserve(entries)?;
        self.rests_on_digest |= rests_on_digest;
        self.go_on_from(saved.history.clone());
        let mut read = 0;
        saved.read(self.threads(), |some| {
            read += some.iter().map(|entries| entries.len() as u64).sum::<u64>();
            if read > AT_ONCE && self.is_over() {
                return Err(CheckpointError::Stopped);
            }
            let entries = || some.iter().flat_map(Entries::iter);
            self.table.insert_all(entries, self.threads());
            Ok(())
        })?;
        self.monitor().add_nodes(nodes);
        Ok(CheckpointSummary::new(saved))
    }

    /// The entries of some buckets that hold more than an evaluation.
    fn worth_keeping(&self, buckets: Range<u64>) -> Entries {
        let mut entries = Entries::with_capacity_of_block();
        self.table.for_each_in(buckets, |key, value| {
            if value.is_worth_keeping() {
                entries.push(key, value);
            }
        });
        entries
    }

    /// A position as a checkpoint of this search has it. Its ground is that of the solver's keys.
    fn of_file(&self, position: &Position) -> Result<Bitboards<u128>, CheckpointError> {
        let plain = self.bitboards(position).map_err(|error| match error {
            ForeignPosition::Board(error) => CheckpointError::OtherBoard(error),
            ForeignPosition::Ground => CheckpointError::Foreign("another position"),
        })?;
        match Ground::of_file(&self.data.kings, &plain) {
            Ok(ground) if ground == *self.data.scrambler.ground() => {}
            _ => return Err(CheckpointError::Foreign("another position")),
        }
        Ok(plain.resize().expect("a board that is searched fits 128 bits"))
    }

    fn header(&self, position: Bitboards<u128>, entries: u64) -> Header {
        let (board, seed, nodes) = (self.data.board(), self.seed(), self.nodes());
        let rests_on_digest = self.rests_on_digest;
        let version = if board.fits::<u64>() { VERSION } else { LARGE_VERSION };
        Header { version, board, rests_on_digest, seed, position, nodes, entries }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::format::{ENTRY, HASH, HEADER, UNDIVIDED};
    use super::*;
    use crate::game::rules::start;
    use crate::machine::clock::Instant;
    use crate::machine::long::long_tests;
    use crate::machine::progress::StopFlag;
    use crate::machine::zstd;
    use crate::search::sum::key::Key;
    use crate::search::sum::numbers::Numbers;
    use crate::search::sum::reduction::Bounds;
    use crate::search::table::Entry;
    use crate::search::tests::naive;
    use crate::search::{History, MoveCounts, Settings};

    const BOARDS: [&str; 2] = ["4x6", "8x8"];

    /// A solver with so many threads and bytes.
    fn solver(board: &str, table_bytes: u64, threads: usize) -> Solver<'static> {
        let settings = Settings { table_bytes, threads, seed: 0 };
        Solver::new(board.parse().unwrap(), settings, StopFlag::new()).unwrap()
    }

    fn position(board: &str) -> Position {
        start(board.parse().unwrap()).unwrap()
    }

    /// A solver with so many entries in its table, scattered over the keys of the board.
    fn filled(board: &str, table_bytes: u64, entries: u64) -> Solver<'static> {
        let mut solver = solver(board, table_bytes, 1);
        solver.resize(table_bytes).unwrap();
        let mut key = 1u128;
        for n in 0..entries {
            key = key.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
            let numbers = Numbers { proof: 1 + n as u32 % 1000, disproof: 1 + n as u32 % 77 };
            let spare = (n % 5) as i8 - 2;
            // Every tenth is an evaluation, which is not kept.
            let effort = (n % 10) as u8;
            let value = Entry { bounds: Bounds::NONE, spare, numbers, effort };
            solver
                .table
                .insert(Key::from_value(key >> (128 - solver.data.scrambler.bits())), value);
        }
        solver.monitor().add_nodes(entries);
        solver
    }

    /// Everything worth keeping in a table, as numbers, in the order of the buckets.
    fn in_order(solver: &Solver<'_>) -> Vec<(u128, u64)> {
        let mut numbers = Vec::new();
        for part in solver.table.parts_of(MOST_ENTRIES) {
            let entries = solver.worth_keeping(part);
            numbers.extend(entries.iter().map(|(key, value)| (key.value(), value.pack())));
        }
        numbers
    }

    /// The same, sorted.
    fn kept(solver: &Solver<'_>) -> BTreeSet<(u128, u64)> {
        in_order(solver).into_iter().collect()
    }

    /// The first version, as it was written: one thread, one zstd, one hash of it all.
    fn save_undivided(solver: &Solver<'_>, path: &Path, position: &Position) {
        let (entries, mut raw) = (in_order(solver), Vec::new());
        for (key, value) in &entries {
            raw.extend(key.to_le_bytes());
            raw.extend(value.to_le_bytes());
        }
        let header = solver.header(solver.of_file(position).unwrap(), entries.len() as u64);
        let mut bytes = Header { version: UNDIVIDED, ..header }.to_bytes();
        bytes.extend(zstd::compress(&raw, 1).unwrap());
        bytes.extend(blake3::hash(&bytes).as_bytes());
        std::fs::write(path, bytes).unwrap();
    }

    #[test]
    fn both_versions_give_the_same_entries_on_any_number_of_threads() {
        for board in BOARDS {
            let (directory, position) = (tempfile::tempdir().unwrap(), position(board));
            let [new, old, again] = ["new", "old", "again"].map(|name| directory.path().join(name));
            let first = filled(board, 16 << 20, 200_000);
            let expected = kept(&first);
            assert!(expected.len() > 2 * MOST_ENTRIES, "{} entries are few", expected.len());
            first.save(&new, &position).unwrap();
            save_undivided(&first, &old, &position);
            let mut small = None;
            for (threads, path) in [1, 3].into_iter().flat_map(|n| [(n, &new), (n, &old)]) {
                // As large as the table was: every entry has its place.
                let mut second = solver(board, 16 << 20, threads);
                second.resize(first.table.bytes()).unwrap();
                assert_eq!(second.load(path, &position).unwrap().nodes, first.nodes());
                assert_eq!(kept(&second), expected);
                second.save(&again, &position).unwrap();
                let mut third = solver(board, 16 << 20, 1);
                third.load(&again, &position).unwrap();
                assert_eq!(kept(&third).len(), expected.len());
                // Too small for all: the same ones stay.
                let mut fourth = solver(board, 1 << 20, threads);
                fourth.load(path, &position).unwrap();
                let found = kept(&fourth);
                assert!(found.len() < expected.len());
                assert_eq!(*small.get_or_insert_with(|| found.clone()), found);
            }
        }
    }

    #[test]
    fn a_changed_or_missing_byte_is_noticed_in_both_versions() {
        let (directory, position) = (tempfile::tempdir().unwrap(), position("4x6"));
        let path = directory.path().join("checkpoint");
        let first = filled("4x6", 1 << 20, 50);
        let fresh = || solver("4x6", 1 << 20, 2);
        for version in [VERSION, UNDIVIDED] {
            match version {
                UNDIVIDED => save_undivided(&first, &path, &position),
                _ => first.save(&path, &position).unwrap(),
            }
            let bytes = std::fs::read(&path).unwrap();
            assert_eq!(fresh().load(&path, &position).unwrap().nodes, first.nodes());
            // Of what is packed some bytes are as good as all.
            let step = if long_tests() { 1 } else { 7 };
            let end = bytes.len() - 2 * HASH;
            for at in (0..2 * HEADER).chain((2 * HEADER..end).step_by(step)).chain(end..bytes.len())
            {
                let mut changed = bytes.clone();
                changed[at] ^= 4;
                std::fs::write(&path, changed).unwrap();
                assert!(fresh().load(&path, &position).is_err(), "byte {at}");
                std::fs::write(&path, &bytes[..at]).unwrap();
                let cut = fresh().load(&path, &position).unwrap_err();
                assert!(!matches!(cut, CheckpointError::Io(_)), "cut to {at}: {cut}");
            }
        }
    }

    #[test]
    fn more_positions_than_a_search_evaluates_are_refused() {
        let (directory, position) = (tempfile::tempdir().unwrap(), position("4x6"));
        let path = directory.path().join("checkpoint");
        let first = filled("4x6", 1 << 20, 50);
        for (nodes, taken) in [(1 << 62, true), (u64::MAX, false)] {
            first.monitor().add_nodes(nodes - first.nodes());
            first.save(&path, &position).unwrap();
            let mut second = solver("4x6", 1 << 20, 1);
            second.monitor().add_nodes(5);
            match second.load(&path, &position) {
                Ok(found) => assert!(taken && (found.nodes, second.nodes()) == (nodes, nodes + 5)),
                Err(error) => assert!(!taken && second.nodes() == 5, "{error}"),
            }
        }
    }

    #[test]
    fn nothing_follows_the_entries_of_the_first_version() {
        let (directory, position) = (tempfile::tempdir().unwrap(), position("4x6"));
        let path = directory.path().join("checkpoint");
        let first = filled("4x6", 1 << 20, 50);
        save_undivided(&first, &path, &position);
        let bytes = std::fs::read(&path).unwrap();
        let (header, packed) = bytes[..bytes.len() - HASH].split_at(HEADER);
        let mut raw = zstd::decompress(packed, 1 << 20).unwrap();
        let error = |packed: &[u8]| {
            let mut forged = [header, packed].concat();
            forged.extend(blake3::hash(&forged).as_bytes());
            std::fs::write(&path, forged).unwrap();
            solver("4x6", 1 << 20, 2).load(&path, &position).unwrap_err().to_string()
        };
        let more = error(&[packed, b"x"].concat());
        assert_eq!(more, "expected nothing after a zstd frame, found more bytes");
        assert_eq!(error(&[packed, packed].concat()), more);
        raw.extend([0; ENTRY]);
        let error = error(&zstd::compress(&raw, 1).unwrap());
        assert_eq!(error, "it is damaged: it has more entries than it says");
    }

    /// Holds what a table says of positions with few empty squares against the rules; how many of
    /// them it says anything of. The keys of another version of the search stand for other
    /// positions.
    fn true_entries(solver: &Solver<'_>) -> usize {
        let board = solver.data.board();
        let (mut naive, mut known) = (naive(board), 0);
        for part in solver.table.parts_of(MOST_ENTRIES) {
            for (key, Entry { bounds, .. }) in solver.worth_keeping(part).iter() {
                let squares = solver.data.scrambler.squares(key);
                if squares.empty.len() > 5 || bounds == Bounds::NONE {
                    continue;
                }
                let position = squares.position(board.all());
                if bounds.won != Bounds::NONE.won {
                    assert!(naive.wins(&position, bounds.won.into()), "{bounds:?} {position:?}");
                }
                if bounds.lost != Bounds::NONE.lost {
                    assert!(!naive.wins(&position, bounds.lost.into()), "{bounds:?} {position:?}");
                }
                known += 1;
            }
        }
        known
    }

    /// The file was written by the program when there was only the first version.
    #[test]
    fn a_file_of_the_first_version_is_taken_up() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/checkpoint-1.amzs");
        let mut solver = solver("4x5", 4 << 20, 2);
        assert_eq!(solver.load(&path, &position("4x5")).unwrap().nodes, 5246);
        // As many as its header says, and the same.
        let bytes = std::fs::read(&path).unwrap();
        let raw = zstd::decompress(&bytes[HEADER..bytes.len() - HASH], 1362 * ENTRY).unwrap();
        let number = |bytes: &[u8; ENTRY]| {
            let (key, value) = bytes.split_first_chunk().unwrap();
            let value = u64::from_le_bytes(value.try_into().unwrap());
            (u128::from_le_bytes(*key), value)
        };
        assert_eq!(kept(&solver), raw.as_chunks().0.iter().map(number).collect());
        assert_eq!(kept(&solver).len(), 1362);
        assert!(true_entries(&solver) > 100);
    }

    /// The file was written by the last version of the program whose checkpoints had no history.
    #[test]
    fn a_file_without_a_history_is_taken_up() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/checkpoint-2.amzs");
        assert_eq!(History::of(&path).unwrap(), History::default());
        let mut solver = solver("4x5", 4 << 20, 2);
        assert_eq!(solver.load(&path, &position("4x5")).unwrap().nodes, 12_651);
        assert_eq!(kept(&solver).len(), 3366);
        assert!(true_entries(&solver) > 100);
    }

    #[test]
    fn the_history_of_a_search_goes_on() {
        let (directory, position) = (tempfile::tempdir().unwrap(), position("4x5"));
        let path = directory.path().join("checkpoint");
        let mut before = History::default();
        for run in 1..4 {
            let mut solver = filled("4x5", 1 << 20, 50);
            if run > 1 {
                assert_eq!(
                    solver.load(&path, &position).unwrap().nodes,
                    before.moments().last().unwrap().nodes
                );
                assert_eq!(solver.searched_before(), Some(before.searched()));
            }
            let moves = MoveCounts { win: 0, lose: run, open: 9 - run };
            solver.monitor().set_moves(moves);
            solver.save(&path, &position).unwrap();
            solver.save(&path, &position).unwrap();
            let now = History::of(&path).unwrap();
            let last = now.moments().last().unwrap();
            assert_eq!((last.nodes, last.moves), (50 * u64::from(run), moves));
            before = now;
        }
    }

    #[test]
    fn a_search_that_is_over_reads_no_large_file() {
        let (directory, position) = (tempfile::tempdir().unwrap(), position("4x6"));
        let path = directory.path().join("checkpoint");
        let first = filled("4x6", 16 << 20, 400_000);
        assert!(kept(&first).len() as u64 > AT_ONCE);
        first.save(&path, &position).unwrap();
        let mut second = solver("4x6", 16 << 20, 1).with_deadline(Some(Instant::now()));
        let stopped = second.load(&path, &position);
        assert!(matches!(stopped, Err(CheckpointError::Stopped)), "{stopped:?}");
        assert_eq!(second.nodes(), 0);
        assert!(second.searched_before().is_some());
        // A small one is read.
        filled("4x6", 16 << 20, 200_000).save(&path, &position).unwrap();
        assert_eq!(second.load(&path, &position).unwrap().nodes, 200_000);
    }

    #[test]
    fn what_killed_savers_have_left_is_removed() {
        let (directory, position) = (tempfile::tempdir().unwrap(), position("4x6"));
        let path = directory.path().join("checkpoint");
        std::fs::write(directory.path().join("checkpoint.0123456789abcdef.new"), "half").unwrap();
        filled("4x6", 1 << 20, 50).save(&path, &position).unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
