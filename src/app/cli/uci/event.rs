//! What an engine waits for: a line of the input, its end, or the end of a search.

use std::io::BufRead;
use std::sync::mpsc::SyncSender;

use crate::app::cli::batch::line::{Line, LineError};
use crate::app::cli::context::Failure;

/// Events that may wait; who sends more lines waits too.
pub(super) const MOST_EVENTS: usize = 64;

/// Something that the engine has to see to.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, without white space at either end.
    Line(Result<String, LineError>),
    /// There are no more lines, or they cannot be read.
    End(Result<(), Failure>),
    /// A search may be done. What is done is looked up, so this may come too often.
    Search,
}

/// Sends every line of the input and its end, on a thread of its own that nobody waits for: a line
/// that never comes must not keep the program from ending.
pub(super) fn send_lines(mut input: impl BufRead + Send + 'static, events: SyncSender<Event>) {
    std::thread::spawn(move || {
        let mut line = Line::default();
        let end = loop {
            match line.read(&mut input) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(failure) => break Err(failure),
            }
            if events.send(Event::Line(line.text().map(str::to_string))).is_err() {
                return;
            }
        };
        // Nobody listens any more if the program ends meanwhile.
        let _ = events.send(Event::End(end));
    });
}
