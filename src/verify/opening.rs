//! Checks an opening table against the rules: that it holds exactly what the moves lead to, and
//! that each value before the last ply follows from those of the next.
//!
//! The values of the last ply follow from nothing in the file, so they are not among what is
//! checked. Whoever wants to doubt them solves them again: `amazons verify` does, with the search,
//! whose code this room does not use.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::game::Outcome;
use crate::game::code::Code;
use crate::game::rules::Bitboards;
use crate::machine::progress::{Observer, StopFlag};
use crate::tables::opening::{Opening, Ply};
use crate::verify::table::Comparison;

/// Checks every position before the last ply, on all threads; stops early, with what it has, if
/// asked to.
pub fn verify(opening: &Opening, observer: &impl Observer, stop: &StopFlag) -> Comparison {
    let mut comparison = Comparison::default();
    let start = opening.start().bitboards::<u64>();
    let first = start.map(|start| opening.coder().code(&start));
    if opening.plies()[0].entries().map(|(code, _)| Some(code)).ne([first]) {
        fail(&mut comparison, start);
    }
    for (number, plies) in opening.plies().windows(2).enumerate() {
        observer.begin(&format!("ply {number}"), plies[0].len() as u64, "positions");
        let met: Vec<AtomicBool> = plies[1].entries().map(|_| AtomicBool::new(false)).collect();
        let judge = |at: usize| {
            if stop.is_set() {
                return Comparison::default();
            }
            let (code, outcome) = plies[0].entry(at);
            let position = opening.coder().position(code);
            let derived = position.and_then(|position| derive(opening, &position, &plies[1], &met));
            observer.add(1);
            let mut judged = Comparison { checked: 1, different: 1, ..Comparison::default() };
            if derived != Some(outcome) {
                fail(&mut judged, position);
            }
            judged
        };
        let judged = (0..plies[0].len()).into_par_iter().map(judge);
        let judged = judged.reduce(Comparison::default, Comparison::merge);
        if stop.is_set() {
            return comparison;
        }
        comparison = comparison.merge(judged);
        let stray = plies[1].entries().zip(&met).filter(|(_, met)| !met.load(Ordering::Relaxed));
        stray.for_each(|((code, _), _)| fail(&mut comparison, opening.coder().position(code)));
    }
    comparison
}

/// The value by the moves, marking the children; `None` if a child is missing.
fn derive(
    opening: &Opening,
    position: &Bitboards,
    next: &Ply,
    met: &[AtomicBool],
) -> Option<Outcome> {
    let mut outcome = Outcome::Loss;
    for played in opening.rules().moves(position) {
        let child: Code = opening.coder().code(&opening.rules().play_unchecked(position, played));
        let (at, after) = next.find(child)?;
        met[at].store(true, Ordering::Relaxed);
        outcome = outcome.max(!after);
    }
    Some(outcome)
}

fn fail(comparison: &mut Comparison, position: Option<Bitboards>) {
    comparison.mismatches += 1;
    comparison.first = comparison.first.or(position);
}
