//! Where the device's thread and the threads that encode meet: solved batches wait here until all
//! of their chunks are taken, and buffers come back.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Solved batches, and buffers for more.
#[derive(Debug, Default)]
pub(super) struct Handover {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    ready: HashMap<u64, Ready>,
    free: Vec<wgpu::Buffer>,
    /// Nothing more will be solved, or nobody takes anything any more.
    over: bool,
}

#[derive(Debug)]
struct Ready {
    batch: Arc<SolvedBatch>,
    /// Chunks that nobody has taken yet.
    left: u64,
}

/// The blocks of a batch in memory that the host reads; dropped, its buffer is free again.
#[derive(Debug)]
pub(super) struct SolvedBatch {
    view: Option<wgpu::BufferView>,
    buffer: wgpu::Buffer,
    /// The rank of its first arrow set.
    pub(super) first_rank: usize,
    /// See [`Lists::inner`](super::lists::Lists::inner).
    pub(super) inner: Vec<u8>,
    handover: Arc<Handover>,
}

impl SolvedBatch {
    /// A batch in a buffer that is mapped.
    pub(super) fn new(
        buffer: wgpu::Buffer,
        bytes: u64,
        first_rank: usize,
        inner: Vec<u8>,
        handover: &Arc<Handover>,
    ) -> Self {
        let view = Some(buffer.get_mapped_range(..bytes));
        Self { view, buffer, first_rank, inner, handover: handover.clone() }
    }

    /// Its blocks, row by row in whole words.
    pub(super) fn bytes(&self) -> &[u8] {
        self.view.as_deref().unwrap_or_default()
    }
}

impl Drop for SolvedBatch {
    fn drop(&mut self) {
        drop(self.view.take());
        self.buffer.unmap();
        self.handover.give(self.buffer.clone());
    }
}

impl Handover {
    /// With these buffers.
    pub(super) fn new(free: Vec<wgpu::Buffer>) -> Arc<Self> {
        let state = State { free, ..State::default() };
        Arc::new(Self { state: Mutex::new(state), moved: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A buffer that is not in use.
    pub(super) fn take_buffer(&self) -> Option<wgpu::Buffer> {
        self.state().free.pop()
    }

    fn give(&self, buffer: wgpu::Buffer) {
        self.state().free.push(buffer);
    }

    /// Hands on a solved batch, of which so many chunks will be taken.
    pub(super) fn put(&self, number: u64, batch: SolvedBatch, left: u64) {
        self.state().ready.insert(number, Ready { batch: Arc::new(batch), left });
        self.moved.notify_all();
    }

    /// The batch of a chunk that is taken now; waits until it is solved. `None` if all is over.
    pub(super) fn take(&self, number: u64) -> Option<Arc<SolvedBatch>> {
        let mut state = self.state();
        loop {
            if state.over {
                return None;
            }
            if let Some(ready) = state.ready.get_mut(&number) {
                ready.left -= 1;
                let (batch, left) = (ready.batch.clone(), ready.left);
                if left == 0 {
                    let removed = state.ready.remove(&number);
                    drop(state);
                    drop(removed);
                }
                return Some(batch);
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Begins again after an end, for what is solved next.
    pub(super) fn begin(&self) {
        self.state().over = false;
    }

    /// Ends everything: nobody waits any more.
    pub(super) fn end(&self) {
        let mut state = self.state();
        state.over = true;
        let left = std::mem::take(&mut state.ready);
        drop(state);
        drop(left);
        self.moved.notify_all();
    }

    /// Whether everything has ended.
    pub(super) fn is_over(&self) -> bool {
        self.state().over
    }

    /// Ends everything when it is dropped, even by a panic.
    pub(super) fn end_on_drop(&self) -> EndOnDrop<'_> {
        EndOnDrop(self)
    }
}

/// See [`Handover::end_on_drop`].
pub(super) struct EndOnDrop<'a>(&'a Handover);

impl EndOnDrop<'_> {
    /// Ends nothing after all.
    pub(super) fn forget(self) {
        std::mem::forget(self);
    }
}

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
