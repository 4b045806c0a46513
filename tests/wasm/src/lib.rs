//! What the library does in WebAssembly without any system, for `check.mjs` to call.
//!
//! Functions take their text or bytes from one buffer, which [`input`] makes and the host fills.
//! They return a small number, or [`FAILED`].

use std::sync::Mutex;
use std::time::Duration;

use amazons::game::Outcome;
use amazons::game::notation::{LocalPosition, parse_fen};
use amazons::game::rules::Position;
use amazons::machine::clock::Instant;
use amazons::machine::progress::StopFlag;
use amazons::play::{Engine, Limits, Settings as EngineSettings};
use amazons::proof::check;
use amazons::search::{Settings, Solver};
use amazons::tables::format::Table;
use amazons::theory::region::Placed;
use amazons::theory::values::Evaluator;

/// Nothing was found out, because of an error.
const FAILED: i32 = -1;
/// Time was up before the answer.
const LATE: i32 = -2;

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static MANIFEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static TIERS: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
static TABLE: Mutex<Option<Table>> = Mutex::new(None);

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
}

/// Makes a buffer of so many bytes for the next call, and says where it is.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = INPUT.lock().expect("there is one thread");
    *input = vec![0; length];
    input.as_mut_ptr()
}

/// The bytes that the host filled in.
fn taken() -> Vec<u8> {
    std::mem::take(&mut INPUT.lock().expect("there is one thread"))
}

fn position() -> Option<Position> {
    parse_fen(&String::from_utf8(taken()).ok()?).ok()
}

fn number(outcome: Outcome) -> i32 {
    i32::from(outcome == Outcome::Win)
}

/// Names the host's clock.
#[unsafe(no_mangle)]
pub extern "C" fn set_clock() {
    amazons::machine::clock::set_source(|| Duration::from_secs_f64(now() / 1000.0));
}

/// Solves the position in the input, within so many milliseconds if they are not 0: 1 is a win for
/// the side to move, 0 a loss.
#[unsafe(no_mangle)]
pub extern "C" fn solve(milliseconds: u32) -> i32 {
    let solved = || {
        let position = position()?;
        let settings = Settings { table_bytes: 16 << 20, threads: 2, ..Settings::default() };
        let solver = Solver::new(position.board(), settings, StopFlag::new()).ok()?;
        let time = Duration::from_millis(milliseconds.into());
        let deadline = (milliseconds > 0).then(|| Instant::now() + time);
        solver.with_deadline(deadline).solve(&position).ok()
    };
    solved().map_or(FAILED, |value| value.map_or(LATE, number))
}

/// The input is a table's manifest.
#[unsafe(no_mangle)]
pub extern "C" fn take_manifest() {
    *MANIFEST.lock().expect("there is one thread") = taken();
}

/// The input is the file of a tier.
#[unsafe(no_mangle)]
pub extern "C" fn take_tier() {
    TIERS.lock().expect("there is one thread").push(taken());
}

/// Opens the table of these bytes: how many tiers are stored.
#[unsafe(no_mangle)]
pub extern "C" fn open_table() -> i32 {
    let manifest = MANIFEST.lock().expect("there is one thread");
    let tiers = std::mem::take(&mut *TIERS.lock().expect("there is one thread"));
    let Ok(table) = Table::from_bytes(&manifest, tiers) else { return FAILED };
    let stored = table.manifest().tiers.iter().filter(|tier| tier.stored).count();
    *TABLE.lock().expect("there is one thread") = Some(table);
    stored as i32
}

/// Looks the position in the input up: 1 is a win, 0 a loss.
#[unsafe(no_mangle)]
pub extern "C" fn look_up() -> i32 {
    let table = TABLE.lock().expect("there is one thread");
    let answer = || table.as_ref()?.answer(&position()?).ok();
    answer().map_or(FAILED, |answer| number(answer.outcome))
}

/// Checks the certificate in the input: how many positions it lists.
#[unsafe(no_mangle)]
pub extern "C" fn check_certificate() -> i32 {
    let bytes = taken();
    let checked = check::verify(|| Ok(bytes.as_slice()), 1 << 28, &(), &StopFlag::new());
    checked.map_or(FAILED, |(_, checked)| checked.positions as i32)
}

/// Whether the value of the local position in the input is 1 for White or 1 for Black, whoever
/// moves.
#[unsafe(no_mangle)]
pub extern "C" fn is_a_switch() -> i32 {
    let text = || {
        let local: LocalPosition = String::from_utf8(taken()).ok()?.parse().ok()?;
        let evaluator = Evaluator::new();
        let value = evaluator.value_in_parallel(Placed::components(&local).ok()?[0].game()).ok()?;
        Some(evaluator.values().text(value))
    };
    text().map_or(FAILED, |text| i32::from(text == "{1|-1}"))
}

/// Has the engine choose a move in the position in the input, within so many milliseconds: 1 if it
/// finds one.
#[unsafe(no_mangle)]
pub extern "C" fn play(milliseconds: u32) -> i32 {
    let played = || {
        let position = position()?;
        let settings = EngineSettings { threads: 2, memory: 16 << 20, ..EngineSettings::default() };
        let mut engine = Engine::new(position.board(), settings).ok()?;
        let limits = Limits::time(Duration::from_millis(milliseconds.into()));
        engine.choose(&position, &limits, &StopFlag::new(), &mut |_| {}).ok()
    };
    played().map_or(FAILED, |decision| i32::from(decision.played.is_some()))
}

/// Whether what needs a system is an error and no more: a table's directory, and building one.
#[unsafe(no_mangle)]
pub extern "C" fn files_are_errors() -> i32 {
    use amazons::tables::retrograde::{BuildOptions, build};
    let nowhere = std::path::Path::new("nowhere");
    let (Ok(board), Ok(amazons)) = ("3x3".parse(), "1v1".parse()) else { return FAILED };
    let options = BuildOptions::new(1 << 28);
    let built = build(nowhere, board, amazons, &options, &(), &StopFlag::new());
    i32::from(built.is_err() && Table::open(nowhere).is_err())
}
