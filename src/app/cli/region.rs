//! `amazons region`: the combinatorial value of local positions, alone or as a sum.

use std::fmt::Display;
use std::path::PathBuf;

use serde::Serialize;

use super::batch::answer_lines;
use super::context::{Context, Failure, OrFail};
use super::dead_ends;
use super::text::described::{Described, letter};
use crate::app::counted::Counted;
use crate::game::notation::{LocalPosition, move_text};
use crate::theory::limit::any;
use crate::theory::region::{LocalGame, Placed, Player};
use crate::theory::values::{Evaluator, OutcomeClass, SumPlay, Value, Values, ZugzwangSum};

/// Print the value, temperature and best moves of local positions; several are taken as a sum
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Rows from the top with '|' between them: x Left (Black), o Right (White), '.' empty, '#'
    /// burned; - reads a sum from each line, its positions separated by spaces, and answers in JSON;
    /// with --dead-ends a territory from each line
    #[arg(required = true, value_name = "ROWS")]
    rows: Vec<String>,

    /// Find the value of a sum, however long it takes. Without this, of a sum whose value is
    /// large only who wins is said
    #[arg(long)]
    value: bool,

    /// List the dead ends of territories, of one player's amazons each, and the defects that they
    /// prove: squares that nobody burns unless an amazon ends there. They are drawn with letters,
    /// each one's entrance as a capital
    #[arg(long, conflicts_with = "value")]
    dead_ends: bool,

    /// With --dead-ends: the picture to write, of one territory
    #[arg(long, value_name = "FILE", requires = "dead_ends")]
    svg: Option<PathBuf>,
}

/// Steps of arithmetic for the value of a sum that need not be found: some hundredths of a second.
const SUM_STEPS: u64 = 1 << 14;

#[derive(Serialize)]
struct Report {
    region: String,
    #[serde(flatten)]
    described: Described,
    left_moves: usize,
    right_moves: usize,
    left_best: Vec<String>,
    right_best: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
}

impl Report {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        context.print(format_args!("{}", self.described))?;
        if let Some(score) = &self.score {
            let by = |margin: i64| match margin {
                0.. => format!("Left wins by {margin}"),
                _ => format!("Right wins by {}", -1 - margin),
            };
            let (left, right) = (by(score.left_begins), by(score.right_begins));
            context
                .print(format_args!("score        {left} (Left begins), {right} (Right begins)"))?;
        }
        let line =
            |moves: &[String]| if moves.is_empty() { "none".to_string() } else { moves.join(" ") };
        context.print(format_args!(
            "Left         {}, best: {}",
            Counted(self.left_moves, "move"),
            line(&self.left_best)
        ))?;
        context.print(format_args!(
            "Right        {}, best: {}",
            Counted(self.right_moves, "move"),
            line(&self.right_best)
        ))
    }
}

/// Who wins, and by how many moves, when each side begins and a win matters first.
#[derive(Serialize)]
struct Score {
    left_begins: i64,
    right_begins: i64,
}

/// Who wins a sum whose value was not found, and by which moves.
#[derive(Serialize)]
struct OutcomeReport {
    region: String,
    #[serde(serialize_with = "letter")]
    outcome: OutcomeClass,
    left_moves: usize,
    right_moves: usize,
    left_winning: Vec<String>,
    right_winning: Vec<String>,
}

impl OutcomeReport {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        context.print("value        too large to be found soon: give --value")?;
        context.print(format_args!("outcome      {}", self.outcome))?;
        let line = |name: &str, moves: usize, winning: &[String]| {
            let winning = if winning.is_empty() { "none".to_string() } else { winning.join(" ") };
            let moves = Counted(moves, "move");
            context.print(format_args!("{name:<12} {moves}, winning: {winning}"))
        };
        line("Left", self.left_moves, &self.left_winning)?;
        line("Right", self.right_moves, &self.right_winning)
    }
}

/// What is said of a sum.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Value(Report),
    Outcome(OutcomeReport),
}

impl Answer {
    fn print(&self, context: &Context) -> Result<(), Failure> {
        match self {
            Self::Value(report) => report.print(context),
            Self::Outcome(report) => report.print(context),
        }
    }
}

/// A region of the sum with its value and every move in it.
struct Summand {
    value: Value,
    moves: [Vec<(String, Value)>; 2],
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    if args.dead_ends {
        return dead_ends::run(&args.rows, args.svg.as_deref(), context);
    }
    if args.rows.len() == 1 && args.rows[0] == "-" {
        let stop = context.stop_on_interrupt()?;
        let evaluator = context.evaluator(u64::MAX)?.with_stop(stop.clone());
        return answer_lines(&stop, |line| {
            let rows = read(line.split_whitespace())?;
            let sum = rows.iter().map(|rows| summand(&evaluator, rows));
            let sum: Vec<Summand> = sum.collect::<Result<_, _>>()?;
            answer(args, &evaluator, &rows, &sum)
        });
    }
    let rows = read(args.rows.iter().map(String::as_str))?;
    let evaluator = context.evaluator(u64::MAX)?;
    let mut sum = Vec::new();
    for one in &rows {
        match summand(&evaluator, one) {
            Ok(summand) => sum.push(summand),
            Err(failure) => {
                partial(&rows, &sum, evaluator.values(), context)?;
                return Err(failure);
            }
        }
    }
    if !context.json() && rows.len() > 1 {
        for (rows, summand) in rows.iter().zip(&sum) {
            let value = short_text(evaluator.values(), rows, summand.value)?;
            context.print(format_args!("{rows} = {value}"))?;
        }
    }
    answer(args, &evaluator, &rows, &sum)?.print(context)
}

/// The value of a region, or of a sum, as CGSuite writes it.
///
/// # Errors
/// A limit, if that is too long.
fn short_text(values: &Values, region: impl Display, value: Value) -> Result<String, Failure> {
    match values.is_writable(value) {
        true => Ok(values.short_text(value)),
        false => Err(Failure::limit(format!("the value of {region} is too long to be written"))),
    }
}

/// Local positions as the user writes them, each with a square that is not burned.
fn read<'a>(texts: impl Iterator<Item = &'a str>) -> Result<Vec<LocalPosition>, Failure> {
    let one = |text: &str| {
        let rows: LocalPosition = text.parse().or_usage()?;
        if rows.board.all().is_subset(rows.burned) {
            let words = format!("the region {rows} has no square that is not burned");
            return Err(Failure::usage(words));
        }
        Ok(rows)
    };
    texts.map(one).collect()
}

/// The value of a region or a sum; of a sum whose value would take long, who wins.
fn answer(
    args: &Args,
    evaluator: &Evaluator,
    rows: &[LocalPosition],
    sum: &[Summand],
) -> Result<Answer, Failure> {
    if args.value || rows.len() == 1 {
        return full_report(evaluator, rows, sum).map(Answer::Value);
    }
    evaluator.allow_steps(Some(SUM_STEPS));
    let report = full_report(evaluator, rows, sum);
    evaluator.allow_steps(None);
    match report {
        Ok(report) => Ok(Answer::Value(report)),
        Err(_) => outcome_report(evaluator, rows, sum).map(Answer::Outcome),
    }
}

fn outcome_report(
    evaluator: &Evaluator,
    rows: &[LocalPosition],
    sum: &[Summand],
) -> Result<OutcomeReport, Failure> {
    let mut play = SumPlay::new(evaluator);
    let values: Vec<Value> = sum.iter().map(|summand| summand.value).collect();
    let outcome = play.outcome(&values).or_limit()?;
    let mut winning = [Vec::new(), Vec::new()];
    for (player, list) in [Player::Left, Player::Right].into_iter().zip(&mut winning) {
        for (i, summand) in sum.iter().enumerate() {
            for (name, after) in &summand.moves[player as usize] {
                let mut left = values.clone();
                left[i] = *after;
                if !play.wins(&left, player.other()).or_limit()? {
                    list.push(format!("{}:{name}", i + 1));
                }
            }
        }
    }
    let count = |player: usize| sum.iter().map(|summand| summand.moves[player].len()).sum();
    let [left_winning, right_winning] = winning;
    let region = rows.iter().map(LocalPosition::to_string).collect::<Vec<_>>().join(" + ");
    let (left_moves, right_moves) = (count(0), count(1));
    Ok(OutcomeReport { region, outcome, left_moves, right_moves, left_winning, right_winning })
}

fn full_report(
    evaluator: &Evaluator,
    rows: &[LocalPosition],
    sum: &[Summand],
) -> Result<Report, Failure> {
    let mut report = report(evaluator, rows, sum)?;
    add_score(&mut report, evaluator, rows)?;
    Ok(report)
}

fn summand(evaluator: &Evaluator, rows: &LocalPosition) -> Result<Summand, Failure> {
    let parts = Placed::components(rows).or_limit()?;
    let part_values: Vec<Value> = parts
        .iter()
        .map(|part| evaluator.value_in_parallel(part.game()))
        .collect::<Result<_, _>>()
        .or_limit()?;
    let mut moves = [Vec::new(), Vec::new()];
    for (i, part) in parts.iter().enumerate() {
        let others =
            part_values.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &value)| value);
        let others = evaluator.total(others).or_limit()?;
        for (player, list) in [Player::Left, Player::Right].into_iter().zip(&mut moves) {
            for (played, after) in evaluator.moves(part.game(), player).or_limit()? {
                if let Some(played) = part.on_board(played) {
                    let after = evaluator.sum(others, after).or_limit()?;
                    list.push((move_text(rows.board, played), after));
                }
            }
        }
    }
    Ok(Summand { value: evaluator.total(part_values).or_limit()?, moves })
}

/// What is known of a sum when one of its regions is too large.
fn partial(
    rows: &[LocalPosition],
    sum: &[Summand],
    values: &Values,
    context: &Context,
) -> Result<(), Failure> {
    for (rows, summand) in rows.iter().zip(sum) {
        let value = short_text(values, rows, summand.value)?;
        context.remark(format_args!("partial result: {rows} = {value}"));
    }
    Ok(())
}

fn report(
    evaluator: &Evaluator,
    rows: &[LocalPosition],
    sum: &[Summand],
) -> Result<Report, Failure> {
    let region = rows.iter().map(LocalPosition::to_string).collect::<Vec<_>>().join(" + ");
    let values = evaluator.values();
    let total = evaluator.total(sum.iter().map(|summand| summand.value)).or_limit()?;
    short_text(values, &region, total)?;
    evaluator.thermograph(total).or_limit()?;
    // Its outcome is asked for where nothing more can be refused.
    evaluator.le(total, Value::ZERO).or_limit()?;
    evaluator.le(Value::ZERO, total).or_limit()?;
    let moves = [all_moves(evaluator, sum, 0)?, all_moves(evaluator, sum, 1)?];
    let best = |player: usize| best_moves(evaluator, &moves[player], player);
    Ok(Report {
        region,
        described: Described::new(values, total),
        left_moves: moves[0].len(),
        right_moves: moves[1].len(),
        left_best: best(0)?,
        right_best: best(1)?,
        score: None,
    })
}

/// The winner's spare moves, for sums of territories and zugzwangs; the best moves are then those
/// that keep them.
fn add_score(
    report: &mut Report,
    evaluator: &Evaluator,
    rows: &[LocalPosition],
) -> Result<(), Failure> {
    let mut parts = Vec::new();
    for (region, rows) in rows.iter().enumerate() {
        parts.extend(Placed::components(rows).or_limit()?.into_iter().map(|part| (region, part)));
    }
    let games: Vec<LocalGame> = parts.iter().map(|(_, part)| *part.game()).collect();
    let Some(sum) = ZugzwangSum::of(evaluator, &games).or_limit()? else { return Ok(()) };
    for (player, best) in
        [(Player::Left, &mut report.left_best), (Player::Right, &mut report.right_best)]
    {
        let keeping = moves_with_margin(evaluator, rows, &parts, player, sum.margin(player))?;
        if !keeping.is_empty() {
            *best = keeping;
        }
    }
    report.score = Some(Score {
        left_begins: sum.margin(Player::Left),
        right_begins: sum.margin(Player::Right),
    });
    Ok(())
}

/// The moves after which the sum has this margin with the other player to move.
fn moves_with_margin(
    evaluator: &Evaluator,
    rows: &[LocalPosition],
    parts: &[(usize, Placed)],
    player: Player,
    margin: i64,
) -> Result<Vec<String>, Failure> {
    let mut moves = Vec::new();
    for (i, (region, part)) in parts.iter().enumerate() {
        let mut afters = Vec::new();
        part.game().for_each_move(player, |played, after| afters.push((played, after)));
        for (played, after) in afters {
            let others = parts
                .iter()
                .enumerate()
                .filter(|&(j, _)| j != i)
                .map(|(_, (_, part))| *part.game());
            let mut games: Vec<LocalGame> = others.collect();
            after.for_each_component(|component| games.push(component));
            let sum = ZugzwangSum::of(evaluator, &games).or_limit()?;
            if sum.is_some_and(|sum| sum.margin(player.other()) == margin)
                && let Some(on_board) = part.on_board(played)
            {
                let name = move_text(rows[*region].board, on_board);
                moves.push(if rows.len() > 1 { format!("{}:{name}", region + 1) } else { name });
            }
        }
    }
    Ok(moves)
}

/// A player's moves in the sum, named by region where there are several, each with the value of the
/// whole after.
fn all_moves(
    evaluator: &Evaluator,
    sum: &[Summand],
    player: usize,
) -> Result<Vec<(String, Value)>, Failure> {
    let mut moves = Vec::new();
    for (i, summand) in sum.iter().enumerate() {
        let others = sum.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, other)| other.value);
        let others = evaluator.total(others).or_limit()?;
        for (name, after) in &summand.moves[player] {
            let name = if sum.len() > 1 { format!("{}:{name}", i + 1) } else { name.clone() };
            moves.push((name, evaluator.sum(others, *after).or_limit()?));
        }
    }
    Ok(moves)
}

/// The moves that no other move beats.
fn best_moves(
    evaluator: &Evaluator,
    moves: &[(String, Value)],
    player: usize,
) -> Result<Vec<String>, Failure> {
    let worse = |a: Value, b: Value| {
        let (a, b) = if player == 0 { (a, b) } else { (b, a) };
        Ok::<_, Failure>(a != b && evaluator.le(a, b).or_limit()?)
    };
    let mut distinct: Vec<Value> = moves.iter().map(|&(_, value)| value).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut best = Vec::new();
    for &value in &distinct {
        if !any(&distinct, |other| worse(value, other))? {
            best.push(value);
        }
    }
    let kept = moves.iter().filter(|(_, value)| best.contains(value));
    Ok(kept.map(|(name, _)| name.clone()).collect())
}
