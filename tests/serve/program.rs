//! `amazons serve` as a program: what it prints, a busy port, an interrupt.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn serve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    line
}

fn fails(arguments: &[&str], status: i32, expected: &str) {
    let output = serve(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
    assert!(said.contains(expected), "{arguments:?}: {said}");
}

#[test]
fn a_busy_port_and_bad_options_are_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    fails(&["--bind", &address], 1, &format!("cannot listen on {address}"));
    fails(&["--bind", "192.0.2.1:7373"], 1, "cannot listen on 192.0.2.1:7373");
    fails(&["--bind", "7373"], 2, "invalid value '7373'");
    fails(&["--bind", "127.0.0.1:0", "--tables", "/nonexistent"], 1, "/nonexistent");
    fails(&["--allow-origin", "https://example.org/"], 2, "expected an origin such as https://");
    fails(&["--search-time", "0s"], 2, "expected 100ms to 1d");
    fails(&["--memory", "1MiB"], 2, "--memory is too small: 2 searches and the tables need 147MiB");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_well() {
    let mut child = serve(&["--bind", "127.0.0.1:0", "--json"]).spawn().unwrap();
    let report: serde_json::Value = serde_json::from_str(&first_line(&mut child)).unwrap();
    assert_eq!(report["tables"][0]["name"], "4x4 4v4");
    let url = report["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap().trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut begin = [0; 15];
    stream.read_exact(&mut begin).unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200 OK");
    // The connection stays open: an idle one must not delay the end, as it would by 20 seconds.
    let began = Instant::now();
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(18));
}
