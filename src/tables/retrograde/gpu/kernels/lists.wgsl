// The tables of the tier, and the arrow sets of the batch.
@group(0) @binding(1) var<storage, read> tab: array<u32>;
@group(0) @binding(3) var<storage, read> sets: array<u32>;
