//! What a table would cost that answers what a search does not find soon.

use std::path::Path;

use crate::app::cli::context::Context;
use crate::app::cli::files::free_disk;
use crate::app::cli::text::quantity;
use crate::game::board::Board;
use crate::game::rules::{Amazons, Position};
use crate::tables::index::TableSubject;
use crate::tables::retrograde::Plan;

/// What this machine has.
struct Machine {
    memory: u64,
    disk: Option<u64>,
    threads: usize,
}

/// The command that builds a table of the position's board and amazons, and what it takes; `None`
/// if this machine cannot hold it.
pub(super) fn of(position: &Position, context: &Context) -> Option<String> {
    let disk = free_disk::free(Path::new("."));
    let machine = Machine { memory: context.memory(), disk, threads: context.threads() };
    on(&machine, position.board(), position.sides())
}

fn on(machine: &Machine, board: Board, amazons: Amazons) -> Option<String> {
    let plan = Plan::new(TableSubject::of_amazons(board, amazons))?;
    plan.memory_least().filter(|&least| least <= machine.memory)?;
    let bytes = plan.total(|tier| tier.bytes_expected);
    if machine.disk.is_some_and(|free| bytes > u128::from(free)) {
        return None;
    }
    let time = quantity::time(plan.seconds_expected(machine.threads));
    let bytes = quantity::bytes(bytes);
    Some(format!(
        "a table would answer every position of {board} {amazons}: \
         `amazons build {board} --amazons {amazons} --tables DIR` takes about {time} and {bytes} \
         of disk"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_told_of_where_it_fits() {
        let hint = |board: &str, amazons: &str, memory, disk| {
            let machine = Machine { memory, disk, threads: 2 };
            on(&machine, board.parse().unwrap(), amazons.parse().unwrap())
        };
        let gib = 1 << 30;
        let told = hint("5x5", "2v2", 4 * gib, Some(20 * gib)).unwrap();
        assert!(told.contains("`amazons build 5x5 --amazons 2v2 --tables DIR`"), "{told}");
        assert!(hint("5x5", "2v2", 4 * gib, None).is_some());
        assert_eq!(hint("5x5", "2v2", 4 * gib, Some(1 << 20)), None);
        assert_eq!(hint("5x5", "2v2", 1 << 20, None), None);
        assert_eq!(hint("8x9", "4v4", u64::MAX, None), None, "too many squares");
    }
}
