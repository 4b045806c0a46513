//! `amazons serve`: the explorer in the browser.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::context::{Context, Failure, OrFail};
use crate::app::counted::Counted;
use crate::app::input;
use crate::app::serve::{AllowedOrigin, Options, Server, tables_memory};
use crate::game::variants::{RuleSet, Turns};
use crate::knowledge::SourceInfo;
use crate::search::Settings;

/// Explore solved boards in the browser; thirteen boards are there without any file
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game that the page begins with; all can be chosen there: amazons, killer, cowboys,
    /// pencil, 134 or tromazons
    #[arg(long, value_name = "NAME", default_value_t = RuleSet::AMAZONS)]
    rules: RuleSet,

    /// Moves in a turn of that game: in the first turn, the second and so on; the last number
    /// repeats [default: those of the game]
    #[arg(long, value_name = "N,N,...")]
    turns: Option<Turns>,

    /// Directories of tables, by any rules, opening tables, certificates of Amazons, and directories
    /// of these
    #[arg(long, value_name = "DIR | FILE", num_args = 1..)]
    tables: Vec<PathBuf>,

    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7373", value_parser = input::address)]
    bind: SocketAddr,

    /// A name by which browsers may call this server, beside localhost
    #[arg(long, value_name = "NAME", value_parser = input::host_name)]
    host: Vec<String>,

    /// An origin whose pages may ask the API, as scheme://name or scheme://name:port; * for all
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<AllowedOrigin>,

    /// Proof searches at once, which share the threads and the memory; 0 for none
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = input::number::<u16>(0..=64))]
    searches: u16,

    /// The longest time of a search, from 100ms to 1d
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = input::duration)]
    search_time: Duration,

    /// Searches that one client may start in a minute
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = input::number::<u32>(1..=u32::MAX.into()))]
    search_rate: u32,
}

#[derive(Serialize)]
struct Report {
    url: String,
    tables: Vec<SourceInfo>,
}

/// Memory for everything but the tables of searches.
const BASE: u64 = 128 << 20;
/// The largest table of one search.
const LARGEST: u64 = 1 << 30;
/// The smallest table with which a search is worth starting.
const SMALLEST: u64 = 8 << 20;

pub(super) fn run(args: Args, context: &Context) -> Result<(), Failure> {
    let stop = context.stop_on_interrupt()?;
    if !(Duration::from_millis(100)..=Duration::from_secs(86_400)).contains(&args.search_time) {
        return Err(Failure::usage("--search-time: expected 100ms to 1d"));
    }
    let searches = usize::from(args.searches);
    let mut options = Options {
        bind: args.bind,
        tables: args.tables,
        begins_with: args.rules.with_turns(args.turns),
        hosts: args.host,
        allowed_origins: args.allow_origin,
        searches,
        search_threads: (context.threads() / searches.max(1)).max(1),
        longest_search: args.search_time,
        searches_a_minute: args.search_rate,
        threads: context.threads(),
        ..Options::default()
    };
    let held = tables_memory(&options.tables, options.askers()).or_failed()?;
    options.search_bytes = search_bytes(context, held, searches)?;
    let server = Server::open(options, Arc::new(context.progress()), &stop).or_failed()?;
    if !server.address().ip().is_loopback() {
        context.remark("other machines can reach this server; there is no password");
    }
    Report::of(&server).print(context)?;
    server.run(&stop).or_failed()
}

/// The table of each search, if tables hold so many bytes.
fn search_bytes(context: &Context, held: u64, searches: usize) -> Result<u64, Failure> {
    let (base, each) = (BASE + held, searches.max(1) as u64);
    let threads = (context.threads() / searches.max(1)).max(1);
    let within = |memory: u64| Settings::within(memory, threads).table_bytes;
    let bytes = within(context.memory().saturating_sub(base) / each);
    if context.memory() < base || (searches > 0 && bytes < SMALLEST) {
        let searching = if searches > 0 { SMALLEST / 16 * 19 * each } else { 0 };
        let least = (searching + base).div_ceil(1 << 20);
        return Err(Failure::usage(format!(
            "--memory is too small: {searches} searches and the tables need {least}MiB"
        )));
    }
    Ok(bytes.min(LARGEST))
}

impl Report {
    fn of(server: &Server) -> Self {
        Self { url: format!("http://{}/", server.address()), tables: server.tables() }
    }

    /// Prints it as text or JSON.
    fn print(&self, context: &Context) -> Result<(), Failure> {
        if context.json() {
            return context.print_json(self);
        }
        for table in &self.tables {
            let from = if table.built_in { ", built in" } else { "" };
            let positions = Counted(table.positions, "position");
            context.remark(format_args!("{}: {positions}{from}", table.name));
        }
        context.print(format_args!("serving on {} (Ctrl-C stops)", self.url))
    }
}
