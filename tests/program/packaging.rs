//! What packages install beside the program: completions and manual pages that know every command.
//! And what they may be made of: licences.

use std::collections::{BTreeMap, BTreeSet};

use assert_cmd::Command;
use predicates::str::contains;

use crate::amazons;

/// The names of all commands, from the help.
fn commands() -> Vec<String> {
    let help = amazons(&["--help"]).assert().success();
    let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<String> = listed
        .take_while(|line| !line.is_empty())
        // Descriptions may go on in lines that are indented further.
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_string))
        .filter(|name| name != "help")
        .collect();
    assert!(names.len() >= 14, "{names:?}");
    names
}

/// What a command says at length stands in its help and on its manual page.
#[test]
fn the_help_of_a_command_is_all_of_it() {
    let said = [
        ("completions", "/usr/share/bash-completion"),
        ("digest", "takes it up"),
        ("match", "endgame=proof"),
        ("merge", "not checked yet"),
        ("opening", "take the file as they take the directory of a table"),
        ("plan", "by tier with -v"),
        ("play", "undo, hint"),
        ("sample", "numpy.load"),
        ("score", "reads positions by the line"),
        ("show", "reads positions by the line"),
        ("solve", "reads positions by the line"),
        ("sums", "sha256sum --check"),
        ("uci", "startpos is 10x10"),
        ("value", "Tiny(2)"),
    ];
    let directory = tempfile::tempdir().unwrap();
    amazons(&["man", directory.path().to_str().unwrap()]).assert().success();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (command, said) in said {
        let help = amazons(&[command, "--help"]).assert().success();
        let help = words(&String::from_utf8_lossy(&help.get_output().stdout));
        assert!(help.contains(said), "{command}: {help}");
        let page = directory.path().join(format!("amazons-{command}.1"));
        let page = words(&std::fs::read_to_string(page).unwrap().replace('\\', ""));
        assert!(page.contains(said), "{command}: {page}");
    }
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = amazons(&["completions", shell]).assert().success();
        let script = String::from_utf8(script.get_output().stdout.clone()).unwrap();
        for name in commands() {
            assert!(script.contains(&name), "{shell} does not know {name}");
        }
        // elvish and fish have options without their dashes.
        for option in ["certificate", "checkpoint", "memory", "tables"] {
            assert!(script.contains(option), "{shell} does not know --{option}");
        }
    }
    amazons(&["completions", "command.com"]).assert().code(2).stderr(contains("bash"));
}

/// A shell completes the end of a command line by the script and prints what it proposes.
#[cfg(unix)]
#[test]
fn bash_completes_by_the_completions() {
    let script = amazons(&["completions", "bash"]).assert().success();
    let mut script = String::from_utf8(script.get_output().stdout.clone()).unwrap();
    script.push_str(
        "COMP_WORDS=(amazons so)\nCOMP_CWORD=1\n_amazons amazons so amazons\n\
         printf '%s\\n' \"${COMPREPLY[@]}\"\n",
    );
    let output = Command::new("bash").write_stdin(script).assert().success();
    output.stdout("solve\n").stderr("");
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("share/man1");
    amazons(&["man", pages.to_str().unwrap()]).assert().success().stdout("");
    let main = std::fs::read_to_string(pages.join("amazons.1")).unwrap();
    assert!(main.contains(".TH amazons 1"), "{main}");
    for name in commands() {
        let page = std::fs::read_to_string(pages.join(format!("amazons-{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH amazons-{name} 1")), "{name}: {page}");
        assert!(
            page.contains("Common options") || page.contains("COMMON OPTIONS"),
            "{name}: {page}"
        );
        assert!(main.contains(&format!("amazons\\-{name}(1)")), "{name}");
    }
    // Every page that one refers to is there.
    let written: Vec<_> = std::fs::read_dir(&pages).unwrap().map(|page| page.unwrap()).collect();
    for page in &written {
        let text = std::fs::read_to_string(page.path()).unwrap().replace("\\-", "-");
        let named = text.split_whitespace().filter_map(|word| word.strip_suffix("(1)"));
        for name in named.filter(|name| name.starts_with("amazons-")) {
            assert!(pages.join(format!("{name}.1")).exists(), "{:?}: {name}", page.path());
        }
    }
    assert!(pages.join("amazons-instance-hamilton.1").exists());
    assert!(written.len() > commands().len() + 1);
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    amazons(&["man", file.join("x").to_str().unwrap()])
        .assert()
        .code(1)
        .stderr(contains("cannot write"));
}

/// Whether an SPDX expression can be met by allowed licences. `/` is an old way to write `OR`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let joined = spaced.replace(" WITH ", "_WITH_");
    let words: Vec<&str> = joined.split_whitespace().collect();
    let (met, rest) = alternatives(&words, allowed);
    assert!(rest.is_empty(), "{expression}");
    met
}

fn alternatives<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = requirements(words, allowed);
    while let ["OR", after @ ..] = rest {
        let (also, after) = requirements(after, allowed);
        (met, rest) = (met | also, after);
    }
    (met, rest)
}

fn requirements<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = licence(words, allowed);
    while let ["AND", after @ ..] = rest {
        let (also, after) = licence(after, allowed);
        (met, rest) = (met & also, after);
    }
    (met, rest)
}

fn licence<'a>(words: &'a [&'a str], allowed: &BTreeSet<String>) -> (bool, &'a [&'a str]) {
    match words {
        ["(", inner @ ..] => {
            let (met, rest) = alternatives(inner, allowed);
            assert_eq!(rest.first(), Some(&")"), "{words:?}");
            (met, &rest[1..])
        }
        [name, rest @ ..] => (allowed.contains(&name.replace("_WITH_", " WITH ")), rest),
        [] => panic!("a licence is missing"),
    }
}

#[test]
fn expressions_of_licences_are_read() {
    let allowed = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_string).into();
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0 OR Zlib", true),
        ("MIT AND (GPL-3.0 OR BSD-2-Clause)", false),
        ("(GPL-3.0 OR MIT) AND Zlib", true),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), met, "{expression}");
    }
}

/// Of everything that is linked or runs in the build, on this platform, with all features.
#[test]
fn every_licence_is_one_that_deny_toml_allows() {
    let root = env!("CARGO_MANIFEST_DIR");
    let rules = std::fs::read_to_string(format!("{root}/deny.toml")).unwrap();
    let list = rules.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
    let allowed: BTreeSet<String> = list.split('"').skip(1).step_by(2).map(Into::into).collect();

    let run = |program: &str, arguments: &[&str]| {
        let output =
            std::process::Command::new(program).args(arguments).current_dir(root).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let version = run("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let options = ["--locked", "--all-features", "--format-version=1", "--filter-platform", host];
    let metadata = run(env!("CARGO"), &[&["metadata"][..], &options].concat());
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();

    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let needs: BTreeMap<&str, Vec<&str>> = nodes
        .iter()
        .map(|node| {
            let ships = |dependency: &&serde_json::Value| {
                let kinds = dependency["dep_kinds"].as_array().unwrap();
                kinds.iter().any(|kind| kind["kind"] != "dev")
            };
            let needed = node["deps"].as_array().unwrap().iter().filter(ships);
            let needed = needed.map(|dependency| dependency["pkg"].as_str().unwrap()).collect();
            (node["id"].as_str().unwrap(), needed)
        })
        .collect();
    let (mut found, mut open) =
        (BTreeSet::new(), vec![metadata["resolve"]["root"].as_str().unwrap()]);
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(&needs[id]);
        }
    }
    assert!(found.len() > 50, "only {} packages", found.len());
    let refused: Vec<String> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| found.contains(package["id"].as_str().unwrap()))
        .filter(|package| !is_allowed(package["license"].as_str().unwrap_or("none"), &allowed))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
