//! Looking positions up by the rules of a table, whichever they are.

use super::{Table, TableError};
use crate::game::Outcome;
use crate::game::rules::Bitboards;
use crate::game::variants::{SingleMove, State, VariantPosition, VariantRules};

impl Table {
    /// What the side to move reaches by the rules of the table.
    ///
    /// # Errors
    /// [`TableError::OtherGame`] if the position is of other rules, another board or other amazons,
    /// else as [`Self::value`].
    pub fn variant_value(&self, position: &VariantPosition) -> Result<Outcome, TableError> {
        self.value_of(&self.laid(position)?)
    }

    /// Every legal move in increasing order, and what its maker reaches by it.
    ///
    /// # Errors
    /// As [`Self::variant_value`].
    pub fn variant_moves(
        &self,
        position: &VariantPosition,
    ) -> Result<Vec<(SingleMove, Outcome)>, TableError> {
        self.laid(position)?;
        let (board, state) = (position.board(), position.state::<u64>());
        let rules = VariantRules::<u64>::new(board, position.rules());
        let (Ok(rules), Some(state)) = (rules, state) else {
            return Err(self.other_variant(position));
        };
        let value = |played: SingleMove| -> Result<(SingleMove, Outcome), TableError> {
            let child = rules.play_unchecked(&state, played).squares;
            Ok((played, !self.value_of(&self.lay(board, &child))?))
        };
        rules.moves(&state).into_iter().map(value).collect()
    }

    /// The position as it lies on the table's board.
    fn laid(&self, position: &VariantPosition) -> Result<Bitboards<u64>, TableError> {
        let board = position.board();
        let alike = position.rules() == self.manifest().subject.rules.set() && self.is_on(board);
        let state: Option<State<u64>> = position.state().filter(|_| alike);
        let state = state.ok_or_else(|| self.other_variant(position))?;
        Ok(self.lay(board, &state.squares))
    }

    fn other_variant(&self, position: &VariantPosition) -> TableError {
        self.other_game(format!("of {} on {}", position.rules(), position.board()))
    }
}
