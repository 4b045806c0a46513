//! Work of many processes on one position: ranks of a simulation (`src/search/job_level/simulation.rs`),
//! whose time is counted in evaluated positions, so every figure is the same in each run, on any
//! machine.
//!
//! ```text
//! cargo bench --bench ranks                   the positions of POSITIONS that take seconds
//! cargo bench --bench ranks -- 6x4            those whose names begin so, the long ones too
//! cargo bench --bench ranks -- ranks=1,8,64 latency=20 serving=20 rate=2000000
//! cargo bench --bench ranks -- --test         a small one: that its ratio stays within a bound
//! ```
//!
//! A latency of 20 positions is 10 us where a rank evaluates two million a second. Each rank has one
//! thread. The efficiency is the positions of one rank by the time of all ranks together: what a
//! processor of them is worth.

use amazons::game::Outcome;
use amazons::game::rules::{self, Position};
use amazons::machine::progress::StopFlag;
use amazons::search::{Budget, Network, Settings, Simulated, Solver, simulate};

/// A board with the moves from its start, what the side to move reaches, and whether its searches
/// take longer than minutes.
type Line = (&'static str, &'static str, Outcome, bool);

/// What is searched.
const POSITIONS: [Line; 8] = [
    ("4x5", "", Outcome::Loss, false),
    ("4x7", "b1-b5/c5", Outcome::Loss, false),
    ("4x7", "", Outcome::Win, false),
    ("6x5", "b1-c1/e3", Outcome::Win, false),
    ("6x5", "b1-d1/b3", Outcome::Win, true),
    ("5x6", "b1-b4/d4", Outcome::Loss, true),
    ("6x4", "", Outcome::Loss, true),
    ("4x8", "b1-b6/c6 d7-d4/a1 a2-c4/a6", Outcome::Loss, true),
];

/// Memory of all tables together, and of one at the most.
const TABLES: u64 = 6 << 30;
const TABLE: u64 = 256 << 20;

/// The position after the moves of a line.
fn position(&(board, moves, ..): &Line) -> Position {
    let start = rules::start(board.parse().expect("a board")).expect("a start");
    moves.split_whitespace().fold(start, |position, played| {
        position.play(played.parse().expect("a move")).expect("a legal move")
    })
}

/// The search of a line by so many ranks; its verdict must be right.
fn search(line: &Line, ranks: usize, network: Network) -> Simulated {
    let position = position(line);
    let table_bytes = TABLE.min(TABLES / ranks as u64);
    let settings = Settings { table_bytes, threads: 1, seed: 1 };
    let solver = |_| Solver::new(position.board(), settings, StopFlag::new()).expect("memory");
    let mut solvers: Vec<Solver<'_>> = (0..ranks).map(solver).collect();
    let found = simulate(&mut solvers, &position, Budget::default(), network).expect("memory");
    assert_eq!(found.outcome, line.2, "{} {}", line.0, line.1);
    found
}

/// Measures a line with each number of ranks; returns how many times the positions of one they
/// search.
fn measure(line: &Line, ranks: &[usize], network: Network) -> Vec<f64> {
    let name = format!("{} {}", line.0, line.1);
    let alone = search(line, 1, network);
    let ratio = |&ranks: &usize| {
        let Simulated { positions, time, jobs, served, .. } = search(line, ranks, network);
        let ratio = positions as f64 / alone.positions as f64;
        let speed_up = alone.time as f64 / time as f64;
        let efficiency = speed_up / ranks as f64;
        let busy = served as f64 / time as f64;
        println!(
            "{name:28} {ranks:6} {positions:12} {ratio:7.2} {time:12} {speed_up:9.1} {efficiency:10.3} {jobs:8} {busy:7.3}"
        );
        ratio
    };
    ranks.iter().map(ratio).collect()
}

fn heading() {
    println!(
        "{:28} {:>6} {:>12} {:>7} {:>12} {:>9} {:>10} {:>8} {:>7}",
        "position", "ranks", "positions", "ratio", "time", "speed-up", "efficiency", "jobs", "busy"
    );
}

/// Most that eight ranks may need of 4x5. The bound leaves room for other searches: what it guards
/// against is work that multiplies with the ranks.
const BOUND: f64 = 8.0;

fn main() {
    // 10 us, two million positions a second, and what rank 0 was measured to take for a job.
    let mut network = Network { latency: 20, serving: 20, rate: 2e6 };
    heading();
    // Cargo adds flags of its own.
    if std::env::args().any(|word| word == "--test") {
        let ratio = measure(&POSITIONS[0], &[8], network)[0];
        assert!(ratio < BOUND, "{ratio:.2} times the positions");
        return;
    }
    let words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let (options, boards): (Vec<String>, Vec<String>) = words.partition(|word| word.contains('='));
    let option = |name: &str| {
        let value = |word: &String| word.strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
        options.iter().find_map(value)
    };
    let number =
        |name: &str, usual: u64| option(name).map_or(usual, |text| text.parse().expect("a number"));
    network.latency = number("latency", network.latency);
    network.serving = number("serving", network.serving);
    network.rate = number("rate", network.rate as u64) as f64;
    let ranks = option("ranks").unwrap_or_else(|| "1,2,8,64,256,1024".into());
    let ranks: Vec<usize> =
        ranks.split(',').map(|text| text.parse().expect("a number of ranks")).collect();
    for line in &POSITIONS {
        let named = boards.iter().any(|board| format!("{} {}", line.0, line.1).starts_with(board));
        if named || boards.is_empty() && !line.3 {
            measure(line, &ranks, network);
        }
    }
}
