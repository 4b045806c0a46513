//! Whether a table is finished, as every command says it that says something of a whole table.

use std::path::Path;

use serde::Serialize;

use crate::app::cli::context::failure::build_command;
use crate::app::cli::context::{Context, Failure};
use crate::tables::format::{Manifest, Missing, TableName};

/// What is claimed of each tier: its wins and its hash.
pub(in crate::app::cli) const FIGURES: u64 = 2;

/// Figures of tiers that are not stored: nothing is there that they could be held against.
pub(in crate::app::cli) fn figures_of_no_file(manifest: &Manifest) -> u64 {
    FIGURES * manifest.tiers.iter().filter(|tier| !tier.stored).count() as u64
}

/// Whether a table is finished.
#[derive(Debug, Serialize)]
pub(in crate::app::cli) struct Completeness {
    finished: bool,
    /// The tiers that are still to be solved, by their numbers of arrows.
    missing: Vec<usize>,
    /// The planes of a table of margins that lack tiers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_planes: Vec<MissingPlanes>,
    /// What is missing and what to do about it, if it is not finished.
    #[serde(skip)]
    words: Option<String>,
}

/// A layer of a table of margins that is not finished.
#[derive(Debug, Serialize)]
struct MissingPlanes {
    /// The number of spare moves of the one plane; the other one has the negative of it.
    plane: i8,
    /// The tiers that are still to be solved, by their numbers of arrows.
    tiers: Vec<usize>,
    /// The same in words, and what to do about it.
    #[serde(skip)]
    words: String,
}

impl Completeness {
    /// That of a table in a directory, with its layers of margins.
    pub(in crate::app::cli) fn of(
        manifest: &Manifest,
        layers: &[Manifest],
        directory: &Path,
    ) -> Self {
        let build = build_command(&TableName::of(manifest, directory));
        let missing = Missing::of(manifest, directory);
        let words =
            missing.as_ref().map(|missing| format!("unfinished: {missing}; {build} goes on"));
        let lacking = |layer: &Manifest| {
            let missing = Missing::of(layer, directory)?;
            let plane = layer.layer;
            let words =
                format!("unfinished: of planes {plane} and -{plane} {missing}; {build} goes on");
            Some(MissingPlanes { plane, tiers: missing.tiers().to_vec(), words })
        };
        let missing_planes: Vec<MissingPlanes> = layers.iter().filter_map(lacking).collect();
        let tiers = missing.as_ref().map_or(&[][..], Missing::tiers).to_vec();
        let finished = missing.is_none() && missing_planes.is_empty();
        Self { finished, missing: tiers, missing_planes, words }
    }

    /// Whether nothing is missing.
    pub(in crate::app::cli) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Prints a line for what is not finished.
    ///
    /// # Errors
    /// As [`Context::print`].
    pub(in crate::app::cli) fn print(&self, context: &Context) -> Result<(), Failure> {
        let planes = self.missing_planes.iter().map(|planes| &planes.words);
        self.words.iter().chain(planes).try_for_each(|words| context.print(words))
    }
}
