//! A web server with a release, and what it answers.

use std::io::{self, Read as _};
use std::time::Duration;

use ureq::http::{Response, header};
use ureq::{Agent, Body, BodyReader};

use super::address::Address;
use super::error::FetchError;
use super::listing::Entry;

/// The largest list that is read.
const LONGEST_LIST: u64 = 16 << 20;
/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;

/// A server with a release.
pub(super) struct Server<'a> {
    address: &'a Address,
    agent: Agent,
}

/// Where what is sent begins in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    /// The whole file is sent.
    AtTheStart,
    /// What was asked for is sent.
    WhereAsked,
}

/// A file, or a part of it, on its way.
pub(super) struct Answer {
    pub(super) begins: Begins,
    body: BodyReader<'static>,
    buffer: Vec<u8>,
}

impl<'a> Server<'a> {
    /// The server of an address, which may be silent for so long.
    pub(super) fn new(address: &'a Address, patience: Duration) -> Self {
        let config = Agent::config_builder()
            .https_only(address.is_encrypted())
            .http_status_as_error(false)
            .user_agent(concat!("amazons/", env!("CARGO_PKG_VERSION")))
            .accept_encoding("identity")
            .timeout_connect(Some(patience))
            .timeout_recv_response(Some(patience))
            .timeout_per_read(Some(patience))
            .timeout_per_write(Some(patience));
        Self { address, agent: config.build().into() }
    }

    /// The list of the release.
    ///
    /// # Errors
    /// If it cannot be had.
    pub(super) fn list(&self, name: &str) -> Result<Vec<u8>, FetchError> {
        let answer = self.ask(name, 0)?;
        expect_status(&answer, 200)?;
        let mut body = answer.into_body();
        body.with_config().limit(LONGEST_LIST).read_to_vec().map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(most) => FetchError::LongList(most),
            error => FetchError::Unreachable(error.into()),
        })
    }

    /// A file from a byte on, or from its start.
    ///
    /// # Errors
    /// If the server does not have the file as the list says.
    pub(super) fn file(&self, entry: &Entry, from: u64) -> Result<Answer, FetchError> {
        let answer = self.ask(&entry.name, from)?;
        let begins = match answer.status().as_u16() {
            206 if from > 0 => Begins::WhereAsked,
            // There is nothing behind the part that is here.
            416 if from > 0 => return Err(other_length(entry, format!("at most {from}"))),
            _ => {
                expect_status(&answer, 200)?;
                Begins::AtTheStart
            }
        };
        let rest = match begins {
            Begins::AtTheStart => entry.bytes,
            Begins::WhereAsked => {
                expect_range(&answer, entry, from)?;
                entry.bytes - from
            }
        };
        let stated = text(&answer, header::CONTENT_LENGTH);
        if let Some(stated) = stated.filter(|stated| *stated != rest.to_string()) {
            return Err(match begins {
                Begins::AtTheStart => other_length(entry, stated),
                Begins::WhereAsked => other_length(entry, format!("{stated} behind byte {from}")),
            });
        }
        // One byte more than is expected tells that there are too many.
        let body = answer.into_body().into_with_config().limit(u64::MAX).reader();
        Ok(Answer { begins, body, buffer: vec![0; PIECE] })
    }

    /// Asks for a file from a byte on.
    fn ask(&self, name: &str, from: u64) -> Result<Response<Body>, FetchError> {
        let mut request = self.agent.get(self.address.of(name));
        if from > 0 {
            request = request.header(header::RANGE, format!("bytes={from}-"));
        }
        let answer = request.call().map_err(|error| FetchError::Unreachable(error.into()))?;
        match text(&answer, header::CONTENT_ENCODING) {
            Some(encoding) if encoding != "identity" => Err(FetchError::Encoded(encoding)),
            _ => Ok(answer),
        }
    }
}

impl Answer {
    /// The next bytes of a file of which there are some already; none at its end.
    ///
    /// # Errors
    /// If the connection ends too early, or there is more than the file may have.
    pub(super) fn piece(&mut self, entry: &Entry, before: u64) -> Result<&[u8], FetchError> {
        let (expected, found) = (entry.bytes, before);
        let read = self.body.read(&mut self.buffer).map_err(|source| match source.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => {
                FetchError::Silent { expected, found }
            }
            _ => FetchError::Cut { expected, found, source },
        })?;
        match before + read as u64 > expected {
            true => Err(other_length(entry, "more".to_string())),
            false => Ok(&self.buffer[..read]),
        }
    }
}

fn other_length(entry: &Entry, found: String) -> FetchError {
    FetchError::Length { expected: entry.bytes, found }
}

fn expect_status(answer: &Response<Body>, expected: u16) -> Result<(), FetchError> {
    match answer.status().as_u16() {
        found if found == expected => Ok(()),
        found => Err(FetchError::Status(found)),
    }
}

fn expect_range(answer: &Response<Body>, entry: &Entry, from: u64) -> Result<(), FetchError> {
    let expected = format!("bytes {from}-{}/{}", entry.bytes - 1, entry.bytes);
    match text(answer, header::CONTENT_RANGE) {
        Some(found) if found == expected => Ok(()),
        found => Err(FetchError::Range { expected, found: found.unwrap_or("none".to_string()) }),
    }
}

/// A header of an answer. One that is no text is no header that is known.
fn text(answer: &Response<Body>, name: header::HeaderName) -> Option<String> {
    answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_string)
}
