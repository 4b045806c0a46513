//! Work of many threads on fixed positions, in evaluated positions: virtual threads that take turns
//! by a seed (`src/machine/virtual_threads.rs`), so every figure is the same in each run, on any
//! machine.
//!
//! ```text
//! cargo bench --bench threads                 the positions of POSITIONS that take seconds
//! cargo bench --bench threads -- 4x7 6x4      those whose names begin so, the long ones too
//! cargo bench --bench threads -- threads=1,16 seeds=9 quantum=64
//! cargo bench --bench threads -- --test       small ones: that the ratios stay within bounds
//! ```
//!
//! One thread has one way to go; the seed jitters its first numbers instead. What that spreads is
//! luck: any other order of the same moves would do as well. Only what many threads need beyond it
//! is theirs. All ratios are to the median of the jittered searches of one thread.

mod lines;

use amazons::machine::progress::StopFlag;
use amazons::machine::virtual_threads::Schedule;
use amazons::search::{Settings, Solver};

use lines::{Line, Words};

/// What is searched.
const POSITIONS: [Line; 11] = [
    Line::loses("4x5", ""),
    Line::wins("4x6", ""),
    Line::wins("5x5", ""),
    Line::loses("4x7", "b1-b5/c5"),
    Line::wins("4x7", ""),
    Line::wins("6x5", "b1-c1/e3"),
    Line::wins("6x5", "a2-e2/e3"),
    Line::wins("6x5", "b1-d1/b3").long(),
    Line::loses("5x6", "b1-b4/d4").long(),
    Line::loses("6x4", "").long(),
    Line::wins("4x8", "").long(),
];

/// Memory of the table.
const TABLE: u64 = 256 << 20;

/// What is measured of each position.
struct Plan {
    threads: Vec<usize>,
    seeds: u64,
    quantum: u64,
}

/// Positions evaluated by one search; its verdict must be right.
fn search(line: &Line, threads: usize, quantum: u64, seed: u64) -> u64 {
    let position = line.position();
    let settings = Settings { table_bytes: TABLE, threads, seed: 1 };
    let solver =
        Solver::new(position.board(), settings, StopFlag::new()).expect("memory for the table");
    let mut solver = match threads {
        1 => solver.with_jitter(seed),
        _ => solver.with_schedule(Schedule { quantum, seed }),
    };
    let outcome = solver.solve(&position).expect("memory");
    assert_eq!(outcome, Some(line.outcome), "{}, seed {seed}", line.name());
    solver.nodes()
}

/// Measures a line with each number of threads; returns the ratios of the medians to that of one
/// thread.
fn measure(line: &Line, plan: &Plan) -> Vec<f64> {
    let name = line.name();
    let mut alone = None;
    let mut ratio = |&threads: &usize| {
        let searches = (1..=plan.seeds).map(|seed| search(line, threads, plan.quantum, seed));
        let mut nodes: Vec<u64> = searches.collect();
        nodes.sort_unstable();
        let (least, median, most) = (nodes[0], nodes[nodes.len() / 2], nodes[nodes.len() - 1]);
        let ratio = median as f64 / *alone.get_or_insert(median as f64);
        println!("{name:16} {threads:7} {least:12} {median:12} {most:12} {ratio:7.2}");
        ratio
    };
    plan.threads.iter().map(&mut ratio).collect()
}

fn heading() {
    let [least, median, most] = ["least", "median", "most"];
    println!("{:16} threads {least:>12} {median:>12} {most:>12}   ratio", "position");
}

/// That eight threads need no more than a few times as many positions as one. The bounds leave room
/// for other searches: what they guard against is work that multiplies with the threads.
fn check() {
    heading();
    let plan = Plan { threads: vec![1, 8], seeds: 3, quantum: 64 };
    for (line, most) in POSITIONS.iter().zip([BOUND_LOST, BOUND_WON]) {
        let ratio = measure(line, &plan)[1];
        assert!(ratio < most, "{}: {ratio:.2} times the positions", line.name());
    }
}

/// Most that eight threads may need of 4x5, which is lost, and of 4x6, which is won.
const BOUND_LOST: f64 = 2.0;
const BOUND_WON: f64 = 6.0;

fn main() {
    if Words::is_test() {
        return check();
    }
    let words = Words::of_this_process();
    let threads = words.numbers("threads", "1,2,4,8,16,64,256");
    let (seeds, quantum) = (words.number("seeds", 5), words.number("quantum", 64));
    let plan = Plan { threads, seeds, quantum };
    heading();
    for line in words.chosen(&POSITIONS) {
        measure(line, &plan);
    }
}
