//! `amazons verify results`: solves again what the results directory claims.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::opening;
use super::summary::Verified;
use crate::app::cli::context::{Context, Failure, OrFail, Progress};
use crate::app::cli::files::kind::FileKind;
use crate::app::cli::sums;
use crate::app::counted::{Counted, by_count};
use crate::game::Outcome;
use crate::game::board::Board;
use crate::game::rules::{Position, Rules, start};
use crate::machine::pieces;
use crate::machine::progress::{Observer, StopFlag};
use crate::machine::shown::Shown as _;
use crate::proof::check::{self, Refusal};
use crate::proof::{CertificateError, Claim};
use crate::search::Solver;
use crate::tables::format::{Table, TableMargin};
use crate::tables::opening::Opening;
use crate::tables::retrograde::{BuildError, BuildOptions, build, build_margins};
use crate::verify::margin_figures::{MarginFigures, margin_figures};
use crate::verify::margins::{Margin, margins};
use crate::verify::results::{Claims, claims};
use crate::verify::verdicts::{Evidence, Verdict, verdicts};

/// What was compared.
#[derive(Default)]
struct Checked {
    checked: u64,
    /// What is wrong, in words.
    wrong: Vec<String>,
    /// Figures of boards that are too large to be built again, positions of the last plies of
    /// opening tables, and verdicts whose certificates are too large to be kept.
    left_out: u64,
    /// Verdicts that nothing answers, in words.
    unanswered: Vec<String>,
}

/// A verdict that was held against something.
enum Answer {
    Right,
    /// What is wrong, in words.
    Wrong(String),
    /// Why there is no answer, in words.
    None(String),
    /// What would answer is too large to be kept.
    LeftOut,
}

impl Answer {
    /// Right, or wrong in these words.
    fn of(agrees: bool, words: impl FnOnce() -> String) -> Self {
        if agrees { Self::Right } else { Self::Wrong(words()) }
    }
}

impl Checked {
    fn add(&mut self, checked: u64, wrong: Vec<String>) {
        self.checked += checked;
        self.wrong.extend(wrong);
    }

    fn add_answer(&mut self, answer: Answer) {
        match answer {
            Answer::Right => self.add(1, Vec::new()),
            Answer::Wrong(words) => self.add(1, vec![words]),
            Answer::None(words) => self.unanswered.push(words),
            Answer::LeftOut => self.left_out += 1,
        }
    }

    /// Prints what was found; anything wrong and any verdict without an answer is a failure.
    fn finish(self, directory: &Path, began: Instant, context: &Context) -> Result<(), Failure> {
        let Self { checked, wrong, left_out, unanswered } = self;
        let verified = Verified {
            checked,
            mismatches: wrong.len() as u64,
            not_checked: Some(left_out + unanswered.len() as u64),
            ..Verified::of(directory, "figures", began)
        };
        verified.print(context)?;
        match (wrong.first(), unanswered.first()) {
            (None, None) => Ok(()),
            (Some(first), _) => {
                let figures = Counted(wrong.len(), "figure");
                let are = by_count(wrong.len(), "is", "are");
                Err(Failure::failed(format!("{figures} {are} wrong, the first: {first}")))
            }
            (None, Some(first)) => {
                let verdicts = Counted(unanswered.len(), "verdict");
                let have = by_count(unanswered.len(), "has", "have");
                Err(Failure::failed(format!("{verdicts} {have} no answer, the first: {first}")))
            }
        }
    }
}

/// Builds every board with figures and at most `up_to` positions in a temporary directory and
/// compares them, and every verdict with its table, with an opening table, with a proof search, or
/// with its certificate.
pub(super) fn run(directory: &Path, up_to: u64, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let stop = context.stop_on_interrupt()?;
    let mut claims_checked = Checked::default();
    match compare(directory, up_to, context, &mut claims_checked) {
        // What is wrong is said of a verification that was interrupted, too.
        Err(_) if stop.is_set() && !claims_checked.wrong.is_empty() => {}
        compared => compared?,
    }
    claims_checked.finish(directory, began, context)
}

/// Compares boards first, then the verdicts that no board answers.
fn compare(
    directory: &Path,
    up_to: u64,
    context: &Context,
    claims_checked: &mut Checked,
) -> Result<(), Failure> {
    let mut verdicts = verdicts(directory).or_failed()?;
    for claims in claims(directory).or_failed()? {
        if claims.positions().is_some_and(|positions| positions <= up_to.into()) {
            figures(&claims, &mut verdicts, context, claims_checked)?;
        } else {
            sizes(&claims, up_to, &mut verdicts, context, claims_checked)?;
        }
    }
    for verdict in &verdicts {
        let answer = match verdict.method {
            Evidence::Tables => Answer::None(format!(
                "{}: not checked, no board with figures and at most {up_to} positions (--up-to) answers it",
                verdict.board
            )),
            Evidence::Proof => by_proof(verdict, context)?,
            Evidence::Certificate => by_certificate(directory, verdict, context)?,
        };
        claims_checked.add_answer(answer);
    }
    let mut margins = margins(directory).or_failed()?;
    for figures in margin_figures(directory).or_failed()? {
        if figures.positions().is_some_and(|positions| positions <= up_to.into()) {
            planes(&figures, &mut margins, context, claims_checked)?;
        } else {
            claims_checked.left_out += figures.figures() as u64;
        }
    }
    for margin in margins {
        claims_checked.add_answer(by_search(&margin, context)?);
    }
    Ok(())
}

/// The scratch tables of an interrupted verification are gone: nothing goes on from there.
fn interruption() -> Failure {
    Failure::limit("verification was interrupted")
}

/// What is built anew, under a line that says what it is.
fn built<T>(
    what: &str,
    context: &Context,
    build: impl FnOnce(&BuildOptions, &Progress, &StopFlag) -> Result<T, BuildError>,
) -> Result<T, Failure> {
    let stop = context.stop_on_interrupt()?;
    let progress = context.progress();
    progress.line(what);
    match build(&BuildOptions::new(context.memory()), &progress, &stop) {
        Err(BuildError::Stopped) => Err(interruption()),
        built => built.or_failed(),
    }
}

/// Builds one board; compares its figures, and takes the verdicts that its table answers from the
/// list.
fn figures(
    claims: &Claims,
    verdicts: &mut Vec<Verdict>,
    context: &Context,
    claims_checked: &mut Checked,
) -> Result<(), Failure> {
    let tables = tempfile::tempdir().or_failed()?;
    let (board, amazons) = (claims.board, claims.amazons);
    let manifest = built(&format!("{board} {amazons}"), context, |options, progress, stop| {
        build(tables.path(), board, amazons, options, progress, stop)
    })?;
    claims_checked.add(claims.figures() as u64, claims.differences(&manifest));
    let table = Table::open(tables.path()).or_failed()?;
    let mut left = Vec::new();
    for verdict in verdicts.drain(..) {
        let position = start(verdict.board).or_failed()?;
        if verdict.method == Evidence::Tables && table.answers(&position) {
            claims_checked.add_answer(by_table(&verdict, &table, &position)?);
        } else {
            left.push(verdict);
        }
    }
    *verdicts = left;
    Ok(())
}

/// Builds one board with its margins; compares their figures, and takes the margins that its table
/// answers from the list.
fn planes(
    figures: &MarginFigures,
    margins: &mut Vec<Margin>,
    context: &Context,
    claims_checked: &mut Checked,
) -> Result<(), Failure> {
    let tables = tempfile::tempdir().or_failed()?;
    let (board, amazons) = (figures.board, figures.amazons);
    let what = format!("margins of {board} {amazons}");
    built(&what, context, |options, progress, stop| {
        build_margins(tables.path(), board, amazons, figures.most(), options, progress, stop)
    })?;
    let table = Table::open(tables.path()).or_failed()?;
    claims_checked.add(figures.figures() as u64, figures.differences(table.stored()));
    let (here, left): (Vec<_>, Vec<_>) = margins.drain(..).partition(|margin| {
        margin.seconds.is_none() && (margin.board, margin.amazons) == (board, amazons)
    });
    *margins = left;
    for margin in here {
        let position = Position::start_with(board, amazons).or_failed()?;
        claims_checked.add_answer(by_planes(&margin, &table, &position)?);
    }
    Ok(())
}

/// What a table's planes say of a margin of a start position.
fn by_planes(margin: &Margin, table: &Table, position: &Position) -> Result<Answer, Failure> {
    let found = table.margin(position).or_failed()?.filter(|_| margin.claimed.is_some());
    // The planes that are claimed may not tell it.
    let Some(found) = found.and_then(TableMargin::exact) else { return Ok(Answer::LeftOut) };
    let (board, amazons) = (margin.board, margin.amazons);
    let words = || format!("{board} {amazons}: the first player {found} by its table");
    Ok(Answer::of(margin.agrees(found.into()), words))
}

/// Of a board too large to be built again: holds the numbers of positions against Burnside's lemma,
/// and its opening tables against the rules; takes the verdicts that these answer from the list.
fn sizes(
    claims: &Claims,
    up_to: u64,
    verdicts: &mut Vec<Verdict>,
    context: &Context,
    claims_checked: &mut Checked,
) -> Result<(), Failure> {
    let Claims { board, amazons, directory, .. } = claims;
    context.remark(format_args!(
        "{board} {amazons}: more than {up_to} positions, not built again (--up-to); the numbers of positions are checked and the opening tables but for their last plies, wins and hashes are not"
    ));
    let sizes = claims.sizes() as u64;
    claims_checked.add(sizes, claims.wrong_sizes());
    claims_checked.left_out += claims.figures() as u64 - sizes;
    let stop = context.stop_on_interrupt()?;
    for path in openings(directory).or_failed()? {
        let (opening, report) = opening::derive_again(&path, context, &stop)?;
        if stop.is_set() && report.mismatches == 0 {
            return Err(interruption());
        }
        claims_checked.left_out += opening::not_checked(&opening, &report);
        let wrong = opening::wrong(&opening, &report);
        claims_checked.add(
            report.checked,
            wrong.map(|words| format!("{}: {words}", path.shown())).into_iter().collect(),
        );
        verdicts.retain(|verdict| {
            let answers = verdict.method == Evidence::Tables
                && start(verdict.board).as_ref() == Ok(opening.start());
            if answers {
                claims_checked.add_answer(by_opening(verdict, &opening));
            }
            !answers
        });
    }
    Ok(())
}

/// The opening tables of a directory, by name.
fn openings(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = entries.collect::<std::io::Result<_>>()?;
    paths.retain(|path| FileKind::Opening.is_of(path));
    paths.sort();
    Ok(paths)
}

/// What the opening table says of a verdict.
fn by_opening(verdict: &Verdict, opening: &Opening) -> Answer {
    let Some(answer) = opening.answer(opening.start()).ok().flatten() else {
        return Answer::None(format!("{}: its opening table lacks the start", verdict.board));
    };
    let winning =
        answer.moves.map(|moves| moves.iter().filter(|(_, outcome)| outcome.is_win()).count());
    let agrees = answer.outcome == verdict.outcome
        && (verdict.winning_first_moves.is_none() || verdict.winning_first_moves == winning);
    Answer::of(agrees, || {
        format!("{}: the opening table has {winning:?} winning first moves", verdict.board)
    })
}

/// What the table says of a verdict.
fn by_table(verdict: &Verdict, table: &Table, position: &Position) -> Result<Answer, Failure> {
    let answer = table.answer(position).or_failed()?;
    let winning = answer.moves.iter().filter(|(_, outcome)| outcome.is_win()).count();
    let agrees = answer.outcome == verdict.outcome
        && verdict.winning_first_moves.is_none_or(|moves| moves == winning);
    Ok(Answer::of(agrees, || format!("{}: found {winning} winning first moves", verdict.board)))
}

/// What the search says of a verdict.
fn by_proof(verdict: &Verdict, context: &Context) -> Result<Answer, Failure> {
    let settings = context.search_settings()?;
    let stop = context.stop_on_interrupt()?;
    let mut solver = Solver::new(verdict.board, settings, stop).or_failed()?;
    let position = start(verdict.board).or_failed()?;
    let outcome = solver.solve(&position).or_failed()?;
    let outcome = outcome.ok_or_else(interruption)?;
    let words = || format!("{}: the proof says otherwise", verdict.board);
    Ok(Answer::of(outcome == verdict.outcome, words))
}

/// Margins whose search took longer are not searched again, nor those that are not known.
const LONGEST_MARGIN: f64 = 20.0;

/// What the search says of a margin, unless a table has told it.
fn by_search(margin: &Margin, context: &Context) -> Result<Answer, Failure> {
    if margin.claimed.is_none_or(|(_, [least, most])| least != most)
        || margin.seconds.is_none_or(|seconds| seconds > LONGEST_MARGIN)
    {
        return Ok(Answer::LeftOut);
    }
    let (board, amazons) = (margin.board, margin.amazons);
    let settings = context.search_settings()?;
    let stop = context.stop_on_interrupt()?;
    let mut solver = Solver::new(board, settings, stop).or_failed()?;
    let position = Position::start_with(board, amazons).or_failed()?;
    let found = solver.threshold(&position).or_failed()?;
    if found.exact().is_none() {
        return Err(interruption());
    }
    let words = || format!("{board} {amazons}: the first player {found} by a search");
    Ok(Answer::of(margin.agrees(found), words))
}

/// What the certificate says of a verdict, which may stand in pieces. One that is missing says
/// nothing; one that is refused is wrong, and so is one whose hash is kept and is not that of the
/// file.
fn by_certificate(
    directory: &Path,
    verdict: &Verdict,
    context: &Context,
) -> Result<Answer, Failure> {
    let name = format!("{}.proof", verdict.board);
    let path = directory.join("proofs").join(&name);
    let hash = path.with_extension("proof.sha256");
    let named = |why: &str| format!("{}: {}: {why}", verdict.board, path.shown());
    let stop = context.stop_on_interrupt()?;
    if !is_missing(&hash) {
        let stated = match sums::sum_in_list(&hash, &name) {
            Ok(stated) => stated,
            Err(why) => {
                let hash = hash.shown();
                return Ok(Answer::Wrong(format!("{}: {hash} {why}", verdict.board)));
            }
        };
        if pieces::are_missing(&path) {
            let (path, hash) = (path.shown(), hash.shown());
            context.remark(format_args!("{path} is not here: not checked ({hash} is its hash)"));
            return Ok(Answer::LeftOut);
        }
        let found = match sums::sha256(&path, &stop) {
            Ok(found) => found.sum(),
            Err(_) if stop.is_set() => return Err(interruption()),
            Err(failure) => return Ok(Answer::None(format!("{}: {failure}", verdict.board))),
        };
        if found != stated {
            let why = format!("its SHA-256 is {found}, expected {stated}");
            return Ok(Answer::Wrong(named(&why)));
        }
    }
    let progress = context.progress();
    progress.line(&path.shown().to_string());
    let open = || pieces::open(&path).map(std::io::BufReader::new);
    let memory = context.left("checking a proof", check::LEAST_MEMORY)?;
    Ok(match check::verify(open, memory, &progress, &stop) {
        Err(Refusal::Stopped) => return Err(interruption()),
        Err(Refusal::File(CertificateError::Io(error))) => {
            Answer::None(named(&format!("cannot be read: {error}")))
        }
        Err(refusal) => Answer::Wrong(named(&refusal.to_string())),
        Ok((claim, _)) => match outcome(&claim, verdict.board) {
            None => Answer::Wrong(named("it is about another position")),
            Some(proved) => {
                Answer::of(proved == verdict.outcome, || named("it proves the opposite"))
            }
        },
    })
}

/// Whether nothing has this name, and no link that leads nowhere either.
fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// What a claim says of a board's start: if it is about the start itself, or about a loss after a
/// first move.
fn outcome(claim: &Claim, board: Board) -> Option<Outcome> {
    let from = start(board).ok()?;
    if claim.position == from {
        return Some(claim.outcome);
    }
    let (position, after) = (from.bitboards()?, claim.position.bitboards()?);
    let rules = Rules::<u64>::new(board).ok()?;
    let follows = claim.board() == board
        && claim.position.turn() != from.turn()
        && rules
            .moves(&position)
            .iter()
            .any(|&played| rules.play_unchecked(&position, played) == after);
    (follows && claim.outcome == Outcome::Loss).then_some(Outcome::Win)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::Colour;

    /// A claim about the position after some moves of the start of 4x4, each the first there is.
    fn claim(moves: usize, outcome: Outcome) -> Claim {
        let board: Board = "4x4".parse().unwrap();
        let rules = Rules::<u64>::new(board).unwrap();
        let (mut position, mut turn) = (start(board).unwrap().bitboards().unwrap(), Colour::White);
        for _ in 0..moves {
            position = rules.play_unchecked(&position, rules.moves(&position)[0]);
            turn = turn.other();
        }
        let position = Position::new(board, &position, turn).unwrap();
        Claim { position, outcome, leaf: 9, walls: false }
    }

    #[test]
    fn a_claim_speaks_of_the_start_or_of_a_lost_answer() {
        let board = "4x4".parse().unwrap();
        assert_eq!(outcome(&claim(0, Outcome::Win), board), Some(Outcome::Win));
        assert_eq!(outcome(&claim(0, Outcome::Loss), board), Some(Outcome::Loss));
        assert_eq!(outcome(&claim(1, Outcome::Loss), board), Some(Outcome::Win));
        assert_eq!(outcome(&claim(1, Outcome::Win), board), None);
        assert_eq!(outcome(&claim(2, Outcome::Loss), board), None);
        assert_eq!(outcome(&claim(0, Outcome::Win), "4x5".parse().unwrap()), None);
    }
}
