//! Work of the proof search on fixed positions: evaluated positions and processor time of one
//! thread or more, from an empty table, over several seeds of the keys. Each search asserts its
//! verdict, so a faster wrong answer fails.
//!
//! ```text
//! cargo bench --bench search                  all positions of benches/data/positions.txt, three seeds
//! cargo bench --bench search -- 6x5 1         those of a board, one seed
//! cargo bench --bench search -- hard          the positions of benches/data/hard.txt, one seed
//! cargo bench --bench search -- endgames      late positions of 10x10 of benches/data/endgames.txt, one seed
//! cargo bench --bench search -- --test        a few fast positions, one seed: for what they assert
//! cargo bench --bench search -- hard threads=2    with two threads; so with all of these
//! cargo bench --bench search -- find BOARD COUNT LEAST MOST FEWEST_NODES MOST_NODES
//!                                             looks for new positions after LEAST to MOST random moves
//! ```
//!
//! Node counts of one thread are exact and the same on every machine; single runs vary by 20 % with
//! the seed, so medians are compared. Figures with their machine are in `results/runs/`.

use std::time::{Duration, Instant};

use amazons::game::Outcome;
use amazons::game::board::Board;
use amazons::game::notation::{fen, parse_fen};
use amazons::game::rules::{self, Colour, Position, Rules};
use amazons::machine::progress::StopFlag;
use amazons::search::{Settings, SizedSolver};
use cpu_time::ProcessTime;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Positions of the usual kind; the file says how they were chosen.
const USUAL: &str = include_str!("data/positions.txt");
/// Harder ones.
const HARD: &str = include_str!("data/hard.txt");
/// Late positions of large boards.
const ENDGAMES: &str = include_str!("data/endgames.txt");

/// Memory of the table.
const TABLE: u64 = 256 << 20;
/// Seeds of the keys: 1 to this.
const SEEDS: u64 = 3;
/// Seed of the random moves.
const MOVES_SEED: u64 = 7;

/// One search: what the side to move reaches (`None` if it took too long), evaluated positions,
/// seconds.
fn search(
    position: &Position,
    threads: usize,
    seed: u64,
    limit: Option<Duration>,
) -> (Option<Outcome>, u64, f64) {
    let (began, spent) = (Instant::now(), ProcessTime::now());
    let settings = Settings { table_bytes: TABLE, threads, seed };
    let solver =
        SizedSolver::of(position, settings, StopFlag::new()).expect("memory for the table");
    let mut solver = solver.with_deadline(limit.map(|limit| began + limit));
    let outcome = solver.solve(position).expect("memory");
    (outcome, solver.nodes(), spent.elapsed().as_secs_f64())
}

/// A line of the file: a position as it is written there, and its value.
fn parse(line: &str) -> Option<(&str, Position, Outcome)> {
    let (text, value) = line.split_once("  ").filter(|_| !line.starts_with('#'))?;
    let position = if text.contains('/') {
        parse_fen(text).expect("a FEN")
    } else {
        rules::start(text.parse().expect("a board")).expect("a start")
    };
    Some((text, position, value.parse().expect("win or loss")))
}

/// Positions that take milliseconds, for `--test`.
const FAST: [&str; 5] = [
    "4x4",
    "5x4",
    "1q*q1/Qq3/*1*2/5/Q*2Q/2Q*q b",
    "1q3/q2qq/3**/2*2/1Q2Q/1Q*1Q w",
    "1q2q*/3q1q/Q3*Q/2Q1Q1 w",
];

/// Measures the chosen positions.
fn measure(positions: &str, chosen: impl Fn(&str, &Position) -> bool, threads: usize, seeds: u64) {
    println!("{:44} {:>11} {:>11} {:>11} {:>8}", "position", "least", "median", "most", "seconds");
    let (mut logs, mut count) = ((0.0, 0.0), 0.0);
    for (text, position, outcome) in positions.lines().filter_map(parse) {
        if !chosen(text, &position) {
            continue;
        }
        let (mut nodes, mut seconds) = (Vec::new(), Vec::new());
        for seed in 1..=seeds {
            let (found, visited, spent) = search(&position, threads, seed, None);
            assert_eq!(found, Some(outcome), "{text}");
            nodes.push(visited);
            seconds.push(spent);
        }
        nodes.sort_unstable();
        seconds.sort_by(f64::total_cmp);
        let (median, second) = (nodes[nodes.len() / 2], seconds[seconds.len() / 2]);
        println!(
            "{text:44} {:11} {median:11} {:11} {second:8.3}",
            nodes[0],
            nodes[nodes.len() - 1]
        );
        logs = (logs.0 + (median as f64).ln(), logs.1 + second.ln());
        count += 1.0;
    }
    let mean = |log: f64| (log / count).exp();
    println!(
        "{:44} {:11} {:11.0} {:11} {:8.3}",
        "geometric mean",
        "",
        mean(logs.0),
        "",
        mean(logs.1)
    );
}

/// Prints `count` positions after random moves that take a number of evaluated positions between
/// two bounds.
fn find(board: Board, count: usize, moves: [usize; 2], nodes: [u64; 2]) {
    let mut random = StdRng::seed_from_u64(MOVES_SEED);
    let rules = Rules::<u64>::new(board).expect("a board of at most 64 squares");
    let limit = Duration::from_secs_f64(nodes[1] as f64 / 0.6e6);
    let mut found = 0;
    while found < count {
        let mut position = rules::start(board).expect("a start").bitboards().expect("a start");
        let mut turn = Colour::White;
        for _ in 0..random.random_range(moves[0]..=moves[1]) {
            let all = rules.moves(&position);
            position = rules.play_unchecked(&position, all[random.random_range(0..all.len())]);
            turn = turn.other();
        }
        let position = Position::new(board, &position, turn).expect("played from a start");
        let (outcome, visited, _) = search(&position, 1, 0, Some(limit));
        if let Some(outcome) = outcome.filter(|_| (nodes[0]..=nodes[1]).contains(&visited)) {
            found += 1;
            println!("{}  {outcome}", fen(&position));
        }
    }
}

fn main() {
    // Cargo adds flags of its own.
    let words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let (options, words): (Vec<String>, Vec<String>) = words.partition(|word| word.contains('='));
    let threads = options.iter().find_map(|word| word.strip_prefix("threads="));
    let threads = threads.map_or(1, |threads| threads.parse().expect("a number of threads"));
    let number = |at: usize| -> u64 { words[at].parse().expect("a number") };
    match words.first().map(String::as_str) {
        Some("find") => {
            let (board, moves) =
                (words[1].parse().expect("a board"), [number(3) as usize, number(4) as usize]);
            find(board, number(2) as usize, moves, [number(5), number(6)]);
        }
        Some("hard") => measure(HARD, |_, _| true, threads, 1),
        Some("endgames") => measure(ENDGAMES, |_, _| true, threads, 1),
        _ if std::env::args().any(|word| word == "--test") => {
            measure(USUAL, |text, _| FAST.contains(&text), threads, 1);
        }
        board => measure(
            USUAL,
            |_, position| position.board().to_string().starts_with(board.unwrap_or("")),
            threads,
            if words.len() > 1 { number(1) } else { SEEDS },
        ),
    }
}
