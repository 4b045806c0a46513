//! What takes a processor or a disk a while, away from the threads that serve connections.
//!
//! A job whose client leaves is finished, and keeps its place until then. So there are never more
//! jobs than threads for them, and searches find theirs. Jobs that take much memory are done one at
//! a time, however many threads there are.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::app::answers::Refusal;

/// Places for jobs.
#[derive(Debug)]
pub(super) struct Workers {
    places: Arc<Semaphore>,
    /// The place of the job that takes much memory.
    large: Arc<Semaphore>,
}

impl Workers {
    /// For so many jobs at once.
    pub(super) fn new(most: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(most)), large: Arc::new(Semaphore::new(1)) }
    }

    /// Does a job when there is a place.
    ///
    /// # Errors
    /// If the job panics.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = self.places.clone().acquire_owned().await.map_err(|_| Refusal::internal())?;
        let placed = move || {
            let _place = place;
            job()
        };
        spawn_blocking(placed).await.map_err(|_| Refusal::internal())
    }

    /// Does a job that takes much memory when there is a place and no other one is done.
    ///
    /// # Errors
    /// If the job panics.
    pub(super) async fn work_large<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let alone = self.large.clone().acquire_owned().await.map_err(|_| Refusal::internal())?;
        let job = move || {
            let _alone = alone;
            job()
        };
        self.work(job).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_job_that_nobody_waits_for_keeps_its_place() {
        let workers = Workers::new(1);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let ((begun, has_begun), (end, may_end)) = (tokio::sync::oneshot::channel(), channel());
        runtime.block_on(async {
            let job = move || {
                begun.send(()).unwrap();
                may_end.recv().unwrap();
            };
            tokio::select! {
                biased;
                _ = workers.work(job) => panic!("the job ended"),
                started = has_begun => started.unwrap(),
            }
            assert_eq!(workers.places.available_permits(), 0);
            end.send(()).unwrap();
            assert_eq!(workers.work(|| 5).await.unwrap(), 5);
            assert_eq!(workers.places.available_permits(), 1);
        });
    }
}
