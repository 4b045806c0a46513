//! The commands `region` and `regions`.

use assert_cmd::Command;
use serde_json::Value;

fn amazons(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("amazons").unwrap().args(arguments).assert()
}

fn json(arguments: &[&str]) -> Vec<Value> {
    let output = amazons(arguments).success().get_output().stdout.clone();
    String::from_utf8(output)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_region_has_its_value_and_moves() {
    let report = &json(&["region", "x..o", "--json"])[0];
    assert_eq!(report["region"], "x..o");
    assert_eq!(report["value"], "{1|-1}");
    assert_eq!(report["temperature"], "1");
    assert_eq!(report["outcome"], "N");
    assert_eq!((report["left_moves"].as_u64(), report["right_moves"].as_u64()), (Some(4), Some(4)));
    assert_eq!(report["left_best"].as_array().unwrap().len(), 2);
}

#[test]
fn several_regions_are_a_sum() {
    let report = &json(&["region", "x.o", "x.o", ".x.", "--json"])[0];
    assert_eq!(report["value"], "2");
    assert_eq!(report["outcome"], "L");
    let report = &json(&["region", ".xo.", "x..", "--json"])[0];
    let score = &report["score"];
    assert_eq!(report["right_best"].as_array().unwrap().len(), 1);
    let report = &json(&["region", ".#.#|#x##|.#o.", "x..", "o..", "--json"])[0];
    // A hidden zugzwang has no whole numbers to add up.
    assert_eq!((&report["outcome"], &report["score"]), (&Value::from("P"), &Value::Null));
    // Two spare moves and -1|1: Left wins by two as second, and one move less as first.
    assert_eq!((score["right_begins"].as_i64(), score["left_begins"].as_i64()), (Some(2), Some(1)));
}

#[test]
fn bad_regions_are_refused_with_reasons() {
    let cases = [
        ("##|##", 2, "no square that is not burned"),
        ("x.?", 2, "expected 'x', 'o'"),
        ("x..|..", 2, "row 2 has 2 squares"),
        ("", 2, "found nothing"),
        (
            "x.........|..........|..........|..........|.........o|..........|..........",
            3,
            "too large for an exact value",
        ),
    ];
    for (rows, status, message) in cases {
        let assert = amazons(&["region", rows]).code(status);
        let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(told.contains(message), "{rows}: {told}");
    }
}

#[test]
fn what_was_found_before_the_limit_is_said_to_be_partial() {
    let assert = amazons(&["region", "x..o", "x...|....|....|...o", "--memory", "4MB"]).code(3);
    let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(told.contains("partial result: x..o = {1|-1}"), "{told}");
    assert!(told.contains("memory"), "{told}");
}

/// The most memory that a process had, as Linux counts it.
#[cfg(target_os = "linux")]
fn peak(child: &mut std::process::Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) * 1024);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_given_is_not_exceeded() {
    for (memory, least) in [("48MiB", 20 << 20), ("96MiB", 50 << 20)] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_amazons"))
            .args(["region", "x....|.....|..#..|.....|....o", "--memory", memory, "--threads", "2"])
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let peak = peak(&mut child);
        assert_eq!(child.wait().unwrap().code(), Some(3));
        let given = amazons::app::input::size(memory).unwrap();
        assert!(peak <= given && peak >= least, "{peak} bytes of {given}");
    }
}

#[test]
fn regions_prints_both_tables() {
    let reports = json(&["regions", "--size", "7", "--json"]);
    let last = &reports[6];
    assert_eq!(
        (last["regions"].as_u64(), last["line_segment_graphs"].as_u64()),
        (Some(3031), Some(960))
    );
    assert_eq!(last["defective"][2]["regions"], 5);
    assert_eq!(reports[5]["zugzwangs"]["gain_2_or_more"], 4);
    let text = amazons(&["regions", "--size", "6"]).success();
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    assert!(text.contains("236/12") && text.contains("524"), "{text}");
}

#[test]
fn strips_are_counted() {
    let strips = json(&["regions", "--strips", "5", "--json"]);
    assert_eq!(
        (strips[4]["boards"].as_u64(), strips[4]["positions"].as_u64()),
        (Some(70), Some(1211))
    );
}
