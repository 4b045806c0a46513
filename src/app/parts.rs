//! The parts of a position as `amazons show --regions` and the explorer name and list them.

use serde::Serialize;

use crate::game::board::{Bitboard, Word, in_word};
use crate::game::notation::{Area, LocalPosition, square_text};
use crate::game::rules::{Colour, Position};
use crate::theory::region::partition::{Component, MoveBounds, Part};
use crate::theory::region::{Placed, Player, components_of};
use crate::theory::values::Evaluator;

/// Components of more empty squares get no exact value: it could take minutes.
const VALUED: usize = 9;
/// All parts of a position.
#[derive(Debug, Serialize)]
pub struct Parts {
    components: Vec<ComponentReport>,
    #[serde(skip)]
    areas: Vec<Area>,
}

/// A component: who is ahead by how many moves, White's counted positive.
#[derive(Debug, Serialize)]
struct ComponentReport {
    squares: usize,
    parts: Vec<PartReport>,
    blockers: Vec<String>,
    white_ahead_at_least: i32,
    white_ahead_at_most: i32,
    /// Its combinatorial value, with Black as Left; absent for large components.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

#[derive(Debug, Serialize)]
struct PartReport {
    label: char,
    owner: Option<String>,
    empty: usize,
    /// The empty squares.
    squares: Vec<String>,
    amazons: Vec<String>,
    white_moves: [i32; 2],
    black_moves: [i32; 2],
}

/// Labels in the order they are given: letters that stand for nothing else in a diagram, then
/// digits.
fn labels() -> impl Iterator<Item = char> {
    ('a'..='z').chain('A'..='Z').filter(|letter| !"qQ".contains(*letter)).chain('0'..='9')
}

fn colour(player: Player) -> Colour {
    match player {
        Player::Left => Colour::Black,
        Player::Right => Colour::White,
    }
}

impl Parts {
    /// Parts a position; `evaluator` finds exact values of small components.
    pub fn of(position: &Position, evaluator: &Evaluator) -> Self {
        in_word!(position.board(), W => Self::in_word::<W>(position, evaluator))
    }

    /// As [`Self::of`], in a word that fits the board.
    fn in_word<W: Word>(position: &Position, evaluator: &Evaluator) -> Self {
        let (mut names, mut areas, mut components) = (labels(), Vec::new(), Vec::new());
        for component in &components_of::<W>(position) {
            let mut parts = Vec::new();
            for part in &component.parts {
                let label = names.next().unwrap_or('?');
                let squares = part.empty.widen();
                let owner = part.owner.map(colour);
                areas.push(Area { squares, owner, label: label.to_string() });
                parts.push(part_report(position, part, label));
            }
            components.push(ComponentReport {
                squares: component.squares.len(),
                parts,
                blockers: named(position, component.blockers),
                white_ahead_at_least: -component.high,
                white_ahead_at_most: -component.low,
                value: value(evaluator, position, component),
            });
        }
        Self { components, areas }
    }

    /// The parts as a picture has them.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// The legend.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec!["part  owner      squares  white's moves  black's moves".to_string()];
        for component in &self.components {
            lines.extend(component.parts.iter().map(PartReport::line));
            let labels: String = component.parts.iter().map(|part| part.label).collect();
            let (low, high) = (component.white_ahead_at_least, component.white_ahead_at_most);
            let value = component
                .value
                .as_ref()
                .map_or(String::new(), |value| format!(", value {value} with Black as Left"));
            lines.push(format!("together {labels}: {}{value}", ahead(low, high)));
        }
        lines
    }
}

/// Who is ahead, in words; White's moves are positive.
pub fn ahead(low: i32, high: i32) -> String {
    let by = |moves: i32| match moves {
        0 => "even".to_string(),
        1.. => format!("white ahead by {moves}"),
        _ => format!("black ahead by {}", -moves),
    };
    if low == high {
        format!("exactly {}", by(low))
    } else {
        format!("from {} to {}", by(low), by(high))
    }
}

impl PartReport {
    fn line(&self) -> String {
        let owner = self.owner.as_deref().unwrap_or("contested");
        let range = |[least, most]: [i32; 2]| match least == most {
            true => least.to_string(),
            false => format!("{least} to {most}"),
        };
        let (white, black) = (range(self.white_moves), range(self.black_moves));
        let line =
            format!("{:<4}  {owner:<9}  {:>7}  {white:<13}  {black:<13}", self.label, self.empty);
        let amazons = self.amazons.join(" ");
        if amazons.is_empty() {
            line.trim_end().to_string()
        } else {
            format!("{line}  with {amazons}")
        }
    }
}

fn part_report<W: Word>(position: &Position, part: &Part<W>, label: char) -> PartReport {
    let range = |MoveBounds { least, most }: MoveBounds| [least, most];
    PartReport {
        label,
        owner: part.owner.map(|player| colour(player).to_string()),
        empty: part.empty.len(),
        squares: named(position, part.empty),
        amazons: named(position, part.amazons | part.assigned),
        white_moves: range(part.right),
        black_moves: range(part.left),
    }
}

fn named<W: Word>(position: &Position, set: Bitboard<W>) -> Vec<String> {
    set.iter().map(|square| square_text(position.board(), square)).collect()
}

/// The exact value of a component that is small.
fn value<W: Word>(
    evaluator: &Evaluator,
    position: &Position,
    component: &Component<W>,
) -> Option<String> {
    let empty: usize = component.parts.iter().map(|part| part.empty.len()).sum();
    if empty > VALUED {
        return None;
    }
    let whole = LocalPosition::of(position);
    let outside = position.board().all().without(component.squares.widen());
    let alone = LocalPosition {
        left: whole.left.without(outside),
        right: whole.right.without(outside),
        burned: whole.burned | outside,
        ..whole
    };
    let placed = Placed::components(&alone).ok()?;
    let value = evaluator.value(placed.first()?.game()).ok()?;
    evaluator.values().is_writable(value).then(|| evaluator.values().text(value))
}
