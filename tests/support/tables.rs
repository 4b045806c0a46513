//! Tiny tables filled by the naive solver, which shares nothing with the backward solver.

use std::path::Path;

use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Amazons, Rules};
use amazons::tables::format::{
    Encoder, Frames, Keep, Manifest, TierRecord, TierSummary, TierWriter,
};
use amazons::tables::index::{
    CanonicalSets, Index, Location, Placement, TableRules, TableSubject, TierShape,
};

/// Fills every block of a tier by the naive solver and gives its frames with their wins.
pub struct Filler {
    index: Index,
    naive: NaiveSolver<u64>,
}

impl Filler {
    pub fn new(board: Board) -> Self {
        let rules = Rules::new(board).unwrap();
        Self { index: Index::new(board).unwrap(), naive: NaiveSolver::new(rules) }
    }

    /// One frame: its bytes and its wins over all images of its arrow sets.
    pub fn frame(
        &mut self,
        frames: &Frames,
        sets: &CanonicalSets<u32>,
        frame: u64,
    ) -> (Vec<u8>, u64) {
        let (shape, span) = (*frames.shape(), frames.span(frame));
        let (mut raw, mut wins) = (Vec::new(), 0);
        for set in span.first_set..span.first_set + span.sets as u64 {
            let orbit = u64::from(sets.orbit_size(set as usize));
            for row in span.first_row..span.first_row + span.rows {
                let mut bytes = vec![0u8; shape.row_bytes()];
                for column in 0..shape.row_bits() {
                    let placement = Placement { row, column };
                    let location =
                        Location { shape, arrows: sets.get(set as usize).into(), placement };
                    let position = self.index.position(&location).unwrap();
                    if self.naive.outcome(&position).is_win() {
                        bytes[column / 8] |= 1 << (column % 8);
                        wins += orbit;
                    }
                }
                raw.extend(bytes);
            }
        }
        (raw, wins)
    }

    /// Pushes all frames that are missing, calling `before` ahead of each; stops when it says so.
    pub fn fill(
        &mut self,
        writer: &mut TierWriter,
        sets: &CanonicalSets<u32>,
        mut go_on: impl FnMut(u64) -> bool,
    ) {
        let frames = *writer.frames();
        let mut encoder = Encoder::new(frames).unwrap();
        while writer.written() < frames.len() && go_on(writer.written()) {
            let (raw, wins) = self.frame(&frames, sets, writer.written());
            let mut encoded = Vec::new();
            encoder.encode(writer.written(), &raw, &mut encoded).unwrap();
            writer.push(&raw, &encoded, wins).unwrap();
        }
    }
}

/// Builds a whole table, keeping the tiers that `keep` says.
pub fn build(directory: &Path, board: &str, amazons: &str, keep: Keep, target: u32) -> Manifest {
    build_as(TableRules::Amazons, directory, board, amazons, keep, target)
}

/// As [`build`], for a table that says it is by these rules. Its values are those of Amazons.
pub fn build_as(
    rules: TableRules,
    directory: &Path,
    board: &str,
    amazons: &str,
    keep: Keep,
    target: u32,
) -> Manifest {
    let (board, amazons): (Board, Amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    let mut filler = Filler::new(board);
    let mut manifest = Manifest::new(TableSubject { rules, board, amazons }, keep);
    for arrows in 0..=manifest.subject.fullest().unwrap() {
        for shape in manifest.kinds(arrows).unwrap() {
            let summary = build_tier(directory, &mut filler, &shape, target);
            let stored = manifest.stays(arrows);
            if !stored {
                std::fs::remove_file(Manifest::tier_path(directory, &shape)).unwrap();
            }
            manifest.record(TierRecord { stored, ..TierRecord::new(&shape, &summary) });
        }
    }
    manifest.save(directory).unwrap();
    manifest
}

fn build_tier(
    directory: &Path,
    filler: &mut Filler,
    shape: &TierShape,
    target: u32,
) -> TierSummary {
    let sets = CanonicalSets::new(shape.board(), shape.arrows()).unwrap();
    let mut writer = TierWriter::create(directory, shape, &sets, target).unwrap();
    filler.fill(&mut writer, &sets, |_| true);
    writer.finish().unwrap()
}
