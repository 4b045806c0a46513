//! The bodies of the fuzz targets on the stable toolchain: random bytes, random text of the right
//! letters, and good texts with a few bytes changed. None may panic; the seed is fixed, so a
//! failure can be repeated.

#[allow(unreachable_pub)]
mod bodies;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use amazons::game::Position;
use amazons::game::variants::{RuleSet, parse_variant_fen};
use amazons::machine::progress::StopFlag;
use amazons::proof::variants::{
    Listed, VariantClaim, check as variant_check, is_of_variant, write,
};
use amazons::proof::{Claim, Part, Reader, check};
use amazons::search::variants::VariantSolver;
use amazons::search::{Settings, Solver, write_certificate};
use amazons::tables::format::{
    Encoder, Keep, Manifest, Table, TableError, TierError, TierReader, TierWriter,
};
use amazons::tables::index::{CanonicalSets, TierShape};
use amazons::tables::opening::Opening;
use amazons::tables::retrograde::{BuildOptions, build};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// Texts for each kind of input.
const ROUNDS: usize = 20_000;

fn feed(body: fn(&[u8]), good: &[&str], letters: &[u8]) {
    let mut rng = StdRng::seed_from_u64(20_010_401);
    for text in good {
        body(text.as_bytes());
    }
    for _ in 0..ROUNDS {
        let length = rng.random_range(0..60);
        let bytes: Vec<u8> = (0..length).map(|_| rng.random()).collect();
        body(&bytes);
        let lettered: Vec<u8> =
            (0..length).filter_map(|_| letters.choose(&mut rng).copied()).collect();
        body(&lettered);
        let mut damaged = good.choose(&mut rng).map_or(Vec::new(), |text| text.as_bytes().to_vec());
        damage(&mut damaged, letters, &mut rng);
        body(&damaged);
    }
}

/// Replaces, removes, repeats or inserts one to four bytes.
fn damage(text: &mut Vec<u8>, letters: &[u8], rng: &mut StdRng) {
    for _ in 0..rng.random_range(1..=4) {
        let at = rng.random_range(0..=text.len());
        let letter = letters.choose(rng).copied().unwrap_or(0);
        match rng.random_range(0..4) {
            0 if at < text.len() => text[at] = letter,
            1 if at < text.len() => drop(text.remove(at)),
            2 => text.extend_from_within(at..),
            _ => text.insert(at, letter),
        }
    }
}

#[test]
fn positions_sizes_and_durations() {
    let good = [
        "1qq1/q2q/Q2Q/1QQ1 w",
        "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 b - - 0 1",
        "10x10",
        "8GiB",
        "1.5h",
        "Q8/Q8/Q8/Q8/Q8/Q8/Q8/Q8/Q8/Q8/Q8/Q8/Q8/9/Q8 b",
    ];
    feed(bodies::fen, &good, b"Qq*0123456789/ wbx-.GiMsh\xc3\xa9");
}

#[test]
fn moves_and_squares() {
    let good = [
        "\x09\x09d1-d6/g9",
        "\x09\x09a10-b10,c10",
        "\x03\x04d1d2,d2c2",
        "\x03\x04b1b2b1",
        "\x00\x00a1",
    ];
    feed(bodies::mv, &good, b"abcdefghijk0123456789-/,\x00\x09\xc3\xa9");
}

#[test]
fn local_positions() {
    feed(bodies::region, &["x..|.#.|..o", "X", ".o.#......|xO.......#"], b"xXoO.#|\xc3\xa9");
}

#[test]
fn games() {
    let good = [
        "(;FF[4]GM[18]SZ[4];W[b1b3b1];B[b4a4b4]C[a\\]b])",
        "(;GM[18]CA[UTF-8];B[djddgd](;W[addgad])(;W[daddda]BM[2]))",
        "(;GM[18]SZ[4:3]AW[ac]AB[dc]AA[bb:cb]AE[aa]PL[B];B[dccada])",
        "(;GM[18]SZ[4]CA[Shift_JIS](;W[b1b3b1];AE[aa];;)(;C[x]))(;GM[18])",
    ];
    feed(bodies::sgf, &good, b"();[]\\:abcdWBACEPLGMSZ0123456789\n\xc3\xa9\xff\xfe");
}

#[test]
fn records() {
    let good = [
        "10x10 d1-d6/g9 d10-f10/e10 resign",
        "1. d1d6pg9 2. D10-F10 (E10); a4f9,P@e9 0-1",
        "[White \"A\"]\n1qq1/q2q/Q2Q/1QQ1[PPpp] w - 0 1\n1. b1-b3xb1 {c}\n4x4 b1b3,b3b1",
        "(;GM[Amazons]BO[4 -**- *--* O--O -OO- *]B[B1-B2-B1/1.5/2]RE[+3.0:r];)",
        "x..|.#.|..o w c1-c2/c1",
        ".XX.\nX..X\nO..O\n.OO.\n1 5 9",
    ];
    feed(bodies::record, &good, b"();[]\"{}#*.,-/@xXpPQqOwbBW0123456789 \n\xe2\x80\x93\xff");
}

/// A small tier file of codec 1, content as it comes.
fn tier_file() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let shape = TierShape::new("3x4".parse().unwrap(), 2, 2, 4).unwrap();
    let sets = CanonicalSets::<u32>::new(shape.board(), 2).unwrap();
    let mut writer = TierWriter::create(directory.path(), &shape, &sets, 1000).unwrap();
    let frames = *writer.frames();
    let mut encoder = Encoder::new(frames).unwrap();
    for frame in 0..frames.len() {
        let raw: Vec<u8> = (0..frames.bytes(frame)).map(|at| (at * at / 50) as u8).collect();
        let mut encoded = Vec::new();
        encoder.encode(frame, &raw, &mut encoded).unwrap();
        writer.push(&raw, &encoded, 0).unwrap();
    }
    writer.finish().unwrap();
    fs::read(Manifest::tier_path(directory.path(), &shape)).unwrap()
}

/// Changes bytes of a real file, of those at its beginning more often; sometimes cuts it.
fn spoil(file: &mut Vec<u8>, head: usize, rng: &mut StdRng) {
    for _ in 0..rng.random_range(1..=3) {
        let most = if rng.random() { head.min(file.len()) } else { file.len() };
        if most > 0 {
            let at = rng.random_range(0..most);
            file[at] = rng.random();
        }
    }
    if rng.random_ratio(1, 7) {
        file.truncate(rng.random_range(0..=file.len()));
    }
}

/// Feeds real files that were spoiled.
fn feed_files(kind: &str, body: fn(&[u8]), head: usize, rounds: usize) {
    let mut rng = StdRng::seed_from_u64(19_880_101);
    let seeds = seeds(kind);
    for seed in &seeds {
        body(seed);
    }
    for _ in 0..rounds {
        let mut file = seeds.choose(&mut rng).expect("a seed").clone();
        spoil(&mut file, head, &mut rng);
        body(&file);
    }
}

/// The real files from which the fuzzer begins.
fn seeds(kind: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(kind);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Tests that feed a body files of a kind: how many bytes are damaged most, and in how many rounds.
macro_rules! fed {
    ($($name:ident: $kind:literal, $body:expr, $head:literal, $rounds:expr;)*) => {
        $(#[test]
        fn $name() {
            feed_files($kind, $body, $head, $rounds);
        })*
    };
}

fed! {
    tier_files: "tier", bodies::tier, 160, ROUNDS / 4;
    planes: "plane", bodies::plane, 160, ROUNDS / 4;
    manifests: "manifest", bodies::manifest, 400, ROUNDS / 4;
    journals: "journal", bodies::journal, 400, ROUNDS / 20;
    openings: "opening", bodies::opening, 64, ROUNDS / 4;
    checkpoints: "checkpoint", bodies::checkpoint, 120, ROUNDS / 20;
    certificates: "certificate", bodies::certificate, 60, ROUNDS / 4;
}

#[test]
fn lists_of_arrow_sets_that_are_forged() {
    let directory = tempfile::tempdir().unwrap();
    let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
    let options = BuildOptions::new(1 << 28);
    build(directory.path(), board, amazons, &options, &(), &StopFlag::new()).unwrap();
    let shape = TierShape::new(board, 2, 1, 1).unwrap();
    let path = Manifest::tier_path(directory.path(), &shape);
    let good = fs::read(&path).unwrap();
    let sets = CanonicalSets::<u32>::new(board, 2).unwrap();
    let list = sets.as_slice();
    // Three squares, two that are not on the board, the set before, and a smaller image.
    for (rank, forged) in [(0, 7), (0, 3 << 9), (1, list[0]), (list.len() - 1, 3)] {
        let mut file = good.clone();
        file[160 + 4 * rank..][..4].copy_from_slice(&forged.to_le_bytes());
        bodies::sums::tier(&mut file);
        fs::write(&path, file).unwrap();
        let table = Table::open(directory.path()).unwrap();
        let mut refused = 0;
        for listed in table.tier(2).unwrap() {
            match listed {
                Ok((position, _)) => assert_eq!(position.burned(), 2),
                Err(TableError::Damaged { source, .. }) => {
                    refused += u64::from(matches!(*source, TierError::NotCanonical));
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert!(refused >= 1, "{forged:#x} at {rank}");
    }
}

/// A seed: its kind, its name and its bytes.
type Seed = (&'static str, &'static str, Vec<u8>);

/// The certificate of an endgame of 10x10, behind a zero.
fn endgame_file() -> Vec<u8> {
    let burned = ["**********"; 6].join("/");
    let line = format!("1q1*******/3*******/3*******/1Q1*******/{burned} w");
    let position: Position = line.parse().unwrap();
    let settings = Settings { table_bytes: 1 << 18, threads: 1, seed: 0 };
    let mut solver = Solver::of_endgame(&position, settings, StopFlag::new()).unwrap();
    let outcome = solver.solve(&position).unwrap().unwrap();
    let claim = Claim { position, outcome, leaf: 4, walls: true };
    let mut bytes = vec![0];
    write_certificate(&mut solver, &claim, &mut bytes, &()).unwrap();
    bytes
}

/// Real files of every kind, and the inputs that are compressed by the body which they are fed to.
fn real_files() -> Vec<Seed> {
    let mut files = vec![("tier", "votes", tier_file())];
    let directory = tempfile::tempdir().unwrap();
    let options = BuildOptions { keep: Keep::Odd, ..BuildOptions::new(1 << 28) };
    let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
    let manifest =
        build(directory.path(), board, amazons, &options, &(), &StopFlag::new()).unwrap();
    let shape = TierShape::new(board, 3, 1, 1).unwrap();
    files.push(("tier", "zstd", fs::read(Manifest::tier_path(directory.path(), &shape)).unwrap()));
    files.push(("manifest", "3x3", manifest.to_bytes().unwrap()));
    files.push(("journal", "3x4", bodies::Unfinished::new().journal().to_vec()));

    let table = Table::open(directory.path()).unwrap();
    files.extend(opening_files(&table, "q2/3/2Q w", ["file", "packed"]));
    let large = tempfile::tempdir().unwrap();
    let options = BuildOptions { least_arrows: 32, ..BuildOptions::new(1 << 28) };
    let (board, amazons) = ("6x6".parse().unwrap(), "1v1".parse().unwrap());
    build(large.path(), board, amazons, &options, &(), &StopFlag::new()).unwrap();
    let table = Table::open(large.path()).unwrap();
    let start = "qQ2**/******/******/******/******/****** w";
    files.extend(opening_files(&table, start, ["large", "large-packed"]));

    let (mut solver, position) = bodies::solver();
    let outcome = solver.solve(&position).unwrap().unwrap();
    let path = directory.path().join("checkpoint");
    solver.save(&path, &position).unwrap();
    files.push(("checkpoint", "3x4", fs::read(&path).unwrap()));

    files.push(("certificate", "endgame", endgame_file()));
    for (name, packed_name, walls) in
        [("plain", "plain-packed", false), ("walls", "walls-packed", true)]
    {
        let claim = Claim { position, outcome, leaf: 4, walls };
        let mut bytes = vec![0];
        write_certificate(&mut solver, &claim, &mut bytes, &()).unwrap();
        let mut reader = Reader::new(&bytes[1..]).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = reader.frame().unwrap() {
            let mut chunk = vec![frame.arrows as u8];
            chunk.extend((frame.positions.len() as u32).to_le_bytes());
            let mut before = 0;
            for (code, played) in frame.positions {
                varint(&mut chunk, code.0 - before);
                varint(&mut chunk, played.into());
                before = code.0;
            }
            frames.push(chunk);
        }
        let mut packed = vec![1];
        packed.extend(bodies::packed::join(&bytes[1..39], &frames));
        files.extend([("certificate", name, bytes), ("certificate", packed_name, packed)]);
    }
    files.extend(variant_certificates());
    files
}

/// The opening table of two moves from a position, and the same to be packed.
fn opening_files(table: &Table, start: &str, names: [&'static str; 2]) -> [Seed; 2] {
    let start: Position = start.parse().unwrap();
    let opening = Opening::derive(table, &start, 2, 1 << 30, &(), &StopFlag::new()).unwrap();
    let mut bytes = vec![0];
    opening.write(&mut bytes).unwrap();
    let wide = start.board().squares() > 32;
    let plies = opening.plies().iter().map(|ply| {
        let mut chunk = (ply.len() as u64).to_le_bytes().to_vec();
        let mut before = 0;
        for (code, outcome) in ply.entries() {
            let (difference, win) = (code.0 - before, u8::from(outcome.is_win()));
            if wide {
                varint(&mut chunk, difference);
                chunk.push(win);
            } else {
                varint(&mut chunk, difference << 1 | u128::from(win));
            }
            before = code.0;
        }
        chunk
    });
    let mut packed = vec![1];
    packed.extend(bodies::packed::join(&bytes[1..41], &plies.collect::<Vec<_>>()));
    [("opening", names[0], bytes), ("opening", names[1], packed)]
}

/// Of a game with leaps, of one with walls, of one with turns of several moves.
fn variant_certificates() -> impl Iterator<Item = (&'static str, &'static str, Vec<u8>)> {
    let games = [
        ("cowboys", "cowboys-packed", RuleSet::COWBOYS, "1q1/q2/2Q/1Q1 w"),
        ("tromazons", "tromazons-packed", RuleSet::TROMAZONS, "1q1/1Q1 w 1 -"),
        ("turns", "turns-packed", RuleSet::TURNS_134, "q**q/qQ1q/Q2Q/1*Q1 b 2+a4,d4"),
    ];
    games.into_iter().flat_map(|(name, packed_name, rules, position)| {
        let position = parse_variant_fen(position, rules).unwrap();
        let mut solver =
            VariantSolver::new(position.board(), rules, 1 << 20, StopFlag::new()).unwrap();
        let outcome = solver.solve(&position).unwrap().unwrap();
        let claim = VariantClaim { position, outcome, leaf: 4 };
        let list = solver.strategy(&claim, 1 << 24).unwrap();
        let bytes = write(vec![0], &claim, &list);
        let bytes = bytes.unwrap();
        let (walls, turns) = (!rules.burns(), !rules.turns.is_single());
        let mut chunk = (list.len() as u32).to_le_bytes().to_vec();
        let mut before = 0;
        for Listed { code, played } in list {
            varint(&mut chunk, code.squares - before);
            before = code.squares;
            if walls {
                varint(&mut chunk, code.walls);
            }
            if turns {
                varint(&mut chunk, code.moved.into());
                code.turn.into_iter().for_each(|part| varint(&mut chunk, part.into()));
            }
            varint(&mut chunk, played.map_or(0, |number| u128::from(number) + 1));
        }
        let mut packed = vec![1];
        packed.extend(bodies::packed::join(&bytes[1..69], &[chunk]));
        [("certificate", name, bytes), ("certificate", packed_name, packed)]
    })
}

fn varint(bytes: &mut Vec<u8>, mut number: u128) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// With `WRITE_SEEDS` set the seeds are written anew, which is to be done when a format changes: a
/// file that its reader refuses is no seed. Seeds of older versions stay beside them.
#[test]
fn seeds_are_real_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut kinds = BTreeSet::new();
    for (kind, name, bytes) in real_files() {
        let path = root.join(kind).join(name);
        if std::env::var_os("WRITE_SEEDS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        assert!(path.exists(), "{}: write it with WRITE_SEEDS=1", path.display());
        kinds.insert(kind);
        // Only the beginning says the version.
        let seed = fs::read(&path).unwrap();
        assert_eq!(seed.get(..9), bytes.get(..9), "{}: of another version", path.display());
    }
    for kind in kinds {
        for entry in fs::read_dir(root.join(kind)).unwrap() {
            let path = entry.unwrap().path();
            let seed = fs::read(&path).unwrap();
            assert!(seed.len() < 10_000, "{}: {} bytes", path.display(), seed.len());
            assert!(is_read(kind, &seed), "{}: write it anew with WRITE_SEEDS=1", path.display());
            assert!(mended(kind, &seed) == seed, "{}: its sums were right", path.display());
        }
    }
}

/// A seed with its sums repaired as its fuzz target does.
fn mended(kind: &str, seed: &[u8]) -> Vec<u8> {
    let (mut all, sums) = (seed.to_vec(), seed.first() == Some(&0));
    match kind {
        "manifest" | "journal" => bodies::sums::text(&mut all),
        "tier" => bodies::sums::tier(&mut all),
        "checkpoint" => bodies::sums::checkpoint(&mut all),
        "opening" if sums => bodies::sums::at_the_end(&mut all[1..]),
        "certificate" if sums => bodies::sums::certificate(&mut all[1..]),
        _ => {}
    }
    all
}

/// Whether the reader of such files takes a seed. Those that are packed first need not be.
fn is_read(kind: &str, seed: &[u8]) -> bool {
    match (kind, seed) {
        ("manifest", _) => Manifest::parse(seed).is_ok(),
        ("tier", _) => TierReader::open(seed).is_ok(),
        ("journal", _) => bodies::Unfinished::new().goes_on(seed),
        ("opening", [0, file @ ..]) => Opening::read(file).is_ok(),
        ("certificate", [0, file @ ..]) if is_of_variant(file) => {
            variant_check::verify_part(|| Ok(file), Part::WHOLE, 1 << 26, &(), &StopFlag::new())
                .is_ok()
        }
        ("certificate", [0, file @ ..]) => {
            check::verify(|| Ok(file), 1 << 24, &(), &StopFlag::new()).is_ok()
        }
        ("checkpoint", _) => {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("checkpoint");
            fs::write(&path, seed).unwrap();
            let (mut solver, position) = bodies::solver();
            solver.load(&path, &position).is_ok()
        }
        _ => seed.first() == Some(&1),
    }
}
