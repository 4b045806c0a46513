//! `amazons solve` of one position by a search of one process, on boards of every size.

use std::time::Instant;

use super::arguments::Args;
use super::certificate;
use super::report::{Report, Solved};
use super::search::{self, Prepared};
use super::search_share::SearchShare;
use super::sources::Sources;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::parts::ahead;
use crate::game::board::Word;
use crate::game::notation::square_text;
use crate::game::rules::{Colour, Position};
use crate::knowledge::Finding;
use crate::search::Survey;
use crate::theory::region::components_of;

/// A position that was asked about, and what there is to answer with.
pub(super) struct Question<'a> {
    pub(super) args: &'a Args,
    pub(super) position: &'a Position,
    /// What is known without a search.
    pub(super) finding: &'a Finding,
    pub(super) sources: &'a Sources,
    /// When it was asked.
    pub(super) began: Instant,
    pub(super) context: &'a Context,
}

/// Searches a position, with the table where it knows more, and writes the certificate.
///
/// # Errors
/// If the search cannot begin, or is over too early, or a file cannot be written.
pub(super) fn solve(question: &Question<'_>) -> Result<(), Failure> {
    let &Question { args, position, sources, began, context, .. } = question;
    let codes = match args.certificate {
        Some(_) => certificate::set_aside_codes(context)?,
        None => 0,
    };
    if position.board().fits::<u64>() {
        let prepared = search::prepare(args, position, sources, began, context)?;
        return question.answer(prepared, codes);
    }
    let prepared = search::prepare_endgame(args, position, sources, began, context)?;
    question.answer(prepared, codes)
}

impl Question<'_> {
    /// Answers by a search; the codes of a certificate have so much memory.
    fn answer<W: Word>(&self, prepared: Prepared<'_, W>, codes: u64) -> Result<(), Failure> {
        let &Self { args, position, finding, sources, began, context } = self;
        let Prepared { mut solver, mut saver, stop, taken_up } = prepared;
        let survey = match taken_up {
            true => search::search(args, position, &mut solver, &mut saver, context)?,
            false => Survey::new(&solver, position, args.wanted()).or_failed()?,
        };
        let share = SearchShare::of(&solver, 0);
        let solved = Solved::by_search(&survey, share, sources.basis()).with(args, finding);
        // A file that was asked for is written also where nobody reads the answer any more.
        let printed = Report::new(args, position, &solved, began).print(context);
        sources.check()?;
        let standing = survey.standing();
        let done = match standing.outcome() {
            Some(outcome) if !args.all_moves || standing.is_complete() => {
                certificate::certify(args, position, &mut solver, outcome, codes, context)
            }
            // What is known without the search answers.
            _ if solved.is_answer(args) && args.certificate.is_none() => saver.check(),
            _ => {
                if !position.board().fits::<u64>() {
                    tell_parts(position, context);
                }
                Err(saver.limit(&stop))
            }
        };
        done.and(printed)
    }
}

/// What bounds say of each part that has an amazon, where the whole is not known.
fn tell_parts(position: &Position, context: &Context) {
    let amazons = position.amazons(Colour::White) | position.amazons(Colour::Black);
    for component in components_of(position) {
        let here = (component.squares & amazons).iter();
        let here: Vec<String> = here.map(|square| square_text(position.board(), square)).collect();
        if !here.is_empty() {
            let bounds = ahead(-component.high, -component.low);
            context.remark(format_args!("the part with {}: {bounds}", here.join(" ")));
        }
    }
}
