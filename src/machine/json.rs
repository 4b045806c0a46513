//! What is wrong with JSON, in the words of who wrote it: the parser speaks of the types of this
//! program.

/// What is wrong with some JSON, and where.
pub(crate) fn fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let told = ["invalid type: ", "invalid value: ", "invalid length "].into_iter();
    let Some(found) = told.filter_map(|kind| text.strip_prefix(kind)).next() else { return text };
    let Some((found, expected)) = found.split_once(", expected ") else { return text };
    let (expected, place) = match expected.rsplit_once(" at line ") {
        Some((expected, place)) => (expected, format!(", at line {place}")),
        None => (expected, String::new()),
    };
    format!("expected {}, found {}{place}", wanted(expected), there(found))
}

/// What was expected, in words.
fn wanted(expected: &str) -> &str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "a whole number, and none below 0",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        _ if expected.starts_with("struct ") => "an object with its fields",
        _ if expected.starts_with("a tuple") || expected.starts_with("tuple ") => {
            "a list of another length"
        }
        _ => expected,
    }
}

/// What was found, in words.
fn there(found: &str) -> String {
    let number = ["integer `", "floating point `"].into_iter();
    if let Some(number) = number.filter_map(|kind| found.strip_prefix(kind)).next() {
        return number.trim_end_matches('`').to_string();
    }
    match found {
        "map" => "an object".to_string(),
        "sequence" => "a list".to_string(),
        "unit value" | "null" => "null".to_string(),
        _ if found.bytes().all(|byte| byte.is_ascii_digit()) => format!("one of {found}"),
        _ => {
            let word = ["string ", "boolean `"].into_iter();
            let plain = word.filter_map(|kind| found.strip_prefix(kind)).next();
            plain.unwrap_or(found).trim_end_matches('`').to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its faults are of interest")]
    struct Example {
        count: Option<usize>,
        share: Option<f64>,
        names: Option<Vec<String>>,
        pairs: Option<Vec<(String, bool)>>,
        needed: u8,
    }

    #[test]
    fn no_type_of_this_program_is_named() {
        for (json, words) in [
            ("3", "expected an object with its fields, found 3, at line 1 column 1"),
            (r#"{"count":-1}"#, "expected a whole number, and none below 0, found -1, at line 1"),
            (r#"{"count":1.5}"#, "expected a whole number, and none below 0, found 1.5, at line 1"),
            (r#"{"count":"x"}"#, r#"expected a whole number, and none below 0, found "x", at"#),
            (r#"{"share":[]}"#, "expected a number, found a list, at line 1"),
            (r#"{"names":{}}"#, "expected a list, found an object, at line 1"),
            (r#"{"names":[true]}"#, "expected a text, found true, at line 1"),
            (r#"{"pairs":[["a"]]}"#, "expected a list of another length, found one of 1, at line"),
            (r#"{"pairs":[["a", null]]}"#, "expected true or false, found null, at line 1"),
            ("{}", "missing field `needed`"),
            ("{", "EOF while parsing an object"),
        ] {
            let found = fault(&serde_json::from_str::<Example>(json).unwrap_err());
            assert!(found.starts_with(words), "{json}: {found}");
            for word in ["usize", "u8", "f64", "struct", "tuple", "sequence", "invalid type"] {
                assert!(!found.contains(word), "{json}: {found}");
            }
        }
    }
}
