//! Which path is answered by what.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Extension, FromRequest, Request, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use futures_util::Stream;
use serde::Serialize;
use tokio::time::timeout;

use super::guard::{Client, LONGEST_BODY, MOST_BODY, guard};
use super::page;
use super::refusal::JSON;
use super::state::App;
use crate::app::answers::{
    Cost, HowMuch, QUESTIONS, Question, Refusal, Reply, SearchRequest, Sources, Thinking, answer,
    json,
};
use crate::machine::progress::StopFlag;

/// How the paths of this version of the API begin.
pub(super) const BASE: &str = "/api/v1/";
/// The type of a game file.
const SGF: HeaderValue = HeaderValue::from_static("application/x-go-sgf; charset=utf-8");

/// All routes.
pub(super) fn router(app: Arc<App>) -> Router {
    let path = |name: &str| format!("{BASE}{name}");
    let api = Router::new().route(&path("search"), get(search)).route(&path("health"), get(health));
    let api = QUESTIONS.iter().fold(api, |api, kind| {
        let answers = match (kind.has_body, kind.cost) {
            (true, _) => post(with_body),
            (false, Cost::Little) => get(at_once),
            (false, Cost::Much) => get(one_by_one),
            (false, Cost::Time) => get(engine),
            (false, Cost::Search) => get(margins),
        };
        api.route(&path(kind.path), answers)
    });
    page::routes(api)
        .fallback(not_found)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

async fn not_found(uri: Uri) -> Refusal {
    let path: String = uri.path().chars().take(80).collect();
    Refusal::not_found("not_found", format!("there is nothing at {path}"))
}

async fn wrong_method() -> Refusal {
    Refusal::new(405, "wrong_method", "this path has other methods, see Allow")
}

/// Answers a question, on a thread that may take its time.
fn answer_at(app: &App, uri: &Uri, body: Option<&[u8]>) -> Result<Reply, Refusal> {
    let path = uri.path().strip_prefix(BASE).unwrap_or_default();
    let question = Question { path, query: uri.query().unwrap_or_default(), body };
    let sources = Sources { knowledge: &app.knowledge, begins_with: app.begins_with };
    answer(&question, sources, &StopFlag::new())
}

/// Works out an answer, which then waits for its client.
async fn work_out(
    app: &Arc<App>,
    uri: Uri,
    body: Option<Bytes>,
    cost: Cost,
) -> Result<Response, Refusal> {
    let asked = app.clone();
    let job = move || answer_at(&asked, &uri, body.as_deref());
    let reply = match cost {
        Cost::Little => app.workers.work(job).await,
        Cost::Much | Cost::Time | Cost::Search => app.workers.work_large(job).await,
    };
    respond(app, reply??)
}

/// The response of an answer, if there is room for it to wait for its client.
fn respond(app: &App, reply: Reply) -> Result<Response, Refusal> {
    let (kind, text) = match reply {
        Reply::Json(text) => (JSON, text),
        Reply::Sgf(text) => (SGF, text),
    };
    Ok(([(header::CONTENT_TYPE, kind)], app.waiting.hold(text)?).into_response())
}

async fn at_once(State(app): State<Arc<App>>, uri: Uri) -> Result<Response, Refusal> {
    work_out(&app, uri, None, Cost::Little).await
}

async fn one_by_one(State(app): State<Arc<App>>, uri: Uri) -> Result<Response, Refusal> {
    work_out(&app, uri, None, Cost::Much).await
}

/// A body is read when there is room for it, and becomes many times as large. Who sends it too
/// slowly does not keep that room.
async fn with_body(State(app): State<Arc<App>>, request: Request) -> Result<Response, Refusal> {
    refuse_large_body(request.headers())?;
    let _room = app.bodies.acquire().await.map_err(|_| Refusal::internal())?;
    let uri = request.uri().clone();
    let body = timeout(LONGEST_BODY, Bytes::from_request(request, &())).await;
    let body = body.map_err(|_| slow_body())?.map_err(bad_body)?;
    work_out(&app, uri, Some(body), Cost::Much).await
}

fn slow_body() -> Refusal {
    let message = format!("what is sent has to come within {} s", LONGEST_BODY.as_secs());
    Refusal::new(408, "body_too_slow", message)
}

/// Refuses a body that is said to be too large before it has come.
fn refuse_large_body(headers: &HeaderMap) -> Result<(), Refusal> {
    let length: Option<u64> =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    match length {
        Some(length) if length > MOST_BODY as u64 => Err(large_body()),
        _ => Ok(()),
    }
}

fn bad_body(rejection: BytesRejection) -> Refusal {
    if rejection.status() != StatusCode::PAYLOAD_TOO_LARGE {
        return Refusal::bad("bad_body", rejection.body_text());
    }
    large_body()
}

fn large_body() -> Refusal {
    let message = format!("what is sent has at most {MOST_BODY} bytes here");
    Refusal::new(413, "body_too_large", message)
}

/// What takes long has a slot of its own.
async fn engine(
    State(app): State<Arc<App>>,
    client: Option<Extension<Client>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let thinking = Thinking::read(uri.query().unwrap_or_default())?;
    let knowledge = app.knowledge.clone();
    let job = move |stop: &StopFlag| thinking.answer(&knowledge, stop);
    respond(&app, app.searches.in_slot(address(client), job).await??)
}

/// What is known is told at once. A search has a slot of its own, and there is none without slots.
async fn margins(
    State(app): State<Arc<App>>,
    client: Option<Extension<Client>>,
    uri: Uri,
) -> Result<Response, Refusal> {
    let asked = HowMuch::read(uri.query().unwrap_or_default())?;
    let (first, knowledge) = (asked.clone(), app.knowledge.clone());
    let mut known = app.workers.work_large(move || first.known(&knowledge)).await??;
    if asked.wants_search(&known) && app.searches.limits().slots > 0 {
        let (searched, knowledge) = (asked.clone(), app.knowledge.clone());
        let job = move |stop: &StopFlag| searched.search(&known, &knowledge, stop);
        known = app.searches.in_slot(address(client), job).await??;
    }
    respond(&app, json(&asked.report(&known))?)
}

async fn search(
    State(app): State<Arc<App>>,
    client: Option<Extension<Client>>,
    uri: Uri,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Refusal> {
    let request =
        SearchRequest::read(uri.query().unwrap_or_default(), app.searches.limits().longest)?;
    app.searches.start(request, &app.knowledge, address(client)).await
}

/// Whom limits are counted for.
fn address(client: Option<Extension<Client>>) -> IpAddr {
    client.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(Client(address))| address)
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
        tables: app.knowledge.list().len(),
        searches_running: app.searches.running(),
        searches_at_once: limits.slots,
        longest_search_seconds: limits.longest.as_secs_f64(),
    })
}
