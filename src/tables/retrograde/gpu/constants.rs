//! Numbers of a tier as constants in the source of a kernel, and its tables in one list of words
//! with the place of each as a constant.

use std::fmt::Write as _;

/// Constants in WGSL.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants(String);

impl Constants {
    /// Adds a number.
    pub(super) fn number(&mut self, name: &str, value: usize) {
        writeln!(self.0, "const {name}: u32 = {value}u;").expect("a string takes all");
    }

    /// Adds any other constant, as WGSL.
    pub(super) fn expression(&mut self, name: &str, value: &str) {
        writeln!(self.0, "const {name} = {value};").expect("a string takes all");
    }

    /// The source.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

/// Tables one after the other, and the constants that say where each begins.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) words: Vec<u32>,
    pub(super) constants: Constants,
}

impl Tables {
    /// Adds a table.
    pub(super) fn table(&mut self, name: &str, words: impl IntoIterator<Item = u32>) {
        self.constants.number(name, self.words.len());
        self.words.extend(words);
    }
}
