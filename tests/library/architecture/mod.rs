//! The rooms of `src/` depend on each other in one direction only, and what checks proofs
//! and tables uses nothing that searches for them. This reads every path in the sources; a comment is
//! no dependency.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up, each with the rooms below it that it uses.
const ROOMS: [(&str, &[&str]); 9] = [
    ("machine", &[]),
    ("game", &["machine"]),
    ("tables", &["machine", "game"]),
    ("theory", &["machine", "game"]),
    ("proof", &["machine", "game"]),
    ("search", &["machine", "game", "theory", "proof"]),
    ("play", &["machine", "game", "tables", "theory", "search"]),
    ("verify", &["machine", "game", "tables"]),
    ("app", &["machine", "game", "tables", "theory", "proof", "search", "play", "verify"]),
];

/// Every source file below a directory.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What follows `crate::` in a line of code, up to the end of that word.
fn named_rooms(text: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        for path in line.split("crate::").skip(1) {
            let word = path.split(|symbol: char| !symbol.is_ascii_alphanumeric() && symbol != '_');
            rooms.extend(word.take(1).map(str::to_string));
        }
    }
    rooms
}

#[test]
fn a_path_is_read_as_the_room_it_names() {
    let text =
        "use crate::game::{A, B};\n// crate::app is only spoken of\nlet x = crate::machine::y;";
    let expected: BTreeSet<String> = ["game", "machine"].map(str::to_string).into();
    assert_eq!(named_rooms(text), expected);
}

#[test]
fn every_room_uses_only_rooms_below_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (room, below) in ROOMS {
        let files = sources(&source.join(room));
        assert!(!files.is_empty(), "there is no room {room}");
        let mut used = BTreeSet::new();
        for file in files {
            for name in named_rooms(&fs::read_to_string(&file).unwrap()) {
                if name != room && !below.contains(&name.as_str()) {
                    wrong.push(format!("{} uses crate::{name}", file.display()));
                }
                if name != room {
                    used.insert(name);
                }
            }
        }
        let unused = below.iter().filter(|&&name| !used.contains(name));
        wrong.extend(unused.map(|name| format!("{room} may use {name}, and does not")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_source_file_stands_in_a_room() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let outside: Vec<PathBuf> = sources(&source)
        .into_iter()
        .map(|path| path.strip_prefix(&source).unwrap().to_path_buf())
        .filter(|path| !ROOMS.iter().any(|(room, _)| path.starts_with(room)))
        .collect();
    assert_eq!(outside, ["lib.rs", "main.rs"].map(PathBuf::from));
}

#[test]
fn the_document_lists_the_files_with_unsafe_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut listed: Vec<PathBuf> = fs::read_to_string(root.join("docs/architecture.md"))
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split_once('`'))
        .map(|(path, _)| root.join(path))
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    listed.sort();
    let mut allowed = sources(&root.join("src"));
    allowed.retain(|path| fs::read_to_string(path).unwrap().contains("allow(unsafe_code)"));
    assert_eq!(listed, allowed);
}
