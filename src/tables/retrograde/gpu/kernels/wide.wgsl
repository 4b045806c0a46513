// Sets of at most 64 squares, or of numbers of squares, in two words.
alias Squares = vec2<u32>;

fn single(square: u32) -> Squares {
    let bit = 1u << (square & 31u);
    return select(vec2<u32>(0u, bit), vec2<u32>(bit, 0u), square < 32u);
}
fn below(square: u32) -> Squares {
    let mask = (1u << (square & 31u)) - 1u;
    return select(vec2<u32>(0xffffffffu, mask), vec2<u32>(mask, 0u), square < 32u);
}
fn has(squares: Squares, square: u32) -> bool {
    return (select(squares.y, squares.x, square < 32u) >> (square & 31u) & 1u) == 1u;
}
fn size(squares: Squares) -> u32 { return countOneBits(squares.x) + countOneBits(squares.y); }
fn lowest(squares: Squares) -> u32 {
    return select(32u + firstTrailingBit(squares.y), firstTrailingBit(squares.x), squares.x != 0u);
}
fn without_lowest(squares: Squares) -> Squares {
    let high = squares.y & (squares.y - 1u);
    return select(vec2<u32>(0u, high), vec2<u32>(squares.x & (squares.x - 1u), squares.y), squares.x != 0u);
}
fn is_empty(squares: Squares) -> bool { return (squares.x | squares.y) == 0u; }
// All squares move one place down.
fn moved_down(squares: Squares) -> Squares {
    return vec2<u32>((squares.x >> 1u) | (squares.y << 31u), squares.y >> 1u);
}
fn set_in_table(at: u32, number: u32) -> Squares {
    return vec2<u32>(tab[at + 2u * number], tab[at + 2u * number + 1u]);
}
fn arrow_set(number: u32) -> Squares { return vec2<u32>(sets[2u * number], sets[2u * number + 1u]); }
