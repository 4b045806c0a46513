//! What the repository says of itself in several places is the same in all of them: its version,
//! its licence, what it cites, and what workflows and scripts call.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What stands between two marks, the first time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after:?}")).0
}

/// The version in every file that states it by itself.
#[test]
fn a_version_is_a_version() {
    for (file, before, after) in [
        ("Cargo.toml", "\nversion = \"", "\""),
        ("page/Cargo.toml", "\nversion = \"", "\""),
        ("python/Cargo.toml", "\nversion = \"", "\""),
        ("packaging/npm/package.json", "\"version\": \"", "\""),
        ("packaging/aur/PKGBUILD", "\npkgver=", "\n"),
        ("packaging/homebrew/amazons.rb", "/archive/v", ".tar.gz"),
        ("CITATION.cff", "\nversion: ", "\n"),
        ("CHANGELOG.md", "\n## [", "]"),
    ] {
        assert_eq!(between(&text(file), before, after), env!("CARGO_PKG_VERSION"), "{file}");
    }
    // The flake and the module for Python take it from the manifests of cargo.
    assert!(text("packaging/nix/flake.nix").contains("version = cargo.package.version"));
    assert!(text("python/pyproject.toml").contains("dynamic = [\"version\"]"));
}

#[test]
fn a_licence_is_a_licence() {
    let licence = "MIT OR Apache-2.0";
    for file in ["Cargo.toml", "page/Cargo.toml", "python/Cargo.toml", "python/pyproject.toml"] {
        assert_eq!(between(&text(file), "\nlicense = \"", "\""), licence, "{file}");
    }
    assert_eq!(between(&text("packaging/npm/package.json"), "\"license\": \"", "\""), licence);
    assert_eq!(between(&text("packaging/aur/PKGBUILD"), "\nlicense=('", "'"), licence);
    assert!(text("packaging/homebrew/amazons.rb").contains("any_of: [\"MIT\", \"Apache-2.0\"]"));
    assert!(text("packaging/nix/flake.nix").contains("[ mit asl20 ]"));
    assert!(text("CITATION.cff").contains("license:\n  - MIT\n  - Apache-2.0\n"));
}

/// The words after each of these marks, as long as they are words of a path or a name.
fn words_after(text: &str, mark: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let ends = text.split(mark).skip(1);
    ends.map(|rest| rest.split(|c| !is_part(c)).next().unwrap().to_string()).collect()
}

#[test]
fn the_paper_cites_what_its_bibliography_has() {
    let (paper, bibliography) = (text("docs/paper/paper.md"), text("docs/paper/paper.bib"));
    let cited: BTreeSet<String> = words_after(&paper.replace("[@", "@"), "@");
    let entries = bibliography.split("\n@").map(|entry| entry.trim_start_matches('@'));
    let listed: BTreeSet<String> =
        entries.map(|entry| between(entry, "{", ",").to_string()).collect();
    assert_eq!(cited, listed);
    assert!(listed.len() >= 8);
}

/// Steps of `.ci/run` and parts of `.ci/install` that the workflows name are there, and actions are
/// named by a commit.
#[test]
fn workflows_call_what_is_there() {
    let (run, install) = (text(".ci/run"), text(".ci/install"));
    let mut called = 0;
    for file in ["tests.yml", "release.yml"] {
        let workflow = text(&format!(".github/workflows/{file}"));
        for line in workflow.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            let command = line.trim_start_matches("- ").trim_start_matches("run: ");
            let script = if command.starts_with(".ci/run") { &run } else { &install };
            if command.starts_with(".ci/") {
                for step in command.split(' ').skip(1).filter(|step| *step != "longer") {
                    let defined = script.contains(&format!("\n{step}() {{\n"));
                    assert!(defined, "{file}: no step {step}: {line}");
                }
                called += 1;
            }
            if let Some((_, action)) = line.split_once("uses: ") {
                let commit = between(&format!("{action} "), "@", " ").to_string();
                let is_commit = commit.len() == 40 && commit.chars().all(|c| c.is_ascii_hexdigit());
                assert!(is_commit && action.contains(" # v"), "{file}: {line}");
            }
        }
        for script in words_after(&workflow, "packaging/")
            .iter()
            .chain(["release", "wheels"].map(String::from).iter())
        {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging").join(script);
            assert!(path.is_file(), "{file}: packaging/{script}");
        }
    }
    assert!(called >= 5, "{called} calls: are they read?");
}

/// The archives have the names that `cargo binstall` asks for.
#[test]
fn archives_have_the_names_that_are_asked_for() {
    let (manifest, release) = (text("Cargo.toml"), text("packaging/release"));
    let folder = "{ name }-{ version }-{ target }";
    assert!(
        between(&manifest, "pkg-url = \"", "\"")
            .ends_with(&format!("/{folder}{{ archive-suffix }}"))
    );
    assert!(between(&manifest, "bin-dir = \"", "\"").starts_with(&format!("{folder}/")));
    assert!(release.contains("folder=amazons-$version-$1 form=tar.gz"));
    for target in words_after(&manifest, "binstall.overrides.") {
        assert!(target.contains("-windows-") && release.contains(&target), "{target}");
    }
}
