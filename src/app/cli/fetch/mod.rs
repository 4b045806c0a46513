//! `amazons fetch`: the files of a data release, compared with its list of sums.
//!
//! A release is a directory on a web server with a list, as `amazons sums --json` writes it. What
//! is on the disk is believed when its sum is right, and what a server says is never believed.

mod address;
mod error;
mod listing;
mod part;
mod server;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::context::{Context, Failure, Progress};
use super::files::sum::{Entry, Sum};
use super::files::{free_disk, output};
use super::sums;
use crate::app::counted::{Counted, by_count};
use crate::app::input;
use crate::machine::progress::{Observer as _, StopFlag};
use crate::machine::shown::Shown as _;
use address::Address;
use error::FetchError;
use listing::Listing;
use part::Part;
use server::{Begins, Server};

/// Download the files of a data release, and compare them with its list of sums
///
/// A file that is there with the right sum is left as it is. One that was fetched in part is gone
/// on with, if the server sends parts of files. So the same command again goes on where the first
/// ended. A file gets its name when its sum is right, not before; until then it ends in .part.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Address of the directory on a web server that has sums.jsonl and the files
    address: Address,

    /// Files of the release, or directories of it [default: all]
    names: Vec<String>,

    /// Directory for the files; made if it is not there
    #[arg(long, value_name = "DIR", required_unless_present = "list")]
    out: Option<PathBuf>,

    /// Print the list, and fetch nothing else
    #[arg(long, conflicts_with = "out")]
    list: bool,

    /// SHA-256 that sums.jsonl must have: from another place than the files, it says that they are
    /// those that were published
    #[arg(long, value_name = "SHA256")]
    list_sum: Option<Sum>,

    /// Give up when the server says nothing for so long, for example 500ms or 2min
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = input::duration)]
    patience: Duration,
}

/// The name of a release's list.
const LIST: &str = "sums.jsonl";
/// How often a file is asked for when its connections end too early.
const ATTEMPTS: usize = 4;

/// A file that is there.
#[derive(Debug, Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    state: State,
}

/// How it came there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// By this command.
    Fetched,
    /// It was there before, with the right sum.
    There,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    let server = Server::new(&args.address, args.patience, &stop);
    let of_list = |error: FetchError| error.failure(LIST);
    let text = server.list(LIST).map_err(of_list)?;
    if let Some(expected) = &args.list_sum {
        FetchError::unless_same(expected, Sum::of(&text)).map_err(of_list)?;
    }
    let listing = Listing::read(&text)
        .map_err(|error| Failure::failed(format!("{LIST} of {}: {error}", args.address)))?;
    let chosen = listing.choose(&args.names).map_err(Failure::usage)?;
    let Some(out) = &args.out else { return print_list(&chosen, context) };
    output::create_directory(out)?;
    refuse_full_disk(out, &chosen)?;
    let mut wrong = 0_usize;
    for entry in &chosen {
        let fetched = Fetch { server: &server, out, entry, context, stop: &stop }.run();
        match fetched {
            Ok(state) => report(entry, state, context)?,
            Err(error) if error.is_of_one_file() => {
                context.remark(format_args!("{}: {error}", entry.name));
                wrong += 1;
            }
            Err(error) => return Err(error.failure(&entry.name)),
        }
    }
    match wrong {
        0 => Ok(()),
        _ => Err(Failure::failed(format!(
            "{wrong} of {} {} not as the list of {} says",
            Counted(chosen.len(), "file"),
            by_count(wrong, "is", "are"),
            args.address
        ))),
    }
}

fn print_list(chosen: &[&Entry], context: &Context) -> Result<(), Failure> {
    chosen.iter().try_for_each(|entry| match context.json() {
        true => context.print_json(entry),
        false => context.print(format_args!("{}  {} bytes", entry.name, entry.bytes)),
    })
}

fn report(entry: &Entry, state: State, context: &Context) -> Result<(), Failure> {
    if context.json() {
        return context.print_json(&Report { entry, state });
    }
    let words = match state {
        State::Fetched => format!("fetched, {} bytes", entry.bytes),
        State::There => "there already".to_string(),
    };
    context.print(format_args!("{}: {words}", entry.name))
}

/// Makes sure that what is missing fits, as far as the system says how much does.
fn refuse_full_disk(out: &Path, chosen: &[&Entry]) -> Result<(), Failure> {
    let missing = |entry: &&Entry| match entry.path(out).metadata() {
        Ok(found) if found.len() == entry.bytes => 0,
        _ => entry.bytes.saturating_sub(Part::length(out, entry)),
    };
    let needed = chosen.iter().map(missing).fold(0, u64::saturating_add);
    match free_disk::free(out) {
        Some(free) if free < needed => Err(Failure::failed(format!(
            "the files need {needed} bytes in {}, where {free} are free",
            out.shown()
        ))),
        _ => Ok(()),
    }
}

/// One file that is to be in a directory.
struct Fetch<'a> {
    server: &'a Server<'a>,
    out: &'a Path,
    entry: &'a Entry,
    context: &'a Context,
    stop: &'a StopFlag,
}

impl Fetch<'_> {
    fn run(&self) -> Result<State, FetchError> {
        self.entry.refuse_links(self.out)?;
        if self.is_there()? {
            return Ok(State::There);
        }
        let mut part = Part::open(self.out, self.entry, self.stop)?;
        match self.complete(&mut part) {
            Ok(()) => part.keep().map(|()| State::Fetched),
            Err(error) => {
                part.leave();
                Err(error)
            }
        }
    }

    /// Fetches what is missing, again where connections end too early.
    fn complete(&self, part: &mut Part<'_>) -> Result<(), FetchError> {
        let progress = self.context.progress();
        progress.begin(&self.entry.name, self.entry.bytes, "bytes");
        progress.go_on(part.bytes());
        for _ in 1..ATTEMPTS {
            match self.go_on(part, &progress) {
                Err(FetchError::Cut { .. }) => {}
                ended => return ended,
            }
        }
        self.go_on(part, &progress)
    }

    /// Whether the file is there with the right sum.
    fn is_there(&self) -> Result<bool, FetchError> {
        let path = self.entry.path(self.out);
        match path.metadata() {
            Ok(found) if !found.is_file() => return Err(FetchError::NoFile(path)),
            Ok(found) if found.len() == self.entry.bytes => {}
            _ => return Ok(false),
        }
        let found = sums::sha256(&path, self.stop).map_err(FetchError::Reading)?;
        Ok(self.entry.sha256 == found.sum())
    }

    /// Fetches what is missing by one request.
    fn go_on(&self, part: &mut Part<'_>, progress: &Progress) -> Result<(), FetchError> {
        if part.bytes() == self.entry.bytes {
            return Ok(());
        }
        let answer = self.server.file(self.entry, part.bytes())?;
        if answer.begins == Begins::AtTheStart && part.bytes() > 0 {
            progress.line(&format!(
                "{}: the server sends whole files only, so it is fetched from its start",
                self.entry.name
            ));
            part.begin_anew()?;
            progress.begin(&self.entry.name, self.entry.bytes, "bytes");
        }
        loop {
            let piece = answer.piece(self.entry, part.bytes(), self.stop)?;
            if piece.is_empty() {
                return part.expect_whole();
            }
            part.add(&piece)?;
            progress.add(piece.len() as u64);
        }
    }
}
