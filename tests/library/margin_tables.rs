//! Tables of margins: against the naive solver, against another program's figures, against ordinary
//! tables; resumed, refused and damaged.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use amazons::game::naive_margins::NaiveMargins;
use amazons::game::rules::Rules;
use amazons::knowledge::Knowledge;
use amazons::machine::progress::{Observer, StopFlag};
use amazons::tables::format::{
    Keep, Manifest, Table, TableError, TableMargin, TierBytes, TierRecord, check_tier, tier_file,
};
use amazons::tables::index::{Images, TableRules, TierShape};
use amazons::tables::retrograde::{BuildError, BuildOptions, BuiltMargins, build, build_margins};
use amazons::verify::table::{verify_all, verify_sample};
use amazons::{Position, Threshold};
use amazons_test_support::margins::golden_thresholds;
use rand::SeedableRng;
use rand::rngs::StdRng;

const PLENTY: u64 = 4 << 30;

/// Stops a build after so many positions.
struct StopsAfter<'a> {
    left: AtomicU64,
    stop: &'a StopFlag,
}

impl Observer for StopsAfter<'_> {
    fn add(&self, count: u64) {
        let left = self.left.load(Ordering::Relaxed).saturating_sub(count);
        self.left.store(left, Ordering::Relaxed);
        if left == 0 {
            self.stop.stop();
        }
    }
}

fn try_margins(
    directory: &Path,
    (board, amazons): (&str, &str),
    most: Option<u8>,
    options: &BuildOptions,
    after: u64,
) -> Result<BuiltMargins, BuildError> {
    let stop = StopFlag::new();
    let observer = StopsAfter { left: AtomicU64::new(after), stop: &stop };
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    build_margins(directory, board, amazons, most, options, &observer, &stop)
}

fn margins(directory: &Path, board: &str, amazons: &str, most: Option<u8>) -> BuiltMargins {
    let options = BuildOptions::new(PLENTY);
    try_margins(directory, (board, amazons), most, &options, u64::MAX).unwrap()
}

/// Every position of a table, arrow sets that are images of each other once.
fn positions(table: &Table) -> impl Iterator<Item = Position> + '_ {
    let fullest = table.manifest().subject.fullest().unwrap();
    let tiers = (0..=fullest).flat_map(|arrows| table.tier(arrows).unwrap());
    tiers.map(|listed| listed.unwrap().0)
}

fn contents(manifests: &[Manifest]) -> Vec<(usize, i8, u64, String)> {
    let tiers = manifests.iter().flat_map(|manifest| &manifest.tiers);
    tiers.map(|tier| (tier.arrows, tier.plane, tier.wins, tier.content.clone())).collect()
}

/// Every shape of a table and of its planes.
fn shapes(table: &Table) -> Vec<TierShape> {
    table.stored().stored_shapes().collect()
}

#[test]
fn every_margin_is_that_of_the_naive_solver() {
    let mut far = 0;
    for (board, amazons) in [
        ("2x3", "1v1"),
        ("2x3", "2v1"),
        ("2x4", "2v1"),
        ("2x4", "1v3"),
        ("3x3", "1v1"),
        ("3x3", "2v2"),
        ("3x3", "2v0"),
        ("2x4", "2v2"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let built = margins(directory.path(), board, amazons, None);
        assert!(built.layers.last().unwrap().is_last());
        let table = Table::open(directory.path()).unwrap();
        assert!(table.stored().has_all_layers());
        let mut naive = NaiveMargins::new(Rules::<u64>::new(table.board()).unwrap());
        let positions: Vec<Position> = positions(&table).collect();
        let images = Images::<u64>::new(table.board()).unwrap();
        let mut totals = std::collections::HashMap::new();
        for (position, found) in positions.iter().zip(table.margins(&positions)) {
            let expected = naive.threshold(&position.bitboards().unwrap());
            let found = found.unwrap();
            assert_eq!(found, Some(TableMargin::Exactly(expected)), "{position}");
            assert_eq!(table.margin(position).unwrap(), found);
            assert_eq!(table.value(position).unwrap(), expected.outcome(), "{position}");
            far += usize::from(expected.margin() > 2);
            let arrows = position.bitboards::<u64>().unwrap().arrows;
            let orbit = u64::from(images.orbit_size(arrows.word()));
            *totals.entry((position.burned(), expected)).or_insert(0) += orbit;
        }
        // What is counted from the manifests is what the positions have.
        let mut counted = std::collections::HashMap::new();
        for count in table.stored().margin_counts() {
            let threshold = count.margin.exact().unwrap();
            *counted.entry((count.shape.arrows(), threshold)).or_insert(0) += count.positions;
        }
        assert_eq!(counted, totals, "{board} {amazons}");
        let all = verify_all(&table, 1 << 30, &(), &StopFlag::new()).unwrap();
        assert!(all.mismatches == 0 && all.checked > positions.len() as u64);
    }
    assert!(far > 100, "{far}");
}

#[test]
fn thresholds_equal_those_of_another_program() {
    let golden: Vec<(Position, Threshold)> = golden_thresholds().collect();
    let mut compared = 0;
    for (board, amazons) in [("3x3", "1v1"), ("3x3", "3v2"), ("3x4", "1v1"), ("2x6", "1v1")] {
        let directory = tempfile::tempdir().unwrap();
        margins(directory.path(), board, amazons, None);
        let table = Table::open(directory.path()).unwrap();
        for (position, expected) in golden.iter().filter(|(position, _)| table.answers(position)) {
            let expected = TableMargin::Exactly(*expected);
            assert_eq!(table.margin(position).unwrap(), Some(expected), "{position}");
            let moves = table.move_margins(position).unwrap().unwrap();
            let best = moves.iter().map(|(_, margin)| margin.exact().unwrap()).min();
            // Who has a spare move may do better than by any move.
            assert!(best.is_none_or(|best| expected.exact().unwrap() <= best), "{position}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn plane_0_is_the_ordinary_table_and_what_is_there_is_gone_on_with() {
    for (board, amazons) in [("3x3", "2v1"), ("2x5", "2v2")] {
        let directory = tempfile::tempdir().unwrap();
        let (options, stop) = (BuildOptions::new(PLENTY), StopFlag::new());
        let (parsed, sides) = (board.parse().unwrap(), amazons.parse().unwrap());
        let ordinary = build(directory.path(), parsed, sides, &options, &(), &stop).unwrap();
        let manifest = fs::read(Manifest::path(directory.path())).unwrap();
        let first = margins(directory.path(), board, amazons, Some(1));
        assert_eq!((first.built.manifest.tiers, first.layers.len()), (ordinary.tiers.clone(), 1));
        assert_eq!(fs::read(Manifest::path(directory.path())).unwrap(), manifest);
        let second = margins(directory.path(), board, amazons, Some(2));
        assert_eq!(second.layers[..1], first.layers[..]);
        assert_eq!(second.layers.len(), 2);
        let whole = tempfile::tempdir().unwrap();
        let at_once = margins(whole.path(), board, amazons, Some(2));
        assert_eq!(at_once.built.manifest.tiers, ordinary.tiers);
        assert_eq!(contents(&at_once.layers), contents(&second.layers));
        let table = Table::open(directory.path()).unwrap();
        for shape in shapes(&table) {
            check_tier(table.stored().reader(&shape).unwrap().unwrap()).unwrap();
        }
    }
}

#[test]
fn larger_margins_than_the_planes_tell_are_bounds() {
    let (directory, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    margins(directory.path(), "2x5", "1v1", Some(2));
    margins(whole.path(), "2x5", "1v1", None);
    let (table, whole) =
        (Table::open(directory.path()).unwrap(), Table::open(whole.path()).unwrap());
    assert!(!table.stored().has_all_layers());
    let positions: Vec<Position> = positions(&table).step_by(5).collect();
    let mut bounds = [0; 3];
    for (some, all) in table.margins(&positions).into_iter().zip(whole.margins(&positions)) {
        let all = all.unwrap().unwrap().exact().unwrap();
        match some.unwrap().unwrap() {
            TableMargin::Exactly(threshold) => assert_eq!(threshold, all),
            TableMargin::AtMost(threshold) => {
                assert!(threshold == Threshold::new(-2) && all <= threshold);
                bounds[0] += 1;
            }
            TableMargin::AtLeast(threshold) => {
                assert!(threshold == Threshold::new(3) && all >= threshold);
                bounds[1] += 1;
            }
        }
        bounds[2] += 1;
    }
    assert!(bounds[0] > 50 && bounds[1] > 50 && bounds[2] > bounds[0] + bounds[1], "{bounds:?}");
}

#[test]
fn a_build_that_is_stopped_anywhere_goes_on_to_the_same() {
    let whole = tempfile::tempdir().unwrap();
    let expected = margins(whole.path(), "2x5", "2v1", None);
    let solved = expected.built.solved;
    for part in 1..6 {
        let directory = tempfile::tempdir().unwrap();
        let table = ("2x5", "2v1");
        let options = BuildOptions::new(PLENTY);
        let stopped =
            try_margins(directory.path(), table, None, &options, solved * part / 6).unwrap_err();
        assert!(matches!(stopped, BuildError::Stopped), "{stopped}");
        // What there is so far can be looked up.
        if part > 2 {
            let table = Table::open(directory.path()).unwrap();
            assert!(table.has_margins() && !table.stored().has_all_layers());
            let position = positions(&table).next().unwrap();
            assert!(table.margin(&position).unwrap().is_some());
        }
        let least = BuildOptions::new(256 << 20);
        let built = try_margins(directory.path(), table, None, &least, u64::MAX).unwrap();
        assert_eq!(contents(&built.layers), contents(&expected.layers), "part {part}");
        for entry in fs::read_dir(directory.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let is_whole = name == "lock" || name.ends_with(".json") || name.ends_with(".amz");
            assert!(is_whole, "{name} is left");
        }
    }
}

#[test]
fn what_margins_are_not_for_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let plenty = || BuildOptions::new(PLENTY);
    for (options, words) in [
        (BuildOptions { rules: TableRules::Cowboys, ..plenty() }, "cowboys"),
        (BuildOptions { rules: TableRules::Pencil, ..plenty() }, "pencil"),
        (BuildOptions { keep: Keep::Odd, ..plenty() }, "odd tiers"),
        (BuildOptions { keep: Keep::None, ..plenty() }, "no tiers"),
        (BuildOptions { keep: Keep::First, ..plenty() }, "first tiers"),
        (BuildOptions { least_arrows: 1, ..plenty() }, "part of a table"),
        (BuildOptions::new(1 << 20), "memory"),
    ] {
        let table = ("3x4", "1v1");
        let refused = try_margins(directory.path(), table, None, &options, u64::MAX).unwrap_err();
        assert!(refused.to_string().contains(words), "{refused}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is written");
    }
    // An ordinary table says nothing of margins.
    let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
    build(directory.path(), board, amazons, &plenty(), &(), &StopFlag::new()).unwrap();
    let table = Table::open(directory.path()).unwrap();
    let position = positions(&table).next().unwrap();
    assert!(table.margin(&position).unwrap().is_none());
    assert!(table.move_margins(&position).unwrap().is_none());
    assert!(table.margins(&[position])[0].as_ref().unwrap().is_none());
    assert!(table.stored().margin_counts().is_empty());
}

#[test]
fn wrong_entries_of_a_plane_are_found() {
    let directory = tempfile::tempdir().unwrap();
    margins(directory.path(), "3x3", "2v1", None);
    let random = || StdRng::seed_from_u64(5);
    let verify = |table: &Table| {
        let sample =
            verify_sample(table, 20_000, 1 << 30, &mut random(), &(), &StopFlag::new()).unwrap();
        let all = verify_all(table, 1 << 30, &(), &StopFlag::new()).unwrap();
        (sample.mismatches > 0, all.mismatches > 0)
    };
    assert_eq!(verify(&Table::open(directory.path()).unwrap()), (false, false));
    // A plane that is as its inner plane: a whole file, but a wrong one.
    let table = Table::open(directory.path()).unwrap();
    let shape = TierShape::new(table.board(), 2, 2, 1).unwrap().with_plane(1);
    let replaced = forge(directory.path(), &table, &shape);
    fs::write(Manifest::tier_path(directory.path(), &shape), replaced).unwrap();
    let (sample, all) = verify(&Table::open(directory.path()).unwrap());
    assert!(sample && all);
}

/// The file of a plane with one frame that is as that of its inner plane, and manifests that fit.
fn forge(directory: &Path, table: &Table, shape: &TierShape) -> Vec<u8> {
    use amazons::tables::format::{Encoder, Frames, TierWriter};
    use amazons::tables::index::CanonicalSets;
    let elsewhere = tempfile::tempdir().unwrap();
    let sets = CanonicalSets::<u32>::new(shape.board(), shape.arrows()).unwrap();
    let inner = table.stored().reader(&shape.inner().unwrap()).unwrap().unwrap();
    let mut writer = TierWriter::create(elsewhere.path(), shape, &sets, Frames::TARGET).unwrap();
    let mut encoder = Encoder::new(*writer.frames()).unwrap();
    let (mut decoder, mut raw, mut wins) = (inner.decoder().unwrap(), Vec::new(), 0);
    for frame in 0..inner.frames().len() {
        inner.read_frame_into(frame, &mut decoder, &mut raw).unwrap();
        let block = shape.block_bytes();
        for (place, block) in raw.chunks(block).enumerate() {
            let ones: u64 = block.iter().map(|byte| u64::from(byte.count_ones())).sum();
            wins += ones * u64::from(sets.orbit_size(place));
        }
        let mut encoded = Vec::new();
        encoder.encode_plane(frame, &raw, &raw, &mut encoded).unwrap();
        assert!(encoded.is_empty(), "a frame as that of the inner plane takes no bytes");
        writer.push(&raw, &encoded, wins).unwrap();
    }
    let summary = writer.finish().unwrap();
    let mut layer = Manifest::load_layer(directory, shape.plane()).unwrap();
    layer.record(TierRecord::new(shape, &summary));
    layer.save(directory).unwrap();
    fs::read(Manifest::tier_path(elsewhere.path(), shape)).unwrap()
}

#[test]
fn damaged_and_missing_planes_are_named() {
    let directory = tempfile::tempdir().unwrap();
    margins(directory.path(), "3x3", "1v1", None);
    let at = |name: &str| directory.path().join(name);
    let looked_up = || -> Result<(), TableError> {
        let table = Table::open(directory.path())?;
        let positions: Vec<Position> = positions(&table).collect();
        table.margins(&positions).into_iter().try_for_each(|margin| margin.map(|_| ()))?;
        for shape in shapes(&table) {
            let reader = table.stored().open_once(&shape)?;
            check_tier(&reader).map_err(|error| table.stored().damaged(&shape, error))?;
        }
        Ok(())
    };
    looked_up().unwrap();
    let shape = TierShape::new("3x3".parse().unwrap(), 2, 1, 1).unwrap();
    for plane in [1, -2] {
        let name = tier_file(&shape.with_plane(plane));
        let bytes = fs::read(at(&name)).unwrap();
        for place in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[place] ^= 1 << (place % 8);
            fs::write(at(&name), &wrong).unwrap();
            let table = Table::open(directory.path()).unwrap();
            let read = table.stored().open_once(&shape.with_plane(plane));
            let is_whole = read.is_ok_and(|reader| check_tier(&reader).is_ok());
            assert!(!is_whole, "a changed byte is noticed: {place}");
        }
        assert!(looked_up().unwrap_err().to_string().contains(&name));
        fs::write(at(&name), &bytes[..bytes.len() - 1]).unwrap();
        assert!(looked_up().unwrap_err().to_string().contains(&name));
        fs::remove_file(at(&name)).unwrap();
        assert!(looked_up().unwrap_err().to_string().contains(&name));
        // A build mends it.
        margins(directory.path(), "3x3", "1v1", None);
        assert_eq!(fs::read(at(&name)).unwrap(), bytes);
    }
    let other = tier_file(&shape.with_plane(2));
    fs::copy(at(&other), at(&tier_file(&shape.with_plane(1)))).unwrap();
    assert!(looked_up().is_err());
    margins(directory.path(), "3x3", "1v1", None);
    for name in ["margins-01.json", "margins-02.json"] {
        let bytes = fs::read(at(name)).unwrap();
        fs::remove_file(at(name)).unwrap();
        let error = looked_up().unwrap_err();
        assert!(matches!(error, TableError::Layer { .. }), "{error}");
        let plane = name.trim_start_matches("margins-0").trim_end_matches(".json");
        let words = format!("planes {plane} and -{plane}");
        assert!(error.to_string().contains(name) && error.to_string().contains(&words), "{error}");
        for place in (0..bytes.len()).step_by(97) {
            let mut wrong = bytes.clone();
            wrong[place] ^= 2;
            fs::write(at(name), wrong).unwrap();
            assert!(matches!(looked_up(), Err(TableError::Layer { .. })), "byte {place}");
        }
        fs::copy(at("margins-03.json"), at(name)).unwrap();
        assert!(matches!(looked_up(), Err(TableError::Layer { .. })), "another layer");
        fs::remove_file(at(name)).unwrap();
        margins(directory.path(), "3x3", "1v1", None);
        looked_up().unwrap();
    }
}

#[test]
fn margins_are_read_by_whoever_keeps_the_files() {
    let directory = tempfile::tempdir().unwrap();
    let built = margins(directory.path(), "3x3", "1v1", None);
    let read = |name: &str| fs::read(directory.path().join(name)).unwrap();
    let layers: Vec<Vec<u8>> = built
        .layers
        .iter()
        .map(|layer| read(&format!("margins-{:02}.json", layer.layer)))
        .collect();
    let layers: Vec<&[u8]> = layers.iter().map(Vec::as_slice).collect();
    let files: std::collections::HashMap<String, Vec<u8>> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| (name.clone(), read(&name)))
        .collect();
    let open = move |tier: &amazons::tables::format::TierFile| {
        assert_eq!(tier.bytes, files[&tier.name].len() as u64);
        Ok(TierBytes::from(files[&tier.name].clone()))
    };
    let manifest = read("manifest.json");
    let held = Table::opened_by(&manifest, &layers, open).unwrap();
    let table = Table::open(directory.path()).unwrap();
    let positions: Vec<Position> = positions(&table).collect();
    for (one, other) in held.margins(&positions).into_iter().zip(table.margins(&positions)) {
        assert_eq!(one.unwrap(), other.unwrap());
    }
    let wrong = Table::opened_by(&manifest, &layers[1..], |_| Ok(Vec::new().into()));
    assert!(matches!(wrong, Err(TableError::Layer { .. })));
    // That of a layer alone is none of a table.
    let wrong = Table::opened_by(layers[0], &[], |_| Ok(Vec::new().into()));
    assert!(matches!(wrong, Err(TableError::Manifest { .. })));
}

#[test]
fn knowledge_has_the_margins_of_tables() {
    let directory = tempfile::tempdir().unwrap();
    margins(directory.path(), "3x3", "1v1", None);
    let table = Table::open(directory.path()).unwrap();
    let knowledge = Knowledge::open([directory.path()]).unwrap();
    for position in positions(&table).step_by(50) {
        let expected = table.margin(&position).unwrap().and_then(TableMargin::exact);
        let margins = knowledge.margins(&position).unwrap();
        assert_eq!(margins.position().exact(), expected, "{position}");
        assert!(expected.is_some() && margins.is_complete());
        let of_moves = table.move_margins(&position).unwrap().unwrap();
        for (&(played, range), (other, margin)) in margins.moves().iter().zip(of_moves) {
            assert_eq!((played, range.exact()), (other, margin.exact()), "{position}");
        }
    }
    let elsewhere = Position::start("5x6".parse().unwrap()).unwrap();
    assert!(knowledge.margins(&elsewhere).unwrap().position().exact().is_none());
    // Of fewer planes a table knows bounds.
    let few = tempfile::tempdir().unwrap();
    margins(few.path(), "3x3", "1v1", Some(1));
    let knowledge = Knowledge::open([few.path()]).unwrap();
    let mut vague = 0;
    for position in positions(&table).step_by(50) {
        let all = table.margin(&position).unwrap().and_then(TableMargin::exact).unwrap();
        let range = knowledge.margins(&position).unwrap().position();
        assert!(range.least() <= all && all <= range.most(), "{position}");
        vague += u32::from(range.exact().is_none());
    }
    assert!(vague > 0);
}

/// The manifest of a layer that says what cannot be: fewer wins with more spare moves.
#[test]
fn layers_that_contradict_each_other_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let built = margins(directory.path(), "3x3", "1v1", None);
    for (at, wins) in [(0, 0), (1, u64::MAX)] {
        let mut layers = built.layers.clone();
        let of_plane = |record: &&mut TierRecord| (record.plane > 0) == (wins == 0);
        let record = layers[at].tiers.iter_mut().find(of_plane).unwrap();
        record.wins = wins.min(record.positions);
        let manifest = Table::open(directory.path()).unwrap().manifest().clone();
        let refused = Table::with_layers(directory.path(), manifest, layers);
        let error = refused.map(drop).unwrap_err().to_string();
        assert!(error.contains("fewer positions are won with more spare moves"), "{error}");
    }
}
