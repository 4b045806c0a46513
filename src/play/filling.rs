//! The decided endgame: when no empty square is within reach of both sides, each only fills its
//! own.
//!
//! Who has more moves left wins, so the one thing to do is to waste none, won or lost: what is left
//! at the end is the score. Amazons of both sides may still touch; then those that stand as walls
//! must not give away what is behind them. The bounds of the partition know that
//! ([`crate::theory::region::partition`]).

use super::board_data::BoardData;
use super::score::Score;
use crate::game::board::{Bitboard, Word};
use crate::game::rules::{Bitboards, IndexedMove};
use crate::theory::region::partition::partition;
use crate::theory::region::{Allowance, Lead, Territories};

/// Bytes of longest plays beyond which they are forgotten.
const MOST_BYTES: u64 = 2 << 20;

/// The longest plays found so far.
#[derive(Debug, Default)]
pub(super) struct Filling {
    territories: Territories,
    /// What may be searched for longest plays before the next move is chosen.
    allowance: Allowance,
}

impl Filling {
    /// The best move of a decided position and its score; `None` if something is still contested,
    /// walls leave open who wins, or nobody can move.
    pub(super) fn choose<W: Word>(
        &mut self,
        data: &BoardData<W>,
        position: &Bitboards<W>,
    ) -> Option<(IndexedMove, Score)> {
        if !is_decided(data, position) {
            return None;
        }
        if self.territories.bytes() > MOST_BYTES {
            self.territories = Territories::new();
        }
        self.allowance = Allowance::default();
        let now = self.lead(data, position);
        let mut best: Option<(IndexedMove, i32)> = None;
        for played in data.rules.moves(position) {
            let after = data.rules.play_unchecked(position, played);
            // The position after the move is seen by the other side.
            let least = -self.lead(data, &after).most;
            if best.is_none_or(|(_, sure)| least > sure) {
                best = Some((played, least));
            }
            // The first move that wastes nothing will do.
            if least + 1 >= now.most {
                break;
            }
        }
        let (played, sure) = best?;
        let score = match () {
            // The other side, to move, is not ahead.
            () if sure >= 0 => Score::WIN,
            () if now.most <= 0 => Score::LOSS,
            // Whoever must open a wall first may decide the game: that is left to a search.
            () if touch(data, position) => return None,
            () => Score::lead(100 * (sure + 1)),
        };
        Some((played, score))
    }

    /// The lead of the side to move.
    pub(super) fn lead<W: Word>(&self, data: &BoardData<W>, position: &Bitboards<W>) -> Lead {
        let (mover, opponent) = (position.mover, position.opponent);
        let empty = position.empty(data.board());
        let (plays, allowance) = (&self.territories, &self.allowance);
        Lead::of(&partition(&data.kings, plays, allowance, mover, opponent, empty))
    }
}

/// Whether no empty square is within reach of both sides.
fn is_decided<W: Word>(data: &BoardData<W>, position: &Bitboards<W>) -> bool {
    let empty = position.empty(data.board());
    let reached = |amazons: Bitboard<W>| data.kings.flood(amazons, empty) & empty;
    !reached(position.mover).intersects(reached(position.opponent))
}

/// Whether some part of the board has amazons of both sides.
fn touch<W: Word>(data: &BoardData<W>, position: &Bitboards<W>) -> bool {
    let cells = data.board().all::<W>().without(position.arrows);
    data.kings.flood(position.mover, cells).intersects(position.opponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::game::board::Board;
    use crate::game::naive::NaiveSolver;
    use crate::game::notation::{move_text, parse_fen, play_text};
    use crate::game::rules::{Colour, Position, Rules};
    use proptest::prelude::*;

    /// The finished game of Wikipedia's article: White has just moved f1-e2/f1. White has 8 moves
    /// left, Black 31; the amazons on d1 and e2 touch.
    const FINISHED: &str = "*2q*2*2/1***1*2*1/**Q*******/2***Q2*Q/2*1******/1***q*1*2/1**2**3/\
                            **1*****2/**1*Q**3/2*q**q2* b";

    #[test]
    fn the_finished_game_is_played_to_its_score() {
        let mut position: Position = parse_fen(FINISHED).unwrap();
        let data = BoardData::<u128>::new(position.board()).unwrap();
        let mut filling = Filling::default();
        let plain = |position: &Position| position.bitboards().unwrap();
        assert_eq!(filling.lead(&data, &plain(&position)), Lead { least: 23, most: 23 });
        let mut moves = 0;
        while let Some((played, score)) = filling.choose(&data, &plain(&position)) {
            let wins = position.turn() == Colour::Black;
            assert_eq!(score, if wins { Score::WIN } else { Score::LOSS });
            let text = move_text(position.board(), played);
            position = play_text(&position, &text).unwrap().1;
            moves += 1;
        }
        // Black's nine and White's eight; what Black has left is its score, less its own move.
        assert_eq!((moves, position.turn()), (17, Colour::White));
        assert_eq!(filling.lead(&data, &plain(&position)), Lead { least: -22, most: -22 });
    }

    #[test]
    fn a_wall_is_not_given_away() {
        // d1-c2/b1 wins too, but lets White in behind it.
        let position = parse_fen(FINISHED).unwrap();
        let data = BoardData::<u128>::new(position.board()).unwrap();
        let after = play_text(&position, "d1-c2/b1").unwrap().1;
        let lead = Filling::default().lead(&data, &after.bitboards().unwrap());
        assert!(-lead.most < 22, "{lead:?}");
    }

    proptest! {
        #[test]
        fn what_it_says_of_decided_positions_is_true(
            sets: [u64; 6], columns in 2..=4usize, rows in 2..=4usize,
        ) {
            let board = Board::new(columns, rows).unwrap();
            let data = BoardData::<u64>::new(board).unwrap();
            let set = |at: usize| Bitboard::from_word(sets[at] & sets[at + 1]) & board.all();
            let mover = set(0);
            let opponent = set(1).without(mover);
            let burned = Bitboard::from_word(sets[3] | sets[4] & sets[5]) & board.all();
            let position = Bitboards { mover, opponent, arrows: burned.without(mover | opponent) };
            let Some((played, score)) = Filling::default().choose(&data, &position) else {
                return Ok(());
            };
            let mut naive = NaiveSolver::new(Rules::<u64>::new(board).unwrap());
            let outcome = naive.outcome(&position);
            prop_assert!(score.proven().is_none_or(|claimed| claimed == outcome));
            if outcome == Outcome::Win {
                let after = data.rules.play_unchecked(&position, played);
                prop_assert_eq!(naive.outcome(&after), Outcome::Loss);
            }
        }
    }
}
