//! What answers a position for a command: a table, an opening table, a search.

pub(super) mod blame;
pub(super) mod open;
pub(super) mod position_solver;
pub(super) mod table_oracle;
