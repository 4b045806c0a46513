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
//! | [`verify`] | checks of tables, opening tables and results |
//! | [`app`] | the command line, the explorer in the browser, annotated games |
//!
//! # A tour
//!
//! **Positions.** [`game::notation`] reads and writes them; inside the library a
//! [`game::rules::Bitboards`] has no colours, only a mover, an opponent and burned squares.
//! [`game::rules::Rules`] lists, checks and plays moves.
//!
//! ```
//! use amazons::game::notation::{fen, move_text, parse_fen, play_text};
//! use amazons::game::rules::Rules;
//!
//! let position = parse_fen("1qq1/q2q/Q2Q/1QQ1 w")?;
//! let rules = Rules::<u64>::new(position.board())?;
//! let plain = position.bitboards::<u64>().ok_or("more than 64 squares")?;
//! let moves = rules.moves(&plain);
//! assert_eq!((moves.len(), move_text(position.board(), moves[0]).as_str()), (88, "b1-a1/b1"));
//!
//! let (_, after) = play_text(&position, "b1-b3/b1")?;
//! assert_eq!(fen(&after), "1qq1/qQ1q/Q2Q/1*Q1 b");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **One position.** [`search::Solver`] proves who wins, on as many threads as it is given; what it
//! has proved stays in its table for the next question.
//!
//! ```
//! use amazons::game::Outcome;
//! use amazons::game::notation::parse_fen;
//! use amazons::machine::progress::StopFlag;
//! use amazons::search::{Settings, Solver};
//!
//! let position = parse_fen("1qq1/q2q/Q2Q/1QQ1 w")?;
//! let mut solver = Solver::new(position.board(), Settings::default(), StopFlag::new())?;
//! assert_eq!(solver.solve(&position)?, Some(Outcome::Loss)); // for who begins on 4x4
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **All positions.** [`tables::build::build`](tables::build::build()) solves a board backwards
//! into a directory, and [`tables::format::Table`] answers from it.
//!
//! ```
//! use amazons::game::notation::parse_fen;
//! use amazons::machine::progress::StopFlag;
//! use amazons::tables::build::{BuildOptions, build};
//! use amazons::tables::format::Table;
//!
//! let directory = tempfile::tempdir()?;
//! let options = BuildOptions::new(256 << 20);
//! build(directory.path(), "3x3".parse()?, "1v1".parse()?, &options, &(), &StopFlag::new())?;
//!
//! let answer = Table::open(directory.path())?.answer(&parse_fen("q2/3/2Q w")?)?;
//! assert!(answer.outcome.is_win() && answer.moves.iter().any(|(_, outcome)| outcome.is_win()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Parts of a position.** [`theory::values`] evaluates local games exactly, as sums of hot games,
//! numbers and ups.
//!
//! ```
//! use amazons::game::notation::LocalPosition;
//! use amazons::theory::region::Placed;
//! use amazons::theory::values::Evaluator;
//!
//! let rows: LocalPosition = "x..o".parse()?;
//! let evaluator = Evaluator::new();
//! let value = evaluator.value(Placed::components(&rows)?[0].game())?;
//! assert_eq!(evaluator.values().text(value), "{1|-1}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Trust.** [`verify`] and [`proof::check`] check tables and certificates with the rules alone.
//! **Games.** [`game::notation::sgf`] reads and writes them with their variations,
//! [`app::annotation`] says where a win was thrown away.
//!
//! Longer programs are in `examples/`: `solve`, `look_up`, `enumerate_moves`.

#![warn(missing_docs)]

pub mod app;
pub mod game;
pub mod machine;
pub mod play;
pub mod proof;
pub mod search;
pub mod tables;
pub mod theory;
pub mod verify;

pub use game::{Move, Outcome, Position, Square};
