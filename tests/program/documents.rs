//! The commands that README.md and docs/ show do what is shown.
//!
//! A block that begins with `$ amazons` is run line by line in one empty directory, beside the
//! repository's `results`, on one thread; what each command prints must be what stands below it,
//! but for times, rates and numbers of nodes. A block whose lines begin with `amazons` is run too,
//! and must succeed. A block with a command that is not run has a comment before it that says why:
//! `<!-- not run: ... -->`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The lines of a fenced block, where it begins, and whether it may be run.
struct Block {
    at: String,
    lines: Vec<String>,
    run: bool,
}

/// README.md and the documents.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let mut all: Vec<PathBuf> = std::iter::once(root.join("README.md")).chain(pages).collect();
    all.sort();
    all
}

fn blocks(path: &Path) -> Vec<Block> {
    let text = fs::read_to_string(path).unwrap();
    let (mut found, mut open, mut before): (Vec<Block>, bool, &str) = (Vec::new(), false, "");
    for (number, line) in (1..).zip(text.lines()) {
        assert!(!line.starts_with("    $ "), "{}:{number}: no block", path.display());
        if line.starts_with("```") {
            open = !open;
            if open {
                let run = !before.starts_with("<!-- not run: ");
                let at = format!("{}:{number}", path.file_name().unwrap().display());
                found.push(Block { at, lines: Vec::new(), run });
            }
        } else if open {
            found.last_mut().unwrap().lines.push(line.to_string());
        }
        if !line.trim().is_empty() && !open {
            before = line;
        }
    }
    found
}

/// A directory to run commands in: empty, but for the results.
fn place() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    std::os::unix::fs::symlink(results, directory.path().join("results")).unwrap();
    directory
}

/// A command of the program as it stands in a document, without the remark after it.
fn command(line: &str, directory: &Path) -> Command {
    let line = line.split("  #").next().unwrap();
    // What a shell would read otherwise: every second part stands between quotes.
    let bare = line.split(['\'', '"']).step_by(2);
    let special = ['|', '&', ';', '<', '>', '(', ')', '{', '}', '*', '?', '$', '`', '\\'];
    assert!(bare.into_iter().all(|part| !part.contains(special)), "to be quoted: {line}");
    let words = shlex::split(line).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(&words[1..]).args(["--threads", "1"]).current_dir(directory).stdin(Stdio::null());
    command
}

/// The line without times, rates and numbers of nodes.
fn masked(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let mask = |(i, word): (usize, &&str)| {
        let number = word.trim_matches(['(', ')', ',']);
        let counts = words.get(i + 1).is_some_and(|next| next.starts_with("nodes"));
        let measured = number.parse::<f64>().is_ok() && number.contains(['.', 'e']);
        if counts || measured { word.replace(number, "#") } else { word.to_string() }
    };
    words.iter().enumerate().map(mask).collect::<Vec<_>>().join(" ")
}

fn run_session(block: &Block) {
    let directory = place();
    let mut lines = block.lines.iter().peekable();
    while let Some(line) = lines.next() {
        let asked = line.strip_prefix("$ ").unwrap();
        let output = command(asked, directory.path()).output().unwrap();
        let [told, remarks] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        // On a slow machine there is progress among the remarks.
        let remarks = remarks.lines().filter(|line| !line.contains("/s"));
        let told: Vec<String> = told.lines().chain(remarks).map(masked).collect();
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            expected.push(masked(line));
        }
        assert_eq!(told, expected, "{}: {asked}", block.at);
    }
}

fn run_commands(block: &Block) {
    let directory = place();
    for line in &block.lines {
        let mut command = command(line, directory.path());
        if line.starts_with("amazons serve") {
            let command = command.args(["--bind", "127.0.0.1:0"]).stdout(Stdio::piped());
            let mut server = command.spawn().unwrap();
            let mut first = String::new();
            BufReader::new(server.stdout.take().unwrap()).read_line(&mut first).unwrap();
            server.kill().unwrap();
            server.wait().unwrap();
            assert!(first.contains("http://127.0.0.1:"), "{}: {line}: {first}", block.at);
            continue;
        }
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {line}: {told}", block.at);
    }
}

/// Whether a line of a document is a command.
fn is_command(line: &str) -> bool {
    ["$ ", "amazons ", "cargo ", "curl "].iter().any(|start| line.starts_with(start))
}

#[test]
fn what_the_documents_show_is_what_happens() {
    let (mut sessions, mut lists) = (0, 0);
    for block in documents().iter().flat_map(|path| blocks(path)).filter(|block| block.run) {
        let is = |start: &str| block.lines.first().is_some_and(|line| line.starts_with(start));
        if is("$ amazons ") {
            run_session(&block);
            sessions += 1;
        } else if block.lines.iter().all(|line| line.starts_with("amazons ")) {
            run_commands(&block);
            lists += 1;
        } else {
            let other = block.lines.iter().find(|line| is_command(line));
            assert_eq!(other, None, "{}: neither run nor marked", block.at);
        }
    }
    assert!(sessions >= 1 && lists >= 1, "{sessions} sessions, {lists} lists: are they read?");
}

#[test]
fn times_rates_and_nodes_are_not_compared() {
    let line = "4x4 4v4: 230630400 positions in 0.1 s (2.06e9 positions/s, 1.03e9 a core)";
    let expected = "4x4 4v4: 230630400 positions in # s (# positions/s, # a core)";
    assert_eq!(masked(line), expected);
    assert_eq!(masked("232418 nodes, 0.083 s"), "# nodes, # s");
    assert_eq!(masked("2 winning moves: b1-b2/d2"), "2 winning moves: b1-b2/d2");
}
