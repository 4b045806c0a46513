//! The bodies of the fuzz targets on the stable toolchain: random bytes, random text of the right letters, and
//! good texts with a few bytes changed. None may panic; the seed is fixed, so a failure can be repeated.

#[allow(unreachable_pub)]
mod bodies;

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
        let lettered: Vec<u8> = (0..length).filter_map(|_| letters.choose(&mut rng).copied()).collect();
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
    let good =
        ["1qq1/q2q/Q2Q/1QQ1 w", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 b - - 0 1", "10x10", "8GiB", "1.5h"];
    feed(bodies::fen, &good, b"Qq*0123456789/ wbx-.GiMsh\xc3\xa9");
}

#[test]
fn moves_and_squares() {
    let good =
        ["\x09\x09d1-d6/g9", "\x09\x09a10-b10,c10", "\x03\x04d1d2,d2c2", "\x03\x04b1b2b1", "\x00\x00a1"];
    feed(bodies::mv, &good, b"abcdefghijk0123456789-/,\x00\x09\xc3\xa9");
}

#[test]
fn local_positions() {
    feed(bodies::region, &["x..|.#.|..o", "X", ".o.#......|xO.......#"], b"xXoO.#|\xc3\xa9");
}
