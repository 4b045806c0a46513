//! By how much start positions are won, as `results/margins.csv` claims.
//!
//! ```text
//!   board,amazons,winner,least_margin,most_margin,method,nodes,seconds
//!   5x4,4v4,first,1,1,proof,1274,0.1
//!   5x5,2v2,first,0,0,tables,,
//! ```
//!
//! The first line names the columns, as above. No two lines are of the same board and amazons.
//! `winner` is `first` or `second`; the margin lies between the two that follow it, which are alike
//! where it is known. All three are empty where it is not known who wins. `method` is `proof` of a
//! search that evaluated so many nodes in so many seconds, and `tables` of a table of margins.

use std::io::ErrorKind;
use std::path::Path;

use super::claims::{ClaimsError, Columns, read_claims};
use crate::game::board::Board;
use crate::game::rules::Amazons;
use crate::game::{Outcome, Threshold, ThresholdRange};

/// One claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The board.
    pub board: Board,
    /// The amazons of its start position.
    pub amazons: Amazons,
    /// What the first player reaches, and between what its margin lies; `None` if that is not
    /// claimed.
    pub claimed: Option<(Outcome, [u16; 2])>,
    /// How long the search took; `None` of a margin that a table tells.
    pub seconds: Option<f64>,
}

impl Margin {
    /// Whether a range of thresholds of the first player agrees with the claim: what is claimed is
    /// possible, and what is found is no more than is claimed.
    pub fn agrees(&self, found: ThresholdRange) -> bool {
        let Some((outcome, [least, most])) = self.claimed else { return true };
        let claimed = |threshold: Threshold| {
            threshold.outcome() == outcome && (least..=most).contains(&threshold.margin())
        };
        claimed(found.least()) && claimed(found.most())
    }
}

const COLUMNS: Columns = Columns {
    header: "board,amazons,winner,least_margin,most_margin,method,nodes,seconds",
    line: "board,amazons,first|second,least margin,most margin,proof,nodes,seconds, \
           or tables and nothing behind it",
};

/// The margins of a directory of results; none if there is no such file.
///
/// # Errors
/// [`ClaimsError`] if the file cannot be read, its first line does not name the columns, another
/// line is no claim, or two are of the same board and amazons.
pub fn margins(results: &Path) -> Result<Vec<Margin>, ClaimsError> {
    let path = results.join("margins.csv");
    if path.metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Ok(Vec::new());
    }
    read_claims(&path, COLUMNS, margin, |margin| (margin.board, margin.amazons))
}

fn margin(line: &str) -> Option<Margin> {
    let fields: Vec<&str> = line.split(',').collect();
    let [board, amazons, winner, least, most, method, nodes, seconds] = fields[..] else {
        return None;
    };
    let outcome = match winner {
        "first" => Some(Outcome::Win),
        "second" => Some(Outcome::Loss),
        "" if least.is_empty() && most.is_empty() => None,
        _ => return None,
    };
    let range = |outcome| {
        let (least, most) = (least.parse().ok()?, most.parse().ok()?);
        (least <= most).then_some((outcome, [least, most]))
    };
    let seconds = match method {
        "tables" if nodes.is_empty() && seconds.is_empty() => None,
        "proof" => {
            let _: u64 = nodes.parse().ok()?;
            Some(seconds.parse().ok().filter(|seconds: &f64| seconds.is_finite())?)
        }
        _ => return None,
    };
    Some(Margin {
        board: board.parse().ok()?,
        amazons: amazons.parse().ok()?,
        claimed: match outcome {
            Some(outcome) => Some(range(outcome)?),
            None => None,
        },
        seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_or_refused() {
        let read = margin("5x4,4v4,first,1,3,proof,1274,0.1").unwrap();
        assert_eq!(read.claimed, Some((Outcome::Win, [1, 3])));
        for (least, most, agrees) in
            [(-3, -1, true), (-2, -2, true), (-4, -2, false), (1, 3, false)]
        {
            let all = ThresholdRange::of_empty(20).with(most, Outcome::Win).unwrap();
            let found = all.with(least - 1, Outcome::Loss).unwrap();
            assert_eq!(read.agrees(found), agrees, "{found}");
        }
        assert_eq!(margin("6x6,4v4,,,,proof,99,60").unwrap().claimed, None);
        assert_eq!(margin("5x5,2v2,first,0,0,tables,,").unwrap().seconds, None);
        for line in [
            "",
            "5x4,4v4,first,3,1,proof,1274,0.1",
            "5x4,4v4,first,,,proof,1274,0.1",
            "5x4,4v4,,1,1,proof,1274,0.1",
            "5x4,4v4,white,1,1,proof,1274,0.1",
            "5x4,4v4,first,1,1,proof,1274,inf",
            "5x4,4v4,first,1,1,proof,many,0.1",
            "5x4,4v4,first,1,1,proof,,",
            "5x4,4v4,first,1,1,tables,1274,0.1",
            "5x4,4v4,first,1,1,guess,1274,0.1",
            "5x4,4v4,first,1,1,1274,0.1",
            "5x4,first,1,1,proof,1274,0.1",
        ] {
            assert_eq!(margin(line), None, "{line}");
        }
    }

    #[test]
    fn a_directory_without_margins_claims_none() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(margins(directory.path()).unwrap(), []);
        std::fs::write(directory.path().join("margins.csv"), "junk").unwrap();
        assert!(margins(directory.path()).is_err());
    }
}
