//! The naive solver against the exhaustive counts of two other programs: every placement over every
//! arrow set.

use amazons::game::board::{Bitboard, Board, SquareIndex};
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Bitboards, Rules};

use amazons_test_support::counts::counts;
use amazons_test_support::long::long_tests;

/// The most positions of one board, from the fullest tier down, that are counted; the long tests
/// count more.
fn most() -> u64 {
    if long_tests() { 10_000_000 } else { 500_000 }
}

/// Calls `visit` for every way to put so many amazons and arrows on the squares from `square` on.
fn fill(
    square: usize,
    squares: usize,
    left: [usize; 3],
    position: Bitboards,
    visit: &mut impl FnMut(&Bitboards),
) {
    if left.iter().sum::<usize>() > squares - square {
        return;
    }
    if square == squares {
        return visit(&position);
    }
    fill(square + 1, squares, left, position, visit);
    for kind in (0..3).filter(|&kind| left[kind] > 0) {
        let (mut left, mut position) = (left, position);
        left[kind] -= 1;
        let sets = [&mut position.mover, &mut position.opponent, &mut position.arrows];
        *sets[kind] |= Bitboard::of(SquareIndex::new(square as u16));
        fill(square + 1, squares, left, position, visit);
    }
}

#[test]
fn naive_counts_equal_the_exhaustive_ones() {
    let tiers = counts();
    let (mut checked, mut of_board, mut solver) = (0, 0, None);
    // The fullest tier of each board first, so that the solver knows the positions after every
    // move.
    for (index, tier) in tiers.iter().enumerate().rev() {
        let same_board = tiers
            .get(index + 1)
            .is_some_and(|next| (next.board, next.mover) == (tier.board, tier.mover));
        if !same_board {
            (of_board, solver) = (0, None);
        }
        of_board += tier.positions;
        if of_board > most() {
            continue;
        }
        let board: Board = tier.board.parse().unwrap();
        let solver =
            solver.get_or_insert_with(|| NaiveSolver::new(Rules::<u64>::new(board).unwrap()));
        let (mut positions, mut wins) = (0, 0);
        let nothing = Bitboards {
            mover: Bitboard::EMPTY,
            opponent: Bitboard::EMPTY,
            arrows: Bitboard::EMPTY,
        };
        fill(
            0,
            board.squares(),
            [tier.mover, tier.opponent, tier.arrows],
            nothing,
            &mut |position| {
                positions += 1;
                wins += u64::from(solver.outcome(position).is_win());
            },
        );
        let name =
            format!("{} {}v{} with {} arrows", tier.board, tier.mover, tier.opponent, tier.arrows);
        assert_eq!((positions, wins), (tier.positions, tier.wins), "{name}");
        checked += 1;
    }
    assert!(checked >= 30, "only {checked} tiers were counted");
}
