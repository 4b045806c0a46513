//! Ranks, as threads, against one process: the same files, byte for byte.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::*;
use crate::game::board::Board;
use crate::machine::files;
use crate::machine::long::long_tests;
use crate::machine::ranks::{Ending, in_threads};
use crate::tables::format::{Frames, Keep, Manifest};
use crate::tables::index::TierShape;
use crate::tables::retrograde::{BuildJob, BuildOptions, Built, build_on};

#[test]
fn segments_are_all_chunks_behind_those_done_cut_at_the_same_places() {
    for (board, arrows, amazons, sets) in [
        ("4x4", 4, 4, 1 << 8),
        ("4x4", 0, 4, 1),
        ("4x5", 6, 4, 9_882),
        ("5x6", 8, 4, 1_466_000),
        ("5x6", 12, 4, 21_600_000),
    ] {
        let shape = TierShape::new(board.parse().unwrap(), arrows, amazons, amazons).unwrap();
        let chunks = Chunks::new(Frames::new(shape, sets, Frames::TARGET));
        let all = segments(&chunks, 0);
        assert!(all.len() as u64 <= MOST && all.len() as u64 >= chunks.len().min(FEW / 2));
        for done in [0, 1, chunks.len() / 3, chunks.len() - 1, chunks.len()] {
            let mut next = done;
            for segment in segments(&chunks, done) {
                assert_eq!(segment.start, next);
                assert!(all.iter().any(|whole| whole.end == segment.end));
                next = segment.end;
            }
            assert_eq!(next, chunks.len());
        }
    }
}

/// Of large boards only the fullest tiers are built.
fn least_arrows(board: Board) -> usize {
    let tiers = if long_tests() { 4 } else { 3 };
    if board.squares() <= 32 { 0 } else { board.squares() - 2 - tiers }
}

/// A table that several ranks build.
struct Shared<'a> {
    directory: &'a Path,
    board: &'a str,
    amazons: &'a str,
    keep: Keep,
}

impl Shared<'_> {
    /// Builds with so many ranks, of which one is asked to stop after so many positions.
    fn build(&self, ranks: usize, asked: usize, stop_after: u64) -> Ending {
        let (board, amazons) = (self.board.parse().unwrap(), self.amazons.parse().unwrap());
        in_threads(ranks, |ranks| {
            let stop = StopFlag::new();
            let after = if ranks.rank() == asked { stop_after } else { u64::MAX };
            let counter = Counter { positions: AtomicU64::new(0), after, stop: stop.clone() };
            let options = BuildOptions {
                keep: self.keep,
                least_arrows: least_arrows(board),
                interval: Duration::ZERO,
                ..BuildOptions::new(1 << 30)
            };
            let (options, observer, stop) = (&options, &counter, &stop);
            let job = BuildJob { ranks, directory: self.directory, options, observer, stop };
            ending(build_on(&job, board, amazons))
        })
    }
}

/// How a rank ends that has built.
pub(in crate::tables::retrograde) fn ending(built: Result<Built, BuildError>) -> Ending {
    match built {
        Ok(_) => Ending::Done,
        Err(BuildError::Elsewhere(_)) => Ending::Elsewhere,
        Err(BuildError::Stopped) => Ending::Limit("stopped".into()),
        Err(error) => Ending::Failed(1, error.to_string()),
    }
}

/// Asks to stop after some positions.
struct Counter {
    positions: AtomicU64,
    after: u64,
    stop: StopFlag,
}

impl Observer for Counter {
    fn add(&self, count: u64) {
        if self.positions.fetch_add(count, Ordering::Relaxed) + count > self.after {
            self.stop.stop();
        }
    }
}

/// The files of a table; of the manifest what does not depend on the time.
fn content(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let manifest = Manifest::load(directory).unwrap();
    let of = |entry: std::io::Result<std::fs::DirEntry>| {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path())).unwrap();
        let bytes = match name.to_str().unwrap() {
            "manifest.json" => format!("{:?}", (&manifest.tiers, manifest.keep)).into_bytes(),
            _ => files::read_at_most(&path, 1 << 30).unwrap(),
        };
        (name.into_string().unwrap(), bytes)
    };
    std::fs::read_dir(directory).unwrap().map(of).collect()
}

const BOARDS: [(&str, &str, Keep); 7] = [
    ("3x3", "1v1", Keep::All),
    ("3x4", "2v1", Keep::All),
    ("3x4", "1v0", Keep::All),
    ("4x4", "2v2", Keep::Odd),
    ("4x4", "4v4", Keep::All),
    ("6x6", "2v1", Keep::Odd),
    ("3x5", "2v2", Keep::First),
];

fn alone((board, amazons, keep): (&str, &str, Keep)) -> BTreeMap<String, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let one = Shared { directory: directory.path(), board, amazons, keep };
    assert_eq!(one.build(1, 0, u64::MAX), Ending::Done);
    content(directory.path())
}

#[test]
fn any_number_of_ranks_writes_the_files_of_one_process() {
    let all = long_tests();
    for (of, number) in BOARDS.into_iter().zip([2, 3, 7].into_iter().cycle()) {
        let (board, amazons, keep) = of;
        // The next test has the largest one too.
        if amazons == "4v4" && !all {
            continue;
        }
        let expected = alone(of);
        for ranks in [2, 3, 7].into_iter().filter(|&ranks| all || ranks == number) {
            let directory = tempfile::tempdir().unwrap();
            let several = Shared { directory: directory.path(), board, amazons, keep };
            assert_eq!(several.build(ranks, 0, u64::MAX), Ending::Done);
            assert!(content(directory.path()) == expected, "{board} {amazons} by {ranks}");
        }
    }
}

#[test]
fn a_table_that_was_stopped_is_gone_on_with_by_another_number_of_ranks() {
    for (of, some) in [(BOARDS[1], [[3, 1], [7, 2]].as_slice()), (BOARDS[4], &[[2, 7]])] {
        let (board, amazons, keep) = of;
        let expected = alone(of);
        let all = long_tests();
        let numbers = [[3, 1], [1, 3], [2, 7], [7, 2]];
        for numbers in numbers.into_iter().filter(|numbers| all || some.contains(numbers)) {
            let directory = tempfile::tempdir().unwrap();
            let several = Shared { directory: directory.path(), board, amazons, keep };
            let (mut outcome, mut turns) = (Ending::Elsewhere, 0);
            while outcome != Ending::Done {
                let ranks = numbers[turns % 2];
                // Every other time it is rank 0 that is asked.
                let asked = turns / 2 % 2 * (ranks - 1);
                outcome = several.build(ranks, asked, 3_000_000 / (1 + turns as u64));
                assert!(matches!(&outcome, Ending::Done | Ending::Limit(_)), "{outcome:?}");
                turns += 1;
                // What is restored counts too, so later runs get further.
                if turns > 12 {
                    outcome = several.build(ranks, 0, u64::MAX);
                }
            }
            assert!(content(directory.path()) == expected, "{board} {amazons} by {numbers:?}");
        }
    }
}

#[test]
fn a_directory_that_is_not_shared_is_refused() {
    let directories = [0, 1, 2].map(|_| tempfile::tempdir().unwrap());
    let outcome = in_threads(3, |ranks| {
        let directory = directories[ranks.rank()].path();
        let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
        let options = BuildOptions::new(1 << 30);
        let stop = StopFlag::new();
        let (options, observer, stop) = (&options, &(), &stop);
        let job = BuildJob { ranks, directory, options, observer, stop };
        match build_on(&job, board, amazons) {
            Err(error @ BuildError::NotShared { .. }) => Ending::Failed(2, error.to_string()),
            Err(BuildError::Elsewhere(_)) => Ending::Elsewhere,
            other => panic!("{other:?}"),
        }
    });
    let Ending::Failed(2, told) = outcome else { panic!("{outcome:?}") };
    assert!(told.starts_with("rank 1: ") && told.contains("is not the directory"), "{told}");
}
