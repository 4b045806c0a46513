//! `amazons solve --margin` and `--spare`: by how much a position is won.

use std::time::Instant;

use super::arguments::{Args, Method};
use super::certificate;
use super::found_margin::FoundMargin;
use super::margin_report::MarginReport;
use super::report::{Report, Solved};
use super::search::{self, Between, Prepared, too_large_for_margins};
use super::search_share::SearchShare;
use super::sources::Sources;
use crate::app::cli::context::{Context, Failure};
use crate::game::board::Board;
use crate::game::notation::{fen, move_text};
use crate::game::rules::{IndexedMove, Position};
use crate::game::{Outcome, ThresholdRange};
use crate::knowledge::{Basis, Margins};
use crate::search::{MarginSurvey, Solver, SolverError};

/// Answers a question about spare moves, by a search if there has to be one.
///
/// # Errors
/// If the question is none, the search cannot begin, or it comes to too little.
pub(super) fn run(
    args: &Args,
    position: &Position,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    refuse(args, position)?;
    let sources = Sources::open(args, context)?;
    if let (Some(spare), Some(_)) = (args.spare, &args.certificate) {
        return certified(args, position, spare, &sources, began, context);
    }
    let margins = sources.margins(args, position)?;
    let answer = known(args, position, &margins).filter(|_| args.option_of_search().is_none());
    if let Some(found) = answer {
        let solved = Solved::by_margin(&found, margins.basis().as_ref());
        report(args, position, &found, &solved, began).print(context)?;
        let more = || Failure::limit(too_large_for_margins(position.board()));
        return if found.is_complete { Ok(()) } else { Err(more()) };
    }
    let prepared = search::prepare(args, position, &sources, began, context)?;
    let Prepared { mut solver, mut saver, stop, taken_up } = prepared;
    let mut found = FoundMargin::default();
    if taken_up {
        search::saved(args, position, &mut solver, &mut saver, context, |solver, between| {
            found = ask(args, position, &margins, solver, between)?;
            Ok(found.is_complete)
        })?;
    }
    let basis = basis(&found, &margins, &sources);
    let solved = Solved::by_margin(&found, Some(&basis)).of_search(SearchShare::of(&solver, 0));
    let report = report(args, position, &found, &solved, began);
    report.print(context)?;
    sources.check()?;
    if report.is_unfinished() { Err(saver.limit(&stop)) } else { Ok(()) }
}

/// Answers with a certificate: of the position with the spare moves as a territory, which is what
/// is searched then.
fn certified(
    args: &Args,
    position: &Position,
    spare: i16,
    sources: &Sources,
    began: Instant,
    context: &Context,
) -> Result<(), Failure> {
    let sum = position.with_spare_territory(spare).ok_or_else(|| {
        Failure::usage(format!(
            "in a certificate {spare} spare moves are a territory on a larger board, and none of \
             at most 64 squares has room for it beside {}",
            position.board()
        ))
    })?;
    let codes = certificate::set_aside_codes(context)?;
    let prepared = search::prepare(args, &sum, sources, began, context)?;
    let Prepared { mut solver, mut saver, stop, taken_up } = prepared;
    let mut found = FoundMargin { spare: Some(spare), ..FoundMargin::default() };
    if taken_up {
        search::saved(args, &sum, &mut solver, &mut saver, context, |solver, between| {
            found.outcome = solver.solve_in_runs(&sum, &mut *between)?;
            if found.outcome == Some(Outcome::Win)
                && let Some(best) = solver.best_move_with_spare(&sum, 0, between)?
            {
                found.best = on_board(position.board(), sum.board(), best);
                // What is not on the board is in the territory.
                found.spends_spare = found.best.is_none();
            }
            found.is_complete = found.outcome.is_some();
            Ok(false)
        })?;
    }
    let basis = sources.basis();
    let solved = Solved::by_margin(&found, Some(&basis)).of_search(SearchShare::of(&solver, 0));
    // A file that was asked for is written also where nobody reads the answer any more.
    let printed = report(args, position, &found, &solved, began).print(context);
    sources.check()?;
    let Some(outcome) = found.outcome else { return Err(saver.limit(&stop)) };
    context.remark(format_args!("the certificate is of {}", fen(&sum)));
    certificate::certify(args, &sum, &mut solver, outcome, codes, context).and(printed)
}

/// A move of a larger board on the board that it begins with, if it is one of that.
fn on_board(board: Board, larger: Board, played: IndexedMove) -> Option<IndexedMove> {
    let on = |square| board.square(larger.file(square), larger.rank(square));
    let IndexedMove { from, to, arrow } = played;
    Some(IndexedMove { from: on(from)?, to: on(to)?, arrow: on(arrow)? })
}

/// Refuses what cannot be asked.
///
/// # Errors
/// If a table is to answer alone, or no board holds so many spare moves.
pub(super) fn refuse(args: &Args, position: &Position) -> Result<(), Failure> {
    let option = args.option_of_margins().unwrap_or("--margin");
    if args.method == Method::Tables {
        return Err(Failure::usage(format!(
            "{option} is not for --method tables: without it a table of margins answers too"
        )));
    }
    let most = position.empty_squares() + 1;
    match args.spare {
        Some(spare) if usize::from(spare.unsigned_abs()) > most => Err(Failure::usage(format!(
            "--spare takes -{most} to {most} here, found {spare}: more spare moves than that \
             decide nothing more"
        ))),
        _ => Ok(()),
    }
}

/// What is asked, if it is known without a search, or there is none that could tell more.
pub(super) fn known(args: &Args, position: &Position, margins: &Margins) -> Option<FoundMargin> {
    let whole = known_whole(args, margins);
    match position.board().fits::<u64>() {
        true => whole,
        false => whole.or_else(|| without_search(args, margins)),
    }
}

/// What is asked, if it is known; of a position that is won, with how.
fn known_whole(args: &Args, margins: &Margins) -> Option<FoundMargin> {
    let Some(spare) = args.spare else { return known_margin(args, margins) };
    let outcome = margins.position().outcome_with(spare)?;
    let best = winning_move(margins, spare);
    let spends_spare = best.is_none() && margins.wins_by_spending(spare);
    let found = FoundMargin { spare: Some(spare), best, spends_spare, ..FoundMargin::default() };
    (outcome == Outcome::Loss || best.is_some() || spends_spare).then_some(FoundMargin {
        outcome: Some(outcome),
        is_complete: true,
        ..found
    })
}

fn known_margin(args: &Args, margins: &Margins) -> Option<FoundMargin> {
    let range = margins.position();
    let (outcome, best) = (range.exact()?.outcome(), margins.best().first().copied());
    let moves = match args.all_moves {
        true if !margins.is_complete() => return None,
        true => Some(margins.moves().to_vec()),
        false => None,
    };
    let found = FoundMargin { best, moves, range: Some(range), ..FoundMargin::default() };
    (outcome == Outcome::Loss || best.is_some()).then_some(FoundMargin {
        outcome: Some(outcome),
        is_complete: true,
        ..found
    })
}

/// What is known of a position whose board no search of margins takes, if it answers the question
/// at all; of a position that is won perhaps without a move.
fn without_search(args: &Args, margins: &Margins) -> Option<FoundMargin> {
    let range = margins.position();
    if let Some(spare) = args.spare {
        let outcome = Some(range.outcome_with(spare)?);
        let found = FoundMargin { spare: Some(spare), outcome, ..FoundMargin::default() };
        return Some(FoundMargin {
            best: winning_move(margins, spare),
            is_complete: true,
            ..found
        });
    }
    let moves = args.all_moves.then(|| margins.moves().to_vec());
    let is_complete = range.exact().is_some() && (!args.all_moves || margins.is_complete());
    let best = margins.best().first().copied();
    let (range, outcome) = (Some(range), range.outcome());
    Some(FoundMargin { outcome, best, range, moves, is_complete, ..FoundMargin::default() })
}

/// What something rests on that a search has found beside what was known before it: on the search
/// only if that told more.
pub(super) fn basis(found: &FoundMargin, known: &Margins, sources: &Sources) -> Basis {
    let before = known.basis();
    match before {
        Some(before) if !found.tells_more_than(known) => before,
        before => sources.basis().and(before.as_ref()),
    }
}

/// A move that is known to win with so many spare moves.
fn winning_move(margins: &Margins, spare: i16) -> Option<IndexedMove> {
    let wins = |(_, range): &&(_, ThresholdRange)| range.outcome_with(spare) == Some(Outcome::Win);
    margins.moves().iter().find(wins).map(|&(played, _)| played)
}

/// Searches for what was asked. What is known is believed.
///
/// # Errors
/// As [`Solver::solve`].
pub(super) fn ask(
    args: &Args,
    position: &Position,
    margins: &Margins,
    solver: &mut Solver<'_>,
    between: &mut Between<'_>,
) -> Result<FoundMargin, SolverError> {
    if let Some(spare) = args.spare {
        return ask_spare(position, spare, margins, solver, between);
    }
    let known = margins.position();
    let (range, moves, is_complete) = if args.all_moves {
        let mut survey = MarginSurvey::new(solver, position)?;
        survey.learn(known)?;
        survey.learn_moves(margins.moves())?;
        survey.run(solver, &mut *between, |_| ())?;
        (survey.range(), Some(survey.moves().collect()), survey.is_complete())
    } else {
        let by_search = solver.known_threshold(position)?;
        let known = by_search.and(known).ok_or(SolverError::Contradiction)?;
        let range = solver.threshold_in_runs(position, known, &mut *between, |_| ())?;
        (range, None, range.exact().is_some())
    };
    let best = match margins.best().first() {
        Some(&best) => Some(best),
        None => best_move(position, range, moves.as_deref(), solver, between)?,
    };
    let (range, outcome) = (Some(range), range.outcome());
    let found = FoundMargin { outcome, best, range, moves, is_complete, ..FoundMargin::default() };
    Ok(found)
}

fn ask_spare(
    position: &Position,
    spare: i16,
    margins: &Margins,
    solver: &mut Solver<'_>,
    between: &mut Between<'_>,
) -> Result<FoundMargin, SolverError> {
    let outcome = match margins.position().outcome_with(spare) {
        None => solver.solve_with_spare_in_runs(position, spare, &mut *between)?,
        known => known,
    };
    let mut found = FoundMargin { spare: Some(spare), outcome, ..FoundMargin::default() };
    found.is_complete = outcome.is_some();
    if outcome != Some(Outcome::Win) {
        return Ok(found);
    }
    found.best = match winning_move(margins, spare) {
        None => solver.known_move_with_spare(position, spare)?,
        known => known,
    };
    // A spare move may win where no move does, and a move where no spare move does.
    if found.best.is_none() {
        let spending = solver.wins_by_spending_in_runs(position, spare, &mut *between)?;
        found.spends_spare = spending == Some(true);
        if spending == Some(false) {
            found.best = solver.best_move_with_spare(position, spare, between)?;
        }
    }
    Ok(found)
}

/// A move that wins by most. Of a lost position one that loses by least, if that is known already.
fn best_move(
    position: &Position,
    range: ThresholdRange,
    moves: Option<&[(IndexedMove, ThresholdRange)]>,
    solver: &mut Solver<'_>,
    between: &mut Between<'_>,
) -> Result<Option<IndexedMove>, SolverError> {
    if let Some(moves) = moves {
        let most = moves.iter().min_by_key(|(played, range)| (range.most(), *played));
        // Of moves that lose, one is the best only if no other may be better.
        let known = |&(_, best): &&(IndexedMove, ThresholdRange)| {
            best.outcome() == Some(Outcome::Win)
                || moves.iter().all(|(_, other)| best.most() <= other.least())
        };
        return Ok(most.filter(known).map(|&(played, _)| played));
    }
    match range.exact().map(|threshold| threshold.spare()) {
        None => Ok(None),
        Some(spare) if spare > 0 => Ok(solver.known_move_with_spare(position, spare)?),
        Some(spare) => solver.best_move_with_spare(position, spare, between),
    }
}

/// What was found, in words.
pub(super) fn report(
    args: &Args,
    position: &Position,
    found: &FoundMargin,
    solved: &Solved,
    began: Instant,
) -> Report {
    let margin = MarginReport::new(position.board(), position.turn(), found);
    let best_move = found.best.map(|played| move_text(position.board(), played));
    Report { best_move, margin: Some(margin), ..Report::new(args, position, solved, began) }
}
