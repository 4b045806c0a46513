//! The list of a release's files, as `amazons sums --json` writes it, and where they go.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::error::FetchError;
use crate::app::cli::files::portable_name;
use crate::app::cli::files::sum::Entry;
use crate::machine::json;

/// The files of a release, in the order of its list, with names that every system can hold.
#[derive(Debug)]
pub(super) struct Listing(Vec<Entry>);

impl Entry {
    /// Where the file goes.
    pub(super) fn path(&self, out: &Path) -> PathBuf {
        self.name.split('/').fold(out.to_path_buf(), |path, part| path.join(part))
    }

    /// Makes sure that neither the file nor a directory between it and `out` is a link.
    ///
    /// # Errors
    /// If one is.
    pub(super) fn refuse_links(&self, out: &Path) -> Result<(), FetchError> {
        let mut path = out.to_path_buf();
        for part in self.name.split('/') {
            path.push(part);
            if path.is_symlink() {
                return Err(FetchError::Link(path));
            }
        }
        Ok(())
    }
}

impl Listing {
    /// Reads a list.
    ///
    /// # Errors
    /// What is wrong with it, in words, if it is none or if a name in it is not one of a file in a
    /// directory on every system.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(text).map_err(|error| error.to_string())?;
        let (mut entries, mut files, mut directories) =
            (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for (number, line) in (1..).zip(text.lines()) {
            let entry: Entry = serde_json::from_str(line).map_err(|error| {
                format!("line {number} is no line of `sums --json`: {}", json::fault(&error))
            })?;
            let refused = |why| format!("line {number}: {:?} is refused: {why}", entry.name);
            if let Some(why) = portable_name::fault(&entry.name) {
                return Err(refused(why));
            }
            // Some systems take large and small letters for the same.
            let name = entry.name.to_lowercase();
            let above: Vec<String> =
                name.match_indices('/').map(|(end, _)| name[..end].to_string()).collect();
            let is_both = directories.contains(&name)
                || above.iter().any(|directory| files.contains(directory));
            directories.extend(above);
            if !files.insert(name) || is_both {
                return Err(refused("it is there twice"));
            }
            entries.push(entry);
        }
        match entries.is_empty() {
            true => Err("it lists no files".to_string()),
            false => Ok(Self(entries)),
        }
    }

    /// The files of these names and those in directories of these names; without names, all.
    ///
    /// # Errors
    /// If there is none of a name.
    pub(super) fn choose(&self, names: &[String]) -> Result<Vec<&Entry>, String> {
        let is_in = |entry: &Entry, name: &str| {
            let name = name.trim_end_matches('/');
            let rest = entry.name.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let has = |name: &&String| self.0.iter().any(|entry| is_in(entry, name));
        if let Some(name) = names.iter().find(|name| !has(name)) {
            return Err(format!("the release has no {name:?}; --list prints what it has"));
        }
        let is_chosen =
            |entry: &&Entry| names.is_empty() || names.iter().any(|name| is_in(entry, name));
        Ok(self.0.iter().filter(is_chosen).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::cli::files::sum::Sum;

    fn list(names: &[&str]) -> String {
        let sum = Sum::of(b"abc");
        let lines = names.iter().map(|name| {
            let entry = Entry { name: name.to_string(), bytes: 3, sha256: sum.clone() };
            serde_json::to_string(&entry).unwrap() + "\n"
        });
        lines.collect()
    }

    #[test]
    fn names_that_climb_out_or_that_some_system_refuses_are_refused() {
        for name in [
            "../a",
            "a/../b",
            "/a",
            "a//b",
            "a/",
            "",
            ".",
            "a/.",
            "a\\b",
            "C:a",
            "a\nb",
            "a\0",
            "nul",
            "a/COM1.txt",
            "Con.x",
            "a.",
            "a /b",
            "a*",
            "a.part",
        ] {
            assert!(Listing::read(list(&[name]).as_bytes()).is_err(), "{name:?}");
        }
        assert!(Listing::read(list(&[&"a".repeat(201)]).as_bytes()).is_err());
        assert!(Listing::read(list(&[&"a/".repeat(600)]).as_bytes()).is_err());
        for name in ["a", "a/b", "..a", "a..b", "ä b", "com10", "common", "console.txt"] {
            assert!(Listing::read(list(&[name]).as_bytes()).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn one_place_has_one_file() {
        for names in [&["a", "a"][..], &["a", "A"], &["a", "a/b"], &["a/b", "A"]] {
            let error = Listing::read(list(names).as_bytes()).unwrap_err();
            assert!(error.contains("line 2") && error.contains("twice"), "{error}");
        }
        Listing::read(list(&["a/b", "a/c", "b"]).as_bytes()).unwrap();
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "<html>", "{}", "{\"name\":\"a\",\"bytes\":-1,\"sha256\":\"\"}"] {
            assert!(Listing::read(text.as_bytes()).is_err(), "{text}");
        }
        let short = list(&["a"]).replace("ba7816", "7816");
        assert!(Listing::read(short.as_bytes()).unwrap_err().contains("64 hexadecimal digits"));
        assert!(Listing::read(b"\xff").is_err());
    }

    #[test]
    fn files_are_chosen_by_their_names_and_by_those_of_their_directories() {
        let listing = Listing::read(list(&["a/b", "a/c", "ab"]).as_bytes()).unwrap();
        let chosen = |names: &[&str]| -> Vec<String> {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            let chosen = listing.choose(&names).unwrap();
            chosen.into_iter().map(|entry| entry.name.clone()).collect()
        };
        assert_eq!(chosen(&[]).len(), 3);
        assert_eq!(chosen(&["a/"]), ["a/b", "a/c"]);
        assert_eq!(chosen(&["ab", "a/c"]), ["a/c", "ab"]);
        assert!(listing.choose(&["c".to_string()]).is_err());
    }
}
