//! Several pictures below each other in one SVG document, each with a caption.

use std::fmt::Write as _;

use super::svg::{Drawing, attributes, document, draw};

/// A picture with its caption: a title, a warning on the same line, and a note below.
#[derive(Clone, Debug)]
pub struct Captioned<'a> {
    /// The picture.
    pub drawing: Drawing<'a>,
    /// What it shows.
    pub title: String,
    /// Something that stands out.
    pub warning: Option<String>,
    /// More words, broken into lines.
    pub note: Option<String>,
}

/// Room left of captions.
const INDENT: usize = 14;
/// Height of a line of text.
const LINE: usize = 20;
/// Room between a picture and the next caption.
const GAP: usize = 18;
/// The most letters of a line of a note.
const LETTERS: usize = 64;
/// Captions need this width, whatever the boards need.
const LEAST_WIDTH: usize = 520;

/// The pictures as one SVG document.
pub fn column(pictures: &[Captioned<'_>]) -> String {
    let (mut body, mut top, mut width) = (String::new(), GAP, LEAST_WIDTH);
    for picture in pictures {
        caption(&mut body, picture, &mut top);
        let size = picture.drawing.size();
        // Writing to a string cannot fail.
        let _ = writeln!(body, "<g transform=\"translate(0 {top})\">");
        draw(&mut body, &picture.drawing);
        body.push_str("</g>\n");
        top += size.1 + GAP;
        width = width.max(size.0);
    }
    let title = pictures.first().map_or(String::new(), |picture| picture.title.clone());
    document((width, top), &escape(&format!("{} positions, from: {title}", pictures.len())), &body)
}

fn caption(out: &mut String, picture: &Captioned<'_>, top: &mut usize) {
    let warning = picture.warning.as_ref().map_or(String::new(), |warning| {
        let class = "warning";
        format!(
            " <tspan class=\"{class}\"{} font-weight=\"bold\">{}</tspan>",
            attributes(class),
            escape(warning)
        )
    });
    line(
        out,
        top,
        &format!("<tspan font-weight=\"bold\">{}</tspan>{warning}", escape(&picture.title)),
    );
    for words in picture.note.iter().flat_map(|note| broken(note)) {
        line(out, top, &escape(&words));
    }
}

/// One line of text, which is markup already.
fn line(out: &mut String, top: &mut usize, text: &str) {
    *top += LINE;
    let (y, colours) = (*top - 6, attributes("text"));
    let _ = writeln!(
        out,
        "<text class=\"text\"{colours} x=\"{INDENT}\" y=\"{y}\" text-anchor=\"start\">{text}</text>"
    );
}

/// The words in lines of at most [`LETTERS`] letters, where no word is longer.
fn broken(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let room = lines[last].is_empty()
            || lines[last].chars().count() + 1 + word.chars().count() <= LETTERS;
        if !room {
            lines.push(word.to_string());
        } else {
            let blank = if lines[last].is_empty() { "" } else { " " };
            lines[last] = format!("{}{blank}{word}", lines[last]);
        }
    }
    lines
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation::parse_fen;

    #[test]
    fn pictures_stand_below_each_other_with_their_captions() {
        let position = parse_fen("1qq1/q2q/Q*1Q/1QQ1 w").unwrap();
        let picture = |title: &str| Captioned {
            drawing: Drawing::of(&position),
            title: title.to_string(),
            warning: Some("mind <this> & that".to_string()),
            note: Some("word ".repeat(30)),
        };
        let text = column(&[picture("first"), picture("second")]);
        assert_eq!(text.matches("<g transform=\"translate(0 ").count(), 2);
        assert_eq!(text.matches("href=\"#amazon\" x=").count(), 16);
        assert_eq!(text.matches("<defs>").count(), 1);
        assert_eq!(text.matches("mind &lt;this&gt; &amp; that").count(), 2);
        assert_eq!(text.matches("<g").count(), text.matches("</g>").count());
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"));
        assert!(column(&[]).ends_with("</svg>\n"));
    }

    #[test]
    fn notes_are_broken_between_words() {
        let lines = broken(&"abcdefghi ".repeat(13));
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() <= LETTERS));
        assert_eq!(broken(&"x".repeat(100)), ["x".repeat(100)]);
    }
}
