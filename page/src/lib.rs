//! The explorer's answers in WebAssembly, for the page that needs no server.
//!
//! `static/worker.js` calls it. It puts a message into a buffer ([`input`]), has it answered
//! ([`call`]) and finds the answer in another buffer ([`output`]). A message is the length of its
//! head as four bytes, lowest first, then its head, which is JSON ([`Message`]), then bytes.

mod later;
mod shelf;
mod tables;

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use amazons::app::answers::{
    Message as Heard, Question, Refusal, Reply, SearchRequest, Sources, answer, failure, progress,
    search,
};
use amazons::game::AnyPosition;
use amazons::game::variants::RuleSet;
use amazons::knowledge::{CertificateSource, Knowledge};
use amazons::machine::charset::{self, Decoded};
use amazons::machine::clock::{self, Instant};
use amazons::machine::progress::StopFlag;
use amazons::search::Settings;
use amazons::tables::opening::Opening;
use amazons::tables::value_source::ValueSource;
use serde::{Deserialize, Serialize};

use crate::later::LaterKind;
use crate::tables::HeldSources;

/// What the page wants.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Message {
    /// The bytes are an opening table's file.
    Opening { place: String },
    /// The bytes are a certificate's file.
    Certificate { place: String },
    /// An opening table or a certificate of so many bytes, which is fetched when it is first asked
    /// about its board. Then it comes by one of the messages before.
    Later { file: LaterKind, place: String, board: String, bytes: u64 },
    /// The bytes are a table's manifest, and behind it those of its layers of margins, whose
    /// lengths are given; `place` is the address of its directory. Pieces of its files are fetched,
    /// or whole ones.
    Table { place: String, in_pieces: bool, layers: Vec<usize> },
    /// The table of a place is given up.
    Drop { place: String },
    /// The bytes are those of a file from `at` on.
    Piece { file: String, at: u64 },
    /// What was fetched for a question is not needed any more.
    Forget,
    /// What stands in an address behind `/api/v1/`, and before and behind `?`; the bytes are what
    /// is sent, if `sent`.
    Question { path: String, query: String, sent: bool },
    /// A proof search.
    Search { query: String },
}

/// The status of an answer that needs bytes first; the answer lists them.
const WANTED: u32 = 0;
/// All is well.
const OK: u32 = 200;
/// The longest search.
const LONGEST: Duration = Duration::from_secs(3600);
/// Bytes of a search's table, as a server has it unless it is told otherwise.
const TABLE_BYTES: u64 = 256 << 20;
/// How often progress is told.
const TICK: Duration = Duration::from_millis(250);

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
    /// Decodes bytes in the charset of a name, as text in memory: puts the text as UTF-8 into an
    /// [`input`] and returns its length, -1 for bytes that are nothing in it, -2 without such a
    /// charset.
    safe fn decode(name: *const u8, name_length: usize, bytes: *const u8, length: usize) -> i32;
    /// Hears of a search: a name and its data, as text in memory.
    safe fn tell(name: *const u8, name_length: usize, data: *const u8, data_length: usize);
}

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static PAGE: LazyLock<Mutex<Page>> = LazyLock::new(Mutex::default);

/// What answers come from.
#[derive(Debug)]
struct Page {
    held: HeldSources,
    knowledge: Arc<Knowledge>,
}

impl Default for Page {
    fn default() -> Self {
        Self { held: HeldSources::default(), knowledge: Arc::new(Knowledge::of_files([])) }
    }
}

/// There is one thread, and a panic ends it for good.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a buffer of so many bytes for the next call, and says where it is.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = locked(&INPUT);
    *input = vec![0; length];
    input.as_mut_ptr()
}

/// Where the answer of the last call is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    locked(&OUTPUT).as_ptr()
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    locked(&OUTPUT).len()
}

/// Answers the message in the input; returns the status as in HTTP, or 0 if bytes are wanted
/// first: then the output lists them, and the question is to be asked again.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> u32 {
    clock::set_source(|| Duration::from_secs_f64(now() / 1000.0));
    charset::set_decoder(decoded);
    let input = std::mem::take(&mut *locked(&INPUT));
    let (status, output) = locked(&PAGE).answer(&input);
    *locked(&OUTPUT) = output.into_bytes();
    status
}

/// The text of bytes in the charset of a name, as the host decodes it.
fn decoded(name: &str, bytes: &[u8]) -> Decoded {
    match decode(name.as_ptr(), name.len(), bytes.as_ptr(), bytes.len()) {
        -1 => Decoded::Malformed,
        ..-1 => Decoded::Unknown,
        _ => {
            let text = String::from_utf8(std::mem::take(&mut *locked(&INPUT)));
            text.map_or(Decoded::Malformed, Decoded::Text)
        }
    }
}

/// The head of a message, and its bytes.
fn parts(input: &[u8]) -> Option<(Message, &[u8])> {
    let (length, rest) = input.split_first_chunk()?;
    let (head, bytes) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((serde_json::from_slice(head).ok()?, bytes))
}

/// The manifest of a table and those of its layers, whose lengths are given.
fn manifests<'a>(bytes: &'a [u8], layers: &[usize]) -> Option<(&'a [u8], Vec<&'a [u8]>)> {
    let of_layers = layers.iter().try_fold(0_usize, |sum, length| sum.checked_add(*length))?;
    let (manifest, mut rest) = bytes.split_at_checked(bytes.len().checked_sub(of_layers)?)?;
    let mut layer = |&length| {
        let (layer, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some(layer)
    };
    let layers = layers.iter().map(&mut layer).collect::<Option<_>>()?;
    Some((manifest, layers))
}

impl Page {
    fn answer(&mut self, input: &[u8]) -> (u32, String) {
        match parts(input)
            .ok_or_else(Refusal::internal)
            .and_then(|(message, bytes)| self.do_or_answer(message, bytes))
        {
            Ok(text) => (OK, text),
            Err(_) if self.held.shelf.wants() => (WANTED, json(&self.held.shelf.wanted())),
            Err(refusal) => (refusal.status().into(), refusal.json()),
        }
    }

    fn do_or_answer(&mut self, message: Message, bytes: &[u8]) -> Result<String, Refusal> {
        let unreadable = |place: &str, error: &dyn std::fmt::Display| {
            Refusal::no_table(format!("the table at {place} cannot be read: {error}"))
        };
        match message {
            Message::Opening { place } => {
                let opening = Opening::read(bytes).map_err(|error| unreadable(&place, &error))?;
                let source = ValueSource::Opening(opening, place.clone().into());
                self.held.add(source, bytes.len() as u64, place, false);
                self.update()?;
            }
            Message::Table { place, in_pieces, layers } => {
                let (manifest, layers) = manifests(bytes, &layers).ok_or_else(Refusal::internal)?;
                let added = self.held.add_table(manifest, &layers, place.clone(), in_pieces);
                added.map_err(|error| unreadable(&place, &error))?;
                self.update()?;
            }
            Message::Certificate { place } => {
                let name = place.rsplit('/').next().unwrap_or_default();
                let certificate = CertificateSource::built_in(name, bytes.to_vec());
                let certificate = certificate.map_err(|error| unreadable(&place, &error))?;
                self.held.add_certificate(certificate.checked()?, place);
                self.update()?;
            }
            Message::Later { file, place, board, bytes } => {
                let board = board.parse().map_err(|error| unreadable(&place, &error))?;
                self.held.add_later(file, place, board, bytes);
                self.update()?;
            }
            Message::Drop { place } => {
                self.held.drop_place(&place);
                self.update()?;
            }
            Message::Piece { file, at } => self.held.shelf.put(file, at, bytes.to_vec()),
            Message::Forget => self.held.shelf.clear(),
            Message::Question { path, query, .. } if path == "health" && query.is_empty() => {
                return Ok(json(&self.health()));
            }
            Message::Question { path, query, sent } => {
                let body = sent.then_some(bytes);
                let question = Question { path: &path, query: &query, body };
                let sources = Sources { knowledge: &self.knowledge, begins_with: RuleSet::AMAZONS };
                let replied = answer(&question, sources, &StopFlag::new())?;
                let (Reply::Json(text) | Reply::Sgf(text)) = replied;
                // An answer that could do without some bytes is no answer: a table has more.
                if self.held.shelf.wants() {
                    return Err(Refusal::internal());
                }
                return Ok(text);
            }
            Message::Search { query } => {
                let request = SearchRequest::read(&query, LONGEST)?;
                // A search cannot be asked again, so what it may ask is fetched before.
                self.knowledge.tables(request.position.board());
                if let AnyPosition::Amazons(position) = &request.position {
                    let _ = self.knowledge.of(position);
                }
                if self.held.shelf.wants() {
                    return Err(Refusal::internal());
                }
                self.search(&request);
                self.held.shelf.clear();
            }
        }
        Ok(String::new())
    }

    /// Has answers come from the sources that are held now. Nobody else holds what is known between
    /// two messages.
    fn update(&mut self) -> Result<(), Refusal> {
        let knowledge = Arc::get_mut(&mut self.knowledge).ok_or_else(Refusal::internal)?;
        knowledge.replace_sources(self.held.all());
        Ok(())
    }

    /// Searches, and tells as it goes. Only the end of the whole worker ends it early.
    fn search(&self, request: &SearchRequest) {
        let settings = Settings { table_bytes: TABLE_BYTES, threads: 1, seed: 0 };
        let began = Instant::now();
        let mut next = began;
        let mut ended = false;
        let mut between = |monitor: &_| {
            let moment = Instant::now();
            if moment >= next {
                event("progress", &progress(monitor, began));
                next = moment + TICK;
            }
            Some(next)
        };
        search(request, settings, &self.knowledge, &StopFlag::new(), &mut between, |news| {
            if let Some(Heard { name, data, is_last }) = news.to_message() {
                ended |= is_last;
                event(name, &data);
            }
        });
        if !ended {
            event("failed", &failure("internal", "the search ended without a word"));
        }
    }

    fn health(&self) -> Health {
        Health {
            status: "ok",
            version: env!("CARGO_PKG_VERSION"),
            tables: self.held.count(),
            searches_at_once: 1,
            longest_search_seconds: LONGEST.as_secs_f64(),
        }
    }
}

/// What the page may ask for, as a server tells it.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    tables: usize,
    searches_at_once: usize,
    longest_search_seconds: f64,
}

fn event(name: &str, data: &str) {
    tell(name.as_ptr(), name.len(), data.as_ptr(), data.len());
}

fn json(data: &impl Serialize) -> String {
    // Only maps with other keys than strings cannot be JSON, and there are none.
    serde_json::to_string(data).unwrap_or_default()
}
