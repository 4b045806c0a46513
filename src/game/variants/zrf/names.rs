//! The names of the files or of the ranks of a grid.

use crate::game::board::Board;

/// Where a name stands among the files or ranks of a board.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// On one.
    Line(usize),
    /// Between one and the next, where walls stand.
    Edge(usize),
    /// Before the first one.
    Outside,
}

/// The files or the ranks of a grid, from the left or from below. No name is empty, none is there
/// twice.
pub(super) struct Names<'a> {
    named: Vec<(&'a str, At)>,
    lines: usize,
}

impl<'a> Names<'a> {
    /// The most names: those of lines, and of what is between each and the next.
    pub(super) const MOST: usize = 2 * Board::MAX_SIDE as usize;

    /// `None` if a name is empty or there twice. A name is that of an edge if it is the name of a
    /// line with the letter `e` or `n` behind it.
    pub(super) fn new(names: &[&'a str]) -> Option<Self> {
        let is_edge =
            |name: &str| name.strip_suffix(['e', 'n']).is_some_and(|line| names.contains(&line));
        let (mut named, mut lines) = (Vec::with_capacity(names.len()), 0usize);
        for (place, &name) in names.iter().enumerate() {
            if name.is_empty() || names[..place].contains(&name) {
                return None;
            }
            let at = match (is_edge(name), lines.checked_sub(1)) {
                (false, _) => At::Line(lines),
                (true, Some(line)) => At::Edge(line),
                (true, None) => At::Outside,
            };
            lines += usize::from(!is_edge(name));
            named.push((name, at));
        }
        Some(Self { named, lines })
    }

    /// How many files or ranks there are.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// The names, each with its place.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, At)> + '_ {
        self.named.iter().copied()
    }

    /// Where a name stands.
    pub(super) fn at(&self, name: &str) -> Option<At> {
        self.iter().find(|(other, _)| *other == name).map(|(_, at)| at)
    }
}
