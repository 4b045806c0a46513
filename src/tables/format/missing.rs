//! What an unfinished table lacks.

use std::fmt;
use std::path::Path;

use super::{Keep, Manifest};
use crate::game::rules::start_with;

/// What is still to be made of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Tiers, by their numbers of arrows in increasing order. There is at least one.
    Tiers(Vec<usize>),
    /// The opening table of a table that keeps no tiers.
    Opening,
}

impl Missing {
    /// What a table in a directory lacks by its manifest; `None` if it is finished.
    pub fn of(manifest: &Manifest, directory: &Path) -> Option<Self> {
        let tiers = missing_tiers(manifest);
        if !tiers.is_empty() {
            return Some(Self::Tiers(tiers));
        }
        let lacks_opening = manifest.keep == Keep::None
            && start_with(manifest.subject.board, manifest.subject.amazons).is_ok()
            && !Manifest::opening_path(directory).exists();
        lacks_opening.then_some(Self::Opening)
    }

    /// The tiers, by their numbers of arrows.
    pub fn tiers(&self) -> &[usize] {
        match self {
            Self::Tiers(tiers) => tiers,
            Self::Opening => &[],
        }
    }
}

/// The tiers of which a kind is not recorded.
fn missing_tiers(manifest: &Manifest) -> Vec<usize> {
    let Ok(fullest) = manifest.subject.fullest() else { return Vec::new() };
    let recorded = |arrows| {
        let kinds = manifest.kinds(arrows).unwrap_or_default();
        kinds.iter().all(|kind| manifest.tier(kind).is_some())
    };
    (0..=fullest).filter(|&arrows| !recorded(arrows)).collect()
}

/// In words, as the end of a sentence: `tiers 0 to 3 and 5 are missing`.
impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiers = match self {
            Self::Opening => return f.write_str("its opening table is missing"),
            Self::Tiers(tiers) => tiers,
        };
        let runs: Vec<&[usize]> = tiers.chunk_by(|tier, next| tier + 1 == *next).collect();
        let (noun, verb) = if tiers.len() == 1 { ("tier", "is") } else { ("tiers", "are") };
        write!(f, "{noun} ")?;
        for (number, run) in runs.iter().enumerate() {
            let before = match number {
                0 => "",
                _ if number + 1 == runs.len() => " and ",
                _ => ", ",
            };
            match run {
                [first, .., last] => write!(f, "{before}{first} to {last}")?,
                run => run.iter().try_for_each(|tier| write!(f, "{before}{tier}"))?,
            }
        }
        write!(f, " {verb} missing")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::format::{TierRecord, TierSummary};
    use crate::tables::index::TableSubject;

    #[test]
    fn tiers_are_listed_in_words() {
        for (tiers, words) in [
            (&[3][..], "tier 3 is missing"),
            (&[0, 1, 2], "tiers 0 to 2 are missing"),
            (&[0, 1, 5], "tiers 0 to 1 and 5 are missing"),
            (&[0, 2, 4, 5, 6], "tiers 0, 2 and 4 to 6 are missing"),
        ] {
            assert_eq!(Missing::Tiers(tiers.to_vec()).to_string(), words);
        }
    }

    #[test]
    fn a_tier_is_missing_until_both_kinds_are_recorded() {
        let directory = tempfile::tempdir().unwrap();
        let subject = TableSubject::of_amazons("2x2".parse().unwrap(), "2v1".parse().unwrap());
        let mut manifest = Manifest::new(subject, Keep::All);
        let summary = TierSummary { positions: 12, wins: 0, bytes: 300, content: [0; 32] };
        let kinds = |arrows| manifest.kinds(arrows).unwrap();
        let [full, empty] = [kinds(1), kinds(0)];
        let mut found = vec![Missing::of(&manifest, directory.path())];
        for kind in full.iter().chain(&empty) {
            manifest.record(TierRecord::new(kind, &summary));
            found.push(Missing::of(&manifest, directory.path()));
        }
        let tiers = |tiers: &[usize]| Some(Missing::Tiers(tiers.to_vec()));
        let expected = [tiers(&[0, 1]), tiers(&[0, 1]), tiers(&[0]), tiers(&[0]), None];
        assert_eq!(found, expected);
        // Without tiers an opening table is what is left.
        manifest.keep = Keep::None;
        assert_eq!(Missing::of(&manifest, directory.path()), Some(Missing::Opening));
        std::fs::write(Manifest::opening_path(directory.path()), "").unwrap();
        assert_eq!(Missing::of(&manifest, directory.path()), None);
    }
}
