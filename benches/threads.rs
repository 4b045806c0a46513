//! Work of many threads on fixed positions, in evaluated positions: virtual threads that take turns
//! by a seed (`src/machine/virtual_threads.rs`), so every figure is the same in each run, on any machine.
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

use amazons::game::Outcome;
use amazons::game::rules::{self, Position};
use amazons::machine::progress::StopFlag;
use amazons::machine::virtual_threads::Schedule;
use amazons::search::{Settings, Solver};

/// A board with the moves from its start, what the side to move reaches, and whether many searches
/// of it take longer than minutes.
type Line = (&'static str, &'static str, Outcome, bool);

/// What is searched.
const POSITIONS: [Line; 11] = [
    ("4x5", "", Outcome::Loss, false),
    ("4x6", "", Outcome::Win, false),
    ("5x5", "", Outcome::Win, false),
    ("4x7", "b1-b5/c5", Outcome::Loss, false),
    ("4x7", "", Outcome::Win, false),
    ("6x5", "b1-c1/e3", Outcome::Win, false),
    ("6x5", "a2-e2/e3", Outcome::Win, false),
    ("6x5", "b1-d1/b3", Outcome::Win, true),
    ("5x6", "b1-b4/d4", Outcome::Loss, true),
    ("6x4", "", Outcome::Loss, true),
    ("4x8", "", Outcome::Win, true),
];

/// Memory of the table.
const TABLE: u64 = 256 << 20;

/// What is measured of each position.
struct Plan {
    threads: Vec<usize>,
    seeds: u64,
    quantum: u64,
}

/// The position after the moves of a line.
fn position(&(board, moves, ..): &Line) -> Position {
    let start = rules::start(board.parse().expect("a board")).expect("a start");
    moves.split_whitespace().fold(start, |position, played| {
        position.play(played.parse().expect("a move")).expect("a legal move")
    })
}

/// Positions evaluated by one search; its verdict must be right.
fn search(line: &Line, threads: usize, quantum: u64, seed: u64) -> u64 {
    let position = position(line);
    let settings = Settings { table_bytes: TABLE, threads, seed: 1 };
    let solver =
        Solver::new(position.board(), settings, StopFlag::new()).expect("memory for the table");
    let mut solver = match threads {
        1 => solver.with_jitter(seed),
        _ => solver.with_schedule(Schedule { quantum, seed }),
    };
    let outcome = solver.solve(&position).expect("memory");
    assert_eq!(outcome, Some(line.2), "{} {}, seed {seed}", line.0, line.1);
    solver.nodes()
}

/// Measures a line with each number of threads; returns the ratios of the medians to that of one
/// thread.
fn measure(line: &Line, plan: &Plan) -> Vec<f64> {
    let name = format!("{} {}", line.0, line.1);
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
        assert!(ratio < most, "{} {}: {ratio:.2} times the positions", line.0, line.1);
    }
}

/// Most that eight threads may need of 4x5, which is lost, and of 4x6, which is won.
const BOUND_LOST: f64 = 2.0;
const BOUND_WON: f64 = 6.0;

fn main() {
    // Cargo adds flags of its own.
    if std::env::args().any(|word| word == "--test") {
        return check();
    }
    let words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let (options, boards): (Vec<String>, Vec<String>) = words.partition(|word| word.contains('='));
    let option = |name: &str| {
        let value = |word: &String| word.strip_prefix(name)?.strip_prefix('=').map(str::to_owned);
        options.iter().find_map(value)
    };
    let number =
        |name: &str, usual: u64| option(name).map_or(usual, |text| text.parse().expect("a number"));
    let threads = option("threads").unwrap_or_else(|| "1,2,4,8,16,64,256".into());
    let threads = threads.split(',').map(|text| text.parse().expect("a number of threads"));
    let (seeds, quantum) = (number("seeds", 5), number("quantum", 64));
    let plan = Plan { threads: threads.collect(), seeds, quantum };
    heading();
    for line in &POSITIONS {
        let named = boards.iter().any(|board| format!("{} {}", line.0, line.1).starts_with(board));
        if named || boards.is_empty() && !line.3 {
            measure(line, &plan);
        }
    }
}
