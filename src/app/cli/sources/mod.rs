//! What answers a position for a command: what is known, a table, an opening table, a search.

pub(super) mod blame;
pub(super) mod known;
pub(super) mod open;
pub(super) mod position_solver;
pub(super) mod variant_position_solver;
