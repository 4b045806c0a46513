//! Tables of margins: against the naive solver, against ordinary tables, resumed, and damaged.

use std::fs;
use std::path::Path;

use amazons::game::naive_margins::NaiveMargins;
use amazons::game::rules::Rules;
use amazons::machine::progress::StopFlag;
use amazons::machine::ranks::Ranks;
use amazons::tables::format::{Manifest, Table, TableMargin, check_tier};
use amazons::tables::retrograde::{BuildJob, BuildOptions, Margins, build, build_margins_on};
use amazons::{Position, Threshold};

const PLENTY: u64 = 4 << 30;

fn margins(directory: &Path, board: &str, amazons: &str, most: Option<u8>) -> Margins {
    let (options, stop, ranks) = (BuildOptions::new(PLENTY), StopFlag::new(), Ranks::alone());
    let job = BuildJob { ranks: &ranks, directory, options: &options, observer: &(), stop: &stop };
    build_margins_on(&job, board.parse().unwrap(), amazons.parse().unwrap(), most).unwrap()
}

/// Every position of a table, arrow sets that are images of each other once.
fn positions(table: &Table) -> impl Iterator<Item = Position> + '_ {
    let fullest = table.manifest().subject.fullest().unwrap();
    let tiers = (0..=fullest).flat_map(|arrows| table.tier(arrows).unwrap());
    tiers.map(|listed| listed.unwrap().0)
}

#[test]
fn every_margin_is_that_of_the_naive_solver() {
    let mut lost = 0;
    for (board, amazons, expected) in [
        ("2x3", "1v1", 90),
        ("2x3", "2v1", 0),
        ("2x4", "2v1", 0),
        ("2x4", "1v3", 0),
        ("3x3", "1v1", 0),
        ("3x3", "2v2", 0),
        ("3x3", "2v0", 0),
        ("3x4", "1v1", 0),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let built = margins(directory.path(), board, amazons, None);
        assert!(built.layers.last().unwrap().is_last());
        let table = Table::open(directory.path()).unwrap();
        assert!(table.stored().has_all_layers());
        let mut naive = NaiveMargins::new(Rules::<u64>::new(table.board()).unwrap());
        let mut checked = 0;
        for position in positions(&table) {
            let expected = naive.threshold(&position.bitboards().unwrap());
            let found = table.margin(&position).unwrap();
            assert_eq!(found, Some(TableMargin::Exactly(expected)), "{position}");
            assert_eq!(table.value(&position).unwrap(), expected.outcome(), "{position}");
            lost += usize::from(expected > Threshold::new(3));
            checked += 1;
        }
        assert!(checked >= expected, "{board} {amazons}: {checked}");
    }
    assert!(lost > 100, "{lost}");
}

#[test]
fn plane_0_is_the_ordinary_table() {
    for (board, amazons) in [("3x4", "2v1"), ("4x4", "2v2")] {
        let (directory, ordinary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        margins(directory.path(), board, amazons, Some(2));
        let (options, stop) = (BuildOptions::new(PLENTY), StopFlag::new());
        let (parsed, sides) = (board.parse().unwrap(), amazons.parse().unwrap());
        let expected = build(ordinary.path(), parsed, sides, &options, &(), &stop).unwrap();
        assert_eq!(Manifest::load(directory.path()).unwrap().tiers, expected.tiers);
        let table = Table::open(directory.path()).unwrap();
        for layer in table.stored().layers() {
            for record in &layer.tiers {
                let shape = layer.shape(record).unwrap();
                check_tier(table.stored().reader(&shape).unwrap().unwrap()).unwrap();
            }
        }
        let _ = fs::read_dir(directory.path()).unwrap();
    }
}
