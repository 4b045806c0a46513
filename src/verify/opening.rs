//! Checks an opening table against the rules: that it holds exactly what the moves lead to, and that each value before
//! the last ply follows from those of the next.
//!
//! The values of the last ply follow from nothing in the file; whoever wants to doubt them solves some of them again.

use crate::certificate::Code;
use crate::opening::{Opening, Ply};
use crate::progress::{Observer, StopFlag};
use crate::rules::Position;
use crate::verify::table::Report;

/// Checks every position; stops early, with what it has, if asked to.
pub fn verify(opening: &Opening, observer: &impl Observer, stop: &StopFlag) -> Report {
    let mut report = Report::default();
    let start = opening.start().position::<u64>();
    let first = start.map(|start| opening.coder().code(&start));
    if opening.plies()[0].entries().map(|(code, _)| Some(code)).ne([first]) {
        fail(&mut report, start);
    }
    for (number, plies) in opening.plies().windows(2).enumerate() {
        observer.begin(&format!("ply {number}"), plies[0].len() as u64, "positions");
        let mut met = vec![false; plies[1].len()];
        for (code, wins) in plies[0].entries() {
            if stop.is_set() {
                return report;
            }
            let position = opening.coder().position(code);
            let derived = position.and_then(|position| derive(opening, &position, &plies[1], &mut met));
            report.checked += 1;
            observer.add(1);
            if derived != Some(wins) {
                fail(&mut report, position);
            }
        }
        let stray = plies[1].entries().zip(&met).filter(|(_, met)| !**met);
        stray.for_each(|((code, _), _)| fail(&mut report, opening.coder().position(code)));
    }
    report
}

/// The value by the moves, marking the children; `None` if a child is missing.
fn derive(opening: &Opening, position: &Position, next: &Ply, met: &mut [bool]) -> Option<bool> {
    let mut wins = false;
    for played in opening.rules().moves(position) {
        let child: Code = opening.coder().code(&opening.rules().play_unchecked(position, played));
        let (at, child_wins) = next.find(child)?;
        met[at] = true;
        wins |= !child_wins;
    }
    Some(wins)
}

fn fail(report: &mut Report, position: Option<Position>) {
    report.mismatches += 1;
    report.first = report.first.or(position);
}
