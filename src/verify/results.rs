//! The figures that a results directory claims, to be held against a fresh solution.
//!
//! ```text
//!   results/4x4-4v4/counts.csv    board,mover_amazons,opponent_amazons,arrows,positions,wins
//!   results/4x4-4v4/hashes.csv    board,mover_amazons,opponent_amazons,arrows,blake3
//!                                 of the uncompressed tier
//! ```
//!
//! Lines that begin with `#` are remarks. A board's directory has both files; `verdicts.csv` beside
//! the boards is read by [`super::verdicts`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::tables::format::{Manifest, TierRecord};
use crate::tables::index::{TableRules, TierShape};

/// What a directory claims of one board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Where.
    pub directory: PathBuf,
    /// The board.
    pub board: Board,
    /// Amazons a side.
    pub amazons: Amazons,
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

/// Why claims cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClaimsError {
    /// The operating system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// What was read.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A line that is no claim.
    #[error("{}, line {line}: expected {expected}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What should be there.
        expected: &'static str,
    },
}

/// Whether a directory holds results: no table, but verdicts or figures of a board.
pub fn is_results(directory: &Path) -> bool {
    let is_board = |entry: &fs::DirEntry| entry.path().is_dir() && board(entry).is_some();
    let mut entries = fs::read_dir(directory).into_iter().flatten().flatten();
    !Manifest::path(directory).exists()
        && (super::verdicts::path(directory).exists() || entries.any(|entry| is_board(&entry)))
}

/// The board and the amazons that a directory is named after.
fn board(entry: &fs::DirEntry) -> Option<(Board, Amazons)> {
    let name = entry.file_name();
    let (board, amazons) = name.to_str()?.split_once('-')?;
    Some((board.parse().ok()?, amazons.parse().ok()?))
}

/// The claims of every board, by name of its directory.
///
/// # Errors
/// [`ClaimsError`] if the directory or a file of a board cannot be read, or a line is no claim.
pub fn claims(results: &Path) -> Result<Vec<Claims>, ClaimsError> {
    let failed = |source| ClaimsError::Io { path: results.into(), source };
    let entries =
        fs::read_dir(results).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
    let mut found = Vec::new();
    for entry in entries {
        if let Some((board, amazons)) = board(&entry) {
            let directory = entry.path();
            let mut lines = read(&directory.join("counts.csv"), Some(board), counts_of)?;
            lines.extend(read(&directory.join("hashes.csv"), Some(board), content_of)?);
            found.push(Claims { directory, board, amazons, lines });
        }
    }
    found.sort_by_key(|claims| (claims.board.squares(), claims.board, claims.amazons));
    Ok(found)
}

/// The claims of one file about a board, or about any.
fn read(
    path: &Path,
    board: Option<Board>,
    figure: fn(&[&str]) -> Option<Figure>,
) -> Result<Vec<Claim>, ClaimsError> {
    let expected = match board {
        Some(_) => "board,mover_amazons,opponent_amazons,arrows and the figures of this board",
        None => "board,mover_amazons,opponent_amazons,arrows and figures",
    };
    let of_board = |claim: &Claim| board.is_none_or(|board| claim.shape.board() == board);
    claimed(path, expected, |line| claim(line, figure).filter(of_board))
}

/// The claims of a file of counts, as `info --csv counts` writes it: positions and wins of tiers.
///
/// # Errors
/// [`ClaimsError`] if the file cannot be read, or a line is no claim.
pub fn counted(path: &Path) -> Result<Vec<(TierShape, u64, u64)>, ClaimsError> {
    let counts = |claim: Claim| match claim.figure {
        Figure::Counts { positions, wins } => Some((claim.shape, positions, wins)),
        Figure::Content(_) => None,
    };
    Ok(read(path, None, counts_of)?.into_iter().filter_map(counts).collect())
}

/// What `parse` finds in each line of a file of claims behind the first, which names the columns.
/// Empty lines and those that begin with `#` are passed over.
///
/// # Errors
/// If the file cannot be read, or `parse` finds nothing in a line, which should be as `expected`.
pub(super) fn claimed<T>(
    path: &Path,
    expected: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, ClaimsError> {
    let text =
        fs::read_to_string(path).map_err(|source| ClaimsError::Io { path: path.into(), source })?;
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    lines
        .skip(1)
        .map(|(number, line)| {
            let wrong = ClaimsError::Line { path: path.into(), line: number + 1, expected };
            parse(line).ok_or(wrong)
        })
        .collect()
}

fn claim(line: &str, figure: fn(&[&str]) -> Option<Figure>) -> Option<Claim> {
    let fields: Vec<&str> = line.split(',').collect();
    let (head, figures) = fields.split_at_checked(4)?;
    let [mover, opponent, arrows] = [1, 2, 3].map(|field| head[field].parse::<usize>());
    let board = head[0].parse().ok()?;
    let shape = TierShape::new(board, arrows.ok()?, mover.ok()?, opponent.ok()?).ok()?;
    Some(Claim { shape, figure: figure(figures)? })
}

fn counts_of(figures: &[&str]) -> Option<Figure> {
    let [positions, wins] = figures else { return None };
    Some(Figure::Counts { positions: positions.parse().ok()?, wins: wins.parse().ok()? })
}

fn content_of(figures: &[&str]) -> Option<Figure> {
    let [hash] = figures else { return None };
    Some(Figure::Content((*hash).to_string()))
}

impl Claims {
    /// Number of figures: positions and wins of each line of counts, and the hashes.
    pub fn figures(&self) -> usize {
        self.lines.len() + self.sizes()
    }

    /// Number of the figures that are numbers of positions, which [`Claims::miscounted`] checks.
    pub fn sizes(&self) -> usize {
        let is_size = |claim: &&Claim| matches!(claim.figure, Figure::Counts { .. });
        self.lines.iter().filter(is_size).count()
    }

    /// Positions of the whole board, by Burnside's lemma; `None` from 2^128 on.
    pub fn positions(&self) -> Option<u128> {
        let fullest = TierShape::fullest(self.board, self.amazons).ok()?;
        let tier = |arrows| {
            let kinds =
                TierShape::kinds(TableRules::Amazons, self.board, arrows, self.amazons).ok()?;
            kinds.iter().map(|shape| shape.count().positions()).sum::<Option<u128>>()
        };
        (0..=fullest).map(tier).sum()
    }

    /// What the sizes of the tiers alone say otherwise, in words.
    pub fn miscounted(&self) -> Vec<String> {
        let wrong = |claim: &&Claim| match claim.figure {
            Figure::Counts { positions, wins } => {
                wins > positions || claim.shape.count().positions() != Some(positions.into())
            }
            Figure::Content(_) => false,
        };
        let words =
            |claim: &Claim| format!("{}: claimed {:?}, which cannot be", claim.shape, claim.figure);
        self.lines.iter().filter(wrong).map(words).collect()
    }

    /// What a solution says otherwise, in words.
    pub fn differences(&self, manifest: &Manifest) -> Vec<String> {
        let difference = |claim: &Claim| {
            let found = manifest.tier(&claim.shape);
            let agrees = found.is_some_and(|tier| claim.figure.agrees(tier));
            (!agrees)
                .then(|| format!("{}: claimed {:?}, found {found:?}", claim.shape, claim.figure))
        };
        self.lines.iter().filter_map(difference).collect()
    }
}

impl Figure {
    fn agrees(&self, tier: &TierRecord) -> bool {
        match self {
            Self::Counts { positions, wins } => (tier.positions, tier.wins) == (*positions, *wins),
            Self::Content(hash) => tier.content == *hash,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::format::{Keep, TierSummary};

    #[test]
    fn claims_are_read_and_compared() {
        let directory = tempfile::tempdir().unwrap();
        let board = directory.path().join("3x3-1v1");
        fs::create_dir_all(&board).unwrap();
        fs::create_dir_all(directory.path().join("runs")).unwrap();
        fs::write(board.join("counts.csv"), "# remark\nhead\n3x3,1,1,0,72,72\n3x3,1,1,1,504,336\n")
            .unwrap();
        let missing = claims(directory.path());
        assert!(matches!(missing, Err(ClaimsError::Io { .. })), "no hashes.csv: {missing:?}");
        fs::write(board.join("hashes.csv"), "head\n3x3,1,1,0,\n").unwrap();
        let found = claims(directory.path()).unwrap();
        assert_eq!((found.len(), found[0].figures()), (1, 5));
        assert_eq!(
            found[0].positions(),
            Some(72 * 128),
            "72 placements, each of 7 other squares burned or not"
        );
        assert_eq!(found[0].miscounted(), [""; 0]);
        let mut manifest = Manifest::new(found[0].board, found[0].amazons, Keep::All);
        for (arrows, wins) in [(0, 72), (1, 337)] {
            let shape = TierShape::new(manifest.board, arrows, 1, 1).unwrap();
            let positions = shape.count().positions().unwrap() as u64;
            let summary = TierSummary { positions, wins, bytes: 0, content: [0; 32] };
            manifest.record(TierRecord::new(&shape, &summary));
        }
        let differences = found[0].differences(&manifest);
        assert_eq!(differences.len(), 2, "the wins of tier 1 and the content of tier 0");
        assert!(differences[0].contains("336"), "{differences:?}");
        assert!(differences[1].contains("Content"), "{differences:?}");
        fs::write(board.join("hashes.csv"), "head\n3x3,1,1,0\n").unwrap();
        assert!(matches!(claims(directory.path()), Err(ClaimsError::Line { line: 2, .. })));
    }
}
