//! Which names a request may call this server by.
//!
//! A web site can let its own name point to 127.0.0.1 and so make a visitor's browser talk to a
//! server that only listens there ("DNS rebinding"). Its requests carry the site's name as `Host`,
//! so a server on loopback answers only to names of loopback and to those it was given.
//!
//! A browser also says which page a request comes from (`Origin`). That is the server's own page if
//! it was loaded by the name and port by which the request calls the server; or by a name that the
//! server was given, because a proxy may call it by another one than the browser calls the proxy.

use std::net::{IpAddr, SocketAddr};

/// The names that are answered to.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    /// Lower-case names that the server was given.
    given: Vec<String>,
    /// The address it listens on.
    address: String,
    /// Whether every name is good.
    any: bool,
}

impl Hosts {
    /// For a server that listens on `address`: `given` names and those of loopback; every name if
    /// it listens to other machines and no names are given.
    pub(super) fn new(address: SocketAddr, given: &[String]) -> Self {
        let any = !address.ip().is_loopback() && given.is_empty();
        let given: Vec<String> = given.iter().map(|name| name.to_ascii_lowercase()).collect();
        Self { given, address: bracketed(address.ip()), any }
    }

    /// Whether a request may call this server by this name, which may have a port.
    pub(super) fn allow(&self, host: &str) -> bool {
        let Some(name) = without_port(host) else { return self.any };
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        self.any || is_loopback(&name) || self.address == name || self.given.contains(&name)
    }

    /// Whether an origin (`http://localhost:7373`) is that of this server's own page, if a request
    /// calls the server by the name and port `host`.
    pub(super) fn are_origin(&self, origin: &str, host: &str) -> bool {
        let plain = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let Some(page) = plain else { return false };
        let given = |name: &str| self.given.contains(&name.to_ascii_lowercase());
        page.eq_ignore_ascii_case(host) || without_port(page).is_some_and(given)
    }
}

fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// `name`, `name:80`, `[::1]`, `[::1]:80`; the port may be any.
fn without_port(host: &str) -> Option<&str> {
    let end = match host.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => host.find(':').unwrap_or(host.len()),
    };
    let (name, port) = host.split_at(end);
    let digits = port.strip_prefix(':').unwrap_or(port);
    let plain = port.is_empty()
        || (port.starts_with(':') && digits.bytes().all(|byte| byte.is_ascii_digit()));
    (plain && !name.is_empty()).then_some(name)
}

fn is_loopback(name: &str) -> bool {
    let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    let numeric = address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    numeric || name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str, given: &[&str]) -> Hosts {
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        Hosts::new(address.parse().unwrap(), &given)
    }

    #[test]
    fn loopback_answers_to_names_of_loopback_alone() {
        let hosts = hosts("127.0.0.1:7373", &[]);
        for good in [
            "localhost",
            "LOCALHOST:1",
            "127.0.0.1:7373",
            "127.9.9.9",
            "[::1]:80",
            "a.localhost",
            "localhost.",
        ] {
            assert!(hosts.allow(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "evil.example:7373",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "127.0.0.1:7373:80",
            "localhost:x",
            "[::1",
            "[::2]",
            "localhost@evil.example",
            "localhost/../",
            ":80",
            "notlocalhost",
        ] {
            assert!(!hosts.allow(bad), "{bad}");
        }
    }

    #[test]
    fn the_own_page_is_that_of_the_same_name_and_port_or_of_a_given_name() {
        let hosts = hosts("127.0.0.1:7373", &["Board.example"]);
        for (origin, host) in [
            ("http://localhost:7373", "localhost:7373"),
            ("https://LOCALHOST:7373", "localhost:7373"),
            ("http://[::1]:7373", "[::1]:7373"),
            ("https://board.example", "127.0.0.1:7373"),
            ("https://board.example:8443", "board.example:8443"),
        ] {
            assert!(hosts.are_origin(origin, host), "{origin} of {host}");
        }
        for (origin, host) in [
            ("null", "localhost:7373"),
            ("", ""),
            ("localhost:7373", "localhost:7373"),
            ("http://localhost", "localhost:7373"),
            ("http://localhost:3000", "localhost:7373"),
            ("http://127.0.0.1:7373", "localhost:7373"),
            ("http://evil.example", "localhost:7373"),
            ("http://evil.example/localhost:7373", "localhost:7373"),
            ("http://board.example.evil.example", "board.example"),
            ("ftp://localhost:7373", "localhost:7373"),
        ] {
            assert!(!hosts.are_origin(origin, host), "{origin} of {host}");
        }
    }

    #[test]
    fn names_that_were_given_are_answered_to() {
        let loopback = hosts("[::1]:1", &["Amazons.example"]);
        assert!(loopback.allow("amazons.example:443") && loopback.allow("localhost"));
        assert!(!loopback.allow("other.example"));
        let open = hosts("0.0.0.0:80", &[]);
        assert!(open.allow("other.example"));
        let named = hosts("10.1.2.3:80", &["amazons.example"]);
        assert!(
            named.allow("10.1.2.3:80")
                && named.allow("amazons.example")
                && !named.allow("other.example")
        );
    }
}
