//! What is known of each position of a game, and what its moves did: by whatever rules.

use crate::app::counted::Counted;
use crate::game::Outcome;
use crate::game::notation::move_text;
use crate::game::notation::sgf::Game;
use crate::game::rules::{Colour, IndexedMove, Position};
use crate::game::variants::{SingleMove, VariantRecord};
use crate::knowledge::{Basis, Finding, SourceError};

/// Positions that come from each other by moves. They count from 0, each behind the one that it
/// comes from.
pub trait MoveTree {
    /// A move.
    type Move: Copy + Ord;

    /// How many positions there are.
    fn count(&self) -> usize;

    /// Which position one comes from, and by which move; `None` if no move led to it.
    fn before(&self, at: usize) -> Option<(usize, Self::Move)>;

    /// What the move that led to a position reaches for its maker, where the side to move reaches
    /// `value`.
    fn of_maker(&self, at: usize, value: Outcome) -> Outcome;

    /// A move as text.
    fn move_text(&self, played: Self::Move) -> String;
}

/// By the numbers of its nodes.
impl MoveTree for Game {
    type Move = IndexedMove;

    fn count(&self) -> usize {
        self.tree().len()
    }

    fn before(&self, at: usize) -> Option<(usize, IndexedMove)> {
        let id = self.tree().ids().nth(at)?;
        Some((self.tree().node(id).parent()?.index(), self.played(id)?))
    }

    fn of_maker(&self, _: usize, value: Outcome) -> Outcome {
        value.reversed()
    }

    fn move_text(&self, played: IndexedMove) -> String {
        let root = self.tree().ids().next().expect("a game has a first position");
        move_text(self.position(root).board(), played)
    }
}

/// The start, and what stands after each move of one amazon.
impl MoveTree for VariantRecord {
    type Move = SingleMove;

    fn count(&self) -> usize {
        1 + self.moves().len()
    }

    fn before(&self, at: usize) -> Option<(usize, SingleMove)> {
        let before = at.checked_sub(1)?;
        Some((before, *self.moves().get(before)?))
    }

    fn of_maker(&self, at: usize, value: Outcome) -> Outcome {
        self.position(at).outcome_of_move(value)
    }

    fn move_text(&self, played: SingleMove) -> String {
        played.text(self.start().board())
    }
}

/// Who wins a position, if that is known.
pub fn winner(position: &Position, finding: &Finding) -> Option<Colour> {
    finding.value().map(|outcome| outcome.winner(position.turn()))
}

/// The moves that are known to win.
pub fn winning<M: Copy + Ord>(finding: &Finding<M>) -> Vec<M> {
    finding.of_value(Some(Outcome::Win)).collect()
}

/// Whether it is known of every move whether it wins.
pub fn knows_all_moves<M: Copy + Ord>(finding: &Finding<M>) -> bool {
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

/// The findings of every position of a game: what `judge` finds, and what the positions after it
/// and the one before it tell.
///
/// # Errors
/// The first error of `judge`, or that it contradicts what is found of a continuation.
pub fn find_all<G: MoveTree, E: From<SourceError>>(
    game: &G,
    judge: impl FnMut(usize) -> Result<Finding<G::Move>, E>,
) -> Result<Vec<Finding<G::Move>>, E> {
    // From the end: what is found of a late position helps with those before it.
    let found: Result<Vec<_>, E> = (0..game.count()).rev().map(judge).collect();
    let mut findings = found?;
    findings.reverse();
    carry(game, &mut findings)?;
    Ok(findings)
}

/// Tells each position what is known of those that its moves in the game lead to, and each of these
/// what is known of the move.
///
/// # Errors
/// If what is known of one contradicts what is known of another.
pub fn carry<G: MoveTree>(game: &G, findings: &mut [Finding<G::Move>]) -> Result<(), SourceError> {
    for at in (0..findings.len()).rev() {
        let value = findings[at].value();
        if let Some(((before, played), value)) = game.before(at).zip(value) {
            let value = game.of_maker(at, value);
            findings[before].tell_move(played, value, &Basis::Continuation)?;
        }
    }
    for at in 0..findings.len() {
        let Some((before, played)) = game.before(at) else { continue };
        let before = &findings[before];
        let known = before.moves().iter().find(|&&(other, _)| other == played);
        let known = known.and_then(|&(_, value)| Some((value?, before.basis_of(value?)?.clone())));
        if let Some((value, basis)) = known {
            // From maker to side to move is as from side to move to maker.
            findings[at].tell_value(game.of_maker(at, value), &basis)?;
        }
    }
    Ok(())
}

/// What the move that led to a position did, if that is known and worth a mark.
pub fn mark<G: MoveTree>(game: &G, at: usize, findings: &[Finding<G::Move>]) -> Option<Mark> {
    let (before, played) = game.before(at)?;
    let before = &findings[before];
    let after = findings[at].value().map(|value| game.of_maker(at, value));
    match (before.value(), after) {
        (Some(Outcome::Win), Some(Outcome::Loss)) => Some(Mark::Blunder),
        (Some(Outcome::Win), Some(Outcome::Win)) => {
            let only =
                knows_all_moves(before) && winning(before) == [played] && before.moves().len() > 1;
            only.then_some(Mark::Only)
        }
        _ => None,
    }
}

/// The most alternatives that are listed.
const LISTED: usize = 12;

/// The moves that would have won in place of the blunder that led to a position, in words.
pub fn alternatives<G: MoveTree>(
    game: &G,
    at: usize,
    findings: &[Finding<G::Move>],
) -> Option<String> {
    let (before, _) = game.before(at)?;
    let before = &findings[before];
    let winning = winning(before);
    let named: Vec<String> =
        winning.iter().take(LISTED).map(|&played| game.move_text(played)).collect();
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
