//! Opening a plane of a table of margins: behind its inner plane, and so on to plane 0.

use std::path::Path;
use std::sync::Arc;

use super::{Manifest, TableError, TierBytes, TierReader};
use crate::tables::index::TierShape;

/// Opens the file of a tier in a directory, and those of the planes that it is read behind. They
/// are read, not mapped.
///
/// # Errors
/// [`TableError`] if one of them is missing or damaged.
pub(in crate::tables) fn open_planes(
    directory: &Path,
    shape: &TierShape,
) -> Result<Arc<TierReader<TierBytes>>, TableError> {
    let path = Manifest::tier_path(directory, shape);
    open_behind_planes(directory, &path, shape).map(Arc::new)
}

/// As [`open_planes`], where the tier is in another file.
///
/// # Errors
/// As [`open_planes`].
pub(in crate::tables) fn open_behind_planes(
    directory: &Path,
    path: &Path,
    shape: &TierShape,
) -> Result<TierReader<TierBytes>, TableError> {
    let bytes = TierBytes::open(path).map_err(TableError::io("read", path))?;
    behind(directory, path, shape, bytes)
}

/// As [`open_planes`], where the bytes of the tier's own file are at hand.
///
/// # Errors
/// As [`open_planes`].
pub(in crate::tables) fn behind(
    directory: &Path,
    path: &Path,
    shape: &TierShape,
    bytes: TierBytes,
) -> Result<TierReader<TierBytes>, TableError> {
    let opened = match shape.inner() {
        None => TierReader::open(bytes),
        Some(inner) => TierReader::open_plane(bytes, open_planes(directory, &inner)?),
    };
    opened.map_err(|source| TableError::damaged(path, shape, source))
}
