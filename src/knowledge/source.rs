//! What knows the values of some positions: one trait for all kinds of it.

use std::fmt::Debug;
use std::sync::Arc;

use super::error::SourceError;
use super::finding::Finding;
use super::info::SourceInfo;
use super::margins::Margins;
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::game::variants::{SingleMove, VariantPosition};
use crate::tables::index::TableRules;
use crate::tables::value_source::ValueSource;

/// Something that knows the values of some positions.
pub trait Source: Debug + Send + Sync {
    /// Tells what it knows of a position and of its moves.
    ///
    /// # Errors
    /// If it is damaged, or contradicts what was told before.
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError>;

    /// Tells what it knows of by how much a position is won, and by how much each of its moves.
    /// Nothing, unless the source knows more than who wins.
    ///
    /// # Errors
    /// As [`Self::tell`].
    fn tell_margins(
        &self,
        _position: &Position,
        _margins: &mut Margins,
    ) -> Result<(), SourceError> {
        Ok(())
    }

    /// The same by other rules than those of Amazons. Nothing, unless the source is about them.
    ///
    /// # Errors
    /// As [`Self::tell`].
    fn tell_by_other_rules(
        &self,
        position: &VariantPosition,
        finding: &mut Finding<SingleMove>,
    ) -> Result<(), SourceError> {
        let _ = (position, finding);
        Ok(())
    }

    /// The start positions by some rules that it may know.
    fn starts(&self, rules: TableRules) -> Vec<Position> {
        let _ = rules;
        Vec::new()
    }

    /// The table that a search of Amazons or the engine may ask about a board, either way round.
    fn table(&self, board: Board) -> Option<Arc<ValueSource>> {
        let _ = board;
        None
    }

    /// What it holds, if that is something to list: a table, an opening table, a certificate.
    fn info(&self) -> Option<SourceInfo> {
        None
    }
}
