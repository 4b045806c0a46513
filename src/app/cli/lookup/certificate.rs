//! `amazons lookup --certificate`: what the strategy of a certificate does in a position.

use std::io::BufReader;
use std::path::Path;

use serde::Serialize;

use super::arguments::Args;
use super::report::{MoveReport, Moves, Report};
use crate::app::cli::batch::answer_lines_together;
use crate::app::cli::context::failure::as_word;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::kind::{FileKind, expect_there};
use crate::app::counted::Counted;
use crate::app::input;
use crate::app::value::Value;
use crate::game::notation::fen;
use crate::game::rules::Position;
use crate::game::{Move, Outcome};
use crate::machine::pieces;
use crate::machine::progress::StopFlag;
use crate::machine::shown::Shown as _;
use crate::proof::{CertificateAnswer, CertificateLookupError, CertificateStrategy, look_up};

/// Lines that are answered at a time: the file is read once for all of them.
const MOST_LINES: u64 = 4096;
/// Memory of a line while it is answered: positions of 64 squares with many amazons have up to some
/// 4,000 moves, each with what is listed after it and an answer, 190 bytes in all.
const LINE_MEMORY: u64 = 1 << 20;
/// Memory for a frame of the file, packed and not, and for judging leaves.
const FILE_MEMORY: u64 = 8 << 20;

/// Looks positions up in a certificate of Amazons.
pub(super) fn run(args: &Args, path: &Path, context: &Context) -> Result<(), Failure> {
    if args.rules.variant().is_some() {
        return Err(Failure::usage("--certificate is for the rules of amazons"));
    }
    context.set_aside("reading a certificate", FILE_MEMORY)?;
    let memory = context.left("looking positions up", LINE_MEMORY)?;
    let most = (memory / LINE_MEMORY).min(MOST_LINES) as usize;
    let stop = context.stop_on_interrupt()?;
    let strategies = Strategies { path, stop: &stop };
    if args.is_dash() {
        return answer_lines(args, &strategies, most);
    }
    // All positions are read before anything is printed.
    let positions = args.positions();
    let positions: Vec<Position> =
        positions.iter().map(|text| read(args, text)).collect::<Result<_, _>>()?;
    for some in positions.chunks(most) {
        for (position, strategy) in some.iter().zip(strategies.of(some)?) {
            report(args, position, &strategy?).print(context)?;
        }
    }
    Ok(())
}

/// Answers lines of standard input, at most so many at a time.
fn answer_lines(args: &Args, strategies: &Strategies<'_>, most: usize) -> Result<(), Failure> {
    // What is damaged is found out before a line is read.
    strategies.of(&[])?;
    answer_lines_together(strategies.stop, most, |lines| {
        let positions: Vec<_> = lines.iter().map(|line| read(args, line)).collect();
        let good: Vec<Position> = positions.iter().flatten().copied().collect();
        let mut strategies = match strategies.of(&good) {
            Ok(strategies) => strategies.into_iter(),
            Err(failure) => return lines.iter().map(|_| Err(failure.clone())).collect(),
        };
        let mut answer = |position| {
            let strategy = strategies.next().expect("a strategy for each")?;
            Ok(report(args, &position, &strategy))
        };
        positions.into_iter().map(|position| position.and_then(&mut answer)).collect()
    })
}

fn read(args: &Args, text: &str) -> Result<Position, Failure> {
    input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
}

/// The strategies of a certificate.
struct Strategies<'a> {
    path: &'a Path,
    stop: &'a StopFlag,
}

impl Strategies<'_> {
    /// One for each position.
    fn of(
        &self,
        positions: &[Position],
    ) -> Result<Vec<Result<CertificateAnswer, Failure>>, Failure> {
        let first = pieces::beginning(self.path);
        expect_there(&first)?;
        FileKind::Certificate.expect(&first)?;
        let path = self.path.shown();
        let file = pieces::open(self.path)
            .map_err(|error| Failure::failed(format!("cannot read {path}: {error}")))?;
        let strategies = look_up(BufReader::new(file), positions, self.stop);
        let strategies = strategies.map_err(|error| self.failure(&error))?;
        let each = |strategy: Result<_, _>| strategy.map_err(|error| self.failure(&error));
        Ok(strategies.into_iter().map(each).collect())
    }

    /// Why a certificate says nothing of a position.
    fn failure(&self, error: &CertificateLookupError) -> Failure {
        let path = self.path.shown();
        match error {
            CertificateLookupError::Stopped => Failure::limit(error.to_string()),
            // Of the position that it is about it has to say something.
            CertificateLookupError::Unknown { position, claim }
                if *position == fen(&claim.position) =>
            {
                let word = as_word(self.path);
                Failure::failed(format!("{path}: {error}; `amazons verify {word}` says more"))
            }
            CertificateLookupError::Unknown { .. } | CertificateLookupError::OtherBoard(_) => {
                Failure::usage(format!("{path}: {error}"))
            }
            _ => Failure::of_file(self.path, error),
        }
    }
}

/// A report of what the winner of a certificate does.
#[derive(Serialize)]
#[serde(transparent)]
struct StrategyReport(Report);

fn report(args: &Args, position: &Position, answer: &CertificateAnswer) -> StrategyReport {
    let of_move = |played: Move, outcome: Outcome, answer: Option<Move>| MoveReport {
        played: played.to_string(),
        value: Value::of(Some(outcome)),
        margin: None,
        answer: answer.map(|answer| answer.to_string()),
    };
    let (outcome, moves) = match &answer.strategy {
        CertificateStrategy::Win(played) => {
            (Outcome::Win, played.map(|played| vec![of_move(played, Outcome::Win, None)]))
        }
        CertificateStrategy::Loss(moves) => {
            let lost = |&(played, answer)| of_move(played, Outcome::Loss, answer);
            (Outcome::Loss, Some(moves.iter().map(lost).collect()))
        }
    };
    let moves = if args.values_only { Moves::NotAskedFor } else { Moves::Asked(moves) };
    let (position, turn) = (fen(position), position.turn());
    StrategyReport(Report {
        position,
        rules: None,
        value: Value::of(Some(outcome)),
        basis: Some(answer.basis.to_string()),
        margin: None,
        moves,
        turn,
    })
}

impl StrategyReport {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        let Report { position, value, moves, turn, basis, .. } = &self.0;
        let basis = basis.as_deref().unwrap_or_default();
        context.print(format_args!("{position}: {value} for {turn}, {basis}"))?;
        let moves = match moves {
            Moves::NotAskedFor => return Ok(()),
            Moves::Asked(None) => return context.print("  the wall rule names no move"),
            Moves::Asked(Some(moves)) => moves,
        };
        if let Some(MoveReport { played, .. }) = moves.iter().find(|m| m.value == Value::Win) {
            return context.print(format_args!("  {played} wins"));
        }
        let all = Counted(moves.len(), "move");
        context.print(format_args!("  none of {all} wins; each with its answer:"))?;
        moves.iter().try_for_each(|MoveReport { played, answer, .. }| {
            let answer = answer.as_deref().unwrap_or("by the wall rule");
            context.print(format_args!("  {played} {answer}"))
        })
    }
}
