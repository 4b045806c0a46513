//! Blockers that need not block: `cargo run --release --example blocker -- SIZE A B` goes through
//! all positions of SIZE squares with one amazon a side in which play ends at A if Left begins and
//! at B if Right does. It prints those in which a best move lets the other side into what the
//! amazon had walled off, with one such move played, and only those with the value given by a
//! fourth number, if there is one. Without numbers it shows that there is none of 5 squares.

use std::collections::BTreeSet;
use std::error::Error;

use amazons::Evaluator;
use amazons::theory::region::{Cell, Growth, LocalGame, Player};
use amazons::theory::values::{Dyadic, Value, Values};

/// Row and column.
type Place = (usize, usize);

/// What stands where, for one side and the other.
struct Sides {
    empty: BTreeSet<Place>,
    mine: BTreeSet<Place>,
    theirs: BTreeSet<Place>,
}

impl Sides {
    fn of(game: &LocalGame, player: Player) -> Self {
        let cells = game.cells();
        let places = |wanted: Cell| {
            let found = cells.iter().filter(move |cell| cell.2 == wanted);
            found.map(|&(row, column, _)| (row, column)).collect()
        };
        Self {
            empty: places(Cell::Empty),
            mine: places(Cell::Amazon(player)),
            theirs: places(Cell::Amazon(player.other())),
        }
    }

    /// Where the other side comes over these free squares, in any number of moves.
    fn entered(&self, free: &BTreeSet<Place>) -> BTreeSet<Place> {
        let (mut entered, mut open) = (BTreeSet::new(), Vec::from_iter(self.theirs.clone()));
        while let Some((row, column)) = open.pop() {
            let beside = (row.saturating_sub(1)..=row + 1)
                .flat_map(|row| (column.saturating_sub(1)..=column + 1).map(move |c| (row, c)));
            open.extend(beside.filter(|place| free.contains(place) && entered.insert(*place)));
        }
        entered
    }

    /// The empty squares that the other side would reach if no amazon of this side stood there.
    fn walled_off(&self) -> BTreeSet<Place> {
        let lifted = self.entered(&(&self.empty | &self.mine));
        &(&lifted - &self.entered(&self.empty)) - &self.mine
    }
}

/// Where play ends after a move.
fn end(values: &Values, player: Player, value: Value) -> Dyadic {
    match player {
        Player::Left => values.right_stop(value),
        Player::Right => values.left_stop(value),
    }
}

/// What a best move of the player leaves that opens its wall, if it is best to come to `wanted`.
fn opened(
    evaluator: &Evaluator,
    game: &LocalGame,
    player: Player,
    wanted: Dyadic,
) -> Result<Option<LocalGame>, Box<dyn Error>> {
    let walled_off = Sides::of(game, player).walled_off();
    let mut after = Vec::new();
    game.for_each_move(player, |_, left| after.push(left));
    for left in after {
        let sides = Sides::of(&left, player);
        let opens = !sides.entered(&sides.empty).is_disjoint(&walled_off);
        if opens && end(evaluator.values(), player, evaluator.value(&left)?) == wanted {
            return Ok(Some(left));
        }
    }
    Ok(None)
}

/// Where play ends if the player begins, if it can.
fn best(
    evaluator: &Evaluator,
    game: &LocalGame,
    player: Player,
) -> Result<Option<Dyadic>, Box<dyn Error>> {
    let moves = evaluator.moves(game, player)?.into_iter();
    let ends = moves.map(|(_, value)| end(evaluator.values(), player, value));
    Ok(if player == Player::Left { ends.max() } else { ends.min() })
}

/// A position with those ends, and what is left where a best move opens a wall.
fn judge(
    evaluator: &Evaluator,
    game: &LocalGame,
    wanted: [Dyadic; 2],
) -> Result<Option<LocalGame>, Box<dyn Error>> {
    let players = [Player::Left, Player::Right];
    if players.iter().all(|&player| Sides::of(game, player).walled_off().is_empty()) {
        return Ok(None);
    }
    for (player, wanted) in players.into_iter().zip(wanted) {
        if best(evaluator, game, player)? != Some(wanted) {
            return Ok(None);
        }
    }
    for (player, wanted) in players.into_iter().zip(wanted) {
        let found = opened(evaluator, game, player, wanted)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<Vec<i32>, _>>();
    let numbers = numbers.map_err(|_| "expected whole numbers: SIZE A B, perhaps a value")?;
    let (size, ends, value) = match numbers[..] {
        // What takes a moment: there is none as small.
        [] => (5, [3, 5], Some(4)),
        [size @ 1..=15, a, b] => (size as usize, [a, b], None),
        [size @ 1..=15, a, b, value] => (size as usize, [a, b], Some(value)),
        _ => return Err("expected SIZE from 1 to 15, A and B, perhaps a value".into()),
    };
    let (wanted, evaluator) = (ends.map(Dyadic::integer), Evaluator::new());
    let mut found = 0;
    for task in Growth::tasks(size) {
        let mut games = BTreeSet::new();
        task.for_each(size, &mut |region| {
            let pairs = (0..size).flat_map(|left| (0..size).map(move |right| (left, right)));
            let pairs = pairs.filter(|(left, right)| left != right);
            let games_of = pairs.map(|(l, r)| LocalGame::on_region(&region, 1 << l, 1 << r));
            games.extend(games_of.map(|game| game.canonical_shape()));
        });
        for game in games {
            let Some(after) = judge(&evaluator, &game, wanted)? else { continue };
            let of_game = evaluator.value(&game)?;
            if value.is_some_and(|value| evaluator.values().integer(value) != of_game) {
                continue;
            }
            let values = [of_game, evaluator.value(&after)?];
            let [before, left] = values.map(|value| evaluator.values().short_text(value));
            println!("{game}  value {before}, then {after} with {left}");
            found += 1;
        }
    }
    println!("{found} of {size} squares");
    assert!(found == 0 || size > 5, "a smaller one than any that was found before");
    Ok(())
}
