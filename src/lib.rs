//! Exact solutions of small boards of the Game of the Amazons.
//!
//! The crate is built in rooms; each uses only those above it in this list, and a test holds that:
//!
//! | room | what it holds |
//! |---|---|
//! | [`machine`] | what the machine offers: instruction sets, bits, memory, files, threads, progress |
//! | [`game`] | what the game is: boards, rules, notation, the naive solver |
//! | [`tables`] | every position of a board: counting, index, file format, backward solving |
//! | [`theory`] | parts of positions: regions, bounds, combinatorial values |
//! | [`proof`] | what a proof is: certificates, the wall rule, the checker |
//! | [`search`] | finding proofs: proof-number search on all cores |
//! | [`play`] | the engine: evaluation, alpha-beta, tables and proofs where they reach |
//! | [`knowledge`] | what is known of a position, and by what |
//! | [`verify`] | checks of tables, opening tables and results |
//! | [`app`] | the command line, the explorer in the browser, annotated games |
//!
//! # A tour
//!
//! The names at the root are the library. The rooms are its inside: they can be reached with the
//! feature `internals`, which promises nothing from one version to the next.
//! `docs/compatibility.md` says what may change.
//!
//! **Positions.** A [`Position`] has a board, amazons of both sides, burned squares, and a side to
//! move. It is legal by construction, is read and written as FEN, lists its moves and plays them.
//!
//! ```
//! use amazons::{Move, Position};
//!
//! let position: Position = "1qq1/q2q/Q2Q/1QQ1 w".parse()?;
//! assert_eq!(position, Position::start("4x4".parse()?)?);
//! assert_eq!(position.moves().len(), 88);
//!
//! let played: Move = "b1-b3/b1".parse()?;
//! assert_eq!(position.play(played)?.to_string(), "1qq1/qQ1q/Q2Q/1*Q1 b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Games.** [`read_records`] reads records of games in every form that is met: SGF, GGF, lists of
//! moves. A [`Record`] is written as a list of moves, or as SGF.
//!
//! ```
//! let game = &amazons::read_records(b"(;GM[18]SZ[4];W[bdbbbd];B[abaaab])")?[0];
//! assert_eq!(game.to_string(), "4x4 b1-b3/b1 a3-a4/a3");
//! # Ok::<(), amazons::error::RecordError>(())
//! ```
//!
//! **Other games.** An [`AnyPosition`] is one of Amazons or of a game around it, by a [`RuleSet`]:
//! it reads and plays moves as text. A [`VariantSolver`] proves who wins.
//!
//! ```
//! use amazons::{AnyPosition, Outcome, RuleSet, StopFlag, VariantSolver};
//!
//! let cowboys: RuleSet = "cowboys".parse()?;
//! let position = AnyPosition::read("q*1/1*1/*1Q w", Some(cowboys))?;
//! let (_, after) = position.play("c1-a2/c3")?;
//! assert_eq!((after.fen().as_str(), after.can_move()), ("q**/Q*1/*2 b", true));
//!
//! let mut solver = VariantSolver::new(position.board(), cowboys, 1 << 20, StopFlag::new())?;
//! assert_eq!(solver.solve(&position.into())?, Some(Outcome::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **One position.** A [`Solver`] proves who wins, on as many threads as it is given. What it has
//! proved stays in its table for the next question.
//!
//! ```
//! use amazons::{Outcome, Position, Solver, SolverSettings, StopFlag};
//!
//! let position: Position = "1q1q1/q3q/Q3Q/1Q1Q1 w".parse()?;
//! let mut solver = Solver::new(position.board(), SolverSettings::default(), StopFlag::new())?;
//! assert_eq!(solver.solve(&position)?, Some(Outcome::Win));
//!
//! let best = solver.best_move(&position)?.ok_or("a won position has a winning move")?;
//! assert_eq!(solver.solve(&position.play(best)?)?, Some(Outcome::Loss));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **All positions.** [`build`](build()) solves a board backwards into a directory, and a [`Table`]
//! answers from it.
//!
//! ```
//! use amazons::{BuildOptions, Outcome, Position, StopFlag, Table, build};
//!
//! let directory = tempfile::tempdir()?;
//! let options = BuildOptions::new(256 << 20);
//! build(directory.path(), "3x3".parse()?, "1v1".parse()?, &options, &(), &StopFlag::new())?;
//!
//! let table = Table::open(directory.path())?;
//! let position: Position = "q2/3/2Q w".parse()?;
//! assert_eq!(table.value(&position)?, Outcome::Win);
//! let moves = table.moves(&position)?;
//! assert!(moves.iter().any(|&(_, outcome)| outcome == Outcome::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Parts of a position.** An [`Evaluator`] finds the values of local games exactly, as sums of
//! hot games, numbers and ups.
//!
//! ```
//! use amazons::{Evaluator, LocalPosition, Placed};
//!
//! let rows: LocalPosition = "x..o".parse()?;
//! let evaluator = Evaluator::new();
//! let value = evaluator.value(Placed::components(&rows)?[0].game())?;
//! assert_eq!(evaluator.values().text(value), "{1|-1}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **What is known.** [`Knowledge`] says what is known of a position without a search, and by what:
//! the rules, bounds on boards of any size, tables and certificates, those of the crate among them.
//!
//! ```
//! use amazons::{Knowledge, Outcome, Position};
//!
//! let known = Knowledge::default();
//! let start: Position = "1q1q1/q3q/5/Q3Q/1Q1Q1 w".parse()?;
//! let finding = known.of(&start)?;
//! assert_eq!(finding.value(), Some(Outcome::Win));
//! assert_eq!(finding.basis().unwrap().to_string(), "by the opening table of 5x5 4v4");
//! let moves = finding.named_moves();
//! assert_eq!(moves.iter().filter(|(_, value)| *value == Some(Outcome::Win)).count(), 84);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Lead::in_position`] counts what each side has left, as `amazons score` does.
//!
//! **Play.** An [`Engine`] chooses a move within [`Limits`].
//!
//! **Trust.** [`write_certificate`] writes down why a position is won or lost, and
//! [`verify_certificate`] checks it with the rules, plain negamax and, where the file asks for it,
//! the wall rule. [`merge_certificates`] makes one of many. [`look_up_in_certificate`] says how its
//! winner plays.
//!
//! Longer programs are in `examples/`: `tour` uses the root alone.

#![warn(missing_docs)]
// The rooms are written to be read as modules: what is public in one is its interface to the
// others.
#![cfg_attr(
    not(feature = "internals"),
    allow(unreachable_pub, unused_imports, rustdoc::private_intra_doc_links)
)]

/// Declares the rooms: public with the feature `internals`, for tests, benches and what is built
/// from this repository; nothing is promised of them.
macro_rules! rooms {
    ($($room:ident),*) => {
        $(
            #[cfg(feature = "internals")]
            #[doc(hidden)]
            pub mod $room;
            #[cfg(not(feature = "internals"))]
            mod $room;
        )*
    };
}

rooms! { app, game, knowledge, machine, play, proof, search, tables, theory, verify }

pub use game::board::Board;
pub use game::notation::record::{Record, read_records};
pub use game::notation::{LocalPosition, Symbols};
pub use game::rules::{Amazons, Colour, IndexedMove};
pub use game::tree::{Estimates, Sample as TreeSample};
pub use game::variants::{
    Arrow, Origin, RuleSet, Shot, Side, SingleMove, Step, Turns, VariantPosition, VariantRecord,
};
pub use game::{AnyPosition, Move, Outcome, Position, Square, Threshold, ThresholdRange};
pub use knowledge::{Basis, Finding, Knowledge};
pub use machine::progress::{Observer, StopFlag};
pub use play::{
    Clock, Decision, Endgame, Engine, Evaluation, Iteration, Known, KnownMoves, Limits, Line,
    MoveSource, Score, Settings as EngineSettings, Terms,
};
pub use proof::Claim;
pub use proof::Part as CertificatePart;
pub use proof::Reader as CertificateReader;
pub use proof::check::{
    Checked, verify as verify_certificate, verify_part as verify_certificate_part,
};
pub use proof::look_up as look_up_in_certificate;
pub use proof::merge::Merged;
pub use proof::merge::merge as merge_certificates;
pub use proof::{CertificateAnswer, CertificateStrategy, StrategyBasis};
pub use search::variants::VariantSolver;
pub use search::{Settings as SolverSettings, Solver, write_certificate};
pub use tables::format::{Answer, Keep, SampleBy, Table, TableMargin};
pub use tables::index::TableRules;
pub use tables::opening::Opening as OpeningTable;
pub use tables::retrograde::{BuildOptions, InstructionSet, build, build_margins};
pub use theory::region::{Lead, Placed};
pub use theory::values::{Evaluator, Value, Values};

/// The errors, by what returns them.
pub mod error {
    pub use crate::game::board::{BoardError, OtherBoard};
    pub use crate::game::notation::record::{RecordError, RecordPlace, StartFault};
    pub use crate::game::notation::sgf::{
        CharsetError, MoveFault, SetupError, SgfError, SyntaxError,
    };
    pub use crate::game::notation::{ColourError, FenError, RowsError};
    pub use crate::game::rules::{AmazonsError, Flaw, IllegalMove, IllegalSetup, StartError};
    pub use crate::game::variants::{
        RulesError, TurnsError, VariantFenError, VariantPlayError, VariantRecordError,
    };
    pub use crate::game::{
        MoveError, OutcomeError, PackedError, PlayError, PlayTextError, ReadError, SquareError,
    };
    pub use crate::knowledge::{SourceError, SourceFileError};
    pub use crate::play::EngineError;
    pub use crate::proof::check::Refusal;
    pub use crate::proof::merge::MergeError;
    pub use crate::proof::{CertificateError, CertificateLookupError, PartError};
    pub use crate::search::variants::VariantSolverError;
    pub use crate::search::{
        CheckpointError, DigestError, ForeignPosition, GroundTooLarge, SolverError, StrategyError,
    };
    pub use crate::tables::format::TableError;
    pub use crate::tables::opening::{DeriveError, OpeningError};
    pub use crate::tables::retrograde::BuildError;
    pub use crate::theory::region::PartTooLarge;
    pub use crate::theory::values::TooLarge;
}

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use app::cli::main;
