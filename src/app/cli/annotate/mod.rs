//! `amazons annotate`: what every move of a game is worth.

mod arguments;
mod found;
mod picture;
mod report;
mod variant;

pub(super) use arguments::Args;
use found::Found;
use picture::{graph, picture};
use report::Report;

use super::context::failure::with_advice;
use super::context::{Context, Failure, OrFail};
use super::files::record::{self, is_dash};
use super::files::{output, overwriting};
use super::sources::known::knowledge;
use super::sources::position_solver::{PositionSolver, SearchTime};
use crate::app::annotation::{Cost, Estimate, Estimator, annotate, carry, course, find_all};
use crate::game::ThresholdRange;
use crate::game::notation::sgf::{Game, NodeId, Tree, games_text};
use crate::knowledge::{Finding, Knowledge, TablesOracle};
use crate::machine::progress::{Observer, StopFlag};
use crate::search::{GroundTooLarge, SolverError};

/// Costly moves that are named.
const COSTLY: usize = 5;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if let Some(rules) = args.rules.variant() {
        return variant::run(args, rules, context);
    }
    let to_stdout = args.out.as_deref().map_or(!context.json(), is_dash);
    if to_stdout && context.json() {
        return Err(Failure::usage(
            "--json and --out - both write to standard output: give --out a FILE",
        ));
    }
    let out = args.out.as_deref().filter(|path| !is_dash(path));
    let files = [out, args.svg.as_deref(), args.graph.as_deref()];
    let game = Some(&args.game).filter(|path| !is_dash(path));
    overwriting::refuse(args.tables.iter().chain(game), files.into_iter().flatten())?;
    let mut games = record::read(&args.game, context)?;
    for path in files.into_iter().flatten() {
        output::writable(path)?;
    }
    let stop = context.stop_on_interrupt()?;
    let knowledge = knowledge(&args.tables, context)?;
    context.set_aside("annotating these games", findings_bytes(args, &games))?;
    let mut found = Vec::new();
    for game in &mut games {
        let Judged { findings, estimates, ranges } = judge(args, game, &knowledge, &stop, context)?;
        let (standings, costly) = course(game, &findings, &estimates, COSTLY);
        let costs: Vec<Option<Cost>> = ranges.map_or(Vec::new(), |ranges| {
            game.tree().ids().map(|id| Cost::of(game, id, &ranges)).collect()
        });
        annotate(game, &findings, &estimates, &costly, &costs);
        found.push(Found { findings, estimates, standings, costly, costs });
    }
    let numbered = (1..).zip(games.iter().zip(&found));
    let reports: Vec<Report> =
        numbered.map(|(number, (game, found))| Report::of(game, number, found)).collect();
    let text = games_text(&games);
    if let Some(path) = files[0] {
        output::write(path, text.as_bytes())?;
    }
    if let Some(path) = files[1] {
        output::write(path, picture(&games, &found).as_bytes())?;
    }
    if let Some(path) = files[2] {
        output::write(path, graph(&games[0], &found[0])?.as_bytes())?;
    }
    for report in &reports {
        if to_stdout { report.remark(context) } else { report.print(context)? }
    }
    if to_stdout {
        context.print(text.trim_end())?;
    }
    if reports.iter().all(Report::says_nothing) {
        let is_searched = |game: &Game| {
            game.tree().ids().any(|id| GroundTooLarge::check(game.position(id)).is_ok())
        };
        let advice = match games.iter().any(is_searched) {
            true => "give more --time",
            false => "no search takes so many squares",
        };
        return Err(Failure::limit(format!("nothing is known of any position: {advice}")));
    }
    Ok(())
}

/// Bytes of what is found of every position: its winning moves, and reports of them.
fn findings_bytes(args: &Args, games: &[Game]) -> u64 {
    let drawn = if args.svg.is_some() { 48 << 10 } else { 0 };
    let of_game = |game: &Game| -> u64 {
        let moves = |id: NodeId| game.position(id).moves().len() as u64;
        game.tree().ids().map(|id| 1024 + 64 * moves(id) + drawn).sum()
    };
    games.iter().map(of_game).sum()
}

/// What is known of all positions of a game, and the estimates of those of which nothing is.
struct Judged {
    findings: Vec<Finding>,
    estimates: Vec<Option<Estimate>>,
    /// Between what the threshold of each lies, if that was asked for.
    ranges: Option<Vec<ThresholdRange>>,
}

/// Judges all positions of a game.
fn judge(
    args: &Args,
    game: &Game,
    knowledge: &Knowledge,
    stop: &StopFlag,
    context: &Context,
) -> Result<Judged, Failure> {
    let board = game.position(Tree::ROOT).board();
    let oracle = TablesOracle::new(knowledge.tables(board));
    let time = SearchTime { value: args.time, margin: args.margins.unwrap_or_default() };
    let mut solver = PositionSolver::new(knowledge, &oracle, time, context, stop.clone())?;
    solver.expect(game.tree().main_line().into_iter().map(|id| game.position(id)))?;
    let estimator = args.estimate().map(|limits| Estimator::new(board, limits, stop.clone()));
    let mut estimator = estimator.transpose().or_failed()?;
    let mut estimates = vec![None; game.tree().len()];
    let progress = context.progress();
    let rounds = 1 + u64::from(args.margins.is_some());
    progress.begin("annotate", rounds * game.tree().len() as u64, "positions");
    let ids: Vec<NodeId> = game.tree().ids().collect();
    let findings = find_all(game, |at| {
        let position = game.position(ids[at]);
        let mut finding = solver.solve(position)?;
        if let Some(estimator) = estimator.as_mut().filter(|_| finding.value().is_none()) {
            estimates[at] = estimator.estimate(position, &mut finding).or_failed()?;
        }
        progress.add(1);
        Ok::<_, Failure>(finding)
    });
    let mut findings = findings?;
    let ranges = args.margins.map(|_| {
        let all = ids.iter().map(|&id| {
            progress.add(1);
            solver.margin(game.position(id), &mut findings[id.index()])
        });
        all.collect::<Result<Vec<_>, _>>()
    });
    let mut ranges = ranges.transpose()?;
    drop(progress);
    // The search of margins may have found who wins.
    carry(game, &mut findings).or_failed()?;
    for (range, finding) in ranges.iter_mut().flatten().zip(&findings) {
        let Some(value) = finding.value() else { continue };
        *range = range.with(0, value).ok_or(SolverError::Contradiction).or_failed()?;
    }
    check(&oracle)?;
    if stop.is_set() {
        return Err(Failure::limit("interrupted: nothing was written"));
    }
    // What a continuation decides needs no estimate.
    for (estimate, finding) in estimates.iter_mut().zip(&findings) {
        estimate.take_if(|_| finding.value().is_some());
    }
    Ok(Judged { findings, estimates, ranges })
}

/// Fails if a table was found damaged: no answer rests on it, but the user has to know.
fn check(oracle: &TablesOracle) -> Result<(), Failure> {
    oracle.damage().map_or(Ok(()), |damage| Err(Failure::failed(with_advice(damage))))
}
