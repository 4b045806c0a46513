// An image as a sum of bits, one for each square, whose rank two tables give. Low squares are counted
// above the bits, so that the sum without its low bits is a place in the table of high squares.
alias Image = u32;
const NOTHING: Image = 0u;

var<workgroup> low_ranks: array<u32, LOWS>;
var<workgroup> high_ranks: array<u32, HIGHS>;

fn begin_places(lane: u32) {
    for (var i = lane; i < LOWS; i += LANES) { low_ranks[i] = tab[T_LOW + i]; }
    for (var i = lane; i < HIGHS; i += LANES) { high_ranks[i] = tab[T_HIGH + i]; }
}
fn part_of(number: u32) -> Image { return (1u << number) + select(0u, 1u << LEFT_CHILD, number < HALF); }
fn joined(one: Image, other: Image) -> Image { return one + other; }
fn place(image: Image) -> u32 { return low_ranks[image & (LOWS - 1u)] + high_ranks[image >> HALF]; }
