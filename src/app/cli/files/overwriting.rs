//! No command writes over what it reads, and none writes one file twice.

use std::path::{Path, PathBuf};

use crate::app::cli::context::Failure;
use crate::machine::files;
use crate::machine::shown::Shown as _;
use crate::tables::format::Manifest;

/// Makes sure, before anything is opened, that each output is another file than every input and
/// every other output. A directory among the inputs stands for the files of the table that it
/// holds. Files are the same if their paths lead to one place, by links or by other names of a
/// directory. A file that is read and written again is an output alone. Pipes and devices may be
/// both: what is written to them replaces nothing.
///
/// # Errors
/// Wrong usage, if an output is an input or another output.
pub(in crate::app::cli) fn refuse<P: AsRef<Path>, Q: AsRef<Path>>(
    inputs: impl IntoIterator<Item = P>,
    outputs: impl IntoIterator<Item = Q>,
) -> Result<(), Failure> {
    let mut taken: Vec<(PathBuf, PathBuf, &str)> = Vec::new();
    for input in inputs {
        let read = files_of(input.as_ref()).into_iter();
        taken.extend(read.map(|path| (place(&path), path, "reads")));
    }
    for output in outputs {
        let output = output.as_ref();
        if output.exists() && !output.is_file() {
            continue;
        }
        let place = place(output);
        if let Some((_, other, does)) = taken.iter().find(|(at, ..)| *at == place) {
            return Err(Failure::usage(format!(
                "cannot write {}: this command {does} {}, which is the same file; name another",
                output.shown(),
                other.shown()
            )));
        }
        taken.push((place, output.into(), "also writes"));
    }
    Ok(())
}

/// The file of a path, or those of the table of a directory.
fn files_of(input: &Path) -> Vec<PathBuf> {
    if !input.is_dir() {
        return vec![input.into()];
    }
    // What is no table is found out, and said, by whoever opens it.
    let Ok(manifest) = Manifest::load(input) else { return Vec::new() };
    let entries = input.read_dir().into_iter().flatten().flatten();
    let of_table = entries.filter(|entry| manifest.has_file(&entry.file_name()));
    of_table.map(|entry| entry.path()).collect()
}

/// Where a path leads: to a file, or to a name in a directory where a file may be made.
fn place(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let directory = files::parent(path);
        let directory = directory.canonicalize().unwrap_or_else(|_| directory.into());
        directory.join(path.file_name().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::format::Keep;
    use crate::tables::index::TableSubject;

    /// What is said of inputs and outputs with these names in a directory.
    fn refusal(directory: &Path, inputs: &[&str], outputs: &[&str]) -> Option<String> {
        let at = |names: &[&str]| -> Vec<PathBuf> {
            names.iter().map(|name| directory.join(name)).collect()
        };
        refuse(at(inputs), at(outputs)).err().map(|failure| failure.to_string())
    }

    #[test]
    fn an_output_is_neither_an_input_nor_another_output() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        std::fs::create_dir(directory.join("below")).unwrap();
        std::fs::write(directory.join("a"), b"x").unwrap();
        for (inputs, outputs, reason) in [
            (&["a"][..], &["a"][..], "reads"),
            (&["b", "a"], &["c", "below/../a"], "reads"),
            (&["below/../a"], &["a"], "reads"),
            (&[], &["a", "a"], "also writes"),
            (&[], &["new", "c", "below/../new"], "also writes"),
            // There it fails when it is opened, and is the same all the same.
            (&["none/a"], &["none/a"], "reads"),
        ] {
            let said = refusal(directory, inputs, outputs).unwrap();
            assert!(said.contains(&format!("this command {reason} ")), "{said}");
        }
        for (inputs, outputs) in
            [(&["a", "a"][..], &["b", "c"][..]), (&["below"], &["below/a"]), (&[], &["a"])]
        {
            assert_eq!(refusal(directory, inputs, outputs), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_files_and_devices_are_no_files() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        std::fs::write(directory.join("a"), b"x").unwrap();
        symlink("a", directory.join("link")).unwrap();
        symlink(".", directory.join("here")).unwrap();
        for (input, output) in [("a", "link"), ("link", "a"), ("a", "here/a"), ("here/b", "b")] {
            assert!(refusal(directory, &[input], &[output]).is_some(), "{input} {output}");
        }
        refuse(["/dev/null"], ["/dev/null", "/dev/null"]).unwrap();
    }

    #[test]
    fn the_files_of_a_table_are_read_and_others_beside_them_are_not() {
        for keep in [Keep::All, Keep::None] {
            let directory = tempfile::tempdir().unwrap();
            let directory = directory.path();
            let (board, amazons) = ("3x3".parse().unwrap(), "1v1".parse().unwrap());
            let manifest = Manifest::new(TableSubject::of_amazons(board, amazons), keep);
            manifest.save(directory).unwrap();
            for name in ["lock", "tier-01-1v1.amz", "tier-01-1v1.journal", "opening.amz", "SUMS"] {
                std::fs::write(directory.join(name), b"x").unwrap();
            }
            let refused = |name| refusal(directory, &["."], &[name]).is_some();
            for name in ["manifest.json", "lock", "tier-01-1v1.amz", "tier-01-1v1.journal"] {
                assert!(refused(name), "{name}");
            }
            assert!(!refused("SUMS") && !refused("new.amz"));
            assert_eq!(refused("opening.amz"), keep == Keep::None);
        }
    }
}
