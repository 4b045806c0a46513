//! What is known without searching of a position by other rules than those of Amazons: from a
//! table, else at first sight.

use super::report::{Findings, MoveReport, Value, Valued};
use super::refusal::Refusal;
use super::tables::Tables;
use crate::game::Outcome;
use crate::game::variants::{SingleMove, State, VariantPosition, VariantRules, variant_fen};
use crate::search::variants::Sight;

/// What is known of a position.
pub(super) fn findings_by_other_rules(
    tables: &dyn Tables,
    position: &VariantPosition,
) -> Result<Findings, Refusal> {
    let rules = VariantRules::<u128>::new(position.board(), position.rules());
    let rules = rules.map_err(|_| Refusal::internal())?;
    let state = position.state().ok_or_else(Refusal::internal)?;
    let Valued { value, source, moves } = match tables.look_up_by_other_rules(position)? {
        Some((answer, source)) => Valued::by_table(answer.outcome, source, answer.moves),
        None => at_sight(position, rules.moves(&state)),
    };
    Ok(Findings { value, source, moves: sorted(position, &rules, &state, moves) })
}

/// What the rules and a count of moves tell, where no table knows the position. Of larger boards
/// than a search takes, only that a side cannot move.
fn at_sight(position: &VariantPosition, moves: Vec<SingleMove>) -> Valued<SingleMove> {
    let sight = Sight::new(position.board(), position.rules()).ok();
    let Some((sight, state)) = sight.zip(position.state::<u64>()) else {
        let unknown = moves.into_iter().map(|played| (played, None)).collect();
        return Valued::by_bounds(unknown, None, || None);
    };
    let by_move = |played: SingleMove| {
        let after = sight.rules().play_unchecked(&state, played);
        (played, sight.outcome(&after).map(|outcome| after.outcome_of_move(outcome)))
    };
    let moves = moves.into_iter().map(by_move).collect();
    Valued::by_bounds(moves, None, || sight.outcome(&state))
}

/// The moves as they are reported, best first.
fn sorted(
    position: &VariantPosition,
    rules: &VariantRules<u128>,
    state: &State<u128>,
    moves: Vec<(SingleMove, Option<Outcome>)>,
) -> Vec<MoveReport> {
    let reported = |(played, known): (SingleMove, Option<Outcome>)| {
        let after = rules.play_unchecked(state, played);
        let replies = rules.count(&after);
        // Where the same side goes on, more moves are the better.
        let few = if after.goes_on() { u64::MAX - replies } else { replies };
        let value = Value::of(known);
        let report = MoveReport {
            played: played.text(position.board()),
            value,
            replies,
            position: Some(variant_fen(&position.after(&after))),
        };
        ((value, few, played), report)
    };
    let mut moves: Vec<_> = moves.into_iter().map(reported).collect();
    moves.sort_unstable_by_key(|&(order, _)| order);
    moves.into_iter().map(|(_, report)| report).collect()
}
