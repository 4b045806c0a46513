//! Writes the certificate of a solved position: the winner's strategy, down to leaves for the naive solver.
//!
//! Breadth first, two plies at a time: the positions with `k` arrows in which the winner is to move; for each a move
//! after which the table (or a bound) says that the opponent is lost, of several the one that leaves the opponent the
//! fewest moves; then all answers, which are the positions with `k + 2` arrows. A proof that the table has lost, or
//! that rests on a bound alone, is searched again on the way, and what that finds stays in the table.
//!
//! Memory: two tiers of positions at a time.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::reduction::Reduced;
use super::solver::{Solver, SolverError};
use crate::certificate::{Claim, Code, Coder, Writer};
use crate::progress::Observer;
use crate::rules::Position;

/// Why no certificate was written.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// The file does not take it.
    #[error("the certificate cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The search cannot go on.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The search was stopped.
    #[error("the search was stopped before the certificate was complete")]
    Stopped,
    /// The claim is not what the search finds.
    #[error("the claim is not true of {0:?}")]
    Untrue(Position),
}

/// Writes a certificate of `claim` to `out`; returns how many positions it lists.
///
/// # Errors
/// If the claim is not true, the search is stopped, or `out` does not take it.
pub fn write_certificate(
    solver: &mut Solver<'_>,
    claim: &Claim,
    out: impl Write,
    observer: &dyn Observer,
) -> Result<u64, StrategyError> {
    let start = claim.start().ok_or(io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut writer = Writer::new(out, claim)?;
    let coder = Coder::new(claim.board());
    let mut arrows = start.arrows.len() + usize::from(!claim.win);
    let mut tier = Tier { coder: &coder, leaf: claim.leaf.into(), codes: BTreeSet::new() };
    if claim.win {
        tier.add(&start, claim)
    } else {
        tier.add_answers(solver, &start, claim)
    }
    while !tier.codes.is_empty() {
        observer.begin(&format!("certificate, {arrows} arrows"), tier.codes.len() as u64, "positions");
        let mut next = Tier { codes: BTreeSet::new(), ..tier };
        let mut listed = Vec::with_capacity(tier.codes.len());
        for code in tier.codes {
            let position = coder.position(code).ok_or(StrategyError::Untrue(start))?;
            let (number, after) = winning_move(solver, &position)?;
            listed.push((code, number));
            next.add_answers(solver, &after, claim);
            observer.add(1);
        }
        writer.tier(arrows, &listed)?;
        arrows += 2;
        tier = next;
    }
    Ok(writer.finish()?)
}

/// Positions of one number of arrows, winner to move.
struct Tier<'a> {
    coder: &'a Coder,
    leaf: usize,
    codes: BTreeSet<Code>,
}

impl Tier<'_> {
    fn add(&mut self, position: &Position, claim: &Claim) {
        if position.empty(claim.board()).len() > self.leaf {
            self.codes.insert(self.coder.code(position));
        }
    }

    fn add_answers(&mut self, solver: &Solver<'_>, position: &Position, claim: &Claim) {
        let rules = solver.ground().rules();
        for answer in rules.moves(position) {
            self.add(&rules.play_unchecked(position, answer), claim);
        }
    }
}

/// A winning move of a position that is won: its number, and the position after it.
fn winning_move(solver: &mut Solver<'_>, position: &Position) -> Result<(u32, Position), StrategyError> {
    let rules = solver.ground().rules();
    let moves = rules.moves(position);
    let mut children: Vec<(u64, u32, Position)> = Vec::with_capacity(moves.len());
    for (number, &played) in moves.iter().enumerate() {
        let after = rules.play_unchecked(position, played);
        children.push((rules.count(&after), number as u32, after));
    }
    children.sort_unstable_by_key(|child| (child.0, child.1));
    if let Some(found) = known(solver, &children) {
        return Ok(found);
    }
    // The search of the position itself leaves the proof of one child in the table, unless a bound decides it.
    if matches!(solver.reduce(position), Reduced::Open { .. }) {
        require(solver, position, true)?;
        if let Some(found) = known(solver, &children) {
            return Ok(found);
        }
    }
    for &(_, number, after) in &children {
        match solver.solve_alone(&after)? {
            Some(false) => return Ok((number, after)),
            Some(true) => {}
            None => return Err(StrategyError::Stopped),
        }
    }
    Err(StrategyError::Untrue(*position))
}

fn require(solver: &mut Solver<'_>, position: &Position, win: bool) -> Result<(), StrategyError> {
    match solver.solve_alone(position)? {
        None => Err(StrategyError::Stopped),
        Some(found) if found == win => Ok(()),
        Some(_) => Err(StrategyError::Untrue(*position)),
    }
}

/// The first child that is known to be lost.
fn known(solver: &Solver<'_>, children: &[(u64, u32, Position)]) -> Option<(u32, Position)> {
    let lost = |child: &&(u64, u32, Position)| solver.known(&child.2) == Some(false);
    children.iter().find(lost).map(|child| (child.1, child.2))
}
