//! A graph of places that use each other: its circles, its layers, and the arrows that run back up.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Places by name, each with those that it uses.
#[derive(Default)]
pub(super) struct Graph {
    uses: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl Graph {
    pub(super) fn insert(&mut self, place: &Path, used: &Path) {
        self.uses.entry(used.to_path_buf()).or_default();
        let used_by = self.uses.entry(place.to_path_buf()).or_default();
        if place != used {
            used_by.insert(used.to_path_buf());
        }
    }

    pub(super) fn add(&mut self, place: &Path) {
        self.uses.entry(place.to_path_buf()).or_default();
    }

    /// What there is to say of the graph of a room, in a line.
    pub(super) fn summary(&self, room: &str) -> String {
        let (places, layers, arrows) = (self.places(), self.layers(), self.arrows());
        let circles = self.circles().len();
        format!("{room}: {places} places, {layers} layers, {arrows} arrows, {circles} circles")
    }

    pub(super) fn places(&self) -> usize {
        self.uses.len()
    }

    pub(super) fn arrows(&self) -> usize {
        self.uses.values().map(BTreeSet::len).sum()
    }

    /// The places that can be reached from one, by at least one arrow.
    fn reached(&self, from: &Path) -> BTreeSet<&Path> {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&PathBuf> = self.uses[from].iter().collect();
        while let Some(place) = open.pop() {
            if reached.insert(place.as_path()) {
                open.extend(&self.uses[place]);
            }
        }
        reached
    }

    /// The sets of places each of which reaches all of its set, of at least two.
    pub(super) fn circles(&self) -> Vec<Vec<&Path>> {
        let reached: BTreeMap<&Path, BTreeSet<&Path>> =
            self.uses.keys().map(|place| (place.as_path(), self.reached(place))).collect();
        let mut circles = BTreeSet::new();
        for (&place, all) in &reached {
            let circle: Vec<&Path> =
                all.iter().copied().filter(|&other| reached[other].contains(place)).collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// The length of the longest chain of places, a circle being one.
    pub(super) fn layers(&self) -> usize {
        let circles = self.circles();
        let one = |place: &Path| {
            let circle = circles.iter().find(|circle| circle.contains(&place));
            circle.map_or(place.to_path_buf(), |circle| circle[0].to_path_buf())
        };
        let mut whole = Self::default();
        for (place, used) in &self.uses {
            whole.add(&one(place));
            for used in used {
                whole.insert(&one(place), &one(used));
            }
        }
        let mut depths = BTreeMap::new();
        let deepest = whole.uses.keys().map(|place| whole.depth(place, &mut depths)).max();
        deepest.unwrap_or_default()
    }

    /// One more than the greatest depth of what a place uses; for a graph without circles.
    fn depth(&self, place: &Path, depths: &mut BTreeMap<PathBuf, usize>) -> usize {
        if let Some(&depth) = depths.get(place) {
            return depth;
        }
        let below = self.uses[place].iter().map(|used| self.depth(used, depths)).max();
        let depth = 1 + below.unwrap_or_default();
        depths.insert(place.to_path_buf(), depth);
        depth
    }
}
