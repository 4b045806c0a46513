//! The server: what it is given, how it starts, runs and stops.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::time::interval;

use super::ServeError;
use super::connections::{self, ConnectionLimits};
use super::guard::{MOST_BODIES, MOST_REQUESTS};
use super::hosts::Hosts;
use super::origins::{AllowedOrigin, Origins};
use super::rate::Limit;
use super::router::router;
use super::search::{SearchLimits, Searches};
use super::state::App;
use super::tables::{self, Log};
use super::waiting::{ROOM, WaitingAnswers};
use super::workers::Workers;
use crate::game::variants::RuleSet;
use crate::knowledge::SourceInfo;
use crate::machine::progress::StopFlag;
use crate::machine::threads::{self, MOST_THREADS};
use crate::search::Settings;

/// What a server is given.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 takes a free one.
    pub bind: SocketAddr,
    /// Directories of tables, by any rules; 4x4 with four amazons a side needs none.
    pub tables: Vec<PathBuf>,
    /// The game that the page begins with.
    pub begins_with: RuleSet,
    /// Names to answer to, beside those of loopback.
    pub hosts: Vec<String>,
    /// Origins whose pages may ask the API, beside the own ones.
    pub allowed_origins: Vec<AllowedOrigin>,
    /// Searches at once, 1024 at most, whatever is wanted; with 0 there are none.
    pub searches: usize,
    /// Threads of each search: 1 at least and 1024 at most, whatever is wanted.
    pub search_threads: usize,
    /// Bytes of the transposition table of each search.
    pub search_bytes: u64,
    /// The longest search.
    pub longest_search: Duration,
    /// Searches a minute of one client.
    pub searches_a_minute: u32,
    /// Connections at once.
    pub connections: usize,
    /// Threads that answer from tables: 1 at least and 1024 at most, whatever is wanted.
    pub threads: usize,
}

impl Default for Options {
    /// Loopback at a free port, no tables, one search at a time.
    fn default() -> Self {
        Self {
            bind: SocketAddr::from(([127, 0, 0, 1], 0)),
            tables: Vec::new(),
            begins_with: RuleSet::AMAZONS,
            hosts: Vec::new(),
            allowed_origins: Vec::new(),
            searches: 1,
            search_threads: 1,
            search_bytes: 256 << 20,
            longest_search: Duration::from_secs(60),
            searches_a_minute: 60,
            connections: 512,
            threads: 2,
        }
    }
}

impl Options {
    /// Threads that may ask a table at a time.
    pub fn askers(&self) -> usize {
        let searching = self.searches.min(MOST_THREADS) * threads::allowed(self.search_threads);
        2 * threads::allowed(self.threads) + searching
    }
}

/// A server that holds its port and its tables.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    options: Options,
    app: Arc<App>,
}

/// How often the server looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(50);
/// Searches at once after a pause, of one client.
const BURST: u32 = 10;
/// The longest silence of a connection.
const LONGEST_SILENCE: Duration = Duration::from_secs(20);
/// What a connection may live beyond the longest search.
const BEYOND: Duration = Duration::from_secs(600);
/// How long threads may take to end when the server stops.
const LAST_THREADS: Duration = Duration::from_secs(2);

impl Server {
    /// Takes the port, opens the tables and solves 4x4. `log` gets lines about tables that vanish.
    ///
    /// # Errors
    /// [`ServeError`] if the port is taken or a table cannot be opened.
    pub fn open(options: Options, log: Log, stop: &StopFlag) -> Result<Self, ServeError> {
        let options = Options {
            threads: threads::allowed(options.threads),
            search_threads: threads::allowed(options.search_threads),
            searches: options.searches.min(MOST_THREADS),
            connections: options.connections.clamp(1, Semaphore::MAX_PERMITS),
            ..options
        };
        let refused = |source| ServeError::Bind { address: options.bind, source };
        let listener = std::net::TcpListener::bind(options.bind).map_err(refused)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let knowledge = Arc::new(tables::open(&options.tables, options.askers(), &log, stop)?);
        let settings = Settings {
            table_bytes: options.search_bytes,
            threads: options.search_threads,
            seed: 0,
        };
        let limits = SearchLimits {
            slots: options.searches,
            settings,
            longest: options.longest_search,
            rate: Limit { burst: BURST, a_minute: options.searches_a_minute },
        };
        let app = App {
            knowledge,
            searches: Searches::new(limits),
            hosts: Hosts::new(address, &options.hosts),
            origins: Origins::new(options.allowed_origins.clone()),
            requests: Semaphore::new(MOST_REQUESTS),
            bodies: Semaphore::new(MOST_BODIES),
            workers: Workers::new(2 * options.threads),
            waiting: WaitingAnswers::new(ROOM),
            began: Instant::now(),
            begins_with: options.begins_with,
        };
        Ok(Self { listener, address, options, app: Arc::new(app) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it serves.
    pub fn tables(&self) -> Vec<SourceInfo> {
        self.app.knowledge.list()
    }

    /// Serves until `stop` is set, then lets responses end for a few seconds.
    ///
    /// # Errors
    /// If the system refuses threads.
    pub fn run(self, stop: &StopFlag) -> Result<(), ServeError> {
        let threads = self.options.threads;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads)
            .max_blocking_threads(2 * threads + self.options.searches)
            .enable_all()
            .build()?;
        let limits = ConnectionLimits {
            most: self.options.connections,
            lifetime: self.options.longest_search + BEYOND,
            silence: LONGEST_SILENCE,
        };
        let app = self.app;
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let stopped = async {
                stopped(stop).await;
                app.searches.stop();
            };
            connections::serve(listener, router(app.clone()), limits, stopped).await;
            Ok(())
        });
        runtime.shutdown_timeout(LAST_THREADS);
        ended
    }
}

async fn stopped(stop: &StopFlag) {
    let mut glances = interval(GLANCE);
    while !stop.is_set() {
        glances.tick().await;
    }
}
