//! Certificates of other games: the checker accepts a proof and nothing else.

use std::io::Cursor;

use amazons::game::Outcome;
use amazons::game::variants::{RuleSet, VariantCode, VariantPosition, parse_variant_fen};
use amazons::machine::progress::StopFlag;
use amazons::proof::check::Checked;
use amazons::proof::variants::check::{VariantRefusal, verify_part};
use amazons::proof::variants::{LARGEST_LEAF, Listed, VariantClaim, VariantReader, write};
use amazons::proof::{CertificateError, Part};
use amazons::search::variants::{VariantSolver, VariantStrategyError};

fn check(bytes: &[u8]) -> Result<(VariantClaim, Checked), VariantRefusal> {
    verify_part(|| Ok(Cursor::new(bytes)), Part::WHOLE, 1 << 30, &(), &StopFlag::new())
}

fn start(rules: RuleSet, board: &str, amazons: &str) -> VariantPosition {
    let (board, amazons) = (board.parse().unwrap(), amazons.parse().unwrap());
    VariantPosition::start(rules, board, Some(amazons)).unwrap()
}

/// A claim that is true, and the list of its certificate.
fn proved(position: VariantPosition, leaf: u8, table: u64) -> (VariantClaim, Vec<Listed>) {
    let (board, rules) = (position.board(), position.rules());
    let mut solver = VariantSolver::new(board, rules, table, StopFlag::new()).unwrap();
    let outcome = solver.solve(&position).unwrap().unwrap();
    let claim = VariantClaim { position, outcome, leaf };
    let list = solver.strategy(&claim, 1 << 30).unwrap();
    (claim, list)
}

fn written(claim: &VariantClaim, list: &[Listed]) -> Vec<u8> {
    write(Vec::new(), claim, list).unwrap()
}

/// Games of every kind, won and lost: with captures, leaps, two burned squares, turns, walls.
fn games() -> Vec<VariantPosition> {
    let turns = |rules: RuleSet| RuleSet { turns: "1,2".parse().unwrap(), ..rules };
    let tromazons = parse_variant_fen("1q1/1Q1 w 1 -", RuleSet::TROMAZONS).unwrap();
    let in_a_turn = parse_variant_fen("q**q/qQ1q/Q2Q/1*Q1 b 2+a4,d4", RuleSet::TURNS_134).unwrap();
    vec![
        start(RuleSet::AMAZONS, "4x4", "4v4"),
        start(RuleSet::KILLER, "3x4", "2v2"),
        start(RuleSet::COWBOYS, "4x4", "2v2"),
        start(RuleSet::COWBOYS, "3x5", "2v2"),
        start(RuleSet::PENCIL, "4x4", "2v2"),
        start(RuleSet::PENCIL, "3x4", "4v4"),
        start(RuleSet::TURNS_134, "4x4", "4v4"),
        start(turns(RuleSet::AMAZONS), "3x4", "2v2"),
        start(turns(RuleSet::KILLER), "3x3", "2v2"),
        tromazons,
        in_a_turn,
    ]
}

#[test]
fn proofs_of_every_game_are_accepted() {
    let mut outcomes = [0, 0];
    for position in games() {
        for (leaf, table) in [(LARGEST_LEAF, 1 << 22), (3, 1 << 20)] {
            let (claim, list) = proved(position, leaf, table);
            let bytes = written(&claim, &list);
            let mut reader = VariantReader::new(&bytes[..]).unwrap();
            let mut read = Vec::new();
            while let Some(frame) = reader.frame().unwrap() {
                read.extend(frame);
            }
            assert_eq!((reader.claim(), &read), (&claim, &list));
            let (found, checked) = check(&bytes).unwrap();
            assert_eq!((found, checked.positions), (claim, list.len() as u64));
            outcomes[usize::from(claim.outcome.is_win())] += 1;
        }
    }
    assert!(outcomes.iter().all(|&count| count >= 4), "{outcomes:?}");
}

#[test]
fn a_list_that_lacks_a_position_or_has_another_move_proves_nothing_false() {
    for position in games() {
        let (claim, list) = proved(position, 4, 1 << 22);
        let lie = VariantClaim { outcome: !claim.outcome, ..claim };
        let words = format!("{}", position.rules());
        assert!(
            matches!(check(&written(&lie, &list)), Err(VariantRefusal::NotShown { .. })),
            "{words}"
        );
        let step = list.len().div_ceil(40).max(1);
        let mut refused = 0;
        for at in (0..list.len()).step_by(step) {
            let mut without = list.clone();
            without.remove(at);
            refused += usize::from(check(&written(&claim, &without)).is_err());
            // Said of the other side to move, or with a move that there is not.
            let other = list[at].played.map_or(Some(0), |_| None);
            for played in [other, Some(9_999)] {
                let mut changed = list.clone();
                changed[at].played = played;
                assert!(check(&written(&claim, &changed)).is_err(), "{words} {played:?}");
            }
        }
        // What is not reached need not be listed, and all that the search lists is reached.
        assert_eq!(refused, list.len().div_ceil(step), "{words}");
    }
}

#[test]
fn a_move_that_does_not_win_is_refused() {
    let position = start(RuleSet::COWBOYS, "3x5", "2v2");
    let (claim, list) = proved(position, 4, 1 << 22);
    assert_eq!(claim.outcome, Outcome::Win);
    let mut solver =
        VariantSolver::new(position.board(), position.rules(), 1 << 22, StopFlag::new()).unwrap();
    let moves = solver.solve_moves(&position).unwrap();
    let losing = moves.iter().position(|(_, outcome)| *outcome == Some(Outcome::Loss));
    let losing = Some(losing.expect("not every move wins") as u32);
    let mut refused = 0;
    for at in 0..list.len() {
        // The position with the fewest burned squares is the start, or an image of it.
        if list[at].code.squares.count_ones()
            != list.iter().map(|one| one.code.squares.count_ones()).min().unwrap()
        {
            continue;
        }
        let mut changed = list.clone();
        changed[at].played = losing;
        refused += usize::from(check(&written(&claim, &changed)).is_err());
    }
    assert!(refused > 0);
}

#[test]
fn every_changed_or_missing_byte_is_noticed() {
    let (claim, list) = proved(start(RuleSet::PENCIL, "3x4", "2v2"), 3, 1 << 20);
    let bytes = written(&claim, &list);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(check(&changed).is_err(), "byte {at}");
        assert!(check(&bytes[..at]).is_err(), "{at} bytes");
    }
    assert!(check(&[&bytes[..], b"x"].concat()).is_err());
}

#[test]
fn headers_that_cannot_be_are_refused_with_what_was_expected() {
    let (claim, list) = proved(start(RuleSet::COWBOYS, "3x3", "1v1"), 3, 1 << 20);
    let bytes = written(&claim, &list);
    for (at, byte, words) in [
        (0, b'B', "is not a certificate"),
        (8, 4, "is a certificate of Amazons, expected one of another game"),
        (
            8,
            7,
            "unsupported version of a certificate: expected 1, 3, 4 or 6, or 5 of another game, found 7",
        ),
        (9, 0, "board"),
        (10, 200, "board"),
        (11, 4, "rules"),
        (12, 2, "rules"),
        (13, 3, "rules"),
        (14, 0, "rules"),
        (14, 9, "rules"),
        (15, 0, "rules"),
        (22, 2, "rules"),
        (23, 2, "turn"),
        (24, 2, "claim"),
        (25, LARGEST_LEAF + 1, "room for at most 6 moves, found 7"),
        (41, 1, "position"),
        (42, 1, "position"),
        (58, 1, "position"),
        (66, 0, "position"),
        (67, 1, "position"),
    ] {
        let mut changed = bytes.clone();
        changed[at] = byte;
        let error = VariantReader::new(&changed[..]).unwrap_err();
        assert!(error.to_string().contains(words), "byte {at}: {error}");
    }
    let too_large = VariantClaim { leaf: LARGEST_LEAF + 1, ..claim };
    assert!(write(Vec::new(), &too_large, &list).is_err());
    let too_large = VariantClaim { position: start(RuleSet::KILLER, "10x10", "4v4"), ..claim };
    assert!(write(Vec::new(), &too_large, &[]).is_err());
    let turned: Vec<_> = list.iter().rev().copied().collect();
    assert!(write(Vec::new(), &claim, &turned).is_err());
    assert!(matches!(VariantReader::new(&bytes[..60]), Err(CertificateError::Foreign(_))));
}

#[test]
fn what_is_listed_must_be_positions_and_fit_the_memory() {
    let (claim, list) = proved(start(RuleSet::KILLER, "3x4", "2v2"), 3, 1 << 22);
    let mut image = list.clone();
    let last = *image.last().unwrap();
    // A bit beyond the board.
    let code = VariantCode { squares: last.code.squares | 1 << 100, ..last.code };
    image.push(Listed { code, ..last });
    assert!(matches!(check(&written(&claim, &image)), Err(VariantRefusal::Code(_))));
    let bytes = written(&claim, &list);
    let small = verify_part(|| Ok(&bytes[..]), Part::WHOLE, 1 << 20, &(), &StopFlag::new());
    assert!(matches!(small, Err(VariantRefusal::Memory { allowed: 0, .. })), "{small:?}");
    let stop = StopFlag::new();
    stop.stop();
    assert!(matches!(
        verify_part(|| Ok(&bytes[..]), Part::WHOLE, 1 << 30, &(), &stop),
        Err(VariantRefusal::Stopped)
    ));
}

#[test]
fn a_strategy_that_cannot_be_is_not_written() {
    let position = start(RuleSet::PENCIL, "4x4", "2v2");
    let mut solver =
        VariantSolver::new(position.board(), position.rules(), 1 << 22, StopFlag::new()).unwrap();
    let outcome = solver.solve(&position).unwrap().unwrap();
    let claim = VariantClaim { position, outcome, leaf: 3 };
    let small = solver.strategy(&claim, 1000);
    assert_eq!(small, Err(VariantStrategyError::Memory { allowed: 1000 }));
    let lie = VariantClaim { outcome: !outcome, ..claim };
    assert!(matches!(solver.strategy(&lie, 1 << 30), Err(VariantStrategyError::Untrue(_))));
    let lie = VariantClaim { leaf: u8::MAX, ..lie };
    assert!(matches!(solver.strategy(&lie, 1 << 30), Err(VariantStrategyError::Untrue(_))));
    let other = VariantClaim { position: start(RuleSet::KILLER, "4x4", "2v2"), ..claim };
    assert!(matches!(solver.strategy(&other, 1 << 30), Err(VariantStrategyError::Solver(_))));
    solver.limit(None, 0);
    let mut solver =
        VariantSolver::new(position.board(), position.rules(), 1 << 10, StopFlag::new()).unwrap();
    solver.limit(None, 3);
    assert_eq!(solver.strategy(&claim, 1 << 30), Err(VariantStrategyError::Stopped));
}

#[test]
fn parts_together_are_the_whole_and_one_of_them_finds_what_is_missing() {
    let bytes = include_bytes!("../../results/variants/proofs/pencil-5x5-4v4.proof");
    let mut reader = VariantReader::new(&bytes[..]).unwrap();
    let mut list = Vec::new();
    while let Some(frame) = reader.frame().unwrap() {
        list.extend(frame);
    }
    let claim = *reader.claim();
    assert_eq!(list.len(), 1167);
    let part = |bytes: &[u8], number| {
        let part = Part::new(number, 3).unwrap();
        verify_part(|| Ok(Cursor::new(bytes)), part, 1 << 30, &(), &StopFlag::new())
    };
    let bytes = written(&claim, &list);
    let (_, whole) = check(&bytes).unwrap();
    let parts = [1, 2, 3].map(|number| part(&bytes, number).unwrap().1);
    let sum = |what: fn(&Checked) -> u64| parts.iter().map(what).sum::<u64>();
    assert_eq!(sum(|part| part.positions), whole.positions);
    // Those of the start are met by the first part alone.
    assert_eq!(sum(|part| part.answers), whole.answers);
    assert!(parts.iter().all(|part| part.hash == whole.hash && part.positions > 0));

    // A move that does not exist is found by the part that its position is in.
    for (at, finder) in [(0, 1), (255, 1), (256, 2), (600, 3), (768, 1)] {
        let mut wrong = list.clone();
        wrong[at].played = Some(u32::MAX);
        let bytes = written(&claim, &wrong);
        let refusal = part(&bytes, finder).unwrap_err();
        assert!(matches!(refusal, VariantRefusal::Move { .. }), "{at}: {refusal:?}");
    }
    // Of a claim that the list does not show, the first part, which has the start.
    let lie = VariantClaim { outcome: claim.outcome.reversed(), ..claim };
    let holds = [1, 2, 3].map(|number| part(&written(&lie, &list), number).is_ok());
    assert_eq!(holds, [false, true, true]);
}
