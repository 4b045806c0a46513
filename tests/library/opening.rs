//! Opening tables: what they hold, and how damaged ones fail.

use amazons::game::rules::{Bitboards, Colour, Position};
use amazons::machine::progress::StopFlag;
use amazons::tables::format::{Table, TableError};
use amazons::tables::index::TableRules;
use amazons::tables::opening::{DeriveError, MAGIC, Opening};
use amazons::tables::retrograde::{BuildOptions, build};
use amazons::verify::opening::verify;

use amazons_test_support::opening::Ground;

#[test]
fn every_reachable_position_has_the_value_of_the_table() {
    let ground = Ground::build();
    let read = Opening::read(ground.written().as_slice()).unwrap();
    let lengths =
        |opening: &Opening| opening.plies().iter().map(|ply| ply.len()).collect::<Vec<_>>();
    assert_eq!(lengths(&read.beginning(usize::MAX)), lengths(&read));
    assert_eq!(lengths(&read.beginning(0)), [1]);
    let table = Table::open(ground.directory.path()).unwrap();
    assert_eq!(read.plies(), ground.opening.plies());
    assert_eq!(read.start(), ground.opening.start());
    let (rules, mut level) =
        (read.rules(), vec![ground.opening.start().bitboards::<u64>().unwrap()]);
    for ply in 0..=3 {
        let mut codes: Vec<_> = level.iter().map(|position| read.coder().code(position)).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(read.plies()[ply].len(), codes.len(), "ply {ply}");
        for position in &level {
            let position = Position::new(read.board(), position, Colour::White).unwrap();
            assert_eq!(read.value(&position), Ok(Some(table.value(&position).unwrap())));
        }
        let after =
            |position| rules.moves(position).into_iter().map(|m| rules.play_unchecked(position, m));
        level = level.iter().flat_map(after).collect();
    }
    let is_unknown = |position: &Bitboards| {
        let position = Position::new(read.board(), position, Colour::White).unwrap();
        read.value(&position) == Ok(None)
    };
    assert!(level.iter().all(is_unknown), "beyond the last ply");
    let answer = read.answer(ground.opening.start()).unwrap().unwrap();
    assert_eq!(answer.moves, Some(table.answer(ground.opening.start()).unwrap().moves));
    assert_eq!(verify(&read, &(), &StopFlag::new()).mismatches, 0);
}

#[test]
fn a_wrong_value_under_a_right_hash_is_found() {
    let ground = Ground::build();
    let bytes = ground.written();
    // The last of four plies: its first number ends in the value of its first position.
    let (mut plies, mut at) = (Vec::new(), 40);
    for _ in 0..4 {
        let length = u64::from_le_bytes(bytes[at + 8..at + 16].try_into().unwrap()) as usize;
        plies.push((bytes[at..at + 8].to_vec(), bytes[at + 16..at + 16 + length].to_vec()));
        at += 16 + length;
    }
    let mut found = 0;
    for changed in 0..4 {
        let mut forged = bytes[..40].to_vec();
        for (number, (count, packed)) in plies.iter().enumerate() {
            let mut raw = zstd::bulk::decompress(packed, 1 << 20).unwrap();
            raw[0] ^= u8::from(number == changed);
            let packed = zstd::bulk::compress(&raw, 1).unwrap();
            forged.extend(count);
            forged.extend((packed.len() as u64).to_le_bytes());
            forged.extend(packed);
        }
        forged.extend(blake3::hash(&forged).as_bytes());
        let forged = Opening::read(forged.as_slice()).unwrap();
        found += u32::from(verify(&forged, &(), &StopFlag::new()).mismatches > 0);
    }
    assert!(found >= 3, "values before the last ply follow from those after them");
}

#[test]
fn too_little_memory_is_an_error() {
    let ground = Ground::build();
    let table = Table::open(ground.directory.path()).unwrap();
    let stop = StopFlag::new();
    let error = Opening::derive(&table, ground.opening.start(), 3, 1000, &(), &stop).unwrap_err();
    assert!(error.to_string().contains("ask for fewer plies"), "{error}");
}

#[test]
fn a_position_of_another_game_is_refused() {
    let ground = Ground::build();
    let table = Table::open(ground.directory.path()).unwrap();
    let stop = StopFlag::new();
    // On another board, with fewer squares and with more; with other amazons.
    for start in ["3/q1Q/3 w", "q4/5/4Q/5/5 w", "qq1/3/3/2Q w"] {
        let start = start.parse().unwrap();
        let error = Opening::derive(&table, &start, 1, 1 << 30, &(), &stop).unwrap_err();
        assert!(matches!(error, DeriveError::Table(TableError::OtherGame { .. })), "{error}");
    }
    let cowboys = tempfile::tempdir().unwrap();
    let options = BuildOptions { rules: TableRules::Cowboys, ..BuildOptions::new(1 << 30) };
    let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
    build(cowboys.path(), board, amazons, &options, &(), &stop).unwrap();
    let table = Table::open_any(cowboys.path()).unwrap();
    let start = "2Q/3/q2 w".parse().unwrap();
    let error = Opening::derive(&table, &start, 1, 1 << 30, &(), &stop).unwrap_err();
    assert!(matches!(error, DeriveError::Table(TableError::OtherGame { .. })), "{error}");
}

#[test]
fn damaged_files_are_refused() {
    let ground = Ground::build();
    let bytes = ground.written();
    assert_eq!(&bytes[..8], MAGIC);
    for at in 8..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        assert!(Opening::read(damaged.as_slice()).is_err(), "byte {at}");
        assert!(Opening::read(&bytes[..at]).is_err(), "cut at {at}");
    }
}
