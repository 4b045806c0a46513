//! `amazons instance hamilton`: Hamilton circuits of cubic subgrid graphs as longest plays.

use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use crate::app::cli::context::{Context, Failure, OrFail};
use crate::app::counted::Counted;
use crate::machine::files;
use crate::machine::shown::Shown as _;
use crate::theory::instances::{HamiltonInstance, NoLongestPlay, SubgridGraph};

/// Write a territory of one amazon whose longest play has a stated length exactly if GRAPH has a
/// Hamilton circuit, and is shorter if it has none
///
/// GRAPH is a file with a drawing: vertices are o in the odd columns of the odd lines, edges are -
/// and | between neighbours, everything else is blank. No vertex has more than three edges. The
/// position has White to move; the other commands read it if it has at most 20 columns and rows.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file of the graph: o for vertices in the odd columns of the odd lines, - and | for edges
    #[arg(value_name = "GRAPH")]
    graph: PathBuf,

    /// Search the longest play, which says whether there is a circuit; for territories of at most
    /// 128 squares
    #[arg(long)]
    solve: bool,
}

/// The memory of the smallest search, in bytes.
const LEAST_SEARCH: u64 = 1 << 20;

#[derive(Serialize)]
struct Report {
    vertices: usize,
    edges: usize,
    columns: usize,
    rows: usize,
    empty_squares: usize,
    position: String,
    diagram: Vec<String>,
    length_with_circuit: u32,
    #[serde(flatten)]
    solved: Option<Solved>,
}

#[derive(Serialize)]
struct Solved {
    longest_play: u32,
    has_circuit: bool,
    positions: u64,
    seconds: f64,
}

/// The longest drawing of a graph: a hundred times that of the largest on a board.
const MOST_GRAPH: u64 = 1 << 20;

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let path = args.graph.shown();
    let about = |error: &dyn std::fmt::Display| Failure::usage(format!("{path}: {error}"));
    let text = files::text_at_most(&args.graph, MOST_GRAPH)
        .map_err(|error| Failure::failed(format!("cannot read {path}: {error}")))?;
    let graph: SubgridGraph = text.parse().map_err(|error| about(&error))?;
    let instance = HamiltonInstance::new(&graph).map_err(|error| about(&error))?;
    let territory = instance.territory();
    let report = Report {
        vertices: graph.vertices().len(),
        edges: graph.edges(),
        columns: territory.columns(),
        rows: territory.rows(),
        empty_squares: territory.empty_squares(),
        position: territory.fen(),
        diagram: territory.drawing(),
        length_with_circuit: instance.length(),
        solved: args.solve.then(|| solve(&instance, context)).transpose()?,
    };
    report.print(context)
}

fn solve(instance: &HamiltonInstance, context: &Context) -> Result<Solved, Failure> {
    let memory = context.left("the search", LEAST_SEARCH)?;
    let stop = context.stop_on_interrupt()?;
    let began = Instant::now();
    let found = match instance.territory().longest_play(memory, &stop) {
        Err(error @ NoLongestPlay::TooLarge { .. }) => return Err(error).or_usage(),
        found => found.or_limit()?,
    };
    Ok(Solved {
        longest_play: found.moves,
        has_circuit: found.moves == instance.length(),
        positions: found.positions,
        seconds: began.elapsed().as_secs_f64(),
    })
}

impl Report {
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        self.diagram.iter().try_for_each(|row| context.print(row))?;
        context.print(&self.position)?;
        context.print(format_args!(
            "{} vertices, {}; {}x{}, {}",
            self.vertices,
            Counted(self.edges, "edge"),
            self.columns,
            self.rows,
            Counted(self.empty_squares, "empty square")
        ))?;
        context.print(format_args!(
            "the longest play has {} moves if the graph has a Hamilton circuit, and fewer if not",
            self.length_with_circuit
        ))?;
        let Some(solved) = &self.solved else { return Ok(()) };
        context.print(format_args!(
            "it has {}, so there is {} circuit",
            solved.longest_play,
            if solved.has_circuit { "a" } else { "no" }
        ))?;
        context.remark(format_args!("{} positions, {:.3} s", solved.positions, solved.seconds));
        Ok(())
    }
}
