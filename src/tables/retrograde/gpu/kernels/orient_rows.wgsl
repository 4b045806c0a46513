// The same as `orient`, a lane for each row: all lanes go through the columns together, so that
// nothing diverges and the words of the lanes lie in different banks. `LOOPS` stands for the loops
// over the sets of a column's size in colex order.

struct Params { first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read> items: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> child: array<u32>;
@group(0) @binding(6) var<storage, read_write> gathered: array<u32>;

var<workgroup> moved: array<u32, N>;
var<workgroup> source_rows: array<u32, BANDS * 32>;
var<workgroup> part_of_square: array<u32, BANDS * LEFT_CHILD * 32 + 1>;
var<workgroup> source: array<u32, BANDS * WORDS_CHILD * 32>;
var<workgroup> made: array<u32, BANDS * WORDS_CHILD * 33>;

@compute @workgroup_size(LANES)
fn orient_rows(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let item = items[params.first + group.y];
    let band = lane / 32u;
    let t = lane % 32u;
    let arrows = arrow_set(item.x / N) | single(item.w);
    let free = ALL & ~arrows;
    var image = NONE;
    for (var square = 0u; square < SQUARES; square++) {
        if (has(free, square)) { image |= single(tab[T_SYMMETRIES + item.z * SQUARES + square]); }
    }
    for (var square = lane; square < SQUARES; square += LANES) {
        if (has(free, square)) {
            moved[number_in(free, square)] = number_in(image, tab[T_SYMMETRIES + item.z * SQUARES + square]);
        }
    }
    begin_places(lane);
    workgroupBarrier();
    let first = (group.x * BANDS + band) * 32u;
    let numbers = set_in_table(T_CHILD_SETS, min(first + t, CHILD_ROWS - 1u));
    var goes = NONE;
    var left = numbers;
    while (!is_empty(left)) {
        goes |= single(moved[lowest(left)]);
        left = without_lowest(left);
    }
    source_rows[lane] = rank(goes);
    var number = 0u;
    for (var e = 0u; e < N - 1u; e++) {
        if (!has(numbers, e)) {
            part_of_square[(band * LEFT_CHILD + number) * 32u + t] = part_of(number_in(~goes, moved[e]));
            number += 1u;
        }
    }
    workgroupBarrier();
    for (var i = t; i < 32u * WORDS_CHILD; i += 32u) {
        let row = i / WORDS_CHILD;
        let w = i % WORDS_CHILD;
        source[(band * WORDS_CHILD + w) * 32u + row] =
            child[(item.y * CHILD_ROWS + source_rows[band * 32u + row]) * WORDS_CHILD + w];
    }
    workgroupBarrier();
    let parts = band * LEFT_CHILD * 32u + t;
    let from_ = band * WORDS_CHILD * 32u + t;
    var bits = 0u;
    var k = 0u;
    var to = band * WORDS_CHILD * 33u + t;
    let all = NOTHING;
    LOOPS
    if (k > 0u) { made[to] = bits; }
    workgroupBarrier();
    let rows = min(32u, max(CHILD_ROWS, first) - first);
    for (var i = t; i < rows * WORDS_CHILD; i += 32u) {
        gathered[(item.x * CHILD_ROWS + first) * WORDS_CHILD + i] =
            made[(band * WORDS_CHILD + i % WORDS_CHILD) * 33u + i / WORDS_CHILD];
    }
}
