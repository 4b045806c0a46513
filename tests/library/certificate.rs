//! Certificates: the checker accepts a proof and nothing else.

use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use amazons::game::Outcome;
use amazons::game::board::{Bitboard, Symmetry};
use amazons::game::code::{Code, Coder};
use amazons::game::notation::parse_fen;
use amazons::game::rules::{Bitboards, Colour, Position, Setup};
use amazons::machine::progress::StopFlag;
use amazons::proof::check::{Checked, Refusal, verify, verify_part};
use amazons::proof::{CertificateError, Claim, LARGEST_LEAF, Part, Reader, Writer};
use amazons::search::{Settings, Solver, StrategyError, write_certificate};

use amazons_test_support::proofs::{listed, settings, start, write, written};

fn check(bytes: &[u8], memory: u64) -> Result<(Claim, Checked), Refusal> {
    verify(|| Ok(Cursor::new(bytes)), memory, &(), &StopFlag::new())
}

/// A certificate of a position, with leaves of `leaf` empty squares.
/// Where a proof fails, on a board of at most 64 squares.
fn refused_at(refusal: &Refusal) -> Option<Bitboards<u64>> {
    refusal.position().and_then(|position| position.resize())
}

fn certificate(position: Position, leaf: u8) -> (Vec<u8>, Claim) {
    certificate_by(settings(), position, leaf)
}

fn certificate_by(settings: Settings, position: Position, leaf: u8) -> (Vec<u8>, Claim) {
    written(settings, position, leaf, false)
}

#[test]
fn proofs_of_both_sides_are_accepted() {
    let black = parse_fen("1qq1/q2q/Q2Q/1QQ1 b").unwrap();
    for (position, leaf, listed) in [
        (start("4x4"), 5, true),
        (start("5x4"), 7, true),
        (start("4x4"), 8, false),
        (black, 4, true),
    ] {
        let (bytes, claim) = certificate(position, leaf);
        let (found, checked) = check(&bytes, 1 << 30).unwrap();
        assert_eq!(found, claim);
        assert_eq!(checked.positions > 0, listed);
        assert!(checked.answers > 0);
    }
}

#[test]
fn what_the_wall_rule_decides_need_not_be_listed() {
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    for (board, leaf) in [("4x4", 0), ("4x4", 5), ("5x4", 0), ("5x4", 7), ("4x5", 8)] {
        let (bytes, claim) = written(settings, start(board), leaf, true);
        let (found, checked) = check(&bytes, 1 << 30).unwrap();
        assert!(found == claim && found.walls && checked.positions > 0, "{board} {leaf}");
        // With leaves of no square, who does not trust the rule finds positions missing.
        let distrusted = check(&write(&Claim { walls: false, ..claim }, &listed(&bytes)), 1 << 30);
        assert!(leaf > 0 || matches!(distrusted, Err(Refusal::Uncovered { .. })), "{board}");
    }
}

#[test]
fn a_file_of_the_first_version_with_the_wall_rule_is_judged_like_one_of_the_last() {
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    let (bytes, claim) = written(settings, start("4x5"), 7, true);
    let of_version = |version: u8| {
        let mut changed = bytes[..bytes.len() - 33].to_vec();
        changed[8] = version;
        let hash = blake3::hash(&changed);
        changed.push(b'E');
        changed.extend(hash.as_bytes());
        changed
    };
    assert_eq!(of_version(4), bytes);
    let (found, checked) = check(&of_version(3), 1 << 30).unwrap();
    let (last, by_last) = check(&bytes, 1 << 30).unwrap();
    assert_eq!((found, checked.positions), (last, by_last.positions));
    assert_eq!(checked.answers, by_last.answers);
    assert!(found == claim && claim.walls);
    // What the rule decides is missing for who does not use it.
    let refusal = check(&of_version(1), 1 << 30).unwrap_err();
    assert!(matches!(refusal, Refusal::Uncovered { .. }), "{refusal}");
}

#[test]
fn a_table_far_too_small_and_many_threads_give_a_proof() {
    // Some 57,000 entries: it is full again and again, so all threads stop and room is made.
    for (threads, leaf) in [(3, 9), (4, 7)] {
        let settings = Settings { table_bytes: 1 << 20, threads, seed: 0 };
        let (bytes, claim) = certificate_by(settings, start("4x5"), leaf);
        let (found, checked) = check(&bytes, 1 << 30).unwrap();
        assert_eq!((found, found.outcome), (claim, Outcome::Loss));
        assert!(checked.positions > 0);
    }
}

#[test]
fn one_thread_writes_the_same_file_again() {
    let [one, other] = [(); 2].map(|()| certificate(start("5x4"), 7).0);
    assert_eq!(one, other);
}

#[test]
fn a_search_taken_up_from_a_checkpoint_writes_its_certificate() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    let (position, board) = (start("5x4"), "5x4".parse().unwrap());
    let settings = Settings { table_bytes: 1 << 22, threads: 2, seed: 0 };
    let mut whole = Solver::new(board, settings, StopFlag::new()).unwrap();
    let mut first = Solver::new(board, settings, StopFlag::new()).unwrap();
    let outcome = whole.solve(&position).unwrap().unwrap();
    assert_eq!(first.solve(&position).unwrap(), Some(outcome));
    first.save(&path, &position).unwrap();
    let mut second = Solver::new(board, settings, StopFlag::new()).unwrap();
    let loaded = second.load(&path, &position).unwrap();
    assert!(loaded.entries > 10, "{loaded:?}");
    assert_eq!(second.solve(&position).unwrap(), Some(outcome));
    assert!(second.nodes() - loaded.nodes < whole.nodes() / 2, "it goes on with what it has read");
    let (claim, mut bytes) = (Claim { position, outcome, leaf: 7, walls: false }, Vec::new());
    write_certificate(&mut second, &claim, &mut bytes, &()).unwrap();
    assert_eq!(check(&bytes, 1 << 30).unwrap().0, claim);
}

#[test]
fn a_stop_ends_the_writing_and_a_false_claim_is_not_written() {
    let stop = StopFlag::new();
    let mut solver =
        Solver::new("5x4".parse().unwrap(), Settings::default(), stop.clone()).unwrap();
    let position = start("5x4");
    solver.solve(&position).unwrap();
    let write = |solver: &mut Solver<'_>, outcome| {
        write_certificate(
            solver,
            &Claim { position, outcome, leaf: 7, walls: false },
            &mut Vec::new(),
            &(),
        )
    };
    assert!(matches!(write(&mut solver, Outcome::Loss), Err(StrategyError::Untrue(_))));
    // Nor by a solver that knows nothing, where all is left to negamax.
    for fen in
        ["Q*2/**2/3q/4 w", "Q3/****/****/**** b", "Q3/****/****/**** w", "Q2q/****/****/**** w"]
    {
        let position = parse_fen(fen).unwrap();
        let mut written = 0;
        for outcome in [Outcome::Win, Outcome::Loss] {
            let mut solver =
                Solver::new(position.board(), Settings::default(), StopFlag::new()).unwrap();
            let claim = Claim { position, outcome, leaf: 11, walls: false };
            match write_certificate(&mut solver, &claim, &mut Vec::new(), &()) {
                Ok(listed) => written += 1 + listed,
                Err(error) => assert!(matches!(error, StrategyError::Untrue(_)), "{fen}: {error}"),
            }
        }
        assert_eq!(written, 1, "one of two claims is true of {fen}, and none is to be listed");
    }
    stop.stop();
    assert!(matches!(write(&mut solver, Outcome::Win), Err(StrategyError::Stopped)));
}

#[test]
fn a_position_that_is_over_has_a_certificate() {
    for fen in ["Q*2/**2/3q/4 w", "Q3/4/4/4 b", "Q3/4/4/4 w"] {
        let (bytes, claim) = certificate(parse_fen(fen).unwrap(), 3);
        assert_eq!(check(&bytes, 1 << 30).unwrap().0, claim, "{fen}");
    }
}

fn no_byte_may_change(bytes: &[u8]) {
    for at in 0..bytes.len() {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1 << (at % 8);
        assert!(check(&changed, 1 << 30).is_err(), "byte {at} of {}", bytes.len());
    }
}

#[test]
fn every_changed_byte_is_refused() {
    let (bytes, _) = certificate(start("4x4"), 6);
    no_byte_may_change(&bytes);
    for length in 0..bytes.len() {
        assert!(check(&bytes[..length], 1 << 30).is_err(), "the first {length} bytes");
    }
}

#[test]
fn a_missing_answer_is_refused_where_it_is_missing() {
    let (bytes, claim) = certificate(start("4x4"), 6);
    let mut tiers = listed(&bytes);
    let (removed, _) = tiers[0].1.remove(3);
    let refusal = check(&write(&claim, &tiers), 1 << 30).unwrap_err();
    let coder = Coder::new(claim.board());
    assert_eq!(
        refused_at(&refusal).map(|position| coder.code(&position)),
        Some(removed),
        "{refusal}"
    );
}

/// What each of `of` parts says.
fn parts(bytes: &[u8], of: u64) -> Vec<Result<(Claim, Checked), Refusal>> {
    let check = |number| {
        let part = Part::new(number, of).unwrap();
        verify_part(|| Ok(Cursor::new(bytes)), part, 1 << 30, &(), &StopFlag::new())
    };
    (1..=of).map(check).collect()
}

#[test]
fn the_parts_of_a_check_are_the_whole() {
    let with_answers = certificate(start("4x4"), 3).0;
    let large = include_bytes!("../../results/proofs/4x7.proof").to_vec();
    for (bytes, of) in [(&with_answers, 1), (&with_answers, 3), (&with_answers, 40), (&large, 7)] {
        let (claim, whole) = check(bytes, 1 << 30).unwrap();
        let (mut positions, mut answers) = (Vec::new(), 0);
        for part in parts(bytes, of) {
            let (found, checked) = part.unwrap();
            assert_eq!(found, claim);
            positions.push(checked.positions);
            answers += checked.answers;
        }
        assert_eq!((positions.iter().sum(), answers), (whole.positions, whole.answers));
        // They are dealt out in chunks of 256 positions, but for the last of a frame.
        let spread = positions.iter().max().unwrap() - positions.iter().min().unwrap();
        assert!(spread <= 2 * 256, "{positions:?}");
    }
}

/// Whatever is wrong is found by one part, or by those that have an answer in common.
#[test]
fn a_fault_is_found_by_a_part() {
    let (bytes, claim) = certificate(start("4x4"), 3);
    let tiers = listed(&bytes);
    assert!(tiers.iter().any(|(_, positions)| positions.len() > 2 * 256));
    let refused = |tiers: &[(usize, Vec<(Code, u32)>)], claim: &Claim| -> Vec<usize> {
        let parts = parts(&write(claim, tiers), 5).into_iter().enumerate();
        parts.filter(|(_, part)| part.is_err()).map(|(number, _)| number).collect()
    };
    assert!(refused(&tiers, &claim).is_empty());
    let mut chunk = 0;
    for (tier, (_, positions)) in tiers.iter().enumerate() {
        for at in (0..positions.len()).step_by(97) {
            let mut changed = tiers.clone();
            changed[tier].1[at].1 = 100_000;
            assert_eq!(refused(&changed, &claim), [(chunk + at / 256) % 5], "{tier} {at}");
            let mut changed = tiers.clone();
            changed[tier].1.remove(at);
            if changed[tier].1.is_empty() {
                changed.remove(tier);
            }
            assert!(!refused(&changed, &claim).is_empty(), "{tier} {at}");
        }
        chunk += positions.len().div_ceil(256);
    }
    // The start is the first part's.
    let opposite = Claim { outcome: !claim.outcome, ..claim };
    assert_eq!(refused(&[], &opposite), [0]);
}

#[test]
fn an_impossible_or_losing_move_is_refused() {
    let (bytes, claim) = certificate(start("4x4"), 6);
    let mut tiers = listed(&bytes);
    tiers[0].1[0].1 = 100_000;
    let refusal = check(&write(&claim, &tiers), 1 << 30).unwrap_err();
    assert!(matches!(refusal, Refusal::Move { number: 100_000, .. }), "{refusal}");
    // Some other move of some position does not win, or leads to positions that are not listed.
    let refused = (0..20).any(|number| {
        let mut tiers = listed(&bytes);
        tiers[0].1[0].1 = number;
        matches!(check(&write(&claim, &tiers), 1 << 30), Err(Refusal::Uncovered { .. }))
    });
    assert!(refused);
}

#[test]
fn a_wrong_claim_is_refused() {
    for leaf in [6, 8] {
        let (bytes, claim) = certificate(start("4x4"), leaf);
        let opposite = Claim { outcome: !claim.outcome, ..claim };
        let refusal = check(&write(&opposite, &listed(&bytes)), 1 << 30).unwrap_err();
        assert_eq!(refused_at(&refusal), claim.position.bitboards(), "{refusal}");
    }
}

#[test]
fn a_position_that_is_none_is_refused() {
    let (bytes, claim) = certificate(start("4x4"), 6);
    let mut tiers = listed(&bytes);
    tiers[0].1.push((Code(u128::MAX), 0));
    assert!(matches!(check(&write(&claim, &tiers), 1 << 30), Err(Refusal::Code(_))));
}

#[test]
fn a_code_that_is_not_the_smallest_image_is_refused() {
    let (bytes, claim) = certificate(start("4x4"), 6);
    let mut tiers = listed(&bytes);
    let (coder, symmetries) = (Coder::new(claim.board()), Symmetry::all(claim.board()));
    let (code, played) = tiers[0].1[0];
    let position = coder.position(code).unwrap();
    let image = symmetries.iter().map(|symmetry| position.mapped(symmetry)).max().unwrap();
    let larger = plain_code(&image);
    assert!(larger > code);
    tiers[0].1.push((larger, played));
    tiers[0].1.sort_unstable();
    let refusal = check(&write(&claim, &tiers), 1 << 30).unwrap_err();
    assert!(matches!(refusal, Refusal::Image(found) if found == larger.0), "{refusal}");
}

/// The code of a position as it stands.
fn plain_code(position: &Bitboards<u64>) -> Code {
    let sum = |set: Bitboard, value: u128| -> u128 {
        set.iter().map(|square| value << (2 * square.index())).sum()
    };
    Code(sum(position.mover, 1) + sum(position.opponent, 2) + sum(position.arrows, 3))
}

#[test]
fn a_position_with_another_number_of_arrows_than_its_frame_says_is_refused() {
    let (bytes, claim) = certificate(start("4x4"), 4);
    let mut tiers = listed(&bytes);
    let [first, second] = &mut tiers[..2] else { panic!("two tiers at least") };
    second.1.push(first.1[0]);
    second.1.sort_unstable();
    let (position, listed) = (Coder::new(claim.board()).position(first.1[0].0), second.0);
    let refusal = check(&write(&claim, &tiers), 1 << 30).unwrap_err();
    assert_eq!(refused_at(&refusal), position, "{refusal}");
    assert!(matches!(refusal, Refusal::Arrows { listed: found, .. } if found == listed));
}

/// A file with these frames as they are, the empty ones too: (burned squares, packed positions).
fn framed(claim: &Claim, frames: &[(u8, u32, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = write(claim, &[]);
    bytes.truncate(bytes.len() - 33);
    for (arrows, count, content) in frames {
        let packed = zstd::bulk::compress(content, 1).unwrap();
        bytes.extend([b'F', *arrows]);
        bytes.extend(count.to_le_bytes());
        bytes.extend((packed.len() as u32).to_le_bytes());
        bytes.extend(packed);
    }
    let hash = blake3::hash(&bytes);
    bytes.push(b'E');
    bytes.extend(hash.as_bytes());
    bytes
}

#[test]
fn empty_frames_and_frames_out_of_order_are_refused() {
    let claim = Claim { position: start("4x4"), outcome: Outcome::Loss, leaf: 12, walls: false };
    assert!(check(&framed(&claim, &[]), 1 << 30).is_ok());
    // One position: its code and the number of its move.
    let one = |code: u8| (1, vec![code, 0]);
    let cases = [
        ("a frame without positions", vec![(3, (0, vec![]))]),
        ("a frame without positions", vec![(3, one(1)), (3, (0, vec![])), (5, one(1))]),
        ("fewer burned squares than in the frame before", vec![(5, one(1)), (3, one(2))]),
        ("positions out of order", vec![(3, one(2)), (3, one(2))]),
    ];
    for (expected, frames) in cases {
        let frames: Vec<_> =
            frames.into_iter().map(|(arrows, (count, content))| (arrows, count, content)).collect();
        let refusal = check(&framed(&claim, &frames), 1 << 30).unwrap_err();
        let found = matches!(&refusal,
            Refusal::File(CertificateError::Damaged { what, .. }) if *what == expected);
        assert!(found, "{expected}: {refusal}");
    }
}

#[test]
fn the_proofs_in_the_results_list_smallest_images_with_their_arrows() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/proofs");
    // The last one is kept in two halves.
    let proofs = [
        ("4x7", &["4x7.proof"][..], 11_463),
        ("5x6", &["5x6.proof"], 133_148),
        ("4x8", &["4x8.proof"], 2_627_804),
        ("6x5", &["6x5.proof.0", "6x5.proof.1"], 6_354_238),
    ];
    for (board, files, positions) in proofs {
        let bytes = files.iter().map(|file| std::fs::read(directory.join(file)).unwrap());
        let mut reader = Reader::new(Cursor::new(bytes.collect::<Vec<_>>().concat())).unwrap();
        let coder = Coder::new(reader.claim().board());
        assert_eq!(reader.claim().board(), board.parse().unwrap());
        let mut count = 0;
        while let Some(frame) = reader.frame().unwrap() {
            for (code, _) in &frame.positions {
                let position = coder.position(*code).unwrap();
                assert_eq!(position.arrows.len(), frame.arrows, "{code:?}");
                assert_eq!(coder.code(&position), *code);
            }
            count += frame.positions.len();
        }
        assert_eq!(count, positions, "{board}");
    }
}

/// Counts the bytes that are read, and sets the flag at the first.
struct Stopping<'a> {
    bytes: Cursor<&'a [u8]>,
    read: &'a AtomicU64,
    stop: &'a StopFlag,
}

impl Read for Stopping<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.stop.stop();
        let count = self.bytes.read(into)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[test]
fn the_check_stops_before_the_next_frame() {
    let (bytes, _) = certificate(start("4x4"), 6);
    let (read, stop) = (AtomicU64::new(0), StopFlag::new());
    let open = || Ok(Stopping { bytes: Cursor::new(&bytes), read: &read, stop: &stop });
    assert!(matches!(verify(open, 1 << 30, &(), &stop), Err(Refusal::Stopped)));
    // Nothing but the header.
    assert_eq!(read.into_inner(), 38);
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b""[..], b"AMZPROOF", &[0; 200]] {
        assert!(matches!(check(bytes, 1 << 20), Err(Refusal::File(CertificateError::Foreign(_)))));
    }
}

#[test]
fn other_versions_and_leaves_too_large_are_refused() {
    let (bytes, claim) = certificate(start("4x4"), 6);
    for version in [0, 2, 7, 255] {
        let mut changed = bytes.clone();
        changed[8] = version;
        let refusal = check(&changed, 1 << 20).unwrap_err();
        assert!(
            matches!(refusal, Refusal::File(CertificateError::Version(found)) if found == version)
        );
        let expected = "expected 1, 3, 4 or 6, or 5 of another game";
        let text = format!("unsupported version of a certificate: {expected}, found {version}");
        assert_eq!(refusal.to_string(), text);
    }
    let mut changed = bytes.clone();
    changed[8] = 5;
    let text = "is a certificate of another game, expected one of Amazons";
    assert_eq!(check(&changed, 1 << 20).unwrap_err().to_string(), text);
    for leaf in [LARGEST_LEAF + 1, 64, 255] {
        let mut changed = bytes.clone();
        changed[13] = leaf;
        let refusal = check(&changed, 1 << 20).unwrap_err();
        assert!(
            matches!(refusal, Refusal::File(CertificateError::Leaf(found)) if found == leaf),
            "{refusal}"
        );
        let written = Writer::new(Vec::new(), &Claim { leaf, ..claim });
        assert_eq!(written.err().map(|error| error.kind()), Some(std::io::ErrorKind::InvalidInput));
    }
}

#[test]
fn damaged_and_incomplete_certificates_with_the_wall_rule_are_refused() {
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    let (bytes, claim) = written(settings, start("4x5"), 9, true);
    assert_eq!(bytes[8], 4);
    no_byte_may_change(&bytes);
    let (tiers, coder) = (listed(&bytes), Coder::new(claim.board()));
    for tier in 0..tiers.len() {
        for at in 0..tiers[tier].1.len() {
            let mut tiers = tiers.clone();
            let (removed, _) = tiers[tier].1.remove(at);
            // Every position that is listed has to be.
            let refusal = check(&write(&claim, &tiers), 1 << 30).unwrap_err();
            assert_eq!(
                refused_at(&refusal).map(|position| coder.code(&position)),
                Some(removed),
                "{refusal}"
            );
        }
    }
    let opposite = Claim { outcome: !claim.outcome, ..claim };
    assert!(matches!(check(&write(&opposite, &tiers), 1 << 30), Err(Refusal::Uncovered { .. })));
}

#[test]
fn a_checkpoint_goes_on_and_foreign_ones_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    let position = start("4x5");
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    let solver =
        |board: &str| Solver::new(board.parse().unwrap(), settings, StopFlag::new()).unwrap();
    let stop = StopFlag::new();
    let mut first = solver("4x5").with_stop(stop.clone());
    // Stopped between two runs, the first of which has evaluated something.
    let soon = |search: &Solver<'_>| {
        if search.nodes() > 0 {
            stop.stop();
        }
        Some(std::time::Instant::now() + std::time::Duration::from_millis(1))
    };
    assert_eq!(first.solve_in_runs(&position, soon).unwrap(), None);
    first.save(&path, &position).unwrap();
    let mut second = solver("4x5");
    assert_eq!(second.load(&path, &position).unwrap().nodes, first.nodes());
    assert_eq!(second.solve(&position).unwrap(), Some(Outcome::Loss));
    let swapped = Setup { turn: Colour::Black, ..position.setup() }.check().unwrap();
    assert!(solver("4x5").load(&path, &swapped).is_err());
    assert!(solver("5x4").load(&path, &start("5x4")).is_err());
    let bytes = std::fs::read(&path).unwrap();
    for at in [0, 9, 20, 60, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        std::fs::write(&path, &changed).unwrap();
        assert!(solver("4x5").load(&path, &position).is_err(), "byte {at}");
    }
}
