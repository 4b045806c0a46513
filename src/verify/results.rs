//! The figures that a results directory claims, to be held against a fresh solution.
//!
//! ```text
//!   results/4x4-4v4/counts.csv    board,mover_amazons,opponent_amazons,arrows,positions,wins
//!   results/4x4-4v4/hashes.csv    board,mover_amazons,opponent_amazons,arrows,blake3
//!                                 of the uncompressed tier
//! ```
//!
//! The first line names the columns, as above. Behind it is one line for every tier of the board,
//! and no other. Lines that begin with `#` are remarks. A board's directory has both files;
//! `verdicts.csv` beside the boards is read by [`super::verdicts`].

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::claims::{ClaimsError, Columns, read_claims, verdicts_path};
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::tables::format::{Manifest, TierRecord};
use crate::tables::index::{ShapeError, TableSubject, TierShape};

/// What a directory claims of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Where.
    pub directory: PathBuf,
    /// The board.
    pub board: Board,
    /// Amazons a side.
    pub amazons: Amazons,
    tiers: Vec<TierShape>,
    lines: Vec<Claim>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Claim {
    shape: TierShape,
    figure: Figure,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Figure {
    Counts { positions: u64, wins: u64 },
    Content(String),
}

/// The columns of a file of figures, and how the figures behind those of the tier are read.
struct FigureColumns {
    columns: Columns,
    figure: fn(&[&str]) -> Option<Figure>,
}

const COUNTS: FigureColumns = FigureColumns {
    columns: Columns {
        header: "board,mover_amazons,opponent_amazons,arrows,positions,wins",
        line: "board, amazons of both sides, arrows, positions and wins of a tier",
    },
    figure: counts_of,
};

const HASHES: FigureColumns = FigureColumns {
    columns: Columns {
        header: "board,mover_amazons,opponent_amazons,arrows,blake3",
        line: "board, amazons of both sides, arrows and 64 hexadecimal digits in small letters",
    },
    figure: content_of,
};

/// Whether a directory holds results: no table, but verdicts or figures of a board.
pub fn is_results(directory: &Path) -> bool {
    let is_board = |entry: &fs::DirEntry| {
        entry.path().is_dir() && entry.file_name().to_str().and_then(board).is_some()
    };
    let mut entries = fs::read_dir(directory).into_iter().flatten().flatten();
    !Manifest::path(directory).exists()
        && (verdicts_path(directory).exists() || entries.any(|entry| is_board(&entry)))
}

/// The board and the amazons that figures are named after, as in `4x4-2v2`.
pub(super) fn board(name: &str) -> Option<(Board, Amazons)> {
    let (board, amazons) = name.split_once('-')?;
    Some((board.parse().ok()?, amazons.parse().ok()?))
}

/// The claims of every board, by name of its directory.
///
/// # Errors
/// [`ClaimsError`] if the directory or a file of a board cannot be read, or the file does not claim
/// something of every tier of the board, once.
pub fn claims(results: &Path) -> Result<Vec<Claims>, ClaimsError> {
    let failed = |source| ClaimsError::Io { path: results.into(), source };
    let entries =
        fs::read_dir(results).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
    let mut found = Vec::new();
    for entry in entries {
        if let Some((board, amazons)) = entry.file_name().to_str().and_then(board) {
            found.push(Claims::read(entry.path(), board, amazons)?);
        }
    }
    found.sort_by_key(|claims| (claims.board.squares(), claims.board, claims.amazons));
    Ok(found)
}

/// Every tier of a board.
pub(super) fn tiers(board: Board, amazons: Amazons) -> Result<Vec<TierShape>, ShapeError> {
    let mut tiers = Vec::new();
    let subject = TableSubject::of_amazons(board, amazons);
    for arrows in 0..=subject.fullest()? {
        tiers.extend(subject.kinds(arrows)?);
    }
    Ok(tiers)
}

/// The claims of one file of figures.
fn read(path: &Path, columns: &FigureColumns) -> Result<Vec<Claim>, ClaimsError> {
    let parse = |line: &str| claim(line, columns.figure);
    read_claims(path, columns.columns, parse, |claim| claim.shape)
}

/// The claims of a file of counts, as `info --csv counts` writes it: positions and wins of tiers,
/// in the order of their arrows. The emptiest tiers may be missing, as in a part of a table.
///
/// # Errors
/// [`ClaimsError`] if the file cannot be read, its first line does not name the columns, another
/// line is no claim or claims something of a tier again, a tier has not as many positions or has
/// fewer than are won, or a tier is missing that is as full as another one or fuller.
pub fn read_counts(path: &Path) -> Result<Vec<(TierShape, u64, u64)>, ClaimsError> {
    let mut claims = read(path, &COUNTS)?;
    claims.sort_by_key(|claim| claim.shape.arrows());
    if let Some(words) = claims.iter().find_map(Claim::wrong_size) {
        return Err(ClaimsError::Size { path: path.into(), words });
    }
    let shapes: Vec<TierShape> = claims.iter().map(|claim| claim.shape).collect();
    if let Some(first) = shapes.first() {
        let TableSubject { board, amazons, .. } = TableSubject::of_tier(first);
        let tiers = tiers(board, amazons).unwrap_or_default().into_iter();
        let mut as_full = tiers.filter(|tier| tier.arrows() >= first.arrows());
        if let Some(shape) = as_full.find(|tier| !shapes.contains(tier)) {
            return Err(ClaimsError::Missing { path: path.into(), shape });
        }
    }
    let counts = |claim: Claim| match claim.figure {
        Figure::Counts { positions, wins } => Some((claim.shape, positions, wins)),
        Figure::Content(_) => None,
    };
    Ok(claims.into_iter().filter_map(counts).collect())
}

fn claim(line: &str, figure: fn(&[&str]) -> Option<Figure>) -> Option<Claim> {
    let (shape, figures) = tier_and_figures(line)?;
    Some(Claim { shape, figure: figure(&figures)? })
}

/// The tier that the first four fields of a line name (board, amazons of both sides, arrows), and
/// the fields behind them.
pub(super) fn tier_and_figures(line: &str) -> Option<(TierShape, Vec<&str>)> {
    let mut fields = line.split(',');
    let board = fields.next()?.parse().ok()?;
    let mut number = || fields.next()?.parse().ok();
    let (mover, opponent, arrows) = (number()?, number()?, number()?);
    let shape = TierShape::new(board, arrows, mover, opponent).ok()?;
    Some((shape, fields.collect()))
}

fn counts_of(figures: &[&str]) -> Option<Figure> {
    let [positions, wins] = figures else { return None };
    Some(Figure::Counts { positions: positions.parse().ok()?, wins: wins.parse().ok()? })
}

fn content_of(figures: &[&str]) -> Option<Figure> {
    let [hash] = figures else { return None };
    hash_of(hash).map(Figure::Content)
}

/// A BLAKE3 in hexadecimal, as it is written.
pub(super) fn hash_of(text: &str) -> Option<String> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (text.len() == 64 && text.bytes().all(is_digit)).then(|| text.to_string())
}

impl Claims {
    /// What a directory claims of a board.
    fn read(directory: PathBuf, board: Board, amazons: Amazons) -> Result<Self, ClaimsError> {
        let tiers = tiers(board, amazons)
            .map_err(|source| ClaimsError::Board { path: directory.clone(), source })?;
        let mut lines = Vec::new();
        for (name, columns) in [("counts.csv", COUNTS), ("hashes.csv", HASHES)] {
            let path = directory.join(name);
            let claims = read(&path, &columns)?;
            let is_claimed = |shape: &TierShape| claims.iter().any(|claim| claim.shape == *shape);
            if let Some(claim) = claims.iter().find(|claim| !tiers.contains(&claim.shape)) {
                return Err(ClaimsError::NoTier { path, board, amazons, shape: claim.shape });
            }
            if let Some(&shape) = tiers.iter().find(|shape| !is_claimed(shape)) {
                return Err(ClaimsError::Missing { path, shape });
            }
            lines.extend(claims);
        }
        Ok(Self { directory, board, amazons, tiers, lines })
    }

    /// Number of figures: positions and wins of each line of counts, and the hashes.
    pub fn figures(&self) -> usize {
        self.lines.len() + self.sizes()
    }

    /// Number of the figures that are numbers of positions, which [`Claims::wrong_sizes`] checks.
    pub fn sizes(&self) -> usize {
        let is_size = |claim: &&Claim| matches!(claim.figure, Figure::Counts { .. });
        self.lines.iter().filter(is_size).count()
    }

    /// Positions of the whole board, by Burnside's lemma; `None` from 2^128 on.
    pub fn positions(&self) -> Option<u128> {
        self.tiers.iter().map(|shape| shape.count().positions()).sum()
    }

    /// What the sizes of the tiers alone say otherwise, in words.
    pub fn wrong_sizes(&self) -> Vec<String> {
        self.lines.iter().filter_map(Claim::wrong_size).collect()
    }

    /// What a solution says otherwise, in words.
    pub fn differences(&self, manifest: &Manifest) -> Vec<String> {
        let difference = |claim: &Claim| match manifest.tier(&claim.shape) {
            Some(found) => claim.difference(found),
            None => Some(format!("{}: no such tier", claim.shape)),
        };
        self.lines.iter().filter_map(difference).collect()
    }
}

impl Claim {
    /// What the size of the tier alone says otherwise, in words.
    fn wrong_size(&self) -> Option<String> {
        let Figure::Counts { positions, wins } = self.figure else { return None };
        let found = self.shape.count().positions();
        if let Some(found) = found.filter(|&found| found != positions.into()) {
            return Some(self.words(&format!("{positions} positions"), found));
        }
        (wins > positions)
            .then(|| self.words(&format!("{wins} wins"), format!("{positions} positions")))
    }

    /// What a solved tier says otherwise, in words.
    fn difference(&self, found: &TierRecord) -> Option<String> {
        match &self.figure {
            Figure::Counts { positions, wins } => {
                match (*positions == found.positions, *wins == found.wins) {
                    (true, true) => None,
                    (true, false) => Some(self.words(&format!("{wins} wins"), found.wins)),
                    (false, true) => {
                        Some(self.words(&format!("{positions} positions"), found.positions))
                    }
                    (false, false) => Some(self.words(
                        &format!("{positions} positions and {wins} wins"),
                        format!("{} and {}", found.positions, found.wins),
                    )),
                }
            }
            Figure::Content(hash) => (*hash != found.content)
                .then(|| self.words(&format!("BLAKE3 {hash}"), &found.content)),
        }
    }

    fn words(&self, claimed: &str, found: impl fmt::Display) -> String {
        format!("{}: claimed {claimed}, found {found}", self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::format::{Keep, TierSummary};

    /// The figures of 3x3 with one amazon a side.
    fn manifest() -> Manifest {
        let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
        let mut manifest = Manifest::new(TableSubject::of_amazons(board, amazons), Keep::All);
        for shape in tiers(board, amazons).unwrap() {
            let positions = shape.count().positions().unwrap() as u64;
            let content = [shape.arrows() as u8; 32];
            let summary = TierSummary { positions, wins: positions / 2, bytes: 0, content };
            manifest.record(TierRecord::new(&shape, &summary));
        }
        manifest
    }

    /// The files of figures that say what a manifest says.
    fn files(manifest: &Manifest) -> [(&'static str, Vec<String>); 2] {
        let lines = |columns: FigureColumns, figures: fn(&TierRecord) -> String| {
            let line = |tier: &TierRecord| format!("3x3,1,1,{},{}", tier.arrows, figures(tier));
            let header = [columns.columns.header.to_string()];
            header.into_iter().chain(manifest.tiers.iter().map(line)).collect()
        };
        [
            ("counts.csv", lines(COUNTS, |tier| format!("{},{}", tier.positions, tier.wins))),
            ("hashes.csv", lines(HASHES, |tier| tier.content.clone())),
        ]
    }

    /// A directory of results with these files of figures.
    fn results(files: &[(&str, Vec<String>)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("3x3-1v1")).unwrap();
        fs::create_dir_all(directory.path().join("runs")).unwrap();
        for (name, lines) in files {
            fs::write(directory.path().join("3x3-1v1").join(name), lines.join("\n")).unwrap();
        }
        directory
    }

    #[test]
    fn claims_are_read_and_compared() {
        let manifest = manifest();
        let [mut counts, mut hashes] = files(&manifest);
        let missing = claims(results(std::slice::from_ref(&counts)).path());
        assert!(matches!(missing, Err(ClaimsError::Io { .. })), "no hashes.csv: {missing:?}");
        counts.1.insert(0, "# remark".into());
        counts.1.push(String::new());
        let found = claims(results(&[counts.clone(), hashes.clone()]).path()).unwrap();
        assert_eq!((found.len(), found[0].figures(), found[0].sizes()), (1, 24, 8));
        assert_eq!(
            found[0].positions(),
            Some(72 * 128),
            "72 placements, each of 7 other squares burned or not"
        );
        assert_eq!((found[0].wrong_sizes(), found[0].differences(&manifest)), (vec![], vec![]));

        counts.1[2] = "3x3,1,1,0,72,71".into();
        counts.1[3] = "3x3,1,1,1,505,252".into();
        counts.1[4] = "3x3,1,1,2,1513,1514".into();
        hashes.1[1] = format!("3x3,1,1,0,{}", "ab".repeat(32));
        let found = claims(results(&[counts, hashes]).path()).unwrap();
        let content = ["ab", "00"].map(|byte| byte.repeat(32));
        assert_eq!(
            found[0].differences(&manifest),
            [
                "3x3 1v1 with 0 arrows: claimed 71 wins, found 36".to_string(),
                "3x3 1v1 with 1 arrows: claimed 505 positions, found 504".into(),
                "3x3 1v1 with 2 arrows: claimed 1513 positions and 1514 wins, found 1512 and 756"
                    .into(),
                format!(
                    "3x3 1v1 with 0 arrows: claimed BLAKE3 {}, found {}",
                    content[0], content[1]
                ),
            ]
        );
        assert_eq!(
            found[0].wrong_sizes(),
            [
                "3x3 1v1 with 1 arrows: claimed 505 positions, found 504",
                "3x3 1v1 with 2 arrows: claimed 1513 positions, found 1512",
            ]
        );
        let amazons = "2v2".parse().unwrap();
        let other = TableSubject { amazons, ..manifest.subject };
        let other = Manifest::new(other, Keep::All);
        let differences = found[0].differences(&other);
        assert_eq!(differences[0], "3x3 1v1 with 0 arrows: no such tier");
    }

    #[test]
    fn more_wins_than_positions_cannot_be() {
        let [mut counts, hashes] = files(&manifest());
        counts.1[1] = "3x3,1,1,0,72,73".into();
        let found = claims(results(&[counts, hashes]).path()).unwrap();
        let expected = ["3x3 1v1 with 0 arrows: claimed 73 wins, found 72 positions"];
        assert_eq!(found[0].wrong_sizes(), expected);
    }

    #[test]
    fn files_of_figures_claim_something_of_every_tier_once() {
        /// What is done to the lines of a file.
        type Damage = fn(&mut Vec<String>);
        let damages: [(Damage, &str); 10] = [
            (|lines| lines.clear(), "expected the first line board,mover_amazons,"),
            (|lines| lines.clear(), "found no line"),
            (|lines| *lines = vec!["garbage".into()], "found \"garbage\""),
            (|lines| drop(lines.remove(0)), "found \"3x3,1,1,0,"),
            (|lines| lines.truncate(1), "found none for 3x3 1v1 with 0 arrows"),
            (|lines| lines.truncate(3), "found none for 3x3 1v1 with 2 arrows"),
            (|lines| lines.push("junk".into()), ", line 10: expected board, amazons of both sides"),
            (|lines| lines[4] += ",7", ", line 5: expected board, amazons of both sides"),
            (
                |lines| lines.insert(3, lines[2].clone()),
                ", line 4: expected one line of its kind, found another in line 3",
            ),
            (
                |lines| lines[1] = lines[1].replacen(",1,1,", ",1,2,", 1),
                "expected tiers of 3x3 1v1, found 3x3 1v2 with 0 arrows: no such tier",
            ),
        ];
        for at in [0, 1] {
            for (damage, expected) in damages {
                let mut files = files(&manifest());
                damage(&mut files[at].1);
                let results = results(&files);
                let path = results.path().join("3x3-1v1").join(files[at].0);
                let error = claims(results.path()).unwrap_err().to_string();
                let names = error.starts_with(&*path.to_string_lossy());
                assert!(names && error.contains(expected), "{error}, expected {expected}");
            }
        }
        let [counts, mut hashes] = files(&manifest());
        hashes.1[1] = "3x3,1,1,0,none".into();
        let error = claims(results(&[counts, hashes]).path()).unwrap_err().to_string();
        assert!(error.contains("line 2: expected") && error.contains("64 hexadecimal"), "{error}");
    }

    #[test]
    fn counts_alone_are_sorted_and_refused_if_they_cannot_be() {
        let counts = |lines: &[String]| {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), lines.join("\n")).unwrap();
            read_counts(file.path())
        };
        let [(_, lines), _] = files(&manifest());
        let read = counts(&lines).unwrap();
        assert_eq!(read.len(), 8);
        let mut turned = lines.clone();
        turned[1..].reverse();
        assert_eq!(counts(&turned).unwrap(), read);
        // Those of a table whose emptiest tiers are not built.
        let mut fullest = lines.clone();
        drop(fullest.drain(1..4));
        assert_eq!(counts(&fullest).unwrap(), read[3..]);
        let refused = |line: usize, text: &str| {
            let mut lines = lines.clone();
            lines[line] = text.into();
            counts(&lines).unwrap_err().to_string()
        };
        assert!(refused(1, "3x3,1,1,0,72,73").contains("claimed 73 wins, found 72 positions"));
        assert!(refused(1, "3x3,1,1,0,73,36").contains("claimed 73 positions, found 72"));
        assert!(refused(3, "").contains("found none for 3x3 1v1 with 2 arrows"));
        assert!(refused(8, "").contains("found none for 3x3 1v1 with 7 arrows"));
    }

    #[test]
    fn a_board_without_tables_has_no_figures() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("3x3-9v9")).unwrap();
        let error = claims(directory.path()).unwrap_err().to_string();
        assert!(error.contains("3x3-9v9: ") && error.contains("do not fit"), "{error}");
    }
}
