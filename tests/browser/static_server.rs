//! A plain static server: the files of a folder, and nothing of this project.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What it does with a request for some bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranges {
    /// It sends them.
    Sent,
    /// It sends the file.
    Unknown,
    /// It announces them and sends half.
    Cut,
    /// It sends fewer and says so.
    Fewer,
}

/// A running server.
#[derive(Clone)]
pub(crate) struct StaticServer {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl StaticServer {
    pub(crate) fn start(folder: &Path, ranges: Ranges) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            stopped: Arc::default(),
            requests: Arc::default(),
        };
        let (shared, folder) = (server.clone(), folder.to_path_buf());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.stopped.load(Ordering::SeqCst) {
                    return;
                }
                let (requests, folder) = (shared.requests.clone(), folder.clone());
                let stream = stream.unwrap();
                std::thread::spawn(move || {
                    // A browser that goes away concerns nobody.
                    let _ = answer(&stream, &folder, ranges, &requests);
                });
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Paths that were asked for since the last time, with their ranges.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }

    /// From now on nobody listens at its address.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        // The listener wakes up and ends.
        while TcpStream::connect(self.address).is_ok() {
            std::thread::yield_now();
        }
    }
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

fn answer(
    mut stream: &TcpStream,
    folder: &Path,
    ranges: Ranges,
    requests: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let path = first.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_string();
    let range = head.iter().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("range").then(|| value.to_string())
    });
    requests.lock().unwrap().push(format!("{path} {}", range.as_deref().unwrap_or("whole")));
    let file: PathBuf = folder.join(if path.is_empty() { "index.html" } else { &path });
    let Ok(bytes) = std::fs::read(&file) else {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    };
    let wanted = range.filter(|_| ranges != Ranges::Unknown).map(|range| {
        let (from, to) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
        (from.parse::<usize>().unwrap(), to.parse::<usize>().unwrap() + 1)
    });
    let (status, place, mut body) = match wanted {
        None => ("200 OK", String::new(), &bytes[..]),
        Some((from, to)) => {
            let to = if ranges == Ranges::Fewer { from + (to - from) / 2 } else { to };
            let place = format!("Content-Range: bytes {from}-{}/{}\r\n", to - 1, bytes.len());
            ("206 Partial Content", place, &bytes[from..to])
        }
    };
    let (length, kind) = (body.len(), kind(&file));
    if wanted.is_some() && ranges == Ranges::Cut {
        body = &body[..length / 2];
    }
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: \
            {length}\r\n{place}Connection: close\r\n\r\n"
    )?;
    stream.write_all(body)
}
