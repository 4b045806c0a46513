//! What building a table takes, before anything is computed.
//!
//! Positions are exact (Burnside's lemma). Bytes, memory and time are models:
//!
//! ```text
//!   bytes    list of arrow sets + index of frames + ratio x raw bytes; the ratio by amazons and parity of arrows
//!   memory   see the module `memory`
//!   seconds  a file x files + (a row x rows + a word operation x operations + a byte x bytes) / threads
//! ```

use super::memory;
use super::tier_plan::TierPlan;
use crate::tables::counting::TierCount;
use crate::tables::format::Keep;
use crate::tables::index::TableSubject;

/// How many more processes read a block if there are twice as many.
const READERS: f64 = 0.45;
/// Seconds to begin, finish and sync one file.
const FILE: f64 = 0.004;

/// What a table takes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is about.
    pub subject: TableSubject,
    /// Tiers by arrows, White to move first.
    pub tiers: Vec<TierPlan>,
    /// The last layer of margins that there may be; 0 without margins.
    layers: i8,
}

/// Room that files need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disk {
    /// Bytes of the files that stay.
    pub stays: u128,
    /// The most bytes of files at any moment.
    pub peak: u128,
}

/// How many times the bytes of a table its planes take, itself included: the more amazons a side
/// has, the fewer moves are left to be counted. Measured on boards up to 5x5
/// (`results/runs/2026-11-27-margin-tables`).
fn margin_bytes(count: &TierCount) -> f64 {
    match count.mover.min(count.opponent) {
        0 | 1 => 7.0,
        2 => 5.5,
        3 => 4.0,
        _ => 3.5,
    }
}

/// The time of a plane as a share of that of the table; measured there, between .42 and .58.
const PLANE_TIME: f64 = 0.55;

impl Plan {
    /// The plan of a board; `None` if the amazons do not fit it or its numbers do not fit 128 bits.
    pub fn new(subject: TableSubject) -> Option<Self> {
        let TableSubject { rules, board, amazons } = subject;
        let squares = board.squares();
        squares.checked_sub(amazons.white.checked_add(amazons.black)?)?;
        subject.check_sides().ok()?;
        let sides = subject.sides();
        let kinds = |arrows: usize| {
            let fits = move |sides: &(usize, usize)| arrows + sides.0 + sides.1 <= squares;
            sides.iter().copied().filter(fits).map(move |sides| (arrows, sides))
        };
        let tiers = (0..=squares).flat_map(kinds);
        let plan = |(arrows, (mover, opponent))| {
            TierPlan::new(rules, TierCount { board, arrows, mover, opponent })
        };
        Some(Self { subject, tiers: tiers.map(plan).collect::<Option<_>>()?, layers: 0 })
    }

    /// The same with the planes of margins up to so many spare moves, and no more than there can
    /// be. Their bytes and their time are about as many times those of the table as with boards
    /// that were measured, with all planes; bytes before compression are those of a plane.
    pub fn with_margins(mut self, most: u8) -> Self {
        let fullest = self.tiers.iter().map(|tier| tier.count.arrows).max().unwrap_or(0);
        let layers = fullest.min(usize::from(most));
        self.layers = i8::try_from(layers).unwrap_or(i8::MAX);
        for tier in &mut self.tiers {
            tier.bytes_expected = (tier.bytes_expected as f64 * margin_bytes(&tier.count)) as u128;
            tier.core_seconds *= PLANE_TIME * (2 * layers + 1) as f64;
        }
        self
    }

    /// The same of the tiers with so many arrows and more alone.
    pub fn with_least_arrows(mut self, least: usize) -> Self {
        self.tiers.retain(|tier| tier.count.arrows >= least);
        self
    }

    /// A figure summed over all tiers.
    pub fn total(&self, figure: impl Fn(&TierPlan) -> u128) -> u128 {
        self.tiers.iter().map(figure).fold(0, u128::saturating_add)
    }

    /// Bytes of memory that a build uses if `given` may be used.
    pub fn memory_expected(&self, given: u64) -> u128 {
        let most = memory::expected(self.subject.rules, &self.tiers, self.layers);
        self.memory_least().map_or(most, |least| most.min(least.max(given).into()))
    }

    /// The least memory in bytes that a build agrees to start with; `None` if tables cannot hold
    /// this board.
    pub fn memory_least(&self) -> Option<u64> {
        let arrows = self.tiers.first().map_or(0, |tier| tier.count.arrows);
        memory::least(self.subject, self.layers, arrows).ok()
    }

    /// Seconds that a build takes on so many threads.
    pub fn seconds_expected(&self, threads: usize) -> f64 {
        let cores: f64 = self.tiers.iter().map(|tier| tier.core_seconds).sum();
        cores / threads.max(1) as f64 + FILE * self.tiers.len() as f64
    }

    /// Bytes that so many processes read and write. Each file is written in segments, read and
    /// written again; the blocks below are read by each process that has an arrow set above them:
    /// 3.8 processes of 64 and 5.3 of 1,024, in the middle tiers of 5x6. One process reads nothing.
    pub fn bytes_moved(&self, ranks: usize) -> u128 {
        let bytes = self.total(|tier| tier.bytes_expected);
        if ranks <= 1 {
            return bytes;
        }
        let readers = 1.0 + READERS * (ranks as f64).log2();
        (bytes as f64 * (3.0 + readers)) as u128
    }

    /// Bytes of the files that stay, and the most that there are at any moment while so many
    /// processes build them. A tier that does not stay is there until the next one is done that its
    /// positions come from; the last one until the table is done, and of a part of a table it
    /// stays. Several processes have the segments of a tier too while they put it together.
    pub fn disk(&self, keep: Keep, ranks: usize) -> Disk {
        let of = |arrows: usize| {
            let kinds = self.tiers.iter().filter(move |tier| tier.count.arrows == arrows);
            kinds.map(|tier| tier.bytes_expected)
        };
        let burned = self.subject.rules.burned();
        let (mut disk, mut last) = (Disk { stays: 0, peak: 0 }, 0);
        let arrows = || self.tiers.iter().map(|tier| tier.count.arrows);
        let (least, fullest) = (arrows().min().unwrap_or(0), arrows().max().unwrap_or(0));
        for first in (0..burned).filter_map(|less| fullest.checked_sub(less)) {
            let mut below = 0;
            for arrows in (least..=first).rev().step_by(burned) {
                let bytes = of(arrows).fold(0, u128::saturating_add);
                let aside = if ranks > 1 { of(arrows).max().unwrap_or(0) } else { 0 };
                let held = [last, below, bytes, aside];
                disk.peak = disk.peak.max(held.into_iter().fold(disk.stays, u128::saturating_add));
                match keep.stays(arrows / burned) {
                    true => (disk.stays, below) = (disk.stays.saturating_add(bytes), 0),
                    false => below = bytes,
                }
            }
            last = u128::saturating_add(last, below);
        }
        if least > 0 {
            disk.stays = disk.stays.saturating_add(last);
        }
        disk
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::index::TableRules;

    fn plan(board: &str, amazons: &str) -> Plan {
        plan_of(TableRules::Amazons, board, amazons)
    }

    fn plan_of(rules: TableRules, board: &str, amazons: &str) -> Plan {
        let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
        Plan::new(TableSubject { rules, board, amazons }).unwrap()
    }

    #[test]
    fn positions_are_exact() {
        assert_eq!(plan("4x5", "4v4").total(|tier| tier.positions), 36_118_118_400);
        assert_eq!(plan("5x5", "2v2").total(|tier| tier.positions), 159_173_836_800);
        let two_kinds = plan("3x4", "2v1");
        assert_eq!((two_kinds.tiers.len(), two_kinds.total(|tier| tier.positions)), (20, 675_840));
    }

    #[test]
    fn models_are_within_three_tenths_of_what_was_measured() {
        // Bytes, peak of memory and core-seconds of builds with two threads and memory to spare.
        // The last eight were built on other machines: their seconds are those of the model for
        // Amazons, as many times as they took longer than Amazons did beside them.
        use TableRules::{Amazons, Cowboys, Killer, Pencil};
        let measured = [
            (Amazons, "4x4", "4v4", 1_506_530.0, 14_308.0, 0.18),
            (Amazons, "5x5", "1v1", 53_600_300.0, 55_552.0, 6.05),
            (Amazons, "4x5", "4v4", 420_575_962.0, 488_828.0, 26.06),
            (Amazons, "5x5", "2v2", 1_125_920_966.0, 889_852.0, 89.27),
            (Cowboys, "4x4", "4v4", 2_973_397.0, 14_520.0, 0.21),
            (Cowboys, "4x5", "2v2", 45_177_306.0, 35_848.0, 1.6),
            (Cowboys, "4x5", "3v3", 261_082_240.0, 169_252.0, 8.9),
            (Pencil, "4x4", "4v4", 1_585_985.0, 14_552.0, 1.08),
            (Pencil, "4x5", "2v2", 31_491_158.0, 38_608.0, 13.6),
            (Pencil, "4x5", "3v3", 167_227_336.0, 170_472.0, 59.3),
            (Killer, "4x5", "4v4", 1_152_990_089.0, 1_721_196.0, 227.0),
            (Killer, "5x5", "2v2", 1_286_328_989.0, 1_271_768.0, 334.0),
        ];
        for (rules, board, amazons, bytes, kilobytes, core_seconds) in measured {
            let plan = plan_of(rules, board, amazons);
            let near = |what: &str, model: f64, measured: f64| {
                let quotient = model / measured;
                assert!(
                    (0.7..=1.3).contains(&quotient),
                    "{rules} {board} {amazons}: {what} {model} for {measured}"
                );
            };
            near("bytes", plan.total(|tier| tier.bytes_expected) as f64, bytes);
            near("memory", plan.memory_expected(u64::MAX) as f64, kilobytes * 1024.0);
            near("seconds", 2.0 * plan.seconds_expected(2), core_seconds);
        }
    }

    #[test]
    fn the_disk_holds_what_stays_and_what_is_needed_next() {
        for amazons in ["2v2", "2v1"] {
            let plan = plan("3x4", amazons);
            let of = |arrows: usize| -> u128 {
                let kinds = plan.tiers.iter().filter(|tier| tier.count.arrows == arrows);
                kinds.map(|tier| tier.bytes_expected).sum()
            };
            let all = plan.total(|tier| tier.bytes_expected);
            assert_eq!(plan.disk(Keep::All, 1), Disk { stays: all, peak: all });
            let fullest = 12 - if amazons == "2v2" { 4 } else { 3 };
            let odd: u128 = (1..=fullest).step_by(2).map(of).sum();
            let disk = plan.disk(Keep::Odd, 1);
            assert!(disk.stays == odd && disk.peak < all && disk.peak >= odd);
            let pairs = (0..fullest).map(|arrows| of(arrows) + of(arrows + 1));
            let disk = plan.disk(Keep::None, 1);
            assert_eq!(disk, Disk { stays: 0, peak: pairs.max().unwrap() });
            assert!(plan.disk(Keep::None, 2).peak > disk.peak);
            let first = plan.disk(Keep::First, 1);
            assert_eq!(first.stays, (0..=2).map(of).sum::<u128>());
            assert!(first.peak == disk.peak.max(first.stays + of(3)), "{first:?} {disk:?}");
            let part = plan.clone().with_least_arrows(4).disk(Keep::Odd, 1);
            assert_eq!(part.stays, of(4) + (5..=fullest).step_by(2).map(of).sum::<u128>());
        }
    }

    #[test]
    fn where_a_move_burns_two_squares_tiers_stay_by_moves() {
        let plan = plan_of(TableRules::Pencil, "3x4", "2v2");
        let of = |arrows: usize| {
            plan.tiers.iter().find(|tier| tier.count.arrows == arrows).unwrap().bytes_expected
        };
        let disk = plan.disk(Keep::Odd, 1);
        assert_eq!(disk.stays, of(2) + of(3) + of(6) + of(7));
        // 8 to 0 come first, then 7 to 1. 8, 4, 5 and 1 are there until the next one is done, 0
        // until the end.
        let peaks = [
            of(8) + of(6),
            of(6) + of(4) + of(2),
            of(6) + of(2) + of(0) + of(7) + of(5) + of(3),
            disk.stays + of(0) + of(1),
        ];
        assert_eq!(Some(disk.peak), peaks.into_iter().max());
    }

    #[test]
    fn boards_without_tables_have_plans() {
        assert!(plan("8x9", "1v1").memory_least().is_none());
        assert!(plan("6x6", "4v4").memory_least().is_some_and(|least| least > 16 << 30));
        for (board, amazons) in [("10x10", "4v4"), ("3x3", "5v5")] {
            let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
            assert!(Plan::new(TableSubject::of_amazons(board, amazons)).is_none());
        }
    }
}
