//! Deriving entries of a table from their moves.
//!
//! Cost: over one arrow set, the blocks of its children are decoded once. For each placement of the
//! opponent, the free squares are numbered as each child numbers its columns, so that looking up
//! the position after a move takes a few operations an amazon:
//!
//! ```text
//!   child's row     the opponent's amazons, who move there: fixed while the mover's placements
//!                   are gone through
//!   child's column  the mover's amazons after the step, renumbered: the colex rank of
//!                   OR (1 << number[square])
//! ```

use super::comparison::Comparison;
use crate::game::Outcome;
use crate::game::board::{Bitboard, SquareIndex};
use crate::game::rules::{Bitboards, Rules};
use crate::game::variants::{Arrow, Origin, SingleMove, State, VariantRules};
use crate::machine::buffer;
use crate::machine::progress::StopFlag;
use crate::tables::counting::{Mask, colex, small_binomial};
use crate::tables::format::{Table, TableError};
use crate::tables::index::{Canonical, Images, Placement, TierShape, compress, expand};

/// Bytes of a child beside its block.
const CHILD_BYTES: u64 = 1 << 10;

/// Bytes that one thread needs for the entries over one arrow set: its block and those of its
/// children, and of a plane that of the other side to move; if these are not stored, one of them is
/// derived at a time, in the same way.
pub(super) fn verifier_bytes(table: &Table, shape: &TierShape) -> u64 {
    let block = shape.block_bytes() as u64;
    let spent = shape.spent().map_or(0, |spent| spent.block_bytes() as u64);
    let count = small_binomial(shape.free(), shape.rules().burned());
    let (mut children, mut deriving) = (0u64, 0);
    for child in shape.children() {
        let stored = table.stored().record(&child).is_some_and(|tier| tier.stored);
        if !stored && child.plane() == 0 {
            deriving = verifier_bytes(table, &child).max(deriving);
        }
        let bytes = count.saturating_mul(child.block_bytes() as u64 + CHILD_BYTES);
        children = children.saturating_add(bytes);
    }
    [block, children, spent, deriving].into_iter().fold(0, u64::saturating_add)
}

/// How many of `items` each thread takes at the least, so that no more threads are at work than
/// `memory` bytes let.
pub(super) fn least_share(items: usize, memory: u64, each: u64) -> usize {
    let threads = (memory / each.max(1)).clamp(1, rayon::current_num_threads() as u64);
    items.div_ceil(threads as usize).max(1)
}

/// Derives the entries of a table.
pub(super) struct Verifier<'t, M> {
    pub(super) table: &'t Table,
    pub(super) images: &'t Images<M>,
    pub(super) stop: &'t StopFlag,
}

impl<M: Mask> Verifier<'_, M> {
    /// Compares entries over one canonical arrow set with what their moves say.
    pub(super) fn verify_block(
        &self,
        shape: &TierShape,
        arrows: M,
        entries: impl Iterator<Item = (M, M)>,
    ) -> Result<Comparison, TableError> {
        let block = self.block(shape, arrows)?;
        let mut comparison = Comparison::default();
        self.derive(shape, arrows, entries, |position, row, column, derived| {
            comparison.checked += 1;
            comparison.different += 1;
            if outcome_at(&block, row * shape.row_bytes(), column) != derived {
                comparison.mismatches += 1;
                comparison.first.get_or_insert(*position);
            }
        })?;
        Ok(comparison)
    }

    /// The block over a canonical arrow set: read if its tier is stored, else derived. A plane that
    /// has no file is the same everywhere.
    fn block(&self, shape: &TierShape, arrows: M) -> Result<Vec<u8>, TableError> {
        let (mut block, directory) = (Vec::new(), self.table.directory());
        buffer::resize(&mut block, shape.block_bytes())
            .map_err(TableError::io("read", directory))?;
        if let Some(outcome) = shape.constant() {
            block.fill(if outcome.is_win() { u8::MAX } else { 0 });
            return Ok(block);
        }
        if self.table.stored().read_block(shape, arrows.word(), &mut block)? {
            return Ok(block);
        }
        if shape.plane() != 0 {
            return Err(self.table.stored().not_stored(shape));
        }
        let row_bytes = shape.row_bytes();
        self.derive(shape, arrows, every_entry(shape, arrows), |_, row, column, outcome| {
            block[row * row_bytes + column / 8] |= u8::from(outcome.is_win()) << (column % 8);
        })?;
        Ok(block)
    }

    /// Derives the values of entries from their moves and hands each over with its row and column;
    /// fewer if asked to stop.
    fn derive(
        &self,
        shape: &TierShape,
        arrows: M,
        entries: impl Iterator<Item = (M, M)>,
        mut found: impl FnMut(&Bitboards<u64>, usize, usize, Outcome),
    ) -> Result<(), TableError> {
        let free = free_squares(shape, arrows);
        let mut kinds = self.children(shape, arrows)?;
        let spent = self.spent(shape, arrows)?;
        let mut last = None;
        for (opponent, mover) in entries {
            if last != Some(opponent) {
                if self.stop.is_set() {
                    return Ok(());
                }
                last = Some(opponent);
                for kind in kinds.iter_mut().filter(|kind| kind.shape.mover() == opponent.len()) {
                    kind.blocks.iter_mut().flatten().for_each(|child| child.turn(free, opponent));
                }
            }
            let set = |mask: M| Bitboard::from_word(mask.word());
            let position =
                Bitboards { mover: set(mover), opponent: set(opponent), arrows: set(arrows) };
            let wins_by_spending = spent.as_ref().is_some_and(|spent| {
                spent.outcome(Placement::rank(free, opponent, mover)) == Outcome::Loss
            });
            let outcome = match self.table.variant_rules() {
                _ if wins_by_spending => Outcome::Win,
                None => {
                    outcome(self.table.rules(), &position, kinds.first().map(|kind| &kind.blocks))
                }
                Some(rules) => variant_outcome(rules, &position, &kinds),
            };
            let Placement { row, column } = Placement::rank(free, mover, opponent);
            found(&position, row, column, outcome);
        }
        Ok(())
    }

    /// The block with the other side to move, if the mover has a spare move to spend.
    fn spent(&self, shape: &TierShape, arrows: M) -> Result<Option<Spent>, TableError> {
        let Some(spent) = shape.spent() else { return Ok(None) };
        let (block, row_bytes) = (self.block(&spent, arrows)?, spent.row_bytes());
        Ok(Some(Spent { block, row_bytes }))
    }

    /// The blocks of all kinds that moves lead to; none on the fullest tiers.
    fn children(&self, shape: &TierShape, arrows: M) -> Result<Vec<Children<M>>, TableError> {
        let children = |child| {
            let blocks = self.children_of(shape, arrows, &child)?;
            Ok(Children { shape: child, blocks })
        };
        shape.children().into_iter().map(children).collect()
    }

    /// The blocks of one kind after each set of free squares that a move can burn, at the
    /// [`place`] of the set.
    fn children_of(
        &self,
        shape: &TierShape,
        arrows: M,
        child: &TierShape,
    ) -> Result<Vec<Option<Child<M>>>, TableError> {
        let burned = shape.rules().burned();
        let places = small_binomial(M::SQUARES, burned);
        let mut children: Vec<Option<Child<M>>> = (0..places).map(|_| None).collect();
        let free = free_squares(shape, arrows);
        for numbers in colex::subsets::<M>(free.len(), burned) {
            let set = expand(numbers, free);
            let canonical: Canonical<M> = self.images.canonical(arrows | set);
            let symmetry = &self.images.symmetries()[canonical.symmetry];
            let image = |square: u8| symmetry.square(SquareIndex::new(square.into())).index() as u8;
            let squares = shape.board().squares() as u8;
            if self.stop.is_set() {
                break;
            }
            children[place(set)] = Some(Child {
                image: (0..squares).map(image).collect(),
                free: free_squares(child, canonical.arrows),
                block: self.block(child, canonical.arrows)?,
                row_bytes: child.row_bytes(),
                row_at: 0,
                number: M::EMPTY_LANES,
            });
        }
        Ok(children)
    }
}

/// The blocks of a kind that moves lead to, at the [`place`] of what they burn.
struct Children<M: Mask> {
    shape: TierShape,
    blocks: Vec<Option<Child<M>>>,
}

/// The block after a spare move.
struct Spent {
    block: Vec<u8>,
    row_bytes: usize,
}

impl Spent {
    /// What the other side, to move, reaches.
    fn outcome(&self, Placement { row, column }: Placement) -> Outcome {
        outcome_at(&self.block, row * self.row_bytes, column)
    }
}

/// The block after a shot at one square, and how it is addressed while the opponent's placement is
/// fixed.
struct Child<M: Mask> {
    /// The symmetry that makes the arrow set canonical.
    image: Box<[u8]>,
    free: M,
    block: Vec<u8>,
    row_bytes: usize,
    row_at: usize,
    /// The bit of each square of this board among the child's columns.
    number: M::Lanes,
}

impl<M: Mask> Child<M> {
    /// The image of some squares.
    fn images(&self, squares: Bitboard) -> M {
        let image = |square: SquareIndex| M::single(self.image[square.index()].into());
        squares.iter().fold(M::default(), |images, square| images | image(square))
    }

    /// Fixes the placement of the opponent, who moves in the child.
    fn turn(&mut self, free: M, opponent: M) {
        let mover = self.images(Bitboard::from_word(opponent.word())) & self.free;
        self.row_at = colex::rank(compress(mover, self.free)).word() as usize * self.row_bytes;
        let rest = self.free & !mover;
        for square in Bitboard::<u64>::from_word((free & !opponent).word()) {
            let below = M::below(self.image[square.index()].into());
            self.number.as_mut()[square.index()] = M::single((rest & below).len());
        }
    }

    /// What the opponent reaches after the mover's amazons have come to these squares.
    #[inline]
    fn outcome(&self, others: Bitboard, to: SquareIndex) -> Outcome {
        let number = self.number.as_ref();
        let start = number[to.index()];
        let numbers = others.iter().fold(start, |numbers, square| numbers | number[square.index()]);
        outcome_at(&self.block, self.row_at, colex::rank(numbers).word() as usize)
    }

    /// What is reached with these amazons of the side to move and of the other side.
    fn outcome_of(&self, mover: Bitboard, opponent: Bitboard) -> Outcome {
        let (mover, opponent) = (self.images(mover), self.images(opponent));
        let Placement { row, column } = Placement::rank(self.free, mover, opponent);
        outcome_at(&self.block, row * self.row_bytes, column)
    }
}

/// A win if some move leads to a position that is lost for the opponent.
fn outcome<M: Mask>(
    rules: &Rules<u64>,
    position: &Bitboards<u64>,
    children: Option<&Vec<Option<Child<M>>>>,
) -> Outcome {
    // Without children there is no empty square, and no step.
    let Some(children) = children else { return Outcome::Loss };
    let mut wins = false;
    rules.for_each_step(position, |from, to, shots| {
        let others = position.mover.without(Bitboard::of(from));
        let loses = |shot: SquareIndex| {
            let child = children[shot.index()].as_ref();
            child.is_some_and(|child| child.outcome(others, to) == Outcome::Loss)
        };
        wins = wins || shots.iter().any(loses);
    });
    Outcome::win_if(wins)
}

/// The number of a set of burned squares among those of its size; of one square its number.
#[inline]
fn place<M: Mask>(burned: M) -> usize {
    colex::rank(burned).word() as usize
}

/// As [`outcome`], by other rules than those of Amazons.
fn variant_outcome<M: Mask>(
    rules: &VariantRules<u64>,
    position: &Bitboards<u64>,
    kinds: &[Children<M>],
) -> Outcome {
    let wins = |SingleMove { from, to, arrow }: SingleMove| {
        let Arrow::Square(shot) = arrow else { return false };
        // Whoever stood where the amazon steps to was taken.
        let others = position.mover.without(Bitboard::of(from).with(to));
        let opponent = position.opponent.without(Bitboard::of(to));
        let burned = match rules.rules().origin {
            Origin::Empty => Bitboard::of(shot),
            Origin::Burns => Bitboard::of(shot).with(from),
        };
        if opponent.is_empty() && !position.opponent.is_empty() {
            return true;
        }
        let sides = (opponent.len(), others.len() + 1);
        let kind = kinds.iter().find(|kind| (kind.shape.mover(), kind.shape.opponent()) == sides);
        let child = kind.and_then(|kind| kind.blocks[place(M::of(burned.word()))].as_ref());
        child.is_some_and(|child| {
            let reached = match opponent == position.opponent {
                true => child.outcome(others, to),
                false => child.outcome_of(opponent, others.with(to)),
            };
            reached == Outcome::Loss
        })
    };
    Outcome::win_if(!rules.for_each_move(&State::new(*position, 1), |played| !wins(played)))
}

#[inline]
fn outcome_at(block: &[u8], row_at: usize, column: usize) -> Outcome {
    Outcome::win_if(block[row_at + column / 8] >> (column % 8) & 1 != 0)
}

/// All placements over an arrow set, as (opponent, mover), by opponent.
pub(super) fn every_entry<M: Mask>(
    shape: &TierShape,
    arrows: M,
) -> impl Iterator<Item = (M, M)> + use<M> {
    let (free, squares) = (free_squares(shape, arrows), shape.free());
    let (mover, opponent) = (shape.mover(), shape.opponent());
    let opponents =
        colex::subsets::<M>(squares, opponent).map(move |numbers| expand(numbers, free));
    opponents.flat_map(move |placed| {
        let movers = colex::subsets(squares - opponent, mover);
        movers.map(move |numbers| (placed, expand(numbers, free & !placed)))
    })
}

pub(super) fn free_squares<M: Mask>(shape: &TierShape, arrows: M) -> M {
    M::of(shape.board().all::<u64>().word()) & !arrows
}
