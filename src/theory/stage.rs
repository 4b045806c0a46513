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
