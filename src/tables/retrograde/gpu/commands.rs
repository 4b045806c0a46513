//! Kernels to be run one after the other, each with its buffers and numbers.

use super::adapter::Gpu;
use super::program::Kernel;

/// Bytes from one kernel's numbers to the next one's: no device asks for more.
const STRIDE: usize = 256;

/// A kernel that is to run.
struct Dispatch<'a> {
    kernel: &'a Kernel,
    count: u32,
    numbers: [u32; 2],
    buffers: Vec<(u32, &'a wgpu::Buffer)>,
}

/// Kernels to be run.
pub(super) struct Commands<'a> {
    gpu: &'a Gpu,
    dispatches: Vec<Dispatch<'a>>,
}

impl<'a> Commands<'a> {
    pub(super) fn new(gpu: &'a Gpu) -> Self {
        Self { gpu, dispatches: Vec::new() }
    }

    /// Runs a kernel for `count` blocks or items from `first` on; what it makes of blocks goes to
    /// `to` and behind. The buffers come with the numbers of their bindings.
    pub(super) fn run(
        &mut self,
        kernel: &'a Kernel,
        [first, to]: [usize; 2],
        count: usize,
        buffers: &[(u32, &'a wgpu::Buffer)],
    ) {
        let most = self.gpu.limits.max_compute_workgroups_per_dimension as usize;
        for done in (0..count).step_by(most) {
            self.dispatches.push(Dispatch {
                kernel,
                count: (count - done).min(most) as u32,
                numbers: [(first + done) as u32, (to + done) as u32],
                buffers: buffers.to_vec(),
            });
        }
    }

    /// Encodes all of them.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder) {
        let gpu = self.gpu;
        let mut words = vec![0; self.dispatches.len() * STRIDE / 4];
        for (place, dispatch) in words.chunks_exact_mut(STRIDE / 4).zip(&self.dispatches) {
            place[..2].copy_from_slice(&dispatch.numbers);
        }
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let numbers = gpu.raw_buffer(4 * words.len() as u64, usage);
        gpu.write(&numbers, &words);
        let groups: Vec<wgpu::BindGroup> = (0..)
            .zip(&self.dispatches)
            .map(|(number, dispatch)| {
                let numbers = wgpu::BufferBinding {
                    buffer: &numbers,
                    offset: number * STRIDE as u64,
                    size: std::num::NonZeroU64::new(16),
                };
                let numbers = wgpu::BindingResource::Buffer(numbers);
                let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: numbers }];
                entries.extend(dispatch.buffers.iter().map(|&(binding, buffer)| {
                    wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }
                }));
                gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &dispatch.kernel.pipeline.get_bind_group_layout(0),
                    entries: &entries,
                })
            })
            .collect();
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for (dispatch, group) in self.dispatches.iter().zip(&groups) {
            pass.set_pipeline(&dispatch.kernel.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(dispatch.kernel.groups, dispatch.count, 1);
        }
    }
}
