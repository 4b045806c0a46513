//! Merged certificates: one of many is a proof of what they prove together.

use std::collections::HashSet;
use std::io::Cursor;

use amazons::game::Outcome;
use amazons::game::code::{Code, Coder};
use amazons::game::rules::{Bitboards, Colour, Position, Rules};
use amazons::machine::progress::{Observer, StopFlag};
use amazons::proof::check::verify;
use amazons::proof::merge::{MergeError, Merged, least_memory, merge};
use amazons::proof::{CertificateError, Claim, Reader};
use amazons::search::Solver;

use amazons_test_support::proofs::{self, settings, start, written};

/// A certificate of a position, with leaves of `leaf` empty squares.
fn certificate(position: &Position, leaf: u8, walls: bool) -> Vec<u8> {
    written(settings(), *position, leaf, walls).0
}

/// The positions after the moves of another one, one of each set of mirror images.
fn children(position: &Position) -> Vec<Position> {
    let coder = Coder::new(position.board());
    let mut seen = HashSet::new();
    let children = position.moves().map(|played| position.play(played).unwrap());
    children.filter(|child| seen.insert(coder.code(&child.bitboards().unwrap()))).collect()
}

fn merged_with(
    position: &Position,
    pieces: &[Vec<u8>],
    leaf: Option<u8>,
    memory: u64,
) -> Result<(Vec<u8>, Merged), MergeError> {
    let readers = pieces.iter().map(|bytes| Reader::new(Cursor::new(bytes)).unwrap()).collect();
    let mut out = Vec::new();
    merge(position, readers, leaf, &mut out, memory, &(), &StopFlag::new())
        .map(|merged| (out, merged))
}

fn merged_within(
    position: &Position,
    pieces: &[Vec<u8>],
    memory: u64,
) -> Result<(Vec<u8>, Merged), MergeError> {
    merged_with(position, pieces, None, memory)
}

fn merged(position: &Position, pieces: &[Vec<u8>]) -> Result<(Vec<u8>, Merged), MergeError> {
    merged_within(position, pieces, 1 << 30)
}

fn claim(bytes: &[u8]) -> Claim {
    verify(|| Ok(Cursor::new(bytes)), 1 << 30, &(), &StopFlag::new()).unwrap().0
}

/// The positions that a certificate lists, each with its burned squares and its move.
fn listed(bytes: &[u8]) -> Vec<(usize, Code, u32)> {
    let frames = proofs::listed(bytes).into_iter();
    frames
        .flat_map(|(arrows, positions)| {
            positions.into_iter().map(move |(code, played)| (arrows, code, played))
        })
        .collect()
}

#[test]
fn the_certificates_after_all_moves_make_one_of_the_position() {
    let mut common = 0;
    for (board, leaf, walls) in [("4x4", 2, false), ("4x4", 2, true), ("4x5", 6, false)] {
        let position = start(board);
        let pieces: Vec<Vec<u8>> =
            children(&position).iter().map(|child| certificate(child, leaf, walls)).collect();
        let (bytes, merged) = merged(&position, &pieces).unwrap();
        let expected = Claim { position, outcome: Outcome::Loss, leaf, walls };
        assert_eq!((merged.claim, claim(&bytes)), (expected, expected), "{board}");
        let lists: Vec<_> = pieces.iter().flat_map(|bytes| listed(bytes)).collect();
        assert_eq!(merged.read, lists.len() as u64);
        let of_merged = listed(&bytes);
        assert_eq!(merged.listed, of_merged.len() as u64);
        assert!(merged.listed > 0, "{board}");
        common += merged.read - merged.listed;
        let lists: HashSet<_> = lists.into_iter().collect();
        assert!(of_merged.iter().all(|position| lists.contains(position)), "{board}");
    }
    assert!(common > 1000, "only {common} positions are listed twice or left out");
}

/// What the winner's moves do not lead to is left out, and merging again changes nothing.
#[test]
fn one_certificate_alone_is_rid_of_what_nothing_leads_to() {
    let position = start("5x4");
    let bytes = certificate(&position, 6, false);
    let (again, all) = merged(&position, std::slice::from_ref(&bytes)).unwrap();
    assert_eq!((&again, all.listed), (&bytes, all.read));
    // A part of it, for the position after the first move and an answer, has no use for the rest.
    let coder = Coder::new(position.board());
    let rules = Rules::new(position.board()).unwrap();
    let (_, code, played) = listed(&bytes)[0];
    // The number of a move counts those of the image that the code spells out.
    let bitboards = coder.position(code).unwrap();
    assert_eq!(code, coder.code(&position.bitboards().unwrap()));
    let position = Position::new(position.board(), &bitboards, position.turn()).unwrap();
    let played = rules.moves(&bitboards)[played as usize];
    let after = position.play_indexed(played).unwrap();
    let answer = after.play(after.moves().next().unwrap()).unwrap();
    let (part, merged) = merged(&answer, std::slice::from_ref(&bytes)).unwrap();
    assert!(merged.listed < merged.read / 10 && merged.listed > 0, "{merged:?}");
    assert_eq!(claim(&part).position, answer);
    // And the position before its answers, in which the other side is to move.
    let (part, merged) = self::merged(&after, &[bytes]).unwrap();
    assert_eq!((claim(&part).outcome, merged.listed), (Outcome::Loss, all.listed - 1));
}

/// A certificate that lists these positions and no others.
fn listing(claim: &Claim, positions: &[(usize, Code, u32)]) -> Vec<u8> {
    let frames: Vec<_> =
        positions.iter().map(|&(arrows, code, played)| (arrows, vec![(code, played)])).collect();
    proofs::write(claim, &frames)
}

/// Of two moves for one position the first file's is taken, whatever either would need.
#[test]
fn the_first_file_decides_between_two_moves() {
    // White wins 5x4 by two first moves. All answers to a move have 10 empty squares.
    let position = start("5x4");
    let claim_of = |leaf| Claim { position, outcome: Outcome::Win, leaf, walls: false };
    let coder = Coder::new(position.board());
    let code = coder.code(&position.bitboards().unwrap());
    let image = coder.position(code).unwrap();
    let rules = Rules::new(position.board()).unwrap();
    let mut solver = Solver::new(position.board(), settings(), StopFlag::new()).unwrap();
    let mut wins = |after: &Bitboards| {
        let after = Position::new(position.board(), after, Colour::Black).unwrap();
        solver.solve(&after).unwrap().unwrap() == Outcome::Loss
    };
    let moves = rules.moves(&image).into_iter().enumerate();
    let winning: Vec<u32> = moves
        .filter(|&(_, played)| wins(&rules.play_unchecked(&image, played)))
        .map(|(number, _)| number as u32)
        .collect();
    let [one, other] = [winning[0], winning[1]];
    let pieces = [one, other].map(|played| listing(&claim_of(10), &[(0, code, played)]));
    for (pieces, expected) in [([&pieces[0], &pieces[1]], one), ([&pieces[1], &pieces[0]], other)] {
        let (bytes, merged) = merged(&position, &pieces.map(Vec::clone)).unwrap();
        assert_eq!(listed(&bytes), [(0, code, expected)]);
        assert_eq!((merged.read, claim(&bytes)), (2, claim_of(10)));
    }
}

/// Leaves and walls are those of all pieces together.
#[test]
fn certificates_of_different_kinds_are_merged() {
    let position = start("5x4");
    let plain = certificate(&position, 5, false);
    let walls = certificate(&position, 7, true);
    for pieces in [[plain.clone(), walls.clone()], [walls, plain]] {
        let (bytes, merged) = merged(&position, &pieces).unwrap();
        let expected = Claim { position, outcome: Outcome::Win, leaf: 7, walls: true };
        assert_eq!((merged.claim, claim(&bytes)), (expected, expected));
    }
}

/// A file with larger leaves lists less of the same strategy, and is as much of a proof.
#[test]
fn leaves_may_be_made_larger_and_not_smaller() {
    let position = start("5x4");
    let pieces = [certificate(&position, 5, false)];
    let with = |leaf| merged_with(&position, &pieces, Some(leaf), 1 << 30);
    let (same, all) = with(5).unwrap();
    assert_eq!((&same, all.claim.leaf), (&pieces[0], 5));
    let (bytes, merged) = with(8).unwrap();
    assert_eq!(claim(&bytes), Claim { leaf: 8, ..all.claim });
    assert!(merged.listed > 0 && merged.listed < all.listed / 2, "{merged:?}");
    let lists: HashSet<_> = listed(&same).into_iter().collect();
    assert!(listed(&bytes).iter().all(|position| lists.contains(position)));
    let refused = with(4);
    assert!(
        matches!(refused, Err(MergeError::LargerLeaves { index: 0, found: 5, expected: 4 })),
        "{refused:?}"
    );
    assert!(matches!(with(13), Err(MergeError::Leaf(13))));
}

/// A file of version 3 is merged into one of version 4, one of another game is refused.
#[test]
fn versions_are_told_apart() {
    let position = start("4x5");
    let bytes = certificate(&position, 7, true);
    let mut old = bytes[..bytes.len() - 33].to_vec();
    old[8] = 3;
    let hash = blake3::hash(&old);
    old.push(b'E');
    old.extend(hash.as_bytes());
    assert_eq!(merged(&position, &[old]).unwrap().0, bytes);
    let other = include_bytes!("../../results/variants/proofs/cowboys-4x6-1v1.proof");
    let refused = Reader::new(Cursor::new(other)).unwrap_err();
    assert!(matches!(refused, CertificateError::OtherGame { .. }), "{refused}");
}

/// Frames do not depend on the memory. With the least the answers to 256 positions are held at
/// once.
#[test]
fn the_same_file_is_written_with_any_memory() {
    let file = include_bytes!("../../results/proofs/4x7.proof").to_vec();
    let position = *Reader::new(Cursor::new(&file)).unwrap().claim();
    let position = position.position;
    let much = merged(&position, std::slice::from_ref(&file)).unwrap();
    assert_eq!(much.1.listed, 11_463);
    assert_eq!(
        much,
        merged_within(&position, std::slice::from_ref(&file), least_memory(1)).unwrap()
    );
    let lists = listed(&file);
    assert!(listed(&much.0) == lists);
    let most = (0..32).map(|tier| lists.iter().filter(|&&(arrows, ..)| arrows == tier).count());
    assert!(most.max() > Some(1000));
    let none = merged_within(&position, &[file], 0);
    assert!(matches!(none, Err(MergeError::Memory { allowed: 0, .. })));
}

/// With all answers left to negamax no file has to list anything, and none says what is true.
#[test]
fn a_position_of_leaves_is_not_claimed_for_the_other_side() {
    let white_wins = certificate(&start("5x4"), 8, false);
    let board = start("5x4").board();
    let fen = "1q*q1/q1*1q/Q1*1Q/1Q*Q1 w";
    let position = amazons::game::notation::parse_fen(fen).unwrap();
    assert_eq!(position.board(), board);
    for turn in [Colour::White, Colour::Black] {
        let bitboards = position.bitboards::<u64>().unwrap();
        let bitboards = if turn == position.turn() { bitboards } else { bitboards.swapped() };
        let position = Position::new(board, &bitboards, turn).unwrap();
        let truth = claim(&certificate(&position, 8, false));
        match (truth.winner(), merged(&position, std::slice::from_ref(&white_wins))) {
            (Colour::White, Ok((bytes, merged))) => {
                assert_eq!((claim(&bytes), merged.listed), (truth, 0));
            }
            (Colour::Black, Err(MergeError::Untrue(Colour::White))) => {}
            (winner, other) => panic!("{winner} wins, {other:?}"),
        }
    }
}

#[test]
fn what_is_missing_is_named() {
    let position = start("4x4");
    let children = children(&position);
    let mut pieces: Vec<Vec<u8>> =
        children.iter().map(|child| certificate(child, 4, false)).collect();
    pieces.truncate(children.len() - 2);
    let coder = Coder::new(position.board());
    match merged(&position, &pieces).unwrap_err() {
        MergeError::Missing { arrows: 1, missing, winner: Colour::Black } => {
            let mut codes: Vec<Code> = missing.iter().map(|at| coder.code(at)).collect();
            let mut expected: Vec<Code> = children[children.len() - 2..]
                .iter()
                .map(|child| coder.code(&child.bitboards().unwrap()))
                .collect();
            codes.sort_unstable();
            expected.sort_unstable();
            assert_eq!(codes, expected);
        }
        other => panic!("{other}"),
    }
}

#[test]
fn certificates_that_do_not_belong_together_are_refused() {
    let (black, white) = (start("4x5"), start("5x4"));
    let [black_wins, white_wins] = [&black, &white].map(|position| certificate(position, 8, false));
    assert!(matches!(merged(&black, &[]), Err(MergeError::Nothing)));
    assert!(matches!(
        merged(&white, &[white_wins.clone(), black_wins.clone()]),
        Err(MergeError::OtherBoard { index: 1, .. })
    ));
    // The start of 4x4 is lost for whoever is to move.
    let white = start("4x4");
    let black = Position::new(white.board(), &white.bitboards::<u64>().unwrap(), Colour::Black);
    let both = [&white, &black.unwrap()].map(|position| certificate(position, 3, false));
    assert!(matches!(
        merged(&white, &both),
        Err(MergeError::OtherWinner { index: 1, found: Colour::White, expected: Colour::Black })
    ));
}

#[test]
fn a_damaged_certificate_is_refused_wherever_the_damage_is() {
    let position = start("5x4");
    let bytes = certificate(&position, 7, false);
    for at in [100, bytes.len() / 2, bytes.len() - 33, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let error = merged(&position, &[bytes.clone(), changed]).unwrap_err();
        let found = matches!(
            error,
            MergeError::Source { index: 1, error: CertificateError::Damaged { .. } }
        );
        assert!(found, "byte {at}: {error}");
    }
}

/// A file with a right hash may still hold nonsense.
#[test]
fn a_move_that_does_not_exist_is_refused() {
    let position = start("5x4");
    let bytes = certificate(&position, 7, false);
    let mut positions = listed(&bytes);
    positions[0].2 = 1 << 20;
    let damaged = listing(&claim(&bytes), &positions);
    let error = merged(&position, &[damaged.clone(), bytes.clone()]).unwrap_err();
    assert!(matches!(error, MergeError::Move { index: 0, number: 1_048_576, .. }), "{error}");
    // Nobody asks the second file for its move.
    assert_eq!(merged(&position, &[bytes.clone(), damaged]).unwrap().0, bytes);
}

#[test]
fn a_position_that_is_missing_further_on_is_told() {
    let position = start("5x4");
    let bytes = certificate(&position, 6, false);
    let mut positions = listed(&bytes);
    let at = positions.iter().rposition(|&(arrows, ..)| arrows == 4).unwrap();
    let (arrows, code, _) = positions.remove(at);
    let missed = Coder::new(position.board()).position(code).unwrap();
    match merged(&position, &[listing(&claim(&bytes), &positions)]).unwrap_err() {
        MergeError::Missing { arrows: found, winner: Colour::White, missing } => {
            assert_eq!((found, missing), (arrows, vec![missed]));
        }
        other => panic!("{other}"),
    }
}

/// Sets a stop when a tier begins.
struct StopsAt(&'static str, StopFlag);

impl Observer for StopsAt {
    fn begin(&self, stage: &str, _: u64, _: &str) {
        if stage.contains(self.0) {
            self.1.stop();
        }
    }
}

#[test]
fn a_stop_ends_a_merge_wherever_it_is() {
    let position = start("5x4");
    let bytes = certificate(&position, 5, false);
    for stage in ["0 arrows", "2 arrows", "4 arrows", "6 arrows"] {
        let observer = StopsAt(stage, StopFlag::new());
        let readers = vec![Reader::new(Cursor::new(&bytes)).unwrap()];
        let merged =
            merge(&position, readers, None, &mut Vec::new(), 1 << 30, &observer, &observer.1);
        assert!(matches!(merged, Err(MergeError::Stopped)), "{stage}: {merged:?}");
    }
}
