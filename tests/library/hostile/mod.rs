//! The bodies of the fuzz targets on the stable toolchain: random bytes, random text of the right
//! letters, and good texts with a few bytes changed. None may panic; the seed is fixed, so a
//! failure can be repeated.

#[allow(unreachable_pub)]
mod bodies;

use amazons::tables::format::{Encoder, Manifest, TierWriter};
use amazons::tables::index::{CanonicalSets, TierShape};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

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

/// A small tier file of codec 1, content as it comes.
fn tier_file() -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let shape = TierShape::new("3x4".parse().unwrap(), 2, 2, 4).unwrap();
    let sets = CanonicalSets::new(shape.board(), 2).unwrap();
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
    std::fs::read(Manifest::tier_path(directory.path(), &shape)).unwrap()
}

/// Makes the checksums of a tier file fit again, so that damage reaches the code behind them.
fn mend(file: &mut [u8]) {
    let number =
        |at: usize, file: &[u8]| u64::from_le_bytes(file[at..][..8].try_into().unwrap()) as usize;
    let offsets = [72, 80, 88].map(|at| number(at, file));
    if !offsets.is_sorted() || offsets[2] > file.len() {
        return;
    }
    for (at, sum) in [
        (136, xxh3_64(&file[offsets[0]..offsets[1]])),
        (144, xxh3_64(&file[offsets[1]..offsets[2]])),
    ] {
        file[at..][..8].copy_from_slice(&sum.to_le_bytes());
    }
    let sum = xxh3_64(&file[..152]);
    file[152..160].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn tier_files() {
    let good = tier_file();
    let mut rng = StdRng::seed_from_u64(19_880_101);
    bodies::tier(&good);
    for round in 0..ROUNDS / 4 {
        let mut file = good.clone();
        for _ in 0..rng.random_range(1..=3) {
            let most = if round % 2 == 0 { 160 } else { file.len() };
            let at = rng.random_range(0..most);
            file[at] = rng.random();
        }
        if round % 3 != 0 {
            mend(&mut file);
        }
        if round % 7 == 0 {
            file.truncate(rng.random_range(0..file.len()));
        }
        bodies::tier(&file);
    }
}
