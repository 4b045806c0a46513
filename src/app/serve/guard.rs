//! What every request passes: is it for this server, is it small enough, is there room, does it end
//! in time; and the headers of every response.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::origins::{is_preflight, preflight, show};
use super::state::App;
use crate::app::answers::Refusal;

/// Where a browser says which page a request comes from.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The longest path and query: a game of 92 moves on 10x10 takes a third of it.
pub(super) const MOST_URI: usize = 8 << 10;
/// The largest body, if a request has one.
pub(super) const MOST_BODY: usize = 256 << 10;
/// The most bodies that are held at once.
pub(super) const MOST_BODIES: usize = 32;
/// The longest time in which a body comes.
pub(super) const LONGEST_BODY: Duration = Duration::from_secs(2);
/// How the paths of the API begin, of whatever version.
const API: &str = "/api/";
/// The most requests being answered at once; searches count until their response begins.
pub(super) const MOST_REQUESTS: usize = 256;
/// The longest time until a response begins.
pub(super) const LONGEST_ANSWER: Duration = Duration::from_secs(10);

/// The client's address, put into every request by its connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client(pub(super) IpAddr);

/// Headers that a response has unless it sets them itself. The page needs only what the program
/// itself serves.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Refuses what must be refused, limits the rest, and adds the headers.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let is_of_api = request.uri().path().starts_with(API);
    let shown_to = app.origins.shown_to(request.headers()).filter(|_| is_of_api);
    let mut response = match admit(&app, &request) {
        Err(error) => error.into_response(),
        Ok(()) if shown_to.is_some() && is_preflight(&request) => preflight(),
        Ok(()) => in_time(&app, request, next).await.unwrap_or_else(IntoResponse::into_response),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Some(to) = shown_to {
        show(&mut response, to);
    }
    response
}

fn admit(app: &App, request: &Request) -> Result<(), Refusal> {
    let length = request.uri().path_and_query().map_or(0, |text| text.as_str().len());
    if length > MOST_URI {
        let message =
            format!("the path and query have {length} bytes, at most {MOST_URI} are possible");
        return Err(Refusal::new(414, "uri_too_long", message));
    }
    // Which of two would count is not for a server to guess.
    let repeated = |name: &HeaderName| request.headers().get_all(name).iter().nth(1).is_some();
    if let Some(name) =
        [header::HOST, header::ORIGIN, SEC_FETCH_SITE].iter().find(|name| repeated(name))
    {
        let message = format!("the header {name} is there more than once");
        return Err(Refusal::new(400, "repeated_header", message));
    }
    let named =
        request.uri().host().or_else(|| text(request.headers(), header::HOST)).unwrap_or("");
    if !app.hosts.allow(named) {
        let message = "this server does not answer to the name in Host; allow one with --host NAME";
        return Err(Refusal::new(403, "bad_host", message));
    }
    // Other sites cannot read answers unless the server was told so, but they could make it work.
    // Their links to the page itself are welcome.
    if request.uri().path().starts_with(API) && is_foreign(app, request.headers(), named) {
        let message = "the API is not for the pages of other sites";
        return Err(Refusal::new(403, "cross_site", message));
    }
    Ok(())
}

/// Whether a browser says that a request comes from a page that is neither this server's, which was
/// asked by the name `host`, nor one that may ask. Requests of other programs say nothing of the
/// kind.
fn is_foreign(app: &App, headers: &HeaderMap, host: &str) -> bool {
    if app.origins.shown_to(headers).is_some() {
        return false;
    }
    let site = headers.get(SEC_FETCH_SITE);
    let elsewhere = site.is_some_and(|site| site != "same-origin" && site != "none");
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or(""));
    elsewhere || origin.is_some_and(|origin| !app.hosts.are_origin(origin, host))
}

async fn in_time(app: &App, request: Request, next: Next) -> Result<Response, Refusal> {
    let _room = app.requests.try_acquire().map_err(|_| {
        Refusal::busy(format!("{MOST_REQUESTS} requests are being answered; try again in a moment"))
    })?;
    tokio::time::timeout(LONGEST_ANSWER, next.run(request)).await.map_err(|_| {
        Refusal::busy(format!("there was no answer within {} s", LONGEST_ANSWER.as_secs()))
    })
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}
