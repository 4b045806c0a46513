//! `amazons annotate` by other rules than those of Amazons: what each move of a list was worth.

use super::arguments::Args;
use super::report::{MoveReport, Report, mark_name};
use crate::app::annotation::{
    Mark, MoveTree as _, alternatives, capital, certain, find_all, knows_all_moves, mark, winning,
};
use crate::app::cli::arguments::rules::for_amazons_only;
use crate::app::cli::context::{Context, Failure};
use crate::app::cli::files::record;
use crate::app::cli::sources::known::knowledge_by;
use crate::app::cli::sources::variant_position_solver::VariantPositionSolver;
use crate::app::value::Value;
use crate::game::Outcome;
use crate::game::variants::{RuleSet, SingleMove, VariantPosition, VariantRecord, variant_fen};
use crate::knowledge::{Basis, Finding};
use crate::machine::progress::Observer;

/// What is found of a position and reported of it, beside its moves.
const POSITION_BYTES: u64 = 1024;
/// What is found of a move.
const MOVE_BYTES: u64 = 64;

/// Says what each move of a game by these rules was worth.
pub(super) fn run(args: &Args, rules: RuleSet, context: &Context) -> Result<(), Failure> {
    refuse_missing(args, rules)?;
    let game = &record::read_variant(&args.game, rules, context)?;
    let stop = context.stop_on_interrupt()?;
    let knowledge = &knowledge_by(rules, &args.tables, context)?;
    let positions = || (0..game.count()).map(|at| game.position(at));
    let bytes = |at: &VariantPosition| POSITION_BYTES + MOVE_BYTES * at.moves().len() as u64;
    context.set_aside("annotating this game", positions().map(bytes).sum())?;
    let mut solver = VariantPositionSolver::new(game.start(), args.time, context, &stop)?;
    let progress = context.progress();
    progress.begin("annotate", game.count() as u64, "positions");
    let findings = find_all(game, |at| {
        let position = game.position(at);
        let finding = solver.solve(position, knowledge)?;
        progress.add(1);
        Ok::<_, Failure>(finding)
    })?;
    drop(progress);
    if stop.is_set() {
        return Err(Failure::limit("interrupted: nothing was written"));
    }
    let report = report(game, rules, &findings);
    report.print(context)?;
    if report.says_nothing() {
        let advice = match game.start().board().fits::<u64>() {
            true => "give more --time",
            false => "boards of more than 64 squares are not searched by these rules",
        };
        return Err(Failure::limit(format!("nothing is known of any position: {advice}")));
    }
    Ok(())
}

/// Refuses what is there by the rules of Amazons only.
fn refuse_missing(args: &Args, rules: RuleSet) -> Result<(), Failure> {
    let missing = [
        (args.margins.is_some(), "--margins"),
        (args.out.is_some(), "--out"),
        (args.estimate_nodes.is_some(), "--estimate-nodes"),
        (args.estimate_time.is_some(), "--estimate-time"),
        (args.svg.is_some(), "--svg"),
        (args.graph.is_some(), "--graph"),
    ];
    match missing.into_iter().find(|(asked, _)| *asked) {
        Some((_, what)) => Err(for_amazons_only(what, rules)),
        None => Ok(()),
    }
}

/// What was found out about the game.
fn report(game: &VariantRecord, rules: RuleSet, findings: &[Finding<SingleMove>]) -> Report {
    let moves: Vec<MoveReport> =
        (1..game.count()).map(|at| move_report(game, at, findings)).collect();
    let mut report = Report {
        game: 1,
        rules: Some(rules.to_string()),
        board: game.start().board().to_string(),
        start: variant_fen(game.start()),
        start_value: Value::of(findings[0].value()),
        positions: findings.len(),
        known: findings.iter().filter(|finding| finding.value().is_some()).count(),
        blunders: moves.iter().filter(|played| played.mark == Some("blunder")).count(),
        moves,
        story: story(game, findings),
        lines: Vec::new(),
    };
    report.lines = report.first_lines();
    report.lines.extend(
        blunders(game, findings).map(|(at, instead)| format!("  {}: {instead}", title(game, at))),
    );
    report
}

fn move_report(game: &VariantRecord, at: usize, findings: &[Finding<SingleMove>]) -> MoveReport {
    let (before, after) = (&findings[at - 1], &findings[at]);
    let won = before.value() == Some(Outcome::Win);
    let text = |played: SingleMove| game.move_text(played);
    MoveReport {
        number: at,
        played: text(game.moves()[at - 1]),
        side: game.position(at - 1).turn().to_string(),
        position: variant_fen(game.position(at)),
        value: Value::of(after.value().map(|value| game.of_maker(at, value))),
        basis: after.basis().map(Basis::to_string),
        main_line: true,
        mark: mark(game, at, findings).map(mark_name),
        winning_moves: won.then(|| winning(before).into_iter().map(text).collect()),
        all_winning_moves_known: won.then(|| knows_all_moves(before)),
        ..MoveReport::default()
    }
}

/// The moves that threw a win away, and what would have won.
fn blunders<'a>(
    game: &'a VariantRecord,
    findings: &'a [Finding<SingleMove>],
) -> impl Iterator<Item = (usize, String)> + 'a {
    let thrown = move |&at: &usize| mark(game, at, findings) == Some(Mark::Blunder);
    let instead = move |at| (at, alternatives(game, at, findings).unwrap_or_default());
    (1..game.count()).filter(thrown).map(instead)
}

/// How the game ended, since when that was certain, and the first move that threw a win away.
fn story(game: &VariantRecord, findings: &[Finding<SingleMove>]) -> [String; 3] {
    let winner =
        |at: usize| findings[at].value().map(|outcome| outcome.winner(game.position(at).turn()));
    let ended = match winner(game.count() - 1) {
        Some(winner) => format!("{} wins.", capital(winner)),
        None => "At its end the game is open.".to_string(),
    };
    let line: Vec<usize> = (0..game.count()).collect();
    let named = |at: usize| (at > 0).then(|| title(game, at));
    [ended, certain(&line, winner, findings, named), first_blunder(game, findings)]
}

fn first_blunder(game: &VariantRecord, findings: &[Finding<SingleMove>]) -> String {
    match blunders(game, findings).next() {
        None => "No move is known to throw a win away.".to_string(),
        Some((at, _)) => format!("The first that threw a win away is {}.", title(game, at)),
    }
}

/// `move 23, black e4-e5/e6`.
fn title(game: &VariantRecord, at: usize) -> String {
    let side = game.position(at - 1).turn();
    format!("move {at}, {side} {}", game.move_text(game.moves()[at - 1]))
}
