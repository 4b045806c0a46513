//! A server in this process and the smallest client that can talk to it, bytes and all.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use amazons::app::serve::{Options, ServeError, Server};
use amazons::machine::progress::StopFlag;
use serde_json::Value;

/// A server that runs until it is dropped.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: StopFlag,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

/// One response.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Served {
    pub(crate) fn new(options: Options) -> Self {
        let stop = StopFlag::new();
        let server = Server::open(options, Arc::new(()), &stop).unwrap();
        let (address, flag) = (server.address(), stop.clone());
        let thread = std::thread::spawn(move || server.run(&flag));
        Self { address, stop, thread: Some(thread) }
    }

    /// A server for options with no bound on searches that a test could reach, however fast the
    /// machine is.
    pub(crate) fn eager(options: Options) -> Self {
        Self::new(Options { searches_a_minute: 1_000_000, ..options })
    }

    pub(crate) fn with_tables(tables: &[PathBuf]) -> Self {
        Self::new(Options { tables: tables.to_vec(), ..Options::default() })
    }

    /// Asks the server to stop and waits until it has.
    pub(crate) fn stop(&mut self) -> Result<(), ServeError> {
        self.stop.stop();
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap())
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
        stream
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.get_with(path, "")
    }

    /// GET with more header lines, each ended by CRLF.
    pub(crate) fn get_with(&self, path: &str, headers: &str) -> Reply {
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"
        ))
    }

    /// POST of a text, with more header lines, each ended by CRLF.
    pub(crate) fn post(&self, path: &str, body: &str, headers: &str) -> Reply {
        let length = body.len();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\
             Content-Length: {length}\r\n\r\n{body}"
        ))
    }

    pub(crate) fn send(&self, request: &str) -> Reply {
        Reply::parse(&self.raw(request.as_bytes()))
    }

    /// Sends bytes and reads until the server closes, or is silent for long. A server that closes
    /// early is no error.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Vec<u8> {
        self.exchange(bytes, false)
    }

    /// As [`Self::raw`], but says that nothing more will come, after which the server owes no
    /// answer.
    pub(crate) fn raw_and_leave(&self, bytes: &[u8]) -> Vec<u8> {
        self.exchange(bytes, true)
    }

    fn exchange(&self, bytes: &[u8], leave: bool) -> Vec<u8> {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        if leave {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// A GET whose answer must be JSON with status 200.
    pub(crate) fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
        reply.json()
    }

    pub(crate) fn position(&self, fen: &str) -> Value {
        self.json(&format!("/api/v1/position?fen={}", query(fen)))
    }

    /// Begins a search; its events are read from what is returned.
    pub(crate) fn search(&self, fen: &str, more: &str) -> Events {
        let mut stream = self.connect();
        let path = format!("/api/v1/search?fen={}{more}", query(fen));
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut lines = BufReader::new(stream);
        let mut status = String::new();
        lines.read_line(&mut status).unwrap();
        Events { status: status.split(' ').nth(1).unwrap().parse().unwrap(), lines }
    }

    /// Waits until so many searches run.
    pub(crate) fn wait_for(&self, running: u64) {
        let end = Instant::now() + Duration::from_secs(60);
        while self.json("/api/v1/health")["searches_running"] != running {
            assert!(Instant::now() < end, "still not {running} searches");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

impl Reply {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_lowercase(), body: body.to_string() }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Code and message of an error.
    pub(crate) fn error(&self) -> (String, String) {
        let error = &self.json()["error"];
        let text = |field: &str| error[field].as_str().unwrap().to_string();
        (text("code"), text("message"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// The events of a running search. Dropping it leaves.
pub(crate) struct Events {
    pub(crate) status: u16,
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The first progress of a search that has visited nodes. The search is left then.
    pub(crate) fn working(mut self) -> Value {
        let works =
            |(name, data): &(String, Value)| name == "progress" && data["nodes"].as_u64() > Some(0);
        self.find(works).expect("a search that takes long tells how far it is").1
    }
}

impl Iterator for Events {
    type Item = (String, Value);

    fn next(&mut self) -> Option<(String, Value)> {
        let (mut name, mut line) = (String::new(), String::new());
        loop {
            line.clear();
            // The end of a chunked body is a chunk of no bytes.
            if self.lines.read_line(&mut line).ok()? == 0 || line == "0\r\n" {
                return None;
            }
            if let Some(found) = line.strip_prefix("event: ") {
                name = found.trim().to_string();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data.trim()).unwrap()));
            }
        }
    }
}

/// A FEN in a query.
pub(crate) fn query(fen: &str) -> String {
    fen.replace(' ', "+")
}
