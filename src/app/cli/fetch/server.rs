//! A web server with a release, and what it answers.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use ureq::http::{Response, header};
use ureq::{Agent, Body};

use super::address::Address;
use super::error::FetchError;
use crate::app::cli::files::sum::Entry;
use crate::machine::abandon::{LOOK, unless_stopped};
use crate::machine::progress::StopFlag;

/// The largest list that is read.
const LONGEST_LIST: u64 = 16 << 20;
/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;
/// Pieces that are read ahead.
const AHEAD: usize = 4;

/// A server with a release.
pub(super) struct Server<'a> {
    address: &'a Address,
    agent: Agent,
    stop: &'a StopFlag,
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
    /// What a thread reads, which may have to wait for the server.
    pieces: Receiver<io::Result<Vec<u8>>>,
}

impl<'a> Server<'a> {
    /// The server of an address, which may be silent for so long.
    pub(super) fn new(address: &'a Address, patience: Duration, stop: &'a StopFlag) -> Self {
        let config = Agent::config_builder()
            .https_only(address.is_encrypted())
            .http_status_as_error(false)
            .user_agent(concat!("amazons/", env!("CARGO_PKG_VERSION")))
            .accept_encoding("identity")
            .timeout_connect(Some(patience))
            .timeout_recv_response(Some(patience))
            .timeout_per_read(Some(patience))
            .timeout_per_write(Some(patience));
        Self { address, agent: config.build().into(), stop }
    }

    /// The list of the release.
    ///
    /// # Errors
    /// If it cannot be had.
    pub(super) fn list(&self, name: &str) -> Result<Vec<u8>, FetchError> {
        let answer = self.ask(name, 0)?;
        expect_status(&answer, 200)?;
        let mut body = answer.into_body();
        let read = move || body.with_config().limit(LONGEST_LIST).read_to_vec();
        unless_stopped(self.stop, read).ok_or(FetchError::Interrupted)?.map_err(|error| match error
        {
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
        Ok(Answer { begins, pieces: pieces(body) })
    }

    /// Asks for a file from a byte on.
    fn ask(&self, name: &str, from: u64) -> Result<Response<Body>, FetchError> {
        let mut request = self.agent.get(self.address.of(name));
        if from > 0 {
            request = request.header(header::RANGE, format!("bytes={from}-"));
        }
        let answer = unless_stopped(self.stop, || request.call());
        let answer = answer.ok_or(FetchError::Interrupted)?;
        let answer = answer.map_err(|error| FetchError::Unreachable(error.into()))?;
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
    /// If the connection ends too early, there is more than the file may have, or somebody asks to
    /// stop.
    pub(super) fn piece(
        &self,
        entry: &Entry,
        before: u64,
        stop: &StopFlag,
    ) -> Result<Vec<u8>, FetchError> {
        let read = loop {
            if stop.is_set() {
                return Err(FetchError::Interrupted);
            }
            match self.pieces.recv_timeout(LOOK) {
                Ok(read) => break read,
                Err(RecvTimeoutError::Timeout) => {}
                // Behind the last piece.
                Err(RecvTimeoutError::Disconnected) => break Ok(Vec::new()),
            }
        };
        let (expected, found) = (entry.bytes, before);
        let piece = read.map_err(|source| match is_silence(&source) {
            true => FetchError::Silent { expected, found },
            false => FetchError::Cut { expected, found, source },
        })?;
        match before + piece.len() as u64 > expected {
            true => Err(other_length(entry, "more".to_string())),
            false => Ok(piece),
        }
    }
}

/// Whether a failure to read is that nothing came for too long. The library has an error of its own
/// for that, inside of one of the system.
fn is_silence(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(inner, Some(ureq::Error::Timeout(_)))
        || matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// What there is to read, as a thread reads it, until its end or a failure. The thread ends when
/// nobody wants more, but not before the server has said something or been silent for too long.
fn pieces(mut body: impl io::Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (read, pieces) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        loop {
            let mut piece = vec![0; PIECE];
            let next = body.read(&mut piece).map(|length| {
                piece.truncate(length);
                piece
            });
            let is_last = next.as_ref().map_or(true, Vec::is_empty);
            if read.send(next).is_err() || is_last {
                return;
            }
        }
    });
    pieces
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
