//! Where the games of the family begin.

use super::rule_set::RuleSet;
use crate::game::board::{Bitboard, Board, U512};
use crate::game::rules::{self, Amazons, Colour, Position, Setup, StartError};

/// Starts that the rule files and the recorded games give: the rules, columns and rows, White's
/// amazons, Black's.
const KNOWN: [(RuleSet, usize, [&str; 2]); 8] = [
    (RuleSet::KILLER, 10, ["b1 c1 j2 j3", "a8 a9 h10 i10"]),
    (RuleSet::KILLER, 8, ["b1 c1 h2 h3", "a6 a7 f8 g8"]),
    (RuleSet::KILLER, 6, ["b1 c1 f2 f3", "a4 a5 d6 e6"]),
    (RuleSet::COWBOYS, 9, ["c1 g1 a3 i3", "c9 g9 a7 i7"]),
    (RuleSet::COWBOYS, 8, ["c1 f1 a3 h3", "c8 f8 a6 h6"]),
    (RuleSet::COWBOYS, 7, ["c1 e1 a3 g3", "c7 e7 a5 g5"]),
    (RuleSet::TROMAZONS, 8, ["c8 h6 a3 f1", "f8 a6 h3 c1"]),
    (RuleSet::TURNS_134, 15, ["h2 b4 n4 b12 n12 h14", "d2 l2 b8 n8 d14 l14"]),
];

/// The start position of a game on a board, White to move: the one of its rule file, if there is
/// one for that board, else the one of Amazons. With other numbers of amazons, that of Amazons.
///
/// # Errors
/// [`StartError`] if the amazons do not fit.
pub fn variant_start(
    rules: RuleSet,
    board: Board,
    amazons: Option<Amazons>,
) -> Result<Position, StartError> {
    // The turns matter to a game that has them only.
    let alike = |known: &RuleSet| {
        (known.step, known.origin, known.shot) == (rules.step, rules.origin, rules.shot)
            && (known.turns.is_single() || known.turns == rules.turns)
    };
    let known = KNOWN
        .iter()
        .find(|(known, side, _)| alike(known) && (board.columns(), board.rows()) == (*side, *side));
    let known = known.map(|(_, _, sides)| sides.map(|names| squares(board, names)));
    let has_asked = |[white, black]: &[Bitboard<U512>; 2]| {
        amazons.is_none_or(|asked| asked == Amazons { white: white.len(), black: black.len() })
    };
    match known.filter(has_asked) {
        Some([white, black]) => {
            let setup = Setup { board, white, black, arrows: Bitboard::EMPTY, turn: Colour::White };
            Ok(setup.check().expect("the starts of the rule files are positions"))
        }
        None => {
            amazons.map_or_else(|| rules::start(board), |amazons| rules::start_with(board, amazons))
        }
    }
}

fn squares(board: Board, names: &str) -> Bitboard<U512> {
    let square = |name| crate::game::notation::parse_square(board, name);
    names.split(' ').map(|name| square(name).expect("a square of the board")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::fen;

    #[test]
    fn starts_are_those_of_the_rule_files() {
        let start =
            |rules, board: &str| fen(&variant_start(rules, board.parse().unwrap(), None).unwrap());
        for (rules, board, expected) in [
            (RuleSet::KILLER, "6x6", "3qq1/q5/q5/5Q/5Q/1QQ3 w"),
            (RuleSet::KILLER, "5x5", "1q1q1/q3q/5/Q3Q/1Q1Q1 w"),
            (RuleSet::COWBOYS, "8x8", "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w"),
            (RuleSet::TROMAZONS, "8x8", "2Q2q2/8/q6Q/8/8/Q6q/8/2q2Q2 w"),
            (RuleSet::AMAZONS, "8x8", "1q4q1/q6q/8/8/8/8/Q6Q/1Q4Q1 w"),
            (
                RuleSet::AMAZONS,
                "15x15",
                "1q11q1/q13q/15/15/15/15/15/15/15/15/15/15/15/Q13Q/1Q11Q1 w",
            ),
            (
                RuleSet::TURNS_134,
                "15x15",
                "15/3q3Q3q3/15/1Q11Q1/15/15/15/1q11q1/15/15/15/1Q11Q1/15/3q3Q3q3/15 w",
            ),
        ] {
            assert_eq!(start(rules, board), expected);
        }
        for (rules, side, sides) in KNOWN {
            let board = Board::new(side, side).unwrap();
            let start = variant_start(rules, board, None).unwrap();
            let amazons = sides.map(|names| names.split(' ').count());
            assert_eq!([start.sides().white, start.sides().black], amazons, "{sides:?}");
        }
    }
}
