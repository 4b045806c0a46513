//! Tables as files: counts, lookups, damage, interrupted writing, frozen content.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Position, Rules};
use amazons::knowledge::{Knowledge, Source, TableSource};
use amazons::machine::progress::StopFlag;
use amazons::play::{Engine, Limits, MoveSource, Score, Settings};
use amazons::tables::format::{
    Encoder, Keep, Manifest, Table, TableError, TierReader, TierRecord, TierWriter, check_tier,
    tier_file,
};
use amazons::tables::index::{CanonicalSets, TierShape};
use amazons::tables::value_source::ValueSource;
use amazons::verify::table::{verify_all, verify_sample};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use amazons_test_support::counts::{Count, counts};
use amazons_test_support::positions::random_position;
use amazons_test_support::tables::{Filler, build};

#[test]
fn tiny_tables_have_the_golden_counts_and_the_naive_values() {
    for (board, amazons, sides) in
        [("3x3", "1v1", vec![[1, 1]]), ("3x4", "2v1", vec![[2, 1], [1, 2]])]
    {
        for (keep, target) in [(Keep::All, 0), (Keep::All, 100), (Keep::Odd, 1 << 15)] {
            let directory = tempfile::tempdir().unwrap();
            let manifest = build(directory.path(), board, amazons, keep, target);
            for count in counts().into_iter().filter(|count| count.board == board) {
                let Count { mover, opponent, arrows, positions, wins, .. } = count;
                let shape =
                    TierShape::new(manifest.subject.board, arrows, mover, opponent).unwrap();
                let record = manifest.tier(&shape).unwrap();
                assert_eq!((record.positions, record.wins), (positions, wins));
            }
            holds_naive_values(directory.path(), &sides);
        }
    }
}

fn holds_naive_values(directory: &Path, sides: &[[usize; 2]]) {
    let table = Table::open(directory).unwrap();
    let mut naive = NaiveSolver::new(Rules::<u64>::new(table.board()).unwrap());
    let mut random = StdRng::seed_from_u64(1);
    for _ in 0..2000 {
        let sizes = sides[random.random_range(0..sides.len())];
        let position = random_position(table.board(), sizes, usize::MAX, &mut random);
        let outcome = naive.outcome(&position.bitboards().unwrap());
        assert_eq!(table.value(&position).unwrap(), outcome, "{position}");
    }
    for record in table.manifest().tiers.iter().filter(|record| record.stored) {
        let shape = table.manifest().shape(record).unwrap();
        check_tier(table.stored().reader(&shape).unwrap().unwrap()).unwrap();
    }
}

#[test]
fn a_tier_is_listed_with_the_values_of_the_naive_solver() {
    for (amazons, arrows) in [("1v1", 2), ("1v1", 3), ("2v1", 1), ("2v1", 2)] {
        let directory = tempfile::tempdir().unwrap();
        build(directory.path(), "3x3", amazons, Keep::All, 100);
        let table = Table::open(directory.path()).unwrap();
        let mut naive = NaiveSolver::new(Rules::<u64>::new(table.board()).unwrap());
        let mut seen = std::collections::HashSet::new();
        for listed in table.tier(arrows).unwrap() {
            let (position, outcome) = listed.unwrap();
            assert_eq!(position.burned(), arrows);
            assert_eq!(outcome, naive.outcome(&position.bitboards().unwrap()), "{position}");
            assert!(seen.insert(position), "{position} is listed twice");
        }
        let records = table.manifest().tiers.iter().filter(|tier| tier.arrows == arrows);
        let shapes = records.map(|record| table.manifest().shape(record).unwrap());
        let placements: u64 = shapes.map(|shape| shape.placements()).sum();
        let sets = CanonicalSets::<u32>::new(table.board(), arrows).unwrap();
        assert_eq!(seen.len() as u64, sets.len() as u64 * placements);
        assert!(table.tier(20).unwrap().next().is_none());
    }
}

#[test]
fn positions_of_other_games_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 100);
    let table = Table::open(directory.path()).unwrap();
    for text in ["3/3/QQq w", "4/4/Q2q w"] {
        let position = text.parse().unwrap();
        assert!(matches!(table.value(&position), Err(TableError::OtherGame { .. })), "{text}");
        assert_eq!(table.known(&position).unwrap(), None);
    }
    assert!(matches!(
        Table::open(&directory.path().join("none")),
        Err(TableError::Manifest { .. })
    ));
}

/// What a lookup and a check need: an error at opening or at the full check.
fn accepts(bytes: &[u8]) -> bool {
    TierReader::open(bytes).is_ok_and(|tier| check_tier(&tier).is_ok())
}

#[test]
fn any_flipped_byte_and_any_truncation_of_a_tier_file_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x4", "2v1", Keep::All, 200);
    let mut flips = 0;
    for name in ["tier-03-2v1.amz", "tier-05-1v2.amz", "tier-09-2v1.amz"] {
        let bytes = fs::read(directory.path().join(name)).unwrap();
        assert!(accepts(&bytes));
        let step = (bytes.len() / 1500).max(1);
        for at in (0..bytes.len()).filter(|at| at % step == 0 || *at < 1000) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(!accepts(&damaged), "{name}: byte {at} of {} changed", bytes.len());
            flips += 1;
        }
        for cut in (0..bytes.len()).step_by(step * 3 + 1) {
            assert!(!accepts(&bytes[..cut]), "{name}: cut to {cut}");
        }
        assert!(!accepts(&[&bytes[..], &[0]].concat()), "{name}: one byte more");
    }
    assert!(flips > 2000, "only {flips} bytes were flipped");
}

#[test]
fn a_table_in_memory_answers_as_the_one_in_files() {
    let directory = tempfile::tempdir().unwrap();
    let manifest = build(directory.path(), "3x3", "1v1", Keep::Odd, 100);
    let stored = manifest.tiers.iter().filter(|tier| tier.stored);
    let shapes: Vec<TierShape> = stored.map(|tier| manifest.shape(tier).unwrap()).collect();
    let read = |shape| fs::read(Manifest::tier_path(directory.path(), shape)).unwrap();
    let tiers: Vec<Vec<u8>> = shapes.iter().map(read).collect();
    let text = manifest.to_bytes().unwrap();
    let (files, memory) = (
        Table::open(directory.path()).unwrap(),
        Table::from_bytes(&text, tiers.iter().rev().cloned()).unwrap(),
    );
    let mut random = StdRng::seed_from_u64(3);
    for _ in 0..500 {
        let position = random_position(files.board(), [1, 1], usize::MAX, &mut random);
        assert_eq!(memory.value(&position).unwrap(), files.value(&position).unwrap());
    }

    // What is not given is missed when it is needed, and not before.
    let position = random_position(files.board(), [1, 1], usize::MAX, &mut random);
    let none = Table::from_bytes(&text, Vec::<Vec<u8>>::new()).unwrap();
    assert!(none.value(&position).is_err());

    let elsewhere = tempfile::tempdir().unwrap();
    let other = build(elsewhere.path(), "3x4", "1v1", Keep::All, 100);
    let foreign = other.shape(&other.tiers[0]).unwrap();
    let foreign = fs::read(Manifest::tier_path(elsewhere.path(), &foreign)).unwrap();
    let mut damaged = tiers[0].clone();
    damaged[40] ^= 1;
    for wrong in [foreign, damaged, tiers[0][..100].to_vec(), Vec::new()] {
        let error = Table::from_bytes(&text, [tiers[1].clone(), wrong]).unwrap_err();
        let TableError::Damaged { path, .. } = error else { panic!("{error}") };
        assert_eq!(path, Path::new("tier 1"));
    }
    assert!(matches!(
        Table::from_bytes(&text[1..], tiers).unwrap_err(),
        TableError::Manifest { .. }
    ));
}

#[test]
fn a_lookup_gives_the_right_answer_or_an_error_on_damaged_files() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 60);
    let board: Board = "3x3".parse().unwrap();
    let mut naive = NaiveSolver::new(Rules::<u64>::new(board).unwrap());
    let mut random = StdRng::seed_from_u64(2);
    let (mut errors, mut answers) = (0, 0);
    for _ in 0..300 {
        let arrows = random.random_range(0..=7);
        let shape = TierShape::new(board, arrows, 1, 1).unwrap();
        let path = Manifest::tier_path(directory.path(), &shape);
        let bytes = fs::read(&path).unwrap();
        let mut damaged = bytes.clone();
        damaged[random.random_range(0..bytes.len())] ^= random.random_range(1..=255u8);
        fs::write(&path, damaged).unwrap();
        let table = Table::open(directory.path()).unwrap();
        for _ in 0..30 {
            let position = random_position(board, [1, 1], usize::MAX, &mut random);
            match table.value(&position) {
                Ok(value) => {
                    assert_eq!(value, naive.outcome(&position.bitboards().unwrap()));
                    answers += 1;
                }
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains(&tier_file(&shape)), "{text}");
                    let TableError::Damaged { table, .. } = error else { panic!("{text}") };
                    let whole = (table.subject.board, table.directory.as_path());
                    assert_eq!(whole, (board, directory.path()));
                    errors += 1;
                }
            }
        }
        fs::write(&path, bytes).unwrap();
    }
    assert!(errors > 100 && answers > 1000, "{errors} errors, {answers} answers");
}

#[test]
fn what_there_is_no_memory_for_is_refused_each_time_and_not_counted() {
    let directory = tempfile::tempdir().unwrap();
    let manifest = build(directory.path(), "3x3", "1v1", Keep::All, 100);
    let memory = 1000;
    let table = Table::open(directory.path()).unwrap().without_maps().with_memory(memory);
    let mut held = 0;
    let mut refused = 0;
    for record in &manifest.tiers {
        let shape = manifest.shape(record).unwrap();
        let bytes = || table.stored().reader(&shape).map(|reader| reader.unwrap().memory());
        let first = bytes();
        for _ in 0..2 {
            match (&first, bytes()) {
                (Ok(bytes), again) => assert_eq!(again.unwrap(), *bytes),
                (
                    Err(TableError::Memory { .. }),
                    Err(TableError::Memory { needed, allowed, .. }),
                ) => {
                    assert!(allowed == memory && needed > memory);
                }
                (first, again) => panic!("{shape}: {first:?}, then {again:?}"),
            }
        }
        held += first.as_ref().unwrap_or(&0);
        refused += u64::from(first.is_err());
    }
    assert!(0 < held && held <= memory && refused > 0, "{held} bytes, {refused} refused");
}

#[test]
fn swapped_and_missing_files_are_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|name| directory.path().join(name));
    fs::create_dir_all(&a).unwrap();
    fs::create_dir_all(&b).unwrap();
    build(&a, "3x3", "1v1", Keep::All, 100);
    build(&b, "3x3", "1v1", Keep::All, 50);
    let board: Board = "3x3".parse().unwrap();
    let shape = |arrows| TierShape::new(board, arrows, 1, 1).unwrap();
    let file = |directory: &Path, arrows| Manifest::tier_path(directory, &shape(arrows));
    let original = fs::read(file(&a, 3)).unwrap();
    for foreign in [file(&a, 4), file(&b, 3)] {
        fs::copy(foreign, file(&a, 3)).unwrap();
        let table = Table::open(&a).unwrap();
        assert!(matches!(table.stored().reader(&shape(3)), Err(TableError::Damaged { .. })));
        assert!(table.stored().reader(&shape(4)).is_ok());
    }
    fs::remove_file(file(&a, 3)).unwrap();
    assert!(matches!(
        Table::open(&a).unwrap().stored().reader(&shape(3)),
        Err(TableError::Io { .. })
    ));
    fs::write(file(&a, 3), original).unwrap();
    assert!(Table::open(&a).unwrap().stored().reader(&shape(3)).is_ok());
}

#[test]
fn an_interrupted_tier_resumes_to_the_same_file() {
    let board: Board = "3x4".parse().unwrap();
    let shape = TierShape::new(board, 4, 2, 1).unwrap();
    let sets = CanonicalSets::<u32>::new(board, 4).unwrap();
    let mut filler = Filler::new(board);
    let whole = tempfile::tempdir().unwrap();
    let mut writer = TierWriter::create(whole.path(), &shape, &sets, 300).unwrap();
    filler.fill(&mut writer, &sets, |_| true);
    let summary = writer.finish().unwrap();
    let bytes = fs::read(whole.path().join(tier_file(&shape))).unwrap();

    // A checkpoint before the first frame is one too.
    let directory = tempfile::tempdir().unwrap();
    TierWriter::create(directory.path(), &shape, &sets, 300).unwrap().checkpoint().unwrap();
    let mut writer = TierWriter::resume(directory.path(), &shape, &sets, 300).unwrap().unwrap();
    assert_eq!(writer.written(), 0);
    filler.fill(&mut writer, &sets, |_| true);
    assert_eq!(writer.finish().unwrap(), summary);

    let mut random = StdRng::seed_from_u64(3);
    for _ in 0..20 {
        let directory = tempfile::tempdir().unwrap();
        let mut writer = TierWriter::create(directory.path(), &shape, &sets, 300).unwrap();
        assert!(TierWriter::resume(directory.path(), &shape, &sets, 300).unwrap().is_none());
        let mut saved = 0;
        for _ in 0..random.random_range(1..5) {
            let stop = random.random_range(0..=writer.frames().len());
            filler.fill(&mut writer, &sets, |frame| frame < stop);
            saved = writer.written();
            writer.checkpoint().unwrap();
        }
        let stop = random.random_range(0..=writer.frames().len());
        filler.fill(&mut writer, &sets, |frame| frame < stop);
        drop(writer);
        assert!(!directory.path().join(tier_file(&shape)).exists());
        assert!(TierWriter::resume(directory.path(), &shape, &sets, 301).unwrap().is_none());
        let mut writer = TierWriter::resume(directory.path(), &shape, &sets, 300).unwrap().unwrap();
        assert_eq!(writer.written(), saved);
        filler.fill(&mut writer, &sets, |_| true);
        assert_eq!(writer.finish().unwrap(), summary);
        assert!(fs::read(directory.path().join(tier_file(&shape))).unwrap() == bytes);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}

#[test]
fn a_damaged_unfinished_tier_begins_anew() {
    let board: Board = "3x4".parse().unwrap();
    let shape = TierShape::new(board, 4, 2, 1).unwrap();
    let sets = CanonicalSets::<u32>::new(board, 4).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut writer = TierWriter::create(directory.path(), &shape, &sets, 60).unwrap();
    Filler::new(board).fill(&mut writer, &sets, |frame| frame < 20);
    writer.checkpoint().unwrap();
    assert!(writer.finish().is_err(), "a tier without all its frames was finished");
    let part = directory.path().join(format!("{}.part", tier_file(&shape)));
    let bytes = fs::read(&part).unwrap();
    let data = bytes.len() as u64;
    for at in (0..bytes.len()).step_by(13) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        fs::write(&part, damaged).unwrap();
        let resumed = TierWriter::resume(directory.path(), &shape, &sets, 60).unwrap();
        // Room for index entries that are not yet there may hold anything.
        assert!(resumed.is_none_or(|writer| writer.written() == 20), "byte {at} of {data}");
    }
    fs::write(&part, &bytes[..bytes.len() - 1]).unwrap();
    assert!(TierWriter::resume(directory.path(), &shape, &sets, 60).unwrap().is_none());
}

#[test]
fn the_content_of_tiny_tables_is_frozen() {
    let directory = tempfile::tempdir().unwrap();
    let mut found = String::from("board,mover_amazons,opponent_amazons,arrows,blake3\n");
    for (board, amazons) in [("3x3", "1v1"), ("3x4", "2v1")] {
        let manifest = build(directory.path(), board, amazons, Keep::All, 1 << 15);
        for tier in &manifest.tiers {
            found += &format!(
                "{board},{},{},{},{}\n",
                tier.mover, tier.opponent, tier.arrows, tier.content
            );
        }
    }
    let expected: String = include_str!("../data/contents.csv")
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.to_string() + "\n")
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn verification_accepts_right_tables() {
    for (board, amazons) in [("3x3", "1v1"), ("3x4", "2v1"), ("3x3", "2v0")] {
        for keep in [Keep::All, Keep::Odd] {
            let directory = tempfile::tempdir().unwrap();
            let manifest = build(directory.path(), board, amazons, keep, 500);
            let table = Table::open(directory.path()).unwrap();
            let report = verify_all(&table, u64::MAX, &(), &StopFlag::new()).unwrap();
            let stored = manifest.tiers.iter().filter(|tier| tier.stored);
            let entries = stored
                .map(|tier| manifest.shape(tier).unwrap().count().stored_positions().unwrap());
            assert_eq!(
                (u128::from(report.checked), report.mismatches),
                (entries.sum(), 0),
                "{board} {keep:?}"
            );
            let mut random = StdRng::seed_from_u64(4);
            let report =
                verify_sample(&table, 5000, 1, &mut random, &(), &StopFlag::new()).unwrap();
            assert_eq!((report.checked, report.mismatches, report.first), (5000, 0, None));
        }
    }
}

/// A table of 3x3 1v1 in which the frames of a tier are not what they should be.
fn build_wrong(directory: &Path, shape: &TierShape, mut spoil: impl FnMut(u64, &mut [u8])) {
    let (board, arrows) = (shape.board(), shape.arrows());
    let sets = CanonicalSets::<u32>::new(board, arrows).unwrap();
    let mut manifest = build(directory, "3x3", "1v1", Keep::All, 500);
    let mut writer = TierWriter::create(directory, shape, &sets, 500).unwrap();
    let frames = *writer.frames();
    let (mut filler, mut encoder) = (Filler::new(board), Encoder::new(frames).unwrap());
    for frame in 0..frames.len() {
        let (mut raw, wins) = filler.frame(&frames, &sets, frame);
        spoil(frame, &mut raw);
        let mut encoded = Vec::new();
        encoder.encode(frame, &raw, &mut encoded).unwrap();
        writer.push(&raw, &encoded, wins).unwrap();
    }
    manifest.record(TierRecord::new(shape, &writer.finish().unwrap()));
    manifest.save(directory).unwrap();
}

#[test]
fn where_a_table_names_no_winning_move_the_engine_looks_for_itself() {
    let board: Board = "3x3".parse().unwrap();
    let shape = TierShape::new(board, 3, 1, 1).unwrap();
    let directory = tempfile::tempdir().unwrap();
    // All is won, also where the moves say that it is lost.
    build_wrong(directory.path(), &shape, |_, raw| raw.fill(0b1_1111));
    let table = Table::open(directory.path()).unwrap();
    let listed = table.tier(3).unwrap().map(|listed| listed.unwrap().0);
    let contradicts = |position: &Position| {
        let answer = table.answer(position).unwrap();
        answer.outcome.is_win() && answer.winning().next().is_none()
    };
    let lost: Vec<Position> = listed.filter(contradicts).collect();
    let position = lost.iter().find(|position| position.moves().next().is_some()).unwrap();
    let table: ValueSource = Table::open(directory.path()).unwrap().into();
    let table: Arc<dyn Source> = Arc::new(TableSource::new(Arc::new(table), 0));
    let settings = Settings { threads: 1, memory: 1 << 20, ..Settings::default() };
    let mut engine =
        Engine::new(board, settings).unwrap().with_known(Arc::new(Knowledge::new([table])));
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let mut choose =
        |position| engine.choose(position, &limits, &StopFlag::new(), &mut |_| {}).unwrap();
    let decision = choose(position);
    assert!(decision.played.is_some() && decision.source != MoveSource::Known, "{decision:?}");
    let stuck = lost.iter().find(|position| position.moves().next().is_none()).unwrap();
    let decision = choose(stuck);
    assert_eq!((decision.played, decision.score), (None, Score::LOSS));
}

#[test]
fn verification_finds_a_wrong_bit() {
    let shape = TierShape::new("3x3".parse().unwrap(), 3, 1, 1).unwrap();
    let directory = tempfile::tempdir().unwrap();
    build_wrong(directory.path(), &shape, |frame, raw| {
        // One bit in the second row of the first block.
        raw[1] ^= u8::from(frame == 0);
    });
    let table = Table::open(directory.path()).unwrap();
    let report = verify_all(&table, u64::MAX, &(), &StopFlag::new()).unwrap();
    // The entry itself, and the entries of the tier before that now lead to another value.
    assert!(report.mismatches >= 1);
    assert!(report.first.is_some());
    assert!(
        check_tier(table.stored().reader(&shape).unwrap().unwrap()).is_err(),
        "the wins do not add up"
    );
}
