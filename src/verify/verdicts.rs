//! Who wins the start positions, as `results/verdicts.csv` claims.
//!
//! ```text
//!   board,winner,winning_first_moves,method
//!   5x4,first,2,tables
//! ```
//!
//! `winner` is `first` or `second`; `winning_first_moves` is how many first moves win, or empty
//! where only the winner is known; `method` is `tables`, `proof` or `certificate`, that is
//! `proofs/BOARD.proof` in the same directory. Of a certificate that is too large to be kept there
//! is `proofs/BOARD.proof.sha256` in its place, as `sha256sum` writes it.

use std::path::{Path, PathBuf};

use super::results::{ClaimsError, claimed};
use crate::game::Outcome;
use crate::game::board::Board;

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// By solving every position of the board, either way round.
    Tables,
    /// By proof-number search.
    Proof,
    /// By a certificate that is kept with the results, or whose hash is.
    Certificate,
}

/// One claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The board, with its start position.
    pub board: Board,
    /// What the first player reaches.
    pub outcome: Outcome,
    /// How many first moves win, where that is known.
    pub winning_first_moves: Option<usize>,
    /// How it was found.
    pub method: Evidence,
}

/// The file of the verdicts in a directory of results.
pub fn path(results: &Path) -> PathBuf {
    results.join("verdicts.csv")
}

/// The verdicts of a directory of results.
///
/// # Errors
/// [`ClaimsError`] if the file cannot be read or a line is no claim.
pub fn verdicts(results: &Path) -> Result<Vec<Verdict>, ClaimsError> {
    let expected = "board,first|second,winning first moves or nothing,tables|proof|certificate";
    claimed(&path(results), expected, verdict)
}

fn verdict(line: &str) -> Option<Verdict> {
    let [board, winner, moves, method] = line.split(',').collect::<Vec<_>>()[..] else {
        return None;
    };
    Some(Verdict {
        board: board.parse().ok()?,
        outcome: match winner {
            "first" => Outcome::Win,
            "second" => Outcome::Loss,
            _ => return None,
        },
        winning_first_moves: if moves.is_empty() { None } else { Some(moves.parse().ok()?) },
        method: match method {
            "tables" => Evidence::Tables,
            "proof" => Evidence::Proof,
            "certificate" => Evidence::Certificate,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_or_refused() {
        let read = verdict("5x4,first,2,tables").unwrap();
        assert_eq!(
            (read.outcome, read.winning_first_moves, read.method),
            (Outcome::Win, Some(2), Evidence::Tables)
        );
        assert_eq!(verdict("4x8,first,,certificate").unwrap().method, Evidence::Certificate);
        assert_eq!(verdict("4x6,second,,proof").unwrap().winning_first_moves, None);
        for line in [
            "",
            "4x4",
            "4x4,white,0,tables",
            "4x4,first,many,tables",
            "4x4,first,0,magic",
            "0x4,first,,proof",
        ] {
            assert_eq!(verdict(line), None, "{line}");
        }
    }
}
