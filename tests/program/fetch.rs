//! A data release from a web server, which may say what it likes: nothing that is not as the list
//! says takes a name, and every fault is named.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::str::contains;

/// How a server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// As it should.
    Honest,
    /// It knows no ranges.
    WholeFilesOnly,
    /// Each connection ends after so many bytes of the file.
    CutAfter(usize),
    /// The same, and it knows no ranges.
    CutWholeFiles(usize),
    /// It states no length, and closes the connection after so many bytes.
    EndsAfter(usize),
    /// It states no length, and sends more than there is.
    TooMuch,
    /// Parts begin elsewhere than asked.
    OtherRange,
    /// Files are sent compressed.
    Compressed,
    /// It says nothing.
    Silent,
    /// It says nothing more after so many bytes of the file.
    SilentAfter(usize),
    /// It leads elsewhere.
    Redirects,
}

/// What a server has, and what it was asked: path and range.
#[derive(Debug, Default)]
struct Held {
    files: BTreeMap<String, Vec<u8>>,
    asked: Vec<String>,
    manner: Option<Manner>,
}

/// A server with a release, and a directory to fetch it into.
pub(crate) struct Place {
    held: Arc<Mutex<Held>>,
    pub(crate) address: String,
    directory: tempfile::TempDir,
}

/// The files of the release.
const FILES: [(&str, &str); 3] =
    [("COPYING", "do as you like"), ("t/manifest.json", "{}"), ("t/tier 1", "0123456789abcdef")];

impl Place {
    pub(crate) fn new() -> Self {
        let held = Arc::new(Mutex::new(Held::default()));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/release", listener.local_addr().unwrap());
        let shared = held.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                thread::spawn(move || answer(&stream, &shared));
            }
        });
        let place = Self { held, address, directory: tempfile::tempdir().unwrap() };
        let mut files: BTreeMap<String, Vec<u8>> =
            FILES.map(|(name, text)| (name.to_string(), text.into())).into();
        files.insert("sums.jsonl".to_string(), place.list(&files));
        place.held.lock().unwrap().files = files;
        place
    }

    /// The list that the program makes of these files.
    fn list(&self, files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
        let from = self.directory.path().join("from");
        for (name, bytes) in files {
            fs::create_dir_all(from.join(name).parent().unwrap()).unwrap();
            fs::write(from.join(name), bytes).unwrap();
        }
        let sums =
            Command::cargo_bin("amazons").unwrap().args(["sums", "--json"]).arg(from).assert();
        sums.success().get_output().stdout.clone()
    }

    fn is(&self, manner: Manner) -> &Self {
        self.held.lock().unwrap().manner = Some(manner);
        self
    }

    fn put(&self, name: &str, bytes: impl Into<Vec<u8>>) {
        self.held.lock().unwrap().files.insert(name.to_string(), bytes.into());
    }

    fn out(&self, name: &str) -> PathBuf {
        self.directory.path().join("out").join(name)
    }

    fn fetch(&self, arguments: &[&str]) -> Assert {
        self.fetch_within("1min", arguments)
    }

    /// The same, from a server that may be silent for so long.
    fn fetch_within(&self, patience: &str, arguments: &[&str]) -> Assert {
        let mut command = Command::cargo_bin("amazons").unwrap();
        command.args(["fetch", &self.address, "--patience", patience]).args(arguments);
        if !arguments.contains(&"--list") {
            command.arg("--out").arg(self.out(""));
        }
        command.env_remove("http_proxy").env_remove("HTTP_PROXY").env_remove("ALL_PROXY").assert()
    }

    /// What was asked since the last time.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.held.lock().unwrap().asked)
    }

    /// Leaves so much of a file as a fetch that was interrupted does.
    fn leave_part(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let list = self.held.lock().unwrap().files["sums.jsonl"].clone();
        let list = String::from_utf8(list).unwrap();
        let line = list.lines().find(|line| line.contains(name)).unwrap();
        let sum = line.split("\"sha256\":\"").nth(1).unwrap();
        let path = self.out(&format!("{name}.{}.part", &sum[..16]));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// All files are there as they should be, and nothing else.
    fn expect_all(&self) {
        for (name, text) in FILES {
            assert_eq!(fs::read_to_string(self.out(name)).unwrap(), text);
        }
        assert_eq!(names(&self.out("")), ["COPYING", "t"]);
        assert_eq!(names(&self.out("t")), ["manifest.json", "tier 1"]);
    }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Answers one request, and closes the connection.
fn answer(mut stream: &TcpStream, held: &Mutex<Held>) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let path = first.split(' ').nth(1).unwrap_or_default().to_string();
    let name = path.trim_start_matches("/release/").replace("%20", " ");
    let headers: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let range = headers.iter().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_range = name.eq_ignore_ascii_case("range");
        is_range.then(|| value.trim_start_matches("bytes=").trim_end_matches('-').to_string())
    });
    let (file, manner) = {
        let mut held = held.lock().unwrap();
        held.asked.push(format!("{name} {}", range.clone().unwrap_or_default()));
        (held.files.get(&name).cloned(), held.manner.unwrap_or(Manner::Honest))
    };
    let from = range.and_then(|from| from.parse().ok()).unwrap_or(0);
    // The manner is that of the files; a list that is wrong is put in the place of the right one.
    let manner = if name == "sums.jsonl" { Manner::Honest } else { manner };
    let sent = match file {
        None => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
        Some(file) => spoken(&file, from, manner),
    };
    // A program that has heard enough closes the connection.
    let _ = stream.write_all(&sent);
    if let Manner::Silent | Manner::SilentAfter(_) = manner {
        // Until the program closes the connection, which sends nothing more.
        let _ = stream.read(&mut [0]);
    }
}

/// What a server says of a file that is asked for from a byte on.
fn spoken(file: &[u8], from: usize, manner: Manner) -> Vec<u8> {
    use Manner::*;
    let ranges = !matches!(manner, WholeFilesOnly | CutWholeFiles(_));
    let (from, status) = match (ranges && from > 0, from < file.len()) {
        (false, _) => (0, "200 OK"),
        (true, true) => (from, "206 Partial Content"),
        (true, false) => (file.len(), "416 Range Not Satisfiable"),
    };
    let body = &file[from..];
    let begin = if manner == OtherRange { from + 1 } else { from };
    let range = match status.starts_with("206") {
        true => format!("Content-Range: bytes {begin}-{}/{}\r\n", file.len() - 1, file.len()),
        false => String::new(),
    };
    let length = match manner {
        EndsAfter(_) | TooMuch => String::new(),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    let encoding = if manner == Compressed { "Content-Encoding: gzip\r\n" } else { "" };
    let head = format!("HTTP/1.1 {status}\r\n{range}{length}{encoding}Connection: close\r\n\r\n");
    let body = match manner {
        CutAfter(most) | CutWholeFiles(most) | EndsAfter(most) | SilentAfter(most) => {
            &body[..most.min(body.len())]
        }
        _ => body,
    };
    match manner {
        Silent => Vec::new(),
        Redirects => b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n".to_vec(),
        TooMuch => [head.as_bytes(), body, body].concat(),
        _ => [head.as_bytes(), body].concat(),
    }
}

#[test]
fn a_release_is_fetched_once() {
    let place = Place::new();
    let told = "COPYING: fetched, 14 bytes\nt/manifest.json: fetched, 2 bytes\n\
                t/tier 1: fetched, 16 bytes\n";
    place.fetch(&[]).success().stdout(told);
    place.expect_all();
    assert_eq!(place.asked(), ["sums.jsonl ", "COPYING ", "t/manifest.json ", "t/tier 1 "]);
    let told = "COPYING: there already\nt/manifest.json: there already\nt/tier 1: there already\n";
    place.fetch(&[]).success().stdout(told);
    assert_eq!(place.asked(), ["sums.jsonl "]);
}

#[test]
fn what_is_wrong_on_the_disk_is_fetched_again() {
    let place = Place::new();
    place.fetch(&[]).success();
    fs::write(place.out("t/tier 1"), "0123456789abcdeF").unwrap();
    fs::write(place.out("COPYING"), "no").unwrap();
    place.asked();
    place.fetch(&[]).success();
    place.expect_all();
    assert_eq!(place.asked(), ["sums.jsonl ", "COPYING ", "t/tier 1 "]);
}

#[test]
fn files_and_directories_are_chosen_and_listed() {
    let place = Place::new();
    place.fetch(&["t"]).success();
    assert_eq!(names(&place.out("")), ["t"]);
    place.fetch(&["--list", "COPYING"]).success().stdout("COPYING  14 bytes\n");
    place.fetch(&["u"]).code(2).stderr(contains("the release has no \"u\""));
    let said = place.fetch(&["--json", "COPYING", "t/tier 1"]).success();
    let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    let states: Vec<serde_json::Value> = said
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["state"].clone())
        .collect();
    assert_eq!(states, ["fetched", "there"]);
}

#[test]
fn what_was_begun_is_gone_on_with() {
    let place = Place::new();
    let part = place.leave_part("t/tier 1", b"0123");
    place.fetch(&["t/tier 1"]).success();
    assert_eq!(place.asked(), ["sums.jsonl ", "t/tier 1 4"]);
    assert!(!part.exists());
    assert_eq!(fs::read_to_string(place.out("t/tier 1")).unwrap(), "0123456789abcdef");
}

#[test]
fn a_part_that_is_wrong_is_found_out_and_thrown_away() {
    let place = Place::new();
    for left in [&b"9876"[..], b"0123456789abcdeF"] {
        let part = place.leave_part("t/tier 1", left);
        place.fetch(&["t/tier 1"]).code(1).stderr(contains("t/tier 1: expected the SHA-256 "));
        assert!(!part.exists() && !place.out("t/tier 1").exists());
    }
    // One that is too long is no beginning of the file.
    place.leave_part("t/tier 1", &[b'0'; 17]);
    place.fetch(&[]).success();
    place.expect_all();
}

#[test]
fn a_server_without_ranges_sends_the_file_again() {
    let place = Place::new();
    place.leave_part("t/tier 1", b"0123");
    let said = contains("t/tier 1: the server sends whole files only");
    place.is(Manner::WholeFilesOnly).fetch(&[]).success().stderr(said);
    place.expect_all();
}

#[test]
fn connections_that_end_are_begun_again_where_they_ended() {
    let place = Place::new();
    place.is(Manner::CutAfter(6)).fetch(&[]).success();
    place.expect_all();
    let asked = place.asked();
    assert!(asked.contains(&"t/tier 1 6".to_string()), "{asked:?}");
    assert!(asked.contains(&"t/tier 1 12".to_string()), "{asked:?}");
}

#[test]
fn a_connection_that_ends_again_and_again_is_named_and_what_came_is_kept() {
    let place = Place::new();
    let said = contains("t/tier 1: the connection ended after 6 of 16 bytes");
    place.is(Manner::CutWholeFiles(6)).fetch(&["t/tier 1"]).code(1).stderr(said);
    assert_eq!(names(&place.out("t")).len(), 1);
    assert!(!place.out("t/tier 1").exists());
    place.asked();
    place.is(Manner::Honest).fetch(&["t/tier 1"]).success();
    assert_eq!(place.asked(), ["sums.jsonl ", "t/tier 1 6"]);
}

#[test]
fn a_file_of_another_length_or_content_is_named() {
    let place = Place::new();
    let cases = [
        ("0123456789abcde", Manner::Honest, "expected 16 bytes, the server has 15"),
        ("0123456789abcdef0", Manner::Honest, "expected 16 bytes, the server has 17"),
        ("0123456789abcdef", Manner::EndsAfter(5), "expected 16 bytes, the server has 5"),
        ("0123456789abcdef", Manner::TooMuch, "expected 16 bytes, the server has more"),
        ("0123456789abcdeF", Manner::Honest, "expected the SHA-256 9f9f5111f7b27a78"),
        (
            "0123456789abcdef",
            Manner::Compressed,
            "expected the file as it is, found it sent as gzip",
        ),
    ];
    for (file, manner, said) in cases {
        place.put("t/tier 1", file);
        let said = contains(format!("t/tier 1: {said}"));
        let told = place.is(manner).fetch(&["t/tier 1"]).code(1).stdout("").stderr(said);
        told.stderr(contains("error: 1 of 1 file is not as the list of "));
        assert!(!place.out("t/tier 1").exists(), "{manner:?}");
        let _ = fs::remove_dir_all(place.out(""));
    }
}

#[test]
fn a_part_of_another_place_or_of_a_shorter_file_is_named() {
    let place = Place::new();
    place.leave_part("t/tier 1", b"0123");
    let said = contains("expected the Content-Range bytes 4-15/16, found bytes 5-15/16");
    place.is(Manner::OtherRange).fetch(&["t/tier 1"]).code(1).stderr(said);
    place.put("t/tier 1", "01");
    let said = contains("expected 16 bytes, the server has at most 4");
    place.is(Manner::Honest).fetch(&["t/tier 1"]).code(1).stderr(said);
    assert!(!place.out("t/tier 1").exists());
}

#[test]
fn the_other_files_are_fetched_all_the_same() {
    let place = Place::new();
    place.held.lock().unwrap().files.remove("t/manifest.json");
    let failed = place.fetch(&[]).code(1);
    let failed = failed.stderr(contains("t/manifest.json: the server answers with status 404"));
    failed.stderr(contains("error: 1 of 3 files"));
    assert_eq!(names(&place.out("t")), ["tier 1"]);
}

#[test]
fn a_server_that_is_silent_or_not_there_is_named() {
    let place = Place::new();
    let silent = place.is(Manner::Silent).fetch_within("100ms", &[]);
    silent.code(1).stderr(contains("COPYING: the server cannot be asked: timeout"));
    let said = contains("COPYING: the server cannot be asked: ");
    place.is(Manner::Redirects).fetch(&[]).code(1).stderr(said);
    let mut command = Command::cargo_bin("amazons").unwrap();
    command.args(["fetch", "http://127.0.0.1:1", "--out"]).arg(place.out(""));
    command.assert().code(1).stderr(contains("sums.jsonl: the server cannot be asked: "));
    assert!(!place.out("COPYING").exists());
}

#[test]
fn a_list_that_is_none_or_that_climbs_out_is_refused_before_anything_is_fetched() {
    let place = Place::new();
    let list = place.held.lock().unwrap().files["sums.jsonl"].clone();
    let list = String::from_utf8(list).unwrap();
    for (list, said) in [
        ("<html>".to_string(), "line 1 is no line of `sums --json`"),
        (String::new(), "it lists no files"),
        (list.replace("COPYING", "../COPYING"), "it climbs out of the directory"),
        (list.replace("COPYING", "/etc/COPYING"), "it does not lie in the directory"),
        (list.replace("COPYING", "t"), "it is there twice"),
        (list.replace("COPYING", "t\\\\..\\\\..\\\\x"), "a character that some systems"),
        (list.replace(":14,", ":-14,"), "line 1 is no line"),
    ] {
        place.put("sums.jsonl", list);
        place.fetch(&[]).code(1).stderr(contains(said));
        assert!(!place.out("").exists(), "{said}");
    }
    assert!(place.asked().iter().all(|asked| asked == "sums.jsonl "));
}

#[test]
fn a_list_has_the_sum_that_is_given() {
    let place = Place::new();
    let list = place.held.lock().unwrap().files["sums.jsonl"].clone();
    let file = place.directory.path().join("list");
    fs::create_dir(&file).unwrap();
    fs::write(file.join("sums.jsonl"), list).unwrap();
    let sums = Command::cargo_bin("amazons").unwrap().arg("sums").arg(file).assert().success();
    let sum = String::from_utf8(sums.get_output().stdout.clone()).unwrap()[..64].to_string();
    place.fetch(&["--list-sum", &sum]).success();
    let other = sum.replace(&sum[..1], if sum.starts_with('0') { "1" } else { "0" });
    let said = contains(format!("sums.jsonl: expected the SHA-256 {other}, found {sum}"));
    place.fetch(&["--list-sum", &other]).code(1).stderr(said);
    place.fetch(&["--list-sum", "abc"]).code(2).stderr(contains("expected a SHA-256 of 64"));
}

#[test]
fn an_address_or_a_directory_that_is_none_is_refused() {
    let place = Place::new();
    let mut command = Command::cargo_bin("amazons").unwrap();
    let said = contains("expected the address of a directory, such as https://example.org/data");
    command.args(["fetch", "example.org", "--list"]).assert().code(2).stderr(said);
    fs::write(place.directory.path().join("out"), "a file").unwrap();
    place.fetch(&[]).code(1).stderr(contains("cannot write "));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_or_over_a_directory() {
    let place = Place::new();
    let elsewhere = place.directory.path().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::create_dir(place.directory.path().join("out")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, place.out("t")).unwrap();
    fs::create_dir(place.out("COPYING")).unwrap();
    let failed = place.fetch(&[]).code(1);
    let failed = failed.stderr(contains("out/t is a link, and nothing is written through one"));
    failed.stderr(contains("COPYING is there, and is no file"));
    assert_eq!(names(&elsewhere).len(), 0);
}

#[test]
fn a_server_that_falls_silent_is_named_and_what_came_is_kept() {
    let place = Place::new();
    let said = contains(
        "t/tier 1: the server was silent after 6 of 16 bytes; the same command goes on from there",
    );
    let silent = place.is(Manner::SilentAfter(6)).fetch_within("100ms", &["t/tier 1"]);
    silent.code(1).stderr(said);
    assert!(!place.out("t/tier 1").exists());
    place.asked();
    place.is(Manner::Honest).fetch(&["t/tier 1"]).success();
    assert_eq!(place.asked(), ["sums.jsonl ", "t/tier 1 6"]);
}

/// The program waits for the server, which says nothing for a minute.
#[cfg(unix)]
#[test]
fn an_interrupt_is_heard_while_the_server_is_silent() {
    for manner in [Manner::Silent, Manner::SilentAfter(6)] {
        let place = Place::new();
        place.is(manner);
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
            .args(["fetch", &place.address, "t/tier 1", "--patience", "1min", "--out"])
            .arg(place.out(""))
            .env_remove("http_proxy")
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        while place.held.lock().unwrap().asked.len() < 2 {
            thread::sleep(std::time::Duration::from_millis(5));
        }
        let interrupt = ["-INT", &child.id().to_string()];
        assert!(std::process::Command::new("kill").args(interrupt).status().unwrap().success());
        // When the minute is over, it would be the server's silence that is told, with status 1.
        assert_eq!(child.wait().unwrap().code(), Some(3), "{manner:?}");
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        let told = "t/tier 1: interrupted; the same command goes on from here";
        assert!(said.contains(told), "{said}");
        assert!(!place.out("t/tier 1").exists());
    }
}

/// A limit for the length of files stands for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_nothing_half_written_has_a_name() {
    let place = Place::new();
    let long = vec![b'x'; 200_000];
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    files.insert("long".to_string(), long.clone());
    fs::remove_dir_all(place.directory.path().join("from")).unwrap();
    let list = place.list(&files);
    place.put("long", long);
    place.put("sums.jsonl", list);
    // The shell counts in 1024 bytes.
    let mut command = Command::new("bash");
    command.args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\""]);
    command.arg(env!("CARGO_BIN_EXE_amazons")).args(["fetch", &place.address, "--out"]);
    let failed = command.arg(place.out("")).assert().code(1);
    failed.stderr(contains("cannot write ")).stderr(contains("long: cannot write "));
    assert!(!place.out("long").exists());
    place.fetch(&[]).success();
    let asked = place.asked();
    assert_eq!(asked.last().unwrap(), "long 102400", "{asked:?}");
    assert_eq!(fs::metadata(place.out("long")).unwrap().len(), 200_000);
}
