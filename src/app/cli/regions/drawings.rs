//! Pictures of line segment graphs.

use std::path::Path;

use crate::app::cli::context::{Context, Failure};
use crate::app::cli::files::output;
use crate::machine::shown::Shown as _;
use crate::theory::region::graphs_svg;

/// Draws the graphs of sizes 1 to 5, a file for each size.
pub(super) fn run(directory: &Path, context: &Context) -> Result<(), Failure> {
    output::create_directory(directory)?;
    for size in 1..=5 {
        let file = directory.join(format!("lsg-{size}.svg"));
        output::write(&file, graphs_svg(size).as_bytes())?;
        context.remark(format_args!("wrote {}", file.shown()));
    }
    Ok(())
}
