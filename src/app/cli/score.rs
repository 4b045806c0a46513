//! `amazons score`: what each side has left of a game, and so by how much it is won.

use std::time::Duration;

use serde::Serialize;

use super::arguments::position::PositionArgs;
use super::arguments::rules::RulesArgs;
use super::batch::answer_lines;
use super::context::{Context, Failure, OrFail};
use super::sources::known;
use super::sources::position_solver::{PositionSolver, SearchTime};
use super::sources::variant_position_solver::VariantPositionSolver;
use crate::app::counted::Counted;
use crate::app::input;
use crate::app::parts::ahead;
use crate::game::board::{Word, in_word};
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
use crate::game::variants::{RuleSet, VariantPosition, variant_fen};
use crate::knowledge::{Finding, Knowledge, TablesOracle};
use crate::machine::progress::StopFlag;
use crate::search::variants::Sight;
use crate::theory::region::partition::{Component, MoveBounds};
use crate::theory::region::{Lead, components_of};

/// Count what each side has left: the score of a game that is decided, bounds before that; - reads
/// positions by the line and answers in JSON
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: PositionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Search for this long who wins, where the bounds do not tell and there is a search for the
    /// position; 0s searches nothing
    #[arg(long, value_name = "DURATION", value_parser = input::duration, default_value = "0s")]
    time: Duration,
}

#[derive(Debug, Serialize)]
struct Report {
    position: String,
    /// The rules, unless they are those of Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    board: String,
    side_to_move: String,
    /// The moves of each side in what it holds and in what is contested, at least and at most.
    white_moves: [i32; 2],
    black_moves: [i32; 2],
    /// White's moves less Black's, whoever moves next.
    white_ahead_at_least: i32,
    white_ahead_at_most: i32,
    /// Who wins by these bounds, or by `basis`.
    winner: Option<String>,
    /// What the winner is known by, where these bounds do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<String>,
}

/// Longest plays are remembered of regions of few squares, nearly all of which are filled at the
/// first try.
const REMEMBERED: u64 = 8 << 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    // Who has too little is told of both.
    context.left("counting what is left", REMEMBERED + known::KNOWN_BYTES)?;
    context.set_aside("counting what is left", REMEMBERED)?;
    known::set_aside(context)?;
    let knowledge = Knowledge::default();
    if let Some(rules) = args.rules.variant() {
        return run_variant(args, rules, &knowledge, context);
    }
    if args.given.is_dash()? {
        let stop = context.stop_on_interrupt()?;
        return answer_lines(&stop, |line| {
            let position = args.given.read_line(line)?.position;
            Report::of(&position).known(args, &position, &knowledge, &stop, context)
        });
    }
    let position = args.given.read()?.position;
    let stop = context.stop_on_interrupt()?;
    let report = Report::of(&position).known(args, &position, &knowledge, &stop, context)?;
    report.print_to_end(&stop, context)
}

/// As [`run`], by other rules.
fn run_variant(
    args: &Args,
    rules: RuleSet,
    knowledge: &Knowledge,
    context: &Context,
) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let report = |position: &VariantPosition| {
        let report = Report::of_variant(position)?;
        report.known_of_variant(args, position, knowledge, &stop, context)
    };
    if args.given.is_dash()? {
        return answer_lines(&stop, |line| report(&args.given.read_variant_line(line, rules)?));
    }
    report(&args.given.read_variant(rules)?)?.print_to_end(&stop, context)
}

impl Report {
    fn of(position: &Position) -> Self {
        in_word!(position.board(), W => Self::of_components(position, &components_of::<W>(position)))
    }

    fn of_components<W: Word>(position: &Position, components: &[Component<W>]) -> Self {
        let parts = || components.iter().flat_map(|component| &component.parts);
        let black = Lead::of(components);
        let white = black.reversed();
        let (turn, Lead { least, most }) = (position.turn(), white);
        let outcome = if turn == Colour::White { white } else { black }.outcome();
        Self {
            position: fen(position),
            rules: None,
            board: position.board().to_string(),
            side_to_move: turn.to_string(),
            white_moves: total(parts().map(|part| part.right)),
            black_moves: total(parts().map(|part| part.left)),
            white_ahead_at_least: least,
            white_ahead_at_most: most,
            winner: outcome.map(|outcome| outcome.winner(turn).to_string()),
            basis: None,
        }
    }

    /// Of a position by other rules, where what is left can be counted.
    fn of_variant(position: &VariantPosition) -> Result<Self, Failure> {
        let (board, rules, turn) = (position.board(), position.rules(), position.turn());
        let sight = Sight::new(board, rules).or_usage()?;
        let left = position.state().and_then(|state| sight.moves_left(&state)).ok_or_else(|| {
            Failure::usage(format!(
                "what each side has left is counted where every turn has one move, found {rules}; \
                 `amazons solve --rules {rules}` says who wins"
            ))
        })?;
        let with_contested = |[least, most]: [i32; 2]| [least, most + left.contested];
        let sides = [left.mover, left.opponent].map(with_contested);
        let ([white, black], [least, most]) = match (turn, left.lead()) {
            (Colour::White, lead) => (sides, lead),
            (Colour::Black, [least, most]) => ([sides[1], sides[0]], [-most, -least]),
        };
        Ok(Self {
            position: variant_fen(position),
            rules: Some(rules.to_string()),
            board: board.to_string(),
            side_to_move: turn.to_string(),
            white_moves: white,
            black_moves: black,
            white_ahead_at_least: least,
            white_ahead_at_most: most,
            winner: left.outcome().map(|outcome| outcome.winner(turn).to_string()),
            basis: None,
        })
    }

    /// As [`Self::known`], by other rules.
    fn known_of_variant(
        self,
        args: &Args,
        position: &VariantPosition,
        knowledge: &Knowledge,
        stop: &StopFlag,
        context: &Context,
    ) -> Result<Self, Failure> {
        if self.winner.is_some() {
            return Ok(self);
        }
        let mut solver = VariantPositionSolver::new(position, args.time, context, stop)?;
        Ok(self.with(&solver.solve(position, knowledge)?, position.turn()))
    }

    /// The same with the winner that a finding tells.
    fn with<M: Copy + Ord>(self, finding: &Finding<M>, turn: Colour) -> Self {
        let Some((outcome, basis)) = finding.value().zip(finding.basis()) else { return self };
        let winner = outcome.winner(turn).to_string();
        Self { winner: Some(winner), basis: Some(basis.to_string()), ..self }
    }

    /// The same with the winner that is known otherwise or that a search finds, where the bounds
    /// do not tell.
    fn known(
        self,
        args: &Args,
        position: &Position,
        knowledge: &Knowledge,
        stop: &StopFlag,
        context: &Context,
    ) -> Result<Self, Failure> {
        if self.winner.is_some() {
            return Ok(self);
        }
        let oracle = TablesOracle::new(knowledge.tables(position.board()));
        let time = SearchTime { value: args.time, margin: Duration::ZERO };
        let mut solver = PositionSolver::new(knowledge, &oracle, time, context, stop.clone())?;
        Ok(self.with(&solver.solve(position)?, position.turn()))
    }

    /// Prints it; an interruption that left the winner unknown is a limit.
    fn print_to_end(&self, stop: &StopFlag, context: &Context) -> Result<(), Failure> {
        self.print(context)?;
        match self.winner.is_none() && stop.is_set() {
            true => Err(Failure::limit("interrupted before the winner was found")),
            false => Ok(()),
        }
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        self.lines().into_iter().try_for_each(|line| context.print(line))
    }

    fn lines(&self) -> [String; 2] {
        let (white, black) = (moves(self.white_moves), moves(self.black_moves));
        let (least, most) = (self.white_ahead_at_least, self.white_ahead_at_most);
        let difference = match &self.winner {
            None => format!("not decided: {}", ahead(least, most)),
            Some(winner) if let Some(basis) = &self.basis => {
                format!("{winner} wins, {basis}; what is left says {}", ahead(least, most))
            }
            Some(winner) if least != most => format!("{winner} wins: {}", ahead(least, most)),
            // Nobody has more moves: who must move runs out of them first.
            Some(winner) if least == 0 => {
                format!("even, and {} is to move: {winner} wins", self.side_to_move)
            }
            // What is said of a margin counts on who is to move; this does not.
            Some(winner) => format!("{winner} wins, {} ahead", Counted(least.abs(), "move")),
        };
        [format!("white has {white} left, black {black}"), difference]
    }
}

fn total(bounds: impl Iterator<Item = MoveBounds>) -> [i32; 2] {
    bounds.fold([0, 0], |[least, most], part| [least + part.least, most + part.most])
}

/// `8 moves`, `3 to 5 moves`.
fn moves([least, most]: [i32; 2]) -> String {
    match (least, most) {
        (least, most) if least == most => Counted(least, "move").to_string(),
        (least, most) => format!("{least} to {most} moves"),
    }
}
