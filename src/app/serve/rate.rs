//! How often one client may ask for something costly: a bucket of tokens for each address.
//!
//! A bucket holds up to [`Limit::burst`] tokens and gains [`Limit::a_minute`] a minute; a request
//! takes one. IPv6 clients count by their /64, which is what one household or machine gets. Buckets
//! that are full again are forgotten, so memory is bounded by [`MOST`] clients that asked within
//! the last minutes.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most clients remembered.
const MOST: usize = 4096;

/// How often a client may ask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    /// At once after a pause.
    pub(super) burst: u32,
    /// In the long run, at least 1.
    pub(super) a_minute: u32,
}

/// The buckets of all clients.
#[derive(Debug)]
pub(super) struct Rates {
    limit: Limit,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Rates {
    pub(super) fn new(limit: Limit) -> Self {
        let limit = Limit { burst: limit.burst.max(1), a_minute: limit.a_minute.max(1) };
        Self { limit, buckets: Mutex::default() }
    }

    /// Takes a token of a client's.
    ///
    /// # Errors
    /// How long to wait for the next one.
    pub(super) fn take(&self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let client = network(client);
        if buckets.len() >= MOST && !buckets.contains_key(&client) {
            buckets.retain(|_, bucket| self.tokens(bucket, now) < f64::from(self.limit.burst));
            if buckets.len() >= MOST {
                return Err(Duration::from_secs(60));
            }
        }
        let full = Bucket { tokens: self.limit.burst.into(), at: now };
        let bucket = buckets.entry(client).or_insert(full);
        let tokens = self.tokens(bucket, now);
        if tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - tokens) / self.a_second()));
        }
        *bucket = Bucket { tokens: tokens - 1.0, at: now };
        Ok(())
    }

    fn tokens(&self, bucket: &Bucket, now: Instant) -> f64 {
        let gained = now.saturating_duration_since(bucket.at).as_secs_f64() * self.a_second();
        (bucket.tokens + gained).min(self.limit.burst.into())
    }

    fn a_second(&self) -> f64 {
        f64::from(self.limit.a_minute) / 60.0
    }
}

/// What counts as one client.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn tokens_run_out_and_come_back() {
        let rates = Rates::new(Limit { burst: 3, a_minute: 60 });
        let (client, start) = (address("127.0.0.1"), Instant::now());
        assert!((0..3).all(|_| rates.take(client, start).is_ok()));
        let wait = rates.take(client, start).unwrap_err();
        assert!((wait.as_secs_f64() - 1.0).abs() < 1e-6);
        assert!(rates.take(address("127.0.0.2"), start).is_ok());
        assert!(rates.take(client, start + Duration::from_millis(900)).is_err());
        assert!(rates.take(client, start + Duration::from_millis(1001)).is_ok());
        let later = start + Duration::from_secs(3600);
        assert_eq!((0..10).filter(|_| rates.take(client, later).is_ok()).count(), 3);
    }

    #[test]
    fn a_network_of_version_6_is_one_client_and_memory_is_bounded() {
        let rates = Rates::new(Limit { burst: 1, a_minute: 1 });
        let start = Instant::now();
        assert!(rates.take(address("2001:db8::1"), start).is_ok());
        assert!(rates.take(address("2001:db8::2"), start).is_err());
        assert!(rates.take(address("::ffff:10.0.0.1"), start).is_ok());
        assert!(rates.take(address("10.0.0.1"), start).is_err());
        let clients = (0..10_000u32).map(|number| IpAddr::V4((0x0b00_0000 + number).into()));
        let allowed = clients.filter(|&client| rates.take(client, start).is_ok()).count();
        assert_eq!(allowed, MOST - 2);
        assert!(rates.take(address("12.0.0.1"), start + Duration::from_secs(61)).is_ok());
    }
}
