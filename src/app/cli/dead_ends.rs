//! `amazons region --dead-ends`: the dead ends of territories.

use std::path::Path;

use serde::Serialize;

use super::batch::answer_lines;
use super::context::{Context, Failure, OrFail};
use super::files::output;
use crate::app::counted::{Counted, by_count};
use crate::game::notation::LocalPosition;
use crate::machine::bits::ones;
use crate::machine::shown::Shown as _;
use crate::theory::region::{
    DeadEnd, LocalGame, Placed, Player, Territories, dead_end_bound, dead_ends, dead_ends_svg,
};

/// The most squares of a territory whose exact defects are searched.
const MOST_SEARCHED: u32 = 15;

/// One territory.
#[derive(Serialize)]
struct Report {
    region: String,
    amazons: u32,
    dead_ends: Vec<DeadEndReport>,
    /// The rows, with a letter on each square of a dead end and its capital on the entrance.
    diagram: Vec<String>,
    defects_at_least: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    defects: Option<u32>,
}

#[derive(Serialize)]
struct DeadEndReport {
    squares: u32,
    defects: u32,
}

/// Lists the dead ends of each territory of some rows, and draws those of the only one. With `-` in
/// place of rows, those of the one territory of each line of standard input.
pub(super) fn run(rows: &[String], svg: Option<&Path>, context: &Context) -> Result<(), Failure> {
    if rows == ["-"] {
        return answer_each_line(svg, context);
    }
    let territories = territories(rows.iter().map(String::as_str))?;
    let drawn = match (svg, territories.as_slice()) {
        (None, _) => None,
        (Some(file), [game]) => Some((file, game)),
        (Some(_), more) => {
            let found = more.len();
            return Err(Failure::usage(format!("--svg draws one territory, found {found}")));
        }
    };
    // A file that cannot be written is refused before anything is said.
    if let Some((file, game)) = drawn {
        output::write(file, dead_ends_svg(game, &dead_ends(game)).as_bytes())?;
        context.remark(format_args!("wrote {}", file.shown()));
    }
    for game in &territories {
        Report::of(game).print(context)?;
    }
    Ok(())
}

fn answer_each_line(svg: Option<&Path>, context: &Context) -> Result<(), Failure> {
    if svg.is_some() {
        return Err(Failure::usage("--svg draws one territory: expected ROWS, found -"));
    }
    answer_lines(&context.stop_on_interrupt()?, |line| {
        match territories(line.split_whitespace())?.as_slice() {
            [game] => Ok(Report::of(game)),
            more => {
                let found = more.len();
                Err(Failure::usage(format!("expected one territory on a line, found {found}")))
            }
        }
    })
}

/// The territories of some rows, at least one.
fn territories<'a>(rows: impl Iterator<Item = &'a str>) -> Result<Vec<LocalGame>, Failure> {
    let mut territories = Vec::new();
    for text in rows {
        let position: LocalPosition = text.parse().or_usage()?;
        for part in Placed::components(&position).or_limit()? {
            territories.push(territory(part.game())?);
        }
    }
    match territories.is_empty() {
        false => Ok(territories),
        true => Err(Failure::usage("expected territories with amazons, found none")),
    }
}

/// A part as a territory of Left's.
fn territory(game: &LocalGame) -> Result<LocalGame, Failure> {
    match (game.amazons(Player::Left), game.amazons(Player::Right)) {
        (_, 0) => Ok(*game),
        (0, _) => Ok(game.negative()),
        _ => Err(Failure::usage(format!(
            "a territory has the amazons of one player, found those of both in {game}"
        ))),
    }
}

impl Report {
    fn of(game: &LocalGame) -> Self {
        let ends = dead_ends(game);
        let searched = game.squares().count_ones() <= MOST_SEARCHED;
        Self {
            region: game.to_string(),
            amazons: game.amazons(Player::Left).count_ones(),
            diagram: diagram(game, &ends),
            defects_at_least: dead_end_bound(game),
            defects: searched.then(|| Territories::new().defects(game)),
            dead_ends: ends
                .iter()
                .map(|end| DeadEndReport {
                    squares: end.squares.count_ones(),
                    defects: end.defects,
                })
                .collect(),
        }
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        self.diagram.iter().try_for_each(|row| context.print(row))?;
        for (letter, end) in ('a'..='z').cycle().zip(&self.dead_ends) {
            let DeadEndReport { squares, defects } = end;
            let stay = by_count(*defects, "stays", "stay");
            let squares = Counted(*squares, "square");
            context.print(format_args!("{letter}  {squares}, {defects} {stay} empty"))?;
        }
        let exact = self.defects.map_or(String::new(), |defects| format!("; it has {defects}"));
        context.print(format_args!(
            "{}, {}: at least {}{exact}",
            Counted(self.dead_ends.len(), "dead end"),
            Counted(self.amazons, "amazon"),
            Counted(self.defects_at_least, "defect")
        ))
    }
}

/// The rows of a territory. Where dead ends lie in each other, a square has the letter of the last.
fn diagram(game: &LocalGame, ends: &[DeadEnd]) -> Vec<String> {
    let cells = game.cells();
    let width = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
    let height = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
    let mut rows = vec![vec!['#'; width]; height];
    for bit in ones(game.squares()) {
        let (row, column) = game.place(bit);
        let amazon = game.empty() >> bit & 1 == 0;
        rows[row][column] = if amazon { 'x' } else { '.' };
        for (letter, end) in ('a'..='z').cycle().zip(ends) {
            if end.entrance >> bit & 1 != 0 && !amazon {
                rows[row][column] = letter.to_ascii_uppercase();
            }
            if end.squares >> bit & 1 != 0 {
                rows[row][column] = letter;
            }
        }
    }
    rows.into_iter().map(String::from_iter).collect()
}
