// Shots: for each placement of the mover, the opponents for which an amazon that has just arrived
// wins by an arrow. Stored by the placement without that amazon, and its square.

struct Params { first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(6) var<storage, read> gathered: array<u32>;
@group(0) @binding(7) var<storage, read_write> arrived: array<u32>;

var<workgroup> square_of: array<u32, ROWS_AT_ONCE * N>;
// Where the row begins that a shot at each square left leads to.
var<workgroup> begins: array<u32, ROWS_AT_ONCE * LEFT>;
var<workgroup> lost: array<u32, ROWS_AT_ONCE * LEFT * WORDS>;
var<workgroup> shot: array<u32, ROWS_AT_ONCE * (MOVERS * WORDS + 1)>;

// The opponents that lose after an arrow on a square, among those that the mover leaves.
fn losses(own: u32, task: u32) -> u32 {
    let a = spreads[S_LEFT + 2u * task];
    let b = spreads[S_LEFT + 2u * task + 1u];
    let at = begins[own * LEFT + task / WORDS] + (b.z >> 5u);
    return deposit(~funnel(gathered[at], gathered[at + 1u], b.z & 31u), a, b);
}

@compute @workgroup_size(LANES)
fn arrive(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let own = lane / LANES_A_ROW;
    let t = lane % LANES_A_ROW;
    let block = params.first + group.y;
    let row = min(group.x * ROWS_AT_ONCE + own, ROWS - 1u);
    let free = ALL & ~arrow_set(block);
    let mover = set_in_table(T_SETS, row);
    for (var square = t; square < SQUARES; square += LANES_A_ROW) {
        if (has(free, square)) { square_of[own * N + number_in(free, square)] = square; }
    }
    for (var e = t; e < N; e += LANES_A_ROW) {
        if (!has(mover, e)) {
            let low = mover & below(e);
            let closed = low | moved_down(mover & ~below(e));
            begins[own * LEFT + e - size(low)] = ((block * N + e) * CHILD_ROWS + rank(closed)) * WORDS_CHILD;
        }
    }
    workgroupBarrier();
    if (LEFT * WORDS >= 64u) {
        // All lanes for all rows, so that a spread is read once for them.
        for (var task = lane; task < LEFT * WORDS; task += LANES) {
            for (var r = 0u; r < ROWS_AT_ONCE; r++) { lost[r * LEFT * WORDS + task] = losses(r, task); }
        }
    } else {
        for (var task = t; task < LEFT * WORDS; task += LANES_A_ROW) {
            lost[own * LEFT * WORDS + task] = losses(own, task);
        }
    }
    var taken = NONE;
    var left = mover;
    for (var i = 0u; i < MOVERS; i++) {
        taken |= single(square_of[own * N + lowest(left)]);
        left = without_lowest(left);
    }
    let open = free & ~taken;
    workgroupBarrier();
    for (var task = t; task < MOVERS * WORDS; task += LANES_A_ROW) {
        let w = task % WORDS;
        let from_ = square_of[own * N + nth(mover, task / WORDS)];
        var wins = 0u;
        for (var d = 0u; d < 8u; d++) {
            var to = tab[T_NEXT + from_ * 8u + d];
            var clear = 0xffffffffu;
            while (to < SQUARES && has(open, to & SQUARE_MASK)) {
                let number = number_in(open, to);
                wins |= lost[(own * LEFT + number) * WORDS + w] & clear;
                if (!SLIDES) { break; }
                clear &= tab[T_AVOID_LEFT + number * WORDS + w];
                to = tab[T_NEXT + to * 8u + d];
            }
        }
        shot[own * (MOVERS * WORDS + 1u) + task] = wins;
    }
    workgroupBarrier();
    for (var task = t; task < MOVERS * WORDS_LESS; task += LANES_A_ROW) {
        let i = task / WORDS_LESS;
        let w = task % WORDS_LESS;
        let e = nth(mover, i);
        let others = mover & ~single(e);
        let number = e - size(others & below(e));
        let a = spreads[S_LESS + 2u * (number * WORDS_LESS + w)];
        let b = spreads[S_LESS + 2u * (number * WORDS_LESS + w) + 1u];
        let at = own * (MOVERS * WORDS + 1u) + i * WORDS + (b.z >> 5u);
        let next = min(at + 1u, ROWS_AT_ONCE * (MOVERS * WORDS + 1u) - 1u);
        arrived[((block * LESS_ROWS + rank(others)) * (LEFT + 1u) + number) * WORDS_LESS + w] =
            deposit(funnel(shot[at], shot[next], b.z & 31u), a, b);
    }
}
