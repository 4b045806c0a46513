//! What goes wrong: while the server starts, and with a request.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::tables::format::TableError;
use crate::tables::opening::OpeningError;

/// Why the server does not start or does not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is taken or is not one of this machine.
    #[error(
        "cannot listen on {address}: {source}; give another address with --bind, port 0 takes a free one"
    )]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// A table cannot be opened.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file is no opening table.
    #[error("{} {source}", path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: OpeningError,
    },
    /// The system refuses threads or sockets.
    #[error("the server cannot run: {0}")]
    Io(#[from] io::Error),
}

/// A request that gets no answer: a status, a word for programs and a sentence for people.
#[derive(Clone, Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    retry_after: Option<u64>,
}

#[derive(Serialize)]
struct Envelope<'a> {
    error: Inner<'a>,
}

#[derive(Serialize)]
struct Inner<'a> {
    code: &'a str,
    message: &'a str,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after: None }
    }

    /// The request is not as it should be: 400.
    pub(super) fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The request is well formed, but cannot be done: 422.
    pub(super) fn impossible(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// There is too much to do: 503.
    pub(super) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message).retry_after(1)
    }

    /// A table that was there is not any more: 503. The client is not told where it was.
    pub(super) fn table_gone(name: &str) -> Self {
        let message =
            format!("the table {name} is missing or damaged; the server's messages say more");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "table_unavailable", message)
    }

    /// A fault of this program: 500.
    pub(super) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the server failed to answer this request",
        )
    }

    /// The same error with a time in seconds after which to try again.
    pub(super) fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    #[cfg(test)]
    pub(super) fn code(&self) -> &'static str {
        self.code
    }

    #[cfg(test)]
    pub(super) fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Envelope { error: Inner { code: self.code, message: &self.message } };
        let mut response = (self.status, Json(&body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
