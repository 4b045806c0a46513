//! A device against the kernels: random tiers block by block, whole tables file by file, builds
//! that one of the two begins and the other ends. Any adapter serves, that of Mesa in software too;
//! without one the tests say that they are left out.

mod margins;
mod ranks;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{Gpu, GpuError, GpuPlan, GpuSettings, Resident};
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::machine::isa::InstructionSet;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::ranks::Ranks;
use crate::tables::counting::Mask;
use crate::tables::format::{Keep, Manifest};
use crate::tables::index::{CanonicalSets, Images, TableRules, TableSubject, TierShape, Width};
use crate::tables::retrograde::accelerator::Accelerator;
use crate::tables::retrograde::chunk::Chunks;
use crate::tables::retrograde::kernel::{BoardTables, Child, TierKernel, Workspace};
use crate::tables::retrograde::lines::free_squares;
use crate::tables::retrograde::pack::SLACK;
use crate::tables::retrograde::run::build_in;
use crate::tables::retrograde::store::{Below, FinishedTier};
use crate::tables::retrograde::{BuildError, BuildJob, BuildOptions, build};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A device; `None` where there is none.
fn device(settings: &GpuSettings) -> Option<Gpu> {
    // Blocks of any size are for the device, unless a test says otherwise.
    let least_block = settings.least_block.or(Some(0));
    match Gpu::open(&GpuSettings { least_block, ..settings.clone() }) {
        Ok(gpu) => Some(gpu),
        Err(GpuError::NoAdapter) => {
            eprintln!("no graphics adapter here (apt: mesa-vulkan-drivers libvulkan1): left out");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Segments of so many bytes, batches that take so many.
fn small(segment: u64, scratch: u64) -> GpuSettings {
    GpuSettings { segment: Some(segment), scratch: Some(scratch), ..GpuSettings::default() }
}

/// So little room for blocks that stay that those of children mostly come from the host.
fn tight(resident: u64) -> GpuSettings {
    GpuSettings { resident: Some(resident), ..small(1 << 12, 1 << 16) }
}

fn options(gpu: Option<&Gpu>) -> BuildOptions {
    BuildOptions { gpu: gpu.cloned(), ..BuildOptions::new(1 << 30) }
}

/// The files of a directory; of the manifest what does not depend on the time.
fn files(directory: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let tiers = format!("{:?}", Manifest::load(directory).unwrap().tiers).into_bytes();
    let files = std::fs::read_dir(directory).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let manifest = entry.file_name() == "manifest.json";
        let bytes = if manifest { tiers.clone() } else { std::fs::read(entry.path()).unwrap() };
        (entry.file_name(), bytes)
    });
    files.collect()
}

/// The files of a whole table.
fn built(board: &str, amazons: &str, options: &BuildOptions) -> BTreeMap<OsString, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    build_at(directory.path(), board, amazons, options).unwrap();
    files(directory.path())
}

fn build_at(
    directory: &Path,
    board: &str,
    amazons: &str,
    options: &BuildOptions,
) -> Result<Manifest, BuildError> {
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    build(directory, board, amazons, options, &(), &StopFlag::new())
}

/// Holds a table of the device against that of the processor.
fn same_files(gpu: &Gpu, board: &str, amazons: &str, rules: TableRules, least_arrows: usize) {
    let with = |gpu| BuildOptions { rules, least_arrows, ..options(gpu) };
    let (by_device, by_processor) =
        (built(board, amazons, &with(Some(gpu))), built(board, amazons, &with(None)));
    assert!(by_processor.len() > 2);
    assert!(by_device == by_processor, "{rules} {board} {amazons} on {}", gpu.name());
}

#[test]
fn contents_are_the_golden_ones() {
    let Some(gpu) = device(&GpuSettings::default()) else { return };
    let directory = tempfile::tempdir().unwrap();
    let manifest = build_at(directory.path(), "4x4", "4v4", &options(Some(&gpu))).unwrap();
    let golden = include_str!("../../../../tests/data/hashes.csv");
    let mut compared = 0;
    for tier in &manifest.tiers {
        let line = format!("4x4,4,4,{},{}", tier.arrows, tier.content);
        assert!(golden.lines().any(|golden| golden == line), "{line}");
        compared += 1;
    }
    assert_eq!(compared, 9);
}

#[test]
fn files_are_those_of_the_processor() {
    let Some(gpu) = device(&GpuSettings::default()) else { return };
    let amazons = TableRules::Amazons;
    for (board, sides) in [("3x3", "1v1"), ("3x4", "2v1"), ("4x4", "1v1")] {
        same_files(&gpu, board, sides, amazons, 0);
    }
    for (board, sides) in [("4x3", "1v0"), ("2x7", "3v1"), ("3x3", "3v2"), ("2x6", "2v5")] {
        same_files(&gpu, board, sides, amazons, 0);
    }
    same_files(&gpu, "4x4", "2v2", TableRules::Cowboys, 0);
    same_files(&gpu, "3x4", "1v2", TableRules::Cowboys, 0);
}

#[test]
#[ignore = "it takes minutes without a card"]
fn files_of_4x5_are_those_of_the_processor() {
    let Some(gpu) = device(&GpuSettings::default()) else { return };
    for sides in ["1v1", "2v1"] {
        same_files(&gpu, "4x5", sides, TableRules::Amazons, 0);
    }
}

#[test]
fn files_of_boards_of_more_than_32_squares_are_those_of_the_processor() {
    let Some(gpu) = device(&GpuSettings::default()) else { return };
    same_files(&gpu, "5x7", "1v1", TableRules::Amazons, 31);
    same_files(&gpu, "6x6", "2v1", TableRules::Amazons, 31);
    same_files(&gpu, "7x7", "1v1", TableRules::Cowboys, 46);
}

#[test]
fn little_memory_and_small_buffers_change_nothing() {
    // Several segments; blocks that do not fit them all; nothing that stays on the device.
    for settings in [small(1 << 12, 1 << 16), tight(1 << 17), tight(0)] {
        let Some(gpu) = device(&settings) else { return };
        same_files(&gpu, "4x4", "2v2", TableRules::Amazons, 0);
        same_files(&gpu, "3x4", "2v1", TableRules::Amazons, 0);
    }
}

#[test]
fn small_blocks_are_left_to_the_processor() {
    let settings = GpuSettings { least_block: Some(420), ..GpuSettings::default() };
    let Some(gpu) = device(&settings) else { return };
    let subject = TableSubject::of_amazons("4x4".parse().unwrap(), "2v2".parse().unwrap());
    let resident = Resident::new(&gpu, subject, 0).unwrap();
    let solves = |arrows: usize| {
        let shape = subject.kinds(arrows).unwrap()[0];
        Accelerator::<u32>::solves(&resident, &shape)
    };
    // On eight free squares 28 times 15 placements, on seven 21 times 10.
    assert!(solves(8) && !solves(9));
    let plan = GpuPlan::new(subject, 0, 0, 420).unwrap();
    assert_eq!(plan.processor_arrows, Some(9));
    assert!(plan.bytes_back < GpuPlan::new(subject, 0, 0, 0).unwrap().bytes_back);
    same_files(&gpu, "4x4", "2v2", TableRules::Amazons, 0);
    for keep in [Keep::Odd, Keep::First, Keep::None] {
        let with = |gpu| built("4x4", "2v2", &BuildOptions { keep, ..options(gpu) });
        let names = |files: BTreeMap<OsString, Vec<u8>>| files.into_keys().collect::<Vec<_>>();
        assert_eq!(names(with(Some(&gpu))), names(with(None)), "{keep:?}");
    }
}

#[test]
fn a_device_that_is_too_small_is_refused_before_anything_is_written() {
    let Some(gpu) = device(&GpuSettings { memory: Some(1000), ..Default::default() }) else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let refused = build_at(&path, "4x4", "2v2", &options(Some(&gpu))).unwrap_err();
    assert!(matches!(refused, BuildError::Gpu(GpuError::Memory { .. })), "{refused}");
    let pencil = BuildOptions { rules: TableRules::Pencil, ..options(Some(&gpu)) };
    let refused = build_at(&path, "4x4", "2v2", &pencil).unwrap_err();
    assert!(matches!(refused, BuildError::Gpu(GpuError::Rules { .. })), "{refused}");
    let gpu = device(&GpuSettings { buffer: Some(10_000), ..Default::default() }).unwrap();
    let refused = build_at(&path, "4x4", "4v4", &options(Some(&gpu))).unwrap_err();
    assert!(matches!(refused, BuildError::Gpu(GpuError::Limit { .. })), "{refused}");
    let named = GpuSettings { adapter: Some("no such card".into()), ..GpuSettings::default() };
    assert!(matches!(Gpu::open(&named), Err(GpuError::NoSuchAdapter { .. })));
    assert!(!path.exists());
}

#[test]
fn what_does_not_stay_is_counted_and_hashed() {
    let Some(gpu) = device(&GpuSettings::default()) else { return };
    for keep in [Keep::Odd, Keep::First, Keep::None] {
        let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [by_device, by_processor] = [Some(&gpu), None].map(|gpu| {
            let at = directories[usize::from(gpu.is_none())].path();
            build_at(at, "4x4", "2v2", &BuildOptions { keep, ..options(gpu) }).unwrap()
        });
        for (one, other) in by_device.tiers.iter().zip(&by_processor.tiers) {
            assert_eq!((one.wins, &one.content), (other.wins, &other.content), "{one:?}");
            assert_eq!(one.stored, other.stored, "{one:?}");
            assert!(one.bytes == other.bytes || !one.stored && one.bytes == 0, "{one:?}");
        }
        assert!(by_device.tiers.iter().any(|tier| tier.bytes == 0));
        let [mut one, mut other] = directories.each_ref().map(|at| files(at.path()));
        one.remove(&OsString::from("manifest.json")).unwrap();
        other.remove(&OsString::from("manifest.json")).unwrap();
        assert!(one == other && !one.is_empty(), "{keep:?}");
    }
}

/// Stops a build after so many positions.
struct StopAfter<'a> {
    left: AtomicU64,
    stop: &'a StopFlag,
}

impl Observer for StopAfter<'_> {
    fn add(&self, count: u64) {
        let before = self.left.fetch_sub(count, Ordering::Relaxed);
        if before <= count {
            self.left.store(0, Ordering::Relaxed);
            self.stop.stop();
        }
    }
}

#[test]
fn a_build_is_gone_on_with_by_the_other_kind() {
    let Some(gpu) = device(&small(1 << 14, 1 << 17)) else { return };
    let (board, amazons): (Board, Amazons) = ("4x4".parse().unwrap(), "2v2".parse().unwrap());
    // Enough for the largest tier that was begun before and some more; where tiers are not written,
    // for two of these.
    for (keep, enough) in [(Keep::All, 12_000_000), (Keep::Odd, 25_000_000)] {
        let by_processor = built("4x4", "2v2", &BuildOptions { keep, ..options(None) });
        for first in [Some(&gpu), None] {
            let directory = tempfile::tempdir().unwrap();
            let mut solver = first;
            let mut stopped = 0;
            loop {
                let interval = Duration::ZERO;
                let options = BuildOptions { keep, interval, ..options(solver) };
                let stop = StopFlag::new();
                let observer = StopAfter { left: AtomicU64::new(enough), stop: &stop };
                match build(directory.path(), board, amazons, &options, &observer, &stop) {
                    Ok(_) => break,
                    Err(BuildError::Stopped) => stopped += 1,
                    Err(error) => panic!("{error}"),
                }
                assert!(stopped < 20, "it comes to an end");
                solver = if solver.is_some() { None } else { Some(&gpu) };
            }
            assert!(stopped > 0);
            let mut files = files(directory.path());
            files.remove(&OsString::from("manifest.json")).unwrap();
            let mut expected = by_processor.clone();
            expected.remove(&OsString::from("manifest.json")).unwrap();
            assert!(files == expected, "{keep:?}");
            let found = Manifest::load(directory.path()).unwrap();
            assert!(found.tiers.iter().all(|tier| tier.wins > 0 || tier.arrows == 12));
        }
    }
}

/// Lets the device say that it is lost, after so many positions.
struct LoseAfter<'a> {
    left: AtomicU64,
    gpu: &'a Gpu,
}

impl Observer for LoseAfter<'_> {
    fn add(&self, count: u64) {
        let before = self.left.fetch_sub(count, Ordering::Relaxed);
        if before <= count {
            self.left.store(u64::MAX, Ordering::Relaxed);
            let _ = self.gpu.failed("the device is lost: a test has pulled it out");
        }
    }
}

#[test]
fn a_device_that_vanishes_in_the_middle_is_an_error_and_nothing_is_lost() {
    let by_processor = built("4x4", "2v2", &options(None));
    for enough in [1_000, 5_000_000, 25_000_000] {
        let Some(gpu) = device(&small(1 << 14, 1 << 17)) else { return };
        let directory = tempfile::tempdir().unwrap();
        let (board, amazons) = ("4x4".parse().unwrap(), "2v2".parse().unwrap());
        let options = BuildOptions { interval: Duration::ZERO, ..options(Some(&gpu)) };
        let observer = LoseAfter { left: AtomicU64::new(enough), gpu: &gpu };
        let built = build(directory.path(), board, amazons, &options, &observer, &StopFlag::new());
        let error = built.unwrap_err();
        assert!(matches!(error, BuildError::Gpu(GpuError::Failed { .. })), "{error:?}");
        assert!(
            error.to_string().contains("a test has pulled it out; the same command"),
            "{error}"
        );
        // The processor takes up what was finished.
        let taken = BuildOptions { gpu: None, ..options };
        build(directory.path(), board, amazons, &taken, &(), &StopFlag::new()).unwrap();
        assert!(files(directory.path()) == by_processor, "after {enough} positions");
    }
}

#[test]
fn widths_of_masks_make_no_difference() {
    let Some(gpu) = device(&GpuSettings::default()) else { return };
    let solved = |width| {
        let directory = tempfile::tempdir().unwrap();
        let (board, amazons) = ("3x4".parse().unwrap(), "2v2".parse().unwrap());
        let (ranks, stop, options) = (Ranks::alone(), StopFlag::new(), options(Some(&gpu)));
        let (at, options, stop) = (directory.path(), &options, &stop);
        let job = BuildJob { ranks: &ranks, directory: at, options, observer: &(), stop };
        match width {
            Width::Narrow => build_in::<u32>(&job, board, amazons),
            Width::Wide => build_in::<u64>(&job, board, amazons),
        }
        .unwrap();
        files(at)
    };
    assert!(solved(Width::Narrow) == solved(Width::Wide));
}

/// All blocks of a tier by the kernel, one after the other.
fn by_kernel<M: Mask>(
    shape: &TierShape,
    sets: &CanonicalSets<M>,
    below: &CanonicalSets<M>,
    blocks: &[u8],
) -> (Vec<u8>, u64) {
    let images = Images::<M>::new(shape.board()).unwrap();
    let tables = Arc::new(BoardTables::new(shape.rules(), images.clone()));
    let kernel = TierKernel::new(tables, shape, InstructionSet::detect());
    let child = shape.child().unwrap().block_bytes();
    let (mut all, mut wins, mut work) = (Vec::new(), 0, Workspace::default());
    for &arrows in sets.as_slice() {
        let free = free_squares(shape.board(), arrows);
        let squares = (0..shape.board().squares()).filter(|&square| free.has(square));
        let children: Vec<Child<'_>> = squares
            .map(|square| {
                let stored = images.canonical(arrows | M::single(square));
                let rank = below.rank(stored.arrows).unwrap();
                Child { block: &blocks[rank * child..][..child + SLACK], symmetry: stored.symmetry }
            })
            .collect();
        let mut block = vec![0; kernel.block_bytes() + SLACK];
        let won = kernel.solve(arrows, &children, &mut block, &mut work);
        wins += won * u64::from(images.orbit_size(arrows));
        all.extend_from_slice(&block[..kernel.block_bytes()]);
    }
    all.resize(all.len() + SLACK, 0);
    (all, wins)
}

/// All blocks of a tier by a device, in three stretches that begin and end within batches.
fn by_device<M: Mask>(
    resident: &Resident,
    shape: &TierShape,
    sets: &CanonicalSets<M>,
    below: &Below<M>,
) -> (Vec<u8>, u64) {
    let chunks = Chunks::of(shape, sets.len());
    let cuts = [0, chunks.len() / 3, chunks.len() / 2, chunks.len()];
    let solver = resident.solver(shape, sets, below, None, chunks.len()).unwrap();
    let solved = Mutex::new((Vec::new(), 0));
    let take = |number| {
        let chunk = solver.chunk(number).unwrap();
        let mut solved = solved.lock().unwrap();
        solved.0.extend_from_slice(&chunk.raw[..chunks.bytes(number)]);
        solved.1 += chunk.wins;
    };
    for stretch in cuts.windows(2).map(|cut| cut[0]..cut[1]) {
        solver.beside(stretch.clone(), &|| stretch.clone().for_each(take)).unwrap();
    }
    let (mut blocks, wins) = solved.into_inner().unwrap();
    blocks.resize(blocks.len() + SLACK, 0);
    (blocks, wins)
}

/// Two tiers from random blocks: the first from the host's, the second from what the device has
/// kept.
fn two_tiers<M: Mask>(gpu: &Gpu, second: &TierShape, seed: u64) {
    let board = second.board();
    let first = second.child().unwrap();
    let random_shape = first.child().unwrap();
    let list = |shape: &TierShape| CanonicalSets::<M>::new(board, shape.arrows()).unwrap();
    let (sets, below, random_sets) = (list(second), list(&first), list(&random_shape));
    let mut random = StdRng::seed_from_u64(seed);
    let bytes = random_sets.len() * random_shape.block_bytes() + SLACK;
    let blocks: Vec<u8> =
        (0..bytes).map(|_| random.random::<u8>() | random.random::<u8>()).collect();
    let (first_blocks, first_wins) = by_kernel(&first, &below, &random_sets, &blocks);
    let (second_blocks, second_wins) = by_kernel(second, &sets, &below, &first_blocks);

    let subject = TableSubject::of_tier(second);
    let mut resident = Resident::new(gpu, subject, second.arrows()).unwrap();
    let kinds = vec![FinishedTier::resident(random_shape, blocks)];
    let of_random = Below { sets: random_sets, kinds };
    Accelerator::<M>::begin(&mut resident, &[first], below.len()).unwrap();
    let found = by_device(&resident, &first, &below, &of_random);
    assert!(found == (first_blocks.clone(), first_wins), "{first}");
    Accelerator::<M>::end(&mut resident, true);
    let kinds = vec![FinishedTier::resident(first, first_blocks)];
    let of_first = Below { sets: below, kinds };
    Accelerator::<M>::begin(&mut resident, &[*second], sets.len()).unwrap();
    let found = by_device(&resident, second, &sets, &of_first);
    assert!(found == (second_blocks, second_wins), "{second}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn blocks_are_those_of_the_kernels(
        rules in prop::sample::select(vec![TableRules::Amazons, TableRules::Cowboys]),
        (size, most) in prop::sample::select(vec![
            ("3x3", 7), ("3x4", 8), ("4x4", 9), ("2x6", 9), ("1x8", 8), ("5x3", 8), ("6x6", 4), ("5x7", 4),
        ]),
        mover in 1..=4usize,
        opponent in 1..=4usize,
        empty in 2..=4usize,
        settings in prop::sample::select(vec![
            GpuSettings::default(), small(1 << 12, 1 << 14), tight(0), tight(1 << 16),
        ]),
        seed: u64,
    ) {
        let board: Board = size.parse().unwrap();
        let free = mover + opponent + empty;
        prop_assume!(free <= most);
        let Some(gpu) = device(&settings) else { return Ok(()) };
        let shape = TierShape::new(board, board.squares() - free, mover, opponent).unwrap();
        let shape = shape.with_rules(rules);
        match Width::of(board).unwrap() {
            Width::Narrow => two_tiers::<u32>(&gpu, &shape, seed),
            Width::Wide => two_tiers::<u64>(&gpu, &shape, seed),
        }
    }
}
