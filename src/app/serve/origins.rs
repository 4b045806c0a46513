//! Which pages of other sites may ask the API and read its answers (CORS).
//!
//! A browser names the origin of the page that asks. If it is one of those that the server was
//! given, the answer says so, and the browser hands it to the page. Before it sends something that
//! a form could not send, it asks whether it may (a preflight).

use std::str::FromStr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// An origin whose pages may ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedOrigin {
    /// Every one: `*`.
    Any,
    /// This one, in lower case and without the port that its scheme has anyway:
    /// `https://example.org`.
    One(String),
}

/// Why text is no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an origin such as https://example.org or http://localhost:3000, or *")]
pub struct OriginError;

impl FromStr for AllowedOrigin {
    type Err = OriginError;

    /// `*`, or scheme, host and port, with nothing behind them.
    fn from_str(text: &str) -> Result<Self, OriginError> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let text = text.to_ascii_lowercase();
        let (scheme, host) = text.split_once("://").ok_or(OriginError)?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte);
        let is_host = |byte: u8| is_word(byte) || b":[]".contains(&byte);
        if scheme.is_empty() || !scheme.bytes().all(is_word) {
            return Err(OriginError);
        }
        let own_port = match scheme {
            "https" => ":443",
            "http" => ":80",
            _ => "",
        };
        let host = host.strip_suffix(own_port).unwrap_or(host);
        match !host.is_empty() && host.bytes().all(is_host) {
            true => Ok(Self::One(format!("{scheme}://{host}"))),
            false => Err(OriginError),
        }
    }
}

/// The origins whose pages may ask.
#[derive(Clone, Debug, Default)]
pub(super) struct Origins(Vec<AllowedOrigin>);

impl Origins {
    /// These; none but the own pages if there are none.
    pub(super) fn new(allowed: Vec<AllowedOrigin>) -> Self {
        Self(allowed)
    }

    /// To whom an answer may be shown, as `Access-Control-Allow-Origin` says it; `None` if no page
    /// of another site asks, or not one of these.
    pub(super) fn shown_to(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(header::ORIGIN)?;
        let name = origin.to_str().ok()?;
        self.0.iter().find_map(|allowed| match allowed {
            AllowedOrigin::Any => Some(HeaderValue::from_static("*")),
            AllowedOrigin::One(one) => one.eq_ignore_ascii_case(name).then(|| origin.clone()),
        })
    }
}

/// Whether a browser asks what a page may send.
pub(super) fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// What it may send: questions, and bodies of any type.
pub(super) fn preflight() -> Response {
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}

/// Says in a response to whom it may be shown.
pub(super) fn show(response: &mut Response, to: HeaderValue) {
    let headers = response.headers_mut();
    // Whoever keeps answers has to keep them by their reader.
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("Retry-After"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, to);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_a_scheme_and_a_host_and_nothing_else() {
        let one = |text: &str| Ok(AllowedOrigin::One(text.to_string()));
        for (text, expected) in [
            ("*", Ok(AllowedOrigin::Any)),
            ("https://Example.org", one("https://example.org")),
            ("https://example.org:443", one("https://example.org")),
            ("http://localhost:3000", one("http://localhost:3000")),
            ("http://[::1]:80", one("http://[::1]")),
            ("capacitor://localhost", one("capacitor://localhost")),
            ("https://example.org/", Err(OriginError)),
            ("https://a@example.org", Err(OriginError)),
            ("https://*.example.org", Err(OriginError)),
            ("example.org", Err(OriginError)),
            ("https://", Err(OriginError)),
            ("://example.org", Err(OriginError)),
            ("null", Err(OriginError)),
            ("", Err(OriginError)),
        ] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }
}
