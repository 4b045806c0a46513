// Of a plane of margins above 0: where the mover wins by spending a spare move, because the other
// side, to move then, loses. Those blocks are turned, so that their rows are those of the mover.

struct Params { first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(8) var<storage, read_write> solved: array<u32>;
@group(0) @binding(9) var<storage, read> spent: array<u32>;

@compute @workgroup_size(256)
fn spend(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = group.x * 256u + lane;
    if (at < ROWS * WORDS) {
        let there = select(0xffffffffu, LAST, at % WORDS == WORDS - 1u);
        let place = (params.first + group.y) * ROWS * WORDS + at;
        solved[place] |= ~spent[place] & there;
    }
}
