// Children that are stored as they are needed: their rows into the places of their parents' batch.

struct Params { first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read> items: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> child: array<u32>;
@group(0) @binding(6) var<storage, read_write> gathered: array<u32>;

@compute @workgroup_size(256)
fn copy(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let item = items[params.first + group.y];
    let at = group.x * 256u + lane;
    if (at < CHILD_ROWS * WORDS_CHILD) {
        gathered[item.x * CHILD_ROWS * WORDS_CHILD + at] = child[item.y * CHILD_ROWS * WORDS_CHILD + at];
    }
}
