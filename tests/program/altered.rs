//! Files that say something else than what is so, with sums that fit: each kind of claim of each
//! kind of file is altered, and is refused by the command that checks it, or counted as not
//! checked, or the answer names the file that it rests on.
//!
//! What else there is of this: wrong values of opening tables in `opening.rs`, results in
//! `verify_results.rs`, and in `tests/library/` wrong values of tiers (`table.rs`) and of planes
//! (`margin_tables.rs`), certificates (`certificate.rs`) and those of other games
//! (`variant_certificate.rs`).

use std::fs;
use std::path::Path;

use amazons::tables::format::{Keep, Manifest, TierRecord};
use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::str::contains;
use serde_json::Value;

use amazons_test_support::opening::Ground;
use amazons_test_support::proofs::{settings, start, written};
use amazons_test_support::tables::build;

#[allow(unreachable_pub)]
#[path = "../library/hostile/bodies/sums.rs"]
mod sums;

/// A claim: its name, the place of its byte in the file, and the bits of it that are changed.
type Claim = (&'static str, usize, u8);

/// Makes the sums of a file right.
type Seal = fn(&mut [u8]);

fn amazons(arguments: &[&str]) -> Assert {
    Command::cargo_bin("amazons").unwrap().args(arguments).assert()
}

/// Makes sure that a file is accepted as it is, and refused with any of these claims altered.
fn refused(commands: &[&[&str]], path: &Path, claims: &[Claim], seal: Seal) {
    let whole = fs::read(path).unwrap();
    commands.iter().for_each(|command| drop(amazons(command).success()));
    for &(claim, at, bits) in claims {
        let mut altered = whole.clone();
        altered[at] ^= bits;
        seal(&mut altered);
        fs::write(path, altered).unwrap();
        refuse(commands, claim);
    }
    fs::write(path, whole).unwrap();
}

/// Makes sure that each of these commands fails because of what it reads.
fn refuse(commands: &[&[&str]], claim: &str) {
    for command in commands {
        let told = amazons(command);
        assert_eq!(told.get_output().status.code(), Some(1), "{claim}: {command:?}");
    }
}

/// A file in which what is packed is changed before it is packed again. The length of the packed
/// bytes stands at `at`, in so many bytes; they begin `gap` bytes behind it.
fn repacked(
    file: &[u8],
    [at, width, gap]: [usize; 3],
    change: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let mut length = [0; 8];
    length[..width].copy_from_slice(&file[at..at + width]);
    let (begins, length) = (at + width + gap, u64::from_le_bytes(length) as usize);
    let mut raw = zstd::bulk::decompress(&file[begins..begins + length], 1 << 20).unwrap();
    change(&mut raw);
    let packed = zstd::bulk::compress(&raw, 1).unwrap();
    let mut altered = file[..at].to_vec();
    altered.extend(&packed.len().to_le_bytes()[..width]);
    altered.extend(&file[at + width..begins]);
    altered.extend(packed);
    altered.extend(&file[begins + length..]);
    altered
}

/// Changes what a manifest says of a tier, and gives it a sum that fits.
fn alter(directory: &Path, layer: i8, at: usize, change: impl Fn(&mut TierRecord)) {
    let path = Manifest::layer_path(directory, layer);
    let mut manifest = Manifest::parse(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest.tiers[at]);
    fs::write(&path, manifest.to_bytes().unwrap()).unwrap();
}

/// What is changed of a tier's record.
type Change = fn(&mut TierRecord);

const CHANGES: [(&str, Change); 4] = [
    ("wins", |tier| tier.wins = tier.wins.checked_sub(1).unwrap_or(1)),
    ("positions", |tier| tier.positions += 1),
    ("bytes", |tier| tier.bytes += 1),
    ("content", |tier| tier.content = "0".repeat(64)),
];

/// Manifests of a directory that is a table, with planes of margins or without.
fn manifests_refused(directory: &Path, layer: i8) {
    let path = directory.to_str().unwrap();
    let commands: [&[&str]; 2] = [&["check", path], &["verify", path]];
    let manifest = Manifest::layer_path(directory, layer);
    let whole = fs::read(&manifest).unwrap();
    for (claim, change) in CHANGES {
        alter(directory, layer, 1, change);
        refuse(&commands, claim);
        fs::write(&manifest, &whole).unwrap();
    }
    let text = String::from_utf8(whole.clone()).unwrap();
    for (claim, from, to) in [
        ("format", "\"format\": ", "\"format\": 1"),
        ("engine", "\"amazons 0", "\"chess 0"),
        ("rules", "queen step, queen shot", "king step, queen shot"),
        ("board", "\"3x3\"", "\"3x4\""),
        ("amazons", "\"1v1\"", "\"2v1\""),
        ("arrows", "\"arrows\": 1,", "\"arrows\": 2,"),
        ("mover", "\"mover\": 1", "\"mover\": 2"),
        ("opponent", "\"opponent\": 1", "\"opponent\": 2"),
        ("stored", "\"stored\": true", "\"stored\": false"),
        ("layer", "\"layer\": 1", "\"layer\": 2"),
        ("plane", "\"plane\": -1", "\"plane\": -2"),
    ] {
        let mut altered = text.replacen(from, to, 1).into_bytes();
        assert_eq!(altered == whole, matches!(claim, "layer" | "plane") && layer == 0, "{claim}");
        sums::text(&mut altered);
        fs::write(&manifest, &altered).unwrap();
        if altered != whole {
            refuse(&commands, claim);
        }
    }
    fs::write(&manifest, &whole).unwrap();
    // Nothing is held against the time.
    let time = text.find("\"milliseconds\": ").unwrap() + 16;
    let mut altered = [&whole[..time], b"1", &whole[time..]].concat();
    sums::text(&mut altered);
    fs::write(&manifest, altered).unwrap();
    commands.iter().for_each(|command| drop(amazons(command).success()));
    fs::write(&manifest, whole).unwrap();
}

#[test]
fn what_a_manifest_says_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 500);
    manifests_refused(directory.path(), 0);
}

/// Bytes of the header of a tier, of which each is a claim; so are the list and the index behind
/// it.
const TIER: [Claim; 20] = [
    ("version", 8, 3),
    ("columns", 12, 1),
    ("rows", 13, 1),
    ("arrows", 14, 1),
    ("mover", 15, 3),
    ("opponent", 16, 3),
    ("codec", 17, 1),
    ("finished", 18, 1),
    ("rules or plane", 19, 2),
    ("arrow sets", 24, 1),
    ("bytes of a block", 32, 1),
    ("frames", 40, 1),
    ("bytes of the content", 48, 1),
    ("positions", 56, 1),
    ("wins", 64, 1),
    ("offset of the index", 80, 4),
    ("offset of the frames", 88, 16),
    ("bytes of the file", 96, 1),
    ("content", 104, 1),
    ("what follows the header", 160, 1),
];

#[test]
fn what_a_tier_says_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    // With frames so small there are several, so the target is a claim, too.
    build(directory.path(), "3x3", "1v1", Keep::All, 60);
    let tier = directory.path().join("tier-03-1v1.amz");
    let claims = [&TIER[..], &[("target", 20, 24)]].concat();
    refused(&[&["check", path], &["verify", path]], &tier, &claims, sums::tier);
}

/// The tier and the manifest say the same of it, which its entries do not.
fn what_both_say_is_refused(directory: &Path, tier: &str, layer: i8, at: usize) {
    let path = directory.to_str().unwrap();
    let (tier, manifest) = (directory.join(tier), Manifest::layer_path(directory, layer));
    let whole = [&tier, &manifest].map(|path| fs::read(path).unwrap());
    for (claim, place) in [("wins", 64), ("content", 104)] {
        let mut altered = whole[0].clone();
        altered[place] ^= 1;
        sums::tier(&mut altered);
        alter(directory, layer, at, |record| {
            record.wins = u64::from_le_bytes(altered[64..72].try_into().unwrap());
            record.content = altered[104..136].iter().map(|byte| format!("{byte:02x}")).collect();
        });
        fs::write(&tier, altered).unwrap();
        refuse(&[&["check", path], &["verify", path]], claim);
        let sample = amazons(&["verify", path, "--sample", "100", "--json"]).success();
        let report: Value = serde_json::from_slice(&sample.get_output().stdout).unwrap();
        assert!(report["not_checked"].as_u64().unwrap() > 0, "{claim}");
        fs::write(&tier, &whole[0]).unwrap();
        fs::write(&manifest, &whole[1]).unwrap();
    }
    amazons(&["verify", path]).success();
}

#[test]
fn wins_and_hash_are_those_of_the_entries() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 500);
    what_both_say_is_refused(directory.path(), "tier-03-1v1.amz", 0, 3);
}

#[test]
fn what_planes_of_margins_say_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    amazons(&["build", "3x3", "--amazons", "1v1", "--tables", path, "--margins", "-q"]).success();
    manifests_refused(directory.path(), 1);
    let tier = directory.path().join("tier-03-1v1-minus-01.amz");
    refused(&[&["check", path], &["verify", path]], &tier, &TIER, sums::tier);
    // Of each number of arrows plane 1 comes before plane -1.
    what_both_say_is_refused(directory.path(), "tier-03-1v1-minus-01.amz", 1, 7);
}

#[test]
fn what_a_manifest_says_of_a_tier_that_is_not_stored_is_not_checked() {
    let directory = tempfile::tempdir().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::Odd, 500);
    let path = directory.path().to_str().unwrap();
    for altered in [false, true] {
        if altered {
            alter(directory.path(), 0, 2, |tier| tier.wins -= 1);
        }
        // The wins and the hash of tiers 0, 2, 4 and 6.
        amazons(&["verify", path]).success().stdout(contains("0 wrong, 8 not checked"));
        amazons(&["check", path]).success().stdout(contains("all undamaged, 8 not checked"));
        for command in ["check", "verify"] {
            let told = amazons(&[command, path, "--json"]).success();
            let report: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
            assert_eq!(report["not_checked"], 8, "{command}");
        }
    }
}

#[test]
fn a_sample_counts_what_it_leaves_out() {
    let directory = tempfile::tempdir().unwrap();
    let manifest = build(directory.path(), "3x3", "1v1", Keep::All, 500);
    let shapes = manifest.tiers.iter().map(|tier| manifest.shape(tier).unwrap());
    let entries: u128 = shapes.map(|shape| shape.count().stored_positions().unwrap()).sum();
    let path = directory.path().to_str().unwrap();
    let told = amazons(&["verify", path, "--sample", "100", "--json"]).success();
    let report: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
    let claims = 2 * manifest.tiers.len() as u64;
    let left = entries as u64 - 100 + claims;
    assert_eq!((&report["checked"], &report["not_checked"]), (&100.into(), &left.into()));
    // As many as there are: some were drawn twice, and others not.
    let all = entries.to_string();
    let told = amazons(&["verify", path, "--sample", &all, "--json"]).success();
    let report: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
    assert_eq!(report["checked"], entries as u64);
    assert!(report["not_checked"].as_u64().unwrap() > claims + entries as u64 / 10, "{report}");
}

#[test]
fn what_an_opening_table_says_is_refused() {
    let ground = Ground::build();
    let path = ground.directory.path().join("opening.amz");
    let whole = ground.written();
    fs::write(&path, &whole).unwrap();
    let command: &[&str] = &["verify", path.to_str().unwrap()];
    let claims = [
        ("version", 8, 3),
        ("columns", 9, 1),
        ("rows", 10, 1),
        ("turn", 11, 2),
        ("plies", 12, 1),
        ("zeros", 13, 1),
        ("mover", 16, 6),
        ("opponent", 25, 6),
        ("arrows", 32, 2),
        ("positions of a ply", 40, 3),
    ];
    refused(&[command], &path, &claims, sums::at_the_end);
    // Values of all plies: of the first, of one before the last, of the last.
    let mut at = 48;
    for ply in 0..ground.opening.plies().len() {
        let mut altered = repacked(&whole, [at, 8, 0], |raw| *raw.last_mut().unwrap() ^= 1);
        sums::at_the_end(&mut altered);
        fs::write(&path, altered).unwrap();
        refuse(&[command], &format!("a value of ply {ply}"));
        at += 16 + u64::from_le_bytes(whole[at..at + 8].try_into().unwrap()) as usize;
    }
    // With Black to move it is about another position, of which it is as true.
    let mut altered = whole;
    altered[11] = 1 - altered[11];
    sums::at_the_end(&mut altered);
    fs::write(&path, altered).unwrap();
    amazons(command).success();
}

/// What every certificate claims, with the places of its fields: those of its header and, of its
/// first frame, the number of its positions, codes and moves.
fn certificate_refused(path: &Path, claims: &[Claim], length_at: usize) {
    let command: &[&str] = &["verify", path.to_str().unwrap()];
    refused(&[command], path, claims, sums::certificate);
    let whole = fs::read(path).unwrap();
    for (claim, at_the_end) in [("code", false), ("move", true)] {
        let mut altered = repacked(&whole, [length_at, 4, 0], |raw| {
            match at_the_end {
                false => raw[0] ^= 1,
                // A move that no position has.
                true => *raw.last_mut().unwrap() |= 0x80,
            }
            raw.extend(at_the_end.then_some(0x7F));
        });
        sums::certificate(&mut altered);
        fs::write(path, altered).unwrap();
        refuse(&[command], claim);
    }
    fs::write(path, whole).unwrap();
}

#[test]
fn what_a_certificate_says_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("proof");
    let claims = [
        ("version", 8, 8),
        ("columns", 9, 1),
        ("rows", 10, 1),
        ("turn", 11, 2),
        ("claim", 12, 1),
        ("leaf", 13, 4),
        ("mover", 14, 3),
        ("opponent", 24, 1),
        ("arrows", 30, 1),
        ("arrows of a frame", 39, 1),
        ("positions of a frame", 40, 1),
    ];
    let (plain, _) = written(settings(), start("4x4"), 5, false);
    let (walls, _) = written(settings(), start("4x5"), 9, true);
    assert_eq!((plain[8], walls[8]), (1, 4));
    // Version 4 rests on the wall rule, and version 3 is read like it.
    for (mut bytes, version) in [(plain, 1), (walls.clone(), 4), (walls, 3)] {
        bytes[8] = version;
        sums::certificate(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        certificate_refused(&path, &claims, 44);
        // A part holds or not, and is no proof.
        amazons(&["verify", path.to_str().unwrap(), "--part", "1/2"])
            .success()
            .stdout(contains("if all 2 parts of it do: proved"));
    }
}

#[test]
fn what_a_certificate_of_another_game_says_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("proof");
    let solve = ["solve", "4x4", "--amazons", "2v2", "--rules", "pencil", "--certificate"];
    amazons(&[&solve[..], &[path.to_str().unwrap()]].concat()).success();
    let claims = [
        ("version", 8, 2),
        ("columns", 9, 1),
        ("rows", 10, 1),
        ("turn", 23, 2),
        ("claim", 24, 1),
        ("leaf", 25, 8),
        ("mover", 26, 16),
        ("positions of a frame", 69, 1),
    ];
    certificate_refused(&path, &claims, 73);
}

/// Leaves the checkpoint of a search that has come to its end; it rests on no file.
fn saved(checkpoint: &Path) {
    let proof = checkpoint.with_extension("proof");
    let [checkpoint, proof] = [checkpoint, &proof].map(|path| path.to_str().unwrap());
    let solve = ["solve", "4x4", "--method", "proof", "-q", "--checkpoint", checkpoint];
    let told = amazons(&[&solve[..], &["--certificate", proof]].concat()).success();
    assert!(!String::from_utf8_lossy(&told.get_output().stdout).contains(", if"));
}

/// Makes sure that a search believes a file with altered claims only if it says so.
fn refused_or_named(
    command: &[&str],
    path: &Path,
    claims: &[Claim],
    more: &[(&'static str, Vec<u8>)],
    seal: Seal,
) {
    let whole = fs::read(path).unwrap();
    let altered = claims.iter().map(|&(claim, at, bits)| {
        let mut altered = whole.clone();
        altered[at] ^= bits;
        (claim, altered)
    });
    for (claim, mut altered) in altered.chain(more.iter().cloned()) {
        seal(&mut altered);
        fs::write(path, altered).unwrap();
        let told = amazons(command);
        let output = told.get_output();
        let answer = String::from_utf8(output.stdout.clone()).unwrap();
        match output.status.code() {
            Some(0) => {
                let rests = format!(", if the values of {} hold", path.to_str().unwrap());
                assert!(answer.contains(&rests), "{claim}: {answer}");
            }
            code => assert_eq!((code, answer.as_str()), (Some(1), ""), "{claim}"),
        }
    }
}

/// No command checks a digest: a search believes it. What the bounds of the search refute is
/// refused, and of all else the answer says that it rests on the file.
#[test]
fn what_a_digest_says_is_refused_or_named_by_the_answer() {
    let directory = tempfile::tempdir().unwrap();
    let [checkpoint, digest] = ["checkpoint", "digest"].map(|name| directory.path().join(name));
    let solve = ["solve", "4x4", "--method", "proof", "-q"];
    let names = [&checkpoint, &digest].map(|path| path.to_str().unwrap());
    saved(&checkpoint);
    amazons(&["digest", names[0], "--out", names[1]]).success();
    let whole = fs::read(&digest).unwrap();
    // The bounds of the first frame, in which its values are known.
    let mut bounds = whole.clone();
    (bounds[59], bounds[60]) = match whole[60] as i8 {
        -64 => (63, 62),
        _ => (-63i8 as u8, -64i8 as u8),
    };
    let code = repacked(&whole, [65, 4, 0], |raw| raw[0] ^= 1);
    let claims = [
        ("version", 8, 2),
        ("columns", 12, 1),
        ("rows", 13, 1),
        ("zeros", 14, 1),
        ("mover", 16, 3),
        ("opponent", 25, 3),
        ("arrows", 32, 1),
        ("nodes", 40, 1),
        ("positions", 48, 1),
        ("effort", 57, 1),
        ("spare", 58, 1),
        ("won", 59, 1),
        ("lost", 60, 1),
        ("positions of a frame", 61, 1),
    ];
    let more = [("bounds", bounds), ("code", code)];
    let command = [&solve[..], &["--digest", names[1]]].concat();
    refused_or_named(&command, &digest, &claims, &more, sums::certificate);
}

/// No command checks a checkpoint: a search goes on from it as from its own memory, and its answer
/// says so.
#[test]
fn what_a_checkpoint_says_is_refused_or_named_by_the_answer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    let command =
        ["solve", "4x4", "--method", "proof", "-q", "--checkpoint", path.to_str().unwrap()];
    saved(&path);
    let whole = fs::read(&path).unwrap();
    let moments = u32::from_le_bytes(whole[64..68].try_into().unwrap()) as usize;
    let block = 68 + 28 * moments;
    let entries = [("value", 16), ("key", 0)]
        .map(|(claim, at)| (claim, repacked(&whole, [block + 4, 4, 32], |raw| raw[at] ^= 3)));
    let claims = [
        ("no claim", 0, 0),
        ("version", 8, 2),
        ("columns", 12, 1),
        ("rows", 13, 1),
        ("whether it rests on a digest", 14, 1),
        ("zero", 15, 1),
        ("seed", 16, 1),
        ("mover", 24, 3),
        ("opponent", 33, 3),
        ("arrows", 40, 1),
        ("nodes", 48, 1),
        ("entries", 56, 1),
        ("moments", 64, 1),
        ("entries of a block", block, 1),
    ];
    refused_or_named(&command, &path, &claims, &entries, sums::checkpoint);
}

/// A checkpoint and a digest are believed together: both are named.
#[test]
fn all_files_that_a_search_believes_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let [checkpoint, digest] = ["checkpoint", "digest"].map(|name| directory.path().join(name));
    let [checkpoint_name, digest_name] = [&checkpoint, &digest].map(|path| path.to_str().unwrap());
    saved(&checkpoint);
    amazons(&["digest", checkpoint_name, "--out", digest_name]).success();
    let solve = ["solve", "4x4", "--method", "proof", "--digest", digest_name];
    let told = amazons(&[&solve[..], &["--checkpoint", checkpoint_name]].concat()).success();
    let told = told
        .stdout(contains(format!(", if the values of {digest_name} and {checkpoint_name} hold\n")));
    // The checkpoint itself rests on no digest.
    let remarks = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    assert!(remarks.contains("going on from"), "{remarks}");
    assert!(!remarks.contains("which rest on a digest"), "{remarks}");
}

/// `verify` checks a table. A search that asks one believes it, and its answer says so.
#[test]
fn a_table_that_a_search_asks_is_named_by_the_answer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let build = ["build", "4x3", "--amazons", "2v2", "--least-arrows", "3", "--tables", path, "-q"];
    amazons(&build).success();
    let rests = ", if the values of the table of 4x3 2v2 hold";
    let start = "1q1q/4/Q2Q w";
    for question in [&[start][..], &[start, "--all-moves"], &[start, "--margin"]] {
        let solve = [&["solve", "--tables", path][..], question].concat();
        amazons(&solve).success().stdout(contains(rests));
        let told = amazons(&[&solve[..], &["--json"]].concat()).success();
        let report: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
        assert_eq!(
            (&report["method"], &report["basis"]),
            (&"proof".into(), &format!("by proof{rests}").into()),
            "{question:?}"
        );
        let alone = [&["solve", "--method", "proof"][..], question].concat();
        let told = amazons(&alone).success();
        assert!(!String::from_utf8_lossy(&told.get_output().stdout).contains(", if"));
    }
    let line = Command::cargo_bin("amazons")
        .unwrap()
        .args(["solve", "-", "--tables", path])
        .write_stdin(format!("{start}\n"))
        .assert();
    line.success().stdout(contains(format!("by proof{rests}")));
}

/// So it is with planes of margins: what a search of margins began with is named.
#[test]
fn planes_that_a_search_of_margins_believes_are_named_by_the_answer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let build = ["build", "4x3", "--amazons", "1v1", "--tables", path, "--margins", "--most", "1"];
    amazons(&[&build[..], &["-q"]].concat()).success();
    let rests = ", if the values of the table of 4x3 1v1 hold";
    let start = "3q/4/Q3 w";
    for question in [&["--margin"][..], &["--all-moves", "--margin"]] {
        let solve = [&["solve", start, "--tables", path][..], question].concat();
        let told = amazons(&solve).success();
        let answer = String::from_utf8(told.get_output().stdout.clone()).unwrap();
        let by_table = ", by the table of 4x3 1v1";
        assert!(answer.contains(rests) || answer.contains(by_table), "{answer}");
    }
}

/// `digest` writes no file that the program then calls damaged.
#[test]
fn a_digest_of_an_altered_checkpoint_is_refused_or_whole() {
    let directory = tempfile::tempdir().unwrap();
    let [path, digest] = ["checkpoint", "digest"].map(|name| directory.path().join(name));
    saved(&path);
    let whole = fs::read(&path).unwrap();
    let moments = u32::from_le_bytes(whole[64..68].try_into().unwrap()) as usize;
    let block = 68 + 28 * moments;
    let digest_name = digest.to_str().unwrap();
    let mut refused = 0;
    // The bytes of the first entries, behind their keys.
    for at in 16..48 {
        let mut altered = repacked(&whole, [block + 4, 4, 32], |raw| raw[at] ^= 0x7F);
        sums::checkpoint(&mut altered);
        fs::write(&path, altered).unwrap();
        let made = amazons(&["digest", path.to_str().unwrap(), "--out", digest_name]);
        if made.get_output().status.code() == Some(1) {
            refused += 1;
            continue;
        }
        let told = amazons(&["solve", "4x4", "--method", "proof", "--digest", digest_name]);
        let words = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(!words.contains("damaged"), "byte {at}: {words}");
        fs::remove_file(&digest).unwrap();
    }
    assert!(refused > 0);
}

/// No command checks a sample; the table gives its values again.
#[test]
fn what_a_sample_says_is_found_out_by_the_table() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    build(directory.path(), "3x3", "1v1", Keep::All, 500);
    let sample = amazons(&["sample", path, "--count", "50"]).success().get_output().stdout.clone();
    let sample = String::from_utf8(sample).unwrap();
    let lines: Vec<(&str, &str)> =
        sample.lines().skip(1).map(|line| line.split_once(',').unwrap()).collect();
    let positions: String = lines.iter().map(|(position, _)| format!("{position}\n")).collect();
    let again = Command::cargo_bin("amazons")
        .unwrap()
        .args(["lookup", "-", "--tables", path, "--values-only", "--json"])
        .write_stdin(positions)
        .assert()
        .success();
    let again = String::from_utf8(again.get_output().stdout.clone()).unwrap();
    let differ = |altered: usize| {
        let values =
            lines.iter().enumerate().map(|(at, (_, value))| match (at == altered, value) {
                (true, &"win") => "loss",
                (true, _) => "win",
                (false, value) => value,
            });
        let found = again.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        values.zip(found).filter(|(said, found)| found["value"] != *said).count()
    };
    assert_eq!((again.lines().count(), differ(50), differ(17)), (50, 0, 1));
}

/// What a record says of its positions is written anew.
#[test]
fn what_a_record_says_is_written_anew() {
    let directory = tempfile::tempdir().unwrap();
    let [game, first, second] =
        ["game.sgf", "first.sgf", "second.sgf"].map(|name| directory.path().join(name));
    fs::write(&game, "(;GM[18]SZ[4]AW[b1][c1][a2][d2]AB[b4][c4][a3][d3];W[b1b3b1])").unwrap();
    let annotate = |from: &Path, to: &Path| {
        let [from, to] = [from, to].map(|path| path.to_str().unwrap());
        amazons(&["annotate", from, "--time", "0s", "--out", to]).success();
        fs::read_to_string(to).unwrap()
    };
    let written = annotate(&game, &first);
    let altered = written.replace("GB[", "GW[").replace(" wins", " loses");
    assert!(altered.contains("GW[") && altered != written, "{written}");
    fs::write(&first, altered).unwrap();
    assert_eq!(annotate(&first, &second), written);
}
