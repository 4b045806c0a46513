//! What is wrong with a rules file.

use crate::game::board::{Board, BoardError};
use crate::game::notation::record::RecordPlace;
use crate::game::rules::IllegalSetup;
use crate::game::variants::rule_set::RuleSet;

/// Why some text is no rules file with start positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ZrfError {
    /// A bracket or a quotation mark that nothing closes.
    #[error("{0}: expected what closes this bracket or quotation mark, found the end")]
    Open(RecordPlace),
    /// A bracket that closes nothing.
    #[error("{0}: expected no closing bracket here")]
    Stray(RecordPlace),
    /// Brackets within too many others.
    #[error("{place}: too many brackets within each other")]
    TooDeep {
        /// Where one too many is.
        place: RecordPlace,
    },
    /// No game.
    #[error("expected a rules file with (game ...), found none")]
    NoGame,
    /// A part that every game needs.
    #[error("{title}: expected ({part} ...), found none")]
    Missing {
        /// The game or the variant.
        title: String,
        /// The part.
        part: &'static str,
    },
    /// A grid of a size that no board has.
    #[error("{title}: {error}")]
    Board {
        /// The game or the variant.
        title: String,
        /// Why not.
        error: BoardError,
    },
    /// Files or ranks without a name, or two of one name.
    #[error("{title}: expected names of files and ranks, none twice and none empty, found {found}")]
    Names {
        /// The game or the variant.
        title: String,
        /// The names.
        found: String,
    },
    /// A game that is not for two.
    #[error("{title}: expected two players, each by another name, found {found}")]
    Players {
        /// The game or the variant.
        title: String,
        /// Their names.
        found: String,
    },
    /// A player that the game does not have.
    #[error("{title}: expected {} or {} in ({part} ...), found {found}", names[0], names[1])]
    Player {
        /// The game or the variant.
        title: String,
        /// The part in which it stands.
        part: &'static str,
        /// The players of the game.
        names: [String; 2],
        /// What stands for a player.
        found: String,
    },
    /// A piece that the file does not define.
    #[error("{title}: expected a piece that (piece ...) defines, found {found}")]
    Piece {
        /// The game or the variant.
        title: String,
        /// What stands for a piece.
        found: String,
    },
    /// A part of more words than any game needs.
    #[error("{title}: expected ({part} ...) of at most {most} words")]
    Long {
        /// The game or the variant.
        title: String,
        /// The part.
        part: &'static str,
        /// The most words.
        most: usize,
    },
    /// A file with more variants than are read.
    #[error("expected at most {most} variants, found {found}")]
    Variants {
        /// The most.
        most: usize,
        /// How many there are.
        found: usize,
    },
    /// A piece where it cannot stand.
    #[error("{title}: expected a square of {board} for {piece}, found {found}")]
    Square {
        /// The game or the variant.
        title: String,
        /// Its board.
        board: Board,
        /// The piece.
        piece: String,
        /// The word.
        found: String,
    },
    /// Pieces that make no position.
    #[error("{title}: {error}")]
    Illegal {
        /// The game or the variant.
        title: String,
        /// Why not.
        error: IllegalSetup,
    },
    /// Walls where the rules have none.
    #[error("{title}: {rules} has no walls")]
    Walls {
        /// The game or the variant.
        title: String,
        /// The rules.
        rules: RuleSet,
    },
}
