//! The address of a directory on a web server.

use std::fmt;
use std::str::FromStr;

/// An address by HTTP or HTTPS, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address(String);

impl Address {
    /// The address of a file, whose characters are escaped as addresses need it.
    pub(super) fn of(&self, name: &str) -> String {
        let mut address = format!("{}/", self.0);
        for byte in name.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                    address.push(byte.into());
                }
                _ => address.push_str(&format!("%{byte:02X}")),
            }
        }
        address
    }

    /// Whether what is sent is encrypted, so that a redirection must not change that.
    pub(super) fn is_encrypted(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_address = rest.is_some_and(|rest| {
            !rest.starts_with(['/', ':'])
                && !rest.is_empty()
                && rest.chars().all(|c| c.is_ascii_graphic() && !"?#\\\"<>".contains(c))
        });
        match is_address {
            true => Ok(Self(text.trim_end_matches('/').to_string())),
            false => {
                Err("expected the address of a directory, such as https://example.org/data"
                    .to_string())
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let address: Address = "http://host:80/a/".parse().unwrap();
        assert_eq!(address.of("b/c d%e-1.amz"), "http://host:80/a/b/c%20d%25e-1.amz");
        assert_eq!(address.of("ä"), "http://host:80/a/%C3%A4");
        assert!(!address.is_encrypted());
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in
            ["", "host", "ftp://host", "http://", "https:///a", "http://host?a", "http://h o"]
        {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }
}
