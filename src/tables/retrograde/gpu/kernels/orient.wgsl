// Children that are stored under a symmetry: row by row and bit by bit into the parent's numbering.
//
// A bit is a set of amazons. Its image is put together from the images of pairs of squares, which are
// made once a row. `Image`, `part_of`, `joined` and `place` say how an image is held, and how its
// rank is found.

struct Params { first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read> items: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> child: array<u32>;
@group(0) @binding(6) var<storage, read_write> gathered: array<u32>;

// Where the free squares of the child go, by their numbers.
var<workgroup> moved: array<u32, N>;
var<workgroup> part_of_square: array<Image, ROWS_AT_ONCE * LEFT_CHILD + 1>;
var<workgroup> part_of_pair: array<Image, ROWS_AT_ONCE * PAIRS>;
var<workgroup> source_row: array<u32, ROWS_AT_ONCE * WORDS_CHILD>;

@compute @workgroup_size(LANES)
fn orient(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let item = items[params.first + group.y];
    let own = lane / LANES_A_ROW;
    let t = lane % LANES_A_ROW;
    let arrows = arrow_set(item.x / N) | single(item.w);
    let free = ALL & ~arrows;
    var image = NONE;
    for (var square = 0u; square < SQUARES; square++) {
        if (has(free, square)) { image |= single(tab[T_SYMMETRIES + item.z * SQUARES + square]); }
    }
    if (lane < SQUARES && has(free, lane)) {
        moved[number_in(free, lane)] = number_in(image, tab[T_SYMMETRIES + item.z * SQUARES + lane]);
    }
    begin_places(lane);
    for (var round = 0u; round < ROUNDS; round++) {
        workgroupBarrier();
        let row = min((group.x * ROUNDS + round) * ROWS_AT_ONCE + own, CHILD_ROWS - 1u);
        let numbers = set_in_table(T_CHILD_SETS, row);
        var goes = NONE;
        var left = numbers;
        while (!is_empty(left)) {
            goes |= single(moved[lowest(left)]);
            left = without_lowest(left);
        }
        let source = rank(goes);
        for (var e = t; e < N - 1u; e += LANES_A_ROW) {
            if (!has(numbers, e)) {
                let number = number_in(~numbers, e);
                part_of_square[own * LEFT_CHILD + number] = part_of(number_in(~goes, moved[e]));
            }
        }
        for (var w = t; w < WORDS_CHILD; w += LANES_A_ROW) {
            source_row[own * WORDS_CHILD + w] = child[(item.y * CHILD_ROWS + source) * WORDS_CHILD + w];
        }
        workgroupBarrier();
        for (var pair = t; pair < PAIRS; pair += LANES_A_ROW) {
            let two = tab[T_PAIRS + pair];
            var both = NOTHING;
            if ((two & 255u) != 255u) { both = joined(both, part_of_square[own * LEFT_CHILD + (two & 255u)]); }
            if ((two >> 8u) != 255u) { both = joined(both, part_of_square[own * LEFT_CHILD + (two >> 8u)]); }
            part_of_pair[own * PAIRS + pair] = both;
        }
        workgroupBarrier();
        for (var w = t; w < WORDS_CHILD; w += LANES_A_ROW) {
            var bits = 0u;
            for (var k = 0u; k < 32u; k++) {
                var all = NOTHING;
                for (var q = 0u; q < FOURS; q++) {
                    let two = tab[T_FOURS + (q * 32u + k) * WORDS_CHILD + w];
                    all = joined(all, part_of_pair[own * PAIRS + (two & 65535u)]);
                    all = joined(all, part_of_pair[own * PAIRS + (two >> 16u)]);
                }
                let at = place(all);
                bits |= ((source_row[own * WORDS_CHILD + (at >> 5u)] >> (at & 31u)) & 1u) << k;
            }
            gathered[(item.x * CHILD_ROWS + row) * WORDS_CHILD + w] = bits;
        }
    }
}
