//! `amazons lookup --certificate`: what the strategy of a certificate does in a position.

use std::io::BufReader;
use std::path::Path;

use super::{Args, MoveReport, Moves, Report, by_position};
use crate::app::cli::batch::answer_lines_together;
use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::cli::files::kind::{FileKind, expect_there};
use crate::app::input;
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
use crate::game::{Move, Outcome};
use crate::machine::files::open_regular;
use crate::machine::progress::StopFlag;
use crate::proof::{CertificateLookupError, CertificateStrategy, look_up};

/// Lines that are answered at a time: the file is read once for all of them.
const MOST_LINES: u64 = 4096;
/// Memory of a line while it is answered: positions of 64 squares with many amazons have up to some
/// 4,000 moves, each with what is listed after it and an answer, 190 bytes in all.
const LINE_MEMORY: u64 = 1 << 20;
/// Memory for a frame of the file, packed and not, and for judging leaves.
const FILE_MEMORY: u64 = 8 << 20;

/// Looks positions up in a certificate of Amazons.
pub(in crate::app::cli) fn run(args: &Args, path: &Path, context: &Context) -> Result<(), Failure> {
    if args.rules.variant().is_some() {
        return Err(Failure::usage("--certificate is for the rules of amazons"));
    }
    context.set_aside("reading a certificate", FILE_MEMORY)?;
    let memory = context.left("looking positions up", LINE_MEMORY)?;
    let most = (memory / LINE_MEMORY).min(MOST_LINES) as usize;
    let position = |text: &str| {
        input::position_and_moves(text, args.amazons).map(|(position, _)| position).or_usage()
    };
    let stop = context.stop_on_interrupt()?;
    let strategies = Strategies { path, stop: &stop };
    let report = |position: &Position, strategy: &CertificateStrategy| {
        report(position, strategy, args.values_only)
    };
    if args.words.len() == 1 && args.words[0] == "-" {
        // What is damaged is found out before a line is read.
        strategies.of(&[])?;
        return answer_lines_together(&stop, most, |lines| {
            let asked: Vec<_> = lines.iter().map(|line| position(line)).collect();
            let good: Vec<Position> = asked.iter().flatten().copied().collect();
            let mut strategies = match strategies.of(&good) {
                Ok(strategies) => strategies.into_iter(),
                Err(failure) => return lines.iter().map(|_| Err(failure.clone())).collect(),
            };
            let mut answer = |position| {
                let strategy = strategies.next().expect("a strategy for each")?;
                Ok(report(&position, &strategy))
            };
            asked.into_iter().map(|asked| asked.and_then(&mut answer)).collect()
        });
    }
    // All positions are read before anything is printed.
    let asked = by_position(&args.words);
    let asked: Vec<Position> = asked.iter().map(|text| position(text)).collect::<Result<_, _>>()?;
    for some in asked.chunks(most) {
        for (position, strategy) in some.iter().zip(strategies.of(some)?) {
            let report = report(position, &strategy?);
            if context.json() {
                context.print_json(&report)?;
            } else {
                print(&report, position.turn(), context)?;
            }
        }
    }
    Ok(())
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
    ) -> Result<Vec<Result<CertificateStrategy, Failure>>, Failure> {
        let path = self.path.display();
        let cannot = |error| Failure::failed(format!("cannot read {path}: {error}"));
        expect_there(self.path)?;
        FileKind::Certificate.expect(self.path)?;
        let told = |error: CertificateLookupError| match &error {
            CertificateLookupError::Stopped => Failure::limit(error.to_string()),
            // Of the position that it is about it has to say something.
            CertificateLookupError::Unknown { position, claim }
                if *position == fen(&claim.position) =>
            {
                Failure::failed(format!("{path}: {error}; `amazons verify {path}` says more"))
            }
            CertificateLookupError::Unknown { .. } | CertificateLookupError::OtherBoard(_) => {
                Failure::usage(format!("{path}: {error}"))
            }
            _ => Failure::failed(format!("{path}: {error}")),
        };
        let file = open_regular(self.path).map_err(cannot)?;
        let found = look_up(BufReader::new(file), positions, self.stop).map_err(told)?;
        Ok(found.into_iter().map(|found| found.map_err(told)).collect())
    }
}

fn report(position: &Position, strategy: &CertificateStrategy, values_only: bool) -> Report {
    let of_move = |played: Move, outcome: Outcome, answer: Option<Move>| MoveReport {
        played: played.to_string(),
        value: outcome.as_str(),
        answer: answer.map(|answer| answer.to_string()),
    };
    let (outcome, moves) = match strategy {
        CertificateStrategy::Win(played) => {
            (Outcome::Win, played.map(|played| vec![of_move(played, Outcome::Win, None)]))
        }
        CertificateStrategy::Loss(moves) => {
            let answered = |&(played, answer)| of_move(played, Outcome::Loss, answer);
            (Outcome::Loss, Some(moves.iter().map(answered).collect()))
        }
    };
    let moves = if values_only { Moves::NotAskedFor } else { Moves::Asked(moves) };
    Report { position: fen(position), rules: None, value: outcome.as_str(), moves }
}

fn print(report: &Report, turn: Colour, context: &Context) -> Result<(), Failure> {
    let Report { position, value, moves, .. } = report;
    context.print(format_args!("{position}: {value} for {turn}, by the certificate"))?;
    let moves = match moves {
        Moves::NotAskedFor => return Ok(()),
        Moves::Asked(None) => return context.print("  the wall rule names no move"),
        Moves::Asked(Some(moves)) => moves,
    };
    if let Some(MoveReport { played, .. }) = moves.iter().find(|m| m.value == "win") {
        return context.print(format_args!("  {played} wins"));
    }
    context.print(format_args!("  none of {} moves wins; each with its answer:", moves.len()))?;
    moves.iter().try_for_each(|MoveReport { played, answer, .. }| {
        let answer = answer.as_deref().unwrap_or("by the wall rule");
        context.print(format_args!("  {played} {answer}"))
    })
}
