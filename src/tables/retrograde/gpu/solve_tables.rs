//! The tables of the kernels that solve: sets by rank, next squares, symmetries, vectors of the
//! sets that avoid a square.

use super::constants::{Constants, Tables};
use super::sizes::Sizes;
use super::spread::{avoiding, spreads};
use crate::game::board::{Board, Symmetry};
use crate::tables::counting::colex::subsets;
use crate::tables::counting::small_binomial;
use crate::tables::index::{TableRules, TierShape, Width};

/// What a table of squares has where there is none.
const NO_SQUARE: u32 = 64;
/// What a table of pairs has where there is no square.
const NO_NUMBER: u32 = 255;
/// Most words of the two tables of ranks: more leave no room for anything else.
const MOST_RANKS: usize = 6500;

/// The tables of a tier, and the spreads, which lie in words of their own.
#[derive(Debug)]
pub(super) struct SolveTables {
    pub(super) tables: Tables,
    pub(super) spreads: Vec<u32>,
    /// Words of the tables of ranks; `None` where they would be too large.
    pub(super) rank_words: Option<usize>,
    /// Sets of at most two squares.
    pub(super) pairs: usize,
}

impl SolveTables {
    pub(super) fn new(shape: &TierShape) -> Self {
        let sizes = Sizes::of(shape);
        let mut tables = Tables::default();
        numbers(&mut tables.constants, shape, &sizes);
        let most = sizes.movers.max(sizes.opponents) + 1;
        let binomial = |place, squares| small_binomial(squares, place).min(u32::MAX.into()) as u32;
        tables.table(
            "T_BINOMIALS",
            (0..=most).flat_map(|place| (0..64).map(move |squares| binomial(place, squares))),
        );
        tables.table("T_NEXT", next_squares(shape.rules(), shape.board()));
        tables.table("T_SYMMETRIES", symmetries(shape.board()));
        tables.table("T_SETS", set_list(shape, sizes.free, sizes.movers));
        tables.table("T_CHILD_SETS", set_list(shape, sizes.free - 1, sizes.movers));
        let left = avoiding(sizes.left, sizes.opponents);
        let less = avoiding(sizes.left + 1, sizes.opponents);
        tables.table("T_AVOID_LEFT", left.concat());
        tables.table("T_AVOID_LESS", less.concat());
        let pairs = put_pairs(&mut tables, &sizes);
        let rank_words = put_ranks(&mut tables, shape, &sizes);
        let mut words = spreads(&left);
        tables.constants.number("S_LEFT", 0);
        tables.constants.number("S_LESS", words.len() / 4);
        words.extend(spreads(&less));
        Self { tables, spreads: words, rank_words, pairs }
    }
}

/// Numbers that all kernels of a tier share.
pub(super) fn numbers(constants: &mut Constants, shape: &TierShape, sizes: &Sizes) {
    let squares = shape.board().squares();
    for (name, value) in [
        ("SQUARES", squares),
        ("N", sizes.free),
        ("MOVERS", sizes.movers),
        ("LEFT", sizes.left),
        ("LEFT_CHILD", sizes.left_child),
        ("ROWS", sizes.rows),
        ("CHILD_ROWS", sizes.child_rows),
        ("LESS_ROWS", sizes.less_rows),
        ("TURNED_ROWS", sizes.turned_rows),
        ("WORDS", sizes.words),
        ("WORDS_LESS", sizes.words_less),
        ("WORDS_CHILD", sizes.words_child),
        ("WORDS_TURNED", sizes.words_turned),
        ("MOVER_WORDS", sizes.mover_words),
        ("OPPONENT_WORDS", sizes.opponent_words),
    ] {
        constants.number(name, value);
    }
    constants.expression("SLIDES", &(shape.rules() == TableRules::Amazons).to_string());
    let all = u64::MAX >> (64 - squares);
    match shape.width() {
        Width::Narrow => {
            constants.expression("ALL", &format!("{all}u"));
            constants.expression("NONE", "0u");
            constants.number("SQUARE_MASK", 31);
        }
        Width::Wide => {
            let (low, high) = (all as u32, all >> 32);
            constants.expression("ALL", &format!("vec2<u32>({low}u, {high}u)"));
            constants.expression("NONE", "vec2<u32>(0u, 0u)");
            constants.number("SQUARE_MASK", 63);
        }
    }
}

/// The sets of a size in colex order, in as many words each as the kernels of the board take.
pub(super) fn set_list(shape: &TierShape, squares: usize, size: usize) -> Vec<u32> {
    let sets = subsets::<u64>(squares, size);
    match shape.width() {
        Width::Narrow => sets.map(|set| set as u32).collect(),
        Width::Wide => sets.flat_map(|set| [set as u32, (set >> 32) as u32]).collect(),
    }
}

/// The next square in each of eight directions.
fn next_squares(rules: TableRules, board: Board) -> Vec<u32> {
    let directions: [(isize, isize); 8] = match rules {
        TableRules::Cowboys => {
            [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
        }
        _ => [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)],
    };
    let next = |square, (x, y)| {
        let file = board.file(square).wrapping_add_signed(x);
        let rank = board.rank(square).wrapping_add_signed(y);
        board.square(file, rank).map_or(NO_SQUARE, |to| to.index() as u32)
    };
    let squares = board.all::<u64>().into_iter();
    squares.flat_map(|square| directions.map(|direction| next(square, direction))).collect()
}

/// Where each square goes under each symmetry.
fn symmetries(board: Board) -> Vec<u32> {
    let symmetries = Symmetry::all(board);
    let images = symmetries.iter().flat_map(|symmetry| {
        board.all::<u64>().into_iter().map(|square| symmetry.square(square).index() as u32)
    });
    images.collect()
}

/// The sets of at most two squares that a child's mover leaves, and each set of opponents as such
/// sets: four squares a word, the words of a place in a column one after the other. Returns how
/// many sets of at most two there are.
fn put_pairs(tables: &mut Tables, sizes: &Sizes) -> usize {
    let squares = sizes.left_child as u32;
    let single = |square: u32| 1 + square;
    let pair = |low: u32, high: u32| 1 + squares + high * (high - 1) / 2 + low;
    let mut list = vec![NO_NUMBER | NO_NUMBER << 8];
    list.extend((0..squares).map(|square| square | NO_NUMBER << 8));
    list.extend((1..squares).flat_map(|high| (0..high).map(move |low| low | high << 8)));
    let pairs = list.len();
    tables.constants.number("PAIRS", pairs);
    tables.table("T_PAIRS", list);
    let fours = sizes.opponents.div_ceil(4);
    tables.constants.number("FOURS", fours);
    let parts = |set: u64| {
        let squares: Vec<u32> = (0..64).filter(|square| set >> square & 1 == 1).collect();
        let halves = squares.chunks(2).map(|two| match *two {
            [low, high] => pair(low, high),
            _ => single(two[0]),
        });
        let halves: Vec<u32> = halves.chain([0]).collect();
        let words = halves.chunks(2).map(|two| two[0] | two.get(1).unwrap_or(&0) << 16);
        words.take(fours).collect::<Vec<u32>>()
    };
    let mut words = vec![0; fours * 32 * sizes.words_child];
    for (rank, set) in subsets::<u64>(sizes.left_child, sizes.opponents).enumerate() {
        for (four, word) in parts(set).into_iter().enumerate() {
            words[(four * 32 + rank % 32) * sizes.words_child + rank / 32] = word;
        }
    }
    tables.table("T_FOURS", words);
    pairs
}

/// The tables from which the rank of a set of opponents is put together, and how many words they
/// have; `None` if they would be too large, or the sums too long for a word.
fn put_ranks(tables: &mut Tables, shape: &TierShape, sizes: &Sizes) -> Option<usize> {
    let (squares, size) = (sizes.left_child, sizes.opponents);
    let half = squares.div_ceil(2);
    let rest = squares - half;
    let fits = shape.width() == Width::Narrow && squares + 3 <= 32 && size < 8;
    let words = (1 << half) + ((size + 1) << rest);
    if !fits || words > MOST_RANKS {
        return None;
    }
    let rank = |set: u32, first: usize, before: usize| {
        let squares = (0..32).filter(|square| set >> square & 1 == 1).enumerate();
        // Sets of more squares than there are amazons do not occur.
        squares.fold(0u32, |sum, (place, square)| {
            sum.wrapping_add(small_binomial(first + square, before + place + 1) as u32)
        })
    };
    tables.constants.number("HALF", half);
    tables.constants.number("LOWS", 1 << half);
    tables.constants.number("HIGHS", (size + 1) << rest);
    tables.table("T_LOW", (0..1 << half).map(|set| rank(set, 0, 0)));
    let high = |before: usize| (0..1u32 << rest).map(move |set| rank(set, half, before));
    tables.table("T_HIGH", (0..=size).flat_map(high));
    Some(words)
}
