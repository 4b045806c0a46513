//! Checkers of tables, openings and results. They share no code of solving with the solvers.
//!
//! What they do share is the board and the rules ([`crate::game`]), and the counting, the index and
//! the reader of tables. These are simple and tested by themselves. A checker never uses a kernel
//! of the backward solver, nor a bound or an evaluation of the search. Certificates have a checker
//! of their own ([`crate::proof::check`]).

mod claims;
pub mod margin_figures;
pub mod margins;
pub mod opening;
pub mod results;
pub mod table;
pub mod verdicts;
