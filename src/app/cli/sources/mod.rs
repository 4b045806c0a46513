//! What answers a position for a command: a table, an opening table, a search.

pub(super) mod position_solver;
pub(super) mod table_oracle;
