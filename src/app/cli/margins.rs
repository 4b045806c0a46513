//! What `build` and `info` say of the margins of a table.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::context::failure::margins_command;
use super::context::{Context, Failure};
use crate::app::threshold_report::ThresholdReport;
use crate::tables::format::{
    Manifest, MarginCount, StoredTiers, TableMargin, TableName, TierRecord, tier_file,
};

/// The planes of a table of margins, and how many positions have which margin.
#[derive(Debug, Serialize)]
pub(super) struct MarginsSummary {
    /// The planes are those from minus this to this.
    planes: usize,
    /// Whether every margin is known: no further plane says anything new.
    complete: bool,
    bytes: u64,
    seconds: f64,
    /// Files that are not as long as the manifests say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<String>,
    counts: Vec<MarginReport>,
    /// The command that goes on.
    #[serde(skip)]
    build: String,
}

/// How many positions have a margin.
#[derive(Debug, Serialize)]
struct MarginReport {
    arrows: usize,
    mover: usize,
    opponent: usize,
    #[serde(flatten)]
    margin: ToldMargin,
    positions: u64,
}

/// What a table tells of a margin: in JSON as everywhere, and in words as the table has it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct ToldMargin {
    #[serde(flatten)]
    threshold: ThresholdReport,
    #[serde(skip)]
    margin: TableMargin,
}

impl ToldMargin {
    /// Of a position with so many empty squares.
    pub(super) fn new(margin: TableMargin, empty: usize) -> Self {
        Self { threshold: margin.range(empty).into(), margin }
    }

    /// Of a move, for its maker, in a position with so many empty squares.
    pub(super) fn of_move(margin: TableMargin, empty: usize) -> Self {
        Self { threshold: margin.range_of_move(empty).into(), margin }
    }

    /// What the table tells.
    pub(super) fn margin(&self) -> TableMargin {
        self.margin
    }
}

/// `wins by 3`, `loses by 8 or more`.
impl fmt::Display for ToldMargin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.margin.fmt(f)
    }
}

impl MarginsSummary {
    /// That of a table in a directory; `None` of an ordinary table.
    pub(super) fn of(stored: &StoredTiers, directory: &Path) -> Option<Self> {
        let layers = stored.layers();
        let last = layers.last()?;
        let records = || layers.iter().flat_map(|layer| &layer.tiers);
        let milliseconds: u64 = layers.iter().map(|layer| layer.milliseconds).sum();
        let report = |MarginCount { shape, margin, positions }: MarginCount| {
            let (arrows, mover, opponent) = (shape.arrows(), shape.mover(), shape.opponent());
            let margin = ToldMargin::new(margin, shape.free() - mover - opponent);
            MarginReport { arrows, mover, opponent, margin, positions }
        };
        Some(Self {
            planes: last.layer.unsigned_abs().into(),
            complete: stored.has_all_layers(),
            bytes: records().map(|record| record.bytes).sum(),
            seconds: milliseconds as f64 / 1000.0,
            damaged: layers.iter().flat_map(|layer| damaged(layer, directory)).collect(),
            counts: stored.margin_counts().into_iter().map(report).collect(),
            build: margins_command(&TableName::of(stored.manifest(), directory)),
        })
    }

    /// Prints which planes there are, what is wrong with them, and how many positions have which
    /// margin.
    ///
    /// # Errors
    /// As [`Context::print`].
    pub(super) fn print(&self, context: &Context) -> Result<(), Failure> {
        let Self { planes, complete, bytes, build, .. } = self;
        let known =
            if *complete { "every margin is known" } else { "larger margins are not known" };
        context.print(format_args!(
            "margins: planes from -{planes} to {planes}, {bytes} bytes; {known}"
        ))?;
        for file in &self.damaged {
            context.print(format_args!(
                "damaged: {file} is not as long as its manifest says; {build} solves it again"
            ))?;
        }
        self.print_counts(context)
    }

    /// A line for each margin, of all tiers together.
    fn print_counts(&self, context: &Context) -> Result<(), Failure> {
        let mut totals: Vec<(TableMargin, u64)> = Vec::new();
        for MarginReport { margin, positions, .. } in &self.counts {
            match totals.iter_mut().find(|(of, _)| *of == margin.margin) {
                Some((_, total)) => *total += positions,
                None => totals.push((margin.margin, *positions)),
            }
        }
        // At most so much, so much, at least so much.
        let place =
            |bound| [Some("at most"), None, Some("at least")].iter().position(|&of| of == bound);
        totals.sort_by_key(|(margin, _)| (margin.nearest(), place(margin.bound())));
        let all: u64 = totals.iter().map(|(_, positions)| positions).sum();
        for (margin, positions) in totals {
            let (words, share) = (margin.to_string(), 100.0 * positions as f64 / all as f64);
            context.print(format_args!("{words:>20} {positions:>18} {share:>7.3} %"))?;
        }
        Ok(())
    }
}

/// The files of a layer that are not as long as its manifest says.
fn damaged(layer: &Manifest, directory: &Path) -> Vec<String> {
    let wrong = |record: &&TierRecord| {
        let found = layer.shape(record).map(|shape| Manifest::tier_bytes(directory, &shape));
        !matches!(found, Some(Ok(Some(bytes))) if bytes == record.bytes)
    };
    let name = |record: &TierRecord| layer.shape(record).map(|shape| tier_file(&shape));
    layer.tiers.iter().filter(wrong).filter_map(name).collect()
}
