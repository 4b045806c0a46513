//! The page: its files are part of the program, and these are all the files there are.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::state::App;

/// A file of the page.
struct File {
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

const FILES: [File; 37] = [
    File { path: "/", kind: HTML, text: include_str!("page/index.html") },
    File { path: "/style.css", kind: CSS, text: include_str!("page/style.css") },
    File { path: "/favicon.svg", kind: PICTURE, text: include_str!("page/favicon.svg") },
    File { path: "/main.js", kind: SCRIPT, text: include_str!("page/main.js") },
    File { path: "/state.js", kind: SCRIPT, text: include_str!("page/state.js") },
    File { path: "/status.js", kind: SCRIPT, text: include_str!("page/status.js") },
    File { path: "/opening.js", kind: SCRIPT, text: include_str!("page/opening.js") },
    File { path: "/playing.js", kind: SCRIPT, text: include_str!("page/playing.js") },
    File { path: "/searching.js", kind: SCRIPT, text: include_str!("page/searching.js") },
    File { path: "/exercises.js", kind: SCRIPT, text: include_str!("page/exercises.js") },
    File { path: "/dom.js", kind: SCRIPT, text: include_str!("page/dom.js") },
    File { path: "/answers.js", kind: SCRIPT, text: include_str!("page/answers.js") },
    File { path: "/source.js", kind: SCRIPT, text: include_str!("page/source.js") },
    File { path: "/server.js", kind: SCRIPT, text: include_str!("page/server.js") },
    File { path: "/knowledge.js", kind: SCRIPT, text: include_str!("page/knowledge.js") },
    File { path: "/words.js", kind: SCRIPT, text: include_str!("page/words.js") },
    File { path: "/position.js", kind: SCRIPT, text: include_str!("page/position.js") },
    File { path: "/rules.js", kind: SCRIPT, text: include_str!("page/rules.js") },
    File { path: "/game.js", kind: SCRIPT, text: include_str!("page/game.js") },
    File { path: "/choice.js", kind: SCRIPT, text: include_str!("page/choice.js") },
    File { path: "/board.js", kind: SCRIPT, text: include_str!("page/board.js") },
    File { path: "/maps.js", kind: SCRIPT, text: include_str!("page/maps.js") },
    File { path: "/collection.js", kind: SCRIPT, text: include_str!("page/collection.js") },
    File { path: "/margins.js", kind: SCRIPT, text: include_str!("page/margins.js") },
    File { path: "/lists.js", kind: SCRIPT, text: include_str!("page/lists.js") },
    File { path: "/tree.js", kind: SCRIPT, text: include_str!("page/tree.js") },
    File { path: "/course.js", kind: SCRIPT, text: include_str!("page/course.js") },
    File { path: "/review.js", kind: SCRIPT, text: include_str!("page/review.js") },
    File { path: "/files.js", kind: SCRIPT, text: include_str!("page/files.js") },
    File { path: "/menu.js", kind: SCRIPT, text: include_str!("page/menu.js") },
    File { path: "/live.js", kind: SCRIPT, text: include_str!("page/live.js") },
    File { path: "/graph.js", kind: SCRIPT, text: include_str!("page/graph.js") },
    File { path: "/thinking.js", kind: SCRIPT, text: include_str!("page/thinking.js") },
    File { path: "/boards.js", kind: SCRIPT, text: include_str!("page/boards.js") },
    File { path: "/editor.js", kind: SCRIPT, text: include_str!("page/editor.js") },
    File { path: "/exercise.js", kind: SCRIPT, text: include_str!("page/exercise.js") },
    File { path: "/dialogs.js", kind: SCRIPT, text: include_str!("page/dialogs.js") },
];

/// Adds a route for each file.
pub(super) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    FILES.iter().fold(router, |router, file| {
        router.route(file.path, get(|headers: HeaderMap| send(file, headers)))
    })
}

/// The file, or 304 if the browser has it. Browsers ask every time, so a new version of the program
/// shows at once.
async fn send(file: &'static File, asked: HeaderMap) -> Response {
    let tag = format!("\"{}\"", &blake3::hash(file.text.as_bytes()).to_hex()[..16]);
    let known =
        asked.get(header::IF_NONE_MATCH).is_some_and(|given| given.as_bytes() == tag.as_bytes());
    let tag = HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\""));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(file.kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag),
    ];
    if known {
        (StatusCode::NOT_MODIFIED, headers).into_response()
    } else {
        (headers, file.text).into_response()
    }
}
