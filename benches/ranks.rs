//! Work of many processes on one position: ranks of a simulation
//! (`src/search/job_level/simulation.rs`), whose time is counted in evaluated positions, so every
//! figure is the same in each run, on any machine.
//!
//! ```text
//! cargo bench --bench ranks                   the positions of POSITIONS that take seconds
//! cargo bench --bench ranks -- 6x4            those whose names begin so, the long ones too
//! cargo bench --bench ranks -- ranks=1,8,64 latency=20 serving=20 rate=2000000
//! cargo bench --bench ranks -- --test         a small one: that its ratio stays within a bound
//! ```
//!
//! A latency of 20 positions is 10 us where a rank evaluates two million a second. Each rank has
//! one thread. The efficiency is the positions of one rank by the time of all ranks together: what
//! a processor of them is worth.

mod lines;

use amazons::machine::progress::StopFlag;
use amazons::search::{Budget, Network, Settings, Simulated, Solver, simulate};

use lines::{Line, Words};

/// What is searched.
const POSITIONS: [Line; 8] = [
    Line::loses("4x5", ""),
    Line::loses("4x7", "b1-b5/c5"),
    Line::wins("4x7", ""),
    Line::wins("6x5", "b1-c1/e3"),
    Line::wins("6x5", "b1-d1/b3").long(),
    Line::loses("5x6", "b1-b4/d4").long(),
    Line::loses("6x4", "").long(),
    Line::loses("4x8", "b1-b6/c6 d7-d4/a1 a2-c4/a6").long(),
];

/// Memory of all tables together, and of one at the most.
const TABLES: u64 = 6 << 30;
const TABLE: u64 = 256 << 20;

/// The search of a line by so many ranks; its verdict must be right.
fn search(line: &Line, ranks: usize, network: Network) -> Simulated {
    let position = line.position();
    let table_bytes = TABLE.min(TABLES / ranks as u64);
    let settings = Settings { table_bytes, threads: 1, seed: 1 };
    let solver = |_| Solver::new(position.board(), settings, StopFlag::new()).expect("memory");
    let mut solvers: Vec<Solver<'_>> = (0..ranks).map(solver).collect();
    let found = simulate(&mut solvers, &position, Budget::default(), network).expect("memory");
    assert_eq!(found.outcome, line.outcome, "{}", line.name());
    found
}

/// Measures a line with each number of ranks; returns how many times the positions of one they
/// search.
fn measure(line: &Line, ranks: &[usize], network: Network) -> Vec<f64> {
    let name = line.name();
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
    // 10 us, two million positions a second, and as long for rank 0 to serve a job.
    let usual = Network { latency: 20, serving: 20, rate: 2e6 };
    heading();
    if Words::is_test() {
        let ratio = measure(&POSITIONS[0], &[8], usual)[0];
        assert!(ratio < BOUND, "{ratio:.2} times the positions");
        return;
    }
    let words = Words::of_this_process();
    let network = Network {
        latency: words.number("latency", usual.latency),
        serving: words.number("serving", usual.serving),
        rate: words.number("rate", usual.rate as u64) as f64,
    };
    let ranks = words.numbers("ranks", "1,2,8,64,256,1024");
    for line in words.chosen(&POSITIONS) {
        measure(line, &ranks, network);
    }
}
