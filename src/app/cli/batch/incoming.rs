//! Lines that are read ahead by a thread of their own, so that whoever takes them gets as many as
//! have come meanwhile: one from somebody who waits for its answer, many from a file.

use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::line::LONGEST;
use crate::machine::progress::StopFlag;

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 16;
/// How long nobody looks whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// What has been read and not yet been taken.
pub(super) struct Incoming {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    /// Bytes of whole lines, their ends counted.
    whole: usize,
    /// Bytes of the line after them that were there, also those that were too many to be kept.
    length: usize,
    end: Option<io::Result<()>>,
}

impl State {
    /// Adds what was read; of a line that is too long only the beginning.
    fn push(&mut self, read: &[u8]) {
        for part in read.split_inclusive(|&byte| byte == b'\n') {
            let ends = part.ends_with(b"\n");
            let text = &part[..part.len() - usize::from(ends)];
            let room = (LONGEST + 1).saturating_sub(self.length);
            self.bytes.extend_from_slice(&text[..text.len().min(room)]);
            self.length = self.length.saturating_add(text.len());
            if ends {
                self.bytes.push(b'\n');
                (self.whole, self.length) = (self.bytes.len(), 0);
            }
        }
    }
}

impl Incoming {
    /// Begins to read; about `most` bytes are kept, and two lines at least.
    pub(super) fn new(input: impl Read + Send + 'static, most: usize) -> Self {
        let most = most.max(2 * LONGEST);
        let shared = Shared { state: Mutex::default(), changed: Condvar::new(), most };
        let shared = Arc::new(shared);
        let reader = Arc::clone(&shared);
        // It ends with its input, or with the program: nothing interrupts a read.
        thread::spawn(move || reader.read_all(input));
        Self { shared }
    }

    /// The whole lines that there are, and at the end what is left, into `taken`; waits for them.
    /// `false` if there will be no more, or `stop` is set.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn take(&self, stop: &StopFlag, taken: &mut Vec<u8>) -> io::Result<bool> {
        taken.clear();
        let mut state = self.shared.lock();
        while state.whole == 0 && state.end.is_none() {
            if stop.is_set() {
                return Ok(false);
            }
            let waited = self.shared.changed.wait_timeout(state, PATIENCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some(Err(error)) = &mut state.end {
            return Err(io::Error::new(error.kind(), error.to_string()));
        }
        let whole = if state.end.is_some() { state.bytes.len() } else { state.whole };
        let rest = state.bytes.split_off(whole);
        *taken = std::mem::replace(&mut state.bytes, rest);
        state.whole = 0;
        self.shared.changed.notify_all();
        Ok(!taken.is_empty())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_all(&self, mut input: impl Read) {
        let mut chunk = vec![0; CHUNK];
        loop {
            let end = match input.read(&mut chunk) {
                Ok(0) => Ok(()),
                Ok(count) => {
                    let full = |state: &mut State| state.bytes.len() >= self.most;
                    let state = self.changed.wait_while(self.lock(), full);
                    state.unwrap_or_else(PoisonError::into_inner).push(&chunk[..count]);
                    self.changed.notify_all();
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            self.lock().end = Some(end);
            self.changed.notify_all();
            return;
        }
    }
}
