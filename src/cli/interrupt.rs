//! Ctrl-C: the first asks the computation to stop cleanly, the second ends the program.

use std::sync::OnceLock;

use crate::progress::StopFlag;

/// What a shell reports for a program that Ctrl-C ended: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Installs the handler, once; later calls return the same flag.
pub(super) fn handle() -> Result<StopFlag, ctrlc::Error> {
    static FLAG: OnceLock<StopFlag> = OnceLock::new();
    if let Some(flag) = FLAG.get() {
        return Ok(flag.clone());
    }
    let flag = StopFlag::new();
    let asked = flag.clone();
    ctrlc::set_handler(move || {
        if asked.is_set() {
            std::process::exit(INTERRUPTED);
        }
        asked.stop();
        eprintln!("stopping; press Ctrl-C again to quit at once");
    })?;
    Ok(FLAG.get_or_init(|| flag).clone())
}
