//! Answers that wait for their clients to read them.
//!
//! A small request may have a large answer, and a client may take its time to read it. So large
//! answers share a room of fixed size. One that does not fit is not sent; its client is told to ask
//! again.

use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::answers::Refusal;

/// Answers of at most this many bytes need no room: there is at most one for each connection. Most
/// answers are smaller; that of the start of 10x10 has 116 kB.
const SMALL: usize = 128 << 10;
/// The bytes that all larger answers may have together.
pub(super) const ROOM: usize = 64 << 20;

/// The room of large answers.
#[derive(Debug)]
pub(super) struct WaitingAnswers {
    room: Arc<Semaphore>,
}

/// An answer and the room that it takes, which is free when the answer is sent or its client left.
struct Held {
    text: String,
    _room: Option<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl WaitingAnswers {
    /// A room of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { room: Arc::new(Semaphore::new(bytes)) }
    }

    /// The bytes of an answer, which hold its room until they are dropped.
    ///
    /// # Errors
    /// If there is no room now.
    pub(super) fn hold(&self, text: String) -> Result<Bytes, Refusal> {
        let room = if text.len() <= SMALL { None } else { Some(self.take(text.len())?) };
        Ok(Bytes::from_owner(Held { text, _room: room }))
    }

    fn take(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Refusal> {
        let permits = u32::try_from(bytes).ok();
        permits
            .and_then(|permits| self.room.clone().try_acquire_many_owned(permits).ok())
            .ok_or_else(|| {
                Refusal::busy(format!(
                    "no room for an answer of {bytes} bytes; try again in a moment"
                ))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_answers_have_room_until_they_are_dropped() {
        let waiting = WaitingAnswers::new(3 * SMALL);
        let large = || "x".repeat(SMALL + 1);
        let held: Vec<Bytes> = (0..2).map(|_| waiting.hold(large()).unwrap()).collect();
        let refused = waiting.hold(large()).unwrap_err();
        assert_eq!(refused.status(), 503);
        assert!(refused.message().contains("131073 bytes"), "{}", refused.message());
        assert_eq!(waiting.hold("x".repeat(SMALL)).unwrap().len(), SMALL);
        let part = held[0].slice(..1);
        drop(held);
        assert!(waiting.hold("x".repeat(2 * SMALL)).is_err(), "a part holds the whole");
        drop(part);
        assert_eq!(waiting.hold("x".repeat(3 * SMALL)).unwrap().len(), 3 * SMALL);
    }
}
