//! What a certificate says of positions, held against the search.

use amazons::game::board::Symmetry;
use amazons::game::notation::{fen, parse_fen};
use amazons::game::rules::{Colour, Position, Setup};
use amazons::game::{Move, Outcome};
use amazons::machine::progress::StopFlag;
use amazons::proof::{CertificateLookupError, CertificateStrategy, Claim, StrategyBasis, look_up};
use amazons::search::{Settings, Solver};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};

use amazons_test_support::proofs::{listed, settings, start, write, written};

fn said(
    bytes: &[u8],
    positions: &[Position],
) -> Vec<Result<CertificateStrategy, CertificateLookupError>> {
    let answers = look_up(bytes, positions, &StopFlag::new()).unwrap().into_iter();
    answers.map(|answer| answer.map(|answer| answer.strategy)).collect()
}

/// What the answers about some positions rest on.
fn bases(bytes: &[u8], positions: &[Position]) -> Vec<StrategyBasis> {
    let answers = look_up(bytes, positions, &StopFlag::new()).unwrap().into_iter();
    answers.map(|answer| answer.unwrap().basis).collect()
}

fn solver(position: &Position) -> Solver<'static> {
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    Solver::new(position.board(), settings, StopFlag::new()).unwrap()
}

/// The image of a position under a symmetry of its board.
fn image(position: &Position, symmetry: &Symmetry) -> Position {
    let Setup { board, white, black, arrows, turn } = position.setup();
    let [white, black, arrows] = [white, black, arrows].map(|set| symmetry.set(set));
    Setup { board, white, black, arrows, turn }.check().unwrap()
}

/// What is said of a position is as the search finds it; the moves that may follow.
fn is_right(
    position: &Position,
    strategy: &CertificateStrategy,
    solver: &mut Solver<'_>,
) -> Vec<Move> {
    let mut loses = |position: &Position| solver.solve(position).unwrap() == Some(Outcome::Loss);
    match strategy {
        CertificateStrategy::Win(played) => {
            assert!(!loses(position), "{}", fen(position));
            let played = played.iter().copied();
            played.inspect(|&played| assert!(loses(&position.play(played).unwrap()))).collect()
        }
        CertificateStrategy::Loss(moves) => {
            assert!(loses(position), "{}", fen(position));
            let all: Vec<Move> = moves.iter().map(|&(played, _)| played).collect();
            assert!(all.iter().copied().eq(position.moves()));
            for &(played, answer) in moves {
                let after = position.play(played).unwrap();
                assert!(!loses(&after));
                if let Some(answer) = answer {
                    assert!(loses(&after.play(answer).unwrap()), "{} {answer}", fen(&after));
                }
            }
            all
        }
    }
}

#[test]
fn games_by_a_certificate_are_won() {
    let black = parse_fen("1qq1/q2q/Q2Q/1QQ1 b").unwrap();
    let mut random = StdRng::seed_from_u64(1);
    for (position, leaf, walls) in [
        (start("4x4"), 3, false),
        (start("4x4"), 6, true),
        (black, 4, false),
        (start("5x4"), 5, false),
        (start("4x5"), 6, true),
    ] {
        let (bytes, claim) = written(settings(), position, leaf, walls);
        let (mut solver, symmetries) = (solver(&position), Symmetry::all(position.board()));
        // Games are played side by side, so that the file is read once for each of their moves. Of
        // each position one of its images is looked up.
        let mut games = vec![position; 40];
        while !games.is_empty() {
            for game in &mut games {
                *game = image(game, symmetries.choose(&mut random).unwrap());
            }
            let mut left = Vec::new();
            for (game, strategy) in games.iter().zip(said(&bytes, &games)) {
                let strategy = strategy.unwrap();
                let is_won = matches!(strategy, CertificateStrategy::Win(_));
                assert_eq!(is_won, game.turn() == claim.winner(), "{}", fen(game));
                let moves = is_right(game, &strategy, &mut solver);
                match moves.choose(&mut random) {
                    Some(&played) => left.push(game.play(played).unwrap()),
                    // Without the wall rule a game goes on until the loser cannot move.
                    None => assert!(walls || game.moves().len() == 0 && !is_won),
                }
            }
            games = left;
        }
    }
}

#[test]
fn where_the_wall_rule_names_no_move_there_is_none() {
    // An empty list: all that is said is what the rule decides.
    let said = |text: &str| {
        let position = parse_fen(text).unwrap();
        let claim = Claim { position, outcome: Outcome::Win, leaf: 0, walls: true };
        let [strategy] = <[_; 1]>::try_from(said(&write(&claim, &[]), &[position])).unwrap();
        let strategy = strategy.unwrap();
        is_right(&position, &strategy, &mut solver(&position));
        strategy
    };
    assert_eq!(said("*1Q*Q1/*Q1**1/*q*1q* b"), CertificateStrategy::Win(None));
    let CertificateStrategy::Loss(moves) = said("1Q1*QQ/1*1Qqq/*q1**1 b") else { panic!() };
    let played = "b1-a2/a3".parse().unwrap();
    assert!(moves.contains(&(played, None)), "{moves:?}");
    assert!(moves.iter().any(|(_, answer)| answer.is_some()));
}

/// What would be said without the file does not rest on it.
#[test]
fn an_answer_rests_on_the_file_only_where_the_file_decides() {
    let position = start("4x5");
    for walls in [false, true] {
        let (bytes, claim) = written(settings(), position, 5, walls);
        // The claim, a listed position, and a full board.
        let after = position.play(position.moves().next().unwrap()).unwrap();
        let leaf = parse_fen("Q***/q***/****/****/**** w").unwrap();
        assert_eq!(bases(&bytes, &[position]), [StrategyBasis::Certificate]);
        if !walls {
            assert_eq!(bases(&bytes, &[after]), [StrategyBasis::Certificate]);
        }
        assert_eq!(bases(&bytes, &[leaf]), [StrategyBasis::Negamax]);
        // With an empty list nothing rests on the file but the claim.
        let empty = write(&Claim { outcome: Outcome::Win, ..claim }, &[]);
        assert_eq!(bases(&empty, &[leaf]), [StrategyBasis::Negamax]);
    }
    let text = ["*1Q*Q1/*Q1**1/*q*1q* b", "1Q1*QQ/1*1Qqq/*q1**1 b"];
    let [won, lost] = text.map(|text| parse_fen(text).unwrap());
    let claim = Claim { position: won, outcome: Outcome::Win, leaf: 0, walls: true };
    assert_eq!(bases(&write(&claim, &[]), &[won, lost]), [StrategyBasis::WallRule; 2]);
}

#[test]
fn leaves_are_judged_whether_moves_lead_there_or_not() {
    let position = start("4x4");
    for walls in [false, true] {
        let (bytes, _) = written(settings(), position, 8, walls);
        let mut solver = solver(&position);
        let mut random = StdRng::seed_from_u64(7);
        // All positions of 4x4 are leaves with 8 squares. White or Black begins.
        let leaves: Vec<Position> = std::iter::repeat_with(|| {
            let setup = position.setup();
            let turn = *[Colour::White, Colour::Black].choose(&mut random).unwrap();
            let mut game = Setup { turn, ..setup }.check().unwrap();
            for _ in 0..random.random_range(0..=8) {
                let Some(played) = game.moves().choose(&mut random) else { break };
                game = game.play(played).unwrap();
            }
            game
        })
        .take(60)
        .collect();
        let mut outcomes = [0, 0];
        for (leaf, strategy) in leaves.iter().zip(said(&bytes, &leaves)) {
            let strategy = strategy.unwrap();
            is_right(leaf, &strategy, &mut solver);
            outcomes[usize::from(matches!(strategy, CertificateStrategy::Win(_)))] += 1;
        }
        assert!(outcomes.iter().all(|&count| count > 5), "{outcomes:?}");
    }
}

#[test]
fn a_certificate_says_nothing_of_other_positions() {
    let position = start("4x5");
    let (bytes, claim) = written(settings(), position, 5, false);
    assert_eq!((claim.outcome, claim.winner()), (Outcome::Loss, Colour::Black));
    // Black wins, so the moves that Black does not make are not in it.
    let after = position.play(position.moves().next().unwrap()).unwrap();
    let answer = match &said(&bytes, &[after])[..] {
        [Ok(CertificateStrategy::Win(Some(answer)))] => *answer,
        other => panic!("{other:?}"),
    };
    let other = after.moves().find(|&played| played != answer).unwrap();
    let elsewhere = after.play(other).unwrap();
    let asked = [elsewhere, position, start("5x4")];
    let [elsewhere, here, another] = <[_; 3]>::try_from(said(&bytes, &asked)).unwrap();
    let message = elsewhere.unwrap_err().to_string();
    assert!(message.starts_with("the certificate says nothing of "), "{message}");
    assert!(message.contains("it claims that black wins 1qq1/"), "{message}");
    assert!(matches!(here, Ok(CertificateStrategy::Loss(_))));
    assert!(matches!(another, Err(CertificateLookupError::OtherBoard(_))));
}

#[test]
fn damaged_files_and_moves_that_do_not_exist_are_refused() {
    let position = start("4x4");
    let (bytes, claim) = written(settings(), position, 5, false);
    for at in [0, 8, 9, 20, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 64;
        let found = look_up(&changed[..], &[position], &StopFlag::new());
        assert!(matches!(found, Err(CertificateLookupError::File(_))), "byte {at}");
    }
    let mut tiers = listed(&bytes);
    tiers.iter_mut().flat_map(|(_, list)| list).for_each(|(_, number)| *number = 1_000_000);
    let forged = write(&claim, &tiers);
    let [refused] = <[_; 1]>::try_from(said(&forged, &[position])).unwrap();
    let message = refused.unwrap_err().to_string();
    assert!(message.starts_with("there is no move number 1000000 in "), "{message}");
    let stopped = StopFlag::new();
    stopped.stop();
    let found = look_up(&bytes[..], &[position], &stopped);
    assert!(matches!(found, Err(CertificateLookupError::Stopped)));
}
