//! The wall rule: positions that need no strategy in a certificate, because holding the walls is
//! one.
//!
//! Let one side, the holder, keep its amazons where they are. `F` are the empty squares that the
//! other side's amazons can come to by king steps over empty squares, and `P` is the length of a
//! walk of the holder's amazons, one after the other, by king steps over empty squares outside `F`,
//! no square twice.
//!
//! **Claim.** The holder wins if it moves second and `P >= |F|`, or if it moves first and `P >
//! |F|`.
//!
//! **Proof.** In its turns the holder makes the steps of the walk, each with the shot back onto the
//! square just left.
//!
//! 1. *The other side moves and shoots only within `F` and the squares where its amazons stood at
//!    first.* What borders on these is burned or holds an amazon of the holder. Where such an
//!    amazon leaves, its shot burns the square. So no square is ever opened to the other side.
//! 2. *The other side has at most `|F|` moves.* Each of its moves burns one of these squares. They
//!    are `|F|` and as many more as it has amazons, and its amazons always stand on as many.
//! 3. *The holder has its `P` moves*, since nobody else comes to the squares of the walk.
//!
//! Who begins and has no more moves than the other runs out first.
//!
//! With `k` steps into `F` that the other side cannot prevent, `P - |F| + 2k` stands for `P - |F|`:
//! see [`super::steps`], which has the proof.
//!
//! The search's bounds ([`crate::theory::region::blocker`], [`crate::theory::region::contest`]) say
//! the same of a whole board. The rule is written a second time here, so that a check rests on
//! nothing of the search. The writer of certificates calls this code too, to know which positions
//! it may leave out. Certificates of boards too large to be spelled out to the last squares use the
//! rule; the others rest on the rules of the game alone.
//!
//! **Which walk.** Any walk proves its own claim. The rule tries one for each symmetry of the
//! board: each amazon goes on to the square with the fewest ways on, and the symmetry says in which
//! order amazons walk and which of equal squares is taken ([`Walk`]). The symmetries are a group,
//! so all images of a position have the same verdict. Boards have 4 symmetries, square ones 8. The
//! [quick](WallRule::quick) rule, for searches, tries one walk only and has no such symmetry.
//!
//! Cost: a tenth of a microsecond where `P - |F|` is far from 0; several where steps must be tried.

use super::steps::{ANSWERING, BEGINNING, StepPosition, Steps};
use crate::game::Outcome;
use crate::game::board::{Bitboard, Board, BoardError, Kings, SquareIndex, Symmetry, Word};
use crate::game::rules::{Bitboards, Rules};

/// The most steps that the quick rule looks for.
const QUICK: i32 = 2;

/// Judges positions by the wall rule.
#[derive(Clone, Debug)]
pub struct WallRule<W: Word = u64> {
    steps: Steps<W>,
    orders: Vec<Order>,
    /// Steps beyond this number are not looked for.
    limit: i32,
}

/// An order of the squares: by where a symmetry of the board takes them.
#[derive(Clone, Debug)]
struct Order([u8; 128]);

/// Who moves next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Holder,
    Other,
}

impl First {
    /// The most steps that the rule looks for.
    fn most(self) -> i32 {
        match self {
            Self::Holder => BEGINNING,
            Self::Other => ANSWERING,
        }
    }

    /// By how many moves the holder must have more than the other side.
    fn lead(self) -> i32 {
        i32::from(self == Self::Holder)
    }
}

/// A walk of the holder's amazons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Walk<W: Word> {
    /// Its length.
    moves: i32,
    /// Amazons that have no part in it.
    idle: Bitboard<W>,
    /// Amazons whose part is one move.
    single: Bitboard<W>,
}

/// What the walks of a holder have in common.
#[derive(Clone, Copy)]
struct Stand<W: Word> {
    /// The holder's amazons beside `F`, which come last, since they have steps to make.
    beside: Bitboard<W>,
    /// The other amazons of the holder.
    behind: Bitboard<W>,
    /// The empty squares outside `F`.
    kept: Bitboard<W>,
}

impl<W: Word> WallRule<W> {
    /// For a board.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if it has more squares than the word has bits.
    pub fn new(board: Board) -> Result<Self, BoardError> {
        let steps = Steps { kings: Kings::new(board)?, rules: Rules::new(board)? };
        let orders = Symmetry::all(board).into_iter().map(|symmetry| Order::new(board, &symmetry));
        Ok(Self { steps, orders: orders.collect(), limit: BEGINNING })
    }

    /// The rule with one walk for a position, and two steps at the most: three cost more to look for
    /// than they save. It decides less, and sooner: it is for searches, which go on where it does
    /// not decide.
    pub fn quick(&self) -> Self {
        Self { orders: self.orders[..1].to_vec(), limit: QUICK, ..self.clone() }
    }

    fn most(&self, first: First) -> i32 {
        first.most().min(self.limit)
    }

    /// Whether the rule shows that the side to move wins, by holding its walls. If not, the
    /// position may be won or lost.
    #[inline]
    pub fn shows_win(&self, position: &Bitboards<W>) -> bool {
        self.holds(position, position.mover, position.opponent, First::Holder)
    }

    /// Whether a certificate may leave out this position of the winner, to move: it wins by the
    /// rule, or has a move after which the other side loses by it. Cost: that of the rule for each
    /// move until one is found.
    #[inline]
    pub fn covers(&self, position: &Bitboards<W>) -> bool {
        self.shows_win(position) || self.shows_win_by_move(position)
    }

    fn shows_win_by_move(&self, position: &Bitboards<W>) -> bool {
        let rules = &self.steps.rules;
        rules
            .moves(position)
            .into_iter()
            .any(|played| self.shows_loss(&rules.play_unchecked(position, played)))
    }

    /// Whether the rule shows that the side to move loses, because the other holds its walls. If
    /// not, the position may be won or lost.
    #[inline]
    pub fn shows_loss(&self, position: &Bitboards<W>) -> bool {
        self.holds(position, position.opponent, position.mover, First::Other)
    }

    /// What the side to move reaches, if the rule tells.
    #[inline]
    pub fn verdict(&self, position: &Bitboards<W>) -> Option<Outcome> {
        let win = self.shows_win(position).then_some(Outcome::Win);
        win.or_else(|| self.shows_loss(position).then_some(Outcome::Loss))
    }

    /// Whether a holder wins.
    fn holds(
        &self,
        position: &Bitboards<W>,
        holder: Bitboard<W>,
        other: Bitboard<W>,
        first: First,
    ) -> bool {
        let kings = &self.steps.kings;
        let empty = kings.all().without(position.occupied());
        let area = kings.flood(other, empty) & empty;
        let kept = empty.without(area);
        let needed = first.lead() + area.len() as i32;
        if needed > kept.len() as i32 + 2 * self.most(first) {
            return false;
        }
        let beside = kings.neighbours(area) & holder;
        // No walk leaves what the holder's amazons reach, and without an amazon beside `F` no step
        // is possible.
        let steps = if beside.is_empty() { 0 } else { self.most(first) };
        let reached = kings.flood(holder, kept) & kept;
        if needed > reached.len() as i32 + 2 * steps {
            return false;
        }
        let stand = Stand { beside, behind: holder.without(beside), kept };
        let mut tried: [Option<Walk<W>>; 8] = [None; 8];
        for (place, order) in self.orders.iter().enumerate() {
            let walk = Walk::new(kings, &stand, order);
            let missing = needed - walk.moves;
            if missing <= 0 {
                return true;
            }
            if tried[..place].contains(&Some(walk)) {
                continue;
            }
            tried[place] = Some(walk);
            if self.gains(&walk, StepPosition { steppers: walk.idle, other, area }, missing, first)
            {
                return true;
            }
        }
        false
    }

    /// Whether the holder gains as many moves as are missing by steps: idle amazons alone or with
    /// those whose part is one move.
    ///
    /// Only the least number of steps that suffices is tried: more steps are never surer
    /// ([`super::steps`]).
    fn gains(&self, walk: &Walk<W>, at: StepPosition<W>, missing: i32, first: First) -> bool {
        let sure = |steppers: Bitboard<W>, steps: i32| {
            let at = StepPosition { steppers, ..at };
            match first {
                First::Holder => self.steps.moving(&at, steps as usize),
                First::Other => self.steps.answering(&at, steps as usize),
            }
        };
        let most = self.most(first);
        let steps = (missing + 1) / 2;
        if steps <= most && sure(walk.idle, steps) {
            return true;
        }
        let singles = walk.single.len() as i32;
        let enough = |&steps: &i32| 2 * steps - steps.min(singles) >= missing;
        singles > 0
            && (steps..=most).find(enough).is_some_and(|steps| sure(walk.idle | walk.single, steps))
    }
}

impl Order {
    fn new(board: Board, symmetry: &Symmetry) -> Self {
        let mut order = [0; 128];
        for square in board.all::<u128>() {
            order[square.index()] = symmetry.square(square).index() as u8;
        }
        Self(order)
    }

    #[inline(always)]
    fn rank(&self, square: SquareIndex) -> u8 {
        self.0[square.index() & 127]
    }

    /// The first square of a set in this order.
    #[inline(always)]
    fn first<W: Word>(&self, set: Bitboard<W>) -> Option<SquareIndex> {
        set.iter().min_by_key(|&square| self.rank(square))
    }
}

impl<W: Word> Walk<W> {
    /// The walk in an order: amazons that are not beside `F` go first, either group in the order.
    /// Each goes on as long as it can, to a square from which the fewest squares lead on; of equal
    /// ones to the first in the order.
    #[inline]
    fn new(kings: &Kings<W>, stand: &Stand<W>, order: &Order) -> Self {
        let amazons = stand.behind | stand.beside;
        let mut walk = Self { moves: 0, idle: amazons, single: Bitboard::EMPTY };
        let mut left = stand.kept;
        for mut group in [stand.behind, stand.beside] {
            while let Some(amazon) = order.first(group) {
                group = group.without(Bitboard::of(amazon));
                let (mut at, mut moves) = (amazon, 0);
                let ways_on =
                    |at: SquareIndex, left: Bitboard<W>| kings.neighbours(Bitboard::of(at)) & left;
                let narrowest = |ways: Bitboard<W>, left: Bitboard<W>| {
                    ways.iter().min_by_key(|&way| (ways_on(way, left).len(), order.rank(way)))
                };
                while let Some(next) = narrowest(ways_on(at, left), left) {
                    left = left.without(Bitboard::of(next));
                    (at, moves) = (next, moves + 1);
                }
                if moves > 0 {
                    walk.idle = walk.idle.without(Bitboard::of(amazon));
                }
                if moves == 1 {
                    walk.single = walk.single.with(amazon);
                }
                walk.moves += moves;
            }
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::code::Coder;
    use crate::game::naive::NaiveSolver;
    use crate::game::notation::parse_fen;
    use crate::game::rules::colourings;
    use crate::machine::long::long_tests;
    use crate::proof::plain::{Account, Plain, Stage};
    use proptest::prelude::*;

    /// Holds the rule against the naive solver; whether it decides the position, and whether it
    /// needs steps for that.
    fn checked(
        [walls, quick]: [&WallRule; 2],
        naive: &mut NaiveSolver,
        position: &Bitboards,
    ) -> (bool, bool) {
        let (outcome, win, lose) =
            (naive.outcome(position), walls.shows_win(position), walls.shows_loss(position));
        assert!(!win || outcome.is_win(), "{position:?} is lost");
        assert!(!lose || !outcome.is_win(), "{position:?} is won");
        assert_eq!(walls.verdict(position), (win || lose).then_some(outcome));
        let quick = quick.verdict(position);
        assert!(quick.is_none() || quick == Some(outcome), "{position:?}: {quick:?}");
        assert!(quick.is_none() || win || lose, "{position:?} is decided by the quick rule alone");
        assert!(outcome.is_win() || !walls.covers(position), "{position:?} has no winning move");
        let decided = win || lose;
        (decided, decided && !stands_still(walls, position))
    }

    /// Whether `P - |F|` alone decides a position.
    fn stands_still(walls: &WallRule, position: &Bitboards) -> bool {
        let plain = Plain::new(walls.steps.kings.board());
        let stands = |account: Account| account.walks.iter().any(|walk| walk.missing <= 0);
        stands(plain.win(position)) || stands(plain.lose(position))
    }

    fn walls_are_right(board: &str) {
        let board: Board = board.parse().unwrap();
        let (walls, mut naive) =
            (WallRule::new(board).unwrap(), NaiveSolver::new(Rules::new(board).unwrap()));
        let (quick, coder, mut decided, mut by_steps) = (walls.quick(), Coder::new(board), 0, 0);
        // That all images have one verdict is held by another test.
        let smallest = |position: &Bitboards| {
            long_tests() || coder.position(coder.code(position)) == Some(*position)
        };
        for position in colourings(board).filter(smallest) {
            let (is_decided, needs_steps) = checked([&walls, &quick], &mut naive, &position);
            decided += usize::from(is_decided);
            by_steps += usize::from(needs_steps);
        }
        println!("{board}: {decided} decided, {by_steps} by steps");
        assert!(by_steps > 2_000 && decided > by_steps, "{decided} decided, {by_steps} by steps");
    }

    #[test]
    fn the_rule_never_contradicts_the_naive_solver() {
        let boards = ["3x3", "4x2", "9x1"];
        boards.into_iter().take(if long_tests() { 3 } else { 2 }).for_each(walls_are_right);
    }

    #[test]
    #[ignore = "a minute"]
    fn the_rule_never_contradicts_the_naive_solver_on_ten_squares() {
        walls_are_right("5x2");
    }

    /// A position with some amazons and empty squares, by the order of the squares.
    fn dealt(board: Board, order: &[u8], mover: usize, opponent: usize, empty: usize) -> Bitboards {
        let set = |squares: &[u8]| {
            squares.iter().map(|&index| SquareIndex::new(index.into())).collect::<Bitboard>()
        };
        let amazons = mover + opponent;
        Bitboards {
            mover: set(&order[..mover]),
            opponent: set(&order[mover..amazons]),
            arrows: board.all().without(set(&order[..(amazons + empty).min(order.len())])),
        }
    }

    /// Positions of any board with few squares left empty.
    fn deals() -> impl Strategy<Value = (Board, Bitboards)> {
        let boards = (1..=8usize, 1..=8usize).prop_filter("a game", |(c, r)| c * r > 3);
        let orders = boards.prop_flat_map(|(columns, rows)| {
            let board = Board::new(columns, rows).unwrap();
            let order = Just((0..board.squares() as u8).collect::<Vec<_>>()).prop_shuffle();
            let most = (board.squares() / 2).min(4);
            (Just(board), order, 1..=most, 1..=most, 1..=12usize)
        });
        orders.prop_map(|(board, order, mover, opponent, empty)| {
            (board, dealt(board, &order, mover, opponent, empty))
        })
    }

    /// The squares of a small board in any order.
    fn orders() -> impl Strategy<Value = (Board, Vec<u8>)> {
        (2..=6usize, 3..=6usize).prop_flat_map(|(columns, rows)| {
            let board = Board::new(columns, rows).unwrap();
            let squares: Vec<u8> = (0..board.squares() as u8).collect();
            (Just(board), Just(squares).prop_shuffle())
        })
    }

    fn all_images_agree(walls: &WallRule, symmetries: &[Symmetry], position: &Bitboards) {
        let verdict =
            |position: &Bitboards| (walls.shows_win(position), walls.shows_loss(position));
        let here = verdict(position);
        for symmetry in symmetries {
            assert_eq!(verdict(&position.mapped(symmetry)), here, "{position:?}");
        }
    }

    #[test]
    fn all_images_of_all_positions_of_small_boards_have_one_verdict() {
        for board in ["3x3", "4x2", "2x4", "9x1", "1x8"] {
            let board: Board = board.parse().unwrap();
            let (walls, symmetries) = (WallRule::new(board).unwrap(), Symmetry::all(board));
            for position in colourings(board) {
                all_images_agree(&walls, &symmetries, &position);
            }
        }
    }

    fn as_in_the_document(walls: &WallRule, plain: &Plain, position: &Bitboards) {
        let found = (walls.shows_win(position), walls.shows_loss(position));
        let expected = (plain.win(position).decides(), plain.lose(position).decides());
        assert_eq!(found, expected, "{position:?}");
    }

    #[test]
    fn the_rule_is_the_one_of_the_document_on_small_boards() {
        let boards = ["4x2", "2x4", "3x3"];
        for board in boards.into_iter().take(if long_tests() { 3 } else { 2 }) {
            let board: Board = board.parse().unwrap();
            let (walls, plain) = (WallRule::new(board).unwrap(), Plain::new(board));
            for position in colourings(board) {
                as_in_the_document(&walls, &plain, &position);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10 * dealt_positions()))]

        #[test]
        fn all_images_have_one_verdict((board, position) in deals()) {
            let walls = WallRule::new(board).unwrap();
            all_images_agree(&walls, &Symmetry::all(board), &position);
        }

        #[test]
        fn steps_are_sure_as_in_the_document(
            ((board, order), steppers, other, area) in (orders(), 1..=3usize, 1..=2usize, 1..=14usize),
        ) {
            // The empty squares of a position stand for the area.
            let Bitboards { mover: steppers, opponent: other, arrows } =
                dealt(board, &order, steppers, other, area);
            let area = board.all().without(steppers | other | arrows);
            let (steps, plain) = (WallRule::new(board).unwrap().steps, Plain::new(board));
            let at = StepPosition { steppers, other, area };
            let stage = Stage { steppers: steppers.word(), other: other.word(), area: area.word() };
            for count in 1..=2 {
                let found = (steps.moving(&at, count), steps.answering(&at, count));
                let count = count as i32;
                let expected = (plain.moving(&stage, count), plain.answering(&stage, count));
                prop_assert_eq!(found, expected, "{} of {:?}", count, at);
            }
        }

        #[test]
        fn the_rule_is_the_one_of_the_document((board, position) in deals()) {
            as_in_the_document(&WallRule::new(board).unwrap(), &Plain::new(board), &position);
        }
    }

    /// Positions that the document works out, and whether the holder, which is to be White in its
    /// turn and Black out of it, begins.
    const EXAMPLES: [(&str, bool); 8] = [
        ("2*q/Q1*1/2*1 w", true),
        ("q1Q*/1qQ1/*q*1 w", true),
        ("*1q1/*QQ*/1*1* w", true),
        ("1qQ1/q1QQ/3q w", true),
        ("2qq/*q*1/3Q w", false),
        ("4/1*qq/1*QQ/q**1/4/2*1/**Q*/1qQ* w", false),
        ("2**/QQq1/*1*q/1*q1 w", false),
        ("Q*1*/**1*/2*q w", true),
    ];

    fn file(path: &str) -> String {
        std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    }

    #[test]
    fn the_examples_of_the_document_are_true() {
        let (document, mut lacking) = (file("docs/certificate.md"), String::new());
        for (fen, begins) in EXAMPLES {
            let position = parse_fen(fen).unwrap();
            let plain = Plain::new(position.board());
            let position: Bitboards = position.bitboards().unwrap();
            let (account, holder) = if begins {
                (plain.win(&position), "White")
            } else {
                (plain.lose(&position), "Black")
            };
            let text = format!("{fen}\n{}", plain.text(&account, holder));
            let text: String = text.lines().map(|line| format!("    {line}\n")).collect();
            if !document.contains(&text) {
                lacking += &format!("{text}\n");
            }
        }
        assert!(lacking.is_empty(), "the document has not\n{lacking}");
        assert_eq!(document.matches("    holder ").count(), EXAMPLES.len());
    }

    #[test]
    fn the_verdicts_on_file_are_true() {
        let mut by_some = 0;
        for line in file("tests/data/walls.csv").lines().skip(2) {
            let cells: Vec<&str> = line.split(',').collect();
            let (fen, expected) = (cells[0], &cells[1..]);
            let position = parse_fen(fen).unwrap();
            let board = position.board();
            let (walls, plain) = (WallRule::new(board).unwrap(), Plain::new(board));
            let position: Bitboards = position.bitboards().unwrap();
            let found =
                [walls.shows_win(&position), walls.shows_loss(&position), walls.covers(&position)];
            assert_eq!(found.map(|yes| if yes { "1" } else { "0" }), expected, "{fen}");
            all_images_agree(&walls, &Symmetry::all(board), &position);
            as_in_the_document(&walls, &plain, &position);
            let some = |account: Account| {
                account.decides() && !account.walks.iter().all(|walk| walk.decides())
            };
            by_some += usize::from(some(plain.win(&position)) || some(plain.lose(&position)));
        }
        assert!(by_some > 50, "of {by_some} positions only some images decide");
    }

    /// Random positions of a board.
    fn dealt_positions() -> u32 {
        if crate::machine::long::long_tests() { 100_000 } else { 1000 }
    }

    #[test]
    fn the_rule_never_contradicts_the_naive_solver_on_larger_boards() {
        for (board, least) in [("4x3", 200), ("3x4", 200), ("5x3", 200), ("4x4", 200)] {
            let board: Board = board.parse().unwrap();
            let (walls, rules) = (WallRule::new(board).unwrap(), Rules::new(board).unwrap());
            let quick = walls.quick();
            let order = Just((0..board.squares() as u8).collect::<Vec<_>>()).prop_shuffle();
            let (seen, by_steps) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
            let deals = (order, 1..=3usize, 1..=3usize, 3..=8usize);
            let config = ProptestConfig {
                failure_persistence: None,
                ..ProptestConfig::with_cases(dealt_positions())
            };
            let mut runner = proptest::test_runner::TestRunner::new(config);
            let outcome = runner.run(&deals, |(order, mover, opponent, empty)| {
                let position = dealt(board, &order, mover, opponent, empty);
                let mut naive = NaiveSolver::new(rules.clone());
                let (decided, needs_steps) = checked([&walls, &quick], &mut naive, &position);
                seen.set(seen.get() + u32::from(decided));
                by_steps.set(by_steps.get() + u32::from(needs_steps));
                Ok(())
            });
            outcome.unwrap();
            println!("{board}: {} decided, {} by steps", seen.get(), by_steps.get());
            assert!(
                by_steps.get() * 1000 > dealt_positions() * least,
                "{board}: steps decide {} of {}",
                by_steps.get(),
                dealt_positions()
            );
        }
    }
}
