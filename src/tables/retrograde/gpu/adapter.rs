//! The adapters of this machine, and the one that solves.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::choice::{Candidate, Choice, choose};
use super::error::GpuError;
use super::raw;
use crate::machine::ranks::RankPlace;
use crate::tables::index::TierShape;

/// Threads of a workgroup, for all kernels.
pub(super) const LANES: usize = 128;

/// Of the memory that an adapter has, this share is used, in parts of 16: the rest is for the
/// system and for what drivers add.
const SHARE: u64 = 14;

/// Bytes of device memory where the system does not say how many there are.
const UNKNOWN_MEMORY: u64 = 2 << 30;

/// How a device is used. The default is right but for tests, which make everything small.
#[derive(Clone, Debug, Default)]
pub struct GpuSettings {
    /// A part of the name of the adapter, in any case of letters. Else the first graphics card is
    /// taken that has a processor of its own, or whatever there is.
    pub adapter: Option<String>,
    /// This process among those of its machine that solve together: they take the adapters of that
    /// name in turn, and share the memory of those that several of them take.
    pub place: RankPlace,
    /// Bytes of device memory that this process may use.
    pub memory: Option<u64>,
    /// The most bytes of one buffer.
    pub buffer: Option<u64>,
    /// Bytes for the blocks of tiers that stay on the device.
    pub resident: Option<u64>,
    /// Bytes of a segment of them.
    pub segment: Option<u64>,
    /// Bytes that the vectors of a batch may take.
    pub scratch: Option<u64>,
    /// Placements of a block from which on the device solves: tiers of smaller blocks are left to
    /// the processor.
    pub least_block: Option<u64>,
}

/// See [`GpuSettings::least_block`]. A list of a few words for each child costs as much whatever a
/// block holds, and it is the host that makes it. Even so the device was faster for all blocks that
/// were measured (`docs/gpu.md`).
pub const LEAST_BLOCK: u64 = 0;

/// An adapter of this machine, for users to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterSummary {
    /// Its name.
    pub name: String,
    /// What it is and how it is reached: `discrete, Vulkan, NVIDIA 570.86.15`.
    pub kind: String,
    /// Bytes of its own memory, if known.
    pub memory: Option<u64>,
    /// The most bytes of one buffer that a kernel can use.
    pub buffer: u64,
}

/// A device that solves. Clones are the same device.
#[derive(Clone)]
pub struct Gpu(Arc<Opened>);

/// See [`Gpu`].
pub struct Opened {
    pub(super) name: String,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) limits: wgpu::Limits,
    /// Bytes of memory that may be used.
    pub(super) memory: u64,
    /// The most bytes of a buffer that a kernel uses.
    pub(super) buffer: u64,
    /// Bytes that the vectors of a batch may take.
    pub(super) scratch: u64,
    /// Bytes for the blocks of tiers that stay.
    pub(super) resident: u64,
    /// Bytes of a segment of them, if that is asked for.
    pub(super) segment: Option<u64>,
    /// See [`GpuSettings::least_block`].
    pub(super) least_block: u64,
    /// What the device has complained about first.
    failure: Arc<Mutex<Option<String>>>,
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gpu({})", self.0.name)
    }
}

impl std::ops::Deref for Gpu {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.0
    }
}

/// The adapters that there are, those with a processor of their own first.
fn adapters() -> Vec<wgpu::Adapter> {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = wgpu::Backends::PRIMARY;
    descriptor.flags = wgpu::InstanceFlags::empty();
    let instance = wgpu::Instance::new(descriptor);
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu | wgpu::DeviceType::VirtualGpu => 1,
        wgpu::DeviceType::Other => 2,
        wgpu::DeviceType::Cpu => 3,
    });
    adapters
}

/// The adapters of this machine.
pub fn adapter_list() -> Vec<AdapterSummary> {
    adapters().iter().map(summary).collect()
}

fn summary(adapter: &wgpu::Adapter) -> AdapterSummary {
    let info = adapter.get_info();
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete",
        wgpu::DeviceType::IntegratedGpu => "integrated",
        wgpu::DeviceType::VirtualGpu => "virtual",
        wgpu::DeviceType::Cpu => "in software",
        wgpu::DeviceType::Other => "other",
    };
    let driver = [info.driver, info.driver_info].join(" ");
    let kind = format!("{kind}, {:?}, {}", info.backend, driver.trim());
    let buffer = largest_buffer(&adapter.limits());
    AdapterSummary { name: info.name, kind, memory: raw::memory(adapter), buffer }
}

/// What the choice of an adapter depends on.
fn candidate(adapter: &wgpu::Adapter) -> Candidate {
    let info = adapter.get_info();
    let threads = adapter.limits().max_compute_invocations_per_workgroup as usize;
    let small = threads < 2 * LANES;
    let flaw = small.then(|| format!("it has workgroups of less than {} threads", 2 * LANES));
    let (kind, bus) = (info.device_type, info.device_pci_bus_id);
    Candidate { name: info.name, kind, backend: info.backend, bus, flaw }
}

/// Bytes of the largest buffer that a kernel can use whole.
fn largest_buffer(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) & !1023
}

impl Gpu {
    /// Whether it solves such a tier, by the size of its blocks.
    pub(super) fn is_for(&self, shape: &TierShape) -> bool {
        shape.placements() >= self.least_block
    }

    /// Opens an adapter.
    ///
    /// # Errors
    /// [`GpuError::NoAdapter`], [`GpuError::NoSuchAdapter`], or [`GpuError::Unusable`].
    pub fn open(settings: &GpuSettings) -> Result<Self, GpuError> {
        let adapters = adapters();
        let candidates: Vec<Candidate> = adapters.iter().map(candidate).collect();
        let wanted = settings.adapter.as_deref().unwrap_or_default();
        let Choice { at, sharers } = choose(&candidates, wanted, settings.place)?;
        let (adapter, name) = (&adapters[at], candidates[at].name.clone());
        let limits = adapter.limits();
        let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: limits.clone(),
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        }));
        let unusable = |why: wgpu::RequestDeviceError| GpuError::Unusable {
            adapter: name.clone(),
            why: why.to_string(),
        };
        let (device, queue) = opened.map_err(unusable)?;
        let failure = listen(&device);
        let own = raw::memory(adapter).map_or(UNKNOWN_MEMORY, |bytes| bytes / 16 * SHARE);
        let memory = settings.memory.unwrap_or(own / sharers as u64);
        let most = largest_buffer(&limits);
        let buffer = settings.buffer.map_or(most, |bytes| bytes.min(most));
        let in_software = candidates[at].kind == wgpu::DeviceType::Cpu;
        let most = if in_software { MOST_SCRATCH_IN_SOFTWARE } else { MOST_SCRATCH };
        let scratch = settings.scratch.unwrap_or(most).min(memory / 4);
        let resident = settings.resident.unwrap_or(u64::MAX).min(memory - scratch);
        Ok(Self(Arc::new(Opened {
            name,
            device,
            queue,
            limits,
            memory,
            buffer,
            scratch,
            resident,
            segment: settings.segment,
            least_block: settings.least_block.unwrap_or(LEAST_BLOCK),
            failure,
        })))
    }

    /// The name of its adapter.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Bytes of its memory that may be used.
    pub fn memory(&self) -> u64 {
        self.0.memory
    }
}

/// Batches of this size keep the device busy; larger ones make it wait for the first.
const MOST_SCRATCH: u64 = 1 << 30;
/// A processor is busy with less, and would take minutes for as much.
const MOST_SCRATCH_IN_SOFTWARE: u64 = 32 << 20;

/// Notes what the device complains about first, in place of a panic.
fn listen(device: &wgpu::Device) -> Arc<Mutex<Option<String>>> {
    let failure = Arc::new(Mutex::new(None));
    let (of_call, of_device) = (failure.clone(), failure.clone());
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        note(&of_call, &error.to_string());
    }));
    device.set_device_lost_callback(move |reason, message| {
        if reason != wgpu::DeviceLostReason::Destroyed {
            note(&of_device, &format!("the device is lost: {message}"));
        }
    });
    failure
}

fn note(failure: &Mutex<Option<String>>, why: &str) {
    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
    // One line: users read it behind the name of the adapter.
    failure.get_or_insert_with(|| why.split_whitespace().collect::<Vec<_>>().join(" "));
}

impl Opened {
    /// That the device has failed.
    pub(super) fn failed(&self, why: &str) -> GpuError {
        note(&self.failure, why);
        let why = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        GpuError::Failed { adapter: self.name.clone(), why: why.clone().unwrap_or_default() }
    }

    /// Whether the device has complained about anything.
    ///
    /// # Errors
    /// [`GpuError::Failed`] if it has.
    pub(super) fn check(&self) -> Result<(), GpuError> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match failure {
            None => Ok(()),
            Some(why) => Err(GpuError::Failed { adapter: self.name.clone(), why }),
        }
    }

    /// A buffer for vectors or tables.
    pub(super) fn buffer(&self, bytes: u64) -> wgpu::Buffer {
        use wgpu::BufferUsages as Usage;
        self.raw_buffer(bytes, Usage::STORAGE | Usage::COPY_DST | Usage::COPY_SRC)
    }

    /// A buffer for tables, with these in it.
    pub(super) fn buffer_of(&self, words: &[u32]) -> wgpu::Buffer {
        let buffer = self.buffer(4 * words.len() as u64);
        self.write(&buffer, words);
        buffer
    }

    /// Puts words at the beginning of a buffer, in order with what is submitted.
    pub(super) fn write(&self, buffer: &wgpu::Buffer, words: &[u32]) {
        // Each part takes room until it is there.
        const PART: usize = 1 << 24;
        for (number, part) in words.chunks(PART).enumerate() {
            self.queue.write_buffer(buffer, (4 * PART * number) as u64, bytemuck::cast_slice(part));
        }
    }

    pub(super) fn raw_buffer(&self, bytes: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let size = bytes.next_multiple_of(16).max(16);
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    }
}
