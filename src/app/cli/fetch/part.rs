//! A file that is being fetched: what there is of it, and its sum so far.
//!
//! Its name has the beginning of the sum that it must have in the end, so what was fetched of one
//! version is never gone on with as another.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::error::FetchError;
use crate::app::cli::files::portable_name::UNFINISHED;
use crate::app::cli::files::sum::{Entry, Summing};
use crate::machine::files::{self, Reservation};
use crate::machine::progress::StopFlag;

/// The part of a file that is there. No other process goes on with it meanwhile.
#[derive(Debug)]
pub(super) struct Part<'a> {
    entry: &'a Entry,
    /// Where the file is in the end, and until then.
    whole: PathBuf,
    path: PathBuf,
    file: File,
    summing: Summing,
    _reservation: Reservation,
}

fn path(out: &Path, entry: &Entry) -> PathBuf {
    let mut path = entry.path(out).into_os_string();
    path.push(format!(".{}{UNFINISHED}", entry.sha256.beginning()));
    path.into()
}

impl<'a> Part<'a> {
    /// How many bytes there are of a file that is not whole.
    pub(super) fn length(out: &Path, entry: &Entry) -> u64 {
        path(out, entry).metadata().map_or(0, |found| found.len())
    }

    /// Takes up what there is of a file, which may be nothing.
    ///
    /// # Errors
    /// If another process has it, or the system refuses.
    pub(super) fn open(out: &Path, entry: &'a Entry, stop: &StopFlag) -> Result<Self, FetchError> {
        let (whole, path) = (entry.path(out), path(out, entry));
        if path.is_symlink() {
            return Err(FetchError::Link(path));
        }
        let writing = || FetchError::writing(&path);
        files::create_directories(files::parent(&whole)).map_err(writing())?;
        let reservation = Reservation::of(&whole).map_err(writing())?;
        let reservation = reservation.ok_or(FetchError::Busy)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(writing())?;
        let summing = Summing::of(&mut file, stop).map_err(writing())?;
        let summing = summing.ok_or(FetchError::Interrupted)?;
        let mut part = Self { entry, whole, path, file, summing, _reservation: reservation };
        if part.bytes() > entry.bytes {
            part.begin_anew()?;
        }
        Ok(part)
    }

    /// How many bytes there are.
    pub(super) fn bytes(&self) -> u64 {
        self.summing.bytes()
    }

    /// Forgets what was fetched.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn begin_anew(&mut self) -> Result<(), FetchError> {
        let emptied = self.file.set_len(0).and_then(|()| self.file.rewind());
        emptied.map_err(FetchError::writing(&self.path))?;
        self.summing = Summing::default();
        Ok(())
    }

    /// Puts bytes behind what is there.
    ///
    /// # Errors
    /// If the system does not take them.
    pub(super) fn add(&mut self, piece: &[u8]) -> Result<(), FetchError> {
        self.file.write_all(piece).map_err(FetchError::writing(&self.path))?;
        self.summing.add(piece);
        Ok(())
    }

    /// Makes sure that nothing is missing.
    ///
    /// # Errors
    /// If something is.
    pub(super) fn expect_whole(&self) -> Result<(), FetchError> {
        match self.bytes() == self.entry.bytes {
            true => Ok(()),
            false => Err(FetchError::Length {
                expected: self.entry.bytes,
                found: self.bytes().to_string(),
            }),
        }
    }

    /// Leaves what there is for the next time; nothing, if there is nothing.
    pub(super) fn leave(self) {
        if self.bytes() == 0 {
            // If it stays, it does no harm under its name.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Gives the file its name, if its sum is right; otherwise it is removed.
    ///
    /// # Errors
    /// If the sum is wrong, or the system refuses.
    pub(super) fn keep(self) -> Result<(), FetchError> {
        let found = self.summing.sum();
        if let Err(error) = FetchError::unless_same(&self.entry.sha256, found) {
            // If it stays, it does no harm under its name.
            let _ = fs::remove_file(&self.path);
            return Err(error);
        }
        let kept = self.file.sync_all();
        let kept = kept.and_then(|()| files::rename_over(&self.path, &self.whole));
        let kept = kept.and_then(|()| files::sync_directory(files::parent(&self.whole)));
        kept.map_err(FetchError::writing(&self.whole))
    }
}
