//! What wgpu calls unsafe: kernels without checks of each access, and the memory of an adapter.

#![allow(unsafe_code)]

/// A module whose accesses to buffers are not checked, and whose loops are not bounded.
pub(super) fn unchecked_module(device: &wgpu::Device, source: String) -> wgpu::ShaderModule {
    let source = wgpu::ShaderSource::Wgsl(source.into());
    let descriptor = wgpu::ShaderModuleDescriptor { label: None, source };
    // SAFETY: the sources are those of this program. A kernel reads and writes only at places that
    // follow from the sizes of its tier, from which the lengths of its buffers follow too: each is
    // as long as all blocks of a batch, with `SLACK` bytes behind it, of which a kernel reads the
    // first word. All its loops run over squares, words or rows of the tier, so they end.
    unsafe {
        device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked())
    }
}

/// Bytes of an adapter's own memory, if its interface tells them.
#[cfg(not(target_vendor = "apple"))]
pub(super) fn memory(adapter: &wgpu::Adapter) -> Option<u64> {
    // SAFETY: nothing is destroyed, and the handle lives as long as the guard.
    let vulkan = unsafe { adapter.as_hal::<wgpu::hal::api::Vulkan>() }?;
    let (instance, device) =
        (vulkan.shared_instance().raw_instance(), vulkan.raw_physical_device());
    // SAFETY: the device is one of this instance.
    let properties = unsafe { instance.get_physical_device_memory_properties(device) };
    let heaps = &properties.memory_heaps[..properties.memory_heap_count as usize];
    // The first flag of a heap says that it is the device's own.
    heaps.iter().filter(|heap| heap.flags.as_raw() & 1 != 0).map(|heap| heap.size).max()
}

/// Nothing is known of it here.
#[cfg(target_vendor = "apple")]
pub(super) fn memory(_adapter: &wgpu::Adapter) -> Option<u64> {
    None
}
