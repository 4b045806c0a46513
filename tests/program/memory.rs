//! `--memory` is a bound: a command that cannot keep it says how much it needs before it starts,
//! and with so much no process is ever larger, its own code counted.
//!
//! `cargo test --test program memory -- --nocapture` prints what was given and used.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use amazons::game::Outcome;
use amazons::game::code::{Code, Coder};
use amazons::game::rules::{Position, Rules};
use amazons::proof::{Claim, Writer};

use crate::commands::FINISHED;
use amazons_test_support::long::long_tests;

/// How a process ended, what it said on standard error, and the most memory that it had.
struct Run {
    status: i32,
    told: String,
    peak: u64,
}

/// The most memory that a process had so far, as Linux counts it: its code and what it reads by
/// maps with it. `None` when it has ended.
fn peak(child: &Child) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// A run whose memory was looked at before it ended: the one that is there, or one of others. A
/// command of milliseconds may end before, when the processors are busy.
fn seen(arguments: &[&str], run: Option<Run>, another: impl Fn() -> Run) -> Run {
    let mut runs = run.into_iter().chain(std::iter::repeat_with(another).take(20));
    let seen = runs.find(|run| run.peak > 1 << 20);
    seen.unwrap_or_else(|| panic!("{arguments:?}: no peak was seen"))
}

/// Runs a command with so much memory. A server is stopped when it has begun to serve.
fn run_once(arguments: &[&str], memory: &str, input: &str) -> Run {
    let serves = arguments[0] == "serve";
    let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(arguments)
        .args(["--memory", memory, "--threads", "2", "-q"])
        .stdin(Stdio::piped())
        .stdout(if serves { Stdio::piped() } else { Stdio::null() })
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended without reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let mut most = 0;
    if let Some(mut out) = child.stdout.take()
        && out.read(&mut [0]).unwrap() > 0
    {
        most = peak(&child).unwrap();
        child.kill().unwrap();
    }
    let status = loop {
        most = most.max(peak(&child).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        sleep(Duration::from_millis(1));
    };
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    Run { status: status.code().unwrap_or(0), told, peak: most }
}

/// The bytes that a command says it needs at least.
fn said(told: &str) -> Option<u64> {
    let (_, rest) = told.split_once("need")?;
    let rest = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let number: u64 = rest[..digits].parse().ok()?;
    let unit = rest[digits..].trim_start();
    let bytes = [("MB", 1_000_000), ("MiB", 1 << 20), ("bytes", 1)];
    bytes.iter().find(|(name, _)| unit.starts_with(name)).map(|(_, bytes)| number * bytes)
}

/// Runs a command with ever more memory, until it says no more that it needs more; among long tests
/// then with twice as much, too.
fn bounded(arguments: &[&str], expected: i32, input: &str) {
    let with = |given: u64| run_once(arguments, &format!("{given}B"), input);
    let mut given = 1_000_000;
    let mut least = with(given);
    for _ in 0..12 {
        let Some(more) = said(&least.told).filter(|&more| more > given) else { break };
        assert!([1, 2].contains(&least.status), "{arguments:?}: {}", least.told);
        given = more;
        least = with(given);
    }
    let runs = [(given, Some(least)), (2 * given, None)];
    for (given, run) in runs.into_iter().take(if long_tests() { 2 } else { 1 }) {
        let Run { status, told, peak } = seen(arguments, run, || with(given));
        let (given, used) = (given as f64 / 1e6, peak as f64 / 1e6);
        println!("{given:8.1} {used:8.1}  {}", arguments.join(" "));
        // With the least that it asks for a command may still reach its limit.
        assert!([expected, 3].contains(&status), "{arguments:?} with {given} MB: {told}");
        assert!(used <= given, "{arguments:?}: {used} MB of {given}");
    }
}

/// The board and amazons of the table that is asked.
fn board_and_amazons() -> [&'static str; 2] {
    if long_tests() { ["4x5", "3v3"] } else { ["4x4", "3v3"] }
}

fn quiet(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_amazons")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Many games from the start of the table of 4x4, with variations and comments.
fn games(path: &Path, count: usize) {
    let start = "FF[4]GM[18]SZ[4]AW[bd][cd][dd]AB[aa][ba][ca]";
    let moves = "W[bdbbbd]C[a comment\\] here](;B[aaabaa])(;B[aaacaa])";
    let game = format!("(;{start};{moves})\n");
    fs::write(path, game.repeat(count)).unwrap();
}

#[test]
fn no_command_takes_more_than_it_is_given() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let [table, other, proof, leaps, opening, sgf, out] =
        ["table", "other", "a.proof", "leaps.proof", "opening", "games.sgf", "out.sgf"].map(at);
    let [board, amazons] = board_and_amazons();
    quiet(&["build", board, "--amazons", amazons, "--tables", &table, "-q"]);
    quiet(&["solve", "4x4", "--certificate", &proof, "-q"]);
    games(Path::new(&sgf), if long_tests() { 300 } else { 60 });
    let start = "qqq1/4/4/1QQQ w";
    // Searches that reach it: their tables are full before.
    let time = if long_tests() { "2s" } else { "500ms" };
    println!("   given     used  (MB)");
    bounded(&["build", "3x4", "--amazons", "2v2", "--tables", &other], 0, "");
    let pencil = ["--rules", "pencil", "--tables", &at("pencil")];
    bounded(&[&["build", "3x4", "--amazons", "2v2"], &pencil[..]].concat(), 0, "");
    bounded(&[&["lookup", "3x4", "--amazons", "2v2"], &pencil[..]].concat(), 0, "");
    let margins = at("margins");
    let planes = ["build", "3x4", "--amazons", "1v1", "--tables", &margins, "--margins"];
    bounded(&planes, 0, "");
    bounded(&["verify", &margins, "--sample", "20000"], 0, "");
    bounded(&["check", &margins], 0, "");
    bounded(&["lookup", "3x4", "--amazons", "1v1", "--tables", &margins], 0, "");
    // Many amazons: the tables of the kernel and what its threads work in are larger than blocks.
    let [crowded, amazons] = if long_tests() { ["8x8", "60v0"] } else { ["7x7", "45v0"] };
    bounded(&["build", crowded, "--amazons", amazons, "--tables", &at("crowded")], 0, "");
    bounded(&["check", &table], 0, "");
    bounded(&["verify", &table, "--sample", "20000"], 0, "");
    bounded(&["verify", &other], 0, "");
    bounded(&["verify", &proof], 0, "");
    let large = concat!(env!("CARGO_MANIFEST_DIR"), "/results/proofs/4x7.proof");
    bounded(&["merge", "4x7", "--from", large, large, "--out", &at("merged")], 0, "");
    bounded(&["lookup", "4x7", "--certificate", large], 0, "");
    bounded(&["solve", "5x5"], 0, "");
    bounded(&["solve", "8x8", "--time", time], 3, "");
    bounded(&["solve", "8x8", "--time", time, "--checkpoint", &at("search")], 3, "");
    bounded(&["solve", "4x4", "--certificate", &at("b.proof")], 0, "");
    bounded(&["region", "x....|.....|..#..|.....|....o"], 3, "");
    bounded(&["regions", "--size", "6"], 0, "");
    bounded(&["regions", "--ends", "-2", "2"], 0, "");
    bounded(&["regions", "--defects", "5"], 0, "");
    bounded(&["score", FINISHED], 0, "");
    bounded(&["show", FINISHED, "--regions"], 0, "");
    bounded(&["solve", "4x4", "--rules", "cowboys", "--certificate", &leaps], 0, "");
    bounded(&["verify", &leaps], 0, "");
    let many = "results/variants/proofs/cowboys-4x6-1v1.proof";
    bounded(&["verify", &format!("{}/{many}", env!("CARGO_MANIFEST_DIR"))], 0, "");
    let graph = concat!(env!("CARGO_MANIFEST_DIR"), "/results/instances/graphs/ladder-02.txt");
    bounded(&["instance", "hamilton", graph, "--solve"], 0, "");
    bounded(&["annotate", &sgf, "--time", "1ms", "--out", &out], 0, "");
    bounded(&["play", "6x6", "--nodes", "2000"], 0, "a1-a2/a1\nhint\nquit\n");
    bounded(&["uci"], 0, "go nodes 2000\nquit\n");
    bounded(&["serve", "--bind", "127.0.0.1:0", "--tables", &table], 0, "");
    if board == "4x4" {
        bounded(&["lookup", start, "--tables", &table], 0, "");
        bounded(&["solve", start, "--tables", &table], 0, "");
        bounded(&["annotate", &sgf, "--tables", &table, "--out", &out], 0, "");
        bounded(&["opening", start, "--tables", &table, "--plies", "2", "--out", &opening], 0, "");
        bounded(&["verify", &opening], 0, "");
        bounded(&["lookup", start, "--tables", &opening], 0, "");
        let lines = format!("{start}\n").repeat(40_000);
        bounded(&["lookup", "-", "--values-only", "--tables", &table], 0, &lines);
        let few = format!("{start}\n").repeat(50);
        bounded(&["lookup", "-", "--tables", &table], 0, &few);
    }
}

#[test]
fn a_long_file_of_games_is_refused_before_it_is_read_into_too_much() {
    let directory = tempfile::tempdir().unwrap();
    let sgf = directory.path().join("games.sgf");
    // Few bytes that become much: values, nodes, games.
    for text in [
        format!("(;A{})", "[]".repeat(1 << 20)),
        format!("({})", ";".repeat(150_000)),
        "4x4\n".repeat(150_000),
    ] {
        fs::write(&sgf, text).unwrap();
        let annotate = ["annotate", sgf.to_str().unwrap(), "--time", "0s"];
        let run = seen(&annotate, None, || run_once(&annotate, "40MB", ""));
        assert!(run.peak <= 40_000_000, "{} bytes", run.peak);
        assert!(run.status != 0, "{}", run.told);
    }
}

/// Texts of few characters whose values are found by way of many others.
#[test]
fn values_keep_to_the_bound_whatever_the_text_says() {
    let switches = |sizes: &mut dyn Iterator<Item = u64>| {
        sizes.map(|size| format!("±{size}")).collect::<Vec<_>>().join("+")
    };
    let many = switches(&mut (1..40));
    let powers = switches(&mut (0..17).map(|power| 1 << power));
    for text in [&many, &powers] {
        for memory in ["32MB", "64MB"] {
            let value = ["value", text];
            let run = seen(&value, None, || run_once(&value, memory, ""));
            assert!([2, 3].contains(&run.status), "{}", run.told);
            let bound = memory.trim_end_matches("MB").parse::<u64>().unwrap() * 1_000_000;
            assert!(run.peak <= bound, "{} of {bound} bytes", run.peak);
        }
    }
}

#[test]
fn positions_of_many_moves_are_looked_up_within_the_bound() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let line = crowded_certificate(file.path());
    let lookup = ["lookup", "-", "--certificate", file.path().to_str().unwrap()];
    let run = run_once(&lookup, "100MB", &line.repeat(250));
    println!("{:9.1} {:8.1}  {}", 100.0, run.peak as f64 / 1e6, lookup.join(" "));
    assert_eq!(run.status, 0, "{}", run.told);
    assert!(run.peak <= 100_000_000, "{} bytes", run.peak);
}

/// Writes a certificate that lists every answer to a position of many moves; the position. It is no
/// proof: whether it is does not concern who looks a position up.
fn crowded_certificate(path: &Path) -> String {
    let line = "QQQ2QQ1/7Q/Q6Q/Q6Q/Q7/Q7/7Q/Q3QQq1 w\n";
    let position: Position = line.trim().parse().unwrap();
    let claim = Claim { position, outcome: Outcome::Loss, leaf: 0, walls: false };
    let (rules, coder) = (Rules::new(position.board()).unwrap(), Coder::new(position.board()));
    let start = position.bitboards().unwrap();
    let after = |played| coder.code(&rules.play_unchecked(&start, played));
    let listed: BTreeSet<Code> = rules.moves(&start).into_iter().map(after).collect();
    assert!(listed.len() > 3000);
    let listed: Vec<(Code, u32)> = listed.into_iter().map(|code| (code, 0)).collect();
    let mut writer = Writer::new(fs::File::create(path).unwrap(), &claim).unwrap();
    writer.tier(1, &listed).unwrap();
    writer.finish().unwrap();
    line.to_string()
}

/// A process that ends with its test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn a_server_keeps_its_bound_whatever_it_is_sent() {
    // The more threads, the more could be done at a time.
    let arguments = ["--memory", "160MiB", "--threads", "16", "--json", "--quiet"];
    let server = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["serve", "--bind", "127.0.0.1:0"])
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut server = Killed(server);
    let mut told = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut told).unwrap();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let address = told["url"].as_str().unwrap()["http://".len()..].trim_end_matches('/');
    // As many nodes, games and values as fit a body, and more than are read.
    let head = "(;GM[18]SZ[4]AW[b1]AB[c4]";
    let bodies = [
        format!("{head}{})", ";".repeat(19_000)),
        format!("{head}{})", ";".repeat(250_000)),
        format!("{head}){}", "(;)".repeat(80_000)),
        format!("{head}A{})", "[]".repeat(120_000)),
    ];
    // The values of its parts take all the memory that values may have.
    let parts = "**********/2Q1*q3*/QQ2*qQqQ*/1Q1q*qq2*/Q1q1*4*/**********/q2q*1q2*/q1q1*QqQ1*/\
                 2Q1*qQ1Q*/1Q1Q*4*+w";
    let insight = format!("GET /api/v1/insight?fen={parts}");
    let ask = |line: &str, body: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length:";
        write!(stream, "{line} {head} {}\r\n\r\n{body}", body.len()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        // The rest waits at the server until this client leaves.
        (stream, String::from_utf8(status.to_vec()).unwrap())
    };
    std::thread::scope(|scope| {
        let client = || bodies.iter().map(|body| ask("POST /api/v1/sgf", body)).collect::<Vec<_>>();
        let clients: Vec<_> = (0..12).map(|_| scope.spawn(client)).collect();
        for client in clients {
            let statuses: Vec<String> =
                client.join().unwrap().into_iter().map(|(_, status)| status).collect();
            let expected = ["200", "413", "413", "200"];
            assert_eq!(statuses, expected.map(|code| format!("HTTP/1.1 {code}")));
        }
        let clients: Vec<_> = (0..24).map(|_| scope.spawn(|| ask(&insight, "").1)).collect();
        let answers = clients.into_iter().map(|client| client.join().unwrap());
        // A slow machine may not come to the last of them in time.
        let good = answers.inspect(|status| assert!(status != "HTTP/1.1 400", "{status}"));
        assert!(good.filter(|status| status == "HTTP/1.1 200").count() > 0);
    });
    // As many moves as an answer may have, and more.
    let start = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";
    let many = |count: usize| serde_json::json!({"positions": vec![start; count]}).to_string();
    let held: Vec<_> = (0..8).map(|_| ask("POST /api/v1/positions", &many(30))).collect();
    assert!(held.iter().all(|(_, status)| status == "HTTP/1.1 200"));
    assert_eq!(ask("POST /api/v1/positions", &many(1000)).1, "HTTP/1.1 413");
    let most = peak(&server.0).unwrap();
    println!("{:9.1} {:8.1}  serve, with 12 and 24 clients", 160.0 * 1.048576, most as f64 / 1e6);
    assert!(most <= 160 << 20, "{most} bytes");
}

/// Who is told a figure is not told a larger one the next time.
#[test]
fn what_is_asked_for_at_first_is_enough() {
    for arguments in [&["score", "5x5"][..], &["regions", "--size", "5"], &["region", "x.|.o"]] {
        let given = said(&run_once(arguments, "1MB", "").told).expect("a figure is named");
        let run = run_once(arguments, &format!("{given}B"), "");
        assert_eq!(run.status, 0, "{arguments:?} with {given}: {}", run.told);
    }
}
