//! Pages of other sites that may ask.

use amazons::app::serve::{AllowedOrigin, Options};

use crate::client::{Reply, Served};

const POSITION: &str = "/api/v1/position?fen=q1q/3/3/Q1Q+w";

fn served(origins: &[&str]) -> Served {
    let allowed_origins: Vec<AllowedOrigin> =
        origins.iter().map(|origin| origin.parse().unwrap()).collect();
    Served::eager(Options { allowed_origins, ..Options::default() })
}

/// As a browser asks for the page of an origin.
fn asked(served: &Served, path: &str, origin: &str) -> Reply {
    served.get_with(path, &format!("Origin: {origin}\r\nSec-Fetch-Site: cross-site\r\n"))
}

fn preflight(served: &Served, path: &str, origin: &str) -> Reply {
    served.send(&format!(
        "OPTIONS {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: {origin}\r\n\
         Sec-Fetch-Site: cross-site\r\nAccess-Control-Request-Method: POST\r\n\
         Access-Control-Request-Headers: content-type\r\n\r\n"
    ))
}

fn shown_to(reply: &Reply) -> Option<&str> {
    reply.header("access-control-allow-origin")
}

#[test]
fn pages_of_an_allowed_origin_get_answers_and_may_read_them() {
    let served = served(&["https://club.example", "http://localhost:3000"]);
    for origin in ["https://club.example", "http://localhost:3000"] {
        for path in [POSITION, "/api/v1/health", "/api/v1/search?fen=q1q/3/3/Q1Q+w&seconds=20"] {
            let reply = asked(&served, path, origin);
            assert_eq!((reply.status, shown_to(&reply)), (200, Some(origin)), "{path}");
            assert_eq!(reply.header("vary"), Some("origin"));
        }
        // What is wrong they may read, too.
        let wrong = asked(&served, "/api/v1/position?fen=x", origin);
        assert_eq!((wrong.status, shown_to(&wrong)), (400, Some(origin)));
        let may = preflight(&served, "/api/v1/positions", origin);
        assert_eq!((may.status, shown_to(&may), may.body.as_str()), (204, Some(origin), ""));
        assert_eq!(may.header("access-control-allow-methods"), Some("get, post"));
        assert_eq!(may.header("access-control-allow-headers"), Some("content-type"));
        let headers = format!(
            "Origin: {origin}\r\nSec-Fetch-Site: cross-site\r\nContent-Type: application/json\r\n"
        );
        let body = r#"{"positions": ["q1q/3/3/Q1Q w"]}"#;
        let reply = served.post("/api/v1/positions", body, &headers);
        assert_eq!((reply.status, shown_to(&reply)), (200, Some(origin)), "{}", reply.body);
    }
}

#[test]
fn all_others_are_refused_as_before() {
    let served = served(&["https://club.example"]);
    for origin in [
        "https://evil.example",
        "http://club.example",
        "https://club.example:8443",
        "https://club.example.evil.example",
        "null",
        "*",
    ] {
        let reply = asked(&served, POSITION, origin);
        assert_eq!((reply.status, shown_to(&reply)), (403, None), "{origin}");
        let may = preflight(&served, "/api/v1/positions", origin);
        assert_eq!((may.status, shown_to(&may)), (403, None), "{origin}");
    }
    // Without an origin nobody could be told to whom an answer may be shown.
    let hidden = served.get_with(POSITION, "Sec-Fetch-Site: cross-site\r\n");
    assert_eq!((hidden.status, hidden.error().0.as_str()), (403, "cross_site"));
    // A name that is not the server's is not, whoever asks.
    let rebound = served.send(&format!(
        "GET {POSITION} HTTP/1.1\r\nHost: club.example\r\nConnection: close\r\n\
         Origin: https://club.example\r\n\r\n"
    ));
    assert_eq!((rebound.status, rebound.error().0.as_str()), (403, "bad_host"));
    // The page itself is shown to nobody's scripts.
    let page = asked(&served, "/main.js", "https://club.example");
    assert_eq!((page.status, shown_to(&page)), (200, None));
    // The own page asks as ever.
    let own =
        served.get_with(POSITION, "Origin: http://localhost\r\nSec-Fetch-Site: same-origin\r\n");
    assert_eq!((own.status, shown_to(&own)), (200, None));
}

#[test]
fn a_star_allows_every_origin() {
    let served = served(&["*"]);
    for origin in ["https://anywhere.example", "null"] {
        let reply = asked(&served, POSITION, origin);
        assert_eq!((reply.status, shown_to(&reply)), (200, Some("*")));
        assert_eq!(preflight(&served, POSITION, origin).status, 204);
    }
}

#[test]
fn without_the_option_there_is_no_preflight() {
    let served = served(&[]);
    let may = preflight(&served, POSITION, "https://club.example");
    assert_eq!((may.status, shown_to(&may)), (403, None));
    let own = preflight(&served, POSITION, "http://localhost");
    assert_eq!((own.status, shown_to(&own)), (403, None), "the browser says that it is elsewhere");
}
