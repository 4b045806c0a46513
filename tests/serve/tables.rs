//! Tables that vanish, come back, or change while they are served.

use std::fs;
use std::path::{Path, PathBuf};

use amazons::app::serve::{Options, Server};
use amazons::machine::progress::StopFlag;
use amazons::tables::build::{BuildOptions, build};
use tempfile::TempDir;

use crate::client::Served;

/// A 3x3 table and a position of it.
const POSITION: &str = "/api/v1/position?fen=q2/3/2Q+w";

fn table(directory: &Path, name: &str, amazons: &str) -> PathBuf {
    let path = directory.join(name);
    let options = BuildOptions::new(1 << 28);
    build(&path, "3x3".parse().unwrap(), amazons.parse().unwrap(), &options, &(), &StopFlag::new())
        .unwrap();
    path
}

fn serve() -> (TempDir, PathBuf, Served) {
    let directory = tempfile::tempdir().unwrap();
    let path = table(directory.path(), "table", "1v1");
    let served = Served::with_tables(std::slice::from_ref(&path));
    (directory, path, served)
}

fn is_gone(served: &Served, directory: &TempDir) {
    let reply = served.get(POSITION);
    let (code, message) = reply.error();
    assert_eq!((reply.status, code.as_str()), (503, "table_unavailable"));
    assert!(message.contains("the table 3x3 1v1 is missing or damaged"), "{message}");
    assert!(
        !message.contains(directory.path().to_str().unwrap()),
        "the client is told where: {message}"
    );
    // The others are still there.
    assert_eq!(served.get("/api/v1/position?fen=1qq1/q2q/Q2Q/1QQ1+w").status, 200);
}

#[test]
fn a_table_that_vanishes_and_comes_back() {
    let (directory, path, served) = serve();
    let before = served.json(POSITION);
    assert_eq!(before["source"]["name"], "3x3 1v1");
    let away = directory.path().join("away");
    fs::rename(&path, &away).unwrap();
    is_gone(&served, &directory);
    let tables = served.json("/api/v1/tables");
    assert_eq!(tables["tables"][0]["available"], false);
    fs::rename(&away, &path).unwrap();
    assert_eq!(served.json(POSITION), before);
}

#[test]
fn a_file_that_is_deleted_cut_or_changed() {
    let (directory, path, served) = serve();
    let before = served.json(POSITION);
    let mut files: Vec<PathBuf> =
        fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| {
        file.file_name().unwrap() != "manifest.json" && fs::metadata(file).unwrap().len() > 64
    });
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_string();
    // The position has no arrows; its moves lead to one.
    let file = files.iter().min_by_key(|file| name(file)).unwrap();
    let content = fs::read(file).unwrap();
    fs::remove_file(file).unwrap();
    is_gone(&served, &directory);
    fs::write(file, &content[..content.len() / 2]).unwrap();
    is_gone(&served, &directory);
    let mut changed = content.clone();
    changed[70] ^= 1;
    fs::write(file, &changed).unwrap();
    is_gone(&served, &directory);
    fs::write(file, &content).unwrap();
    assert_eq!(served.json(POSITION), before);
}

#[test]
fn another_game_in_its_place_is_not_taken_for_it() {
    let (directory, path, served) = serve();
    assert_eq!(served.get(POSITION).status, 200);
    fs::rename(&path, directory.path().join("away")).unwrap();
    table(directory.path(), "table", "2v1");
    is_gone(&served, &directory);
}

#[test]
fn what_is_no_table_is_refused_at_the_start() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { tables: vec![directory.path().into()], ..Options::default() };
    let error = Server::open(options, std::sync::Arc::new(()), &StopFlag::new()).unwrap_err();
    assert!(error.to_string().contains("is no table"), "{error}");
}
