// Steps: for each placement of the mover, the opponents against which it wins. That is the row of the
// file, in whole words.

struct Params { first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(7) var<storage, read> arrived: array<u32>;
@group(0) @binding(8) var<storage, read_write> solved: array<u32>;

var<workgroup> square_of: array<u32, ROWS_AT_ONCE * N>;
var<workgroup> made: array<atomic<u32>, ROWS_AT_ONCE * (WORDS + 2)>;

@compute @workgroup_size(LANES)
fn win(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let own = lane / LANES_A_ROW;
    let t = lane % LANES_A_ROW;
    let block = params.first + group.y;
    let row = min(group.x * ROWS_AT_ONCE + own, ROWS - 1u);
    let free = ALL & ~arrow_set(block);
    let mover = set_in_table(T_SETS, row);
    for (var square = t; square < SQUARES; square += LANES_A_ROW) {
        if (has(free, square)) { square_of[own * N + number_in(free, square)] = square; }
    }
    for (var w = t; w < WORDS + 2u; w += LANES_A_ROW) { atomicStore(&made[own * (WORDS + 2u) + w], 0u); }
    workgroupBarrier();
    var taken = NONE;
    var left = mover;
    for (var i = 0u; i < MOVERS; i++) {
        taken |= single(square_of[own * N + lowest(left)]);
        left = without_lowest(left);
    }
    for (var task = t; task < MOVERS * WORDS_LESS; task += LANES_A_ROW) {
        let w = task % WORDS_LESS;
        let e = nth(mover, task / WORDS_LESS);
        let from_ = square_of[own * N + e];
        let open = free & ~(taken & ~single(from_));
        let begin = (block * LESS_ROWS + rank(mover & ~single(e))) * (LEFT + 1u);
        var wins = 0u;
        for (var d = 0u; d < 8u; d++) {
            var to = tab[T_NEXT + from_ * 8u + d];
            var clear = 0xffffffffu;
            while (to < SQUARES && has(open, to & SQUARE_MASK)) {
                let number = number_in(open, to);
                wins |= arrived[(begin + number) * WORDS_LESS + w] & clear;
                if (!SLIDES) { break; }
                clear &= tab[T_AVOID_LESS + number * WORDS_LESS + w];
                to = tab[T_NEXT + to * 8u + d];
            }
        }
        let number = number_in(open, from_);
        let a = spreads[S_LESS + 2u * (number * WORDS_LESS + w)];
        let b = spreads[S_LESS + 2u * (number * WORDS_LESS + w) + 1u];
        let bits = extract(wins, a, b);
        let at = own * (WORDS + 2u) + (b.z >> 5u);
        let shift = b.z & 31u;
        atomicOr(&made[at], bits << shift);
        if (shift > 0u) { atomicOr(&made[at + 1u], bits >> (32u - shift)); }
    }
    workgroupBarrier();
    for (var w = t; w < WORDS; w += LANES_A_ROW) {
        solved[(block * ROWS + row) * WORDS + w] = atomicLoad(&made[own * (WORDS + 2u) + w]);
    }
}
