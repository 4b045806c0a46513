//! Which path is answered by what.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Extension, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use futures_util::Stream;
use serde::{Deserialize, Serialize};

use super::answer::{PositionReport, report};
use super::boards::{SolvedBoard, solved_boards};
use super::engine::{Level, Thought, think};
use super::error::ApiError;
use super::exercise::{self, Difficulty, Exercise};
use super::guard::{Client, MOST_BODY, guard};
use super::insight::{self, Insight};
use super::page;
use super::query::{Asked, Game, NewGame, Step};
use super::search::Wanted;
use super::sgf;
use super::state::{App, SEARCH};
use super::tables::TableInfo;
use crate::game::notation::fen;
use crate::machine::progress::StopFlag;

/// All routes.
pub(super) fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/api/v1/position", get(position))
        .route("/api/v1/line", get(line))
        .route("/api/v1/start", get(start))
        .route("/api/v1/boards", get(boards))
        .route("/api/v1/insight", get(insight))
        .route("/api/v1/engine", get(engine))
        .route("/api/v1/exercise", get(exercise))
        .route("/api/v1/sgf", get(write_sgf).post(read_sgf))
        .route("/api/v1/sgf/tree", post(write_tree))
        .route(SEARCH, get(search))
        .route("/api/v1/tables", get(tables))
        .route("/api/v1/health", get(health));
    page::routes(api)
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

async fn not_found(uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(80).collect();
    ApiError::new(StatusCode::NOT_FOUND, "not_found", format!("there is nothing at {path}"))
}

async fn wrong_method() -> ApiError {
    let message = "this path has other methods, see Allow";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", message)
}

async fn position(
    State(app): State<Arc<App>>,
    Asked(game): Asked<Game>,
) -> Result<Json<PositionReport>, ApiError> {
    let position = game.position()?;
    work(&app, move |app| report(&app.tables, &app.bounds, &position)).await.map(Json)
}

/// Does what takes a processor or a disk a while away from the threads that serve connections.
async fn work<T: Send + 'static>(
    app: &Arc<App>,
    job: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let _worker = app.workers.acquire().await.map_err(|_| ApiError::internal())?;
    let app = app.clone();
    tokio::task::spawn_blocking(move || job(&app)).await.map_err(|_| ApiError::internal())?
}

#[derive(Serialize)]
struct Line {
    start: String,
    moves: Vec<Step>,
    position: String,
}

async fn line(Asked(game): Asked<Game>) -> Result<Json<Line>, ApiError> {
    let (last, first, moves) = game.play()?;
    Ok(Json(Line { start: fen(&first), moves, position: fen(&last) }))
}

#[derive(Serialize)]
struct Start {
    board: String,
    position: String,
}

async fn start(Asked(new): Asked<NewGame>) -> Result<Json<Start>, ApiError> {
    let position = new.position()?;
    Ok(Json(Start { board: position.board().to_string(), position: fen(&position) }))
}

#[derive(Serialize)]
struct Boards {
    boards: Vec<SolvedBoard>,
}

async fn boards(State(app): State<Arc<App>>) -> Result<Json<Boards>, ApiError> {
    let boards = work(&app, |app| Ok(solved_boards(&app.tables, &app.bounds))).await?;
    Ok(Json(Boards { boards }))
}

/// The type of a game file.
const SGF: &str = "application/x-go-sgf; charset=utf-8";

async fn write_sgf(Asked(game): Asked<Game>) -> Result<impl IntoResponse, ApiError> {
    let (_, first, moves) = game.play()?;
    Ok(([(header::CONTENT_TYPE, SGF)], sgf::write(&first, &moves)?))
}

async fn read_sgf(
    State(app): State<Arc<App>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<sgf::Read>, ApiError> {
    let body = whole(body)?;
    work(&app, move |_| sgf::read(&body)).await.map(Json)
}

async fn write_tree(
    State(app): State<Arc<App>>,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let body = whole(body)?;
    let text = work(&app, move |_| sgf::write_tree(&body)).await?;
    Ok(([(header::CONTENT_TYPE, SGF)], text))
}

/// The body of a request.
fn whole(body: Result<Bytes, BytesRejection>) -> Result<Bytes, ApiError> {
    body.map_err(|rejection| match rejection.status() {
        status @ StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
            status,
            "body_too_large",
            format!("a game file has at most {MOST_BODY} bytes here"),
        ),
        _ => ApiError::bad("bad_body", rejection.body_text()),
    })
}

/// How long to search and for what; beside the position.
#[derive(Deserialize)]
struct HowToSearch {
    seconds: Option<f64>,
    moves_valued: Option<MovesValued>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum MovesValued {
    All,
    Best,
}

/// Seconds of a search for which none are given.
const DEFAULT_SECONDS: f64 = 10.0;
/// The shortest search.
const LEAST_SECONDS: f64 = 0.05;

async fn search(
    State(app): State<Arc<App>>,
    client: Option<Extension<Client>>,
    Asked(game): Asked<Game>,
    Asked(how): Asked<HowToSearch>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, ApiError> {
    let position = game.position()?;
    let longest = app.searches.limits().longest.as_secs_f64();
    let seconds = how.seconds.unwrap_or(DEFAULT_SECONDS.min(longest));
    if !(LEAST_SECONDS..=longest).contains(&seconds) {
        let message =
            format!("expected seconds from {LEAST_SECONDS} to {longest}, found {seconds}");
        return Err(ApiError::bad("bad_seconds", message));
    }
    let all_moves = !matches!(how.moves_valued, Some(MovesValued::Best));
    let wanted = Wanted { position, time: Duration::from_secs_f64(seconds), all_moves };
    app.searches.start(wanted, &app.tables, address(client)).await
}

/// Whom limits are counted for.
fn address(client: Option<Extension<Client>>) -> IpAddr {
    client.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(Client(address))| address)
}

/// How well to play; beside the position.
#[derive(Deserialize)]
struct HowToPlay {
    level: Option<Level>,
}

async fn engine(
    State(app): State<Arc<App>>,
    client: Option<Extension<Client>>,
    Asked(game): Asked<Game>,
    Asked(how): Asked<HowToPlay>,
) -> Result<Json<Thought>, ApiError> {
    let (position, level) = (game.position()?, how.level.unwrap_or(Level::Best));
    let tables = app.tables.clone();
    let job = move |stop: &StopFlag| {
        let sources = tables.sources(position.board());
        think(&position, level, sources, stop)
    };
    app.searches.in_slot(address(client), job).await?.map(Json)
}

async fn insight(
    State(app): State<Arc<App>>,
    Asked(game): Asked<Game>,
) -> Result<Json<Insight>, ApiError> {
    let position = game.position()?;
    work(&app, move |_| insight::insight(&position)).await.map(Json)
}

/// Which exercise; beside the board.
#[derive(Deserialize)]
struct WhichExercise {
    difficulty: Option<Difficulty>,
    seed: Option<u64>,
}

async fn exercise(
    State(app): State<Arc<App>>,
    Asked(new): Asked<NewGame>,
    Asked(which): Asked<WhichExercise>,
) -> Result<Json<Exercise>, ApiError> {
    let (board, seed) = (new.board()?, which.seed.unwrap_or(0));
    work(&app, move |app| exercise::exercise(&app.tables, board, which.difficulty, seed))
        .await
        .map(Json)
}

#[derive(Serialize)]
struct Tables {
    tables: Vec<TableInfo>,
}

async fn tables(State(app): State<Arc<App>>) -> Result<Json<Tables>, ApiError> {
    work(&app, |app| Ok(Tables { tables: app.tables.list() })).await.map(Json)
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
    uptime_seconds: f64,
    tables: usize,
    searches_running: usize,
    searches_at_once: usize,
    longest_search_seconds: f64,
}

async fn health(State(app): State<Arc<App>>) -> Json<Health> {
    let limits = app.searches.limits();
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: app.began.elapsed().as_secs_f64(),
        tables: app.tables.len(),
        searches_running: app.searches.running(),
        searches_at_once: limits.slots,
        longest_search_seconds: limits.longest.as_secs_f64(),
    })
}
