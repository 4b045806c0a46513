//! Groups of arguments that several commands take: a position, the rules, an engine.

pub(super) mod engine;
pub(super) mod position;
pub(super) mod rules;
