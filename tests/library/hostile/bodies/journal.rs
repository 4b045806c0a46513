//! Journals of unfinished tiers.

use std::cell::LazyCell;
use std::fs;
use std::path::{Path, PathBuf};

use amazons::tables::format::{Encoder, TierWriter};
use amazons::tables::index::{CanonicalSets, TierShape};

use super::sums;

/// The tier that is unfinished.
pub fn shape() -> TierShape {
    TierShape::new("3x4".parse().expect("a board"), 2, 2, 4).expect("a tier")
}

/// Size of its frames.
const TARGET: u32 = 1000;

/// An unfinished tier and the directory that it is in.
pub struct Unfinished {
    directory: tempfile::TempDir,
    sets: CanonicalSets<u32>,
    part: (PathBuf, Vec<u8>),
    journal: (PathBuf, Vec<u8>),
}

impl Unfinished {
    /// Writes some frames of a tier and a journal of them.
    pub fn new() -> Self {
        let directory = tempfile::tempdir().expect("a place for files");
        let sets = CanonicalSets::new(shape().board(), 2).expect("arrow sets");
        let mut writer =
            TierWriter::create(directory.path(), &shape(), &sets, TARGET).expect("a tier file");
        let frames = *writer.frames();
        let mut encoder = Encoder::new(frames).expect("an encoder");
        for frame in 0..frames.len() / 2 {
            let raw: Vec<u8> = (0..frames.bytes(frame)).map(|at| (at * at / 50) as u8).collect();
            let mut encoded = Vec::new();
            encoder.encode(frame, &raw, &mut encoded).expect("a frame");
            writer.push(&raw, &encoded, 7).expect("a frame can be written");
        }
        writer.checkpoint().expect("a journal can be written");
        drop(writer);
        let [part, journal] = ["part", "journal"].map(|ending| file(directory.path(), ending));
        Self { directory, sets, part, journal }
    }

    /// The bytes of the journal.
    pub fn journal(&self) -> &[u8] {
        &self.journal.1
    }

    /// Whether the tier goes on from a journal.
    pub fn goes_on(&self, journal: &[u8]) -> bool {
        let path = self.directory.path();
        fs::write(&self.part.0, &self.part.1).expect("a file can be written");
        fs::write(&self.journal.0, journal).expect("a file can be written");
        let resumed = TierWriter::resume(path, &shape(), &self.sets, TARGET);
        let resumed = resumed.ok().flatten();
        assert!(resumed.as_ref().is_none_or(|tier| tier.written() <= tier.frames().len() / 2));
        resumed.is_some()
    }
}

/// The file with an ending, and its content.
fn file(directory: &Path, ending: &str) -> (PathBuf, Vec<u8>) {
    let mut paths = fs::read_dir(directory)
        .expect("the directory")
        .map(|entry| entry.expect("a file in it").path());
    let path =
        paths.find(|path| path.extension().is_some_and(|found| found == ending)).expect("the file");
    let content = fs::read(&path).expect("it can be read");
    (path, content)
}

impl Default for Unfinished {
    fn default() -> Self {
        Self::new()
    }
}

/// A journal is taken up or refused; what is taken up is in the file. The sum is repaired first.
pub fn journal(bytes: &[u8]) {
    thread_local! {
        static UNFINISHED: LazyCell<Unfinished> = LazyCell::new(Unfinished::new);
    }
    UNFINISHED.with(|tier| {
        tier.goes_on(bytes);
        let mut text = bytes.to_vec();
        sums::text(&mut text);
        tier.goes_on(&text);
    });
}
