//! Tables that vanish, come back, or change while they are served.

use std::fs;
use std::path::{Path, PathBuf};

use amazons::app::serve::{Options, Server};
use amazons::game::board::Board;
use amazons::game::naive::NaiveSolver;
use amazons::game::notation::fen;
use amazons::game::rules::Rules;
use amazons::machine::progress::StopFlag;
use amazons::tables::retrograde::{BuildOptions, build};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tempfile::TempDir;

use crate::client::{Served, query};
use amazons_test_support::long::long_tests;
use amazons_test_support::positions::random_position;

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
    assert_eq!(served.json("/api/v1/tables")["tables"][0]["available"], false);
    fs::write(file, &content).unwrap();
    assert_eq!(served.json(POSITION), before);
    assert_eq!(served.json("/api/v1/tables")["tables"][0]["available"], true);
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
    assert!(error.to_string().contains("holds neither a table"), "{error}");
    let file = directory.path().join("file");
    fs::write(&file, "a file of another kind").unwrap();
    let options = Options { tables: vec![file], ..Options::default() };
    let error = Server::open(options, std::sync::Arc::new(()), &StopFlag::new()).unwrap_err();
    assert!(error.to_string().contains("found a file with other first bytes"), "{error}");
}

/// What happens to a file while it is served.
fn disturb(file: &Path, content: &[u8], random: &mut StdRng) {
    match random.random_range(0..6) {
        0 => fs::remove_file(file).unwrap(),
        1 => {
            // In place: a map of the file would end the process when it is touched.
            let open = fs::OpenOptions::new().write(true).open(file).unwrap();
            open.set_len(random.random_range(0..content.len() as u64)).unwrap();
        }
        2 => {
            let mut changed = content.to_vec();
            let at = random.random_range(0..changed.len());
            changed[at] ^= 1 << random.random_range(0..8);
            fs::write(file, changed).unwrap();
        }
        3 => fs::write(file, vec![0; content.len()]).unwrap(),
        4 => fs::write(file, b"").unwrap(),
        _ => {
            let beside = file.with_extension("other");
            fs::write(&beside, &content[..content.len() / 2]).unwrap();
            fs::rename(beside, file).unwrap();
        }
    }
}

#[test]
fn searches_and_answers_survive_whatever_happens_to_a_table() {
    // Rounds in which a table is disturbed while it is asked.
    let rounds = if long_tests() { 1000 } else { 30 };
    let directory = tempfile::tempdir().unwrap();
    let path = table(directory.path(), "table", "2v1");
    let served =
        Served::eager(Options { tables: vec![path.clone()], searches: 4, ..Options::default() });
    let names: Vec<PathBuf> =
        fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
    let tiers: Vec<(PathBuf, Vec<u8>)> = names
        .into_iter()
        .filter(|file| file.extension().is_some_and(|end| end == "amz"))
        .map(|file| (file.clone(), fs::read(&file).unwrap()))
        .collect();
    let mut random = StdRng::seed_from_u64(9);
    let board: Board = "3x3".parse().unwrap();
    let mut naive = NaiveSolver::new(Rules::<u64>::new(board).unwrap());
    let mut answered = 0;
    for _ in 0..rounds {
        let position = random_position(board, [2, 1], 7, &mut random);
        let expected = naive.outcome(&position.bitboards().unwrap());
        let fen = fen(&position);
        let (hurt, rest) = (random.random_range(1..=tiers.len()), random.random_range(0..300));
        let reported = std::thread::scope(|scope| {
            let asked = scope.spawn(|| {
                let events = served.search(&fen, "&seconds=5&moves_valued=all");
                assert_eq!(events.status, 200);
                let done = events.last().expect("a last event");
                let path = format!("/api/v1/position?fen={}", query(&fen));
                (done, served.get(&path))
            });
            std::thread::sleep(std::time::Duration::from_micros(rest));
            for (file, content) in tiers.choose_multiple(&mut random, hurt) {
                disturb(file, content, &mut StdRng::seed_from_u64(rest));
            }
            asked.join().expect("neither the search nor the answer ends in an error")
        });
        let ((name, done), answer) = reported;
        assert_eq!(name, "done", "{done}");
        assert_eq!(done["value"], expected.as_str(), "{fen}");
        // The table is whole, or the answer says that it is not.
        assert!([200, 503].contains(&answer.status), "{}", answer.body);
        if answer.status == 200 {
            assert_eq!(answer.json()["value"], expected.as_str(), "{fen}");
            answered += 1;
        }
        for (file, content) in &tiers {
            fs::write(file, content).unwrap();
        }
        let whole = served.position(&fen);
        assert_eq!(whole["value"], expected.as_str(), "{fen}");
    }
    println!("{rounds} rounds, {answered} answered from what was left of the table");
}
