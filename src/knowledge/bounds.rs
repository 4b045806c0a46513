//! Values that need no search: what exact bounds say at first sight.
//!
//! A small board's endgame, or a large board's that has fallen apart into territories, is often
//! decided by them. Positions that the search takes have its bounds too. One solver a board of at
//! most 64 squares is kept for its rays and bounds; its table stays empty.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::basis::Basis;
use super::error::SourceError;
use super::finding::Finding;
use super::margins::Margins;
use super::source::Source;
use crate::game::board::Board;
use crate::game::rules::Position;
use crate::game::variants::{SingleMove, State, VariantPosition};
use crate::game::{Outcome, ThresholdRange};
use crate::machine::progress::StopFlag;
use crate::search::variants::Sight;
use crate::search::{Settings, SizedSolver};
use crate::theory::region::Lead;

/// Bounds on all boards, made when they are first needed.
#[derive(Debug, Default)]
pub(super) struct BoundsSource {
    boards: Mutex<HashMap<Board, Option<Arc<SizedSolver<'static>>>>>,
}

/// Moves of a position are judged by its parts if there are at most so many. Where there are more,
/// hardly any is decided, and each costs some 50 microseconds.
const MOST_MOVES: usize = 400;

impl BoundsSource {
    /// Those of the search; `None` for a position that it does not take.
    fn of_search(&self, position: &Position) -> Option<Arc<SizedSolver<'static>>> {
        let settings = Settings { table_bytes: 1, threads: 1, seed: 0 };
        let solver = || SizedSolver::of(position, settings, StopFlag::new()).ok().map(Arc::new);
        if !position.board().fits::<u64>() {
            return solver();
        }
        let mut boards = self.boards.lock().unwrap_or_else(PoisonError::into_inner);
        boards.entry(position.board()).or_insert_with(solver).clone()
    }
}

/// What the side to move reaches, if the parts of the position tell.
fn by_parts(position: &Position) -> Option<Outcome> {
    Lead::in_position(position, position.turn()).outcome()
}

/// By how much the side to move wins or loses at least and at most, as the parts of the position
/// tell: with a lead of `x` moves, whoever moves next, the threshold is `1 - x`.
fn range_by_parts(position: &Position) -> ThresholdRange {
    let Lead { least, most } = Lead::in_position(position, position.turn());
    let all = ThresholdRange::of_empty(position.empty_squares());
    let spare = |lead: i32| i16::try_from(-lead).unwrap_or(i16::MAX);
    let lost = all.with(spare(most), Outcome::Loss).unwrap_or(all);
    lost.with(spare(least).saturating_add(1), Outcome::Win).unwrap_or(lost)
}

impl Source for BoundsSource {
    fn tell(&self, position: &Position, finding: &mut Finding) -> Result<(), SourceError> {
        let solver = self.of_search(position);
        let known = |position: &Position| {
            let by_search =
                solver.as_ref().and_then(|solver| solver.known(position).ok().flatten());
            by_search.or_else(|| by_parts(position))
        };
        if let Some(value) = known(position) {
            finding.tell_value(value, &Basis::Bounds)?;
        }
        let unknown: Vec<_> = finding.of_value(None).collect();
        if solver.is_none() && unknown.len() > MOST_MOVES {
            return Ok(());
        }
        for played in unknown {
            let Ok(after) = position.play_indexed(played) else { continue };
            if let Some(value) = known(&after) {
                finding.tell_move(played, value.reversed(), &Basis::Bounds)?;
            }
        }
        Ok(())
    }

    fn tell_margins(&self, position: &Position, margins: &mut Margins) -> Result<(), SourceError> {
        if position.is_own_image_exchanged() {
            let all = ThresholdRange::of_empty(position.empty_squares());
            margins.tell(all.with(1, Outcome::Win).unwrap_or(all), &Basis::Mirror)?;
        }
        let solver = self.of_search(position);
        // Margins are searched on boards of at most 64 squares.
        let by_search = |position: &Position| match solver.as_deref() {
            Some(SizedSolver::Board(solver)) => solver.known_threshold(position).ok(),
            _ => None,
        };
        // Either knows what the other does not.
        let ranges = |position: &Position| {
            let first = by_search(position);
            let exact = first.is_some_and(|range| range.exact().is_some());
            let second = (!exact).then(|| range_by_parts(position));
            first.into_iter().chain(second)
        };
        ranges(position).try_for_each(|range| margins.tell(range, &Basis::Bounds))?;
        let moves: Vec<_> = margins.moves().iter().map(|&(played, _)| played).collect();
        if solver.is_none() && moves.len() > MOST_MOVES {
            return Ok(());
        }
        for played in moves {
            let Ok(after) = position.play_indexed(played) else { continue };
            for range in ranges(&after).map(ThresholdRange::of_move) {
                margins.tell_move(played, range, &Basis::Bounds)?;
            }
        }
        Ok(())
    }

    fn tell_by_other_rules(
        &self,
        position: &VariantPosition,
        finding: &mut Finding<SingleMove>,
    ) -> Result<(), SourceError> {
        if finding.moves().is_empty() {
            return finding.tell_value(Outcome::Loss, &Basis::Rules);
        }
        // Of larger boards than a search takes, only that a side cannot move.
        let sight = Sight::new(position.board(), position.rules()).ok();
        let Some((sight, state)) = sight.zip(position.state::<u64>()) else { return Ok(()) };
        let basis = |state: &State| if sight.is_over(state) { Basis::Rules } else { Basis::Bounds };
        if let Some(value) = sight.outcome(&state) {
            finding.tell_value(value, &basis(&state))?;
        }
        for played in finding.of_value(None).collect::<Vec<_>>() {
            let after = sight.rules().play_unchecked(&state, played);
            if let Some(value) = sight.outcome(&after) {
                finding.tell_move(played, after.outcome_of_move(value), &basis(&after))?;
            }
        }
        Ok(())
    }
}
