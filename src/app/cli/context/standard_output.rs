//! Whether the program was started with its standard output closed.
//!
//! Before `main` the standard library opens `/dev/null` in the place of standard files that are
//! closed, so that no other file gets their numbers. What is written there is lost without an
//! error. So it is looked at before that.

#![cfg_attr(target_os = "linux", allow(unsafe_code))]

use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// # Errors
/// If answers would be lost.
pub(in crate::app::cli) fn refuse_closed() -> Result<(), Failure> {
    match WAS_CLOSED.load(Ordering::Relaxed) {
        true => Err(Failure::failed("cannot write to standard output: it is closed")),
        false => Ok(()),
    }
}

#[cfg(target_os = "linux")]
mod before_main {
    use std::os::fd::BorrowedFd;
    use std::sync::atomic::Ordering;

    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};

    /// The number of the standard output.
    const NUMBER: i32 = 1;

    // SAFETY: the loader calls what stands in this section before `main`, with the C library ready
    // and one thread. `look` needs nothing of the standard library that begins with `main`: it asks
    // the system for the flags of a number, and stores a byte.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: the number is not -1 and is borrowed for this one question, which has an answer
        // whether or not it stands for a file.
        let output = unsafe { BorrowedFd::borrow_raw(NUMBER) };
        let closed = fcntl(output, FcntlArg::F_GETFD) == Err(Errno::EBADF);
        super::WAS_CLOSED.store(closed, Ordering::Relaxed);
    }
}
