//! Certificates of late positions of boards of more than 64 squares.

use std::io::Cursor;

use amazons::game::Outcome;
use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Position, Rules};
use amazons::machine::progress::StopFlag;
use amazons::proof::check::{Checked, Refusal, verify, verify_part};
use amazons::proof::merge::{MergeError, merge};
use amazons::proof::{
    CertificateError, CertificateLookupError, CertificateStrategy, Claim, PackedCertificate, Part,
    Reader, look_up,
};
use amazons::search::{StrategyError, write_certificate};
use amazons_test_support::endgames::endgames;
use amazons_test_support::long::long_tests;
use amazons_test_support::proofs::{listed, write};
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};

use crate::endgames::{endgame, late_position};

fn check(bytes: &[u8]) -> Result<(Claim, Checked), Refusal> {
    verify(|| Ok(Cursor::new(bytes)), 1 << 26, &(), &StopFlag::new())
}

/// A certificate of a position, and what it claims.
fn certificate(position: &Position, leaf: u8, walls: bool) -> (Vec<u8>, Claim) {
    let mut solver = endgame(position);
    let outcome = solver.solve(position).unwrap().unwrap();
    let claim = Claim { position: *position, outcome, leaf, walls };
    let mut bytes = Vec::new();
    write_certificate(&mut solver, &claim, &mut bytes, &()).unwrap();
    (bytes, claim)
}

/// A position that White, to move, loses, and the one after White's first move, which Black wins.
/// Of other endgames a proof takes minutes.
fn lost_and_won() -> [Position; 2] {
    let lost = endgames()[0].position();
    let played = lost.moves().next().unwrap();
    [lost, lost.play(played).unwrap()]
}

/// Where the version and the byte for the wall rule stand, and where the header ends.
const VERSION: usize = 8;
const WALLS: usize = 14;
const HEADER: usize = 63;

#[test]
fn proofs_of_both_sides_are_accepted_and_damaged_ones_are_not() {
    for (position, outcome) in lost_and_won().into_iter().zip([Outcome::Loss, Outcome::Win]) {
        let (bytes, claim) = certificate(&position, 11, true);
        assert_eq!((bytes[VERSION], bytes[WALLS], claim.outcome), (6, 1, outcome));
        let (read, checked) = check(&bytes).unwrap();
        assert_eq!(read, claim);
        let lists = listed(&bytes);
        let positions: usize = lists.iter().map(|(_, list)| list.len()).sum();
        assert!(positions > 0 && checked.positions == positions as u64, "{positions}");
        let parts = [1, 2].map(|part| {
            let part = Part::new(part, 2).unwrap();
            let open = || Ok(Cursor::new(&bytes));
            verify_part(open, part, 1 << 26, &(), &StopFlag::new()).unwrap().1
        });
        assert_eq!(parts[0].answers + parts[1].answers, checked.answers);

        // Every listed position is needed, and its move.
        let (arrows, list) = &lists[0];
        let mut less = lists.clone();
        less[0].1.remove(list.len() / 2);
        let refusal = check(&write(&claim, &less)).unwrap_err();
        assert!(matches!(refusal, Refusal::Uncovered { .. }), "{refusal}");
        let missing = refusal.position().unwrap();
        assert!(Position::new(claim.board(), &missing, claim.winner()).is_ok());
        let mut other = lists.clone();
        other[0].1[0].1 = 1 << 20;
        let refusal = check(&write(&claim, &other)).unwrap_err();
        assert!(matches!(refusal, Refusal::Move { number: 1_048_576, .. }), "{refusal}");
        let mut moved = lists.clone();
        moved[0].0 = arrows + 2;
        assert!(check(&write(&claim, &moved)).is_err());

        // The other side does not win.
        let outcome = !claim.outcome;
        let untrue = Claim { outcome, ..claim };
        assert!(check(&write(&untrue, &lists)).is_err());
        let error = write_certificate(&mut endgame(&claim.position), &untrue, Vec::new(), &());
        assert!(matches!(error, Err(StrategyError::Untrue(_))), "{error:?}");
    }
}

#[test]
fn every_changed_byte_is_refused() {
    let (bytes, _) = certificate(&endgames()[0].position(), 12, true);
    let step = if long_tests() { 1 } else { 13 };
    for at in (0..HEADER).chain((HEADER..bytes.len()).step_by(step)) {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert!(check(&changed).is_err(), "byte {at}");
    }
}

/// The header of a file with nothing listed, with another byte.
fn header_with(claim: &Claim, at: usize, byte: u8) -> CertificateError {
    let mut bytes = write(claim, &[]);
    bytes[at] = byte;
    Reader::new(Cursor::new(bytes)).unwrap_err()
}

#[test]
fn a_header_that_cannot_be_is_refused_with_the_reason() {
    let position = endgames()[0].position();
    let claim = Claim { position, outcome: Outcome::Loss, leaf: 4, walls: false };
    assert!(matches!(header_with(&claim, VERSION, 7), CertificateError::Version(7)));
    for (at, byte, words) in [
        (VERSION, 4, "version 4 is of boards of at most 64 squares, found 10x10"),
        (VERSION + 1, 6, "expected a board of more than 64 squares"),
        (WALLS, 2, "0 or 1 for the wall rule, found 10x10 and 2"),
        (11, 2, "expected 0 or 1 for the side to move, found 2"),
        (HEADER - 1, 1, "are not on 10x10"),
    ] {
        let error = header_with(&claim, at, byte).to_string();
        assert!(error.contains(words), "{at}: {error}");
    }
    let short = &write(&claim, &[])[..HEADER - 1];
    assert!(Reader::new(short).is_err());
    let start = Position::start("10x10".parse().unwrap()).unwrap();
    let error = Reader::new(&write(&Claim { position: start, ..claim }, &[])[..]).unwrap_err();
    assert!(error.to_string().contains("100 squares of 10x10 are not burned"), "{error}");
}

#[test]
fn files_that_list_nothing_hold_where_they_are_true() {
    let mut random = StdRng::seed_from_u64(64);
    let (mut held, mut by_walls) = (0, 0);
    let count = if long_tests() { 3000 } else { 200 };
    for _ in 0..count {
        let board = Board::new(random.random_range(7..=10), 10).unwrap();
        let position = late_position(board, random.random_range(9..=14), &mut random);
        let mut naive = NaiveSolver::new(Rules::<u128>::new(board).unwrap());
        let truth = naive.outcome(&position.bitboards().unwrap());
        for (outcome, walls, leaf) in [
            (Outcome::Win, false, 12),
            (Outcome::Loss, false, 12),
            (Outcome::Win, true, 0),
            (Outcome::Loss, true, 0),
        ] {
            let holds = check(&write(&Claim { position, outcome, leaf, walls }, &[])).is_ok();
            assert!(!holds || outcome == truth, "{position} {outcome:?}");
            assert!(walls || holds == (outcome == truth), "{position} {outcome:?}");
            held += u64::from(holds && !walls);
            by_walls += u64::from(holds && walls);
        }
    }
    assert!(
        held == count && by_walls > count / 3,
        "{held}, {by_walls} of {count} by the wall rule"
    );
}

#[test]
fn the_strategy_of_a_certificate_wins_every_game() {
    let (bytes, claim) = certificate(&lost_and_won()[1], 11, true);
    let packed = PackedCertificate::new(bytes.clone().into()).unwrap();
    let (mut random, stop) = (StdRng::seed_from_u64(7), StopFlag::new());
    for _ in 0..8 {
        let mut position = claim.position;
        loop {
            let answer = packed.look_up(&position, 9, &stop).unwrap();
            let told = look_up(&bytes[..], &[position], &stop).unwrap().remove(0).unwrap();
            assert_eq!(answer.strategy, told.strategy, "{position}");
            let CertificateStrategy::Win(played) = answer.strategy else {
                panic!("{position}: lost")
            };
            // Where the wall rule names none, any move that keeps the win does.
            let played = played.unwrap_or_else(|| {
                endgame(&position).best_move(&position).unwrap().expect("it is won")
            });
            position = position.play(played).unwrap();
            let Some(answer) = position.moves().choose(&mut random) else { break };
            position = position.play(answer).unwrap();
        }
    }
    let start = Position::start("10x10".parse().unwrap()).unwrap();
    let error = packed.look_up(&start, 9, &stop).unwrap_err();
    assert!(matches!(error, CertificateLookupError::Unknown { .. }), "{error}");
}

#[test]
fn certificates_of_large_boards_are_not_merged() {
    let (bytes, claim) = certificate(&endgames()[0].position(), 11, true);
    let sources = vec![Reader::new(Cursor::new(bytes)).unwrap()];
    let (position, memory) = (claim.position, 1 << 26);
    let error = merge(&position, sources, None, Vec::new(), memory, &(), &StopFlag::new());
    let error = error.unwrap_err();
    assert!(matches!(error, MergeError::LargeBoard(_)), "{error}");
}
