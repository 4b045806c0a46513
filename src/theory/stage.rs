//! Work in pieces on all threads: what is found in each is put together.

use rayon::prelude::*;

use crate::machine::progress::{Observer, StopFlag};

/// One stage of a computation: what it is told by, and what may stop it.
pub(crate) struct Stage<'s> {
    /// What the stage does and the name of its pieces, for the observer.
    pub(crate) name: &'s str,
    pub(crate) unit: &'s str,
    pub(crate) observer: &'s dyn Observer,
    pub(crate) stop: &'s StopFlag,
}

impl Stage<'_> {
    /// What `find` finds in the pieces, put together by `plus` in their order, with all threads of
    /// the current pool. `None` if it was asked to stop; a piece that has begun is ended.
    ///
    /// # Errors
    /// One of those of `find`.
    pub(crate) fn gather<P: Sync, T: Default + Send, E: Send>(
        &self,
        pieces: &[P],
        find: impl Fn(&P) -> Result<T, E> + Sync + Send,
        plus: impl Fn(T, T) -> T + Sync + Send,
    ) -> Result<Option<T>, E> {
        self.observer.begin(self.name, pieces.len() as u64, self.unit);
        let found = |piece: &P| {
            if self.stop.is_set() {
                return Ok(T::default());
            }
            let found = find(piece)?;
            self.observer.add(1);
            Ok(found)
        };
        let found = pieces.par_iter().map(found).try_reduce(T::default, |a, b| Ok(plus(a, b)))?;
        Ok((!self.stop.is_set()).then_some(found))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[derive(Default)]
    struct Counted(AtomicU64);

    impl Observer for Counted {
        fn add(&self, count: u64) {
            self.0.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// The pieces in order, and how many were told to be done.
    fn gathered(pieces: &[u64], stop: &StopFlag, stop_at: u64) -> (Option<Vec<u64>>, u64) {
        let observer = Counted::default();
        let stage = Stage { name: "pieces", unit: "pieces", observer: &observer, stop };
        let find = |&piece: &u64| -> Result<Vec<u64>, Infallible> {
            if piece == stop_at {
                stop.stop();
            }
            Ok(vec![piece])
        };
        let Ok(found) = stage.gather(pieces, find, |one, other| [one, other].concat());
        (found, observer.0.into_inner())
    }

    #[test]
    fn pieces_are_put_together_in_order_and_what_is_left_out_is_not_counted() {
        let pieces: Vec<u64> = (0..1000).collect();
        assert_eq!(gathered(&pieces, &StopFlag::new(), 1000), (Some(pieces.clone()), 1000));
        let (found, counted) = gathered(&pieces, &StopFlag::new(), 0);
        assert!(found.is_none() && counted <= 1000);
        let stopped = StopFlag::new();
        stopped.stop();
        assert_eq!(gathered(&pieces, &stopped, 1000), (None, 0));
    }
}
