// Rows of the mover over the opponents become rows of the opponent over the movers, as the next tier
// reads them. A workgroup makes 32 of these rows, from tiles of 32 rows and 32 columns.

struct Params { first: u32, to: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(8) var<storage, read> solved: array<u32>;
@group(0) @binding(9) var<storage, read_write> turned: array<u32>;

// Which columns of a row there are, and its bits.
var<workgroup> tile: array<vec2<u32>, LANES>;
var<workgroup> made: array<atomic<u32>, 32 * (WORDS_TURNED + 1)>;

@compute @workgroup_size(LANES)
fn turn(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let g = lane / 32u;
    let t = lane % 32u;
    let block = params.first + group.y;
    let column_word = group.x;
    for (var i = lane; i < 32u * (WORDS_TURNED + 1u); i += LANES) { atomicStore(&made[i], 0u); }
    let opponent = column_word * 32u + t;
    for (var first = 0u; first < MOVER_WORDS; first += LANES / 32u) {
        let row_word = first + g;
        workgroupBarrier();
        let row = row_word * 32u + t;
        var valid = 0u;
        var bits = 0u;
        if (row < ROWS) {
            var left = set_in_table(T_SETS, row);
            valid = 0xffffffffu;
            while (!is_empty(left)) {
                valid &= tab[T_AVOID + lowest(left) * OPPONENT_WORDS + column_word];
                left = without_lowest(left);
            }
            let before = tab[T_BEFORE + row * OPPONENT_WORDS + column_word];
            let at = (block * ROWS + row) * WORDS + (before >> 5u);
            let shift = before & 31u;
            bits = (solved[at] >> shift) | ((solved[at + 1u] << 1u) << (31u - shift));
        }
        tile[lane] = vec2<u32>(valid, bits);
        workgroupBarrier();
        var column = 0u;
        var count = 0u;
        let mask = (1u << t) - 1u;
        for (var k = 0u; k < 32u; k++) {
            let other = tile[g * 32u + k];
            let there = other.x >> t & 1u;
            column |= ((other.y >> countOneBits(other.x & mask)) & there) << (count & 31u);
            count += there;
        }
        if (row_word < MOVER_WORDS && opponent < TURNED_ROWS) {
            let before = tab[T_BEFORE_TURNED + opponent * MOVER_WORDS + row_word];
            let at = t * (WORDS_TURNED + 1u) + (before >> 5u);
            let shift = before & 31u;
            atomicOr(&made[at], column << shift);
            if (shift > 0u) { atomicOr(&made[at + 1u], column >> (32u - shift)); }
        }
    }
    workgroupBarrier();
    for (var i = lane; i < 32u * WORDS_TURNED; i += LANES) {
        let row = column_word * 32u + i / WORDS_TURNED;
        if (row < TURNED_ROWS) {
            turned[((params.to + group.y) * TURNED_ROWS + column_word * 32u) * WORDS_TURNED + i] =
                atomicLoad(&made[i / WORDS_TURNED * (WORDS_TURNED + 1u) + i % WORDS_TURNED]);
        }
    }
}
