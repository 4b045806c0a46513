//! Tables as sources, wherever they are kept.

use std::fmt::Debug;
use std::sync::Arc;

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::info::SourceInfo;
use super::margins::Margins;
use super::source::Source;
use super::subject::Subject;
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::game::variants::{SingleMove, VariantPosition};
use crate::tables::format::{Answer, TableError};
use crate::tables::index::TableRules;
use crate::tables::value_source::{TableAnswer, ValueSource, VariantAnswer};

/// What a table is asked of a position that it is about.
#[derive(Clone, Copy, Debug)]
pub enum TableQuestion<'a> {
    /// Who wins, and by which moves.
    Values(&'a Position),
    /// The same by other rules than those of Amazons.
    ValuesByOtherRules(&'a VariantPosition),
    /// By how much, and each move by how much.
    Margins(&'a Position),
}

impl TableQuestion<'_> {
    /// The burned squares of its position.
    pub fn arrows(&self) -> usize {
        let position = match self {
            Self::Values(position) | Self::Margins(position) => position,
            Self::ValuesByOtherRules(position) => position.position(),
        };
        position.setup().arrows.len()
    }
}

/// A table or an opening table, and how it is come by: read whole, from files that may change, in
/// pieces. All of these are [`Source`]s.
pub trait HeldTable: Debug + Send + Sync {
    /// What it is about.
    fn subject(&self) -> Subject;

    /// The table, as it was when it was last opened.
    fn opened(&self) -> Arc<ValueSource>;

    /// The table, to answer a question.
    ///
    /// # Errors
    /// If it is no longer there, or its files are not those of its manifest.
    fn answering(&self, question: TableQuestion<'_>) -> Result<Arc<ValueSource>, SourceError> {
        let _ = question;
        Ok(self.opened())
    }

    /// Why a question is not answered, if reading the table went wrong.
    fn unreadable(&self, question: TableQuestion<'_>, error: TableError) -> SourceError {
        let _ = question;
        Box::new(error).into()
    }

    /// The table for a search and the engine, which ask for many positions; `None` if it is not for
    /// them, or no longer there.
    fn for_searches(&self) -> Option<Arc<ValueSource>> {
        Some(self.opened())
    }

    /// What it is listed with.
    fn listed(&self) -> SourceInfo;
}

impl<T: HeldTable> Source for T {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        if !self.subject().is_of(position) {
            return Ok(());
        }
        let question = TableQuestion::Values(position);
        let source = self.answering(question)?;
        let known = source.known(position).map_err(|error| self.unreadable(question, error))?;
        known.map_or(Ok(()), |known| tell_by_table(known, &self.subject().basis(&source), finding))
    }

    fn tell_by_other_rules(
        &self,
        position: &VariantPosition,
        finding: &mut Finding<SingleMove>,
    ) -> Result<(), SourceError> {
        if !self.subject().is_of_variant(position) {
            return tell_captures(self, position, finding);
        }
        let question = TableQuestion::ValuesByOtherRules(position);
        let source = self.answering(question)?;
        let known = source.known_by_other_rules(position);
        let known = known.map_err(|error| self.unreadable(question, error))?;
        let Some(VariantAnswer { outcome, moves }) = known else { return Ok(()) };
        let basis = self.subject().basis(&source);
        match moves {
            Some(moves) => tell_all(outcome, moves, &basis, finding),
            None => finding.tell_value(outcome, &basis),
        }
    }

    fn tell_margins(&self, position: &Position, margins: &mut Margins) -> Result<(), SourceError> {
        if !self.subject().is_of(position) {
            return Ok(());
        }
        let question = TableQuestion::Margins(position);
        let source = self.answering(question)?;
        let found = source.known_margins(position);
        let found = found.map_err(|error| self.unreadable(question, error))?;
        let Some(found) = found else { return Ok(()) };
        let (basis, empty) = (self.subject().basis(&source), position.empty_squares());
        margins.tell(found.position.range(empty), &basis)?;
        let mut moves = found.moves.into_iter();
        moves.try_for_each(|(played, margin)| {
            margins.tell_move(played, margin.range_of_move(empty), &basis)
        })
    }

    fn starts(&self, rules: TableRules) -> Vec<Position> {
        self.subject().starts(rules, &self.opened())
    }

    fn table(&self, board: Board) -> Option<Arc<ValueSource>> {
        self.subject().has(board).then(|| self.for_searches())?
    }

    fn info(&self) -> Option<SourceInfo> {
        Some(self.listed())
    }
}

/// Tells the values of moves that lead to a table from a position with more amazons than it is
/// about.
fn tell_captures(
    table: &impl HeldTable,
    position: &VariantPosition,
    finding: &mut Finding<SingleMove>,
) -> Result<(), SourceError> {
    let subject = table.subject();
    if !subject.0.rules.captures() || subject.0.rules.set() != position.rules() {
        return Ok(());
    }
    for played in position.moves() {
        let Some(after) = position.play(played).ok().filter(|after| subject.is_of_variant(after))
        else {
            continue;
        };
        let question = TableQuestion::ValuesByOtherRules(&after);
        let source = table.answering(question)?;
        let value = source.outcome_by_other_rules(&after);
        let value = value.map_err(|error| table.unreadable(question, error))?;
        if let Some(value) = value {
            let value = after.outcome_of_move(value);
            finding.tell_move(played, value, &subject.basis(&source))?;
        }
    }
    Ok(())
}

/// Tells what a table knows of a position of its board and amazons.
///
/// # Errors
/// As [`Source::tell`].
pub fn tell_by_table(
    known: TableAnswer,
    basis: &Basis,
    finding: &mut Finding,
) -> Result<(), SourceError> {
    match known {
        TableAnswer::Outcome(value) => finding.tell_value(value, basis),
        TableAnswer::All(Answer { outcome, moves }) => tell_all(outcome, moves, basis, finding),
    }
}

/// Tells the value of a position and of all its moves.
fn tell_all<M: Copy + Ord>(
    outcome: Outcome,
    moves: impl IntoIterator<Item = (M, Outcome)>,
    basis: &Basis,
    finding: &mut Finding<M>,
) -> Result<(), SourceError> {
    for (played, value) in moves {
        finding.tell_move(played, value, basis)?;
    }
    finding.tell_value(outcome, basis)
}
