//! Endgames of boards that are too large for the search as a whole, held against the naive solver
//! and against the search of small boards.

use amazons::game::board::{Bitboard, Board, SquareIndex, Symmetry};
use amazons::game::naive::NaiveSolver;
use amazons::game::rules::{Bitboards, Colour, IndexedMove, Position, Rules};
use amazons::game::{Move, Outcome};
use amazons::machine::progress::StopFlag;
use amazons::play::{Engine, Limits, MoveSource};
use amazons::search::digest::write_digest;
use amazons::search::{
    CheckpointError, ForeignPosition, Settings, Solver, SolverError, Survey, Wanted,
};
use amazons_test_support::endgames::endgames;
use amazons_test_support::long::long_tests;
use rand::rngs::StdRng;
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, SeedableRng};

const SETTINGS: Settings = Settings { table_bytes: 1 << 22, threads: 1, seed: 0 };

pub(crate) fn endgame(position: &Position) -> Solver<'static, u128> {
    Solver::of_endgame(position, SETTINGS, StopFlag::new()).unwrap()
}

/// What the search says of a position and of each of its moves.
fn survey(
    solver: &mut Solver<'_, u128>,
    position: &Position,
) -> (Outcome, Vec<(IndexedMove, Outcome)>) {
    let mut survey = Survey::new(solver, position, Wanted::All).unwrap();
    survey.run(solver, |_| None, |_| ()).unwrap();
    let moves = survey.standing().moves().iter().map(|&(played, value)| (played, value.unwrap()));
    (survey.standing().outcome().unwrap(), moves.collect())
}

/// A position of a few parts, each grown from a square by king steps: with so many squares that are
/// not burned, and up to four amazons a side among them.
pub(crate) fn late_position(board: Board, open: usize, random: &mut StdRng) -> Position {
    let kings = amazons::game::board::Kings::<u128>::new(board).unwrap();
    let mut cells = Bitboard::<u128>::EMPTY;
    while cells.len() < open {
        let beside = kings.neighbours(cells).without(cells);
        let near = if random.random_ratio(1, 8) { kings.all().without(cells) } else { beside };
        let near = if near.is_empty() { kings.all() } else { near };
        cells = cells.with(near.iter().choose(random).unwrap());
    }
    let mut squares: Vec<SquareIndex> = cells.iter().collect();
    squares.shuffle(random);
    let mut take = |count: usize| squares.drain(..count).collect::<Bitboard<u128>>();
    let (mover, opponent) = (take(random.random_range(1..=4)), take(random.random_range(1..=4)));
    let arrows = kings.all().without(cells);
    let turn = if random.random() { Colour::White } else { Colour::Black };
    Position::new(board, &Bitboards { mover, opponent, arrows }, turn).unwrap()
}

#[test]
fn late_positions_are_what_the_naive_solver_says() {
    let (count, most) = if long_tests() { (6000, 16) } else { (400, 14) };
    let mut random = StdRng::seed_from_u64(55);
    let (mut won, mut searched, mut mixed) = (0, 0, 0);
    for number in 0..count {
        let (columns, rows) = (random.random_range(7..=10), random.random_range(7..=10));
        let board = Board::new(columns, rows).unwrap();
        // Most have too many squares for a search of the whole board.
        let position = late_position(board, random.random_range(9..=most), &mut random);
        let rules = Rules::<u128>::new(board).unwrap();
        let mut naive = NaiveSolver::new(rules.clone());
        let plain = position.bitboards().unwrap();
        let mut solver = endgame(&position);
        let (outcome, moves) = survey(&mut solver, &position);
        assert_eq!(outcome, naive.outcome(&plain), "{number}: {position}");
        assert_eq!(moves.len(), rules.moves(&plain).len());
        for (played, value) in moves {
            let after = naive.outcome(&rules.play_unchecked(&plain, played));
            assert_eq!(value, after.reversed(), "{number}: {position}, {played:?}");
            mixed += 1;
        }
        won += u64::from(outcome == Outcome::Win);
        searched += u64::from(solver.nodes() > 0);
    }
    let count = count as u64;
    assert!(won > count / 4 && won < count * 3 / 4, "{won} of {count} won");
    assert!(searched > count / 10 && mixed > 10 * count, "{searched} searched, {mixed} moves");
}

/// Where the squares of a small board lie on a large one.
struct Place {
    large: Board,
    small: Board,
    turn: Symmetry,
    file: usize,
    rank: usize,
}

impl Place {
    fn square(&self, square: SquareIndex) -> SquareIndex {
        let square = self.turn.square(square);
        let (file, rank) = (self.small.file(square), self.small.rank(square));
        self.large.square(self.file + file, self.rank + rank).unwrap()
    }

    fn set(&self, set: Bitboard<u64>) -> Bitboard<u128> {
        set.iter().map(|square| self.square(square)).collect()
    }

    fn position(&self, small: &Position) -> Position {
        let plain: Bitboards = small.bitboards().unwrap();
        let cells = self.set(self.small.all::<u64>().without(plain.arrows));
        let (mover, opponent) = (self.set(plain.mover), self.set(plain.opponent));
        let arrows = self.large.all::<u128>().without(cells);
        Position::new(self.large, &Bitboards { mover, opponent, arrows }, small.turn()).unwrap()
    }
}

#[test]
fn a_small_board_in_a_burned_one_is_what_it_is_alone() {
    let mut random = StdRng::seed_from_u64(10);
    let large: Board = "10x10".parse().unwrap();
    let starts = [
        ("5x5", "1qqq1/5/5/5/1QQQ1 w"),
        ("5x5", "1q1q1/q3q/5/Q3Q/1Q1Q1 w"),
        ("4x5", "1qq1/q2q/4/Q2Q/1QQ1 b"),
    ];
    for (size, start) in starts {
        let small: Board = size.parse().unwrap();
        for _ in 0..if long_tests() { 40 } else { 4 } {
            let mut position: Position = start.parse().unwrap();
            for _ in 0..random.random_range(if long_tests() { 4..=6 } else { 6..=7 }) {
                let Some(played) = position.moves().choose(&mut random) else { break };
                position = position.play(played).unwrap();
            }
            let turn = Symmetry::all(small).into_iter().choose(&mut random).unwrap();
            let place = Place {
                file: random.random_range(0..=large.columns() - small.columns()),
                rank: random.random_range(0..=large.rows() - small.rows()),
                large,
                small,
                turn,
            };
            let mut alone = Solver::new(small, SETTINGS, StopFlag::new()).unwrap();
            let mut expected = Survey::new(&alone, &position, Wanted::All).unwrap();
            expected.run(&mut alone, |_| None, |_| ()).unwrap();
            let in_place = |&(played, value): &(IndexedMove, Option<Outcome>)| {
                let [from, to, arrow] =
                    [played.from, played.to, played.arrow].map(|square| place.square(square));
                (IndexedMove { from, to, arrow }, value.unwrap())
            };
            let mut moves: Vec<_> = expected.standing().moves().iter().map(in_place).collect();
            moves.sort_unstable_by_key(|&(played, _)| played);
            let embedded = place.position(&position);
            let found = survey(&mut endgame(&embedded), &embedded);
            assert_eq!(
                found,
                (expected.standing().outcome().unwrap(), moves),
                "{position}, {embedded}"
            );
        }
    }
}

#[test]
fn a_solver_takes_its_position_and_what_comes_from_it() {
    let start = Position::start("10x10".parse().unwrap()).unwrap();
    let error = Solver::of_endgame(&start, SETTINGS, StopFlag::new()).unwrap_err();
    assert!(matches!(error, SolverError::Ground(found) if found.squares == 100));
    let words = "100 squares of 10x10 are not burned and within reach of an amazon";
    assert!(error.to_string().starts_with(words), "{error}");
    let rows = ["**********"; 8].join("/");
    let position: Position = format!("{rows}/q4Q4/10 w").parse().unwrap();
    let mut solver = endgame(&position);
    assert!(solver.takes(&position) && !solver.takes(&start));
    // A position of the same board in which another square is not burned.
    let foreign: Position =
        format!("{rows}/q4Q4/10 w").replacen("*/q4", "1/q4", 1).parse().unwrap();
    assert!(!solver.takes(&foreign));
    assert!(matches!(solver.solve(&foreign), Err(SolverError::Foreign(ForeignPosition::Ground))));
    // What no amazon can reach takes no part.
    let far: Position = format!("10/{}/q4Q4/10 w", ["**********"; 7].join("/")).parse().unwrap();
    assert!(solver.takes(&far));
    let played: Move = solver.best_move(&position).unwrap().expect("it is won");
    let after = position.play(played).unwrap();
    assert_eq!(solver.solve(&after).unwrap(), Some(Outcome::Loss));
}

/// The positions evaluated for the first endgames: another count is right if the search was meant
/// to change.
const COUNTS: [u64; 2] = [8749, 17_127];

#[test]
fn endgames_take_the_positions_that_they_took() {
    for (known, nodes) in endgames().iter().zip(COUNTS) {
        let position = known.position();
        let mut solver = endgame(&position);
        assert_eq!(solver.solve(&position).unwrap(), Some(known.outcome), "{}", known.fen);
        assert_eq!(solver.nodes(), nodes, "{}", known.fen);
    }
}

#[test]
fn the_engine_plays_the_end_that_it_can_prove() {
    let position = endgames()[1].position();
    let settings = amazons::play::Settings { memory: 1 << 22, ..Default::default() };
    let mut engine = Engine::new(position.board(), settings).unwrap();
    let limits = Limits { nodes: Some(4_000_000), ..Limits::default() };
    let decision = engine.choose(&position, &limits, &StopFlag::new(), &mut |_| {}).unwrap();
    let said = (decision.source, decision.score.proven());
    assert_eq!(said, (MoveSource::Proof, Some(Outcome::Win)));
    let after = position.play_indexed(decision.played.unwrap()).unwrap();
    assert_eq!(endgame(&after).solve(&after).unwrap(), Some(Outcome::Loss));
}

#[test]
fn a_checkpoint_and_a_digest_of_an_endgame_are_taken_up() {
    let (directory, position) = (tempfile::tempdir().unwrap(), endgames()[1].position());
    let [checkpoint, digest] = ["checkpoint", "digest"].map(|name| directory.path().join(name));
    let mut first = endgame(&position);
    let outcome = first.solve(&position).unwrap();
    first.save(&checkpoint, &position).unwrap();
    let mut second = endgame(&position);
    assert_eq!(second.load(&checkpoint, &position).unwrap().nodes, first.nodes());
    assert_eq!((second.known(&position).unwrap(), second.nodes()), (outcome, first.nodes()));
    second.save(&digest, &position).unwrap();
    assert!(matches!(
        Solver::new("8x8".parse().unwrap(), SETTINGS, StopFlag::new())
            .unwrap()
            .load(&checkpoint, &Position::start("8x8".parse().unwrap()).unwrap()),
        Err(CheckpointError::Foreign(_))
    ));

    // Of a position that comes from it the keys are others.
    let played = first.best_move(&position).unwrap().unwrap();
    let after = position.play(played).unwrap();
    let other = endgame(&after).load(&checkpoint, &after).unwrap_err();
    assert!(matches!(other, CheckpointError::Foreign(_)), "{other}");
    let other = first.save(&directory.path().join("after"), &after).unwrap_err();
    assert!(matches!(other, CheckpointError::Foreign(_)), "{other}");

    // A digest serves both, and a smaller one can be made of it.
    let (bytes, held) = write_digest(&checkpoint, 1 << 20, &StopFlag::new()).unwrap();
    assert!(held.positions > 100 && held.solved > 0, "{held:?}");
    assert_eq!(held.position, position.bitboards().unwrap());
    std::fs::write(&digest, &bytes).unwrap();
    let (smaller, less) = write_digest(&digest, 1 << 10, &StopFlag::new()).unwrap();
    assert!(smaller.len() <= 1 << 10 && less.positions < held.positions && less.positions > 0);
    for at in [position, after] {
        let mut third = endgame(&at);
        let taken = third.take_digest(&digest).unwrap();
        assert_eq!((taken.positions, taken.position), (held.positions, held.position));
        let found = third.solve(&at).unwrap();
        assert_eq!(found, if at == position { outcome } else { Some(Outcome::Loss) });
        assert!(third.rests_on_digest() && third.nodes() < first.nodes());
    }
    for at in (0..bytes.len()).step_by(97) {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        std::fs::write(&digest, changed).unwrap();
        assert!(endgame(&position).take_digest(&digest).is_err(), "byte {at}");
    }
}
