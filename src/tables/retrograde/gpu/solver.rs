//! Solving the chunks of a tier on a device, batch by batch.
//!
//! One thread feeds the device: it submits a batch as soon as there is a buffer that its blocks can
//! come back in, and looks now and then which batches are done. Some threads make the lists of the
//! batches to come. The threads that encode take the blocks of their chunks from the memory that
//! the device has written to. So the device works on the next batches while the host is busy with
//! the last ones.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use super::adapter::Gpu;
use super::batches::{Batches, Children};
use super::commands::Commands;
use super::error::GpuError;
use super::handover::{Handover, SolvedBatch};
use super::lists::{Lists, Source};
use super::program::{Solve, Turn};
use super::segments::{SLACK, Segments};
use super::sizes::Sizes;
use crate::tables::counting::Mask;
use crate::tables::index::{CanonicalSets, TierShape};
use crate::tables::retrograde::accelerator::{ChunkSolver, SolvedChunk};
use crate::tables::retrograde::chunk::Chunks;
use crate::tables::retrograde::error::BuildError;
use crate::tables::retrograde::pack;
use crate::tables::retrograde::planes::{NearPlanes, Planes};
use crate::tables::retrograde::reorder::ReorderBuffer;
use crate::tables::retrograde::store::ThreadDecoder;

/// Batches that are on their way to or from the device, or encoded, at a time.
const BUFFERS: usize = 4;
/// How long the device's thread sleeps when there is nothing to do.
const PAUSE: Duration = Duration::from_micros(100);
/// For so many threads of the pool one makes lists. Where children are brought they take much
/// memory, so fewer are made at a time.
fn threads_a_lister(source: &Source<'_>) -> usize {
    match source {
        Source::Device(_) => 2,
        Source::Host(_) => 4,
    }
}

/// Solves the chunks of one kind of a tier.
pub(super) struct TierSolver<'a, M: Mask> {
    pub(super) gpu: &'a Gpu,
    pub(super) shape: TierShape,
    pub(super) sets: &'a CanonicalSets<M>,
    pub(super) below: &'a CanonicalSets<M>,
    pub(super) source: Source<'a>,
    pub(super) chunks: Chunks,
    pub(super) batches: Batches,
    pub(super) solve: Arc<Solve>,
    /// What turns the children that are brought.
    pub(super) turn_children: Option<Arc<Turn>>,
    /// What a plane of margins is solved with besides its children.
    pub(super) planes: Option<&'a Planes>,
    /// What turns the blocks, and where they go, if they are to stay.
    pub(super) target: Option<(Arc<Turn>, &'a Segments)>,
    pub(super) handover: Arc<Handover>,
    /// Made for the first batch; serves them all.
    pub(super) scratch: OnceLock<Scratch>,
}

/// The vectors of a batch on the device.
pub(super) struct Scratch {
    sets: wgpu::Buffer,
    items: wgpu::Buffer,
    gathered: wgpu::Buffer,
    arrived: wgpu::Buffer,
    solved: wgpu::Buffer,
    /// Children that are brought, as solved and turned.
    brought: Option<[wgpu::Buffer; 2]>,
    /// What is left after a spare move, as solved and turned.
    spent: Option<[wgpu::Buffer; 2]>,
}

/// A batch that the device works on.
struct Flight {
    number: u64,
    first_rank: usize,
    buffer: wgpu::Buffer,
    bytes: u64,
    inner: Vec<u8>,
    /// Set when the host can read the buffer, or never will.
    mapped: Arc<OnceLock<Result<(), wgpu::BufferAsyncError>>>,
}

/// Buffers for the blocks of batches that come back. Those that `used` has are taken if they are
/// long enough: it takes long until a device can write to memory of the host.
pub(super) fn buffers(
    gpu: &Gpu,
    shape: &TierShape,
    batches: &Batches,
    used: Option<&Handover>,
) -> Vec<wgpu::Buffer> {
    let bytes = batches.sets as u64 * Sizes::of(shape).solved();
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let used = std::iter::from_fn(|| used?.take_buffer());
    let mut buffers: Vec<_> = used.filter(|buffer| buffer.size() >= bytes).collect();
    let length = bytes.next_power_of_two().min(gpu.buffer.max(bytes));
    buffers.resize_with(BUFFERS, || gpu.raw_buffer(length, usage));
    buffers
}

impl<M: Mask> ChunkSolver for TierSolver<'_, M> {
    fn beside(&self, chunks: Range<u64>, work: &(dyn Fn() + Sync)) -> Result<(), BuildError> {
        let listers = rayon::current_num_threads().div_ceil(threads_a_lister(&self.source));
        self.handover.begin();
        thread::scope(|scope| {
            let device = scope.spawn(|| {
                let end = self.handover.end_on_drop();
                let done = self.all_batches(chunks, listers);
                if done.is_ok() {
                    // Those who encode have not taken everything yet.
                    end.forget();
                }
                done
            });
            let end = self.handover.end_on_drop();
            work();
            drop(end);
            device.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn chunk(&self, number: u64) -> Option<SolvedChunk> {
        let batch = self.handover.take(number / self.batches.chunks)?;
        let ranks = self.chunks.sets(number);
        let sizes = Sizes::of(&self.shape);
        let (row, words) = (self.shape.row_bytes(), 4 * sizes.words);
        let mut raw = vec![0; self.chunks.bytes(number) + pack::SLACK];
        let (mut wins, mut orbits) = (0, 0);
        let blocks = batch.bytes().chunks_exact(sizes.rows * words);
        let blocks = blocks.skip(ranks.start - batch.first_rank);
        let to = raw.chunks_exact_mut(self.shape.block_bytes());
        for ((rank, block), to) in ranks.zip(blocks).zip(to) {
            let orbit = u64::from(self.sets.orbit_size(rank));
            wins += orbit * ones(block);
            orbits += orbit;
            for (from, to) in block.chunks_exact(words).zip(to.chunks_exact_mut(row)) {
                to.copy_from_slice(&from[..row]);
            }
        }
        let inner = match self.planes {
            Some(_) => {
                let block = self.shape.block_bytes();
                let first = (self.chunks.sets(number).start - batch.first_rank) * block;
                batch.inner[first..first + self.chunks.bytes(number)].to_vec()
            }
            None => Vec::new(),
        };
        Some(SolvedChunk { raw, wins, orbits, inner })
    }
}

/// The bits that are set in whole words.
fn ones(block: &[u8]) -> u64 {
    let (pairs, rest) = block.as_chunks::<8>();
    let word = |bytes: &[u8; 8]| u64::from(u64::from_le_bytes(*bytes).count_ones());
    let rest: u64 = rest.iter().map(|byte| u64::from(byte.count_ones())).sum();
    pairs.iter().map(word).sum::<u64>() + rest
}

impl<M: Mask> TierSolver<'_, M> {
    /// Solves all batches that have chunks of a range.
    fn all_batches(&self, chunks: Range<u64>, listers: usize) -> Result<(), BuildError> {
        if chunks.is_empty() {
            return Ok(());
        }
        let numbers = chunks.start / self.batches.chunks..chunks.end.div_ceil(self.batches.chunks);
        let (sender, receiver) = sync_channel(1);
        let lists = ReorderBuffer::new(numbers.start, 1 + listers as u64, sender);
        let next = AtomicU64::new(numbers.start);
        thread::scope(|scope| {
            for _ in 0..listers {
                scope.spawn(|| self.make_lists(&chunks, &next, &lists));
            }
            // The receiver goes with this call, and with it the threads that make lists.
            let mut flights = VecDeque::new();
            let fed = self.feed(&chunks, numbers.clone(), receiver, &mut flights);
            self.land(flights);
            fed
        })
    }

    /// Waits for batches that nobody wants any more: a device must not be given up while it works.
    fn land(&self, mut flights: VecDeque<Flight>) {
        while !flights.is_empty() && self.poll().is_ok() {
            while let Some(flight) = pop_landed(&mut flights) {
                flight.buffer.unmap();
            }
            thread::sleep(PAUSE);
        }
    }

    /// Makes lists until there are no more batches, or nobody wants them.
    fn make_lists(
        &self,
        chunks: &Range<u64>,
        next: &AtomicU64,
        lists: &ReorderBuffer<Result<Lists, BuildError>, SyncSender<Result<Lists, BuildError>>>,
    ) {
        let _guard = lists.abandon_on_panic();
        let end = self.handover.end_on_drop();
        let (mut decoder, mut near) = (ThreadDecoder::default(), NearPlanes::default());
        let last = chunks.end.div_ceil(self.batches.chunks);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= last || self.handover.is_over() {
                break;
            }
            let list = self.list(&self.part(number, chunks), &mut decoder, &mut near);
            let send = |sender: &mut SyncSender<_>, _, list| sender.send(list).map_err(drop);
            if !lists.push(number, list, send).unwrap_or(false) {
                break;
            }
        }
        // Only a panic must end all.
        end.forget();
    }

    fn list(
        &self,
        chunks: &Range<u64>,
        decoder: &mut ThreadDecoder,
        near: &mut NearPlanes,
    ) -> Result<Lists, BuildError> {
        let ranks = self.chunks.sets(chunks.start).start..self.chunks.sets(chunks.end - 1).end;
        let (shape, source) = (&self.shape, self.source);
        let mut lists = Lists::new(shape, self.sets, self.below, ranks, source, decoder)?;
        if let Some(planes) = self.planes {
            lists.add_planes(shape, planes, near)?;
        }
        Ok(lists)
    }

    /// What a batch has of a range of chunks.
    fn part(&self, number: u64, chunks: &Range<u64>) -> Range<u64> {
        let first = number * self.batches.chunks;
        first.max(chunks.start)..(first + self.batches.chunks).min(chunks.end)
    }

    /// Submits batches and hands them on, in order.
    fn feed(
        &self,
        chunks: &Range<u64>,
        numbers: Range<u64>,
        lists: Receiver<Result<Lists, BuildError>>,
        flights: &mut VecDeque<Flight>,
    ) -> Result<(), BuildError> {
        let scratch = self.scratch.get_or_init(|| self.scratch());
        let mut submitted = numbers.start;
        let (mut list, mut buffer) = (None, None);
        while submitted < numbers.end || !flights.is_empty() {
            if self.handover.is_over() {
                return Ok(());
            }
            self.poll()?;
            while let Some(flight) = pop_landed(flights) {
                self.hand_on(flight, chunks)?;
            }
            if submitted < numbers.end {
                buffer = buffer.or_else(|| self.handover.take_buffer());
                if list.is_none() {
                    list = match lists.try_recv() {
                        Ok(list) => Some(list?),
                        Err(TryRecvError::Empty) => None,
                        Err(TryRecvError::Disconnected) => return Ok(()),
                    };
                }
                if let (Some(made), Some(_)) = (&mut list, &buffer) {
                    let buffer = buffer.take().expect("there is one");
                    flights.push_back(self.submit(submitted, made, buffer, scratch)?);
                    list = None;
                    submitted += 1;
                    continue;
                }
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// Lets the device say what it has finished. A lost device is a panic of wgpu, here and where
    /// what it has solved is read.
    fn poll(&self) -> Result<(), GpuError> {
        let polled = catch_unwind(AssertUnwindSafe(|| self.gpu.device.poll(wgpu::PollType::Poll)));
        match polled {
            Ok(Ok(_)) => self.gpu.check(),
            Ok(Err(error)) => Err(self.gpu.failed(&error.to_string())),
            Err(_) => Err(self.gpu.failed("the device is lost")),
        }
    }

    fn hand_on(&self, flight: Flight, chunks: &Range<u64>) -> Result<(), GpuError> {
        let Flight { number, first_rank, buffer, bytes, inner, mapped } = flight;
        if let Some(Err(error)) = mapped.get() {
            return Err(self.gpu.failed(&error.to_string()));
        }
        let Range { start, end } = self.part(number, chunks);
        let batch =
            AssertUnwindSafe(|| SolvedBatch::new(buffer, bytes, first_rank, inner, &self.handover));
        let batch = catch_unwind(batch).map_err(|_| self.gpu.failed("the device is lost"))?;
        self.handover.put(number, batch, end - start);
        Ok(())
    }

    fn scratch(&self) -> Scratch {
        let (gpu, sizes, sets) = (self.gpu, Sizes::of(&self.shape), self.batches.sets as u64);
        let vector = |bytes: u64| gpu.buffer(sets * bytes + SLACK);
        let brought = self.shape.child().filter(|_| self.turn_children.is_some()).map(|child| {
            let (child, count) = (Sizes::of(&child), self.batches.brought as u64);
            [child.solved(), child.turned()].map(|bytes| gpu.buffer(count * bytes + SLACK))
        });
        let spent = self.shape.spent().map(|spent| {
            let spent = Sizes::of(&spent);
            [spent.solved(), spent.turned()].map(vector)
        });
        Scratch {
            sets: gpu.buffer(8 * sets),
            items: gpu.buffer(16 * sets * sizes.free as u64),
            gathered: vector(sizes.gathered()),
            arrived: vector(sizes.arrived()),
            solved: vector(sizes.solved()),
            brought,
            spent,
        }
    }

    /// Gives the device a batch; its blocks come back in `buffer`.
    fn submit(
        &self,
        number: u64,
        lists: &mut Lists,
        buffer: wgpu::Buffer,
        scratch: &Scratch,
    ) -> Result<Flight, GpuError> {
        let gpu = self.gpu;
        gpu.write(&scratch.sets, &lists.sets);
        gpu.write(&scratch.items, bytemuck::cast_slice(&lists.items));
        let mut commands = Commands::new(gpu);
        self.gather(lists, scratch, &mut commands);
        self.solve_batch(lists, scratch, &mut commands);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        commands.encode(&mut encoder);
        let bytes = lists.ranks.len() as u64 * Sizes::of(&self.shape).solved();
        encoder.copy_buffer_to_buffer(&scratch.solved, 0, &buffer, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        let mapped = Arc::new(OnceLock::new());
        let set = mapped.clone();
        buffer.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
            let _ = set.set(result);
        });
        gpu.check()?;
        let inner = std::mem::take(&mut lists.inner);
        Ok(Flight { number, first_rank: lists.ranks.start, buffer, bytes, inner, mapped })
    }

    /// Puts the children of a batch in the places where its kernels read them.
    fn gather<'c>(&'c self, lists: &Lists, scratch: &'c Scratch, commands: &mut Commands<'c>) {
        if let (Some(turn), Some([brought, turned])) = (&self.turn_children, &scratch.brought) {
            self.gpu.write(brought, &lists.brought);
            let buffers = [(1, &turn.tab), (8, brought), (9, turned)];
            commands.run(&turn.turn, [0, 0], lists.brought_blocks, &buffers);
        }
        for run in &lists.runs {
            let child = match (self.source, &scratch.brought) {
                (Source::Device(segments), _) => &segments.buffers[run.segment],
                (Source::Host(_), Some([_, turned])) => turned,
                (Source::Host(_), None) => unreachable!("children are brought into buffers"),
            };
            let all = [
                (1, &self.solve.tab),
                (3, &scratch.sets),
                (4, &scratch.items),
                (5, child),
                (6, &scratch.gathered),
            ];
            let (kernel, buffers) = if run.moved {
                (&self.solve.orient, &all[..])
            } else {
                (&self.solve.copy, &all[2..])
            };
            commands.run(kernel, [run.first, 0], run.count, buffers);
        }
    }

    /// The kernels behind that.
    fn solve_batch<'c>(&'c self, lists: &Lists, scratch: &'c Scratch, commands: &mut Commands<'c>) {
        let count = lists.ranks.len();
        let solve = &*self.solve;
        let tables = [(1, &solve.tab), (2, &solve.spreads), (3, &scratch.sets)];
        let arrive = [(6, &scratch.gathered), (7, &scratch.arrived)];
        let win = [(7, &scratch.arrived), (8, &scratch.solved)];
        commands.run(&solve.arrive, [0, 0], count, &[&tables[..], &arrive].concat());
        commands.run(&solve.win, [0, 0], count, &[&tables[..], &win].concat());
        if let (Some(spend), Some([spent, turned])) = (&solve.spend, &scratch.spent) {
            self.gpu.write(spent, &lists.spent);
            let buffers = [(1, &spend.turn.tab), (8, spent), (9, turned)];
            commands.run(&spend.turn.turn, [0, 0], count, &buffers);
            commands.run(&spend.add, [0, 0], count, &[(8, &scratch.solved), (9, turned)]);
        }
        let Some((turn, segments)) = &self.target else { return };
        let mut done = 0;
        while done < count {
            let rank = lists.ranks.start + done;
            let (segment, to) = (rank / segments.per_segment, rank % segments.per_segment);
            let now = (count - done).min(segments.per_segment - to);
            let turned = &segments.buffers[segment];
            let buffers = [(1, &turn.tab), (8, &scratch.solved), (9, turned)];
            commands.run(&turn.turn, [done, to], now, &buffers);
            done += now;
        }
    }
}

/// The next batch, if the host can read it.
fn pop_landed(flights: &mut VecDeque<Flight>) -> Option<Flight> {
    flights.front()?.mapped.get()?;
    flights.pop_front()
}

/// Which way the children of a tier come to the device.
pub(super) fn children(source: &Source<'_>) -> Children {
    match source {
        Source::Device(_) => Children::OnDevice,
        Source::Host(_) => Children::WithHost,
    }
}
