// Sets of at most 32 squares, or of numbers of squares, in one word.
alias Squares = u32;

fn single(square: u32) -> Squares { return 1u << square; }
fn below(square: u32) -> Squares { return (1u << square) - 1u; }
fn has(squares: Squares, square: u32) -> bool { return (squares >> square & 1u) == 1u; }
fn size(squares: Squares) -> u32 { return countOneBits(squares); }
fn lowest(squares: Squares) -> u32 { return firstTrailingBit(squares); }
fn without_lowest(squares: Squares) -> Squares { return squares & (squares - 1u); }
fn is_empty(squares: Squares) -> bool { return squares == 0u; }
// All squares move one place down.
fn moved_down(squares: Squares) -> Squares { return squares >> 1u; }
fn set_in_table(at: u32, number: u32) -> Squares { return tab[at + number]; }
fn arrow_set(number: u32) -> Squares { return sets[number]; }
