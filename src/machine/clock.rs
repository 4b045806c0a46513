//! The time, for deadlines.
//!
//! It is the standard library's, but for WebAssembly outside of any system
//! (`wasm32-unknown-unknown`), where the standard library has no clock and a look at it ends the
//! program. There the host's clock is asked, which `set_source` names. Without one time stands
//! still, and no deadline passes.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use by_host::{Instant, set_source};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod by_host {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static SOURCE: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Names the host's clock: the time since any fixed moment. The first call counts.
    pub fn set_source(source: fn() -> Duration) {
        SOURCE.get_or_init(|| source);
    }

    /// A moment by the host's clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// The moment of the call.
        pub fn now() -> Self {
            Self(SOURCE.get().map_or(Duration::ZERO, |source| source()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// The moment that much later; `None` if no moment is so late.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        /// The time from an earlier moment to this one; zero from a later one.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Self;

        fn sub(self, time: Duration) -> Self {
            Self(self.0.saturating_sub(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
