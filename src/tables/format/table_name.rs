//! Which table: what one has to know to build it again.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::Manifest;
use super::header::{HEADER_BYTES, Header};
use super::names::{TIER, tier_file};
use crate::machine::files;
use crate::tables::index::{TableSubject, TierShape};

/// Which table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName {
    /// What it is about.
    pub subject: TableSubject,
    /// Where it is.
    pub directory: PathBuf,
}

impl TableName {
    /// The table of a manifest in a directory.
    pub fn of(manifest: &Manifest, directory: &Path) -> Self {
        Self { subject: manifest.subject, directory: directory.into() }
    }

    /// The table in a directory that a tier belongs to.
    pub(crate) fn with_tier(directory: &Path, shape: &TierShape) -> Self {
        // Where amazons can be taken, the tier alone does not say how many there were.
        let named = Manifest::load(directory).ok().map(|manifest| manifest.subject);
        let named = named.filter(|subject| subject.has(shape));
        let subject = named.unwrap_or_else(|| TableSubject::of_tier(shape));
        Self { subject, directory: directory.into() }
    }

    /// The table that the tiers in a directory belong to, by the header of the first of them that
    /// has one, and of those with the most amazons where amazons can be taken: for a table whose
    /// manifest is lost. `None` if there is no such tier.
    pub fn of_tiers(directory: &Path) -> Option<Self> {
        let entries = fs::read_dir(directory).ok()?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let mut shapes = paths.iter().filter_map(|path| named_shape(path));
        let mut shape = shapes.next()?;
        if shape.rules().captures() {
            let amazons = |shape: &TierShape| shape.mover() + shape.opponent();
            shape = shapes.fold(
                shape,
                |most, next| if amazons(&next) > amazons(&most) { next } else { most },
            );
        }
        Some(Self { subject: TableSubject::of_tier(&shape), directory: directory.into() })
    }
}

/// The tier in a finished file, if the file has the tier's name.
fn named_shape(path: &Path) -> Option<TierShape> {
    let name = path.file_name()?.to_str()?;
    if !name.starts_with(TIER) {
        return None;
    }
    let mut bytes = [0; HEADER_BYTES];
    files::open_regular(path).ok()?.read_exact(&mut bytes).ok()?;
    let shape = Header::from_bytes(&bytes).ok()?.shape;
    (tier_file(&shape) == name).then_some(shape)
}
