//! Files of the page's folder that are fetched when they are first asked about their board, so that
//! the first answer does not wait for those of the others.

use amazons::game::board::Board;
use amazons::game::rules::Position;
use amazons::knowledge::{Finding, Source, SourceError, SourceInfo};
use amazons::tables::index::TableRules;
use amazons::tables::value_source::ValueSource;
use serde::Deserialize;
use std::sync::Arc;

use crate::shelf::Shelf;

/// What such a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LaterKind {
    /// An opening table, of a board either way round.
    Opening,
    /// A certificate.
    Certificate,
}

/// A file that is not here yet; it takes the place of this when it is.
#[derive(Debug)]
pub(crate) struct Later {
    pub(crate) kind: LaterKind,
    pub(crate) place: String,
    pub(crate) board: Board,
    pub(crate) bytes: u64,
    pub(crate) shelf: Shelf,
}

impl Later {
    fn is_on(&self, board: Board) -> bool {
        let turned = self.kind == LaterKind::Opening && board.transposed() == self.board;
        board == self.board || turned
    }

    /// Notes that the file is to be fetched.
    fn want(&self) -> SourceError {
        // It is never on the shelf: it is read when it comes.
        let _ = self.shelf.take(&self.place, self.bytes);
        SourceError::Unreadable(format!("{} is not here yet", self.place))
    }
}

impl Source for Later {
    fn tell(&self, position: &Position, _: &mut Finding) -> Result<(), SourceError> {
        match self.is_on(position.board()) {
            true => Err(self.want()),
            false => Ok(()),
        }
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        match rules {
            TableRules::Amazons => Position::start(self.board).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn table(&self, board: Board) -> Option<Arc<ValueSource>> {
        if self.kind == LaterKind::Opening && self.is_on(board) {
            self.want();
        }
        None
    }

    fn info(&self) -> Option<SourceInfo> {
        self.want();
        None
    }
}
