//! `amazons verify results`: solves again what the results directory claims.

use std::path::Path;
use std::time::Instant;

use super::verify::finish;
use super::{Context, Failure, OrFail};
use crate::progress::Observer;
use crate::retrograde::{BuildOptions, build};
use crate::rules::{ColouredPosition, start};
use crate::search::{Settings, Solver};
use crate::table::Table;
use crate::verify::results::{Claims, claims};
use crate::verify::table::Report;
use crate::verify::verdicts::{Method, Verdict, verdicts};

/// What was compared.
#[derive(Default)]
struct Comparison {
    report: Report,
    wrong: Vec<String>,
}

impl Comparison {
    fn add(&mut self, checked: u64, wrong: Vec<String>) {
        self.report.checked += checked;
        self.report.mismatches += wrong.len() as u64;
        self.wrong.extend(wrong);
    }
}

/// Builds every board with figures in a temporary directory and compares them, and every verdict with its table or
/// with a proof search.
pub(super) fn run(directory: &Path, context: &Context) -> Result<(), Failure> {
    let began = Instant::now();
    let mut verdicts = verdicts(directory).or_failed()?;
    let mut comparison = Comparison::default();
    for claims in claims(directory).or_failed()? {
        figures(&claims, &mut verdicts, context, &mut comparison)?;
    }
    for verdict in &verdicts {
        let wrong = match verdict.method {
            Method::Tables => Some(format!("{}: no figures of its board are here", verdict.board)),
            Method::Proof => by_proof(verdict, context)?,
        };
        comparison.add(1, wrong.into_iter().collect());
    }
    finish(directory, &comparison.report, "figures", began, context)?;
    match comparison.wrong.first() {
        None => Ok(()),
        Some(first) => {
            Err(Failure::failed(format!("{} figures are wrong, the first: {first}", comparison.wrong.len())))
        }
    }
}

/// Builds one board; compares its figures, and takes the verdicts that its table answers from the list.
fn figures(
    claims: &Claims,
    verdicts: &mut Vec<Verdict>,
    context: &Context,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let tables = tempfile::tempdir().or_failed()?;
    let progress = context.progress();
    progress.line(&format!("{} {}", claims.board, claims.amazons));
    let options = BuildOptions::new(context.memory());
    let manifest =
        build(tables.path(), claims.board, claims.amazons, &options, &progress, &stop).or_failed()?;
    drop(progress);
    comparison.add(claims.len() as u64, claims.differences(&manifest));
    let table = Table::open(tables.path()).or_failed()?;
    let mut left = Vec::new();
    for verdict in verdicts.drain(..) {
        let position = start(verdict.board).or_failed()?;
        if verdict.method == Method::Tables && table.answers(&position) {
            comparison.add(1, by_table(&verdict, &table, &position)?.into_iter().collect());
        } else {
            left.push(verdict);
        }
    }
    *verdicts = left;
    Ok(())
}

/// What the table says otherwise.
fn by_table(
    verdict: &Verdict,
    table: &Table,
    position: &ColouredPosition,
) -> Result<Option<String>, Failure> {
    let answer = table.answer(position).or_failed()?;
    let winning = answer.moves.iter().filter(|(_, wins)| *wins).count();
    let agrees =
        answer.wins == verdict.first_wins && verdict.winning_first_moves.is_none_or(|moves| moves == winning);
    Ok((!agrees).then(|| format!("{}: found {winning} winning first moves", verdict.board)))
}

/// What the search says otherwise.
fn by_proof(verdict: &Verdict, context: &Context) -> Result<Option<String>, Failure> {
    let settings = Settings { table_bytes: context.memory() / 9 * 8, threads: context.threads(), seed: 0 };
    let stop = context.stop_on_interrupt()?;
    let mut solver = Solver::new(verdict.board, settings, stop).or_failed()?;
    let position = start(verdict.board).or_failed()?;
    let unfit = || Failure::failed(format!("{} is too large for the search", verdict.board));
    let wins = solver.solve(&position.position().ok_or_else(unfit)?).or_failed()?;
    let wins = wins.ok_or_else(|| Failure::limit("verification was interrupted"))?;
    Ok((wins != verdict.first_wins).then(|| format!("{}: the proof says otherwise", verdict.board)))
}
