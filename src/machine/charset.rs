//! Charsets: the text that bytes are, by the name of a charset.
//!
//! The tables of all charsets have 0.14 MB that no compression makes smaller. In WebAssembly
//! outside of any system (`wasm32-unknown-unknown`) the host has them already: browsers and Node
//! decode text themselves. So there the host is asked, which `set_decoder` names; without one UTF-8
//! is the only charset.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use by_tables::Charset;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use by_host::Charset;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use by_host::{Decoded, set_decoder};

/// A text without the byte order mark that some editors write at the beginning of a file.
#[cfg(any(test, feature = "cli"))]
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A mark at the beginning of a file, and the charset that it stands for.
#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
const MARKS: [(&[u8], &str); 3] =
    [(b"\xef\xbb\xbf", "UTF-8"), (b"\xfe\xff", "UTF-16BE"), (b"\xff\xfe", "UTF-16LE")];

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod by_tables {
    use std::borrow::Cow;

    use encoding_rs::Encoding;

    /// A charset.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Charset(&'static Encoding);

    impl Charset {
        /// The charset that a byte order mark stands for, and how many bytes that mark has.
        pub(crate) fn of_mark(bytes: &[u8]) -> Option<(Self, usize)> {
            Encoding::for_bom(bytes).map(|(charset, mark)| (Self(charset), mark))
        }

        /// The charset of a name, as the Encoding Standard has them; `None` if there is none.
        pub(crate) fn of_name(name: &str) -> Option<Self> {
            Encoding::for_label(name.as_bytes()).map(Self)
        }

        /// Its name.
        pub(crate) fn name(&self) -> String {
            self.0.name().to_string()
        }

        /// The text; `None` if the bytes are nothing in this charset.
        pub(crate) fn decode<'a>(&self, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
            self.0.decode_without_bom_handling_and_without_replacement(bytes)
        }
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod by_host {
    use std::borrow::Cow;
    use std::sync::OnceLock;

    use super::MARKS;

    /// What a host says of bytes in a charset.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Decoded {
        /// Their text.
        Text(String),
        /// They are nothing in it.
        Malformed,
        /// It knows no charset of that name.
        Unknown,
    }

    static DECODER: OnceLock<fn(&str, &[u8]) -> Decoded> = OnceLock::new();

    /// Names what decodes the bytes of a charset, which has a name of the Encoding Standard. The
    /// first call counts.
    pub fn set_decoder(decoder: fn(&str, &[u8]) -> Decoded) {
        DECODER.get_or_init(|| decoder);
    }

    /// A charset.
    #[derive(Clone, Debug)]
    pub(crate) struct Charset(String);

    impl Charset {
        /// The charset that a byte order mark stands for, and how many bytes that mark has.
        pub(crate) fn of_mark(bytes: &[u8]) -> Option<(Self, usize)> {
            let (mark, name) = MARKS.into_iter().find(|(mark, _)| bytes.starts_with(mark))?;
            Some((Self(name.to_string()), mark.len()))
        }

        /// The charset of a name, as the Encoding Standard has them; `None` if there is none.
        pub(crate) fn of_name(name: &str) -> Option<Self> {
            (decoded(name, b"") != Decoded::Unknown).then(|| Self(name.to_string()))
        }

        /// Its name.
        pub(crate) fn name(&self) -> String {
            self.0.clone()
        }

        /// The text; `None` if the bytes are nothing in this charset.
        pub(crate) fn decode<'a>(&self, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
            match decoded(&self.0, bytes) {
                Decoded::Text(text) => Some(text.into()),
                _ => None,
            }
        }
    }

    fn decoded(name: &str, bytes: &[u8]) -> Decoded {
        let is_utf8 = ["utf-8", "utf8"].iter().any(|utf8| name.eq_ignore_ascii_case(utf8));
        match (is_utf8, DECODER.get()) {
            (true, _) => {
                String::from_utf8(bytes.to_vec()).map_or(Decoded::Malformed, Decoded::Text)
            }
            (false, Some(decoder)) => decoder(name, bytes),
            (false, None) => Decoded::Unknown,
        }
    }
}

/// The characters of windows-1252 from 0x80 to 0x9f; those that it leaves out are controls.
const WESTERN: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text in windows-1252, a superset of ISO-8859-1 in which no byte is an error.
pub(crate) fn western(bytes: &[u8]) -> String {
    let character = |&byte: &u8| match byte {
        0x80..=0x9f => WESTERN[usize::from(byte) - 0x80],
        _ => byte.into(),
    };
    bytes.iter().map(character).collect()
}

#[cfg(all(test, not(all(target_family = "wasm", target_os = "unknown"))))]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_western_text_and_of_marks_are_those_of_all_charsets() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(
            western(&bytes),
            Charset::of_name("ISO-8859-1").unwrap().decode(&bytes).unwrap()
        );
        for (mark, name) in MARKS {
            let (charset, length) = Charset::of_mark(mark).unwrap();
            assert_eq!((charset.name().as_str(), length), (name, mark.len()));
        }
    }
}
