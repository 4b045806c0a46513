//! Text that several commands print: quantities, plots, errors with what they mean.

pub(super) mod described;
pub(super) mod plot;
pub(super) mod quantity;
pub(super) mod trend;
