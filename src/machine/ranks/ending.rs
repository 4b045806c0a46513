//! How a command ends in one process or in all of them, and which of two endings is the graver.

/// How a command ended in one process, or in all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Well.
    Done,
    /// Because of another process.
    Elsewhere,
    /// At a limit, or because somebody asked it to stop: with a message, and nothing is wrong.
    Limit(String),
    /// With a failure: a number that says to the caller what kind it is, and a message.
    Failed(u8, String),
}

impl Ending {
    /// Which of two endings is to be told: a failure, before a limit, before what only followed.
    pub(super) fn weight(&self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Elsewhere => 1,
            Self::Limit(_) => 2,
            Self::Failed(..) => 3,
        }
    }

    /// The ending as ranks tell it to each other.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Done => vec![0],
            Self::Elsewhere => vec![1],
            Self::Limit(message) => [&[2], message.as_bytes()].concat(),
            Self::Failed(kind, message) => [&[3, *kind], message.as_bytes()].concat(),
        }
    }

    /// The ending that [`Self::to_bytes`] made bytes of.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let text = |message: &[u8]| String::from_utf8_lossy(message).into_owned();
        match bytes {
            [] | [0, ..] => Self::Done,
            [2, message @ ..] => Self::Limit(text(message)),
            [3, kind, message @ ..] => Self::Failed(*kind, text(message)),
            _ => Self::Elsewhere,
        }
    }

    /// The ending with the rank named that it is of.
    pub(super) fn of_rank(self, rank: usize) -> Self {
        let of_rank = |message: String| format!("rank {rank}: {message}");
        match self {
            Self::Limit(message) => Self::Limit(of_rank(message)),
            Self::Failed(kind, message) => Self::Failed(kind, of_rank(message)),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_travel_as_bytes() {
        for ending in [
            Ending::Done,
            Ending::Elsewhere,
            Ending::Limit("stopped".into()),
            Ending::Failed(2, "no space".into()),
            Ending::Failed(1, String::new()),
        ] {
            assert_eq!(Ending::from_bytes(&ending.to_bytes()), ending);
        }
    }
}
