//! The explorer in the browser: tables and proof searches over HTTP, and the page that shows them.
//!
//! `/` is the page, whose files are part of the program. `/api/v1/` is before the path of each
//! question: of those with one answer ([`QUESTIONS`](crate::app::answers::QUESTIONS)), of
//! `search`, a proof search that is heard as it goes (server-sent events), and of `health`.
//!
//! Position, positions, line, main line, start, boards, search and engine take `rules=` and `turns=`
//! for another game than Amazons; what is for Amazons only refuses them.
//!
//! Nothing a client sends names a file: tables are opened at the start, the page's files are in the
//! program. Everything a client can make the server do is bounded: connections, requests at once,
//! bytes and seconds of a request, searches at once and by the minute, their threads, memory and
//! time. See `docs/serve.md`.
//!
//! [`Server::open`] takes the port and opens the tables, [`Server::run`] serves until it is asked
//! to stop.

mod connections;
mod error;
mod guard;
mod hosts;
mod origins;
mod page;
mod rate;
mod refusal;
mod router;
mod search;
mod server;
mod state;
mod tables;
mod waiting;
mod workers;

pub use crate::app::answers::{MoveReport, PositionReport};
pub use crate::app::value::Value;
pub use crate::knowledge::{Basis, SourceInfo};
pub use error::ServeError;
pub use origins::{AllowedOrigin, OriginError};
pub use server::{Options, Server};
pub use tables::tables_memory;
