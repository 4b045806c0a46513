//! A game and where it begins as a rules file.

use std::fmt::Write as _;

use crate::game::board::{Bitboard, Board, U512};
use crate::game::notation::square_text;
use crate::game::rules::{Colour, Setup};
use crate::game::variants::position::VariantPosition;
use crate::game::variants::rule_set::{Origin, RuleSet, Shot, Step};
use crate::game::variants::walls::{Side, Walls};

/// Why there is no rules file that begins with a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZrfWriteError {
    /// A part of a turn is made.
    #[error(
        "a rules file begins with a whole turn, found one of which {made} {} made",
        if *made == 1 { "move is" } else { "moves are" }
    )]
    InTurn {
        /// Its moves that are made.
        made: u8,
    },
}

/// Pixels of a square of the board.
const SIDE: usize = 49;
/// Pixels of a square that is for walls.
const EDGE: usize = 12;

/// The rules of a position and the position, where the game begins, as a rules file.
///
/// # Errors
/// [`ZrfWriteError`] within a turn.
pub fn zrf(start: &VariantPosition) -> Result<String, ZrfWriteError> {
    if start.made > 0 {
        return Err(ZrfWriteError::InTurn { made: start.made });
    }
    let (rules, board) = (start.rules, start.board());
    let kinds = Kinds::of(rules);
    let title = format!("{} on {board}", name(rules));
    let mut text = format!("; {title}: a rules file of Zillions of Games, written by amazons.\n");
    text += "; Who steps where no shot is possible, and so completes no turn, has lost.\n\n";
    text += &macros(rules, kinds);
    let _ = writeln!(text, "(game\n (title \"{title}\")\n (description \"{}\")", words(rules));
    text += " (players White Black)\n";
    text += &turn_order(start);
    text += " (loss-condition (White Black) stalemated)\n";
    text += &grid(board, kinds);
    text += &setup(start, kinds);
    text += &pieces(rules, kinds);
    text += ")\n";
    Ok(text)
}

/// What pieces there are.
#[derive(Clone, Copy)]
struct Kinds {
    amazon: &'static str,
    /// An amazon that has moved in the turn, where turns have several moves.
    tired: Option<&'static str>,
    obstacle: &'static str,
}

impl Kinds {
    fn of(rules: RuleSet) -> Self {
        let amazon = if rules.step == Step::Knight { "Cowboy" } else { "Amazon" };
        let obstacle = match rules.shot {
            Shot::Knight => "Bullethole",
            Shot::Queen => "Arrow",
            Shot::Wall => "Wall",
        };
        Self { amazon, tired: (!rules.turns.is_single()).then_some("Tired"), obstacle }
    }
}

/// The name of the rules, with their turns.
fn name(rules: RuleSet) -> String {
    match rules.named() {
        Some((name, None)) => name.to_string(),
        Some((name, Some(turns))) => format!("{name} with turns {turns}"),
        None => "a game".to_string(),
    }
}

/// The rules in words, without quotation marks.
fn words(rules: RuleSet) -> String {
    let step = match rules.step {
        Step::Queen => "along a queen's line over empty squares",
        Step::Capturing => {
            "along a queen's line over empty squares, or onto the first amazon met, of either \
             colour, which is removed"
        }
        Step::Knight => "by a knight's leap",
        Step::Neighbour => "one square along rank or file, not through a wall",
    };
    let origin = match rules.origin {
        Origin::Empty => "",
        Origin::Burns => " The square that it left burns before the shot.",
    };
    let shot = match rules.shot {
        Shot::Queen => "burns an empty square along a queen's line over empty squares",
        Shot::Knight => "burns an empty square a knight's leap away",
        Shot::Wall => "builds a wall on a side of its square that has none",
    };
    let turns = match rules.turns.is_single() {
        true => String::new(),
        false => format!(
            " The turns have {} moves and so on, each by a different amazon.",
            rules.turns.to_string().replace(',', ", ")
        ),
    };
    format!(
        "An amazon steps {step}.{origin} Then it {shot}. Who cannot complete a turn has lost.{turns}"
    )
}

/// The steps and shots in one direction.
fn macros(rules: RuleSet, kinds: Kinds) -> String {
    let add = kinds.tired.map_or("add".to_string(), |tired| format!("(add {tired})"));
    let burn = match rules.origin {
        Origin::Empty => String::new(),
        Origin::Burns => format!("mark (go from) (create {}) (go mark) ", kinds.obstacle),
    };
    let onto = match kinds.tired {
        None => format!("(piece? {})", kinds.amazon),
        Some(tired) => format!("(or (piece? {}) (piece? {tired}))", kinds.amazon),
    };
    let step = match rules.step {
        Step::Queen => format!("($1 (while empty? {burn}{add} $1))"),
        // An amazon that is taken is taken by the step onto its square.
        Step::Capturing => {
            format!("($1 (while empty? {burn}{add} $1) (verify {onto}) {burn}{add})")
        }
        Step::Knight => format!("($1 $2 (verify empty?) {burn}{add})"),
        Step::Neighbour => format!("($1 (verify empty?) $1 (verify empty?) {burn}{add})"),
    };
    let shot = |before: &str| match rules.shot {
        Shot::Queen => format!("((verify last-to?) $1 (while empty? {before}add $1))"),
        Shot::Knight => format!("((verify last-to?) $1 $2 (verify empty?) {before}add)"),
        Shot::Wall => format!("((verify last-to?) $1 (verify empty?) {before}add)"),
    };
    let mut text = format!("(define step {step})\n(define shoot {})\n", shot(""));
    if let Some(tired) = kinds.tired {
        let rest = format!("(if (piece? {tired}) (change-type {}))", kinds.amazon);
        let _ = writeln!(text, "(define rest {rest})");
        text += "(define rest-all a1 (while (on-board? next) (rest) next) (rest))\n";
        let _ = writeln!(text, "(define shoot-last {})", shot("mark (rest-all) (go mark) "));
    }
    text + "\n"
}

/// The moves of the turns, from that of the position on; the last turns of both sides repeat.
fn turn_order(start: &VariantPosition) -> String {
    let turns = start.rules.turns;
    let mut text = " (turn-order".to_string();
    let mut colour = start.turn();
    let mut add = |text: &mut String, number: u8| {
        let player = match colour {
            Colour::White => "White",
            Colour::Black => "Black",
        };
        let length = turns.length(number);
        for made in 1..=length {
            let last = made == length && !turns.is_single();
            let shot = if last { "last-shot" } else { "shot" };
            let _ = write!(text, "\n   ({player} normal) ({player} {shot})");
        }
        colour = colour.other();
    };
    (start.turn_number..turns.count()).for_each(|number| add(&mut text, number));
    if start.turn_number < turns.count() {
        text += "\n   repeat";
    }
    (0..2).for_each(|_| add(&mut text, turns.count()));
    text + "\n )\n"
}

/// The names of the files from the left or of the ranks from below, with those between for walls.
fn lines(count: usize, kinds: Kinds, name: impl Fn(usize) -> String, edge: char) -> Vec<String> {
    let walls = kinds.obstacle == "Wall";
    let line = |at: usize| {
        let between = (walls && at + 1 < count).then(|| format!("{}{edge}", name(at)));
        std::iter::once(name(at)).chain(between)
    };
    (0..count).flat_map(line).collect()
}

fn files(board: Board, kinds: Kinds) -> Vec<String> {
    let name = |file: usize| {
        let square = board.square(file, 0).expect("a file of the board");
        square_text(board, square).trim_end_matches('1').to_string()
    };
    lines(board.columns(), kinds, name, 'e')
}

fn ranks(board: Board, kinds: Kinds) -> Vec<String> {
    lines(board.rows(), kinds, |rank| (rank + 1).to_string(), 'n')
}

fn grid(board: Board, kinds: Kinds) -> String {
    let (files, mut ranks) = (files(board, kinds), ranks(board, kinds));
    let side = if kinds.obstacle == "Wall" { (SIDE + EDGE) / 2 } else { SIDE };
    let links = match kinds.tired {
        None => String::new(),
        Some(_) => format!("\n   (links next {})", links(&files, &ranks)),
    };
    ranks.reverse();
    format!(
        " (board\n  (grid\n   (start-rectangle 4 4 {end} {end})\n   (dimensions\n    (\"{}\" ({side} \
         0))\n    (\"{}\" (0 {side}))\n   )\n   (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0) (ne 1 \
         -1) (nw -1 -1) (se 1 1) (sw -1 1)){links}\n  )\n )\n",
        files.join("/"),
        ranks.join("/"),
        end = 4 + side,
    )
}

/// Every square to the one after it.
fn links(files: &[String], ranks: &[String]) -> String {
    let squares: Vec<String> = ranks
        .iter()
        .flat_map(|rank| files.iter().map(move |file| format!("{file}{rank}")))
        .collect();
    let pair = |pair: &[String]| format!("({} {})", pair[0], pair[1]);
    squares.windows(2).map(pair).collect::<Vec<_>>().join(" ")
}

fn setup(start: &VariantPosition, kinds: Kinds) -> String {
    let (board, Setup { white, black, arrows, .. }) = (start.board(), start.position().setup());
    let named = |set: Bitboard<U512>| -> String {
        set.iter().map(|square| format!(" {}", square_text(board, square))).collect()
    };
    let obstacles = named(arrows) + &walls(board, start.walls());
    let mut text = " (board-setup\n".to_string();
    for (player, amazons, obstacles) in
        [("White", white, obstacles), ("Black", black, String::new())]
    {
        let off = 2 * board.squares();
        let _ = write!(text, "  ({player}\n   ({} off {off}{obstacles})", kinds.obstacle);
        if !amazons.is_empty() {
            let _ = write!(text, "\n   ({}{})", kinds.amazon, named(amazons));
        }
        text += "\n  )\n";
    }
    text + " )\n"
}

/// The squares of walls, each named by the square south or west of it.
fn walls(board: Board, walls: Walls<U512>) -> String {
    let named = |(square, side)| {
        let name = square_text(board, square);
        let (file, rank) = name.split_at(1);
        match side {
            Side::North | Side::South => format!(" {file}{rank}n"),
            Side::East | Side::West => format!(" {file}e{rank}"),
        }
    };
    walls.iter().map(named).collect()
}

const QUEEN: [&str; 8] = ["n", "e", "s", "w", "ne", "nw", "se", "sw"];
const ROOK: [&str; 4] = ["n", "e", "s", "w"];
const KNIGHT: [&str; 8] = ["n ne", "n nw", "s se", "s sw", "e ne", "e se", "w nw", "w sw"];

fn pieces(rules: RuleSet, kinds: Kinds) -> String {
    let steps: &[&str] = match rules.step {
        Step::Queen | Step::Capturing => &QUEEN,
        Step::Knight => &KNIGHT,
        Step::Neighbour => &ROOK,
    };
    let shots: &[&str] = match rules.shot {
        Shot::Queen => &QUEEN,
        Shot::Knight => &KNIGHT,
        Shot::Wall => &ROOK,
    };
    let each = |name: &str, directions: &[&str]| -> String {
        directions.iter().map(|direction| format!(" ({name} {direction})")).collect()
    };
    let piece = |name: &str, image: [&str; 2], moves: &str| {
        let [white, black] = image.map(|image| format!("\"images\\Chess\\{image}.bmp\""));
        format!(" (piece\n  (name {name})\n  (image White {white} Black {black})\n{moves} )\n")
    };
    let image =
        if rules.step == Step::Knight { ["wknight", "bknight"] } else { ["wqueen", "bqueen"] };
    let moves = format!("  (moves (move-type normal){})\n", each("step", steps));
    let mut drops = format!("  (drops (move-type shot){}", each("shoot", shots));
    if kinds.tired.is_some() {
        let _ = write!(drops, " (move-type last-shot){}", each("shoot-last", shots));
    }
    drops += ")\n";
    let tired = kinds.tired.map_or(String::new(), |tired| piece(tired, image, ""));
    piece(kinds.amazon, image, &moves) + &tired + &piece(kinds.obstacle, ["block", "block"], &drops)
}

#[cfg(test)]
mod tests {
    use super::super::read_zrf;
    use super::*;
    use crate::game::variants::{parse_variant_fen, variant_fen};

    /// Every game, on boards with its known start and others.
    fn starts() -> Vec<VariantPosition> {
        let mut starts = Vec::new();
        for (_, rules) in RuleSet::NAMED {
            for board in ["4x4", "8x8", "10x10", "15x15", "20x12"] {
                starts.push(VariantPosition::start(rules, board.parse().unwrap(), None).unwrap());
            }
        }
        starts
    }

    #[test]
    fn starts_come_back() {
        for start in starts() {
            let text = zrf(&start).unwrap();
            let read = read_zrf(&text, start.rules).unwrap();
            assert_eq!(read.len(), 1);
            let title = format!("{} on {}", start.rules, start.board());
            assert_eq!((&read[0].title, read[0].position), (&title, start), "{text}");
        }
    }

    #[test]
    fn later_turns_come_back() {
        for turns in ["1,3,4", "2,1,2,1,2,1,2,1", "1,1,1,2", "4,4,3", "2"] {
            let rules = RuleSet::TURNS_134.with_turns(Some(turns.parse().unwrap()));
            for (number, side) in (1..=rules.turns.count()).flat_map(|n| [(n, 'w'), (n, 'b')]) {
                let fen = format!("1qq1/q2q/Q2Q/1QQ1 {side} {number}");
                let start = parse_variant_fen(&fen, rules).unwrap();
                let read = read_zrf(&zrf(&start).unwrap(), rules).unwrap();
                assert_eq!(variant_fen(&read[0].position), fen, "{turns}");
            }
        }
        // Of turns that are not those of the rules nothing is read.
        let start = parse_variant_fen("Qq w 2", RuleSet::TURNS_134).unwrap();
        let read = read_zrf(&zrf(&start).unwrap(), RuleSet::AMAZONS).unwrap();
        assert_eq!(variant_fen(&read[0].position), "Qq w");
    }

    #[test]
    fn files_say_the_rules() {
        let text = |fen: &str, rules| zrf(&parse_variant_fen(fen, rules).unwrap()).unwrap();
        let fen = "1qq1/q2*/Q2Q/1QQ1";
        let amazons = text(&format!("{fen} b"), RuleSet::AMAZONS);
        for part in [
            "(turn-order\n   (Black normal) (Black shot)\n   (White normal) (White shot)\n )",
            "(define step ($1 (while empty? add $1)))",
            "(Arrow off 32 d3)\n   (Amazon b1 c1 a2 d2)",
            "(\"a/b/c/d\" (49 0))\n    (\"4/3/2/1\" (0 49))",
        ] {
            assert!(amazons.contains(part), "{part}\n{amazons}");
        }
        let killer = text(&format!("{fen} w"), RuleSet::KILLER);
        assert!(killer.contains("(while empty? add $1) (verify (piece? Amazon)) add)"), "{killer}");
        let pencil = text(&format!("{fen} w"), RuleSet::PENCIL);
        assert!(pencil.contains("mark (go from) (create Arrow) (go mark) add $1"), "{pencil}");
        let cowboys = text(&format!("{fen} w"), RuleSet::COWBOYS);
        assert!(cowboys.contains("(shoot n ne) (shoot n nw)"), "{cowboys}");
        let turns = text(&format!("{fen} b 2"), RuleSet::TURNS_134);
        let order = "(turn-order\n   (Black normal) (Black shot)\n   (Black normal) (Black shot)\n   \
                     (Black normal) (Black last-shot)\n   repeat\n   (White normal) (White shot)";
        for part in [order, "(add Tired) $1", "(links next (a1 b1) (b1 c1)", "(shoot-last sw))"] {
            assert!(turns.contains(part), "{part}\n{turns}");
        }
        let walls = text("3/Q1q w 1 a1E,b1N", RuleSet::TROMAZONS);
        for part in ["(\"a/ae/b/be/c\"", "(\"2/1n/1\"", "(Wall off 12 b1n ae1)"] {
            assert!(walls.contains(part), "{part}\n{walls}");
        }
    }

    #[test]
    fn within_a_turn_there_is_no_file() {
        let fen = "1qq1/q2q/Q2Q/1QQ1 w 2+b1";
        let at = parse_variant_fen(fen, RuleSet::TURNS_134).unwrap();
        assert_eq!(variant_fen(&at), fen);
        let error = zrf(&at).unwrap_err().to_string();
        assert!(error.contains("a whole turn, found one of which 1 move is made"), "{error}");
    }
}
