//! Published counts of regions, line segment graphs and defective territories.

use amazons::machine::progress::StopFlag;
use amazons::theory::region::Census;

/// Size, regions, graphs, then (regions, graphs) of 1-, 2-, .. defective territories.
type Row = (usize, u64, u64, &'static [(u64, u64)]);

/// M. Müller and T. Tegos, tables 1 and 2.
const TABLES: &[Row] = &[
    (1, 1, 1, &[]),
    (2, 2, 1, &[]),
    (3, 5, 3, &[(2, 1)]),
    (4, 22, 11, &[(2, 1), (1, 1)]),
    (5, 94, 42, &[(37, 6)]),
    (6, 524, 199, &[(236, 12), (23, 3)]),
    (7, 3_031, 960, &[(2_238, 125), (101, 8), (5, 1)]),
    (8, 18_769, 4_945, &[(16_442, 666), (1_111, 71), (12, 1)]),
    (9, 118_069, 25_786, &[(125_797, 4_610), (12_974, 370), (274, 14)]),
    (10, 755_047, 137_988, &[(929_277, 28_500), (137_976, 2_665), (5_464, 70), (42, 3)]),
    // Regions and graphs of size 11 are unpublished; they are this crate's.
    (
        11,
        4_805_970,
        746_063,
        &[(6_747_413, 186_564), (1_208_467, 17_974), (193_410, 1_310), (1_188, 17)],
    ),
];

fn check(sizes: std::ops::RangeInclusive<usize>) {
    for &(size, regions, graphs, defective) in TABLES.iter().filter(|row| sizes.contains(&row.0)) {
        let census = Census::of(size, &(), &StopFlag::new()).unwrap();
        assert_eq!((census.regions, census.graphs), (regions, graphs), "size {size}");
        let found = &census.defective[1..];
        let expected = |k: usize| defective.get(k).copied().unwrap_or_default();
        for (k, &counts) in found.iter().enumerate() {
            assert_eq!(counts, expected(k), "{}-defective territories of size {size}", k + 1);
        }
    }
}

#[test]
fn published_tables_to_size_8() {
    check(1..=8);
}

#[test]
#[ignore = "minutes"]
fn published_tables_to_size_11() {
    check(9..=11);
}
