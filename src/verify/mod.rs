//! Checkers: they judge what the solvers wrote, and share no code with them.
//!
//! A checker uses the rules, the index and the reader of tables, all of which are simple and tested
//! by themselves; it never uses a kernel of the backward solver, nor a bound or an evaluation of
//! the search.

pub mod opening;
pub mod results;
pub mod table;
pub mod verdicts;
