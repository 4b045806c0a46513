//! Ranks, as threads, each with a device of its own or without one, against one process without:
//! the same files, byte for byte, whoever has begun.

use super::*;
use crate::machine::ranks::{Ending, RankPlace, in_threads};
use crate::tables::retrograde::build_on;
use crate::tables::retrograde::by_ranks::tests::ending;

/// A table that ranks build.
struct Together<'a> {
    directory: &'a Path,
    board: &'a str,
    amazons: &'a str,
    keep: Keep,
}

/// What a run of ranks is to be.
#[derive(Clone, Copy)]
struct Turn<'a> {
    /// Who has a device, by rank.
    cards: &'a [bool],
    /// After so many positions of its own a rank asks to stop.
    stop_after: u64,
}

impl Together<'_> {
    /// Builds with so many ranks.
    fn build(&self, Turn { cards, stop_after }: Turn<'_>, settings: &GpuSettings) -> Ending {
        in_threads(cards.len(), |ranks| {
            let place = RankPlace { number: ranks.rank(), of: ranks.size() };
            let of_rank = GpuSettings { place, ..settings.clone() };
            let gpu = cards[ranks.rank()].then(|| device(&of_rank).unwrap());
            let stop = StopFlag::new();
            let observer = StopAfter { left: AtomicU64::new(stop_after), stop: &stop };
            let interval = Duration::ZERO;
            let options = BuildOptions { keep: self.keep, interval, ..options(gpu.as_ref()) };
            self.build_as(ranks, &options, &observer, &stop)
        })
    }

    fn build_as(
        &self,
        ranks: &Ranks,
        options: &BuildOptions,
        observer: &dyn Observer,
        stop: &StopFlag,
    ) -> Ending {
        let (board, amazons) = (self.board.parse().unwrap(), self.amazons.parse().unwrap());
        let job = BuildJob { ranks, directory: self.directory, options, observer, stop };
        ending(build_on(&job, board, amazons))
    }
}

/// Batches of one chunk or a few, so that a segment has several.
fn of_ranks() -> GpuSettings {
    small(1 << 14, 1 << 17)
}

#[test]
fn ranks_with_a_device_each_write_the_files_of_one_process() {
    if device(&GpuSettings::default()).is_none() {
        return;
    }
    let runs: [(&str, &str, Keep, &[bool]); 6] = [
        ("4x4", "2v2", Keep::All, &[true, true]),
        ("3x4", "2v1", Keep::All, &[true, true, true]),
        ("4x4", "2v2", Keep::Odd, &[true, false, true]),
        ("3x4", "2v2", Keep::None, &[false, true]),
        ("3x4", "2v2", Keep::First, &[true, false]),
        ("3x3", "1v1", Keep::All, &[true, true, true]),
    ];
    for (board, amazons, keep, cards) in runs {
        let expected = built(board, amazons, &BuildOptions { keep, ..options(None) });
        let directory = tempfile::tempdir().unwrap();
        let table = Together { directory: directory.path(), board, amazons, keep };
        let turn = Turn { cards, stop_after: u64::MAX };
        assert_eq!(table.build(turn, &of_ranks()), Ending::Done);
        assert!(files(directory.path()) == expected, "{board} {amazons} by {cards:?}");
    }
}

#[test]
fn ranks_with_and_without_devices_go_on_with_what_others_began() {
    if device(&GpuSettings::default()).is_none() {
        return;
    }
    let expected = built("4x4", "2v2", &options(None));
    // One rank alone goes on with segments, too.
    let turns: [&[&[bool]]; 2] = [
        &[&[true, true, true], &[true], &[false, false]],
        &[&[false, false], &[true, true], &[false]],
    ];
    for turns in turns {
        let directory = tempfile::tempdir().unwrap();
        let (board, amazons, keep) = ("4x4", "2v2", Keep::All);
        let table = Together { directory: directory.path(), board, amazons, keep };
        let mut stopped = 0;
        loop {
            let cards = turns[stopped % turns.len()];
            // What is restored counts too, so each run gets further.
            let stop_after = 8_000_000 + 4_000_000 * stopped as u64;
            match table.build(Turn { cards, stop_after }, &of_ranks()) {
                Ending::Done => break,
                Ending::Limit(_) => stopped += 1,
                other => panic!("{other:?}"),
            }
            assert!(stopped < 20, "it comes to an end");
        }
        assert!(stopped >= 2, "all kinds of run have had a turn");
        assert!(files(directory.path()) == expected, "by {turns:?}");
    }
}

#[test]
fn a_rank_whose_device_vanishes_is_named_and_nothing_is_lost() {
    if device(&GpuSettings::default()).is_none() {
        return;
    }
    let expected = built("4x4", "2v2", &options(None));
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons, keep) = ("4x4", "2v2", Keep::All);
    let table = Together { directory: directory.path(), board, amazons, keep };
    let ending = in_threads(2, |ranks| {
        let gpu = device(&of_ranks()).unwrap();
        let enough = if ranks.is_first() { u64::MAX } else { 2_000_000 };
        let observer = LoseAfter { left: AtomicU64::new(enough), gpu: &gpu };
        let options = BuildOptions { interval: Duration::ZERO, ..options(Some(&gpu)) };
        table.build_as(ranks, &options, &observer, &StopFlag::new())
    });
    let Ending::Failed(1, told) = ending else { panic!("{ending:?}") };
    assert!(told.starts_with("rank 1: ") && told.contains("has pulled it out"), "{told}");
    let turn = Turn { cards: &[false, true], stop_after: u64::MAX };
    assert_eq!(table.build(turn, &of_ranks()), Ending::Done);
    assert!(files(directory.path()) == expected);
}
