//! Building tables: counts, contents, resuming, and everything that can get in the way.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use amazons::game::Outcome;
use amazons::game::board::{Bitboard, Board};
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Bitboards, Colour, Position, Rules, start};
use amazons::machine::progress::{Observer, StopFlag};
use amazons::tables::format::{Keep, Manifest, Table, TableError, tier_file};
use amazons::tables::index::{TableSubject, TierShape};
use amazons::tables::opening::Opening;
use amazons::tables::retrograde::{
    AfterTier, BuildError, BuildOptions, InstructionSet, Objection, build,
};
use amazons::verify::table::verify_all;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use amazons_test_support::counts::counts;
use amazons_test_support::long::long_tests;

const PLENTY: u64 = 4 << 30;

fn built(directory: &Path, board: &str, amazons: &str, options: &BuildOptions) -> Manifest {
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    build(directory, board, amazons, options, &(), &StopFlag::new()).unwrap()
}

fn contents(manifest: &Manifest) -> Vec<(usize, usize, u64, String)> {
    let tiers = manifest.tiers.iter();
    tiers.map(|tier| (tier.arrows, tier.mover, tier.wins, tier.content.clone())).collect()
}

/// Panics when it hears of progress.
struct Panics;

impl Observer for Panics {
    fn add(&self, count: u64) {
        assert_eq!(count, 0, "a listener's own");
    }
}

#[test]
fn a_panic_of_the_observer_ends_a_build_and_frees_the_directory() {
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
    let (options, stop) = (BuildOptions::new(PLENTY), StopFlag::new());
    let panics = || build(directory.path(), board, amazons, &options, &Panics, &stop);
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    built(directory.path(), "3x3", "1v1", &options);
}

#[test]
fn the_time_that_a_build_took_has_a_largest_number() {
    let directory = tempfile::tempdir().unwrap();
    let options = BuildOptions::new(PLENTY);
    let mut manifest = built(directory.path(), "3x3", "1v1", &options);
    let first = manifest.shape(&manifest.tiers[0]).unwrap();
    fs::remove_file(Manifest::tier_path(directory.path(), &first)).unwrap();
    manifest.forget(&first);
    manifest.milliseconds = u64::MAX;
    manifest.save(directory.path()).unwrap();
    let again = built(directory.path(), "3x3", "1v1", &options);
    assert_eq!((again.tiers.len(), again.milliseconds), (manifest.tiers.len() + 1, u64::MAX));
}

#[test]
fn counts_equal_the_golden_ones_and_burnside() {
    for (board, amazons) in [("3x3", "1v1"), ("3x4", "2v1"), ("4x4", "2v2"), ("4x4", "4v4")] {
        let directory = tempfile::tempdir().unwrap();
        let manifest = built(directory.path(), board, amazons, &BuildOptions::new(PLENTY));
        let mut compared = 0;
        for count in counts().into_iter().filter(|count| count.board == board) {
            let is = |tier: &&amazons::tables::format::TierRecord| {
                (tier.mover, tier.opponent, tier.arrows)
                    == (count.mover, count.opponent, count.arrows)
            };
            let Some(tier) = manifest.tiers.iter().find(is) else { continue };
            assert_eq!((tier.positions, tier.wins), (count.positions, count.wins), "{count:?}");
            assert_eq!(
                manifest.shape(tier).unwrap().count().positions(),
                Some(tier.positions.into())
            );
            compared += 1;
        }
        assert_eq!(compared, manifest.tiers.len());
    }
}

#[test]
fn contents_depend_on_nothing_but_the_board() {
    for (board, amazons) in [("4x4", "2v2"), ("3x4", "2v1"), ("3x3", "3v2"), ("2x5", "1v1")] {
        let mut expected = None;
        for (at, isa) in InstructionSet::available().into_iter().enumerate() {
            let ways = [(2, 0), (1, PLENTY), (2, PLENTY)];
            let tried = if at == 0 || long_tests() { 3 } else { 1 };
            for (threads, memory) in ways.into_iter().take(tried) {
                let directory = tempfile::tempdir().unwrap();
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut options = BuildOptions { isa, ..BuildOptions::new(memory) };
                let manifest = pool.install(|| {
                    if memory == 0 {
                        options.memory = least(directory.path(), board, amazons);
                    }
                    built(directory.path(), board, amazons, &options)
                });
                let found = contents(&manifest);
                assert_eq!(
                    *expected.get_or_insert_with(|| found.clone()),
                    found,
                    "{board} {isa:?}"
                );
            }
        }
    }
}

/// The least memory that a build is not refused with.
fn least(directory: &Path, board: &str, amazons: &str) -> u64 {
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    match build(directory, board, amazons, &BuildOptions::new(0), &(), &StopFlag::new()) {
        Err(BuildError::Memory { needed, .. }) => needed,
        other => panic!("{other:?}"),
    }
}

#[test]
fn contents_of_the_tiers_are_frozen() {
    let mut found = String::from("board,mover_amazons,opponent_amazons,arrows,blake3\n");
    for (board, amazons) in [("4x4", "2v2"), ("4x4", "4v4")] {
        let directory = tempfile::tempdir().unwrap();
        for tier in built(directory.path(), board, amazons, &BuildOptions::new(PLENTY)).tiers {
            found += &format!(
                "{board},{},{},{},{}\n",
                tier.mover, tier.opponent, tier.arrows, tier.content
            );
        }
    }
    let frozen = include_str!("../data/hashes.csv").lines().filter(|line| !line.starts_with('#'));
    assert_eq!(found, frozen.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn every_entry_of_odd_shapes_is_what_its_moves_say() {
    for (board, amazons) in [
        ("3x3", "1v1"),
        ("3x4", "2v1"),
        ("1x6", "1v1"),
        ("2x5", "2v2"),
        ("3x3", "3v2"),
        ("3x3", "2v0"),
        ("1x2", "1v1"),
    ] {
        for keep in [Keep::All, Keep::Odd] {
            let directory = tempfile::tempdir().unwrap();
            let options = BuildOptions { keep, ..BuildOptions::new(PLENTY) };
            let manifest = built(directory.path(), board, amazons, &options);
            for tier in &manifest.tiers {
                let file = tier_file(&manifest.shape(tier).unwrap());
                assert_eq!(tier.stored, keep == Keep::All || tier.arrows % 2 == 1);
                assert_eq!(directory.path().join(file).exists(), tier.stored);
            }
            let table = Table::open(directory.path()).unwrap();
            let report = verify_all(&table, u64::MAX, &(), &StopFlag::new()).unwrap();
            assert_eq!(report.mismatches, 0, "{board} {amazons}");
        }
    }
}

#[test]
fn a_table_that_keeps_no_tiers_has_the_counts_of_one_that_keeps_all() {
    for (board, amazons) in [("3x4", "2v1"), ("4x4", "2v2"), ("1x2", "1v1"), ("3x3", "2v0")] {
        let [all, none] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let expected = built(all.path(), board, amazons, &BuildOptions::new(PLENTY));
        let options = BuildOptions { keep: Keep::None, ..BuildOptions::new(PLENTY) };
        let manifest = built(none.path(), board, amazons, &options);
        assert!(manifest.tiers.iter().all(|tier| !tier.stored));
        let counts = |manifest: &Manifest| {
            let figures = manifest.tiers.iter().map(|tier| {
                let place = (tier.arrows, tier.mover, tier.opponent);
                (place, tier.positions, tier.wins, tier.bytes, tier.content.clone())
            });
            figures.collect::<Vec<_>>()
        };
        assert_eq!(counts(&manifest), counts(&expected), "{board} {amazons}");
        let mut files: Vec<_> = fs::read_dir(none.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        assert_eq!(files, ["lock", "manifest.json", "opening.amz"]);
        // What the opening table says is what the table says.
        let opening = Manifest::opening_path(none.path());
        let opening = Opening::read(fs::File::open(&opening).unwrap()).unwrap();
        let table = Table::open(all.path()).unwrap();
        let fullest = table.manifest().subject.fullest().unwrap();
        assert_eq!(opening.plies().len(), 1 + fullest.min(2));
        for (ply, held) in opening.plies().iter().enumerate() {
            for (code, outcome) in held.entries() {
                let position = opening.coder().position(code).unwrap();
                let colour = if ply % 2 == 0 { Colour::White } else { Colour::Black };
                let position = Position::new(table.board(), &position, colour).unwrap();
                assert_eq!(table.value(&position).unwrap(), outcome);
            }
        }
        let refused = Table::open(none.path()).unwrap_err();
        assert!(matches!(refused, TableError::KeepsNone { .. }), "{refused}");
        // Again, and with the opening table lost, which is found anew.
        assert_eq!(built(none.path(), board, amazons, &options).tiers, manifest.tiers);
        fs::remove_file(Manifest::opening_path(none.path())).unwrap();
        assert_eq!(built(none.path(), board, amazons, &options).tiers, manifest.tiers);
        assert!(Manifest::opening_path(none.path()).exists());
    }
}

/// All positions of a board with these amazons and arrows, in ternary order of squares.
fn all_positions(board: Board, sizes: [usize; 2], mut found: impl FnMut(&Bitboards<u64>)) {
    for code in 0..1u64 << (2 * board.squares()) {
        let squares = (0..board.squares()).map(|square| (square, code >> (2 * square) & 3));
        let mut sets = [0u64; 4];
        squares.for_each(|(square, kind)| sets[kind as usize] |= 1 << square);
        if [sets[1].count_ones() as usize, sets[2].count_ones() as usize] == sizes {
            let [_, mover, opponent, arrows] = sets.map(Bitboard::from_word);
            found(&Bitboards { mover, opponent, arrows });
        }
    }
}

#[test]
fn odd_tiers_answer_every_position() {
    let board: Board = "3x3".parse().unwrap();
    for (amazons, sizes) in [("1v1", vec![[1, 1]]), ("2v1", vec![[2, 1], [1, 2]])] {
        let tables = [Keep::All, Keep::Odd].map(|keep| {
            let directory = tempfile::tempdir().unwrap();
            built(
                directory.path(),
                "3x3",
                amazons,
                &BuildOptions { keep, ..BuildOptions::new(PLENTY) },
            );
            (Table::open(directory.path()).unwrap(), directory)
        });
        let mut naive = NaiveSolver::new(Rules::<u64>::new(board).unwrap());
        for sizes in sizes {
            all_positions(board, sizes, |position| {
                let coloured = Position::new(board, position, Colour::White).unwrap();
                let values = [0, 1].map(|i| tables[i].0.value(&coloured).unwrap());
                assert_eq!(values, [naive.outcome(position); 2], "{position:?}");
            });
        }
    }
}

#[test]
fn the_start_of_4x4_is_lost_for_its_mover() {
    let directory = tempfile::tempdir().unwrap();
    built(directory.path(), "4x4", "4v4", &BuildOptions::new(PLENTY));
    let table = Table::open(directory.path()).unwrap();
    let start: Position = start(table.board()).unwrap();
    assert_eq!(table.value(&start).unwrap(), Outcome::Loss);
    assert_eq!(start.moves().len(), 88);
    for played in start.moves() {
        assert_eq!(table.value(&start.play(played).unwrap()).unwrap(), Outcome::Win);
    }
}

fn amazons(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn fails(output: &Output, status: i32, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    for word in words {
        assert!(said.contains(word), "no {word:?} in: {said}");
    }
}

#[test]
fn a_build_killed_at_any_moment_goes_on_to_the_same_contents() {
    let (board, pieces, rounds) = if long_tests() { ("4x5", "2v2", 12) } else { ("4x4", "3v2", 3) };
    let whole = tempfile::tempdir().unwrap();
    let expected = contents(&built(whole.path(), board, pieces, &BuildOptions::new(PLENTY)));
    let mut random = StdRng::seed_from_u64(5);
    let mut kills = 0;
    for round in 0..rounds {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().to_str().unwrap();
        let keep = ["none", "all", "odd"][round % 3];
        let mut longest = 50;
        loop {
            let mut child = amazons(&["build", board, "--amazons", pieces, "--checkpoint", "1ms"])
                .args(["--tables", path, "-q", "--keep", keep])
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(random.random_range(0..longest)));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success());
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            longest += longest / 10;
        }
        assert_eq!(contents(&Manifest::load(directory.path()).unwrap()), expected);
        let strays = fs::read_dir(directory.path()).unwrap().filter(|entry| {
            let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
            name.ends_with(".part") || name.ends_with(".journal")
        });
        assert_eq!(strays.count(), 0);
    }
    assert!(kills >= rounds, "only {kills} kills");
}

/// The tiers that a build begins to solve.
#[derive(Default)]
struct Begun(Mutex<Vec<String>>);

impl Observer for Begun {
    fn begin(&self, stage: &str, _: u64, _: &str) {
        self.0.lock().unwrap().push(stage.into());
    }
}

/// What may have happened to a tier that was complete when the build ended and is not recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unrecorded {
    Renamed,
    NotYetRenamed,
    WithoutJournal,
    CutOff,
    CutOffAndNotRenamed,
    Changed,
    WithDamagedJournal,
}

#[test]
fn a_complete_tier_is_taken_up_and_a_damaged_one_is_not() {
    use Unrecorded::*;
    // What happens to the tier with so many burned squares.
    let happens = [
        (0, Renamed),
        (3, NotYetRenamed),
        (5, WithoutJournal),
        (4, CutOff),
        (8, CutOffAndNotRenamed),
        (6, Changed),
        (9, WithDamagedJournal),
    ];
    let whole = tempfile::tempdir().unwrap();
    let options = BuildOptions { interval: Duration::ZERO, ..BuildOptions::new(PLENTY) };
    let expected = contents(&built(whole.path(), "3x4", "2v1", &options));
    for (arrows, state) in happens {
        let directory = tempfile::tempdir().unwrap();
        let stop = move |_: &Manifest, shape: &TierShape| {
            if shape.arrows() == arrows { Err(Objection::Stopped) } else { Ok(()) }
        };
        let stopping =
            BuildOptions { after_tier: Some(AfterTier(Arc::new(stop))), ..options.clone() };
        let (board, amazons) = ("3x4".parse().unwrap(), "2v1".parse().unwrap());
        let ended = build(directory.path(), board, amazons, &stopping, &(), &StopFlag::new());
        assert!(matches!(ended, Err(BuildError::Stopped)));
        let shape = TableSubject::of_amazons(board, amazons).kinds(arrows).unwrap()[0];
        let path = directory.path().join(tier_file(&shape));
        let part = directory.path().join(format!("{}.part", tier_file(&shape)));
        let journal = path.with_extension("journal");
        assert!(path.exists() && journal.exists() && !part.exists());
        let bytes = fs::read(&path).unwrap();
        match state {
            Renamed => {}
            NotYetRenamed => fs::rename(&path, &part).unwrap(),
            WithoutJournal => fs::remove_file(&journal).unwrap(),
            CutOff => fs::write(&path, &bytes[..bytes.len() - 1]).unwrap(),
            CutOffAndNotRenamed => {
                fs::write(&part, &bytes[..bytes.len() - 1]).unwrap();
                fs::remove_file(&path).unwrap();
            }
            Changed => {
                let mut changed = bytes.clone();
                *changed.last_mut().unwrap() ^= 1;
                fs::write(&path, changed).unwrap();
            }
            WithDamagedJournal => {
                fs::rename(&path, &part).unwrap();
                fs::write(&part, &bytes[..bytes.len() - 1]).unwrap();
                let text = fs::read_to_string(&journal).unwrap();
                fs::write(&journal, text.replace("\"wins\":", "\"wins\":1")).unwrap();
            }
        }
        let begun = Begun::default();
        let found = build(directory.path(), board, amazons, &options, &begun, &StopFlag::new());
        assert_eq!(contents(&found.unwrap()), expected, "{state:?}");
        let complete = [Renamed, NotYetRenamed, WithoutJournal].contains(&state);
        let again = begun.0.lock().unwrap().contains(&shape.to_string());
        assert_eq!(again, !complete, "{state:?}");
        let names = fs::read_dir(directory.path()).unwrap();
        assert_eq!(
            names.count(),
            expected.len() + 2,
            "{state:?}: the manifest and the lock beside"
        );
    }
}

#[test]
fn a_tier_that_is_objected_to_is_solved_again() {
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
    let object = |_: &Manifest, shape: &TierShape| {
        if shape.arrows() == 4 { Err(Objection::Wrong("as it were".into())) } else { Ok(()) }
    };
    let options =
        BuildOptions { after_tier: Some(AfterTier(Arc::new(object))), ..BuildOptions::new(PLENTY) };
    let ended = build(directory.path(), board, amazons, &options, &(), &StopFlag::new());
    assert_eq!(ended.unwrap_err().to_string(), "as it were");
    assert!(!directory.path().join("tier-04-1v1.amz").exists());
    let (begun, options) = (Begun::default(), BuildOptions::new(PLENTY));
    build(directory.path(), board, amazons, &options, &begun, &StopFlag::new()).unwrap();
    assert_eq!(begun.0.lock().unwrap().len(), 5, "tiers 4 to 0");
}

#[test]
fn a_tier_begun_by_another_version_is_refused_and_stays() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let journal = directory.path().join("tier-05-1v1.journal");
    let first = r#"{"frames":3,"data_bytes":1234,"wins":56789,"index_sum":7}"#;
    fs::write(&journal, first).unwrap();
    let output = amazons(&["build", "3x3", "--amazons", "1v1", "--tables", path]).output().unwrap();
    fails(&output, 1, &["tier-05-1v1.journal", "another version", "delete"]);
    assert_eq!(fs::read_to_string(&journal).unwrap(), first);
    fs::remove_file(&journal).unwrap();
    let status = amazons(&["build", "3x3", "--amazons", "1v1", "--tables", path]).status();
    assert!(status.unwrap().success());
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_file_is_named_and_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    built(directory.path(), "3x3", "1v1", &BuildOptions::new(PLENTY));
    let tier = directory.path().join("tier-03-1v1.amz");
    fs::remove_file(&tier).unwrap();
    assert!(Command::new("mkfifo").arg(&tier).status().unwrap().success());
    fails(
        &amazons(&["check", path]).output().unwrap(),
        1,
        &["tier-03-1v1.amz", "not a regular file"],
    );
    let manifest = directory.path().join("manifest.json");
    fs::remove_file(&manifest).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &manifest).unwrap();
    fails(
        &amazons(&["check", path]).output().unwrap(),
        1,
        &["manifest.json", "not a regular file"],
    );
    fs::remove_file(&manifest).unwrap();
    // A file that is as long as it likes, without a byte on the disk.
    fs::File::create(&manifest).unwrap().set_len(1 << 40).unwrap();
    fails(&amazons(&["check", path]).output().unwrap(), 1, &["manifest.json", "more than"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_stops_cleanly_and_says_how_to_go_on() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let child =
        amazons(&["build", "5x5", "--amazons", "2v2", "--tables", path, "-q"]).spawn().unwrap();
    while !directory.path().join("manifest.json").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    fails(&child.wait_with_output().unwrap(), 3, &["the same command goes on from here"]);
}

#[test]
fn a_directory_has_one_builder_and_one_game() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    built(directory.path(), "3x4", "2v1", &BuildOptions::new(PLENTY));
    for other in [
        &["3x3", "--amazons", "2v1"][..],
        &["3x4", "--amazons", "1v1"],
        &["3x4", "--amazons", "2v1", "--keep", "odd"],
    ] {
        let output = amazons(&["build", "--tables", path]).args(other).output().unwrap();
        fails(&output, 2, &["a table of 3x4 2v1", "another directory"]);
    }
    assert!(
        amazons(&["build", "3x4", "--amazons", "1v2", "--tables", path])
            .status()
            .unwrap()
            .success()
    );
    let _lock = amazons::tables::format::DirectoryLock::acquire(directory.path()).unwrap();
    let output = amazons(&["build", "3x4", "--amazons", "2v1", "--tables", path]).output().unwrap();
    fails(&output, 1, &["another process", path]);
}

#[test]
fn too_little_memory_is_refused_before_anything_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let output =
        amazons(&["build", "4x5", "--memory", "20MB", "--tables", path.to_str().unwrap()]).output();
    fails(&output.unwrap(), 2, &["4x5 4v4", "--memory is too small", "20000000"]);
    assert!(!path.exists());
}

/// The peak memory of a build in bytes, read again and again until it ends.
#[cfg(target_os = "linux")]
fn peak(arguments: &[&str], directory: &Path) -> u64 {
    let tables = ["--tables", directory.to_str().unwrap(), "-q"];
    let mut child = amazons(arguments).args(tables).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) * 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn memory_stays_within_its_bound() {
    let mut builds = vec![("4x4", "4v4", 1), ("4x4", "3v2", 1)];
    if long_tests() {
        builds.extend([
            ("4x5", "2v2", 1),
            ("5x5", "1v1", 1),
            ("4x5", "3v3", 1),
            ("4x5", "3v3", 2),
            ("4x5", "4v4", 1),
            ("4x5", "4v4", 4),
        ]);
    }
    for (board, amazons, times) in builds {
        let directory = tempfile::tempdir().unwrap();
        let memory = times * least(directory.path(), board, amazons);
        let bound = format!("{}KB", memory.div_ceil(1000));
        let peak =
            peak(&["build", board, "--amazons", amazons, "--memory", &bound], directory.path());
        assert!(0 < peak && peak <= memory, "{board} {amazons}: {peak} bytes of {memory}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn places_that_cannot_be_written_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.to_str().unwrap(), "/proc/none"] {
        let output =
            amazons(&["build", "3x3", "--amazons", "1v1", "--tables", path]).output().unwrap();
        fails(&output, 1, &[path]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_build_that_may_write_no_more_stops_and_goes_on_later() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let path = path.to_str().unwrap();
    // Files of at most 100 KiB, and no signal: writing more fails as it does on a full disk.
    let limited = format!(
        "trap '' XFSZ; ulimit -f 100; exec {} build 4x4 --tables {path} -q",
        env!("CARGO_BIN_EXE_amazons")
    );
    let output = Command::new("bash").args(["-c", &limited]).output().unwrap();
    fails(&output, 1, &["cannot write", path]);
    assert!(amazons(&["build", "4x4", "--tables", path, "-q"]).status().unwrap().success());
    let whole = tempfile::tempdir().unwrap();
    let expected = built(whole.path(), "4x4", "4v4", &BuildOptions::new(PLENTY));
    assert_eq!(contents(&Manifest::load(Path::new(path)).unwrap()), contents(&expected));
}

#[test]
fn a_damaged_tier_below_is_named_and_can_be_made_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let whole = built(directory.path(), "4x4", "2v2", &BuildOptions::new(PLENTY));
    // As if stopped after tier 5.
    let mut manifest = whole.clone();
    manifest.tiers.retain(|tier| tier.arrows >= 5);
    manifest.save(directory.path()).unwrap();
    (0..5).for_each(|arrows| {
        fs::remove_file(directory.path().join(format!("tier-{arrows:02}-2v2.amz"))).unwrap();
    });
    let damaged = directory.path().join("tier-05-2v2.amz");
    let bytes = fs::read(&damaged).unwrap();
    for at in [100, bytes.len() / 2, bytes.len() - 1] {
        let mut wrong = bytes.clone();
        wrong[at] ^= 8;
        fs::write(&damaged, wrong).unwrap();
        let output =
            amazons(&["build", "4x4", "--amazons", "2v2", "--tables", path]).output().unwrap();
        fails(&output, 1, &["tier-05-2v2.amz", "damaged", "delete it", "amazons build 4x4"]);
        assert_eq!(Manifest::load(directory.path()).unwrap().tiers, manifest.tiers);
    }
    fs::remove_file(&damaged).unwrap();
    assert!(
        amazons(&["build", "4x4", "--amazons", "2v2", "--tables", path])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(contents(&Manifest::load(directory.path()).unwrap()), contents(&whole));
}

#[test]
fn a_tier_whose_file_is_not_as_long_as_recorded_is_solved_again() {
    for keep in [Keep::All, Keep::Odd] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().to_str().unwrap();
        let options = BuildOptions { keep, ..BuildOptions::new(PLENTY) };
        let expected = built(directory.path(), "3x4", "2v2", &options);
        let file = directory.path().join("tier-03-2v2.amz");
        let whole = fs::read(&file).unwrap();
        let longer = [&whole[..], b"more"].concat();
        for bytes in [&whole[..whole.len() - 1], &whole[..100], b"", &longer] {
            fs::write(&file, bytes).unwrap();
            let begun = Begun::default();
            let (board, amazons) = ("3x4".parse().unwrap(), "2v2".parse().unwrap());
            let found = build(directory.path(), board, amazons, &options, &begun, &StopFlag::new());
            assert_eq!(contents(&found.unwrap()), contents(&expected));
            assert!(begun.0.lock().unwrap().contains(&"3x4 2v2 with 3 arrows".to_string()));
            assert_eq!(fs::read(&file).unwrap(), whole);
        }
        fs::write(&file, &whole[..100]).unwrap();
        let arguments = ["build", "3x4", "--amazons", "2v2", "--tables", path];
        let output = amazons(&arguments).output().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        let line = format!("its file has {} bytes by the manifest, found 100", whole.len());
        assert!(said.contains(&line), "{said}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("positions/s") && !said.contains("solved before"), "{said}");
        // What is no file is not replaced.
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        let output = amazons(&arguments).output().unwrap();
        fails(&output, 1, &["tier-03-2v2.amz", "not a regular file"]);
        assert!(file.is_dir());
    }
}

#[test]
fn samples_of_every_tier_are_checked() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let arguments = ["build", "3x4", "--amazons", "2v1", "--tables", path, "--keep", "odd"];
    let output = amazons(&arguments).args(["--check-sample", "50", "--json"]).output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["checked"], 20 * 50);
}

#[test]
fn plans_are_printed_for_boards_of_any_size() {
    let output = amazons(&["plan", "4x5", "--json"]).output().unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(plan["positions"], 36_118_118_400u64);
    let output = amazons(&["plan", "8x9"]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("not for tables"));
    // No disk holds 6x6.
    let output = amazons(&["plan", "6x6"]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("does not fit here: its files"));
    fails(
        &amazons(&["plan", "3x3"]).args(["--amazons", "5v5"]).output().unwrap(),
        2,
        &["do not fit"],
    );
    fails(&amazons(&["plan", "10x10"]).output().unwrap(), 2, &["128 bits"]);
}

#[test]
fn plans_are_those_of_the_rules() {
    let plan = |more: &[&str]| -> serde_json::Value {
        let output = amazons(&["plan", "4x4", "--json"]).args(more).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let bytes = |plan: &serde_json::Value| plan["bytes_expected"].as_u64().unwrap();
    let (amazons_plan, cowboys) = (plan(&[]), plan(&["--rules", "cowboys"]));
    assert_eq!(
        (&amazons_plan["rules"], &cowboys["rules"]),
        (&serde_json::Value::Null, &"cowboys".into())
    );
    assert!(2 * bytes(&cowboys) > 3 * bytes(&amazons_plan));
    let pencil = plan(&["--rules", "pencil", "--keep", "odd"]);
    assert!(pencil["seconds_expected"].as_f64() > amazons_plan["seconds_expected"].as_f64());
    let refused = |more: &[&str]| amazons(&["plan", "4x4"]).args(more).output().unwrap();
    fails(&refused(&["--rules", "tromazons"]), 2, &["tables are about amazons, cowboys, pencil"]);
    fails(
        &refused(&["--rules", "pencil", "--keep", "none"]),
        2,
        &["an opening table", "found pencil"],
    );
}

#[test]
fn boards_of_more_than_32_squares_are_built_in_part_and_refuse_what_they_have_not() {
    let directory = tempfile::tempdir().unwrap();
    let table = directory.path().join("t");
    let (table, opening) = (table.to_str().unwrap(), directory.path().join("o.amz"));
    let build = |more: &[&str]| {
        let arguments = ["build", "6x6", "--amazons", "1v1", "--tables", table];
        amazons(&arguments).args(more).output().unwrap()
    };
    fails(&build(&["--least-arrows", "35"]), 2, &["0 to 34 arrows", "found 35"]);
    let arguments = ["build", "8x9", "--tables", table];
    fails(&amazons(&arguments).output().unwrap(), 2, &["at most 64 squares, 8x9 has 72"]);
    assert!(!Path::new(table).exists());
    assert!(build(&["--least-arrows", "32", "--check-sample", "500"]).status.success());
    let lookup = |fen: &str| amazons(&["lookup", fen, "--tables", table]).output().unwrap();
    let found = lookup("qQ1***/******/******/******/******/****1* w");
    assert!(String::from_utf8(found.stdout).unwrap().contains("win for white"));
    fails(&lookup("qQ1***/6/******/******/******/****1* w"), 1, &["does not hold", "26 arrows"]);
    for command in [["info", table], ["check", table], ["verify", table]] {
        assert!(amazons(&command).output().unwrap().status.success(), "{command:?}");
    }
    let start = "qQ1***/******/******/******/******/****1* w";
    let opening = opening.to_str().unwrap();
    let arguments = ["opening", start, "--tables", table, "--plies", "2", "--out", opening];
    let written = amazons(&arguments).output().unwrap();
    assert!(String::from_utf8(written.stdout).unwrap().contains("after 1 move: 1 position, 0 won"));
    assert!(amazons(&["verify", opening, "--sample", "9"]).output().unwrap().status.success());
    let found = amazons(&["lookup", start, "--tables", opening]).output().unwrap();
    assert!(String::from_utf8(found.stdout).unwrap().contains("win for white"));
    let none = directory.path().join("none");
    let none = none.to_str().unwrap();
    let least = ["build", "6x6", "--amazons", "1v1", "--least-arrows", "32", "--tables", none];
    assert!(amazons(&least).args(["--keep", "none"]).output().unwrap().status.success());
    let tiers = |table: &str| {
        let manifest = Manifest::load(Path::new(table)).unwrap();
        let tiers = manifest.tiers.iter();
        tiers.map(|tier| (tier.arrows, tier.wins, tier.content.clone())).collect::<Vec<_>>()
    };
    assert_eq!(tiers(none), tiers(table));
    let output = amazons(&["plan", "6x6", "--amazons", "2v2", "--json"]).output().unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(plan["positions"], 1_517_970_291_425_280u64);
}
