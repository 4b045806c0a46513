//! How much is tested.

// Unit tests of the library take this file in as a private module.
#![allow(unreachable_pub)]

/// Whether the tests may take hours, by the environment variable `LONG_TESTS`. Tests that take
/// minutes whatever they are given are ignored by default instead.
pub fn long_tests() -> bool {
    std::env::var_os("LONG_TESTS").is_some()
}
