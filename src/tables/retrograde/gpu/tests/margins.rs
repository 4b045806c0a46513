//! Planes of margins by a device against those of the processor: the same files.

use super::*;
use crate::tables::retrograde::{BuiltMargins, build_margins};

/// The files of the planes of a table, and what the manifests say of tiers.
fn margin_files(directory: &Path, built: &BuiltMargins) -> BTreeMap<OsString, Vec<u8>> {
    let mut files = files(directory);
    files.retain(|name, _| !name.to_string_lossy().ends_with(".json"));
    for manifest in built.layers.iter().chain([&built.built.manifest]) {
        let tiers = format!("{:?}", manifest.tiers);
        files.insert(format!("layer {}", manifest.layer).into(), tiers.into_bytes());
    }
    files
}

fn margins_of(board: &str, amazons: &str, gpu: Option<&Gpu>) -> BTreeMap<OsString, Vec<u8>> {
    let directory = tempfile::tempdir().unwrap();
    let (at, stop) = (directory.path(), StopFlag::new());
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    let built = build_margins(at, board, amazons, None, &options(gpu), &(), &stop).unwrap();
    assert!(built.layers.len() > 1, "more than the first planes");
    margin_files(at, &built)
}

fn same_planes(settings: &GpuSettings, boards: &[(&str, &str)]) {
    let Some(gpu) = device(settings) else { return };
    for (board, amazons) in boards {
        let expected = margins_of(board, amazons, None);
        assert!(margins_of(board, amazons, Some(&gpu)) == expected, "{board} {amazons}");
    }
}

#[test]
fn planes_are_those_of_the_processor() {
    // All blocks stay on the device; several segments; none stays.
    same_planes(&GpuSettings::default(), &[("3x3", "2v1")]);
    same_planes(&small(1 << 10, 1 << 14), &[("3x3", "2v2")]);
    same_planes(&tight(0), &[("3x3", "1v2")]);
}

#[test]
#[ignore = "it takes minutes without a card"]
fn planes_of_larger_boards_are_those_of_the_processor() {
    let default = GpuSettings::default();
    same_planes(&default, &[("3x3", "1v1"), ("3x4", "2v1"), ("3x4", "2v2")]);
    same_planes(&small(1 << 12, 1 << 16), &[("3x4", "1v1"), ("3x4", "1v2"), ("4x4", "1v1")]);
    same_planes(&tight(0), &[("3x3", "1v1"), ("3x4", "2v1"), ("2x6", "3v2")]);
}

#[test]
fn the_processor_solves_the_fullest_tiers_of_a_layer() {
    let Some(gpu) = device(&GpuSettings::default()) else { return };
    let subject = TableSubject::of_amazons("3x4".parse().unwrap(), "2v2".parse().unwrap());
    let mut resident = Resident::new(&gpu, subject, 0).unwrap();
    // With five empty squares on three arrows; the planes 4 and 5 lead to children without files.
    let planes = [-4, -1, 1, 3, 4, 5];
    let shapes = planes.map(|plane| subject.kinds(3).unwrap()[0].with_plane(plane));
    let solved = shapes.map(|shape| Accelerator::<u32>::solves(&resident, &shape));
    assert_eq!(solved, [true, true, true, true, false, false]);
    // A tier stays if all of it is solved on the device.
    let begin =
        |resident: &mut Resident, shapes| Accelerator::<u32>::begin(resident, shapes, 10).unwrap();
    assert!(begin(&mut resident, &shapes[1..3]));
    assert!(!begin(&mut resident, &[shapes[0], shapes[4]]));
}

#[test]
fn planes_that_the_other_kind_began_are_gone_on_with() {
    let Some(gpu) = device(&small(1 << 14, 1 << 17)) else { return };
    let expected = margins_of("3x3", "2v2", None);
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons) = ("3x3".parse().unwrap(), "2v2".parse().unwrap());
    let mut stopped = 0;
    let built = loop {
        let solver = (stopped % 2 == 0).then_some(&gpu);
        let options = BuildOptions { interval: Duration::ZERO, ..options(solver) };
        let stop = StopFlag::new();
        let left = AtomicU64::new(30_000);
        let observer = StopAfter { left, stop: &stop };
        let built =
            build_margins(directory.path(), board, amazons, None, &options, &observer, &stop);
        match built {
            Ok(built) => break built,
            Err(BuildError::Stopped) => stopped += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(stopped < 40, "it comes to an end");
    };
    assert!(stopped > 1);
    assert!(margin_files(directory.path(), &built) == expected);
}
