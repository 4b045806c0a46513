//! Names of files that every system can hold, as a list of a release has them.

/// The most bytes of a name's parts: a file that is fetched has a longer name meanwhile.
const LONGEST_PART: usize = 200;
/// The most directories and files that a name goes through.
const MOST_PARTS: usize = 32;
/// The most bytes of a name.
const LONGEST_NAME: usize = 1000;
/// Names of files that Windows takes for devices, whatever follows behind a dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// The end of the names of files that are being fetched.
pub(in crate::app::cli) const UNFINISHED: &str = ".part";

/// What is wrong with the name of a file in a directory, its parts with `/` between them, in words.
pub(in crate::app::cli) fn fault(name: &str) -> Option<&'static str> {
    let refused = |c: char| c.is_control() || "\\:<>\"|?*".contains(c);
    if name.len() > LONGEST_NAME {
        return Some("it is too long");
    }
    if name.contains(refused) {
        return Some("it has a character that some systems cannot hold");
    }
    if name.split('/').count() > MOST_PARTS {
        return Some("it is too deep");
    }
    name.split('/').find_map(|part| match part {
        "" => Some("it does not lie in the directory, or names none"),
        "." | ".." => Some("it climbs out of the directory"),
        _ if part.len() > LONGEST_PART => Some("it is too long"),
        _ if part.ends_with(['.', ' ']) => Some("it ends as no name on Windows does"),
        _ if is_device(part) => Some("it is a device on Windows"),
        _ if part.to_lowercase().ends_with(UNFINISHED) => {
            Some("it ends as files do that are being fetched")
        }
        _ => None,
    })
}

/// Whether Windows takes a name for a device.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_port = |stem: &str| {
        let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
        number.is_some_and(|number| number.chars().count() == 1 && number != "0")
    };
    DEVICES.contains(&stem.as_str()) || is_port(&stem)
}
