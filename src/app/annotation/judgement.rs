//! What is known of each position of a game, and what its moves did.

use crate::app::counted::Counted;
use crate::game::Outcome;
use crate::game::notation::move_text;
use crate::game::notation::sgf::{Game, NodeId};
use crate::game::rules::{Colour, IndexedMove, Position};
use crate::knowledge::{Basis, Finding, SourceError};

/// Who wins a position, if that is known.
pub fn winner(position: &Position, finding: &Finding) -> Option<Colour> {
    finding.value().map(|outcome| outcome.winner(position.turn()))
}

/// The moves that are known to win.
pub fn winning(finding: &Finding) -> Vec<IndexedMove> {
    finding.of_value(Some(Outcome::Win)).collect()
}

/// Whether it is known of every move whether it wins.
pub fn knows_all_moves(finding: &Finding) -> bool {
    finding.of_value(None).next().is_none()
}

/// What a move did to its maker's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It was a win before, and is a loss after it.
    Blunder,
    /// Of several moves it is the only one that wins.
    Only,
}

/// The findings of every node of a game: what `judge` finds, and what the nodes after it and the one
/// before it tell.
///
/// # Errors
/// The first error of `judge`, or that it contradicts what is found of a continuation.
pub fn find_all<E: From<SourceError>>(
    game: &Game,
    mut judge: impl FnMut(NodeId, &Position) -> Result<Finding, E>,
) -> Result<Vec<Finding>, E> {
    let ids: Vec<NodeId> = game.tree().ids().collect();
    let mut findings = vec![Finding::of_moves(Vec::new()); ids.len()];
    // From the end: what is found of a late position helps with those before it.
    for &id in ids.iter().rev() {
        findings[id.index()] = judge(id, game.position(id))?;
    }
    carry(game, &mut findings)?;
    Ok(findings)
}

/// Tells each position what is known of those that its moves in the game lead to, and each of these
/// what is known of the move.
///
/// # Errors
/// If what is known of one contradicts what is known of another.
pub fn carry(game: &Game, findings: &mut [Finding]) -> Result<(), SourceError> {
    let ids: Vec<NodeId> = game.tree().ids().collect();
    let parents = |id: NodeId| game.tree().node(id).parent().zip(game.played(id));
    for &id in ids.iter().rev() {
        let value = findings[id.index()].value();
        if let Some(((parent, played), value)) = parents(id).zip(value) {
            let before = &mut findings[parent.index()];
            before.tell_move(played, value.reversed(), &Basis::Continuation)?;
        }
    }
    for &id in &ids {
        let Some((parent, played)) = parents(id) else { continue };
        let before = &findings[parent.index()];
        let known = before.moves().iter().find(|&&(other, _)| other == played);
        let known = known.and_then(|&(_, value)| Some((value?, before.basis_of(value?)?.clone())));
        if let Some((value, basis)) = known {
            findings[id.index()].tell_value(value.reversed(), &basis)?;
        }
    }
    Ok(())
}

/// What the move of a node did, if that is known and worth a mark.
pub fn mark(game: &Game, id: NodeId, findings: &[Finding]) -> Option<Mark> {
    let played = game.played(id)?;
    let parent = game.tree().node(id).parent()?;
    let (before, after) = (&findings[parent.index()], &findings[id.index()]);
    match (before.value(), after.value()) {
        (Some(Outcome::Win), Some(Outcome::Win)) => Some(Mark::Blunder),
        (Some(Outcome::Win), Some(Outcome::Loss)) => {
            let only =
                knows_all_moves(before) && winning(before) == [played] && before.moves().len() > 1;
            only.then_some(Mark::Only)
        }
        _ => None,
    }
}

/// The most alternatives that are listed.
const LISTED: usize = 12;

/// The moves that would have won in place of a blunder, in words.
pub fn alternatives(game: &Game, id: NodeId, findings: &[Finding]) -> Option<String> {
    let parent = game.tree().node(id).parent()?;
    let (before, position) = (&findings[parent.index()], game.position(parent));
    let winning = winning(before);
    let named: Vec<String> =
        winning.iter().take(LISTED).map(|&played| move_text(position.board(), played)).collect();
    let more = winning.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let list = named.join(" ");
    Some(match (knows_all_moves(before), named.is_empty()) {
        (true, _) => {
            let (count, all) = (winning.len(), before.moves().len());
            format!("{count} of {} won: {list}{more}", Counted(all, "move"))
        }
        (false, false) => format!("{list}{more} would have won"),
        (false, true) => "another move would have won".to_string(),
    })
}
