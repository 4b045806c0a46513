//! Pictures of line segment graphs.

use std::path::Path;

use crate::app::cli::{Context, Failure};
use crate::theory::region::graphs_svg;

/// Draws the graphs of sizes 1 to 5, a file for each size.
pub(super) fn run(directory: &Path, context: &Context) -> Result<(), Failure> {
    let failed = |action: &str, path: &std::path::Path, error: std::io::Error| {
        Failure::failed(format!("cannot {action} {}: {error}", path.display()))
    };
    std::fs::create_dir_all(directory).map_err(|error| failed("make", directory, error))?;
    for size in 1..=5 {
        let file = directory.join(format!("lsg-{size}.svg"));
        std::fs::write(&file, graphs_svg(size)).map_err(|error| failed("write", &file, error))?;
        context.remark(format_args!("wrote {}", file.display()));
    }
    Ok(())
}
