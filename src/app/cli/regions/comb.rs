//! A territory with any number of defects.

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::counted::Counted;
use crate::theory::instances::LoneTerritory;
use crate::theory::region::comb;

/// The memory of the search of the longest play, in bytes.
const SEARCH: u64 = 1 << 20;

#[derive(Serialize)]
struct Report {
    defects: usize,
    columns: usize,
    rows: usize,
    empty_squares: usize,
    longest_play: u32,
    position: String,
    diagram: Vec<String>,
}

/// Draws the territory and searches its longest play.
pub(super) fn run(defects: usize, context: &Context) -> Result<(), Failure> {
    let squares = comb(defects);
    let territory = LoneTerritory::new(&squares, squares[0]);
    let memory = context.left("the search", SEARCH)?;
    let found = territory.longest_play(memory, &context.stop_on_interrupt()?).or_limit()?;
    let report = Report {
        defects: territory.empty_squares() - found.moves as usize,
        columns: territory.columns(),
        rows: territory.rows(),
        empty_squares: territory.empty_squares(),
        longest_play: found.moves,
        position: territory.fen(),
        diagram: territory.drawing(),
    };
    report.print(context)
}

impl Report {
    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        self.diagram.iter().try_for_each(|row| context.print(row))?;
        context.print(&self.position)?;
        context.print(format_args!(
            "{} empty squares, the longest play has {}: {}-defective",
            self.empty_squares,
            Counted(self.longest_play, "move"),
            self.defects
        ))
    }
}
