//! What the program has without any files: the table of 4x4, opening tables of the smaller boards
//! that are solved, and certificates of larger ones.

#[cfg(any(unix, windows))]
mod four_by_four;

use std::sync::{Arc, OnceLock};

use super::certificates::CertificateSource;
use super::error::SourceError;
use super::finding::Finding;
use super::info::SourceInfo;
use super::source::Source;
use super::tables::TableSource;
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::tables::index::TableRules;
use crate::tables::opening::Opening;
use crate::tables::value_source::ValueSource;

#[cfg(any(unix, windows))]
pub use four_by_four::{FourByFour, FourByFourError};

/// Opening tables of four amazons a side, by the file they are: three moves of 5x4, two of the
/// others, 240 kB in all. Each is the beginning of one in `results/`, or of the table of 4x5; see
/// `docs/serve.md`.
pub(super) const OPENINGS: [(&str, &[u8]); 5] = [
    ("5x4", include_bytes!("5x4.amz")),
    ("4x5", include_bytes!("4x5.amz")),
    ("5x5", include_bytes!("5x5.amz")),
    ("4x6", include_bytes!("4x6.amz")),
    ("6x4", include_bytes!("6x4.amz")),
];

/// Certificates, 480 kB in all, by their file. They are those of `results/proofs/`.
pub(super) const CERTIFICATES: [(&str, &[u8]); 2] =
    [("4x7.proof", include_bytes!("4x7.proof")), ("5x6.proof", include_bytes!("5x6.proof"))];

/// All of it, in the order in which it is asked.
pub(super) fn sources() -> Vec<Arc<dyn Source>> {
    let openings = OPENINGS.into_iter().map(|(board, file)| -> Arc<dyn Source> {
        Arc::new(BuiltInOpening { board, file, opened: OnceLock::new() })
    });
    let certificates = CERTIFICATES.into_iter().filter_map(|(name, file)| {
        let source = CertificateSource::built_in(name, file).ok()?;
        Some(Arc::new(source) as Arc<dyn Source>)
    });
    let sources = openings.chain(certificates);
    #[cfg(any(unix, windows))]
    let sources = std::iter::once(FourByFour::shared() as Arc<dyn Source>).chain(sources);
    sources.collect()
}

/// An opening table that is read when it is first asked about its board.
#[derive(Debug)]
struct BuiltInOpening {
    board: &'static str,
    file: &'static [u8],
    opened: OnceLock<Result<TableSource, String>>,
}

impl BuiltInOpening {
    fn opened(&self) -> Result<&TableSource, SourceError> {
        let open = || {
            let opening = Opening::read(self.file).map_err(|error| error.to_string())?;
            let path = format!("opening-{}.amz", self.board).into();
            let source = Arc::new(ValueSource::Opening(opening, path));
            Ok(TableSource::built_in(source, self.file.len() as u64))
        };
        let opened = self.opened.get_or_init(open).as_ref();
        opened.map_err(|error| SourceError::Unreadable(error.clone()))
    }

    /// Whether the table is about a board, either way round.
    fn is_on(&self, board: Board) -> bool {
        [board, board.transposed()].iter().any(|board| board.to_string() == self.board)
    }
}

impl Source for BuiltInOpening {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        match self.is_on(position.board()) {
            true => self.opened()?.tell(position, finding),
            false => Ok(()),
        }
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        self.opened().map_or_else(|_| Vec::new(), |opened| opened.starts(rules))
    }

    fn table(&self, board: Board) -> Option<Arc<ValueSource>> {
        self.is_on(board).then(|| self.opened().ok())?.and_then(|opened| opened.table(board))
    }

    fn info(&self) -> Option<SourceInfo> {
        self.opened().ok().and_then(Source::info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn everything_built_in_can_be_read_and_is_listed() {
        let sources = sources();
        let listed: Vec<SourceInfo> = sources.iter().filter_map(|source| source.info()).collect();
        assert_eq!(listed.len(), OPENINGS.len() + CERTIFICATES.len());
        for info in listed {
            assert!(info.available && info.built_in && info.positions > 1000, "{info:?}");
        }
    }

    #[test]
    fn built_in_certificates_are_those_of_the_results() {
        for (name, file) in CERTIFICATES {
            assert!(fs::read(format!("results/proofs/{name}")).unwrap() == file, "{name}");
        }
    }
}
