//! A question that gets no answer: a status as in HTTP, a word for programs and a sentence for
//! people.

use serde::Serialize;

use crate::knowledge::SourceError;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct Refusal {
    status: u16,
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

impl Refusal {
    /// With a status of HTTP from 400 on.
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after: None }
    }

    /// The question is not as it should be: 400.
    pub fn bad(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(400, code, message)
    }

    /// There is nothing like that: 404.
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(404, code, message)
    }

    /// The question is well formed, but cannot be answered: 422.
    pub fn impossible(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(422, code, message)
    }

    /// There is too much to do: 503.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::new(503, "busy", message).retry_after(1)
    }

    /// A table cannot be read: 503.
    pub fn no_table(message: impl Into<String>) -> Self {
        Self::new(503, "table_unavailable", message)
    }

    /// A fault of this program: 500.
    pub fn internal() -> Self {
        Self::new(500, "internal", "the program failed to answer this question")
    }

    /// The same with a time in seconds after which to try again.
    pub fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The status, as in HTTP.
    pub fn status(&self) -> u16 {
        self.status
    }

    #[cfg(test)]
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Seconds after which to try again, if that may help.
    pub fn seconds_to_wait(&self) -> Option<u64> {
        self.retry_after
    }

    /// The word and the sentence as JSON.
    pub fn json(&self) -> String {
        let envelope = Envelope { error: Inner { code: self.code, message: &self.message } };
        // Only maps with other keys than strings cannot be JSON, and there are none.
        serde_json::to_string(&envelope).unwrap_or_default()
    }
}

/// What should know a position cannot be read, or contradicts something else.
impl From<SourceError> for Refusal {
    fn from(error: SourceError) -> Self {
        Self::no_table(error.to_string())
    }
}
