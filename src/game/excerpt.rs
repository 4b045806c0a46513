//! The part of a user's text that an error message quotes: short, on one line, control characters
//! escaped.

/// The most characters quoted.
const MOST: usize = 40;

/// `text` in quotes, cut after 40 characters.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(excerpt("a\nb"), r#""a\nb""#);
        assert_eq!(excerpt(&"é".repeat(41)), format!("\"{}\"...", "é".repeat(40)));
        assert_eq!(excerpt(&"é".repeat(40)), format!("\"{}\"", "é".repeat(40)));
    }
}
