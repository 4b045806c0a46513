//! Values: published canonical forms, and the laws that any implementation must keep.

use amazons::theory::region::{Cell, LocalGame, Player};
use amazons::theory::values::{Evaluator, OutcomeClass, Value, Values};
use proptest::prelude::*;

/// Rows separated by `|`.
fn region(rows: &str) -> LocalGame {
    let mut cells = Vec::new();
    for (row, text) in rows.split('|').enumerate() {
        for (column, letter) in text.chars().enumerate() {
            match letter {
                '.' => cells.push((row, column, Cell::Empty)),
                'x' => cells.push((row, column, Cell::Amazon(Player::Left))),
                'o' => cells.push((row, column, Cell::Amazon(Player::Right))),
                _ => {}
            }
        }
    }
    LocalGame::from_cells(&cells).unwrap()
}

/// Fields of a line of comma-separated values, quotes allowed.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(letter),
        }
    }
    fields
}

#[test]
fn published_canonical_forms() {
    let evaluator = Evaluator::new();
    let values = evaluator.values();
    let data = include_str!("../data/values.csv");
    let mut checked = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [position, value, temperature] = fields(line).try_into().unwrap();
        let found = evaluator.value(&region(&position)).unwrap();
        assert_eq!(values.text(found), value, "{position}");
        assert_eq!(values.temperature(found).to_string(), temperature, "{position}");
        assert_eq!(values.parse(&value).unwrap(), found, "{position}");
        checked += 1;
    }
    assert!(checked >= 20);
}

#[test]
fn published_outcomes() {
    let evaluator = Evaluator::new();
    for line in
        include_str!("../data/outcomes.csv").lines().filter(|line| !line.starts_with('#')).skip(1)
    {
        let [position, left_first, right_first] = fields(line).try_into().unwrap();
        let value = evaluator.value(&region(&position.to_lowercase())).unwrap();
        let expected = match (left_first.as_str(), right_first.as_str()) {
            ("win", "loss") => OutcomeClass::Left,
            ("loss", "win") => OutcomeClass::Right,
            ("win", "win") => OutcomeClass::Next,
            _ => OutcomeClass::Previous,
        };
        assert_eq!(evaluator.values().outcome(value), expected, "{position}");
    }
}

#[test]
fn all_threads_find_the_same_values() {
    let (one, many) = (Evaluator::new(), Evaluator::new());
    for rows in ["x...|....|...o", "x.o.|....|.o.x", "xx.|...|.oo"] {
        let (a, b) =
            (one.value(&region(rows)).unwrap(), many.value_in_parallel(&region(rows)).unwrap());
        assert_eq!(one.values().text(a), many.values().text(b));
    }
}

#[test]
fn the_limit_is_kept() {
    let memory = 3 << 20;
    let evaluator = Evaluator::with_memory(memory);
    let error = evaluator.value(&region("x....|.....|....o")).unwrap_err();
    assert!(error.positions > 0 && error.bytes <= memory, "{error}");
    assert!(evaluator.bytes() <= memory);
}

/// A game as it is defined, before any reduction.
#[derive(Clone, Debug)]
struct Game {
    left: Vec<Game>,
    right: Vec<Game>,
}

impl Game {
    fn le(&self, other: &Game) -> bool {
        !self.left.iter().any(|option| other.le(option))
            && !other.right.iter().any(|option| option.le(self))
    }

    fn value(&self, values: &Values) -> Value {
        let side = |options: &[Game]| options.iter().map(|option| option.value(values)).collect();
        values.game(side(&self.left), side(&self.right))
    }

    fn of(values: &Values, value: Value) -> Game {
        let side =
            |options: &[Value]| options.iter().map(|&option| Game::of(values, option)).collect();
        Game { left: side(values.left(value)), right: side(values.right(value)) }
    }

    fn size(&self) -> usize {
        1 + self.left.iter().chain(&self.right).map(Game::size).sum::<usize>()
    }
}

fn game() -> impl Strategy<Value = Game> {
    let zero = Just(Game { left: vec![], right: vec![] });
    zero.prop_recursive(4, 24, 6, |inner| {
        let side = proptest::collection::vec(inner, 0..=3);
        (side.clone(), side).prop_map(|(left, right)| Game { left, right })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn forms_compare_as_the_games_do(a in game(), b in game()) {
        let values = Values::new();
        let (x, y) = (a.value(&values), b.value(&values));
        prop_assert_eq!(values.le(x, y), a.le(&b));
        prop_assert_eq!(x == y, a.le(&b) && b.le(&a));
        let form = Game::of(&values, x);
        prop_assert!(form.le(&a) && a.le(&form), "the form equals the game");
        prop_assert!(form.size() <= a.size(), "no game of this value is smaller");
    }

    #[test]
    fn values_form_a_group(a in game(), b in game(), c in game()) {
        let values = Values::new();
        let (a, b, c) = (a.value(&values), b.value(&values), c.value(&values));
        prop_assert_eq!(values.sum(a, b), values.sum(b, a));
        prop_assert_eq!(values.sum(a, values.sum(b, c)), values.sum(values.sum(a, b), c));
        prop_assert_eq!(values.difference(a, a), Value::ZERO);
        prop_assert_eq!(values.negative(values.negative(a)), a);
        let difference = values.difference(a, b);
        prop_assert_eq!(values.le(difference, Value::ZERO), values.le(a, b));
    }

    #[test]
    fn sums_follow_the_definition(a in game(), b in game()) {
        let values = Values::new();
        let (a, b) = (a.value(&values), b.value(&values));
        let side = |of_a: &[Value], of_b: &[Value]| -> Vec<Value> {
            let in_a = of_a.iter().map(|&option| values.sum(option, b));
            in_a.chain(of_b.iter().map(|&option| values.sum(a, option))).collect()
        };
        let (left, right) = (side(values.left(a), values.left(b)), side(values.right(a), values.right(b)));
        prop_assert_eq!(values.game(left, right), values.sum(a, b));
    }

    #[test]
    fn text_round_trips(a in game()) {
        let values = Values::new();
        let value = a.value(&values);
        let text = values.text(value);
        prop_assert_eq!(values.parse(&text).unwrap(), value);
        prop_assert_eq!(values.parse(&values.short_text(value)).unwrap(), value);
        let other = Values::new();
        prop_assert_eq!(other.text(other.parse(&text).unwrap()), text);
    }

    #[test]
    fn thermographs_add_up(a in game(), b in game()) {
        let values = Values::new();
        let (a, b) = (a.value(&values), b.value(&values));
        let sum = values.sum(a, b);
        prop_assert_eq!(values.mean(sum), values.mean(a) + values.mean(b));
        prop_assert!(values.temperature(sum) <= values.temperature(a).max(values.temperature(b)));
        prop_assert_eq!(values.mean(values.negative(a)), -values.mean(a));
        let zero = amazons::theory::values::Dyadic::ZERO;
        prop_assert_eq!(values.thermograph(a).left.at(zero), values.left_stop(a));
        prop_assert_eq!(values.thermograph(a).right.at(zero), values.right_stop(a));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-0-9{}|, ^v*/+±]{0,24}") {
        let values = Values::new();
        if let Ok(value) = values.parse(&text) {
            prop_assert_eq!(values.parse(&values.text(value)).unwrap(), value);
        }
    }
}

/// A number or an up, and what is put around it, one after the other.
fn deep_text() -> impl Strategy<Value = String> {
    let kernels = vec!["0", "1", "1/16777216", "16777215", "^1024", "*16", "-3/4"];
    let around = vec![
        "{0|X}",
        "{X|0}",
        "{9|X}",
        "{X|-9}",
        "{X|1/2}",
        "{16777215|X}",
        "±X",
        "-(X)",
        "X+^9",
        "X+7/8",
    ];
    let around = prop::collection::vec(prop::sample::select(around), 0..30);
    (prop::sample::select(kernels), around).prop_map(|(kernel, around)| {
        around.into_iter().fold(kernel.to_string(), |text, around| around.replace('X', &text))
    })
}

proptest! {
    /// What is read is computed with, and nothing wraps round.
    #[test]
    fn what_is_read_is_small_enough(text in deep_text()) {
        let values = Values::new();
        let Ok(value) = values.parse(&text) else { return Ok(()) };
        prop_assert!(values.is_in_range(value));
        let sum = values.sum(value, value);
        prop_assert_eq!(values.difference(sum, value), value);
        prop_assert_eq!(values.mean(sum), values.mean(value) + values.mean(value));
        let (left, right) = (values.left_stop(value), values.right_stop(value));
        prop_assert!(right <= values.mean(value) && values.mean(value) <= left);
        prop_assert_eq!(values.parse(&values.text(value)).unwrap(), value);
        prop_assert_eq!(values.parse(&values.short_text(value)).unwrap(), value);
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let values = Values::new();
    // A numerator may be larger than a whole number.
    let fine = values.parse("{16777215|{0|0}}+7/8").unwrap();
    assert_eq!(values.parse(&values.text(fine)).unwrap(), fine);
    // Whoever makes values without a text may ask too, however deep they are.
    let deeper = |value, number| values.game(vec![values.integer(number)], vec![value]);
    let deep = (1..300).fold(values.parse("{0|-2000}").unwrap(), deeper);
    assert!(!values.is_in_range(deep));
    let within = |depth: usize, kernel: &str, before: &str, after: &str| {
        before.repeat(depth) + kernel + &after.repeat(depth)
    };
    let fine = within(24, "1", "{0|", "}");
    assert_eq!(values.text(values.parse(&fine).unwrap()), "1/16777216");
    assert!(values.parse("^1024*16+{1|-1}").is_ok());
    let numbers = ["16777215"; 2].join("+");
    let too_large = [
        within(25, "1", "{0|", "}"),
        within(39, "1", "{0|", "}"),
        format!("{numbers}+{{0|1}}"),
        "^".repeat(1025),
        "^1023+".repeat(160) + "{1|-1}",
        "{1|-1}+".to_string() + &["^1023"; 160].join("+"),
        within(30, "1", "{16777215|", "-9}") + "+{1|-1}",
    ];
    for text in too_large {
        let error = values.parse(&text).unwrap_err().to_string();
        // A sum that would be too large may take too much on the way.
        let refused = ["is too large", "has too many positions"];
        assert!(refused.iter().any(|words| error.contains(words)), "{text}: {error}");
    }
    for (before, after, value) in
        [("{", "|}", "95"), ("(", ")", "0"), ("-(", ")", "0"), ("±{", "}", "*")]
    {
        let most = if before.len() > 1 && after == ")" { 47 } else { 95 };
        let deepest = values.parse(&within(most, "0", before, after)).unwrap();
        assert_eq!(values.text(deepest), value, "{before}");
        let error = values.parse(&within(most + 1, "0", before, after)).unwrap_err();
        assert!(error.to_string().contains("96 braces"), "{error}");
    }
}

#[test]
fn number_up_stars_have_their_forms() {
    let values = Values::new();
    for up in -4..=4 {
        for star in 0..=5 {
            let nus = amazons::theory::values::Nus { up, star, ..Default::default() };
            let value = values.nus(nus);
            let again = values.game(values.left(value).to_vec(), values.right(value).to_vec());
            assert_eq!(values.as_nus(again), Some(nus));
        }
    }
}

/// Inputs and outputs of the tests of CGSuite 2 (`CanonicalShortGameTestCase.scala`), with `±` for
/// `+-`.
#[test]
fn short_texts_are_those_of_cgsuite() {
    let cases = [
        ("0", "0"),
        ("-1/2", "-1/2"),
        ("25/16", "25/16"),
        ("*8", "*8"),
        ("9/8+*", "9/8*"),
        ("6+^*", "6^*"),
        ("^*6", "^*6"),
        ("73/16+v9*8", "73/16v9*8"),
        ("{0||0|vvv}", "{0||0|v3}"),
        ("{^^^|vv}", "{^3|vv}"),
        ("{0||0|-3/2}", "Tiny(3/2)"),
        ("{0|||0||-1|-3}", "Tiny({3|1})"),
        ("{1||1|-1}", "1Tiny(2)"),
        ("{{-1|-4}|-4}", "-4Miny(3)"),
        ("±{{1|1/2}|1/2}", "±(1/2Miny(1/2))"),
        ("{5||3|1|||0||||0}", "Miny({5||3|1})"),
        ("{1|^^||^}", "{1|^^||^}"),
        ("{1|^^^||^}", "{1|^3||^}"),
        ("{3||2+*|1+*}", "{3||2*|1*}"),
        ("{3/2+*|1/2||{0|-3},{-1+*,{-1/2|-1+*}|-5/2}}", "{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}"),
        ("{1|-1}", "±1"),
        ("{{3|1}|{-1|-3}}", "±{3|1}"),
    ];
    let values = Values::new();
    for (text, expected) in cases {
        let value = values.parse(text).unwrap();
        assert_eq!(values.short_text(value), expected, "{text}");
        assert_eq!(values.parse(expected).unwrap(), value, "{text}");
        assert_eq!(values.parse(expected).unwrap(), value, "{expected}");
    }
}
