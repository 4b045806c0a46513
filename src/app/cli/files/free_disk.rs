//! How much room a file system has, so that what cannot fit is not begun.

use std::path::Path;

/// Bytes that this user may still write where `path` is or would be made; `None` if the system does
/// not say.
#[cfg(unix)]
pub(in crate::app::cli) fn free(path: &Path) -> Option<u64> {
    let absolute = std::path::absolute(path).ok()?;
    let found = absolute.ancestors().find(|ancestor| ancestor.exists())?;
    let room = nix::sys::statvfs::statvfs(found).ok()?;
    // The two are of other types on other systems.
    #[allow(clippy::useless_conversion)]
    u64::from(room.fragment_size()).checked_mul(u64::from(room.blocks_available()))
}

/// Unknown on this system.
#[cfg(not(unix))]
pub(in crate::app::cli) fn free(_path: &Path) -> Option<u64> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_does_not_exist_has_the_room_of_its_parent() {
        let directory = tempfile::tempdir().unwrap();
        let room = free(&directory.path().join("not/yet/there"));
        // Others write to the same disk meanwhile.
        assert!(room.is_some_and(|bytes| bytes > 0));
    }
}
