//! What `build` and `info` say of the margins of a table.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::context::failure::margins_command;
use super::context::{Context, Failure};
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
    margin: MarginFields,
    positions: u64,
}

/// A margin in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct MarginFields {
    /// The threshold, or the end of what is known that is nearest to 0.
    threshold: i16,
    /// The margin in words, such as `wins by 3`.
    margin: String,
    /// `at least` or `at most`, if the threshold is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
}

impl MarginFields {
    /// The threshold, or the end of what is known that is nearest to 0.
    pub(super) fn threshold(&self) -> i16 {
        self.threshold
    }
}

impl fmt::Display for MarginFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.margin)
    }
}

impl From<TableMargin> for MarginFields {
    fn from(margin: TableMargin) -> Self {
        let (threshold, bound) = (margin.nearest().spare(), margin.bound());
        Self { threshold, margin: margin.to_string(), bound }
    }
}

impl MarginsSummary {
    /// That of a table in a directory; `None` of an ordinary table.
    pub(super) fn of(stored: &StoredTiers, directory: &Path) -> Option<Self> {
        let layers = stored.layers();
        let last = layers.last()?;
        let records = || layers.iter().flat_map(|layer| &layer.tiers);
        let milliseconds: u64 = layers.iter().map(|layer| layer.milliseconds).sum();
        let report = |count: MarginCount| MarginReport {
            arrows: count.shape.arrows(),
            mover: count.shape.mover(),
            opponent: count.shape.opponent(),
            margin: count.margin.into(),
            positions: count.positions,
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
        let mut totals: Vec<(&MarginFields, u64)> = Vec::new();
        for MarginReport { margin, positions, .. } in &self.counts {
            match totals.iter_mut().find(|(of, _)| *of == margin) {
                Some((_, total)) => *total += positions,
                None => totals.push((margin, *positions)),
            }
        }
        // At most so much, so much, at least so much.
        let place =
            |bound| [Some("at most"), None, Some("at least")].iter().position(|&of| of == bound);
        totals.sort_by_key(|(margin, _)| (margin.threshold, place(margin.bound)));
        let all: u64 = totals.iter().map(|(_, positions)| positions).sum();
        for (MarginFields { margin, .. }, positions) in totals {
            let share = 100.0 * positions as f64 / all as f64;
            context.print(format_args!("{margin:>20} {positions:>18} {share:>7.3} %"))?;
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
