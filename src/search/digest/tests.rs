use std::path::{Path, PathBuf};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;
use crate::game::board::Bitboard;
use crate::game::rules::{Position, start};
use crate::game::{Move, Outcome};
use crate::machine::progress::StopFlag;
use crate::search::tests::naive;
use crate::search::{Settings, Solver};

fn solver(board: Board, seed: u64) -> Solver<'static> {
    let settings = Settings { table_bytes: 1 << 25, threads: 1, seed };
    Solver::new(board, settings, StopFlag::new()).unwrap()
}

/// The checkpoint of a search that solved the start position of a board, with what that is.
fn solved(directory: &Path, board: &str) -> (PathBuf, Position, Option<Outcome>, u64) {
    let start = start(board.parse().unwrap()).unwrap();
    let (checkpoint, mut solver) = (directory.join("checkpoint"), solver(start.board(), 1));
    let outcome = solver.solve(&start).unwrap();
    solver.save(&checkpoint, &start).unwrap();
    (checkpoint, start, outcome, solver.nodes())
}

fn frames(bytes: &[u8]) -> (Vec<Frame>, Digest) {
    let (mut reader, mut frames) = (Reader::new(bytes).unwrap(), Vec::new());
    while let Some(frame) = reader.frame().unwrap() {
        frames.push(frame);
    }
    (frames, reader.digest())
}

fn write_digest(from: &Path, most_bytes: u64) -> Result<(Vec<u8>, Digest), DigestError> {
    super::write_digest(from, most_bytes, &StopFlag::new())
}

/// Gives a damaged digest a hash that fits.
fn mend(bytes: &mut [u8]) {
    let end = bytes.len() - 33;
    let hash = blake3::hash(&bytes[..end]);
    bytes[end + 1..].copy_from_slice(hash.as_bytes());
}

#[test]
fn every_value_is_that_of_the_rules() {
    let directory = tempfile::tempdir().unwrap();
    // Of larger ones playing out every game takes too long.
    for (board, largest, least) in [("4x4", 8, 50), ("4x5", 5, 500)] {
        let (checkpoint, start, ..) = solved(directory.path(), board);
        let (bytes, digest) = write_digest(&checkpoint, 1 << 30).unwrap();
        let (frames, read) = frames(&bytes);
        assert_eq!(read, digest);
        let (mut naive, mut checked) = (naive(start.board()), 0);
        for Frame { group, positions, .. } in &frames {
            for position in positions {
                if position.empty(start.board()).len() > largest {
                    continue;
                }
                let plain = &position.resize().unwrap();
                if group.won != Bounds::NONE.won {
                    assert!(naive.wins(plain, group.won.into()), "{group:?} {position:?}");
                }
                if group.lost != Bounds::NONE.lost {
                    assert!(!naive.wins(plain, group.lost.into()), "{group:?} {position:?}");
                }
                checked += u64::from(group.bounds() != Bounds::NONE);
            }
        }
        assert!(checked > least, "{checked} of {digest:?}");
    }
}

#[test]
fn a_digest_of_a_digest_has_what_is_costliest_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let (checkpoint, ..) = solved(directory.path(), "4x5");
    let (all, digest) = write_digest(&checkpoint, 1 << 30).unwrap();
    let path = directory.path().join("digest");
    std::fs::write(&path, &all).unwrap();
    // The whole of it is the same file; a part is the one that the checkpoint has for that size.
    assert_eq!(write_digest(&path, 1 << 30).unwrap(), (all.clone(), digest));
    for size in [all.len() as u64 / 2, all.len() as u64 / 10, SMALLEST] {
        let (small, digest) = write_digest(&path, size).unwrap();
        assert!(small.len() as u64 <= size);
        let (frames, read) = frames(&small);
        assert_eq!(read, digest);
        let efforts = frames.iter().map(|frame| frame.group.effort);
        assert!(efforts.is_sorted());
        let kept: usize = frames.iter().map(|frame| frame.positions.len()).sum();
        let costlier = |frame: &&Frame| frame.group.effort.0 > digest.least_effort;
        let (whole, _) = self::frames(&all);
        let above: usize = whole.iter().filter(costlier).map(|frame| frame.positions.len()).sum();
        if size == SMALLEST {
            assert_eq!(kept, 0);
            continue;
        }
        assert!(kept >= above && kept > 10, "{kept} of {above}");
    }
    // A damaged one is refused.
    let mut changed = all.clone();
    changed[HEADER + 20] ^= 1;
    std::fs::write(&path, &changed).unwrap();
    assert!(write_digest(&path, 1 << 30).is_err());
}

/// The first moves of 4x5 are all lost, and a search of the start proves that of each: from its
/// digest each is found again for a small part of the work, with keys of any seed.
#[test]
fn a_search_from_a_digest_finds_the_same_for_a_small_part_of_the_work() {
    let directory = tempfile::tempdir().unwrap();
    let (checkpoint, start, outcome, _) = solved(directory.path(), "4x5");
    let after: Vec<Position> =
        start.moves().map(|played: Move| start.play(played).unwrap()).collect();
    let nodes = |digest: Option<u64>, seed| -> u64 {
        let mut solver = solver(start.board(), seed);
        if let Some(most_bytes) = digest {
            let path = directory.path().join("digest");
            let (bytes, written) = write_digest(&checkpoint, most_bytes).unwrap();
            assert!(bytes.len() as u64 <= most_bytes && written.positions > 0);
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(solver.take_digest(&path).unwrap(), written);
        }
        assert_eq!(solver.solve(&start).unwrap(), outcome);
        for position in &after {
            assert_eq!(solver.solve(position).unwrap(), Some(Outcome::Win));
        }
        solver.nodes()
    };
    for seed in [1, 2] {
        let nothing = nodes(None, seed);
        let [all, some] = [1 << 30, 2000].map(|most_bytes| nodes(Some(most_bytes), seed));
        assert!(all < nothing / 10 && some < nothing / 4, "{all}, {some} of {nothing}");
        assert!(all < some, "{all}, {some} of {nothing}");
    }
}

/// What is left out is what costs least.
#[test]
fn a_small_digest_has_what_cost_most() {
    let directory = tempfile::tempdir().unwrap();
    let (checkpoint, ..) = solved(directory.path(), "4x5");
    let items = |most_bytes| {
        let (bytes, digest) = write_digest(&checkpoint, most_bytes).unwrap();
        assert!(bytes.len() as u64 <= most_bytes);
        let mut items = Vec::new();
        for Frame { group, positions, .. } in frames(&bytes).0 {
            items.extend(positions.into_iter().map(|position| (group, position)));
        }
        assert_eq!(items.len() as u64, digest.positions);
        items
    };
    let all = items(1 << 30);
    assert!(all.iter().map(|(group, _)| group.effort.0).is_sorted_by(|one, next| one >= next));
    for most_bytes in [SMALLEST, 200, 2000, 8000] {
        let some = items(most_bytes);
        assert!(some.len() < all.len() && (most_bytes == SMALLEST || !some.is_empty()));
        let of_effort = |items: &[(Group, Bitboards<u128>)], effort| {
            items.iter().filter(|(group, _)| group.effort.0 == effort).count()
        };
        let least = some.last().map_or(64, |(group, _)| group.effort.0);
        for effort in 0..64 {
            let (kept, of) = (of_effort(&some, effort), of_effort(&all, effort));
            assert!(effort == least || kept == if effort > least { of } else { 0 });
        }
    }
    assert!(matches!(
        write_digest(&checkpoint, SMALLEST - 1),
        Err(DigestError::TooSmall(found)) if found == SMALLEST - 1
    ));
}

#[test]
fn an_interrupt_ends_the_writing() {
    let directory = tempfile::tempdir().unwrap();
    let (checkpoint, ..) = solved(directory.path(), "4x4");
    let digest = directory.path().join("digest");
    std::fs::write(&digest, write_digest(&checkpoint, 1 << 20).unwrap().0).unwrap();
    let stop = StopFlag::new();
    stop.stop();
    for from in [checkpoint, digest] {
        let written = super::write_digest(&from, 1 << 20, &stop);
        assert!(matches!(written, Err(DigestError::Interrupted)), "{written:?}");
    }
}

#[test]
fn other_boards_and_other_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (checkpoint, start, ..) = solved(directory.path(), "4x4");
    let (bytes, _) = write_digest(&checkpoint, 1 << 20).unwrap();
    let path = directory.path().join("digest");
    std::fs::write(&path, &bytes).unwrap();
    let other = solver("5x4".parse().unwrap(), 0).take_digest(&path);
    assert!(matches!(other, Err(DigestError::OtherBoard(_))));
    let whole = solver(start.board(), 0).take_digest(&checkpoint);
    assert!(matches!(whole, Err(DigestError::Foreign(_))));
    let neither = directory.path().join("neither");
    std::fs::write(&neither, [7; 4096]).unwrap();
    assert!(matches!(write_digest(&neither, 1 << 20), Err(DigestError::Checkpoint(_))));
    let mut later = bytes.clone();
    later[8] = 9;
    mend(&mut later);
    std::fs::write(&path, &later).unwrap();
    let later = solver(start.board(), 0).take_digest(&path);
    assert!(matches!(later, Err(DigestError::Version(9))));
}

#[test]
fn what_is_damaged_is_refused_and_nothing_of_it_taken_up() {
    let directory = tempfile::tempdir().unwrap();
    let (checkpoint, start, ..) = solved(directory.path(), "4x4");
    let (good, _) = write_digest(&checkpoint, 1 << 20).unwrap();
    let path = directory.path().join("digest");
    let take = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let mut solver = solver(start.board(), 0);
        let taken = solver.take_digest(&path);
        assert!(taken.is_ok() || solver.table.len() == 0);
        taken
    };
    assert!(take(&good).is_ok());
    for length in 0..good.len() {
        assert!(take(&good[..length]).is_err(), "{length} bytes");
    }
    assert!(take(&[&good[..], &[0]].concat()).is_err());
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(take(&bytes).is_err(), "byte {at}");
    }
    // With a hash that fits some of it may be believed, but whatever it says nothing breaks.
    let (mut random, mut refused) = (StdRng::seed_from_u64(3), 0);
    for round in 0..2000 {
        let mut bytes = good.clone();
        for _ in 0..random.random_range(1..=3) {
            let most = if round % 2 == 0 { HEADER + 40 } else { bytes.len() - 33 };
            bytes[random.random_range(0..most)] = random.random();
        }
        mend(&mut bytes);
        refused += u32::from(take(&bytes).is_err());
    }
    assert!(refused > 1000, "{refused}");
}

/// Files that no writer makes, with the hash that they should have.
#[test]
fn what_no_writer_makes_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let board: Board = "4x4".parse().unwrap();
    let square = |column, row| Bitboard::of(board.square(column, row).unwrap());
    // One empty square beside the mover: won with a spare move more or less, never lost with two.
    let (mover, opponent) = (square(0, 0), square(3, 3));
    let arrows = board.all::<u64>().without(mover | opponent | square(0, 1) | square(3, 2));
    let position = Bitboards { mover, opponent, arrows };
    let group = |won, lost, spare| Group { effort: Reverse(5), spare, won, lost };
    let code = crate::game::code::Coder::new(board).code(&position);
    let none = Bounds::NONE;
    let take = |groups: &[(Group, u32)]| {
        let items: Vec<write::Item> = groups
            .iter()
            .map(|&(group, proof)| write::Item { code, rank: 0, group, proof, disproof: 9 })
            .collect();
        let position = position.resize().unwrap();
        let searched = write::Searched { board, position, nodes: 0 };
        let bytes = write::encode(&searched, &items, &StopFlag::new()).unwrap().0;
        let path = directory.path().join("digest");
        std::fs::write(&path, bytes).unwrap();
        solver(board, 0).take_digest(&path)
    };
    let damaged = |taken| matches!(taken, Err(DigestError::Damaged { .. }));
    // Each side has one move. So the mover loses with no spare move, and wins with one.
    assert_eq!(take(&[(group(none.won, 0, NO_SPARE), 0)]).unwrap().solved, 1);
    assert_eq!(take(&[(group(1, 0, NO_SPARE), 0)]).unwrap().solved, 1);
    for (won, lost) in [(0, none.lost), (none.won, 1), (-3, -4), (7, 6)] {
        let taken = take(&[(group(won, lost, NO_SPARE), 0)]);
        assert!(matches!(taken, Err(DigestError::Untrue(_))), "{taken:?}");
    }
    assert_eq!(take(&[(group(none.won, none.lost, 0), 8)]).unwrap().open, 1);
    for impossible in [
        group(none.won, none.lost, NO_SPARE),
        group(0, 0, NO_SPARE),
        group(100, 0, NO_SPARE),
        group(1, -100, NO_SPARE),
        group(2, 0, 2),
        group(none.won, none.lost, 70),
        Group { effort: Reverse(64), ..group(1, 0, NO_SPARE) },
    ] {
        assert!(damaged(take(&[(impossible, 8)])), "{impossible:?}");
    }
    for proof in [0, (1 << 18) - 1, 1 << 18] {
        assert!(damaged(take(&[(group(none.won, none.lost, 0), proof)])), "{proof}");
    }
    let claim = (group(1, 0, NO_SPARE), 0);
    assert!(damaged(take(&[claim, claim])));
    let costlier = (Group { effort: Reverse(6), ..claim.0 }, 0);
    assert!(take(&[costlier, claim]).is_ok());
    assert!(damaged(take(&[claim, costlier])));
}
