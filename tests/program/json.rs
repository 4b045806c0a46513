//! docs/json.md names every field that `--json` prints, and no others.
//!
//! Each section of that page whose heading is a command has a table of fields, by their paths:
//! `tiers[].bytes`. Commands are run on tiny boards, several ways, and what they print is held
//! against the table of their section: its fields are those that were printed, and what has no
//! word in the last column was never left out. The examples are run too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use amazons::tables::format::Manifest;
use assert_cmd::Command;
use serde_json::Value;

/// Paths of fields.
type Fields = BTreeSet<String>;

/// Sections about what several commands say, to which the tables of the commands refer.
const SHARED: [&str; 8] =
    ["common", "tables", "margins", "tiers", "openings", "proofs", "values", "lead"];

/// Whether a section is one of these.
fn is_shared(name: &str) -> bool {
    SHARED.contains(&name)
}

/// The page in sections: the heading without backquotes and commas, in small letters, and the
/// lines below it.
fn sections() -> Vec<(String, Vec<String>)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let mut sections = Vec::new();
    let text = fs::read_to_string(page).unwrap();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            sections.push((heading.replace(['`', ','], "").to_lowercase(), Vec::new()));
        } else if line.starts_with("## ") {
            sections.push((String::new(), Vec::new()));
        } else if let Some((_, lines)) = sections.last_mut() {
            lines.push(line.to_string());
        }
    }
    sections.retain(|(heading, _)| !heading.is_empty());
    sections
}

/// The fields in the first column of the tables, and whether they are always there: the last column
/// says when they are not.
fn named(lines: &[String]) -> BTreeMap<String, bool> {
    let mut fields = BTreeMap::new();
    for row in lines.iter().filter(|line| line.starts_with("| `")) {
        let first = row.trim_start_matches("| ").split(" | ").next().unwrap().replace('`', "");
        for field in first.split(", ") {
            let before = fields.insert(field.to_string(), row.ends_with("| |"));
            assert_eq!(before, None, "{field} stands in a table twice: {row}");
        }
    }
    fields
}

/// Adds the paths of all fields of a value.
fn add_paths(value: &Value, path: &str, found: &mut Fields) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                add_paths(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(values) => {
            values.iter().for_each(|value| add_paths(value, &format!("{path}[]"), found));
        }
        _ => {}
    }
}

/// Whether a field is there, for each object that may have it.
fn is_there(value: &Value, path: &str) -> Vec<bool> {
    let Some((first, rest)) = path.split_once('.') else {
        return vec![value.get(path).is_some()];
    };
    match value.get(first.trim_end_matches("[]")) {
        Some(Value::Array(values)) => {
            values.iter().flat_map(|value| is_there(value, rest)).collect()
        }
        Some(value @ Value::Object(_)) => is_there(value, rest),
        _ => Vec::new(),
    }
}

/// A place for files, and the objects that were printed there, by sections.
struct Runs {
    home: tempfile::TempDir,
    printed: BTreeMap<&'static str, Vec<Value>>,
}

impl Runs {
    fn write(&self, name: &str, text: &str) {
        fs::write(self.home.path().join(name), text).unwrap();
    }

    /// Runs a command that ends with this status; what it prints belongs to a section.
    fn ends(&mut self, status: i32, section: &'static str, line: &str, input: &str) -> Vec<Value> {
        let words = shlex::split(line).unwrap();
        let assert = Command::cargo_bin("amazons")
            .unwrap()
            .current_dir(self.home.path())
            .args(&words)
            .args(["--json", "--quiet", "--threads", "1", "--memory", "500MB"])
            .write_stdin(input)
            .assert()
            .code(status);
        let output = assert.get_output();
        let told = String::from_utf8(output.stderr.clone()).unwrap();
        assert_eq!(told.contains("error: "), status != 0, "{line}: {told}");
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let objects: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(objects.iter().all(Value::is_object), "{line}: {text}");
        self.printed.entry(section).or_default().extend(objects.iter().cloned());
        objects
    }

    /// As [`Self::ends`], for a command that does what it is asked.
    fn run(&mut self, section: &'static str, line: &str) -> Vec<Value> {
        self.ends(0, section, line, "")
    }

    /// Questions by the line, of which the last cannot be answered.
    fn lines(&mut self, section: &'static str, line: &str, input: &str) {
        let before = self.printed.remove(section);
        self.ends(1, section, line, &format!("{input}\nnonsense\n"));
        let mut answers = self.printed.remove(section).unwrap();
        let refused = answers.pop().unwrap();
        assert!(refused["error"].is_string(), "{line}: {refused}");
        let numbered = |answer: &mut Value| {
            let number = answer.as_object_mut().unwrap().remove("line").unwrap();
            serde_json::json!({ "line": number })
        };
        let numbers: Vec<Value> = answers.iter_mut().map(numbered).collect();
        self.printed.entry("lines").or_default().extend(numbers.into_iter().chain([refused]));
        answers.extend(before.into_iter().flatten());
        self.printed.insert(section, answers);
    }

    /// The line that a server prints when it is ready.
    fn serve(&mut self, arguments: &[&str]) {
        let mut server = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
            .current_dir(self.home.path())
            .args(["serve", "--bind", "127.0.0.1:0", "--json", "--quiet", "--searches", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
        self.printed.entry("serve").or_default().push(serde_json::from_str(&line).unwrap());
    }
}

/// Runs every command that prints JSON, so that each of its fields is printed once at least, and
/// each that may be left out is left out once.
fn runs() -> Runs {
    let mut runs = Runs { home: tempfile::tempdir().unwrap(), printed: BTreeMap::new() };
    tables(&mut runs);
    proofs(&mut runs);
    positions(&mut runs);
    games(&mut runs);
    values(&mut runs);
    runs
}

fn tables(runs: &mut Runs) {
    let build = "build info";
    runs.run(build, "build 3x3 --amazons 1v1 --tables t");
    runs.run(build, "build 3x3 --amazons 1v1 --tables part --least-arrows 5 --check-sample 3");
    fs::remove_file(runs.home.path().join("part/manifest.json")).unwrap();
    let taken_up = runs.run(build, "build 3x3 --amazons 1v1 --tables part");
    assert_eq!(taken_up[0]["taken_up"], 2088);
    runs.run(build, "build 3x3 --amazons 1v1 --rules cowboys --tables cowboys");
    runs.run(build, "info t");
    runs.run("opening", "opening 3x3 --amazons 1v1 --tables t --plies 1 --out o");
    runs.run("info of an opening table", "info o");
    runs.run("lookup", "lookup 3x3 --amazons 1v1 --tables t");
    runs.run("lookup", "lookup 3x3 --amazons 1v1 --tables cowboys --rules cowboys");
    let last = runs.run("lookup", "lookup 3x3 b1-b2/a2 --amazons 1v1 --tables o");
    assert!(last[0]["moves"].is_null());
    runs.run("lookup", "lookup 3x3 --amazons 1v1 --tables t --values-only");
    runs.lines("lookup", "lookup - --amazons 1v1 --tables t", "3x3");
    runs.run("solve", "solve 4x4 --certificate c");
    let lost = runs.run("lookup", "lookup 4x4 --certificate c");
    runs.run("lookup", "lookup 5x5");
    assert_eq!(lost[0]["moves"].as_array().unwrap().len(), 88);
    runs.run("check", "check t");
    runs.run(build, "build 3x3 --amazons 1v1 --keep odd --tables odd");
    runs.run("check", "check odd");
    runs.run("verify", "verify t");
    runs.run("verify", "verify o");
    runs.serve(&["--tables", "t", "o", "cowboys"]);
    runs.run("sums", "sums t");
    let release = crate::fetch::Place::new();
    runs.run("fetch", &format!("fetch {} --out fetched", release.address));
    runs.run("fetch", &format!("fetch {} --list", release.address));
    runs.run("sample", "sample t --count 5 --out sample.csv");
    runs.run("export", "export t --arrows 6 --out tier");
    tables_of_margins(runs);
    runs.run("plan", "plan 3x3 --amazons 1v1 --ranks 2");
    runs.run("plan", "plan 3x3 --amazons 1v1 --rules cowboys");
    let large = runs.run("plan", "plan 9x9 --amazons 1v1");
    assert_eq!(large[0].get("memory_least"), None);
    // What is damaged is said, and then the command fails.
    fs::remove_file(runs.home.path().join("part/tier-05-1v1.amz")).unwrap();
    runs.run(build, "info part");
    let checked = runs.ends(1, "check", "check part", "");
    assert_eq!(checked[0]["mismatches"], 1);
}

/// Tables of margins: whole ones, some of their planes, and a layer that lacks a tier.
fn tables_of_margins(runs: &mut Runs) {
    let build = "build info";
    runs.run(build, "build 3x3 --amazons 1v1 --tables margins --margins");
    runs.run("lookup", "lookup 3x3 --amazons 1v1 --tables margins");
    runs.run(build, "build 3x3 --amazons 1v1 --tables bounds --margins --most 1");
    let far = runs.run("lookup", "lookup 'Q*1/**1/1q1 b' --tables bounds");
    assert_eq!(far[0]["threshold"], Value::Null);
    let thresholds = far[0]["thresholds"].as_array().unwrap();
    assert!(thresholds[0].as_i64() < Some(-1) && thresholds[1] == -1, "{thresholds:?}");
    runs.run("export", "export bounds --arrows 3 --plane -1 --out plane");
    let directory = runs.home.path().join("bounds");
    let mut layer = Manifest::load_layer(&directory, 1).unwrap();
    layer.tiers.remove(0);
    layer.save(&directory).unwrap();
    for (section, line) in [("check", "check bounds"), ("verify", "verify bounds")] {
        let unfinished = runs.run(section, line);
        assert_eq!(unfinished[0]["finished"], false);
    }
    fs::remove_file(directory.join("tier-03-1v1-plus-01.amz")).unwrap();
    runs.run(build, "info bounds");
}

fn proofs(runs: &mut Runs) {
    let solve = "solve";
    runs.run(solve, "solve 3x3 --amazons 1v1 --all-moves --checkpoint checkpoint --certificate c");
    runs.run(solve, "solve 3x3 --amazons 1v1 --checkpoint checkpoint");
    runs.run("digest", "digest checkpoint --out digest");
    runs.run(solve, "solve 3x3 --amazons 1v1 --digest digest");
    runs.run(solve, "solve 3x3 --amazons 1v1 --tables t");
    runs.run(solve, "solve 3x3 --amazons 1v1 --rules killer --certificate killer");
    runs.run(solve, "solve 3x3 --amazons 1v1 --margin");
    runs.run(solve, "solve 3x3 --amazons 1v1 --margin --all-moves");
    runs.run(solve, "solve 3x3 --amazons 1v1 --spare -2");
    runs.lines(solve, "solve - --amazons 1v1", "3x3");
    runs.lines(solve, "solve - --amazons 1v1 --margin", "3x3");
    let unknown = runs.ends(3, solve, "solve 8x8 --time 1ms", "");
    assert_eq!(unknown[0]["value"], "unknown");
    runs.run("verify", "verify c");
    runs.run("verify", "verify killer");
    runs.run("verify", "verify c --part 1/2");
    runs.run("verify", "verify killer --part 1/2");
    runs.run("info of a certificate", "info c");
    runs.run("info of a certificate", "info killer");
    runs.run("info of a digest", "info digest");
    let known = runs.run("info of a checkpoint", "info checkpoint");
    assert!(known[0]["moves"].is_object(), "{known:?}");
    fs::create_dir(runs.home.path().join("proofs")).unwrap();
    fs::copy(runs.home.path().join("c"), runs.home.path().join("proofs/c.proof")).unwrap();
    runs.run("verify", "verify proofs");
    runs.run("merge", "merge 3x3 --amazons 1v1 --from c --out merged");
    fs::create_dir(runs.home.path().join("results")).unwrap();
    runs.write("results/verdicts.csv", "board,winner,winning_first_moves,method\n");
    runs.run("verify", "verify results");
    assert!(runs.ends(1, "verify", "verify sample.csv", "").is_empty());
}

fn positions(runs: &mut Runs) {
    runs.run("show", "show 3x3 --amazons 1v1 --regions --svg board.svg");
    runs.run("show", "show 3x3 b1-b2/N --amazons 1v1 --rules tromazons");
    runs.run("show", "show 4x4 --regions");
    runs.run("show", "show 3x3 --amazons 1v1 --distances");
    runs.lines("show", "show - --amazons 1v1", "3x3");
    runs.run("score", "score 3x3 --amazons 1v1");
    // The bounds do not tell who wins 4x4.
    runs.run("score", "score 4x4 --time 60s");
    let scored = runs.run("score", "score 4x4 --rules cowboys --time 60s");
    assert_eq!((&scored[0]["rules"], &scored[0]["winner"]), (&"cowboys".into(), &"black".into()));
    runs.lines("score", "score - --amazons 1v1", "3x3");
    runs.run("perft", "perft 3x3 1 --amazons 1v1 --divide");
    runs.run("perft", "perft 3x3 1 --amazons 1v1 --rules cowboys");
    runs.run("tree", "tree 3x3 --amazons 1v1");
    runs.run("tree", "tree 3x3 --amazons 1v1 --plies 1");
    runs.run("tree --samples", "tree 3x3 --amazons 1v1 --samples 10");
    runs.run("tree --samples", "tree 3x3 --amazons 1v1 --rules cowboys --samples 10");
    runs.run("rules --starts", "rules 3x3 --amazons 1v1 --zrf rules.zrf");
    runs.run("rules --starts", "rules --starts rules.zrf");
    runs.write("graph", "o-o\n| |\no-o\n");
    runs.run("instance hamilton", "instance hamilton graph --solve");
    runs.run("instance hamilton", "instance hamilton graph");
}

fn games(runs: &mut Runs) {
    let words = "help\nfen\nshow\nmoves\nhint\nundo\nb1-b2/a2\n";
    let play = "play 3x3 --amazons 1v1 --nodes 10";
    let said = runs.ends(0, "play", play, words);
    assert!(said.last().unwrap()["winner"].is_null(), "the game was left");
    let said = runs.run("play", &format!("{play} --side none"));
    assert!(said.last().unwrap()["winner"].is_string());
    let games = "match --first nodes=5 --second nodes=5 --games 2 --board 4x4 --all-games";
    runs.run("match", games);
    runs.write("game.sgf", "(;FF[4]GM[18]SZ[4];W[b1b3b1];B[a3b2a3])");
    let game = runs.run("annotate", "annotate game.sgf");
    assert_eq!(game[0]["moves"][1]["mark"], "blunder");
    let game = runs.run("annotate", "annotate game.sgf --margins 10s");
    assert_eq!(game[0]["moves"][1]["thresholds"].as_array().unwrap().len(), 2);
    runs.write("open.sgf", "(;FF[4]GM[18]SZ[6];W[b1b3b1])");
    runs.ends(3, "annotate", "annotate open.sgf --time 0s --estimate-nodes 0", "");
    runs.run("annotate", "annotate open.sgf --time 0s --estimate-nodes 100");
    runs.write("cowboys.txt", "4x4 b1-c3/b1");
    let game = runs.run("annotate", "annotate cowboys.txt --rules cowboys");
    assert_eq!(game[0]["rules"], "cowboys");
    runs.write("game.txt", "4x4 b1-b3/b1 resign");
    let game = runs.run("convert", "convert cowboys.txt --rules cowboys");
    assert_eq!(game[0]["rules"], "cowboys");
    let games = runs.run("convert", "convert game.txt --to sgf --out converted.sgf");
    assert_eq!(games[0]["remarks"][0], "black resigned");
}

fn values(runs: &mut Runs) {
    runs.run("value", "value 1 {2|0}");
    runs.run("value", "value 1");
    runs.run("region", "region x..");
    runs.run("region", "region x.o");
    let hot = "x..|...|..o x.o|...|... o.x|...|.x. .x.|..o|o.. oo.|..x|... ...|x.o|..x";
    runs.run("region", &format!("region {hot} x..|..o|... ..o|.x.|x.."));
    runs.lines("region", "region -", "x..o");
    let sizes = runs.run("regions", "regions --size 5 --zugzwangs 5 --list");
    assert_eq!(sizes.len(), 5, "a line for each size");
    runs.run("regions", "regions --size 2 --zugzwangs 1");
    runs.run("regions --amazons", "regions --size 3 --amazons 1");
    runs.run("region --dead-ends", "region --dead-ends .#.|#x#|###");
    runs.run("region --dead-ends", "region --dead-ends .####|#..##|###.#|###.#|##.x.");
    runs.run("region --dead-ends", "region --dead-ends x...|....|....|....");
    runs.run("regions --territories", "regions --territories 1 --size 4");
    runs.run("regions --minimax", "regions --minimax 5");
    runs.run("regions --strips", "regions --strips 2");
    runs.run("regions --ends", "regions --ends 0 0 --size 3");
    runs.run("regions --defects", "regions --defects 2");
}

#[test]
fn the_page_names_every_field_and_no_others() {
    let sections = sections();
    let of_commands = sections.iter().filter(|(name, _)| !is_shared(name));
    let page: BTreeMap<&str, BTreeMap<String, bool>> =
        of_commands.map(|(name, lines)| (name.as_str(), named(lines))).collect();
    let runs = runs();
    assert_eq!(
        page.keys().collect::<Vec<_>>(),
        runs.printed.keys().collect::<Vec<_>>(),
        "sections of the page, and those of what was run"
    );
    for (section, named) in &page {
        let objects = &runs.printed[section];
        let mut found = Fields::new();
        objects.iter().for_each(|object| add_paths(object, "", &mut found));
        let known: Fields = named.keys().cloned().collect();
        let lacks: Vec<_> = found.difference(&known).collect();
        assert!(
            lacks.is_empty(),
            "docs/json.md does not name these fields of {section}: {lacks:?}"
        );
        let stale: Vec<_> = known.difference(&found).collect();
        assert!(stale.is_empty(), "no run of {section} prints these of docs/json.md: {stale:?}");
        let never_left_out = |field: &str| {
            objects.iter().flat_map(|object| is_there(object, field)).all(|is_there| is_there)
        };
        let wrong: Vec<_> =
            named.iter().filter(|(field, always)| **always != never_left_out(field)).collect();
        assert!(wrong.is_empty(), "{section}: when are these left out? {wrong:?}");
    }
}

/// What is said once for several commands is about fields that they have.
#[test]
fn what_is_shared_is_referred_to() {
    let sections = sections();
    for (name, lines) in sections.iter().filter(|(name, _)| is_shared(name)) {
        let link = format!("(#{name})");
        let referring = sections.iter().flat_map(|(_, lines)| lines);
        let rows: Vec<String> = referring.filter(|line| line.contains(&link)).cloned().collect();
        for field in named(lines).keys() {
            let with = format!(".{field}");
            let refers = |row: &String| {
                named(std::slice::from_ref(row))
                    .keys()
                    .any(|path| path == field || path.ends_with(&with))
            };
            assert!(rows.iter().any(refers), "no command refers to {field} in {name}");
        }
    }
}

/// Every command is spoken of: it has a section, or prints no JSON.
#[test]
fn every_command_has_its_place() {
    let help = Command::cargo_bin("amazons").unwrap().arg("-h").output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|command| !command.is_empty() && *command != "help")
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    let without = ["chart", "completions", "man", "uci"];
    let sections = sections();
    for command in commands.iter().filter(|command| !without.contains(command)) {
        let has = |(heading, _): &(String, _)| heading.split(' ').any(|word| word == *command);
        assert!(sections.iter().any(has), "{command} has no section");
    }
}

/// A command of an example, and what the page says that it prints.
struct Example {
    command: String,
    answers: String,
}

/// The examples, in the order of the page.
fn examples() -> Vec<Example> {
    let (mut found, mut open): (Vec<Example>, _) = (Vec::new(), false);
    for line in sections().iter().flat_map(|(_, lines)| lines) {
        if line.starts_with("```") {
            open = !open;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| open) {
            found.push(Example { command: command.to_string(), answers: String::new() });
        } else if open {
            let answers = &mut found.last_mut().unwrap().answers;
            answers.push_str(line);
            answers.push('\n');
        }
    }
    found
}

/// An object without what differs from run to run.
fn plain(mut object: Value) -> Value {
    for measured in ["seconds", "nodes"] {
        if let Some(value) = object.get_mut(measured) {
            *value = Value::Null;
        }
    }
    object
}

/// Objects one after another, with white space where it may be in JSON, and lines broken in a text
/// at a space.
fn objects(text: &str) -> Vec<Value> {
    let text = text.replace("\n ", " ");
    let objects = serde_json::Deserializer::from_str(&text).into_iter();
    objects.map(|object| plain(object.unwrap())).collect()
}

#[test]
fn the_examples_are_what_is_printed() {
    let home = tempfile::tempdir().unwrap();
    let examples = examples();
    assert!(examples.len() >= 6);
    for Example { command, answers } in examples {
        let (input, command) = match command.split_once(" | ") {
            Some((printed, command)) => {
                let words = shlex::split(printed).unwrap();
                assert_eq!((words[0].as_str(), words.len()), ("printf", 2));
                (words[1].replace("\\n", "\n"), command.to_string())
            }
            None => (String::new(), command),
        };
        let words = shlex::split(&command).unwrap();
        let output = Command::cargo_bin("amazons")
            .unwrap()
            .current_dir(home.path())
            .args(&words[1..])
            .args(["--threads", "1", "--quiet"])
            .write_stdin(input)
            .output()
            .unwrap();
        let found = objects(&String::from_utf8(output.stdout).unwrap());
        assert!(!found.is_empty(), "{command}");
        assert_eq!(found, objects(&answers), "{command}");
    }
}
