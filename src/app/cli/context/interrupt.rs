//! Ctrl-C: the first asks the computation to stop cleanly, the second ends the program.
//!
//! A request to terminate and the end of the terminal do the same, but for who started the program
//! to outlive its terminal (`nohup`).

#![cfg_attr(unix, allow(unsafe_code))]

use std::io::{self, Write};
use std::sync::OnceLock;

use crate::machine::progress::StopFlag;

/// What a shell reports for a program that Ctrl-C ended: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Installs the handler, once; later calls return the same flag. Of several processes one speaks.
pub(in crate::app::cli) fn handle(speaks: bool) -> Result<StopFlag, ctrlc::Error> {
    static FLAG: OnceLock<StopFlag> = OnceLock::new();
    if let Some(flag) = FLAG.get() {
        return Ok(flag.clone());
    }
    let flag = StopFlag::new();
    let asked = flag.clone();
    let hang_up_is_ignored = ignore_hang_up();
    ctrlc::set_handler(move || {
        if asked.is_set() {
            std::process::exit(INTERRUPTED);
        }
        asked.stop();
        if speaks {
            // A panic here would end the thread that hears of the second one.
            let _ = writeln!(io::stderr(), "stopping; press Ctrl-C again to quit at once");
        }
    })?;
    if hang_up_is_ignored {
        ignore_hang_up();
    }
    Ok(FLAG.get_or_init(|| flag).clone())
}

/// Ignores the end of the terminal, and says whether that was so before.
#[cfg(unix)]
fn ignore_hang_up() -> bool {
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
    let ignore = SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty());
    // SAFETY: a handler could run at any moment and break what it interrupts; but there is none,
    // the signal is ignored.
    let before = unsafe { sigaction(Signal::SIGHUP, &ignore) };
    before.is_ok_and(|before| matches!(before.handler(), SigHandler::SigIgn))
}

#[cfg(not(unix))]
fn ignore_hang_up() -> bool {
    false
}
