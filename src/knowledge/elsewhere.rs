//! What certificates claim that are too large to be part of the program: who wins, and by which
//! move. Whoever has such a file can ask it for the rest of the strategy.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::source::Source;
use crate::game::board::{Board, Symmetry};
use crate::game::rules::{Bitboards, IndexedMove, Position};
use crate::game::{Move, Outcome};
use crate::tables::index::TableRules;

/// The claims, each of a certificate that `results/proofs/` names.
const CLAIMS: &str = include_str!("elsewhere.csv");

/// A claim.
#[derive(Clone, Debug)]
struct Row {
    /// The position, from the board's start.
    position: Position,
    /// The move that wins; `None` if the side to move loses.
    best: Option<Move>,
    basis: Basis,
}

/// What is claimed of an image of a position.
#[derive(Clone, Copy, Debug)]
struct Claimed {
    outcome: Outcome,
    /// The move that wins, if the certificate says it here.
    best: Option<IndexedMove>,
    row: usize,
}

/// The claims.
#[derive(Debug)]
pub(super) struct Elsewhere;

/// The claims, and the positions that they are about with all images.
struct Claims {
    rows: Vec<Row>,
    boards: HashSet<Board>,
    images: HashMap<(Board, Bitboards), Claimed>,
}

static ALL: LazyLock<Claims> = LazyLock::new(|| {
    let lines = CLAIMS.lines().filter(|line| !line.starts_with('#')).skip(1);
    let rows: Vec<Row> = lines.filter_map(Row::read).collect();
    let mut images = HashMap::new();
    for (number, row) in rows.iter().enumerate() {
        row.add_images(number, &mut images);
    }
    // Of these no winning move is claimed, so a row about one of them comes first.
    for (number, row) in rows.iter().enumerate() {
        row.add_images_after_lost(number, &mut images);
    }
    let boards = rows.iter().map(|row| row.position.board()).collect();
    Claims { rows, boards, images }
});

/// Adds all images of a position.
fn add_images(
    position: &Position,
    claimed: Claimed,
    images: &mut HashMap<(Board, Bitboards), Claimed>,
) {
    let (board, Some(plain)) = (position.board(), position.bitboards::<u64>()) else { return };
    for symmetry in Symmetry::all(board) {
        let best = claimed.best.map(|best| best.mapped(&symmetry));
        let claimed = Claimed { best, ..claimed };
        images.entry((board, plain.mapped(&symmetry))).or_insert(claimed);
    }
}

impl Row {
    /// A line of the file, `None` if it is not as the others are; a test holds that there is no
    /// such line.
    fn read(line: &str) -> Option<Self> {
        let [board, moves, best, certificate, sha256] =
            line.split(',').collect::<Vec<_>>().try_into().ok()?;
        let mut position = Position::start(board.parse().ok()?).ok()?;
        for played in moves.split_ascii_whitespace() {
            position = position.play(played.parse().ok()?).ok()?;
        }
        let best = match best {
            "" => None,
            best => Some(best.parse().ok()?),
        };
        let (certificate, sha256) = (certificate.to_string(), sha256.to_string());
        Some(Self { position, best, basis: Basis::Elsewhere { certificate, sha256 } })
    }

    /// The position after the move that wins, or the position itself if it is lost.
    fn lost(&self) -> Option<Position> {
        match self.best {
            None => Some(self.position),
            Some(best) => self.position.play(best).ok(),
        }
    }

    /// All images of the position, and of the one after the move that wins, which is lost.
    fn add_images(&self, row: usize, images: &mut HashMap<(Board, Bitboards), Claimed>) {
        if let Some(best) = self.best.and_then(|best| best.on(self.position.board()).ok()) {
            let claimed = Claimed { outcome: Outcome::Win, best: Some(best), row };
            add_images(&self.position, claimed, images);
        }
        if let Some(lost) = self.lost() {
            add_images(&lost, Claimed { outcome: Outcome::Loss, best: None, row }, images);
        }
    }

    /// All images of the positions that moves of the lost one lead to.
    fn add_images_after_lost(&self, row: usize, images: &mut HashMap<(Board, Bitboards), Claimed>) {
        let Some(lost) = self.lost() else { return };
        for played in lost.indexed_moves() {
            let Ok(won) = lost.play_indexed(played) else { continue };
            add_images(&won, Claimed { outcome: Outcome::Win, best: None, row }, images);
        }
    }
}

/// What is claimed of a position.
fn claimed(position: &Position) -> Option<Claimed> {
    let plain = position.bitboards::<u64>()?;
    ALL.images.get(&(position.board(), plain)).copied()
}

impl Source for Elsewhere {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        if !ALL.boards.contains(&position.board()) {
            return Ok(());
        }
        if let Some(Claimed { outcome, best, row }) = claimed(position) {
            let basis = &ALL.rows[row].basis;
            best.map_or(Ok(()), |best| finding.tell_move(best, Outcome::Win, basis))?;
            finding.tell_value(outcome, basis)?;
        }
        for played in finding.of_value(None).collect::<Vec<_>>() {
            let after = position.play_indexed(played).ok();
            if let Some(Claimed { outcome, row, .. }) = after.as_ref().and_then(claimed) {
                finding.tell_move(played, outcome.reversed(), &ALL.rows[row].basis)?;
            }
        }
        Ok(())
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        let starts = ALL.rows.iter().filter(|row| row.position.burned() == 0);
        match rules {
            TableRules::Amazons => starts.map(|row| row.position).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::pieces;
    use crate::proof::Reader;
    use std::fs;

    #[test]
    fn every_line_is_read_and_names_a_certificate_of_the_results() {
        let lines = CLAIMS.lines().filter(|line| !line.starts_with('#')).count() - 1;
        assert_eq!(ALL.rows.len(), lines);
        for Row { basis, .. } in &ALL.rows {
            let Basis::Elsewhere { certificate, sha256 } = basis else { panic!("{basis:?}") };
            let path = format!("results/proofs/{certificate}");
            let sums = fs::read_to_string(format!("{path}.sha256"));
            if let Ok(sums) = sums {
                assert_eq!(sums.split_whitespace().next(), Some(&sha256[..]), "{certificate}");
            } else {
                use sha2::Digest;
                let found = sha2::Sha256::digest(fs::read(&path).unwrap());
                let found: String = found.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(&found, sha256, "{certificate}");
            }
        }
    }

    /// Those that are here say so themselves.
    #[test]
    fn what_is_claimed_is_what_the_certificates_claim() {
        let mut here = 0;
        for Row { position, best, basis } in &ALL.rows {
            let Basis::Elsewhere { certificate, .. } = basis else { panic!("{basis:?}") };
            let path = std::path::PathBuf::from(format!("results/proofs/{certificate}"));
            if pieces::are_missing(&path) {
                continue;
            }
            let reader = Reader::new(pieces::open(&path).unwrap()).unwrap();
            let claim = reader.claim();
            let after = best.map(|best| position.play(best).unwrap());
            let is_of_position =
                claim.position == *position && claim.outcome == Outcome::win_if(best.is_some());
            let is_of_next = Some(claim.position) == after && claim.outcome == Outcome::Loss;
            assert!(is_of_position || is_of_next, "{certificate}");
            here += 1;
        }
        assert!(here >= 2, "4x8 and 6x5 are here");
    }

    #[test]
    fn images_of_a_position_have_images_of_its_move() {
        let tell = |position: &Position| {
            let mut finding = Finding::of_moves(position.board(), position.indexed_moves());
            Elsewhere.tell(position, &mut finding).unwrap();
            finding
        };
        let start = Position::start("6x5".parse().unwrap()).unwrap();
        let finding = tell(&start);
        assert_eq!(finding.value(), Some(Outcome::Win));
        let best = finding.of_value(Some(Outcome::Win)).next().unwrap();
        assert_eq!(tell(&start.play_indexed(best).unwrap()).value(), Some(Outcome::Loss));
        let mirrored = start.play("e1-e3/d4".parse().unwrap()).unwrap();
        assert_eq!(tell(&mirrored).value(), Some(Outcome::Loss));
        let refuted = start.play("b1-b4/b3".parse().unwrap()).unwrap();
        assert_eq!(tell(&refuted).value(), Some(Outcome::Win));
        let other = start.play("b1-b2/a1".parse().unwrap()).unwrap();
        assert_eq!(tell(&other).value(), None);
        let lost = Position::start("7x4".parse().unwrap()).unwrap();
        assert_eq!(tell(&lost).value(), Some(Outcome::Loss));
        // A position knows what is claimed of those after its moves, and they what is claimed of it.
        assert_eq!(finding.of_value(Some(Outcome::Loss)).count(), 2, "b1-b4/b3 and its image");
        for played in lost.indexed_moves() {
            assert_eq!(tell(&lost.play_indexed(played).unwrap()).value(), Some(Outcome::Win));
        }
    }
}
