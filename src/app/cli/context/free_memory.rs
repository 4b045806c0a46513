//! How much memory is free, for the default of `--memory`.
//!
//! On Linux the smaller of what the system has available and what is left to this process's control
//! group; elsewhere, and when the system does not say, 2 GiB.

use std::fs;

const UNKNOWN: u64 = 2 << 30;

/// Free memory in bytes.
pub(in crate::app::cli) fn free() -> u64 {
    let system = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let number = |path: &str| -> Option<u64> { fs::read_to_string(path).ok()?.trim().parse().ok() };
    let group = number("/sys/fs/cgroup/memory.max").map(|most| {
        let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
        most.saturating_sub(used)
    });
    system.into_iter().chain(group).min().unwrap_or(UNKNOWN)
}

/// `MemAvailable` of `/proc/meminfo`, which is in KiB.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_available_line_is_found() {
        let text = "MemTotal:  9 kB\nMemAvailable:    8028 kB\n";
        assert_eq!(super::available(text), Some(8028 * 1024));
        assert_eq!(super::available("MemTotal: 9 kB"), None);
        assert!(super::free() > 0);
    }
}
