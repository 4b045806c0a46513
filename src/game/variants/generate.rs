//! Legal moves under any rules of the family.

use super::rule_set::{Origin, RuleSet, Shot, Step};
use super::single_move::{Arrow, SingleMove};
use super::state::State;
use super::walls::{Side, Walls};
use crate::game::board::{Bitboard, Board, BoardError, Leaps, Lines, Rays, SquareIndex, Word};
use crate::game::perft::MoveGenerator;
use crate::game::rules::{Bitboards, IllegalMove};

/// The rules of one game of the family on one board.
#[derive(Clone, Debug)]
pub struct VariantRules<W: Word = u64> {
    board: Board,
    rules: RuleSet,
    rays: Rays<W>,
    leaps: Leaps<W>,
    /// Where amazons are taken.
    lines: Option<Lines<W>>,
}

impl<W: Word> VariantRules<W> {
    /// These rules on `board`.
    ///
    /// # Errors
    /// [`BoardError::TooLarge`] if the board has more squares than `W` has bits.
    pub fn new(board: Board, rules: RuleSet) -> Result<Self, BoardError> {
        let rays = Rays::new(board)?;
        let captures = rules.step == Step::Capturing;
        let lines = captures.then(|| Lines::new(board)).transpose()?;
        Ok(Self { board, rules, rays, leaps: Leaps::new(board)?, lines })
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The rules.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Where an amazon can step, whatever it does then.
    fn steps(&self, state: &State<W>, from: SquareIndex) -> Bitboard<W> {
        let empty = state.squares.empty(self.board);
        match self.rules.step {
            Step::Queen => self.rays.reach(from, empty),
            Step::Capturing => {
                let reach = self.rays.reach(from, empty);
                let amazons = state.squares.mover | state.squares.opponent;
                let is_met = |to: &SquareIndex| {
                    let between = self.lines.as_ref().and_then(|lines| lines.between(from, *to));
                    between.is_some_and(|between| between.is_subset(empty))
                };
                reach | amazons.iter().filter(is_met).collect()
            }
            Step::Knight => self.leaps.from(from) & empty,
            Step::Neighbour => self.beside(&state.walls, from) & empty,
        }
    }

    /// The squares beside a square on its rank and file, where no wall is between.
    pub(crate) fn beside(&self, walls: &Walls<W>, square: SquareIndex) -> Bitboard<W> {
        let open = |side: &Side| !walls.is_closed(self.board, square, *side);
        let beside = Side::ALL.into_iter().filter(open);
        beside.filter_map(|side| side.neighbour(self.board, square)).collect()
    }

    /// The squares after a step, before the shot; the mover stays the mover.
    fn after_step(
        &self,
        squares: &Bitboards<W>,
        from: SquareIndex,
        to: SquareIndex,
    ) -> Bitboards<W> {
        let taken = Bitboard::of(from) | Bitboard::of(to);
        Bitboards {
            mover: squares.mover.without(taken).with(to),
            opponent: squares.opponent.without(taken),
            arrows: match self.rules.origin {
                Origin::Empty => squares.arrows,
                Origin::Burns => squares.arrows.with(from),
            },
        }
    }

    /// The squares that an amazon on `to` can burn when it has stepped there; none where walls are
    /// built.
    fn shots(&self, after: &Bitboards<W>, to: SquareIndex) -> Bitboard<W> {
        match self.rules.shot {
            Shot::Queen => self.rays.reach(to, after.empty(self.board)),
            Shot::Knight => self.leaps.from(to) & after.empty(self.board),
            Shot::Wall => Bitboard::EMPTY,
        }
    }

    /// The sides of a square where an amazon on it can build a wall; none where squares are burned.
    fn wall_sides<'a>(
        &'a self,
        state: &'a State<W>,
        to: SquareIndex,
    ) -> impl Iterator<Item = Side> + use<'a, W> {
        let sides: &[Side] = if self.rules.shot == Shot::Wall { &Side::ALL } else { &[] };
        let open = move |side: &Side| !state.walls.is_closed(self.board, to, *side);
        sides.iter().copied().filter(open)
    }

    /// Calls `visit` with what an amazon on `to` can do when it has stepped there, in increasing
    /// order, until it says `false`; whether it always said `true`.
    fn for_each_arrow(
        &self,
        state: &State<W>,
        after: &Bitboards<W>,
        to: SquareIndex,
        mut visit: impl FnMut(Arrow) -> bool,
    ) -> bool {
        self.shots(after, to).iter().all(|square| visit(Arrow::Square(square)))
            && self.wall_sides(state, to).all(|side| visit(Arrow::Wall(side)))
    }

    /// Calls `visit` with every legal move, by origin, destination and arrow, until it
    /// says `false`; whether it always said `true`.
    pub(crate) fn for_each_move(
        &self,
        state: &State<W>,
        mut visit: impl FnMut(SingleMove) -> bool,
    ) -> bool {
        state.squares.mover.without(state.moved).iter().all(|from| {
            self.steps(state, from).iter().all(|to| {
                let after = self.after_step(&state.squares, from, to);
                self.for_each_arrow(state, &after, to, |arrow| {
                    visit(SingleMove { from, to, arrow })
                })
            })
        })
    }

    /// The legal moves, by origin, destination and arrow, each in increasing order.
    pub fn moves(&self, state: &State<W>) -> Vec<SingleMove> {
        let mut moves = Vec::new();
        self.for_each_move(state, |played| {
            moves.push(played);
            true
        });
        moves
    }

    /// Whether the side to move has a move. One that has none has lost.
    pub fn can_move(&self, state: &State<W>) -> bool {
        !self.for_each_move(state, |_| false)
    }

    /// How many steps the side to move has, whatever it does then.
    pub fn count_steps(&self, state: &State<W>) -> usize {
        let amazons = state.squares.mover.without(state.moved);
        amazons.iter().map(|from| self.steps(state, from).len()).sum()
    }

    /// How many legal moves there are, without listing them.
    pub fn count(&self, state: &State<W>) -> u64 {
        let mut count = 0;
        for from in state.squares.mover.without(state.moved) {
            for to in self.steps(state, from) {
                let after = self.after_step(&state.squares, from, to);
                count += self.shots(&after, to).len() + self.wall_sides(state, to).count();
            }
        }
        count as u64
    }

    /// The position after a move.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn play(&self, state: &State<W>, played: SingleMove) -> Result<State<W>, IllegalMove> {
        let SingleMove { from, to, arrow } = played;
        let off = |square: SquareIndex| square.index() >= self.board.squares();
        if off(from) || off(to) || matches!(arrow, Arrow::Square(square) if off(square)) {
            return Err(IllegalMove::OffBoard);
        }
        if !state.squares.mover.without(state.moved).contains(from) {
            return Err(IllegalMove::NoAmazon);
        }
        if !self.steps(state, from).contains(to) {
            return Err(IllegalMove::Step);
        }
        let after = self.after_step(&state.squares, from, to);
        if self.for_each_arrow(state, &after, to, |other| other != arrow) {
            return Err(IllegalMove::Shot);
        }
        Ok(self.play_unchecked(state, played))
    }

    /// The position after a move that is known to be legal. The side that moved is still to move if
    /// its turn has more moves: see [`State::goes_on`].
    pub fn play_unchecked(&self, state: &State<W>, played: SingleMove) -> State<W> {
        let SingleMove { from, to, arrow } = played;
        let mut squares = self.after_step(&state.squares, from, to);
        let mut walls = state.walls;
        match arrow {
            Arrow::Square(square) => squares.arrows = squares.arrows.with(square),
            Arrow::Wall(side) => walls = walls.with(self.board, to, side),
        }
        let turns = self.rules.turns;
        if state.made + 1 < turns.length(state.turn_number) {
            let moved = (state.moved & squares.mover).with(to);
            return State {
                squares,
                walls,
                turn_number: state.turn_number,
                made: state.made + 1,
                moved,
            };
        }
        let (squares, turn_number) = (squares.swapped(), turns.after(state.turn_number));
        State { walls, ..State::new(squares, turn_number) }
    }
}

impl<W: Word> MoveGenerator for VariantRules<W> {
    type Position = State<W>;
    type Move = SingleMove;

    fn moves(&self, state: &State<W>) -> Vec<SingleMove> {
        Self::moves(self, state)
    }

    fn count(&self, state: &State<W>) -> u64 {
        Self::count(self, state)
    }

    fn play_unchecked(&self, state: &State<W>, played: SingleMove) -> State<W> {
        Self::play_unchecked(self, state, played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Symmetry;
    use crate::game::rules::{self, IndexedMove, Rules};
    use proptest::prelude::*;

    fn arb() -> impl Strategy<Value = (Board, State)> {
        let sizes = (2..=6usize, 2..=6usize);
        (sizes, any::<[u64; 6]>()).prop_map(|((columns, rows), words)| {
            let board = Board::new(columns, rows).unwrap();
            let [a, b, c, rare, north, east] =
                words.map(|word| Bitboard::<u64>::from_word(word) & board.all());
            let mover = a & rare;
            let opponent = (b & rare).without(mover);
            let arrows = (c & north).without(mover | opponent);
            let mut state = State::new(Bitboards { mover, opponent, arrows }, 1);
            let walls = north.iter().map(|square| (square, Side::North));
            for (square, side) in
                walls.chain((east & rare).iter().map(|square| (square, Side::East)))
            {
                state.walls = state.walls.with(board, square, side);
            }
            (board, state)
        })
    }

    /// The rules as they are written.
    struct Written<'a> {
        board: Board,
        set: RuleSet,
        state: &'a State,
    }

    impl Written<'_> {
        fn offset(&self, one: SquareIndex, other: SquareIndex) -> (isize, isize) {
            let files = self.board.file(other) as isize - self.board.file(one) as isize;
            (files, self.board.rank(other) as isize - self.board.rank(one) as isize)
        }

        fn queen(&self, squares: &Bitboards, from: SquareIndex, to: SquareIndex) -> bool {
            let (files, ranks) = self.offset(from, to);
            let length = files.abs().max(ranks.abs());
            let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
            let between = |n: isize| {
                let file = self.board.file(from).checked_add_signed(n * files.signum()).unwrap();
                let rank = self.board.rank(from).checked_add_signed(n * ranks.signum()).unwrap();
                self.board.square(file, rank).unwrap()
            };
            let occupied = squares.occupied();
            from != to && straight && (1..length).all(|n| !occupied.contains(between(n)))
        }

        fn knight(&self, from: SquareIndex, to: SquareIndex) -> bool {
            let (files, ranks) = self.offset(from, to);
            files.abs() * ranks.abs() == 2
        }

        fn can_step(&self, from: SquareIndex, to: SquareIndex) -> bool {
            let squares = &self.state.squares;
            let open = !squares.occupied().contains(to);
            match self.set.step {
                Step::Queen => open && self.queen(squares, from, to),
                Step::Capturing => self.queen(squares, from, to) && !squares.arrows.contains(to),
                Step::Knight => open && self.knight(from, to),
                Step::Neighbour => {
                    let through = |side: Side| {
                        side.neighbour(self.board, from) == Some(to)
                            && !self.state.walls.is_closed(self.board, from, side)
                    };
                    open && Side::ALL.into_iter().any(through)
                }
            }
        }

        fn arrows(&self, from: SquareIndex, to: SquareIndex) -> Vec<Arrow> {
            if self.set.shot == Shot::Wall {
                let open = |side: &Side| !self.state.walls.is_closed(self.board, to, *side);
                return Side::ALL.into_iter().filter(open).map(Arrow::Wall).collect();
            }
            let mut after = self.state.squares;
            after.opponent = after.opponent.without(Bitboard::of(to));
            after.mover = after.mover.without(Bitboard::of(from)).with(to);
            if self.set.origin == Origin::Burns {
                after.arrows = after.arrows.with(from);
            }
            let can_shoot = |&shot: &SquareIndex| {
                !after.occupied().contains(shot)
                    && match self.set.shot {
                        Shot::Knight => self.knight(to, shot),
                        _ => self.queen(&after, to, shot),
                    }
            };
            self.board.all::<u64>().iter().filter(can_shoot).map(Arrow::Square).collect()
        }

        fn moves(&self) -> Vec<SingleMove> {
            let mut moves = Vec::new();
            for from in self.state.squares.mover {
                for to in self.board.all::<u64>() {
                    if self.can_step(from, to) {
                        let arrows = self.arrows(from, to).into_iter();
                        moves.extend(arrows.map(|arrow| SingleMove { from, to, arrow }));
                    }
                }
            }
            moves
        }
    }

    proptest! {
        #[test]
        fn amazons_is_the_game_of_the_other_generator((board, state) in arb()) {
            let plain = Rules::<u64>::new(board).unwrap();
            let rules = VariantRules::new(board, RuleSet::AMAZONS).unwrap();
            let expected = plain.moves(&state.squares);
            let found = rules.moves(&state);
            prop_assert_eq!(found.len(), expected.len());
            prop_assert_eq!(rules.can_move(&state), plain.can_move(&state.squares));
            for (found, expected) in found.into_iter().zip(expected) {
                let IndexedMove { from, to, arrow } = expected;
                prop_assert_eq!(found, SingleMove { from, to, arrow: Arrow::Square(arrow) });
                let after = rules.play(&state, found).unwrap();
                prop_assert_eq!(after.squares, plain.play_unchecked(&state.squares, expected));
            }
        }

        /// Square by square, as the rules are written.
        #[test]
        fn moves_are_those_of_the_rules((board, state) in arb()) {
            for (name, set) in RuleSet::NAMED {
                let rules = VariantRules::<u64>::new(board, set).unwrap();
                let expected = Written { board, set, state: &state }.moves();
                let found = rules.moves(&state);
                prop_assert_eq!(&found, &expected, "{}", name);
                prop_assert_eq!(rules.can_move(&state), !expected.is_empty());
                prop_assert_eq!(rules.count(&state), expected.len() as u64);
                for played in found.into_iter().step_by(7) {
                    let after = rules.play(&state, played).unwrap();
                    let squares = after.squares;
                    prop_assert!(!squares.mover.intersects(squares.opponent));
                    prop_assert!(!(squares.mover | squares.opponent).intersects(squares.arrows));
                    prop_assert!(after.goes_on() == (set.turns.length(1) > 1));
                }
            }
        }

        #[test]
        fn images_have_the_images_of_the_moves((board, state) in arb()) {
            for (name, set) in RuleSet::NAMED {
                let rules = VariantRules::<u64>::new(board, set).unwrap();
                let mut after: Vec<State> = Vec::new();
                for played in rules.moves(&state) {
                    after.push(rules.play_unchecked(&state, played));
                }
                for symmetry in Symmetry::all(board) {
                    let image = state.mapped(board, &symmetry);
                    let mut expected: Vec<State> =
                        after.iter().map(|state| state.mapped(board, &symmetry)).collect();
                    let mut found: Vec<State> = rules.moves(&image).into_iter()
                        .map(|played| rules.play_unchecked(&image, played)).collect();
                    expected.sort();
                    found.sort();
                    prop_assert_eq!(&found, &expected, "{}", name);
                }
            }
        }
    }

    #[test]
    fn a_turn_of_several_moves_is_by_different_amazons() {
        let board: Board = "4x4".parse().unwrap();
        let set = RuleSet { turns: "1,2".parse().unwrap(), ..RuleSet::AMAZONS };
        let rules = VariantRules::<u64>::new(board, set).unwrap();
        let start = State::new(rules::start(board).unwrap().bitboards().unwrap(), 1);
        let first = rules.play_unchecked(&start, rules.moves(&start)[0]);
        assert_eq!((first.turn_number, first.made), (2, 0));
        let played = rules.moves(&first)[0];
        let second = rules.play_unchecked(&first, played);
        assert_eq!(
            (second.turn_number, second.made, second.moved),
            (2, 1, Bitboard::of(played.to))
        );
        assert!(rules.moves(&second).iter().all(|next| next.from != played.to));
        let again =
            SingleMove { from: played.to, to: played.from, arrow: Arrow::Square(played.to) };
        assert_eq!(rules.play(&second, again), Err(IllegalMove::NoAmazon));
        let third = rules.play_unchecked(&second, rules.moves(&second)[0]);
        assert_eq!((third.turn_number, third.made, third.moved), (2, 0, Bitboard::EMPTY));
        assert_eq!(third.squares.arrows.len(), 3);
    }
}
