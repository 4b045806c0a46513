//! What the explorer answers, however it is asked: by HTTP ([`serve`](crate::app::serve)) or in a
//! browser, where the library runs as WebAssembly (`page/`).
//!
//! [`answer`] answers a question, [`search`] tells a proof search as it goes. Both take what stands
//! in an address behind `/api/v1/`, so a page gets the same answers wherever they are from.
//! `docs/serve.md` lists them.

mod answer;
mod boards;
mod engine;
mod exercise;
mod insight;
mod main_line;
mod margins;
mod positions;
mod proof_search;
mod query;
mod question;
mod refusal;
mod report;
mod rules;
mod sgf;

pub use crate::game::AnyPosition;
#[cfg(feature = "serve")]
pub(crate) use margins::HowMuch;
pub use proof_search::{
    Between, Message, SearchError, SearchEvent, SearchRequest, failure, progress, run as search,
};
#[cfg(feature = "serve")]
pub(crate) use question::json;
pub use question::{Cost, QUESTIONS, Question, QuestionKind, Reply, Sources, Thinking, answer};
pub use refusal::Refusal;
pub use report::{MoveReport, PositionReport};
pub use rules::RulesReport;
