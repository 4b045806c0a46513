//! Tables of boards of more than 32 squares: their fullest tiers, against the naive solver.

use std::fs;
use std::path::Path;

use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Position, Rules};
use amazons::machine::progress::StopFlag;
use amazons::tables::format::{
    Keep, Manifest, SampleBy, Table, TableError, TierError, TierReader, check_tier,
};
use amazons::tables::index::TableSubject;
use amazons::tables::opening::Opening;
use amazons::tables::retrograde::{BuildOptions, Plan, build};
use amazons::verify::opening::verify as verify_opening;
use amazons::verify::table::{verify_all, verify_sample};
use rand::SeedableRng;
use rand::rngs::StdRng;
use xxhash_rust::xxh3::xxh3_64;

/// Builds the tiers with so many arrows and more.
fn built(directory: &Path, board: &str, amazons: &str, keep: Keep, least: usize) -> Manifest {
    let options = BuildOptions { keep, least_arrows: least, ..BuildOptions::new(1 << 30) };
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    build(directory, board, amazons, &options, &(), &StopFlag::new()).unwrap()
}

fn contents(manifest: &Manifest) -> Vec<(usize, usize, u64, bool, String)> {
    let tiers = manifest.tiers.iter();
    tiers
        .map(|tier| (tier.arrows, tier.mover, tier.wins, tier.stored, tier.content.clone()))
        .collect()
}

#[test]
fn every_entry_of_the_fullest_tiers_is_what_the_naive_solver_says() {
    for (board, amazons, least) in [
        ("6x6", "1v1", 32),
        ("5x7", "2v1", 31),
        ("7x5", "1v1", 32),
        ("4x9", "1v2", 32),
        ("8x8", "1v1", 61),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let manifest = built(directory.path(), board, amazons, Keep::All, least);
        let table = Table::open(directory.path()).unwrap();
        let mut naive = NaiveSolver::new(Rules::<u64>::new(table.board()).unwrap());
        for tier in &manifest.tiers {
            assert!(tier.arrows >= least && tier.stored);
            let shape = manifest.shape(tier).unwrap();
            assert_eq!(shape.count().positions(), Some(tier.positions.into()));
            check_tier(table.stored().reader(&shape).unwrap().unwrap()).unwrap();
        }
        let mut entries = 0;
        for arrows in least..=table.board().squares() - 2 {
            for listed in table.tier(arrows).unwrap() {
                let (position, outcome) = listed.unwrap();
                entries += 1;
                // The fullest tiers of large boards have many.
                if entries % 7 == 0 {
                    assert_eq!(outcome, naive.outcome(&position.bitboards().unwrap()));
                    assert_eq!(table.value(&position).unwrap(), outcome);
                }
            }
        }
        let verified = verify_all(&table, 1 << 30, &(), &StopFlag::new()).unwrap();
        assert_eq!((verified.checked, verified.mismatches), (entries, 0), "{board} {amazons}");
        let mut random = StdRng::seed_from_u64(1);
        let verified =
            verify_sample(&table, 5000, 1 << 30, &mut random, &(), &StopFlag::new()).unwrap();
        assert_eq!((verified.checked, verified.mismatches), (5000, 0), "{board} {amazons}");
        let drawn = table.sample(200, SampleBy::Tiers, 3);
        assert!(matches!(drawn, Err(TableError::Unfinished { .. })), "not of all positions");
        assert!(matches!(table.tier(least - 1).map(drop), Err(TableError::NotStored { .. })));
    }
}

#[test]
fn opening_tables_say_what_the_naive_solver_says() {
    for (start, plies, last) in [
        ("q1Q***/3***/******/******/******/****** w", 3, 20),
        ("q1Q**/3**/*****/*****/*****/*****/***** b", 2, 20),
        ("qQ******/2******/********/********/********/********/********/******** w", 1, 2),
    ] {
        let start: Position = start.parse().unwrap();
        let board = start.board();
        let directory = tempfile::tempdir().unwrap();
        let least = start.setup().arrows.len();
        built(directory.path(), &board.to_string(), "1v1", Keep::All, least);
        let table = Table::open(directory.path()).unwrap();
        let mut naive = NaiveSolver::new(Rules::<u64>::new(board).unwrap());
        let stop = StopFlag::new();
        let derived = Opening::derive(&table, &start, plies, 1 << 30, &(), &stop).unwrap();
        let mut file = Vec::new();
        derived.write(&mut file).unwrap();
        assert_eq!(file[8], 2, "the version of large boards");
        let read = Opening::read(&file[..]).unwrap();
        assert_eq!((read.start(), read.plies()), (&start, derived.plies()));
        let mut level = vec![start.bitboards::<u64>().unwrap()];
        for ply in read.plies() {
            let mut codes: Vec<_> = level.iter().map(|at| read.coder().code(at)).collect();
            codes.sort_unstable();
            codes.dedup();
            assert!(ply.entries().map(|(code, _)| code).eq(codes), "{board}");
            for (code, outcome) in ply.entries() {
                let position = read.coder().position(code).unwrap();
                assert_eq!(outcome, naive.outcome(&position), "{board} {position:?}");
            }
            let next = |at| {
                let moves = read.rules().moves(at).into_iter();
                moves.map(|played| read.rules().play_unchecked(at, played)).collect::<Vec<_>>()
            };
            level = level.iter().flat_map(next).collect();
        }
        let found = read.plies()[plies].len();
        assert!(found >= last, "{board}: {found} positions after {plies} moves");
        assert_eq!(read.value(&start).unwrap(), Some(table.value(&start).unwrap()));
        assert_eq!(verify_opening(&read, &(), &stop).mismatches, 0);
        for at in 8..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x11;
            assert!(Opening::read(&damaged[..]).is_err(), "byte {at}");
        }
        // As a file of the other version, with a sum that fits.
        let mut other = file.clone();
        other[8] = 1;
        let end = other.len() - 32;
        let hash = blake3::hash(&other[..end]);
        other[end..].copy_from_slice(hash.as_bytes());
        let error = Opening::read(&other[..]).unwrap_err().to_string();
        assert!(error.contains(&format!("{board} in version 1, expected version 2")), "{error}");
    }
}

#[test]
fn a_part_of_a_table_is_gone_on_with_and_says_what_it_lacks() {
    for keep in [Keep::All, Keep::Odd] {
        let (once, twice) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let whole = built(once.path(), "5x7", "1v1", keep, 30);
        built(twice.path(), "5x7", "1v1", keep, 32);
        assert_eq!(contents(&built(twice.path(), "5x7", "1v1", keep, 30)), contents(&whole));
        // Fewer tiers than there are change nothing.
        assert_eq!(contents(&built(twice.path(), "5x7", "1v1", keep, 32)), contents(&whole));
        let lowest = whole.tiers.first().unwrap();
        assert!(lowest.stored && lowest.arrows == 30, "the next run builds on it");
        let table = Table::open(twice.path()).unwrap();
        let known = "qQ1****/*******/*******/*******/*****1* w".parse().unwrap();
        // The table is of the board the other way round.
        assert!(table.value(&known).unwrap().is_win());
        let unknown = "qQ5/*******/*******/*******/*****2 w".parse().unwrap();
        assert!(matches!(table.value(&unknown), Err(TableError::NotStored { .. })));
        assert_eq!(table.known(&unknown).unwrap(), None);
    }
}

#[test]
fn parts_of_tables_of_small_boards_are_those_of_the_whole() {
    let (part, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for keep in [Keep::All, Keep::Odd, Keep::None] {
        let (part, whole) =
            (part.path().join(format!("{keep:?}")), whole.path().join(format!("{keep:?}")));
        for least in [8, 5, 9, 3] {
            built(&part, "3x4", "1v1", keep, least);
        }
        let all = contents(&built(&whole, "3x4", "1v1", keep, 0));
        assert!(!Manifest::opening_path(&part).exists());
        assert_eq!(contents(&built(&part, "3x4", "1v1", keep, 0)), all);
        assert_eq!(Manifest::opening_path(&part).exists(), keep == Keep::None);
    }
}

#[test]
fn files_of_large_boards_are_of_version_2_and_damage_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    built(directory.path(), "6x6", "1v1", Keep::All, 32);
    let text = fs::read_to_string(directory.path().join("manifest.json")).unwrap();
    assert!(text.contains("\"format\": 2,"), "{text}");
    let bytes = fs::read(directory.path().join("tier-33-1v1.amz")).unwrap();
    let accepts =
        |bytes: &[u8]| TierReader::open(bytes).is_ok_and(|tier| check_tier(&tier).is_ok());
    assert!(accepts(&bytes) && bytes[8..12] == [2, 0, 0, 0]);
    for at in (0..bytes.len()).step_by((bytes.len() / 800).max(1)) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(!accepts(&changed), "byte {at}");
        assert!(!accepts(&bytes[..at]), "cut to {at}");
    }
    // Other versions are refused, even if the checksum fits.
    let refused = |version: u8| {
        let mut changed = bytes.clone();
        changed[8] = version;
        let sum = xxh3_64(&changed[..152]).to_le_bytes();
        changed[152..160].copy_from_slice(&sum);
        match TierReader::open(changed.as_slice()) {
            Err(TierError::Header(error)) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(1), "the fields of its header contradict each other");
    assert_eq!(refused(3), "the fields of its header contradict each other");
    assert_eq!(refused(4), "the fields of its header contradict each other");
    assert_eq!(refused(5), "it has format version 5, this program reads versions 1 to 4");
    let manifest = text.replacen("\"format\": 2,", "\"format\": 5,", 1);
    let error = Manifest::parse(manifest.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "it has format version 5, this program reads versions 1 to 4");
}

#[test]
fn what_a_board_needs_at_least_is_what_its_tiers_need() {
    let board: Board = "6x6".parse().unwrap();
    let amazons = "1v1".parse().unwrap();
    let all = Plan::new(TableSubject::of_amazons(board, amazons)).unwrap();
    let plan = |least| all.clone().with_least_arrows(least);
    let all = plan(0).memory_least().unwrap();
    assert!(plan(28).memory_least().unwrap() < 1 << 30 && all > 16 << 30, "{all}");
}
