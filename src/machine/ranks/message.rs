//! What the processes of a command tell each other. All messages go to rank 0 or come from it.

/// What a message means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// To rank 0: a part of an exchange.
    Given,
    /// From rank 0: what came of an exchange.
    Answer,
    /// To rank 0: nothing to do.
    Ready,
    /// From rank 0: a job.
    Job,
    /// To rank 0: what came of a job.
    Result,
    /// To rank 0: a job was given up because of [`Kind::Halt`].
    Dropped,
    /// To rank 0: somebody asked this process to stop.
    Stop,
    /// To rank 0: nothing but that this process is there, so that it is not taken for lost.
    Alive,
    /// From rank 0: jobs are to be given up.
    Halt,
    /// From rank 0: there are no more jobs; one byte, whether somebody asked to stop.
    End,
    /// From rank 0: another process has failed, or rank 0 has ended; nothing more is answered.
    Abort,
    /// To rank 0: the command has ended here, and how.
    Ended,
    /// From rank 0: all have ended.
    Goodbye,
}

#[cfg(any(test, feature = "mpi"))]
impl Kind {
    const ALL: [Self; 13] = [
        Self::Given,
        Self::Answer,
        Self::Ready,
        Self::Job,
        Self::Result,
        Self::Dropped,
        Self::Stop,
        Self::Alive,
        Self::Halt,
        Self::End,
        Self::Abort,
        Self::Ended,
        Self::Goodbye,
    ];

    /// The kind of a tag.
    ///
    /// # Panics
    /// If no kind has it.
    pub(super) fn of_tag(tag: i32) -> Self {
        let kind = usize::try_from(tag).ok().and_then(|tag| Self::ALL.get(tag));
        *kind.expect("messages have the tags of their kinds")
    }

    pub(super) fn tag(self) -> i32 {
        self as i32
    }
}

/// A message that has come.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) from: usize,
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
}

/// How messages travel. Those from one process to another come in order.
pub(super) trait Link {
    /// Sends; may wait until the message is received, if it is long.
    fn send(&self, to: usize, kind: Kind, bytes: &[u8]);

    /// The next message, if one is there.
    fn receive(&self) -> Option<Message>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_tag_of_its_own() {
        for kind in Kind::ALL {
            assert_eq!(Kind::of_tag(kind.tag()), kind);
        }
    }
}
