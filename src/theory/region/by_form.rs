//! What is known of line segment graphs, shared by threads.

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;

use super::CanonicalGraph;

/// What is known of each form.
pub(super) struct ByForm<T>(DashMap<CanonicalGraph, T>);

impl<T: Copy> ByForm<T> {
    /// Nothing is known yet.
    pub(super) fn new() -> Self {
        Self(DashMap::new())
    }

    /// What is known of a form, found now if nothing was; and whether the form is new: true once
    /// for each, whatever the threads do. Two threads may both find it, and only one is told so.
    pub(super) fn get_or_find(&self, form: &CanonicalGraph, find: impl FnOnce() -> T) -> (T, bool) {
        let known = self.0.get(form).map(|known| *known);
        if let Some(known) = known {
            return (known, false);
        }
        // Nothing is locked while it is found.
        let found = find();
        match self.0.entry(form.clone()) {
            Entry::Occupied(entry) => (*entry.get(), false),
            Entry::Vacant(entry) => (*entry.insert(found), true),
        }
    }

    /// How many forms are known.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
