//! How the counts of `amazons regions` change with the size.

use std::path::Path;

use serde::Deserialize;

use super::lines;
use crate::app::cli::context::Failure;
use crate::app::cli::text::plot::{Figures, Scale, Series};
use crate::app::cli::text::trend::Trend;

/// What a line of `regions --json` says of line segment graphs.
#[derive(Deserialize)]
struct Graphs {
    size: u32,
    regions: f64,
    line_segment_graphs: f64,
}

/// What a line of `regions --json` says of territories.
#[derive(Deserialize)]
struct Territories {
    size: u32,
    territories: f64,
    territory_graphs: f64,
    defective: Vec<Defective>,
}

/// Territories with so many defects.
#[derive(Deserialize)]
struct Defective {
    defects: u32,
    regions: f64,
    line_segment_graphs: f64,
}

/// What is counted of territories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// Each territory.
    Regions,
    /// Each line segment graph that territories have.
    Graphs,
}

impl Counted {
    fn all(self, territories: &Territories) -> f64 {
        match self {
            Self::Regions => territories.territories,
            Self::Graphs => territories.territory_graphs,
        }
    }

    fn of(self, defective: &Defective) -> f64 {
        match self {
            Self::Regions => defective.regions,
            Self::Graphs => defective.line_segment_graphs,
        }
    }
}

/// The least size that a trend is fitted to: most squares of smaller regions are at an end.
const FITTED_FROM: f64 = 7.0;

/// The share of line segment graphs in regions.
pub(super) fn graphs(file: &Path) -> Result<Figures, Failure> {
    let sizes: Vec<Graphs> = lines::read(file, "regions --json", "size")?;
    let share = |of: &Graphs| (f64::from(of.size), 100.0 * of.line_segment_graphs / of.regions);
    let points = sizes.iter().map(share).collect();
    Ok(figures("Line segment graphs by regions", vec![fitted("graphs", points)]))
}

/// The share of defective ones in territories, together and by the number of defects.
pub(super) fn defective(file: &Path, counted: Counted) -> Result<Figures, Failure> {
    let sizes: Vec<Territories> = lines::read(file, "regions --json", "size")?;
    let most = sizes.iter().flat_map(|of| &of.defective).map(|of| of.defects).max().unwrap_or(0);
    let points = |wanted: &dyn Fn(u32) -> bool| -> Vec<(f64, f64)> {
        let share = |of: &Territories| {
            let part = of.defective.iter().filter(|part| wanted(part.defects));
            let part: f64 = part.map(|part| counted.of(part)).sum();
            (f64::from(of.size), 100.0 * part / counted.all(of))
        };
        sizes.iter().map(share).filter(|(_, share)| *share > 0.0).collect()
    };
    let mut series = vec![fitted("defective", points(&|_| true))];
    series.extend((1..=most).map(|defects| Series {
        name: if defects == 1 { "1 defect".to_string() } else { format!("{defects} defects") },
        points: points(&|of| of == defects),
        trend: None,
    }));
    Ok(figures(
        match counted {
            Counted::Regions => "Defective territories",
            Counted::Graphs => "Defective territories, as line segment graphs",
        },
        series,
    ))
}

fn fitted(name: &str, points: Vec<(f64, f64)>) -> Series {
    let large: Vec<_> = points.iter().copied().filter(|point| point.0 >= FITTED_FROM).collect();
    Series { name: name.to_string(), points, trend: Trend::of(&large) }
}

fn figures(title: &str, series: Vec<Series>) -> Figures {
    Figures {
        title: title.to_string(),
        by: "squares",
        axis: "%",
        series,
        top: Some(100.0),
        scale: Scale::Logarithmic,
    }
}
