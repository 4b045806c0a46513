//! Table answers a second over loopback, and how long they take.
//!
//! A server with its built-in table of 4x4 and clients that keep their connections, in one process
//! and so on the same processors; each client asks for a random position and reads the whole answer
//! before it asks for the next. Every answer is checked for its status and its length.
//!
//! `cargo bench --bench serve` runs for ten seconds at each number of clients; with `-- --test` for
//! a moment, once.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons::app::serve::{Options, Server};
use amazons::game::board::{Bitboard, Board};
use amazons::game::notation::fen;
use amazons::game::rules::{Bitboards, Colour, Position};
use amazons::machine::progress::StopFlag;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let (seconds, clients): (f64, &[usize]) =
        if test { (0.2, &[2]) } else { (10.0, &[1, 2, 8, 32, 128]) };
    let stop = StopFlag::new();
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let options = Options { threads, ..Options::default() };
    let server = Server::open(options, Arc::new(()), &stop).unwrap();
    let (address, flag) = (server.address(), stop.clone());
    let server = std::thread::spawn(move || server.run(&flag).unwrap());
    println!("clients  answers/s   bytes  p50 ms  p90 ms  p99 ms  p99.9 ms  worst ms");
    for &clients in clients {
        let run = run(address, clients, Duration::from_secs_f64(seconds));
        let (count, bytes) = (run.times.len(), run.bytes / run.times.len().max(1));
        let at = |share: f64| run.times[((count - 1) as f64 * share) as usize] * 1e3;
        let rate = count as f64 / run.seconds;
        let [p50, p90, p99, p999, worst] = [0.5, 0.9, 0.99, 0.999, 1.0].map(at);
        println!(
            "{clients:7}  {rate:9.0}  {bytes:6}  {p50:6.2}  {p90:6.2}  {p99:6.2}  {p999:8.2}  {worst:8.2}"
        );
        assert!(count > clients, "{count} answers");
    }
    stop.stop();
    server.join().unwrap();
}

struct Run {
    /// Seconds of each answer, sorted.
    times: Vec<f64>,
    bytes: usize,
    seconds: f64,
}

fn run(address: SocketAddr, clients: usize, time: Duration) -> Run {
    let began = Instant::now();
    let threads: Vec<_> = (0..clients)
        .map(|seed| std::thread::spawn(move || client(address, seed as u64, began + time)))
        .collect();
    let mut run = Run { times: Vec::new(), bytes: 0, seconds: 0.0 };
    for thread in threads {
        let (times, bytes) = thread.join().unwrap();
        run.times.extend(times);
        run.bytes += bytes;
    }
    run.seconds = began.elapsed().as_secs_f64();
    run.times.sort_by(f64::total_cmp);
    run
}

fn client(address: SocketAddr, seed: u64, end: Instant) -> (Vec<f64>, usize) {
    let mut random = StdRng::seed_from_u64(seed);
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut writer = stream.try_clone().unwrap();
    let mut reader = BufReader::with_capacity(1 << 16, stream);
    let (mut times, mut bytes) = (Vec::new(), 0);
    while Instant::now() < end {
        let position = fen(&position(&mut random)).replace(' ', "+");
        let request =
            format!("GET /api/v1/position?fen={position} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let asked = Instant::now();
        writer.write_all(request.as_bytes()).unwrap();
        bytes += answer(&mut reader);
        times.push(asked.elapsed().as_secs_f64());
    }
    (times, bytes)
}

/// Reads one answer; its length.
fn answer(reader: &mut impl BufRead) -> usize {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
    let mut length = None;
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().ok();
        }
    }
    let mut body = vec![0; length.expect("a length")];
    reader.read_exact(&mut body).unwrap();
    assert!(body.starts_with(b"{\"position\":") && body.ends_with(b"}"));
    body.len()
}

/// A random position of 4x4 with four amazons a side and up to four arrows, where there are the
/// most moves.
fn position(random: &mut StdRng) -> Position {
    let board = Board::new(4, 4).unwrap();
    let mut order: Vec<u32> = (0..16).collect();
    for i in (1..16).rev() {
        order.swap(i, random.random_range(0..=i));
    }
    let mut take = |count: usize| order.drain(..count).fold(0u64, |set, square| set | 1 << square);
    let (mover, opponent) = (take(4), take(4));
    let arrows = take(random.random_range(0..=4));
    let [mover, opponent, arrows] = [mover, opponent, arrows].map(Bitboard::from_word);
    let turn = if random.random() { Colour::White } else { Colour::Black };
    Position::new(board, &Bitboards { mover, opponent, arrows }, turn).unwrap()
}
