//! The list of measurements, `results/runs/README.md`: every folder has its line, every line its
//! folder, and the documents that a line names speak of the folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn runs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results/runs")
}

/// The cells of each line of the table, without its head.
fn lines() -> Vec<Vec<String>> {
    let text = fs::read_to_string(runs().join("README.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ["));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect())
        .collect()
}

/// The words and the targets of the links in a text.
fn links(text: &str) -> Vec<(&str, &str)> {
    let starts = text.split('[').skip(1);
    starts
        .filter_map(|rest| rest.split_once("]("))
        .filter_map(|(words, rest)| Some((words, rest.split_once(')')?.0)))
        .collect()
}

#[test]
fn every_folder_has_its_line_and_every_line_its_folder() {
    let folders: BTreeSet<String> = fs::read_dir(runs())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let lines = lines();
    let mut listed = BTreeSet::new();
    for cells in &lines {
        let (name, target) = links(&cells[0])[0];
        assert_eq!(target, format!("{name}/README.md"));
        assert!(listed.insert(name.to_string()), "{name} has two lines");
    }
    assert_eq!(listed, folders);
}

#[test]
fn the_documents_that_a_line_names_speak_of_its_folder() {
    for cells in lines() {
        let [run, _, _, documents] = cells.as_slice() else {
            panic!("four cells a line, found {}: {cells:?}", cells.len());
        };
        let (name, _) = links(run)[0];
        let documents = links(documents);
        assert!(!documents.is_empty(), "{name}: no document");
        for (_, document) in documents {
            let text = fs::read_to_string(runs().join(document)).unwrap();
            // What follows the name is the end of a path, not the rest of a longer name.
            let named = text.contains(&format!("runs/{name}/"));
            assert!(named, "{document} does not speak of {name}");
        }
    }
}
