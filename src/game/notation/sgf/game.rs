//! A game of Amazons: a tree in which every node has its position.
//!
//! What FF\[4\] says of `GM[18]`, and how it is read here:
//!
//! - `SZ[n]` or `SZ[columns:rows]`; 10x10 without it.
//! - Setup: `AW`, `AB` (amazons), `AA` (burned squares), `AE` (empty), `PL` (side to move). With
//!   none of the first four in the root the game begins in the start position of the board: for
//!   moves written as FF\[4\] points the one of that format, with Black below; for moves written
//!   `d1d7g7`, and without moves, with White below. If the first move is played with an amazon of
//!   the other side, the colours of that start are exchanged, and a [`Remark`] says so.
//! - Without `PL` the side that moves first is to move; without moves White.
//! - Moves have to be legal and the sides to take turns, in every variation.
//! - There is no pass. At the end of a line of play an empty move, `pass` or `resign` ends it; it
//!   is a remark, and for the main line the result `RE`, and no property of a move any more.
//!
//! A game that is written says all of this, so that nobody has to know defaults.

use super::super::play::play_text;
use super::charset::{CharsetError, WRITTEN};
use super::parse::{SyntaxError, parse};
use super::point::{Style, algebraic};
use super::remark::Remark;
use super::setup::{FirstMove, Header, SetupError, set_up};
use super::tree::{Node, NodeId, Tree};
use crate::game::PlayError;
use crate::game::excerpt::excerpt;
use crate::game::rules::{Colour, IndexedMove, Position};

/// Why some bytes are not games of Amazons.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SgfError {
    /// Bytes that are not text.
    #[error(transparent)]
    Charset(#[from] CharsetError),
    /// Text that is not SGF.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A root or setup that makes no position.
    #[error("line {line}: {error}")]
    Setup {
        /// The line of the node.
        line: usize,
        /// What is wrong with it.
        error: SetupError,
    },
    /// A move that cannot be played.
    #[error("line {line}, move {number}, {colour} {text}: {error}")]
    Move {
        /// The line of the node.
        line: usize,
        /// Which move of its line of play it is, from 1.
        number: usize,
        /// Who plays it.
        colour: Colour,
        /// The move as it was written.
        text: String,
        /// Why not.
        error: MoveFault,
    },
}

/// Why a move of a game cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveFault {
    /// The rules or the notation forbid it.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The other side is to move.
    #[error("it is {0}'s turn")]
    Turn(Colour),
    /// An empty value.
    #[error(
        "expected a move, found a pass, which the game does not have; at the end of a line it ends the game"
    )]
    Pass,
    /// More than one move in a node.
    #[error("expected one move in a node, found {0}")]
    Several(usize),
    /// A move beside setup.
    #[error("a node has either a move or setup (AB, AW, AA, AE, PL), found both")]
    WithSetup,
}

/// A game with its variations; every node has its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    tree: Tree,
    style: Style,
    states: Vec<State>,
    remarks: Vec<Remark>,
}

/// What holds after a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct State {
    position: Position,
    played: Option<IndexedMove>,
    moves: usize,
}

/// Reads all games of an SGF file.
///
/// # Errors
/// The first thing that is not as it should be, with its line.
#[cfg(any(test, feature = "internals"))]
pub fn parse_games(bytes: &[u8]) -> Result<Vec<Game>, SgfError> {
    games_of_text(&super::charset::decode(bytes)?, super::parse::MAX_NODES)
}

/// Reads all games of SGF with at most so many nodes. A node may be one byte of the text, and takes
/// hundreds of bytes of memory.
///
/// # Errors
/// As `parse_games`; [`SyntaxError::TooLong`] for a longer text.
pub(in crate::game::notation) fn games_of_text(
    text: &str,
    nodes: usize,
) -> Result<Vec<Game>, SgfError> {
    parse(text, nodes)?.into_iter().map(Game::from_tree).collect()
}

/// Games as one SGF file, in UTF-8.
pub fn games_text(games: &[Game]) -> String {
    games.iter().map(|game| super::write::sgf(std::slice::from_ref(&game.tree))).collect()
}

impl Game {
    /// A game without moves yet.
    pub fn new(start: &Position, style: Style) -> Self {
        let mut tree = Tree::default();
        let root = tree.node_mut(Tree::ROOT);
        for (name, text) in [("FF", "4"), ("GM", "18"), ("CA", WRITTEN)] {
            root.set_text(name, text);
        }
        root.set_text("AP", concat!("amazons:", env!("CARGO_PKG_VERSION")));
        write_setup(root, start, style);
        let states = vec![State { position: *start, played: None, moves: 0 }];
        Self { tree, style, states, remarks: Vec::new() }
    }

    /// The game that a tree describes. The root is completed by what was left to defaults.
    ///
    /// # Errors
    /// The first node that is not as it should be.
    pub fn from_tree(tree: Tree) -> Result<Self, SgfError> {
        let first = first_move(&tree);
        let root = tree.node(Tree::ROOT);
        let style =
            first.as_ref().map_or_else(|| setup_style(root), |first| Style::of_move(&first.text));
        let at_root = |error| SgfError::Setup { line: root.line(), error };
        let header = Header::read(root).map_err(at_root)?;
        let start = header.start(root, style, first.as_ref()).map_err(at_root)?;
        // A move in the root is bad style, but allowed if nothing else sets up the board.
        let mut states = vec![State { position: start.position, played: None, moves: 0 }];
        let mut ends = Vec::new();
        for id in tree.ids() {
            let node = tree.node(id);
            let before = states[node.parent().map_or(0, |parent| parent.0)];
            let state = match end_of_line(node, before.position.turn()) {
                Some(end) => {
                    ends.push((id, end));
                    State { played: None, ..before }
                }
                None => next_state(node, &before, id == Tree::ROOT)?,
            };
            if id == Tree::ROOT { states[0] = state } else { states.push(state) }
        }
        let mut game = Self { tree, style, states, remarks: start.exchanged.into_iter().collect() };
        let last = game.tree.main_line().pop();
        for (id, end) in ends {
            let node = game.tree.node_mut(id);
            ["B", "W"].into_iter().for_each(|name| node.set(name, Vec::new()));
            if last == Some(id) { game.end(end) } else { game.remark(end) }
        }
        let root = game.tree.node_mut(Tree::ROOT);
        root.set_text("FF", "4");
        root.set_text("CA", WRITTEN);
        if game.states[0].played.is_none() {
            write_setup(root, &start.position, style);
        }
        Ok(game)
    }

    /// The nodes and their properties.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What the record says besides its moves, and what was supposed where it says too little.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// Adds a remark.
    pub(in crate::game::notation) fn remark(&mut self, remark: Remark) {
        self.remarks.push(remark);
    }

    /// Says how the main line ended: a remark, and the result of the game if it has none.
    pub(in crate::game::notation) fn end(&mut self, end: Remark) {
        let root = self.tree.node_mut(Tree::ROOT);
        if let (None, Some(result)) = (root.values("RE"), end.result()) {
            root.set_text("RE", result);
        }
        self.remark(end);
    }

    /// How moves are written.
    #[cfg(any(test, feature = "internals"))]
    pub fn style(&self) -> Style {
        self.style
    }

    /// The position after a node.
    ///
    /// # Panics
    /// If the node is of a larger game; so do the other functions that take one.
    pub fn position(&self, id: NodeId) -> &Position {
        &self.states[id.0].position
    }

    /// The move of a node, if it has one.
    pub fn played(&self, id: NodeId) -> Option<IndexedMove> {
        self.states[id.0].played
    }

    /// How many moves lead to a node, its own among them.
    pub fn moves(&self, id: NodeId) -> usize {
        self.states[id.0].moves
    }

    /// Plays a move after a node, as its last variation: the new node, or the one that has this
    /// move already.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn play(&mut self, id: NodeId, text: &str) -> Result<NodeId, PlayError> {
        let before = self.states[id.0];
        let (played, position) = play_text(&before.position, text)?;
        let children = self.tree.node(id).children();
        if let Some(&known) = children.iter().find(|child| self.played(**child) == Some(played)) {
            return Ok(known);
        }
        let child = self.tree.append(id);
        let name = letter(before.position.turn());
        let value = self.style.played(position.board(), played);
        self.tree.node_mut(child).set(name, vec![value]);
        self.states.push(State { position, played: Some(played), moves: before.moves + 1 });
        Ok(child)
    }

    /// Changes the properties of a node that say nothing about moves and positions.
    ///
    /// # Panics
    /// In debug builds, if `name` is one of those that do.
    pub fn annotate(&mut self, id: NodeId, name: &str, text: &str) {
        debug_assert!(!FIXED.contains(&name), "{name} is not an annotation");
        self.tree.node_mut(id).set_text(name, text);
    }

    /// Removes an annotation.
    ///
    /// # Panics
    /// As [`Game::annotate`].
    pub fn clear(&mut self, id: NodeId, name: &str) {
        debug_assert!(!FIXED.contains(&name), "{name} is not an annotation");
        self.tree.node_mut(id).set(name, Vec::new());
    }
}

/// Properties that a game's positions rest on.
const FIXED: [&str; 10] = ["GM", "SZ", "CA", "AB", "AW", "AA", "AE", "PL", "B", "W"];

fn letter(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "W",
        Colour::Black => "B",
    }
}

/// The first move of the main line, or of the first variation that has one.
fn first_move(tree: &Tree) -> Option<FirstMove> {
    tree.preorder().into_iter().find_map(|id| {
        let moves = [Colour::White, Colour::Black].into_iter();
        moves.filter_map(|colour| FirstMove::of(tree.node(id), colour)).next()
    })
}

impl FirstMove {
    fn of(node: &Node, colour: Colour) -> Option<Self> {
        let text = node.values(letter(colour))?.first()?.simple_text();
        Some(Self { colour, text })
    }
}

/// What ends a line of play in a node, instead of a move. After it nothing may come.
fn end_of_line(node: &Node, turn: Colour) -> Option<Remark> {
    if !node.children().is_empty() {
        return None;
    }
    let moves = [Colour::White, Colour::Black].into_iter();
    let mut moves = moves.filter_map(|colour| FirstMove::of(node, colour));
    let (FirstMove { colour, text }, None) = (moves.next()?, moves.next()) else { return None };
    if node.values(letter(colour)).is_none_or(|values| values.len() != 1) {
        return None;
    }
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "pass" if colour == turn => Some(Remark::Passed(colour)),
        "resign" | "resigns" => Some(Remark::Resigned(colour)),
        _ => None,
    }
}

/// The style of the first square that a node sets up; that of this crate if it sets up none.
fn setup_style(node: &Node) -> Style {
    let first = ["AW", "AB", "AA"].iter().find_map(|name| node.values(name)?.first());
    first.map_or(Style::Algebraic, |value| Style::of_move(&value.simple_text()))
}

/// Writes size, squares and side to move in full.
fn write_setup(root: &mut Node, start: &Position, style: Style) {
    let (board, setup) = (start.board(), start.setup());
    let size = match (board.columns(), board.rows()) {
        (columns, rows) if columns == rows => columns.to_string(),
        (columns, rows) => format!("{columns}:{rows}"),
    };
    root.set("SZ", vec![super::Value::of_raw(&size)]);
    for (name, set) in [("AW", setup.white), ("AB", setup.black), ("AA", setup.arrows)] {
        root.set(name, style.list(board, set));
    }
    root.set("AE", Vec::new());
    root.set_text("PL", letter(start.turn()));
}

/// The state after a node. The setup of a root has been dealt with.
fn next_state(node: &Node, before: &State, root: bool) -> Result<State, SgfError> {
    let has_setup = ["AB", "AW", "AA", "AE", "PL"].iter().any(|name| node.values(name).is_some());
    let moves: Vec<(Colour, String)> = [Colour::White, Colour::Black]
        .into_iter()
        .flat_map(|colour| {
            let values = node.values(letter(colour)).unwrap_or_default();
            values.iter().map(move |value| (colour, value.simple_text()))
        })
        .collect();
    let Some((colour, text)) = moves.first() else {
        if root || !has_setup {
            return Ok(State { played: None, ..*before });
        }
        let position = set_up(node, &before.position)
            .map_err(|error| SgfError::Setup { line: node.line(), error })?;
        return Ok(State { position, played: None, moves: before.moves });
    };
    let number = before.moves + 1;
    let fault = |error| SgfError::Move {
        line: node.line(),
        number,
        colour: *colour,
        text: excerpt(text),
        error,
    };
    let position = &before.position;
    let fit = match () {
        () if moves.len() > 1 => Err(MoveFault::Several(moves.len())),
        () if has_setup => Err(MoveFault::WithSetup),
        () if text.trim().is_empty() => Err(MoveFault::Pass),
        () if *colour != position.turn() => Err(MoveFault::Turn(position.turn())),
        () => Ok(()),
    };
    fit.map_err(fault)?;
    let text = algebraic(position.board(), text.trim()).unwrap_or_else(|| text.clone());
    let (played, position) = play_text(position, &text).map_err(|error| fault(error.into()))?;
    Ok(State { position, played: Some(played), moves: number })
}
