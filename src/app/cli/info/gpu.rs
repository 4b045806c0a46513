//! The graphics cards of this machine, as `build --gpu` sees them.

use serde::Serialize;

use crate::app::cli::text::quantity;
use crate::app::cli::{Context, Failure};
use crate::tables::retrograde::gpu::{GpuError, adapter_list};

#[derive(Serialize)]
struct Adapter {
    name: String,
    kind: String,
    /// Bytes of its own memory, if the system says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    /// The most bytes of a buffer.
    buffer: u64,
}

/// Prints what there is, the one that is taken first.
pub(super) fn run(context: &Context) -> Result<(), Failure> {
    let adapters = adapter_list();
    if adapters.is_empty() {
        return Err(Failure::failed(GpuError::NoAdapter.to_string()));
    }
    for found in adapters {
        let (memory, buffer) = (found.memory, found.buffer);
        let adapter = Adapter { name: found.name, kind: found.kind, memory, buffer };
        if context.json() {
            context.print_json(&adapter)?;
            continue;
        }
        let memory = memory.map_or("unknown".into(), |bytes| quantity::bytes(bytes.into()));
        context.print(format_args!(
            "{} ({}): memory {memory}, buffers of at most {}",
            adapter.name,
            adapter.kind,
            quantity::bytes(buffer.into())
        ))?;
    }
    Ok(())
}
