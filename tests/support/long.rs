//! How much is tested.

/// Whether the tests may take hours, by the environment variable `LONG_TESTS`. Tests that take
/// minutes whatever they are given are ignored by default instead.
pub(crate) fn long_tests() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}
