//! The rooms of `src/` depend on each other in one direction only, what checks proofs and tables
//! uses nothing that searches for them, and no two files use each other in a circle. This follows
//! every path in the sources to the file that defines what it names; a comment is no dependency.
//! Of calls of methods it follows those that a type makes of its own methods in other files.
//!
//! `cargo test --test library architecture -- --nocapture` prints how many places each room has, on
//! how many layers, with how many arrows between them. `AMAZONS_SOURCES` names other sources than
//! these, of an earlier commit say.

mod graph;
mod imports;
mod methods;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use graph::Graph;
use imports::{Sources, files};

/// The rooms from the ground up, each with the rooms below it that it uses.
const ROOMS: [(&str, &[&str]); 10] = [
    ("machine", &[]),
    ("game", &["machine"]),
    ("tables", &["machine", "game"]),
    ("theory", &["machine", "game"]),
    ("proof", &["machine", "game"]),
    ("search", &["machine", "game", "theory", "proof"]),
    ("play", &["machine", "game", "theory", "search"]),
    ("knowledge", &["machine", "game", "tables", "theory", "proof", "search", "play"]),
    ("verify", &["machine", "game", "tables"]),
    (
        "app",
        &["machine", "game", "tables", "theory", "proof", "search", "play", "knowledge", "verify"],
    ),
];

/// The directory of the sources.
fn source() -> PathBuf {
    match std::env::var_os("AMAZONS_SOURCES") {
        Some(other) => other.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
    }
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
        let all = files(&source.join(room));
        assert!(!all.is_empty(), "there is no room {room}");
        let mut used = BTreeSet::new();
        for file in all {
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
    let outside: Vec<PathBuf> = files(&source)
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
    let mut allowed = files(&root.join("src"));
    allowed.retain(|path| fs::read_to_string(path).unwrap().contains("allow(unsafe_code)"));
    assert_eq!(listed, allowed);
}

/// A name may hold any character, and is printed by `machine::shown`, which writes those that
/// control something as text.
#[test]
fn names_of_files_are_shown_as_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = ["src", "python/src", "page/src"].map(|sources| files(&root.join(sources))).concat();
    let raw = |file: &&PathBuf| fs::read_to_string(file).unwrap().contains(".display()");
    let raw: Vec<&PathBuf> = all.iter().filter(raw).collect();
    assert!(raw.is_empty(), "use .shown() of machine::shown in the place of .display(): {raw:?}");
}

/// The file or folder of a room that a file belongs to; none for files elsewhere and for the room's
/// own, which is its table of contents.
fn place(room: &str, file: &Path) -> Option<PathBuf> {
    let within = file.strip_prefix(room).ok()?;
    (within != Path::new("mod.rs"))
        .then(|| PathBuf::from(within.components().next().unwrap().as_os_str()))
}

/// Files, or the places of a room, with what they use.
fn graph(sources: &Sources, of: impl Fn(&Path) -> Option<PathBuf>) -> Graph {
    let mut graph = Graph::default();
    for (file, used) in sources.uses() {
        let Some(place) = of(&file) else { continue };
        graph.add(&place);
        for used in used.keys().filter_map(|used| of(used)) {
            graph.insert(&place, &used);
        }
    }
    graph
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let sources = Sources::read(&source());
    let files = graph(&sources, |file| Some(file.to_path_buf()));
    let uses = sources.uses();
    let all = imports::files(&source()).len();
    assert!(files.places() > all / 2, "{} of {all} files were read", files.places());
    println!(
        "{} files, {} arrows, {} circles",
        files.places(),
        files.arrows(),
        files.circles().len()
    );
    for room in ["app/cli", "app/serve", "tables/format", "tables/retrograde"]
        .iter()
        .chain(ROOMS.iter().map(|(room, _)| room))
    {
        let room = graph(&sources, |file| place(room, file)).summary(room);
        println!("{room}");
    }
    let mut wrong = String::new();
    for circle in files.circles() {
        for file in &circle {
            for (used, path) in
                uses[*file].iter().filter(|(used, _)| circle.contains(&used.as_path()))
            {
                wrong += &format!("{} uses {} by {path}\n", file.display(), used.display());
            }
        }
        wrong.push('\n');
    }
    assert!(wrong.is_empty(), "circles of files:\n{wrong}");
}

#[test]
fn no_type_calls_methods_of_its_own_that_stand_in_other_files() {
    let circles = methods::circles(&source());
    assert!(circles.is_empty(), "circles of files:\n{}", circles.join("\n"));
}

#[test]
fn methods_in_other_files_are_followed() {
    let directory = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| fs::write(directory.path().join(file), text).unwrap();
    write(
        "a.rs",
        "pub struct A; impl A { fn f(&self) { self.g(); Self::h(); self.own(); other.k(); } fn own(&self) {} }
         #[cfg(test)] mod tests { impl super::A { fn t(&self) { self.k(); } } }",
    );
    write("b.rs", "impl A { fn g(&self) {} fn h() {} fn k(&self) { self.f(); } }");
    write("c.rs", "pub trait T { fn own(&self); } impl T for A { fn own(&self) {} }");
    let expected = ["a.rs: A::g of b.rs", "a.rs: A::h of b.rs"];
    assert_eq!(methods::circles(directory.path()), expected);
}

#[test]
fn paths_are_followed_through_reexports_globs_and_macros() {
    let directory = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a; mod b;");
    write("a/mod.rs", "mod c; mod d; pub use c::C; pub use d::*; #[cfg(test)] mod e;");
    write("a/c.rs", "pub struct C; pub fn f(x: super::D) {}");
    write("a/d.rs", "pub struct D; impl D { fn g() { println!(\"{:?}\", crate::b::B::new()); } }");
    write("a/e.rs", "use crate::a::c::C;");
    write("b.rs", "use crate::a::C; pub struct B(C); #[cfg(test)] mod tests { use crate::a::D; }");
    let sources = Sources::read(directory.path());
    let uses = sources.uses();
    let used = |file: &str| -> Vec<String> {
        uses[Path::new(file)].keys().map(|used| used.display().to_string()).collect()
    };
    assert_eq!(used("a/mod.rs"), [] as [&str; 0], "a table of contents uses nothing");
    assert_eq!(used("a/c.rs"), ["a/d.rs"]);
    assert_eq!(used("a/d.rs"), ["b.rs"]);
    assert_eq!(used("b.rs"), ["a/c.rs"]);
    assert!(!uses.contains_key(Path::new("a/e.rs")), "a module of tests");
    let files = graph(&sources, |file| Some(file.to_path_buf()));
    assert_eq!(files.circles(), [["a/c.rs", "a/d.rs", "b.rs"].map(Path::new)]);
    assert_eq!((files.places(), files.arrows(), files.layers()), (5, 3, 1));
}
