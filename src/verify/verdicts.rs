//! Who wins the start positions, as `results/verdicts.csv` claims.
//!
//! ```text
//!   board,winner,winning_first_moves,method
//!   5x4,first,2,tables
//! ```
//!
//! The first line names the columns, as above. No two lines are of the same board and method.
//! `winner` is `first` or `second`; `winning_first_moves` is how many first moves win, or empty
//! where only the winner is known; `method` is `tables`, `proof` or `certificate`, that is
//! `proofs/BOARD.proof` in the same directory. Of a certificate that is too large to be kept there
//! is `proofs/BOARD.proof.sha256` in its place, as `sha256sum` writes it.

use std::path::Path;

use super::claims::{ClaimsError, Columns, read_claims, verdicts_path};
use crate::game::Outcome;
use crate::game::board::Board;

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

const COLUMNS: Columns = Columns {
    header: "board,winner,winning_first_moves,method",
    line: "board,first|second,winning first moves or nothing,tables|proof|certificate",
};

/// The verdicts of a directory of results.
///
/// # Errors
/// [`ClaimsError`] if the file cannot be read, its first line does not name the columns, another
/// line is no claim, or two are of the same board and method.
pub fn verdicts(results: &Path) -> Result<Vec<Verdict>, ClaimsError> {
    read_claims(&verdicts_path(results), COLUMNS, verdict, |verdict| {
        (verdict.board, verdict.method)
    })
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

    #[test]
    fn files_of_verdicts_are_read_or_refused() {
        let directory = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            std::fs::write(verdicts_path(directory.path()), text).unwrap();
            verdicts(directory.path()).map_err(|error| error.to_string())
        };
        let header = COLUMNS.header;
        let text = format!("# remark\n{header}\n\n4x4,second,,proof\n4x4,second,0,tables\n");
        assert_eq!(read(&text).unwrap().len(), 2, "of two methods");
        let twice = format!("{header}\n4x4,second,,proof\n5x4,first,,proof\n4x4,first,,proof\n");
        for (text, expected) in [
            ("", "expected the first line board,winner,winning_first_moves,method, found no line"),
            ("junk", "found \"junk\""),
            ("4x4,second,,proof\n", "found \"4x4,second,,proof\""),
            (&format!("{header}\n# remark\njunk\n"), ", line 3: expected board,first|second,"),
            (
                &twice,
                ", line 4: expected one line of its kind, found another in line 2: \"4x4,first",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains("verdicts.csv") && error.contains(expected), "{error}");
        }
    }
}
