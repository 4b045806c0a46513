//! `amazons score`: what each side has left of a game, and so by how much it is won.

use std::iter;
use std::ops::Add;

use serde::Serialize;

use super::batch::answer_lines;
use super::position_args::PositionArgs;
use super::{Context, Failure};
use crate::app::parts::ahead;
use crate::game::board::Kings;
use crate::game::notation::fen;
use crate::game::rules::{Colour, Position};
use crate::theory::region::Territories;
use crate::theory::region::partition::{Component, MoveBounds, partition};

/// Count what each side has left: the score of a game that is decided, bounds before that; - reads
/// positions by the line and answers in JSON
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    given: PositionArgs,
}

/// Moves, at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Range(i32, i32);

impl Add for Range {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl From<MoveBounds> for Range {
    fn from(bounds: MoveBounds) -> Self {
        Self(bounds.least, bounds.most)
    }
}

#[derive(Debug, Serialize)]
struct Report {
    position: String,
    board: String,
    side_to_move: String,
    /// The moves of each side in what it holds, and in what is contested.
    white_moves: Range,
    black_moves: Range,
    /// White's moves less Black's, whoever moves next.
    white_ahead: Range,
    /// Whether the difference is known.
    settled: bool,
    /// Who wins by these bounds.
    winner: Option<String>,
}

/// Longest plays are remembered of regions of few squares, nearly all of which are filled at the
/// first try.
const REMEMBERED: u64 = 8 << 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    context.set_aside("counting what is left", REMEMBERED)?;
    if args.given.is_dash()? {
        let stop = context.stop_on_interrupt()?;
        return answer_lines(&stop, |line| Ok(Report::of(&args.given.read_line(line)?.position)));
    }
    let report = Report::of(&args.given.read()?.position);
    if context.json() {
        return context.print_json(&report);
    }
    report.lines().try_for_each(|line| context.print(line))
}

impl Report {
    fn of(position: &Position) -> Self {
        let kings = Kings::<u128>::new(position.board()).expect("every board fits 128 bits");
        // Left is Black, as in the values of regions.
        let (left, right) = (position.amazons(Colour::Black), position.amazons(Colour::White));
        let empty = kings.all().without(left | right | position.setup().arrows);
        let components = partition(&kings, &Territories::new(), left, right, empty);
        let parts = || components.iter().flat_map(|component| &component.parts);
        let sum = |ranges: &mut dyn Iterator<Item = Range>| ranges.fold(Range(0, 0), Range::add);
        let lead = |component: &Component<u128>| Range(-component.high, -component.low);
        let white_ahead = sum(&mut components.iter().map(lead));
        Self {
            position: fen(position),
            board: position.board().to_string(),
            side_to_move: position.turn().to_string(),
            white_moves: sum(&mut parts().map(|part| part.right.into())),
            black_moves: sum(&mut parts().map(|part| part.left.into())),
            white_ahead,
            settled: white_ahead.0 == white_ahead.1,
            winner: winner(white_ahead, position.turn()).map(|colour| colour.to_string()),
        }
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let (white, black) = (moves(self.white_moves), moves(self.black_moves));
        let Range(least, most) = self.white_ahead;
        let difference = match (&self.winner, self.settled) {
            (Some(winner), true) if least != 0 => format!("{winner} wins by {}", least.abs()),
            // Nobody has more moves: who must move runs out of them first.
            (Some(winner), true) => {
                format!("even, and {} is to move: {winner} wins", self.side_to_move)
            }
            (Some(winner), false) => format!("{winner} wins: {}", ahead(least, most)),
            (None, _) => format!("not decided: {}", ahead(least, most)),
        };
        iter::once(format!("white has {white} left, black {black}")).chain([difference])
    }
}

/// Who wins, if the difference of moves tells it: the side to move must be ahead to win.
fn winner(Range(least, most): Range, turn: Colour) -> Option<Colour> {
    let (least, most) = match turn {
        Colour::White => (least, most),
        Colour::Black => (-most, -least),
    };
    match () {
        () if least > 0 => Some(turn),
        () if most <= 0 => Some(turn.other()),
        () => None,
    }
}

/// `8 moves`, `3 to 5 moves`.
fn moves(Range(least, most): Range) -> String {
    match (least, most) {
        (1, 1) => "1 move".to_string(),
        (least, most) if least == most => format!("{least} moves"),
        (least, most) => format!("{least} to {most} moves"),
    }
}
