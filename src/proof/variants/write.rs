//! Writing a certificate of another game.

use std::io::{self, Write};

use super::{
    HEADER, LARGEST_LEAF, Listed, MAGIC, ORIGINS, SHOTS, STEPS, VERSION, VariantClaim, parts,
};
use crate::game::rules::Colour;
use crate::game::variants::VariantCoder;
use crate::machine::framed::{FramedWriter, MOST_ITEMS};
use crate::machine::varint;

/// How hard zstd tries.
const LEVEL: i32 = 9;

/// Writes a certificate to `out`. The positions are in the order of their codes, each once.
///
/// # Errors
/// If `out` does not take it, the board has more than 64 squares, the leaves have more room than
/// [`LARGEST_LEAF`], the positions are not in order, or one has walls or a turn that the game does
/// not have.
pub fn write<W: Write>(out: W, claim: &VariantClaim, listed: &[Listed]) -> io::Result<W> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    let header = header(claim).filter(|_| claim.leaf <= LARGEST_LEAF).ok_or_else(invalid)?;
    let (walls, turns) = parts(claim.position.rules());
    let fits = |&Listed { code, .. }: &Listed| {
        (walls || code.walls == 0) && (turns || (code.moved, code.turn) == (0, [1, 0]))
    };
    if !listed.is_sorted_by(|one, next| one.code < next.code) || !listed.iter().all(fits) {
        return Err(invalid());
    }
    write_listed(out, &header, claim, listed)
}

/// Writes what is in order and fits.
fn write_listed<W: Write>(
    out: W,
    header: &[u8],
    claim: &VariantClaim,
    listed: &[Listed],
) -> io::Result<W> {
    let (walls, turns) = parts(claim.position.rules());
    let mut frames = FramedWriter::begin(out, header, LEVEL)?;
    for frame in listed.chunks(MOST_ITEMS) {
        let (mut bytes, mut before) = (Vec::new(), 0);
        for Listed { code, played } in frame {
            varint::push(&mut bytes, code.squares - before);
            before = code.squares;
            if walls {
                varint::push(&mut bytes, code.walls);
            }
            if turns {
                varint::push(&mut bytes, code.moved.into());
                code.turn.iter().for_each(|&part| varint::push(&mut bytes, part.into()));
            }
            varint::push(&mut bytes, played.map_or(0, |number| u128::from(number) + 1));
        }
        frames.frame(&[], frame.len(), &bytes)?;
    }
    frames.end()
}

fn header(claim: &VariantClaim) -> Option<Vec<u8>> {
    let VariantClaim { position, outcome, leaf } = claim;
    let (board, rules) = (position.board(), position.rules());
    let state = position.state()?;
    let code = VariantCoder::new(board, rules).plain(&state);
    let step = STEPS.iter().position(|step| *step == rules.step)?;
    let origin = ORIGINS.iter().position(|origin| *origin == rules.origin)?;
    let shot = SHOTS.iter().position(|shot| *shot == rules.shot)?;
    let mut header = MAGIC.to_vec();
    header.extend([VERSION, board.columns() as u8, board.rows() as u8]);
    header.extend([step, origin, shot].map(|choice| choice as u8));
    header.push(rules.turns.count());
    header.extend((1..=8).map(|number| rules.turns.length(number)));
    header.push(u8::from(position.turn() == Colour::Black));
    header.extend([u8::from(outcome.is_win()), *leaf]);
    header.extend(code.squares.to_le_bytes());
    header.extend(code.walls.to_le_bytes());
    header.extend(code.moved.to_le_bytes());
    header.extend(code.turn);
    debug_assert_eq!(header.len(), HEADER);
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::game::rules::Amazons;
    use crate::game::variants::{RuleSet, VariantPosition};
    use crate::proof::variants::VariantReader;

    #[test]
    fn a_position_that_is_there_twice_is_neither_written_nor_read() {
        let amazons = Amazons { white: 2, black: 2 };
        let board = "3x4".parse().unwrap();
        let position = VariantPosition::start(RuleSet::KILLER, board, Some(amazons)).unwrap();
        let claim = VariantClaim { position, outcome: Outcome::Win, leaf: 0 };
        let code = VariantCoder::new(board, RuleSet::KILLER).plain(&position.state().unwrap());
        let listed = [Listed { code, played: Some(0) }; 2];
        let frames = |listed: &[Listed]| {
            let bytes = write_listed(Vec::new(), &header(&claim).unwrap(), &claim, listed).unwrap();
            VariantReader::new(&bytes[..]).unwrap().frame().map(|frame| frame.unwrap().len())
        };
        assert_eq!(frames(&listed[..1]).unwrap(), 1);
        assert!(frames(&listed).is_err());
        assert!(write(Vec::new(), &claim, &listed[..1]).is_ok());
        assert!(write(Vec::new(), &claim, &listed).is_err());
    }
}
