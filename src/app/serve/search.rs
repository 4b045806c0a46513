//! `/api/v1/search`: a proof search whose news are sent as they come (server-sent events).
//!
//! A search has a slot, of which there are few, for as long as its threads run; no slot, no search.
//! It stops when its client leaves, because dropping the response's body sets its flag, and when
//! the server stops. It never waits for its client: news that a slow client does not take are
//! dropped.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, Sse};
use futures_util::Stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::rate::{Limit, Rates};
use crate::app::answers::{
    Message, Refusal, SearchEvent, SearchRequest, failure, progress, search,
};
use crate::knowledge::Knowledge;
use crate::machine::progress::StopFlag;
use crate::search::{Monitor, Settings};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(250);
/// How long a client waits for a slot: a search that it has just left takes a moment to end.
const SLOT_WAIT: Duration = Duration::from_secs(1);
/// Events that may wait for a slow client. Each move is news at most once, and so are few
/// other things.
const WAITING: usize = 8192;

/// What searches may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchLimits {
    /// Searches at once.
    pub(super) slots: usize,
    /// Of one search.
    pub(super) settings: Settings,
    /// The longest time of one search.
    pub(super) longest: Duration,
    /// How often a client may ask for one.
    pub(super) rate: Limit,
}

/// The searches of a server.
#[derive(Debug)]
pub(super) struct Searches {
    limits: SearchLimits,
    slots: Arc<Semaphore>,
    running: Arc<AtomicUsize>,
    rates: Rates,
    stopping: watch::Sender<bool>,
}

impl Searches {
    pub(super) fn new(limits: SearchLimits) -> Self {
        Self {
            limits,
            slots: Arc::new(Semaphore::new(limits.slots)),
            running: Arc::default(),
            rates: Rates::new(limits.rate),
            stopping: watch::Sender::new(false),
        }
    }

    pub(super) fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    pub(super) fn limits(&self) -> &SearchLimits {
        &self.limits
    }

    /// Ends all searches.
    pub(super) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Starts a search for a client.
    pub(super) async fn start(
        &self,
        request: SearchRequest,
        knowledge: &Arc<Knowledge>,
        client: IpAddr,
    ) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Refusal> {
        let permit = self.permit(client).await?;
        let request = SearchRequest { time: request.time.min(self.limits.longest), ..request };
        let settings = self.limits.settings;
        let (sender, news) = mpsc::channel(WAITING);
        let stop = StopFlag::new();
        let running = Running::new(self.running.clone(), permit);
        let flag = stop.clone();
        let knowledge = knowledge.clone();
        tokio::task::spawn_blocking(move || {
            let _running = running;
            // A client that does not read misses something; it is not worth a thread that waits.
            let tell = |news| drop(sender.try_send(news));
            search(&request, settings, &knowledge, &flag, &mut |_| None, tell);
        });
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let stopping = self.stopping.subscribe();
        let live = Live {
            news,
            ticks,
            stopping,
            monitor: None,
            began: Instant::now(),
            over: false,
            _stop: OnDrop(stop),
        };
        let next = |mut live: Live| async move { live.next().await.map(|event| (Ok(event), live)) };
        Ok(Sse::new(futures_util::stream::unfold(live, next)))
    }

    /// Does something else that is costly in a slot, away from the threads that serve connections.
    /// The flag is set when the client leaves.
    pub(super) async fn in_slot<T: Send + 'static>(
        &self,
        client: IpAddr,
        job: impl FnOnce(&StopFlag) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let running = Running::new(self.running.clone(), self.permit(client).await?);
        let stop = StopFlag::new();
        let _left = OnDrop(stop.clone());
        let work = tokio::task::spawn_blocking(move || {
            let _running = running;
            job(&stop)
        });
        let mut stopping = self.stopping.subscribe();
        tokio::select! {
            biased;
            () = until_set(&mut stopping) => Err(Refusal::busy("the server is stopping")),
            done = work => done.map_err(|_| Refusal::internal()),
        }
    }

    /// A slot, for a client that may have one.
    async fn permit(&self, client: IpAddr) -> Result<OwnedSemaphorePermit, Refusal> {
        if *self.stopping.borrow() {
            return Err(Refusal::busy("the server is stopping"));
        }
        let slots = self.limits.slots;
        if slots == 0 {
            let message = "this server was started without searches";
            return Err(Refusal::new(503, "no_searches", message));
        }
        let permit = timeout(SLOT_WAIT, self.slots.clone().acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or_else(|| {
            Refusal::busy(format!(
                "all {slots} searches that run at once are taken; try again in a moment"
            ))
        })?;
        self.rates.take(client, Instant::now()).map_err(|wait| {
            let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
            let message = format!("too many searches; the next one is possible in {seconds} s");
            Refusal::new(429, "too_many_searches", message).retry_after(seconds)
        })?;
        Ok(permit)
    }
}

/// Counts a search, and holds its slot, until its threads have ended.
#[derive(Debug)]
struct Running {
    count: Arc<AtomicUsize>,
    _permit: OwnedSemaphorePermit,
}

impl Running {
    fn new(count: Arc<AtomicUsize>, permit: OwnedSemaphorePermit) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self { count, _permit: permit }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sets the flag when the response is dropped: the client has left, or everything is told.
#[derive(Debug)]
struct OnDrop(StopFlag);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The response of a running search.
struct Live {
    news: mpsc::Receiver<SearchEvent>,
    ticks: Interval,
    stopping: watch::Receiver<bool>,
    monitor: Option<Arc<Monitor>>,
    began: Instant,
    over: bool,
    _stop: OnDrop,
}

impl Live {
    /// The next event; `None` at the end.
    async fn next(&mut self) -> Option<Event> {
        if self.over {
            return None;
        }
        loop {
            let happened = tokio::select! {
                biased;
                () = until_set(&mut self.stopping) => Happened::Stopping,
                news = self.news.recv() => Happened::SearchEvent(news),
                _ = self.ticks.tick() => Happened::Tick,
            };
            let event = match happened {
                Happened::Stopping => {
                    Some(self.last("failed", failure("stopped", "the server is stopping")))
                }
                Happened::SearchEvent(news) => self.event_of(news),
                Happened::Tick => {
                    let monitor = self.monitor.as_ref();
                    monitor.map(|monitor| self::event("progress", progress(monitor, self.began)))
                }
            };
            if event.is_some() {
                return event;
            }
        }
    }

    /// The event of some news; `None` if they are not the client's business.
    fn event_of(&mut self, news: Option<SearchEvent>) -> Option<Event> {
        let Some(news) = news else {
            return Some(
                self.last("failed", failure("internal", "the search ended without a word")),
            );
        };
        if let SearchEvent::Begun(monitor) = &news {
            self.monitor = Some(monitor.clone());
        }
        let Message { name, data, is_last } = news.to_message()?;
        self.over |= is_last;
        Some(event(name, data))
    }

    fn last(&mut self, name: &str, data: String) -> Event {
        self.over = true;
        event(name, data)
    }
}

/// What a response waits for.
enum Happened {
    Stopping,
    SearchEvent(Option<SearchEvent>),
    Tick,
}

async fn until_set(flag: &mut watch::Receiver<bool>) {
    // An error says that the server's end is gone: it is stopping.
    let _ = flag.wait_for(|set| *set).await;
}

fn event(name: &str, data: String) -> Event {
    Event::default().event(name).data(data)
}
