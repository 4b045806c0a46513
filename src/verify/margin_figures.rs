//! How many positions of small boards have which margin, as a results directory claims, to be held
//! against tables that are built again.
//!
//! ```text
//!   results/margins/4x4-4v4.csv          board,mover_amazons,opponent_amazons,arrows,threshold,
//!                                        bound,positions
//!   results/margins/4x4-4v4.hashes.csv   board,mover_amazons,opponent_amazons,arrows,plane,blake3
//!                                        of the uncompressed plane
//! ```
//!
//! The first line names the columns, as above, in one line. `bound` is `at most` or `at least`
//! where the planes of the table tell no more, else empty. Margins that no position has have no
//! line. `amazons info --csv margins` and `--csv margin-hashes` write both.

use std::collections::HashMap;
use std::fs;
use std::hash::Hash;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::claims::{ClaimsError, Columns, read_claims};
use super::results::{board, hash_of, tier_and_figures, tiers};
use crate::game::board::Board;
use crate::game::margin::Threshold;
use crate::game::rules::Amazons;
use crate::tables::format::{MarginCount, StoredTiers, TableMargin};
use crate::tables::index::TierShape;

const COUNTS: Columns = Columns {
    header: "board,mover_amazons,opponent_amazons,arrows,threshold,bound,positions",
    line: "board, amazons of both sides, arrows, threshold, at most|at least or nothing, positions",
};

const HASHES: Columns = Columns {
    header: "board,mover_amazons,opponent_amazons,arrows,plane,blake3",
    line: "board, amazons of both sides, arrows, plane and 64 hexadecimal digits in small letters",
};

/// What is claimed of the margins of one board.
#[derive(Clone, Debug)]
pub struct MarginFigures {
    /// The board.
    pub board: Board,
    /// Amazons a side.
    pub amazons: Amazons,
    counts: Vec<MarginCount>,
    hashes: Vec<(TierShape, String)>,
}

/// The claims of every board, the smallest first; none if there is no directory of margins.
///
/// # Errors
/// [`ClaimsError`] if the directory or a file of it cannot be read, a file does not begin with the
/// names of its columns, or has a line that is no claim or claims something again.
pub fn margin_figures(results: &Path) -> Result<Vec<MarginFigures>, ClaimsError> {
    let directory = results.join("margins");
    let failed = |source| ClaimsError::Io { path: directory.clone(), source };
    let entries = match fs::read_dir(&directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?,
    };
    let mut boards = Vec::new();
    for entry in entries {
        let name = entry.file_name();
        let stem = name.to_str().and_then(|name| name.strip_suffix(".csv"));
        // Each of the two files needs the other.
        boards.extend(stem.and_then(|stem| board(stem.strip_suffix(".hashes").unwrap_or(stem))));
    }
    boards.sort_by_key(|&(board, amazons)| (board.squares(), board, amazons));
    boards.dedup();
    let read = |(board, amazons)| MarginFigures::read(&directory, board, amazons);
    boards.into_iter().map(read).collect()
}

impl MarginFigures {
    fn read(directory: &Path, board: Board, amazons: Amazons) -> Result<Self, ClaimsError> {
        let path = |end: &str| directory.join(format!("{board}-{amazons}{end}"));
        let of_margin = |count: &MarginCount| (count.shape, count.margin.nearest());
        let counts = read_claims(&path(".csv"), COUNTS, count, of_margin)?;
        let hashes = read_claims(&path(".hashes.csv"), HASHES, hash, |&(plane, _)| plane)?;
        Ok(Self { board, amazons, counts, hashes })
    }

    /// Number of figures.
    pub fn figures(&self) -> usize {
        self.counts.len() + self.hashes.len()
    }

    /// The most spare moves of a plane that the figures are about; `None` if they are about all.
    pub fn most(&self) -> Option<u8> {
        let is_bounded = self.counts.iter().any(|count| count.margin.exact().is_none());
        let planes = self.hashes.iter().map(|(plane, _)| plane.plane().unsigned_abs());
        is_bounded.then(|| planes.max().unwrap_or(0))
    }

    /// Positions of all planes of the board that the figures are about, by Burnside's lemma; `None`
    /// from 2^128 on, or if there are no tables of the board.
    pub fn positions(&self) -> Option<u128> {
        let tiers = tiers(self.board, self.amazons).ok()?;
        let positions: Option<u128> = tiers.iter().map(|shape| shape.count().positions()).sum();
        let planes = self.hashes.iter().map(|(plane, _)| plane.plane());
        let planes = planes.clone().max()?.abs_diff(planes.min()?);
        positions?.checked_mul(u128::from(planes) + 1)
    }

    /// What a table of margins says otherwise, in words: also what it says and nothing claims.
    pub fn differences(&self, stored: &StoredTiers) -> Vec<String> {
        let of_count = |count: MarginCount| {
            let MarginCount { shape, margin, positions } = count;
            ((shape, margin.nearest(), margin.bound()), positions.to_string())
        };
        let found = stored.margin_counts().into_iter().map(of_count);
        let words = |(shape, threshold, bound): &(TierShape, Threshold, Option<&'static str>)| {
            let bound = bound.map_or(String::new(), |bound| format!("{bound} "));
            format!("{shape}, positions with a threshold of {bound}{}", threshold.spare())
        };
        let counts = differences(self.counts.iter().cloned().map(of_count), found, words);
        let content = |shape: TierShape| {
            let record = stored.record(&shape);
            (shape, record.map_or(String::new(), |record| record.content.clone()))
        };
        let found = stored.stored_shapes().map(content);
        let words = |shape: &TierShape| format!("BLAKE3 of {shape}");
        let hashes = differences(self.hashes.iter().cloned(), found, words);
        counts.into_iter().chain(hashes).collect()
    }
}

/// Where two lists of figures differ, in words: what is claimed, and what is found. A key comes
/// once in each.
fn differences<K: Clone + Eq + Hash>(
    claimed: impl Iterator<Item = (K, String)>,
    found: impl Iterator<Item = (K, String)>,
    words: impl Fn(&K) -> String,
) -> Vec<String> {
    let found: Vec<(K, String)> = found.collect();
    let mut left: HashMap<K, &str> =
        found.iter().map(|(key, figure)| (key.clone(), figure.as_str())).collect();
    let mut differences = Vec::new();
    for (key, claimed) in claimed {
        let found = left.remove(&key).unwrap_or("nothing");
        if found != claimed {
            differences.push(format!("{}: claimed {claimed}, found {found}", words(&key)));
        }
    }
    let unclaimed = found.iter().filter(|(key, _)| left.contains_key(key));
    let unclaimed =
        unclaimed.map(|(key, found)| format!("{}: claimed nothing, found {found}", words(key)));
    differences.extend(unclaimed);
    differences
}

fn count(line: &str) -> Option<MarginCount> {
    let (shape, figures) = tier_and_figures(line)?;
    let [threshold, bound, positions] = figures[..] else { return None };
    let threshold = Threshold::new(threshold.parse().ok()?);
    let margins = [TableMargin::Exactly, TableMargin::AtMost, TableMargin::AtLeast];
    let margins = margins.map(|margin| margin(threshold));
    let margin = margins.into_iter().find(|margin| margin.bound().unwrap_or("") == bound)?;
    Some(MarginCount { shape, margin, positions: positions.parse().ok()? })
}

fn hash(line: &str) -> Option<(TierShape, String)> {
    let (shape, figures) = tier_and_figures(line)?;
    let [plane, content] = figures[..] else { return None };
    Some((shape.with_plane(plane.parse().ok()?), hash_of(content)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::progress::StopFlag;
    use crate::tables::format::Table;
    use crate::tables::retrograde::{BuildOptions, build_margins};

    /// The text of both files, of the margins of 3x3 with one amazon a side to `most` spare moves.
    fn files(directory: &Path, most: Option<u8>) -> [String; 2] {
        let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
        let options = BuildOptions::new(1 << 28);
        build_margins(directory, board, amazons, most, &options, &(), &StopFlag::new()).unwrap();
        let table = Table::open(directory).unwrap();
        let head = |shape: &TierShape| {
            format!("3x3,{},{},{}", shape.mover(), shape.opponent(), shape.arrows())
        };
        let count = |MarginCount { shape, margin, positions }| {
            let (nearest, bound) = (margin.nearest().spare(), margin.bound().unwrap_or(""));
            format!("{},{nearest},{bound},{positions}\n", head(&shape))
        };
        let hash = |shape: TierShape| {
            let content = &table.stored().record(&shape).unwrap().content;
            format!("{},{},{content}\n", head(&shape), shape.plane())
        };
        let counts: String = table.stored().margin_counts().into_iter().map(count).collect();
        let hashes: String = table.stored().stored_shapes().map(hash).collect();
        [format!("{}\n{counts}", COUNTS.header), format!("{}\n{hashes}", HASHES.header)]
    }

    /// What a directory with these two files claims.
    fn claims(files: &[String; 2]) -> Result<Vec<MarginFigures>, ClaimsError> {
        let results = tempfile::tempdir().unwrap();
        let margins = results.path().join("margins");
        fs::create_dir(&margins).unwrap();
        fs::write(margins.join("README.md"), "words").unwrap();
        fs::write(margins.join("3x3-1v1.csv"), &files[0]).unwrap();
        fs::write(margins.join("3x3-1v1.hashes.csv"), &files[1]).unwrap();
        margin_figures(results.path())
    }

    #[test]
    fn every_figure_is_compared() {
        for most in [None, Some(2)] {
            let directory = tempfile::tempdir().unwrap();
            let files = files(directory.path(), most);
            let table = Table::open(directory.path()).unwrap();
            let found = claims(&files).unwrap();
            assert_eq!((found.len(), found[0].most()), (1, most));
            let lines = files.iter().map(|file| file.lines().count() - 1).sum::<usize>();
            assert_eq!(found[0].figures(), lines);
            assert!(found[0].positions().unwrap() >= 5 * 72 * 128, "planes from -2 to 2 at least");
            assert!(found[0].differences(table.stored()).is_empty());
            // Each line, changed and left out.
            for at in 0..2 {
                for line in 1..files[at].lines().count() {
                    let changed = |change: &dyn Fn(&mut Vec<String>)| {
                        let mut files = files.clone();
                        let mut lines: Vec<_> = files[at].lines().map(String::from).collect();
                        change(&mut lines);
                        files[at] = lines.join("\n");
                        claims(&files).unwrap()[0].differences(table.stored())
                    };
                    let other = changed(&|lines| {
                        let (head, figure) = lines[line].rsplit_once(',').unwrap();
                        let figure = if at == 0 { format!("{figure}1") } else { "ab".repeat(32) };
                        lines[line] = format!("{head},{figure}");
                    });
                    assert!(other.len() == 1 && other[0].contains("3x3 1v1 with "), "{other:?}");
                    let missing = changed(&|lines| drop(lines.remove(line)));
                    let [missing] = &missing[..] else { panic!("{missing:?}") };
                    assert!(missing.contains("claimed nothing, found "), "{missing}");
                }
            }
        }
    }

    #[test]
    fn lines_are_read_or_refused() {
        let directory = tempfile::tempdir().unwrap();
        let whole = files(directory.path(), None);
        for line in ["3x3,1,1,0,1,,", "3x3,1,1,0,1,about,3", "3x3,1,1,0,1,3", "3x3,9,9,0,1,,3"] {
            let mut files = whole.clone();
            files[0] += line;
            let error = claims(&files).unwrap_err().to_string();
            assert!(error.contains("3x3-1v1.csv, line ") && error.contains(line), "{error}");
        }
        for line in ["3x3,1,1,0,200,", "3x3,1,1,0,1,ab", "3x3,1,1,0"] {
            let mut files = whole.clone();
            files[1] += line;
            let error = claims(&files).unwrap_err().to_string();
            assert!(error.contains("3x3-1v1.hashes.csv, line ") && error.contains(line), "{error}");
        }
        let mut files = whole;
        let again = files[0].lines().nth(1).unwrap().to_string();
        files[0] += &again;
        assert!(matches!(claims(&files), Err(ClaimsError::Twice { .. })));
    }

    #[test]
    fn a_file_alone_is_refused_and_no_directory_claims_nothing() {
        let results = tempfile::tempdir().unwrap();
        assert_eq!(margin_figures(results.path()).unwrap().len(), 0);
        let margins = results.path().join("margins");
        fs::create_dir(&margins).unwrap();
        assert_eq!(margin_figures(results.path()).unwrap().len(), 0);
        fs::write(margins.join("3x3-1v1.hashes.csv"), HASHES.header).unwrap();
        let error = margin_figures(results.path()).unwrap_err().to_string();
        assert!(error.contains("cannot read") && error.contains("3x3-1v1.csv"), "{error}");
    }
}
