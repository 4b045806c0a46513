//! The commands `region` and `regions`.

use assert_cmd::Command;
use predicates::str::contains;
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
    assert_eq!(report["text"], "±1");
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
            "fills a box of 10x7 is too large: the squares of a box and its shorter side come to at most 64 together, found 77",
        ),
    ];
    for (rows, status, message) in cases {
        let assert = amazons(&["region", rows]).code(status);
        let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(told.contains(message), "{rows}: {told}");
    }
}

#[test]
fn dead_ends_are_listed_by_the_line_and_drawn_of_one_territory() {
    let directory = tempfile::tempdir().unwrap();
    let picture = directory.path().join("ends.svg");
    let drawn = ["region", "--dead-ends", ".#.|#x#|###", "x..", "--svg", picture.to_str().unwrap()];
    amazons(&drawn).code(2).stdout("").stderr(contains("--svg draws one territory, found 2"));
    assert!(!picture.exists());
    let no_file = [&drawn[..3], &["--svg", "-"]].concat();
    amazons(&no_file).code(2).stdout("").stderr(contains("the name of a file to write, found -"));
    let by_line = ["region", "--dead-ends", "-"];
    amazons(&[&by_line[..], &drawn[4..]].concat()).code(2).stderr(contains("found -"));
    let lines = "# a remark\n.#.|#x#|###\nx.. o..\nxo.\n";
    let mut command = Command::cargo_bin("amazons").unwrap();
    let answered = command.args(by_line).write_stdin(lines).assert().code(1);
    let answers = String::from_utf8(answered.get_output().stdout.clone()).unwrap();
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let alone = &json(&["region", "--dead-ends", ".#.|#x#|###", "--json"])[0];
    assert_eq!((&answers[0]["line"], &answers[0]["dead_ends"]), (&2.into(), &alone["dead_ends"]));
    assert_eq!(answers[1]["error"], "expected one territory on a line, found 2");
    assert!(answers[2]["error"].as_str().unwrap().contains("the amazons of one player"));
}

#[test]
fn what_was_found_before_the_limit_is_said_to_be_partial() {
    let assert =
        amazons(&["region", "x..o", "x...|....|....|...o", "--memory", "20MB", "--threads", "1"])
            .code(3);
    let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(told.contains("partial result: x..o = ±1"), "{told}");
    assert!(told.contains("memory"), "{told}");
}

/// Eight hot parts, whose sum has a value of millions of forms.
const HOT: [&str; 8] = [
    "x..|...|..o",
    "x.o|...|...",
    "o.x|...|.x.",
    ".x.|..o|o..",
    "oo.|..x|...",
    "...|x.o|..x",
    "x..|..o|...",
    "..o|.x.|x..",
];

#[test]
fn of_a_sum_whose_value_is_too_large_it_is_said_who_wins() {
    let report = &json(&[&["region", "--json"][..], &HOT].concat())[0];
    assert_eq!(report.get("value"), None);
    let outcome = report["outcome"].as_str().unwrap();
    for (side, begins) in [("left", ["N", "L"]), ("right", ["N", "R"])] {
        let winning = report[format!("{side}_winning")].as_array().unwrap();
        assert_eq!(!winning.is_empty(), begins.contains(&outcome), "{report}");
        assert!(winning.len() as u64 <= report[format!("{side}_moves")].as_u64().unwrap());
    }
    amazons(&[&["region"][..], &HOT].concat()).success();
    // Two of them have a value that is found soon, and nothing else is said of it than before.
    let report = &json(&["region", HOT[1], "x.o", "--json"])[0];
    assert!(report["value"].is_string() && report.get("left_winning").is_none());
}

#[test]
fn a_sum_that_does_not_fit_the_memory_is_refused() {
    let regions = ["x..|...|..o", "x.o|...|...", "x..|..o|...", "x..o|....", "x.o.|...."];
    let limits = ["--memory", "20MB", "--threads", "1"];
    let arguments: Vec<&str> = ["region"].into_iter().chain(regions).chain(limits).collect();
    // Who wins is found in little memory.
    amazons(&arguments).success();
    let assert = amazons(&[&arguments[..], &["--value"]].concat()).code(3);
    let output = assert.get_output();
    let [out, told] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(out.contains("x.o.|.... = {1/2|0||-3}"), "{out}");
    assert!(told.contains("no exact value within the memory given"), "{told}");
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
fn territories_are_counted_with_their_defective_share() {
    let last = &json(&["regions", "--size", "5", "--json"])[4];
    let two = &json(&["regions", "--size", "5", "--amazons", "1", "--json"])[4];
    assert_eq!(last["territories"], two["territories"]);
    assert_eq!(last["territory_graphs"], two["territory_graphs"]);
    let (all, defective) = (last["territories"].as_u64().unwrap(), 37);
    assert_eq!(last["defective"][0]["regions"], defective);
    let share = format!("{:.2}", 100.0 * defective as f64 / all as f64);
    let text = amazons(&["regions", "--size", "5"]).success();
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    assert!(text.contains(&format!(" {share}/")), "{share}: {text}");
}

#[test]
fn positions_are_found_by_where_play_ends() {
    let found = &json(&["regions", "--ends", "-2", "2", "--json"])[0];
    assert_eq!((&found["size"], &found["smallest"]), (&6.into(), &true.into()));
    assert_eq!(found["regions"].as_array().unwrap().len(), 3);
    let first = &found["regions"][0];
    assert_eq!((&first["value"], &first["left_best"]), (&"0".into(), &"{0|-2}".into()));
    let [region, value] = ["region", "value"].map(|key| first[key].as_str().unwrap());
    assert_eq!(json(&["region", region, "--json"])[0]["text"], value);
    let text = amazons(&["regions", "--ends", "1", "-1"]).success();
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    assert!(text.contains("x..o  value ±1, best: Left 1, Right -1"), "{text}");
    for (ends, status, message) in [
        (["*", "0"], 2, "play ends at a number, found \"*\""),
        (["1/3", "0"], 2, "fraction of a power of two"),
        (["9", "-9"], 3, "no position of up to 5 squares was found that ends at 9 and -9"),
    ] {
        let told = amazons(&["regions", "--size", "5", "--ends", ends[0], ends[1]]).code(status);
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(told.contains(message), "{ends:?}: {told}");
    }
    amazons(&["regions", "--ends", "1"]).code(2);
    amazons(&["regions", "--ends", "1", "-1", "--strips", "3"]).code(2);
}

#[test]
fn territories_with_any_number_of_defects_are_drawn() {
    for (defects, columns) in [(1, 2), (2, 3), (5, 9), (43, 85)] {
        let drawn = &json(&["regions", "--defects", &defects.to_string(), "--json"])[0];
        assert_eq!((&drawn["defects"], &drawn["columns"]), (&defects.into(), &columns.into()));
        let empty = drawn["empty_squares"].as_u64().unwrap();
        assert_eq!(drawn["longest_play"].as_u64(), Some(empty - defects));
    }
    let text = amazons(&["regions", "--defects", "3"]).success();
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("*.*.*\n*Q*.*\n.*.*.\n*1*1*/*Q*1*/1*1*1 w\n6 empty"), "{text}");
    amazons(&["regions", "--defects", "0"]).code(2);
    amazons(&["regions", "--defects", "44"]).code(2);
}

#[test]
fn strips_are_counted() {
    let strips = json(&["regions", "--strips", "5", "--json"]);
    assert_eq!(
        (strips[4]["boards"].as_u64(), strips[4]["positions"].as_u64()),
        (Some(70), Some(1211))
    );
}

#[test]
fn values_are_added_and_compared() {
    for (a, b, sign) in [
        ("{2|0}+^", "1", "||"),
        ("±1", "+-1", "="),
        ("^", "*", "||"),
        ("^^", "*", ">"),
        ("(-1/2)", "-1", ">"),
        ("Tiny(2)", "^", "<"),
        ("{0||0|-2}", "Tiny(2)", "="),
    ] {
        let report = &json(&["value", a, b, "--json"])[0];
        assert_eq!(report["comparison"], sign, "{a} and {b}");
    }
    let report = &json(&["value", "{2|0}", "{2|0}", "*", "--json"])[0];
    assert_eq!((&report["sum"]["text"], &report["comparison"]), (&"2*".into(), &Value::Null));
    let outcomes = json(&["value", "^", "(-1/2)", "0", "*", "--json"]);
    let outcomes = outcomes[0]["values"].as_array().unwrap().iter().map(|value| &value["outcome"]);
    assert_eq!(outcomes.collect::<Vec<_>>(), ["L", "R", "P", "N"]);
    let text = amazons(&["value", "{3||2|1}+*"]).success();
    let text = String::from_utf8(text.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("value        {3*||2*|1*}\ntemperature  3/4\n"), "{text}");
}

#[test]
fn a_thermograph_is_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let svg = directory.path().join("t.svg");
    let report = &json(&["value", "{3|-1}", "--json", "--svg", svg.to_str().unwrap()])[0];
    let walls = (&report["values"][0]["left_wall"], &report["values"][0]["right_wall"]);
    assert_eq!(walls.0, &serde_json::json!([["0", "3"], ["2", "1"]]));
    assert_eq!(walls.1, &serde_json::json!([["0", "-1"], ["2", "1"]]));
    let text = std::fs::read_to_string(svg).unwrap();
    assert!(text.starts_with("<svg") && text.contains("{3|-1}"), "{text}");
    assert!(text.matches("<polyline").count() >= 2, "two walls");
}

#[test]
fn bad_values_are_refused_with_reasons() {
    for (text, message) in [
        ("{1|", "a closing brace"),
        ("{1,", "a number, an up"),
        ("1/3", "fraction of a power of two"),
        ("1+-1", "instead of +-"),
        ("{1}", "a bar"),
        ("(1", "a parenthesis"),
        ("1)", "the end"),
        ("{0|{0|{0|1/16777216}}}", "too large"),
    ] {
        let told = amazons(&["value", text]).code(2);
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(told.contains(message), "{text}: {told}");
    }
    amazons(&["value", &"{".repeat(999)]).code(2);
    amazons(&["value", &"1".repeat(1001)]).code(2);
    let told = amazons(&["value", "16777215", "2"]).code(2);
    let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    assert!(told.contains("the sum of these values is too large"), "{told}");
}

#[test]
fn charts_are_drawn_from_counts() {
    let directory = tempfile::tempdir().unwrap();
    let [out, bad] = ["c.svg", "bad.csv"].map(|name| directory.path().join(name));
    let [out, bad] = [&out, &bad].map(|path| path.to_str().unwrap());
    let counts = "results/5x5-4v4/counts.csv";
    amazons(&["chart", counts, "--out", out]).success();
    let text = std::fs::read_to_string(out).unwrap();
    assert!(text.contains("Positions won by the side to move, 5x5 4v4"), "{text}");
    assert_eq!(text.matches("<circle").count(), 18, "a point for each number of arrows");
    amazons(&["chart", counts, "--of", "bits", "--out", out]).code(2);
    std::fs::write(bad, "board,mover_amazons,opponent_amazons,arrows,positions,wins\n5x5,4\n")
        .unwrap();
    let told = amazons(&["chart", bad, "--out", out]).code(1);
    assert!(String::from_utf8(told.get_output().stderr.clone()).unwrap().contains("line 2"));
    amazons(&["chart", "nowhere", "--out", out]).code(1);
}

#[test]
fn charts_of_regions_have_a_trend() {
    let directory = tempfile::tempdir().unwrap();
    let [out, sizes] = ["c.svg", "sizes.jsonl"].map(|name| directory.path().join(name));
    let [out, sizes] = [&out, &sizes].map(|path| path.to_str().unwrap());
    let chart = |of| amazons(&["chart", sizes, "--of", of, "--out", out]);
    let line = |size: u32, graphs: u32| {
        let defective = match size {
            ..8 => "[]".to_string(),
            _ => format!("[{{\"defects\":2,\"regions\":{size},\"line_segment_graphs\":1}}]"),
        };
        format!(
            "{{\"size\":{size},\"regions\":512,\"line_segment_graphs\":{graphs},\"territories\":1000,\
             \"territory_graphs\":100,\"defective\":{defective}}}\n"
        )
    };
    // Half as many with each square from 7 squares on.
    let text: String = [(6, 500), (7, 256), (8, 128), (9, 64)].map(|(s, g)| line(s, g)).concat();
    std::fs::write(sizes, &text).unwrap();
    chart("graphs").success();
    let drawn = std::fs::read_to_string(out).unwrap();
    assert!(drawn.contains("graphs, 7 to 9: times 0.500 +- 0.000"), "{drawn}");
    assert_eq!(drawn.matches("<circle").count(), 4);
    for of in ["defective", "defective-graphs"] {
        chart(of).success();
        let drawn = std::fs::read_to_string(out).unwrap();
        // All together and those with 2 defects, of two sizes each: too few for a trend.
        assert_eq!(drawn.matches("<circle").count(), 4, "{of}");
        assert!(drawn.contains("2 defects") && !drawn.contains("+-"), "{of}");
    }
    std::fs::write(sizes, format!("{text}{{\"size\":10}}\n")).unwrap();
    for of in ["graphs", "defective"] {
        let told = chart(of).code(1);
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(told.contains("line 5: expected what regions --json prints"), "{told}");
    }
}
