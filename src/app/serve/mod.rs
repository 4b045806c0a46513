//! The explorer in the browser: tables and proof searches over HTTP, and the page that shows them.
//!
//! ```text
//!   GET  /                          the page; its files are part of the program
//!   GET  /api/v1/position?fen=      value of a position and of all its moves, best first
//!   GET  /api/v1/line?fen=&moves=   the positions of a game
//!   GET  /api/v1/start?board=       a start position, for any amazons
//!   GET  /api/v1/boards             start positions that are solved
//!   GET  /api/v1/rules              the games there are, and which one the page begins with
//!   GET  /api/v1/search?fen=        a proof search, told as it goes (server-sent events)
//!   GET  /api/v1/engine?fen=        the engine's move, score and line
//!   GET  /api/v1/insight?fen=       queen distances, and the parts with their values
//!   GET  /api/v1/exercise?board=    a position with one winning move
//!   GET, POST  /api/v1/sgf          a game to SGF, and a file to a tree of moves
//!   POST /api/v1/sgf/tree           a tree of moves to SGF
//!   GET  /api/v1/tables, /api/v1/health
//! ```
//!
//! Position, line, start, boards, search and engine take `rules=` and `turns=` for another game
//! than Amazons; what is for Amazons only refuses them.
//!
//! Nothing a client sends names a file: tables are opened at the start, the page's files are in the
//! program. Everything a client can make the server do is bounded: connections, requests at once,
//! bytes and seconds of a request, searches at once and by the minute, their threads, memory and
//! time. See `docs/serve.md`.
//!
//! [`Server::open`] takes the port and opens the tables, [`Server::run`] serves until it is asked
//! to stop.

mod built_in;
mod connections;
mod error;
mod guard;
mod hosts;
mod page;
mod rate;
mod router;
mod search;
mod server;
mod state;
mod tables;
mod waiting;
mod workers;

pub use crate::app::answers::{AnswerSource, MoveReport, PositionReport, TableInfo, Value};
pub use error::ServeError;
pub use server::{Options, Server};
pub use tables::tables_memory;
