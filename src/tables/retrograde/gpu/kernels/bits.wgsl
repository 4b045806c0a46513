// Ranks of sets, and bits of rows: taken from any place, spread over the places of a mask, and taken
// together from them.

// Masks to spread and collect the bits of a word, five and the mask itself, and the place of its
// first bit among those of its row.
@group(0) @binding(2) var<storage, read> spreads: array<vec4<u32>>;

// The colex rank of a set of numbers.
fn rank(numbers: Squares) -> u32 {
    var left = numbers;
    var sum = 0u;
    var place = 1u;
    while (!is_empty(left)) {
        sum += tab[T_BINOMIALS + place * 64u + lowest(left)];
        left = without_lowest(left);
        place += 1u;
    }
    return sum;
}

// The n-th of a set, counted from 0.
fn nth(numbers: Squares, n: u32) -> u32 {
    var left = numbers;
    for (var i = 0u; i < n; i++) { left = without_lowest(left); }
    return lowest(left);
}

// The number of a square among those of a set that holds it.
fn number_in(squares: Squares, square: u32) -> u32 { return size(squares & below(square)); }

// 32 bits from a place inside of the first word on.
fn funnel(low: u32, high: u32, shift: u32) -> u32 {
    return (low >> shift) | ((high << 1u) << (31u - shift));
}

// Spreads the lowest bits over the places of a mask: five steps, each with the bits that move.
fn deposit(bits: u32, a: vec4<u32>, b: vec4<u32>) -> u32 {
    var x = bits;
    x = (x & ~b.x) | ((x << 16u) & b.x);
    x = (x & ~a.w) | ((x << 8u) & a.w);
    x = (x & ~a.z) | ((x << 4u) & a.z);
    x = (x & ~a.y) | ((x << 2u) & a.y);
    x = (x & ~a.x) | ((x << 1u) & a.x);
    return x & b.y;
}

// Takes the bits at the places of a mask together, the lowest first.
fn extract(bits: u32, a: vec4<u32>, b: vec4<u32>) -> u32 {
    var x = bits & b.y;
    var t = x & a.x; x = (x ^ t) | (t >> 1u);
    t = x & a.y; x = (x ^ t) | (t >> 2u);
    t = x & a.z; x = (x ^ t) | (t >> 4u);
    t = x & a.w; x = (x ^ t) | (t >> 8u);
    t = x & b.x; x = (x ^ t) | (t >> 16u);
    return x;
}
